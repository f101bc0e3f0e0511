// --- palette ----------------------------------------------------------------------------

#ifdef MRW_PALETTE_TEXTURE
#define MRWI_CHOSEN
#endif
#ifdef MRW_PALETTE_UNIFORM
#ifdef MRWI_CHOSEN
#error choose one of MRW_PALETTE_TEXTURE, MRW_PALETTE_UNIFORM, MRW_PALETTE_STORAGE
#endif
#define MRWI_CHOSEN
#endif
#ifdef MRW_PALETTE_STORAGE
#ifdef MRWI_CHOSEN
#error choose one of MRW_PALETTE_TEXTURE, MRW_PALETTE_UNIFORM, MRW_PALETTE_STORAGE
#endif
#define MRWI_CHOSEN
#endif
#ifndef MRWI_CHOSEN
#define MRW_PALETTE_TEXTURE
#endif

struct mrwi_matrix { // rows
    vec4 x;
    vec4 y;
    vec4 z;
};

struct mrwi_dual_quat {
    vec4 real; // x y z w
    vec4 dual;
};

#ifdef MRW_PALETTE_UNIFORM
#ifndef MRW_PALETTE_CAPACITY
#error MRW_PALETTE_UNIFORM needs MRW_PALETTE_CAPACITY: how many joints the arrays hold
#endif
#ifdef MRWI_LINEAR
uniform vec4 mrw_palette[3 * MRW_PALETTE_CAPACITY];
#endif
#ifdef MRWI_DUAL_QUAT
uniform vec4 mrw_dual_quats[2 * MRW_PALETTE_CAPACITY];
#ifdef MRW_STRETCH
uniform vec4 mrw_stretches[3 * MRW_PALETTE_CAPACITY];
#endif
#endif
#else

uniform mrwi_index mrw_palette_first;
#ifdef MRWI_OLD
float mrwi_palette_first()
{
    return mrw_palette_first;
}
#else
uniform int mrw_palette_stride;

int mrwi_palette_first()
{
    return mrw_palette_first + gl_InstanceID * mrw_palette_stride;
}
#endif
#endif

#ifdef MRW_PALETTE_STORAGE
#ifdef GL_ES
#if __VERSION__ < 310
#error MRW_PALETTE_STORAGE needs GLSL ES 310
#endif
#else
#if __VERSION__ < 430
#error MRW_PALETTE_STORAGE needs GLSL 430
#endif
#endif
#ifndef MRW_PALETTE_BINDING
#define MRW_PALETTE_BINDING 0
#endif

// Before GLSL 440 a binding is a literal, not a sum.
#if MRW_PALETTE_BINDING == 0
#define MRWI_PALETTE_BINDING 0
#define MRWI_DUAL_QUATS_BINDING 1
#define MRWI_STRETCHES_BINDING 2
#elif MRW_PALETTE_BINDING == 1
#define MRWI_PALETTE_BINDING 1
#define MRWI_DUAL_QUATS_BINDING 2
#define MRWI_STRETCHES_BINDING 3
#elif MRW_PALETTE_BINDING == 2
#define MRWI_PALETTE_BINDING 2
#define MRWI_DUAL_QUATS_BINDING 3
#define MRWI_STRETCHES_BINDING 4
#elif MRW_PALETTE_BINDING == 3
#define MRWI_PALETTE_BINDING 3
#define MRWI_DUAL_QUATS_BINDING 4
#define MRWI_STRETCHES_BINDING 5
#elif MRW_PALETTE_BINDING == 4
#define MRWI_PALETTE_BINDING 4
#define MRWI_DUAL_QUATS_BINDING 5
#define MRWI_STRETCHES_BINDING 6
#elif MRW_PALETTE_BINDING == 5
#define MRWI_PALETTE_BINDING 5
#define MRWI_DUAL_QUATS_BINDING 6
#define MRWI_STRETCHES_BINDING 7
#else
#error MRW_PALETTE_BINDING must be a number from 0 to 5: a driver need not have more than 8
#endif

#ifdef MRWI_LINEAR
layout(std430, binding = MRWI_PALETTE_BINDING) readonly buffer mrw_palette_buffer
{
    vec4 mrw_palette[];
};
#endif
#ifdef MRWI_DUAL_QUAT
layout(std430, binding = MRWI_DUAL_QUATS_BINDING) readonly buffer mrw_dual_quats_buffer
{
    vec4 mrw_dual_quats[];
};
#ifdef MRW_STRETCH
layout(std430, binding = MRWI_STRETCHES_BINDING) readonly buffer mrw_stretches_buffer
{
    vec4 mrw_stretches[];
};
#endif
#endif
#endif

