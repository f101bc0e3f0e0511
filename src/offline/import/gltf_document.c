/* The document as a whole: is it glTF 2, can it be read, what are its lists. */
#include "offline/import/gltf.h"

#include "base/error.h"

#include <string.h>

/* --- version --------------------------------------------------------------------------------- */

static bool parse_version(const char *text, uint32_t *out_major, uint32_t *out_minor)
{
    uint32_t parts[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        if (*text < '0' || *text > '9')
            return false;
        for (; *text >= '0' && *text <= '9'; text++) {
            parts[i] = parts[i] * 10 + (uint32_t)(*text - '0');
            if (parts[i] > 1000)
                return false;
        }
        if (*text != (i == 0 ? '.' : '\0'))
            return false;
        text += i == 0;
    }
    *out_major = parts[0];
    *out_minor = parts[1];
    return true;
}

/* A version as text "2.0"; false in *out_present if it is not there. */
static mrw_status read_version(mrwi_gltf *gltf, const mrwi_json_value *asset, const char *key,
                               bool *out_present, uint32_t *out_major, uint32_t *out_minor)
{
    const mrwi_json_value *value = mrwi_json_member(&gltf->json, asset, key);
    *out_present = value != NULL;
    if (value == NULL)
        return MRW_OK;
    if (value->type != MRWI_JSON_STRING)
        return mrwi_gltf_fail(gltf, MRW_ERR_WRONG_TYPE, "asset", key, value, "it must be a string");
    const char *text = mrwi_json_string(&gltf->json, value, gltf->scratch, NULL);
    if (text == NULL)
        return mrwi_arena_fail(gltf->scratch, gltf->out_error, key);
    if (!parse_version(text, out_major, out_minor))
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, "asset", key, value,
                              "it must be two numbers with a point between them: \"2.0\"");
    return MRW_OK;
}

static mrw_status check_version(mrwi_gltf *gltf)
{
    const mrwi_json_value *asset;
    bool present;
    uint32_t major = 0;
    uint32_t minor = 0;
    MRWI_TRY(mrwi_gltf_container(gltf, gltf->json.values, "", "asset", MRWI_JSON_OBJECT, &asset));
    MRWI_TRY(read_version(gltf, asset, "version", &present, &major, &minor));
    if (!present)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, "asset", "version", asset,
                              "this required property is missing: is this a glTF file?");
    if (major != 2)
        return mrwi_fail(gltf->out_error, MRW_ERR_BAD_VERSION, "asset.version",
                         "the file is glTF %u.%u; only 2.x is supported: convert it", major, minor);
    if (minor != 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "UNKNOWN_ASSET_MINOR_VERSION",
                           "asset.version", "the version is newer than 2.0; it is read as 2.0", 1);

    uint32_t least_major = 0;
    uint32_t least_minor = 0;
    MRWI_TRY(read_version(gltf, asset, "minVersion", &present, &least_major, &least_minor));
    if (present && (least_major > 2 || (least_major == 2 && least_minor > 0))) {
        if (least_major > major || (least_major == major && least_minor > minor))
            return mrwi_gltf_fail(gltf, MRW_ERR_INCONSISTENT, "asset", "minVersion", asset,
                                  "it is larger than the version");
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "UNKNOWN_ASSET_MINOR_VERSION",
                           "asset.minVersion",
                           "the file asks for a reader of a newer version; it is read as 2.0", 1);
    }
    MRWI_TRY(mrwi_gltf_string(gltf, asset, "generator", &gltf->scene->generator));
    return mrwi_gltf_string(gltf, asset, "copyright", &gltf->scene->copyright);
}

/* --- extensions ------------------------------------------------------------------------------ */

/* Extensions that change nothing of what a scene holds, or that are read. A name that ends in "_"
 * stands for all that begin so. */
