#include "core/viewer_crowd.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_ALIGNMENT 64u
#define LARGEST_ARRAY                                                                              \
    ((size_t)1 << 30) /* bytes: more is a mistake, and no graphics card takes it */
#define GAP 1.15f     /* from one character's middle to the next, in sizes of a character */

struct view_crowd {
    const mrw_character *character;
    uint32_t count;
    float spacing;
    view_bounds bounds; /* of one */
    view_posed worker;  /* evaluates one after the other */
    mrw_mat34 *palette; /* the arrays of view_crowd_data */
    mrw_dual_quat *dual_quats;
    mrw_mat34 *stretches;
    float *scalars;
};

/* [count * per_character], aligned and never of size 0. NULL if memory runs out. */
static void *make_array(uint32_t count, uint32_t per_character, size_t size_bytes)
{
    uint64_t elements = (uint64_t)count * per_character;
    if (elements > LARGEST_ARRAY / size_bytes)
        return NULL;
    size_t bytes = (size_t)elements * size_bytes;
    return aligned_alloc(ARRAY_ALIGNMENT, (bytes / ARRAY_ALIGNMENT + 1) * ARRAY_ALIGNMENT);
}

static float spacing_of(const view_bounds *bounds)
{
    float x = bounds->max.x - bounds->min.x, z = bounds->max.z - bounds->min.z;
    float size = x > z ? x : z;
    return size > 1e-6f && size < 1e18f ? GAP * size : 1.0f;
}

view_crowd *view_crowd_create(const mrw_character *character, uint32_t count,
                              const view_bounds *bounds)
{
    view_crowd *crowd = calloc(1, sizeof(*crowd));
    if (crowd == NULL)
        return NULL;
    crowd->character = character;
    crowd->count = count > 0 ? count : 1;
    crowd->spacing = spacing_of(bounds);
    crowd->bounds = *bounds;
    uint32_t palette_count = character->palette_count;
    crowd->palette = make_array(crowd->count, palette_count, sizeof(*crowd->palette));
    crowd->dual_quats = make_array(crowd->count, palette_count, sizeof(*crowd->dual_quats));
    crowd->stretches = make_array(crowd->count, palette_count, sizeof(*crowd->stretches));
    crowd->scalars = make_array(crowd->count, character->skeleton.scalar_count, sizeof(float));
    if (crowd->palette == NULL || crowd->dual_quats == NULL || crowd->stretches == NULL ||
        crowd->scalars == NULL || view_posed_create(character, &crowd->worker) != MRW_OK ||
        view_crowd_update(crowd, &crowd->worker, 0.0, true) != MRW_OK) {
        view_crowd_free(crowd);
        return NULL;
    }
    return crowd;
}

void view_crowd_free(view_crowd *crowd)
{
    if (crowd == NULL)
        return;
    view_posed_free(&crowd->worker);
    free(crowd->palette);
    free(crowd->dual_quats);
    free(crowd->stretches);
    free(crowd->scalars);
    free(crowd);
}

/* Cell i of a spiral around the first: any number of them makes a square, or nearly. Ring r
 * holds 8 r cells, four sides of 2 r, after the (2 r - 1)^2 of the rings within. */
static void spiral_cell(uint32_t i, int32_t *out_column, int32_t *out_row)
{
    int32_t ring = 0;
    uint32_t first = 0;
    while (i >= first + (ring == 0 ? 1 : 8 * (uint32_t)ring)) {
        first += ring == 0 ? 1 : 8 * (uint32_t)ring;
        ring++;
    }
    *out_column = 0;
    *out_row = 0;
    if (ring == 0)
        return;
    int32_t side = (int32_t)((i - first) / (2 * (uint32_t)ring));
    int32_t along = (int32_t)((i - first) % (2 * (uint32_t)ring));
    switch (side) {
    case 0:
        *out_column = along - ring;
        *out_row = -ring;
        break;
    case 1:
        *out_column = ring;
        *out_row = along - ring;
        break;
    case 2:
        *out_column = ring - along;
        *out_row = ring;
        break;
    default:
        *out_column = -ring;
        *out_row = ring - along;
        break;
    }
}

