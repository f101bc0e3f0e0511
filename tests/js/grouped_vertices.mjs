// groupVertices: another order of the vertices, with the same bits for each of them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { asset, loadMarrow } from './package/package_under_test.mjs';

const fox = asset('gltf/Fox.glb');
const marrow = await loadMarrow();

/** The mesh of a character and where it stands in a moment of a walk. */
function skinned(character) {
  const pose = character.createPose().sample(character.findClip('Walk'), 0.3);
  pose.modelMatrices();
  return { mesh: character.meshes[0], positions: character.skinVertices(pose, 0) };
}

const bitsOf = (floats) => new Uint32Array(floats.buffer, floats.byteOffset, floats.length);

/** Vectors in the file's order. @param {Float32Array} vectors @param {Uint32Array} sourceVertices */
function inFileOrder(vectors, sourceVertices) {
  const result = new Float32Array(vectors.length);
  sourceVertices.forEach((source, i) => result.set(vectors.subarray(i * 3, i * 3 + 3), source * 3));
  return result;
}

test('each vertex has its bits at another place', () => {
  const plain = skinned(marrow.loadCharacter(fox));
  const grouped = skinned(marrow.loadCharacter(fox, { groupVertices: true }));
  assert.equal(plain.mesh.sourceVertices, undefined);
  const { sourceVertices } = grouped.mesh;
  assert.equal(sourceVertices.length, plain.mesh.vertexCount);
  assert.deepEqual(sourceVertices.slice().sort(), Uint32Array.from(sourceVertices, (_, i) => i));
  assert.notDeepEqual(sourceVertices, Uint32Array.from(sourceVertices, (_, i) => i));
  assert.deepEqual(bitsOf(inFileOrder(grouped.positions, sourceVertices)), bitsOf(plain.positions));
  assert.deepEqual(inFileOrder(grouped.mesh.positions, sourceVertices), plain.mesh.positions.slice());
  const remapped = grouped.mesh.indices.map((index) => sourceVertices[index]);
  assert.deepEqual(remapped, plain.mesh.indices.slice());
});
