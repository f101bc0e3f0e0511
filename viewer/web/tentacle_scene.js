// Draws the strip twice, left by linear blend skinning and right by dual quaternions, with WebGL 2.
import { JOINT_COUNT } from './tentacle_mesh.js';
import { boneFragment, boneVertex, groundFragment, groundVertex, stripFragment, stripVertex } from './tentacle_shaders.js';

const GROUND_SIZE = 3.4;
const SHADOW_LIGHT = [-0.5, 1, 0.12]; // a little from behind the key light: the shadow is seen beside the strip
const NO_SHADOW = [0, 0, 0];

/** Colours: background and ground as they are seen, tones as light. */
const THEMES = {
  light: { background: [0.937, 0.949, 0.969], ground: [0.875, 0.894, 0.925], line: [0.70, 0.73, 0.78], shadow: [0.60, 0.63, 0.70] },
  dark: { background: [0.067, 0.082, 0.114], ground: [0.118, 0.141, 0.188], line: [0.23, 0.27, 0.34], shadow: [0.035, 0.043, 0.062] },
};
const TONES = [0.10, 0.30, 0.50, 0.22, 0.47, 0.66, 0.90, 0.24, 0.06, 0.92, 0.90, 0.84];
const BONE_COLOUR = [0.66, 0.40, 0.06];

function compile(gl, type, text, what) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
    throw new Error(`${what} does not compile: ${gl.getShaderInfoLog(shader)}`);
  }
  return shader;
}

/** A linked program and the places of its uniforms. */
function createProgram(gl, vertex, fragment, what) {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, vertex, `The vertex shader of ${what}`));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, fragment, `The fragment shader of ${what}`));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`The program of ${what} does not link: ${gl.getProgramInfoLog(program)}`);
  }
  const uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
  for (let i = 0; i < count; i++) {
    const name = gl.getActiveUniform(program, i).name.replace('[0]', '');
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

/** An RGBA32F texture of one row, read by texelFetch: it needs no extension, no filter and no mipmaps. */
function createTexture(gl, texels) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, texels, 1);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return { texture, texels };
}

function attribute(gl, location, data, size, integer = false) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  if (integer) gl.vertexAttribIPointer(location, size, gl.UNSIGNED_BYTE, 0, 0);
  else gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
  return buffer;
}

/** An octahedron along y from 0 to 1, widest near its joint, with flat faces. */
function boneShape() {
  const waist = 0.16, width = 0.09, positions = [], normals = [];
  const corners = [[width, 0], [0, width], [-width, 0], [0, -width]];
  for (let i = 0; i < 4; i++) {
    const [a, b] = [corners[i], corners[(i + 1) % 4]];
    const outward = [a[0] + b[0], a[1] + b[1]];
    for (const tip of [0, 1]) {
      positions.push(0, tip, 0, a[0], waist, a[1], b[0], waist, b[1]);
      // The face leans by its half width over its length.
      const flat = Math.hypot(...outward) / 2, rise = tip ? flat / (1 - waist) : -flat / waist;
      const size = Math.hypot(1, rise);
      const normal = [outward[0] / (2 * flat) / size, rise / size, outward[1] / (2 * flat) / size];
      normals.push(...normal, ...normal, ...normal);
    }
  }
  return { positions: new Float32Array(positions), normals: new Float32Array(normals) };
}

export class TentacleScene {
  /**
   * @param {HTMLCanvasElement} canvas @param {import('./marrow/marrow.js').Marrow} marrow whose shader texts are drawn with
   * @throws {Error} in words for the user
   */
  constructor(canvas, marrow) {
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
    if (!gl) throw new Error('This page draws with WebGL 2, which this browser does not offer or has switched off.');
    this.gl = gl;
    this.canvas = canvas;
    const version = marrow.shaderVersionLine('glsl-es-300');
    const strip = (kind) => createProgram(gl, stripVertex(version, marrow.shaderSource(kind, 'glsl-es-300')), stripFragment, `the strip (${kind})`);
    this.methods = [
      { ...strip('linear'), sampler: 'mrw_palette', ...createTexture(gl, JOINT_COUNT * 3) },
      { ...strip('dual-quat'), sampler: 'mrw_dual_quats', ...createTexture(gl, JOINT_COUNT * 2) },
    ];
    this.ground = createProgram(gl, groundVertex, groundFragment, 'the ground');
    this.bones = createProgram(gl, boneVertex, boneFragment, 'the bones');
    this.noAttributes = gl.createVertexArray();

    const shape = boneShape();
    this.boneArray = gl.createVertexArray();
    this.boneVertexCount = shape.positions.length / 3;
    gl.bindVertexArray(this.boneArray);
    attribute(gl, 0, shape.positions, 3);
    attribute(gl, 1, shape.normals, 3);
    gl.bindVertexArray(null);
    this.strip = null;
  }

