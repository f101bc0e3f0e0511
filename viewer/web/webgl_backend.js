// The view_backend of viewer/core/backend.h in WebGL 2: what native/web_backend.c imports.
//
// The C side decides what is drawn, in which order and with which state. Functions with a name_like_this are imported by
// it. Handles are indices into lists here; 0 is "none". A function that fails writes one sentence and returns 0.

/** Attribute locations of viewer/shaders/mesh_vert.glsl, then those that MRW_LOCATION gives. */
const POSITION = 0, NORMAL = 1, TEXCOORD = 2, COLOR = 3, HEAT = 4, JOINTS = 5, WEIGHTS = 6, JOINTS_1 = 7, WEIGHTS_1 = 8;

/** Order of view_shared_data; the unit is where the texture stays bound. */
const SHARED = ['mrw_palette', 'mrw_dual_quats', 'mrw_stretches', 'mrw_morph_weights'];
const MORPH_WEIGHTS = 3;
const DELTAS_UNIT = 4, BASE_COLOR_UNIT = 5;
const SHADOW = 2;

/** Width of data textures: what every WebGL 2 has. */
const ROW = 2048;

/**
 * @typedef {object} Mesh
 * @property {WebGLVertexArrayObject} skinned
 * @property {WebGLVertexArrayObject | null} moved vertices that the CPU has moved
 * @property {Map<number, WebGLBuffer>} buffers by attribute location; moved ones at location + 16
 * @property {WebGLBuffer | null} indices
 * @property {WebGLTexture | null} deltas
 * @property {number} vertexCount
 * @property {number} influences 4 or 8
 * @property {number} targets morph targets
 * @property {boolean} hasNormals
 */

