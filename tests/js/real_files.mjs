// All real files and valid cases, at several moments of every clip: what the package says equals what the native
// program prints, float for float (it prints as many digits as tell floats apart), and the scalar and the vector
// build agree bit for bit, also in what the program does not print. Some of them once more as .mrw, packed and with meshes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, parse } from 'node:path';
import test, { after } from 'node:test';
import { marrowPose } from '../conformance/marrow_pose.mjs';
import { filesFrom } from '../conformance/shared_files.mjs';
import { fileAndNeighbours, loadMarrow, marrowProgram } from './package/package_under_test.mjs';

const files = filesFrom(['--shared']);
const packedFolder = mkdtempSync(join(tmpdir(), 'marrow-mrw-'));
after(() => rmSync(packedFolder, { recursive: true }));
const builds = [await loadMarrow({ simd: false }), await loadMarrow({ simd: true })];

const float32 = (numbers) => Float32Array.from(numbers);
const bits = (floats) => Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64');

/** Same numbers; 0 and -0 are one, as printed. */
function assertFloats(actual, printed, what) {
  const expected = float32(printed);
  assert.equal(actual.length, expected.length, what);
  for (let i = 0; i < expected.length; i++) {
    if (actual[i] !== expected[i]) assert.fail(`${what}[${i}]: ${actual[i]}, the program says ${expected[i]}`);
  }
}

/** A 4x4 column-major matrix as three rows. */
const rows = (m) => [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => m[column * 4 + row]));

/** Everything that follows from a pose, as one list of arrays. */
function everything(character, pose) {
  const arrays = [pose.modelMatrices().slice(), pose.scalars.slice()];
  for (const skin of character.skins) {
    const dualQuats = new Float32Array(skin.jointCount * 8);
    const stretches = new Float32Array(skin.jointCount * 12);
    pose.dualQuats(skin, dualQuats, stretches);
    arrays.push(pose.palette(skin), dualQuats, stretches);
  }
  character.instances.forEach(({ mesh }, instance) => {
    for (const method of ['linear', 'dual-quat']) {
      const normals = character.meshes[mesh].normals && new Float32Array(character.meshes[mesh].vertexCount * 3);
      arrays.push(character.skinVertices(pose, instance, { method, normals }));
      if (normals) arrays.push(normals);
    }
  });
  return arrays;
}

/** A crowd's palettes are its characters' palettes. */
function assertCrowd(character, clip, times, other) {
  const crowd = character.createCrowd(times.length * 2);
  times.forEach((timeSeconds, i) => {
    crowd.set(i, { clip, timeSeconds });
    crowd.set(times.length + i, { clip, timeSeconds, otherClip: other, otherTimeSeconds: 0.1, fade: 0.25 });
  });
  crowd.update(0);
  const pose = character.createPose();
  const otherPose = character.createPose();
  for (let i = 0; i < crowd.count; i++) {
    pose.sample(clip, times[i % times.length], { loop: true });
    if (i >= times.length) {
      otherPose.sample(other, 0.1, { loop: true });
      pose.blend([{ pose, weight: 0.75 }, { pose: otherPose, weight: 0.25 }]);
    }
    const model = pose.modelMatrices();
    const expected = new Float32Array(character.paletteCount * 12);
    for (const { skin, joint, paletteFirst } of character.instances) {
      if (skin < 0) expected.set(model.subarray(joint * 12, joint * 12 + 12), paletteFirst * 12);
      else pose.palette(character.skins[skin], expected, paletteFirst * 12);
    }
    const length = character.paletteCount * 12;
    assert.equal(bits(crowd.palette.slice(i * length, (i + 1) * length)), bits(expected), `character ${i} of the crowd`);
    const scalarCount = character.skeleton.scalarCount;
    assert.equal(bits(crowd.scalars.slice(i * scalarCount, (i + 1) * scalarCount)), bits(pose.scalars.slice()));
  }
  for (const object of [crowd, pose, otherPose]) object.dispose();
}

function assertPrinted(character, pose, printed) {
  const model = pose.modelMatrices();
  assert.equal(printed.joints.length, character.skeleton.jointCount);
  printed.joints.forEach((joint, i) => {
    assert.equal(character.skeleton.jointNames[i], joint.name);
    assert.equal(character.skeleton.parents[i], joint.parent);
    const local = pose.joint(i);
    for (const part of ['translation', 'rotation', 'scale']) assertFloats(local[part], joint[part], `${joint.name} ${part}`);
    assertFloats(model.subarray(i * 12, i * 12 + 12), rows(joint.model), `${joint.name} model`);
  });
  printed.meshes.forEach((mesh, i) => {
    assertFloats(character.skinVertices(pose, i), mesh.positions.flat(), `mesh ${mesh.name} at ${mesh.node}`);
  });
  character.instances.forEach(({ mesh, joint, firstScalar }) => {
    const { targetNames } = character.meshes[mesh];
    if (targetNames.length === 0) return;
    const weights = pose.scalars.subarray(firstScalar, firstScalar + targetNames.length);
    assertFloats(weights, printed.morph_weights[character.skeleton.jointNames[joint]], 'morph weights');
  });
}

const packed = files.filter((path) => ['Fox.glb', 'AnimatedMorphCube.gltf'].includes(basename(path))).map((path) => {
  const out = join(packedFolder, `${parse(path).name}.mrw`);
  execFileSync(marrowProgram, ['pack', path, '--meshes', '--preset', 'fast', '-o', out], { stdio: 'ignore' });
  return out;
});

for (const path of [...files, ...packed]) {
  test(basename(path), async () => {
    const { bytes, options } = fileAndNeighbours(path);
    const [scalar, vector] = builds.map((marrow) => marrow.loadCharacter(bytes, options));
    const moments = [{ clip: -1, time: 0 }];
    scalar.clips.forEach(({ durationSeconds }, clip) => {
      for (const part of [0, 0.37, 1]) moments.push({ clip, time: Math.fround(durationSeconds * part) });
    });
    const poses = [scalar.createPose(), vector.createPose()];
    for (const { clip, time } of moments) {
      [scalar, vector].forEach((character, i) => (clip < 0 ? poses[i].toRest() : poses[i].sample(character.clips[clip], time)));
      const [a, b] = [everything(scalar, poses[0]), everything(vector, poses[1])];
      a.forEach((array, i) => assert.equal(bits(b[i]), bits(array), `array ${i} of both builds at ${time} s of clip ${clip}`));
    }
    // The program starts once a moment, which takes its time with large files: some of the moments.
    const printedMoments = moments.filter((_, i) => i === 0 || i % Math.ceil(moments.length / 7) === 1);
    for (const { clip, time } of printedMoments) {
      const args = clip < 0 ? [] : ['--clip', String(clip), '--time', String(time)];
      const printed = await marrowPose(marrowProgram, [path, ...args, '--vertices', '--morphs']);
      if (clip < 0) poses[0].toRest();
      else poses[0].sample(scalar.clips[clip], time);
      assertPrinted(scalar, poses[0], printed);
      assert.deepEqual(scalar.diagnostics.map(({ code, count }) => ({ code, count })),
        printed.diagnostics.map(({ code, count }) => ({ code, count })));
    }
    const [first, second = first] = vector.clips;
    if (first) assertCrowd(vector, first, [0, 0.3, 1.7], second);
    for (const object of [...poses, scalar, vector]) object.dispose();
  });
}
