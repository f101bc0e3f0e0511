/* Matrices to dual quaternions, four at a time: what mrw_dual_quat_from_mat34 (math/decompose.c)
 * does with a matrix that is a rotation but for rounding, as nearly all of a palette are. Others
 * are left to it.
 *
 *     4 matrices ─▶ elements, one vector each ─▶ E ─▶ R, S ─▶ quaternions ─▶ 4 dual quaternions
 *                                               │
 *                                               └─▶ which are near to rigid
 *
 * In double precision, as there, and the same operations in the same order. */
#include "math/mat33d.h"
#include "math/math_inline.h"
#include "simd/simd.h"

/* Four symmetric matrices. */
typedef struct dual_quat_symmetric {
    d4 xx, yy, zz, xy, xz, yz;
} dual_quat_symmetric;

/* Four matrices. */
typedef struct dual_quat_lanes {
    d4 m[3][3];
} dual_quat_lanes;

/* As mrwi_vec3d_dot. */
MRWI_INLINE d4 dual_quat_dot(d4 ax, d4 bx, d4 ay, d4 by, d4 az, d4 bz)
{
    return d4_add(d4_add(d4_mul(ax, bx), d4_mul(ay, by)), d4_mul(az, bz));
}

MRWI_INLINE d4 dual_quat_dot_columns(const dual_quat_lanes *a, int i, int j)
{
    return dual_quat_dot(a->m[0][i], a->m[0][j], a->m[1][i], a->m[1][j], a->m[2][i], a->m[2][j]);
}

MRWI_INLINE d4 dual_quat_determinant(const dual_quat_lanes *a)
{
    const d4 *r = a->m[0], *s = a->m[1], *t = a->m[2];
    d4 x = d4_sub(d4_mul(s[1], t[2]), d4_mul(s[2], t[1]));
    d4 y = d4_sub(d4_mul(s[2], t[0]), d4_mul(s[0], t[2]));
    d4 z = d4_sub(d4_mul(s[0], t[1]), d4_mul(s[1], t[0]));
    return dual_quat_dot(r[0], x, r[1], y, r[2], z);
}

MRWI_INLINE dual_quat_symmetric dual_quat_unrigidness(const dual_quat_lanes *a)
{
    d4 one = d4_splat(1.0);
    return (dual_quat_symmetric){d4_sub(dual_quat_dot_columns(a, 0, 0), one),
                                 d4_sub(dual_quat_dot_columns(a, 1, 1), one),
                                 d4_sub(dual_quat_dot_columns(a, 2, 2), one),
                                 dual_quat_dot_columns(a, 0, 1),
                                 dual_quat_dot_columns(a, 0, 2),
                                 dual_quat_dot_columns(a, 1, 2)};
}

MRWI_INLINE n4 dual_quat_is_small(d4 x)
{
    return d4_less_equal(d4_abs(x), d4_splat(MRWI_NEAR_RIGID));
}

MRWI_INLINE n4 dual_quat_is_near_rigid(const dual_quat_symmetric *e)
{
    n4 diagonal = n4_and(n4_and(dual_quat_is_small(e->xx), dual_quat_is_small(e->yy)),
                         dual_quat_is_small(e->zz));
    n4 others = n4_and(n4_and(dual_quat_is_small(e->xy), dual_quat_is_small(e->xz)),
                       dual_quat_is_small(e->yz));
    return n4_and(diagonal, others);
}

MRWI_INLINE dual_quat_symmetric dual_quat_squared(const dual_quat_symmetric *e)
{
    return (dual_quat_symmetric){
        dual_quat_dot(e->xx, e->xx, e->xy, e->xy, e->xz, e->xz),
        dual_quat_dot(e->xy, e->xy, e->yy, e->yy, e->yz, e->yz),
        dual_quat_dot(e->xz, e->xz, e->yz, e->yz, e->zz, e->zz),
        dual_quat_dot(e->xx, e->xy, e->xy, e->yy, e->xz, e->yz),
        dual_quat_dot(e->xx, e->xz, e->xy, e->yz, e->xz, e->zz),
        dual_quat_dot(e->xy, e->xz, e->yy, e->yz, e->yz, e->zz),
    };
}

