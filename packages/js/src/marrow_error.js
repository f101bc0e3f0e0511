// What is thrown. MarrowError: what is wrong with a file or a description, in the words of the library. TypeError and
// RangeError: what is wrong with the arguments of a call.

export class MarrowError extends Error {
  /**
   * @param {string} message
   * @param {{ status: string, detail?: string, line?: number, column?: number, offset?: number }} fields
   */
  constructor(message, { status, detail = '', line = 0, column = 0, offset = 0 }) {
    super(message);
    this.name = 'MarrowError';
    this.status = status;
    this.detail = detail;
    this.line = line;
    this.column = column;
    this.offset = offset;
  }
}

/** @param {unknown} value as a message shows it */
function shown(value) {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  return value.constructor?.name ?? 'an object';
}

/** @param {unknown} value @param {string} name */
export function expectFinite(value, name) {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError(`${name}: ${shown(value)} is not a finite number`);
  return value;
}

/** @param {unknown} value @param {number} count @param {string} name */
export function expectIndex(value, count, name) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= count) {
    throw new RangeError(`${name}: ${shown(value)} is not an index below ${count}`);
  }
  return value;
}

/** @param {unknown} value @param {number} least @param {number} most @param {string} name */
export function expectInteger(value, least, most, name) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name}: ${shown(value)} is not a whole number from ${least} to ${most}`);
  }
  return value;
}

/**
 * Room for results.
 * @param {unknown} value @param {number} length that it needs @param {number} offset where results start @param {string} name
 * @returns {Float32Array}
 */
export function expectRoom(value, length, offset, name) {
  if (!(value instanceof Float32Array)) throw new TypeError(`${name}: ${shown(value)} is not a Float32Array`);
  if (!Number.isInteger(offset) || offset < 0) throw new RangeError(`offset: ${shown(offset)} is not an index`);
  if (offset + length > value.length) {
    throw new RangeError(`${name}: ${length} floats from ${offset} on do not fit into ${value.length}`);
  }
  return value;
}

/**
 * Numbers of a caller, which become floats of 32 bits.
 * @param {unknown} value @param {number | undefined} length that it must have @param {string} name
 * @returns {ArrayLike<number>}
 */
export function expectNumbers(value, length, name) {
  const numbers = /** @type {ArrayLike<number>} */ (value);
  if (value === null || typeof value !== 'object' || !Number.isInteger(numbers.length)) {
    throw new TypeError(`${name}: ${shown(value)} is not a list of numbers`);
  }
  if (length !== undefined && numbers.length !== length) {
    throw new RangeError(`${name}: ${numbers.length} numbers where ${length} are needed`);
  }
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (typeof number !== 'number' || !Number.isFinite(number)) throw new TypeError(`${name}[${i}]: ${shown(number)} is not a finite number`);
    if (!Number.isFinite(Math.fround(number))) throw new RangeError(`${name}[${i}]: ${number} is more than a 32-bit float holds`);
  }
  return numbers;
}

/** @param {unknown} value @param {readonly string[]} words @param {string} name @returns {number} which of the words */
export function expectWord(value, words, name) {
  const index = words.indexOf(/** @type {string} */ (value));
  if (index < 0) throw new RangeError(`${name}: ${shown(value)} is none of ${words.join(', ')}`);
  return index;
}

/** @param {unknown} value @param {string} name @returns {Uint8Array} */
export function expectBytes(value, name) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError(`${name}: ${shown(value)} is neither an ArrayBuffer nor a Uint8Array`);
}

/**
 * @template Class
 * @param {unknown} value @param {new (...args: any[]) => Class} Class @param {string} name
 * @returns {Class}
 */
export function expectObject(value, Class, name) {
  if (!(value instanceof Class)) throw new TypeError(`${name}: ${shown(value)} is not a ${Class.name}`);
  return value;
}
