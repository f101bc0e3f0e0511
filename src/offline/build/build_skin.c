#include <marrow/offline/build.h>

#include <marrow/model.h>

#include "base/error.h"
#include "base/finite.h"
#include "offline/build/asset_writer.h"
#include "offline/memory/arena.h"
#include "skin/skin_format.h"

#include <string.h>

static mrw_status check_arguments(const mrw_skeleton *skeleton, const uint32_t *joints,
                                  const mrw_mat34 *inverse_binds, uint32_t joint_count,
                                  mrw_error *out_error)
{
    if (skeleton == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "skeleton");
    if (joint_count == 0)
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT, "joint_count",
                         "0: a skin has at least one joint");
    if (joint_count > MRW_MAX_JOINTS)
        return mrwi_fail(out_error, MRW_ERR_LIMIT, "joint_count", "%u of at most %u joints",
                         joint_count, (uint32_t)MRW_MAX_JOINTS);
    if (joints == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "joints");
    for (uint32_t i = 0; i < joint_count; i++) {
        if (joints[i] >= skeleton->joint_count)
            return mrwi_fail(out_error, MRW_ERR_JOINT_RANGE, "joints[%u]", "joint %u of %u", i,
                             joints[i], skeleton->joint_count);
        if (inverse_binds != NULL && !mrwi_all_finite(&inverse_binds[i].m[0][0], 12))
            return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "inverse_binds[%u]", "%s", i,
                             mrw_status_text(MRW_ERR_NOT_FINITE));
    }
    return MRW_OK;
}

/* The skeleton's rest pose in model space, computed by the runtime itself: what the inverses
 * are multiplied with later has then the same rounding errors as what they are inverses of. */
static mrw_status rest_model(const mrw_skeleton *skeleton, mrwi_arena *scratch,
                             const mrw_mat34 **out_model, mrw_error *out_error)
{
    size_t pose_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    void *pose_memory = mrwi_arena_alloc(scratch, pose_bytes, 1);
    mrw_mat34 *model = mrwi_arena_alloc(scratch, skeleton->joint_count, sizeof(*model));
    if (pose_memory == NULL || model == NULL)
        return mrwi_arena_fail(scratch, out_error, "rest pose");
    mrw_pose pose;
    mrw_status status = mrw_pose_init(pose_memory, pose_bytes, skeleton->joint_count,
                                      skeleton->scalar_count, &pose);
    if (status == MRW_OK)
        status = mrw_skeleton_rest_pose(skeleton, &pose);
    if (status == MRW_OK) {
        mrw_model_job job = mrw_model_job_default();
        job.skeleton = skeleton;
        job.pose = &pose;
        job.out_model = model;
        job.model_count = skeleton->joint_count;
        status = mrw_model(&job);
    }
    if (status != MRW_OK)
        return mrwi_fail_at(out_error, status, 0, "rest pose");
    *out_model = model;
    return MRW_OK;
}

static mrw_status write_skin(const mrw_skeleton *skeleton, const char *name, const uint32_t *joints,
                             const mrw_mat34 *inverse_binds, const mrw_mat34 *model,
                             uint32_t joint_count, const mrw_memory_options *memory,
                             const mrwi_arena *scratch, mrw_bytes *out_skin, mrw_error *out_error)
{
    mrwi_skin_content content;
    memset(&content, 0, sizeof(content));
    content.joint_count = joint_count;
    content.skeleton_joint_count = skeleton->joint_count;
    size_t name_size = strlen(name) + 1;
    if (name_size > UINT32_MAX)
        return mrwi_fail_at(out_error, MRW_ERR_LIMIT, 0, "name");
    content.name_size_bytes = (uint32_t)name_size;

    mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(content));
    content.joints_offset = mrwi_asset_layout_section(&layout, joint_count, sizeof(uint32_t));
    content.inverse_binds_offset =
        mrwi_asset_layout_section(&layout, joint_count, sizeof(mrw_mat34));
    content.name_offset = mrwi_asset_layout_section(&layout, name_size, 1);
    mrw_status status = mrwi_asset_alloc(&layout, memory, scratch, out_skin, out_error);
    if (status != MRW_OK)
        return status;

    memcpy(out_skin->data, &content, sizeof(content));
    memcpy(out_skin->data + content.joints_offset, joints, joint_count * sizeof(uint32_t));
    memcpy(out_skin->data + content.name_offset, name, name_size);
    mrw_mat34 *out_binds = (mrw_mat34 *)(void *)(out_skin->data + content.inverse_binds_offset);
    for (uint32_t i = 0; i < joint_count; i++) {
        if (inverse_binds != NULL)
            out_binds[i] = inverse_binds[i];
        else
            mrw_mat34_inverse(&model[joints[i]], &out_binds[i]);
    }
    mrwi_asset_finish(out_skin, MRW_ASSET_SKIN, MRW_SKIN_VERSION, mrw_skeleton_id(skeleton));
    return MRW_OK;
}

mrw_status mrw_build_skin(const mrw_skeleton *skeleton, const char *name, const uint32_t *joints,
                          const mrw_mat34 *inverse_binds, uint32_t joint_count,
                          const mrw_memory_options *memory, mrw_bytes *out_skin,
                          mrw_error *out_error)
{
    if (out_skin == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_skin");
    memset(out_skin, 0, sizeof(*out_skin));
    mrw_status status = check_arguments(skeleton, joints, inverse_binds, joint_count, out_error);
    if (status != MRW_OK)
        return status;

    mrwi_arena scratch;
    mrwi_arena_init(&scratch, memory);
    const char *clean_name = mrwi_asset_name(&scratch, name);
    const mrw_mat34 *model = NULL;
    if (clean_name == NULL)
        status = mrwi_arena_fail(&scratch, out_error, "name");
    else if (inverse_binds == NULL)
        status = rest_model(skeleton, &scratch, &model, out_error);
    if (status == MRW_OK)
        status = write_skin(skeleton, clean_name, joints, inverse_binds, model, joint_count, memory,
                            &scratch, out_skin, out_error);
    mrwi_arena_free(&scratch);
    return status;
}
