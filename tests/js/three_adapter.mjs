// node three_adapter.mjs BUILD/web/package
//
// The adapter for three.js against three.js itself: the same model, clips and times give the same bone matrices and
// vertices as AnimationMixer and skeleton.update(), within TOLERANCE of the model's size; then what only the adapter does.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readGltf } from '../conformance/gltf_file.mjs';
import { sharedFolder } from '../conformance/shared_files.mjs';
import { loadThreePackage } from './package/three_package.mjs';

const TOLERANCE = 1e-4;
const FRACTIONS = [0, 0.13, 0.31, 0.5, 0.69, 0.87, 1]; // of a clip; uneven, so that few fall on keys
const FILES = ['Fox.glb', 'CesiumMan.glb', 'Rogue.glb', 'Knight.glb', 'BrainStem.glb', 'robot.glb', 'RiggedSimple.glb',
  'AnimatedMorphCube.gltf', 'MorphStressTest.gltf', 'SimpleSkin.gltf', 'interpolation_test.gltf', 'box_animated.gltf'];
/** Of all vertices of a mesh, about this many are compared: computing one in JavaScript takes long. */
const VERTICES = 60;

const { THREE, loadMarrow, MarrowCrowd, textureLayout } = await loadThreePackage(process.argv[2]);
const {
  AnimationClip, AnimationMixer, Bone, BoxGeometry, BufferGeometry, Color, Float32BufferAttribute, Group, InterpolateDiscrete,
  Line, Matrix4, Mesh, MeshBasicMaterial, NumberKeyframeTrack, Object3D, QuaternionKeyframeTrack, Raycaster, Scene,
  Skeleton, SkinnedMesh, Sphere, Uint16BufferAttribute, Vector3, VectorKeyframeTrack,
} = THREE;
const marrow = await loadMarrow();

function step(text) {
  console.log(`- ${text}`);
}

/** Largest difference of a bone from three.js's, relative: axes as they are, places by the model's size. */
function boneDifference(crowd, character, firstBone, skeleton, size) {
  const { palette, bonesPerCharacter } = crowd;
  let largest = 0;
  skeleton.bones.forEach((_, bone) => {
    const at = (character * bonesPerCharacter + firstBone + bone) * 12;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) {
        const expected = skeleton.boneMatrices[bone * 16 + column * 4 + row];
        const difference = Math.abs(palette[at + row * 4 + column] - expected);
        assert.ok(Number.isFinite(difference));
        largest = Math.max(largest, column === 3 ? difference / size : difference);
      }
    }
  });
  return largest;
}

const expectedVertex = new Vector3();
const vertex = new Vector3();

/** Largest distance between vertices of a character and three.js's, by the model's size. */
function vertexDifference(mesh, character, source, size) {
  const { count } = source.geometry.attributes.position;
  let largest = 0;
  for (let i = 0; i < count; i += Math.max(1, Math.floor(count / VERTICES))) {
    source.getVertexPosition(i, expectedVertex).applyMatrix4(source.matrixWorld);
    mesh.getVertexPositionAt(character, i, vertex);
    largest = Math.max(largest, expectedVertex.distanceTo(vertex) / size);
  }
  return largest;
}

/** How many vertices of a character lie outside a sphere. */
function verticesOutside(mesh, character, sphere) {
  const { count } = mesh.geometry.attributes.position;
  let outside = 0;
  for (let i = 0; i < count; i += Math.max(1, Math.floor(count / VERTICES))) {
    if (!sphere.containsPoint(mesh.getVertexPositionAt(character, i, vertex))) outside++;
  }
  return outside;
}

/** The meshes of a model in the order in which the crowd draws them. */
function meshesOf(object) {
  const meshes = [];
  object.traverse((child) => child.isMesh && meshes.push(child));
  return meshes;
}