static bool is_harmless(const char *name)
{
    static const char *const names[] = {
        "KHR_mesh_quantization", "KHR_materials_",      "KHR_texture_transform",
        "KHR_texture_basisu",    "EXT_texture_webp",    "EXT_texture_avif",
        "MSFT_texture_dds",      "KHR_lights_punctual", "EXT_lights_image_based",
        "EXT_lights_ies",        "KHR_xmp_json_ld",     "KHR_xmp",
        "KHR_techniques_webgl",  "MSFT_packing_",       "AGI_stk_metadata",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t length = strlen(names[i]);
        bool family = names[i][length - 1] == '_';
        if (family ? strncmp(name, names[i], length) == 0 : strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* The list of names `key`; calls `visit` for each. */
typedef mrw_status (*visit_extension)(mrwi_gltf *gltf, const char *name, const char *where);

static mrw_status visit_extensions(mrwi_gltf *gltf, const char *key, visit_extension visit)
{
    const mrwi_json_value *array;
    MRWI_TRY(mrwi_gltf_container(gltf, gltf->json.values, "", key, MRWI_JSON_ARRAY, &array));
    for (uint32_t i = 0; array != NULL && i < array->count; i++) {
        char where[MRWI_GLTF_WHERE];
        mrwi_format(where, sizeof(where), "%s[%u]", key, i);
        const mrwi_json_value *value = mrwi_json_element(&gltf->json, array, i);
        if (value->type != MRWI_JSON_STRING)
            return mrwi_gltf_fail(gltf, MRW_ERR_WRONG_TYPE, where, "", value,
                                  "it must be a string");
        const char *name = mrwi_json_string(&gltf->json, value, gltf->scratch, NULL);
        if (name == NULL)
            return mrwi_arena_fail(gltf->scratch, gltf->out_error, where);
        MRWI_TRY(visit(gltf, name, where));
    }
    return MRW_OK;
}

static mrw_status visit_required(mrwi_gltf *gltf, const char *name, const char *where)
{
    if (is_harmless(name))
        return MRW_OK;
    return mrwi_fail(gltf->out_error, MRW_ERR_UNSUPPORTED_EXTENSION, "%s",
                     "the file cannot be read without the extension %s, which is not supported: "
                     "export it without",
                     where, name);
}

static mrw_status visit_used(mrwi_gltf *gltf, const char *name, const char *where)
{
    if (strcmp(name, "KHR_mesh_quantization") == 0)
        gltf->has_mesh_quantization = true;
    if (is_harmless(name))
        return MRW_OK;
    char message[MRWI_GLTF_WHERE];
    mrwi_format(message, sizeof(message), "the extension %s is not supported; it is ignored", name);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_INFO, "UNSUPPORTED_EXTENSION", where, message, 1);
    return MRW_OK;
}

/* --------------------------------------------------------------------------------------------- */

static mrw_status find_lists(mrwi_gltf *gltf)
{
    for (mrwi_gltf_list list = 0; list < MRWI_GLTF_LIST_COUNT; list++) {
        const char *name = mrwi_gltf_list_name(list);
        const mrwi_json_value *array;
        MRWI_TRY(mrwi_gltf_container(gltf, gltf->json.values, "", name, MRWI_JSON_ARRAY, &array));
        gltf->lists[list] = array;
        gltf->counts[list] = array != NULL ? array->count : 0;
        if (array != NULL && array->count == 0)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "EMPTY_ENTITY", name,
                               "the list is empty; it should be left out", 1);
    }
    return MRW_OK;
}

mrw_status mrwi_gltf_open_document(mrwi_gltf *gltf)
{
    const mrwi_json_value *root = gltf->json.values;
    if (root->type != MRWI_JSON_OBJECT)
        return mrwi_gltf_fail(gltf, MRW_ERR_WRONG_TYPE, "JSON", "", root,
                              "the document must be an object");
    gltf->scene->format = "glTF 2.0";
    MRWI_TRY(check_version(gltf));
    MRWI_TRY(visit_extensions(gltf, "extensionsRequired", visit_required));
    MRWI_TRY(visit_extensions(gltf, "extensionsUsed", visit_used));
    return find_lists(gltf);
}
