// Skeletons, clips and skins that a program describes, written into memory as the C structs that the builders read;
// builder_exports.c checks the sizes.
import { INTERPOLATIONS, KEY_VALUES, TRACK_KINDS, TRACK_WIDTHS } from './clip.js';
import { expectFinite, expectInteger, expectNumbers, expectWord } from './marrow_error.js';

/** @typedef {import('./heap.js').Heap} Heap */
/** @typedef {import('./heap.js').Arguments} Arguments */

const JOINT_BYTES = 52;
const SCALAR_BYTES = 8;
const TRACK_BYTES = 24;
const MOST_INT32 = 2 ** 31 - 1;
const MOST_UINT32 = 2 ** 32 - 1;

/** Little-endian words at an address, one after the other. */
class Writer {
  #fields;
  #at = 0;

  /** @param {Heap} heap @param {number} address @param {number} size of bytes */
  constructor(heap, address, size) {
    this.#fields = new DataView(heap.memory.buffer, address, size);
  }

  /** @param {number} value */
  int(value) {
    this.#fields.setInt32(this.#at, value, true);
    this.#at += 4;
  }

  /** @param {ArrayLike<number>} values */
  floats(values) {
    for (let i = 0; i < values.length; i++) {
      this.#fields.setFloat32(this.#at, values[i], true);
      this.#at += 4;
    }
  }
}

/** @param {unknown} value @param {string} name */
function expectText(value, name) {
  if (typeof value !== 'string') throw new TypeError(`${name}: not a string`);
  return value;
}

/** @param {unknown} value @param {string} name @returns {any[]} */
function expectList(value, name) {
  if (!Array.isArray(value)) throw new TypeError(`${name}: not an array`);
  return value;
}

/**
 * @param {Heap} heap @param {import('./marrow.d.ts').JointDescription[]} joints
 * @param {import('./marrow.d.ts').ScalarDescription[]} scalars
 * @returns {{ address: number, order: Uint32Array }} of the skeleton; where each joint went
 */
export function buildSkeleton(heap, joints, scalars) {
  expectList(joints, 'joints');
  expectList(scalars, 'scalars');
  return heap.with((stack) => {
    const records = joints.map((joint, i) => ({
      name: stack.text(expectText(joint.name ?? '', `joints[${i}].name`)),
      parent: expectInteger(joint.parent, -1, MOST_INT32, `joints[${i}].parent`),
      rest: [
        expectNumbers(joint.translation ?? [0, 0, 0], 3, `joints[${i}].translation`),
        expectNumbers(joint.rotation ?? [0, 0, 0, 1], 4, `joints[${i}].rotation`),
        expectNumbers(joint.scale ?? [1, 1, 1], 3, `joints[${i}].scale`),
      ],
    }));
    const scalarRecords = scalars.map((scalar, i) => ({
      name: stack.text(expectText(scalar.name, `scalars[${i}].name`)),
      rest: expectFinite(scalar.rest ?? 0, `scalars[${i}].rest`),
    }));
    const jointsAt = stack.space(joints.length * JOINT_BYTES);
    const scalarsAt = stack.space(scalars.length * SCALAR_BYTES);
    const orderAt = stack.space(joints.length * 4);

    const jointWriter = new Writer(heap, jointsAt, joints.length * JOINT_BYTES);
    records.forEach(({ name, parent, rest }, i) => {
      jointWriter.int(name);
      jointWriter.int(parent);
      for (const values of rest) jointWriter.floats(values);
      jointWriter.int(i);
    });
    const scalarWriter = new Writer(heap, scalarsAt, scalars.length * SCALAR_BYTES);
    for (const { name, rest } of scalarRecords) {
      scalarWriter.int(name);
      scalarWriter.floats([rest]);
    }
    const address = heap.checkAddress(heap.exports.skeleton_build(jointsAt, joints.length, scalarsAt, scalars.length, orderAt));
    return { address, order: heap.copy(Uint32Array, orderAt, joints.length) };
  });
}

/**
 * @param {Heap} heap @param {number} skeleton @param {string} name
 * @param {import('./marrow.d.ts').TrackDescription[]} tracks @param {number} [durationSeconds]
 * @returns {number} address
 */
export function buildClip(heap, skeleton, name, tracks, durationSeconds) {
  expectText(name, 'name');
  expectList(tracks, 'tracks');
  if (durationSeconds !== undefined && expectFinite(durationSeconds, 'durationSeconds') < 0) {
    throw new RangeError(`durationSeconds: ${durationSeconds} is negative`);
  }
  return heap.with((stack) => {
    const records = tracks.map((track, i) => {
      const kind = expectWord(track.kind, TRACK_KINDS, `tracks[${i}].kind`);
      const interpolation = expectWord(track.interpolation ?? 'linear', INTERPOLATIONS, `tracks[${i}].interpolation`);
      const times = expectNumbers(track.times, undefined, `tracks[${i}].times`);
      const length = times.length * TRACK_WIDTHS[kind] * KEY_VALUES[interpolation];
      const values = expectNumbers(track.values, length, `tracks[${i}].values`);
      const target = expectInteger(track.target, 0, MOST_UINT32, `tracks[${i}].target`);
      return [kind, target, interpolation, times.length, stack.floats(times), stack.floats(values)];
    });
    const nameAt = stack.text(name);
    const tracksAt = stack.space(tracks.length * TRACK_BYTES);
    const writer = new Writer(heap, tracksAt, tracks.length * TRACK_BYTES);
    for (const value of records.flat()) writer.int(value);
    return heap.checkAddress(heap.exports.clip_build(skeleton, nameAt, tracksAt, tracks.length, durationSeconds ?? -1));
  });
}

/**
 * @param {Heap} heap @param {number} skeleton @param {ArrayLike<number>} joints @param {ArrayLike<number>} [inverseBinds]
 * @returns {number} address
 */
export function buildSkin(heap, skeleton, joints, inverseBinds) {
  const numbers = expectNumbers(joints, undefined, 'joints');
  for (let i = 0; i < numbers.length; i++) expectInteger(numbers[i], 0, MOST_UINT32, `joints[${i}]`);
  if (inverseBinds !== undefined) expectNumbers(inverseBinds, numbers.length * 12, 'inverseBinds');
  return heap.with((stack) => {
    const bindsAt = inverseBinds === undefined ? 0 : stack.floats(inverseBinds);
    return heap.checkAddress(heap.exports.skin_build(skeleton, stack.words(numbers), bindsAt, numbers.length));
  });
}
