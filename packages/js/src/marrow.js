// The package's entry: loadMarrow() and what it returns. Types and their contract: marrow.d.ts.
import { Block } from './block.js';
import { loadCharacter } from './character.js';
import { buildSkeleton } from './descriptions.js';
import { Heap } from './heap.js';
import { MarrowError, expectWord } from './marrow_error.js';
import { instantiate } from './module.js';
import { Skeleton } from './skeleton.js';

export { MarrowError };

// mrw_shader_kind and mrw_shader_dialect, by number.
const SHADER_KINDS = ['linear', 'dual-quat', 'blended'];
const SHADER_DIALECTS = ['glsl-330', 'glsl-es-300', 'glsl-es-100', 'wgsl', 'hlsl'];

/** @param {import('./marrow.d.ts').LoadOptions} [options] @returns {Promise<import('./marrow.d.ts').Marrow>} */
export async function loadMarrow(options = {}) {
  return new Marrow(new Heap(await instantiate(options)));
}

class Marrow {
  #heap;

  /** @param {Heap} heap */
  constructor(heap) {
    this.#heap = heap;
    this.version = heap.text(heap.exports.version());
    this.simd = heap.exports.has_simd() !== 0;
  }

  /** @param {ArrayBuffer | Uint8Array} bytes @param {import('./marrow.d.ts').CharacterOptions} [options] */
  loadCharacter(bytes, options = {}) {
    return loadCharacter(this.#heap, bytes, options);
  }

  /** @param {import('./marrow.d.ts').JointDescription[]} joints @param {import('./marrow.d.ts').ScalarDescription[]} [scalars] */
  createSkeleton(joints, scalars = []) {
    const heap = this.#heap;
    const { address, order } = buildSkeleton(heap, joints, scalars);
    return new Skeleton(new Block(heap, address, heap.exports.built_free), null, order);
  }

  /** @param {import('./marrow.d.ts').ShaderKind} kind @param {import('./marrow.d.ts').ShaderDialect} dialect */
  shaderSource(kind, dialect) {
    const kindNumber = expectWord(kind, SHADER_KINDS, 'kind');
    const address = this.#heap.exports.shader_source(kindNumber, expectWord(dialect, SHADER_DIALECTS, 'dialect'));
    if (address === 0) throw new RangeError(`there is no ${kind} shader in ${dialect}`);
    return this.#heap.text(address);
  }

  /** @param {import('./marrow.d.ts').ShaderDialect} dialect */
  shaderVersionLine(dialect) {
    return this.#heap.text(this.#heap.exports.shader_version_line(expectWord(dialect, SHADER_DIALECTS, 'dialect')));
  }
}
