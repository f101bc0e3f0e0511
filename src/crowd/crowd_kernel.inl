/* Eight characters at a time, one in each lane.
 *
 *     poses of eight characters ─▶ joints of eight ─▶ blend, local, model ─▶ palette ─▶ rows of
 * each turned                                  joint after joint                 turned back
 *
 * Every lane goes through the operations of the kernels for one character in their order, so it has
 * their bits. A joint waits for its
 * parent here too, but eight times as much is done meanwhile. */
#include "blend/blend_lanes.inl"
#include "crowd/crowd_lanes.h"
#include "model/model_lanes.inl"
#include "pose/pose_block.h"
#include "simd/simd.h"

enum { CROWD_STREAMS = sizeof(mrwi_crowd_joint) / (MRWI_CROWD_LANES * sizeof(float)) };

typedef struct crowd_joint {
    f8 translation[3];
    f8 rotation[4];
    f8 scale[3];
} crowd_joint;

MRWI_INLINE crowd_joint crowd_load(const mrwi_crowd_joint *from)
{
    crowd_joint joint;
    for (int i = 0; i < 3; i++) {
        joint.translation[i] = f8_load(from->translation[i]);
        joint.scale[i] = f8_load(from->scale[i]);
    }
    for (int i = 0; i < 4; i++)
        joint.rotation[i] = f8_load(from->rotation[i]);
    return joint;
}

/* --- blending ---------------------------------------------------------------------------- */

/* The mean of a joint's poses, which stand pose_step joints apart: blend/blend_lanes.inl. */
MRWI_INLINE crowd_joint crowd_mean(const mrwi_crowd_joint *poses, size_t pose_step,
                                   const float (*shares)[MRWI_CROWD_LANES], uint32_t pose_count)
{
    const crowd_joint first = crowd_load(poses);
    if (pose_count == 1)
        return first;
    crowd_joint sum;
    f8 share = f8_load(shares[0]);
    for (int i = 0; i < 3; i++) {
        sum.translation[i] = f8_mul(first.translation[i], share);
        sum.scale[i] = f8_mul(first.scale[i], share);
    }
    for (int i = 0; i < 4; i++)
        sum.rotation[i] = f8_mul(first.rotation[i], share);
    for (uint32_t p = 1; p < pose_count; p++) {
        const crowd_joint joint = crowd_load(&poses[p * pose_step]);
        share = f8_load(shares[p]);
        blend_add_rotation(sum.rotation, first.rotation, joint.rotation, share);
        for (int i = 0; i < 3; i++) {
            sum.translation[i] = blend_add_vector(sum.translation[i], joint.translation[i], share);
            sum.scale[i] = blend_add_vector(sum.scale[i], joint.scale[i], share);
        }
    }
    blend_normalize(sum.rotation);
    return sum;
}

/* --- down the hierarchy ------------------------------------------------------------------ */

/* One row of a * b; see model/matrix_rows.inl. */
MRWI_INLINE void crowd_row(const float a[4][MRWI_CROWD_LANES], const f8 b[3][4], f8 row[4])
{
    f8 a0 = f8_load(a[0]), a1 = f8_load(a[1]), a2 = f8_load(a[2]);
    for (int i = 0; i < 4; i++)
        row[i] = f8_add(f8_add(f8_mul(a0, b[0][i]), f8_mul(a1, b[1][i])), f8_mul(a2, b[2][i]));
    row[3] = f8_add(row[3], f8_load(a[3]));
}

MRWI_INLINE void crowd_multiply(const mrwi_crowd_matrix *a, const f8 b[3][4],
                                mrwi_crowd_matrix *out)
{
    for (int r = 0; r < 3; r++) {
        f8 row[4];
        crowd_row(a->m[r], b, row);
        for (int i = 0; i < 4; i++)
            f8_store(out->m[r][i], row[i]);
    }
}

MRWI_INLINE void crowd_place_joint(const mrwi_crowd_model_input *in, uint32_t joint,
                                   uint32_t pose_count, const mrwi_crowd_matrix *root)
{
    crowd_joint mean = crowd_mean(&in->poses[joint], in->joint_count, in->shares, pose_count);
    f8 local[3][4];
    model_local_matrix(mean.translation, mean.rotation, mean.scale, local);
    mrwi_crowd_matrix *model = &in->out_models[joint];
    int32_t parent = in->parents[joint];
    const mrwi_crowd_matrix *above = parent >= 0 ? &in->out_models[parent] : root;
    if (above != NULL) {
        crowd_multiply(above, local, model);
        return;
    }
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < 4; i++)
            f8_store(model->m[r][i], local[r][i]);
}

