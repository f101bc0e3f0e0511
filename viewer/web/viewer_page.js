// The viewer page: files in, commands and gestures to the core, its state back into the panels.
//
//     event --> viewer (WebAssembly) --> request a frame --> draw --> panels show what changed
//
// Nothing is drawn while nothing moves: every change asks for one frame, and playing asks for the next.
import { ClipPanel } from './clip_panel.js';
import { CurvePanel } from './curve_panel.js';
import { chooseCharacter, filesOfDrop, filesOfList } from './dropped_files.js';
import { FindingsPanel } from './findings_panel.js';
import { JointTree } from './joint_tree.js';
import { isTaken, keyHere, keyLabel, keyOfEvent } from './key_names.js';
import { LookPanel } from './look_panel.js';
import { $, Changes, make } from './page_elements.js';
import { PictureNotes } from './picture_notes.js';
import { followGestures } from './stage_gestures.js';
import { TimelineBar } from './timeline_bar.js';
import { DEMOS, FileError, startViewer } from './wasm_viewer.js';
import { WebGLBackend } from './webgl_backend.js';

const stage = $('stage'), canvas = $('canvas');
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
const HINTS = {
  MRW_ERR_FILE_NOT_FOUND: 'Drop the .gltf together with its .bin and its pictures, or drop their whole folder.',
  MRW_ERR_FILE_READ: 'Drop the .gltf together with its .bin and its pictures, or drop their whole folder.',
  MRW_ERR_EXTERNAL_REFERENCE: 'The page sees only the files that you drop: put them into one folder, or export a .glb.',
  MRW_ERR_UNKNOWN_FORMAT: 'The viewer opens glTF 2.0 (.glb, or .gltf with its files), BVH motion (.bvh) and packed characters (.mrw).',
  MRW_ERR_UNSUPPORTED_EXTENSION: 'Export the file again without this extension (for example without mesh compression).',
  MRW_ERR_TRUNCATED: 'Copy or download it again, or export it again.',
  MRW_ERR_OUT_OF_MEMORY: 'Close other tabs, or open a smaller file.',
  MRW_ERR_MEMORY_LIMIT: 'Open a smaller file.',
};

const EXPORT_AGAIN = 'Export the file again, or let the Khronos glTF validator list all that is wrong with it.';
const EXPORT_MOTION_AGAIN = 'Export the motion again, or mend this place in a text editor.';
const PACK_AGAIN = 'Copy the file again, or pack it again.';

/** What helps with a file that is wrong in itself. @param {string} name */
const exportHint = (name) => (/\.bvh$/i.test(name) ? EXPORT_MOTION_AGAIN : /\.mrw$/i.test(name) ? PACK_AGAIN : EXPORT_AGAIN);

/** @type {WebGLBackend} */
let backend;
/** @type {import('./wasm_viewer.js').WasmViewer} */
let viewer;
/** @type {import('./wasm_viewer.js').Fields} */
let fields;
/**
 * Something to show.
 * @typedef {object} Source
 * @property {string} name
 * @property {string} path what makes it the same one when it comes again
 * @property {(again: boolean) => void} load throws a FileError
 */
/** What is open: kept to be loaded again when the browser takes the graphics away. @type {Source | null} */
let shown = null;
/** @type {{name: string, parent: number}[]} */
let joints = [];
/** @type {{name: string, duration: number}[]} */
let clips = [];
let opening = 0;

const scrub = (time) => change(() => fields.time = time);
const select = (joint) => change(() => {
  fields.selectedJoint = joint;
  tree.select(fields.selectedJoint);
});
const timeline = new TimelineBar($('lanes'), { scrub });
const curves = new CurvePanel({ scrub });
const tree = new JointTree({ select });
const clipPanel = new ClipPanel(change);
const look = new LookPanel(change);
const findings = new FindingsPanel(select);
const notes = new PictureNotes();
const changes = new Changes();

// --- frames ---------------------------------------------------------------------------------

let requested = false, drawnAt = 0, stopped = false, undrawn = false, frames = 0;

function requestFrame() {
  if (requested || stopped) return;
  requested = true;
  requestAnimationFrame(drawFrame);
}

