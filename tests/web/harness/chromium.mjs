// Finds and starts Chromium, drawing WebGL in software so that every machine draws the same.
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

// The second group keeps a browser without network from knocking at the network.
const FLAGS = [
  '--no-sandbox', '--disable-gpu-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist', '--force-color-profile=srgb',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

/** The path of Chromium: what the environment variable CHROMIUM names, else the first of its usual names in PATH. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : NAMES;
  for (const name of names) {
    const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
    const found = candidates.map(executable).find(Boolean);
    if (found) return found;
  }
  return undefined;
}

/** playwright-core's Browser, with an empty profile of its own. @param {string} executablePath */
export async function launchChromium(executablePath) {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, headless: true, args: FLAGS, timeout: 60000 });
}