  /** @param {ReturnType<import('./tentacle_mesh.js').buildStrip>} mesh */
  setMesh(mesh) {
    const { gl } = this;
    if (this.strip) {
      gl.deleteVertexArray(this.strip.array);
      for (const buffer of this.strip.buffers) gl.deleteBuffer(buffer);
    }
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffers = [
      attribute(gl, 0, mesh.positions, 3),
      attribute(gl, 1, mesh.normals, 3),
      attribute(gl, 2, mesh.surface, 2),
      attribute(gl, 3, mesh.joints, 4, true),
      attribute(gl, 4, mesh.weights, 4),
    ];
    const indices = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.strip = { array, buffers: [...buffers, indices], indexCount: mesh.indices.length };
  }

  /** @param {Float32Array} palette 12 floats a joint @param {Float32Array} dualQuats 8 floats a joint */
  upload(palette, dualQuats) {
    const { gl } = this;
    [palette, dualQuats].forEach((data, i) => {
      gl.bindTexture(gl.TEXTURE_2D, this.methods[i].texture);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.methods[i].texels, 1, gl.RGBA, gl.FLOAT, data);
    });
  }

  /**
   * @param {import('./tentacle_camera.js').OrbitCamera} camera
   * @param {{theme: 'light' | 'dark', bones: Float32Array | null}} options bones: model matrices, or null for none
   */
  draw(camera, { theme, bones }) {
    const { gl, canvas } = this;
    const colours = THEMES[theme];
    const width = Math.floor(canvas.width / 2), { height } = canvas;
    const matrix = camera.matrix();
    gl.enable(gl.SCISSOR_TEST);
    this.methods.forEach((method, side) => {
      const left = side ? canvas.width - width : 0;
      gl.viewport(left, 0, width, height);
      gl.scissor(left, 0, side ? width : canvas.width, height);
      gl.depthMask(true);
      gl.clearColor(...colours.background, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      this.#drawGround(matrix, colours);
      this.#drawStrip(method, matrix, camera, colours, SHADOW_LIGHT);
      this.#drawStrip(method, matrix, camera, colours, NO_SHADOW);
      if (bones) this.#drawBones(matrix, camera, bones);
    });
  }

  #drawGround(matrix, colours) {
    const { gl, ground: { program, uniforms } } = this;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.u_view_projection, false, matrix);
    gl.uniform1f(uniforms.u_size, GROUND_SIZE);
    gl.uniform3fv(uniforms.u_ground, colours.ground);
    gl.uniform3fv(uniforms.u_line, colours.line);
    gl.enable(gl.DEPTH_TEST); // hides the foot of the strip
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.FUNC_ADD);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindVertexArray(this.noAttributes);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /** The strip, or its shadow: the darker of the ground and the shadow, so that overlaps do not add up. */
  #drawStrip({ program, uniforms, sampler, texture }, matrix, camera, colours, shadowLight) {
    const { gl } = this;
    gl.useProgram(program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(uniforms[sampler], 0);
    gl.uniform1i(uniforms.mrw_palette_first, 0);
    gl.uniform1i(uniforms.mrw_palette_stride, 0);
    gl.uniformMatrix4fv(uniforms.u_view_projection, false, matrix);
    gl.uniform3fv(uniforms.u_eye, camera.eye);
    gl.uniform3fv(uniforms.u_tones, TONES);
    gl.uniform3fv(uniforms.u_shadow, colours.shadow);
    gl.uniform3fv(uniforms.u_shadow_light, shadowLight);
    if (shadowLight === NO_SHADOW) {
      gl.disable(gl.BLEND);
      gl.enable(gl.DEPTH_TEST);
    } else {
      gl.blendEquation(gl.MIN);
      gl.disable(gl.DEPTH_TEST);
    }
    gl.bindVertexArray(this.strip.array);
    gl.drawElements(gl.TRIANGLES, this.strip.indexCount, gl.UNSIGNED_SHORT, 0);
  }

  /** In front of everything: the depth of the strip is forgotten first. */
  #drawBones(matrix, camera, modelMatrices) {
    const { gl, bones: { program, uniforms } } = this;
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.u_view_projection, false, matrix);
    gl.uniform4fv(uniforms.u_rows, modelMatrices);
    gl.uniform3fv(uniforms.u_eye, camera.eye);
    gl.uniform3fv(uniforms.u_colour, BONE_COLOUR);
    gl.enable(gl.BLEND);
    gl.blendEquation(gl.FUNC_ADD);
    gl.bindVertexArray(this.boneArray);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, this.boneVertexCount, JOINT_COUNT);
  }
}
