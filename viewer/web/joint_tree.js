// The joints as a tree with a search.

/** @typedef {{name: string, parent: number}} Joint */

export class JointTree {
  /** @param {{select: (joint: number) => void}} to */
  constructor(to) {
    this.to = to;
    this.list = /** @type {HTMLElement} */ (document.querySelector('#tree'));
    this.search = /** @type {HTMLInputElement} */ (document.querySelector('#search'));
    this.noMatch = /** @type {HTMLElement} */ (document.querySelector('#no-match'));
    /** @type {Joint[]} */
    this.joints = [];
    this.selected = -1;
    this.list.addEventListener('click', (event) => this.clicked(event));
    this.list.addEventListener('keydown', (event) => this.pressed(event));
    this.search.addEventListener('input', () => this.filter());
    // Selecting a joint opens its curves below, and the list gets shorter.
    new ResizeObserver(() => this.rows?.[this.selected]?.scrollIntoView({ block: 'nearest' })).observe(this.list);
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.selectMatch(event.shiftKey ? -1 : 1);
      if (event.key === 'Escape' && this.search.value) {
        this.search.value = '';
        this.filter();
        event.stopPropagation();
      }
    });
  }

  /** @param {Joint[]} joints parents first */
  show(joints) {
    this.joints = joints;
    this.children = joints.map(() => /** @type {number[]} */ ([]));
    this.collapsed = new Set();
    this.search.value = '';
    const roots = [];
    joints.forEach(({ parent }, j) => (parent < 0 ? roots : this.children[parent]).push(j));
    /** Joints as they stand in the tree, each before its children. @type {number[]} */
    this.order = [];
    const open = roots.reverse();
    while (open.length) {
      const joint = open.pop();
      this.order.push(joint);
      for (let i = this.children[joint].length - 1; i >= 0; i--) open.push(this.children[joint][i]);
    }
    const depths = [];
    joints.forEach(({ parent }, j) => depths[j] = parent < 0 ? 1 : depths[parent] + 1);
    /** @type {HTMLElement[]} */
    this.rows = [];
    for (const joint of this.order) this.rows[joint] = this.makeRow(joint, depths[joint]);
    this.list.replaceChildren(...this.order.map((joint) => this.rows[joint]));
    this.selected = -1;
    this.filter();
  }

  makeRow(joint, depth) {
    const row = document.createElement('li');
    row.id = `joint-${joint}`;
    row.dataset.joint = String(joint);
    row.title = this.joints[joint].name;
    row.setAttribute('role', 'treeitem');
    row.setAttribute('aria-level', String(depth));
    row.setAttribute('aria-selected', 'false');
    row.style.setProperty('--level', String(Math.min(depth, 14)));
    if (this.children[joint].length) row.setAttribute('aria-expanded', 'true');
    const twist = document.createElement('span');
    twist.className = 'twist';
    const name = document.createElement('span');
    name.className = 'name';
    name.textContent = this.joints[joint].name;
    row.append(twist, name);
    return row;
  }

  /** Shows the joints that match and, softly, their ancestors. */
  filter() {
    const text = this.search.value.trim().toLowerCase();
    const matches = this.joints.map(({ name }) => name.toLowerCase().includes(text));
    const wanted = matches.slice();
    for (let j = this.joints.length - 1; j >= 0; j--) if (wanted[j] && this.joints[j].parent >= 0) wanted[this.joints[j].parent] = true;
    const folded = [];
    let shown = 0;
    for (const joint of this.order) {
      const { parent, name } = this.joints[joint];
      folded[joint] = !text && parent >= 0 && (folded[parent] || this.collapsed.has(parent));
      const row = this.rows[joint];
      row.hidden = folded[joint] || !wanted[joint];
      row.classList.toggle('beside', Boolean(text) && !matches[joint]);
      if (matches[joint] && !folded[joint]) shown++;
      this.markName(row.lastElementChild, name, matches[joint] ? text : '');
      if (this.children[joint].length) row.setAttribute('aria-expanded', String(Boolean(text) || !this.collapsed.has(joint)));
    }
    this.matches = text ? this.order.filter((joint) => matches[joint]) : [];
    this.noMatch.hidden = !text || shown > 0;
  }

  markName(element, name, text) {
    const at = text ? name.toLowerCase().indexOf(text) : -1;
    if (at < 0) {
      if (element.firstElementChild) element.textContent = name;
      return;
    }
    const mark = document.createElement('mark');
    mark.textContent = name.slice(at, at + text.length);
    element.replaceChildren(name.slice(0, at), mark, name.slice(at + text.length));
  }

  selectMatch(way) {
    if (this.matches.length === 0) return;
    const at = this.matches.indexOf(this.selected);
    const next = at < 0 ? (way > 0 ? 0 : this.matches.length - 1) : (at + way + this.matches.length) % this.matches.length;
    this.to.select(this.matches[next]);
  }

  /** Shows which joint is selected, -1: none. @param {number} joint */
  select(joint) {
    if (joint === this.selected) return;
    this.rows[this.selected]?.setAttribute('aria-selected', 'false');
    this.selected = joint;
    const row = this.rows[joint];
    if (!row) {
      this.list.removeAttribute('aria-activedescendant');
      return;
    }
    let unfolded = false;
    for (let up = this.joints[joint].parent; up >= 0; up = this.joints[up].parent) unfolded = this.collapsed.delete(up) || unfolded;
    if (unfolded) this.filter();
    row.setAttribute('aria-selected', 'true');
    this.list.setAttribute('aria-activedescendant', row.id);
    row.scrollIntoView({ block: 'nearest' });
  }

  fold(joint, folded) {
    if (!this.children[joint]?.length) return;
    if (folded) this.collapsed.add(joint);
    else this.collapsed.delete(joint);
    this.filter();
  }

  clicked(event) {
    const row = event.target.closest('li');
    if (!row) return;
    const joint = Number(row.dataset.joint);
    if (event.target.className === 'twist' && this.children[joint].length && !this.search.value) this.fold(joint, !this.collapsed.has(joint));
    else this.to.select(joint === this.selected ? -1 : joint);
  }

  pressed(event) {
    const shown = this.order.filter((joint) => !this.rows[joint].hidden);
    const at = shown.indexOf(this.selected);
    const go = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: shown.length - 1 }[event.key];
    if (go !== undefined) {
      if (shown[go] !== undefined) this.to.select(shown[go]);
    } else if (event.key === 'ArrowLeft' && at >= 0) {
      const { parent } = this.joints[this.selected];
      if (this.children[this.selected].length && !this.collapsed.has(this.selected)) this.fold(this.selected, true);
      else if (parent >= 0) this.to.select(parent);
    } else if (event.key === 'ArrowRight' && at >= 0) {
      if (this.collapsed.has(this.selected)) this.fold(this.selected, false);
      else if (this.children[this.selected].length) this.to.select(this.children[this.selected][0]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
