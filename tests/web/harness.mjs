// The harness itself: it serves, drops files, reads pictures, and sees every kind of trouble.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colourDistance, comparePictures, crop, drawnShare, pixel } from './harness/pictures.mjs';
import { webTest } from './harness/web_test.mjs';

const HTML = `<!doctype html><meta charset="utf-8"><title>harness</title><link rel="icon" href="data:,">
<style>body { margin: 0; background: #fff } div { width: 100px; height: 50px; background: rgb(200, 100, 50) }</style>
<div id="box"></div>
<script type="module">
  const box = document.getElementById('box');
  box.addEventListener('dragover', (event) => event.preventDefault());
  box.addEventListener('drop', async ({ dataTransfer: { files } }) => {
    box.title = [...files].map((f) => f.name + ':' + f.type).join() + ':' + await files[0].text();
  });
  if (location.search === '?bad') {
    console.error('said');
    fetch('https://example.com/').catch(() => {});
    fetch('absent.txt');
    document.createElement('canvas').getContext('webgl2').bindBuffer(77, null);
    setTimeout(() => { throw new Error('thrown'); });
  }
</script>`;

const folder = mkdtempSync(join(tmpdir(), 'marrow-harness-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'index.html'), HTML);

await webTest(import.meta.url, async (web) => {
  web.step('a plain page has no trouble and looks as it says');
  const page = await web.open('index.html', { width: 300, height: 200 });
  const picture = await web.screenshot(page, 'plain');
  assert.deepEqual([picture.width, picture.height], [300, 200]);
  assert.deepEqual(pixel(picture, 50, 25), [200, 100, 50]);
  assert.deepEqual(pixel(picture, 150, 25), [255, 255, 255]);
  assert.equal(drawnShare(picture, [255, 255, 255]), 5000 / 60000);

  web.step('pictures that differ are told apart');
  const edge = crop(picture, 0, 0, 150, 100), moved = crop(picture, 1, 0, 150, 100);
  assert.equal(comparePictures(edge, moved).differing, 0);
  assert.equal(comparePictures(edge, moved, { reach: 0 }).differing, 50 / 15000);
  const full = crop(picture, 0, 0, 100, 100), half = crop(picture, 50, 0, 100, 100);
  assert.equal(comparePictures(full, half, { reach: 0 }).differing, 50 * 50 / 10000);
  // All but the corner of the half, which has both colours within reach in both pictures.
  assert.equal(comparePictures(full, half).differing, (50 * 50 - 1) / 10000);
  assert.equal(colourDistance([1, 2, 3], [1, 9, 0]), 7);

  web.step('dropped files arrive');
  await web.dropFiles(page, '#box', [{ name: 'a.txt', bytes: Buffer.from('hello'), type: 'text/plain' },
    { name: 'b.bin', bytes: Buffer.alloc(3) }]);
  await page.waitForFunction(() => document.getElementById('box').title !== '');
  assert.equal(await page.getAttribute('#box', 'title'), 'a.txt:text/plain,b.bin::hello');

  web.step('nothing outside the folder is served');
  for (const path of ['..%2f..%2fetc/passwd', '%2e%2e/%2e%2e/etc/passwd', 'index.html%00', '%E0%A4%A']) {
    assert.equal((await fetch(`${web.origin}/${path}`)).status, 404, path);
  }

  web.step('all trouble is seen');
  assert.deepEqual(web.trouble, []);
  await web.open('index.html?bad');
  const expected = [/console: said/, /request failed: https:\/\/example\.com/, /answer 404: .*absent\.txt/,
    /WebGL.*INVALID_ENUM/, /uncaught: Error: thrown/];
  const missing = () => expected.filter((pattern) => !web.trouble.some((line) => pattern.test(line)));
  for (let tries = 0; missing().length && tries < 50; tries++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(missing(), []);
  web.trouble.length = 0;
}, { mounts: { '/': folder } });
