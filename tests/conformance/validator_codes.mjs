// node validator_codes.mjs MARROW FILE... | MARROW --shared
//
// Diagnostics of `marrow pose` that carry a code of the Khronos validator are ones that the validator
// reports about that file too. What only the validator reports, or reports with another severity, is told
// and no failure: Marrow looks at what matters for animation. Exits with 77 (skipped) if the validator is
// not installed.
import { basename } from 'node:path';
import { loadValidator } from './gltf_validator.mjs';
import { marrowPose } from './marrow_pose.mjs';
import { filesFrom } from './shared_files.mjs';

const [marrow, ...args] = process.argv.slice(2);
const paths = filesFrom(args);
const validate = loadValidator();
if (!validate) {
  console.log('skipped: gltf-validator is not installed (npm ci in tests/)');
  process.exit(77);
}

let failures = 0;
let agreed = 0;
for (const path of paths) {
  const { diagnostics } = await marrowPose(marrow, [path]);
  const issues = await validate(path);
  const severities = new Map(issues.map(({ code, severity }) => [code, severity]));
  const lines = [];
  for (const { code, severity, where } of diagnostics) {
    if (code.startsWith('MRW_')) continue;
    if (!severities.has(code)) {
      failures++;
      lines.push(`FAILED: only Marrow reports ${code} (${where})`);
    } else {
      agreed++;
      if (severities.get(code) !== severity) {
        lines.push(`${code}: ${severity} here, ${severities.get(code)} there`);
      }
    }
  }
  const ours = new Set(diagnostics.map(({ code }) => code));
  const theirs = [...severities].filter(([code, severity]) =>
    !ours.has(code) && (severity === 'error' || severity === 'warning')).map(([code]) => code);
  if (theirs.length) lines.push(`only the validator reports ${theirs.join(', ')}`);
  if (lines.length) console.log([basename(path), ...lines].join('\n       '));
}
console.log(`${agreed} diagnostics with a validator's code agree, ${failures} do not`);
process.exit(failures ? 1 : 0);
