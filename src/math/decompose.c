#include <marrow/math.h>

#include "math/mat33d.h"
#include "math/math_inline.h"

/* Two ways to take the 3x3 part of a matrix apart.
 *
 * Into T * R * S, what a node of a file can say: the scales are the lengths of the columns,
 * the rotation is what the columns point at once they are made orthonormal.
 *
 * Into R * S with a symmetric S (polar decomposition), what skinning by dual quaternions needs:
 * the nearest rotation to the matrix, and whatever it stretches as the rest. Unlike the first it
 * treats all axes alike and knows shear. Higham's iteration finds the rotation without an
 * eigenvalue solver: the mean of X and its inverse transpose keeps the axes of X and drives each
 * stretch s to (s + 1/s) / 2, so to 1.
 *
 * The orthogonal factor of a mirroring matrix mirrors too. Such a matrix is negated first,
 * which makes it proper in three dimensions, and the sign goes to S. The other choice, to
 * flip the axis of the smallest stretch, is nearer but jumps from axis to axis when
 * stretches are equal, as they are in every mirrored character.
 *
 * Nearly all matrices of a palette are rotations but for the rounding of floats. With E =
 * transpose(M) * M - 1 these have R = M * (1 + E)^(-1/2) and S = (1 + E)^(1/2), of which three
 * terms of the series are exact enough for an E of a thousand times that rounding: no division, no
 * iteration, and nothing that hinders lanes (skin/dual_quat_kernel.inl does the same to the last
 * bit). */

/* Ratio of stretches below which an axis is taken as flat: under it, the direction and the side
 * that a float matrix shows for this axis is rounding noise. */
#define FLAT_RATIO 1e-6
/* Likewise for a second axis, when the first is flat: clearly above, so that two noisy axes are
 * never taken for a noisy one and a good one. */
#define LINE_RATIO 1e-5

/* Newton doubles the digits in each step: scaled, 9 steps are enough for any double matrix. */
#define MAX_STEPS 32

mrw_quat mrwi_quat_from_rotation(const mrwi_mat33d *rotation)
{
    const double(*m)[3] = rotation->m;
    /* Four ways to the same quaternion; each divides by twice the component it starts
     * with, so the largest one is taken (Shepperd 1978). */
    double q[4];
    double trace = (m[0][0] + m[1][1]) + m[2][2];
    int i = m[1][1] > m[0][0] ? 1 : 0;
    if (m[2][2] > m[i][i])
        i = 2;
    if (trace >= m[i][i]) {
        q[0] = m[2][1] - m[1][2];
        q[1] = m[0][2] - m[2][0];
        q[2] = m[1][0] - m[0][1];
        q[3] = 1.0 + trace;
    } else {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0 + ((m[i][i] - m[j][j]) - m[k][k]);
        q[j] = m[j][i] + m[i][j];
        q[k] = m[k][i] + m[i][k];
        q[3] = m[k][j] - m[j][k];
    }
    double length = mrwi_sqrt_double(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
    double factor = (q[3] < 0.0 ? -1.0 : 1.0) / length;
    return (mrw_quat){(float)(q[0] * factor), (float)(q[1] * factor), (float)(q[2] * factor),
                      (float)(q[3] * factor)};
}

/* --- T * R * S ------------------------------------------------------------------------ */

static mrwi_mat33d mat33d_from_columns(const mrwi_vec3d columns[3])
{
    mrwi_mat33d matrix;
    for (int i = 0; i < 3; i++) {
        matrix.m[0][i] = columns[i].x;
        matrix.m[1][i] = columns[i].y;
        matrix.m[2][i] = columns[i].z;
    }
    return matrix;
}

/* Makes the columns orthonormal in their order (Gram-Schmidt); says which were zero or lay in
 * the span of those before and have no direction of their own. */
static void orthonormalize(mrwi_vec3d columns[3], bool out_found[3])
{
    for (int i = 0; i < 3; i++) {
        mrwi_vec3d rest = columns[i];
        for (int j = 0; j < i; j++) {
            if (!out_found[j])
                continue;
            double along = mrwi_vec3d_dot(rest, columns[j]);
            rest.x -= columns[j].x * along;
            rest.y -= columns[j].y * along;
            rest.z -= columns[j].z * along;
        }
        double length2 = mrwi_vec3d_dot(rest, rest);
        double smallest = FLAT_RATIO * FLAT_RATIO * mrwi_vec3d_dot(columns[i], columns[i]);
        out_found[i] = length2 > smallest;
        if (out_found[i])
            columns[i] = mrwi_vec3d_scale(rest, 1.0 / mrwi_sqrt_double(length2));
    }
}

/* Fills in the missing columns of a right-handed orthonormal triple. */
static void complete_axes(mrwi_vec3d columns[3], const bool found[3])
{
    int count = (int)found[0] + (int)found[1] + (int)found[2];
    if (count == 0) {
        columns[0] = (mrwi_vec3d){1.0, 0.0, 0.0};
        columns[1] = (mrwi_vec3d){0.0, 1.0, 0.0};
        columns[2] = (mrwi_vec3d){0.0, 0.0, 1.0};
    } else if (count == 1) {
        int i = found[0] ? 0 : found[1] ? 1 : 2;
        columns[(i + 1) % 3] = mrwi_vec3d_perpendicular(columns[i]);
        columns[(i + 2) % 3] = mrwi_vec3d_cross(columns[i], columns[(i + 1) % 3]);
    } else if (count == 2) {
        int i = !found[0] ? 0 : !found[1] ? 1 : 2;
        columns[i] = mrwi_vec3d_cross(columns[(i + 1) % 3], columns[(i + 2) % 3]);
    }
}

/* Largest difference of the 3x3 parts, relative to the largest element of a. */
static float relative_difference(const mrw_mat34 *a, const mrw_mat34 *b)
{
    float largest = 0.0f, difference = 0.0f;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            float size = mrwi_abs(a->m[row][column]);
            float here = mrwi_abs(a->m[row][column] - b->m[row][column]);
            largest = size > largest ? size : largest;
            difference = here > difference ? here : difference;
        }
    }
    return largest > 0.0f ? difference / largest : 0.0f;
}

