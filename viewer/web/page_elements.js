// What the panels share: elements by their id, and showing only what has changed.

/** @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/** @param {string} tag @param {object} properties of the element @returns {any} */
export const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

/** Marks the button of a group whose value is chosen. */
export function choose(group, value) {
  for (const button of group.children) button.setAttribute('aria-pressed', String(button.value === String(value)));
}

/** Remembers what each part of the page showed last. */
export class Changes {
  constructor() {
    /** @type {Map<string, string>} */
    this.last = new Map();
  }

  /** Whether the values are others than at the last call with this key. */
  in(key, ...values) {
    const value = values.join('|');
    if (this.last.get(key) === value) return false;
    this.last.set(key, value);
    return true;
  }

  /** Everything is to be shown anew, or one part of it. @param {string} [key] */
  forget(key) {
    if (key) this.last.delete(key);
    else this.last.clear();
  }
}
