// The site on a server that knows less than most: below a folder, .wasm as unknown bytes; and in a browser without
// vector instructions, which has to take the scalar modules.
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { webTest } from './harness/web_test.mjs';

const FOLDER = '/some/folder/';
const PAGES = [
  { page: 'tentacle.html', isReady: () => document.documentElement.dataset.ready === 'true' },
  { page: 'index.html', isReady: () => ['empty', 'open'].includes(document.body.dataset.state) },
];

await webTest(import.meta.url, async (web) => {
  for (const { page: path, isReady } of PAGES) {
    for (const simd of [true, false]) {
      web.step(`${path} starts ${simd ? 'with' : 'without'} vector instructions`);
      const loaded = [];
      const page = await web.open(FOLDER.slice(1) + path, {
        before: async (p) => {
          p.on('response', (response) => {
            if (response.url().endsWith('.wasm')) loaded.push(response.url().slice(web.origin.length));
          });
          if (!simd) await p.addInitScript(() => { WebAssembly.validate = () => false; });
        },
      });
      await page.waitForFunction(isReady);
      assert.deepEqual(loaded, [`${FOLDER}marrow/marrow${simd ? '-simd' : ''}.wasm`]);
      await page.close();
    }
  }
}, { mounts: { [FOLDER]: resolve(join(process.argv[2] ?? '.', 'site')) }, wasmType: 'application/octet-stream' });
