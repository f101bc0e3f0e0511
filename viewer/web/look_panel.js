// How the skin is made, what it costs, and what else is shown.
import { $, Changes, choose } from './page_elements.js';

const BLENDED = 2;
const LARGEST_CROWD = 2000;

export class LookPanel {
  /** @param {(run: (fields: import('./wasm_viewer.js').Fields) => void) => void} change */
  constructor(change) {
    this.changes = new Changes();
    /** @type {NodeListOf<HTMLElement>} buttons that turn one thing on and off */
    this.switches = document.querySelectorAll('[data-field]');
    for (const [id, field] of [['method', 'method'], ['processor', 'onCpu']]) {
      $(id).addEventListener('click', (event) => {
        const button = event.target.closest('button');
        if (button) change((fields) => fields[field] = Number(button.value));
      });
    }
    $('blend').addEventListener('input', () => change((fields) => fields.blend = Number($('blend').value)));
    $('crowd').addEventListener('change', () => change((fields) => {
      fields.crowdCount = Math.min(LARGEST_CROWD, Math.max(1, Math.round(Number($('crowd').value)) || 1));
      $('crowd').value = String(fields.crowdCount);
    }));
  }

  /** @param {import('./wasm_viewer.js').Fields} fields */
  update(fields) {
    const { method, blend, lost, linearLost, onCpu, hasGpuDifference, gpuDifference, heat, crowdCount } = fields;
    for (const button of this.switches) {
      const { field } = button.dataset;
      if (this.changes.in(field, fields[field])) button.setAttribute('aria-pressed', String(Boolean(fields[field])));
    }
    if (this.changes.in('method', method)) {
      choose($('method'), method);
      $('blend-row').hidden = method !== BLENDED;
    }
    if (this.changes.in('blend', blend)) {
      $('blend').value = String(blend);
      $('blend-value').textContent = `${Math.round(blend * 100)} %`;
    }
    if (this.changes.in('lost', percent(lost), percent(linearLost), method)) {
      $('lost').textContent = percent(lost);
      $('lost-meter').value = lost;
      $('linear-lost').textContent = method === 0 ? '' : `Linear would lose ${percent(linearLost)} here.`;
    }
    if (this.changes.in('cpu', onCpu)) {
      choose($('processor'), onCpu);
      $('difference-row').hidden = !onCpu;
    }
    if (this.changes.in('difference', gpuDifference)) $('difference').textContent = hasGpuDifference ? `${powerOfTen(gpuDifference)} of the size` : '';
    if (this.changes.in('legend', heat)) $('heat-legend').hidden = !heat;
    if (document.activeElement !== $('crowd') && this.changes.in('crowd', crowdCount)) $('crowd').value = String(crowdCount);
  }
}

const percent = (share) => `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;

/** 1.9e-7 as people write it. */
function powerOfTen(value) {
  if (value === 0) return '0';
  const [digits, exponent] = value.toExponential(1).split('e');
  return `${digits} · 10${[...exponent].map((c) => ({ '-': '⁻', '+': '' })[c] ?? '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)]).join('')}`;
}
