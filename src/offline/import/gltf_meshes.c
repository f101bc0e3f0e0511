/* Meshes: the vertices of each primitive as plain arrays of floats. */
#include "offline/import/gltf.h"

#include "base/error.h"

#include <string.h>

/* A length may be off by what 8-bit storage loses: sqrt(3) / 2 / 127, the validator's limit too. */
#define UNIT_LENGTH_TOLERANCE 0.00674

/* An attribute: its name and what its accessor may be. */
typedef struct attribute_rule {
    const char *name;
    uint32_t least_components;
    uint32_t most_components;
    uint32_t width;       /* floats a vertex in the scene */
    bool needs_extension; /* integers are allowed by KHR_mesh_quantization only */
} attribute_rule;

static const attribute_rule position_rule = {"POSITION", 3, 3, 3, true};
static const attribute_rule normal_rule = {"NORMAL", 3, 3, 3, true};
static const attribute_rule tangent_rule = {"TANGENT", 4, 4, 4, true};
static const attribute_rule target_tangent_rule = {"TANGENT", 3, 3, 3, true};
static const attribute_rule color_rule = {"COLOR_0", 3, 4, 4, false};

static mrw_status check_attribute(mrwi_gltf *gltf, const char *place, const attribute_rule *rule,
                                  const mrwi_gltf_accessor *accessor)
{
    bool good_count = accessor->component_count >= rule->least_components &&
                      accessor->component_count <= rule->most_components;
    if (!good_count || accessor->is_matrix || accessor->component == MRWI_GLTF_UNSIGNED_INT)
        return mrwi_fail(gltf->out_error, MRW_ERR_INVALID_VALUE, "%s",
                         "the accessor must be a VEC%u of floats or of 8- or 16-bit integers",
                         place, rule->least_components);
    bool integer = accessor->component != MRWI_GLTF_FLOAT;
    if (integer && !gltf->has_mesh_quantization && (rule->needs_extension || !accessor->normalized))
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR,
                           "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", place,
                           "integers are not allowed here without KHR_mesh_quantization", 1);
    return MRW_OK;
}

/* Reads attribute `rule` of the object; *out is NULL if it has none. vertex_count of 0 with
 * *out_count not NULL: the attribute that sets the number of vertices. */
static mrw_status read_attribute(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                                 const attribute_rule *rule, uint32_t vertex_count,
                                 uint32_t *out_count, float **out)
{
    int32_t index;
    const mrwi_gltf_accessor *accessor;
    char place[MRWI_GLTF_WHERE];
    *out = NULL;
    MRWI_TRY(mrwi_gltf_index(gltf, object, where, rule->name, MRWI_GLTF_ACCESSORS, &index));
    if (index < 0)
        return MRW_OK;
    mrwi_format(place, sizeof(place), "%s.%s", where, rule->name);
    MRWI_TRY(mrwi_gltf_accessor_open(gltf, index, &accessor));
    MRWI_TRY(check_attribute(gltf, place, rule, accessor));
    if (out_count != NULL)
        *out_count = accessor->count;
    else if (accessor->count != vertex_count)
        return mrwi_fail(gltf->out_error, MRW_ERR_INCONSISTENT, "%s",
                         "its accessor has %u elements, POSITION has %u", place, accessor->count,
                         vertex_count);
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, accessor->count, rule->width * sizeof(float), place,
                             out));
    mrwi_gltf_read_finite(gltf, index, rule->width, *out);
    if (accessor->component_count < rule->width)
        for (size_t i = 0; i < accessor->count; i++)
            (*out)[i * rule->width + rule->width - 1] = 1.0f; /* alpha */
    return MRW_OK;
}

/* --- what is odd about vertices --------------------------------------------------------------- */

static void check_unit_vectors(mrwi_gltf *gltf, const char *where, const char *name,
                               const float *vectors, uint32_t width, uint32_t count)
{
    uint32_t bad_count = 0;
    for (size_t i = 0; vectors != NULL && i < count; i++) {
        const float *v = vectors + i * width;
        double squared =
            (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
        double low = 1.0 - UNIT_LENGTH_TOLERANCE;
        double high = 1.0 + UNIT_LENGTH_TOLERANCE;
        bad_count += squared < low * low || squared > high * high;
    }
    char place[MRWI_GLTF_WHERE];
    mrwi_format(place, sizeof(place), "%s.%s", where, name);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_VECTOR3_NON_UNIT", place,
                       "a vector is not of unit length; skinning normalises it", bad_count);
}

static void repair_handedness(mrwi_gltf *gltf, const char *where, float *tangents, uint32_t count)
{
    uint32_t bad_count = 0;
    for (size_t i = 0; tangents != NULL && i < count; i++) {
        float *sign = &tangents[i * 4 + 3];
        if (*sign != 1.0f && *sign != -1.0f) {
            *sign = *sign < 0.0f ? -1.0f : 1.0f;
            bad_count++;
        }
    }
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_INVALID_SIGN", where,
                       "the fourth component of a tangent is neither 1 nor -1; its sign counts",
                       bad_count);
}

