// --- linear blend skinning --------------------------------------------------------------

void mrwi_add_matrices(inout mrwi_matrix sum, mrwi_joint4 joints, vec4 weights)
{
    for (int i = 0; i < 4; i++)
        if (weights[i] != 0.0)
            mrwi_add(sum, MRWI_READ_MATRIX(mrw_palette, mrw_palette_size, MRWI_INDEX(joints[i])), weights[i]);
}

// The weighted mean of the joints' matrices moves the vertex.
mrw_skinned mrwi_skin_linear(vec3 position, vec3 normal)
{
    mrwi_matrix m = mrwi_zero_matrix();
    mrwi_add_matrices(m, MRWI_JOINTS, MRWI_WEIGHTS);
#if MRW_INFLUENCES == 8
    mrwi_add_matrices(m, MRWI_JOINTS_1, MRWI_WEIGHTS_1);
#endif
    return mrw_skinned(mrwi_point(m, position), mrwi_normal(m, normal));
}

#ifndef MRWI_BLENDED
mrw_skinned mrw_skin(vec3 position, vec3 normal)
{
    if (mrwi_is_bound())
        return mrwi_skin_linear(position, normal);
    return mrwi_unmoved(position, normal);
}
#endif

