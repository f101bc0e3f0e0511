// Keyframe tracks of three.js as tracks of Marrow. The two agree about what keys mean but for what is said here; what
// has no counterpart is left out and listed, as three.js warns about it and goes on.
import { InterpolateDiscrete, InterpolateLinear, PropertyBinding } from 'three';

/** @typedef {import('three').KeyframeTrack} KeyframeTrack */
/** @typedef {import('./marrow.d.ts').TrackDescription} TrackDescription */
/** @typedef {import('./three_rig.js').Rig} Rig */

/** @typedef {{times: Float32Array, values: Float32Array, width: number, interpolation: 'linear' | 'step' | 'cubic'}} Keys */

const KINDS = { position: 'translation', quaternion: 'rotation', scale: 'scale' };
const WIDTHS = { translation: 3, rotation: 4, scale: 3 };

/** A track that cannot be converted; the message says why. */
class Unsupported extends Error {}

// The largest float below a positive one.
const floatView = new Float32Array(1);
const bitsView = new Uint32Array(floatView.buffer);
function floatBelow(value) {
  floatView[0] = value;
  bitsView[0] -= 1;
  return floatView[0];
}

/** @param {KeyframeTrack} track @returns {Keys['interpolation']} */
function interpolationOf(track) {
  if (track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline) return 'cubic';
  const interpolation = track.getInterpolation();
  if (interpolation === InterpolateLinear) return 'linear';
  if (interpolation === InterpolateDiscrete) return 'step';
  throw new Unsupported('only linear, discrete and glTF\'s cubic interpolation are played; bake the track');
}

/**
 * Keys of a track, with times as Marrow wants them. Two keys at one time, which make a jump in three.js, stay a jump:
 * the first moves down by the smallest step that a float has.
 * @param {KeyframeTrack} track @returns {Keys}
 */
function readKeys(track) {
  const interpolation = interpolationOf(track);
  const perKey = track.values.length / track.times.length;
  const width = interpolation === 'cubic' ? perKey / 3 : perKey;
  if (!Number.isInteger(width)) throw new Unsupported(`${track.times.length} keys, ${track.values.length} numbers`);
  const kept = [];
  const times = [];
  Array.from(track.times, Math.fround).forEach((time, i, all) => {
    if (!(time >= 0)) throw new Unsupported(`a key at ${time} s, before the clip begins`);
    if (i > 0 && time < all[i - 1]) throw new Unsupported('times that do not increase');
    const last = times.length - 1;
    if (last >= 0 && times[last] >= time) {
      const before = time > 0 ? floatBelow(time) : 0;
      if (before > 0 && !(last > 0 && times[last - 1] >= before)) {
        times[last] = before;
      } else {
        times.pop();
        kept.pop();
      }
    }
    times.push(time);
    kept.push(i);
  });
  const values = new Float32Array(kept.length * perKey);
  kept.forEach((key, i) => values.set(track.values.slice(key * perKey, (key + 1) * perKey), i * perKey));
  return { times: Float32Array.from(times), values, width, interpolation };
}

/** A value of keys in one segment, per component: the spline of glTF and its derivative. */
function hermite(keys, key, time) {
  const { times, values, width } = keys;
  const interval = times[key + 1] - times[key];
  const t = (time - times[key]) / interval;
  const at = key * width * 3;
  const value = [];
  const tangent = [];
  for (let i = 0; i < width; i++) {
    const [v0, m0] = [values[at + width + i], values[at + 2 * width + i] * interval];
    const [m1, v1] = [values[at + 3 * width + i] * interval, values[at + 4 * width + i]];
    const a = 2 * (v0 - v1) + m0 + m1;
    const b = 3 * (v1 - v0) - 2 * m0 - m1;
    value.push(((a * t + b) * t + m0) * t + v0);
    tangent.push(((3 * a * t + 2 * b) * t + m0) / interval);
  }
  return { value, tangent };
}

/**
 * A clip may be shorter than its tracks: it then ends, or loops, in the middle of them. Marrow's do not go on behind
 * the end, so a key is put there: for a spline with the slope that it has, so that the rest of it stays as it is.
 * @param {KeyframeTrack} track @param {Keys} keys @param {number} duration @returns {Keys}
 */
