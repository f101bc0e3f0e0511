#include <marrow/skin.h>

#include "asset/asset_reader.h"
#include "base/error.h"
#include "base/finite.h"
#include "skin/skin_format.h"

#include <string.h>

static mrw_status check_fields(const mrwi_skin_content *content, mrw_error *out_error)
{
    const mrw_asset_header *header = &content->header;
    if (content->joint_count == 0 || content->joint_count > MRW_MAX_JOINTS)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->joint_count, "joint_count",
                               "not from 1 to 65,535", out_error);
    if (content->skeleton_joint_count > MRW_MAX_JOINTS)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->skeleton_joint_count,
                               "skeleton_joint_count", "more than 65,535", out_error);
    if (content->reserved != 0)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->reserved, "reserved",
                               "not zero", out_error);
    return MRW_OK;
}

/* Points the view at the sections; what is in them is not looked at yet. */
static mrw_status find_sections(const mrwi_skin_content *content, mrw_skin *view,
                                mrw_error *out_error)
{
    const mrw_asset_header *header = &content->header;
    const void *joints = NULL;
    const void *inverse_binds = NULL;
    const void *name = NULL;
    mrw_status status =
        mrwi_asset_section(header, "joints", content->joints_offset, content->joint_count,
                           sizeof(uint32_t), &joints, out_error);
    if (status == MRW_OK)
        status =
            mrwi_asset_section(header, "inverse_binds", content->inverse_binds_offset,
                               content->joint_count, sizeof(mrw_mat34), &inverse_binds, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "name", content->name_offset, content->name_size_bytes,
                                    1, &name, out_error);
    if (status != MRW_OK)
        return status;

    view->header = header;
    view->joint_count = content->joint_count;
    view->skeleton_joint_count = content->skeleton_joint_count;
    view->name = name;
    view->joints = joints;
    view->inverse_binds = inverse_binds;
    return MRW_OK;
}

static mrw_status check_content(const mrw_skin *view, size_t name_size_bytes, mrw_error *out_error)
{
    size_t length = 0;
    if (!mrwi_asset_string(view->name, name_size_bytes, &length) || length + 1 != name_size_bytes)
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, view->name, "name",
                               "not NUL-terminated UTF-8 of name_size_bytes", out_error);
    for (uint32_t i = 0; i < view->joint_count; i++) {
        if (view->joints[i] >= view->skeleton_joint_count)
            return mrwi_asset_fail_element(view->header, MRW_ERR_JOINT_RANGE, &view->joints[i],
                                           "joints", i, "", "no joint of the skeleton", out_error);
        if (!mrwi_all_finite(&view->inverse_binds[i].m[0][0], 12))
            return mrwi_asset_fail_element(view->header, MRW_ERR_NOT_FINITE,
                                           &view->inverse_binds[i], "inverse_binds", i, "",
                                           mrw_status_text(MRW_ERR_NOT_FINITE), out_error);
    }
    return MRW_OK;
}

mrw_status mrw_skin_open(const void *bytes, size_t size_bytes, mrw_skin *out_skin,
                         mrw_error *out_error)
{
    if (out_skin == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_skin");
    memset(out_skin, 0, sizeof(*out_skin));
    const mrw_asset_header *header = NULL;
    mrw_status status = mrwi_asset_open_kind(bytes, size_bytes, MRW_ASSET_SKIN, MRW_SKIN_VERSION,
                                             sizeof(mrwi_skin_content), &header, out_error);
    if (status != MRW_OK)
        return status;

    const mrwi_skin_content *content = (const mrwi_skin_content *)header;
    mrw_skin view = {0};
    status = check_fields(content, out_error);
    if (status == MRW_OK)
        status = find_sections(content, &view, out_error);
    if (status == MRW_OK)
        status = check_content(&view, content->name_size_bytes, out_error);
    if (status == MRW_OK)
        *out_skin = view;
    return status;
}
