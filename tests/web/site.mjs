// The site as a whole: small, and of itself alone. What is served is what a browser downloads, so each file is
// compressed as a web server would do it, and the sizes are added.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { webTest } from './harness/web_test.mjs';

const LIMIT_BYTES = 400 * 1024;
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

  web.step(`all of it compressed is below ${LIMIT_BYTES / 1024} KiB`);
  let total = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    const packed = gzipSync(bytes, { level: 9 }).length;
    total += packed;
    console.log(`  ${String(packed).padStart(7)} of ${String(bytes.length).padStart(7)} bytes  ${relative(site, file)}`);
  }
  console.log(`  ${String(total).padStart(7)} bytes in all`);
  assert.ok(total < LIMIT_BYTES, `${total} bytes compressed, ${LIMIT_BYTES} allowed`);

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
    const page = await web.open(path);
    await page.waitForTimeout(1500);
    assert.notEqual(await page.title(), '');
    assert.notEqual(await page.getAttribute('html', 'lang'), null, 'the page says its language');
    const links = await page.$$eval('a[href]', (list) => list.map((a) => a.href));
    for (const link of links.filter((href) => href.startsWith(web.origin))) {
      assert.equal((await fetch(link)).status, 200, `${path} links to ${link}`);
    }
    await page.close();
  }
});
