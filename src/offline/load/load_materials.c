#include "offline/load/load_materials.h"

#include <marrow/asset_file.h>
#include <marrow/mesh.h>

#include "offline/scene/owner.h"

#include <string.h>

static bool copy_materials(const mrw_materials *from, mrw_scene *scene)
{
    scene->materials = mrw_scene_alloc(scene, from->material_count, sizeof(*scene->materials));
    for (uint32_t i = 0; scene->materials != NULL && i < from->material_count; i++) {
        const mrw_material *material = &from->materials[i];
        mrw_scene_material *to = &scene->materials[i];
        to->name = mrw_scene_string(scene, from->names + material->name_offset);
        memcpy(to->base_color, material->base_color, sizeof(to->base_color));
        to->base_color_image = material->base_color_image;
        to->double_sided = (material->flags & MRW_MATERIAL_DOUBLE_SIDED) != 0;
        to->alpha_blend = (material->flags & MRW_MATERIAL_ALPHA_BLEND) != 0;
        to->alpha_cutoff = material->alpha_cutoff;
        to->metallic = material->metallic;
        to->roughness = material->roughness;
        if (to->name == NULL)
            return false;
        scene->material_count = i + 1;
    }
    return scene->materials != NULL;
}

static bool copy_images(const mrw_materials *from, bool skip_images, mrw_scene *scene)
{
    scene->images = mrw_scene_alloc(scene, from->image_count, sizeof(*scene->images));
    for (uint32_t i = 0; scene->images != NULL && i < from->image_count; i++) {
        const mrw_image *image = &from->images[i];
        mrw_scene_image *to = &scene->images[i];
        const size_t size = skip_images ? 0 : (size_t)image->size_bytes;
        uint8_t *bytes = size > 0 ? mrw_scene_alloc(scene, size, 1) : NULL;
        to->name = mrw_scene_string(scene, from->names + image->name_offset);
        to->uri = "";
        if (to->name == NULL || (size > 0 && bytes == NULL))
            return false;
        if (size > 0)
            memcpy(bytes, from->image_bytes + image->offset, size);
        to->bytes = bytes;
        to->size_bytes = size;
        scene->image_count = i + 1;
    }
    return scene->images != NULL;
}

mrw_status mrwi_load_materials(const void *bytes, size_t size_bytes, bool skip_images,
                               mrw_scene *scene, mrw_error *out_error)
{
    mrw_file file;
    mrw_materials materials;
    const void *asset = NULL;
    size_t asset_bytes = 0;
    mrw_status status = mrw_file_open(bytes, size_bytes, &file, out_error);
    if (status != MRW_OK || mrw_file_count(&file, MRW_ASSET_MATERIALS) == 0)
        return status;
    mrw_file_asset(&file, MRW_ASSET_MATERIALS, 0, &asset, &asset_bytes);
    status = mrw_materials_open(asset, asset_bytes, &materials, out_error);
    if (status != MRW_OK)
        return status;
    if (copy_materials(&materials, scene) && copy_images(&materials, skip_images, scene))
        return MRW_OK;
    return mrwi_arena_fail(&scene->owner->arena, out_error, "materials");
}
