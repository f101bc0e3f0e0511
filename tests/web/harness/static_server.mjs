// A static file server, as plain as the one a user would put the pages on: no listing, no cache, no rewriting.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.txt': 'text/plain; charset=utf-8',
};

/** The file that a path of the URL stands for, or undefined: no such file, or outside the mounted folders. */
function fileAt(path, mounts) {
  let decoded;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const prefix = Object.keys(mounts).sort((a, b) => b.length - a.length).find((p) => decoded.startsWith(p));
  if (prefix === undefined || decoded.includes('\0')) return undefined;
  const inside = normalize(decoded.slice(prefix.length));
  if (inside === '..' || inside.startsWith(`..${sep}`)) return undefined;
  const file = join(mounts[prefix], inside);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return path.endsWith('/') ? fileAt(`${path}index.html`, mounts) : undefined;
  return stats?.isFile() ? file : undefined;
}

/**
 * Serves folders on a free port of the loopback address.
 * @param {Record<string, string>} mounts URL prefix, which ends in "/", to folder; the longest prefix wins
 * @param {{isolated?: boolean, wasmType?: string}} [options] isolated: send what makes a page cross-origin
 *   isolated, for timers of 5 microseconds; wasmType: another type for .wasm, as careless servers send
 * @returns {Promise<{origin: string, close: () => Promise<void>}>}
 */
export function serve(mounts, options = {}) {
  const server = createServer((request, response) => {
    const file = fileAt(new URL(request.url, 'http://localhost').pathname, mounts);
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(file ? 405 : 404, { 'Content-Type': 'text/plain' }).end(file ? 'GET only' : 'no such file');
      return;
    }
    const extension = extname(file);
    const headers = {
      'Content-Type': (extension === '.wasm' && options.wasmType) || TYPES[extension] || 'application/octet-stream',
      'Cache-Control': 'no-store',
    };
    if (options.isolated) {
      headers['Cross-Origin-Opener-Policy'] = 'same-origin';
      headers['Cross-Origin-Embedder-Policy'] = 'require-corp';
    }
    response.writeHead(200, headers);
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).on('error', () => response.destroy()).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      resolve({
        origin: `http://127.0.0.1:${server.address().port}`,
        close: () => new Promise((done) => {
          server.close(done);
          server.closeAllConnections?.();
        }),
      });
    });
  });
}
