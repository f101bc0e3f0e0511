// Marrow: linear blend skinning for WebGPU, the same operations as mrw_skin_vertices. Put your vertex
// shader below and call mrw_skin with the sum of where this mesh's matrices start in the palette and
// what your instance adds to it:
//
//     let skinned = mrw_skin(position, normal, first + instance * stride, mrw_four(joints, weights));
//
// Choices: mrw_four or mrw_eight influences, and mrw_normals, a constant of the pipeline. The palette is
// a storage buffer; write other numbers into @group and @binding as your layout needs them. There is
// no morphing and no mix of both methods: the GLSL texts have these.

// 0: none (zero), 1: the blended 3x3 part, 2: inverse transpose.
override mrw_normals: u32 = 2u;

// The rows of the matrices, three to a joint.
@group(0) @binding(0) var<storage, read> mrw_palette: array<vec4<f32>>;

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

// The weighted sum of four joints' matrices.
fn mrw_blend_palette(first: u32, joints: vec4<u32>, weights: vec4<f32>) -> mrw_rows {
    var sum = mrw_rows();
    for (var i = 0u; i < 4u; i++) {
        if (weights[i] == 0.0) {
            continue;
        }
        let row = 3u * (first + joints[i]);
        sum.x += weights[i] * mrw_palette[row];
        sum.y += weights[i] * mrw_palette[row + 1u];
        sum.z += weights[i] * mrw_palette[row + 2u];
    }
    return sum;
}

fn mrw_skin(position: vec3<f32>, normal: vec3<f32>, first: u32, influences: mrw_influences) -> mrw_skinned {
    if (!mrw_is_bound(influences)) {
        return mrw_skinned(position, select(normal, vec3<f32>(), mrw_normals == 0u));
    }
    let a = mrw_blend_palette(first, influences.joints, influences.weights);
    let b = mrw_blend_palette(first, influences.joints_1, influences.weights_1);
    let m = mrw_rows(a.x + b.x, a.y + b.y, a.z + b.z);
    return mrw_skinned(mrw_point(m, position), mrw_normal(m, normal));
}
