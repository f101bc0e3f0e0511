import { Block, Disposable, addressOf, addressOfArgument, blockOf } from './block.js';
import { Clip } from './clip.js';
import { Crowd } from './crowd.js';
import { buildClip, buildSkin } from './descriptions.js';
import { expectObject } from './marrow_error.js';
import { Pose } from './pose.js';
import { Skin } from './skin.js';

export class Skeleton extends Disposable {
  /**
   * @param {Block} block
   * @param {{ owner: Disposable, address: number } | null} [part]
   * @param {Uint32Array} [order] of a skeleton that was described
   */
  constructor(block, part = null, order = undefined) {
    super(block, part);
    const { heap } = block;
    const { exports } = heap;
    const address = addressOf(this);
    exports.skeleton_read(address);
    const [jointCount, scalarCount, parents] = heap.record;
    /** @param {number} count @param {(skeleton: number, index: number) => number} name */
    const names = (count, name) => Array.from({ length: count }, (_, i) => heap.text(name(address, i)));
    this.jointCount = jointCount;
    this.scalarCount = scalarCount;
    this.parents = heap.copy(Int32Array, parents, jointCount);
    this.jointNames = names(jointCount, exports.skeleton_joint_name);
    this.scalarNames = names(scalarCount, exports.skeleton_scalar_name);
    if (order !== undefined) this.order = order;
  }

  createPose() {
    return new Pose(this);
  }

  /** @param {string} name @param {import('./marrow.d.ts').TrackDescription[]} tracks @param {number} [durationSeconds] */
  createClip(name, tracks, durationSeconds = undefined) {
    const { heap } = blockOf(this);
    return new Clip(new Block(heap, buildClip(heap, addressOf(this), name, tracks, durationSeconds), heap.exports.built_free));
  }

  /** @param {ArrayLike<number>} joints @param {ArrayLike<number>} [inverseBinds] */
  createSkin(joints, inverseBinds = undefined) {
    const { heap } = blockOf(this);
    return new Skin(new Block(heap, buildSkin(heap, addressOf(this), joints, inverseBinds), heap.exports.built_free));
  }

  /** @param {string} name */
  findJoint(name) {
    const { heap } = blockOf(this);
    return heap.with((stack) => heap.exports.skeleton_find_joint(addressOf(this), stack.text(name)));
  }

  /** @param {Skin} skin @param {number} count */
  createCrowd(skin, count) {
    const block = blockOf(this);
    const skinAddress = addressOfArgument(expectObject(skin, Skin, 'skin'), block.heap, 'skin');
    return new Crowd(this, addressOf(this), 0, skinAddress, count, [block, blockOf(skin)]);
  }
}