/** Runs a change of the viewer's state and shows it. @param {(fields: import('./wasm_viewer.js').Fields) => void} run */
function change(run) {
  if (!viewer || stopped) return;
  try {
    run(fields);
  } catch (error) {
    fail('The viewer stopped', error);
  }
  requestFrame();
}

function drawFrame(now) {
  requested = false;
  if (stopped || backend.gl.isContextLost()) return;
  const elapsed = drawnAt ? Math.min(0.25, (now - drawnAt) / 1000) : 0;
  fitCanvas();
  if (!drawPicture(elapsed)) return;
  document.body.dataset.frames = String(++frames);
  drawnAt = fields.moves ? now : 0;
  showState(now);
  if (fields.moves) requestFrame();
}

/** False, and said: too large a crowd, say. The next change tries again. @param {number} elapsed seconds */
function drawPicture(elapsed) {
  try {
    viewer.frame(elapsed, canvas.width, canvas.height);
    if (undrawn) $('banner').hidden = true;
    undrawn = false;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) fail('The viewer stopped', error);
    else say('error', 'The picture cannot be drawn', error.message);
    undrawn = true;
  }
  return !undrawn;
}

function fitCanvas() {
  const scale = window.devicePixelRatio || 1;
  const most = 8192 / Math.max(canvas.clientWidth, canvas.clientHeight, 1);
  const width = Math.max(1, Math.round(canvas.clientWidth * Math.min(scale, most)));
  const height = Math.max(1, Math.round(canvas.clientHeight * Math.min(scale, most)));
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

// --- messages -------------------------------------------------------------------------------

/** @param {'error' | 'note'} kind */
function say(kind, title, text, hint = '') {
  $('banner').dataset.kind = kind;
  $('banner-title').textContent = title;
  $('banner-text').textContent = text;
  $('banner-hint').textContent = hint;
  $('banner').hidden = false;
}

/** The page cannot go on. */
function fail(title, error) {
  stopped = true;
  document.body.dataset.state = 'failed';
  $('empty').hidden = true;
  say('error', title, error instanceof Error ? error.message : String(error), 'Loading the page again may help; your files are untouched.');
}

// --- opening ----------------------------------------------------------------------------------

/** @param {() => Promise<import('./dropped_files.js').Dropped[]> | import('./dropped_files.js').Dropped[]} gather */
async function openFiles(gather) {
  const turn = ++opening;
  let choice;
  try {
    choice = await chooseCharacter(await gather());
  } catch (error) {
    if (turn === opening) say('error', 'This cannot be opened', error.message);
    return;
  }
  await started; // a drop may come before the module has
  if (turn !== opening || !viewer || stopped) return;
  const { main, others, bytes, findFile } = choice;
  const opened = open({ name: main.file.name, path: main.path, load: (again) => viewer.open(bytes, findFile, again) });
  if (opened && others.length) say('note', `Showing ${main.file.name}`, `One character at a time: ${others.join(', ')} can be opened next.`);
}

/** Shows it instead of what is open, or says why not. @param {Source} source */
function open(source) {
  const again = shown !== null && shown.path === source.path;
  backend.undecoded = 0;
  try {
    source.load(again);
  } catch (error) {
    if (error instanceof FileError) {
      const thing = error.detail === 'file' ? '' : error.detail; // the file as a whole has been named
      const place = [thing, error.line ? `line ${error.line}` : ''].filter(Boolean).join(', ');
      say('error', `${source.name} cannot be opened`, place ? `${place}: ${error.message}` : error.message, HINTS[error.status] ?? exportHint(source.name));
    } else {
      fail(`${source.name} made the viewer stop`, error);
    }
    return false;
  }
  $('banner').hidden = true;
  shown = source;
  if (reducedMotion.matches && !again) fields.playing = 0;
  joints = viewer.joints();
  clips = viewer.clips();
  showFile();
  // Motion without a mesh is what a BVH file is; its bones are drawn.
  if (fields.vertexCount === 0 && clips.length === 0) say('note', `${source.name} has no mesh`, 'There is nothing to draw but its joints: "Bones" shows them.');
  requestFrame();
  return true;
}

function showFile() {
  document.body.dataset.state = 'open';
  stage.dataset.decoding = String(backend.decoding);
  $('empty').hidden = true;
  $('file').replaceChildren(make('b', { textContent: shown.name }));
  document.title = `${shown.name} - Marrow viewer`;
  $('joint-count').textContent = String(joints.length);
  tree.show(joints);
  clipPanel.show(clips);
  findings.show(viewer.findings(), joints, backend.undecoded);
  changes.forget();
}

// --- state into panels ----------------------------------------------------------------------------

function showState(now) {
  const { clip, duration, playing, selectedJoint, speed, time } = fields;
  if (changes.in('tracks', clip, selectedJoint, duration)) {
    const tracks = clip >= 0 ? viewer.tracks(selectedJoint) : [];
    timeline.show(duration, tracks);
    curves.show(duration, tracks, joints[selectedJoint]?.name ?? '');
    tree.select(selectedJoint);
    $('duration').textContent = duration.toFixed(2);
    $('time').max = String(duration);
    stage.dataset.joint = joints[selectedJoint]?.name ?? '';
  }
  timeline.moveTo(time);
  curves.moveTo(time);
  if (document.activeElement !== $('time') && changes.in('time', time.toFixed(3))) $('time').value = time.toFixed(3);
  if (changes.in('playing', playing)) {
    $('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
    $('play').querySelector('use').setAttribute('href', playing ? '#i-pause' : '#i-play');
  }
  if (changes.in('speed', speed)) showSpeed(String(Number(speed.toFixed(3))));
  clipPanel.update(fields);
  look.update(fields);
  notes.showLabels(viewer.labels(), joints, selectedJoint, canvas.clientWidth / canvas.width);
  notes.showFacts(fields, now);
  if (fields.help) openHelp();
}

/** @param {string} speed one of the list, or another one that keys have led to */
function showSpeed(speed) {
  const speeds = [...new Set(['0.1', '0.25', '0.5', '0.75', '1', '1.5', '2', '3', '4', speed])].sort((a, b) => Number(a) - Number(b));
  $('speed').replaceChildren(...speeds.map((one) => new Option(`${one}×`.replace('-', '−'), one)));
  $('speed').value = speed;
}

// --- what a person does ----------------------------------------------------------------------------

function runKey(key) {
  const command = viewer.commands.findIndex((candidate) => keyHere(candidate.key) === key);
  if (command >= 0) change(() => viewer.command(command));
  return command >= 0;
}

function openHelp() {
  fields.help = 0;
  if (!$('help-dialog').open) $('help-dialog').showModal();
}

function makeHelp() {
  $('version').textContent = viewer.version;
  $('help-keys').replaceChildren(...viewer.commands.flatMap(({ key, help }) => {
    const term = make('dt');
    term.append(make('kbd', { textContent: keyLabel(key) }));
    return [term, make('dd', { textContent: help })];
  }));
  for (const button of document.querySelectorAll('[data-key]')) {
    const found = viewer.commands.find(({ key }) => keyHere(key) === button.dataset.key);
    if (found) button.title = `${found.help[0].toUpperCase()}${found.help.slice(1)} (${keyLabel(found.key)})`;
  }
}

async function saveScreenshot() {
  // In one task with the drawing: afterwards the browser may have thrown the pixels away.
  if (stopped || backend.gl.isContextLost() || !drawPicture(0)) return;
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const link = make('a');
  const stem = shown ? shown.name.replace(/\.[^.]*$/, '') : 'marrow';
  const clip = clips[fields.clip];
  link.download = `${[stem, clip && `${clip.name}_${fields.time.toFixed(2)}s`].filter(Boolean).join('_').replace(/[^\w.-]+/g, '-')}.png`;
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function listen() {
  const pick = () => $('picker').click();
  $('open').addEventListener('click', pick);
  $('choose').addEventListener('click', pick);
  $('picker').addEventListener('change', () => {
    const files = filesOfList($('picker').files);
    $('picker').value = '';
    if (files.length) openFiles(() => files);
  });
  $('banner-close').addEventListener('click', () => {
    $('banner').hidden = true;
    canvas.focus();
  });
  $('screenshot').addEventListener('click', saveScreenshot);
  $('help-close').addEventListener('click', () => $('help-dialog').close());
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-key]');
    if (button) runKey(button.dataset.key);
    // After a click the keys are commands again; whoever walks by keyboard stays where they are.
    if (event.detail > 0 && event.target.closest?.('button:not(dialog *, .tabs *)') && !$('help-dialog').open) canvas.focus({ preventScroll: true });
  });
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLElement && target.matches('select, input[type="range"]') && !target.matches(':focus-visible')) canvas.focus({ preventScroll: true });
  });
  document.addEventListener('keydown', (event) => {
    const key = keyOfEvent(event);
    if (!key || isTaken(event, key)) return;
    if (key === 'escape' && !$('banner').hidden) $('banner').hidden = true;
    if (key === 'slash') $('search').focus();
    else if (!runKey(key)) return;
    event.preventDefault();
  });
  $('speed').addEventListener('change', () => change(() => fields.speed = Number($('speed').value)));
  $('time').addEventListener('change', () => scrub(Number($('time').value)));
  $('lanes').addEventListener('keydown', (event) => {
    const way = { PageUp: -1, PageDown: 1 }[event.key];
    const at = way && timeline.nearKey(fields.time, way);
    if (at === undefined) return;
    event.preventDefault();
    scrub(at);
  });
  for (const tab of document.querySelectorAll('.tabs button')) {
    tab.setAttribute('aria-pressed', 'false');
    tab.addEventListener('click', () => showPanel(document.body.dataset.panel === tab.dataset.panel ? '' : tab.dataset.panel));
  }
  followGestures(canvas, {
    rotate: (dx, dy) => change(() => viewer.rotate(dx, dy, canvas.height)),
    pan: (dx, dy) => change(() => viewer.pan(dx, dy, canvas.height)),
    zoom: (steps) => change(() => viewer.zoom(steps)),
    click: (x, y) => change(() => viewer.click(x, y, canvas.width, canvas.height)),
    frame: () => runKey('f'),
  });
  new ResizeObserver(() => change(() => {})).observe(canvas);
  addEventListener('themechange', followTheme);
}