MRWI_INLINE d4 dual_quat_terms(d4 e, double a, d4 e2, double b)
{
    return d4_add(d4_mul(d4_splat(a), e), d4_mul(d4_splat(b), e2));
}

MRWI_INLINE dual_quat_symmetric dual_quat_series(const dual_quat_symmetric *e, double a,
                                                 const dual_quat_symmetric *e2, double b)
{
    d4 one = d4_splat(1.0);
    return (dual_quat_symmetric){d4_add(one, dual_quat_terms(e->xx, a, e2->xx, b)),
                                 d4_add(one, dual_quat_terms(e->yy, a, e2->yy, b)),
                                 d4_add(one, dual_quat_terms(e->zz, a, e2->zz, b)),
                                 dual_quat_terms(e->xy, a, e2->xy, b),
                                 dual_quat_terms(e->xz, a, e2->xz, b),
                                 dual_quat_terms(e->yz, a, e2->yz, b)};
}

/* a * b, its sign turned where the determinant is negative. */
MRWI_INLINE dual_quat_lanes dual_quat_rotation(const dual_quat_lanes *a,
                                               const dual_quat_symmetric *b, d4 determinant)
{
    dual_quat_lanes r;
    for (int row = 0; row < 3; row++) {
        const d4 *m = a->m[row];
        r.m[row][0] = dual_quat_dot(m[0], b->xx, m[1], b->xy, m[2], b->xz);
        r.m[row][1] = dual_quat_dot(m[0], b->xy, m[1], b->yy, m[2], b->yz);
        r.m[row][2] = dual_quat_dot(m[0], b->xz, m[1], b->yz, m[2], b->zz);
        for (int column = 0; column < 3; column++)
            r.m[row][column] = d4_flip_sign(r.m[row][column], determinant);
    }
    return r;
}

/* mrwi_quat_from_rotation: its four ways at once, and of each lane the one that it takes. */
MRWI_INLINE void dual_quat_real(const dual_quat_lanes *rotation, f4 out[4])
{
    const d4(*m)[3] = rotation->m;
    d4 one = d4_splat(1.0);
    n4 y_leads = d4_less(m[0][0], m[1][1]);
    d4 leader = d4_select(y_leads, m[1][1], m[0][0]);
    n4 z_leads = d4_less(leader, m[2][2]);
    leader = d4_select(z_leads, m[2][2], leader);
    d4 trace = d4_add(d4_add(m[0][0], m[1][1]), m[2][2]);
    n4 w_leads = d4_less_equal(leader, trace);

    d4 sum_xy = d4_add(m[1][0], m[0][1]), difference_z = d4_sub(m[1][0], m[0][1]);
    d4 sum_xz = d4_add(m[2][0], m[0][2]), difference_y = d4_sub(m[0][2], m[2][0]);
    d4 sum_yz = d4_add(m[2][1], m[1][2]), difference_x = d4_sub(m[2][1], m[1][2]);
    d4 of_x[4] = {d4_add(one, d4_sub(d4_sub(m[0][0], m[1][1]), m[2][2])), sum_xy, sum_xz,
                  difference_x};
    d4 of_y[4] = {sum_xy, d4_add(one, d4_sub(d4_sub(m[1][1], m[2][2]), m[0][0])), sum_yz,
                  difference_y};
    d4 of_z[4] = {sum_xz, sum_yz, d4_add(one, d4_sub(d4_sub(m[2][2], m[0][0]), m[1][1])),
                  difference_z};
    d4 of_w[4] = {difference_x, difference_y, difference_z, d4_add(one, trace)};
    d4 q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = d4_select(z_leads, of_z[i], d4_select(y_leads, of_y[i], of_x[i]));
        q[i] = d4_select(w_leads, of_w[i], q[i]);
    }
    d4 length =
        d4_sqrt(d4_add(dual_quat_dot(q[0], q[0], q[1], q[1], q[2], q[2]), d4_mul(q[3], q[3])));
    d4 sign = d4_select(d4_less(q[3], d4_zero()), d4_splat(-1.0), one);
    d4 factor = d4_div(sign, length);
    for (int i = 0; i < 4; i++)
        out[i] = f4_from_d4(d4_mul(q[i], factor));
}

