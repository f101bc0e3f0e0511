import { Disposable, addressOf, blockOf } from './block.js';
import { expectInteger } from './marrow_error.js';

// mrw_track_kind and mrw_interpolation, by number.
export const TRACK_KINDS = Object.freeze(['translation', 'rotation', 'scale', 'scalar']);
export const INTERPOLATIONS = Object.freeze(['step', 'linear', 'cubic']);
/** Floats of one value of each kind. */
export const TRACK_WIDTHS = Object.freeze([3, 4, 3, 1]);
/** Values of one key of each interpolation: cubic has tangents around each. */
export const KEY_VALUES = Object.freeze([1, 1, 3]);

/** @typedef {import('./marrow.d.ts').TrackKeys} TrackKeys */

export class Clip extends Disposable {
  #trackCount;

  /**
   * @param {import('./block.js').Block} block
   * @param {{ owner: Disposable, address: number } | null} [part]
   */
  constructor(block, part = null) {
    super(block, part);
    const { heap } = block;
    const address = addressOf(this);
    heap.exports.clip_read(address);
    const [name, trackCount] = heap.record;
    this.name = heap.text(name);
    this.durationSeconds = heap.exports.clip_duration(address);
    this.#trackCount = trackCount;
  }

  /** @param {number} joint @returns {TrackKeys[]} */
  jointTracks(joint) {
    expectInteger(joint, 0, 2 ** 32 - 1, 'joint');
    const { heap } = blockOf(this);
    const tracks = [];
    for (let i = 0; i < this.#trackCount; i++) {
      heap.exports.clip_track(addressOf(this), i);
      const [kind, target, interpolation, keyCount, times, width] = heap.record;
      if (target !== joint || TRACK_KINDS[kind] === 'scalar') continue;
      tracks.push({
        kind: /** @type {TrackKeys['kind']} */ (TRACK_KINDS[kind]),
        interpolation: /** @type {TrackKeys['interpolation']} */ (INTERPOLATIONS[interpolation]),
        times: heap.copy(Float32Array, times, keyCount),
        values: this.#trackValues(i, keyCount * width),
      });
    }
    return tracks;
  }

  /** Without tangents. @param {number} track @param {number} count of numbers */
  #trackValues(track, count) {
    const { heap } = blockOf(this);
    return heap.with((stack) => {
      const values = stack.space(count * 4);
      heap.exports.clip_track_values(addressOf(this), track, values);
      return heap.copy(Float32Array, values, count);
    });
  }
}
