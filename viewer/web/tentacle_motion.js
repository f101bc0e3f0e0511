// How the chain moves: a sine that runs up the joints, a twist in the middle, and a hand that may pull at a joint.
import { IDENTITY, axisTurn, inverse, mixed, product, shortestTurn, subtract } from './tentacle_math.js';
import { JOINT_COUNT, MIDDLE_JOINT } from './tentacle_mesh.js';

const PHASE_PER_JOINT = 0.9; // radians that each joint lags behind the one below
const FOOT_SHARE = 0.4; // of the bend: the foot stands
const RETURN_S = 0.9; // from a hand's pose back to the sine
const Y = 1, Z = 2;

// At exactly half a turn both ways round are equally short, and rounding errors would choose anew each frame.
const MOST_TWIST = 179.9;

const radians = (degrees) => degrees * Math.PI / 180;
const smooth = (t) => t * t * (3 - 2 * t);

export class Motion {
  constructor() {
    this.speed = 0.35; // cycles a second
    this.bend = 14; // degrees a joint at most
    this.twist = 160; // degrees at the middle joint
    this.phase = 0; // cycles
    /** Local rotations, one a joint. */
    this.rotations = Array.from({ length: JOINT_COUNT }, () => IDENTITY);
    this.hands = Array.from({ length: JOINT_COUNT }, () => ({ rotation: IDENTITY, weight: 0, held: false }));
  }

  /** @param {number} elapsed seconds; hands that let go return during it */
  advance(elapsed) {
    this.phase = (this.phase + this.speed * elapsed) % 1;
    for (const hand of this.hands) {
      if (!hand.held) hand.weight = Math.max(0, hand.weight - elapsed / RETURN_S);
    }
  }

  /** Fills rotations for this moment. */
  evaluate() {
    const twist = axisTurn(Y, radians(Math.min(MOST_TWIST, this.twist)));
    for (let joint = 0; joint < JOINT_COUNT; joint++) {
      const share = joint > 0 ? 1 : FOOT_SHARE;
      const angle = radians(this.bend) * share * Math.sin(2 * Math.PI * this.phase - PHASE_PER_JOINT * joint);
      let rotation = axisTurn(Z, angle);
      if (joint === MIDDLE_JOINT) rotation = product(rotation, twist);
      // Above the twist, a bend about the twisted axis would leave the plane: it is turned back.
      if (joint > MIDDLE_JOINT) rotation = product(inverse(twist), product(rotation, twist));
      const hand = this.hands[joint];
      this.rotations[joint] = hand.weight > 0 ? mixed(rotation, hand.rotation, smooth(hand.weight)) : rotation;
    }
  }

  /** Rotation of a joint in model space, as evaluated. */
  modelRotation(joint) {
    let rotation = IDENTITY;
    for (let i = 0; i <= joint; i++) rotation = product(rotation, this.rotations[i]);
    return rotation;
  }

  /**
   * Turns a joint so that the end of its bone comes towards a target: the shortest turn, in model space, written back
   * as a local rotation.
   * @param {number} joint @param {number[]} origin where it is @param {number[]} end of its bone @param {number[]} target
   */
  pull(joint, origin, end, target) {
    const turn = shortestTurn(subtract(end, origin), subtract(target, origin));
    const parent = joint > 0 ? this.modelRotation(joint - 1) : IDENTITY;
    const rotation = product(inverse(parent), product(turn, product(parent, this.rotations[joint])));
    this.rotations[joint] = rotation;
    Object.assign(this.hands[joint], { rotation, weight: 1 });
  }

  hold(joint, held) {
    this.hands[joint].held = held;
  }

  letGo() {
    for (const hand of this.hands) Object.assign(hand, { weight: 0, held: false });
  }
}
