// What is written over the picture: names of joints, and numbers in a corner.
import { startDrawing } from './canvas_2d.js';
import { $, Changes } from './page_elements.js';

export class PictureNotes {
  constructor() {
    this.changes = new Changes();
    this.factsAt = 0;
    this.frames = 0;
  }

  /**
   * @param {{x: number, y: number, joint: number}[]} labels in pixels of the picture @param {{name: string}[]} joints
   * @param {number} selected @param {number} scale CSS pixels of one of these
   */
  showLabels(labels, joints, selected, scale) {
    if (!this.changes.in('labels', labels.length) && labels.length === 0) return;
    const { draw } = startDrawing($('labels'));
    Object.assign(draw, { lineWidth: 3, lineJoin: 'round', textBaseline: 'middle', strokeStyle: '#101318cc', font: draw.font.replace('11px', '12px') });
    for (const { x, y, joint } of labels) {
      const at = [joints[joint].name, x * scale + 8, y * scale];
      draw.fillStyle = joint === selected ? '#ffd27a' : '#fff';
      draw.strokeText(...at);
      draw.fillText(...at);
    }
  }

  /** Four times a second, for whoever looks for them. @param {import('./wasm_viewer.js').Fields} fields */
  showFacts({ jointCount, vertexCount, crowdCount, evaluateSeconds, drawSeconds, moves }, now) {
    this.frames++;
    const anew = this.changes.in('facts', jointCount, vertexCount, crowdCount, moves);
    if (!anew && (!moves || now - this.factsAt < 250)) return;
    const facts = [`${jointCount} ${jointCount === 1 ? 'joint' : 'joints'}`, `${vertexCount.toLocaleString('en')} vertices`];
    if (crowdCount > 1) facts.push(`${crowdCount} characters`);
    if (moves && !anew) {
      facts.push(`${Math.round((this.frames * 1000) / (now - this.factsAt))} frames/s`);
      facts.push(`pose ${(evaluateSeconds * 1000).toFixed(1)} ms, draw ${(drawSeconds * 1000).toFixed(1)} ms`);
    }
    $('facts').textContent = facts.join(' · ');
    this.factsAt = now;
    this.frames = 0;
  }
}
