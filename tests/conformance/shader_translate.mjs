// shader_translate.mjs TEXTS OUT: WGSL and HLSL texts through naga, the translator of wgpu.
//
// TEXTS holds what shader_texts wrote. Each WGSL text is validated with every combination of its choices and
// translated into HLSL, Metal, SPIR-V and GLSL; each HLSL text is compiled by glslang and its SPIR-V translated into
// GLSL. The GLSL goes to OUT, where `shader_run translated OUT` runs it and compares with the library. File names
// say what is in them: language.kind.influences.normals.stretch.vert
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [textFolder, outFolder] = process.argv.slice(2);
if (!outFolder) {
  console.error('usage: shader_translate.mjs TEXTS OUT');
  process.exit(2);
}

let naga;
try {
  naga = await import('naga-wasm');
} catch (error) {
  console.log(`skipped: naga does not load (npm ci in tests/): ${error.message.split('\n')[0]}`);
  process.exit(77);
}

// How shader_case.c lays out the palette of its random mesh.
const FIRST = 5;
const STRIDE = 42;
const COUNT = 131;

let count = 0;
let failures = 0;

function fail(name, error) {
  failures++;
  console.log(`FAIL ${name}: ${error.formatted ?? error.message ?? error}`);
}

/** A vertex shader of the text. `normals` null leaves that to the pipeline. */
function wgslShader(kind, influences, normals, stretch) {
  let text = readFileSync(join(textFolder, `wgsl_${kind}`), 'utf8');
  const overridable = 'override mrw_normals: u32 = 2u;';
  if (!text.includes(overridable)) throw new Error(`${overridable} is not in the text`);
  if (normals !== null) text = text.replace(overridable, `const mrw_normals: u32 = ${normals}u;`);
  const more = influences === 8 ? '\n    @location(4) joints_1: vec4<u32>, @location(5) weights_1: vec4<f32>,' : '';
  const taken = influences === 8 ? 'mrw_eight(joints, weights, joints_1, weights_1)' : 'mrw_four(joints, weights)';
  const stretched = stretch ? 'mrw_stretch(position, normal, first, influences)' : 'mrw_skinned(position, normal)';
  return `${text}
struct vertex_out {
    @builtin(position) place: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@vertex
fn main(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>,
    @location(2) joints: vec4<u32>, @location(3) weights: vec4<f32>,${more}
    @builtin(instance_index) instance: u32) -> vertex_out {
    let first = ${FIRST}u + instance * ${STRIDE}u;
    let influences = ${taken};
    let v = ${stretched};
    let skinned = mrw_skin(v.position, v.normal, first, influences);
    return vertex_out(vec4<f32>(skinned.position, 1.0), skinned.position, skinned.normal);
}
`;
}

