// Files of the shared folder: real ones, and the valid ones among the cases.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const beside = join(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const folder = process.env.MARROW_SHARED ?? beside;
/** Where the real files are, or would be. */
export const sharedFolder = folder;

const isGltf = (name) => /\.(gltf|glb)$/.test(name);
const isBvh = (name) => /\.bvh$/.test(name);

/** Files of a set of assets. @param {string} set e.g. "gltf" @param {(name: string) => boolean} wanted @returns {string[]} */
function assets(set, wanted) {
  const path = join(folder, 'assets', set);
  return readdirSync(path).filter(wanted).map((name) => join(path, name));
}

/** Inputs of the cases that `marrow pose` is expected to accept. @returns {string[]} */
function validCases() {
  const root = join(folder, 'cases');
  return readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory()).flatMap(({ name }) => {
    const { input, checks } = JSON.parse(readFileSync(join(root, name, 'expect.json'), 'utf8'));
    const good = checks.filter((check) => (check.exit ?? 0) === 0).map((check) => check.input ?? input);
    return [...new Set(good)].filter(isGltf).map((file) => join(root, name, file));
  });
}

/**
 * What the arguments name: files, or with `--shared` those of the shared folder. Ends the process where
 * there are none: with 2 for wrong usage, with 77 (skipped) where there is no shared folder.
 * @param {string[]} args @param {'gltf' | 'bvh'} format of those in the shared folder @returns {string[]}
 */
export function filesFrom(args, format = 'gltf') {
  if (args.length === 1 && args[0] === '--shared') {
    if (!existsSync(folder)) {
      console.log(`skipped: no shared folder at ${folder} (MARROW_SHARED names another)`);
      process.exit(77);
    }
    return format === 'bvh' ? assets('bvh', isBvh) : [...assets('gltf', isGltf), ...validCases()];
  }
  if (!args.length || args.some((arg) => arg.startsWith('-'))) {
    console.error('wrong usage: name files, or --shared');
    process.exit(2);
  }
  return args;
}
