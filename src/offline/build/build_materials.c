/* Materials of a scene as an asset: docs/format/materials_v1.md. Pictures that no base colour uses
 * are left out. */
#include <marrow/offline/build.h>

#include "base/error.h"
#include "base/finite.h"
#include "mesh/mesh_format.h"
#include "offline/build/asset_writer.h"
#include "offline/memory/arena.h"

#include <string.h>

typedef struct materials_writer {
    const mrw_scene *scene;
    int32_t *image_places; /* [image_count] of the asset's pictures, or -1 */
    const char **names;    /* of the materials, then of the pictures that are used */
    mrwi_materials_content content;
} materials_writer;

static size_t image_size(const mrw_scene_image *image)
{
    return image->bytes != NULL ? image->size_bytes : 0;
}

static mrw_status check_materials(const mrw_scene *scene, mrw_error *out_error)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const mrw_scene_material *one = &scene->materials[i];
        if (one->base_color_image >= (int64_t)scene->image_count)
            return mrwi_fail(out_error, MRW_ERR_INDEX_RANGE, "materials[%u].base_color_image",
                             "picture %u of %u", i, (uint32_t)one->base_color_image,
                             scene->image_count);
        if (!mrwi_all_finite(one->base_color, 4) || !mrwi_is_finite(one->alpha_cutoff))
            return mrwi_fail(out_error, MRW_ERR_NOT_FINITE, "materials[%u]", "%s", i,
                             mrw_status_text(MRW_ERR_NOT_FINITE));
        const char *fault = mrwi_material_fault(one->alpha_cutoff, one->metallic, one->roughness);
        if (fault != NULL)
            return mrwi_fail(out_error, MRW_ERR_INVALID_VALUE, "materials[%u]%s", "out of range", i,
                             fault);
    }
    return MRW_OK;
}

static mrw_status clean_names(materials_writer *writer, uint32_t count, mrwi_arena *scratch,
                              mrw_error *out_error)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < count; i++) {
        writer->names[i] = mrwi_asset_name(scratch, writer->names[i]);
        if (writer->names[i] == NULL)
            return mrwi_arena_fail(scratch, out_error, "names");
        size += strlen(writer->names[i]) + 1;
    }
    if (size > UINT32_MAX)
        return mrwi_fail_at(out_error, MRW_ERR_LIMIT, 0, "names");
    writer->content.names_size_bytes = (uint32_t)size;
    return MRW_OK;
}

/* Counts what is written, and gives it its places and names. */
static mrw_status plan(materials_writer *writer, mrwi_arena *scratch, mrw_error *out_error)
{
    const mrw_scene *scene = writer->scene;
    mrwi_materials_content *content = &writer->content;
    const size_t most = (size_t)scene->material_count + scene->image_count;
    writer->image_places =
        mrwi_arena_alloc(scratch, scene->image_count, sizeof(*writer->image_places));
    writer->names = mrwi_arena_alloc(scratch, most, sizeof(*writer->names));
    if (writer->image_places == NULL || writer->names == NULL)
        return mrwi_arena_fail(scratch, out_error, "materials");
    uint32_t name_count = 0;
    for (uint32_t i = 0; i < scene->image_count; i++)
        writer->image_places[i] = -1;
    content->material_count = scene->material_count;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        writer->names[name_count++] = scene->materials[i].name;
        if (scene->materials[i].base_color_image >= 0)
            writer->image_places[scene->materials[i].base_color_image] = 0;
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        if (writer->image_places[i] < 0)
            continue;
        writer->image_places[i] = (int32_t)content->image_count++;
        content->image_size_bytes += image_size(&scene->images[i]);
        writer->names[name_count++] = scene->images[i].name;
    }
    return clean_names(writer, name_count, scratch, out_error);
}

static uint32_t write_name(const char *name, char *names, uint32_t *offset)
{
    const uint32_t at = *offset;
    const size_t size = strlen(name) + 1;
    memcpy(names + at, name, size);
    *offset += (uint32_t)size;
    return at;
}

static void write_sections(const materials_writer *writer, mrw_bytes *out)
{
    const mrw_scene *scene = writer->scene;
    const mrwi_materials_content *content = &writer->content;
    mrw_material *materials = (mrw_material *)(void *)(out->data + content->materials_offset);
    mrw_image *images = (mrw_image *)(void *)(out->data + content->images_offset);
    char *names = (char *)(out->data + content->names_offset);
    const char *const *next_name = writer->names;
    uint32_t name_offset = 0;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const mrw_scene_material *from = &scene->materials[i];
        const int32_t image = from->base_color_image;
        mrw_material *to = &materials[i];
        memcpy(to->base_color, from->base_color, sizeof(to->base_color));
        to->alpha_cutoff = from->alpha_cutoff;
        to->metallic = from->metallic;
        to->roughness = from->roughness;
        to->base_color_image = image >= 0 ? writer->image_places[image] : -1;
        to->flags = (from->double_sided ? MRW_MATERIAL_DOUBLE_SIDED : 0u) |
                    (from->alpha_blend ? MRW_MATERIAL_ALPHA_BLEND : 0u);
        to->name_offset = write_name(*next_name++, names, &name_offset);
    }
    uint64_t offset = 0;
    for (uint32_t i = 0; i < scene->image_count; i++) {
        if (writer->image_places[i] < 0)
            continue;
        const size_t size = image_size(&scene->images[i]);
        *images++ = (mrw_image){offset, size, write_name(*next_name++, names, &name_offset), 0};
        if (size > 0)
            memcpy(out->data + content->image_bytes_offset + offset, scene->images[i].bytes, size);
        offset += size;
    }
}

static mrw_status write_materials(materials_writer *writer, const mrw_memory_options *memory,
                                  mrwi_arena *scratch, mrw_bytes *out, mrw_error *out_error)
{
    mrwi_materials_content *content = &writer->content;
    mrw_status status = check_materials(writer->scene, out_error);
    if (status == MRW_OK)
        status = plan(writer, scratch, out_error);
    if (status != MRW_OK)
        return status;
    mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(*content));
    content->materials_offset =
        mrwi_asset_layout_section(&layout, content->material_count, sizeof(mrw_material));
    content->images_offset =
        mrwi_asset_layout_section(&layout, content->image_count, sizeof(mrw_image));
    content->names_offset = mrwi_asset_layout_section(&layout, content->names_size_bytes, 1);
    content->image_bytes_offset = mrwi_asset_layout_section(&layout, content->image_size_bytes, 1);
    status = mrwi_asset_alloc(&layout, memory, scratch, out, out_error);
    if (status != MRW_OK)
        return status;
    memcpy(out->data, content, sizeof(*content));
    write_sections(writer, out);
    mrwi_asset_finish(out, MRW_ASSET_MATERIALS, MRW_MATERIALS_VERSION, 0);
    return MRW_OK;
}

mrw_status mrw_build_materials(const mrw_scene *scene, const mrw_memory_options *memory,
                               mrw_bytes *out_materials, mrw_error *out_error)
{
    if (out_materials == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_materials");
    memset(out_materials, 0, sizeof(*out_materials));
    if (scene == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "scene");
    materials_writer writer = {.scene = scene};
    mrwi_arena scratch;
    mrwi_arena_init(&scratch, memory);
    mrw_status status = write_materials(&writer, memory, &scratch, out_materials, out_error);
    mrwi_arena_free(&scratch);
    return status;
}
