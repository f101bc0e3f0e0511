// node validator_clean.mjs FILE...
//
// The Khronos validator finds no error and no warning in files that Marrow wrote. Exits with 77
// (skipped) if the validator is not installed.
import { loadValidator } from './gltf_validator.mjs';

const paths = process.argv.slice(2);
if (!paths.length) {
  console.error('usage: node validator_clean.mjs FILE...');
  process.exit(2);
}
const validate = loadValidator();
if (!validate) {
  console.log('skipped: gltf-validator is not installed (npm ci in tests/)');
  process.exit(77);
}
let good = true;
for (const path of paths) {
  const issues = await validate(path);
  const bad = issues.filter(({ severity }) => severity === 'error' || severity === 'warning');
  console.log(`${bad.length ? 'FAILED' : 'ok    '} ${path}: ${bad.length} errors and warnings, `
    + `${issues.length - bad.length} hints`);
  for (const { code, severity, pointer, message } of bad) {
    console.log(`       ${severity} ${code} ${pointer ?? ''}: ${message}`);
  }
  good &&= bad.length === 0;
}
process.exit(good ? 0 : 1);
