// What the drawn panels share: canvases in device pixels, colours of the theme, curves between keys.

/**
 * The drawing context of a canvas, sized to its box and cleared; units are CSS pixels.
 * @param {HTMLCanvasElement} canvas @returns {{draw: CanvasRenderingContext2D, width: number, height: number}}
 */
export function startDrawing(canvas) {
  const scale = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const draw = canvas.getContext('2d');
  draw.setTransform(scale, 0, 0, scale, 0, 0);
  draw.clearRect(0, 0, width, height);
  draw.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  return { draw, width, height };
}

/** A colour of the theme. @param {string} name "--line" */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export const COMPONENTS = ['x', 'y', 'z', 'w'];
/** Colours of curves: x, y, z, w by habit; morph weights around the circle. */
export const curveColor = (track, i, at) => (track.kind === 'weight' ? `hsl(${(at * 47 + 210) % 360} 60% 50%)` : color(`--${COMPONENTS[i]}`));

/** The last key at or before a time, -1 before the first. @param {Float32Array} times */
export function keyBefore(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Values of a track without tangents, quaternions on one hemisphere: what sampling goes through. @param {import('./wasm_viewer.js').Track} track */
export function keyValues({ kind, interpolation, width, times, values }) {
  const cubic = interpolation === 'cubic';
  const out = new Float32Array(times.length * width);
  for (let k = 0; k < times.length; k++) {
    let dot = 0;
    for (let i = 0; i < width; i++) {
      out[k * width + i] = values[(cubic ? 3 * k + 1 : k) * width + i];
      if (k) dot += out[k * width + i] * out[(k - 1) * width + i];
    }
    if (kind === 'rotation' && interpolation === 'linear' && dot < 0) for (let i = 0; i < 4; i++) out[k * width + i] *= -1;
  }
  return out;
}

/** A track at a time. @param {import('./wasm_viewer.js').Track} track @param {Float32Array} keys keyValues(track) @returns {number[]} */
export function valueAt(track, keys, time) {
  const { times, width, interpolation, values } = track;
  const k = keyBefore(times, time);
  const at = (key) => Array.from(keys.subarray(key * width, (key + 1) * width));
  if (k < 0) return at(0);
  if (k >= times.length - 1 || interpolation === 'step') return at(k);
  const dt = times[k + 1] - times[k];
  const t = (time - times[k]) / dt;
  const [a, b] = [at(k), at(k + 1)];
  let out;
  if (interpolation === 'cubic') {
    const [t2, t3] = [t * t, t * t * t];
    out = a.map((from, i) => (2 * t3 - 3 * t2 + 1) * from + dt * (t3 - 2 * t2 + t) * values[(3 * k + 2) * width + i] +
      (3 * t2 - 2 * t3) * b[i] + dt * (t3 - t2) * values[(3 * k + 3) * width + i]);
  } else {
    out = a.map((from, i) => from + (b[i] - from) * t);
  }
  if (track.kind === 'rotation') {
    const length = Math.hypot(...out) || 1;
    return out.map((value) => value / length);
  }
  return out;
}

/** Round distances between marks: 1, 2 or 5 of a power of ten, at least `least`. */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((step) => step * power >= least * 0.999) ?? 10);
}
