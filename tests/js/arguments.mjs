// Wrong arguments: named in words, and nothing is written where it does not belong.
import assert from 'node:assert/strict';
import test from 'node:test';
import { MarrowError, arm, asset, loadMarrow } from './package/package_under_test.mjs';

const fox = asset('gltf/Fox.glb');
const marrow = await loadMarrow();
const character = marrow.loadCharacter(fox);
const { skeleton, clips: [clip], skins: [skin] } = character;
const other = arm(marrow);
const pose = character.createPose();
pose.modelMatrices();
const crowd = character.createCrowd(4);

/** @param {() => void} call @param {RegExp} message @param {string} [name] */
const throws = (call, message, name = 'TypeError') => assert.throws(call, { name, message });
const mismatch = { name: 'MarrowError', status: 'MRW_ERR_SKELETON_MISMATCH' };

test('loadCharacter', () => {
  throws(() => marrow.loadCharacter('Fox.glb'), /^bytes: "Fox.glb" is neither an ArrayBuffer nor a Uint8Array$/);
  throws(() => marrow.loadCharacter(undefined), /^bytes: undefined/);
  throws(() => marrow.loadCharacter(fox, { maxInfluences: 1.5 }), /^maxInfluences: 1.5 is not a whole number/, 'RangeError');
  throws(() => marrow.loadCharacter(fox, { files: { 'a.bin': 'text' } }), /^files\["a.bin"\]: "text"/);
  assert.throws(() => marrow.loadCharacter(new ArrayBuffer(0)), MarrowError);
});

test('texts end at no NUL of their own', () => {
  throws(() => marrow.createSkeleton([{ name: 'arm\0left', parent: -1 }]), /^"arm\\u0000left": a text cannot hold/, 'RangeError');
  throws(() => skeleton.findJoint('b\0'), /a text cannot hold/, 'RangeError');
});

test('sample', () => {
  throws(() => pose.sample('Walk', 0), /^clip: "Walk" is not a Clip$/);
  throws(() => pose.sample(undefined, 0), /^clip: undefined is not a Clip$/);
  throws(() => pose.sample(clip, NaN), /^timeSeconds: NaN is not a finite number$/);
  throws(() => pose.sample(clip, Infinity), /^timeSeconds/);
  throws(() => pose.sample(clip), /^timeSeconds: undefined/);
  assert.throws(() => pose.sample(other.bend, 0), mismatch);
});

test('objects of another module', async () => {
  const elsewhere = await loadMarrow({ simd: false });
  const stranger = elsewhere.loadCharacter(fox);
  const belongs = /belongs to what another loadMarrow\(\) returned/;
  throws(() => pose.sample(stranger.clips[0], 0), belongs);
  throws(() => pose.palette(stranger.skins[0]), belongs);
  throws(() => pose.copy(stranger.createPose()), belongs);
  throws(() => character.skinVertices(stranger.createPose(), 0), belongs);
  throws(() => crowd.set(0, { clip: stranger.clips[0], timeSeconds: 0 }), belongs);
  throws(() => skeleton.createCrowd(stranger.skins[0], 1), belongs);
});

test('blend and copy', () => {
  throws(() => pose.blend([{ pose, weight: NaN }]), /^layers\[0\].weight: NaN/);
  throws(() => pose.blend([{ pose: {}, weight: 1 }]), /^layers\[0\].pose: Object is not a Pose$/);
  assert.throws(() => pose.blend([{ pose, weight: -1 }]), MarrowError);
  const alien = other.skeleton.createPose();
  assert.throws(() => pose.blend([{ pose, weight: 1 }, { pose: alien, weight: 1 }]), mismatch);
  assert.throws(() => pose.copy(alien), mismatch);
  throws(() => pose.copy(null), /^other: null is not a Pose$/);
});

test('joints', () => {
  for (const index of [26, -1, 1.5, NaN, undefined, '0']) {
    throws(() => pose.joint(index), /^index: .* is not an index below 26$/, 'RangeError');
    throws(() => pose.setJoint(index, {}), /^index: /, 'RangeError');
  }
  throws(() => pose.setJoint(0, { translation: [1, 2] }), /^translation: 2 numbers where 3 are needed$/, 'RangeError');
  throws(() => pose.setJoint(0, { rotation: [0, 0, 0, NaN] }), /^rotation\[3\]: NaN is not a finite number$/);
  throws(() => pose.setJoint(0, { translation: [0, -1e39, 0] }), /^translation\[1\]: -1e\+39 is more than a 32-bit float holds$/, 'RangeError');
  throws(() => pose.setJoint(0, { scale: 2 }), /^scale: 2 is not a list of numbers$/);
});

