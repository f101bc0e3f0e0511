// How long memory lives: nothing leaks, nothing dangles, and what is gone says so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { arm, asset, loadMarrow, packageFolder } from './package/package_under_test.mjs';

const fox = asset('gltf/Fox.glb');

/** A module of its own, whose memory can be measured. */
async function measured() {
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate.apply(WebAssembly, args);
    ({ memory } = instance.exports);
    return instance;
  };
  const marrow = await loadMarrow({ wasm: readFileSync(join(packageFolder, 'marrow.wasm')) });
  WebAssembly.instantiate = instantiate;
  return { marrow, size: () => memory.buffer.byteLength };
}

function useEverything(marrow) {
  const character = marrow.loadCharacter(fox);
  const [clip, other] = character.clips;
  const [skin] = character.skins;
  const pose = character.createPose().sample(clip, 0.5);
  pose.blend([{ pose, weight: 1 }]);
  pose.modelMatrices();
  pose.palette(skin);
  pose.dualQuats(skin, new Float32Array(skin.jointCount * 8));
  character.skinVertices(pose, 0, { method: 'dual-quat' });
  const crowd = character.createCrowd(50);
  crowd.set(3, { clip, timeSeconds: 0, otherClip: other, fade: 0.5 });
  crowd.update(0.1);
  const built = arm(marrow);
  const oneSkin = built.skeleton.createCrowd(built.skin, 4);
  oneSkin.set(0, { clip: built.bend, timeSeconds: 0 });
  oneSkin.update(0.1);
  assert.throws(() => marrow.loadCharacter(fox.subarray(0, 1000)));
  assert.throws(() => built.skeleton.createClip('twice', [0, 0].map(() => ({ kind: 'scale', target: 0, times: [0], values: [1, 1, 1] }))));
  return [character, pose, crowd, ...Object.values(built), oneSkin];
}

test('a thousand rounds of everything take no more memory than the first ones', async () => {
  const { marrow, size } = await measured();
  let first = 0;
  for (let round = 0; round < 1000; round++) {
    const objects = useEverything(marrow);
    // Neither order leaves anything.
    for (const object of round % 2 ? objects : objects.reverse()) object.dispose();
    if (round === 1) first = size();
  }
  assert.equal(size(), first);
});

test('what is forgotten is freed when the engine collects it', async () => {
  const { marrow, size } = await measured();
  let first = 0;
  for (let round = 0; round < 60; round++) {
    useEverything(marrow);
    globalThis.gc();
    await wait(0);
    if (round === 10) first = size();
  }
  assert.ok(size() <= first * 1.5, `${first} bytes after ten rounds, ${size()} after sixty`);
});

test('a view keeps its owner from being collected', async () => {
  const { marrow } = await measured();
  const { skeleton, bend } = arm(marrow);
  const matrices = (() => skeleton.createPose().sample(bend, 1).modelMatrices())();
  const before = Array.from(matrices);
  // What takes the place of a pose that was freed.
  const others = [];
  for (let round = 0; round < 5; round++) {
    globalThis.gc();
    await wait(0);
    others.push(skeleton.createPose());
    others.at(-1).modelMatrices();
  }
  assert.deepEqual(Array.from(matrices), before);
  assert.equal(before[3], 4);
});

test('a disposed object says so', async () => {
  const marrow = await loadMarrow();
  const character = marrow.loadCharacter(fox);
  const { skeleton, clips: [clip], skins: [skin], meshes: [mesh] } = character;
  const pose = character.createPose();
  const crowd = character.createCrowd(1);
  clip.dispose(); // belongs to the character: nothing happens
  pose.sample(clip, 0);
  character.dispose();
  character.dispose(); // once more does nothing

  const gone = { name: 'TypeError', message: /this Character was disposed/ };
  assert.throws(() => character.createPose(), { name: 'TypeError', message: /Skeleton was disposed with its Character/ });
  assert.throws(() => character.createCrowd(1), gone);
  assert.throws(() => mesh.positions, gone);
  assert.throws(() => mesh.texcoords, gone);
  assert.throws(() => character.skinVertices(pose, 0), gone);
  assert.throws(() => skeleton.createPose(), { message: /Skeleton was disposed with its Character/ });
  assert.throws(() => skeleton.findJoint('x'), { message: /disposed/ });
  assert.throws(() => clip.jointTracks(0), { message: /Clip was disposed with its Character/ });
  assert.throws(() => pose.sample(clip, 0), { message: /Clip was disposed with its Character/ });
  pose.modelMatrices();
  assert.throws(() => pose.palette(skin), { message: /Skin was disposed with its Character/ });
  assert.throws(() => crowd.set(0, { clip, timeSeconds: 0 }), { message: /Clip was disposed/ });

  pose.dispose();
  for (const use of [() => pose.toRest(), () => pose.scalars, () => pose.modelMatrices(), () => pose.joint(0)]) {
    assert.throws(use, { message: 'this Pose was disposed' });
  }
  crowd.dispose();
  for (const use of [() => crowd.update(0), () => crowd.palette, () => crowd.scalars]) {
    assert.throws(use, { message: 'this Crowd was disposed' });
  }
});

test('poses and crowds outlive what they came from', async () => {
  const marrow = await loadMarrow();
  const { skeleton, bend, skin } = arm(marrow);
  const crowd = skeleton.createCrowd(skin, 2);
  crowd.set(0, { clip: bend, timeSeconds: 0.5 });
  const pose = skeleton.createPose().sample(bend, 0.5);
  for (const object of [bend, skin, skeleton]) object.dispose();
  // Whatever takes their place must not be read.
  for (let i = 0; i < 20; i++) arm(marrow);
  crowd.update(0);
  assert.equal(crowd.palette[3], 2);
  assert.equal(pose.modelMatrices()[3], 2);
});

test('views follow memory as it grows', async () => {
  const { marrow, size } = await measured();
  const character = marrow.loadCharacter(fox);
  const pose = character.createPose().sample(character.clips[0], 0.7);
  const crowd = character.createCrowd(3);
  const [mesh] = character.meshes;
  const old = { matrices: pose.modelMatrices(), palette: crowd.palette, positions: mesh.positions, scalars: pose.scalars };
  const copies = { matrices: old.matrices.slice(), palette: old.palette.slice(), positions: old.positions.slice() };
  assert.equal(crowd.palette, old.palette, 'the same array while memory stands');

  const before = size();
  const large = character.createCrowd(20000);
  assert.ok(size() > before);
  assert.equal(old.palette.length, 0, 'an old view is empty, not wrong');
  assert.deepEqual(pose.modelMatrices(), copies.matrices);
  assert.deepEqual(crowd.palette, copies.palette);
  assert.deepEqual(mesh.positions, copies.positions);
  const out = new Float32Array(24 * 12);
  pose.palette(character.skins[0], out);
  assert.ok(out.some((value) => value !== 0));
  large.dispose();
});

test('too much is refused in words, and leaves all as it was', async () => {
  const { marrow, size } = await measured();
  const { skeleton, skin, bend } = arm(marrow);
  const before = size();
  assert.throws(() => skeleton.createCrowd(skin, 2 ** 24), { name: 'MarrowError', status: 'MRW_ERR_OUT_OF_MEMORY', detail: 'crowd' });
  assert.throws(() => marrow.loadCharacter({ length: 2 ** 31 }), TypeError);
  assert.equal(size(), before);
  assert.equal(skeleton.createPose().sample(bend, 1).modelMatrices()[3], 4);
});
