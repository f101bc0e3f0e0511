// The viewer core (viewer/core/viewer.h) in this page: its module loaded, its numbers as properties, its texts as strings.
import { instantiate } from './marrow/module.js';

/** VIEW_WEB_WORDS_BYTES of native/web_backend.h. */
const WORDS_BYTES = 512;

/** Memory of a module, seen through views that are made anew when it has grown. */
export class Memory {
  /** @param {WebAssembly.Memory} memory */
  constructor(memory) {
    this.memory = memory;
    /** Where sentences about failures go. */
    this.wordsAddress = 0;
    this.decoder = new TextDecoder();
    this.refresh();
  }

  refresh() {
    const { buffer } = this.memory;
    this.buffer = buffer;
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
  }

  view(name) {
    if (this.buffer !== this.memory.buffer) this.refresh();
    return this[name];
  }

  bytes(address, count) { return this.view('u8').subarray(address, address + count); }
  shorts(address, count) { return this.view('u16').subarray(address >>> 1, (address >>> 1) + count); }
  words(address, count) { return this.view('u32').subarray(address >>> 2, (address >>> 2) + count); }
  floats(address, count) { return this.view('f32').subarray(address >>> 2, (address >>> 2) + count); }

  /** The text at an address, up to its NUL. */
  string(address) {
    if (!address) return '';
    const bytes = this.view('u8');
    return this.decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
  }

  /** Leaves a sentence where the C side looks for it. @param {string} sentence */
  writeWords(sentence) {
    const { written } = new TextEncoder().encodeInto(sentence, this.bytes(this.wordsAddress, WORDS_BYTES - 1));
    this.view('u8')[this.wordsAddress + written] = 0;
  }
}

/** What was wrong with a file. */
export class FileError extends Error {
  /** @param {string} status "MRW_ERR_TRUNCATED" @param {string} message @param {string} detail the thing, or "" */
  constructor(status, message, detail, line) {
    super(message);
    this.status = status;
    this.detail = detail;
    this.line = line;
  }
}

/**
 * Numbers of the viewer; the list with what they mean is FIELDS in native/web_viewer.c. Flags read as 0 or 1.
 * @typedef {Record<'isOpen' | 'clip' | 'otherClip' | 'fade' | 'time' | 'duration' | 'speed' | 'playing' | 'moves' | 'loop' | 'method' |
 *   'blend' | 'onCpu' | 'bones' | 'names' | 'box' | 'heat' | 'dark' | 'help' | 'selectedJoint' | 'crowdCount' | 'jointCount' | 'clipCount' |
 *   'vertexCount' | 'lost' | 'linearLost' | 'hasGpuDifference' | 'gpuDifference' | 'evaluateSeconds' | 'drawSeconds', number>} Fields
 */

/**
 * @typedef {object} Track
 * @property {'translation' | 'rotation' | 'scale' | 'weight'} kind
 * @property {string} name
 * @property {'step' | 'linear' | 'cubic'} interpolation
 * @property {number} width numbers of a value
 * @property {Float32Array} times
 * @property {Float32Array} values cubic: in-tangent, value and out-tangent of each key
 */

/** What web_open_demo can show. */
export const DEMOS = ['biped', 'tentacle'];

const KINDS = /** @type {const} */ (['translation', 'rotation', 'scale', 'weight']);
const WIDTHS = [3, 4, 3, 1];
const INTERPOLATIONS = /** @type {const} */ (['step', 'linear', 'cubic']);
const SCALAR = 3;

/** Starts the module that this engine can run: the package finds it. @param {import('./webgl_backend.js').WebGLBackend} backend */
export async function startViewer(backend) {
  const viewer = new WasmViewer();
  const own = { now_s: () => performance.now() / 1000, open_file: viewer.openFile.bind(viewer) };
  viewer.start(await instantiate({ imports: { backend: { ...backend.imports(), ...own } } }), backend);
  return viewer;
}

export class WasmViewer {
  constructor() {
    /** @type {(path: string) => Uint8Array | undefined} */
    this.findFile = () => undefined;
    /** Files lent to the module while it opens one. @type {number[]} */
    this.lent = [];
  }

  start(exports, backend) {
    this.wasm = exports;
    this.memory = new Memory(exports.memory);
    this.memory.wordsAddress = exports.web_words();
    backend.memory = this.memory;
    const text = (address) => this.memory.string(address);
    backend.shaders = {
      version: text(exports.web_shader_version()),
      skinning: text(exports.web_shader_skinning()),
      mesh_vert: text(exports.web_shader_mesh_vert()),
      mesh_frag: text(exports.web_shader_mesh_frag()),
      plain_vert: text(exports.web_shader_plain_vert()),
      plain_frag: text(exports.web_shader_plain_frag()),
    };
    /** @type {Fields} */
    this.fields = /** @type {Fields} */ ({});
    for (let field = 0; field < exports.web_field_count(); field++) {
      Object.defineProperty(this.fields, text(exports.web_field_name(field)), {
        enumerable: true,
        get: () => exports.web_get(field),
        set: (value) => exports.web_set(field, Number(value)),
      });
    }
    /** @type {{key: string, help: string}[]} */
    this.commands = [];
    for (let c = 0; c < exports.web_command_count(); c++) {
      this.commands.push({ key: text(exports.web_command_key(c)), help: text(exports.web_command_help(c)) });
    }
    this.version = text(exports.web_version());
    if (!exports.web_start()) throw new Error('The page has no memory left for the viewer.');
  }

  // --- opening ----------------------------------------------------------------------------

