/**
 * Marrow for three.js: many characters of one model, evaluated in one call a frame, drawn with one draw a mesh.
 *
 *     const crowd = new MarrowCrowd(marrow, gltf.scene, gltf.animations, 1000);
 *     scene.add(crowd.object);
 *     crowd.setMatrixAt(0, matrix).play(0, 'Run', { speed: 1.2 });
 *     ... each frame: crowd.update(seconds);
 *
 * It stands in for a clone, an AnimationMixer and a skeleton.update() for each character. The model itself is only read.
 */
import {
  DataTexture, DynamicDrawUsage, FloatType, Group, InstancedBufferAttribute, Matrix4, RedFormat, RGBAFormat, Sphere,
} from 'three';
import { matrixFromRows, sphereOfClips, sphereOfPlaces } from './three_bounds.js';
import { convertClip } from './three_clips.js';
import { bindToOneBone, CrowdMaterials, CrowdMesh } from './three_mesh.js';
import { Rig } from './three_rig.js';

/** @typedef {import('three').AnimationClip} AnimationClip */

// Every WebGL 2 has textures of this size; most go on to 16384, and none in use further.
const MAX_TEXTURE_SIZE = 2048;
const MAX_TEXTURE_HEIGHT = 16384;
const TEXELS_PER_BONE = 3;

/**
 * How the matrices of all characters fill a texture, row after row and to the last texel, so that the memory they are
 * computed in can be uploaded as it stands. A row holds some characters, or some rows hold one; bones and characters
 * are added where they would not come out even.
 * @param {number} boneCount of a character @param {number} count of characters
 */
export function textureLayout(boneCount, count) {
  const bonesPerRow = Math.floor(MAX_TEXTURE_SIZE / TEXELS_PER_BONE);
  if (boneCount <= bonesPerRow) {
    const perRow = Math.min(Math.ceil(count / MAX_TEXTURE_SIZE), Math.floor(bonesPerRow / boneCount));
    const height = Math.ceil(count / perRow);
    return { width: perRow * boneCount * TEXELS_PER_BONE, height, boneCount, count: perRow * height };
  }
  const rows = Math.ceil(boneCount / bonesPerRow);
  const inRow = Math.ceil(boneCount / rows);
  return { width: inRow * TEXELS_PER_BONE, height: rows * count, boneCount: inRow * rows, count };
}

export class MarrowCrowd {
  #rig;
  #skeleton;
  #skin;
  #crowd;
  /** @type {Map<AnimationClip | null, import('./marrow.d.ts').Clip>} */
  #clips = new Map();
  #clipsByName = new Map();
  #layout;
  #bones;
  #materials;
  #placement;
  #geometries = [];
  #morphs = [];
  #morphsMove = false;
  #sphere = new Sphere();
  #sphereIsOld = true;
  #characterSphere;
  /** Seconds since the beginning. */
  #now = 0;
  #players;

  /**
   * @param {import('./marrow.d.ts').Marrow} marrow
   * @param {import('three').Object3D} object a SkinnedMesh, which is drawn alone, or an object with all meshes below it
   * @param {AnimationClip[]} animations
   * @param {number} count of characters
   */
  constructor(marrow, object, animations, count) {
    if (!Number.isInteger(count) || count < 1) throw new Error(`MarrowCrowd: the count of characters is ${count}, not a positive integer`);
    if (!object?.isObject3D) throw new Error('MarrowCrowd: the second argument is not an Object3D');
    object.updateWorldMatrix(true, true);
    this.count = count;
    this.#rig = new Rig(object);
    this.#build(marrow, animations);
    this.#players = Array.from({ length: count }, () => ({ clip: null, time: 0, speed: 1, loop: true, since: 0, from: null, fadeEnd: 0, fade: 0 }));
    this.#draw();
    this.#characterSphere = sphereOfClips(this.#skeleton, this.#skin, [...this.#clips.values()], this.meshes);
    this.update(0);
  }

  /** @param {import('./marrow.d.ts').Marrow} marrow @param {AnimationClip[]} animations */
  #build(marrow, animations) {
    const rig = this.#rig;
    this.#layout = textureLayout(rig.boneCount, this.count);
    if (this.#layout.height > MAX_TEXTURE_HEIGHT) {
      throw new Error(`MarrowCrowd: ${this.count} characters with ${rig.boneCount} bones need a texture of ${this.#layout.height} rows, `
        + `and graphics have ${MAX_TEXTURE_HEIGHT} at most; make several crowds`);
    }
    this.#skeleton = marrow.createSkeleton(rig.joints(), rig.scalars);
    const order = this.#skeleton.order;
    const padding = this.#layout.boneCount - rig.boneCount;
    const joints = [...rig.boneNodes().map((node) => order[node]), ...new Array(padding).fill(0)];
    const inverseBinds = new Float32Array(joints.length * 12);
    inverseBinds.set(rig.inverseBinds());
    this.#skin = this.#skeleton.createSkin(joints, inverseBinds);
    this.#crowd = this.#skeleton.createCrowd(this.#skin, this.#layout.count);

