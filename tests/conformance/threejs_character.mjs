// A glTF file as three.js sees it: loaded, posed, and its vertices computed on the CPU.
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { toBareGlb } from './gltf_file.mjs';

/**
 * Brings rotation keys to unit length: glTF demands it, files miss it, and three.js then scales the joint
 * (SimpleSkin has keys of length 0.9998, which makes 3e-4). Keys of cubic splines stay, as three.js normalises
 * what it interpolates from them.
 * @param {import('three').AnimationClip[]} clips @returns {number} how many keys needed it
 */
function normalizeRotationKeys(clips) {
  const tracks = clips.flatMap((clip) => clip.tracks).filter((track) => track.ValueTypeName === 'quaternion'
    && !track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline);
  let count = 0;
  for (const values of new Set(tracks.map((track) => track.values))) {
    for (let i = 0; i < values.length; i += 4) {
      const length = Math.hypot(values[i], values[i + 1], values[i + 2], values[i + 3]);
      if (length === 0 || Math.abs(length - 1) < 1e-6) continue;
      for (let k = 0; k < 4; k++) values[i + k] /= length;
      count++;
    }
  }
  return count;
}

export class ThreejsCharacter {
  /** @param {import('./gltf_file.mjs').GltfFile} file */
  static async load(file) {
    const character = new ThreejsCharacter();
    const loader = new GLTFLoader();
    const gltf = await loader.parseAsync(toBareGlb(file), '');
    character.scene = gltf.scene;
    character.clips = gltf.animations;
    character.normalizedKeyCount = normalizeRotationKeys(gltf.animations);
    character.mixer = new AnimationMixer(gltf.scene);
    /** @type {import('three').Object3D[]} by number of the glTF node */
    character.nodes = await Promise.all(
      file.json.nodes.map((_, i) => gltf.parser.getDependency('node', i)));
    character.pose(-1, 0);
    return character;
  }

  /**
   * Evaluates a clip at a time, or the rest pose for clip -1. A fresh action is played once
   * and held at its end: the mixer's default would loop, and show the first key at the last one's time.
   * @param {number} clip @param {number} timeS
   */
  pose(clip, timeS) {
    this.mixer.stopAllAction(); // puts back the rest pose
    if (clip >= 0) {
      const action = this.mixer.clipAction(this.clips[clip]);
      action.setLoop(LoopOnce, 1);
      action.clampWhenFinished = true;
      action.reset().play();
      this.mixer.update(timeS);
    }
    this.scene.updateMatrixWorld(true);
  }

  /** World matrix of a node, 16 numbers, column-major. @param {number} node */
  matrix(node) {
    return this.nodes[node].matrixWorld.elements;
  }

  /**
   * The drawable objects of a node's mesh, one a primitive, in the file's order: the node's object itself,
   * or where there are several primitives the first children of the group that it then is.
   * @param {number} node @param {number} primitiveCount
   */
  primitives(node, primitiveCount) {
    const object = this.nodes[node];
    return primitiveCount === 1 ? [object] : object.children.slice(0, primitiveCount);
  }

  /**
   * World positions of all vertices of a node's mesh, x y z after x y z.
   * @param {number} node @param {number} primitiveCount
   */
  positions(node, primitiveCount) {
    const result = [];
    const point = new Vector3();
    for (const object of this.primitives(node, primitiveCount)) {
      const count = object.geometry.attributes.position.count;
      for (let i = 0; i < count; i++) {
        object.getVertexPosition(i, point); // morphed and skinned, in the space of the object
        point.applyMatrix4(object.matrixWorld);
        result.push(point.x, point.y, point.z);
      }
    }
    return result;
  }
}
