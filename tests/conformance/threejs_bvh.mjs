// node threejs_bvh.mjs BVH_FRAMES FILE... | BVH_FRAMES --shared
//
// Compares where every joint is, in every frame and halfway between frames, with three.js's BVHLoader. They must
// agree within TOLERANCE of the model's size. Prints a line a file; exits with 1 if any differs, with 77 (skipped) if
// three.js is not installed.
//
// Where a joint has position channels, three.js adds them to OFFSET, and they belong in its place (so do Blender and
// MotionBuilder). Its positions are corrected for that, and the line of the file says so. It has other limits, so
// made files are left to bvh_reader.py: one root only, CHANNELS in every joint, keywords in capitals.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { filesFrom } from './shared_files.mjs';

const TOLERANCE = 1e-4;

/** What `bvh_frames` prints. @param {string} program @param {string} path */
function marrowFrames(program, path) {
  const bytes = execFileSync(program, [path], { maxBuffer: 1 << 30 });
  const copy = new Uint8Array(bytes).buffer;
  const [nodeCount, frameCount] = new Uint32Array(copy, 0, 2);
  return { nodeCount, frameCount, positions: new Float32Array(copy, 8) };
}

/** The motion of one bone: values of its tracks, or null. */
function tracksOf(clip, bone) {
  const find = (property) => clip.tracks.find(({ name }) => name === `${bone.name}.${property}`)?.values ?? null;
  return { positions: find('position'), rotations: find('quaternion') };
}

/** Names of the joints with position channels, from the text: three.js does not keep them. @param {string} text */
function movedJoints(text) {
  const joints = [...text.matchAll(/(?:ROOT|JOINT)\s+(\S+)\s*\{\s*OFFSET[^\n]*\n\s*CHANNELS([^\n]*)/g)];
  return new Set(joints.filter(([, , channels]) => /position/.test(channels)).map(([, name]) => name));
}

function compare({ BVHLoader, Quaternion, Vector3 }, program, path) {
  const text = readFileSync(path, 'utf8');
  const marrow = marrowFrames(program, path);
  const { skeleton: { bones }, clip } = new BVHLoader().parse(text);
  const moved = movedJoints(text);
  const offsets = bones.map((bone) => bone.position.clone());
  const tracks = bones.map((bone) => tracksOf(clip, bone));
  const frameCount = tracks[0].rotations.length / 4;
  const shifted = bones.some((bone, i) => moved.has(bone.name) && offsets[i].lengthSq() > 0);
  if (marrow.nodeCount !== bones.length || marrow.frameCount !== frameCount) {
    return { problem: `${marrow.nodeCount} joints, ${marrow.frameCount} frames; three.js has ${bones.length}, ${frameCount}` };
  }

  const place = (bone, i, frame, position, rotation) => {
    const { positions, rotations } = tracks[i];
    position.copy(offsets[i]);
    if (positions && moved.has(bone.name)) position.fromArray(positions, frame * 3).sub(offsets[i]);
    rotation.identity();
    if (rotations) rotation.fromArray(rotations, frame * 4);
  };
  const nextPosition = new Vector3();
  const nextRotation = new Quaternion();
  const world = new Vector3();
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  let largest = 0;
  for (let moment = 0; moment < 2 * frameCount - 1; moment++) {
    bones.forEach((bone, i) => {
      place(bone, i, moment >> 1, bone.position, bone.quaternion);
      if (moment % 2 === 1) {
        place(bone, i, (moment + 1) >> 1, nextPosition, nextRotation);
        bone.position.lerp(nextPosition, 0.5);
        bone.quaternion.slerp(nextRotation, 0.5);
      }
    });
    bones[0].updateMatrixWorld(true);
    bones.forEach((bone, i) => {
      world.setFromMatrixPosition(bone.matrixWorld);
      if (moment === 0) {
        low.min(world);
        high.max(world);
      }
      const at = (moment * bones.length + i) * 3;
      const off = Math.hypot(...world.toArray().map((value, k) => value - marrow.positions[at + k]));
      largest = off <= largest ? largest : off; // NaN becomes the largest
    });
  }
  return { frameCount, jointCount: bones.length, off: largest / high.distanceTo(low), shifted };
}

/** The parts of three.js, or null where it is not installed. */
async function loadThreejs() {
  try {
    return { ...await import('three'), ...await import('three/addons/loaders/BVHLoader.js') };
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND' && /'three'/.test(error.message)) return null;
    throw error;
  }
}

const [program, ...args] = process.argv.slice(2);
const paths = filesFrom(args, 'bvh');
const threejs = await loadThreejs();
if (!threejs) {
  console.log('skipped: three.js is not installed (npm ci in tests/)');
  process.exit(77);
}
let good = true;
for (const path of paths) {
  const { problem, frameCount, jointCount, off, shifted } = compare(threejs, program, path);
  const agrees = !problem && off <= TOLERANCE;
  good = good && agrees;
  console.log(`${agrees ? 'ok    ' : 'FAILED'} ${basename(path)}: ${problem ?? `${frameCount} frames of ${jointCount} joints; `
    + `largest difference ${off.toExponential(1)} of the model's size`}`);
  if (shifted) console.log('       three.js adds OFFSET to position channels; that was taken away');
}
process.exit(good ? 0 : 1);
