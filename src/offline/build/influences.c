/* Influences: from what a file says to what skinning wants.
 *
 * Files name a joint twice, list weights in any order, let them add up to 0.996 because
 * each was rounded to 8 bits, or give a vertex none at all. Skinning takes weights as they
 * are, so all of that is put right here, once, vertex by vertex:
 *
 *     (joint, weight)...  ->  drop what is not positive
 *                         ->  merge the entries of one joint
 *                         ->  sort, the heaviest first; equal weights keep the file's order
 *                         ->  keep the first largest_count
 *                         ->  scale to sum 1
 *
 * Sorting makes pruning a cut, puts the joint that decides the hemisphere of dual quaternions
 * first, and lets a shader with four influences read the first four.
 *
 * Sums are in double, so that "1, rounded" can be told from "not 1" by the tolerance that glTF
 * sets for its weights: 2e-7 for each weight that is not 0. Weights within it are left as
 * they are, bit for bit: scaling them would only add a rounding error of the same size.
 */
#include "offline/build/influences.h"

#include <string.h>

#define TOLERANCE_PER_WEIGHT 2e-7

#define JOINT_NUMBERS 65536

typedef struct influence {
    double weight;
    uint16_t joint;
} influence;

typedef struct influence_gatherer {
    influence *entries; /* of the vertex at hand */
    influence *sorted;  /* room for sorting */
    uint32_t count;
    /* Where in `entries` a joint is: valid if the stamp is the vertex's. A table instead of a
     * search, so that vertices with hundreds of influences stay cheap. */
    uint32_t *stamps;
    uint32_t *places;
    uint32_t stamp;
    bool has_negative;
} influence_gatherer;

static void gather(influence_gatherer *gatherer, const uint16_t *joints, const float *weights,
                   uint32_t count)
{
    gatherer->count = 0;
    gatherer->stamp++;
    gatherer->has_negative = false;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t joint = joints[i];
        if (weights[i] < 0.0f)
            gatherer->has_negative = true;
        if (!(weights[i] > 0.0f))
            continue;
        if (gatherer->stamps[joint] == gatherer->stamp) {
            gatherer->entries[gatherer->places[joint]].weight += (double)weights[i];
            continue;
        }
        gatherer->stamps[joint] = gatherer->stamp;
        gatherer->places[joint] = gatherer->count;
        influence added = {(double)weights[i], joint};
        gatherer->entries[gatherer->count++] = added;
    }
}

/* Merges the neighbouring runs [first, middle) and [middle, end) of `from` into `to`. */
static void merge_runs(const influence *from, influence *to, uint32_t first, uint32_t middle,
                       uint32_t end)
{
    uint32_t left = first;
    uint32_t right = middle;
    for (uint32_t i = first; i < end; i++) {
        bool take_left = left < middle && (right >= end || from[left].weight >= from[right].weight);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

/* Merge sort from below: stable, and n log n however many there are. */
static void sort_heaviest_first(influence_gatherer *gatherer)
{
    uint32_t count = gatherer->count;
    for (uint32_t run = 1; run < count; run *= 2) {
        for (uint32_t first = 0; first < count; first += 2 * run) {
            uint32_t middle = count - first > run ? first + run : count;
            uint32_t end = count - first > 2 * run ? first + 2 * run : count;
            merge_runs(gatherer->entries, gatherer->sorted, first, middle, end);
        }
        influence *swap = gatherer->entries;
        gatherer->entries = gatherer->sorted;
        gatherer->sorted = swap;
    }
}

static double sum_of(const influence *entries, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum += entries[i].weight;
    return sum;
}

/* Whether these weights, written as floats, can stay as they are. */
static bool sum_is_one(const influence *entries, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].weight > 2.0) /* far off, and perhaps too large for a float */
            return false;
        sum += (double)(float)entries[i].weight;
    }
    double tolerance = TOLERANCE_PER_WEIGHT * (double)count;
    return sum >= 1.0 - tolerance && sum <= 1.0 + tolerance;
}

static void count_oddity(uint32_t *count, uint32_t *first_primitive, uint32_t primitive)
{
    if ((*count)++ == 0)
        *first_primitive = primitive;
}

/* Writes one vertex's place of `stride` entries; returns how many of them are in use. */
static uint32_t write_vertex(influence_gatherer *gatherer, uint16_t first_joint, uint32_t primitive,
                             uint32_t stride, uint16_t *joints, float *weights,
                             mrwi_influences *influences)
{
    if (gatherer->has_negative)
        count_oddity(&influences->negative_count, &influences->negative_primitive, primitive);
    if (gatherer->count == 0) {
        count_oddity(&influences->unbound_count, &influences->unbound_primitive, primitive);
        joints[0] = first_joint;
        weights[0] = 1.0f;
        return 1;
    }
    sort_heaviest_first(gatherer);
    double sum = sum_of(gatherer->entries, gatherer->count);
    if (!sum_is_one(gatherer->entries, gatherer->count))
        count_oddity(&influences->scaled_count, &influences->scaled_primitive, primitive);
    uint32_t kept = gatherer->count < stride ? gatherer->count : stride;
    double kept_sum = sum_of(gatherer->entries, kept);
    if (kept < gatherer->count) {
        float pruned = (float)(sum_of(gatherer->entries + kept, gatherer->count - kept) / sum);
        if (pruned > influences->pruned_weight)
            influences->pruned_weight = pruned;
    }
    double divisor = sum_is_one(gatherer->entries, kept) ? 1.0 : kept_sum;
    uint32_t used = 0;
    for (uint32_t i = 0; i < kept; i++) {
        joints[i] = gatherer->entries[i].joint;
        weights[i] = (float)(gatherer->entries[i].weight / divisor);
        /* What is too small for a float beside the others ends the list. */
        if (weights[i] > 0.0f)
            used = i + 1;
        else
            joints[i] = 0;
    }
    return used;
}

