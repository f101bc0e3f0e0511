// Pictures as pixels: reads the PNG files that Chromium's screenshots and `marrow render` write, and compares them.
import { inflateSync } from 'node:zlib';

/** @typedef {{width: number, height: number, data: Uint8Array}} Picture 4 bytes a pixel: red, green, blue, alpha */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 }; // by colour type; palettes (3) are not read

/** PNG's filters: what a byte is a difference to. */
const PREDICTORS = [
  () => 0,
  (left) => left,
  (left, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, upLeft) => {
    const p = left + up - upLeft;
    const a = Math.abs(p - left), b = Math.abs(p - up), c = Math.abs(p - upLeft);
    return a <= b && a <= c ? left : b <= c ? up : upLeft;
  },
];

/** Takes the filters off. @param {number} size bytes of a pixel @returns {Uint8Array} height * stride bytes */
function unfilter(bytes, height, stride, size) {
  const out = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1), to = y * stride;
    const predict = PREDICTORS[bytes[from]];
    if (!predict) throw new Error(`PNG: unknown filter ${bytes[from]} in row ${y}`);
    for (let x = 0; x < stride; x++) {
      const left = x >= size ? out[to + x - size] : 0;
      const up = y ? out[to + x - stride] : 0;
      const upLeft = y && x >= size ? out[to + x - stride - size] : 0;
      out[to + x] = bytes[from + 1 + x] + predict(left, up, upLeft);
    }
  }
  return out;
}

/** Reads a PNG with 8 bits a channel, no palette and no interlacing. @param {Buffer} file @returns {Picture} */
export function decodePng(file) {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG file');
  let width = 0, height = 0, channels = 0;
  const parts = [];
  for (let at = 8; at + 12 <= file.length;) {
    const size = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const chunk = file.subarray(at + 8, at + 8 + size);
    if (type === 'IHDR') {
      width = chunk.readUInt32BE(0);
      height = chunk.readUInt32BE(4);
      channels = CHANNELS[chunk[9]];
      if (chunk[8] !== 8 || !channels || chunk[12]) throw new Error('PNG: only 8 bits, no palette, not interlaced');
    } else if (type === 'IDAT') {
      parts.push(chunk);
    }
    at += size + 12;
  }
  const raw = unfilter(inflateSync(Buffer.concat(parts)), height, width * channels, channels);
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const from = i * channels;
    const grey = channels < 3;
    data[i * 4] = raw[from];
    data[i * 4 + 1] = raw[from + (grey ? 0 : 1)];
    data[i * 4 + 2] = raw[from + (grey ? 0 : 2)];
    data[i * 4 + 3] = channels === 4 ? raw[from + 3] : channels === 2 ? raw[from + 1] : 255;
  }
  return { width, height, data };
}

/** A part of a picture. @param {Picture} picture @returns {Picture} */
export function crop(picture, left, top, width, height) {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * picture.width + left) * 4;
    data.set(picture.data.subarray(from, from + width * 4), y * width * 4);
  }
  return { width, height, data };
}

/** Red, green and blue of a pixel. @param {Picture} picture */
export function pixel(picture, x, y) {
  const at = (y * picture.width + x) * 4;
  return [...picture.data.subarray(at, at + 3)];
}

/** Largest difference of red, green and blue. @param {number[]} a @param {number[]} b */
export function colourDistance(a, b) {
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
}

/**
 * How far two pictures of one size are apart; alpha is not looked at.
 * @param {Picture} a @param {Picture} b
 * @param {{tolerance?: number, reach?: number}} [options] tolerance: a channel may differ by this much, default 24;
 *   reach: a pixel is the same if one within this many pixels of the other picture is, default 1: two rasterisers
 *   smooth edges differently
 * @returns {{differing: number, mean: number}} share of pixels that differ (0..1); mean difference of a channel (0..255)
 */
export function comparePictures(a, b, { tolerance = 24, reach = 1 } = {}) {
  if (a.width !== b.width || a.height !== b.height) {
    throw new Error(`pictures of two sizes: ${a.width}x${a.height} and ${b.width}x${b.height}`);
  }
  const { width, height } = a;
  let differing = 0, sum = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) sum += Math.abs(a.data[at + c] - b.data[at + c]);
      if (!near(a, at, b, x, y, tolerance, reach) || !near(b, at, a, x, y, tolerance, reach)) differing++;
    }
  }
  return { differing: differing / (width * height), mean: sum / (width * height * 3) };
}

function near(a, at, b, x, y, tolerance, reach) {
  for (let v = Math.max(0, y - reach); v <= Math.min(b.height - 1, y + reach); v++) {
    for (let u = Math.max(0, x - reach); u <= Math.min(b.width - 1, x + reach); u++) {
      const other = (v * b.width + u) * 4;
      if (Math.abs(a.data[at] - b.data[other]) <= tolerance &&
          Math.abs(a.data[at + 1] - b.data[other + 1]) <= tolerance &&
          Math.abs(a.data[at + 2] - b.data[other + 2]) <= tolerance) return true;
    }
  }
  return false;
}

/** Share of pixels (0..1) further from the background's colour than tolerance. @param {Picture} picture */
export function drawnShare(picture, background = pixel(picture, 0, 0), tolerance = 24) {
  let drawn = 0;
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      if (colourDistance(pixel(picture, x, y), background) > tolerance) drawn++;
    }
  }
  return drawn / (picture.width * picture.height);
}
