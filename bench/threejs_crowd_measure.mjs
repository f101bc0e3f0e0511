// What bench/threejs_crowd.mjs measures, for node and the browser alike.

const SECONDS_PER_FRAME = 1 / 60;
const ROUNDS = 3;
const WARM_FRAMES = 60;

/**
 * Largest difference between all bone matrices, relative: axes as they are, places by the model's size.
 * @param {any} crowd @param {any[]} skeletons one a character
 */
function largestDifference(crowd, skeletons) {
  const { palette, bonesPerCharacter } = crowd;
  const size = 2 * crowd.characterSphere.radius;
  let largest = 0;
  skeletons.forEach(({ boneMatrices, bones }, character) => {
    for (let bone = 0; bone < bones.length; bone++) {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) {
          const difference = Math.abs(palette[(character * bonesPerCharacter + bone) * 12 + row * 4 + column]
            - boneMatrices[bone * 16 + column * 4 + row]);
          largest = Math.max(largest, column === 3 ? difference / size : difference);
        }
      }
    }
  });
  return largest;
}

function summary(name, times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { name, min: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}

/**
 * @param {{THREE: any, GLTFLoader: any, clone: any, loadMarrow: any, MarrowCrowd: any, glb: ArrayBuffer, count: number,
 *   frames: number, simd?: boolean}} parts
 */
export async function measureCrowds({ THREE, GLTFLoader, clone, loadMarrow, MarrowCrowd, glb, count, frames, simd }) {
  const { AnimationMixer, Matrix4, Scene } = THREE;
  const gltf = await new GLTFLoader().parseAsync(glb, '');
  const clips = gltf.animations;
  const clipOf = (i) => clips[i % clips.length];
  const timeOf = (i) => (i * 0.0137) % clipOf(i).duration;
  const place = new Matrix4();
  const placeOf = (i) => place.makeTranslation(i % 32, 0, Math.floor(i / 32));

  // Three.js: no work that it need not do. Actions have started, nothing is added or removed, and roots that stand
  // still do not compose their matrices.
  const scene = new Scene();
  const roots = [];
  const mixers = [];
  const skeletons = [];
  for (let i = 0; i < count; i++) {
    const root = clone(gltf.scene);
    root.matrixAutoUpdate = false;
    scene.add(root);
    roots.push(root);
    const own = new Set();
    root.traverse((object) => object.isSkinnedMesh && own.add(object.skeleton));
    if (own.size !== 1) throw new Error(`a model with ${own.size} skinned meshes: this compares models with one`);
    skeletons.push(...own);
    const mixer = new AnimationMixer(root);
    const action = mixer.clipAction(clipOf(i)).play();
    action.time = timeOf(i);
    mixers.push(mixer);
  }
  const mixersThenScene = () => {
    for (const mixer of mixers) mixer.update(SECONDS_PER_FRAME);
    scene.updateMatrixWorld();
    for (const skeleton of skeletons) skeleton.update();
  };
  const oneAfterTheOther = () => {
    for (let i = 0; i < count; i++) {
      mixers[i].update(SECONDS_PER_FRAME);
      roots[i].updateMatrixWorld();
      skeletons[i].update();
    }
  };

  const marrow = await loadMarrow({ simd });
  const crowd = new MarrowCrowd(marrow, gltf.scene, clips, count);
  const crowdScene = new Scene();
  crowdScene.add(crowd.object);
  for (let i = 0; i < count; i++) crowd.play(i, clipOf(i), { time: timeOf(i) });
  const asCrowd = () => {
    crowd.update(SECONDS_PER_FRAME);
    crowdScene.updateMatrixWorld();
  };

  // The same characters at the same moment, before anything stands where it will.
  scene.updateMatrixWorld(true);
  mixersThenScene();
  asCrowd();
  const difference = largestDifference(crowd, skeletons);
  if (!(difference < 1e-4)) throw new Error(`the two differ by ${difference}`);
  for (let i = 0; i < count; i++) {
    roots[i].matrix.copy(placeOf(i));
    roots[i].matrixWorldNeedsUpdate = true;
    crowd.setMatrixAt(i, placeOf(i));
  }

  const runs = [
    { name: 'three.js: mixers, updateMatrixWorld() once', frame: mixersThenScene, times: [] },
    { name: 'three.js: one character after the other', frame: oneAfterTheOther, times: [] },
    { name: 'Marrow: crowd.update()', frame: asCrowd, times: [] },
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { frame, times } of runs) {
      for (let i = 0; i < WARM_FRAMES; i++) frame();
      for (let i = 0; i < frames / ROUNDS; i++) {
        const start = performance.now();
        frame();
        times.push(performance.now() - start);
      }
    }
  }
  const times = runs.map((run) => summary(run.name, run.times));
  const [together, apart, ours] = times;
  const ratio = (key) => Math.min(together[key], apart[key]) / ours[key];
  let objects = 0;
  gltf.scene.traverse(() => { objects++; });
  return {
    count, frames, objects, bones: crowd.bonesPerCharacter, three: THREE.REVISION, simd: marrow.simd, difference, times,
    ratio: { min: ratio('min'), median: ratio('median') },
  };
}
