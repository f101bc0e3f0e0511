/* Mirrored poses.
 *
 * Let S be the reflection across the plane, and F(j) the axes of joint j in the rest pose, in the
 * scene, with a minus for each axis whose scale is negative. The mirror image of the movement
 * that joint j' makes is, for its partner j with the parent p (and p' that of j'),
 *
 *     local(j) = F(p)^-1 S F(p') local(j') F(j')^-1 S F(j) = G(p) local(j') G(j)^-1
 *     G(j)     = F(j)^-1 S F(j')
 *
 * G says how the axes of the two joints differ, in whatever way the rig's author laid them: it does
 * not depend on the pose, so a joint needs nothing of its ancestors but G(p). It is a rotation or
 * minus a rotation, since S is minus the half turn about the plane's normal; the minus signs on
 * both sides of a rotation cancel, and that of G(p) stays before translations. Of the rest pose, G
 * makes the rest pose; translations are taken from there too.
 */
#include <marrow/blend.h>

#include "base/error.h"
#include "base/finite.h"
#include "math/math_inline.h"
#include "pose/pose_block.h"

#include <float.h>
#include <string.h>

/* An orthogonal matrix: sign * rotation. */
typedef struct axes {
    mrw_quat rotation;
    float sign;
} axes;

static axes multiply(axes a, axes b)
{
    mrw_quat product = mrwi_quat_normalize(mrwi_quat_mul(a.rotation, b.rotation));
    return (axes){product, a.sign * b.sign};
}

static axes inverse(axes a)
{
    return (axes){mrwi_quat_conjugate(a.rotation), a.sign};
}

/* The diagonal matrix of the signs of a scale: two of one sign and one of another are a half turn.
 */
static axes signs_of(mrw_vec3 scale)
{
    bool x = scale.x < 0.0f, y = scale.y < 0.0f, z = scale.z < 0.0f;
    axes signs = {{0.0f, 0.0f, 0.0f, 1.0f}, x ^ y ^ z ? -1.0f : 1.0f};
    if (x == y && y == z)
        return signs;
    signs.rotation =
        (mrw_quat){y == z ? 1.0f : 0.0f, x == z ? 1.0f : 0.0f, x == y ? 1.0f : 0.0f, 0};
    return signs;
}

static axes reflection(mrw_vec3 normal)
{
    mrw_vec3 unit = mrwi_vec3_normalize(normal);
    return (axes){{unit.x, unit.y, unit.z, 0.0f}, -1.0f};
}

static mrw_status check_normal(mrw_vec3 normal, mrw_error *out_error)
{
    const float elements[3] = {normal.x, normal.y, normal.z};
    if (!mrwi_all_finite(elements, 3))
        return mrwi_fail_at(out_error, MRW_ERR_NOT_FINITE, 0, "plane_normal");
    if (normal.x == 0.0f && normal.y == 0.0f && normal.z == 0.0f)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "plane_normal",
                         "zero; give the direction across the plane, e.g. 1 0 0");
    return MRW_OK;
}

/* --- pairs by place ------------------------------------------------------------------------ */

_Static_assert(offsetof(mrw_mirror_joint, source) >= sizeof(mrw_mat34), "room for a matrix");

/* Rest places in the scene lie where the table will: a matrix in each joint. */
static mrw_mat34 load_matrix(const mrw_mirror_joint *joint)
{
    mrw_mat34 matrix;
    memcpy(&matrix, joint, sizeof(matrix));
    return matrix;
}

static void place_joints(const mrw_skeleton *skeleton, mrw_mirror_joint *workspace)
{
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        mrw_transform rest = mrwi_block_get(skeleton->rest_blocks, i);
        mrw_mat34 matrix = mrwi_mat34_from_transform(&rest);
        if (skeleton->parents[i] >= 0) {
            mrw_mat34 parent = load_matrix(&workspace[skeleton->parents[i]]);
            matrix = mrwi_mat34_mul(&parent, &matrix);
        }
        memcpy(&workspace[i], &matrix, sizeof(matrix));
    }
}