function endAt(track, keys, duration) {
  const { times, values, width, interpolation } = keys;
  const end = Math.fround(duration);
  if (times[times.length - 1] <= end) return keys;
  const kept = times.findIndex((time) => time > end);
  if (kept === 0) return { ...keys, times: times.slice(0, 1).fill(0), values: values.slice(0, values.length / times.length) };
  let last = Array.from(track.createInterpolant().evaluate(end)).slice(0, width);
  if (interpolation === 'cubic') {
    const { value, tangent } = hermite(keys, kept - 1, end);
    last = [...tangent, ...value, ...tangent];
  }
  const perKey = interpolation === 'cubic' ? width * 3 : width;
  const exact = times[kept - 1] === end;
  return {
    ...keys,
    times: Float32Array.from(exact ? times.slice(0, kept) : [...times.slice(0, kept), end]),
    values: Float32Array.from(exact ? values.slice(0, kept * perKey) : [...values.slice(0, kept * perKey), ...last]),
  };
}

/** One component of keys that hold several. @param {Keys} keys @param {number} component @returns {Keys} */
function component(keys, component) {
  const values = Float32Array.from({ length: keys.values.length / keys.width },
    (_, i) => keys.values[i * keys.width + component]);
  return { ...keys, values, width: 1 };
}

/** @param {string} name */
function parseName(name) {
  try {
    return PropertyBinding.parseTrackName(name);
  } catch {
    throw new Unsupported('a name that PropertyBinding cannot read');
  }
}

/**
 * What a track moves, by PropertyBinding's rules.
 * @param {Rig} rig @param {KeyframeTrack} track
 */
function findTarget(rig, track) {
  const path = parseName(track.name);
  let node = PropertyBinding.findNode(rig.object, path.nodeName) ?? PropertyBinding.findNode(rig.top, path.nodeName);
  if (node && path.objectName === 'bones') {
    const bones = node.skeleton?.bones ?? [];
    node = bones.find((bone) => bone.name === path.objectIndex) ?? bones[path.objectIndex];
  } else if (path.objectName !== undefined) {
    throw new Unsupported(`it moves the ${path.objectName} of an object`);
  }
  if (!node) throw new Unsupported('there is no object of this name');
  return { node, property: path.propertyName, index: path.propertyIndex };
}

/**
 * @param {Rig} rig @param {ArrayLike<number>} order joint of each node of the rig
 * @param {KeyframeTrack} track @param {number} duration @returns {TrackDescription[]}
 */
function convertTrack(rig, order, track, duration) {
  const { node, property, index } = findTarget(rig, track);
  const kind = KINDS[property];
  const describe = (kind, target, keys) => ({
    kind, target, interpolation: keys.interpolation, times: keys.times, values: keys.values,
  });
  const read = () => endAt(track, readKeys(track), duration);

  if (kind !== undefined && index === undefined) {
    const number = rig.numbers.get(node);
    if (number === undefined) throw new Unsupported('no drawn mesh depends on its object');
    const keys = read();
    if (keys.width !== WIDTHS[kind]) throw new Unsupported(`${keys.width} numbers a key`);
    return [describe(kind, order[number], keys)];
  }
  if (property === 'morphTargetInfluences') {
    const draw = rig.drawOf.get(node);
    if (draw === undefined || draw.scalarCount === 0) throw new Unsupported('its object has no morph targets that are drawn');
    const keys = read();
    if (index !== undefined) {
      const target = node.morphTargetDictionary?.[index] ?? Number(index);
      if (!(target >= 0 && target < draw.scalarCount)) throw new Unsupported(`there is no morph target ${index}`);
      if (keys.width !== 1) throw new Unsupported(`${keys.width} numbers a key`);
      return [describe('scalar', draw.firstScalar + target, keys)];
    }
    if (keys.width !== draw.scalarCount) throw new Unsupported(`${keys.width} numbers a key for ${draw.scalarCount} morph targets`);
    return Array.from({ length: keys.width }, (_, i) => describe('scalar', draw.firstScalar + i, component(keys, i)));
  }
  throw new Unsupported(`nothing that moves a bone or a morph target: ${property}`);
}

/**
 * @param {Rig} rig @param {ArrayLike<number>} order joint of each node of the rig
 * @param {import('three').AnimationClip} clip
 * @returns {{tracks: TrackDescription[], skipped: {clip: string, track: string, reason: string}[]}}
 */
export function convertClip(rig, order, clip) {
  const tracks = [];
  const skipped = [];
  const taken = new Set();
  for (const track of clip.tracks) {
    try {
      const converted = convertTrack(rig, order, track, clip.duration);
      const keyOf = ({ kind, target }) => `${kind} ${target}`;
      if (converted.some((one) => taken.has(keyOf(one)))) throw new Unsupported('a track before it moves the same');
      converted.forEach((one) => taken.add(keyOf(one)));
      tracks.push(...converted);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      skipped.push({ clip: clip.name, track: track.name, reason: error.message });
    }
  }
  return { tracks, skipped };
}
