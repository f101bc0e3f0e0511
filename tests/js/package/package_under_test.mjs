// The built package: argument 1 of every test is its folder, argument 2 the native command line.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sharedFolder } from '../../conformance/shared_files.mjs';

export const packageFolder = resolve(process.argv[2] ?? '.');
export const marrowProgram = process.argv[3] ?? 'marrow';

if (!existsSync(join(packageFolder, 'marrow.js'))) {
  console.log(`skipped: the package is not built: there is no ${packageFolder}`);
  process.exit(77);
}
const { loadMarrow, MarrowError } = await import(pathToFileURL(join(packageFolder, 'marrow.js')).href);
export { loadMarrow, MarrowError };

/** A folder of real files; ends the process with 77 (skipped) where there is none. @param {string} path below assets */
export function assetFolder(path) {
  const folder = join(sharedFolder, 'assets', path);
  if (!existsSync(folder)) {
    console.log(`skipped: no shared folder at ${sharedFolder} (MARROW_SHARED names another)`);
    process.exit(77);
  }
  return folder;
}

/** A real file, by its path below assets. @param {string} path */
export function asset(path) {
  return readFileSync(join(assetFolder(dirname(path)), basename(path)));
}

/** What a file and those beside it are to loadCharacter. @param {string} path */
export function fileAndNeighbours(path) {
  const folder = dirname(path);
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && /\.bin$/i.test(entry.name));
  const files = new Map(entries.map(({ name }) => [name, readFileSync(join(folder, name))]));
  return { bytes: readFileSync(path), options: { files } };
}

/** A box that bends: two joints, no file. @param {any} marrow */
export function arm(marrow) {
  const skeleton = marrow.createSkeleton([
    { name: 'upper', parent: -1 },
    { name: 'lower', parent: 0, translation: [0, 2, 0] },
  ]);
  const half = Math.SQRT1_2;
  const bend = skeleton.createClip('bend', [
    { kind: 'rotation', target: 1, times: [0, 1], values: [0, 0, 0, 1, 0, 0, half, half] },
    { kind: 'translation', target: 0, times: [0, 1], values: [0, 0, 0, 4, 0, 0] },
  ]);
  return { skeleton, bend, skin: skeleton.createSkin([0, 1]) };
}