static mrw_vec3 place_of(const mrw_mirror_joint *joint)
{
    mrw_mat34 matrix = load_matrix(joint);
    return (mrw_vec3){matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]};
}

static const uint32_t NO_PAIR = UINT32_MAX;

/* The free joint below `parent` that is nearest to `place`; `joint` where none is near enough. Of
 * several that are about as near, the first: twins that lie on each other keep their order. */
static uint32_t find_nearest(const mrw_skeleton *skeleton, const mrw_mirror_joint *workspace,
                             const uint32_t *pairs, uint32_t joint, int32_t parent, mrw_vec3 place,
                             float tolerance_m)
{
    uint32_t nearest = joint;
    float best = FLT_MAX;
    for (uint32_t i = joint; i < skeleton->joint_count; i++) {
        if (skeleton->parents[i] != parent || pairs[i] != NO_PAIR)
            continue;
        mrw_vec3 way = mrwi_vec3_sub(place_of(&workspace[i]), place);
        float distance = mrwi_sqrt(mrwi_vec3_dot(way, way));
        if (!(distance <= tolerance_m) || !(distance + tolerance_m / 16.0f < best))
            continue;
        nearest = i;
        best = distance;
    }
    return nearest;
}

mrw_status mrw_mirror_pairs_by_place(const mrw_skeleton *skeleton, mrw_vec3 plane_normal,
                                     float tolerance_m, mrw_mirror_joint *workspace,
                                     uint32_t *out_pairs, uint32_t pair_count,
                                     uint32_t *out_paired_count)
{
    if (skeleton == NULL || ((out_pairs == NULL || workspace == NULL) && pair_count > 0))
        return MRW_ERR_NULL_ARGUMENT;
    if (pair_count != skeleton->joint_count)
        return MRW_ERR_JOINT_COUNT;
    mrw_status status = check_normal(plane_normal, NULL);
    if (status != MRW_OK)
        return status;
    if (!mrwi_is_finite(tolerance_m))
        return MRW_ERR_NOT_FINITE;
    if (tolerance_m < 0.0f)
        return MRW_ERR_INVALID_ARGUMENT;

    mrw_vec3 normal = mrwi_vec3_normalize(plane_normal);
    place_joints(skeleton, workspace);
    for (uint32_t i = 0; i < pair_count; i++)
        out_pairs[i] = NO_PAIR;
    uint32_t paired_count = 0;
    for (uint32_t i = 0; i < pair_count; i++) {
        if (out_pairs[i] != NO_PAIR)
            continue;
        int32_t parent = skeleton->parents[i];
        int32_t other_parent = parent < 0 ? parent : (int32_t)out_pairs[parent];
        mrw_vec3 place = place_of(&workspace[i]);
        float across = 2.0f * mrwi_vec3_dot(place, normal);
        place = mrwi_vec3_sub(place, mrwi_vec3_scale(normal, across));
        uint32_t pair =
            find_nearest(skeleton, workspace, out_pairs, i, other_parent, place, tolerance_m);
        out_pairs[i] = pair;
        out_pairs[pair] = i;
        paired_count += pair != i ? 2 : 0;
    }
    if (out_paired_count != NULL)
        *out_paired_count = paired_count;
    return MRW_OK;
}

/* --- the table ----------------------------------------------------------------------------- */

mrw_status mrw_mirror_build_check(const mrw_mirror_build_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "skeleton");
    if (job->pairs == NULL && job->joint_count > 0)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "pairs");
    if (job->out_joints == NULL && job->joint_count > 0)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_joints");
    if (job->joint_count != job->skeleton->joint_count)
        return mrwi_fail_at(out_error, MRW_ERR_JOINT_COUNT, 0, "joint_count");
    for (uint32_t i = 0; i < job->joint_count; i++) {
        if (job->pairs[i] >= job->joint_count)
            return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "pairs[%u]", "%u of %u joints", i,
                             job->pairs[i], job->joint_count);
        if (job->pairs[job->pairs[i]] != i)
            return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "pairs[%u]",
                             "pairs must go both ways, but pairs[%u] is %u", i, job->pairs[i],
                             job->pairs[job->pairs[i]]);
    }
    return check_normal(job->plane_normal, out_error);
}

