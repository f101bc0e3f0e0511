// One draw for all characters: an InstancedMesh that WebGLRenderer also takes for a SkinnedMesh.
//
// The renderer then sets up skinning and instancing by itself, in every pass. Its chunks do both, one after the
// other: a vertex is morphed by the instance's influences, skinned, and moved by the instance's matrix. All that is
// missing is that each instance has bones of its own, so one function of the chunks is replaced: getBoneMatrix.
import {
  InstancedMesh, Matrix4, Mesh, MeshDepthMaterial, MeshDistanceMaterial, Ray, REVISION, Sphere, Uint8BufferAttribute, Vector4,
} from 'three';

/** @typedef {import('three').Material} Material */
/** @typedef {import('three').BufferGeometry} BufferGeometry */

const CHUNK = '#include <skinning_pars_vertex>';

// A bone is three texels, the rows of its matrix; the bones of a character, and the characters, follow one another.
const PARS = /* glsl */`
#ifdef USE_SKINNING

	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	uniform highp ivec2 crowdBones; // those of a character, and the first of this mesh

	mat4 getBoneMatrix( const in float i ) {

		int width = textureSize( boneTexture, 0 ).x;
		int texel = 3 * ( gl_InstanceID * crowdBones.x + crowdBones.y + int( i ) );
		int x = texel % width;
		int y = texel / width;
		vec4 row1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 row2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 row3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );

		return transpose( mat4( row1, row2, row3, vec4( 0.0, 0.0, 0.0, 1.0 ) ) );

	}

#endif
`;

/**
 * Makes a material of the crowd's own look its bones up. What the source itself does to its shader happens first.
 * @param {Material} material @param {Material} source @param {[number, number]} crowdBones
 */
function patch(material, source, crowdBones) {
  material.onBeforeCompile = function (shader, renderer) {
    source.onBeforeCompile.call(this, shader, renderer);
    if (!shader.vertexShader.includes(CHUNK)) {
      console.warn(`MarrowCrowd: the vertex shader of the material "${material.name}" has no ${CHUNK}: it cannot be animated`);
    }
    shader.uniforms.crowdBones = { value: crowdBones };
    shader.vertexShader = shader.vertexShader.replace(CHUNK, PARS);
  };
  material.customProgramCacheKey = () => `marrow-crowd ${source.customProgramCacheKey()}`;
  return material;
}

/** As the renderer's own: before r182 shadow maps are colours that hold a depth. */
function depthMaterial() {
  const RGBADepthPacking = 3201;
  return new MeshDepthMaterial(Number.parseInt(REVISION, 10) < 182 ? { depthPacking: RGBADepthPacking } : {});
}

/** The materials of a crowd: a source is cloned once for each range of bones that is drawn with it. */
export class CrowdMaterials {
  /** @param {number} bonesPerCharacter */
  constructor(bonesPerCharacter) {
    this.bonesPerCharacter = bonesPerCharacter;
    /** @type {Map<string, Material>} */
    this.made = new Map();
  }

  /** @param {string} key @param {number} firstBone @param {Material} source @param {() => Material} make */
  #once(key, firstBone, source, make) {
    const fullKey = `${key} ${firstBone}`;
    let material = this.made.get(fullKey);
    if (material === undefined) {
      material = patch(make(), source, [this.bonesPerCharacter, firstBone]);
      this.made.set(fullKey, material);
    }
    return material;
  }

  /** @param {Material | Material[]} source @param {number} firstBone @returns {Material | Material[]} */
  like(source, firstBone) {
    if (Array.isArray(source)) return source.map((one) => this.like(one, firstBone));
    return this.#once(source.uuid, firstBone, source, () => source.clone());
  }

  /**
   * What a shadow pass draws with; without these, it would take ones that know nothing of the crowd's bones. It sets
   * what they must have of the material that casts the shadow, so those with and without a cut-out cannot share one.
   * @param {'customDepthMaterial' | 'customDistanceMaterial'} slot @param {Mesh} mesh @param {number} firstBone
   */
  shadow(slot, mesh, firstBone) {
    const source = mesh[slot] ?? (slot === 'customDepthMaterial' ? depthMaterial() : new MeshDistanceMaterial());
    const owner = mesh[slot] ? mesh[slot].uuid : [mesh.material].flat().map(({ uuid }) => uuid).join();
    return this.#once(`${slot} ${owner}`, firstBone, source, () => source.clone());
  }

  dispose() {
    for (const material of this.made.values()) material.dispose();
  }
}

/**
 * The geometry of a mesh without bones, bound to the first one altogether.
 * @param {BufferGeometry} geometry @returns {BufferGeometry}
 */
export function bindToOneBone(geometry) {
  const bound = geometry.clone();
  const count = geometry.attributes.position.count;
  bound.setAttribute('skinIndex', new Uint8BufferAttribute(new Uint8Array(count * 4), 4));
  const weights = new Uint8Array(count * 4);
  for (let i = 0; i < weights.length; i += 4) weights[i] = 255;
  bound.setAttribute('skinWeight', new Uint8BufferAttribute(weights, 4, true));
  return bound;
}

const skinIndex = new Vector4();
const skinWeight = new Vector4();
const instanceMatrix = new Matrix4();
const inverse = new Matrix4();
const sphere = new Sphere();
const ray = new Ray();

export class CrowdMesh extends InstancedMesh {
  /** @type {import('./three.js').MarrowCrowd | undefined} */
  #crowd;
  /** One character of it, for the search for triangles under a ray. */
  #one;
  #oneIndex = 0;

