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
 * The nodes among `nodes` that the joints `siblings` are: by name where only one node of the file has it,
 * the others in the order of the file's nodes. Nodes that need not be listed may be.
 */
function matchSiblings(json, joints, nodes, siblings, { wanted, isUnique }) {
  const nodeOf = new Map();
  const named = new Map(nodes.filter(isUnique).map((node) => [json.nodes[node].name, node]));
  for (const joint of siblings) {
    if (named.has(joints[joint].name)) nodeOf.set(joint, named.get(joints[joint].name));
  }
  const rest = siblings.filter((joint) => !nodeOf.has(joint));
  const unnamed = nodes.filter((node) => !isUnique(node)).sort((a, b) => a - b);
  const needed = unnamed.filter((node) => wanted.has(node));
  const candidates = rest.length === needed.length ? needed : unnamed;
  if (rest.length !== candidates.length) {
    throw new Error(`joints: ${rest.map((joint) => joints[joint].name)} listed where the file has the `
      + `unnamed nodes ${unnamed}`);
  }
  rest.forEach((joint, i) => nodeOf.set(joint, candidates[i]));
  return nodeOf;
}

/**
 * Which node each listed joint is. The listed forest must be the file's, without the nodes that need not be
 * listed.
 * @param {any} json the glTF document
 * @param {{name: string, parent: number}[]} joints as printed
 * @returns {number[]} node of each joint
 */
export function matchJoints(json, joints) {
  joints.forEach(({ parent }, i) => {
    if (parent >= i) throw new Error(`joints[${i}]: its parent comes later`);
  });
  if (new Set(joints.map(({ name }) => name)).size !== joints.length) {
    throw new Error('joints: two have the same name');
  }

  const nameCounts = new Map();
  for (const { name } of json.nodes) nameCounts.set(name, (nameCounts.get(name) ?? 0) + 1);
  const wanted = nodesThatMatter(json);
  const isUnique = (node) => Boolean(json.nodes[node].name) && nameCounts.get(json.nodes[node].name) === 1;
  const result = [];
  const visit = (nodes, parent) => {
    const siblings = joints.flatMap((joint, i) => (joint.parent === parent ? [i] : []));
    for (const [joint, node] of matchSiblings(json, joints, nodes, siblings, { wanted, isUnique })) {
      result[joint] = node;
      visit(json.nodes[node].children ?? [], joint);
    }
  };
  visit(sceneTree(json).roots, -1);

  for (const node of wanted) {
    if (!result.includes(node)) throw new Error(`joints: nodes[${node}] "${json.nodes[node].name ?? ''}" is missing`);
  }
  return result;
}
