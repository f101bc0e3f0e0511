// Curves of one track of the selected joint, with the values under the playhead.
import { COMPONENTS, color, curveColor, keyValues, startDrawing, valueAt } from './canvas_2d.js';

const TITLES = { translation: 'Translation', rotation: 'Rotation', scale: 'Scale', weight: 'Weights' };
const MARGIN = 6, TOP = 10;

export class CurvePanel {
  /** @param {{scrub: (time: number) => void}} to */
  constructor(to) {
    this.canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#curves'));
    this.kinds = document.querySelector('#kinds');
    this.values = document.querySelector('#curve-values');
    this.note = document.querySelector('#curve-note');
    this.kind = 'rotation';
    this.duration = 0;
    this.time = 0;
    /** @type {{track: import('./wasm_viewer.js').Track, keys: Float32Array}[]} */
    this.tracks = [];
    this.kinds.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (!button) return;
      this.kind = button.value;
      this.refresh();
    });
    const scrub = (event) => {
      const x = event.clientX - this.canvas.getBoundingClientRect().left;
      to.scrub(Math.min(1, Math.max(0, (x - MARGIN) / (this.canvas.clientWidth - 2 * MARGIN))) * this.duration);
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !this.duration) return;
      this.canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) scrub(event);
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    /** The curves without the playhead: they change seldom, it all the time. */
    this.still = document.createElement('canvas');
  }

  /** @param {import('./wasm_viewer.js').Track[]} tracks @param {string} joint its name, "" where none is selected */
  show(duration, tracks, joint) {
    this.duration = duration;
    this.joint = joint;
    this.tracks = tracks.map((track) => ({ track, keys: keyValues(track) }));
    this.refresh();
  }

  refresh() {
    const kinds = [...new Set(this.tracks.map(({ track }) => track.kind))];
    const kind = kinds.includes(this.kind) ? this.kind : kinds[0];
    this.shown = this.tracks.filter(({ track }) => track.kind === kind);
    this.kinds.replaceChildren(...kinds.map((value) => Object.assign(document.createElement('button'), { value, textContent: TITLES[value] })));
    for (const button of this.kinds.children) button.setAttribute('aria-pressed', String(button.value === kind));
    this.kinds.hidden = kinds.length === 0;
    this.canvas.hidden = this.values.hidden = kinds.length === 0;
    if (!this.joint) this.note.textContent = 'Select a joint: click on it, or on its name.';
    else if (kinds.length === 0) this.note.textContent = `No track of this clip moves ${this.joint}.`;
    else {
      const { track } = this.shown[0];
      const keys = this.shown.reduce((sum, { track: { times } }) => sum + times.length, 0);
      this.note.textContent = `${this.joint} · ${keys} ${keys === 1 ? 'key' : 'keys'} · ${track.interpolation}`;
    }
    this.draw();
  }

  /** The range of all values, a little wider; a constant stays in the middle. */
  range() {
    let low = Infinity, high = -Infinity;
    for (const { keys } of this.shown) {
      for (const value of keys) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const middle = (low + high) / 2;
    const half = Math.max((high - low) / 2, 1e-3 * Math.max(1, Math.abs(middle))) * 1.12;
    return [middle - half, middle + half];
  }

  xOf(time, width) {
    return MARGIN + (this.duration ? time / this.duration : 0) * (width - 2 * MARGIN);
  }

  draw() {
    if (!this.shown?.length || this.canvas.clientWidth === 0) return;
    const { draw, width, height } = startDrawing(this.canvas);
    const [low, high] = this.range();
    const yOf = (value) => TOP + ((high - value) / (high - low)) * (height - 2 * TOP);
    this.yOf = yOf;
    draw.fillStyle = color('--line');
    if (low < 0 && high > 0) draw.fillRect(0, yOf(0), width, 1);
    draw.lineWidth = 1.6;
    draw.lineJoin = 'round';
    for (const [at, { track, keys }] of this.shown.entries()) {
      const samples = this.samplesOf(track, keys, width);
      for (let i = 0; i < track.width; i++) {
        draw.strokeStyle = curveColor(track, i, at);
        draw.beginPath();
        for (const [x, value] of samples) draw.lineTo(x, yOf(value[i]));
        draw.stroke();
        draw.fillStyle = draw.strokeStyle;
        if ((width - 2 * MARGIN) / track.times.length >= 5) {
          for (let k = 0; k < track.times.length; k++) {
            draw.fillRect(this.xOf(track.times[k], width) - 2, yOf(keys[k * track.width + i]) - 2, 4, 4);
          }
        }
      }
    }
    draw.fillStyle = color('--soft');
    draw.fillText(short(high), MARGIN, 12);
    draw.fillText(short(low), MARGIN, height - 5);
    Object.assign(this.still, { width: this.canvas.width, height: this.canvas.height });
    this.still.getContext('2d').drawImage(this.canvas, 0, 0);
    this.drawPlayhead(draw, width, height);
  }

  /** Enough moments to draw a track: its keys, and for curves pixels between them. @returns {[number, number[]][]} */
  samplesOf(track, keys, width) {
    const { times, interpolation } = track;
    const moments = [0, this.duration, ...times];
    if (interpolation === 'cubic') for (let x = MARGIN; x < width - MARGIN; x += 2) moments.push(((x - MARGIN) / (width - 2 * MARGIN)) * this.duration);
    moments.sort((a, b) => a - b);
    const out = [];
    for (const time of moments) {
      const x = this.xOf(time, width);
      // A step keeps its value until the very key.
      if (interpolation === 'step' && out.length) out.push([x, out[out.length - 1][1]]);
      out.push([x, valueAt(track, keys, time)]);
    }
    return out;
  }

  drawPlayhead(draw, width, height) {
    const x = this.xOf(this.time, width);
    draw.fillStyle = color('--accent');
    draw.fillRect(x - 0.75, 0, 1.5, height);
    const words = [];
    for (const [at, { track, keys }] of this.shown.entries()) {
      valueAt(track, keys, this.time).forEach((value, i) => {
        draw.fillStyle = curveColor(track, i, at);
        draw.beginPath();
        draw.arc(x, this.yOf(value), 3, 0, 7);
        draw.fill();
        const name = document.createElement('b');
        name.textContent = track.kind === 'weight' ? track.name : COMPONENTS[i];
        name.style.color = draw.fillStyle;
        const word = document.createElement('span');
        word.append(name, ` ${short(value)}`);
        words.push(word);
      });
    }
    this.values.replaceChildren(...words.slice(0, 16));
  }

  /** @param {number} time */
  moveTo(time) {
    if (time === this.time) return;
    this.time = time;
    if (!this.shown?.length || this.canvas.clientWidth === 0) return;
    const { draw, width, height } = startDrawing(this.canvas);
    draw.drawImage(this.still, 0, 0, width, height);
    this.drawPlayhead(draw, width, height);
  }
}

function short(value) {
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return (size < 0.0005 ? 0 : value).toFixed(digits).replace('-', '−');
}
