/* Morph targets: adds weight * differences to a stream of vectors, or to some of its vectors. */
#include "simd/simd.h"

/* One vector after the other. */
MRWI_INLINE void morph_add_scalar(float *to, size_t step, const float *differences, float weight,
                                  uint32_t vertex_count)
{
    for (size_t v = 0; v < vertex_count; v++)
        for (size_t i = 0; i < 3; i++)
            to[v * step + i] += weight * differences[v * 3 + i];
}

/* Packed vectors are one row of floats. */
MRWI_INLINE void morph_add_packed(float *to, const float *differences, float weight, size_t count)
{
    f8 factor = f8_splat(weight);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        f8 product = f8_mul(factor, f8_load(differences + i));
        f8_store(to + i, f8_add(f8_load(to + i), product));
    }
    for (; i < count; i++)
        to[i] += weight * differences[i];
}

/* Of others four floats are read, and three written; not of the last one, which may end where its
 * buffer ends. */
static void morph_add(float *to, size_t step, const float *differences, float weight,
                      uint32_t vertex_count)
{
    if (step == 3) {
        morph_add_packed(to, differences, weight, (size_t)vertex_count * 3);
        return;
    }
    f4 factor = f4_splat(weight);
    uint32_t v = 0;
    for (; v + 1 < vertex_count; v++) {
        float sum[4];
        f4_store(sum, f4_add(f4_load(to), f4_mul(factor, f4_load(differences))));
        memcpy(to, sum, 3 * sizeof(float));
        to += step;
        differences += 3;
    }
    morph_add_scalar(to, step, differences, weight, vertex_count - v);
}

/* Numbers that increase and are seven apart at both ends of eight are those of neighbours. In
 * packed vectors these are one row again. */
MRWI_INLINE bool morph_is_row(const uint32_t *vertices, size_t step)
{
    return step == 3 && vertices[7] - vertices[0] == 7;
}

/* As above, four floats are read of all but the last one. */
static void morph_add_at(float *to, size_t step, const uint32_t *vertices, const float *differences,
                         float weight, uint32_t count)
{
    f4 factor = f4_splat(weight);
    uint32_t i = 0;
    while (i + 1 < count) {
        float *at = to + vertices[i] * step;
        if (i + 8 <= count && morph_is_row(vertices + i, step)) {
            morph_add_packed(at, differences + (size_t)i * 3, weight, 24);
            i += 8;
            continue;
        }
        float sum[4];
        f4_store(sum, f4_add(f4_load(at), f4_mul(factor, f4_load(differences + (size_t)i * 3))));
        memcpy(at, sum, 3 * sizeof(float));
        i++;
    }
    if (i < count)
        morph_add_scalar(to + vertices[i] * step, step, differences + (size_t)i * 3, weight, 1);
}