  /**
   * @param {import('./three.js').MarrowCrowd} crowd
   * @param {import('./three_rig.js').Draw} draw
   * @param {BufferGeometry} geometry @param {CrowdMaterials} materials
   * @param {import('three').InstancedBufferAttribute} placement matrices of the characters, shared by their meshes
   * @param {{boneTexture: import('three').Texture, bones: object[], update: () => void}} skeleton likewise
   */
  constructor(crowd, draw, geometry, materials, placement, skeleton) {
    const { mesh, firstBone } = draw;
    super(geometry, materials.like(mesh.material, firstBone), 0);
    this.#crowd = crowd;
    this.isSkinnedMesh = true;
    this.name = mesh.name;
    this.count = crowd.count;
    this.instanceMatrix = placement;
    this.skeleton = skeleton;
    this.firstBone = firstBone;
    // The renderer moves what comes out of the skinning by the character's matrix and the crowd's. A mesh in attached mode
    // skins into the space of the world, which is theirs; otherwise it stays in its own and has a place in theirs.
    this.bindMatrix = new Matrix4();
    this.bindMatrixInverse = new Matrix4();
    if (!draw.rigid) {
      this.bindMatrix.copy(mesh.bindMatrix);
      if (mesh.bindMode === 'detached') this.bindMatrixInverse.copy(crowd.placeOf(mesh)).multiply(inverse.copy(mesh.bindMatrix).invert());
    }
    this.customDepthMaterial = materials.shadow('customDepthMaterial', mesh, firstBone);
    this.customDistanceMaterial = materials.shadow('customDistanceMaterial', mesh, firstBone);
    for (const key of ['castShadow', 'receiveShadow', 'frustumCulled', 'renderOrder', 'visible']) this[key] = mesh[key];
    this.layers.mask = mesh.layers.mask;
    if (mesh.morphTargetDictionary) this.morphTargetDictionary = mesh.morphTargetDictionary;

    this.#one = new Mesh(geometry, this.material);
    this.#one.getVertexPosition = (index, target) => this.getVertexPositionAt(this.#oneIndex, index, target);
  }

  /** A sphere around all characters, wherever their clips may move them; the renderer culls by it. */
  get boundingSphere() {
    return this.#crowd ? this.#crowd.boundingSphere : null;
  }

  set boundingSphere(value) {
    if (value !== null) throw new Error('MarrowCrowd: set crowd.characterSphere instead, the sphere around one character');
  }

  computeBoundingSphere() {}

  /**
   * Where a vertex of a character is now, in the space of this mesh.
   * @param {number} character @param {number} index @param {import('three').Vector3} target
   */
  getVertexPositionAt(character, index, target) {
    const { attributes, morphAttributes, morphTargetsRelative } = this.geometry;
    target.fromBufferAttribute(attributes.position, index);
    const influences = this.morphTexture?.image.data;
    if (influences !== undefined && morphAttributes.position) {
      const targets = morphAttributes.position;
      const [x, y, z] = [target.x, target.y, target.z];
      targets.forEach((positions, i) => {
        const weight = influences[character * (targets.length + 1) + 1 + i];
        const base = morphTargetsRelative ? 0 : 1;
        target.x += (positions.getX(index) - base * x) * weight;
        target.y += (positions.getY(index) - base * y) * weight;
        target.z += (positions.getZ(index) - base * z) * weight;
      });
    }
    target.applyMatrix4(this.bindMatrix);
    skinIndex.fromBufferAttribute(attributes.skinIndex, index);
    skinWeight.fromBufferAttribute(attributes.skinWeight, index);
    const palette = this.#crowd.palette;
    const first = character * this.#crowd.bonesPerCharacter + this.firstBone;
    const { x, y, z } = target;
    target.set(0, 0, 0);
    for (let i = 0; i < 4; i++) {
      const weight = skinWeight.getComponent(i);
      if (weight === 0) continue;
      const m = 12 * (first + skinIndex.getComponent(i));
      target.x += weight * (palette[m] * x + palette[m + 1] * y + palette[m + 2] * z + palette[m + 3]);
      target.y += weight * (palette[m + 4] * x + palette[m + 5] * y + palette[m + 6] * z + palette[m + 7]);
      target.z += weight * (palette[m + 8] * x + palette[m + 9] * y + palette[m + 10] * z + palette[m + 11]);
    }
    return target.applyMatrix4(this.bindMatrixInverse).applyMatrix4(this.#crowd.getMatrixAt(character, instanceMatrix));
  }

  /** Hits the characters as they stand now; instanceId says which. */
  raycast(raycaster, intersects) {
    if (this.material === undefined || !raycaster.ray.intersectsSphere(sphere.copy(this.boundingSphere).applyMatrix4(this.matrixWorld))) return;
    const one = this.#one;
    one.material = this.material;
    one.matrixWorld = this.matrixWorld;
    ray.copy(raycaster.ray).applyMatrix4(inverse.copy(this.matrixWorld).invert());
    const found = [];
    for (let i = 0; i < this.count; i++) {
      this.#crowd.getMatrixAt(i, instanceMatrix);
      if (!ray.intersectsSphere(sphere.copy(this.#crowd.characterSphere).applyMatrix4(instanceMatrix))) continue;
      this.#oneIndex = i;
      one._computeIntersections(raycaster, found, ray);
      for (const hit of found) intersects.push(Object.assign(hit, { instanceId: i, object: this }));
      found.length = 0;
    }
  }

  dispose() {
    super.dispose();
    return this;
  }
}
