/* Eight characters at a time, one in each lane.
 *
 *     poses of eight ─▶ joints of eight ─▶ blend, local, model ─▶ palette ─▶ rows of each
 *                turned                     joint after joint          turned back
 *
 * Every lane goes through the operations of the kernels for one character in their order, so it has
 * their bits. A joint waits for its parent here too, but eight times as much is done meanwhile. */
#include "blend/blend_lanes.inl"
#include "crowd/crowd_lanes.h"
#include "model/model_lanes.inl"
#include "pose/pose_block.h"
#include "sample/sample_lanes.inl"
#include "sample/slerp_turns.inl"
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

/* The most poses for which joints have a loop of their own, without a loop over poses in it. In
 * WebAssembly it is no faster. */
#ifdef __wasm__
enum { CROWD_OWN_LOOP = 0 };
#else
enum { CROWD_OWN_LOOP = 2 };
#endif

static void crowd_models(const mrwi_crowd_model_input *in)
{
    mrwi_crowd_matrix roots;
    const mrwi_crowd_matrix *root = NULL;
    if (in->roots[0] != NULL) {
        crowd_gather(in->roots, &roots);
        root = &roots;
    }
    const uint32_t joint_count = in->joint_count;
    if (CROWD_OWN_LOOP >= 1 && in->pose_count == 1)
        for (uint32_t joint = 0; joint < joint_count; joint++)
            crowd_place_joint(in, joint, 1, root);
    else if (CROWD_OWN_LOOP >= 2 && in->pose_count == 2)
        for (uint32_t joint = 0; joint < joint_count; joint++)
            crowd_place_joint(in, joint, 2, root);
    else
        for (uint32_t joint = 0; joint < joint_count; joint++)
            crowd_place_joint(in, joint, in->pose_count, root);
}

/* --- sampling ---------------------------------------------------------------------------- */

/* Where the first number of a track belongs, of all characters. place: see mrw_clip_group. */
MRWI_INLINE float *crowd_place(const mrwi_crowd_sample_input *in, mrw_track_kind kind,
                               uint32_t place)
{
    if (kind == MRW_TRACK_SCALAR)
        return in->scalars[place];
    const uint32_t block_floats = sizeof(mrw_pose_block) / sizeof(float);
    uint32_t joint = place / block_floats * MRW_POSE_LANES + place % MRW_POSE_LANES;
    uint32_t stream = place % block_floats / MRW_POSE_LANES;
    return (float *)(void *)&in->joints[joint] + (size_t)stream * MRWI_CROWD_LANES;
}

/* Where the characters' times lie among keys. */
typedef struct crowd_times {
    uint32_t times_offset, key_count;                        /* that it is for; key_count 0: none */
    uint32_t keys[MRWI_CROWD_LANES], next[MRWI_CROWD_LANES]; /* the keys on both sides */
    slerp_fractions turns;
} crowd_times;

/* mrwi_find_key for all lanes: what it divides is divided side by side. */
MRWI_PART void crowd_times_set(const mrwi_crowd_sample_input *in, uint32_t times_offset,
                               uint32_t key_count, crowd_times *at)
{
    if (at->key_count == key_count && at->times_offset == times_offset)
        return;
    at->times_offset = times_offset;
    at->key_count = key_count;
    const float *times = in->clip->times + times_offset;
    float guesses[MRWI_CROWD_LANES] = {0}, from_s[MRWI_CROWD_LANES], intervals_s[MRWI_CROWD_LANES];
    const f8 time_s = f8_load(in->times_s);
    if (key_count > 1) {
        f8 first_s = f8_splat(times[0]), last_s = f8_splat(times[key_count - 1]);
        f8 along = f8_div(f8_sub(time_s, first_s), f8_sub(last_s, first_s));
        f8_store(guesses, f8_mul(along, f8_splat((float)(key_count - 1))));
    }
    for (int lane = 0; lane < MRWI_CROWD_LANES; lane++) {
        mrwi_key_position position =
            mrwi_find_key_by(times, key_count, in->times_s[lane], guesses[lane]);
        at->keys[lane] = position.key;
        at->next[lane] = position.exact ? position.key : position.key + 1;
        from_s[lane] = position.exact ? in->times_s[lane] : times[position.key];
        intervals_s[lane] = position.exact ? 1.0f : position.interval_s;
    }
    slerp_fractions_set(&at->turns, f8_div(f8_sub(time_s, f8_load(from_s)), f8_load(intervals_s)));
}

