// Characters without a file: right values of skeletons, clips, skins, poses and crowds, by arithmetic that fits here.
import assert from 'node:assert/strict';
import test from 'node:test';
import { arm, loadMarrow } from './package/package_under_test.mjs';

const marrow = await loadMarrow();
const half = Math.SQRT1_2; // sine and cosine of an eighth of a turn

/** @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected */
function near(actual, expected, tolerance = 1e-6) {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < expected.length; i++) {
    assert.ok(Math.abs(actual[i] - expected[i]) <= tolerance, `[${i}]: ${actual[i]} instead of ${expected[i]}`);
  }
}

test('joints in any order come out parents first', () => {
  const skeleton = marrow.createSkeleton([
    { name: 'hand', parent: 1, translation: [0, 1, 0] },
    { name: 'arm', parent: 2, translation: [0, 2, 0] },
    { name: 'root', parent: -1 },
  ], [{ name: 'smile', rest: 0.25 }, { name: 'frown' }]);
  assert.deepEqual([...skeleton.order], [2, 1, 0]);
  assert.deepEqual(skeleton.jointNames, ['root', 'arm', 'hand']);
  assert.deepEqual([...skeleton.parents], [-1, 0, 1]);
  assert.deepEqual(skeleton.scalarNames, ['smile', 'frown']);
  assert.equal(skeleton.jointCount, 3);
  assert.equal(skeleton.scalarCount, 2);
  assert.equal(skeleton.findJoint('hand'), 2);
  assert.equal(skeleton.findJoint('foot'), -1);
  const pose = skeleton.createPose();
  assert.deepEqual([...pose.scalars], [0.25, 0]);
  // The hand stands on the arm, the arm on the root: 2 + 1 up.
  assert.deepEqual([...pose.modelMatrices().subarray(24)], [1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1, 0]);
});

test('names keep their letters', () => {
  const names = ['Kopf', 'Füße', '頭', '🦊 tail'];
  const skeleton = marrow.createSkeleton(names.map((name, i) => ({ name, parent: i - 1 })));
  assert.deepEqual(skeleton.jointNames, names);
  names.forEach((name, i) => assert.equal(skeleton.findJoint(name), i));
});

test('a clip is sampled between its keys', () => {
  const { skeleton, bend } = arm(marrow);
  assert.equal(bend.name, 'bend');
  assert.equal(bend.durationSeconds, 1);
  const pose = skeleton.createPose().sample(bend, 0.5);
  // Half of a quarter turn about z, and half of four metres.
  near(pose.joint(1).rotation, [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)]);
  assert.deepEqual(pose.joint(1).translation, [0, 2, 0]);
  assert.deepEqual(pose.joint(0).translation, [2, 0, 0]);

  pose.sample(bend, 1);
  const model = pose.modelMatrices();
  // The lower joint: a quarter turn about z at (4, 2, 0).
  near(model.subarray(12), [0, -1, 0, 4, 1, 0, 0, 2, 0, 0, 1, 0]);
  assert.deepEqual(pose.sample(bend, 1.25, { loop: true }).joint(0).translation, [1, 0, 0]);
  assert.deepEqual(pose.sample(bend, 1.25).joint(0).translation, [4, 0, 0]);
  assert.deepEqual(pose.toRest().joint(0).translation, [0, 0, 0]);
});

test('steps, splines and scalars', () => {
  const skeleton = marrow.createSkeleton([{ parent: -1 }], [{ name: 'smile' }]);
  const clip = skeleton.createClip('', [
    { kind: 'scale', target: 0, interpolation: 'step', times: [0, 1], values: [1, 1, 1, 2, 2, 2] },
    // Up from 0 to 1 with level tangents: in, value, out of each key.
    { kind: 'translation', target: 0, interpolation: 'cubic', times: [0, 2], values: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0] },
    { kind: 'scalar', target: 0, times: [0, 2], values: [0, 1] },
  ], 3);
  assert.equal(clip.durationSeconds, 3);
  const pose = skeleton.createPose().sample(clip, 0.5);
  assert.deepEqual(pose.joint(0).scale, [1, 1, 1]);
  // 3 t^2 - 2 t^3 at a quarter: 0.15625
  assert.deepEqual(pose.joint(0).translation, [0, 0.15625, 0]);
  assert.deepEqual([...pose.scalars], [0.25]);
  assert.deepEqual(pose.sample(clip, 1).joint(0).scale, [2, 2, 2]);

  const tracks = Object.fromEntries(clip.jointTracks(0).map((track) => [track.kind, track]));
  assert.deepEqual(Object.keys(tracks).sort(), ['scale', 'translation']);
  assert.equal(tracks.translation.interpolation, 'cubic');
  assert.deepEqual([...tracks.translation.times], [0, 2]);
  assert.deepEqual([...tracks.translation.values], [0, 0, 0, 0, 1, 0], 'without tangents');
  assert.equal(tracks.scale.interpolation, 'step');
  assert.deepEqual([...tracks.scale.values], [1, 1, 1, 2, 2, 2]);
  assert.deepEqual(clip.jointTracks(5), []);
});

