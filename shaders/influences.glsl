// --- influences -------------------------------------------------------------------------

#ifndef MRW_INFLUENCES
#define MRW_INFLUENCES 4
#endif
#if MRW_INFLUENCES != 4
#if MRW_INFLUENCES != 8
#error MRW_INFLUENCES must be 4 or 8
#endif
#endif

#ifdef MRW_LOCATION
#ifdef MRWI_OLD
#error MRW_LOCATION: this dialect has no locations, bind the attributes by name
#endif
#define MRWI_IN(n) layout(location = n) in
#else
#ifdef MRWI_OLD
#define MRWI_IN(n) attribute
#else
#define MRWI_IN(n) in
#endif
#endif

#ifdef MRW_INFLUENCE_PAIRS
#define mrwi_joint4 vec4
#define MRWI_INDEX(joint) mrwi_index(floor(joint + 0.5))
#define MRWI_JOINTS vec4(mrw_influence_0.x, mrw_influence_1.x, mrw_influence_2.x, mrw_influence_3.x)
#define MRWI_WEIGHTS vec4(mrw_influence_0.y, mrw_influence_1.y, mrw_influence_2.y, mrw_influence_3.y)
#define MRWI_JOINTS_1 vec4(mrw_influence_4.x, mrw_influence_5.x, mrw_influence_6.x, mrw_influence_7.x)
#define MRWI_WEIGHTS_1 vec4(mrw_influence_4.y, mrw_influence_5.y, mrw_influence_6.y, mrw_influence_7.y)
#define MRWI_FOUR(a, b, c, d) MRWI_IN(a) vec2 mrw_influence_0; MRWI_IN(b) vec2 mrw_influence_1; MRWI_IN(c) vec2 mrw_influence_2; MRWI_IN(d) vec2 mrw_influence_3;
#if MRW_INFLUENCES == 8
#define MRWI_ATTRIBUTES(a, b, c, d, e, f, g, h, i) MRWI_FOUR(a, b, c, d) MRWI_IN(e) vec2 mrw_influence_4; MRWI_IN(f) vec2 mrw_influence_5; MRWI_IN(g) vec2 mrw_influence_6; MRWI_IN(h) vec2 mrw_influence_7; MRWI_MIX(i)
#else
#define MRWI_ATTRIBUTES(a, b, c, d, e, f, g, h, i) MRWI_FOUR(a, b, c, d) MRWI_MIX(e)
#endif
#else

#ifdef MRWI_OLD
#define mrwi_joint4 vec4
#define MRWI_INDEX(joint) floor(joint + 0.5)
#else
#define mrwi_joint4 uvec4
#define MRWI_INDEX(joint) int(joint)
#endif
#define MRWI_JOINTS mrw_joints
#define MRWI_WEIGHTS mrw_weights
#define MRWI_JOINTS_1 mrw_joints_1
#define MRWI_WEIGHTS_1 mrw_weights_1
#if MRW_INFLUENCES == 8
#define MRWI_ATTRIBUTES(a, b, c, d, e, f, g, h, i) MRWI_IN(a) mrwi_joint4 mrw_joints; MRWI_IN(b) vec4 mrw_weights; MRWI_IN(c) mrwi_joint4 mrw_joints_1; MRWI_IN(d) vec4 mrw_weights_1; MRWI_MIX(e)
#else
#define MRWI_ATTRIBUTES(a, b, c, d, e, f, g, h, i) MRWI_IN(a) mrwi_joint4 mrw_joints; MRWI_IN(b) vec4 mrw_weights; MRWI_MIX(c)
#endif
#endif

#define MRWI_MIX(n)
#ifdef MRWI_BLENDED
#ifdef MRW_BLEND_ATTRIBUTE
#undef MRWI_MIX
#define MRWI_MIX(n) MRWI_IN(n) float mrw_dual_quat_weight;
#else
uniform float mrw_dual_quat_weight;
#endif
#endif

// A location is a literal, not a sum.
#ifndef MRW_LOCATION
MRWI_ATTRIBUTES(0, 1, 2, 3, 4, 5, 6, 7, 8)
#elif MRW_LOCATION == 0
MRWI_ATTRIBUTES(0, 1, 2, 3, 4, 5, 6, 7, 8)
#elif MRW_LOCATION == 1
MRWI_ATTRIBUTES(1, 2, 3, 4, 5, 6, 7, 8, 9)
#elif MRW_LOCATION == 2
MRWI_ATTRIBUTES(2, 3, 4, 5, 6, 7, 8, 9, 10)
#elif MRW_LOCATION == 3
MRWI_ATTRIBUTES(3, 4, 5, 6, 7, 8, 9, 10, 11)
#elif MRW_LOCATION == 4
MRWI_ATTRIBUTES(4, 5, 6, 7, 8, 9, 10, 11, 12)
#elif MRW_LOCATION == 5
MRWI_ATTRIBUTES(5, 6, 7, 8, 9, 10, 11, 12, 13)
#elif MRW_LOCATION == 6
MRWI_ATTRIBUTES(6, 7, 8, 9, 10, 11, 12, 13, 14)
#elif MRW_LOCATION == 7
MRWI_ATTRIBUTES(7, 8, 9, 10, 11, 12, 13, 14, 15)
#elif MRW_LOCATION == 8
MRWI_ATTRIBUTES(8, 9, 10, 11, 12, 13, 14, 15, 16)
#elif MRW_LOCATION == 9
MRWI_ATTRIBUTES(9, 10, 11, 12, 13, 14, 15, 16, 17)
#elif MRW_LOCATION == 10
MRWI_ATTRIBUTES(10, 11, 12, 13, 14, 15, 16, 17, 18)
#elif MRW_LOCATION == 11
MRWI_ATTRIBUTES(11, 12, 13, 14, 15, 16, 17, 18, 19)
#elif MRW_LOCATION == 12
MRWI_ATTRIBUTES(12, 13, 14, 15, 16, 17, 18, 19, 20)
#else
#error MRW_LOCATION must be a number from 0 to 12
#endif

// A vertex without any weight keeps its place.
bool mrwi_is_bound()
{
#if MRW_INFLUENCES == 8
    return MRWI_WEIGHTS != vec4(0.0) || MRWI_WEIGHTS_1 != vec4(0.0);
#else
    return MRWI_WEIGHTS != vec4(0.0);
#endif
}

mrw_skinned mrwi_unmoved(vec3 position, vec3 normal)
{
#if MRW_NORMALS == 0
    return mrw_skinned(position, vec3(0.0));
#else
    return mrw_skinned(position, normal);
#endif
}

