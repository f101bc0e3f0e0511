// Marrow: dual quaternion skinning for WebGPU, the same operations as mrw_skin_vertices (Kavan, Collins,
// Zara, O'Sullivan: Geometric Skinning with Approximate Dual Quaternion Blending, 2008). Put your vertex
// shader below and call mrw_skin with the sum of where this mesh's dual quaternions start and what your
// instance adds to it:
//
//     let skinned = mrw_skin(position, normal, first + instance * stride, mrw_four(joints, weights));
//
// Choices: mrw_four or mrw_eight influences; mrw_normals, a constant of the pipeline; and scale, which a
// dual quaternion cannot hold: where joints have it, stretch the vertex first.
//
//     let stretched = mrw_stretch(position, normal, start, influences);
//     let skinned = mrw_skin(stretched.position, stretched.normal, start, influences);
//
// The heaviest influence stands first. Dual quaternions and stretches are storage buffers; write other
// numbers into @group and @binding as your layout needs them. There is no morphing and no mix of both
// methods: the GLSL texts have these.

// 0: none (zero), 1: the stretch's 3x3 part, 2: its inverse transpose.
override mrw_normals: u32 = 2u;

// Real part, dual part (x y z w), two to a joint.
@group(0) @binding(0) var<storage, read> mrw_dual_quats: array<vec4<f32>>;

// The rows of the stretches, three to a joint. Only mrw_stretch reads them.
@group(0) @binding(1) var<storage, read> mrw_stretches: array<vec4<f32>>;

struct mrw_skinned {
    position: vec3<f32>,
    normal: vec3<f32>, // has no unit length
}

// Those without a weight are not read. A vertex without any weight keeps its place.
struct mrw_influences {
    joints: vec4<u32>,
    weights: vec4<f32>,
    joints_1: vec4<u32>,
    weights_1: vec4<f32>,
}

fn mrw_four(joints: vec4<u32>, weights: vec4<f32>) -> mrw_influences {
    return mrw_influences(joints, weights, vec4<u32>(), vec4<f32>());
}

fn mrw_eight(joints: vec4<u32>, weights: vec4<f32>, joints_1: vec4<u32>, weights_1: vec4<f32>) -> mrw_influences {
    return mrw_influences(joints, weights, joints_1, weights_1);
}

fn mrw_is_bound(influences: mrw_influences) -> bool {
    return any(influences.weights != vec4<f32>()) || any(influences.weights_1 != vec4<f32>());
}

struct mrw_rows {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

fn mrw_point(m: mrw_rows, p: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

fn mrw_normal(m: mrw_rows, n: vec3<f32>) -> vec3<f32> {
    if (mrw_normals == 0u) {
        return vec3<f32>();
    }
    if (mrw_normals == 1u) {
        return vec3<f32>(dot(m.x.xyz, n), dot(m.y.xyz, n), dot(m.z.xyz, n));
    }
    // The inverse transpose without its division, as only the direction counts: the cofactors, with
    // the sign of the determinant.
    let x = cross(m.y.xyz, m.z.xyz);
    let y = cross(m.z.xyz, m.x.xyz);
    let z = cross(m.x.xyz, m.y.xyz);
    let turned = vec3<f32>(dot(x, n), dot(y, n), dot(z, n));
    return select(turned, -turned, dot(m.x.xyz, x) < 0.0);
}

// The weighted sum of four stretches.
fn mrw_blend_stretches(first: u32, joints: vec4<u32>, weights: vec4<f32>) -> mrw_rows {
    var sum = mrw_rows();
    for (var i = 0u; i < 4u; i++) {
        if (weights[i] == 0.0) {
            continue;
        }
        let row = 3u * (first + joints[i]);
        sum.x += weights[i] * mrw_stretches[row];
        sum.y += weights[i] * mrw_stretches[row + 1u];
        sum.z += weights[i] * mrw_stretches[row + 2u];
    }
    return sum;
}

// Scale comes first, blended linearly.
fn mrw_stretch(position: vec3<f32>, normal: vec3<f32>, first: u32, influences: mrw_influences) -> mrw_skinned {
    if (!mrw_is_bound(influences)) {
        return mrw_skinned(position, normal);
    }
    let a = mrw_blend_stretches(first, influences.joints, influences.weights);
    let b = mrw_blend_stretches(first, influences.joints_1, influences.weights_1);
    let m = mrw_rows(a.x + b.x, a.y + b.y, a.z + b.z);
    return mrw_skinned(mrw_point(m, position), mrw_normal(m, normal));
}

struct mrw_dual_quat {
    real: vec4<f32>,
    dual: vec4<f32>,
}

// The weighted sum of four joints' dual quaternions. q and -q are one rotation but opposite summands:
// each is taken on the pivot's hemisphere.
fn mrw_blend_dual_quats(first: u32, pivot: vec4<f32>, joints: vec4<u32>, weights: vec4<f32>) -> mrw_dual_quat {
    var sum = mrw_dual_quat();
    for (var i = 0u; i < 4u; i++) {
        if (weights[i] == 0.0) {
            continue;
        }
        let at = 2u * (first + joints[i]);
        let real = mrw_dual_quats[at];
        let weight = select(weights[i], -weights[i], dot(real, pivot) < 0.0);
        sum.real += weight * real;
        sum.dual += weight * mrw_dual_quats[at + 1u];
    }
    return sum;
}

fn mrw_rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// The mean of the dual quaternions carries the vertex. The pivot is the heaviest influence.
fn mrw_skin(position: vec3<f32>, normal: vec3<f32>, first: u32, influences: mrw_influences) -> mrw_skinned {
    let kept = select(normal, vec3<f32>(), mrw_normals == 0u);
    if (!mrw_is_bound(influences)) {
        return mrw_skinned(position, kept);
    }
    let pivot = mrw_dual_quats[2u * (first + influences.joints.x)];
    let a = mrw_blend_dual_quats(first, pivot, influences.joints, influences.weights);
    let b = mrw_blend_dual_quats(first, pivot, influences.joints_1, influences.weights_1);
    let sum = a.real + b.real;
    let length2 = dot(sum, sum);
    if (!(length2 > 0.0)) {
        return mrw_skinned(position, kept);
    }
    let real = sum / sqrt(length2);
    let dual = (a.dual + b.dual) / sqrt(length2);
    let translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
    return mrw_skinned(mrw_rotate(real, position) + translation, mrw_rotate(real, kept));
}
