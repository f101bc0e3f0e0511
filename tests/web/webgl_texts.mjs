// Shader texts in a browser: WebGL 1 and 2 compile and link them with all kinds of choices, and the programs that
// docs/shaders.md shows in JavaScript move vertices as the library does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolder, skip, webTest } from './harness/web_test.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const three = join(here, '../node_modules/three');
const built = join(builtFolder(), 'package');
if (!existsSync(built)) skip(`the package is not built: there is no ${built}`);
if (!existsSync(three)) skip('three.js is not installed (npm ci in tests/)');

const document = readFileSync(join(here, '../../docs/shaders.md'), 'utf8');
const [webglProgram, threeProgram] = [...document.matchAll(/```js\n([^]*?)```/g)].map(([, text]) => text);

const folder = mkdtempSync(join(tmpdir(), 'marrow-texts-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'index.html'), `<!doctype html><meta charset="utf-8"><title>texts</title>
<link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "three": "/three/build/three.module.js" } }</script>
<canvas id="canvas" width="64" height="64"></canvas>`);
// The document's own words, with exports behind them.
writeFileSync(join(folder, 'webgl.js'), `${webglProgram}\nexport { createVertexShader, uploadInfluences, uploadPalette };`);
writeFileSync(join(folder, 'three_material.js'), `${threeProgram}\nexport { createSkinningMaterial, createGeometry };`);
execFileSync(process.argv[3], ['demo', '--out', folder], { stdio: 'ignore' });

const CHOICES = [
  [], ['MRW_INFLUENCES 8'], ['MRW_INFLUENCE_PAIRS'], ['MRW_INFLUENCE_PAIRS', 'MRW_INFLUENCES 8'],
  ['MRW_PALETTE_UNIFORM', 'MRW_PALETTE_CAPACITY 10'], ['MRW_NORMALS 0'], ['MRW_NORMALS 1'],
  ['MRW_STRETCH', 'MRW_BLEND_ATTRIBUTE'], ['MRW_STRETCH', 'MRW_INFLUENCES 8', 'MRW_MORPH', 'MRW_BLEND_ATTRIBUTE'],
  ['MRW_PALETTE_UNIFORM', 'MRW_PALETTE_CAPACITY 10', 'MRW_STRETCH', 'MRW_INFLUENCE_PAIRS', 'MRW_MORPH'],
];

/** Runs in the page: compiles and links one text with each of the lists of choices; returns what is wrong. */
async function compileAll({ kind, dialect, choices, breakIt }) {
  const { loadMarrow } = await import('/package/marrow.js');
  const marrow = await loadMarrow();
  const old = dialect === 'glsl-es-100';
  const gl = window.document.createElement('canvas').getContext(old ? 'webgl' : 'webgl2');
  const [attribute, varying] = old ? ['attribute', 'varying'] : ['in', 'out'];
  const wrong = [];
  for (const list of choices) {
    const vertex = marrow.shaderVersionLine(dialect) + list.map((choice) => `#define ${choice}\n`).join('')
      + marrow.shaderSource(kind, dialect) + (breakIt ? 'void broken( {' : '') + `
      ${attribute} vec3 position; ${attribute} vec3 normal; ${varying} vec3 shade;
      void main() {
        mrw_skinned v = mrw_skinned(position, normal);
        #ifdef MRW_MORPH
        v = mrw_morph(position, normal);
        #endif
        v = mrw_skin(v.position, v.normal);
        shade = v.normal;
        gl_Position = vec4(v.position, 1.0);
      }`;
    const fragment = marrow.shaderVersionLine(dialect) + 'precision highp float; '
      + (old ? 'varying vec3 shade; void main() { gl_FragColor = vec4(shade, 1.0); }'
        : 'in vec3 shade; out vec4 color; void main() { color = vec4(shade, 1.0); }');
    const program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) wrong.push(`${list}: ${gl.getShaderInfoLog(shader)}`);
    }
    if (!breakIt) {
      gl.linkProgram(program);
      if (!gl.getProgramParameter(program, gl.LINK_STATUS)) wrong.push(`${list}: ${gl.getProgramInfoLog(program)}`);
    }
    gl.deleteProgram(program);
  }
  return wrong;
}

