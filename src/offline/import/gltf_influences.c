/* JOINTS_n and WEIGHTS_n of a primitive: all sets side by side, set n in places 4n to 4n + 3.
 *
 * Weights stay as they are in the file, since whoever builds from the scene merges, prunes and
 * scales them; but what is wrong with them is counted here, where the file can still be named. */
#include "offline/import/gltf.h"

#include "base/error.h"

#include <string.h>

#define LARGEST_SET_COUNT 16
#define SET_WIDTH 4

/* "2e-7 times the number of non-zero weights", says section 3.7.3.3 of the specification. */
#define SUM_TOLERANCE 2e-7

typedef struct influence_sets {
    int32_t joints[LARGEST_SET_COUNT]; /* accessor, or -1 */
    int32_t weights[LARGEST_SET_COUNT];
    uint32_t count;
} influence_sets;

/* The number n of "JOINTS_n"; -1 if the key is none of these. */
static int32_t set_number(const mrwi_json *json, const mrwi_json_value *key, const char *prefix)
{
    size_t length = strlen(prefix);
    size_t size = key->end - key->start;
    const char *text = json->text + key->start;
    if (size <= length || memcmp(text, prefix, length) != 0)
        return -1;
    if (size > length + 1 && text[length] == '0')
        return -1;
    int32_t number = 0;
    for (size_t i = length; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        if (number < LARGEST_SET_COUNT)
            number = number * 10 + (text[i] - '0');
    }
    return number;
}

static mrw_status note_set(mrwi_gltf *gltf, const mrwi_json_value *attributes, const char *where,
                           uint32_t key_index, const char *prefix, int32_t *accessors)
{
    const mrwi_json_value *key = mrwi_json_key(&gltf->json, attributes, key_index);
    int32_t number = set_number(&gltf->json, key, prefix);
    if (number < 0)
        return MRW_OK;
    if (number >= LARGEST_SET_COUNT)
        return mrwi_gltf_fail(gltf, MRW_ERR_LIMIT, where, prefix, key,
                              "more than 64 influences per vertex are not supported");
    char place[MRWI_GLTF_WHERE];
    mrwi_format(place, sizeof(place), "%s.%s%d", where, prefix, number);
    return mrwi_gltf_index_value(gltf, mrwi_json_member_at(&gltf->json, attributes, key_index),
                                 place, MRWI_GLTF_ACCESSORS, &accessors[number]);
}

static mrw_status find_sets(mrwi_gltf *gltf, const mrwi_json_value *attributes, const char *where,
                            influence_sets *sets)
{
    memset(sets, 0xff, sizeof(*sets));
    sets->count = 0;
    for (uint32_t i = 0; i < attributes->count; i++) {
        MRWI_TRY(note_set(gltf, attributes, where, i, "JOINTS_", sets->joints));
        MRWI_TRY(note_set(gltf, attributes, where, i, "WEIGHTS_", sets->weights));
    }
    for (uint32_t set = 0; set < LARGEST_SET_COUNT; set++) {
        if ((sets->joints[set] < 0) != (sets->weights[set] < 0)) {
            sets->joints[set] = -1;
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH",
                               where, "joints without weights, or the reverse; they are left out",
                               1);
        }
        if (sets->joints[set] >= 0)
            sets->count = set + 1;
    }
    return MRW_OK;
}

/* --- one set --------------------------------------------------------------------------------- */

static mrw_status check_format(mrwi_gltf *gltf, const mrwi_gltf_accessor *accessor,
                               const char *place, bool good_component, const char *expected,
                               uint32_t vertex_count)
{
    if (!good_component || accessor->component_count != SET_WIDTH || accessor->is_matrix)
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, place, "", NULL, expected);
    if (accessor->count != vertex_count)
        return mrwi_fail(gltf->out_error, MRW_ERR_INCONSISTENT, "%s",
                         "its accessor has %u elements, POSITION has %u", place, accessor->count,
                         vertex_count);
    return MRW_OK;
}