float mrw_mat34_decompose(const mrw_mat34 *matrix, mrw_transform *out_transform)
{
    *out_transform = mrw_transform_identity();
    if (!mrwi_mat34_is_finite(matrix))
        return 1.0f;
    mrwi_mat33d linear = mrwi_mat33d_from_mat34(matrix);
    mrwi_mat33d cofactors = mrwi_mat33d_cofactors(&linear);
    bool mirrors = mrwi_mat33d_determinant(&linear, &cofactors) < 0.0;

    mrwi_vec3d columns[3];
    double lengths[3];
    for (int i = 0; i < 3; i++) {
        columns[i] = mrwi_mat33d_column(&linear, i);
        lengths[i] = mrwi_sqrt_double(mrwi_vec3d_dot(columns[i], columns[i]));
    }
    if (mirrors) {
        columns[0] = mrwi_vec3d_scale(columns[0], -1.0);
        lengths[0] = -lengths[0];
    }
    bool found[3];
    orthonormalize(columns, found);
    complete_axes(columns, found);

    mrwi_mat33d rotation = mat33d_from_columns(columns);
    out_transform->translation = (mrw_vec3){matrix->m[0][3], matrix->m[1][3], matrix->m[2][3]};
    out_transform->rotation = mrwi_quat_from_rotation(&rotation);
    out_transform->scale = (mrw_vec3){(float)lengths[0], (float)lengths[1], (float)lengths[2]};
    mrw_mat34 again = mrwi_mat34_from_transform(out_transform);
    return relative_difference(matrix, &again);
}

/* --- R * S ------------------------------------------------------------------------------ */

/* a * x + b * y */
static mrwi_mat33d combine(const mrwi_mat33d *x, double a, const mrwi_mat33d *y, double b)
{
    mrwi_mat33d sum;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            sum.m[row][column] = x->m[row][column] * a + y->m[row][column] * b;
    return sum;
}

static mrwi_mat33d scaled(const mrwi_mat33d *matrix, double factor)
{
    mrwi_mat33d result;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            result.m[row][column] = matrix->m[row][column] * factor;
    return result;
}

/* transpose(a) * b */
static mrwi_mat33d transposed_mul(const mrwi_mat33d *a, const mrwi_mat33d *b)
{
    mrwi_mat33d product;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            product.m[row][column] =
                mrwi_vec3d_dot(mrwi_mat33d_column(a, row), mrwi_mat33d_column(b, column));
    return product;
}

/* The orthogonal factor of a matrix with a positive determinant. The scale factor brings the
 * product of the stretches near 1 and saves the slow start of a matrix far from it. */
static mrwi_mat33d orthogonal_factor(mrwi_mat33d x)
{
    for (int step = 0; step < MAX_STEPS; step++) {
        mrwi_mat33d cofactors = mrwi_mat33d_cofactors(&x);
        double determinant = mrwi_mat33d_determinant(&x, &cofactors);
        double inverse_norm = mrwi_mat33d_norm(&cofactors) / determinant;
        double scale = mrwi_sqrt_double(inverse_norm / mrwi_mat33d_norm(&x));
        mrwi_mat33d next = combine(&x, 0.5 * scale, &cofactors, 0.5 / (scale * determinant));
        mrwi_mat33d change = combine(&next, 1.0, &x, -1.0);
        x = next;
        if (mrwi_mat33d_norm(&change) < 1e-9)
            break;
    }
    return x;
}

