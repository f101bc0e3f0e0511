/* Images, and the part of materials that a picture of an animation needs.
 *
 * A missing picture never stops an import: the character moves without it. */
#include "offline/import/gltf.h"

#include "base/error.h"

#include <string.h>

/* --- images ---------------------------------------------------------------------------------- */

static mrw_status keep_bytes(mrwi_gltf *gltf, const char *where, const uint8_t *bytes,
                             size_t size_bytes, mrw_scene_image *image)
{
    uint8_t *copy;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, size_bytes, 1, where, &copy));
    if (size_bytes > 0)
        memcpy(copy, bytes, size_bytes);
    image->bytes = copy;
    image->size_bytes = size_bytes;
    return MRW_OK;
}

/* Memory is the one reason that stops everything. */
static bool is_fatal(mrw_status status)
{
    return status == MRW_ERR_OUT_OF_MEMORY || status == MRW_ERR_MEMORY_LIMIT;
}

static bool is_data_uri(const mrwi_gltf *gltf, const mrwi_json_value *uri)
{
    return uri->type == MRWI_JSON_STRING && uri->end - uri->start >= 5 &&
           (memcmp(gltf->json.text + uri->start, "data:", 5) == 0 ||
            memcmp(gltf->json.text + uri->start, "DATA:", 5) == 0);
}

static mrw_status image_from_uri(mrwi_gltf *gltf, const mrwi_json_value *object,
                                 const mrwi_json_value *uri, const char *where,
                                 mrw_scene_image *image)
{
    if (!is_data_uri(gltf, uri))
        MRWI_TRY(mrwi_gltf_string(gltf, object, "uri", &image->uri));
    if (gltf->source->skip_images)
        return MRW_OK;
    const uint8_t *bytes;
    size_t size_bytes;
    mrw_error reason = {0};
    mrwi_gltf quiet = *gltf; /* the reason becomes a diagnostic, no error */
    quiet.out_error = &reason;
    mrw_status status = mrwi_gltf_load_uri(&quiet, uri, where, &bytes, &size_bytes, NULL);
    if (status == MRW_OK)
        return keep_bytes(gltf, where, bytes, size_bytes, image);
    if (is_fatal(status))
        return mrwi_fail(gltf->out_error, status, "%s", "%s", reason.detail, reason.message);
    const char *code = "IO_ERROR";
    if (status == MRW_ERR_EXTERNAL_REFERENCE)
        code = "MRW_EXTERNAL_REFERENCE";
    else if (status == MRW_ERR_INVALID_VALUE || status == MRW_ERR_WRONG_TYPE)
        code = "INVALID_URI";
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, code, reason.detail, reason.message, 1);
    return MRW_OK;
}

static mrw_status image_from_view(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                                  mrw_scene_image *image)
{
    int32_t view_index;
    mrwi_gltf_soft_index(gltf, object, where, "bufferView", MRWI_GLTF_BUFFER_VIEWS, &view_index);
    if (view_index < 0 || gltf->source->skip_images)
        return MRW_OK;
    const mrwi_gltf_view *view = &gltf->views[view_index];
    if (view->bytes != NULL)
        return keep_bytes(gltf, where, view->bytes, (size_t)view->size_bytes, image);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "IO_ERROR", where,
                       "the buffer behind the picture has no data", 1);
    return MRW_OK;
}

static mrw_status import_image(mrwi_gltf *gltf, uint32_t index)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    mrw_scene_image *image = &gltf->scene->images[index];
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_IMAGES, index, &object, where));
    MRWI_TRY(mrwi_gltf_string(gltf, object, "name", &image->name));
    image->uri = "";
    const mrwi_json_value *uri = mrwi_json_member(&gltf->json, object, "uri");
    if (uri != NULL)
        return image_from_uri(gltf, object, uri, where, image);
    if (mrwi_json_member(&gltf->json, object, "bufferView") != NULL)
        return image_from_view(gltf, object, where, image);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ONE_OF_MISMATCH", where,
                       "a picture needs a uri or a bufferView", 1);
    return MRW_OK;
}

mrw_status mrwi_gltf_import_images(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    uint32_t count = gltf->counts[MRWI_GLTF_IMAGES];
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, count, sizeof(*scene->images), "images",
                             &scene->images));
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(import_image(gltf, i));
    scene->image_count = count;
    return MRW_OK;
}

/* --- materials ------------------------------------------------------------------------------- */

static mrw_status read_textures(mrwi_gltf *gltf)
{
    uint32_t count = gltf->counts[MRWI_GLTF_TEXTURES];
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*gltf->image_sources), "textures",
                             &gltf->image_sources));
    for (uint32_t i = 0; i < count; i++) {
        char where[MRWI_GLTF_WHERE];
        const mrwi_json_value *object;
        MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_TEXTURES, i, &object, where));
        mrwi_gltf_soft_index(gltf, object, where, "source", MRWI_GLTF_IMAGES,
                             &gltf->image_sources[i]);
    }
    return MRW_OK;
}