static mrw_transform rest_of(const mrw_skeleton *skeleton, uint32_t joint)
{
    return mrwi_block_get(skeleton->rest_blocks, joint);
}

/* Whether a joint has a mirror image: its pair hangs from its parent's pair, and so on upwards. */
static bool has_image(const mrw_mirror_build_job *job, uint32_t joint)
{
    const int32_t *parents = job->skeleton->parents;
    int32_t parent = parents[joint];
    int32_t other = parents[job->pairs[joint]];
    if (parent < 0 || other < 0)
        return parent == other;
    return !job->out_joints[parent].is_kept && job->pairs[parent] == (uint32_t)other;
}

/* F(j), into `after` and `translation_sign`. */
static void find_rest_axes(const mrw_mirror_build_job *job)
{
    for (uint32_t i = 0; i < job->joint_count; i++) {
        mrw_mirror_joint *joint = &job->out_joints[i];
        memset(joint, 0, sizeof(*joint));
        joint->is_kept = !has_image(job, i);
        joint->source = joint->is_kept ? i : job->pairs[i];
        mrw_transform rest = rest_of(job->skeleton, i);
        axes frame = multiply((axes){rest.rotation, 1.0f}, signs_of(rest.scale));
        int32_t parent = job->skeleton->parents[i];
        if (parent >= 0) {
            const mrw_mirror_joint *above = &job->out_joints[parent];
            frame = multiply((axes){above->after, above->translation_sign}, frame);
        }
        joint->after = frame.rotation;
        joint->translation_sign = frame.sign;
    }
}

/* The axis of the source that an axis of the joint lies along: G's largest element of a row. Where
 * G lies askew there is none, and each axis keeps its own. */
static void find_scale_axes(mrw_quat rotation, uint8_t axes_out[3])
{
    const mrw_transform turned = {{0, 0, 0}, rotation, {1, 1, 1}};
    mrw_mat34 matrix = mrwi_mat34_from_transform(&turned);
    bool is_taken[3] = {false, false, false};
    for (uint8_t row = 0; row < 3; row++) {
        uint8_t largest = 0;
        for (uint8_t column = 1; column < 3; column++)
            if (mrwi_abs(matrix.m[row][column]) > mrwi_abs(matrix.m[row][largest]))
                largest = column;
        axes_out[row] = largest;
        is_taken[largest] = true;
    }
    for (uint8_t row = 0; row < 3 && !(is_taken[0] && is_taken[1] && is_taken[2]); row++)
        axes_out[row] = row;
}

static void copy_inverse_axes(const mrw_mirror_joint *from, mrw_mirror_joint *joint)
{
    for (uint8_t i = 0; i < 3; i++)
        joint->scale_axes[from->scale_axes[i]] = i;
}

static float ratio(float a, float b)
{
    float quotient = a / b;
    return mrwi_is_finite(quotient) && quotient != 0.0f ? quotient : 1.0f;
}

static void find_scales(const mrw_mirror_build_job *job, uint32_t index, mrw_quat turn)
{
    mrw_mirror_joint *joint = &job->out_joints[index];
    if (joint->source < index)
        copy_inverse_axes(&job->out_joints[joint->source], joint);
    else
        find_scale_axes(turn, joint->scale_axes);
    mrw_vec3 own = rest_of(job->skeleton, index).scale;
    mrw_vec3 other = rest_of(job->skeleton, joint->source).scale;
    const float others[3] = {other.x, other.y, other.z};
    joint->scale.x = ratio(own.x, others[joint->scale_axes[0]]);
    joint->scale.y = ratio(own.y, others[joint->scale_axes[1]]);
    joint->scale.z = ratio(own.z, others[joint->scale_axes[2]]);
}

