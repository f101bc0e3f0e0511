// The tentacle page: wires sliders, keys and pointers to the motion, and each frame runs what every program that uses
// the library runs: pose, model matrices, palette, upload, draw.
//
// The address may set the start: ?twist=180&bend=0&speed=0.5&time=0.25&shape=round&bones=1&play=0&theme=dark&yaw=30&pitch=9
// (degrees; time in cycles of the sine).
import { OrbitCamera } from './tentacle_camera.js';
import { BONE_LENGTH, HEIGHT, JOINT_COUNT, MIDDLE_JOINT, buildStrip, influencesAt } from './tentacle_mesh.js';
import { Motion } from './tentacle_motion.js';
import { angleBetween, measureRing } from './tentacle_ring.js';
import { TentacleScene } from './tentacle_scene.js';

const STAGES = ['pose', 'model', 'palette', 'upload', 'draw'];
const READINGS_EVERY_MS = 100, TIMINGS_EVERY_MS = 500;
const RUNS = 200; // of the stages that take microseconds: browsers round their clocks
const CAMERA_STEP = 0.08; // radians a key press
const PULL_STEP = 0.02; // of the picture's height a key press
const MOST_PIXELS_PER_POINT = 2;

const parameters = new URLSearchParams(location.search);
const $ = (id) => document.getElementById(id);

// --- what the user sets ------------------------------------------------------------------

const SLIDERS = {
  twist: { start: 160, text: (v) => `${v}°` },
  bend: { start: 14, text: (v) => `±${v}° a joint` },
  speed: { start: 0.35, text: (v) => `${v.toFixed(2)} cycles/s` },
};

/** A number of the address, or the default; what is no number counts as absent. */
function parameter(name, otherwise) {
  const text = parameters.get(name);
  const value = Number(text);
  return text === null || text === '' || !Number.isFinite(value) ? otherwise : value;
}

const state = {
  playing: parameter('play', matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 1) !== 0,
  shape: parameters.get('shape') === 'round' ? 'round' : 'square',
  bones: parameter('bones', 0) !== 0,
  dirty: true, // something changed that a paused picture has to show
};

const motion = new Motion();
const camera = new OrbitCamera([0, HEIGHT * 0.49, 0], HEIGHT * 1.3, HEIGHT * 0.66);
const cameraStart = { yaw: camera.yaw, pitch: camera.pitch };

function setSlider(name, value) {
  const input = $(name);
  input.value = value;
  motion[name] = input.valueAsNumber; // clamped by the slider
  $(`${name}-value`).textContent = SLIDERS[name].text(motion[name]);
  input.setAttribute('aria-valuetext', SLIDERS[name].text(motion[name]));
  state.dirty = true;
}

function setPlaying(playing) {
  state.playing = playing;
  $('play').textContent = playing ? 'Pause' : 'Play';
  $('fps').textContent = playing ? '–' : '';
  $('fps-unit').textContent = playing ? 'frames per second' : 'Paused';
  state.dirty = true;
}

function setBones(bones) {
  state.bones = bones;
  $('bones').checked = bones;
  state.dirty = true;
}

function reset() {
  for (const [name, { start }] of Object.entries(SLIDERS)) setSlider(name, start);
  motion.letGo();
  Object.assign(camera, cameraStart);
  state.dirty = true;
}

// --- start -------------------------------------------------------------------------------

if (['light', 'dark'].includes(parameters.get('theme'))) document.documentElement.dataset.theme = parameters.get('theme');
addEventListener('themechange', () => { state.dirty = true; });
for (const [name, { start }] of Object.entries(SLIDERS)) setSlider(name, parameter(name, start));
motion.phase = ((parameter('time', 0.12) % 1) + 1) % 1;
camera.yaw = parameter('yaw', camera.yaw * 180 / Math.PI) * Math.PI / 180;
camera.turn(0, parameter('pitch', camera.pitch * 180 / Math.PI) * Math.PI / 180 - camera.pitch);
setPlaying(state.playing);
setBones(state.bones);

function say(text, isError = false) {
  $('message').textContent = text;
  $('message').classList.toggle('error', isError);
}

try {
  const { loadMarrow } = await import('./marrow/marrow.js');
  // The pages share one module; what the viewer draws with is not called here.
  const unused = new Proxy({}, { get: () => () => 0 });
  run(await loadMarrow({ imports: { backend: unused } }));
} catch (error) {
  say(`The page cannot start. ${error.message}`, true);
}

