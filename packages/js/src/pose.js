import { Block, Disposable, addressOf, addressOfArgument, blockOf } from './block.js';
import { Clip } from './clip.js';
import { expectFinite, expectIndex, expectNumbers, expectObject, expectRoom } from './marrow_error.js';
import { Skin } from './skin.js';

const MATRIX_FLOATS = 12;
const DUAL_QUAT_FLOATS = 8;

export class Pose extends Disposable {
  #jointCount;
  #scalarCount;
  #scalarsAddress;
  #matricesAddress;
  #hasMatrices = false;
  /** @type {Float32Array | undefined} */
  #scalars;
  /** @type {Float32Array | undefined} */
  #matrices;

  /** @param {import('./skeleton.js').Skeleton} skeleton */
  constructor(skeleton) {
    const held = blockOf(skeleton);
    const { heap } = held;
    const address = heap.checkAddress(heap.exports.pose_create(addressOf(skeleton)));
    super(new Block(heap, address, heap.exports.pose_free, [held]));
    this.#jointCount = skeleton.jointCount;
    this.#scalarCount = skeleton.scalarCount;
    heap.exports.pose_read(address);
    [this.#scalarsAddress, this.#matricesAddress] = heap.record;
  }

  /** @param {Clip} clip @param {number} timeSeconds @param {{ loop?: boolean }} [options] */
  sample(clip, timeSeconds, { loop = false } = {}) {
    const { heap, address } = blockOf(this);
    const clipAddress = addressOfArgument(expectObject(clip, Clip, 'clip'), heap, 'clip');
    expectFinite(timeSeconds, 'timeSeconds');
    heap.check(heap.exports.pose_sample(address, clipAddress, timeSeconds, loop));
    return this;
  }

  /** @param {{ pose: import('./marrow.d.ts').Pose, weight: number }[]} layers */
  blend(layers) {
    const { heap, address } = blockOf(this);
    const poses = layers.map(({ pose }, i) => {
      const name = `layers[${i}].pose`;
      return addressOfArgument(expectObject(pose, Pose, name), heap, name);
    });
    const weights = layers.map(({ weight }, i) => expectFinite(weight, `layers[${i}].weight`));
    heap.with((stack) => {
      heap.check(heap.exports.pose_blend(address, stack.words(poses), stack.floats(weights), layers.length));
    });
    return this;
  }

  toRest() {
    const { heap, address } = blockOf(this);
    heap.check(heap.exports.pose_rest(address));
    return this;
  }

  /** @param {import('./marrow.d.ts').Pose} other */
  copy(other) {
    const { heap, address } = blockOf(this);
    heap.check(heap.exports.pose_copy(address, addressOfArgument(expectObject(other, Pose, 'other'), heap, 'other')));
    return this;
  }

  /** @param {number} index */
  joint(index) {
    const { heap, address } = blockOf(this);
    expectIndex(index, this.#jointCount, 'index');
    const values = heap.with((stack) => {
      const at = stack.space(10 * 4);
      heap.exports.pose_joint(address, index, at);
      return Array.from(heap.copy(Float32Array, at, 10));
    });
    return { translation: values.slice(0, 3), rotation: values.slice(3, 7), scale: values.slice(7) };
  }

  /**
   * @param {number} index
   * @param {{ translation?: ArrayLike<number>, rotation?: ArrayLike<number>, scale?: ArrayLike<number> }} transform
   */
  setJoint(index, transform) {
    const { heap, address } = blockOf(this);
    const now = this.joint(index);
    const values = [
      ...Array.from(expectNumbers(transform.translation ?? now.translation, 3, 'translation')),
      ...Array.from(expectNumbers(transform.rotation ?? now.rotation, 4, 'rotation')),
      ...Array.from(expectNumbers(transform.scale ?? now.scale, 3, 'scale')),
    ];
    heap.with((stack) => heap.exports.pose_set_joint(address, index, stack.floats(values)));
    return this;
  }

  get scalars() {
    const { heap } = blockOf(this);
    return (this.#scalars = heap.view(Float32Array, this.#scalars, this.#scalarsAddress, this.#scalarCount, this));
  }

  modelMatrices() {
    const { heap, address } = blockOf(this);
    heap.check(heap.exports.pose_model(address));
    this.#hasMatrices = true;
    return (this.#matrices = heap.view(Float32Array, this.#matrices, this.#matricesAddress, this.#jointCount * MATRIX_FLOATS, this));
  }

  /** @param {Skin} skin @param {Float32Array} [out] @param {number} [offset] */
  palette(skin, out = undefined, offset = 0) {
    const { heap, address } = this.#evaluated('palette');
    const skinAddress = addressOfArgument(expectObject(skin, Skin, 'skin'), heap, 'skin');
    const length = skin.jointCount * MATRIX_FLOATS;
    const room = out === undefined ? new Float32Array(offset + length) : out;
    expectRoom(room, length, offset, 'out');
    const palette = heap.checkAddress(heap.exports.pose_palette(address, skinAddress));
    room.set(new Float32Array(heap.memory.buffer, palette, length), offset);
    return room;
  }

  /** @param {Skin} skin @param {Float32Array} out @param {Float32Array} [stretches] */
  dualQuats(skin, out, stretches = undefined) {
    const { heap, address } = this.#evaluated('dualQuats');
    const skinAddress = addressOfArgument(expectObject(skin, Skin, 'skin'), heap, 'skin');
    const length = skin.jointCount * DUAL_QUAT_FLOATS;
    const stretchLength = skin.jointCount * MATRIX_FLOATS;
    expectRoom(out, length, 0, 'out');
    if (stretches !== undefined) expectRoom(stretches, stretchLength, 0, 'stretches');
    heap.check(heap.exports.pose_dual_quats(address, skinAddress));
    const [dualQuatsAt, stretchesAt, hasStretch] = heap.record;
    out.set(new Float32Array(heap.memory.buffer, dualQuatsAt, length));
    stretches?.set(new Float32Array(heap.memory.buffer, stretchesAt, stretchLength));
    return hasStretch !== 0;
  }

  /**
   * Vertices of an instance; see Character.skinVertices, which has checked the rest.
   * @param {number} character its address @param {number} instance @param {number} method
   * @param {Float32Array} positions @param {Float32Array | undefined} normals
   */
  skinInstance(character, instance, method, positions, normals) {
    const { heap, address } = this.#evaluated('skinVertices');
    heap.check(heap.exports.pose_skin(address, character, instance, method, normals !== undefined));
    const [positionsAt, normalsAt, length] = heap.record;
    positions.set(new Float32Array(heap.memory.buffer, positionsAt, length));
    normals?.set(new Float32Array(heap.memory.buffer, normalsAt, length));
  }

  /** @param {string} call that needs model matrices */
  #evaluated(call) {
    const block = blockOf(this);
    if (!this.#hasMatrices) throw new TypeError(`${call}: call modelMatrices() of the pose first`);
    return block;
  }
}
