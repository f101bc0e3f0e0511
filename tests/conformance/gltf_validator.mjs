// The Khronos glTF validator on a file, with the files that it names.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createRequire } from 'node:module';

const SEVERITIES = ['error', 'warning', 'info', 'hint'];

/**
 * The validator's function, or null where it is not installed.
 * @returns {((path: string) => Promise<{code: string, severity: string, pointer: string, message: string}[]>) | null}
 */
export function loadValidator() {
  let validator;
  try {
    validator = createRequire(import.meta.url)('gltf-validator');
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
  return async (path) => {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
      uri: basename(path),
      maxIssues: 0, // all of them
      externalResourceFunction: async (uri) =>
        new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
    });
    return report.issues.messages.map(({ code, severity, pointer, message }) =>
      ({ code, severity: SEVERITIES[severity], pointer, message }));
  };
}