async function compareFile(path) {
  const { ThreejsCharacter } = await import('../conformance/threejs_character.mjs');
  const threejs = await ThreejsCharacter.load(readGltf(path));
  const { scene, clips } = threejs;
  const crowd = new MarrowCrowd(marrow, scene, clips, FRACTIONS.length);
  assert.deepEqual(crowd.skipped, [], basename(path));
  const sources = meshesOf(scene);
  assert.equal(crowd.meshes.length, sources.length);
  const size = 2 * crowd.characterSphere.radius;
  let [bones, vertices, poses, outside] = [0, 0, 0, 0];
  clips.forEach((clip, number) => {
    const times = FRACTIONS.map((fraction) => Math.fround(clip.duration * fraction));
    times.forEach((time, i) => crowd.play(i, clip, { time, loop: false }));
    crowd.update(0);
    times.forEach((time, i) => {
      threejs.pose(number, time);
      sources.forEach((source, m) => {
        if (source.isSkinnedMesh) {
          source.skeleton.update();
          bones = Math.max(bones, boneDifference(crowd, i, crowd.meshes[m].firstBone, source.skeleton, size));
        }
        vertices = Math.max(vertices, vertexDifference(crowd.meshes[m], i, source, size));
        outside += verticesOutside(crowd.meshes[m], i, crowd.characterSphere);
      });
      poses++;
    });
  });
  console.log(`  ${basename(path)}: ${poses} poses of ${clips.length} clips; largest difference: bones ${bones.toExponential(1)}, `
    + `vertices ${vertices.toExponential(1)} of the size`);
  assert.ok(bones <= TOLERANCE && vertices <= TOLERANCE, basename(path));
  assert.equal(outside, 0, 'vertices outside the sphere');
  crowd.dispose();
  threejs.pose(-1, 0);
  return threejs;
}

/** The local transforms of a model's objects. */
function localsOf(scene) {
  const locals = [];
  scene.traverse(({ position, quaternion, scale }) => locals.push([position.clone(), quaternion.clone(), scale.clone()]));
  return locals;
}

/** Puts a model between two poses as Marrow does: linear, rotations on the shorter arc and normalised. */
function blendLocals(scene, from, to, weight) {
  let number = 0;
  scene.traverse((object) => {
    const [a, b] = [from[number], to[number]];
    object.position.lerpVectors(a[0], b[0], weight);
    object.scale.lerpVectors(a[2], b[2], weight);
    const sign = a[1].dot(b[1]) < 0 ? -1 : 1;
    const mixed = a[1].toArray().map((value, i) => value * (1 - weight) + sign * b[1].toArray()[i] * weight);
    object.quaternion.fromArray(mixed).normalize();
    number++;
  });
}

/**
 * A crossfade of three.js is a slerp from one clip to the other, for each property by itself; Marrow's is the normalised
 * mean of whole poses. Where a property is in one clip only, both take its rest for the other. The two go the same way
 * and meet at both ends and in the middle; between, where legs point forward in one clip and back in the other, they are
 * some degrees apart. So each is held to its own definition at the quarters, and to one another where they meet.
 */
function compareCrossfade(threejs, [from, to]) {
  const { scene } = threejs;
  const [duration, speed] = [0.5, 0.75];
  const crowd = new MarrowCrowd(marrow, scene, threejs.clips, 1);
  const mixer = new AnimationMixer(scene);
  const [first, second] = [from, to].map((name) => mixer.clipAction(threejs.clips.find((clip) => clip.name === name)));
  const meshes = meshesOf(scene);
  const size = 2 * crowd.characterSphere.radius;
  const off = () => {
    scene.updateMatrixWorld(true);
    return Math.max(...meshes.map((source, m) => {
      source.skeleton.update();
      return boneDifference(crowd, 0, crowd.meshes[m].firstBone, source.skeleton, size);
    }));
  };
  first.play();
  crowd.play(0, from);
  mixer.update(0.2);
  crowd.update(0.2);
  assert.ok(off() <= TOLERANCE, `before the fade: ${off()}`);
  second.reset().play();
  first.crossFadeTo(second, duration);
  second.setEffectiveTimeScale(speed);
  crowd.play(0, to, { fade: duration, speed });

  let seconds = 0;
  for (const progress of [0, 0.25, 0.5, 0.75, 1, 1.5]) {
    const elapsed = progress * duration - seconds;
    seconds += elapsed;
    mixer.update(elapsed);
    crowd.update(elapsed);
    const weight = Math.min(progress, 1);
    assert.ok(Math.abs(second.getEffectiveWeight() - weight) < 1e-6, `three.js's weight is ${second.getEffectiveWeight()}`);
    const fromMixer = off();
    const kept = localsOf(scene);
    const [a, b] = [[first, 0.2 + seconds], [second, seconds * speed]].map(([action, time]) => {
      const one = new AnimationMixer(scene);
      one.clipAction(action.getClip()).play();
      one.update(time);
      return localsOf(scene);
    });
    blendLocals(scene, a, b, weight);
    const fromDefinition = off();
    blendLocals(scene, kept, kept, 0);
    console.log(`  ${from} to ${to} at ${progress}: ${fromDefinition.toExponential(1)} from the mean, ${fromMixer.toExponential(1)} from the mixer`);
    assert.ok(fromDefinition <= TOLERANCE);
    assert.ok(fromMixer <= (progress === 0.25 || progress === 0.75 ? 0.2 : TOLERANCE));
  }
  mixer.stopAllAction();
  crowd.dispose();
}