static void clamp_colors(mrwi_gltf *gltf, const char *where, float *colors, uint32_t count)
{
    uint32_t bad_count = 0;
    for (size_t i = 0; colors != NULL && i < (size_t)count * 4; i++) {
        if (colors[i] < 0.0f || colors[i] > 1.0f) {
            colors[i] = colors[i] < 0.0f ? 0.0f : 1.0f;
            bad_count++;
        }
    }
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_NON_CLAMPED", where,
                       "a colour is outside 0 to 1; it is clamped", bad_count);
}

/* --- primitives ------------------------------------------------------------------------------- */

static mrw_status read_texcoords(mrwi_gltf *gltf, const mrwi_json_value *attributes,
                                 const char *where, mrw_scene_primitive *primitive)
{
    char name[32];
    int32_t material = primitive->material;
    uint32_t set = material >= 0 ? gltf->texcoord_sets[material] : UINT32_MAX;
    bool needed = set != UINT32_MAX;
    mrwi_format(name, sizeof(name), "TEXCOORD_%u", needed ? set : 0);
    attribute_rule rule = {name, 2, 2, 2, false};
    MRWI_TRY(read_attribute(gltf, attributes, where, &rule, primitive->vertex_count, NULL,
                            &primitive->texcoords));
    if (needed && primitive->texcoords == NULL)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", where,
                           "the texture of the material's base colour needs texture coordinates "
                           "that are not there",
                           1);
    return MRW_OK;
}

static mrw_status read_vertices(mrwi_gltf *gltf, const mrwi_json_value *attributes,
                                const char *where, mrw_scene_primitive *primitive)
{
    uint32_t count = primitive->vertex_count;
    MRWI_TRY(
        read_attribute(gltf, attributes, where, &normal_rule, count, NULL, &primitive->normals));
    MRWI_TRY(
        read_attribute(gltf, attributes, where, &tangent_rule, count, NULL, &primitive->tangents));
    MRWI_TRY(read_attribute(gltf, attributes, where, &color_rule, count, NULL, &primitive->colors));
    MRWI_TRY(read_texcoords(gltf, attributes, where, primitive));
    check_unit_vectors(gltf, where, "NORMAL", primitive->normals, 3, count);
    check_unit_vectors(gltf, where, "TANGENT", primitive->tangents, 4, count);
    repair_handedness(gltf, where, primitive->tangents, count);
    clamp_colors(gltf, where, primitive->colors, count);
    return mrwi_gltf_import_influences(gltf, attributes, where, primitive);
}

/* A difference to nothing. */
static void drop_baseless(mrwi_gltf *gltf, const char *where, const float *base, float **difference)
{
    if (base != NULL || *difference == NULL)
        return;
    *difference = NULL;
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR",
                       where,
                       "a morph target changes an attribute that the primitive does not have; that "
                       "part is left out",
                       1);
}

static mrw_status read_targets(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                               uint32_t target_count, mrw_scene_primitive *primitive)
{
    const mrwi_json_value *array;
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "targets", MRWI_JSON_ARRAY, &array));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, target_count, sizeof(*primitive->targets), where,
                             &primitive->targets));
    uint32_t own_count = array != NULL ? array->count : 0;
    if (own_count < target_count)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", where,
                           "a primitive has fewer morph targets than others of its mesh; the "
                           "missing ones do nothing",
                           1);
    for (uint32_t i = 0; i < own_count; i++) {
        char place[MRWI_GLTF_WHERE];
        const mrwi_json_value *target;
        mrw_scene_target *out = &primitive->targets[i];
        mrwi_format(place, sizeof(place), "%s.targets[%u]", where, i);
        MRWI_TRY(mrwi_gltf_object_at(gltf, array, place, i, &target));
        MRWI_TRY(read_attribute(gltf, target, place, &position_rule, primitive->vertex_count, NULL,
                                &out->positions));
        MRWI_TRY(read_attribute(gltf, target, place, &normal_rule, primitive->vertex_count, NULL,
                                &out->normals));
        MRWI_TRY(read_attribute(gltf, target, place, &target_tangent_rule, primitive->vertex_count,
                                NULL, &out->tangents));
        drop_baseless(gltf, place, primitive->normals, &out->normals);
        drop_baseless(gltf, place, primitive->tangents, &out->tangents);
    }
    return MRW_OK;
}

/* *out_kept is false for a primitive without positions: there is nothing to draw. */
static mrw_status import_primitive(mrwi_gltf *gltf, const mrwi_json_value *object,
                                   const char *where, uint32_t target_count,
                                   mrw_scene_primitive *primitive, bool *out_kept)
{
    const mrwi_json_value *attributes;
    char place[MRWI_GLTF_WHERE];
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "attributes", MRWI_JSON_OBJECT, &attributes));
    if (attributes == NULL)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, where, "attributes", object,
                              "this required property is missing");
    mrwi_format(place, sizeof(place), "%s.attributes", where);
    MRWI_TRY(read_attribute(gltf, attributes, place, &position_rule, 0, &primitive->vertex_count,
                            &primitive->positions));
    *out_kept = primitive->positions != NULL;
    if (!*out_kept) {
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "MESH_PRIMITIVE_NO_POSITION", place,
                           "a primitive has no positions; it is left out", 1);
        return MRW_OK;
    }
    mrwi_gltf_soft_index(gltf, object, where, "material", MRWI_GLTF_MATERIALS,
                         &primitive->material);
    MRWI_TRY(read_vertices(gltf, attributes, place, primitive));
    MRWI_TRY(mrwi_gltf_import_indices(gltf, object, where, primitive));
    return read_targets(gltf, object, where, target_count, primitive);
}

