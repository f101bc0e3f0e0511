// --- dual quaternion skinning -----------------------------------------------------------
// Kavan, Collins, Zara, O'Sullivan: Geometric Skinning with Approximate Dual Quaternion Blending, 2008.

vec3 mrwi_rotate(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

#ifdef MRW_STRETCH
void mrwi_add_stretches(inout mrwi_matrix sum, mrwi_joint4 joints, vec4 weights)
{
    for (int i = 0; i < 4; i++)
        if (weights[i] != 0.0)
            mrwi_add(sum, MRWI_READ_MATRIX(mrw_stretches, mrw_stretches_size, MRWI_INDEX(joints[i])), weights[i]);
}
#endif

// q and -q are one rotation but opposite summands: each is taken on the pivot's hemisphere.
void mrwi_add_dual_quats(inout mrwi_dual_quat sum, vec4 pivot, mrwi_joint4 joints, vec4 weights)
{
    for (int i = 0; i < 4; i++) {
        if (weights[i] == 0.0)
            continue;
        mrwi_dual_quat q = MRWI_READ_DUAL_QUAT(mrw_dual_quats, mrw_dual_quats_size, MRWI_INDEX(joints[i]));
        float weight = dot(q.real, pivot) < 0.0 ? -weights[i] : weights[i];
        sum.real += weight * q.real;
        sum.dual += weight * q.dual;
    }
}

// Scale does not fit into a rigid motion. It comes first, blended linearly; then the mean of the
// dual quaternions carries the vertex. The pivot is the heaviest influence, which stands first.
mrw_skinned mrwi_skin_dual_quat(vec3 position, vec3 normal)
{
    mrwi_joint4 joints = MRWI_JOINTS;
    vec4 weights = MRWI_WEIGHTS;
    vec4 pivot = MRWI_READ_DUAL_QUAT(mrw_dual_quats, mrw_dual_quats_size, MRWI_INDEX(joints.x)).real;
    mrwi_dual_quat sum = mrwi_dual_quat(vec4(0.0), vec4(0.0));
    mrwi_add_dual_quats(sum, pivot, joints, weights);
#if MRW_INFLUENCES == 8
    mrwi_add_dual_quats(sum, pivot, MRWI_JOINTS_1, MRWI_WEIGHTS_1);
#endif

#ifdef MRW_STRETCH
    mrwi_matrix stretch = mrwi_zero_matrix();
    mrwi_add_stretches(stretch, joints, weights);
#if MRW_INFLUENCES == 8
    mrwi_add_stretches(stretch, MRWI_JOINTS_1, MRWI_WEIGHTS_1);
#endif
    position = mrwi_point(stretch, position);
    normal = mrwi_normal(stretch, normal);
#endif

    float length2 = dot(sum.real, sum.real);
    if (length2 > 0.0) {
        vec4 real = sum.real / sqrt(length2);
        vec4 dual = sum.dual / sqrt(length2);
        vec3 translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
        position = mrwi_rotate(real, position) + translation;
        normal = mrwi_rotate(real, normal);
    }
#if MRW_NORMALS == 0
    normal = vec3(0.0);
#endif
    return mrw_skinned(position, normal);
}

#ifndef MRWI_BLENDED
mrw_skinned mrw_skin(vec3 position, vec3 normal)
{
    if (mrwi_is_bound())
        return mrwi_skin_dual_quat(position, normal);
    return mrwi_unmoved(position, normal);
}
#endif