test('arrays for results', () => {
  const length = skin.jointCount * 12;
  throws(() => pose.palette(skin, new Float32Array(length - 1)), /^out: 288 floats from 0 on do not fit into 287$/, 'RangeError');
  throws(() => pose.palette(skin, new Float32Array(length), 1), /^out: 288 floats from 1 on do not fit into 288$/, 'RangeError');
  for (const offset of [-1, 0.5, NaN]) throws(() => pose.palette(skin, new Float32Array(length * 2), offset), /^offset: /, 'RangeError');
  throws(() => pose.palette(skin, new Float64Array(length)), /^out: Float64Array is not a Float32Array$/);
  throws(() => pose.palette(skin, []), /^out: Array is not a Float32Array$/);
  assert.throws(() => pose.palette(other.skin), mismatch);
  throws(() => pose.palette(clip), /^skin: Clip is not a Skin$/);

  throws(() => pose.dualQuats(skin), /^out: undefined/);
  throws(() => pose.dualQuats(skin, new Float32Array(8)), /^out: 192 floats/, 'RangeError');
  throws(() => pose.dualQuats(skin, new Float32Array(192), new Float32Array(1)), /^stretches: 288 floats/, 'RangeError');
  assert.throws(() => pose.dualQuats(other.skin, new Float32Array(16)), mismatch);

  throws(() => character.skinVertices(pose, 1), /^instance: 1 is not an index below 1$/, 'RangeError');
  throws(() => character.skinVertices(pose, 0, { positions: new Float32Array(3) }), /^positions: /, 'RangeError');
  throws(() => character.skinVertices(pose, 0, { normals: new Float32Array(1728 * 3) }), /^normals: the mesh has none$/);
  throws(() => character.skinVertices(pose, 0, { method: 'magic' }), /^method: "magic" is none of linear, dual-quat$/, 'RangeError');
  throws(() => character.skinVertices({}, 0), /^pose: Object is not a Pose$/);
  const alien = other.skeleton.createPose();
  alien.modelMatrices();
  assert.throws(() => character.skinVertices(alien, 0), mismatch);
});

test('what needs model matrices says so', () => {
  const fresh = character.createPose();
  throws(() => fresh.palette(skin), /^palette: call modelMatrices\(\) of the pose first$/);
  throws(() => fresh.dualQuats(skin, new Float32Array(192)), /^dualQuats: call modelMatrices/);
  throws(() => character.skinVertices(fresh, 0), /^skinVertices: call modelMatrices/);
});

test('a palette stays within its range', () => {
  const length = skin.jointCount * 12;
  const out = new Float32Array(length + 20).fill(7);
  assert.equal(pose.palette(skin, out, 10), out);
  assert.deepEqual(out.subarray(0, 10), new Float32Array(10).fill(7));
  assert.deepEqual(out.subarray(length + 10), new Float32Array(10).fill(7));
  assert.deepEqual(out.subarray(10, length + 10), pose.palette(skin));
});

