/* Down the hierarchy, in two steps for each block of the pose:
 *
 *     ten streams of eight joints ─▶ twelve streams, the elements of T * R * S ─▶ eight local
 * matrices parent's rows * local rows ─▶ model matrix, one joint after the other
 *
 * The first is as wide as the machine. The second waits for the parent, about 25 cycles a
 * generation, but siblings and cousins do not wait for each other: breadth-first order puts them
 * side by side, and the processor overlaps them, and the next block's first step, by itself. Eight
 * joints at once in lanes were no faster in a real hierarchy, because half of the blocks hold a
 * child of their own joints. */
#include <marrow/model.h>

#include "model/matrix_rows.inl"
#include "model/model_input.h"
#include "model/model_lanes.inl"
#include "pose/pose_block.h"

/* Local matrices by halves: rows[row][joint % 4][joint / 4 * 4 + column]. */
typedef struct model_locals {
    _Alignas(32) float rows[3][4][MRW_POSE_LANES];
} model_locals;

enum { MODEL_ROW_STRIDE = 4 * MRW_POSE_LANES };

/* mrwi_mat34_from_transform of eight joints. */
#ifdef MRWI_SIMD_SCALAR
static __attribute__((noinline)) void model_local_rows(const mrw_pose_block *block,
                                                       model_locals *out)
{
    MRWI_KEEP_LOOP
    for (int lane = 0; lane < MRW_POSE_LANES; lane++) {
        f1 translation[3], rotation[4], scale[3], rows[3][4];
        for (int i = 0; i < 3; i++) {
            translation[i] = f1_load(&block->translation[i][lane]);
            scale[i] = f1_load(&block->scale[i][lane]);
        }
        for (int i = 0; i < 4; i++)
            rotation[i] = f1_load(&block->rotation[i][lane]);
        model_lane_matrix(translation, rotation, scale, rows);
        float *to = &out->rows[0][lane % 4][lane / 4 * 4];
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                f1_store(to + row * MODEL_ROW_STRIDE + column, rows[row][column]);
    }
}
#else
MRWI_INLINE void model_local_rows(const mrw_pose_block *block, model_locals *out)
{
    f8 translation[3], rotation[4], scale[3], rows[3][4];
    for (int i = 0; i < 3; i++) {
        translation[i] = f8_load(block->translation[i]);
        scale[i] = f8_load(block->scale[i]);
    }
    for (int i = 0; i < 4; i++)
        rotation[i] = f8_load(block->rotation[i]);
    model_local_matrix(translation, rotation, scale, rows);
    for (int row = 0; row < 3; row++) {
        f8 *r = rows[row];
        f8_transpose_halves(&r[0], &r[1], &r[2], &r[3]);
        for (int i = 0; i < 4; i++)
            f8_store(out->rows[row][i], r[i]);
    }
}
#endif

/* A joint without a parent; out of line, since there is hardly more than one of them. */
static __attribute__((noinline)) void model_root(const float *root, const float *local,
                                                 float *model)
{
    if (root != NULL) {
        matrix_rows_mul(root, local, MODEL_ROW_STRIDE, model);
        return;
    }
    for (int row = 0; row < 3; row++)
        f4_store(model + 4 * row, f4_load(local + row * MODEL_ROW_STRIDE));
}

MRWI_INLINE void model_joint(const mrwi_model_input *input, const model_locals *locals,
                             uint32_t joint, mrw_mat34 *out_model)
{
    const float *local = &locals->rows[0][joint % 4][joint % MRW_POSE_LANES / 4 * 4];
    int32_t parent = input->parents[joint];
    float *model = out_model[joint].m[0];
    if (parent >= 0)
        matrix_rows_mul(out_model[parent].m[0], local, MODEL_ROW_STRIDE, model);
    else
        model_root((const float *)input->root, local, model);
}

/* Bits of the block's joints that are asked for. */
MRWI_INLINE uint32_t model_wanted(const mrwi_model_input *input, uint32_t block)
{
    uint32_t wanted = input->members != NULL ? input->members[block] : 0xff;
    uint32_t first = block * MRW_POSE_LANES;
    if (first < input->first_joint)
        wanted &= 0xffu << (input->first_joint - first);
    if (first + MRW_POSE_LANES > input->end_joint)
        wanted &= 0xffu >> (first + MRW_POSE_LANES - input->end_joint);
    return wanted;
}

static void model_joints(const mrwi_model_input *input, mrw_mat34 *out_model)
{
    /* A copy, for which the compiler need not fear that writing a matrix changes it. */
    const mrwi_model_input in = *input;
    model_locals locals;
    uint32_t end_block = mrwi_block_count(in.end_joint);
    for (uint32_t block = in.first_joint / MRW_POSE_LANES; block < end_block; block++) {
        uint32_t wanted = model_wanted(&in, block);
        if (wanted == 0)
            continue;
        model_local_rows(&in.blocks[block], &locals);
        uint32_t first = block * MRW_POSE_LANES;
        if (wanted == 0xff) {
            /* Written out: the places of the rows are constants then. */
            model_joint(&in, &locals, first, out_model);
            model_joint(&in, &locals, first + 1, out_model);
            model_joint(&in, &locals, first + 2, out_model);
            model_joint(&in, &locals, first + 3, out_model);
            model_joint(&in, &locals, first + 4, out_model);
            model_joint(&in, &locals, first + 5, out_model);
            model_joint(&in, &locals, first + 6, out_model);
            model_joint(&in, &locals, first + 7, out_model);
            continue;
        }
        for (uint32_t lane = 0; lane < MRW_POSE_LANES; lane++)
            if ((wanted >> lane & 1) != 0)
                model_joint(&in, &locals, first + lane, out_model);
    }
}
