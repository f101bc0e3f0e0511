import { blockOf } from './block.js';

const TOPOLOGIES = /** @type {const} */ (['points', 'lines', 'triangles']);

/** What a mesh of a character is made of; the arrays stand in the module's memory. */
export class Mesh {
  #character;
  #record;
  /** @type {Map<number, any>} the view of each field that was asked for */
  #views = new Map();

  /** @param {import('./block.js').Disposable} character @param {number} address */
  constructor(character, address) {
    this.#character = character;
    const { heap } = blockOf(character);
    const { exports } = heap;
    exports.mesh_read(address);
    this.#record = heap.record.slice();
    const [name, vertexCount, , , , , , influenceCount, , , , , targetCount, partCount] = this.#record;
    this.name = heap.text(name);
    this.vertexCount = vertexCount;
    this.influenceCount = influenceCount;
    this.targetNames = Array.from({ length: targetCount }, (_, i) => heap.text(exports.mesh_target_name(address, i)));
    this.parts = Array.from({ length: partCount }, (_, i) => {
      exports.mesh_part(address, i);
      const [topology, material, firstIndex, indexCount] = heap.record;
      return { topology: TOPOLOGIES[topology], material: material | 0, firstIndex, indexCount };
    });
  }

  get positions() {
    return this.#view(Float32Array, 2, this.vertexCount * 3);
  }

  get normals() {
    return this.#optional(3, 3);
  }

  get tangents() {
    return this.#optional(4, 4);
  }

  get texcoords() {
    return this.#optional(5, 2);
  }

  get colors() {
    return this.#optional(6, 4);
  }

  get joints() {
    return this.#view(Uint16Array, 8, this.vertexCount * this.influenceCount);
  }

  get weights() {
    return this.#view(Float32Array, 9, this.vertexCount * this.influenceCount);
  }

  get indices() {
    return this.#view(Uint32Array, 11, this.#record[10]);
  }

  get sourceVertices() {
    blockOf(this.#character);
    return this.#record[14] === 0 ? undefined : this.#view(Uint32Array, 14, this.vertexCount);
  }

  /** @param {number} field that is 0 where the mesh has none @param {number} width floats a vertex */
  #optional(field, width) {
    blockOf(this.#character);
    return this.#record[field] === 0 ? undefined : this.#view(Float32Array, field, this.vertexCount * width);
  }

  /** @param {any} Type @param {number} field @param {number} length */
  #view(Type, field, length) {
    const { heap } = blockOf(this.#character);
    const view = heap.view(Type, this.#views.get(field), this.#record[field], length, this);
    this.#views.set(field, view);
    return view;
  }
}
