// Where three.js is known to be wrong, and the check that this is all that is wrong.
//
// For a mesh that one of these entries concerns, positions are computed a third time, right here, from the
// file's own joints and weights and three.js's joint matrices:
//
// - with all influences, normalised in floating point: that is what Marrow must print;
// - with what three.js makes of the influences: that is what three.js must have computed.
//
// So an exception hides nothing: Marrow is held to the specification, and a three.js that errs in another
// way, or no longer errs, fails the test and asks for a change here. (One more fault is mended before three.js can
// make it: normalizeRotationKeys in threejs_character.mjs.)
import { Matrix4, Vector3 } from 'three';
import { readAccessor } from './gltf_file.mjs';

/** @typedef {{joint: number, weight: number}[]} Influences of one vertex, in the file's order */

const sum = (influences) => influences.reduce((total, i) => total + i.weight, 0);

/** Weights scaled to sum 1; all of it on the first joint where there is none. @param {Influences} influences */
function normalize(influences) {
  const total = sum(influences);
  return influences.map(({ joint, weight }, i) =>
    ({ joint, weight: total > 0 ? weight / total : Number(i === 0) }));
}

/**
 * @typedef {object} Exception
 * @property {string} reason
 * @property {(json: any, primitive: any) => boolean} applies
 * @property {(influences: Influences) => Influences} threejs what three.js makes of a vertex's influences
 */

/** @type {Exception[]} */
export const EXCEPTIONS = [
  {
    reason: 'three.js reads four influences a vertex and drops those of JOINTS_1 and beyond',
    applies: (json, primitive) => 'JOINTS_1' in primitive.attributes,
    threejs: (influences) => normalize(influences.slice(0, 4)),
  },
  {
    reason: 'three.js normalises 8-bit weights and stores them back in 8 bits, so they miss 1 by up to 2/255',
    applies: (json, primitive) =>
      json.accessors[primitive.attributes.WEIGHTS_0].componentType === 5121,
    threejs: (influences) => normalize(influences).map(({ joint, weight }) =>
      ({ joint, weight: Math.round(weight * 255) / 255 })),
  },
];

/**
 * The exception that concerns a skinned mesh node, if any.
 * @param {any} json @param {number} node @returns {Exception | undefined}
 */
export function exceptionFor(json, node) {
  const { mesh, skin } = json.nodes[node];
  if (skin === undefined) return undefined;
  const { primitives } = json.meshes[mesh];
  return EXCEPTIONS.find((exception) =>
    primitives.some((primitive) => exception.applies(json, primitive)));
}

/** @returns {Influences[]} of each vertex, those of weight 0 too */
function readInfluences(file, primitive) {
  const vertices = [];
  for (let set = 0; `JOINTS_${set}` in primitive.attributes; set++) {
    const joints = readAccessor(file, primitive.attributes[`JOINTS_${set}`]);
    const weights = readAccessor(file, primitive.attributes[`WEIGHTS_${set}`]);
    joints.forEach((four, vertex) => {
      vertices[vertex] ??= [];
      four.forEach((joint, i) => vertices[vertex].push({ joint, weight: weights[vertex][i] }));
    });
  }
  return vertices;
}

/**
 * Positions by linear blend skinning, said as plainly as possible.
 * @param {import('./gltf_file.mjs').GltfFile} file @param {number} node that carries the skinned mesh
 * @param {(node: number) => number[]} matrixOf world matrix of a node
 * @param {(influences: Influences) => Influences} [change]
 * @returns {number[]} x y z after x y z
 */
export function skinByHand(file, node, matrixOf, change = normalize) {
  const { mesh, skin } = file.json.nodes[node];
  const { joints, inverseBindMatrices } = file.json.skins[skin];
  const inverseBinds = inverseBindMatrices === undefined ? [] : readAccessor(file, inverseBindMatrices);
  const palette = joints.map((joint, i) => new Matrix4().fromArray(matrixOf(joint))
    .multiply(new Matrix4().fromArray(inverseBinds[i] ?? new Matrix4().elements)));

  const result = [];
  for (const primitive of file.json.meshes[mesh].primitives) {
    if (primitive.targets) throw new Error('skinByHand knows no morph targets');
    const positions = readAccessor(file, primitive.attributes.POSITION);
    readInfluences(file, primitive).forEach((influences, vertex) => {
      const moved = new Vector3();
      for (const { joint, weight } of change(influences)) {
        const part = new Vector3(...positions[vertex]).applyMatrix4(palette[joint]);
        moved.addScaledVector(part, weight);
      }
      result.push(moved.x, moved.y, moved.z);
    });
  }
  return result;
}