/* Eight matrices into lanes. */
MRWI_INLINE void crowd_gather(const mrw_mat34 *const from[MRWI_CROWD_LANES], mrwi_crowd_matrix *to)
{
    for (int r = 0; r < 3; r++) {
        f4 rows[MRWI_CROWD_LANES];
        f8 columns[4];
        for (int lane = 0; lane < MRWI_CROWD_LANES; lane++)
            rows[lane] = f4_load(from[lane]->m[r]);
        f8_transpose4(rows, columns);
        for (int i = 0; i < 4; i++)
            f8_store(to->m[r][i], columns[i]);
    }
}

/* A loop each for the commonest numbers of poses, which then need no loop over poses. */
static void crowd_models(const mrwi_crowd_model_input *in)
{
    mrwi_crowd_matrix roots;
    const mrwi_crowd_matrix *root = NULL;
    if (in->roots[0] != NULL) {
        crowd_gather(in->roots, &roots);
        root = &roots;
    }
    const uint32_t joint_count = in->joint_count;
    if (in->pose_count == 1)
        for (uint32_t joint = 0; joint < joint_count; joint++)
            crowd_place_joint(in, joint, 1, root);
    else if (in->pose_count == 2)
        for (uint32_t joint = 0; joint < joint_count; joint++)
            crowd_place_joint(in, joint, 2, root);
    else
        for (uint32_t joint = 0; joint < joint_count; joint++)
            crowd_place_joint(in, joint, in->pose_count, root);
}

/* --- to and from each character ---------------------------------------------------------- */

/* Blocks of eight joints of each character to joints of eight characters. */
static void crowd_turn(const mrw_pose_block *const blocks[MRWI_CROWD_LANES], uint32_t joint_count,
                       mrwi_crowd_joint *out_joints)
{
    for (uint32_t first = 0; first < joint_count; first += MRW_POSE_LANES) {
        uint32_t count =
            joint_count - first < MRW_POSE_LANES ? joint_count - first : MRW_POSE_LANES;
        for (uint32_t stream = 0; stream < CROWD_STREAMS; stream++) {
            f8 rows[MRWI_CROWD_LANES];
            for (int lane = 0; lane < MRWI_CROWD_LANES; lane++)
                rows[lane] = f8_load((const float *)(const void *)&blocks[lane][first / 8] +
                                     (size_t)stream * MRW_POSE_LANES);
            f8_transpose(rows);
            for (uint32_t i = 0; i < count; i++)
                f8_store((float *)(void *)&out_joints[first + i] +
                             (size_t)stream * MRWI_CROWD_LANES,
                         rows[i]);
        }
    }
}

MRWI_INLINE void crowd_scatter_row(const f8 row[4], mrw_mat34 *const out[MRWI_CROWD_LANES],
                                   uint32_t index, int r)
{
    f4 rows[MRWI_CROWD_LANES];
    f8_untranspose4(row, rows);
    for (int lane = 0; lane < MRWI_CROWD_LANES; lane++)
        f4_store(out[lane][index].m[r], rows[lane]);
}

static void crowd_palette(const mrwi_crowd_palette_input *in)
{
    for (uint32_t i = 0; i < in->count; i++) {
        const mrwi_crowd_matrix *model = &in->models[in->joints != NULL ? in->joints[i] : i];
        f8 row[4];
        if (in->inverse_binds == NULL) {
            for (int r = 0; r < 3; r++) {
                for (int k = 0; k < 4; k++)
                    row[k] = f8_load(model->m[r][k]);
                crowd_scatter_row(row, in->out_matrices, i, r);
            }
            continue;
        }
        f8 bind[3][4];
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 4; k++)
                bind[r][k] = f8_splat(in->inverse_binds[i].m[r][k]);
        for (int r = 0; r < 3; r++) {
            crowd_row(model->m[r], bind, row);
            crowd_scatter_row(row, in->out_matrices, i, r);
        }
    }
}
