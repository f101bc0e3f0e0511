// What is left of the radius: the middle ring moved by both methods, as the shaders do it, and measured.
import { add, cross, length, scaled, subtract } from './tentacle_math.js';

/** A 3x4 matrix, 12 floats at `at`, times a point. */
function transformed(m, at, p) {
  return [0, 4, 8].map((row) => m[at + row] * p[0] + m[at + row + 1] * p[1] + m[at + row + 2] * p[2] + m[at + row + 3]);
}

function linear(palette, { joints, weights }, point) {
  let sum = [0, 0, 0];
  for (let i = 0; i < 2; i++) sum = add(sum, scaled(transformed(palette, joints[i] * 12, point), weights[i]));
  return sum;
}

/** Rotates p by a unit quaternion and moves it by its dual part. */
function carried(real, dual, p) {
  const turned = add(p, scaled(cross(real, add(cross(real, p), scaled(p, real[3]))), 2));
  const moved = add(subtract(scaled(dual, real[3]), scaled(real, dual[3])), cross(real, dual));
  return add(turned, scaled(moved, 2));
}

function dualQuat(dualQuats, { joints, weights }, point) {
  const at = joints.map((joint) => joint * 8);
  let towards = 0;
  for (let c = 0; c < 4; c++) towards += dualQuats[at[0] + c] * dualQuats[at[1] + c];
  const second = towards < 0 ? -weights[1] : weights[1];
  const sum = Array.from({ length: 8 }, (_, c) => weights[0] * dualQuats[at[0] + c] + second * dualQuats[at[1] + c]);
  const size = Math.hypot(sum[0], sum[1], sum[2], sum[3]);
  return carried(sum.slice(0, 4).map((c) => c / size), sum.slice(4).map((c) => c / size), point);
}

/** The smallest distance of the ring from its middle, as a share of that at rest. */
function narrowest(move, ring, middle) {
  const centre = move(middle);
  return Math.min(...ring.map((p) => length(subtract(move(p), centre)) / length(subtract(p, middle))));
}

/**
 * @param {number[][]} ring places at rest @param {number[]} middle of the ring
 * @param {{joints: number[], weights: number[]}} influences of all of it
 * @param {Float32Array} palette @param {Float32Array} dualQuats
 * @returns {{linear: number, dualQuat: number}} 1 is all of the radius
 */
export function measureRing(ring, middle, influences, palette, dualQuats) {
  return {
    linear: narrowest((p) => linear(palette, influences, p), ring, middle),
    dualQuat: narrowest((p) => dualQuat(dualQuats, influences, p), ring, middle),
  };
}

/** Angle (radians) between the rotations of two joints, from their unit dual quaternions. */
export function angleBetween(dualQuats, a, b) {
  let towards = 0;
  for (let c = 0; c < 4; c++) towards += dualQuats[a * 8 + c] * dualQuats[b * 8 + c];
  return 2 * Math.acos(Math.min(1, Math.abs(towards)));
}