function followTheme() {
  change(() => fields.dark = document.documentElement.dataset.theme === 'dark');
  timeline.draw();
  curves.draw();
}

function showPanel(name) {
  document.body.dataset.panel = name;
  for (const tab of document.querySelectorAll('.tabs button')) tab.setAttribute('aria-pressed', String(tab.dataset.panel === name));
  changes.forget();
  requestFrame();
}

function listenForDrops() {
  let inside = 0;
  const mark = (by) => {
    inside = Math.max(0, by === 0 ? 0 : inside + by);
    document.body.classList.toggle('dragging', inside > 0);
  };
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  addEventListener('dragenter', (event) => hasFiles(event) && mark(1));
  addEventListener('dragleave', (event) => hasFiles(event) && mark(-1));
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  });
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(0);
    openFiles(() => filesOfDrop(event.dataTransfer));
  });
}

/** The browser may take the graphics away, on a phone above all, and give them back. */
function listenForLoss() {
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    say('note', 'The graphics were taken away', 'The browser or its driver stopped drawing. The picture comes back by itself when it can.',
      'If it does not, load the page again.');
  });
  canvas.addEventListener('webglcontextrestored', () => {
    backend.reset();
    $('banner').hidden = true;
    if (shown) open(shown);
    requestFrame();
  });
}

/** Characters that are computed here, for whoever has no file at hand. */
function offerDemos() {
  DEMOS.forEach((name, demo) => {
    const button = make('button', { className: 'button', textContent: `the ${name}` });
    button.addEventListener('click', () => open({ name, path: `demo ${name}`, load: (again) => viewer.openDemo(demo, again) }));
    $('demos').append(button);
  });
}

async function start() {
  try {
    backend = new WebGLBackend(canvas, () => {
      stage.dataset.decoding = String(backend.decoding);
      if (backend.undecoded && shown) findings.show(viewer.findings(), joints, backend.undecoded);
      requestFrame();
    });
  } catch (error) {
    fail('The picture cannot be drawn', error);
    $('banner-hint').textContent = 'Try a current Firefox, Chrome, Edge or Safari, with hardware acceleration on.';
    return;
  }
  try {
    viewer = await startViewer(backend);
  } catch (error) {
    fail('The viewer cannot start', error);
    return;
  }
  fields = viewer.fields;
  document.body.dataset.state = 'empty';
  $('empty').hidden = false;
  makeHelp();
  followTheme();
  listen();
  listenForLoss();
  requestFrame();
  offerDemos();
}

listenForDrops();
const started = start();
