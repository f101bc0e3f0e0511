// A camera that circles around the strip, and the way from a pointer back into the scene.
import { add, cross, dot, scaled, subtract, unit } from './tentacle_math.js';

const FIELD_OF_VIEW = 26 * Math.PI / 180; // vertical
const NEAR = 0.5, FAR = 60;

export class OrbitCamera {
  /** @param {number[]} target what stands in the middle @param {number} height @param {number} width what has to fit */
  constructor(target, height, width) {
    this.target = target;
    this.height = height;
    this.width = width;
    this.yaw = 0.42; // radians, 0 looks along -z
    this.pitch = 0.16;
    this.look(1);
  }

  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(1.2, Math.max(0.02, this.pitch + pitch));
  }

  /** Takes its place for a picture of this shape. @param {number} aspect width / height */
  look(aspect) {
    const half = Math.tan(FIELD_OF_VIEW / 2);
    const distance = Math.max(this.height / 2 / half, this.width / 2 / (half * aspect));
    this.half = half;
    this.aspect = aspect;
    this.back = [Math.sin(this.yaw) * Math.cos(this.pitch), Math.sin(this.pitch), Math.cos(this.yaw) * Math.cos(this.pitch)];
    this.right = unit(cross([0, 1, 0], this.back));
    this.up = cross(this.back, this.right);
    this.eye = add(this.target, scaled(this.back, distance));
  }

  /** View and projection for WebGL: 16 numbers, columns. */
  matrix() {
    const { right: r, up: u, back: b, eye, half, aspect } = this;
    const sx = 1 / (half * aspect), sy = 1 / half;
    const zz = (FAR + NEAR) / (NEAR - FAR), zw = 2 * FAR * NEAR / (NEAR - FAR);
    const x = -dot(r, eye), y = -dot(u, eye), z = -dot(b, eye);
    return new Float32Array([
      sx * r[0], sy * u[0], zz * b[0], -b[0],
      sx * r[1], sy * u[1], zz * b[1], -b[1],
      sx * r[2], sy * u[2], zz * b[2], -b[2],
      sx * x, sy * y, zz * z + zw, -z,
    ]);
  }

  /** Where a point is in the picture: 0, 0 left top to 1, 1 right bottom. */
  place(point) {
    const away = subtract(point, this.eye);
    const depth = -dot(away, this.back);
    return [
      0.5 + dot(away, this.right) / (2 * depth * this.half * this.aspect),
      0.5 - dot(away, this.up) / (2 * depth * this.half),
    ];
  }

  /** The point at a place of the picture that is as far away as `beside`. */
  pointBeside(place, beside) {
    const depth = -dot(subtract(beside, this.eye), this.back);
    const x = (place[0] - 0.5) * 2 * depth * this.half * this.aspect;
    const y = (0.5 - place[1]) * 2 * depth * this.half;
    return add(add(this.eye, scaled(this.back, -depth)), add(scaled(this.right, x), scaled(this.up, y)));
  }
}