test('joints are set and scalars written', () => {
  const { skeleton } = arm(marrow);
  const pose = skeleton.createPose().setJoint(0, { translation: [5, 0, 0] }).setJoint(1, { rotation: [0, 0, 2, 0] });
  assert.deepEqual(pose.joint(0), { translation: [5, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] });
  assert.deepEqual(pose.joint(1).rotation, [0, 0, 1, 0], 'unit length');
  assert.deepEqual(pose.joint(1).translation, [0, 2, 0], 'what is left out stays');
  const copy = skeleton.createPose().copy(pose);
  pose.toRest();
  assert.deepEqual(copy.joint(0).translation, [5, 0, 0]);

  const smiling = marrow.createSkeleton([], [{ name: 'smile' }]).createPose();
  smiling.scalars[0] = 0.5;
  assert.equal(smiling.scalars[0], 0.5);
});

test('poses are blended by weight', () => {
  const { skeleton, bend } = arm(marrow);
  const still = skeleton.createPose();
  const bent = skeleton.createPose().sample(bend, 1);
  const pose = skeleton.createPose().blend([{ pose: still, weight: 3 }, { pose: bent, weight: 1 }]);
  assert.deepEqual(pose.joint(0).translation, [1, 0, 0]);
  pose.blend([{ pose: still, weight: 0 }, { pose: bent, weight: 0.5 }]);
  assert.deepEqual(pose.joint(1).rotation, bent.joint(1).rotation, 'all of one pose is that pose');
  assert.deepEqual(pose.blend([]).joint(0).translation, [0, 0, 0], 'nothing is the rest pose');
});

test('a palette moves what was bound', () => {
  const { skeleton, bend, skin } = arm(marrow);
  assert.deepEqual([...skin.joints], [0, 1]);
  const pose = skeleton.createPose();
  pose.modelMatrices();
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  assert.deepEqual([...pose.palette(skin)], [...identity, ...identity], 'bound in the rest pose');

  pose.sample(bend, 1);
  assert.equal(pose.palette(skin)[3], 0, 'of the model matrices that were evaluated');
  pose.modelMatrices();
  const palette = pose.palette(skin);
  // The tip at (0, 3, 0) is 1 above the lower joint, which goes to (4, 2, 0) and turns it to the left: (3, 2, 0).
  const lower = palette.subarray(12);
  near([lower[1] * 3 + lower[3], lower[5] * 3 + lower[7], lower[9] * 3 + lower[11]], [3, 2, 0]);

  const dualQuats = new Float32Array(16);
  const stretches = new Float32Array(24);
  assert.equal(pose.dualQuats(skin, dualQuats, stretches), false);
  near(dualQuats.subarray(8, 12), [0, 0, half, half]);
  near(stretches, [...identity, ...identity]);
  pose.setJoint(1, { scale: [2, 2, 2] });
  pose.modelMatrices();
  assert.equal(pose.dualQuats(skin, dualQuats, stretches), true);
  near([stretches[12], stretches[17], stretches[22]], [2, 2, 2]);

  const bound = skeleton.createSkin([1], [1, 0, 0, 10, 0, 1, 0, 0, 0, 0, 1, 0]);
  pose.toRest().modelMatrices();
  assert.deepEqual([...pose.palette(bound)], [1, 0, 0, 10, 0, 1, 0, 2, 0, 0, 1, 0], 'model matrix times inverse bind');
});

test('a crowd is many poses', () => {
  const { skeleton, bend, skin } = arm(marrow);
  const still = skeleton.createClip('still', [{ kind: 'translation', target: 0, times: [0, 2], values: [8, 0, 0, 8, 0, 0] }]);
  const crowd = skeleton.createCrowd(skin, 6);
  const x = (i) => crowd.palette[i * 24 + 3]; // of the first joint, at rest in the origin
  assert.equal(crowd.count, 6);
  assert.deepEqual([0, 1, 5].map(x), [0, 0, 0], 'in the rest pose until set');
  crowd.set(0, { clip: bend, timeSeconds: 0 });
  crowd.set(1, { clip: bend, timeSeconds: 0.25, speed: 2 });
  crowd.set(2, { clip: bend, timeSeconds: 0.75, loop: false });
  crowd.set(3, { clip: bend, timeSeconds: 0, otherClip: still, fade: 0.5 });
  crowd.set(4, { clip: bend, timeSeconds: 0, speed: 0, otherClip: still, fadePerSecond: 2 });
  crowd.update(0);
  near([0, 1, 2, 3, 4, 5].map(x), [0, 1, 3, 4, 0, 0]);
  crowd.update(0.25);
  // 0.25 s on; twice as fast; held at the end; (1 + 8) / 2; half way over; still at rest.
  near([0, 1, 2, 3, 4, 5].map(x), [1, 3, 4, 4.5, 4, 0]);
  crowd.update(0.5);
  near([0, 1, 2, 3, 4, 5].map(x), [3, 3, 4, 5.5, 8, 0]);
  crowd.update(-0.75);
  assert.equal(x(0), 0, 'and backwards');
});

test('scalars of a crowd', () => {
  const skeleton = marrow.createSkeleton([{ parent: -1 }], [{ name: 'smile' }, { name: 'frown', rest: 1 }]);
  const clip = skeleton.createClip('', [{ kind: 'scalar', target: 0, times: [0, 1], values: [0, 1] }]);
  const crowd = skeleton.createCrowd(skeleton.createSkin([0]), 2);
  crowd.set(1, { clip, timeSeconds: 0.25 });
  crowd.update(0);
  assert.deepEqual([...crowd.scalars], [0, 1, 0.25, 1]);
});
