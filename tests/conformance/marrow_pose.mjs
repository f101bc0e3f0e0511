// Runs `marrow pose` and finds its way from the joints it lists back to the file's nodes.
import { execFile } from 'node:child_process';
import { nodesThatMatter, sceneTree } from './gltf_file.mjs';

/**
 * @param {string} marrow the program @param {string[]} args after `pose`
 * @returns {Promise<any>} the object that it printed
 */
export function marrowPose(marrow, args) {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'utf8', maxBuffer: 1 << 30 };
    execFile(marrow, ['pose', ...args, '--format', 'json'], options, (error, stdout, stderr) => {
      if (error) {
        reject(new Error(`marrow pose ${args.join(' ')}: exit ${error.code}: ${stderr.trim()}`));
        return;
      }
      try {
        resolve(JSON.parse(stdout));
      } catch (syntax) {
        reject(new Error(`marrow pose ${args.join(' ')}: ${syntax.message}`));
      }
    });
  });
}

/**
 * Which node each listed joint is. The two forests must have the same shape: below matched parents,
 * joints are matched by names that only one node of the file has, the others in order.
 * @param {any} json the glTF document
 * @param {{name: string, parent: number}[]} joints as printed
 * @returns {number[]} node of each joint
 */
export function matchJoints(json, joints) {
  const { roots, parentOf } = sceneTree(json);
  const wanted = nodesThatMatter(json);
  const nameCounts = new Map();
  for (const { name } of json.nodes) nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
  const nodeOf = [];

  const matchSiblings = (nodes, siblings) => {
    if (nodes.length !== siblings.length) {
      throw new Error(`joints: ${siblings.length} listed where the file has ${nodes.length}: `
        + `${siblings.map((j) => joints[j].name)} / ${nodes.map((n) => json.nodes[n].name)}`);
    }
    const unnamed = [];
    const free = new Set(siblings);
    for (const node of nodes) {
      const { name } = json.nodes[node];
      if (!name || nameCounts.get(name) > 1) {
        unnamed.push(node);
        continue;
      }
      const joint = siblings.find((j) => joints[j].name === name);
      if (joint === undefined) throw new Error(`joints: no "${name}" where nodes[${node}] is`);
      nodeOf[joint] = node;
      free.delete(joint);
    }
    [...free].forEach((joint, i) => { nodeOf[joint] = unnamed[i]; });
    for (const joint of siblings) {
      matchSiblings((json.nodes[nodeOf[joint]].children ?? []).filter((n) => wanted.has(n)),
        childrenOf(joint));
    }
  };
  const childrenOf = (parent) => joints.flatMap((joint, i) => (joint.parent === parent ? [i] : []));

  joints.forEach((joint, i) => {
    if (joint.parent >= i) throw new Error(`joints[${i}]: its parent comes later`);
  });
  if (new Set(joints.map((joint) => joint.name)).size !== joints.length) {
    throw new Error('joints: two have the same name');
  }
  matchSiblings(roots.filter((n) => wanted.has(n) && parentOf.get(n) === -1), childrenOf(-1));
  return nodeOf;
}