/* The widest vertex of any primitive, and all vertices together. */
static void measure(const mrw_scene_mesh *mesh, size_t *out_vertex_count, uint32_t *out_widest)
{
    *out_vertex_count = 0;
    *out_widest = 0;
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        *out_vertex_count += mesh->primitives[p].vertex_count;
        if (mesh->primitives[p].influence_count > *out_widest)
            *out_widest = mesh->primitives[p].influence_count;
    }
}

static bool gatherer_init(influence_gatherer *gatherer, uint32_t widest, mrwi_arena *scratch)
{
    memset(gatherer, 0, sizeof(*gatherer));
    gatherer->entries = mrwi_arena_alloc(scratch, widest, sizeof(influence));
    gatherer->sorted = mrwi_arena_alloc(scratch, widest, sizeof(influence));
    gatherer->stamps = mrwi_arena_alloc(scratch, JOINT_NUMBERS, sizeof(uint32_t));
    gatherer->places = mrwi_arena_alloc(scratch, JOINT_NUMBERS, sizeof(uint32_t));
    return gatherer->entries != NULL && gatherer->sorted != NULL && gatherer->stamps != NULL &&
           gatherer->places != NULL;
}

/* Fills wide arrays of `stride` entries a vertex; returns how many the fullest vertex uses. */
static uint32_t fill_wide(const mrw_scene_mesh *mesh, influence_gatherer *gatherer, uint32_t stride,
                          uint16_t *joints, float *weights, mrwi_influences *influences)
{
    uint32_t fullest = 0;
    size_t place = 0;
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        const mrw_scene_primitive *primitive = &mesh->primitives[p];
        uint32_t width = primitive->influence_count;
        for (size_t v = 0; v < primitive->vertex_count; v++, place += stride) {
            uint16_t first_joint = 0;
            if (width > 0) {
                first_joint = primitive->joints[v * width];
                gather(gatherer, primitive->joints + v * width, primitive->weights + v * width,
                       width);
            } else {
                gatherer->count = 0;
                gatherer->has_negative = false;
            }
            uint32_t used = write_vertex(gatherer, first_joint, p, stride, joints + place,
                                         weights + place, influences);
            if (used > fullest)
                fullest = used;
        }
    }
    return fullest;
}

/* The result with no more room than the fullest vertex needs. */
static bool narrow(size_t vertex_count, uint32_t stride, const uint16_t *joints,
                   const float *weights, mrwi_arena *arena, mrwi_influences *influences)
{
    size_t count = influences->count;
    influences->joints = mrwi_arena_alloc(arena, vertex_count * count, sizeof(*joints));
    influences->weights = mrwi_arena_alloc(arena, vertex_count * count, sizeof(*weights));
    if (influences->joints == NULL || influences->weights == NULL)
        return false;
    for (size_t v = 0; v < vertex_count; v++) {
        memcpy(influences->joints + v * count, joints + v * stride, count * sizeof(*joints));
        memcpy(influences->weights + v * count, weights + v * stride, count * sizeof(*weights));
    }
    return true;
}

static mrw_status build(const mrw_scene_mesh *mesh, uint32_t largest_count, mrwi_arena *arena,
                        mrwi_arena *scratch, mrwi_influences *influences)
{
    size_t vertex_count;
    uint32_t widest;
    measure(mesh, &vertex_count, &widest);
    if (widest == 0 || vertex_count == 0)
        return MRW_OK;
    uint32_t stride = largest_count != 0 && largest_count < widest ? largest_count : widest;
    influence_gatherer gatherer;
    uint16_t *joints = mrwi_arena_alloc(scratch, vertex_count * stride, sizeof(*joints));
    float *weights = mrwi_arena_alloc(scratch, vertex_count * stride, sizeof(*weights));
    if (joints == NULL || weights == NULL || !gatherer_init(&gatherer, widest, scratch))
        return scratch->status;
    influences->count = fill_wide(mesh, &gatherer, stride, joints, weights, influences);
    if (!narrow(vertex_count, stride, joints, weights, arena, influences))
        return arena->status;
    return MRW_OK;
}

mrw_status mrwi_build_influences(const mrw_scene_mesh *mesh, uint32_t largest_count,
                                 mrwi_arena *arena, mrwi_influences *out_influences)
{
    memset(out_influences, 0, sizeof(*out_influences));
    mrwi_arena scratch;
    mrwi_arena_init_scratch(&scratch, arena);
    mrw_status status = build(mesh, largest_count, arena, &scratch, out_influences);
    mrwi_arena_free(&scratch);
    return status;
}
