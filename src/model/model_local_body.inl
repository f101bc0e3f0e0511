/* The body of model_lanes.inl. */

/* Tiny numbers of a rotation become 0. Exporters leave 1e-20 where 0 is meant, products of two of
 * these are denormal, and many processors handle denormals ten times slower than other numbers. */
MRWI_INLINE f8 model_without_tiny(f8 x)
{
    return f8_select(f8_less(f8_abs(x), f8_splat(MRW_MODEL_TINY_ROTATION)), f8_zero(), x);
}

/* mrwi_mat34_from_transform: the elements of T * R * S. */
MRWI_INLINE void model_local_matrix(const f8 translation[3], const f8 rotation[4],
                                    const f8 scale[3], f8 rows[3][4])
{
    f8 x = model_without_tiny(rotation[0]), y = model_without_tiny(rotation[1]);
    f8 z = model_without_tiny(rotation[2]), w = model_without_tiny(rotation[3]);
    f8 one = f8_splat(1.0f);
    f8 x2 = f8_add(x, x), y2 = f8_add(y, y), z2 = f8_add(z, z);
    f8 xx = f8_mul(x, x2), yy = f8_mul(y, y2), zz = f8_mul(z, z2);
    f8 xy = f8_mul(x, y2), xz = f8_mul(x, z2), yz = f8_mul(y, z2);
    f8 wx = f8_mul(w, x2), wy = f8_mul(w, y2), wz = f8_mul(w, z2);
    rows[0][0] = f8_mul(f8_sub(one, f8_add(yy, zz)), scale[0]);
    rows[0][1] = f8_mul(f8_sub(xy, wz), scale[1]);
    rows[0][2] = f8_mul(f8_add(xz, wy), scale[2]);
    rows[1][0] = f8_mul(f8_add(xy, wz), scale[0]);
    rows[1][1] = f8_mul(f8_sub(one, f8_add(xx, zz)), scale[1]);
    rows[1][2] = f8_mul(f8_sub(yz, wx), scale[2]);
    rows[2][0] = f8_mul(f8_sub(xz, wy), scale[0]);
    rows[2][1] = f8_mul(f8_add(yz, wx), scale[1]);
    rows[2][2] = f8_mul(f8_sub(one, f8_add(xx, yy)), scale[2]);
    for (int row = 0; row < 3; row++)
        rows[row][3] = translation[row];
}
