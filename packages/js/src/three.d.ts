import type { AnimationClip, Color, DataTexture, Group, InstancedMesh, Matrix4, Object3D, Sphere, Texture, Vector3 } from 'three';
import type { Marrow } from './marrow.js';

/**
 * Many characters of one three.js model, evaluated in one call a frame into one texture, and drawn with one draw a mesh.
 * It stands in for a clone, an AnimationMixer and a skeleton.update() for each. For WebGLRenderer, with the materials
 * of three.js (or ShaderMaterials of its chunks), in the passes for shadows too.
 *
 * The model is only read: its transforms now are the rest pose, its materials are cloned, its geometries and textures
 * shared. Tracks move what PropertyBinding finds: bones, the objects above and between them, objects with a mesh, and
 * morph targets. Linear, discrete and glTF's cubic interpolation.
 */
export class MarrowCrowd {
  /**
   * @param object A SkinnedMesh, which is drawn alone, or an object (gltf.scene) with all meshes below it. Meshes without
   * a skeleton follow the object that they are attached to.
   */
  constructor(marrow: Marrow, object: Object3D, animations: AnimationClip[], count: number);

  readonly count: number;
  readonly clips: AnimationClip[];
  /** Tracks of clips, and objects of the model, that have no part in the crowd, and why. */
  readonly skipped: ({ clip: string; track: string; reason: string } | { object: Object3D; reason: string })[];

  /** What to add to a scene. Moving it moves all characters. */
  readonly object: Group;
  /** Its children, in the order of the model. Materials may be changed here; `count` may be lowered to draw fewer. */
  readonly meshes: CrowdMesh[];

  /**
   * Starts a clip of the constructor's, or the first of a name, or null, the rest pose. At once, or fading over from what
   * is being played; where that still is a fade, from the stronger of its two clips.
   */
  play(index: number, clip: AnimationClip | string | null, options?: PlayOptions): this;
  /** What a character plays, and for how long, in seconds of the clip, loops not taken off. */
  playing(index: number): { clip: AnimationClip | null; time: number };
  /** Moves all characters on by this many seconds, which may be 0, and evaluates them. */
  update(seconds: number): this;

  /** Where a character is, in the space of `object`: in place of the transform of the topmost object's parent. */
  setMatrixAt(index: number, matrix: Matrix4): this;
  getMatrixAt(index: number, target: Matrix4): Matrix4;
  /** Multiplies the colour of a character's materials. */
  setColorAt(index: number, color: Color): this;
  /** Where a bone of the model is in a character, in the space of `object`: for what is to be attached to it. */
  getBoneMatrixAt(index: number, bone: Object3D, target: Matrix4): Matrix4;

  /** Around one character in its own space, whatever it plays; measured once. May be replaced. */
  characterSphere: Sphere;
  /** Around all characters, in the space of `object`. Meshes are culled by it unless their frustumCulled is false. */
  readonly boundingSphere: Sphere;

  /** RGBA, 32 bits a channel, three texels a bone. */
  readonly boneTexture: DataTexture;
  /**
   * What skeleton.boneMatrices is in three.js, of all characters: bone.matrixWorld * boneInverse, in the space of the
   * character. Three rows of four floats a bone, bonesPerCharacter a character. Get it anew after each update.
   */
  readonly palette: Float32Array;
  readonly bonesPerCharacter: number;

  /** Frees everything that is not the model's, and leaves the scene. */
  dispose(): void;
}

export interface PlayOptions {
  /** Where in the clip to begin, in seconds; 0 by default. */
  time?: number;
  /** 1 by default; negative: backwards. */
  speed?: number;
  /** true by default; otherwise the clip's ends are held. */
  loop?: boolean;
  /** Seconds of a crossfade; 0 by default. */
  fade?: number;
}

/** Rays hit the characters as they stand; instanceId is the character. */
export interface CrowdMesh extends InstancedMesh {
  readonly isSkinnedMesh: true;
  readonly skeleton: { readonly boneTexture: Texture };
  /** Where its bones begin in those of a character. */
  readonly firstBone: number;
  /** Where a vertex of a character is now, in the space of the mesh. */
  getVertexPositionAt(character: number, vertex: number, target: Vector3): Vector3;
}