// --- what only the adapter does ------------------------------------------------------------

/** Two bones, one above the other and a metre apart, and a mesh of two points that follow one each. */
function twoBones() {
  const [root, tip] = [new Bone(), new Bone()];
  root.name = 'root';
  tip.name = 'tip';
  tip.position.y = 1;
  root.add(tip);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute([0, 0, 0, 0.5, 1, 0, -0.5, 1, 0], 3));
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 4));
  const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
  mesh.name = 'mesh';
  mesh.add(root);
  mesh.bind(new Skeleton([root, tip]));
  return mesh;
}

const UP = [0, 1, 0];
const rise = (name = 'tip.position') => new AnimationClip('rise', -1, [new VectorKeyframeTrack(name, [0, 1], [...UP, 0, 3, 0])]);

/** Height of the tip above where it was bound. */
function height(crowd, character = 0) {
  return crowd.palette[(character * crowd.bonesPerCharacter + 1) * 12 + 7];
}

function near(actual, expected, what) {
  assert.ok(Math.abs(actual - expected) < 1e-5, `${what}: ${actual}, not ${expected}`);
}

function testPlaying() {
  step('time, speed, loop, fades and rest');
  const [clip, still] = [rise(), new AnimationClip('still', 2, [])];
  const crowd = new MarrowCrowd(marrow, twoBones(), [clip, still], 3);
  assert.deepEqual(crowd.clips, [clip, still]);
  near(height(crowd), 0, 'at rest');
  crowd.play(0, clip, { time: 0.25 }).play(1, 'rise', { time: 1.5, speed: -2 }).play(2, clip, { time: 0.75, loop: false });
  crowd.update(0);
  assert.deepEqual([0, 1, 2].map((i) => Math.round(height(crowd, i) * 1e4) / 1e4), [0.5, 1, 1.5]);
  crowd.update(0.5);
  assert.deepEqual([0, 1, 2].map((i) => Math.round(height(crowd, i) * 1e4) / 1e4), [1.5, 1, 2]);
  assert.deepEqual(crowd.playing(1), { clip, time: 0.5 });
  crowd.play(0, clip, { time: 0.5, speed: 0 }).play(0, null, { fade: 2 });
  for (const [seconds, expected] of [[0, 1], [0.5, 0.75], [1, 0.25], [1, 0], [9, 0]]) {
    crowd.update(seconds);
    near(height(crowd), expected, `${seconds} s on`);
  }
  // A fade into a fade begins at the stronger one.
  crowd.play(0, clip, { time: 0.5, speed: 0 }).play(0, still, { fade: 1 }).update(0.25);
  crowd.play(0, null, { fade: 1 }).update(0);
  near(height(crowd), 1, 'still the first');
  crowd.play(0, clip, { time: 0.5, speed: 0 }).play(0, still, { fade: 1 }).update(0.75);
  crowd.play(0, clip, { time: 1, speed: 0, loop: false, fade: 1 }).update(0.5);
  near(height(crowd), 1, 'half of the third');
  crowd.dispose();
}

