// node threejs_compare.mjs MARROW FILE... | MARROW --shared
//
// Poses every clip of every file at seven times, and the rest pose, with `marrow pose` and with three.js,
// and compares the world matrices of all joints, the positions of all vertices, and the morph weights.
// They must agree within TOLERANCE of the model's size. Prints a line a file; exits with 1 if any differs,
// with 77 (skipped) if three.js is not installed.
import { basename, dirname, join } from 'node:path';
import { marrowPose, matchJoints } from './marrow_pose.mjs';
import { readGltf, sceneTree } from './gltf_file.mjs';
import { filesFrom } from './shared_files.mjs';

const TOLERANCE = 1e-4;
const FRACTIONS = [0, 0.13, 0.31, 0.5, 0.69, 0.87, 1]; // of a clip; uneven, so that few fall on keys
const PROCESSES = 2;
const LINES_PER_FILE = 4;

/** Infinity where the lengths differ or something is no finite number (null, say). */
const largestDifference = (a, b) => {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    if (!Number.isFinite(a[i]) || !Number.isFinite(b[i])) return Infinity;
    largest = Math.max(largest, Math.abs(a[i] - b[i]));
  }
  return largest;
};

/** Diagonal of the box around points given as x y z after x y z; 0 for none. */
function diagonal(points) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  points.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  return points.length ? Math.hypot(...high.map((h, i) => h - low[i])) : 0;
}

class Comparison {
  constructor(marrow, path, modules) {
    Object.assign(this, { marrow, path, ...modules });
    this.file = readGltf(path);
    this.failures = [];
    this.largestJoint = 0;
    this.largestVertex = 0;
    this.poseCount = 0;
    this.exceptions = new Map(); // reason to how many poses
  }

  fail(what) {
    this.failures.push(what);
  }

  async run() {
    const { json } = this.file;
    this.threejs = await this.ThreejsCharacter.load(this.file);
    const { parentOf } = sceneTree(json);
    this.meshNodes = json.nodes.flatMap((node, i) =>
      (node.mesh !== undefined && parentOf.has(i) ? [i] : []));
    this.size = this.modelSize([...parentOf.keys()]);

    const poses = [{ clip: -1, timeS: 0 }];
    this.threejs.clips.forEach(({ duration }, clip) => {
      for (const fraction of FRACTIONS) {
        // A number that single precision holds: a STEP key must not fall between two roundings.
        poses.push({ clip, timeS: Math.fround(duration * fraction) });
      }
    });
    const next = async () => {
      for (let pose = poses.shift(); pose; pose = poses.shift()) await this.comparePose(pose);
    };
    await Promise.all(Array.from({ length: PROCESSES }, next));
  }

  modelSize(nodes) {
    const points = this.meshNodes.flatMap((node) => this.threejs.positions(node, this.primitiveCount(node)));
    const joints = nodes.flatMap((node) => this.threejs.matrix(node).slice(12, 15));
    return diagonal(points) || diagonal(joints) || 1;
  }

  primitiveCount(node) {
    return this.file.json.meshes[this.file.json.nodes[node].mesh].primitives.length;
  }

  async comparePose({ clip, timeS }) {
    const clipArgs = clip < 0 ? [] : ['--clip', String(clip), '--time', String(timeS)];
    const place = clip < 0 ? 'rest pose' : `clip ${clip} at ${timeS} s`;
    try {
      const pose = await marrowPose(this.marrow, [this.path, ...clipArgs, '--vertices', '--morphs']);
      this.nodeOf ??= matchJoints(this.file.json, pose.joints);
      this.threejs.pose(clip, timeS);
      if (clip >= 0) this.compareDuration(pose, clip, place);
      this.compareJoints(pose, place);
      this.compareMeshes(pose, place);
      this.poseCount++;
    } catch (error) {
      this.fail(`${place}: ${error.message}`);
    }
  }

  compareDuration(pose, clip, place) {
    const { duration } = this.threejs.clips[clip];
    if (!(Math.abs(pose.duration_s - duration) <= 1e-6 * Math.max(1, duration))) {
      this.fail(`${place}: duration_s is ${pose.duration_s}, three.js has ${duration}`);
    }
  }

  compareJoints(pose, place) {
    pose.joints.forEach((joint, i) => {
      const expected = this.threejs.matrix(this.nodeOf[i]);
      const axes = expected.filter((_, k) => k < 12);
      const turned = largestDifference(joint.model.slice(0, 12), axes)
        / Math.max(1e-3, ...axes.map(Math.abs)); // directions and scale, against the largest of them
      const moved = largestDifference(joint.model.slice(12, 15), expected.slice(12, 15)) / this.size;
      this.largestJoint = Math.max(this.largestJoint, turned, moved);
      if (!(turned <= TOLERANCE && moved <= TOLERANCE)) {
        this.fail(`${place}: joint "${joint.name}" is off by ${turned} (axes), ${moved} (place)`);
      }
    });
  }

