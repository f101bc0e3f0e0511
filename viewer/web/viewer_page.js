// The viewer page: files in, commands and gestures to the core, its state back into the panels.
//
//     event --> viewer (WebAssembly) --> request a frame --> draw --> panels show what changed
//
// Nothing is drawn while nothing moves: every change asks for one frame, and playing asks for the next.
import { chooseCharacter, filesOfDrop, filesOfList } from './dropped_files.js';
import { CurvePanel } from './curve_panel.js';
import { JointTree } from './joint_tree.js';
import { isTaken, keyHere, keyLabel, keyOfEvent } from './key_names.js';
import { followGestures } from './stage_gestures.js';
import { TimelineBar } from './timeline_bar.js';
import demos from './demos.js';
import { FileError, startViewer } from './wasm_viewer.js';
import { startDrawing } from './canvas_2d.js';
import { WebGLBackend } from './webgl_backend.js';

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);
const stage = $('stage'), canvas = $('canvas');
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
const HINTS = {
  MRW_ERR_FILE_NOT_FOUND: 'Drop the .gltf together with its .bin and its pictures, or drop their whole folder.',
  MRW_ERR_FILE_READ: 'Drop the .gltf together with its .bin and its pictures, or drop their whole folder.',
  MRW_ERR_EXTERNAL_REFERENCE: 'The page sees only the files that you drop: put them into one folder, or export a .glb.',
  MRW_ERR_UNKNOWN_FORMAT: 'The viewer opens glTF 2.0: .glb, or .gltf with its files.',
  MRW_ERR_UNSUPPORTED_EXTENSION: 'Export the file again without this extension (for example without mesh compression).',
  MRW_ERR_TRUNCATED: 'Copy or download it again, or export it again.',
  MRW_ERR_OUT_OF_MEMORY: 'Close other tabs, or open a smaller file.',
  MRW_ERR_MEMORY_LIMIT: 'Open a smaller file.',
};

/** @type {WebGLBackend} */
let backend;
/** @type {import('./wasm_viewer.js').WasmViewer} */
let viewer;
/** @type {import('./wasm_viewer.js').Fields} */
let fields;
/** What is open: kept to open it again when the browser takes the graphics away. @type {import('./dropped_files.js').Choice | null} */
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

// --- frames ---------------------------------------------------------------------------------

let requested = false, drawnAt = 0, stopped = false, frames = 0;

function requestFrame() {
  if (requested || stopped) return;
  requested = true;
  requestAnimationFrame(drawFrame);
}

/** Runs a change of the viewer's state and shows it. @param {() => void} run */
function change(run) {
  if (!viewer || stopped) return;
  run();
  requestFrame();
}

function drawFrame(now) {
  requested = false;
  if (stopped || backend.gl.isContextLost()) return;
  const elapsed = drawnAt ? Math.min(0.25, (now - drawnAt) / 1000) : 0;
  fitCanvas();
  try {
    viewer.frame(elapsed, canvas.width, canvas.height);
  } catch (error) {
    fail('The picture cannot be drawn', error);
    return;
  }
  document.body.dataset.frames = String(++frames);
  drawnAt = fields.playing ? now : 0;
  showState(now);
  if (fields.playing) requestFrame();
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
  if (turn === opening && viewer && !stopped) open(choice);
}

/** @param {import('./dropped_files.js').Choice} choice */
function open(choice) {
  const { main, others, bytes, findFile } = choice;
  const again = shown !== null && shown.main.path === main.path;
  backend.undecoded = 0;
  try {
    viewer.open(bytes, findFile, again);
  } catch (error) {
    if (error instanceof FileError) {
      const place = [error.detail, error.line ? `line ${error.line}` : ''].filter(Boolean).join(', ');
      say('error', `${main.file.name} cannot be opened`, place ? `${place}: ${error.message}` : error.message, HINTS[error.status] ?? 'What was open stays. Export the file again, or let the Khronos glTF validator list all that is wrong with it.');
      $('banner').dataset.status = error.status;
    } else {
      fail(`${main.file.name} made the viewer stop`, error);
    }
    return;
  }
  $('banner').hidden = true;
  shown = choice;
  if (others.length) say('note', `Showing ${main.file.name}`, `One character at a time: ${others.join(', ')} can be opened next.`);
  if (reducedMotion.matches && !again) fields.playing = 0;
  joints = viewer.joints();
  clips = viewer.clips();
  showFile();
  requestFrame();
}