function testPlacing() {
  step('places, colours, bones to attach to, spheres, rays');
  const mesh = twoBones();
  const bone = mesh.skeleton.bones[1];
  const parent = new Group();
  parent.position.x = 100; // where the model itself stands is not where the characters do
  parent.add(mesh);
  new Scene().add(parent);
  const crowd = new MarrowCrowd(marrow, mesh, [rise()], 2);
  near(height(crowd), 0, 'at rest');
  crowd.setMatrixAt(1, new Matrix4().makeTranslation(0, 0, 10)).play(1, 'rise', { time: 0.5 }).update(0);
  const matrix = crowd.getBoneMatrixAt(1, bone, new Matrix4());
  assert.deepEqual(new Vector3().setFromMatrixPosition(matrix).toArray(), [100, 2, 10]);
  assert.deepEqual(crowd.meshes[0].getVertexPositionAt(1, 1, new Vector3()).toArray(), [100.5, 2, 10]);
  crowd.setColorAt(1, new Color(1, 0.5, 0));
  assert.deepEqual(Array.from(crowd.meshes[0].instanceColor.array), [1, 1, 1, 1, 0.5, 0]);

  for (const [z, instanceId] of [[0, 0], [10, 1]]) {
    const high = instanceId === 1 ? 1 : 0.5;
    const ray = new Raycaster(new Vector3(100, high, z + 2), new Vector3(0, 0, -1), 0, 5);
    const [hit, ...others] = ray.intersectObject(crowd.object, true);
    assert.equal(others.length, 0);
    assert.equal(hit.instanceId, instanceId);
    assert.equal(hit.object, crowd.meshes[0]);
    near(hit.distance, 2, 'the distance');
    assert.equal(new Raycaster(new Vector3(100.4, 0.2, z + 2), new Vector3(0, 0, -1), 0, 5).intersectObject(crowd.object).length, 0);
  }
  const sphere = crowd.boundingSphere;
  assert.ok(sphere.containsPoint(new Vector3(100, 3, 10)) && sphere.containsPoint(new Vector3(100, 0, 0)));
  assert.ok(!sphere.containsPoint(new Vector3(100, 0, 20)));
  crowd.setMatrixAt(0, new Matrix4().makeTranslation(0, 0, 20));
  assert.ok(crowd.meshes[0].boundingSphere.containsPoint(new Vector3(100, 0, 20)));
  crowd.characterSphere = new Sphere(new Vector3(), 1000);
  assert.ok(crowd.boundingSphere.radius > 1000);
  crowd.dispose();
}

function testBinding() {
  step('bind matrices, detached meshes, rigid meshes, shared bones');
  const top = new Group();
  top.scale.setScalar(0.5);
  const skinned = twoBones();
  skinned.position.set(1, 2, 3);
  top.add(skinned);
  top.updateMatrixWorld(true);
  skinned.bind(skinned.skeleton, new Matrix4().makeTranslation(0, 1, 0));
  const again = skinned.clone(false);
  again.name = 'again';
  top.add(again);
  const detached = skinned.clone(false);
  detached.bindMode = 'detached';
  detached.position.set(-4, 0, 0);
  top.add(detached);
  const box = new Mesh(new BoxGeometry(), [new MeshBasicMaterial(), new MeshBasicMaterial()]);
  box.position.set(0, 0.5, 0);
  skinned.skeleton.bones[1].add(box);
  top.add(new Line());
  const clip = new AnimationClip('turn', -1, [
    new QuaternionKeyframeTrack('tip.quaternion', [0, 1], [0, 0, 0, 1, 0, 0, 0.8, 0.6]),
    new VectorKeyframeTrack('root.scale', [0, 1], [1, 1, 1, 2, 1, 1]),
  ]);
  const crowd = new MarrowCrowd(marrow, top, [clip], 1);
  assert.equal(crowd.bonesPerCharacter, 3, 'three meshes share two bones, the box is one');
  assert.deepEqual(crowd.skipped.map(({ object }) => object.type), ['Line']);
  const mixer = new AnimationMixer(top);
  mixer.clipAction(clip).play();
  mixer.update(0.4);
  top.updateMatrixWorld(true);
  crowd.play(0, clip, { time: 0.4 }).update(0);
  meshesOf(top).forEach((source, m) => {
    assert.ok(vertexDifference(crowd.meshes[m], 0, source, 1) < 1e-5, `${source.type} ${source.name}`);
  });
  const [{ material }, boxDrawn, { material: sameMaterial }] = crowd.meshes;
  assert.ok(material === sameMaterial && material !== skinned.material, 'materials are cloned once');
  assert.equal(boxDrawn.material.length, 2);
  crowd.dispose();
}