/* mrwi_quat_mul of half the translation and the rotation. */
MRWI_INLINE void dual_quat_dual(const f4 translation[3], const f4 b[4], f4 out[4])
{
    f4 half = f4_splat(0.5f), aw = f4_zero();
    f4 ax = f4_mul(half, translation[0]);
    f4 ay = f4_mul(half, translation[1]);
    f4 az = f4_mul(half, translation[2]);
    out[0] = f4_sub(f4_add(f4_add(f4_mul(aw, b[0]), f4_mul(ax, b[3])), f4_mul(ay, b[2])),
                    f4_mul(az, b[1]));
    out[1] = f4_sub(f4_add(f4_add(f4_mul(aw, b[1]), f4_mul(ay, b[3])), f4_mul(az, b[0])),
                    f4_mul(ax, b[2]));
    out[2] = f4_sub(f4_add(f4_add(f4_mul(aw, b[2]), f4_mul(az, b[3])), f4_mul(ax, b[1])),
                    f4_mul(ay, b[0]));
    out[3] = f4_neg(f4_sub(f4_add(f4_add(f4_mul(ax, b[0]), f4_mul(ay, b[1])), f4_mul(az, b[2])),
                           f4_mul(aw, b[3])));
}

/* Four floats in each of four places, stride_floats apart: out[lane][i] = columns[i] lane. */
MRWI_INLINE void dual_quat_store(float *out, size_t stride_floats, f4 a, f4 b, f4 c, f4 d)
{
    f4_transpose(&a, &b, &c, &d);
    f4_store(out, a);
    f4_store(out + stride_floats, b);
    f4_store(out + 2 * stride_floats, c);
    f4_store(out + 3 * stride_floats, d);
}

MRWI_INLINE m4 dual_quat_differs(f4 element, float identity)
{
    return f4_less(f4_splat(MRWI_RIGID_TOLERANCE), f4_abs(f4_sub(element, f4_splat(identity))));
}

/* Stores the stretches, where there is room for them; says which are not
 * the identity. */
MRWI_INLINE m4 dual_quat_stretch(const dual_quat_symmetric *stretch, d4 determinant,
                                 mrw_mat34 *out_stretches)
{
    f4 xx = f4_from_d4(d4_flip_sign(stretch->xx, determinant));
    f4 yy = f4_from_d4(d4_flip_sign(stretch->yy, determinant));
    f4 zz = f4_from_d4(d4_flip_sign(stretch->zz, determinant));
    f4 xy = f4_from_d4(d4_flip_sign(stretch->xy, determinant));
    f4 xz = f4_from_d4(d4_flip_sign(stretch->xz, determinant));
    f4 yz = f4_from_d4(d4_flip_sign(stretch->yz, determinant));
    if (out_stretches != NULL) {
        size_t stride_floats = sizeof(mrw_mat34) / sizeof(float);
        dual_quat_store(out_stretches->m[0], stride_floats, xx, xy, xz, f4_zero());
        dual_quat_store(out_stretches->m[1], stride_floats, xy, yy, yz, f4_zero());
        dual_quat_store(out_stretches->m[2], stride_floats, xz, yz, zz, f4_zero());
    }
    m4 diagonal = m4_or(m4_or(dual_quat_differs(xx, 1.0f), dual_quat_differs(yy, 1.0f)),
                        dual_quat_differs(zz, 1.0f));
    m4 others = m4_or(m4_or(dual_quat_differs(xy, 0.0f), dual_quat_differs(xz, 0.0f)),
                      dual_quat_differs(yz, 0.0f));
    return m4_or(diagonal, others);
}

