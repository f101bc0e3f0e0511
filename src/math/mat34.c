#include <marrow/math.h>

#include "math/mat33d.h"
#include "math/math_inline.h"

mrw_transform mrw_transform_identity(void)
{
    return (mrw_transform){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
}

mrw_mat34 mrw_mat34_identity(void)
{
    return (mrw_mat34){
        {{1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}};
}

mrw_mat34 mrw_mat34_from_transform(const mrw_transform *transform)
{
    return mrwi_mat34_from_transform(transform);
}

mrw_mat34 mrw_mat34_mul(const mrw_mat34 *a, const mrw_mat34 *b)
{
    return mrwi_mat34_mul(a, b);
}

/* In double: the determinant of a character in another unit (0.01, or 1e-15) does not vanish,
 * and a bind matrix inverted here and multiplied by its origin gives the identity to the last
 * digits of a float. */
bool mrw_mat34_inverse(const mrw_mat34 *matrix, mrw_mat34 *out_inverse)
{
    mrwi_mat33d linear = mrwi_mat33d_from_mat34(matrix);
    mrwi_mat33d cofactors = mrwi_mat33d_cofactors(&linear);
    double determinant = mrwi_mat33d_determinant(&linear, &cofactors);
    mrwi_vec3d t = {(double)matrix->m[0][3], (double)matrix->m[1][3], (double)matrix->m[2][3]};

    mrw_mat34 inverse = mrw_mat34_identity();
    bool invertible = mrwi_mat34_is_finite(matrix) && determinant != 0.0;
    if (invertible) {
        for (int row = 0; row < 3; row++) {
            mrwi_vec3d r = mrwi_vec3d_scale(mrwi_mat33d_column(&cofactors, row), 1.0 / determinant);
            inverse.m[row][0] = (float)r.x;
            inverse.m[row][1] = (float)r.y;
            inverse.m[row][2] = (float)r.z;
            inverse.m[row][3] = (float)-mrwi_vec3d_dot(r, t);
        }
        invertible = mrwi_mat34_is_finite(&inverse);
    }
    *out_inverse = invertible ? inverse : mrw_mat34_identity();
    return invertible;
}

mrw_vec3 mrw_mat34_transform_point(const mrw_mat34 *matrix, mrw_vec3 point)
{
    return mrwi_mat34_transform_point(matrix, point);
}

mrw_vec3 mrw_mat34_transform_vector(const mrw_mat34 *matrix, mrw_vec3 vector)
{
    return mrwi_mat34_transform_vector(matrix, vector);
}

float mrw_mat34_determinant(const mrw_mat34 *matrix)
{
    return mrwi_mat34_determinant(matrix);
}

void mrw_mat34_to_column_major(const mrw_mat34 *matrix, float out_elements[16])
{
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            out_elements[column * 4 + row] = matrix->m[row][column];
        out_elements[column * 4 + 3] = column == 3 ? 1.0f : 0.0f;
    }
}

mrw_mat34 mrw_mat34_from_column_major(const float elements[16])
{
    mrw_mat34 matrix;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            matrix.m[row][column] = elements[column * 4 + row];
    return matrix;
}
