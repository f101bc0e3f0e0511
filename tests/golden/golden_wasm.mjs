// golden_wasm.mjs FILE WEB [PACK]: the hashes of FILE against both WebAssembly modules, the one without and the one with
// vector instructions: runtime.txt against golden_runtime; with the PACK of golden_pack, real.txt against golden_real.
// WEB is the folder of the web build.
import { existsSync, readFileSync } from 'node:fs';

const [file, web, pack] = process.argv.slice(2);
if (!existsSync(`${web}/CMakeCache.txt`)) {
  console.log('skipped: no golden hashes of WebAssembly without a web build');
  process.exit(77);
}
if (pack && !existsSync(pack)) {
  console.log('skipped: no golden hashes of real files without the shared folder');
  process.exit(77);
}

// name and hash a line, e.g. "sample 3b879317c8586209"
const expected = readFileSync(file, 'utf8').trim();

function textAt(memory, address) {
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

/** "name hash" lines of inputs that the module makes. */
function generatedHashes(golden) {
  const lines = [];
  const count = golden.golden_count();
  for (let i = 0; i < count; i++) {
    const hash = BigInt.asUintN(64, golden.golden_hash(i)).toString(16).padStart(16, '0');
    lines.push(`${textAt(golden.memory, golden.golden_name(i))} ${hash}`);
  }
  return lines.join('\n');
}

/** "file stage hash" lines of the files in the pack. */
function realHashes(golden) {
  const bytes = readFileSync(pack);
  const address = golden.golden_memory(bytes.length) >>> 0;
  new Uint8Array(golden.memory.buffer, address, bytes.length).set(bytes);
  return textAt(golden.memory, golden.golden_real(address, bytes.length)).trim();
}

async function hashes(module) {
  const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
  const golden = instance.exports;
  const text = pack ? realHashes(golden) : generatedHashes(golden);
  return { isa: textAt(golden.memory, golden.golden_isa()), text };
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
