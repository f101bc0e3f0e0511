// --- both, mixed ------------------------------------------------------------------------

vec3 mrwi_unit(vec3 v)
{
    float length2 = dot(v, v);
    return length2 > 0.0 ? v / sqrt(length2) : vec3(0.0);
}

// At the ends only one of them is computed.
mrw_skinned mrw_skin(vec3 position, vec3 normal)
{
    if (!mrwi_is_bound())
        return mrwi_unmoved(position, normal);
    if (mrw_dual_quat_weight <= 0.0)
        return mrwi_skin_linear(position, normal);
    mrw_skinned rigid = mrwi_skin_dual_quat(position, normal);
    if (mrw_dual_quat_weight >= 1.0)
        return rigid;
    mrw_skinned linear = mrwi_skin_linear(position, normal);
    return mrw_skinned(mix(linear.position, rigid.position, mrw_dual_quat_weight),
                       mix(mrwi_unit(linear.normal), mrwi_unit(rigid.normal), mrw_dual_quat_weight));
}

