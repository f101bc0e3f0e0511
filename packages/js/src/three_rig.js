// What of a three.js model must move, and in which order: objects become joints, meshes become draws, and the
// bones of all skeletons stand in one list, because one texture holds them all.
import { Matrix4, Quaternion, Vector3 } from 'three';

/** @typedef {import('three').Object3D} Object3D */
/** @typedef {import('three').Mesh} Mesh */

/**
 * @typedef {object} Draw One mesh of the model.
 * @property {Mesh} mesh
 * @property {number} firstBone where its matrices start in those of a character
 * @property {boolean} rigid it has no skeleton of its own: one matrix moves all of it
 * @property {number} firstScalar its morph target influences, among the scalars of the skeleton
 * @property {number} scalarCount
 */

/** @typedef {{bones: Object3D[], inverses: Matrix4[], first: number}} BoneRange */

const IDENTITY = new Matrix4();

/**
 * The object whose parent's space the characters live in: the topmost one below the scene.
 * @param {Object3D} object @returns {Object3D}
 */
export function topOf(object) {
  let top = object;
  while (top.parent && !top.parent.isScene) top = top.parent;
  return top;
}

/** @param {Object3D} object */
function describe(object) {
  return `${object.type} "${object.name}"`;
}

/**
 * The transform that three.js would compose the object's matrix of, before any animation.
 * @param {Object3D} object
 */
export function restTransform(object) {
  if (object.pivot) {
    throw new Error(`MarrowCrowd: ${describe(object)} has a pivot, which a joint cannot have; put its children into an `
      + 'object of their own instead');
  }
  const position = new Vector3();
  const quaternion = new Quaternion();
  const scale = new Vector3();
  if (object.matrixAutoUpdate) {
    position.copy(object.position);
    quaternion.copy(object.quaternion);
    scale.copy(object.scale);
  } else {
    object.matrix.decompose(position, quaternion, scale);
  }
  return { translation: position.toArray(), rotation: quaternion.normalize().toArray(), scale: scale.toArray() };
}

/** @param {Matrix4[]} a @param {Matrix4[]} b */
function sameMatrices(a, b) {
  return a.length === b.length && a.every((matrix, i) => matrix.equals(b[i]));
}

export class Rig {
  /**
   * @param {Object3D} object a SkinnedMesh, which is drawn alone, or an object with all meshes below it
   */
  constructor(object) {
    this.object = object;
    this.top = topOf(object);
    /** @type {Draw[]} */
    this.draws = [];
    /** @type {{object: Object3D, reason: string}[]} */
    this.skipped = [];
    /** @type {BoneRange[]} */
    this.ranges = [];
    this.boneCount = 0;
    /** @type {Object3D[]} parents before children @type {Map<Object3D, number>} */
    this.nodes = [];
    this.numbers = new Map();
    /** @type {{name: string, rest: number}[]} */
    this.scalars = [];
    /** @type {Map<Object3D, Draw>} */
    this.drawOf = new Map();

    for (const mesh of this.#meshes()) this.#addDraw(mesh);
    if (this.draws.length === 0) {
      throw new Error(`MarrowCrowd: ${describe(object)} has no mesh to draw; pass a SkinnedMesh, or an object above one`);
    }
    for (const { bones } of this.ranges) bones.forEach((bone) => this.#addNode(bone));
  }

  /** @returns {Mesh[]} */
  #meshes() {
    if (this.object.isMesh) return this.#canDraw(this.object) ? [this.object] : [];
    const meshes = [];
    this.object.traverse((child) => {
      const drawn = child.isMesh || child.isLine || child.isPoints || child.isSprite;
      if (drawn && this.#canDraw(child)) meshes.push(child);
    });
    return meshes;
  }

  /** @param {Object3D} object */
  #canDraw(object) {
    let reason = '';
    if (!object.isMesh) reason = 'no mesh: lines, points and sprites are not drawn';
    else if (object.isInstancedMesh || object.isBatchedMesh) reason = 'already many: it cannot be repeated';
    if (reason !== '') this.skipped.push({ object, reason });
    return reason === '';
  }

  /** @param {Mesh} mesh */
  #addDraw(mesh) {
    const rigid = !mesh.isSkinnedMesh;
    if (!rigid && !mesh.skeleton) {
      throw new Error(`MarrowCrowd: ${describe(mesh)} has no skeleton; bind() one first`);
    }
    for (const material of [mesh.material].flat()) {
      if (material.isNodeMaterial || material.isRawShaderMaterial) {
        throw new Error(`MarrowCrowd: the material "${material.name}" of ${describe(mesh)} is a ${material.type}; only `
          + 'materials that are made of the shader chunks of WebGLRenderer can be given a crowd\'s bones');
      }
    }
    const influences = mesh.morphTargetInfluences ?? [];
    const draw = {
      mesh, rigid,
      firstBone: rigid ? this.#range([mesh], [IDENTITY]) : this.#range(mesh.skeleton.bones, mesh.skeleton.boneInverses),
      firstScalar: this.scalars.length, scalarCount: influences.length,
    };
    const names = Object.keys(mesh.morphTargetDictionary ?? {});
    influences.forEach((rest, i) => this.scalars.push({ name: `${mesh.name}.${names[i] ?? i}`, rest }));
    this.draws.push(draw);
    this.drawOf.set(mesh, draw);
  }

  /**
   * Meshes that were cloned, or are parts of one, have the same bones with the same inverses, if not the same Skeleton.
   * @param {Object3D[]} bones @param {Matrix4[]} inverses @returns {number}
   */
  #range(bones, inverses) {
    const same = (range) => range.bones.length === bones.length && range.bones.every((bone, i) => bone === bones[i])
      && sameMatrices(range.inverses, inverses);
    let range = this.ranges.find(same);
    if (!range) {
      if (bones.some((bone) => !bone)) throw new Error('MarrowCrowd: a skeleton with a bone that is undefined');
      range = { bones: [...bones], inverses: inverses.map((matrix) => matrix.clone()), first: this.boneCount };
      this.ranges.push(range);
      this.boneCount += bones.length;
    }
    return range.first;
  }

  /** Adds an object and what is above it. @param {Object3D} node @returns {number} */
  #addNode(node) {
    const known = this.numbers.get(node);
    if (known !== undefined) return known;
    if (node !== this.top && node.parent && !node.parent.isScene) this.#addNode(node.parent);
    const number = this.nodes.length;
    this.numbers.set(node, number);
    this.nodes.push(node);
    return number;
  }

  /** Joints as createSkeleton takes them. */
  joints() {
    return this.nodes.map((node) => ({
      name: node.name,
      parent: node === this.top ? -1 : this.numbers.get(node.parent) ?? -1,
      ...restTransform(node),
    }));
  }

  /** For each bone of a character the number of its node. @returns {number[]} */
  boneNodes() {
    return this.ranges.flatMap(({ bones }) => bones.map((bone) => this.numbers.get(bone)));
  }

  /** [12 a bone] rows of the inverse bind matrices. @returns {Float32Array} */
  inverseBinds() {
    const rows = new Float32Array(this.boneCount * 12);
    this.ranges.flatMap(({ inverses }) => inverses).forEach(({ elements: e }, bone) => {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) rows[bone * 12 + row * 4 + column] = e[column * 4 + row];
      }
    });
    return rows;
  }
}
