// Mouse, pen and fingers on the picture: turn, move, zoom, click.

/**
 * Distances are in pixels of the picture.
 * @param {HTMLElement} canvas
 * @param {{rotate: (dx: number, dy: number) => void, pan: (dx: number, dy: number) => void, zoom: (steps: number) => void,
 *   click: (x: number, y: number) => void, frame: () => void}} to
 */
export function followGestures(canvas, to) {
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let moved = 0;   // of the gesture so far, in CSS pixels
  let fingers = 0; // most of the gesture
  let panning = false;

  const scale = () => canvas.width / Math.max(1, canvas.clientWidth);

  canvas.addEventListener('pointerdown', (event) => {
    if (pointers.size === 0) moved = fingers = 0;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    fingers = Math.max(fingers, pointers.size);
    panning = event.button === 1 || event.button === 2 || event.shiftKey;
    if (event.button === 1) event.preventDefault();
  });

  canvas.addEventListener('pointermove', (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    const dx = (event.clientX - pointer.x) * scale();
    const dy = (event.clientY - pointer.y) * scale();
    moved += Math.abs(event.clientX - pointer.x) + Math.abs(event.clientY - pointer.y);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (before > 8 && after > 8) to.zoom(Math.log(after / before) * 8);
      to.pan(dx / 2, dy / 2);
    } else if (moved > 3) {
      if (panning) to.pan(dx, dy);
      else if (fingers === 1) to.rotate(dx, dy);
    }
    pointer.x = event.clientX;
    pointer.y = event.clientY;
  });

  const end = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (event.type !== 'pointerup' || pointers.size > 0 || fingers > 1 || moved > 5 || event.button !== 0) return;
    const box = canvas.getBoundingClientRect();
    to.click((event.clientX - box.left) * scale(), (event.clientY - box.top) * scale());
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const pixels = event.deltaY * [1, 24, 400][event.deltaMode];
    // A pinch on a touchpad comes as a wheel with ctrl, in small steps.
    to.zoom(Math.max(-4, Math.min(4, -pixels / (event.ctrlKey ? 20 : 100))));
  }, { passive: false });
  canvas.addEventListener('dblclick', () => to.frame());
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
}
