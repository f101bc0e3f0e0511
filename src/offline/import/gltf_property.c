#include "offline/import/gltf.h"

#include "base/error.h"
#include "offline/read/text_place.h"
#include "offline/scene/owner.h"

#include <string.h>

/* The largest whole number up to which every one is a double. */
#define LARGEST_WHOLE 9007199254740992.0
#define LARGEST_FLOAT 3.4028234663852886e38

static const char *dot(const char *where)
{
    return where[0] != '\0' ? "." : "";
}

/* Line and column help in a text; in a .glb only the offset can be looked at. */
static void set_place(const mrwi_gltf *gltf, const mrwi_json_value *value)
{
    if (value == NULL || gltf->out_error == NULL)
        return;
    if (gltf->is_glb)
        gltf->out_error->offset = gltf->json_offset + value->start;
    else
        mrwi_text_set_place(gltf->json.text, value->start, gltf->out_error);
}

mrw_status mrwi_gltf_fail(const mrwi_gltf *gltf, mrw_status status, const char *where,
                          const char *key, const mrwi_json_value *value, const char *message)
{
    mrwi_fail(gltf->out_error, status, "%s%s%s", "%s", where, key[0] != '\0' ? dot(where) : "", key,
              message);
    set_place(gltf, value);
    return status;
}

const char *mrwi_gltf_list_name(mrwi_gltf_list list)
{
    static const char *const names[MRWI_GLTF_LIST_COUNT] = {
        "accessors", "animations", "buffers", "bufferViews", "images",  "materials",
        "meshes",    "nodes",      "scenes",  "skins",       "textures"};
    return names[list];
}

static mrw_status fail_type(const mrwi_gltf *gltf, const char *where, const char *key,
                            const mrwi_json_value *value, const char *expected)
{
    mrwi_fail(gltf->out_error, MRW_ERR_WRONG_TYPE, "%s%s%s", "it must be %s", where,
              key[0] != '\0' ? dot(where) : "", key, expected);
    set_place(gltf, value);
    return MRW_ERR_WRONG_TYPE;
}

mrw_status mrwi_gltf_item(const mrwi_gltf *gltf, mrwi_gltf_list list, uint32_t index,
                          const mrwi_json_value **out_object, char out_where[MRWI_GLTF_WHERE])
{
    mrwi_format(out_where, MRWI_GLTF_WHERE, "%s[%u]", mrwi_gltf_list_name(list), index);
    *out_object = mrwi_json_element(&gltf->json, gltf->lists[list], index);
    if (!mrwi_json_is(*out_object, MRWI_JSON_OBJECT))
        return fail_type(gltf, out_where, "", *out_object, "an object");
    return MRW_OK;
}

mrw_status mrwi_gltf_container(const mrwi_gltf *gltf, const mrwi_json_value *object,
                               const char *where, const char *key, mrwi_json_type type,
                               const mrwi_json_value **out_value)
{
    *out_value = mrwi_json_member(&gltf->json, object, key);
    if (*out_value == NULL || (*out_value)->type == type)
        return MRW_OK;
    return fail_type(gltf, where, key, *out_value,
                     type == MRWI_JSON_ARRAY ? "an array" : "an object");
}

mrw_status mrwi_gltf_object_at(const mrwi_gltf *gltf, const mrwi_json_value *array,
                               const char *where, uint32_t index,
                               const mrwi_json_value **out_object)
{
    *out_object = mrwi_json_element(&gltf->json, array, index);
    if (mrwi_json_is(*out_object, MRWI_JSON_OBJECT))
        return MRW_OK;
    return fail_type(gltf, where, "", *out_object, "an object");
}

/* --- whole numbers ------------------------------------------------------------------------- */

static bool whole_number(const mrwi_gltf *gltf, const mrwi_json_value *value, uint64_t *out_number)
{
    double number;
    if (!mrwi_json_number(&gltf->json, value, &number))
        return false;
    if (!(number >= 0.0 && number <= LARGEST_WHOLE))
        return false;
    *out_number = (uint64_t)number;
    return (double)*out_number == number;
}

mrw_status mrwi_gltf_uint(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                          const char *key, uint64_t fallback, uint64_t *out_number)
{
    *out_number = fallback;
    const mrwi_json_value *value = mrwi_json_member(&gltf->json, object, key);
    if (value == NULL || whole_number(gltf, value, out_number))
        return MRW_OK;
    if (value->type != MRWI_JSON_NUMBER)
        return fail_type(gltf, where, key, value, "a number");
    return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, key, value,
                          "it must be a whole number from 0 to 2^53");
}

mrw_status mrwi_gltf_required_uint(const mrwi_gltf *gltf, const mrwi_json_value *object,
                                   const char *where, const char *key, uint64_t *out_number)
{
    if (mrwi_json_member(&gltf->json, object, key) == NULL)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, where, key, object,
                              "this required property is missing");
    return mrwi_gltf_uint(gltf, object, where, key, 0, out_number);
}

/* --- indices ------------------------------------------------------------------------------- */

static mrw_status check_index(const mrwi_gltf *gltf, const mrwi_json_value *value,
                              const char *where, const char *key, mrwi_gltf_list list,
                              int32_t *out_index)
{
    uint64_t number;
    if (!whole_number(gltf, value, &number)) {
        if (value->type != MRWI_JSON_NUMBER)
            return fail_type(gltf, where, key, value, "a number");
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, key, value,
                              "an index must be a whole number and not negative");
    }
    if (number >= gltf->counts[list]) {
        mrwi_fail(gltf->out_error, MRW_ERR_INDEX_RANGE, "%s%s%s",
                  "%z of %u: the file has no such entry in its %s", where,
                  key[0] != '\0' ? dot(where) : "", key, number, gltf->counts[list],
                  mrwi_gltf_list_name(list));
        set_place(gltf, value);
        return MRW_ERR_INDEX_RANGE;
    }
    *out_index = (int32_t)number;
    return MRW_OK;
}

