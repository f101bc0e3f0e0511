import { Block, Disposable, addressOf, addressOfArgument, blockOf } from './block.js';
import { Clip } from './clip.js';
import { Crowd } from './crowd.js';
import { expectBytes, expectIndex, expectInteger, expectObject, expectRoom, expectWord } from './marrow_error.js';
import { Mesh } from './mesh.js';
import { Pose } from './pose.js';
import { Skeleton } from './skeleton.js';
import { Skin } from './skin.js';

/** @typedef {import('./heap.js').Heap} Heap */
/** @typedef {import('./marrow.d.ts').CharacterOptions} CharacterOptions */
/** @typedef {import('./marrow.d.ts').Diagnostic} Diagnostic */

const METHODS = ['linear', 'dual-quat'];

// What a .gltf can only use as a picture. Pictures are not read here, so they need not come into memory.
const PICTURE = /\.(png|jpe?g|webp|avif|gif|bmp|ktx2?|basis|dds)$/i;

export class Character extends Disposable {
  /** @param {Block} block @param {Diagnostic[]} diagnostics */
  constructor(block, diagnostics) {
    super(block);
    const { heap, address } = block;
    heap.exports.character_read(address);
    const record = heap.record.slice();
    /** The addresses of an array. @param {number} field where its address, the size of one, and their count stand */
    const addresses = (field) => Array.from({ length: record[field + 2] }, (_, i) => record[field] + i * record[field + 1]);
    this.skeleton = new Skeleton(block, { owner: this, address: record[0] });
    this.clips = addresses(1).map((clip) => new Clip(block, { owner: this, address: clip }));
    this.skins = addresses(4).map((skin) => new Skin(block, { owner: this, address: skin }));
    this.meshes = addresses(7).map((mesh) => new Mesh(this, mesh));
    this.instances = addresses(10).map((instance) => readInstance(heap, instance));
    this.paletteCount = record[13];
    this.diagnostics = diagnostics;
  }

  /** @param {string} name */
  findClip(name) {
    return this.clips.find((clip) => clip.name === name);
  }

  createPose() {
    return this.skeleton.createPose();
  }

  /** @param {number} count */
  createCrowd(count) {
    const block = blockOf(this);
    return new Crowd(this.skeleton, addressOf(this.skeleton), block.address, 0, count, [block]);
  }

  /**
   * @param {import('./marrow.d.ts').Pose} pose @param {number} instance
   * @param {{ method?: 'linear' | 'dual-quat', positions?: Float32Array, normals?: Float32Array }} [options]
   */
  skinVertices(pose, instance, { method = 'linear', positions, normals } = {}) {
    const { heap, address } = blockOf(this);
    const posed = expectObject(pose, Pose, 'pose');
    addressOfArgument(posed, heap, 'pose');
    expectIndex(instance, this.instances.length, 'instance');
    const mesh = this.meshes[this.instances[instance].mesh];
    const length = mesh.vertexCount * 3;
    const out = positions ?? new Float32Array(length);
    expectRoom(out, length, 0, 'positions');
    if (normals !== undefined) {
      expectRoom(normals, length, 0, 'normals');
      if (mesh.normals === undefined) throw new TypeError('normals: the mesh has none');
    }
    posed.skinInstance(address, instance, expectWord(method, METHODS, 'method'), out, normals);
    return out;
  }
}

/** @param {Heap} heap @param {number} address */
function readInstance(heap, address) {
  heap.exports.instance_read(address);
  const [mesh, skin, joint, firstScalar, paletteFirst, paletteCount] = heap.record;
  return { mesh, skin: skin | 0, joint, firstScalar, paletteFirst, paletteCount };
}

/** @param {Heap} heap @param {(index: number) => number} read fills the record; 0 past the end @returns {Diagnostic[]} */
function readDiagnostics(heap, read) {
  const diagnostics = [];
  for (let i = 0; read(i) !== 0; i++) {
    const [code, severity, where, message, count] = heap.record;
    diagnostics.push({
      code: heap.text(code),
      severity: /** @type {'error' | 'warning' | 'info'} */ (heap.text(severity)),
      where: heap.text(where),
      message: heap.text(message),
      count,
    });
  }
  return diagnostics;
}

/** @param {CharacterOptions['files']} files @returns {[string, Uint8Array][]} */
function neededFiles(files) {
  const entries = files instanceof Map ? [...files] : Object.entries(files ?? {});
  return entries
    .filter(([path]) => !PICTURE.test(path))
    .map(([path, bytes]) => [path.replace(/^(\.\/)+/, ''), expectBytes(bytes, `files["${path}"]`)]);
}

/** @param {Heap} heap @param {Uint8Array} bytes @param {[string, Uint8Array][]} files @returns {number} the scene's address */
function importScene(heap, bytes, files) {
  return heap.with((stack) => {
    const bytesAt = stack.bytes(bytes);
    const table = stack.words(files.flatMap(([path, content]) => [stack.text(path), stack.bytes(content), content.length]));
    return heap.checkAddress(heap.exports.scene_import(bytesAt, bytes.length, table, files.length));
  });
}

/** The first bytes of a .mrw file: "MRWF". @param {Uint8Array} bytes */
const isPacked = (bytes) => bytes[0] === 0x4d && bytes[1] === 0x52 && bytes[2] === 0x57 && bytes[3] === 0x46;

/** @param {Heap} heap @param {Uint8Array} bytes @param {number} maxInfluences */
function openCharacter(heap, bytes, maxInfluences) {
  const { exports } = heap;
  const address = heap.with((stack) =>
    heap.checkAddress(exports.character_open(stack.bytes(bytes), bytes.length, maxInfluences)));
  return new Character(new Block(heap, address, exports.character_free), []);
}

/** @param {Heap} heap @param {ArrayBuffer | Uint8Array} bytes @param {CharacterOptions} options */
export function loadCharacter(heap, bytes, { files, maxInfluences = 0, groupVertices = false }) {
  const { exports } = heap;
  expectInteger(maxInfluences, 0, 65535, 'maxInfluences');
  const content = expectBytes(bytes, 'bytes');
  if (isPacked(content)) return openCharacter(heap, content, maxInfluences);
  const scene = importScene(heap, content, neededFiles(files));
  try {
    const diagnostics = readDiagnostics(heap, (i) => exports.scene_diagnostic(scene, i));
    const address = heap.checkAddress(exports.character_build(scene, maxInfluences, groupVertices ? 1 : 0));
    diagnostics.push(...readDiagnostics(heap, (i) => exports.character_diagnostic(address, i)));
    return new Character(new Block(heap, address, exports.character_free), diagnostics);
  } finally {
    exports.scene_free(scene);
  }
}
