import { Disposable, addressOf } from './block.js';

export class Skin extends Disposable {
  /**
   * @param {import('./block.js').Block} block
   * @param {{ owner: Disposable, address: number } | null} [part]
   */
  constructor(block, part = null) {
    super(block, part);
    const { heap } = block;
    heap.exports.skin_read(addressOf(this));
    const [name, jointCount, joints] = heap.record;
    this.name = heap.text(name);
    this.jointCount = jointCount;
    this.joints = heap.copy(Uint32Array, joints, jointCount);
  }
}
