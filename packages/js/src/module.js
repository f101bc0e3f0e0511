// Finding, compiling and starting the WebAssembly.

// (func (drop (i8x16.splat (i32.const 0)))): an engine without vector instructions refuses it.
const SIMD_PROBE = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // header
  1, 4, 1, 0x60, 0, 0, // one type: no parameters, no results
  3, 2, 1, 0, // one function of it
  10, 9, 1, 7, 0, 0x41, 0, 0xfd, 15, 0x1a, 11, // its body
]);

export function hasSimd() {
  return WebAssembly.validate(SIMD_PROBE);
}

/** Node's, where there is one. @type {{ cwd(): string, versions?: { node?: string } } | undefined} */
const process = /** @type {any} */ (globalThis).process;

/** @param {URL} url @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function readFile(url) {
  // Named by a variable, so that bundlers for browsers do not look for it.
  const name = 'node:fs/promises';
  const { readFile: read } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  return read(url);
}

/** @param {URL} url @returns {Promise<WebAssembly.Module>} */
async function compileFrom(url) {
  if (url.protocol === 'file:' && process?.versions?.node) return WebAssembly.compile(await readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status} ${response.statusText}`);
  // Compiling while it comes in needs the right type from the server; many static ones do not know it.
  if (response.headers.get('content-type')?.startsWith('application/wasm') && WebAssembly.compileStreaming) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @param {string} text @returns {URL} relative to the page; in node to the working folder */
function urlOf(text) {
  if (globalThis.document?.baseURI) return new URL(text, document.baseURI);
  if (globalThis.location?.href) return new URL(text, location.href);
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return new URL(text);
  return new URL(text, `file://${(process?.cwd() ?? '').replace(/[%?#]/g, encodeURIComponent)}/`);
}

/** @param {import('./marrow.d.ts').LoadOptions} options @returns {Promise<WebAssembly.Module>} */
async function compile({ wasm, simd }) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(/** @type {BufferSource} */ (wasm));
  if (wasm !== undefined) return compileFrom(wasm instanceof URL ? wasm : urlOf(String(wasm)));
  // Written out, so that bundlers see which files to take along.
  return compileFrom(simd ?? hasSimd()
    ? new URL('./marrow-simd.wasm', import.meta.url)
    : new URL('./marrow.wasm', import.meta.url));
}

/** @param {import('./marrow.d.ts').LoadOptions} options @returns {Promise<WebAssembly.Exports>} */
export async function instantiate(options) {
  const { exports } = await WebAssembly.instantiate(await compile(options), options.imports ?? {});
  return exports;
}
