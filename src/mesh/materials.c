/* Materials, and the encoded pictures that they use. Names and pictures follow one another without
 * gaps. */
#include <marrow/mesh.h>

#include "asset/asset_reader.h"
#include "base/error.h"
#include "base/finite.h"
#include "mesh/mesh_format.h"

#include <string.h>

static mrw_status find_sections(const mrwi_materials_content *content, mrw_materials *view,
                                mrw_error *out_error)
{
    const mrw_asset_header *header = &content->header;
    const void *materials, *images, *names, *image_bytes;
    mrw_status status =
        mrwi_asset_section(header, "materials", content->materials_offset, content->material_count,
                           sizeof(mrw_material), &materials, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "images", content->images_offset, content->image_count,
                                    sizeof(mrw_image), &images, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "names", content->names_offset,
                                    content->names_size_bytes, 1, &names, out_error);
    if (status == MRW_OK)
        status = mrwi_asset_section(header, "image_bytes", content->image_bytes_offset,
                                    content->image_size_bytes, 1, &image_bytes, out_error);
    if (status == MRW_OK)
        *view = (mrw_materials){
            header, content->material_count, materials, content->image_count, images, image_bytes,
            names};
    return status;
}

static mrw_status check_material(const mrw_materials *view, uint32_t index, mrw_error *out_error)
{
    const mrw_material *material = &view->materials[index];
    const float numbers[] = {material->alpha_cutoff, material->metallic, material->roughness};
    if (!mrwi_all_finite(material->base_color, 4) || !mrwi_all_finite(numbers, 3))
        return mrwi_asset_fail_element(view->header, MRW_ERR_NOT_FINITE, material, "materials",
                                       index, "", mrw_status_text(MRW_ERR_NOT_FINITE), out_error);
    const char *fault =
        mrwi_material_fault(material->alpha_cutoff, material->metallic, material->roughness);
    if (fault != NULL)
        return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, material, "materials",
                                       index, fault, "out of range", out_error);
    if (material->base_color_image < -1 ||
        (material->base_color_image >= 0 &&
         (uint32_t)material->base_color_image >= view->image_count))
        return mrwi_asset_fail_element(view->header, MRW_ERR_INDEX_RANGE,
                                       &material->base_color_image, "materials", index,
                                       ".base_color_image", "no picture", out_error);
    if ((material->flags & ~3u) != 0)
        return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, &material->flags,
                                       "materials", index, ".flags", "unknown ones", out_error);
    return MRW_OK;
}

static mrw_status check_images(const mrwi_materials_content *content, const mrw_materials *view,
                               mrw_error *out_error)
{
    uint64_t position = 0;
    for (uint32_t i = 0; i < view->image_count; i++) {
        const mrw_image *image = &view->images[i];
        if (image->offset != position || image->reserved != 0 ||
            image->size_bytes > content->image_size_bytes - position)
            return mrwi_asset_fail_element(view->header, MRW_ERR_BAD_ASSET, image, "images", i, "",
                                           "not where the one before ends, or past the end",
                                           out_error);
        position += image->size_bytes;
    }
    if (position != content->image_size_bytes)
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->image_size_bytes,
                               "image_size_bytes", "bytes behind the last picture", out_error);
    return MRW_OK;
}

/* One list after the other. */
static mrw_status check_names(const mrwi_materials_content *content, const mrw_materials *view,
                              mrw_error *out_error)
{
    const uint64_t count = (uint64_t)view->material_count + view->image_count;
    size_t position = 0;
    for (uint64_t i = 0; i < count; i++) {
        const bool is_material = i < view->material_count;
        const uint32_t index = (uint32_t)(is_material ? i : i - view->material_count);
        const uint32_t *offset =
            is_material ? &view->materials[index].name_offset : &view->images[index].name_offset;
        size_t length = 0;
        if (*offset != position || position > content->names_size_bytes ||
            !mrwi_asset_string(view->names + position, content->names_size_bytes - position,
                               &length))
            return mrwi_asset_fail_element(
                view->header, MRW_ERR_BAD_ASSET, offset, is_material ? "materials" : "images",
                index, ".name", "not NUL-terminated UTF-8 behind the one before", out_error);
        position += length + 1;
    }
    if (position != content->names_size_bytes)
        return mrwi_asset_fail(view->header, MRW_ERR_BAD_ASSET, &content->names_size_bytes,
                               "names_size_bytes", "bytes behind the last name", out_error);
    return MRW_OK;
}

mrw_status mrw_materials_open(const void *bytes, size_t size_bytes, mrw_materials *out_materials,
                              mrw_error *out_error)
{
    if (out_materials == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_materials");
    memset(out_materials, 0, sizeof(*out_materials));
    const mrw_asset_header *header = NULL;
    mrw_status status =
        mrwi_asset_open_kind(bytes, size_bytes, MRW_ASSET_MATERIALS, MRW_MATERIALS_VERSION,
                             sizeof(mrwi_materials_content), &header, out_error);
    if (status != MRW_OK)
        return status;

    const mrwi_materials_content *content = (const mrwi_materials_content *)header;
    if (content->reserved != 0)
        return mrwi_asset_fail(header, MRW_ERR_BAD_ASSET, &content->reserved, "reserved",
                               "not zero", out_error);
    mrw_materials view;
    status = find_sections(content, &view, out_error);
    for (uint32_t i = 0; status == MRW_OK && i < view.material_count; i++)
        status = check_material(&view, i, out_error);
    if (status == MRW_OK)
        status = check_images(content, &view, out_error);
    if (status == MRW_OK)
        status = check_names(content, &view, out_error);
    if (status == MRW_OK)
        *out_materials = view;
    return status;
}
