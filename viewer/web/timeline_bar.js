// The timeline: a ruler, a lane for each kind of track with the keys of the selected joint, the playhead.
import { color, keyBefore, roundStep, startDrawing } from './canvas_2d.js';

const RULER = 20, LANE = 13;
const LANES = /** @type {const} */ ([['translation', 'T', '--y'], ['rotation', 'R', '--accent'], ['scale', 'S', '--z'], ['weight', 'W', '--w']]);
const LEFT = 22, RIGHT = 12;

export class TimelineBar {
  /**
   * @param {HTMLElement} box with a canvas and the playhead
   * @param {{scrub: (time: number) => void}} to
   */
  constructor(box, to) {
    this.box = box;
    this.canvas = box.querySelector('canvas');
    this.playhead = /** @type {HTMLElement} */ (box.querySelector('#playhead'));
    this.duration = 0;
    this.time = 0;
    /** @type {import('./wasm_viewer.js').Track[]} */
    this.tracks = [];
    const scrub = (event) => to.scrub(this.timeAt(event.clientX - box.getBoundingClientRect().left));
    box.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !this.duration) return;
      box.setPointerCapture(event.pointerId);
      scrub(event);
    });
    box.addEventListener('pointermove', (event) => {
      if (box.hasPointerCapture(event.pointerId)) scrub(event);
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  timeAt(x) {
    return Math.min(1, Math.max(0, (x - LEFT) / (this.box.clientWidth - LEFT - RIGHT))) * this.duration;
  }

  xOf(time) {
    return LEFT + (this.duration ? time / this.duration : 0) * (this.box.clientWidth - LEFT - RIGHT);
  }

  /** @param {number} duration @param {import('./wasm_viewer.js').Track[]} tracks */
  show(duration, tracks) {
    Object.assign(this, { duration, tracks });
    this.box.setAttribute('aria-valuemax', duration.toFixed(2));
    this.draw();
  }

  /** @param {number} time */
  moveTo(time) {
    this.time = time;
    this.playhead.style.translate = `${this.xOf(time)}px 0`;
    this.playhead.hidden = !this.duration;
    this.box.setAttribute('aria-valuenow', time.toFixed(2));
    this.box.setAttribute('aria-valuetext', `${time.toFixed(2)} of ${this.duration.toFixed(2)} seconds`);
  }

  /** The next key before or after a time among all lanes. @param {number} way -1 or 1 */
  nearKey(time, way) {
    let best;
    for (const { times } of this.tracks) {
      const k = keyBefore(times, way < 0 ? time - 1e-4 : time + 1e-4) + (way < 0 ? 0 : 1);
      const at = times[k];
      if (at !== undefined && (best === undefined || (at - best) * way < 0)) best = at;
    }
    return best;
  }

  draw() {
    const { draw, width, height } = startDrawing(this.canvas);
    const lanes = LANES.filter(([kind]) => kind !== 'weight' || this.tracks.some((track) => track.kind === 'weight'));
    const step = Math.min(LANE, (height - RULER - 3) / lanes.length);
    draw.textBaseline = 'middle';
    lanes.forEach(([kind, letter, tint], lane) => {
      const y = RULER + step * (lane + 0.5);
      const tracks = this.tracks.filter((track) => track.kind === kind);
      draw.globalAlpha = tracks.length ? 1 : 0.45;
      draw.fillStyle = color('--soft');
      draw.fillText(letter, 8, y);
      draw.fillStyle = color('--line');
      draw.fillRect(LEFT, y - 0.5, width - LEFT - RIGHT, 1);
      draw.fillStyle = color(tint);
      draw.globalAlpha = 1;
      for (const { times } of tracks) this.drawKeys(draw, times, y, Math.min(9, step - 3));
    });
    this.drawRuler(draw, width);
    this.moveTo(this.time);
  }

  /** Keys that would touch each other become one bar. */
  drawKeys(draw, times, y, size) {
    const half = size / 2;
    let from = -1, to = -1;
    const flush = () => {
      if (from < 0) return;
      draw.beginPath();
      if (to > from) draw.roundRect(from - 1.5, y - half, to - from + 3, size, 2);
      else for (const [dx, dy] of [[0, -half], [half, 0], [0, half], [-half, 0]]) draw.lineTo(from + dx, y + dy);
      draw.fill();
    };
    for (const time of times) {
      const x = this.xOf(time);
      if (from >= 0 && x - to < 4) {
        to = x;
        continue;
      }
      flush();
      from = to = x;
    }
    flush();
  }

  drawRuler(draw, width) {
    if (!this.duration) return;
    const step = roundStep((this.duration * 64) / Math.max(64, width - LEFT - RIGHT));
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 0.001));
    draw.fillStyle = color('--soft');
    draw.textAlign = 'center';
    for (let i = 0; i * step <= this.duration * 1.0001; i++) {
      const x = this.xOf(i * step);
      draw.fillRect(x - 0.5, RULER - 5, 1, 4);
      if (x < width - 14) draw.fillText((i * step).toFixed(digits), x, 8);
    }
  }
}