/* G(j) */
static axes axes_between(const mrw_mirror_build_job *job, uint32_t index)
{
    const mrw_mirror_joint *joint = &job->out_joints[index];
    const mrw_mirror_joint *source = &job->out_joints[joint->source];
    axes own = {joint->after, joint->translation_sign};
    axes other = {source->after, source->translation_sign};
    return multiply(inverse(own), multiply(reflection(job->plane_normal), other));
}

/* G of all joints, into `before` and `translation_sign`. A pair is done at once, since each needs F
 * of both; their signs agree. */
static void find_differences(const mrw_mirror_build_job *job)
{
    for (uint32_t i = 0; i < job->joint_count; i++) {
        uint32_t source = job->out_joints[i].source;
        if (source < i)
            continue;
        axes here = axes_between(job, i);
        axes there = axes_between(job, source);
        job->out_joints[i].before = here.rotation;
        job->out_joints[source].before = there.rotation;
        job->out_joints[i].translation_sign = job->out_joints[source].translation_sign = here.sign;
        find_scales(job, i, here.rotation);
        find_scales(job, source, there.rotation);
    }
}

/* From G(j) to what mrw_mirror_pose multiplies with; `above` is G(p). */
static void finish(const mrw_mirror_build_job *job, uint32_t index, axes above)
{
    mrw_mirror_joint *joint = &job->out_joints[index];
    mrw_transform own = rest_of(job->skeleton, index);
    mrw_transform other = rest_of(job->skeleton, joint->source);
    axes back = multiply(inverse((axes){joint->before, 1.0f}), signs_of(own.scale));
    joint->after = multiply(signs_of(other.scale), back).rotation;
    joint->before = above.rotation;
    joint->translation_sign = above.sign;
    /* Of the two quaternions of a rotation, the one that leaves the rest pose's as it is. */
    mrw_quat image = mrwi_quat_mul(mrwi_quat_mul(joint->before, other.rotation), joint->after);
    if (mrwi_quat_dot(image, own.rotation) < 0.0f)
        joint->after =
            (mrw_quat){-joint->after.x, -joint->after.y, -joint->after.z, -joint->after.w};
}

mrw_status mrw_mirror_build(const mrw_mirror_build_job *job)
{
    mrw_status status = mrw_mirror_build_check(job, NULL);
    if (status != MRW_OK)
        return status;
    find_rest_axes(job);
    find_differences(job);
    /* Children first: a parent's G is in place until its own turn. */
    for (uint32_t i = job->joint_count; i-- > 0;) {
        int32_t parent = job->skeleton->parents[i];
        axes above = reflection(job->plane_normal);
        if (parent >= 0) {
            const mrw_mirror_joint *at = &job->out_joints[parent];
            above = (axes){at->before, at->translation_sign};
        }
        finish(job, i, above);
    }
    return MRW_OK;
}

/* --- a pose -------------------------------------------------------------------------------- */

static mrw_status check_mirror_pose(const mrw_mirror_job *job, const mrw_pose *pose,
                                    const char *name, mrw_error *out_error)
{
    if (pose == NULL || !mrwi_pose_has_memory(pose))
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, name);
    mrw_status status = MRW_OK;
    const char *field = "joint_count";
    if (pose->joint_count != job->skeleton->joint_count) {
        status = MRW_ERR_JOINT_COUNT;
    } else if (pose->scalar_count != job->skeleton->scalar_count) {
        status = MRW_ERR_SCALAR_COUNT;
        field = "scalar_count";
    }
    return status == MRW_OK
               ? MRW_OK
               : mrwi_fail(out_error, status, "%s.%s", "%s", name, field, mrw_status_text(status));
}

