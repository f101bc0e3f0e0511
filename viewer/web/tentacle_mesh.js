// The strip: a tube of square or round section that stands on y = 0, with a chain of joints in it.
//
//     y  4 .-^-.
//          |   |   joint 3
//        3 |-+-|
//          |   |   joint 2
//        2 |-+-|   <- the middle ring: half joint 1, half joint 2
//          |   |   joint 1
//        1 |-+-|
//          |   |   joint 0
//        0 '-+-'
//
// Between the middles of two bones a vertex goes over from one joint to the next, smoothly.

export const JOINT_COUNT = 4;
export const BONE_LENGTH = 1;
export const HEIGHT = JOINT_COUNT * BONE_LENGTH;
/** The joint that the twist turns, and the ring at its place. */
export const MIDDLE_JOINT = 2;

const FOOT = 0.25; // below the ground, so that the foot stays closed when joint 0 bends
const RADIUS = { round: 0.44, square: 0.42 };
const CORNER_RADIUS = 0.09;
const RINGS_PER_BONE = 24;
const DOME_RINGS = 8;
const DOME_HEIGHT = { round: 0.3, square: 0.1 };

/** The section: points with outward normals, and their share of the way around. The first one comes again at the end. */
function section(shape) {
  const radius = RADIUS[shape];
  const points = [];
  if (shape === 'round') {
    const count = 48;
    for (let i = 0; i <= count; i++) {
      const angle = i / count * 2 * Math.PI;
      const normal = [Math.sin(angle), Math.cos(angle)];
      points.push({ at: [radius * normal[0], radius * normal[1]], normal, around: i / count });
    }
    return points;
  }
  // Four sides with rounded corners, each from the middle of a side to the middle of the next.
  const straight = radius - CORNER_RADIUS, sideSteps = 4, cornerSteps = 5;
  const lengthOfQuarter = 2 * straight + CORNER_RADIUS * Math.PI / 2;
  for (let quarter = 0; quarter < 4; quarter++) {
    const turn = ([x, z]) => [[x, z], [z, -x], [-x, -z], [-z, x]][quarter];
    const push = (at, normal, way) =>
      points.push({ at: turn(at), normal: turn(normal), around: (quarter + way / lengthOfQuarter) / 4 });
    for (let i = 0; i < sideSteps; i++) push([straight * i / sideSteps, radius], [0, 1], straight * i / sideSteps);
    for (let i = 0; i <= cornerSteps; i++) {
      const angle = i / cornerSteps * Math.PI / 2;
      const normal = [Math.sin(angle), Math.cos(angle)];
      push([straight + CORNER_RADIUS * normal[0], straight + CORNER_RADIUS * normal[1]], normal, straight + CORNER_RADIUS * angle);
    }
    for (let i = 1; i < sideSteps; i++) {
      push([radius, straight * (1 - i / sideSteps)], [1, 0], straight + CORNER_RADIUS * Math.PI / 2 + straight * i / sideSteps);
    }
  }
  points.push({ ...points[0], around: 1 });
  return points;
}

/** Heights of the rings with the size and the slope of each: straight up, then a dome. */
function profile(shape) {
  const rings = [];
  const top = HEIGHT - DOME_HEIGHT[shape];
  const count = RINGS_PER_BONE * JOINT_COUNT;
  rings.push({ y: -FOOT, size: 1, slope: 0 });
  for (let i = 0; i <= count; i++) {
    const y = HEIGHT * i / count;
    if (y < top) rings.push({ y, size: 1, slope: 0 });
  }
  for (let i = 0; i <= DOME_RINGS; i++) {
    const angle = i / DOME_RINGS * Math.PI / 2;
    // A square one keeps a flat top: the dome is its bevel.
    const inset = shape === 'round' ? 1 : DOME_HEIGHT.square / RADIUS.square;
    rings.push({ y: top + DOME_HEIGHT[shape] * Math.sin(angle), size: 1 - inset * (1 - Math.cos(angle)), slope: angle });
  }
  if (shape === 'square') rings.push({ y: HEIGHT, size: 0, slope: Math.PI / 2 });
  return rings;
}

/** The two joints that hold a vertex at height y, the heavier first, and its share. */
export function influencesAt(y) {
  const place = y / BONE_LENGTH - 0.5; // 0 in the middle of bone 0
  const lower = Math.min(JOINT_COUNT - 1, Math.max(0, Math.floor(place)));
  const upper = Math.min(JOINT_COUNT - 1, lower + 1);
  const t = upper === lower ? 0 : Math.min(1, Math.max(0, place - lower));
  const share = t * t * (3 - 2 * t); // of the upper joint
  return share > 0.5 ? { joints: [upper, lower], weights: [share, 1 - share] } : { joints: [lower, upper], weights: [1 - share, share] };
}

/**
 * @param {'square' | 'round'} shape
 * @returns {{vertexCount: number, positions: Float32Array, normals: Float32Array, surface: Float32Array,
 *   joints: Uint8Array, weights: Float32Array, indices: Uint16Array, ring: number[][]}} surface: two numbers a vertex,
 *   the way around (0..1) and the height. joints and weights: four a vertex. ring: the middle ring's places at rest
 */
export function buildStrip(shape) {
  const around = section(shape), rings = profile(shape);
  const columns = around.length, vertexCount = columns * rings.length;
  const mesh = {
    vertexCount,
    positions: new Float32Array(vertexCount * 3),
    normals: new Float32Array(vertexCount * 3),
    surface: new Float32Array(vertexCount * 2),
    joints: new Uint8Array(vertexCount * 4),
    weights: new Float32Array(vertexCount * 4),
    indices: new Uint16Array((columns - 1) * (rings.length - 1) * 6),
    ring: around.slice(1).map(({ at }) => [at[0], MIDDLE_JOINT * BONE_LENGTH, at[1]]),
  };
  let v = 0;
  for (const { y, size, slope } of rings) {
    const { joints, weights } = influencesAt(y);
    for (const { at, normal, around: share } of around) {
      mesh.positions.set([at[0] * size, y, at[1] * size], v * 3);
      mesh.normals.set([normal[0] * Math.cos(slope), Math.sin(slope), normal[1] * Math.cos(slope)], v * 3);
      mesh.surface.set([share, y], v * 2);
      mesh.joints.set(joints, v * 4);
      mesh.weights.set(weights, v * 4);
      v++;
    }
  }
  let i = 0;
  for (let r = 0; r + 1 < rings.length; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
      mesh.indices.set([a, b, e, a, e, d], i);
      i += 6;
    }
  }
  return mesh;
}