  lend(bytes) {
    // What is larger than all memory would come to the other side as its remainder.
    const address = bytes.length < 2 ** 31 ? this.wasm.web_alloc(bytes.length) : 0;
    if (!address) return 0;
    this.memory.bytes(address, bytes.length).set(bytes);
    this.lent.push(address);
    return address;
  }

  openFile(path, outSize) {
    const bytes = this.findFile(this.memory.string(path));
    const address = bytes ? this.lend(bytes) : 0;
    if (bytes) this.memory.words(outSize, 1)[0] = bytes.length;
    return address;
  }

  /**
   * Shows a file from now on. Throws a FileError and leaves what was shown.
   * @param {Uint8Array} bytes @param {(path: string) => Uint8Array | undefined} findFile files beside it
   * @param {boolean} reload keep clip, time, camera and selection where they still exist
   */
  open(bytes, findFile, reload) {
    this.findFile = findFile;
    try {
      const address = this.lend(bytes);
      if (!address) throw new FileError('MRW_ERR_OUT_OF_MEMORY', 'The page has no memory left for this file.', '', 0);
      this.check(this.wasm.web_open(address, bytes.length, reload ? 1 : 0));
    } finally {
      for (const address of this.lent) this.wasm.web_free(address);
      this.lent = [];
      this.findFile = () => undefined;
    }
  }

  /** Shows a character that is computed here, an index into DEMOS. @param {number} demo */
  openDemo(demo, reload) { this.check(this.wasm.web_open_demo(demo, reload ? 1 : 0)); }

  check(status) {
    const { wasm, memory } = this;
    if (status === 0) return;
    throw new FileError(memory.string(wasm.web_error_name()), memory.string(wasm.web_error_message()),
      memory.string(wasm.web_error_detail()), wasm.web_error_line());
  }

  // --- a frame ------------------------------------------------------------------------------

  /** Throws an Error with the reason. */
  frame(elapsedSeconds, width, height) {
    if (!this.wasm.web_frame(elapsedSeconds, width, height)) throw new Error(this.memory.string(this.wasm.web_reason()));
  }

  /** @param {number} command */
  command(command) { this.wasm.web_command(command); }
  rotate(dx, dy, height) { this.wasm.web_rotate(dx, dy, height); }
  pan(dx, dy, height) { this.wasm.web_pan(dx, dy, height); }
  zoom(steps) { this.wasm.web_zoom(steps); }
  click(x, y, width, height) { this.wasm.web_click(x, y, width, height); }

  /** Labels of the last frame. @returns {{x: number, y: number, joint: number}[]} */
  labels() {
    const { wasm } = this;
    return Array.from({ length: wasm.web_label_count() }, (_, i) => ({
      x: wasm.web_label_x(i), y: wasm.web_label_y(i), joint: wasm.web_label_joint(i),
    }));
  }

  // --- what the file holds --------------------------------------------------------------------

  /** @returns {{name: string, duration: number}[]} */
  clips() {
    const { wasm } = this;
    return Array.from({ length: this.fields.clipCount }, (_, i) => ({
      name: this.memory.string(wasm.web_clip_name(i)) || `clip ${i}`, duration: wasm.web_clip_duration(i),
    }));
  }

  /** Parents come first. @returns {{name: string, parent: number}[]} */
  joints() {
    const { wasm } = this;
    return Array.from({ length: this.fields.jointCount }, (_, i) => ({
      name: this.memory.string(wasm.web_joint_name(i)), parent: wasm.web_joint_parent(i),
    }));
  }

  /** What the current clip does to a joint and to the morph weights of its mesh. @returns {Track[]} copies */
  tracks(joint) {
    const { wasm, memory } = this;
    if (joint < 0) return [];
    const found = [];
    const add = (kind, target, name) => {
      const track = wasm.web_track(kind, target);
      if (track < 0) return;
      const interpolation = INTERPOLATIONS[wasm.web_track_interpolation(track)];
      const keys = wasm.web_track_keys(track);
      const floats = WIDTHS[kind] * (interpolation === 'cubic' ? 3 : 1);
      const values = new Float32Array(keys * floats);
      for (let k = 0; k < keys; k++) values.set(memory.floats(wasm.web_track_key(track, k), floats), k * floats);
      found.push({ kind: KINDS[kind], name, interpolation, width: WIDTHS[kind],
        times: memory.floats(wasm.web_track_times(track), keys).slice(), values });
    };
    for (let kind = 0; kind < SCALAR; kind++) add(kind, joint, KINDS[kind]);
    const first = wasm.web_scalar_first(joint);
    for (let s = 0; s < wasm.web_scalar_count(joint); s++) {
      add(SCALAR, first + s, memory.string(wasm.web_scalar_name(first + s)) || `target ${s}`);
    }
    return found;
  }

  /** @returns {{severity: string, code: string, where: string, message: string, count: number, joint: number}[]} */
  findings() {
    const { wasm, memory } = this;
    return Array.from({ length: wasm.web_finding_count() }, (_, i) => {
      const where = memory.string(wasm.web_finding_where(i));
      return { severity: memory.string(wasm.web_finding_severity(i)), code: memory.string(wasm.web_finding_code(i)), where,
        message: memory.string(wasm.web_finding_message(i)), count: wasm.web_finding_number(i), joint: this.jointOfPlace(where) };
    });
  }

  /** The joint that a place in the file names, -1 if it names none. @param {string} where */
  jointOfPlace(where) {
    const node = /^nodes\[(\d+)\]/.exec(where);
    if (node) return this.wasm.web_joint_of_node(Number(node[1]));
    const skin = /^skins\[(\d+)\]\.joints\[(\d+)\]/.exec(where);
    return skin ? this.wasm.web_joint_of_skin(Number(skin[1]), Number(skin[2])) : -1;
  }
}