static mrw_status read_set(mrwi_gltf *gltf, const influence_sets *sets, uint32_t set,
                           const char *where, mrw_scene_primitive *primitive)
{
    const mrwi_gltf_accessor *joints;
    const mrwi_gltf_accessor *weights;
    char place[MRWI_GLTF_WHERE];
    MRWI_TRY(mrwi_gltf_accessor_open(gltf, sets->joints[set], &joints));
    MRWI_TRY(mrwi_gltf_accessor_open(gltf, sets->weights[set], &weights));
    mrwi_format(place, sizeof(place), "%s.JOINTS_%u", where, set);
    MRWI_TRY(check_format(gltf, joints, place,
                          joints->component == MRWI_GLTF_UNSIGNED_BYTE ||
                              joints->component == MRWI_GLTF_UNSIGNED_SHORT,
                          "the accessor must be a VEC4 of 8- or 16-bit unsigned integers",
                          primitive->vertex_count));
    mrwi_format(place, sizeof(place), "%s.WEIGHTS_%u", where, set);
    MRWI_TRY(check_format(gltf, weights, place,
                          weights->component == MRWI_GLTF_FLOAT ||
                              ((weights->component == MRWI_GLTF_UNSIGNED_BYTE ||
                                weights->component == MRWI_GLTF_UNSIGNED_SHORT) &&
                               weights->normalized),
                          "the accessor must be a VEC4 of floats or normalized unsigned integers",
                          primitive->vertex_count));
    size_t width = primitive->influence_count;
    for (uint32_t v = 0; v < primitive->vertex_count; v++)
        for (uint32_t c = 0; c < SET_WIDTH; c++)
            primitive->joints[v * width + set * SET_WIDTH + c] =
                (uint16_t)mrwi_gltf_read_uint(joints, v, c);
    mrwi_gltf_read_finite(gltf, sets->weights[set], primitive->influence_count,
                          primitive->weights + (size_t)set * SET_WIDTH);
    return MRW_OK;
}

/* --- what is odd about them ------------------------------------------------------------------ */

typedef struct influence_counts {
    uint32_t negative;
    uint32_t non_normalized; /* vertices */
    uint32_t unused_joints;
    uint32_t duplicate_joints;
} influence_counts;

static bool repeats_joint(const uint16_t *joints, const float *weights, uint32_t place)
{
    for (uint32_t i = 0; i < place; i++)
        if (weights[i] > 0.0f && joints[i] == joints[place])
            return true;
    return false;
}

static void check_vertex(const uint16_t *joints, float *weights, uint32_t width,
                         influence_counts *counts)
{
    double sum = 0.0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < width; i++) {
        if (weights[i] < 0.0f) {
            weights[i] = 0.0f;
            counts->negative++;
        }
        if (weights[i] > 0.0f) {
            sum += (double)weights[i];
            used++;
            counts->duplicate_joints += repeats_joint(joints, weights, i);
        } else {
            counts->unused_joints += joints[i] != 0;
        }
    }
    double tolerance = SUM_TOLERANCE * (double)(used > 0 ? used : 1);
    counts->non_normalized += sum < 1.0 - tolerance || sum > 1.0 + tolerance;
}

static void check_influences(mrwi_gltf *gltf, const char *where, mrw_scene_primitive *primitive)
{
    influence_counts counts = {0};
    size_t width = primitive->influence_count;
    for (size_t v = 0; v < primitive->vertex_count; v++)
        check_vertex(primitive->joints + v * width, primitive->weights + v * width,
                     primitive->influence_count, &counts);
    char weights_place[MRWI_GLTF_WHERE];
    char joints_place[MRWI_GLTF_WHERE];
    mrwi_format(weights_place, sizeof(weights_place), "%s.WEIGHTS_0", where);
    mrwi_format(joints_place, sizeof(joints_place), "%s.JOINTS_0", where);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_WEIGHTS_NEGATIVE", weights_place,
                       "a weight is negative; it is read as 0", counts.negative);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_WEIGHTS_NON_NORMALIZED", weights_place,
                       "the weights of a vertex do not add up to 1; they are scaled when a "
                       "character is built",
                       counts.non_normalized);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "ACCESSOR_JOINTS_USED_ZERO_WEIGHT", joints_place,
                       "a joint is named with weight 0; it should be joint 0",
                       counts.unused_joints);
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_JOINTS_INDEX_DUPLICATE", joints_place,
                       "a vertex names a joint twice; its weights are added up",
                       counts.duplicate_joints);
}

mrw_status mrwi_gltf_import_influences(mrwi_gltf *gltf, const mrwi_json_value *attributes,
                                       const char *where, mrw_scene_primitive *primitive)
{
    influence_sets sets;
    MRWI_TRY(find_sets(gltf, attributes, where, &sets));
    if (sets.count == 0)
        return MRW_OK;
    primitive->influence_count = sets.count * SET_WIDTH;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, primitive->vertex_count,
                             primitive->influence_count * sizeof(uint16_t), where,
                             &primitive->joints));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, primitive->vertex_count,
                             primitive->influence_count * sizeof(float), where,
                             &primitive->weights));
    for (uint32_t set = 0; set < sets.count; set++)
        if (sets.joints[set] >= 0)
            MRWI_TRY(read_set(gltf, &sets, set, where, primitive));
    check_influences(gltf, where, primitive);
    return MRW_OK;
}
