// The modules themselves, and the ways to load one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { loadMarrow, packageFolder } from './package/package_under_test.mjs';

const scalarFile = join(packageFolder, 'marrow.wasm');
const vectorFile = join(packageFolder, 'marrow-simd.wasm');
const header = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../packages/js/native/exports.h'), 'utf8');

for (const file of [scalarFile, vectorFile]) {
  const module = new WebAssembly.Module(readFileSync(file));

  test(`${file} asks nothing of its surroundings`, () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
  });

  test(`${file} exports its memory and what exports.h names`, () => {
    const named = [...header.matchAll(/^JS_EXPORT\((\w+)\)/gm)].map((match) => match[1]);
    assert.ok(named.length > 40);
    const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.deepEqual(exported.sort(), ['memory', ...named].sort());
  });

  test(`${file} is small`, () => {
    const size = gzipSync(readFileSync(file), { level: 9 }).length;
    assert.ok(size < 148000, `${size} bytes, compressed`);
  });
}

test('without being told, the build that the engine can run is taken', async () => {
  const { validate } = WebAssembly;
  assert.equal((await loadMarrow()).simd, true);
  try {
    WebAssembly.validate = () => false;
    assert.equal((await loadMarrow()).simd, false);
  } finally {
    WebAssembly.validate = validate;
  }
  assert.equal((await loadMarrow({ simd: false })).simd, false);
  assert.equal((await loadMarrow({ simd: true })).simd, true);
});

test('an engine without vector instructions takes the scalar build', (t) => {
  if (process.arch !== 'x64') return t.skip('only on x64 node can do without');
  const url = JSON.stringify(pathToFileURL(join(packageFolder, 'marrow.js')).href);
  const script = `const { loadMarrow } = await import(${url}); console.log((await loadMarrow()).simd);
    console.log(WebAssembly.validate((await import('node:fs')).readFileSync(${JSON.stringify(vectorFile)})));`;
  const options = { encoding: 'utf8' };
  const said = execFileSync(process.execPath, ['--no-enable-sse4-1', '--input-type=module', '-e', script], options);
  assert.equal(said, 'false\nfalse\n');
});

test('the probe for vector instructions is a valid module that needs them', async () => {
  const { validate } = WebAssembly;
  let probe;
  try {
    WebAssembly.validate = (bytes) => {
      probe = bytes;
      return validate(bytes);
    };
    await loadMarrow();
  } finally {
    WebAssembly.validate = validate;
  }
  assert.equal(validate(probe), true);
  // The prefix of all vector instructions; without it another instruction, of another type.
  assert.ok(probe.includes(0xfd));
});

test('a module comes as bytes, compiled, or from an address', async () => {
  const bytes = readFileSync(scalarFile);
  const arrayBuffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  for (const wasm of [bytes, arrayBuffer, new WebAssembly.Module(bytes), pathToFileURL(scalarFile), pathToFileURL(scalarFile).href, scalarFile]) {
    const marrow = await loadMarrow({ wasm });
    assert.match(marrow.version, /^\d+\.\d+\.\d+$/);
    assert.equal(marrow.simd, false);
  }
});

test('an address is relative to the working folder, whatever that is called', async () => {
  const before = process.cwd();
  const folder = join(mkdtempSync(join(tmpdir(), 'marrow-module-')), 'c# 100%?');
  mkdirSync(folder);
  copyFileSync(scalarFile, join(folder, 'm.wasm'));
  try {
    process.chdir(folder);
    assert.equal((await loadMarrow({ wasm: 'm.wasm' })).simd, false);
  } finally {
    process.chdir(before);
    rmSync(dirname(folder), { recursive: true });
  }
});

test('and from a server, whatever type it gives', async () => {
  for (const type of ['application/wasm', 'application/octet-stream', undefined]) {
    const server = createServer((request, response) => {
      if (request.url !== '/m.wasm') response.writeHead(404);
      else if (type) response.setHeader('content-type', type);
      response.end(request.url === '/m.wasm' ? readFileSync(scalarFile) : 'nothing here');
    });
    await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
    const { port } = server.address();
    assert.equal((await loadMarrow({ wasm: `http://127.0.0.1:${port}/m.wasm` })).simd, false);
    await assert.rejects(loadMarrow({ wasm: `http://127.0.0.1:${port}/gone.wasm` }), /gone\.wasm: the server answered 404/);
    server.close();
  }
});

test('what is no module is refused', async () => {
  await assert.rejects(loadMarrow({ wasm: new Uint8Array([1, 2, 3]) }), WebAssembly.CompileError);
  await assert.rejects(loadMarrow({ wasm: join(packageFolder, 'gone.wasm') }), /gone\.wasm/);
});

test('shader texts', async () => {
  const marrow = await loadMarrow();
  const kinds = ['linear', 'dual-quat', 'blended'];
  for (const dialect of ['glsl-330', 'glsl-es-300', 'glsl-es-100']) {
    for (const kind of kinds) assert.match(marrow.shaderSource(kind, dialect), /void main|mrw_/);
    assert.match(marrow.shaderVersionLine(dialect), /^#version \d+/);
  }
  assert.equal(marrow.shaderVersionLine('glsl-es-300'), '#version 300 es\n');
  for (const dialect of ['wgsl', 'hlsl']) {
    assert.ok(marrow.shaderSource('linear', dialect).length > 500);
    assert.equal(marrow.shaderVersionLine(dialect), '');
    assert.throws(() => marrow.shaderSource('blended', dialect), RangeError);
  }
  assert.throws(() => marrow.shaderSource('quadratic', 'wgsl'), { name: 'RangeError', message: /kind: "quadratic" is none of linear, dual-quat, blended/ });
  assert.throws(() => marrow.shaderSource('linear', 'metal'), RangeError);
});
