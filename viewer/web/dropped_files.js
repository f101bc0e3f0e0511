// Files that a person drops or picks: which one is the character, and which ones stand beside it.

/** @typedef {{path: string, file: File}} Dropped */
/** @typedef {{main: Dropped, others: string[], bytes: Uint8Array, findFile: (path: string) => Uint8Array | undefined}} Choice */

/** Formats that people have and that this version does not read, with what to do. */
const LATER = {
  fbx: 'FBX comes with a later version of Marrow. Blender opens it and exports glTF.',
  blend: 'This is a Blender project: export it as glTF 2.0 (.glb).',
  obj: 'OBJ files hold neither joints nor clips.',
  dae: 'Collada is not read. Blender opens it and exports glTF.',
  vrm: '', // a .glb by another name
};

/** All files of a drop, folders included. @param {DataTransfer} transfer @returns {Promise<Dropped[]>} */
export async function filesOfDrop(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  // Entries of files that a program made, not a hand, may be missing.
  if (entries.length === 0) return filesOfList(transfer.files);
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found.length ? found : filesOfList(transfer.files);
}

async function walk(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return;
    for (const child of part) await walk(child, found);
  }
}

/** @param {FileList} list @returns {Dropped[]} */
export function filesOfList(list) {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

const extension = (path) => /\.([^./]+)$/.exec(path)?.[1].toLowerCase() ?? '';
const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/** Reads what a drop holds. Throws an Error in words where there is no character in it. @param {Dropped[]} files @returns {Promise<Choice>} */
export async function chooseCharacter(files) {
  if (files.length === 0) throw new Error('Nothing was in this drop. Drop a .glb, .bvh or .mrw file, or a .gltf file with its .bin and pictures.');
  let characters = files.filter(({ path }) => ['glb', 'gltf', 'bvh', 'mrw', 'vrm'].includes(extension(path)));
  if (characters.length === 0) {
    const known = files.map(({ path }) => LATER[extension(path)]).find(Boolean);
    if (known) throw new Error(`${known} For now open a .glb, .gltf, .bvh or .mrw file.`);
    // One file of any name: its content decides.
    if (files.length > 1) throw new Error('None of these files is a character. Drop the .gltf together with its .bin and pictures.');
    characters = files;
  }
  characters.sort((a, b) => a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1));
  const main = characters[0];
  const bytes = await read(main.file);
  const find = finder(main.path, files);
  // Only what is named is read: the folder may be a large one.
  /** @type {Map<Dropped, Uint8Array>} */
  const contents = new Map();
  for (const path of namedFiles(bytes)) {
    const file = find(path);
    if (file && file !== main) contents.set(file, await read(file.file));
  }
  return { main, others: characters.slice(1).map(({ path }) => nameOf(path)), bytes, findFile: (path) => contents.get(find(path)) };
}

/** Paths of files that a glTF names. Of anything else none: reading it properly will say what is wrong. @param {Uint8Array} bytes */
function namedFiles(bytes) {
  let text = bytes;
  if (bytes.length > 20 && new TextDecoder().decode(bytes.subarray(0, 4)) === 'glTF') {
    text = bytes.subarray(20, 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true));
  }
  try {
    const { buffers = [], images = [] } = JSON.parse(new TextDecoder().decode(text));
    return [...buffers, ...images].map(({ uri }) => uri).filter((uri) => uri && !/^data:/i.test(uri)).map(decoded);
  } catch {
    return [];
  }
}

/** @param {string} uri */
function decoded(uri) {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // a % that begins no code: the name itself has it
  }
}

async function read(file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} cannot be read: it was moved, or it is not a file.`);
  }
}

/**
 * By the path from the main file's folder; else by name, where only one file has it: people drop files without folders.
 * @param {string} mainPath @param {Dropped[]} files @returns {(path: string) => Dropped | undefined}
 */
function finder(mainPath, files) {
  const folder = mainPath.slice(0, mainPath.lastIndexOf('/') + 1);
  return (path) => {
    const wanted = folder + path.replace(/^(\.\/)+/, '');
    const named = files.filter((file) => nameOf(file.path).toLowerCase() === nameOf(path).toLowerCase());
    return files.find((file) => file.path === wanted) ?? (named.length === 1 ? named[0] : undefined);
  };
}
