// The list of clips, and the crossfade from one to another.
import { $, Changes, make } from './page_elements.js';

export class ClipPanel {
  /** @param {(run: (fields: import('./wasm_viewer.js').Fields) => void) => void} change */
  constructor(change) {
    this.changes = new Changes();
    $('clips').addEventListener('click', (event) => {
      const row = event.target.closest('li');
      if (row) change((fields) => fields.clip = Number(row.dataset.clip));
    });
    $('other').addEventListener('change', () => change((fields) => fields.otherClip = Number($('other').value)));
    $('fade').addEventListener('input', () => change((fields) => fields.fade = Number($('fade').value)));
  }

  /** @param {{name: string, duration: number}[]} clips */
  show(clips) {
    this.changes.forget();
    const row = (clip, name, aside) => {
      const item = make('li', { id: `clip-${clip}`, title: name });
      item.setAttribute('role', 'option');
      item.dataset.clip = String(clip);
      item.append(make('span', { className: 'name', textContent: name }), make('span', { className: 'aside number', textContent: aside }));
      return item;
    };
    $('clips').replaceChildren(...clips.map(({ name, duration }, clip) => row(clip, name, `${duration.toFixed(2)} s`)), row(-1, 'Rest pose', ''));
    $('other').replaceChildren(new Option('nothing', '-1'), ...clips.map(({ name }, clip) => new Option(name, String(clip))));
  }

  /** @param {import('./wasm_viewer.js').Fields} fields */
  update({ clip, otherClip, fade }) {
    if (this.changes.in('clip', clip, otherClip)) this.mark(clip, otherClip);
    if (this.changes.in('fade', fade, otherClip)) {
      $('fade').value = String(fade);
      $('fade').disabled = otherClip < 0;
      $('fade-value').textContent = otherClip < 0 ? '' : `${Math.round(fade * 100)} %`;
    }
  }

  mark(clip, otherClip) {
    for (const row of $('clips').children) {
      const index = Number(row.dataset.clip);
      row.setAttribute('aria-selected', String(index === clip));
      row.querySelector('.badge')?.remove();
      if (index === otherClip && index >= 0) row.append(make('span', { className: 'badge', textContent: 'fade' }));
      if (index !== clip) continue;
      $('clips').setAttribute('aria-activedescendant', row.id);
      row.scrollIntoView({ block: 'nearest' });
    }
    $('other').value = String(otherClip);
    $('other').disabled = clip < 0;
    for (const option of $('other').options) option.disabled = Number(option.value) === clip && clip >= 0;
  }
}