    /** Tracks and objects of the model that have no part in the crowd, and why. */
    this.skipped = [...rig.skipped];
    this.#clips.set(null, this.#skeleton.createClip('', []));
    for (const animation of animations) {
      if (this.#clips.has(animation)) continue;
      const { tracks, skipped } = convertClip(rig, order, animation);
      this.skipped.push(...skipped);
      this.#morphsMove ||= tracks.some(({ kind }) => kind === 'scalar');
      this.#clips.set(animation, this.#skeleton.createClip(animation.name, tracks, animation.duration));
      if (!this.#clipsByName.has(animation.name)) this.#clipsByName.set(animation.name, animation);
    }
  }

  #draw() {
    const rig = this.#rig;
    const { width, height } = this.#layout;
    /** RGBA, 32 bits: three texels a bone, the rows of its matrix. */
    this.boneTexture = new DataTexture(null, width, height, RGBAFormat, FloatType);
    // Always the memory as it is now: what else is loaded may move it before the renderer comes to upload.
    Object.defineProperty(this.boneTexture.image, 'data', { get: () => this.#crowd.palette });
    this.#bones = { boneTexture: this.boneTexture, bones: rig.ranges.flatMap(({ bones }) => bones), update() {} };
    this.#placement = new InstancedBufferAttribute(new Float32Array(this.count * 16), 16).setUsage(DynamicDrawUsage);
    for (let i = 0; i < this.count; i++) new Matrix4().toArray(this.#placement.array, i * 16);
    this.#materials = new CrowdMaterials(this.#layout.boneCount);
    /** What to add to a scene. */
    this.object = new Group();
    this.object.name = rig.object.name;
    /** @type {CrowdMesh[]} */
    this.meshes = rig.draws.map((draw) => {
      let { geometry } = draw.mesh;
      if (draw.rigid) {
        geometry = bindToOneBone(geometry);
        this.#geometries.push(geometry);
      }
      const mesh = new CrowdMesh(this, draw, geometry, this.#materials, this.#placement, this.#bones);
      if (draw.scalarCount > 0) this.#morphs.push(this.#morphTexture(mesh, draw));
      return mesh;
    });
    this.object.add(...this.meshes);
    this.#copyMorphs();
  }

  /** Influences as InstancedMesh keeps them: for each character that of the base, and of each target. */
  #morphTexture(mesh, draw) {
    const width = draw.scalarCount + 1;
    mesh.morphTexture = new DataTexture(new Float32Array(width * this.count), width, this.count, RedFormat, FloatType);
    return { mesh, draw, relative: mesh.geometry.morphTargetsRelative };
  }

  #copyMorphs() {
    const scalars = this.#crowd.scalars;
    const stride = this.#skeleton.scalarCount;
    for (const { mesh, draw, relative } of this.#morphs) {
      const influences = mesh.morphTexture.image.data;
      let to = 0;
      for (let i = 0; i < this.count; i++) {
        const base = to++;
        const first = i * stride + draw.firstScalar;
        let sum = 0;
        for (let k = 0; k < draw.scalarCount; k++) {
          influences[to++] = scalars[first + k];
          sum += scalars[first + k];
        }
        influences[base] = relative ? 1 : 1 - sum;
      }
      mesh.morphTexture.needsUpdate = true;
    }
  }

  /** The clips that can be played. @returns {AnimationClip[]} */
  get clips() {
    return [...this.#clips.keys()].filter((clip) => clip !== null);
  }

  /** Bones of a character in the texture and in `palette`: those of all its skeletons, one after the other. */
  get bonesPerCharacter() {
    return this.#layout.boneCount;
  }

  /**
   * What skeleton.boneMatrices holds in three.js, for all characters: bone.matrixWorld * boneInverse, in the space of the
   * character. Twelve floats a bone, rows. Read anew after each update: the memory may have moved.
   */
  get palette() {
    return this.#crowd.palette;
  }

  /** @param {number} index */
  #check(index) {
    if (!(Number.isInteger(index) && index >= 0 && index < this.count)) {
      throw new Error(`MarrowCrowd: character ${index} of ${this.count}, counted from 0`);
    }
  }

  /** @param {AnimationClip | string | null} clip @returns {AnimationClip | null} */
  #findClip(clip) {
    const found = typeof clip === 'string' ? this.#clipsByName.get(clip) : clip;
    if (found === undefined || !this.#clips.has(found)) {
      const names = [...this.#clipsByName.keys()].map((name) => `"${name}"`).join(', ') || 'none';
      throw new Error(`MarrowCrowd: no clip ${typeof clip === 'string' ? `"${clip}"` : 'like that'} was given to the constructor; there are ${names}`);
    }
    return found;
  }

  /**
   * Where a character is: it replaces the transform of the parent of the model's topmost object.
   * @param {number} index @param {Matrix4} matrix
   */
  setMatrixAt(index, matrix) {
    this.#check(index);
    matrix.toArray(this.#placement.array, index * 16);
    this.#placement.needsUpdate = true;
    this.#sphereIsOld = true;
    return this;
  }

  /** @param {number} index @param {Matrix4} target @returns {Matrix4} */
  getMatrixAt(index, target) {
    this.#check(index);
    return target.fromArray(this.#placement.array, index * 16);
  }

  /** Multiplies the colour of the character's materials. @param {number} index @param {import('three').Color} color */
  setColorAt(index, color) {
    this.#check(index);
    for (const mesh of this.meshes) {
      // White for all others, which three.js does by itself only of late.
      mesh.instanceColor ??= new InstancedBufferAttribute(new Float32Array(this.count * 3).fill(1), 3);
      mesh.setColorAt(index, color);
      mesh.instanceColor.needsUpdate = true;
    }
    return this;
  }

  /**
   * Where a bone of a character is, in the space of the crowd's object: for what is to be attached to it.
   * @param {number} index @param {import('three').Object3D} bone of the model @param {Matrix4} target @returns {Matrix4}
   */
  getBoneMatrixAt(index, bone, target) {
    this.#check(index);
    for (const { bones, inverses, first } of this.#rig.ranges) {
      const at = bones.indexOf(bone);
      if (at < 0) continue;
      matrixFromRows(target, this.palette, index * this.bonesPerCharacter + first + at);
      return target.multiply(new Matrix4().copy(inverses[at]).invert()).premultiply(this.getMatrixAt(index, new Matrix4()));
    }
    throw new Error(`MarrowCrowd: "${bone?.name}" is no bone of the model`);
  }

  /**
   * Starts a clip, at once or fading over from what is being played; null is the rest pose. Where a fade is still
   * going on, the new one begins at the stronger of its two clips.
   * @param {number} index @param {AnimationClip | string | null} clip
   * @param {{time?: number, speed?: number, loop?: boolean, fade?: number}} [options] time: where in the clip to begin,
   *   in seconds; 0. speed: 1, negative for backwards. loop: true; otherwise the clip's end is held. fade: in seconds; 0.
   */
  play(index, clip, { time = 0, speed = 1, loop = true, fade = 0 } = {}) {
    this.#check(index);
    for (const [name, value] of Object.entries({ time, speed, fade })) {
      if (!Number.isFinite(value)) throw new Error(`MarrowCrowd: ${name} is ${value}`);
    }
    const player = this.#players[index];
    const from = fade > 0 ? this.#strongest(player) : null;
    Object.assign(player, { clip: this.#findClip(clip), time, speed, loop, since: this.#now, from, fade, fadeEnd: this.#now + fade });
    this.#set(index, player);
    return this;
  }

  /** What is played and fades out, with its time now. */
  #strongest(player) {
    const fading = player.from !== null && (player.fadeEnd - this.#now) / player.fade > 0.5;
    const { clip, time, speed, loop, since } = fading ? player.from : player;
    return { clip, time: time + (this.#now - since) * speed, speed, loop, since: this.#now };
  }

  #set(index, { clip, time, speed, loop, from, fade }) {
    const now = { clip: this.#clips.get(clip), timeSeconds: time, speed, loop };
    if (from === null) {
      this.#crowd.set(index, now);
      return;
    }
    this.#crowd.set(index, {
      clip: this.#clips.get(from.clip), timeSeconds: from.time, speed: from.speed, loop: from.loop,
      otherClip: now.clip, otherTimeSeconds: time, otherSpeed: speed, otherLoop: loop,
      fade: 0, fadePerSecond: 1 / fade,
    });
  }

  /** What a character plays, and where in it that is, in seconds since the clip's beginning. @param {number} index */
  playing(index) {
    this.#check(index);
    const { clip, time, speed, since } = this.#players[index];
    return { clip, time: time + (this.#now - since) * speed };
  }

  /** Moves all characters on and evaluates them. @param {number} seconds */
  update(seconds) {
    this.#crowd.update(seconds);
    this.#now += seconds;
    this.boneTexture.needsUpdate = true;
    if (this.#morphsMove) this.#copyMorphs();
    return this;
  }

  /** Around one character, in its own space, whatever it plays. Assign another one where it is too small or too large. */
  get characterSphere() {
    return this.#characterSphere;
  }

  set characterSphere(sphere) {
    this.#characterSphere = sphere;
    this.#sphereIsOld = true;
  }

  /** Around all characters. @returns {Sphere} */
  get boundingSphere() {
    if (this.#sphereIsOld) sphereOfPlaces(this.#characterSphere, this.#placement.array, this.#sphere);
    this.#sphereIsOld = false;
    return this.#sphere;
  }

  /** Transform of an object of the model in the space of a character, before any animation. @param {import('three').Object3D} object */
  placeOf(object) {
    const parent = this.#rig.top.parent;
    const place = object.matrixWorld.clone();
    return parent ? place.premultiply(parent.matrixWorld.clone().invert()) : place;
  }

  /** Frees memory and what the renderer holds. The model's own geometries, textures and materials stay. */
  dispose() {
    this.object.removeFromParent();
    for (const mesh of this.meshes) mesh.dispose();
    for (const geometry of this.#geometries) geometry.dispose();
    this.#materials.dispose();
    this.boneTexture.dispose();
    this.#crowd.dispose();
    this.#skin.dispose();
    for (const clip of this.#clips.values()) clip.dispose();
    this.#skeleton.dispose();
  }
}
