// golden_wasm.mjs FILE WEB: the hashes of FILE (runtime.txt) against both WebAssembly modules of golden_runtime, the one
// without and the one with vector instructions. WEB is the folder of the web build.
import { existsSync, readFileSync } from 'node:fs';

const [file, web] = process.argv.slice(2);
if (!existsSync(`${web}/CMakeCache.txt`)) {
  console.log('skipped: no golden hashes of WebAssembly without a web build');
  process.exit(77);
}

// name and hash a line, e.g. "sample 3b879317c8586209"
const expected = readFileSync(file, 'utf8').trim();

function textAt(memory, address) {
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

async function hashes(module) {
  const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
  const golden = instance.exports;
  const lines = [];
  const count = golden.golden_count();
  for (let i = 0; i < count; i++) {
    const hash = BigInt.asUintN(64, golden.golden_hash(i)).toString(16).padStart(16, '0');
    lines.push(`${textAt(golden.memory, golden.golden_name(i))} ${hash}`);
  }
  return { isa: textAt(golden.memory, golden.golden_isa()), text: lines.join('\n') };
}

for (const [module, isa] of [['golden.wasm', 'scalar'], ['golden-simd.wasm', 'wasm128']]) {
  const found = await hashes(`${web}/wasm/${module}`);
  if (found.isa !== isa) {
    console.error(`${module}: the instruction set is ${found.isa}, not ${isa}`);
    process.exitCode = 1;
  }
  if (found.text !== expected) {
    console.error(`${module}: expected\n${expected}\nbut found\n${found.text}`);
    process.exitCode = 1;
  }
  console.log(`${module}: ${isa}, ${found.text === expected ? 'as recorded' : 'failed'}`);
}