/** Runs in the page: the document's WebGL 2 program, caught by transform feedback; returns the largest difference. */
async function runWebgl(file) {
  const [{ loadMarrow }, { createVertexShader, uploadInfluences, uploadPalette }, response] =
    await Promise.all([import('/package/marrow.js'), import('/webgl.js'), fetch(file)]);
  const marrow = await loadMarrow();
  const character = marrow.loadCharacter(await response.arrayBuffer(), { maxInfluences: 4 });
  const instance = character.instances[0], mesh = character.meshes[instance.mesh];
  const gl = window.document.createElement('canvas').getContext('webgl2');

  const program = gl.createProgram();
  const fragment = gl.createShader(gl.FRAGMENT_SHADER);
  gl.shaderSource(fragment, '#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(1.0); }');
  gl.compileShader(fragment);
  gl.attachShader(program, createVertexShader(gl, marrow));
  gl.attachShader(program, fragment);
  gl.transformFeedbackVaryings(program, ['gl_Position'], gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  gl.useProgram(program);

  for (const [location, data] of [[0, mesh.positions], [1, mesh.normals]]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
    gl.enableVertexAttribArray(location);
  }
  uploadInfluences(gl, mesh);

  const pose = character.createPose().sample(character.clips[0], 0.4);
  pose.modelMatrices();
  uploadPalette(gl, gl.createTexture(), pose.palette(character.skins[instance.skin]));
  const at = (name) => gl.getUniformLocation(program, name);
  gl.uniformMatrix4fv(at('viewProjection'), false, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  gl.uniform1i(at('mrw_palette_first'), 0);

  const caught = new Float32Array(mesh.vertexCount * 4);
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, gl.createBuffer());
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, caught.byteLength, gl.STREAM_READ);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.getParameter(gl.TRANSFORM_FEEDBACK_BUFFER_BINDING));
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, mesh.vertexCount);
  gl.endTransformFeedback();
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, caught);

  const expected = character.skinVertices(pose, 0), rest = mesh.positions;
  let apart = 0, moved = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    for (let k = 0; k < 3; k++) {
      const difference = Math.abs(caught[v * 4 + k] - expected[v * 3 + k]);
      apart = difference <= apart ? apart : difference;
      moved = Math.max(moved, Math.abs(caught[v * 4 + k] - rest[v * 3 + k]));
    }
  }
  return { apart, moved, error: gl.getError() };
}

/** Runs in the page: the document's material draws the character into the canvas. */
async function drawThree(file) {
  const [THREE, { loadMarrow }, { createSkinningMaterial, createGeometry }, response] =
    await Promise.all([import('three'), import('/package/marrow.js'), import('/three_material.js'), fetch(file)]);
  const marrow = await loadMarrow();
  const character = marrow.loadCharacter(await response.arrayBuffer(), { maxInfluences: 4 });
  const mesh = character.meshes[0];
  const joints = new Uint16Array(mesh.vertexCount * 4), weights = new Float32Array(mesh.vertexCount * 4);
  for (let v = 0; v < mesh.vertexCount; v++) {
    for (let i = 0; i < mesh.influenceCount; i++) {
      joints[v * 4 + i] = mesh.joints[v * mesh.influenceCount + i];
      weights[v * 4 + i] = mesh.weights[v * mesh.influenceCount + i];
    }
  }
  const pose = character.createPose().sample(character.clips[0], 0.4);
  pose.modelMatrices();
  const palette = pose.palette(character.skins[0]);
  const texture = new THREE.DataTexture(palette, palette.length / 4, 1, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  const shown = new THREE.Mesh(createGeometry(THREE, mesh, joints, weights), createSkinningMaterial(THREE, marrow, texture));
  shown.frustumCulled = false;
  const scene = new THREE.Scene().add(shown);
  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
  camera.position.set(1.5, 1.2, 3.5);
  camera.lookAt(0, 0.9, 0);
  const canvas = window.document.getElementById('canvas');
  const renderer = new THREE.WebGLRenderer({ canvas, preserveDrawingBuffer: true });
  renderer.setSize(256, 256);
  renderer.setClearColor(0xffffff);
  renderer.render(scene, camera);
}

await webTest(import.meta.url, async (web) => {
  const page = await web.open('index.html', { width: 256, height: 256 });
  web.step('an error in a text is seen');
  const broken = { kind: 'linear', dialect: 'glsl-es-300', choices: [[]], breakIt: true };
  assert.equal((await page.evaluate(compileAll, broken)).length, 1);

  for (const dialect of ['glsl-es-300', 'glsl-es-100']) {
    web.step(`${dialect} compiles and links`);
    const choices = [...CHOICES];
    if (dialect === 'glsl-es-300') choices.push(['MRW_LOCATION 2'], ['MRW_INFLUENCE_PAIRS', 'MRW_LOCATION 7']);
    for (const kind of ['linear', 'dual-quat', 'blended']) {
      assert.deepEqual(await page.evaluate(compileAll, { kind, dialect, choices }), []);
    }
  }

  web.step('the WebGL 2 program of docs/shaders.md moves vertices as the library does');
  for (const file of ['biped.glb', 'tentacle.glb']) {
    const { apart, moved, error } = await page.evaluate(runWebgl, file);
    console.log(`  ${file}: largest difference ${apart.toExponential(1)} m, vertices moved by ${moved.toFixed(2)} m`);
    assert.equal(error, 0);
    assert.ok(apart < 1e-5 && moved > 0.05);
  }

  web.step('the three.js material of docs/shaders.md draws');
  await page.evaluate(drawThree, 'biped.glb');
  await web.screenshot(page.locator('#canvas'), 'three');
}, { mounts: { '/': folder, '/package/': built, '/three/': three } });
