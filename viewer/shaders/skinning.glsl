// Linear blend and dual quaternion skinning, the same operations as src/skin on the CPU.
//
// One palette serves the whole character: `palette_first` is where the matrices of this
// instance start. A matrix is three texels, its rows; a dual quaternion two, real and dual.

uniform samplerBuffer palette;
uniform samplerBuffer dual_quats;
uniform samplerBuffer stretches;
uniform int palette_first;
uniform int skin_method; // 0 linear, 1 dual quaternions

struct Skinned {
    vec3 position;
    vec3 normal; // not normalised
};

struct Rows {
    vec4 x, y, z;
};

Rows blend_rows(samplerBuffer matrices, uvec4 joints, vec4 weights)
{
    Rows sum = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
    for (int i = 0; i < 4; i++) {
        int texel = (palette_first + int(joints[i])) * 3;
        sum.x += weights[i] * texelFetch(matrices, texel);
        sum.y += weights[i] * texelFetch(matrices, texel + 1);
        sum.z += weights[i] * texelFetch(matrices, texel + 2);
    }
    return sum;
}

vec3 transform_point(Rows m, vec3 p)
{
    return vec3(dot(m.x.xyz, p) + m.x.w, dot(m.y.xyz, p) + m.y.w, dot(m.z.xyz, p) + m.z.w);
}

// The inverse transpose without its division: the cofactors, with the sign of the determinant.
vec3 transform_normal(Rows m, vec3 n)
{
    vec3 x = cross(m.y.xyz, m.z.xyz);
    vec3 y = cross(m.z.xyz, m.x.xyz);
    vec3 z = cross(m.x.xyz, m.y.xyz);
    float mirror = dot(m.x.xyz, x) < 0.0 ? -1.0 : 1.0;
    return mirror * vec3(dot(x, n), dot(y, n), dot(z, n));
}

vec3 rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

Skinned skin_linear(vec3 position, vec3 normal, uvec4 joints, vec4 weights)
{
    Rows m = blend_rows(palette, joints, weights);
    return Skinned(transform_point(m, position), transform_normal(m, normal));
}

// Scale first, linearly; then the rigid motion of the blended dual quaternion. The first
// influence is the heaviest one: the others are taken on its hemisphere.
Skinned skin_dual_quat(vec3 position, vec3 normal, uvec4 joints, vec4 weights)
{
    Rows stretch = blend_rows(stretches, joints, weights);
    vec4 pivot = texelFetch(dual_quats, (palette_first + int(joints[0])) * 2);
    vec4 real = vec4(0.0);
    vec4 dual = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        int texel = (palette_first + int(joints[i])) * 2;
        vec4 r = texelFetch(dual_quats, texel);
        float weight = dot(r, pivot) < 0.0 ? -weights[i] : weights[i];
        real += weight * r;
        dual += weight * texelFetch(dual_quats, texel + 1);
    }
    float inverse_length = inversesqrt(dot(real, real));
    real *= inverse_length;
    dual *= inverse_length;
    vec3 translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
    return Skinned(rotate(real, transform_point(stretch, position)) + translation,
                   rotate(real, transform_normal(stretch, normal)));
}

Skinned skin_vertex(vec3 position, vec3 normal, uvec4 joints, vec4 weights)
{
    if (skin_method == 1)
        return skin_dual_quat(position, normal, joints, weights);
    return skin_linear(position, normal, joints, weights);
}
