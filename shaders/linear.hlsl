// Marrow: linear blend skinning for shader model 5, the same operations as mrw_skin_vertices. Put your
// vertex shader below and call mrw_skin with the sum of where this mesh's matrices start in the palette
// and what your instance adds to it:
//
//     mrw_skinned skinned = mrw_skin(position, normal, first + instance * stride, joints, weights);
//
// Choices, #define them before this text:
//
//     MRW_INFLUENCES 4 | 8      default 4; with 8, mrw_skin takes joints_1 and weights_1 too
//     MRW_NORMALS 0 | 1 | 2     0: none (zero), 1: the blended 3x3 part, 2: inverse transpose, the default
//     MRW_PALETTE_UNIFORM       a constant buffer of MRW_PALETTE_CAPACITY joints (at most 1365), in place
//                               of a StructuredBuffer<float4>
//     MRW_PALETTE_REGISTER      where that buffer is bound: default t0, of a constant buffer b0
//
// There is no morphing and no mix of both methods: the GLSL texts have these.

#ifndef MRW_INFLUENCES
#define MRW_INFLUENCES 4
#endif
#ifndef MRW_NORMALS
#define MRW_NORMALS 2
#endif

// The rows of the matrices, three to a joint.
#ifdef MRW_PALETTE_UNIFORM
#ifndef MRW_PALETTE_REGISTER
#define MRW_PALETTE_REGISTER b0
#endif
cbuffer mrw_palette_buffer : register(MRW_PALETTE_REGISTER)
{
    float4 mrw_palette[3 * MRW_PALETTE_CAPACITY];
};
#else
#ifndef MRW_PALETTE_REGISTER
#define MRW_PALETTE_REGISTER t0
#endif
StructuredBuffer<float4> mrw_palette : register(MRW_PALETTE_REGISTER);
#endif

struct mrw_skinned {
    float3 position;
    float3 normal; // has no unit length
};

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

// Adds the weighted sum of four joints' matrices. Those without a weight are not read.
void mrw_add_palette(inout mrw_rows sum, uint first, uint4 joints, float4 weights)
{
    [unroll] for (int i = 0; i < 4; i++) {
        if (weights[i] != 0.0) {
            uint row = 3 * (first + joints[i]);
            sum.x += weights[i] * mrw_palette[row];
            sum.y += weights[i] * mrw_palette[row + 1];
            sum.z += weights[i] * mrw_palette[row + 2];
        }
    }
}

// A vertex without any weight keeps its place.
mrw_skinned mrw_skin(float3 position, float3 normal, uint first, uint4 joints, float4 weights
#if MRW_INFLUENCES == 8
                     , uint4 joints_1, float4 weights_1
#endif
)
{
    bool is_bound = any(weights != 0.0);
    mrw_rows m = (mrw_rows)0;
    mrw_add_palette(m, first, joints, weights);
#if MRW_INFLUENCES == 8
    is_bound = is_bound || any(weights_1 != 0.0);
    mrw_add_palette(m, first, joints_1, weights_1);
#endif

    mrw_skinned skinned;
    skinned.position = position;
    skinned.normal = normal;
#if MRW_NORMALS == 0
    skinned.normal = float3(0.0, 0.0, 0.0);
#endif
    if (is_bound) {
        skinned.position = mrw_point(m, position);
        skinned.normal = mrw_normal(m, normal);
    }
    return skinned;
}