function testTracks() {
  step('tracks: names, jumps, ends, what is left out');
  const mesh = twoBones();
  const { uuid } = mesh.skeleton.bones[1];
  for (const name of ['tip.position', `${uuid}.position`, '.bones[tip].position', '.bones[1].position', 'mesh/root/tip.position']) {
    const crowd = new MarrowCrowd(marrow, mesh, [rise(name)], 1);
    assert.deepEqual(crowd.skipped, []);
    crowd.play(0, 'rise', { time: 0.5 }).update(0);
    near(height(crowd), 1, name);
    crowd.dispose();
  }
  const at = (clip, time) => {
    const crowd = new MarrowCrowd(marrow, mesh, [clip], 1);
    crowd.play(0, clip, { time, loop: false }).update(0);
    const result = height(crowd);
    crowd.dispose();
    return result;
  };
  const jump = new AnimationClip('jump', -1, [new VectorKeyframeTrack('tip.position', [0, 1, 1, 2], [...UP, 0, 2, 0, 0, 5, 0, 0, 6, 0])]);
  for (const [time, expected] of [[0.5, 0.5], [0.999, 0.999], [1, 4], [1.5, 4.5]]) near(at(jump, time), expected, `jump at ${time} s`);
  const steps = new AnimationClip('steps', -1, [new VectorKeyframeTrack('tip.position', [0, 1], [...UP, 0, 2, 0], InterpolateDiscrete)]);
  for (const [time, expected] of [[0.9, 0], [1, 1]]) near(at(steps, time), expected, `steps at ${time} s`);
  const short = new AnimationClip('short', 0.25, rise().tracks);
  for (const [time, expected] of [[0.1, 0.2], [0.25, 0.5], [3, 0.5]]) near(at(short, time), expected, `short at ${time} s`);
  const long = new AnimationClip('long', 4, rise().tracks);
  near(at(long, 3), 2, 'long at 3 s');

  const odd = new AnimationClip('odd', 1, [
    new VectorKeyframeTrack('nobody.position', [0], UP),
    new NumberKeyframeTrack('tip.position[y]', [0], [1]),
    new NumberKeyframeTrack('mesh.material.opacity', [0], [1]),
    new NumberKeyframeTrack('mesh.morphTargetInfluences', [0], [1]),
    new VectorKeyframeTrack('tip.scale', [-1, 0], [...UP, ...UP]),
    new VectorKeyframeTrack('tip.position', [0], UP),
    new VectorKeyframeTrack('.bones[tip].position', [0], UP),
  ]);
  const crowd = new MarrowCrowd(marrow, mesh, [odd], 1);
  assert.deepEqual(crowd.skipped.map(({ clip, track }) => [clip, track]), odd.tracks.filter(({ name }) => name !== 'tip.position').map(({ name }) => ['odd', name]));
  assert.match(crowd.skipped[0].reason, /no object of this name/);
  crowd.dispose();
}

async function testCubicEnd(path) {
  step('a spline that is cut off stays as it was');
  const { ThreejsCharacter } = await import('../conformance/threejs_character.mjs');
  const threejs = await ThreejsCharacter.load(readGltf(path));
  const cubic = threejs.clips.find(({ tracks }) => tracks.some((track) => track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline));
  const cut = cubic.clone();
  cut.tracks = cubic.tracks;
  cut.duration = cubic.duration * 0.6;
  const crowd = new MarrowCrowd(marrow, threejs.scene, [cubic, cut], 2);
  const { radius } = crowd.characterSphere;
  for (const fraction of [0.2, 0.45, 0.55, 0.6]) {
    const time = cubic.duration * fraction;
    crowd.play(0, cubic, { time }).play(1, cut, { time, loop: false }).update(0);
    crowd.meshes.forEach((mesh) => {
      const [a, b] = [0, 1].map((character) => mesh.getVertexPositionAt(character, 0, new Vector3()));
      assert.ok(a.distanceTo(b) < 1e-4 * radius, `at ${fraction}: ${a.distanceTo(b)}`);
    });
  }
  crowd.dispose();
}