  compareMeshes(pose, place) {
    const jointOf = new Map(pose.joints.map((joint, i) => [joint.name, i]));
    const seen = new Set();
    for (const mesh of pose.meshes) {
      const node = this.nodeOf[jointOf.get(mesh.node)];
      if (!this.meshNodes.includes(node) || seen.has(node)) {
        this.fail(`${place}: meshes: "${mesh.node}" has no mesh, or is there twice`);
        continue;
      }
      seen.add(node);
      if (mesh.skinned !== (this.file.json.nodes[node].skin !== undefined)) {
        this.fail(`${place}: mesh of "${mesh.node}": skinned is ${mesh.skinned}`);
      }
      const off = largestDifference(mesh.positions.flat(), this.expectedPositions(node, place)) / this.size;
      this.largestVertex = Math.max(this.largestVertex, off);
      if (!(off <= TOLERANCE)) this.fail(`${place}: mesh of "${mesh.node}" is off by ${off}`);
      this.compareMorphWeights(pose, mesh.node, node, place);
    }
    if (seen.size !== this.meshNodes.length) {
      this.fail(`${place}: ${seen.size} meshes of ${this.meshNodes.length}`);
    }
  }

  /** Those of three.js, or of the specification where three.js is known to leave it. */
  expectedPositions(node, place) {
    const threejs = this.threejs.positions(node, this.primitiveCount(node));
    const exception = this.exceptionFor(this.file.json, node);
    if (!exception) return threejs;
    const matrixOf = (joint) => this.threejs.matrix(joint);
    const predicted = this.skinByHand(this.file, node, matrixOf, exception.threejs);
    const right = this.skinByHand(this.file, node, matrixOf);
    const unexplained = largestDifference(threejs, predicted) / this.size;
    if (!(unexplained <= TOLERANCE)) {
      this.fail(`${place}: three.js is off by ${unexplained} from "${exception.reason}"`);
    }
    if (largestDifference(threejs, right) / this.size > TOLERANCE) {
      this.exceptions.set(exception.reason, (this.exceptions.get(exception.reason) ?? 0) + 1);
    }
    return right;
  }

  compareMorphWeights(pose, name, node, place) {
    const expected = this.threejs.primitives(node, this.primitiveCount(node))[0].morphTargetInfluences ?? [];
    const weights = pose.morph_weights[name] ?? [];
    if (!(largestDifference(weights, expected) <= TOLERANCE)) {
      this.fail(`${place}: morph_weights of "${name}" are ${weights}, three.js has ${expected}`);
    }
  }

  report() {
    const { json } = this.file;
    const name = join(basename(dirname(this.path)), basename(this.path));
    console.log(`${this.failures.length ? 'FAILED' : 'ok    '} ${name}: ${this.poseCount} poses of `
      + `${json.animations?.length ?? 0} clips; largest difference: joints `
      + `${this.largestJoint.toExponential(1)}, vertices ${this.largestVertex.toExponential(1)}`);
    for (const [reason, count] of this.exceptions) {
      console.log(`       in ${count} poses by the specification instead: ${reason}`);
    }
    if (this.threejs.normalizedKeyCount > 0) {
      console.log(`       ${this.threejs.normalizedKeyCount} rotation keys brought to unit length for three.js`);
    }
    for (const failure of this.failures.slice(0, LINES_PER_FILE)) console.log(`       ${failure}`);
    const more = this.failures.length - LINES_PER_FILE;
    if (more > 0) console.log(`       and ${more} more`);
    return this.failures.length === 0;
  }
}

/** The parts that need three.js, or null where it is not installed. */
async function loadModules() {
  try {
    return { ...await import('./threejs_character.mjs'), ...await import('./threejs_exceptions.mjs') };
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND' && /'three'/.test(error.message)) return null;
    throw error;
  }
}

const [marrow, ...args] = process.argv.slice(2);
const paths = filesFrom(args);
const modules = await loadModules();
if (!modules) {
  console.log('skipped: three.js is not installed (npm ci in tests/)');
  process.exit(77);
}
let good = true;
for (const path of paths) {
  const comparison = new Comparison(marrow, path, modules);
  await comparison.run();
  good = comparison.report() && good;
}
process.exit(good ? 0 : 1);
