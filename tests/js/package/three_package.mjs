// Lets the built package find three.js where the tests have it, and hands both out. The package imports 'three' as its
// users do, but lies in the build folder, from which node finds no node_modules.
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const hook = `export async function resolve(specifier, context, next) {
  const inTests = specifier === 'three' || specifier.startsWith('three/');
  return next(specifier, inTests ? { ...context, parentURL: ${JSON.stringify(import.meta.url)} } : context);
}`;

/**
 * Ends the process with 77 and one line where three.js or the package is missing.
 * @param {string} packageFolder BUILD/web/package
 */
export async function loadThreePackage(packageFolder) {
  const folder = resolve(packageFolder);
  if (!existsSync(join(folder, 'three.js'))) {
    console.log(`skipped: the package is not built: there is no ${folder}`);
    process.exit(77);
  }
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
  try {
    const THREE = await import('three');
    const { loadMarrow } = await import(pathToFileURL(join(folder, 'marrow.js')).href);
    const { MarrowCrowd, textureLayout } = await import(pathToFileURL(join(folder, 'three.js')).href);
    return { THREE, loadMarrow, MarrowCrowd, textureLayout };
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/'three'/.test(error.message)) throw error;
    console.log('skipped: three.js is not installed (npm ci in tests/)');
    process.exit(77);
  }
}
