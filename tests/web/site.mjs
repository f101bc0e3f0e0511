// The site as a whole: small, and of itself alone. What is served is what a browser downloads, so each file is
// compressed as web servers do it, by brotli and by gzip, and the sizes are added.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { webTest } from './harness/web_test.mjs';

/** All files, both WebAssembly builds of both modules among them, by brotli. */
const SITE_LIMIT_BYTES = 370000;
/** What a visit to one page downloads, by gzip, which is the most that a plain web server does. */
const VISIT_LIMIT_BYTES = 226000;
const TEXT = /\.(html|js|mjs|css|svg|json|txt)$/;

/** What a page fetches by itself; links that a person follows (<a href>) may lead elsewhere. */
const FETCHED = [
  /<(?:script|img|source|video|audio|iframe|object|embed)\b[^>]*?\b(?:src|data)\s*=\s*["']?(https?:|\/\/)[^"'\s>]*/gi,
  /<link\b[^>]*?\bhref\s*=\s*["']?(https?:|\/\/)[^"'\s>]*/gi,
  /@import\s+(?:url\()?\s*["']?(https?:|\/\/)[^"')\s]*/gi,
  /url\(\s*["']?(https?:|\/\/)[^"')\s]*/gi,
  /\b(?:import|from|fetch|importScripts|Worker|WebSocket|EventSource)\s*\(?\s*["'`](?:https?:|wss?:|\/\/)[^"'`]*/gi,
];

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  }).sort();
}

await webTest(import.meta.url, async (web) => {
  const site = join(web.folder, 'site');
  const files = filesBelow(site);
  const pages = files.filter((file) => file.endsWith('.html')).map((file) => relative(site, file).split(sep).join('/'));

  web.step(`all of it is below ${SITE_LIMIT_BYTES} bytes`);
  const sizes = new Map(); // by path in the site
  const total = { brotli: 0, gzip: 0 };
  console.log('   brotli    gzip   plain');
  for (const file of files) {
    const bytes = readFileSync(file), path = relative(site, file).split(sep).join('/');
    const size = { brotli: brotliCompressSync(bytes).length, gzip: gzipSync(bytes, { level: 9 }).length };
    sizes.set(path, size);
    total.brotli += size.brotli;
    total.gzip += size.gzip;
    console.log([size.brotli, size.gzip, bytes.length].map((n) => String(n).padStart(8)).join(''), ` ${path}`);
  }
  console.log([total.brotli, total.gzip].map((n) => String(n).padStart(8)).join(''), '          in all');
  assert.ok(total.brotli < SITE_LIMIT_BYTES, `${total.brotli} bytes by brotli, ${SITE_LIMIT_BYTES} allowed`);

  web.step('no file fetches from another host');
  for (const file of files.filter((name) => TEXT.test(name))) {
    const text = readFileSync(file, 'utf8');
    const found = FETCHED.flatMap((pattern) => text.match(pattern) ?? []);
    assert.deepEqual(found, [], relative(site, file));
  }

  web.step('there are pages');
  assert.ok(pages.includes('tentacle.html'), `pages: ${pages}`);
  for (const path of pages) {
    // Requests to other hosts, missing files and errors fail the test by themselves.
    web.step(`${path} loads everything it names, from here`);
    const visited = new Set();
    const page = await web.open(path, {
      before: (p) => p.on('response', (response) => visited.add(new URL(response.url()).pathname.slice(1))),
    });
    await page.waitForTimeout(1500);
    const visit = [...visited].reduce((sum, name) => sum + (sizes.get(name)?.gzip ?? 0), 0);
    console.log(`  a visit downloads ${visit} bytes`);
    assert.ok(visit > 20000 && visit < VISIT_LIMIT_BYTES, `${visit} bytes by gzip, ${VISIT_LIMIT_BYTES} allowed`);
    assert.notEqual(await page.title(), '');
    assert.notEqual(await page.getAttribute('html', 'lang'), null, 'the page says its language');
    const links = await page.$$eval('a[href]', (list) => list.map((a) => a.href));
    for (const link of links.filter((href) => href.startsWith(web.origin))) {
      assert.equal((await fetch(link)).status, 200, `${path} links to ${link}`);
    }
    await page.close();
  }
});
