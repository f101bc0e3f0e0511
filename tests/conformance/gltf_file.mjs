// Reads glTF files for the comparisons: no more than they need, and nothing of Marrow's.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const GLB_MAGIC = 0x46546c67;
const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const ARRAYS = {
  5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array,
  5126: Float32Array,
};
const NORMALIZED_MAX = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

/**
 * @typedef {object} GltfFile
 * @property {string} path
 * @property {any} json the document
 * @property {Uint8Array[]} buffers its buffers, wherever they were kept
 */

/** @param {string} path @returns {GltfFile} */
export function readGltf(path) {
  const bytes = readFileSync(path);
  let text = bytes;
  let binary = null;
  if (bytes.length >= 12 && bytes.readUInt32LE(0) === GLB_MAGIC) {
    const jsonLength = bytes.readUInt32LE(12);
    text = bytes.subarray(20, 20 + jsonLength);
    const next = 20 + jsonLength;
    if (next + 8 <= bytes.length) {
      binary = bytes.subarray(next + 8, next + 8 + bytes.readUInt32LE(next));
    }
  }
  const json = JSON.parse(text.toString('utf8'));
  const buffers = (json.buffers ?? []).map((buffer) => {
    if (buffer.uri === undefined) return binary;
    const data = /^data:[^,]*;base64,/.exec(buffer.uri);
    if (data) return Buffer.from(buffer.uri.slice(data[0].length), 'base64');
    return readFileSync(join(dirname(path), decodeURIComponent(buffer.uri)));
  });
  return { path, json, buffers };
}

/**
 * The file as one .glb without materials and pictures, which a loader then has no need to fetch
 * or decode.
 * @param {GltfFile} file @returns {ArrayBuffer}
 */
export function toBareGlb(file) {
  const json = structuredClone(file.json);
  for (const key of ['materials', 'textures', 'images', 'samplers']) delete json[key];
  for (const mesh of json.meshes ?? []) {
    for (const primitive of mesh.primitives) delete primitive.material;
  }

  const starts = [];
  let size = 0;
  for (const buffer of file.buffers) {
    starts.push(size);
    size += (buffer.length + 3) & ~3;
  }
  for (const view of json.bufferViews ?? []) {
    view.byteOffset = (view.byteOffset ?? 0) + starts[view.buffer];
    view.buffer = 0;
  }
  if (size > 0) json.buffers = [{ byteLength: size }];

  const text = Buffer.from(JSON.stringify(json));
  const textSize = (text.length + 3) & ~3;
  const glb = Buffer.alloc(12 + 8 + textSize + 8 + size, 0);
  glb.writeUInt32LE(GLB_MAGIC, 0);
  glb.writeUInt32LE(2, 4);
  glb.writeUInt32LE(glb.length, 8);
  glb.writeUInt32LE(textSize, 12);
  glb.write('JSON', 16, 'latin1');
  glb.fill(0x20, 20, 20 + textSize);
  text.copy(glb, 20);
  glb.writeUInt32LE(size, 20 + textSize);
  glb.write('BIN\0', 24 + textSize, 'latin1');
  file.buffers.forEach((buffer, i) => glb.set(buffer, 28 + textSize + starts[i]));
  return glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length);
}

/**
 * The numbers of an accessor, normalised ones as fractions. Sparse accessors are refused: no
 * caller meets one.
 * @param {GltfFile} file @param {number} index @returns {number[][]} one array an element
 */
export function readAccessor(file, index) {
  const accessor = file.json.accessors[index];
  if (accessor.sparse || accessor.bufferView === undefined) {
    throw new Error(`accessors[${index}]: sparse accessors are not read here`);
  }
  const view = file.json.bufferViews[accessor.bufferView];
  const width = COMPONENTS[accessor.type];
  const ArrayType = ARRAYS[accessor.componentType];
  const stride = view.byteStride ?? width * ArrayType.BYTES_PER_ELEMENT;
  const divisor = accessor.normalized ? NORMALIZED_MAX[accessor.componentType] : 1;
  const buffer = file.buffers[view.buffer];
  const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const elements = [];
  for (let i = 0; i < accessor.count; i++) {
    const at = start + i * stride;
    const bytes = buffer.slice(at, at + width * ArrayType.BYTES_PER_ELEMENT);
    const numbers = new ArrayType(Uint8Array.from(bytes).buffer);
    elements.push(Array.from(numbers, (n) => Math.max(n / divisor, accessor.normalized ? -1 : n)));
  }
  return elements;
}

/**
 * The children of each node and the roots, of the scene that the file shows.
 * @param {any} json @returns {{roots: number[], parentOf: Map<number, number>}}
 */
export function sceneTree(json) {
  const roots = json.scenes?.[json.scene ?? 0]?.nodes ?? [];
  const parentOf = new Map();
  const visit = (node, parent) => {
    parentOf.set(node, parent);
    for (const child of json.nodes[node].children ?? []) visit(child, node);
  };
  for (const root of roots) visit(root, -1);
  return { roots, parentOf };
}

/**
 * The nodes that `marrow pose` must list: joints of skins, animated nodes, nodes with a mesh, and
 * all ancestors of these.
 * @param {any} json @returns {Set<number>}
 */
export function nodesThatMatter(json) {
  const { parentOf } = sceneTree(json);
  const wanted = new Set();
  const keep = (node) => {
    for (let at = node; at !== undefined && at !== -1; at = parentOf.get(at)) {
      if (parentOf.has(at)) wanted.add(at);
    }
  };
  for (const skin of json.skins ?? []) skin.joints.forEach(keep);
  for (const animation of json.animations ?? []) {
    for (const channel of animation.channels) {
      if (channel.target.node !== undefined) keep(channel.target.node);
    }
  }
  json.nodes.forEach((node, i) => {
    if (node.mesh !== undefined) keep(i);
  });
  return wanted;
}