function hlslShader(kind, influences, normals, stretch, constantBuffer) {
  const defines = [`MRW_INFLUENCES ${influences}`, `MRW_NORMALS ${normals}`];
  if (stretch) defines.push('MRW_STRETCH');
  if (constantBuffer) defines.push('MRW_PALETTE_UNIFORM', `MRW_PALETTE_CAPACITY ${COUNT}`);
  const text = readFileSync(join(textFolder, `hlsl_${kind}`), 'utf8');
  const eight = influences === 8;
  return `${defines.map((define) => `#define ${define}\n`).join('')}${text}
struct vertex_out {
    float4 place : SV_Position;
    [[vk::location(0)]] float3 position : POSITION;
    [[vk::location(1)]] float3 normal : NORMAL;
};
vertex_out main([[vk::location(0)]] float3 position : POSITION, [[vk::location(1)]] float3 normal : NORMAL,
                [[vk::location(2)]] uint4 joints : JOINTS0, [[vk::location(3)]] float4 weights : WEIGHTS0,
                ${eight ? '[[vk::location(4)]] uint4 joints_1 : JOINTS1, [[vk::location(5)]] float4 weights_1 : WEIGHTS1,' : ''}
                uint instance : SV_InstanceID)
{
    mrw_skinned skinned = mrw_skin(position, normal, ${FIRST} + instance * ${STRIDE}, joints, weights
                                   ${eight ? ', joints_1, weights_1' : ''});
    vertex_out result;
    result.place = float4(skinned.position, 1.0);
    result.position = skinned.position;
    result.normal = skinned.normal;
    return result;
}
`;
}

/** Writes GLSL 430 for shader_run, which finds buffers by their binding. */
function writeGlsl(module, name) {
  const options = { version: '430', stage: 'vertex', entryPoint: 'main', flags: { adjustCoordinateSpace: false } };
  const glsl = naga.writeGlsl(module, naga.validate(module), options)
    .replace(/layout\((std\d+)\)([^]*?_group_0_binding_(\d)_vs)/g, 'layout($1, binding = $3)$2');
  writeFileSync(join(outFolder, `${name}.vert`), glsl);
}

function translateWgsl(kind, influences, normals, stretch) {
  const name = `wgsl.${kind}.${influences}.${normals}.${stretch ? 1 : 0}`;
  try {
    const module = naga.parseWgsl(wgslShader(kind, influences, normals, stretch));
    const info = naga.validate(module);
    naga.writeHlsl(module, info);
    naga.writeMsl(module, info, { langVersion: [2, 0] });
    naga.writeSpirv(module, info);
    writeGlsl(module, name);
    naga.validate(naga.parseWgsl(wgslShader(kind, influences, null, stretch)));
  } catch (error) {
    fail(name, error);
  }
  count++;
}

function translateHlsl(kind, influences, normals, stretch, constantBuffer) {
  const name = `hlsl.${kind}.${influences}.${normals}.${stretch ? 1 : 0}`;
  const source = join(outFolder, 'shader.hlsl');
  const spirv = join(outFolder, 'shader.spv');
  try {
    writeFileSync(source, hlslShader(kind, influences, normals, stretch, constantBuffer));
    execFileSync('glslangValidator', ['-D', '-V', '-S', 'vert', '-e', 'main', '-o', spirv, source], { stdio: 'pipe' });
    writeGlsl(naga.parseSpirv(new Uint8Array(readFileSync(spirv))), name);
  } catch (error) {
    fail(name, error.stdout?.toString() || error);
  }
  count++;
}

/** What the other checks rest on: naga sees an error. */
function seesErrors() {
  const good = wgslShader('linear', 4, 2, false);
  for (const bad of [good.replace('mrw_skin(v.', 'mrw_skim(v.'), good.replace('-> vertex_out {', '-> vec3<f32> {')]) {
    try {
      naga.validate(naga.parseWgsl(bad));
      fail('a broken WGSL text', 'passes');
    } catch (error) {
      if (error.kind !== 'parse' && error.kind !== 'validation') throw error;
    }
  }
}

/** The WGSL of docs/shaders.md. */
function checkDocument() {
  const document = readFileSync(new URL('../../docs/shaders.md', import.meta.url), 'utf8');
  const [, shown] = document.match(/```wgsl\n([^]*?)```/);
  try {
    naga.validate(naga.parseWgsl(readFileSync(join(textFolder, 'wgsl_linear'), 'utf8') + shown));
  } catch (error) {
    fail('the WGSL of docs/shaders.md', error);
  }
}

let hasGlslang = true;
try {
  execFileSync('glslangValidator', ['--version'], { stdio: 'pipe' });
} catch {
  hasGlslang = false;
  console.log('skipped: HLSL, as there is no glslangValidator (on Debian: glslang-tools)');
}

rmSync(outFolder, { recursive: true, force: true });
mkdirSync(outFolder, { recursive: true });
seesErrors();
checkDocument();
for (const influences of [4, 8]) {
  for (const normals of [0, 1, 2]) {
    for (const [kind, stretch] of [['linear', false], ['dual_quat', false], ['dual_quat', true]]) {
      translateWgsl(kind, influences, normals, stretch);
      if (hasGlslang) translateHlsl(kind, influences, normals, stretch, normals === 1);
    }
  }
}
rmSync(join(outFolder, 'shader.hlsl'), { force: true });
rmSync(join(outFolder, 'shader.spv'), { force: true });
console.log(`${count} shaders through naga, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
