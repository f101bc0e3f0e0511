// --- morph targets ----------------------------------------------------------------------

#ifdef MRW_MORPH
uniform sampler2D mrw_morph_deltas;
uniform sampler2D mrw_morph_weights;
uniform mrwi_index mrw_morph_target_count;
uniform mrwi_index mrw_morph_vertex_count;
uniform mrwi_index mrw_morph_first;

#ifdef MRWI_OLD
#ifndef MRW_MORPH_CAPACITY
#define MRW_MORPH_CAPACITY 64
#endif
attribute float mrw_vertex_index;
uniform vec2 mrw_morph_deltas_size;
uniform vec2 mrw_morph_weights_size;
#define MRWI_VERTEX mrw_vertex_index
#define MRWI_FIRST_WEIGHT mrw_morph_first
#else
uniform int mrw_morph_stride;
#define MRWI_VERTEX gl_VertexID
#define MRWI_FIRST_WEIGHT (mrw_morph_first + gl_InstanceID * mrw_morph_stride)
#endif

void mrwi_add_target(inout mrw_skinned sum, mrwi_index target)
{
    mrwi_index2 size = MRWI_SIZE(mrw_morph_weights, mrw_morph_weights_size);
    float weight = mrwi_texel(mrw_morph_weights, size, mrwi_place(MRWI_FIRST_WEIGHT + target, size.x)).x;
    if (weight == 0.0)
        return;
    mrwi_index2 deltas_size = MRWI_SIZE(mrw_morph_deltas, mrw_morph_deltas_size);
    mrwi_index delta = (target * mrw_morph_vertex_count + MRWI_VERTEX) * mrwi_index(2);
    mrwi_index2 place = mrwi_place(delta, deltas_size.x);
    sum.position += weight * mrwi_texel(mrw_morph_deltas, deltas_size, place).xyz;
#if MRW_NORMALS != 0
    place = mrwi_next_place(place, deltas_size.x);
    sum.normal += weight * mrwi_texel(mrw_morph_deltas, deltas_size, place).xyz;
#endif
}

mrw_skinned mrw_morph(vec3 position, vec3 normal)
{
    mrw_skinned sum = mrwi_unmoved(position, normal);
#ifdef MRWI_OLD
    for (int i = 0; i < MRW_MORPH_CAPACITY; i++) {
        if (float(i) >= mrw_morph_target_count)
            break;
        mrwi_add_target(sum, float(i));
    }
#else
    for (int i = 0; i < mrw_morph_target_count; i++)
        mrwi_add_target(sum, i);
#endif
    return sum;
}
#endif

