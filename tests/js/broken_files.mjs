// Files that cannot be used: refused in the words of the native program, whatever their bytes are, and never by a trap.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { MarrowError, asset, assetFolder, fileAndNeighbours, loadMarrow, marrowProgram } from './package/package_under_test.mjs';

const fox = asset('gltf/Fox.glb');
const marrow = await loadMarrow();
const folder = mkdtempSync(join(tmpdir(), 'marrow-js-'));
after(() => rmSync(folder, { recursive: true }));

/** What the program says about a file, without its own name. @returns {Promise<string>} "" if it takes it */
function nativeWords(path) {
  return new Promise((resolve) => {
    execFile(marrowProgram, ['pose', path], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve(error ? stderr.split('\n')[0].replace('marrow pose: ', '').replace(`${path}:`, '').trim() : '');
    });
  });
}

/** What the package says. @returns {string} "" if it takes it */
function words(bytes, options) {
  try {
    marrow.loadCharacter(bytes, options).dispose();
    return '';
  } catch (error) {
    assert.ok(error instanceof MarrowError, `${error}: ${error.stack}`);
    assert.match(error.status, /^MRW_ERR_/);
    return error.message;
  }
}

/** All files below a folder whose names end so. */
function filesBelow(root, pattern) {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const path = join(root, entry.name);
    return entry.isDirectory() ? filesBelow(path, pattern) : pattern.test(entry.name) ? [path] : [];
  });
}

test('a broken file says what the program says', async () => {
  const small = '{"asset": {"version": "2.0"}, ';
  const texts = {
    'empty.gltf': '',
    'not_json.gltf': '{\n  "asset": {"version": "2.0"}\n  "nodes": []\n}',
    'cycle.gltf': `${small}"nodes": [{"children": [1]}, {"children": [0]}], "scenes": [{"nodes": [0]}]}`,
    'old.gltf': '{"asset": {"version": "1.0"}}',
    'index.gltf': `${small}"scene": 0, "scenes": [{"nodes": [7]}], "nodes": [{}]}`,
    'missing_buffer.gltf': `${small}"buffers": [{"byteLength": 4, "uri": "gone.bin"}]}`,
    'outside.gltf': `${small}"buffers": [{"byteLength": 4, "uri": "../outside.bin"}]}`,
    'half.glb': fox.subarray(0, 5000),
    'text.txt': 'a letter to nobody',
  };
  for (const [name, bytes] of Object.entries(texts)) {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const native = await nativeWords(path);
    assert.notEqual(native, '', name);
    // By name and not from a folder: nothing leads out of it, and a path needs no folder to be missing.
    if (name === 'outside.gltf') assert.match(words(Buffer.from(bytes)), /outside\.bin/);
    else assert.equal(words(Buffer.from(bytes)), native, name);
  }
});

test('so do the files of the Khronos validator', async () => {
  const paths = filesBelow(assetFolder('gltf-invalid'), /\.(gltf|glb)$/);
  assert.ok(paths.length > 100);
  for (const path of paths) {
    const { bytes, options } = fileAndNeighbours(path);
    assert.equal(words(bytes, options), await nativeWords(path), path);
  }
});

test('an error tells its place', () => {
  const text = '{\n  "asset": {"version": "2.0"}\n  "nodes": []\n}';
  assert.throws(() => marrow.loadCharacter(Buffer.from(text)), (error) => {
    assert.equal(error.name, 'MarrowError');
    assert.equal(error.line, 3);
    assert.equal(error.column, 3);
    return true;
  });
  const broken = `{"asset": {"version": "2.0"}, "nodes": [{"rotation": [0, 0, "x", 1]}]}`;
  assert.throws(() => marrow.loadCharacter(Buffer.from(broken)), (error) => {
    assert.equal(error.detail, 'nodes[0].rotation[2]');
    return true;
  });
});

test('a truncated file is refused, and costs no memory', () => {
  for (let length = 0; length < fox.length; length += length < 200 ? 1 : 1511) {
    assert.notEqual(words(fox.subarray(0, length)), '', `${length} bytes`);
  }
});

test('a damaged file is refused or read', () => {
  // A generator of its own, so that a failure can be repeated.
  let state = 1;
  const random = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  let refused = 0;
  for (let round = 0; round < 400; round++) {
    const damaged = Uint8Array.from(fox);
    // The header and the JSON behind it are what decides.
    for (let i = 0; i < 1 + round % 5; i++) damaged[random(round % 2 ? 400 : 12000)] = random(256);
    if (words(damaged) !== '') refused++;
  }
  assert.ok(refused > 100, `${refused} of 400 refused`);
});
