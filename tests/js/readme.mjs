// The programs that the package's README shows run as they stand there, each in a process of its own, with the package
// installed as its name.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { asset, packageFolder } from './package/package_under_test.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const readme = readFileSync(join(here, '../../packages/js/README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'marrow-readme-'));
const three = join(here, '../node_modules/three');
after(() => rmSync(folder, { recursive: true }));

writeFileSync(join(folder, 'Fox.glb'), asset('gltf/Fox.glb'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(packageFolder, join(folder, 'node_modules/marrow-animation'));
if (existsSync(three)) symlinkSync(three, join(folder, 'node_modules/three'));

// What the programs find in a page: files by fetch, a WebGL context, a scene and a loaded model of three.js.
const surroundings = {
  fetch: `import { readFileSync } from 'node:fs';
    globalThis.fetch = async (name) => new Response(readFileSync(name));`,
  gl: `globalThis.uploaded = 0;
    globalThis.gl = { TEXTURE_2D: 1, RGBA32F: 2, RGBA: 3, FLOAT: 4, texStorage2D() {},
      createTexture() { return {}; }, bindTexture() {}, texParameteri() {},
      texSubImage2D(target, level, x, y, width, height, format, type, data) { globalThis.uploaded = data.length - width * height * 4; } };
    process.on('exit', () => { if (globalThis.uploaded !== 0) process.exitCode = 1; });`,
  gltf: `import * as THREE from 'three';
    globalThis.scene = new THREE.Scene();
    const geometry = new THREE.BoxGeometry();
    const bone = new THREE.Bone();
    bone.name = 'bone';
    geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(new Array(96).fill(0), 4));
    geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(new Array(96).fill(0.25), 4));
    const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial());
    mesh.add(bone);
    mesh.bind(new THREE.Skeleton([bone]));
    const group = new THREE.Group();
    group.add(mesh);
    const track = new THREE.VectorKeyframeTrack('bone.position', [0, 1], [0, 0, 0, 1, 1, 1]);
    globalThis.gltf = { scene: group, animations: [new THREE.AnimationClip('move', 1, [track])] };`,
};
writeFileSync(join(folder, 'fetch.mjs'), surroundings.fetch);
writeFileSync(join(folder, 'gl.mjs'), surroundings.gl);
writeFileSync(join(folder, 'gltf.mjs'), surroundings.gltf);

const programs = [...readme.matchAll(/^## ([^\n]*)$|```js\n(.*?)```/gms)];
let heading = '';
let count = 0;
for (const [, title, program] of programs) {
  if (title !== undefined) {
    heading = title;
    continue;
  }
  count++;
  test(`${heading}: program ${count}`, (t) => {
    const needs = ['fetch', ...(/\bgl\./.test(program) ? ['gl'] : []), ...(/\bgltf\./.test(program) ? ['gltf'] : [])];
    if (needs.includes('gltf') && !existsSync(three)) return t.skip('three.js is not installed (npm ci in tests/)');
    const file = join(folder, `program_${count}.mjs`);
    writeFileSync(file, program);
    const imports = needs.flatMap((name) => ['--import', `./${name}.mjs`]);
    const said = execFileSync(process.execPath, [...imports, '--preserve-symlinks', file], { cwd: folder, encoding: 'utf8' });
    if (heading === 'A character' && program.includes('skinVertices')) {
      assert.equal(said, "[ 'Survey: 3.42 s', 'Walk: 0.71 s', 'Run: 1.16 s' ]\n24 1728\n");
    }
  });
}

test('the programs were found', () => assert.ok(count >= 5, `${count}`));

test('it links to nothing of the repository, which is not there where the package is installed', () => {
  const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
  assert.deepEqual(targets.filter((target) => !target.includes('://')), []);
});