/* Whether one of them is not rigid. */
MRWI_ONCE bool dual_quat_four(const mrw_mat34 *matrices, mrw_dual_quat *out_dual_quats,
                              mrw_mat34 *out_stretches)
{
    dual_quat_lanes linear;
    f4 translation[3];
    for (int row = 0; row < 3; row++) {
        f4 columns[4];
        for (int i = 0; i < 4; i++)
            columns[i] = f4_load(matrices[i].m[row]);
        f4_transpose(&columns[0], &columns[1], &columns[2], &columns[3]);
        for (int column = 0; column < 3; column++)
            linear.m[row][column] = d4_from_f4(columns[column]);
        translation[row] = columns[3];
    }
    dual_quat_symmetric e = dual_quat_unrigidness(&linear);
    m4 near = m4_from_n4(dual_quat_is_near_rigid(&e));
    for (int i = 0; i < 3; i++)
        near = m4_and(near, f4_less_equal(f4_abs(translation[i]), f4_splat(FLT_MAX)));

    m4 differs = m4_not(near);
    if (m4_any(near)) {
        d4 determinant = dual_quat_determinant(&linear);
        dual_quat_symmetric e2 = dual_quat_squared(&e);
        dual_quat_symmetric inverse_root = dual_quat_series(&e, -0.5, &e2, 0.375);
        dual_quat_symmetric stretch = dual_quat_series(&e, 0.5, &e2, -0.125);
        dual_quat_lanes rotation = dual_quat_rotation(&linear, &inverse_root, determinant);
        f4 real[4], dual[4];
        dual_quat_real(&rotation, real);
        dual_quat_dual(translation, real, dual);
        size_t stride_floats = sizeof(mrw_dual_quat) / sizeof(float);
        float *out = (float *)out_dual_quats; /* x y z w of real, then of dual */
        dual_quat_store(out, stride_floats, real[0], real[1], real[2], real[3]);
        dual_quat_store(out + 4, stride_floats, dual[0], dual[1], dual[2], dual[3]);
        differs = dual_quat_stretch(&stretch, determinant, out_stretches);
    }
    if (m4_all(near))
        return m4_any(differs);

    bool has_stretch = m4_any(m4_and(near, differs));
    float others[4];
    f4_store(others, f4_select(near, f4_zero(), f4_splat(1.0f)));
    for (int i = 0; i < 4; i++) {
        mrw_mat34 stretch;
        if (others[i] == 0.0f)
            continue;
        if (mrw_dual_quat_from_mat34(&matrices[i], &out_dual_quats[i], &stretch))
            has_stretch = true;
        if (out_stretches != NULL)
            out_stretches[i] = stretch;
    }
    return has_stretch;
}

static bool dual_quat_palette(const mrw_mat34 *palette, uint32_t count,
                              mrw_dual_quat *out_dual_quats, mrw_mat34 *out_stretches)
{
    bool has_stretch = false;
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4)
        if (dual_quat_four(palette + i, out_dual_quats + i,
                           out_stretches != NULL ? out_stretches + i : NULL))
            has_stretch = true;
    if (i == count)
        return has_stretch;

    mrw_mat34 rest[4], rest_stretches[4];
    mrw_dual_quat rest_dual_quats[4];
    for (uint32_t k = 0; k < 4; k++) /* the lanes past the last do it again */
        rest[k] = palette[i + k < count ? i + k : count - 1];
    if (dual_quat_four(rest, rest_dual_quats, rest_stretches))
        has_stretch = true;
    memcpy(out_dual_quats + i, rest_dual_quats, (count - i) * sizeof(mrw_dual_quat));
    if (out_stretches != NULL)
        memcpy(out_stretches + i, rest_stretches, (count - i) * sizeof(mrw_mat34));
    return has_stretch;
}