static void clamp_unit(mrwi_gltf *gltf, float *value, const char *where)
{
    if (*value >= 0.0f && *value <= 1.0f)
        return;
    *value = *value < 0.0f ? 0.0f : 1.0f;
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "VALUE_NOT_IN_RANGE", where,
                       "a factor of the material is outside 0 to 1; it is clamped", 1);
}

static mrw_status read_base_color(mrwi_gltf *gltf, const mrwi_json_value *pbr, const char *where,
                                  uint32_t index, mrw_scene_material *material)
{
    const mrwi_json_value *texture;
    char place[MRWI_GLTF_WHERE];
    int32_t texture_index;
    uint64_t set;
    gltf->texcoord_sets[index] = UINT32_MAX;
    MRWI_TRY(mrwi_gltf_container(gltf, pbr, where, "baseColorTexture", MRWI_JSON_OBJECT, &texture));
    if (texture == NULL)
        return MRW_OK;
    mrwi_format(place, sizeof(place), "%s.baseColorTexture", where);
    mrwi_gltf_soft_index(gltf, texture, place, "index", MRWI_GLTF_TEXTURES, &texture_index);
    MRWI_TRY(mrwi_gltf_uint(gltf, texture, place, "texCoord", 0, &set));
    gltf->texcoord_sets[index] = set < UINT32_MAX ? (uint32_t)set : UINT32_MAX - 1;
    if (texture_index >= 0)
        material->base_color_image = gltf->image_sources[texture_index];
    return MRW_OK;
}

static mrw_status read_pbr(mrwi_gltf *gltf, const mrwi_json_value *object, uint32_t index,
                           mrw_scene_material *material)
{
    const mrwi_json_value *pbr;
    char where[MRWI_GLTF_WHERE];
    bool present;
    mrwi_format(where, sizeof(where), "materials[%u]", index);
    MRWI_TRY(
        mrwi_gltf_container(gltf, object, where, "pbrMetallicRoughness", MRWI_JSON_OBJECT, &pbr));
    mrwi_format(where, sizeof(where), "materials[%u].pbrMetallicRoughness", index);
    MRWI_TRY(
        mrwi_gltf_floats(gltf, pbr, where, "baseColorFactor", 4, material->base_color, &present));
    MRWI_TRY(mrwi_gltf_float(gltf, pbr, where, "metallicFactor", &material->metallic));
    MRWI_TRY(mrwi_gltf_float(gltf, pbr, where, "roughnessFactor", &material->roughness));
    for (uint32_t i = 0; i < 4; i++)
        clamp_unit(gltf, &material->base_color[i], where);
    clamp_unit(gltf, &material->metallic, where);
    clamp_unit(gltf, &material->roughness, where);
    return read_base_color(gltf, pbr, where, index, material);
}

static mrw_status read_alpha(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                             mrw_scene_material *material)
{
    const mrwi_json_value *mode = mrwi_json_member(&gltf->json, object, "alphaMode");
    if (mrwi_json_equals(&gltf->json, mode, "BLEND")) {
        material->alpha_blend = true;
    } else if (mrwi_json_equals(&gltf->json, mode, "MASK")) {
        material->alpha_cutoff = 0.5f;
        MRWI_TRY(mrwi_gltf_float(gltf, object, where, "alphaCutoff", &material->alpha_cutoff));
        if (material->alpha_cutoff < 0.0f) {
            material->alpha_cutoff = 0.0f;
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "VALUE_NOT_IN_RANGE", where,
                               "alphaCutoff is negative; it is read as 0", 1);
        }
    } else if (mode != NULL && !mrwi_json_equals(&gltf->json, mode, "OPAQUE")) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "VALUE_NOT_IN_LIST", where,
                           "alphaMode is unknown; the material is opaque", 1);
    }
    return MRW_OK;
}

static mrw_status import_material(mrwi_gltf *gltf, uint32_t index)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    mrw_scene_material *material = &gltf->scene->materials[index];
    mrw_scene_material defaults = {"",  {1.0f, 1.0f, 1.0f, 1.0f}, -1, false, false, 0.0f, 1.0f,
                                   1.0f};
    *material = defaults;
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_MATERIALS, index, &object, where));
    MRWI_TRY(mrwi_gltf_string(gltf, object, "name", &material->name));
    material->double_sided =
        mrwi_json_is_true(&gltf->json, mrwi_json_member(&gltf->json, object, "doubleSided"));
    MRWI_TRY(read_alpha(gltf, object, where, material));
    return read_pbr(gltf, object, index, material);
}

mrw_status mrwi_gltf_import_materials(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    uint32_t count = gltf->counts[MRWI_GLTF_MATERIALS];
    MRWI_TRY(read_textures(gltf));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*gltf->texcoord_sets), "materials",
                             &gltf->texcoord_sets));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, count, sizeof(*scene->materials), "materials",
                             &scene->materials));
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(import_material(gltf, i));
    scene->material_count = count;
    return MRW_OK;
}