static mrwi_mat33d outer_product(mrwi_vec3d column, mrwi_vec3d row)
{
    return (mrwi_mat33d){{
        {column.x * row.x, column.x * row.y, column.x * row.z},
        {column.y * row.x, column.y * row.y, column.y * row.z},
        {column.z * row.x, column.z * row.y, column.z * row.z},
    }};
}

/* A matrix that leaves only a line is s * u * transpose(v); its nearest rotations are all
 * those that take v to u. This is one of them: a frame on v goes to a frame on u. */
static mrwi_mat33d rotation_of_line(const mrwi_mat33d *matrix)
{
    int longest = 0;
    double longest2 = 0.0;
    for (int row = 0; row < 3; row++) {
        mrwi_vec3d r = mrwi_mat33d_row(matrix, row);
        double length2 = mrwi_vec3d_dot(r, r);
        if (length2 > longest2) {
            longest = row;
            longest2 = length2;
        }
    }
    if (longest2 == 0.0)
        return (mrwi_mat33d){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

    mrwi_vec3d v =
        mrwi_vec3d_scale(mrwi_mat33d_row(matrix, longest), 1.0 / mrwi_sqrt_double(longest2));
    mrwi_vec3d u = {mrwi_vec3d_dot(mrwi_mat33d_row(matrix, 0), v),
                    mrwi_vec3d_dot(mrwi_mat33d_row(matrix, 1), v),
                    mrwi_vec3d_dot(mrwi_mat33d_row(matrix, 2), v)};
    u = mrwi_vec3d_scale(u, 1.0 / mrwi_sqrt_double(mrwi_vec3d_dot(u, u)));
    mrwi_vec3d v2 = mrwi_vec3d_perpendicular(v), v3 = mrwi_vec3d_cross(v, v2);
    mrwi_vec3d u2 = mrwi_vec3d_perpendicular(u), u3 = mrwi_vec3d_cross(u, u2);
    mrwi_mat33d first = outer_product(u, v);
    mrwi_mat33d second = outer_product(u2, v2);
    mrwi_mat33d third = outer_product(u3, v3);
    mrwi_mat33d sum = combine(&first, 1.0, &second, 1.0);
    return combine(&sum, 1.0, &third, 1.0);
}

/* The proper rotation R of M = R * S. *out_flat: M is singular or nearly so. */
static mrwi_mat33d polar_rotation(const mrwi_mat33d *matrix, bool *out_flat)
{
    mrwi_mat33d cofactors = mrwi_mat33d_cofactors(matrix);
    double determinant = mrwi_mat33d_determinant(matrix, &cofactors);
    double norm = mrwi_mat33d_norm(matrix);
    double cofactor_norm = mrwi_mat33d_norm(&cofactors);
    double magnitude = determinant < 0.0 ? -determinant : determinant;

    *out_flat = magnitude <= FLAT_RATIO * cofactor_norm * norm;
    if (!*out_flat)
        return orthogonal_factor(determinant < 0.0 ? scaled(matrix, -1.0) : *matrix);
    if (cofactor_norm <= LINE_RATIO * norm * norm)
        return rotation_of_line(matrix);
    /* Flattened to a plane. The cofactor matrix is then the missing axis, on the side that makes
     * the whole proper, and adding it turns nothing in the plane. Divided by the norm it has the
     * length of the smaller stretch there; its traces of the other axes, where the matrix is
     * only nearly flat, stay below those then. */
    mrwi_mat33d completed = combine(matrix, 1.0, &cofactors, 1.0 / norm);
    return orthogonal_factor(completed);
}

static bool differs_from_identity(const mrw_mat34 *matrix)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            if (mrwi_abs(matrix->m[row][column] - (row == column ? 1.0f : 0.0f)) >
                MRWI_RIGID_TOLERANCE)
                return true;
    return false;
}

/* The upper half of a symmetric matrix. */
typedef struct symmetric {
    double xx, yy, zz, xy, xz, yz;
} symmetric;

/* transpose(M) * M - 1 */
static symmetric unrigidness(const mrwi_mat33d *matrix)
{
    mrwi_vec3d x = mrwi_mat33d_column(matrix, 0);
    mrwi_vec3d y = mrwi_mat33d_column(matrix, 1);
    mrwi_vec3d z = mrwi_mat33d_column(matrix, 2);
    return (symmetric){mrwi_vec3d_dot(x, x) - 1.0, mrwi_vec3d_dot(y, y) - 1.0,
                       mrwi_vec3d_dot(z, z) - 1.0, mrwi_vec3d_dot(x, y),
                       mrwi_vec3d_dot(x, z),       mrwi_vec3d_dot(y, z)};
}

static bool is_small(double x)
{
    return x <= MRWI_NEAR_RIGID && x >= -MRWI_NEAR_RIGID;
}