mrw_vec3 view_crowd_place(const view_crowd *crowd, uint32_t i)
{
    int32_t column, row;
    spiral_cell(i, &column, &row);
    mrw_vec3 place = {(float)column * crowd->spacing, 0.0f, (float)row * crowd->spacing};
    return place;
}

/* Multiples of the golden ratio, without their whole part, fill [0, 1) evenly however many there
 * are. */
static double phase_of(uint32_t i)
{
    double turns = (double)i * 0.6180339887498949;
    return turns - (double)(uint32_t)turns;
}

static mrw_status sample(view_crowd *crowd, uint32_t i, double time_s)
{
    const mrw_character *character = crowd->character;
    if (character->clip_count == 0)
        return view_posed_sample(&crowd->worker, -1, 0.0, -1, 0.0, 0.0f, false);
    int32_t clip = (int32_t)(i % character->clip_count);
    double start_s = phase_of(i) * (double)character->clips[clip].duration_s;
    return view_posed_sample(&crowd->worker, clip, time_s + start_s, -1, 0.0, 0.0f, true);
}

static void copy_first(view_crowd *crowd, const view_posed *first)
{
    size_t count = crowd->character->palette_count;
    memcpy(crowd->palette, first->palette, count * sizeof(*crowd->palette));
    memcpy(crowd->dual_quats, first->dual_quats, count * sizeof(*crowd->dual_quats));
    memcpy(crowd->stretches, first->stretches, count * sizeof(*crowd->stretches));
    memcpy(crowd->scalars, first->pose.scalars,
           crowd->character->skeleton.scalar_count * sizeof(float));
}

static mrw_status evaluate(view_crowd *crowd, uint32_t i, double time_s, bool dual_quats)
{
    size_t first = (size_t)i * crowd->character->palette_count;
    size_t scalar_count = crowd->character->skeleton.scalar_count;
    mrw_vec3 place = view_crowd_place(crowd, i);
    mrw_mat34 root = mrw_mat34_identity();
    root.m[0][3] = place.x;
    root.m[2][3] = place.z;
    bool has_stretch;
    mrw_status status = sample(crowd, i, time_s);
    if (status == MRW_OK)
        status = view_posed_place(&crowd->worker, &root, crowd->palette + first,
                                  dual_quats ? crowd->dual_quats + first : NULL,
                                  crowd->stretches + first, &has_stretch);
    memcpy(crowd->scalars + i * scalar_count, crowd->worker.pose.scalars,
           scalar_count * sizeof(float));
    return status;
}

mrw_status view_crowd_update(view_crowd *crowd, const view_posed *first, double time_s,
                             bool dual_quats)
{
    copy_first(crowd, first);
    mrw_status status = MRW_OK;
    for (uint32_t i = 1; status == MRW_OK && i < crowd->count; i++)
        status = evaluate(crowd, i, time_s, dual_quats);
    return status;
}

view_crowd_data view_crowd_matrices(const view_crowd *crowd)
{
    view_crowd_data data = {crowd->count, crowd->palette, crowd->dual_quats, crowd->stretches,
                            crowd->scalars};
    return data;
}

view_bounds view_crowd_bounds(const view_crowd *crowd)
{
    view_bounds all = view_bounds_empty();
    for (uint32_t i = 0; i < crowd->count && !view_bounds_is_empty(&crowd->bounds); i++) {
        mrw_vec3 place = view_crowd_place(crowd, i);
        mrw_vec3 min = crowd->bounds.min, max = crowd->bounds.max;
        view_bounds_add(&all, (mrw_vec3){min.x + place.x, min.y, min.z + place.z});
        view_bounds_add(&all, (mrw_vec3){max.x + place.x, max.y, max.z + place.z});
    }
    return all;
}
