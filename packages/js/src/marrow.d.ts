/// <reference lib="esnext.disposable" />
/**
 * Marrow: characters from bytes to matrices, in WebAssembly.
 *
 * Right-handed, Y up, metres, seconds; quaternions x, y, z, w. Matrices are 3x4, three rows of four floats
 * (48 bytes): three RGBA texels.
 *
 * Objects own memory outside JavaScript's heap. Call dispose() when done, or declare them with `using`; what is
 * forgotten goes when the engine collects it. A disposed object throws when it is used. What others point into stays
 * until they are disposed too, so the order does not matter.
 *
 * Typed arrays that a getter or modelMatrices() returns are that memory itself. Read them through the getter each
 * frame and keep none: when memory grows the old array has length 0, and after dispose() it shows something else.
 *
 * Throws MarrowError for what a file or a description says wrong; TypeError and RangeError for arguments of the wrong
 * kind or size, and for objects that were disposed.
 */

export interface LoadOptions {
  /** The module's bytes, a compiled module, or where to fetch it. Default: beside this file, the SIMD build where
   * the engine has SIMD, the scalar one elsewhere. */
  wasm?: ArrayBuffer | Uint8Array | WebAssembly.Module | URL | string;
  /** Forces one of the two builds where `wasm` is not given. */
  simd?: boolean;
  /** What a module of your own asks for, one that is linked with more than this package. The package's ask for nothing. */
  imports?: WebAssembly.Imports;
}

export function loadMarrow(options?: LoadOptions): Promise<Marrow>;

export interface Marrow {
  readonly version: string;
  readonly simd: boolean;
  /** Imports and builds a .glb, .gltf or .bvh, or opens a .mrw, as `marrow pack --meshes` writes them. Throws MarrowError. */
  loadCharacter(bytes: ArrayBuffer | Uint8Array, options?: CharacterOptions): Character;
  /** A skeleton without a file. Joints in any order; see Skeleton.order. Throws MarrowError. */
  createSkeleton(joints: JointDescription[], scalars?: ScalarDescription[]): Skeleton;
  /** Skinning as shader text; see marrow/shader.h. */
  shaderSource(kind: ShaderKind, dialect: ShaderDialect): string;
  shaderVersionLine(dialect: ShaderDialect): string;
}

export type ShaderKind = 'linear' | 'dual-quat' | 'blended';
export type ShaderDialect = 'glsl-330' | 'glsl-es-300' | 'glsl-es-100' | 'wgsl' | 'hlsl';

