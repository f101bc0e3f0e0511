// How long memory of the module lives.
//
//     Pose ──▶ block ──▶ block ◀── Skeleton        an object holds a block, a block holds those that it points into
//
// dispose() makes an object unusable and lets go of its block; the memory goes when nothing holds it. A pose so
// outlives its character, and no order of disposing leaves a dangling address. Objects that are forgotten let go when
// the engine collects them.

/** @typedef {import('./heap.js').Heap} Heap */

export class Block {
  #holders = 1;
  #free;
  #held;

  /**
   * @param {Heap} heap @param {number} address @param {(address: number) => void} free
   * @param {Block[]} held by this one
   */
  constructor(heap, address, free, held = []) {
    this.heap = heap;
    this.address = address;
    this.#free = free;
    this.#held = held;
    for (const block of held) block.retain();
  }

  retain() {
    this.#holders++;
    return this;
  }

  /** Another one that this block points into from now on. @param {Block} block */
  hold(block) {
    if (!this.#held.includes(block)) this.#held.push(block.retain());
  }

  release() {
    if (--this.#holders > 0) return;
    this.#free(this.address);
    for (const block of this.#held) block.release();
  }
}

/** @type {FinalizationRegistry<Block>} */
const forgotten = new FinalizationRegistry((block) => block.release());

// Where an object keeps them: not for users.
const BLOCK = Symbol('block');
const ADDRESS = Symbol('address');

/** What `using` calls, where the engine knows it. @type {typeof Symbol.dispose} */
const DISPOSE = Symbol.dispose ?? Symbol('Symbol.dispose');

/** What dispose() ends. */
export class Disposable {
  /** @type {Disposable | null} */
  #owner;

  /**
   * @param {Block} block that this object takes over, or its owner's
   * @param {{ owner: Disposable, address: number } | null} part of another object, whose end is this one's too
   */
  constructor(block, part = null) {
    /** @type {Block | null} */
    this[BLOCK] = block;
    this[ADDRESS] = part === null ? block.address : part.address;
    this.#owner = part === null ? null : part.owner;
    if (part === null) forgotten.register(this, block, this);
  }

  /** A part of another object ends with that one only. */
  dispose() {
    const block = this[BLOCK];
    if (block === null || this.#owner !== null) return;
    this[BLOCK] = null;
    forgotten.unregister(this);
    block.release();
  }

  [DISPOSE]() {
    this.dispose();
  }

  /** @param {Disposable} object @returns {Block} */
  static blockOf(object) {
    const block = (object.#owner ?? object)[BLOCK];
    if (block === null) {
      const how = object.#owner === null ? 'was disposed' : `was disposed with its ${object.#owner.constructor.name}`;
      throw new TypeError(`this ${object.constructor.name} ${how}`);
    }
    return block;
  }
}

/** An object's block. Throws if the object was disposed. */
export const { blockOf } = Disposable;

/** Where an object stands in memory. Throws if it was disposed. @param {Disposable} object @returns {number} */
export function addressOf(object) {
  blockOf(object);
  return object[ADDRESS];
}

/**
 * The address of an argument, which must belong to the same module.
 * @param {Disposable} object @param {Heap} heap @param {string} name @returns {number}
 */
export function addressOfArgument(object, heap, name) {
  if (blockOf(object).heap !== heap) throw new TypeError(`${name}: belongs to what another loadMarrow() returned`);
  return object[ADDRESS];
}