test('crowds', () => {
  throws(() => character.createCrowd(-1), /^count: -1 is not a whole number/, 'RangeError');
  throws(() => character.createCrowd(), /^count: undefined/, 'RangeError');
  throws(() => skeleton.createCrowd(clip, 1), /^skin: Clip is not a Skin$/);
  assert.throws(() => skeleton.createCrowd(other.skin, 1), mismatch);
  const state = { clip, timeSeconds: 0 };
  throws(() => crowd.set(4, state), /^index: 4 is not an index below 4$/, 'RangeError');
  throws(() => crowd.set(0, { ...state, clip: null }), /^clip: null is not a Clip$/);
  throws(() => crowd.set(0, { ...state, timeSeconds: NaN }), /^timeSeconds: NaN/);
  throws(() => crowd.set(0, { ...state, speed: '2' }), /^speed: "2"/);
  throws(() => crowd.set(0, { ...state, otherClip: clip, fade: 1.01 }), /^fade: 1.01 is not from 0 to 1$/, 'RangeError');
  throws(() => crowd.set(0, { ...state, otherClip: clip, fade: NaN }), /^fade: NaN/, 'RangeError');
  throws(() => crowd.set(0, { ...state, otherClip: clip, fadePerSecond: Infinity }), /^fadePerSecond/);
  assert.throws(() => crowd.set(0, { clip: other.bend, timeSeconds: 0 }), mismatch);
  assert.throws(() => crowd.set(0, { ...state, otherClip: other.bend }), mismatch);
  throws(() => crowd.update(NaN), /^elapsedSeconds: NaN/);
  throws(() => crowd.update(), /^elapsedSeconds: undefined/);
  crowd.set(0, state);
  crowd.update(1e12);
  crowd.update(-1e18);
  assert.ok(crowd.palette.every(Number.isFinite));
  const empty = character.createCrowd(0);
  empty.update(1);
  assert.equal(empty.palette.length, 0);
});

test('descriptions', () => {
  const build = (joint) => marrow.createSkeleton([joint]);
  throws(() => marrow.createSkeleton('a'), /^joints: not an array$/);
  throws(() => build({ parent: -1, name: 5 }), /^joints\[0\].name: not a string$/);
  throws(() => build({ name: 'a' }), /^joints\[0\].parent: undefined/, 'RangeError');
  throws(() => build({ parent: -1, rotation: [0, 0, 0] }), /^joints\[0\].rotation: 3 numbers/, 'RangeError');
  assert.throws(() => build({ parent: 3 }), { name: 'MarrowError', status: 'MRW_ERR_INDEX_RANGE', detail: 'joints[0].parent' });
  assert.throws(() => build({ parent: 0 }), { name: 'MarrowError', status: 'MRW_ERR_NODE_CYCLE' });
  throws(() => marrow.createSkeleton([], [{ name: 'smile', rest: NaN }]), /^scalars\[0\].rest: NaN/);

  const track = { kind: 'translation', target: 0, times: [0], values: [0, 0, 0] };
  const clipOf = (changes) => other.skeleton.createClip('x', [{ ...track, ...changes }]);
  throws(() => clipOf({ kind: 'shear' }), /^tracks\[0\].kind: "shear" is none of translation, rotation, scale, scalar$/, 'RangeError');
  throws(() => clipOf({ interpolation: 'spline' }), /^tracks\[0\].interpolation/, 'RangeError');
  throws(() => clipOf({ values: [0, 0] }), /^tracks\[0\].values: 2 numbers where 3 are needed$/, 'RangeError');
  throws(() => clipOf({ interpolation: 'cubic' }), /^tracks\[0\].values: 3 numbers where 9 are needed$/, 'RangeError');
  throws(() => clipOf({ target: -1 }), /^tracks\[0\].target/, 'RangeError');
  assert.throws(() => clipOf({ target: 2 }), { name: 'MarrowError', status: 'MRW_ERR_JOINT_RANGE' });
  assert.throws(() => clipOf({ times: [1, 0], values: [0, 0, 0, 0, 0, 0] }), { name: 'MarrowError', status: 'MRW_ERR_INVALID_VALUE' });
  throws(() => other.skeleton.createClip('x', [], -1), /^durationSeconds: -1 is negative$/, 'RangeError');
  throws(() => other.skeleton.createClip(7, []), /^name: not a string$/);

  assert.throws(() => other.skeleton.createSkin([]), { name: 'MarrowError', status: 'MRW_ERR_INVALID_ARGUMENT' });
  assert.throws(() => other.skeleton.createSkin([2]), { name: 'MarrowError', status: 'MRW_ERR_JOINT_RANGE' });
  throws(() => other.skeleton.createSkin([0.5]), /^joints\[0\]: 0.5/, 'RangeError');
  throws(() => other.skeleton.createSkin([0], [1, 0, 0, 0]), /^inverseBinds: 4 numbers where 12 are needed$/, 'RangeError');
});

test('after all of that everything still works', () => {
  const again = marrow.loadCharacter(fox);
  const values = again.createPose().sample(again.clips[1], 0.25).modelMatrices();
  assert.deepEqual(values, pose.sample(character.clips[1], 0.25).modelMatrices());
});