/* --- meshes ----------------------------------------------------------------------------------- */

/* Exporters keep the names of targets where the specification suggests it. */
static mrw_status read_target_names(mrwi_gltf *gltf, const mrwi_json_value *object,
                                    mrw_scene_mesh *mesh)
{
    const mrwi_json_value *extras = mrwi_json_member(&gltf->json, object, "extras");
    const mrwi_json_value *names = mrwi_json_member(&gltf->json, extras, "targetNames");
    for (uint32_t i = 0; i < mesh->target_count; i++) {
        mesh->target_names[i] = "";
        const mrwi_json_value *name = mrwi_json_element(&gltf->json, names, i);
        if (!mrwi_json_is(name, MRWI_JSON_STRING))
            continue;
        mesh->target_names[i] = mrwi_json_string(&gltf->json, name, gltf->arena, NULL);
        if (mesh->target_names[i] == NULL)
            return mrwi_arena_fail(gltf->arena, gltf->out_error, "targetNames");
    }
    return MRW_OK;
}

static mrw_status read_target_weights(mrwi_gltf *gltf, const mrwi_json_value *object,
                                      const char *where, mrw_scene_mesh *mesh)
{
    const mrwi_json_value *weights;
    char place[MRWI_GLTF_WHERE];
    mrwi_format(place, sizeof(place), "%s.weights", where);
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "weights", MRWI_JSON_ARRAY, &weights));
    if (weights == NULL)
        return MRW_OK;
    if (weights->count != mesh->target_count)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "MESH_INVALID_WEIGHTS_COUNT", place,
                           "there are not as many weights as morph targets; missing ones are 0", 1);
    for (uint32_t i = 0; i < weights->count && i < mesh->target_count; i++)
        MRWI_TRY(mrwi_gltf_float_value(gltf, mrwi_json_element(&gltf->json, weights, i), place, i,
                                       &mesh->target_weights[i]));
    return MRW_OK;
}

static uint32_t count_targets(const mrwi_gltf *gltf, const mrwi_json_value *primitives)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < primitives->count; i++) {
        const mrwi_json_value *primitive = mrwi_json_element(&gltf->json, primitives, i);
        const mrwi_json_value *targets = mrwi_json_member(&gltf->json, primitive, "targets");
        if (mrwi_json_is(targets, MRWI_JSON_ARRAY) && targets->count > most)
            most = targets->count;
    }
    return most;
}

static mrw_status import_mesh(mrwi_gltf *gltf, uint32_t index)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    const mrwi_json_value *primitives;
    mrw_scene_mesh *mesh = &gltf->scene->meshes[index];
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_MESHES, index, &object, where));
    MRWI_TRY(mrwi_gltf_string(gltf, object, "name", &mesh->name));
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "primitives", MRWI_JSON_ARRAY, &primitives));
    if (primitives == NULL)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, where, "primitives", object,
                              "this required property is missing");
    if (primitives->count == 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "EMPTY_ENTITY", where,
                           "the mesh has no primitives", 1);
    mesh->target_count = count_targets(gltf, primitives);
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, primitives->count, sizeof(*mesh->primitives), where,
                             &mesh->primitives));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, mesh->target_count, sizeof(*mesh->target_names),
                             where, &mesh->target_names));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, mesh->target_count, sizeof(*mesh->target_weights),
                             where, &mesh->target_weights));
    MRWI_TRY(read_target_names(gltf, object, mesh));
    MRWI_TRY(read_target_weights(gltf, object, where, mesh));
    for (uint32_t i = 0; i < primitives->count; i++) {
        char place[MRWI_GLTF_WHERE];
        const mrwi_json_value *primitive;
        bool kept = false;
        mrwi_format(place, sizeof(place), "%s.primitives[%u]", where, i);
        MRWI_TRY(mrwi_gltf_object_at(gltf, primitives, place, i, &primitive));
        MRWI_TRY(import_primitive(gltf, primitive, place, mesh->target_count,
                                  &mesh->primitives[mesh->primitive_count], &kept));
        mesh->primitive_count += kept;
    }
    return MRW_OK;
}

mrw_status mrwi_gltf_import_meshes(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    uint32_t count = gltf->counts[MRWI_GLTF_MESHES];
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, count, sizeof(*scene->meshes), "meshes",
                             &scene->meshes));
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(import_mesh(gltf, i));
    scene->mesh_count = count;
    return MRW_OK;
}