export class WebGLBackend {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} onPicture called when a texture has been decoded and the picture has changed
   */
  constructor(canvas, onPicture) {
    const gl = canvas.getContext('webgl2', { antialias: true, depth: true, stencil: true, alpha: false });
    if (!gl) throw new Error('This browser cannot draw with WebGL 2.');
    this.gl = gl;
    this.onPicture = onPicture;
    /** @type {import('./wasm_viewer.js').Memory | null} set before the first call */
    this.memory = null;
    /** Shader texts of the library and of viewer/shaders. @type {Record<string, string>} */
    this.shaders = {};
    /** Pictures that are being decoded, and those of the file that is open that could not be. */
    this.decoding = 0;
    this.undecoded = 0;
    this.reset();
  }

  /** Forgets everything that belonged to a context that was lost. */
  reset() {
    // Handles are not given twice: what the core made before a loss it frees when it has made everything anew.
    /** @type {(Mesh | null)[]} */
    this.meshes = new Array(this.meshes?.length ?? 1).fill(null);
    /** @type {(WebGLTexture | null | undefined)[]} null while it is being decoded */
    this.textures = new Array(this.textures?.length ?? 1).fill(undefined);
    /** @type {Map<string, Program>} */
    this.programs = new Map();
    /** @type {Program | null} */
    this.plain = null;
    this.plainArray = null;
    this.plainBuffer = null;
    /** What the next draw_mesh uses. */
    this.skinning = [0, 0, 0, 0, 0, 0];
    this.surface = null;
    this.camera = null;
    this.setUp = false;
  }

  /** The functions of the import module "backend"; the page adds its own. */
  imports() {
    const guard = (run) => (...args) => {
      try {
        return run.apply(this, args);
      } catch (error) {
        return this.fail(error instanceof Error ? error.message : String(error));
      }
    };
    const names = ['mesh_create', 'mesh_free', 'mesh_update', 'mesh_set_heat', 'texture_create', 'texture_free', 'share',
      'frame_begin', 'set_skinning', 'set_surface', 'set_camera', 'draw_mesh', 'draw_plain', 'frame_end', 'capture'];
    return Object.fromEntries(names.map((name) => [name, guard(this[name])]));
  }

  /** @param {string} sentence */
  fail(sentence) {
    this.memory.writeWords(sentence);
    return 0;
  }

  // --- setting up -----------------------------------------------------------------------

  prepare() {
    if (this.setUp) return;
    const { gl } = this;
    this.setUp = true;
    // Meshes without an attribute read these.
    gl.vertexAttrib4f(NORMAL, 0, 0, 0, 0);
    gl.vertexAttribI4ui(JOINTS_1, 0, 0, 0, 0);
    gl.vertexAttrib4f(WEIGHTS_1, 0, 0, 0, 0);
    gl.vertexAttrib4f(TEXCOORD, 0, 0, 0, 0);
    gl.vertexAttrib4f(COLOR, 1, 1, 1, 1);
    gl.vertexAttrib4f(HEAT, 0, 0, 0, 0);
    /** @type {{texture: WebGLTexture, rows: number}[]} */
    this.shared = SHARED.map((_, unit) => ({ texture: this.dataTexture(unit), rows: 0 }));
    this.white = this.colorTexture();
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    gl.generateMipmap(gl.TEXTURE_2D);
    this.plainArray = gl.createVertexArray();
    this.plainBuffer = gl.createBuffer();
    gl.bindVertexArray(this.plainArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.plainBuffer);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 28, 0);
    gl.vertexAttribPointer(1, 4, gl.FLOAT, false, 28, 12);
    gl.enableVertexAttribArray(0);
    gl.enableVertexAttribArray(1);
    gl.bindVertexArray(null);
  }

  /** A float texture that is read texel by texel, bound to a unit; one empty texel at first. @param {number} unit */
  dataTexture(unit) {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 1, 1, 0, gl.RGBA, gl.FLOAT, null);
    return texture;
  }

  colorTexture() {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + BASE_COLOR_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    return texture;
  }

  /**
   * The mesh shader for 4 or 8 influences, with or without morph targets; for 0 influences, vertices in the scene.
   * @param {number} influences @param {boolean} morphs
   */
  program(influences, morphs) {
    const key = `${influences}${morphs}`;
    let program = this.programs.get(key);
    if (!program) {
      const { version, skinning, mesh_vert, mesh_frag } = this.shaders;
      const choices = '#define VIEW_SKINNED\n#define MRW_PALETTE_TEXTURE\n#define MRW_STRETCH\n' +
        `#define MRW_INFLUENCES ${influences}\n#define MRW_LOCATION ${JOINTS}\n${morphs ? '#define MRW_MORPH\n' : ''}`;
      const prelude = influences ? choices + skinning : '';
      program = new Program(this.gl, version + prelude + mesh_vert, version + mesh_frag, 'scene_position');
      this.gl.useProgram(program.handle);
      SHARED.forEach((name, unit) => this.gl.uniform1i(program.at(name), unit));
      this.gl.uniform1i(program.at('mrw_morph_deltas'), DELTAS_UNIT);
      this.gl.uniform1i(program.at('base_color_texture'), BASE_COLOR_UNIT);
      this.programs.set(key, program);
    }
    this.gl.useProgram(program.handle);
    return program;
  }

  // --- meshes ---------------------------------------------------------------------------

  /** Fills the buffer of an attribute of floats and points the bound vertex array at it. */
  attribute(mesh, location, width, data, slot = location) {
    const { gl } = this;
    let buffer = mesh.buffers.get(slot);
    if (!buffer) {
      buffer = gl.createBuffer();
      mesh.buffers.set(slot, buffer);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.vertexAttribPointer(location, width, gl.FLOAT, false, 0, 0);
    gl.enableVertexAttribArray(location);
  }

  /** Joints and weights of up to 8 influences: one buffer each, read by one or two attributes of four. */
  influences(mesh, joints, weights) {
    const { gl } = this;
    const sets = mesh.influences / 4;
    for (const [data, first, second] of [[joints, JOINTS, JOINTS_1], [weights, WEIGHTS, WEIGHTS_1]]) {
      const buffer = gl.createBuffer();
      mesh.buffers.set(first, buffer);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      const size = data.BYTES_PER_ELEMENT * 4;
      [first, second].slice(0, sets).forEach((location, set) => {
        if (data === joints) gl.vertexAttribIPointer(location, 4, gl.UNSIGNED_SHORT, size * sets, size * set);
        else gl.vertexAttribPointer(location, 4, gl.FLOAT, false, size * sets, size * set);
        gl.enableVertexAttribArray(location);
      });
    }
  }

  mesh_create(vertexCount, positions, normals, texcoords, colors, influences, joints, weights, indexCount, indices,
    targets, deltas) {
    this.prepare();
    const { gl, memory } = this;
    /** @type {Mesh} */
    const mesh = { skinned: gl.createVertexArray(), moved: null, buffers: new Map(), indices: gl.createBuffer(), deltas: null,
      vertexCount, influences, targets, hasNormals: normals !== 0 };
    gl.bindVertexArray(mesh.skinned);
    this.attribute(mesh, POSITION, 3, memory.floats(positions, vertexCount * 3));
    if (normals) this.attribute(mesh, NORMAL, 3, memory.floats(normals, vertexCount * 3));
    if (texcoords) this.attribute(mesh, TEXCOORD, 2, memory.floats(texcoords, vertexCount * 2));
    if (colors) this.attribute(mesh, COLOR, 4, memory.floats(colors, vertexCount * 4));
    this.influences(mesh, memory.shorts(joints, vertexCount * influences), memory.floats(weights, vertexCount * influences));
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, memory.words(indices, indexCount), gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    const handle = this.meshes.push(mesh) - 1;
    if (targets) {
      const texels = targets * vertexCount * 2;
      mesh.deltas = this.dataTexture(DELTAS_UNIT);
      if (!this.fill(texels, memory.floats(deltas, texels * 4), gl.RGBA32F, gl.RGBA, 4, -1)) {
        this.mesh_free(handle);
        return this.fail('the morph targets of this mesh are more than a texture of this browser holds');
      }
    }
    return handle;
  }

  mesh_free(handle) {
    const mesh = this.meshes[handle];
    if (!mesh) return;
    const { gl } = this;
    for (const buffer of mesh.buffers.values()) gl.deleteBuffer(buffer);
    gl.deleteBuffer(mesh.indices);
    gl.deleteVertexArray(mesh.skinned);
    gl.deleteVertexArray(mesh.moved);
    gl.deleteTexture(mesh.deltas);
    this.meshes[handle] = null;
  }

  mesh_update(handle, positions, normals) {
    const { gl, memory } = this;
    const mesh = this.meshes[handle];
    const first = !mesh.moved;
    mesh.moved ??= gl.createVertexArray();
    gl.bindVertexArray(mesh.moved);
    this.attribute(mesh, POSITION, 3, memory.floats(positions, mesh.vertexCount * 3), 16 + POSITION);
    if (normals) this.attribute(mesh, NORMAL, 3, memory.floats(normals, mesh.vertexCount * 3), 16 + NORMAL);
    if (first) {
      for (const [location, width] of [[TEXCOORD, 2], [COLOR, 4], [HEAT, 1]]) this.shareAttribute(mesh, location, width);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.indices);
    }
    gl.bindVertexArray(null);
    return 1;
  }

  /** Points the bound vertex array at a buffer that the mesh has already. */
  shareAttribute(mesh, location, width) {
    const buffer = mesh.buffers.get(location);
    if (!buffer) return;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl.vertexAttribPointer(location, width, this.gl.FLOAT, false, 0, 0);
    this.gl.enableVertexAttribArray(location);
  }

  mesh_set_heat(handle, heat) {
    const { gl } = this;
    const mesh = this.meshes[handle];
    gl.bindVertexArray(mesh.skinned);
    this.attribute(mesh, HEAT, 1, this.memory.floats(heat, mesh.vertexCount));
    if (mesh.moved) {
      gl.bindVertexArray(mesh.moved);
      this.shareAttribute(mesh, HEAT, 1);
    }
    gl.bindVertexArray(null);
    return 1;
  }

  // --- textures -------------------------------------------------------------------------

  /** A picture, white until the browser has decoded it. 0: it is neither PNG nor JPEG nor WebP. */
  texture_create(address, size) {
    this.prepare();
    const bytes = this.memory.bytes(address, size).slice();
    const type = kindOfPicture(bytes);
    if (!type) return 0;
    const { gl } = this;
    const { textures } = this;
    const handle = textures.push(null) - 1;
    this.decoding++;
    // Freed meanwhile it is undefined; a context that came back has another list.
    const isWanted = () => textures === this.textures && textures[handle] === null && !gl.isContextLost();
    decode(new Blob([bytes], { type }), gl.getParameter(gl.MAX_TEXTURE_SIZE)).then((bitmap) => {
      if (isWanted()) {
        textures[handle] = this.colorTexture();
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
        gl.generateMipmap(gl.TEXTURE_2D);
      }
      bitmap.close();
    }, () => {
      if (isWanted()) this.undecoded++;
    }).then(() => {
      this.decoding--;
      this.onPicture();
    });
    return handle;
  }

  texture_free(handle) {
    if (this.textures[handle]) this.gl.deleteTexture(this.textures[handle]);
    this.textures[handle] = undefined;
  }

  /** Fills the bound data texture row by row. Returns its rows, 0 if it is too large. */
  fill(texels, data, internal, format, width, rows) {
    const { gl } = this;
    const needed = Math.max(1, Math.ceil(texels / ROW));
    if (needed > gl.getParameter(gl.MAX_TEXTURE_SIZE)) return 0;
    if (needed !== rows) gl.texImage2D(gl.TEXTURE_2D, 0, internal, ROW, needed, 0, format, gl.FLOAT, null);
    const whole = Math.floor(texels / ROW);
    const rest = texels - whole * ROW;
    if (whole) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, whole, format, gl.FLOAT, data.subarray(0, whole * ROW * width));
    if (rest) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, rest, 1, format, gl.FLOAT, data.subarray(whole * ROW * width));
    return needed;
  }

  share(what, address, texels) {
    this.prepare();
    const { gl } = this;
    const shared = this.shared[what];
    const scalars = what === MORPH_WEIGHTS;
    const width = scalars ? 1 : 4;
    gl.activeTexture(gl.TEXTURE0 + what);
    const data = this.memory.floats(address, texels * width);
    const rows = this.fill(texels, data, scalars ? gl.R32F : gl.RGBA32F, scalars ? gl.RED : gl.RGBA, width, shared.rows);
    if (!rows) return this.fail('this is more than a texture of this browser holds: show fewer characters');
    shared.rows = rows;
    return 1;
  }

  // --- drawing --------------------------------------------------------------------------

  frame_begin(width, height) {
    this.prepare();
    const { gl } = this;
    gl.viewport(0, 0, width, height);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    // Colour by alpha; alpha adds up, so that a transparent picture keeps its own.
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    return 1;
  }

  set_skinning(...skinning) {
    this.skinning = skinning;
  }

  set_surface(surface, baseColor, texture, alphaCutoff, roughness, blended, doubleSided, mirrored) {
    this.surface = { surface, baseColor: this.memory.floats(baseColor, 4), texture, alphaCutoff, roughness, blended, doubleSided,
      mirrored };
  }

  set_camera(viewProjection, eye, key) {
    const { memory } = this;
    this.camera = { viewProjection: memory.floats(viewProjection, 16), eye: memory.floats(eye, 3), key: memory.floats(key, 3) };
  }

  /** Uses the mesh's program with what set_skinning said, and binds its vertices. @param {Mesh} mesh */
  useSkinning(mesh) {
    const { gl } = this;
    const [skinned, dualQuatWeight, paletteFirst, paletteStride, morphFirst, morphStride] = this.skinning;
    gl.bindVertexArray(skinned ? mesh.skinned : mesh.moved);
    if (!skinned) return this.program(0, false);
    const program = this.program(mesh.influences, mesh.targets > 0);
    gl.uniform1f(program.at('mrw_dual_quat_weight'), dualQuatWeight);
    gl.uniform1i(program.at('mrw_palette_first'), paletteFirst);
    gl.uniform1i(program.at('mrw_palette_stride'), paletteStride);
    if (mesh.targets) {
      gl.uniform1i(program.at('mrw_morph_first'), morphFirst);
      gl.uniform1i(program.at('mrw_morph_stride'), morphStride);
      gl.uniform1i(program.at('mrw_morph_target_count'), mesh.targets);
      gl.uniform1i(program.at('mrw_morph_vertex_count'), mesh.vertexCount);
      gl.activeTexture(gl.TEXTURE0 + DELTAS_UNIT);
      gl.bindTexture(gl.TEXTURE_2D, mesh.deltas);
    }
    return program;
  }

  useSurface(program, mesh) {
    const { gl } = this;
    const s = this.surface;
    const shadow = s.surface === SHADOW;
    gl.uniformMatrix4fv(program.at('view_projection'), false, this.camera.viewProjection);
    gl.uniform3fv(program.at('eye'), this.camera.eye);
    gl.uniform3fv(program.at('key_direction'), this.camera.key);
    gl.uniform1i(program.at('surface'), s.surface);
    gl.uniform1i(program.at('has_normals'), mesh.hasNormals ? 1 : 0);
    gl.uniform4fv(program.at('base_color'), s.baseColor);
    gl.uniform1f(program.at('alpha_cutoff'), s.alphaCutoff);
    gl.uniform1i(program.at('is_blended'), s.blended);
    gl.uniform1f(program.at('roughness'), s.roughness);
    gl.activeTexture(gl.TEXTURE0 + BASE_COLOR_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[s.texture] ?? this.white);
    set(gl, gl.CULL_FACE, !s.doubleSided);
    gl.frontFace(s.mirrored ? gl.CW : gl.CCW);
    set(gl, gl.DEPTH_TEST, !shadow);
    set(gl, gl.BLEND, shadow || s.blended);
    gl.depthMask(!s.blended);
    set(gl, gl.STENCIL_TEST, shadow);
    if (shadow) {
      gl.stencilFunc(gl.EQUAL, 0, 0xff);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    }
  }

  draw_mesh(handle, topology, firstIndex, indexCount, instances) {
    const { gl } = this;
    const mesh = this.meshes[handle];
    this.useSurface(this.useSkinning(mesh), mesh);
    const primitive = [gl.POINTS, gl.LINES, gl.TRIANGLES][topology];
    gl.drawElementsInstanced(primitive, indexCount, gl.UNSIGNED_INT, firstIndex * 4, instances);
    return 1;
  }

  draw_plain(vertices, count, viewProjection, depthTest, clearDepth) {
    this.prepare();
    const { gl, memory } = this;
    const { version, plain_vert, plain_frag } = this.shaders;
    this.plain ??= new Program(gl, version + plain_vert, version + plain_frag, null);
    gl.useProgram(this.plain.handle);
    gl.uniformMatrix4fv(this.plain.at('view_projection'), false, memory.floats(viewProjection, 16));
    gl.bindVertexArray(this.plainArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.plainBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, memory.floats(vertices, count * 7), gl.STREAM_DRAW);
    gl.depthMask(true);
    if (clearDepth) gl.clear(gl.DEPTH_BUFFER_BIT);
    set(gl, gl.DEPTH_TEST, depthTest);
    set(gl, gl.BLEND, true);
    set(gl, gl.CULL_FACE, false);
    set(gl, gl.STENCIL_TEST, false);
    gl.drawArrays(gl.TRIANGLES, 0, count);
    gl.bindVertexArray(null);
    return 1;
  }

  frame_end() {
    this.gl.bindVertexArray(null);
    return 1;
  }

  capture(handle, out) {
    const { gl } = this;
    const mesh = this.meshes[handle];
    this.useSkinning(mesh);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, mesh.vertexCount * 12, gl.STREAM_READ);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, mesh.vertexCount);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, this.memory.floats(out, mesh.vertexCount * 3));
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.deleteBuffer(buffer);
    gl.bindVertexArray(null);
    return gl.isContextLost() ? this.fail('the browser has taken the graphics context away') : 1;
  }
}

