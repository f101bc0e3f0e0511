// The adapter for three.js in Chromium: a crowd is drawn as the same characters are, each a clone with a mixer of its
// own: materials, textures, shadows of both kinds, rigid parts, morph targets. And in one draw a mesh.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedFolder } from '../conformance/shared_files.mjs';
import { comparePictures } from './harness/pictures.mjs';
import { builtFolder, skip, webTest } from './harness/web_test.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const three = join(here, '../node_modules/three');
const built = join(builtFolder(), 'package');
const assets = join(sharedFolder, 'assets/gltf');
if (!existsSync(three)) skip('three.js is not installed (npm ci in tests/)');
if (!existsSync(built)) skip(`the package is not built: there is no ${built}`);
if (!existsSync(assets)) skip(`no shared folder at ${sharedFolder} (MARROW_SHARED names another)`);

const CASES = [
  { file: 'Fox.glb', side: 5, step: 0.9 },
  { file: 'Knight.glb', side: 3, step: 0.7 }, // several meshes, some of them rigid
  { file: 'MorphStressTest.gltf', side: 2, step: 1.1 },
];

await webTest(import.meta.url, async (web) => {
  const open = async (query) => {
    const page = await web.open(`three_crowd.html?${new URLSearchParams(query)}`, { width: 720, height: 480 });
    await page.waitForFunction(() => document.title === 'drawn', undefined, { timeout: 60000 });
    return page;
  };

  for (const { file, ...layout } of CASES) {
    const name = file.split('.')[0].toLowerCase();
    web.step(`${file}: the crowd looks as clones do`);
    const [clones, crowd] = [await open({ file, ...layout, as: 'clones' }), await open({ file, ...layout, as: 'crowd' })];
    const pictures = [await web.screenshot(clones, `${name}_clones`), await web.screenshot(crowd, `${name}_crowd`)];
    const { differing, mean } = comparePictures(...pictures, { tolerance: 8, reach: 0 });
    const drawn = await crowd.evaluate(() => window.draw());
    console.log(`  ${(100 * differing).toFixed(3)} % of the pixels differ, by ${mean.toFixed(4)} on average; ${drawn} draws, `
      + `${await clones.evaluate(() => window.draw())} for the clones`);
    assert.ok(differing < 0.002, `${differing} of the pixels differ`);

    web.step(`${file}: one draw a mesh, none where nobody is in sight`);
    const { meshes, calls, away } = await crowd.evaluate(() => {
      const calls = window.draw();
      window.moveAway();
      return { meshes: window.meshCount, calls, away: window.draw() };
    });
    assert.ok(calls > away && (calls - away) % meshes === 0, `${calls} draws, ${away} without, ${meshes} meshes`);
    const empty = await web.screenshot(crowd, `${name}_away`);
    assert.ok(comparePictures(empty, pictures[1]).differing > 0.02, 'the crowd had been there');

    web.step(`${file}: it moves on, and leaves nothing behind`);
    const later = await open({ file, ...layout, as: 'crowd' });
    await later.evaluate(() => { window.update(0.1); window.draw(); });
    assert.ok(comparePictures(await web.screenshot(later, `${name}_later`), pictures[1]).differing > 0.001, 'it has moved');
    const { before, after } = await later.evaluate(() => window.disposeCrowd());
    console.log(`  geometries ${before.geometries} to ${after.geometries}, textures ${before.textures} to ${after.textures}`);
    assert.ok(after.textures < before.textures, 'the bones\' texture is gone');
    for (const page of [clones, crowd, later]) await page.close();
  }
}, { mounts: { '/': join(here, 'pages'), '/package/': built, '/three/': three, '/assets/': assets } });
