// TypeScript takes the types as users see them, strictly, and checks the package's own JavaScript against them.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packageFolder } from './package/package_under_test.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const compiler = join(here, '../node_modules/typescript/bin/tsc');
if (!existsSync(compiler)) {
  console.log('skipped: TypeScript is not installed (npm ci in tests/)');
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), 'marrow-types-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(packageFolder, join(folder, 'node_modules/marrow-animation'));

const strict = { strict: true, noUncheckedIndexedAccess: true, noEmit: true, target: 'ES2022', types: [] };

/** What the compiler says about the files; "" if nothing. */
function complaints(name, compilerOptions, files) {
  const config = join(folder, `${name}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...compilerOptions }, files }));
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', config], { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

for (const moduleResolution of ['bundler', 'node16']) {
  test(`a user's program, by the rules of ${moduleResolution}`, () => {
    const module = moduleResolution === 'node16' ? 'node16' : 'es2022';
    // A copy of the program below the folder where the package is installed.
    symlinkSync(join(here, 'types/user.ts'), join(folder, `user_${moduleResolution}.mts`));
    const options = { module, moduleResolution, lib: ['ES2022', 'DOM'], preserveSymlinks: true };
    assert.equal(complaints(moduleResolution, options, [`user_${moduleResolution}.mts`]), '');
  });
}

test('the JavaScript keeps what the types promise', () => {
  const options = { allowJs: true, checkJs: true, noUncheckedIndexedAccess: false, module: 'es2022', moduleResolution: 'bundler', lib: ['ES2023', 'DOM'] };
  assert.equal(complaints('own', options, [join(here, '../../packages/js/src/marrow.js')]), '');
});