static bool is_near_rigid(const symmetric *e)
{
    return is_small(e->xx) && is_small(e->yy) && is_small(e->zz) && is_small(e->xy) &&
           is_small(e->xz) && is_small(e->yz);
}

static symmetric squared(const symmetric *e)
{
    return (symmetric){
        (e->xx * e->xx + e->xy * e->xy) + e->xz * e->xz,
        (e->xy * e->xy + e->yy * e->yy) + e->yz * e->yz,
        (e->xz * e->xz + e->yz * e->yz) + e->zz * e->zz,
        (e->xx * e->xy + e->xy * e->yy) + e->xz * e->yz,
        (e->xx * e->xz + e->xy * e->yz) + e->xz * e->zz,
        (e->xy * e->xz + e->yy * e->yz) + e->yz * e->zz,
    };
}

/* 1 + (a * E + b * E^2) */
static mrwi_mat33d series(const symmetric *e, double a, const symmetric *e2, double b)
{
    double xy = a * e->xy + b * e2->xy, xz = a * e->xz + b * e2->xz, yz = a * e->yz + b * e2->yz;
    return (mrwi_mat33d){{
        {1.0 + (a * e->xx + b * e2->xx), xy, xz},
        {xy, 1.0 + (a * e->yy + b * e2->yy), yz},
        {xz, yz, 1.0 + (a * e->zz + b * e2->zz)},
    }};
}

/* M * (1 + E)^(-1/2), and (1 + E)^(1/2); both for -M where M mirrors. */
static mrwi_mat33d near_rotation(const mrwi_mat33d *matrix, const symmetric *e,
                                 mrwi_mat33d *out_stretch)
{
    mrwi_mat33d cofactors = mrwi_mat33d_cofactors(matrix);
    double sign = mrwi_mat33d_determinant(matrix, &cofactors) < 0.0 ? -1.0 : 1.0;
    symmetric e2 = squared(e);
    mrwi_mat33d inverse_root = series(e, -0.5, &e2, 0.375);
    mrwi_mat33d stretch = series(e, 0.5, &e2, -0.125);
    mrwi_mat33d rotation;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            rotation.m[row][column] = sign * mrwi_vec3d_dot(mrwi_mat33d_row(matrix, row),
                                                            mrwi_mat33d_row(&inverse_root, column));
    *out_stretch = scaled(&stretch, sign);
    return rotation;
}

/* The rotation of M, whatever M is, and the symmetric rest. */
static mrwi_mat33d far_rotation(const mrwi_mat33d *matrix, mrwi_mat33d *out_stretch)
{
    bool flat;
    mrwi_mat33d rotation = polar_rotation(matrix, &flat);
    mrwi_mat33d stretch = transposed_mul(&rotation, matrix);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            /* Symmetric up to rounding, except for a flat matrix, which says nothing about it. */
            double mirrored = flat ? stretch.m[row][column] : stretch.m[column][row];
            out_stretch->m[row][column] = 0.5 * (stretch.m[row][column] + mirrored);
        }
    return rotation;
}

bool mrw_dual_quat_from_mat34(const mrw_mat34 *matrix, mrw_dual_quat *out_dual_quat,
                              mrw_mat34 *out_stretch)
{
    if (!mrwi_mat34_is_finite(matrix)) {
        *out_dual_quat = (mrw_dual_quat){{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
        *out_stretch = mrw_mat34_identity();
        return false;
    }
    mrwi_mat33d linear = mrwi_mat33d_from_mat34(matrix);
    symmetric e = unrigidness(&linear);
    mrwi_mat33d stretch;
    mrwi_mat33d rotation =
        is_near_rigid(&e) ? near_rotation(&linear, &e, &stretch) : far_rotation(&linear, &stretch);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out_stretch->m[row][column] = (float)stretch.m[row][column];
        out_stretch->m[row][3] = 0.0f;
    }
    mrw_quat real = mrwi_quat_from_rotation(&rotation);
    mrw_quat translation = {0.5f * matrix->m[0][3], 0.5f * matrix->m[1][3], 0.5f * matrix->m[2][3],
                            0.0f};
    out_dual_quat->real = real;
    out_dual_quat->dual = mrwi_quat_mul(translation, real);
    return differs_from_identity(out_stretch);
}

mrw_mat34 mrw_mat34_from_dual_quat(const mrw_dual_quat *dual_quat)
{
    mrw_quat half = mrwi_quat_mul(dual_quat->dual, mrwi_quat_conjugate(dual_quat->real));
    mrw_transform rigid = {
        {half.x + half.x, half.y + half.y, half.z + half.z}, dual_quat->real, {1.0f, 1.0f, 1.0f}};
    return mrwi_mat34_from_transform(&rigid);
}
