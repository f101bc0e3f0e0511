// The module's memory: bytes that go in, views and texts that come out, and what its errors say.
import { MarrowError } from './marrow_error.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// mrw_error; memory_exports.c checks the offsets.
const ERROR = { status: 0, line: 4, column: 8, offset: 16, detail: 24, message: 152 };

/**
 * Memory grows, and each time its ArrayBuffer is replaced and the old views die. So nothing here keeps a view
 * across a call into the module but by asking whether the buffer is still the same.
 */
export class Heap {
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);
  #recordAddress;

  /** @param {any} exports of the module's instance */
  constructor(exports) {
    this.exports = exports;
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.#recordAddress = exports.record_address();
  }

  #refresh() {
    if (this.#bytes.buffer !== this.memory.buffer) {
      this.#bytes = new Uint8Array(this.memory.buffer);
      this.#words = new Uint32Array(this.memory.buffer);
    }
  }

  get bytes() {
    this.#refresh();
    return this.#bytes;
  }

  get words() {
    this.#refresh();
    return this.#words;
  }

  /** What the last _read function said; valid until the next one. */
  get record() {
    const first = this.#recordAddress / 4;
    return this.words.subarray(first, first + 16);
  }

  /** @param {number} address of NUL-terminated UTF-8 @returns {string} */
  text(address) {
    const { bytes } = this;
    return decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
  }

  /**
   * A view for as long as the memory does not grow, or the one that was made before if it is still good.
   * @param {any} Type a typed array's @param {any} before the last view, if any @param {number} address
   * @param {number} length @param {object} owner kept from being collected, and its memory with it, while someone
   * holds the view
   */
  view(Type, before, address, length, owner) {
    if (before !== undefined && before.buffer === this.memory.buffer) return before;
    const view = new Type(this.memory.buffer, address, length);
    Object.defineProperty(view, OWNER, { value: owner });
    return view;
  }

  /** A copy of what stands in memory now. @param {any} Type a typed array's @param {number} address @param {number} length */
  copy(Type, address, length) {
    return new Type(this.memory.buffer, address, length).slice();
  }

  /** @param {number} size of bytes @returns {number} address, aligned to 64 */
  allocate(size) {
    const address = size < 2 ** 32 ? this.exports.memory_allocate(size) : 0;
    if (address === 0) throw this.outOfMemory(size);
    return address;
  }

  /** @param {number} size */
  outOfMemory(size) {
    return new MarrowError(`${size} bytes: there is not that much memory`, { status: 'MRW_ERR_OUT_OF_MEMORY' });
  }

  /** What the module's last failure was. @returns {MarrowError} */
  lastError() {
    const { exports, memory } = this;
    const address = exports.error_address();
    const fields = new DataView(memory.buffer, address);
    const number = fields.getInt32(ERROR.status, true);
    const line = fields.getUint32(ERROR.line, true);
    const column = fields.getUint32(ERROR.column, true);
    const detail = this.text(address + ERROR.detail);
    const what = this.text(address + ERROR.message) || this.text(exports.status_text(number));
    const place = line > 0 ? `${line}:${column}: ` : '';
    // "file" is the file as a whole, which needs no name.
    const thing = detail === '' || detail === 'file' ? '' : `${detail}: `;
    const status = this.text(exports.status_name(number));
    const offset = Number(fields.getBigUint64(ERROR.offset, true));
    return new MarrowError(`${place}${thing}${what}`, { status, detail, line, column, offset });
  }

  /** Throws what a status says. @param {number} status */
  check(status) {
    if (status !== 0) throw this.lastError();
  }

  /** Throws if a function returned no address. @param {number} address @returns {number} */
  checkAddress(address) {
    if (address === 0) throw this.lastError();
    return address;
  }

  /**
   * Runs what needs arguments in memory, and takes them back afterwards.
   * @template Result
   * @param {(stack: Arguments) => Result} call @returns {Result}
   */
  with(call) {
    const stack = new Arguments(this);
    try {
      return call(stack);
    } finally {
      stack.release();
    }
  }
}

const OWNER = Symbol('owner');

/** Arguments of one call. */
export class Arguments {
  /** @type {number[]} */
  #addresses = [];

  /** @param {Heap} heap */
  constructor(heap) {
    this.heap = heap;
  }

  /** @param {number} size of bytes */
  space(size) {
    const address = this.heap.allocate(size);
    this.#addresses.push(address);
    return address;
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    const address = this.space(bytes.length);
    this.heap.bytes.set(bytes, address);
    return address;
  }

  /** @param {string} text without a NUL, which would end it */
  text(text) {
    if (text.includes('\0')) throw new RangeError(`${JSON.stringify(text)}: a text cannot hold the character U+0000`);
    const bytes = encoder.encode(text);
    const address = this.space(bytes.length + 1);
    this.heap.bytes.set(bytes, address);
    this.heap.bytes[address + bytes.length] = 0;
    return address;
  }

  /** @param {ArrayLike<number>} values */
  floats(values) {
    const address = this.space(values.length * 4);
    new Float32Array(this.heap.memory.buffer, address, values.length).set(values);
    return address;
  }

  /** @param {ArrayLike<number>} values */
  words(values) {
    const address = this.space(values.length * 4);
    this.heap.words.set(values, address / 4);
    return address;
  }

  release() {
    for (const address of this.#addresses) this.heap.exports.memory_release(address);
    this.#addresses = [];
  }
}