export class MarrowError extends Error {
  /** "MRW_ERR_TRUNCATED" */
  readonly status: string;
  /** The thing: "accessors[3].bufferView"; may be "". */
  readonly detail: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export interface CharacterOptions {
  /** Files that a .gltf names, by their path in it. Pictures may be among them; they are not looked at. */
  files?: Map<string, Uint8Array> | Record<string, Uint8Array>;
  /** Heaviest influences of a vertex that are kept; 0, the default: all. */
  maxInfluences?: number;
  /** Orders the vertices of each mesh so that skinVertices reads a matrix once for eight of them; false by default. A .mrw
   * keeps the order in which it was packed. See Mesh.sourceVertices. */
  groupVertices?: boolean;
}

export interface JointDescription {
  name?: string;
  /** Index in the same list, -1 for a root. */
  parent: number;
  translation?: ArrayLike<number>;
  rotation?: ArrayLike<number>;
  scale?: ArrayLike<number>;
}

export interface ScalarDescription { name: string; rest?: number }

export interface TrackDescription {
  kind: 'translation' | 'rotation' | 'scale' | 'scalar';
  /** Joint or scalar of the skeleton (its own order, not that of the description). */
  target: number;
  /** Cubic: for each key in-tangent, value, out-tangent. */
  interpolation?: 'linear' | 'step' | 'cubic';
  times: ArrayLike<number>;
  values: ArrayLike<number>;
}

export interface Skeleton extends Disposable {
  readonly jointCount: number;
  readonly scalarCount: number;
  readonly jointNames: string[];
  /** [jointCount] parents come first; -1 for a root. */
  readonly parents: Int32Array;
  readonly scalarNames: string[];
  /** Where each joint of the description went, for skeletons of createSkeleton. */
  readonly order?: Uint32Array;
  createPose(): Pose;
  createClip(name: string, tracks: TrackDescription[], durationSeconds?: number): Clip;
  /** inverseBinds: 12 floats a joint (rows), or nothing: the inverses of the rest pose. */
  createSkin(joints: ArrayLike<number>, inverseBinds?: ArrayLike<number>): Skin;
  /** -1 if there is none of that name. */
  findJoint(name: string): number;
  /** Many characters of this skeleton with one skin: paletteCount is the skin's jointCount. */
  createCrowd(skin: Skin, count: number): Crowd;
  dispose(): void;
}

export interface Clip extends Disposable {
  readonly name: string;
  readonly durationSeconds: number;
  /** Keys of the tracks of one joint, for drawing a timeline and curves. What is packed as samples has none. */
  jointTracks(joint: number): TrackKeys[];
  dispose(): void;
}

export interface TrackKeys {
  kind: 'translation' | 'rotation' | 'scale';
  interpolation: 'linear' | 'step' | 'cubic';
  times: Float32Array;
  /** 3 or 4 floats a key, the values without tangents. */
  values: Float32Array;
}

export interface Skin extends Disposable {
  readonly name: string;
  readonly jointCount: number;
  readonly joints: Uint32Array;
  dispose(): void;
}

/** Local transforms of all joints of a skeleton, and its scalars. */
export interface Pose extends Disposable {
  /** Writes every joint and scalar. */
  sample(clip: Clip, timeSeconds: number, options?: { loop?: boolean }): this;
  /** The weighted mean of poses (which may include this one). */
  blend(layers: { pose: Pose; weight: number }[]): this;
  toRest(): this;
  copy(other: Pose): this;
  joint(index: number): { translation: number[]; rotation: number[]; scale: number[] };
  /** What is left out stays. The rotation is normalised. */
  setJoint(index: number, transform: { translation?: ArrayLike<number>; rotation?: ArrayLike<number>; scale?: ArrayLike<number> }): this;
  readonly scalars: Float32Array;
  /** Model matrices: [jointCount * 12]. Evaluated now; the same memory each time. */
  modelMatrices(): Float32Array;
  /** Skin matrices from the model matrices of the last modelMatrices() call: 12 floats a joint of the skin, into
   * `out` at `offset` (in floats), which may back a texture; without `out` into a new array. Returns it. */
  palette(skin: Skin, out?: Float32Array, offset?: number): Float32Array;
  /** Unit dual quaternions of the skin matrices, from the model matrices of the last modelMatrices() call like
   * palette(): 8 floats a joint (real x y z w, dual x y z w); `stretches` 12 floats a joint, what a dual quaternion
   * cannot hold. Returns whether any joint is not rigid. */
  dualQuats(skin: Skin, out: Float32Array, stretches?: Float32Array): boolean;
  dispose(): void;
}

/** Everything of one file. The skeleton, clips and skins belong to it: they end when it is disposed, and not by a
 * dispose() of their own. */
export interface Character extends Disposable {
  readonly skeleton: Skeleton;
  readonly clips: Clip[];
  readonly skins: Skin[];
  readonly meshes: Mesh[];
  readonly instances: MeshInstance[];
  readonly diagnostics: Diagnostic[];
  /** Matrices of all instances together. */
  readonly paletteCount: number;
  findClip(name: string): Clip | undefined;
  createPose(): Pose;
  createCrowd(count: number): Crowd;
  /** Vertices of an instance moved on the CPU, after pose.modelMatrices(): 3 floats a vertex. */
  skinVertices(pose: Pose, instance: number, options?: { method?: 'linear' | 'dual-quat'; positions?: Float32Array; normals?: Float32Array }): Float32Array;
  dispose(): void;
}

/** The arrays are memory of the character: for reading. */
export interface Mesh {
  readonly name: string;
  readonly vertexCount: number;
  readonly positions: Float32Array;
  readonly normals?: Float32Array;
  readonly tangents?: Float32Array;
  readonly texcoords?: Float32Array;
  readonly colors?: Float32Array;
  readonly influenceCount: number;
  readonly joints: Uint16Array;
  readonly weights: Float32Array;
  readonly indices: Uint32Array;
  /** [vertexCount], with groupVertices: which vertex of the file's order each is. All arrays, and what skinVertices gives, are in the new order. */
  readonly sourceVertices?: Uint32Array;
  readonly targetNames: string[];
  readonly parts: { topology: 'points' | 'lines' | 'triangles'; material: number; firstIndex: number; indexCount: number }[];
}

export interface MeshInstance {
  readonly mesh: number;
  /** -1: rigid. */
  readonly skin: number;
  readonly joint: number;
  readonly firstScalar: number;
  readonly paletteFirst: number;
  readonly paletteCount: number;
}

export interface Diagnostic { code: string; severity: 'error' | 'warning' | 'info'; where: string; message: string; count: number }

export interface CrowdState {
  clip: Clip;
  timeSeconds: number;
  /** Seconds of the clip in a second; 1 by default, negative: backwards. */
  speed?: number;
  /** Wraps around at the ends; true by default. Otherwise both ends are held. */
  loop?: boolean;
  otherClip?: Clip;
  otherTimeSeconds?: number;
  otherSpeed?: number;
  otherLoop?: boolean;
  /** Weight of otherClip, 0..1; 0 by default. */
  fade?: number;
  /** What fade grows by in a second, 0 by default. Where it reaches 1, otherClip becomes clip. */
  fadePerSecond?: number;
}

/** Many characters of one kind, evaluated in one call into memory that backs one texture. */
export interface Crowd extends Disposable {
  readonly count: number;
  /** What character i plays from the next update on. */
  set(index: number, state: CrowdState): void;
  /** Moves every character's times by elapsedSeconds and evaluates all: sample, blend, model, palette. */
  update(elapsedSeconds: number): void;
  /** [count * paletteCount * 12]. */
  readonly palette: Float32Array;
  /** [count * scalarCount] */
  readonly scalars: Float32Array;
  dispose(): void;
}