/** @param {import('./marrow/marrow.js').Marrow} marrow */
function run(marrow) {
  const stage = $('stage'), canvas = $('canvas');
  const skeleton = marrow.createSkeleton(Array.from({ length: JOINT_COUNT }, (_, i) => ({
    name: `joint ${i}`, parent: i - 1, translation: [0, i ? BONE_LENGTH : 0, 0],
  })));
  // A chain keeps its order: joint i of the description is joint i of the skeleton.
  const skin = skeleton.createSkin([...Array(JOINT_COUNT).keys()]);
  const pose = skeleton.createPose();
  const palette = new Float32Array(JOINT_COUNT * 12), dualQuats = new Float32Array(JOINT_COUNT * 8);
  const ringMiddle = [0, MIDDLE_JOINT * BONE_LENGTH, 0], ringInfluences = influencesAt(ringMiddle[1]);
  let modelMatrices = pose.modelMatrices();
  let mesh = buildStrip(state.shape);
  let scene = new TentacleScene(canvas, marrow);
  scene.setMesh(mesh);

  const shapeButtons = document.querySelectorAll('[data-shape]');
  function setShape(shape) {
    state.shape = shape;
    for (const button of shapeButtons) button.setAttribute('aria-pressed', String(button.dataset.shape === shape));
    mesh = buildStrip(shape);
    scene.setMesh(mesh);
    state.dirty = true;
  }
  setShape(state.shape);

  // --- stages of a frame -----------------------------------------------------------------

  /** Where a joint is; the end of its bone is `height` above it. */
  const placeOf = (joint, height = 0) => [3, 7, 11].map((i) => modelMatrices[joint * 12 + i] + height * modelMatrices[joint * 12 + i - 2]);

  const stages = {
    pose() {
      motion.evaluate();
      for (let i = 0; i < JOINT_COUNT; i++) pose.setJoint(i, { rotation: motion.rotations[i] });
    },
    model() {
      modelMatrices = pose.modelMatrices();
    },
    palette() {
      pose.palette(skin, palette);
      pose.dualQuats(skin, dualQuats);
    },
    upload() {
      scene.upload(palette, dualQuats);
    },
    draw() {
      scene.draw(camera, { theme: document.documentElement.dataset.theme, bones: state.bones ? modelMatrices : null });
    },
  };

  /** A pulled joint follows the pointer even while the sine moves what is below it. */
  function follow() {
    for (const { joint, target } of pulls.values()) {
      motion.pull(joint, placeOf(joint), placeOf(joint, BONE_LENGTH), target);
      for (let i = 0; i < JOINT_COUNT; i++) pose.setJoint(i, { rotation: motion.rotations[i] });
      stages.model();
    }
  }

  // --- handles ---------------------------------------------------------------------------

  /** Pulls by what pulls: a pointer's id, or "keys". @type {Map<number | string, {joint: number, target: number[]}>} */
  const pulls = new Map();
  const handles = [];

  /** The half of the stage that a handle is in, in CSS pixels of the viewport. */
  function halfOf(side) {
    const box = stage.getBoundingClientRect();
    return { left: box.left + (side ? box.width / 2 : 0), top: box.top, width: box.width / 2, height: box.height };
  }

  function beginPull(key, { element, joint }, target) {
    pulls.set(key, { joint, target });
    motion.hold(joint, true);
    element.classList.add('held');
    state.dirty = true;
  }

  function endPull(key, { element, joint }) {
    if (!pulls.delete(key)) return;
    motion.hold(joint, false);
    element.classList.remove('held');
    state.dirty = true;
  }

  function listenToHandle(handle) {
    const { element, joint, side } = handle;
    const end = () => placeOf(joint, BONE_LENGTH);
    let grip = [0, 0]; // from the pointer to the joint: it does not jump when it is taken
    const place = (event) => {
      const half = halfOf(side);
      return [(event.clientX - half.left) / half.width, (event.clientY - half.top) / half.height];
    };
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      element.setPointerCapture(event.pointerId);
      const at = place(event), joints = camera.place(end());
      grip = [joints[0] - at[0], joints[1] - at[1]];
      beginPull(event.pointerId, handle, end());
    });
    element.addEventListener('pointermove', (event) => {
      const pull = pulls.get(event.pointerId);
      if (!pull) return;
      const at = place(event);
      pull.target = camera.pointBeside([at[0] + grip[0], at[1] + grip[1]], end());
      state.dirty = true;
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      element.addEventListener(name, (event) => endPull(event.pointerId, handle));
    }
    element.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (event.key === 'Escape') endPull(`keys ${joint}`, handle);
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const from = pulls.get(`keys ${joint}`)?.target ?? end();
      const at = camera.place(from);
      const target = camera.pointBeside([at[0] + step[0] * PULL_STEP / camera.aspect, at[1] + step[1] * PULL_STEP], from);
      beginPull(`keys ${joint}`, handle, target);
    });
    element.addEventListener('blur', () => endPull(`keys ${joint}`, handle));
  }

  for (const side of [0, 1]) {
    for (let joint = 0; joint < JOINT_COUNT; joint++) {
      // Both halves show one pose; keys and screen readers need one set of handles.
      const element = document.createElement(side ? 'span' : 'button');
      const name = joint + 1 < JOINT_COUNT ? `Joint ${joint + 1}` : 'Tip';
      element.className = 'handle';
      element.dataset.joint = joint;
      element.dataset.side = side;
      element.title = `${name}: pull to turn joint ${joint}`;
      if (side) {
        element.setAttribute('aria-hidden', 'true');
      } else {
        element.type = 'button';
        element.setAttribute('aria-label', `${name}: drag, or press the arrow keys, to turn joint ${joint}`);
      }
      $('handles').append(element);
      const handle = { element, joint, side };
      handles.push(handle);
      listenToHandle(handle);
    }
  }

  function moveHandles() {
    const { clientWidth: width, clientHeight: height } = stage;
    for (const { element, joint, side } of handles) {
      const [x, y] = camera.place(placeOf(joint, BONE_LENGTH));
      element.style.transform = `translate(${((x + side) * width / 2).toFixed(1)}px, ${(y * height).toFixed(1)}px)`;
    }
  }

  // --- camera and keys -------------------------------------------------------------------

  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    let last = [event.clientX, event.clientY];
    stage.setPointerCapture(event.pointerId);
    stage.classList.add('turning');
    const moved = ({ clientX, clientY, pointerId }) => {
      if (pointerId !== event.pointerId) return;
      camera.turn((last[0] - clientX) * 0.008, (clientY - last[1]) * 0.006);
      last = [clientX, clientY];
      state.dirty = true;
    };
    const ended = ({ pointerId }) => {
      if (pointerId !== event.pointerId) return;
      stage.classList.remove('turning');
      stage.removeEventListener('pointermove', moved);
      for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) stage.removeEventListener(name, ended);
    };
    stage.addEventListener('pointermove', moved);
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) stage.addEventListener(name, ended);
  });
  stage.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    camera.turn(step[0] * CAMERA_STEP, step[1] * CAMERA_STEP);
    state.dirty = true;
  });

  const keys = {
    ' ': () => setPlaying(!state.playing),
    b: () => setBones(!state.bones),
    s: () => setShape(state.shape === 'square' ? 'round' : 'square'),
    r: () => {
      for (const handle of handles) endPull(`keys ${handle.joint}`, handle);
      reset();
    },
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    // Space presses a focused button and ticks a focused box: not a second time here.
    const focusTakesSpace = event.target.closest?.('button:not(.handle), a, input:not([type=range])');
    const action = keys[event.key.toLowerCase()];
    if (!action || (event.key === ' ' && focusTakesSpace)) return;
    event.preventDefault();
    action();
  });

  for (const name of Object.keys(SLIDERS)) $(name).addEventListener('input', (event) => setSlider(name, event.target.value));
  for (const button of shapeButtons) button.addEventListener('click', () => setShape(button.dataset.shape));
  $('bones').addEventListener('change', (event) => setBones(event.target.checked));
  $('play').addEventListener('click', () => setPlaying(!state.playing));
  $('reset').addEventListener('click', reset);
  $('controls').addEventListener('submit', (event) => event.preventDefault());

  // --- readings --------------------------------------------------------------------------

  const percent = (share) => `${Math.round(share * 100)} %`;

  function showReadings() {
    const left = measureRing(mesh.ring, ringMiddle, ringInfluences, palette, dualQuats);
    for (const [name, share] of [['linear', left.linear], ['dual', left.dualQuat]]) {
      $(`${name}-bar`).style.transform = `scaleX(${Math.min(1, share).toFixed(3)})`;
      $(`${name}-radius`).textContent = percent(share);
      $(`${name}-lost`).textContent = percent(Math.max(0, 1 - share));
    }
    const angle = angleBetween(dualQuats, MIDDLE_JOINT - 1, MIDDLE_JOINT);
    $('half-angle').textContent = `${(angle * 90 / Math.PI).toFixed(1)}°`;
    $('cosine').textContent = Math.cos(angle / 2).toFixed(3);
    $('measured').textContent = left.linear.toFixed(3);
    showDiagram(angle);
  }

  /** The middle ring from above, turned so that the mean of the two places lies straight up. */
  function showDiagram(angle) {
    const radius = 100, x = radius * Math.sin(angle / 2), y = -radius * Math.cos(angle / 2);
    const put = (id, px, py, tx, ty) => {
      $(id).setAttribute('transform', `translate(${px.toFixed(2)} ${py.toFixed(2)})`);
      $(id).querySelector('text').setAttribute('x', tx.toFixed(1));
      $(id).querySelector('text').setAttribute('y', ty.toFixed(1));
    };
    put('place-below', -x, y, -12, 4);
    put('place-above', x, y, 12, 4);
    put('mean-dual', 0, -radius, 0, -16);
    put('mean-linear', 0, y, 0, 24);
    $('chord').setAttribute('d', `M${-x} ${y}L${x} ${y}`);
    $('spokes').setAttribute('d', `M${-x} ${y}L0 0L${x} ${y}`);
    $('lost').setAttribute('d', `M0 ${y}L0 ${-radius}`);
  }

  const spent = Object.fromEntries(STAGES.map((name) => [name, 0]));
  let frames = 0, timingsSince = performance.now();

  function timed(name) {
    const start = performance.now();
    stages[name]();
    spent[name] += performance.now() - start;
  }

  function showTimings(now) {
    const seconds = (now - timingsSince) / 1000;
    if (state.playing && seconds > 0) $('fps').textContent = (frames / seconds).toFixed(0);
    for (const name of STAGES) {
      let ms = spent[name] / frames;
      if (name !== 'upload' && name !== 'draw') {
        const start = performance.now();
        for (let i = 0; i < RUNS; i++) stages[name]();
        ms = (performance.now() - start) / RUNS;
      }
      $(`time-${name}`).textContent = ms < 0.0005 ? '< 0.001' : ms.toFixed(3);
      spent[name] = 0;
    }
    follow(); // the runs above have posed the sine alone
    frames = 0;
    timingsSince = now;
  }

  // --- frames ----------------------------------------------------------------------------

  function fitCanvas() {
    const scale = Math.min(MOST_PIXELS_PER_POINT, devicePixelRatio || 1);
    const width = Math.max(2, Math.round(stage.clientWidth * scale)), height = Math.max(2, Math.round(stage.clientHeight * scale));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    camera.look(Math.floor(width / 2) / height);
  }
  new ResizeObserver(() => { state.dirty = true; }).observe(stage);

  let last = performance.now(), readingsAt = 0, lost = false, isReady = false;
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    lost = true;
    say('The graphics driver took the picture away; waiting for it to come back.', true);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    scene = new TentacleScene(canvas, marrow);
    scene.setMesh(mesh);
    lost = false;
    state.dirty = true;
    say('');
  });

  function frame(now) {
    requestAnimationFrame(frame);
    const elapsed = Math.min(0.3, Math.max(0, (now - last) / 1000)); // a tab that slept does not jump
    last = now;
    if (lost || !(state.playing || state.dirty || pulls.size)) {
      timingsSince = now; // nothing is drawn, nothing is timed
      frames = 0;
      for (const name of STAGES) spent[name] = 0;
      return;
    }
    if (state.playing) motion.advance(elapsed);
    state.dirty = false;
    fitCanvas();
    timed('pose');
    timed('model');
    follow();
    timed('palette');
    timed('upload');
    timed('draw');
    moveHandles();
    frames++;
    if (now - readingsAt >= READINGS_EVERY_MS || !state.playing) {
      showReadings();
      readingsAt = now;
    }
    if (now - timingsSince >= TIMINGS_EVERY_MS || !isReady) showTimings(now);
    isReady = true;
    document.documentElement.dataset.ready = 'true';
  }
  say('');
  requestAnimationFrame(frame);
}