function set(gl, capability, on) {
  if (on) gl.enable(capability);
  else gl.disable(capability);
}

/** A picture, made smaller where it is larger than a texture can be. @param {Blob} blob @param {number} most pixels a side */
async function decode(blob, most) {
  const options = /** @type {ImageBitmapOptions} */ ({ premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const bitmap = await createImageBitmap(blob, options);
  const { width, height } = bitmap;
  const share = most / Math.max(width, height);
  if (!(share < 1)) return bitmap;
  bitmap.close();
  return createImageBitmap(blob, { ...options, resizeQuality: 'high', resizeWidth: Math.max(1, Math.floor(width * share)),
    resizeHeight: Math.max(1, Math.floor(height * share)) });
}

/** @param {Uint8Array} bytes */
function kindOfPicture(bytes) {
  const begins = (at, ...values) => values.every((value, i) => bytes[at + i] === value);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (begins(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return '';
}

/** A linked program and its uniforms. */
class Program {
  /** @param {WebGL2RenderingContext} gl @param {string | null} captured what transform feedback keeps */
  constructor(gl, vertex, fragment, captured) {
    this.gl = gl;
    /** @type {Map<string, WebGLUniformLocation | null>} */
    this.locations = new Map();
    this.handle = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
        throw new Error(`the browser refuses a shader: ${gl.getShaderInfoLog(shader)}`);
      }
      gl.attachShader(this.handle, shader);
      gl.deleteShader(shader);
    }
    if (captured) gl.transformFeedbackVaryings(this.handle, [captured], gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`the browser cannot link the shaders: ${gl.getProgramInfoLog(this.handle)}`);
    }
  }

  /** @param {string} name */
  at(name) {
    if (!this.locations.has(name)) this.locations.set(name, this.gl.getUniformLocation(this.handle, name));
    return this.locations.get(name);
  }
}
