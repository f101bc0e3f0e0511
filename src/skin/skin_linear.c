/* Linear blend skinning: the weighted mean of the joints' matrices, then one matrix times the
 * vertex. The mean of the moved vertices would be the same and cost a product for each influence.
 *
 * The normal of a surface does not follow M but its inverse transpose: it must stay at right
 * angles to every vector in the surface, and those follow M. The inverse transpose is the cofactor
 * matrix divided by the determinant. As only the direction counts, the division is left out but
 * for its sign: then a mirror does not turn normals inside, and a matrix that flattens the
 * surface to a plane still gives that plane's normal instead of a division by zero.
 */
#include "math/math_inline.h"
#include "skin/skin_vertex.h"

mrw_mat34 mrwi_blend_matrices(const mrw_mat34 *matrices, const mrwi_influences *influences)
{
    mrw_mat34 sum = {{{0.0f}}};
    for (uint32_t i = 0; i < influences->count; i++) {
        float weight = mrwi_influence_weight(influences, i);
        if (weight == 0.0f)
            continue;
        const mrw_mat34 *matrix = &matrices[mrwi_influence_joint(influences, i)];
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                sum.m[row][column] += weight * matrix->m[row][column];
    }
    return sum;
}

/* The cofactor matrix times the normal. */
static mrw_vec3 transform_normal(const mrw_mat34 *matrix, mrw_vec3 normal, float determinant)
{
    mrw_vec3 turned = {mrwi_vec3_dot(mrwi_mat34_cofactor_row(matrix, 0), normal),
                       mrwi_vec3_dot(mrwi_mat34_cofactor_row(matrix, 1), normal),
                       mrwi_vec3_dot(mrwi_mat34_cofactor_row(matrix, 2), normal)};
    return mrwi_vec3_scale(turned, determinant < 0.0f ? -1.0f : 1.0f);
}

/* A kernel may add influences without a weight, and begin a sum with its first summand instead of
 * 0. Both change the sign of zeros in the blended matrix and nothing else, so here signs of zeros
 * end. */
static mrw_vec3 positive_zeros(mrw_vec3 v)
{
    return (mrw_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
}

void mrwi_vertex_transform(const mrw_skin_job *job, const mrw_mat34 *matrix, mrwi_vertex *vertex)
{
    vertex->position = positive_zeros(mrwi_mat34_transform_point(matrix, vertex->position));
    if (job->normals.data == NULL && job->tangents.data == NULL)
        return;
    float determinant = mrwi_mat34_determinant(matrix);
    if (job->normal_mode == MRW_NORMAL_INVERSE_TRANSPOSE)
        vertex->normal = transform_normal(matrix, vertex->normal, determinant);
    else
        vertex->normal = mrwi_mat34_transform_vector(matrix, vertex->normal);
    vertex->normal = positive_zeros(vertex->normal);
    vertex->tangent = positive_zeros(mrwi_mat34_transform_vector(matrix, vertex->tangent));
    if (determinant < 0.0f)
        vertex->handedness = -vertex->handedness;
}

void mrwi_vertex_normalize(mrwi_vertex *vertex)
{
    vertex->normal = mrwi_vec3_normalize(vertex->normal);
    vertex->tangent = mrwi_vec3_normalize(vertex->tangent);
}

void mrwi_skin_linear(const mrw_skin_job *job, const mrwi_influences *influences,
                      mrwi_vertex *vertex)
{
    mrw_mat34 matrix = mrwi_blend_matrices(job->palette, influences);
    mrwi_vertex_transform(job, &matrix, vertex);
    mrwi_vertex_normalize(vertex);
}