mrw_status mrwi_gltf_index(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                           const char *key, mrwi_gltf_list list, int32_t *out_index)
{
    *out_index = -1;
    const mrwi_json_value *value = mrwi_json_member(&gltf->json, object, key);
    if (value == NULL)
        return MRW_OK;
    return check_index(gltf, value, where, key, list, out_index);
}

mrw_status mrwi_gltf_required_index(const mrwi_gltf *gltf, const mrwi_json_value *object,
                                    const char *where, const char *key, mrwi_gltf_list list,
                                    int32_t *out_index)
{
    MRWI_TRY(mrwi_gltf_index(gltf, object, where, key, list, out_index));
    if (*out_index >= 0)
        return MRW_OK;
    return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, where, key, object,
                          "this required property is missing");
}

mrw_status mrwi_gltf_index_value(const mrwi_gltf *gltf, const mrwi_json_value *value,
                                 const char *where, mrwi_gltf_list list, int32_t *out_index)
{
    return check_index(gltf, value, where, "", list, out_index);
}

void mrwi_gltf_soft_index(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                          const char *key, mrwi_gltf_list list, int32_t *out_index)
{
    *out_index = -1;
    const mrwi_json_value *value = mrwi_json_member(&gltf->json, object, key);
    if (value == NULL)
        return;
    uint64_t number;
    if (whole_number(gltf, value, &number) && number < gltf->counts[list]) {
        *out_index = (int32_t)number;
        return;
    }
    char place[MRWI_GLTF_WHERE];
    char message[MRWI_GLTF_WHERE];
    mrwi_format(place, sizeof(place), "%s%s%s", where, dot(where), key);
    mrwi_format(message, sizeof(message), "it names nothing in %s, which has %u; it is left out",
                mrwi_gltf_list_name(list), gltf->counts[list]);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "UNRESOLVED_REFERENCE", place, message, 1);
}

/* --- floats -------------------------------------------------------------------------------- */

static mrw_status check_float(const mrwi_gltf *gltf, const mrwi_json_value *value,
                              const char *where, const char *key, float *out_number)
{
    double number;
    if (!mrwi_json_number(&gltf->json, value, &number))
        return fail_type(gltf, where, key, value, "a number");
    if (!(number >= -LARGEST_FLOAT && number <= LARGEST_FLOAT))
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, key, value,
                              "the number is too large for single precision");
    *out_number = (float)number;
    return MRW_OK;
}

mrw_status mrwi_gltf_float(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                           const char *key, float *out_number)
{
    const mrwi_json_value *value = mrwi_json_member(&gltf->json, object, key);
    if (value == NULL)
        return MRW_OK;
    return check_float(gltf, value, where, key, out_number);
}

mrw_status mrwi_gltf_float_value(const mrwi_gltf *gltf, const mrwi_json_value *value,
                                 const char *where, uint32_t index, float *out_number)
{
    char place[MRWI_GLTF_WHERE];
    mrwi_format(place, sizeof(place), "%s[%u]", where, index);
    return check_float(gltf, value, place, "", out_number);
}

mrw_status mrwi_gltf_floats(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                            const char *key, uint32_t count, float *out_numbers, bool *out_present)
{
    const mrwi_json_value *array;
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, key, MRWI_JSON_ARRAY, &array));
    *out_present = array != NULL;
    if (array == NULL)
        return MRW_OK;
    if (array->count != count) {
        mrwi_fail(gltf->out_error, MRW_ERR_INVALID_VALUE, "%s%s%s",
                  "it has %u numbers where %u belong", where, dot(where), key, array->count, count);
        set_place(gltf, array);
        return MRW_ERR_INVALID_VALUE;
    }
    char place[MRWI_GLTF_WHERE];
    mrwi_format(place, sizeof(place), "%s%s%s", where, dot(where), key);
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(mrwi_gltf_float_value(gltf, mrwi_json_element(&gltf->json, array, i), place, i,
                                       &out_numbers[i]));
    return MRW_OK;
}

/* --- strings, diagnostics, memory ----------------------------------------------------------- */

mrw_status mrwi_gltf_string(const mrwi_gltf *gltf, const mrwi_json_value *object, const char *key,
                            const char **out_string)
{
    *out_string = "";
    const mrwi_json_value *value = mrwi_json_member(&gltf->json, object, key);
    if (!mrwi_json_is(value, MRWI_JSON_STRING))
        return MRW_OK;
    const char *copy = mrwi_json_string(&gltf->json, value, gltf->arena, NULL);
    if (copy == NULL)
        return mrwi_arena_fail(gltf->arena, gltf->out_error, key);
    *out_string = copy;
    return MRW_OK;
}

void mrwi_gltf_diagnose(mrwi_gltf *gltf, mrw_severity severity, const char *code, const char *where,
                        const char *message, uint32_t count)
{
    if (!mrwi_scene_diagnose_times(gltf->scene, severity, code, where, message, count))
        gltf->diagnose_failed = true;
}

mrw_status mrwi_gltf_alloc(const mrwi_gltf *gltf, mrwi_arena *arena, size_t count,
                           size_t size_bytes, const char *where, void *out)
{
    void *memory = mrwi_arena_alloc(arena, count, size_bytes);
    memcpy(out, &memory, sizeof(memory));
    return memory != NULL ? MRW_OK : mrwi_arena_fail(arena, gltf->out_error, where);
}
