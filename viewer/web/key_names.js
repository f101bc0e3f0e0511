// Keys of viewer/core/commands.h and those of a browser.

const NAMES = { ' ': 'space', ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', Home: 'home', End: 'end',
  Escape: 'escape', '/': 'slash', '-': 'minus', '=': 'equal', '+': 'equal', '?': 'h', ',': 'comma', '.': 'period' };

/** Tab belongs to whoever walks a page by keyboard: here another key does what it does in the window. */
const HERE = { tab: 'j' };

const LABELS = { space: 'space', left: '←', right: '→', up: '↑', down: '↓', home: 'Home', end: 'End', escape: 'Esc', slash: '/',
  minus: '−', equal: '=', comma: ',', period: '.' };

/** What a key of the command table is called on this page. @param {string} key */
export const keyHere = (key) => HERE[key] ?? key;

/** @param {string} key of the command table */
export const keyLabel = (key) => LABELS[keyHere(key)] ?? keyHere(key);

/** The name of the key that was pressed, "" for one that no command has. @param {KeyboardEvent} event */
export function keyOfEvent(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return '';
  const { key } = event;
  return NAMES[key] ?? (/^[a-z0-9]$/i.test(key) ? key.toLowerCase() : '');
}

/** Whether the focused element needs this key itself. @param {KeyboardEvent} event @param {string} name */
export function isTaken(event, name) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest('dialog')) return true;
  if (target instanceof HTMLInputElement) {
    if (target.type === 'range') return ['left', 'right', 'up', 'down', 'home', 'end'].includes(name);
    return name !== 'escape';
  }
  if (target instanceof HTMLSelectElement) return name !== 'escape';
  if (target.closest('button, a, [role="option"], [data-press]')) return name === 'space';
  return false;
}
