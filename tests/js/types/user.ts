// A user's program: compiled, never run. Lines that must not compile carry @ts-expect-error.
import { loadMarrow, MarrowError, type Clip, type Crowd, type Marrow, type Pose, type TrackDescription } from 'marrow-animation';

export async function play(bytes: ArrayBuffer, gl: WebGL2RenderingContext): Promise<Crowd> {
  const marrow: Marrow = await loadMarrow({ simd: true });
  const character = marrow.loadCharacter(bytes, { files: { 'Fox.bin': new Uint8Array(4) }, maxInfluences: 4, groupVertices: true });
  const clip: Clip | undefined = character.findClip('Walk');
  // @ts-expect-error: a clip may not be there
  character.createPose().sample(clip, 0);
  if (clip === undefined) throw new Error('no walk');

  const pose: Pose = character.createPose().sample(clip, 0.5, { loop: true }).blend([]).toRest();
  const matrices: Float32Array = pose.modelMatrices();
  const skin = character.skins[0]!;
  const data = new Float32Array(skin.jointCount * 12 * 2);
  pose.palette(skin, data, skin.jointCount * 12).fill(0);
  // @ts-expect-error: results go into a Float32Array
  pose.palette(skin, [1, 2, 3]);
  const isStretched: boolean = pose.dualQuats(skin, data);
  const { translation: [x] } = pose.joint(0);
  pose.setJoint(0, { translation: [x! + matrices[3]!, isStretched ? 1 : 0, 0], rotation: new Float32Array(4) });
  character.skinVertices(pose, 0, { method: 'dual-quat', normals: data });
  // @ts-expect-error: another word for a method
  character.skinVertices(pose, 0, { method: 'dqs' });

  const normals: Float32Array | undefined = character.meshes[0]!.normals;
  const crowd = character.createCrowd(normals?.length ?? 1);
  crowd.set(0, { clip, timeSeconds: 0, speed: -1, otherClip: clip, fade: 0.5, fadePerSecond: 1 });
  crowd.update(1 / 60);
  // @ts-expect-error: is another array after memory grew, but not one's own
  crowd.palette = data;
  gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, character.paletteCount * 3, crowd.count, gl.RGBA, gl.FLOAT, crowd.palette);
  return crowd;
}

export function describe(marrow: Marrow): string {
  using skeleton = marrow.createSkeleton([{ name: 'root', parent: -1 }], [{ name: 'smile', rest: 0.5 }]);
  const track: TrackDescription = { kind: 'scalar', target: 0, interpolation: 'step', times: [0, 1], values: new Float64Array(2) };
  const clip = skeleton.createClip('smile', [track]);
  const keys = clip.jointTracks(0).flatMap(({ times }) => [...times]);
  try {
    // @ts-expect-error: there is no such dialect
    return marrow.shaderSource('linear', 'metal');
  } catch (error) {
    if (error instanceof MarrowError) return `${error.status} ${error.detail} ${error.line}:${error.column} ${keys.length}`;
    throw error;
  }
}