static mrw_status check_table(const mrw_mirror_job *job, mrw_error *out_error)
{
    for (uint32_t i = 0; i < job->joint_count; i++) {
        const mrw_mirror_joint *joint = &job->joints[i];
        bool is_inside = joint->source < job->joint_count && joint->scale_axes[0] < 3 &&
                         joint->scale_axes[1] < 3 && joint->scale_axes[2] < 3;
        if (!is_inside || job->joints[joint->source].source != i)
            return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "joints[%u]",
                             "not as mrw_mirror_build makes it for this skeleton", i);
    }
    for (uint32_t i = 0; job->scalar_pairs != NULL && i < job->skeleton->scalar_count; i++) {
        uint32_t pair = job->scalar_pairs[i];
        if (pair >= job->skeleton->scalar_count || job->scalar_pairs[pair] != i)
            return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "scalar_pairs[%u]",
                             "%u; pairs must be scalars of the skeleton and go both ways", i, pair);
    }
    return MRW_OK;
}

mrw_status mrw_mirror_check(const mrw_mirror_job *job, mrw_error *out_error)
{
    if (job == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "job");
    if (job->struct_size != sizeof(*job))
        return mrwi_fail_at(out_error, MRW_ERR_STRUCT_SIZE, 0, "struct_size");
    if (job->skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "skeleton");
    if (job->joints == NULL && job->joint_count > 0)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "joints");
    if (job->joint_count != job->skeleton->joint_count)
        return mrwi_fail_at(out_error, MRW_ERR_JOINT_COUNT, 0, "joint_count");
    mrw_status status = check_mirror_pose(job, job->pose, "pose", out_error);
    if (status == MRW_OK)
        status = check_mirror_pose(job, job->out_pose, "out_pose", out_error);
    return status == MRW_OK ? check_table(job, out_error) : status;
}

/* The joint's transform from its source's. */
static mrw_transform image_of(const mrw_mirror_job *job, uint32_t index, const mrw_transform *from)
{
    const mrw_mirror_joint *joint = &job->joints[index];
    if (joint->is_kept)
        return *from;
    mrw_transform image;
    mrw_quat turned = mrwi_quat_mul(joint->before, from->rotation);
    image.rotation = mrwi_quat_normalize(mrwi_quat_mul(turned, joint->after));

    mrw_transform own = rest_of(job->skeleton, index);
    mrw_transform other = rest_of(job->skeleton, joint->source);
    mrw_vec3 way = mrwi_vec3_sub(from->translation, other.translation);
    way = mrwi_vec3_scale(mrwi_quat_rotate(joint->before, way), joint->translation_sign);
    image.translation = mrwi_vec3_add(own.translation, way);

    const float scales[3] = {from->scale.x, from->scale.y, from->scale.z};
    image.scale = (mrw_vec3){scales[joint->scale_axes[0]] * joint->scale.x,
                             scales[joint->scale_axes[1]] * joint->scale.y,
                             scales[joint->scale_axes[2]] * joint->scale.z};
    return image;
}

mrw_status mrw_mirror_pose(const mrw_mirror_job *job)
{
    mrw_status status = mrw_mirror_check(job, NULL);
    if (status != MRW_OK)
        return status;
    /* Both of a pair are read before either is written. */
    for (uint32_t i = 0; i < job->joint_count; i++) {
        uint32_t pair = job->joints[i].source;
        if (pair < i)
            continue;
        mrw_transform here = mrwi_block_get(job->pose->blocks, i);
        mrw_transform there = mrwi_block_get(job->pose->blocks, pair);
        mrw_transform image = image_of(job, i, &there);
        mrwi_block_set(job->out_pose->blocks, i, &image);
        image = image_of(job, pair, &here);
        mrwi_block_set(job->out_pose->blocks, pair, &image);
    }
    mrwi_block_pad(job->out_pose->blocks, job->joint_count);
    for (uint32_t i = 0; i < job->skeleton->scalar_count; i++) {
        uint32_t pair = job->scalar_pairs == NULL ? i : job->scalar_pairs[i];
        if (pair < i)
            continue;
        float here = job->pose->scalars[i];
        job->out_pose->scalars[i] = job->pose->scalars[pair];
        job->out_pose->scalars[pair] = here;
    }
    return MRW_OK;
}
