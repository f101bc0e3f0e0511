// What npm makes of the folder: all that the modules import is in it, nothing else, and it runs where it is unpacked.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packageFolder } from './package/package_under_test.mjs';

const sources = join(dirname(fileURLToPath(import.meta.url)), '../../packages/js/src');
const folder = mkdtempSync(join(tmpdir(), 'marrow-pack-'));
after(() => rmSync(folder, { recursive: true }));

const packed = spawnSync('npm', ['pack', '--offline', '--json', '--pack-destination', folder, packageFolder], { encoding: 'utf8' });
if (packed.error) {
  console.log('skipped: there is no npm');
  process.exit(77);
}
assert.equal(packed.status, 0, packed.stderr);
const [{ filename, files }] = JSON.parse(packed.stdout);

test('the package holds the modules, their types and both builds', () => {
  const expected = ['LICENSE', 'README.md', 'package.json', 'marrow.wasm', 'marrow-simd.wasm', ...readdirSync(sources)];
  assert.deepEqual(files.map(({ path }) => path).sort(), expected.sort());
});

test('it runs where it is unpacked', () => {
  const modules = join(folder, 'node_modules/marrow-animation');
  mkdirSync(modules, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', modules, '--strip-components', '1']);
  const script = `import { loadMarrow, MarrowError } from 'marrow-animation';
    const marrow = await loadMarrow();
    console.log(marrow.simd, marrow.createSkeleton([{ parent: -1 }]).jointNames, new MarrowError('', { status: 's' }).name);`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' });
  assert.equal(said, "true [ 'joint' ] MarrowError\n");
});

test('every name in package.json leads to a file, and its version is the library\'s', async () => {
  const text = readFileSync(join(packageFolder, 'package.json'), 'utf8');
  const description = JSON.parse(text);
  // JSON lets a name stand twice, and the last one win.
  const plain = (json) => json.replace(/\s+/g, '');
  assert.equal(plain(text), plain(JSON.stringify(description)));
  const names = Object.values(description.exports).flatMap((target) => (typeof target === 'string' ? target : Object.values(target)));
  for (const name of [description.main, description.types, ...names]) readFileSync(join(packageFolder, name));
  const { loadMarrow } = await import(join(packageFolder, 'marrow.js'));
  assert.equal(description.version, (await loadMarrow()).version);
});
