// node bench/threejs_crowd.mjs BUILD/web/package [--browser] [--scalar] [--json] [--count N] [--frames N] [--file PATH.glb]
//
// Milliseconds a frame for many characters of one model in three.js: with a clone, an AnimationMixer and a
// skeleton.update() for each, and as one MarrowCrowd. Both play the same clips from the same times, and are compared
// before they are timed. Neither draws: what is measured is what happens before the renderer is called, and the
// renderer's own skeleton.update(). In node, or with --browser in Chromium; --scalar: with the WebAssembly without
// vector instructions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readGltf, toBareGlb } from '../tests/conformance/gltf_file.mjs';
import { sharedFolder } from '../tests/conformance/shared_files.mjs';
import { measureCrowds } from './threejs_crowd_measure.mjs';

const here = dirname(fileURLToPath(import.meta.url));

const { values: options, positionals: [packageFolder] } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'boolean', default: false },
    scalar: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    count: { type: 'string', default: '1000' },
    frames: { type: 'string', default: '300' },
    file: { type: 'string', default: join(sharedFolder, 'assets/gltf/Fox.glb') },
  },
});
if (packageFolder === undefined) {
  console.error('wrong usage: node bench/threejs_crowd.mjs BUILD/web/package [--browser] [--scalar] [--json] [--count N] [--frames N] [--file PATH.glb]');
  process.exit(2);
}
const settings = { count: Number(options.count), frames: Number(options.frames), simd: options.scalar ? false : undefined };
const glb = toBareGlb(readGltf(options.file));

async function inNode() {
  const { loadThreePackage } = await import('../tests/js/package/three_package.mjs');
  const parts = await loadThreePackage(packageFolder);
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { clone } = await import('three/addons/utils/SkeletonUtils.js');
  return { engine: `node ${process.versions.node}`, ...await measureCrowds({ ...parts, GLTFLoader, clone, glb, ...settings }) };
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }</script>
<script type="module">
  import * as THREE from 'three';
  import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
  import { clone } from 'three/addons/utils/SkeletonUtils.js';
  import { loadMarrow } from '/package/marrow.js';
  import { MarrowCrowd } from '/package/three.js';
  import { measureCrowds } from '/bench/threejs_crowd_measure.mjs';
  window.measure = async (settings) => {
    const glb = await (await fetch('/model.glb')).arrayBuffer();
    return measureCrowds({ THREE, GLTFLoader, clone, loadMarrow, MarrowCrowd, glb, ...settings });
  };
</script>`;

async function inChromium() {
  const { findChromium, launchChromium } = await import('../tests/web/harness/chromium.mjs');
  const { serve } = await import('../tests/web/harness/static_server.mjs');
  const chromium = findChromium();
  if (!chromium) {
    console.error('no Chromium: install chromium, or let CHROMIUM name one');
    process.exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), 'marrow-bench-'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'model.glb'), Buffer.from(glb));
  const server = await serve({
    '/': folder, '/bench/': here, '/package/': resolve(packageFolder), '/three/': join(here, '../tests/node_modules/three'),
  }, { isolated: true }); // timers of 5 microseconds instead of 100
  const browser = await launchChromium(chromium);
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(String(error)));
    await page.goto(`${server.origin}/index.html`);
    await page.waitForFunction(() => window.measure !== undefined);
    return { engine: `Chromium ${browser.version()}`, ...await page.evaluate((given) => window.measure(given), settings) };
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

const result = { file: basename(options.file), cpu: cpus()[0].model.trim(), ...await (options.browser ? inChromium() : inNode()) };
if (options.json) {
  console.log(JSON.stringify(result, null, 2));
} else {
  console.log(`${result.count} of ${result.file}, ${result.objects} objects with ${result.bones} bones each; ${result.engine}, ${result.cpu}; `
    + `three.js r${result.three}, Marrow ${result.simd ? 'SIMD' : 'scalar'} build`);
  console.log(`  largest difference of a bone matrix: ${result.difference.toExponential(1)}`);
  console.log('  milliseconds a frame                              min   median');
  for (const { name, min, median } of result.times) {
    console.log(`  ${name.padEnd(46)} ${min.toFixed(2).padStart(6)} ${median.toFixed(2).padStart(8)}`);
  }
  console.log(`  ${'the faster three.js to Marrow'.padEnd(46)} ${result.ratio.min.toFixed(1).padStart(6)} ${result.ratio.median.toFixed(1).padStart(8)}`);
}