function showFile() {
  document.body.dataset.state = 'open';
  $('empty').hidden = true;
  const name = document.createElement('b');
  name.textContent = shown.main.file.name;
  $('file').replaceChildren(name);
  document.title = `${shown.main.file.name} - Marrow viewer`;
  tree.show(joints);
  $('joint-count').textContent = String(joints.length);
  $('clips').replaceChildren(...[...clips.keys(), -1].map(clipRow));
  $('other').replaceChildren(new Option('nothing', '-1'), ...clips.map((clip, i) => new Option(clip.name, String(i))));
  showFindings();
  forget();
}

function clipRow(clip) {
  const row = document.createElement('li');
  row.id = `clip-${clip}`;
  row.dataset.clip = String(clip);
  row.setAttribute('role', 'option');
  const name = Object.assign(document.createElement('span'), { className: 'name', textContent: clip < 0 ? 'Rest pose' : clips[clip].name });
  const aside = Object.assign(document.createElement('span'), { className: 'aside number' });
  aside.textContent = clip < 0 ? '' : `${clips[clip].duration.toFixed(2)} s`;
  row.title = name.textContent;
  row.append(name, aside);
  return row;
}

function showFindings() {
  const findings = viewer.findings();
  if (backend.undecoded) {
    findings.push({ severity: 'warning', code: 'PICTURE', where: '', count: backend.undecoded, joint: -1,
      message: 'This browser cannot decode a picture; what it covers stays white.' });
  }
  $('finding-count').textContent = findings.length ? String(findings.length) : '';
  $('findings').replaceChildren(...(findings.length ? findings.map(findingRow) : [
    Object.assign(document.createElement('p'), { className: 'soft', textContent: 'Nothing odd was found in this file.' })]));
  $('findings').firstElementChild.style.paddingInline = 'var(--column)';
  const tab = document.querySelector('.tabs [data-panel="findings"]');
  if (findings.length) tab.dataset.count = String(findings.length);
  else delete tab.dataset.count;
}

function findingRow({ severity, code, where, message, count, joint }) {
  const row = document.createElement('li');
  row.dataset.severity = severity;
  row.innerHTML = '<svg class="glyph" role="img"><use href="#i-findings"/></svg><div><p></p><code></code></div>';
  row.querySelector('svg').setAttribute('aria-label', severity);
  row.querySelector('p').textContent = `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}`;
  row.querySelector('code').textContent = [code, count > 1 ? `${count} times, first at ${where}` : where].filter(Boolean).join(' · ');
  if (joint >= 0) {
    row.dataset.joint = String(joint);
    row.dataset.press = '';
    row.tabIndex = 0;
    row.title = `Select ${joints[joint].name}`;
    row.lastElementChild.append(Object.assign(document.createElement('span'), { className: 'badge', textContent: joints[joint].name }));
  }
  return row;
}

// --- state into panels ----------------------------------------------------------------------------

/** What each part of the page showed last. @type {Map<string, unknown>} */
const last = new Map();
const forget = () => last.clear();

/** Whether a value is another one than at the last call with this key. */
function changed(key, ...values) {
  const value = values.join('|');
  if (last.get(key) === value) return false;
  last.set(key, value);
  return true;
}

