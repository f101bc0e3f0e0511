// What every test of a page does: serve, start Chromium, listen for trouble, keep screenshots, clean up.
//
//     import assert from 'node:assert/strict';
//     import { webTest } from './harness/web_test.mjs';
//
//     await webTest(import.meta.url, async (web) => {
//       const page = await web.open('index.html', { width: 390, height: 800, colorScheme: 'dark' });
//       web.step('the button says go');
//       assert.equal(await page.textContent('#go'), 'Go');
//       await web.screenshot(page, 'phone');      // BUILD/web/screenshots/<test>_phone.png, and its pixels
//     });
//
// Any error on the console, uncaught error, failed request, answer of 400 and up, request to another host, and
// any error that WebGL reports as a warning fails the test at its end, whatever else was asserted.
//
// A test is started as  node <test>.mjs BUILD/web [MARROW]  and ends with 77 and one line where Chromium,
// playwright-core or the built pages are missing.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, launchChromium } from './chromium.mjs';
import { decodePng } from './pictures.mjs';
import { serve } from './static_server.mjs';

const WEBGL_TROUBLE = /WebGL.*(INVALID_|error|lost)|GL_INVALID|GL ERROR/;

/** Ends the process as skipped. @param {string} why */
export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/** The built web folder, from the command line. */
export function builtFolder() {
  const folder = process.argv[2];
  if (!folder) {
    console.error(`wrong usage: node ${basename(process.argv[1])} BUILD/web [MARROW]`);
    process.exit(2);
  }
  return resolve(folder);
}

class WebTest {
  constructor(name, browser, server, folder) {
    this.name = name;
    this.browser = browser;
    /** "http://127.0.0.1:PORT" */
    this.origin = server.origin;
    this.folder = folder;
    this.screenshots = join(folder, 'screenshots');
    /** What went wrong on the pages so far, one line each. */
    this.trouble = [];
    this.pages = [];
    this.current = 'start';
    mkdirSync(this.screenshots, { recursive: true });
  }

  /** Names what is tested next; a failure says it. @param {string} text */
  step(text) {
    this.current = text;
    console.log(`- ${text}`);
  }

  /**
   * Opens a page in a context of its own and waits until it is loaded.
   * @param {string} path below the server's root
   * @param {{width?: number, height?: number, colorScheme?: 'light' | 'dark', scale?: number, touch?: boolean,
   *   reducedMotion?: boolean, ignore?: RegExp, before?: (page: import('playwright-core').Page) => unknown}} [options]
   *   ignore: trouble that this page is meant to have; before: called with the page before it loads
   * @returns {Promise<import('playwright-core').Page>}
   */
  async open(path, options = {}) {
    const context = await this.browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      colorScheme: options.colorScheme ?? 'light',
      deviceScaleFactor: options.scale ?? 1,
      hasTouch: options.touch ?? false,
      reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    });
    // Nothing but our own server: the pages have to work without a network.
    await context.route('**/*', (route) => {
      const url = route.request().url();
      return /^(data|blob):/.test(url) || new URL(url).origin === this.origin ? route.continue() : route.abort();
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    const note = (what) => {
      if (!options.ignore?.test(what)) this.trouble.push(`${path}: ${what} (at: ${this.current})`);
    };
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error') note(`console: ${text}`);
      else if (message.type() === 'warning' && WEBGL_TROUBLE.test(text)) note(`console: ${text}`);
    });
    page.on('pageerror', (error) => note(`uncaught: ${error.stack ?? error}`));
    page.on('crash', () => note('the page crashed'));
    page.on('requestfailed', (request) => note(`request failed: ${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      if (response.status() >= 400) note(`answer ${response.status()}: ${response.url()}`);
    });
    this.pages.push(page);
    await options.before?.(page);
    await page.goto(new URL(path, `${this.origin}/`).href, { waitUntil: 'load' });
    return page;
  }

  /**
   * Keeps a picture of a page, or of one element of it, as BUILD/web/screenshots/<test>_<label>.png.
   * @param {import('playwright-core').Page | import('playwright-core').Locator} what
   * @param {string} label @returns {Promise<import('./pictures.mjs').Picture>}
   */
  async screenshot(what, label, options = {}) {
    const path = join(this.screenshots, `${this.name}_${label}.png`);
    return decodePng(await what.screenshot({ path, ...options }));
  }

  /**
   * Drops files on an element as a hand would: dragenter, dragover, drop.
   * @param {import('playwright-core').Page} page @param {string} selector
   * @param {{name: string, bytes: Uint8Array, type?: string}[]} files
   */
  async dropFiles(page, selector, files) {
    const packed = files.map(({ name, bytes, type }) => ({ name, type, base64: Buffer.from(bytes).toString('base64') }));
    await page.locator(selector).evaluate((element, list) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: type ?? '' }));
      }
      const box = element.getBoundingClientRect();
      for (const event of ['dragenter', 'dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(event, {
          bubbles: true, cancelable: true, composed: true, dataTransfer: transfer,
          clientX: box.left + box.width / 2, clientY: box.top + box.height / 2,
        }));
      }
    }, packed);
  }

  /** Whether `marrow render` can be asked: the program was named and draws. */
  get canRender() {
    return Boolean(process.argv[3]) && existsSync(process.argv[3]);
  }

  /**
   * A picture of the native `marrow render`, kept beside the screenshots.
   * @param {string} label @param {string[]} args the file and options, without -o
   */
  render(label, args) {
    const path = join(this.screenshots, `${this.name}_${label}.png`);
    execFileSync(process.argv[3], ['render', ...args, '-o', path], { stdio: ['ignore', 'ignore', 'inherit'] });
    return decodePng(readFileSync(path));
  }
}

/**
 * Runs a test of pages and ends the process: 0, 1 with the reason, or 77.
 * @param {string} url import.meta.url of the test, which gives it its name
 * @param {(web: WebTest) => Promise<void>} body
 * @param {{mounts?: Record<string, string>, part?: string, isolated?: boolean, wasmType?: string}} [options]
 *   mounts: folders to serve besides the site (see static_server.mjs); "/" replaces the site. part: the folder below
 *   BUILD/web that is served at "/", default "site"
 */
export async function webTest(url, body, options = {}) {
  const name = basename(fileURLToPath(url), '.mjs');
  const folder = builtFolder();
  const root = options.mounts?.['/'] ?? join(folder, options.part ?? 'site');
  if (!existsSync(root)) skip(`the web pages are not built: there is no ${root}`);
  const chromium = findChromium();
  if (!chromium) skip('no Chromium (install chromium, or let CHROMIUM name one)');
  let browser;
  try {
    browser = await launchChromium(chromium);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') skip('no playwright-core (npm ci in tests/)');
    throw error;
  }
  const server = await serve({ ...options.mounts, '/': root }, options);
  const web = new WebTest(name, browser, server, folder);
  let failed = false;
  try {
    await body(web);
  } catch (error) {
    failed = true;
    console.error(`FAILED at: ${web.current}\n${error.stack ?? error}`);
    for (const [i, page] of web.pages.entries()) {
      await page.screenshot({ path: join(web.screenshots, `${name}_failed_${i}.png`), timeout: 5000 }).catch(() => {});
    }
  }
  if (web.trouble.length) {
    failed = true;
    console.error(`trouble on the pages:\n  ${web.trouble.join('\n  ')}`);
  }
  await browser.close();
  await server.close();
  if (!failed) console.log(`ok: pictures in ${web.screenshots}`);
  process.exit(failed ? 1 : 0);
}
