// Marrow: dual quaternion skinning for shader model 5, the same operations as mrw_skin_vertices (Kavan,
// Collins, Zara, O'Sullivan: Geometric Skinning with Approximate Dual Quaternion Blending, 2008). Put your
// vertex shader below and call mrw_skin with the sum of where this mesh's dual quaternions start and what
// your instance adds to it:
//
//     mrw_skinned skinned = mrw_skin(position, normal, first + instance * stride, joints, weights);
//
// The heaviest influence stands first. Choices, #define them before this text:
//
//     MRW_INFLUENCES 4 | 8      default 4; with 8, mrw_skin takes joints_1 and weights_1 too
//     MRW_NORMALS 0 | 1 | 2     0: none (zero), 1: the stretch's 3x3 part, 2: its inverse transpose, the
//                               default
//     MRW_STRETCH               joints have scale: reads the stretches
//     MRW_PALETTE_UNIFORM       constant buffers of MRW_PALETTE_CAPACITY joints (at most 2048, with stretches
//                               1365), in place of StructuredBuffer<float4>
//     MRW_DUAL_QUATS_REGISTER   where the buffers are bound: default t0, of a constant buffer b0
//     MRW_STRETCHES_REGISTER    default t1, b1
//
// There is no morphing and no mix of both methods: the GLSL texts have these.

#ifndef MRW_INFLUENCES
#define MRW_INFLUENCES 4
#endif
#ifndef MRW_NORMALS
#define MRW_NORMALS 2
#endif

// Real part, dual part (x y z w), two to a joint; the rows of the stretches, three to a joint.
#ifdef MRW_PALETTE_UNIFORM
#ifndef MRW_DUAL_QUATS_REGISTER
#define MRW_DUAL_QUATS_REGISTER b0
#endif
#ifndef MRW_STRETCHES_REGISTER
#define MRW_STRETCHES_REGISTER b1
#endif
cbuffer mrw_dual_quats_buffer : register(MRW_DUAL_QUATS_REGISTER)
{
    float4 mrw_dual_quats[2 * MRW_PALETTE_CAPACITY];
};
#ifdef MRW_STRETCH
cbuffer mrw_stretches_buffer : register(MRW_STRETCHES_REGISTER)
{
    float4 mrw_stretches[3 * MRW_PALETTE_CAPACITY];
};
#endif
#else
#ifndef MRW_DUAL_QUATS_REGISTER
#define MRW_DUAL_QUATS_REGISTER t0
#endif
#ifndef MRW_STRETCHES_REGISTER
#define MRW_STRETCHES_REGISTER t1
#endif
StructuredBuffer<float4> mrw_dual_quats : register(MRW_DUAL_QUATS_REGISTER);
#ifdef MRW_STRETCH
StructuredBuffer<float4> mrw_stretches : register(MRW_STRETCHES_REGISTER);
#endif
#endif

struct mrw_skinned {
    float3 position;
    float3 normal; // has no unit length
};

#ifdef MRW_STRETCH
struct mrw_rows {
    float4 x;
    float4 y;
    float4 z;
};

float3 mrw_point(mrw_rows m, float3 p)
{
    return float3(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

float3 mrw_normal(mrw_rows m, float3 n)
{
#if MRW_NORMALS == 0
    return float3(0.0, 0.0, 0.0);
#elif MRW_NORMALS == 1
    return float3(dot(m.x.xyz, n), dot(m.y.xyz, n), dot(m.z.xyz, n));
#else
    // The inverse transpose without its division, as only the direction counts: the cofactors, with
    // the sign of the determinant.
    float3 x = cross(m.y.xyz, m.z.xyz);
    float3 y = cross(m.z.xyz, m.x.xyz);
    float3 z = cross(m.x.xyz, m.y.xyz);
    float3 turned = float3(dot(x, n), dot(y, n), dot(z, n));
    return dot(m.x.xyz, x) < 0.0 ? -turned : turned;
#endif
}

// Adds the weighted sum of four stretches. Those without a weight are not read.
void mrw_add_stretches(inout mrw_rows sum, uint first, uint4 joints, float4 weights)
{
    [unroll] for (int i = 0; i < 4; i++) {
        if (weights[i] != 0.0) {
            uint row = 3 * (first + joints[i]);
            sum.x += weights[i] * mrw_stretches[row];
            sum.y += weights[i] * mrw_stretches[row + 1];
            sum.z += weights[i] * mrw_stretches[row + 2];
        }
    }
}
#endif

struct mrw_dual_quat {
    float4 real;
    float4 dual;
};

// Adds the weighted sum of four joints' dual quaternions. q and -q are one rotation but opposite
// summands: each is taken on the pivot's hemisphere.
void mrw_add_dual_quats(inout mrw_dual_quat sum, uint first, float4 pivot, uint4 joints, float4 weights)
{
    [unroll] for (int i = 0; i < 4; i++) {
        if (weights[i] != 0.0) {
            uint at = 2 * (first + joints[i]);
            float4 real = mrw_dual_quats[at];
            float weight = dot(real, pivot) < 0.0 ? -weights[i] : weights[i];
            sum.real += weight * real;
            sum.dual += weight * mrw_dual_quats[at + 1];
        }
    }
}

float3 mrw_rotate(float4 q, float3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// Scale comes first, blended linearly; then the mean of the dual quaternions carries the vertex. The
// pivot is the heaviest influence. A vertex without any weight keeps its place.
mrw_skinned mrw_skin(float3 position, float3 normal, uint first, uint4 joints, float4 weights
#if MRW_INFLUENCES == 8
                     , uint4 joints_1, float4 weights_1
#endif
)
{
    bool is_bound = any(weights != 0.0);
    float4 pivot = mrw_dual_quats[2 * (first + joints.x)];
    mrw_dual_quat sum = (mrw_dual_quat)0;
    mrw_add_dual_quats(sum, first, pivot, joints, weights);
#if MRW_INFLUENCES == 8
    is_bound = is_bound || any(weights_1 != 0.0);
    mrw_add_dual_quats(sum, first, pivot, joints_1, weights_1);
#endif

    mrw_skinned skinned;
    skinned.position = position;
    skinned.normal = normal;
#if MRW_NORMALS == 0
    skinned.normal = float3(0.0, 0.0, 0.0);
#endif
#ifdef MRW_STRETCH
    if (is_bound) {
        mrw_rows stretch = (mrw_rows)0;
        mrw_add_stretches(stretch, first, joints, weights);
#if MRW_INFLUENCES == 8
        mrw_add_stretches(stretch, first, joints_1, weights_1);
#endif
        skinned.position = mrw_point(stretch, skinned.position);
        skinned.normal = mrw_normal(stretch, skinned.normal);
    }
#endif
    float length2 = dot(sum.real, sum.real);
    if (is_bound && length2 > 0.0) {
        float4 real = sum.real / sqrt(length2);
        float4 dual = sum.dual / sqrt(length2);
        float3 translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
        skinned.position = mrw_rotate(real, skinned.position) + translation;
        skinned.normal = mrw_rotate(real, skinned.normal);
    }
    return skinned;
}