#ifdef MRW_PALETTE_TEXTURE
#ifdef MRWI_LINEAR
uniform sampler2D mrw_palette;
#endif
#ifdef MRWI_DUAL_QUAT
uniform sampler2D mrw_dual_quats;
#ifdef MRW_STRETCH
uniform sampler2D mrw_stretches;
#endif
#endif
#ifdef MRWI_OLD
#ifdef MRWI_LINEAR
uniform vec2 mrw_palette_size;
#endif
#ifdef MRWI_DUAL_QUAT
uniform vec2 mrw_dual_quats_size;
#ifdef MRW_STRETCH
uniform vec2 mrw_stretches_size;
#endif
#endif
#endif

mrwi_matrix mrwi_texture_matrix(sampler2D pixels, mrwi_index2 size, mrwi_index joint)
{
    mrwi_index2 x = mrwi_place((mrwi_palette_first() + joint) * mrwi_index(3), size.x);
    mrwi_index2 y = mrwi_next_place(x, size.x);
    mrwi_index2 z = mrwi_next_place(y, size.x);
    return mrwi_matrix(mrwi_texel(pixels, size, x), mrwi_texel(pixels, size, y),
                       mrwi_texel(pixels, size, z));
}

mrwi_dual_quat mrwi_texture_dual_quat(sampler2D pixels, mrwi_index2 size, mrwi_index joint)
{
    mrwi_index2 real = mrwi_place((mrwi_palette_first() + joint) * mrwi_index(2), size.x);
    mrwi_index2 dual = mrwi_next_place(real, size.x);
    return mrwi_dual_quat(mrwi_texel(pixels, size, real), mrwi_texel(pixels, size, dual));
}

#define MRWI_READ_MATRIX(pixels, size, joint) mrwi_texture_matrix(pixels, MRWI_SIZE(pixels, size), joint)
#define MRWI_READ_DUAL_QUAT(pixels, size, joint) mrwi_texture_dual_quat(pixels, MRWI_SIZE(pixels, size), joint)
#else
#ifdef MRW_PALETTE_UNIFORM
#define MRWI_AT(joint) int(joint)
#else
#define MRWI_AT(joint) (mrwi_palette_first() + joint)
#endif
#define MRWI_READ_MATRIX(rows, size, joint) mrwi_matrix(rows[3 * MRWI_AT(joint)], rows[3 * MRWI_AT(joint) + 1], rows[3 * MRWI_AT(joint) + 2])
#define MRWI_READ_DUAL_QUAT(rows, size, joint) mrwi_dual_quat(rows[2 * MRWI_AT(joint)], rows[2 * MRWI_AT(joint) + 1])
#endif

void mrwi_add(inout mrwi_matrix sum, mrwi_matrix m, float weight)
{
    sum.x += weight * m.x;
    sum.y += weight * m.y;
    sum.z += weight * m.z;
}

mrwi_matrix mrwi_zero_matrix()
{
    return mrwi_matrix(vec4(0.0), vec4(0.0), vec4(0.0));
}

vec3 mrwi_point(mrwi_matrix m, vec3 p)
{
    return vec3(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

#ifndef MRW_NORMALS
#define MRW_NORMALS 2
#endif
#if MRW_NORMALS == 0
vec3 mrwi_normal(mrwi_matrix m, vec3 n)
{
    return vec3(0.0);
}
#elif MRW_NORMALS == 1
vec3 mrwi_normal(mrwi_matrix m, vec3 n)
{
    return vec3(dot(m.x.xyz, n), dot(m.y.xyz, n), dot(m.z.xyz, n));
}
#elif MRW_NORMALS == 2
// The inverse transpose without its division, as only the direction counts: the cofactors, with the
// sign of the determinant.
vec3 mrwi_normal(mrwi_matrix m, vec3 n)
{
    vec3 x = cross(m.y.xyz, m.z.xyz);
    vec3 y = cross(m.z.xyz, m.x.xyz);
    vec3 z = cross(m.x.xyz, m.y.xyz);
    vec3 turned = vec3(dot(x, n), dot(y, n), dot(z, n));
    return dot(m.x.xyz, x) < 0.0 ? -turned : turned;
}
#else
#error MRW_NORMALS must be 0 or 1 or 2
#endif

