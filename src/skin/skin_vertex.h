/* One vertex on its way through skinning, and the two ways through. */
#ifndef MRWI_SKIN_VERTEX_H
#define MRWI_SKIN_VERTEX_H

#include "skin/skin_influences.h"

/* What the job has no stream for is 0. */
typedef struct mrwi_vertex {
    mrw_vec3 position;
    mrw_vec3 normal;
    mrw_vec3 tangent;
    float handedness; /* of the tangent: 1 or -1 */
} mrwi_vertex;

/* Sum of weight * matrix in the order of the influences; those without a weight are not read. */
mrw_mat34 mrwi_blend_matrices(const mrw_mat34 *matrices, const mrwi_influences *influences);

/* Moves the vertex by an affine matrix: the position as a point, the tangent as a vector, the
 * normal as the job's normal_mode says. Lengths are left as they come. */
void mrwi_vertex_transform(const mrw_skin_job *job, const mrw_mat34 *matrix, mrwi_vertex *vertex);

/* Normal and tangent to unit length, or zero. */
void mrwi_vertex_normalize(mrwi_vertex *vertex);

/* Linear and dual quaternion skinning of a vertex that has a weight. */
void mrwi_skin_linear(const mrw_skin_job *job, const mrwi_influences *influences,
                      mrwi_vertex *vertex);
void mrwi_skin_dual_quat(const mrw_skin_job *job, const mrwi_influences *influences,
                         mrwi_vertex *vertex);

/* The vertices [first, end) of a checked job, one after the other: what the kernels must repeat to
 * the last bit, and what they leave to it (the end of a job, and odd vertices). */
void mrwi_skin_range(const mrw_skin_job *job, uint32_t first, uint32_t end);

#endif