function showState(now) {
  const { clip, otherClip, duration, playing, selectedJoint, method, fade, speed, time } = fields;
  if (changed('clip', clip, otherClip)) showClip(clip, otherClip);
  if (changed('tracks', clip, selectedJoint, duration, joints.length)) {
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
  if (document.activeElement !== $('time') && changed('time', time.toFixed(3))) $('time').value = time.toFixed(3);
  if (changed('playing', playing)) {
    $('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
    $('play').querySelector('use').setAttribute('href', playing ? '#i-pause' : '#i-play');
  }
  if (changed('fade', fade, otherClip)) {
    $('fade').value = String(fade);
    $('fade').disabled = otherClip < 0;
    $('fade-value').textContent = otherClip < 0 ? '' : `${Math.round(fade * 100)} %`;
  }
  if (changed('speed', speed)) {
    const value = String(Number(speed.toFixed(3)));
    const speeds = new Set([0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4].map(String)).add(value);
    $('speed').replaceChildren(...[...speeds].sort((a, b) => Number(a) - Number(b)).map((one) => new Option(`${one}×`.replace('-', '−'), one)));
    $('speed').value = value;
  }
  for (const button of document.querySelectorAll('[data-field]')) button.setAttribute('aria-pressed', String(Boolean(fields[button.dataset.field])));
  showLook(method);
  showLabels();
  showFacts(now, playing);
  if (fields.help) openHelp();
}

function showClip(clip, otherClip) {
  for (const row of $('clips').children) {
    const index = Number(row.dataset.clip);
    const isShown = index === clip;
    row.setAttribute('aria-selected', String(isShown));
    row.querySelector('.badge')?.remove();
    if (index === otherClip && index >= 0) row.append(Object.assign(document.createElement('span'), { className: 'badge', textContent: 'fade' }));
    if (isShown) {
      $('clips').setAttribute('aria-activedescendant', row.id);
      row.scrollIntoView({ block: 'nearest' });
    }
  }
  $('other').value = String(otherClip);
  $('other').disabled = clip < 0;
  for (const option of $('other').options) option.disabled = Number(option.value) === clip && clip >= 0;
}

const percent = (share) => `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;

function showLook(method) {
  if (changed('method', method)) {
    for (const button of $('method').children) button.setAttribute('aria-pressed', String(Number(button.value) === method));
    $('blend-row').hidden = method !== 2;
  }
  if (changed('blend', fields.blend)) {
    $('blend').value = String(fields.blend);
    $('blend-value').textContent = `${Math.round(fields.blend * 100)} %`;
  }
  const { lost, linearLost, onCpu, hasGpuDifference, gpuDifference, heat, crowdCount } = fields;
  if (changed('lost', percent(lost), percent(linearLost), method)) {
    $('lost').textContent = percent(lost);
    $('lost-meter').value = lost;
    $('linear-lost').textContent = method === 0 ? '' : `Linear would lose ${percent(linearLost)} here.`;
  }
  if (changed('cpu', onCpu)) for (const button of $('processor').children) button.setAttribute('aria-pressed', String(Number(button.value) === onCpu));
  $('difference-row').hidden = !onCpu;
  $('difference').textContent = hasGpuDifference ? `${gpuDifference === 0 ? '0' : gpuDifference.toExponential(1).replace('e-', ' · 10⁻').replace(/⁻(\d+)/, (_, d) => `⁻${[...d].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c]).join('')}`)} of the size` : '';
  $('heat-legend').hidden = !heat;
  if (document.activeElement !== $('crowd') && changed('crowd', crowdCount)) $('crowd').value = String(crowdCount);
}

function showLabels() {
  const labels = viewer.labels();
  if (labels.length === 0 && !changed('labels', false)) return;
  last.set('labels', String(labels.length > 0));
  const { draw } = startDrawing($('labels'));
  const scale = canvas.clientWidth / canvas.width;
  Object.assign(draw, { lineWidth: 3, lineJoin: 'round', textBaseline: 'middle', strokeStyle: '#101318cc' });
  draw.font = draw.font.replace('11px', '12px');
  for (const { x, y, joint } of labels) {
    const chosen = joint === fields.selectedJoint;
    draw.fillStyle = chosen ? '#ffd27a' : '#fff';
    draw.strokeText(joints[joint].name, x * scale + 8, y * scale);
    draw.fillText(joints[joint].name, x * scale + 8, y * scale);
  }
}

let factsAt = 0, factFrames = 0;

/** Numbers for whoever looks for them, four times a second. */
function showFacts(now, playing) {
  factFrames++;
  const still = changed('facts', fields.vertexCount, fields.crowdCount, playing);
  if (!still && (!playing || now - factsAt < 250)) return;
  const { jointCount, vertexCount, crowdCount, evaluateSeconds, drawSeconds } = fields;
  const facts = [`${jointCount} ${jointCount === 1 ? 'joint' : 'joints'}`, `${vertexCount.toLocaleString('en')} vertices`];
  if (crowdCount > 1) facts.push(`${crowdCount} characters`);
  if (playing && !still) facts.push(`${Math.round((factFrames * 1000) / (now - factsAt))} frames/s`, `pose ${(evaluateSeconds * 1000).toFixed(1)} ms, draw ${(drawSeconds * 1000).toFixed(1)} ms`);
  $('facts').textContent = facts.join(' · ');
  factsAt = now;
  factFrames = 0;
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
    const term = document.createElement('dt');
    term.append(Object.assign(document.createElement('kbd'), { textContent: keyLabel(key) }));
    return [term, Object.assign(document.createElement('dd'), { textContent: help })];
  }));
  for (const button of document.querySelectorAll('[data-key]')) {
    const found = viewer.commands.find(({ key }) => keyHere(key) === button.dataset.key);
    if (found) button.title = `${found.help[0].toUpperCase()}${found.help.slice(1)} (${keyLabel(found.key)})`;
  }
}

async function saveScreenshot() {
  if (stopped) return;
  // In one task with the drawing: afterwards the browser may have thrown the pixels away.
  viewer.frame(0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const link = document.createElement('a');
  const stem = shown ? shown.main.file.name.replace(/\.[^.]*$/, '') : 'marrow';
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
  listenForDrops();
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
  document.addEventListener('keydown', (event) => {
    const key = keyOfEvent(event);
    if (!key || isTaken(event, key)) return;
    if (key === 'escape' && !$('banner').hidden) $('banner').hidden = true;
    if (key === 'slash') $('search').focus();
    else if (!runKey(key)) return;
    event.preventDefault();
  });
  const range = (id, set) => $(id).addEventListener('input', () => change(() => set(Number($(id).value))));
  range('fade', (value) => fields.fade = value);
  range('blend', (value) => fields.blend = value);
  range('speed', (value) => fields.speed = value);
  range('other', (value) => fields.otherClip = value);
  $('time').addEventListener('change', () => scrub(Number($('time').value)));
  $('crowd').addEventListener('change', () => change(() => {
    fields.crowdCount = Math.min(2000, Math.max(1, Math.round(Number($('crowd').value)) || 1));
    last.delete('crowd');
    if (document.activeElement === $('crowd')) $('crowd').value = String(fields.crowdCount);
  }));
  for (const [id, field] of [['method', 'method'], ['processor', 'onCpu']]) {
    $(id).addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button) change(() => fields[field] = Number(button.value));
    });
  }
  $('clips').addEventListener('click', (event) => {
    const row = event.target.closest('li');
    if (row) change(() => fields.clip = Number(row.dataset.clip));
  });
  const pressFinding = (event) => {
    const row = event.target.closest('[data-joint]');
    if (row) select(Number(row.dataset.joint));
  };
  $('findings').addEventListener('click', pressFinding);
  $('findings').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') pressFinding(event);
  });
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
  addEventListener('themechange', () => change(() => {
    forget();
    timeline.draw();
    curves.draw();
  }));
}

function showPanel(name) {
  document.body.dataset.panel = name;
  for (const tab of document.querySelectorAll('.tabs button')) tab.setAttribute('aria-pressed', String(tab.dataset.panel === name));
  forget();
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

/** Demo files that the build has put beside the page. */
function offerDemos() {
  const load = (name) => openFiles(async () => {
    const answer = await fetch(new URL(name, import.meta.url));
    if (!answer.ok) throw new Error(`The server answers ${answer.status} for ${name}.`);
    return [{ path: name, file: new File([await answer.blob()], name) }];
  });
  for (const name of demos) {
    const button = Object.assign(document.createElement('button'), { className: 'button', textContent: name.replace(/\.glb$/, '') });
    button.addEventListener('click', () => load(name));
    $('demos').append(button);
  }
  $('demos').hidden = demos.length === 0;
}

async function start() {
  try {
    backend = new WebGLBackend(canvas, () => {
      if (backend.undecoded) showFindings();
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
  listen();
  listenForLoss();
  requestFrame();
  offerDemos();
}

start();
