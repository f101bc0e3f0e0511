// How far a character reaches, whatever it plays.
//
// A skinned vertex lies between the places to which its bones would move it. So it lies in the box around the spheres
// of all bones, where a bone's sphere holds the vertices that it moves at all: moving spheres is much less work than
// moving vertices. Clips are looked at some times a second, and what may happen between is left a margin.
import { Box3, Matrix4, Sphere, Vector3, Vector4 } from 'three';

/** @typedef {import('./three_mesh.js').CrowdMesh} CrowdMesh */

const SAMPLES_PER_SECOND = 10;
const MAX_SAMPLES = 40;
const MARGIN = 0.1;

/** How far morph targets can move a vertex at most, were all of them at 1. @param {import('three').BufferGeometry} geometry */
function morphReach(geometry) {
  const targets = geometry.morphAttributes.position ?? [];
  const positions = geometry.attributes.position;
  const delta = new Vector3();
  const base = new Vector3();
  let reach = 0;
  for (const target of targets) {
    let longest = 0;
    for (let i = 0; i < target.count; i++) {
      delta.fromBufferAttribute(target, i);
      if (!geometry.morphTargetsRelative) delta.sub(base.fromBufferAttribute(positions, i));
      longest = Math.max(longest, delta.length());
    }
    reach += longest;
  }
  return reach;
}

/**
 * For each bone of a mesh the sphere around the vertices that it moves, after the bind matrix; undefined without any.
 * @param {CrowdMesh} mesh @returns {(Sphere | undefined)[]}
 */
function boneSpheres(mesh) {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
  /** @type {Box3[]} */
  const boxes = [];
  const point = new Vector3();
  const bones = new Vector4();
  const weights = new Vector4();
  for (let i = 0; i < position.count; i++) {
    point.fromBufferAttribute(position, i).applyMatrix4(mesh.bindMatrix);
    bones.fromBufferAttribute(skinIndex, i);
    weights.fromBufferAttribute(skinWeight, i);
    for (let k = 0; k < 4; k++) {
      if (weights.getComponent(k) > 0) (boxes[bones.getComponent(k)] ??= new Box3()).expandByPoint(point);
    }
  }
  const reach = morphReach(mesh.geometry) * mesh.bindMatrix.getMaxScaleOnAxis();
  return Array.from(boxes, (box) => {
    if (box === undefined) return undefined;
    const sphere = box.getBoundingSphere(new Sphere());
    sphere.radius += reach;
    return sphere;
  });
}

/** @param {Matrix4} matrix @param {Float32Array} palette @param {number} bone */
export function matrixFromRows(matrix, palette, bone) {
  const m = palette;
  const i = bone * 12;
  return matrix.set(m[i], m[i + 1], m[i + 2], m[i + 3], m[i + 4], m[i + 5], m[i + 6], m[i + 7],
    m[i + 8], m[i + 9], m[i + 10], m[i + 11], 0, 0, 0, 1);
}

/**
 * @param {import('./marrow.d.ts').Skeleton} skeleton @param {import('./marrow.d.ts').Skin} skin
 * @param {import('./marrow.d.ts').Clip[]} clips @param {CrowdMesh[]} meshes
 * @returns {Sphere} in the space of a character
 */
export function sphereOfClips(skeleton, skin, clips, meshes) {
  const parts = meshes.map((mesh) => ({ mesh, spheres: boneSpheres(mesh) }));
  const all = new Box3();
  const box = new Box3();
  const matrix = new Matrix4();
  const sphere = new Sphere();
  const palette = new Float32Array(skin.jointCount * 12);
  const pose = skeleton.createPose();
  const include = () => {
    pose.modelMatrices();
    pose.palette(skin, palette);
    for (const { mesh, spheres } of parts) {
      spheres.forEach((bone, i) => {
        if (bone === undefined) return;
        sphere.copy(bone).applyMatrix4(matrixFromRows(matrix, palette, mesh.firstBone + i)).applyMatrix4(mesh.bindMatrixInverse);
        all.union(sphere.getBoundingBox(box));
      });
    }
  };
  pose.toRest();
  include();
  for (const clip of clips) {
    const count = Math.min(MAX_SAMPLES, Math.ceil(clip.durationSeconds * SAMPLES_PER_SECOND) + 1);
    for (let i = 0; i < count; i++) {
      pose.sample(clip, clip.durationSeconds * i / Math.max(1, count - 1));
      include();
    }
  }
  pose.dispose();
  const result = all.getBoundingSphere(new Sphere());
  result.radius *= 1 + MARGIN;
  return result;
}

/**
 * The sphere around a sphere that stands in many places. Its own is empty where there are none.
 * @param {Sphere} one @param {Float32Array} matrices 16 numbers a place @param {Sphere} target
 */
export function sphereOfPlaces(one, matrices, target) {
  const box = new Box3();
  const matrix = new Matrix4();
  const placed = new Sphere();
  const reach = new Box3();
  for (let i = 0; i < matrices.length; i += 16) {
    placed.copy(one).applyMatrix4(matrix.fromArray(matrices, i));
    box.union(placed.getBoundingBox(reach));
  }
  return box.getBoundingSphere(target);
}