function testTexture() {
  step('the texture fits the memory to the last texel');
  for (const [bones, count] of [[1, 1], [24, 1000], [24, 2048], [24, 2049], [24, 100000], [682, 3], [683, 3], [5000, 2]]) {
    const layout = textureLayout(bones, count);
    assert.equal(layout.width * layout.height, layout.boneCount * layout.count * 3, `${bones} ${count}`);
    assert.ok(layout.boneCount >= bones && layout.count >= count && layout.width <= 2048 && layout.width % 3 === 0);
    assert.ok(layout.count < count * 1.1 + 1 && layout.boneCount < bones * 1.1 + 1);
    if (count <= 100000 && bones <= 682) assert.ok(layout.height <= Math.max(2048, count / 28 + 1));
  }
  const crowd = new MarrowCrowd(marrow, twoBones(), [rise()], 2);
  const { image } = crowd.boneTexture;
  const { version } = crowd.boneTexture;
  crowd.update(1);
  assert.equal(crowd.boneTexture.version, version + 1);
  // Memory that grows moves; what the renderer uploads must follow, also without an update in between.
  const others = Array.from({ length: 8 }, () => new MarrowCrowd(marrow, twoBones(), [rise()], 50000));
  assert.equal(image.data.length, image.width * image.height * 4);
  near(image.data[5], 1, 'the texture still holds the bones');
  for (const other of [...others, crowd]) other.dispose();
}

function testMistakes() {
  step('mistakes are told');
  const mesh = twoBones();
  const crowd = new MarrowCrowd(marrow, mesh, [rise()], 2);
  assert.throws(() => crowd.play(0, 'fall'), /no clip "fall".*"rise"/);
  assert.throws(() => crowd.play(0, rise()), /no clip/);
  assert.throws(() => crowd.play(2, 'rise'), /character 2 of 2/);
  assert.throws(() => crowd.play(0, 'rise', { speed: NaN }), /speed is NaN/);
  assert.throws(() => crowd.setMatrixAt(-1, new Matrix4()), /character -1/);
  assert.throws(() => crowd.getMatrixAt(2, new Matrix4()), /character 2 of 2/);
  assert.throws(() => crowd.getBoneMatrixAt(0, new Bone(), new Matrix4()), /no bone/);
  assert.throws(() => new MarrowCrowd(marrow, mesh, [], 1e7), /need a texture of \d+ rows/);
  assert.throws(() => new MarrowCrowd(marrow, mesh, [], 0), /count of characters is 0/);
  assert.throws(() => new MarrowCrowd(marrow, new Object3D(), [], 1), /no mesh/);
  assert.throws(() => new MarrowCrowd(marrow, {}, [], 1), /not an Object3D/);
  const pivoted = twoBones();
  pivoted.skeleton.bones[0].pivot = new Vector3();
  assert.throws(() => new MarrowCrowd(marrow, pivoted, [], 1), /"root" has a pivot/);
  crowd.dispose();
  crowd.dispose();
  assert.throws(() => crowd.update(1), /disposed/);
}

testPlaying();
testPlacing();
testBinding();
testTracks();
testTexture();
testMistakes();

if (!existsSync(sharedFolder)) {
  console.log(`skipped: no shared folder at ${sharedFolder} (MARROW_SHARED names another)`);
  process.exit(77);
}
step('real files: bones and vertices as AnimationMixer and skeleton.update() give them');
const models = new Map();
for (const name of FILES) models.set(name, await compareFile(join(sharedFolder, 'assets/gltf', name)));
step('crossfades as the mixer\'s');
compareCrossfade(models.get('Fox.glb'), ['Survey', 'Run']);
compareCrossfade(models.get('Fox.glb'), ['Walk', 'Run']);
await testCubicEnd(join(sharedFolder, 'assets/gltf/interpolation_test.gltf'));
console.log('ok');
