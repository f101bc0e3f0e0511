import { Block, Disposable, addressOfArgument, blockOf } from './block.js';
import { Clip } from './clip.js';
import { expectFinite, expectIndex, expectInteger, expectObject } from './marrow_error.js';

const MATRIX_FLOATS = 12;
const MOST = 2 ** 24;

export class Crowd extends Disposable {
  #paletteAddress;
  #paletteLength;
  #scalarsAddress;
  #scalarsLength;
  /** @type {Float32Array | undefined} */
  #palette;
  /** @type {Float32Array | undefined} */
  #scalars;

  /**
   * @param {import('./skeleton.js').Skeleton} skeleton @param {number} skeletonAddress
   * @param {number} characterAddress or 0 @param {number} skinAddress or 0 @param {number} count @param {Block[]} held
   */
  constructor(skeleton, skeletonAddress, characterAddress, skinAddress, count, held) {
    expectInteger(count, 0, MOST, 'count');
    const [{ heap }] = held;
    const { exports } = heap;
    const address = heap.checkAddress(exports.crowd_create(skeletonAddress, characterAddress, skinAddress, count));
    super(new Block(heap, address, exports.crowd_free, held));
    this.count = count;
    exports.crowd_read(address);
    const [paletteAddress, scalarsAddress, paletteCount] = heap.record;
    this.#paletteAddress = paletteAddress;
    this.#paletteLength = count * paletteCount * MATRIX_FLOATS;
    this.#scalarsAddress = scalarsAddress;
    this.#scalarsLength = count * skeleton.scalarCount;
  }

  /**
   * @param {number} index
   * @param {import('./marrow.d.ts').CrowdState} state
   */
  set(index, {
    clip, timeSeconds, speed = 1, loop = true, otherClip, otherTimeSeconds = 0, otherSpeed = 1, otherLoop = true,
    fade = 0, fadePerSecond = 0,
  }) {
    const block = blockOf(this);
    const { heap } = block;
    expectIndex(index, this.count, 'index');
    const playing = [expectObject(clip, Clip, 'clip')];
    const clipAddress = addressOfArgument(playing[0], heap, 'clip');
    expectFinite(timeSeconds, 'timeSeconds');
    expectFinite(speed, 'speed');
    let otherAddress = 0;
    if (otherClip !== undefined) {
      playing.push(expectObject(otherClip, Clip, 'otherClip'));
      otherAddress = addressOfArgument(playing[1], heap, 'otherClip');
      expectFinite(otherTimeSeconds, 'otherTimeSeconds');
      expectFinite(otherSpeed, 'otherSpeed');
      expectFinite(fadePerSecond, 'fadePerSecond');
      if (!(fade >= 0 && fade <= 1)) throw new RangeError(`fade: ${fade} is not from 0 to 1`);
    }
    heap.check(heap.exports.crowd_set(block.address, index, clipAddress, timeSeconds, speed, loop,
      otherAddress, otherTimeSeconds, otherSpeed, otherLoop, fade, fadePerSecond));
    // Whatever plays must stay, also if its clip is disposed meanwhile.
    for (const each of playing) block.hold(blockOf(each));
  }

  /** @param {number} elapsedSeconds */
  update(elapsedSeconds) {
    const { heap, address } = blockOf(this);
    expectFinite(elapsedSeconds, 'elapsedSeconds');
    heap.check(heap.exports.crowd_update(address, elapsedSeconds));
  }

  get palette() {
    const { heap } = blockOf(this);
    return (this.#palette = heap.view(Float32Array, this.#palette, this.#paletteAddress, this.#paletteLength, this));
  }

  get scalars() {
    const { heap } = blockOf(this);
    return (this.#scalars = heap.view(Float32Array, this.#scalars, this.#scalarsAddress, this.#scalarsLength, this));
  }
}
