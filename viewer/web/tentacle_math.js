// The few vectors and quaternions (x, y, z, w) that the tentacle page needs. Arrays in, new arrays out: this is not
// the hot path, the library is.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** A vector of length 1; the zero vector stays. */
export function unit(a) {
  const l = length(a);
  return l > 0 ? scaled(a, 1 / l) : a;
}

export const IDENTITY = [0, 0, 0, 1];

/** Turns by angle (radians) about x (0), y (1) or z (2). */
export function axisTurn(axis, angle) {
  const q = [0, 0, 0, Math.cos(angle / 2)];
  q[axis] = Math.sin(angle / 2);
  return q;
}

/** First b, then a. */
export function product(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** The inverse of a unit quaternion. */
export const inverse = (q) => [-q[0], -q[1], -q[2], q[3]];

export function normalised(q) {
  const l = Math.hypot(...q);
  return l > 0 ? q.map((c) => c / l) : IDENTITY;
}

/** From a (t = 0) to b (t = 1), the shorter way round. */
export function mixed(a, b, t) {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  return normalised(a.map((c, i) => c * (1 - t) + sign * b[i] * t));
}

/** The shortest turn that takes the direction of a to that of b. */
export function shortestTurn(a, b) {
  const from = unit(a), to = unit(b);
  const cosine = dot(from, to);
  if (cosine < -0.9999) {
    // Opposite: half a turn about any axis across.
    const across = unit(cross(from, Math.abs(from[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1]));
    return [...across, 0];
  }
  return normalised([...cross(from, to), 1 + cosine]);
}