/* Each character's eight tracks become each track's eight characters. */
MRWI_ONCE void crowd_put_group(const mrwi_crowd_sample_input *in, const mrw_clip_group *group,
                               uint32_t width, const slerp_turned rows)
{
    float *places[MRW_CLIP_LANES];
    for (uint32_t track = 0; track < group->track_count; track++)
        places[track] = crowd_place(in, (mrw_track_kind)group->kind, group->places[track]);
    for (uint32_t i = 0; i < width; i++) {
        f8 turned[8];
        for (int lane = 0; lane < MRWI_CROWD_LANES; lane++)
            turned[lane] = f8_load(rows[lane][i]);
        f8_transpose(turned);
        for (uint32_t track = 0; track < group->track_count; track++)
            f8_store(places[track] + i * MRWI_CROWD_LANES, turned[track]);
    }
}

MRWI_INLINE void crowd_turn_group(const mrwi_crowd_sample_input *in, const mrw_clip_group *group,
                                  const crowd_times *at)
{
    const float *values = in->clip->values + group->values_offset;
    slerp_turn turns[MRWI_CROWD_LANES];
    slerp_turned rows;
    const size_t key_floats = (size_t)4 * MRW_CLIP_LANES;
    for (uint32_t lane = 0; lane < MRWI_CROWD_LANES; lane++)
        turns[lane] = (slerp_turn){values + at->keys[lane] * key_floats,
                                   values + at->next[lane] * key_floats, lane};
    slerp_turns(&at->turns, turns, MRWI_CROWD_LANES, rows);
    crowd_put_group(in, group, 4, (const float(*)[4][8])rows);
}

/* `width` is a constant for the compiler. */
MRWI_INLINE void crowd_mix_group(const mrwi_crowd_sample_input *in, const mrw_clip_group *group,
                                 const crowd_times *at, uint32_t width)
{
    const float *values = in->clip->values + group->values_offset;
    slerp_turned rows;
    for (int lane = 0; lane < MRWI_CROWD_LANES; lane++) {
        f8 out[4];
        sample_vectors(values, at->keys[lane], at->next[lane], at->turns.fractions[lane], width,
                       out);
        for (uint32_t i = 0; i < width; i++)
            f8_store(rows[lane][i], out[i]);
    }
    crowd_put_group(in, group, width, (const float(*)[4][8])rows);
}

MRWI_INLINE void crowd_sample_groups(const mrwi_crowd_sample_input *in, crowd_times *at)
{
    const mrw_clip *clip = in->clip;
    for (uint32_t g = 0; g < clip->group_count; g++) {
        const mrw_clip_group *group = &clip->groups[g];
        crowd_times_set(in, group->times_offset, group->key_count, at);
        if (group->kind == MRW_TRACK_ROTATION)
            crowd_turn_group(in, group, at);
        else if (group->kind == MRW_TRACK_SCALAR)
            crowd_mix_group(in, group, at, 1);
        else
            crowd_mix_group(in, group, at, 3);
    }
}

MRWI_INLINE f4 crowd_load_value(const float *value, uint32_t width)
{
    return width == 4 ? f4_load(value) : f4_set(value[0], value[1], value[2], 0.0f);
}

/* A track outside of groups: characters stand in the lanes from the start. */
static __attribute__((noinline, unused)) void crowd_sample_moving(const mrwi_crowd_sample_input *in,
                                                                  const mrw_clip_moving *moving,
                                                                  crowd_times *at)
{
    const mrw_clip *clip = in->clip;
    const mrw_track *track = &clip->tracks[moving->track];
    const uint32_t width = track->kind == MRW_TRACK_ROTATION ? 4 : 3;
    crowd_times_set(in, track->times_offset, track->key_count, at);
    f4 before[MRWI_CROWD_LANES], after[MRWI_CROWD_LANES];
    const float *values = clip->values + moving->values_offset;
    MRWI_ONCE_LOOP
    for (int lane = 0; lane < MRWI_CROWD_LANES; lane++) {
        before[lane] = crowd_load_value(values + (size_t)at->keys[lane] * width, width);
        after[lane] = crowd_load_value(values + (size_t)at->next[lane] * width, width);
    }
    f8 fractions = f8_load(at->turns.fractions);
    f8 from[4], to[4], out[4];
    f8_transpose4(before, from);
    f8_transpose4(after, to);
    if (width == 4)
        slerp_alone(fractions, from, to, out);
    else
        sample_lerp(fractions, from, to, 3, out);
    float *place = crowd_place(in, (mrw_track_kind)track->kind, moving->place);
    for (uint32_t i = 0; i < width; i++)
        f8_store(place + i * MRWI_CROWD_LANES, out[i]);
}

static void crowd_sample(const mrwi_crowd_sample_input *in)
{
    crowd_times at;
    at.times_offset = at.key_count = 0;
    crowd_sample_groups(in, &at);
    for (uint32_t i = 0; i < in->clip->moving_count; i++)
        crowd_sample_moving(in, &in->clip->moving[i], &at);
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
