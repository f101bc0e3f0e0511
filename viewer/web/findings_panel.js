// What is odd about a file, as a list that leads to the joints it names.
import { $, make } from './page_elements.js';

export class FindingsPanel {
  /** @param {(joint: number) => void} select */
  constructor(select) {
    const press = (event) => {
      const row = event.target.closest('[data-joint]');
      if (row) select(Number(row.dataset.joint));
    };
    $('findings').addEventListener('click', press);
    $('findings').addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      press(event);
    });
  }

  /**
   * @param {ReturnType<import('./wasm_viewer.js').WasmViewer['findings']>} findings @param {{name: string}[]} joints
   * @param {number} undecoded pictures that this browser could not decode
   */
  show(findings, joints, undecoded) {
    if (undecoded) {
      findings.push({ severity: 'warning', code: 'PICTURE', where: '', count: undecoded, joint: -1,
        message: 'this browser cannot decode a picture; what it covers stays white' });
    }
    $('finding-count').textContent = findings.length ? String(findings.length) : '';
    const none = make('li', { className: 'soft', textContent: 'Nothing odd was found in this file.' });
    $('findings').replaceChildren(...(findings.length ? findings.map((finding) => this.row(finding, joints)) : [none]));
    const tab = document.querySelector('.tabs [data-panel="findings"]');
    if (findings.length) tab.dataset.count = String(findings.length);
    else delete tab.dataset.count;
  }

  row({ severity, code, where, message, count, joint }, joints) {
    const row = make('li', { innerHTML: '<svg class="glyph" role="img"><use href="#i-findings"/></svg><div><p></p><code></code></div>' });
    row.dataset.severity = severity;
    row.querySelector('svg').setAttribute('aria-label', severity);
    row.querySelector('p').textContent = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;
    row.querySelector('code').textContent = [code, count > 1 ? `${count} times, first at ${where}` : where].filter(Boolean).join(' · ');
    if (joint >= 0) {
      row.title = `Select ${joints[joint].name}`;
      Object.assign(row.dataset, { joint, press: '' });
      row.lastElementChild.tabIndex = 0;
      row.lastElementChild.setAttribute('role', 'button');
      row.lastElementChild.append(make('span', { className: 'badge', textContent: joints[joint].name }));
    }
    return row;
  }
}
