/* Dual quaternion skinning.
 *
 * The mean of two rotation matrices is no rotation: half and half of 0 and 170 degrees about the
 * bone shrinks the cross-section to cos 85 degrees of its size, the "candy wrapper". The
 * normalised mean of two unit dual quaternions is a rigid motion again, so the limb keeps its
 * girth (Kavan, Collins, Zara, O'Sullivan: Geometric Skinning with Approximate Dual Quaternion
 * Blending, 2008).
 *
 *       bind            linear, 170 deg        dual quaternions, 170 deg
 *     _________          _____  _____             _________
 *                             \/
 *     ---------          -----><-----             ---------
 *     _________          _____/\_____             _________
 *
 * Scale does not fit into a rigid motion. It comes first, as in the paper's two-phase skinning:
 * each palette matrix is R * S, the stretches S are blended linearly and applied to the vertex at
 * rest, then the blended rigid motion carries it.
 *
 * q and -q are one rotation but opposite summands. Each quaternion is taken on the hemisphere
 * of the heaviest influence's, the first of them where weights are equal. With that one as the
 * pivot no summand can cancel it, however many influences there are.
 */
#include "math/math_inline.h"
#include "skin/skin_vertex.h"

static uint32_t heaviest_influence(const mrwi_influences *influences)
{
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < influences->count; i++)
        if (mrwi_influence_weight(influences, i) > mrwi_influence_weight(influences, heaviest))
            heaviest = i;
    return heaviest;
}

static void add_scaled(mrw_quat *sum, mrw_quat q, float factor)
{
    sum->x += factor * q.x;
    sum->y += factor * q.y;
    sum->z += factor * q.z;
    sum->w += factor * q.w;
}

/* The sum, in the order of the influences, not yet normalised. */
static mrw_dual_quat blend_dual_quats(const mrw_dual_quat *dual_quats,
                                      const mrwi_influences *influences)
{
    mrw_dual_quat sum = {{0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
    uint32_t heaviest = heaviest_influence(influences);
    mrw_quat pivot = dual_quats[mrwi_influence_joint(influences, heaviest)].real;
    for (uint32_t i = 0; i < influences->count; i++) {
        float weight = mrwi_influence_weight(influences, i);
        if (weight == 0.0f)
            continue;
        const mrw_dual_quat *dual_quat = &dual_quats[mrwi_influence_joint(influences, i)];
        float signed_weight = mrwi_quat_dot(dual_quat->real, pivot) < 0.0f ? -weight : weight;
        add_scaled(&sum.real, dual_quat->real, signed_weight);
        add_scaled(&sum.dual, dual_quat->dual, signed_weight);
    }
    return sum;
}

/* The vector part of 2 * dual * conjugate(real). The scalar part of the product, which is not zero
 * after blending, has no meaning as a motion and is dropped. */
static mrw_vec3 translation_of(const mrw_dual_quat *dual_quat)
{
    mrw_vec3 r = {dual_quat->real.x, dual_quat->real.y, dual_quat->real.z};
    mrw_vec3 d = {dual_quat->dual.x, dual_quat->dual.y, dual_quat->dual.z};
    mrw_vec3 straight =
        mrwi_vec3_sub(mrwi_vec3_scale(d, dual_quat->real.w), mrwi_vec3_scale(r, dual_quat->dual.w));
    return mrwi_vec3_scale(mrwi_vec3_add(straight, mrwi_vec3_cross(r, d)), 2.0f);
}

static void move_rigidly(const mrw_dual_quat *sum, mrwi_vertex *vertex)
{
    float length2 = mrwi_quat_dot(sum->real, sum->real);
    if (!(length2 > 0.0f))
        return;
    float inverse = 1.0f / mrwi_sqrt(length2);
    mrw_dual_quat unit = {{0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};
    add_scaled(&unit.real, sum->real, inverse);
    add_scaled(&unit.dual, sum->dual, inverse);
    vertex->position =
        mrwi_vec3_add(mrwi_quat_rotate(unit.real, vertex->position), translation_of(&unit));
    vertex->normal = mrwi_quat_rotate(unit.real, vertex->normal);
    vertex->tangent = mrwi_quat_rotate(unit.real, vertex->tangent);
}

void mrwi_skin_dual_quat(const mrw_skin_job *job, const mrwi_influences *influences,
                         mrwi_vertex *vertex)
{
    if (job->stretches != NULL) {
        mrw_mat34 stretch = mrwi_blend_matrices(job->stretches, influences);
        mrwi_vertex_transform(job, &stretch, vertex);
    }
    mrw_dual_quat sum = blend_dual_quats(job->dual_quats, influences);
    move_rigidly(&sum, vertex);
    mrwi_vertex_normalize(vertex);
}
