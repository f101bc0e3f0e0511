/* Grouping vertices by joints.
 *
 * Skinning moves eight neighbouring vertices at once. Where all of them name the same joints in the
 * same places, each matrix is read once for the eight. So the vertices of a part are brought into
 * an order in which most eights are of one kind:
 *
 *     sort     A    A    A B    A B    A B C    A B C    A C B    A D    E ...
 *     groups   eight of one list of joints: done
 *     rests    fewer than eight: lists that begin with the same joint are joined to one that holds
 *              each of them in its order, as A B C B holds the first seven above
 *     mixed    what is left stands at the ends of the part
 *
 * A vertex then has weight 0 for the joints of its group's list that are not its own. Its own keep
 * their order, and the heaviest stays first. So skinning adds the same products in the same order,
 * with zeros between, and a vertex comes out with the same bits wherever it stands.
 *
 * A real mesh of 3,934 vertices has 446 lists. Of its 491 eights 86 are of one kind in the file's
 * order, 341 when sorted, 447 with joined lists. It would be 456 if the heaviest joint need not
 * stay first, which dual quaternions are glad of, and 481 if order did not matter at all.
 */
#include "offline/build/vertex_groups.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUP_VERTICES = 8,
    LONGEST_JOINED = 16, /* joints of a joined list */
    WINDOW = 128         /* rests that are looked at together: real meshes have fewer of a joint */
};

typedef struct sorted_vertex {
    const uint16_t *joints; /* those with a weight */
    uint32_t count;
    uint32_t vertex;
} sorted_vertex;

/* Sorted vertices with one list of joints, fewer than a group. */
typedef struct rest {
    const sorted_vertex *vertices;
    uint32_t count;
} rest;

typedef struct joint_list {
    uint32_t count;
    uint16_t joints[LONGEST_JOINED];
} joint_list;

typedef struct vertex_group {
    const uint16_t *joints;
    uint32_t joint_count;
    uint32_t vertices[GROUP_VERTICES];
} vertex_group;

/* A part while it is put in order. */
typedef struct grouped_part {
    uint32_t joined_limit; /* joints of a joined list */
    sorted_vertex *sorted;
    rest *rests; /* of one first joint */
    uint32_t rest_count;
    vertex_group *groups;
    uint32_t group_count;
    joint_list *lists; /* that were joined */
    uint32_t list_count;
    uint32_t *mixed; /* vertices without a group */
    uint32_t mixed_count;
} grouped_part;

/* --- lists of joints ---------------------------------------------------------------------- */

static bool same_joints(const sorted_vertex *a, const sorted_vertex *b)
{
    return a->count == b->count && memcmp(a->joints, b->joints, a->count * sizeof(uint16_t)) == 0;
}

static int compare_vertices(const void *left, const void *right)
{
    const sorted_vertex *a = left;
    const sorted_vertex *b = right;
    uint32_t common = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < common; i++)
        if (a->joints[i] != b->joints[i])
            return a->joints[i] < b->joints[i] ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return a->vertex < b->vertex ? -1 : 1;
}

/* lengths[i][j]: of the shortest list that holds the joints of `a` from i on and those of `b` from
 * j on, each in its order. */
typedef uint8_t list_lengths[LONGEST_JOINED + 1][LONGEST_JOINED + 1];

static void measure_joined(const joint_list *a, const rest *b, list_lengths lengths)
{
    uint32_t b_count = b->vertices->count;
    for (uint32_t i = a->count + 1; i-- > 0;) {
        for (uint32_t j = b_count + 1; j-- > 0;) {
            if (i == a->count || j == b_count) {
                lengths[i][j] = (uint8_t)(a->count - i + b_count - j);
                continue;
            }
            uint8_t with_a = lengths[i + 1][j];
            uint8_t with_b = lengths[i][j + 1];
            if (a->joints[i] == b->vertices->joints[j])
                lengths[i][j] = (uint8_t)(1 + lengths[i + 1][j + 1]);
            else
                lengths[i][j] = (uint8_t)(1 + (with_a <= with_b ? with_a : with_b));
        }
    }
}

/* The shortest list that holds both. */
static void join(joint_list *a, const rest *b)
{
    list_lengths lengths;
    measure_joined(a, b, lengths);
    const joint_list first = *a;
    const uint16_t *second = b->vertices->joints;
    uint32_t second_count = b->vertices->count;
    uint32_t i = 0;
    uint32_t j = 0;
    a->count = lengths[0][0];
    for (uint32_t k = 0; k < a->count; k++) {
        bool both = i < first.count && j < second_count && first.joints[i] == second[j];
        bool take_first = both || j == second_count ||
                          (i < first.count && lengths[i + 1][j] <= lengths[i][j + 1]);
        a->joints[k] = take_first ? first.joints[i] : second[j];
        i += take_first ? 1 : 0;
        j += both || !take_first ? 1 : 0;
    }
}

static uint32_t joined_length(const joint_list *a, const rest *b)
{
    list_lengths lengths;
    measure_joined(a, b, lengths);
    return lengths[0][0];
}

/* --- groups ------------------------------------------------------------------------------- */

/* Takes vertices off a rest, as many as the group has room for. */
static uint32_t take_vertices(rest *from, vertex_group *group, uint32_t filled)
{
    uint32_t count = GROUP_VERTICES - filled;
    count = from->count < count ? from->count : count;
    for (uint32_t i = 0; i < count; i++)
        group->vertices[filled + i] = from->vertices[i].vertex;
    from->vertices += count;
    from->count -= count;
    return filled + count;
}

static void leave_mixed(grouped_part *part, rest *left)
{
    for (uint32_t i = 0; i < left->count; i++)
        part->mixed[part->mixed_count++] = left->vertices[i].vertex;
    left->count = 0;
}

/* The rest that a joined list starts from: the longest list, then most vertices. */
static rest *choose_seed(rest *window, uint32_t count)
{
    rest *best = window;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t joints = window[i].vertices->count;
        uint32_t best_joints = best->vertices->count;
        if (joints > best_joints || (joints == best_joints && window[i].count > best->count))
            best = &window[i];
    }
    return best;
}

/* The rest that makes the list longer by least, then the one with most vertices. NULL if there is
 * none that fits. Those that were chosen before are marked. */
static rest *choose_joined(const grouped_part *part, rest *window, uint32_t count,
                           const bool *is_chosen, const joint_list *list)
{
    rest *best = NULL;
    uint32_t best_length = part->joined_limit + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (is_chosen[i] || window[i].vertices->count > part->joined_limit)
            continue;
        uint32_t length = joined_length(list, &window[i]);
        if (length < best_length ||
            (best != NULL && length == best_length && window[i].count > best->count)) {
            best = &window[i];
            best_length = length;
        }
    }
    return best;
}

/* Makes a group of a few rests, or leaves one of them without. At least one of them is empty then.
 */
static void join_rests(grouped_part *part, rest *window, uint32_t count)
{
    rest *chosen[GROUP_VERTICES];
    bool is_chosen[WINDOW] = {false};
    rest *seed = choose_seed(window, count);
    if (seed->vertices->count > part->joined_limit) {
        leave_mixed(part, seed);
        return;
    }
    joint_list *list = &part->lists[part->list_count];
    list->count = seed->vertices->count;
    memcpy(list->joints, seed->vertices->joints, list->count * sizeof(uint16_t));
    uint32_t chosen_count = 0;
    uint32_t total = 0;
    for (rest *next = seed; next != NULL && total < GROUP_VERTICES;) {
        if (next != seed)
            join(list, next);
        chosen[chosen_count++] = next;
        is_chosen[next - window] = true;
        total += next->count;
        next = choose_joined(part, window, count, is_chosen, list);
    }
    if (total < GROUP_VERTICES) {
        leave_mixed(part, seed);
        return;
    }
    vertex_group *group = &part->groups[part->group_count++];
    group->joints = list->joints;
    group->joint_count = list->count;
    part->list_count++;
    uint32_t filled = 0;
    for (uint32_t i = 0; i < chosen_count; i++)
        filled = take_vertices(chosen[i], group, filled);
}

/* Joins the rests of one first joint. */
static void join_all_rests(grouped_part *part)
{
    rest *rests = part->rests;
    uint32_t first = 0;
    while (first < part->rest_count) {
        uint32_t left = part->rest_count - first;
        uint32_t count = left < WINDOW ? left : WINDOW;
        join_rests(part, rests + first, count);
        /* The empty ones go to the front, out of the window; the others keep their order. */
        uint32_t kept = first + count;
        for (uint32_t i = first + count; i-- > first;)
            if (rests[i].count > 0)
                rests[--kept] = rests[i];
        first = kept;
    }
    part->rest_count = 0;
}

/* Groups of vertices that are alike; what is over becomes a rest. */
static void group_alike(grouped_part *part, const sorted_vertex *vertices, uint32_t count)
{
    rest left = {vertices, count};
    while (left.count >= GROUP_VERTICES) {
        vertex_group *group = &part->groups[part->group_count++];
        group->joints = vertices->joints;
        group->joint_count = vertices->count;
        take_vertices(&left, group, 0);
    }
    if (left.count > 0)
        part->rests[part->rest_count++] = left;
}

static void group_sorted(grouped_part *part, uint32_t count)
{
    const sorted_vertex *sorted = part->sorted;
    for (uint32_t first = 0; first < count;) {
        uint32_t end = first + 1;
        while (end < count && same_joints(&sorted[first], &sorted[end]))
            end++;
        group_alike(part, sorted + first, end - first);
        if (end == count || sorted[end].joints[0] != sorted[first].joints[0])
            join_all_rests(part);
        first = end;
    }
}

/* --- the mesh ----------------------------------------------------------------------------- */

typedef struct grouped_mesh {
    const mrwi_influences *source; /* in the file's order */
    mrwi_influences influences;
    uint32_t *source_vertices;
    uint32_t vertex_count; /* placed so far */
} grouped_mesh;

static uint32_t used_count(const mrwi_influences *influences, size_t vertex)
{
    const float *weights = influences->weights + vertex * influences->count;
    uint32_t used = 1;
    while (used < influences->count && weights[used] > 0.0f)
        used++;
    return used;
}

/* Puts a vertex next, with weights for these joints. Its own are among them in their order. */
static void place_vertex(grouped_mesh *mesh, uint32_t vertex, const uint16_t *joints,
                         uint32_t joint_count)
{
    const mrwi_influences *source = mesh->source;
    const uint16_t *own_joints = source->joints + (size_t)vertex * source->count;
    const float *own_weights = source->weights + (size_t)vertex * source->count;
    uint32_t own_count = used_count(source, vertex);
    size_t place = (size_t)mesh->vertex_count * mesh->influences.count;
    for (uint32_t i = 0, own = 0; i < joint_count; i++) {
        mesh->influences.joints[place + i] = joints[i];
        if (own < own_count && own_joints[own] == joints[i])
            mesh->influences.weights[place + i] = own_weights[own++];
    }
    mesh->source_vertices[mesh->vertex_count++] = vertex;
}

static void place_mixed(grouped_mesh *mesh, const uint32_t *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        place_vertex(mesh, vertices[i],
                     mesh->source->joints + (size_t)vertices[i] * mesh->source->count,
                     used_count(mesh->source, vertices[i]));
}

/* Mixed vertices, groups, mixed vertices: as many before the groups as these need to begin at a
 * multiple of eight. If there are not so many the last groups end as mixed ones. */
static void place_part(grouped_mesh *mesh, grouped_part *part)
{
    uint32_t before = (GROUP_VERTICES - mesh->vertex_count % GROUP_VERTICES) % GROUP_VERTICES;
    while (part->mixed_count < before && part->group_count > 0) {
        const vertex_group *group = &part->groups[--part->group_count];
        memcpy(part->mixed + part->mixed_count, group->vertices, sizeof(group->vertices));
        part->mixed_count += GROUP_VERTICES;
    }
    before = part->mixed_count < before ? part->mixed_count : before;
    place_mixed(mesh, part->mixed, before);
    for (uint32_t g = 0; g < part->group_count; g++)
        for (uint32_t i = 0; i < GROUP_VERTICES; i++)
            place_vertex(mesh, part->groups[g].vertices[i], part->groups[g].joints,
                         part->groups[g].joint_count);
    place_mixed(mesh, part->mixed + before, part->mixed_count - before);
}

static bool group_part(grouped_mesh *mesh, const mrw_mesh_part *range, mrwi_arena *scratch)
{
    const mrwi_influences *source = mesh->source;
    uint32_t count = range->vertex_count;
    uint32_t limit = mesh->influences.count;
    grouped_part part = {
        .joined_limit = limit < LONGEST_JOINED ? limit : LONGEST_JOINED,
        .sorted = mrwi_arena_alloc(scratch, count, sizeof(sorted_vertex)),
        .rests = mrwi_arena_alloc(scratch, count, sizeof(rest)),
        .groups = mrwi_arena_alloc(scratch, count / GROUP_VERTICES, sizeof(vertex_group)),
        .lists = mrwi_arena_alloc(scratch, count / GROUP_VERTICES + 1, sizeof(joint_list)),
        .mixed = mrwi_arena_alloc(scratch, count, sizeof(uint32_t)),
    };
    if (part.sorted == NULL || part.rests == NULL || part.groups == NULL || part.lists == NULL ||
        part.mixed == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = range->first_vertex + i;
        part.sorted[i] = (sorted_vertex){source->joints + (size_t)vertex * source->count,
                                         used_count(source, vertex), vertex};
    }
    qsort(part.sorted, count, sizeof(*part.sorted), compare_vertices);
    group_sorted(&part, count);
    place_part(mesh, &part);
    return true;
}

mrw_status mrwi_group_vertices(const mrw_mesh_part *parts, uint32_t part_count,
                               uint32_t vertex_count, mrwi_arena *arena,
                               mrwi_influences *influences, uint32_t **out_source_vertices)
{
    const mrwi_influences source = *influences;
    grouped_mesh mesh = {.source = &source, .influences = source};
    /* Room for joined lists, and four influences a vertex are what skinning is fastest with. */
    mesh.influences.count = (source.count + 3) / 4 * 4;
    size_t places = (size_t)vertex_count * mesh.influences.count;
    mesh.influences.joints = mrwi_arena_alloc(arena, places, sizeof(uint16_t));
    mesh.influences.weights = mrwi_arena_alloc(arena, places, sizeof(float));
    mesh.source_vertices = mrwi_arena_alloc(arena, vertex_count, sizeof(uint32_t));
    if (mesh.influences.joints == NULL || mesh.influences.weights == NULL ||
        mesh.source_vertices == NULL)
        return arena->status;
    for (uint32_t p = 0; p < part_count; p++) {
        mrwi_arena scratch;
        mrwi_arena_init_scratch(&scratch, arena);
        bool enough = group_part(&mesh, &parts[p], &scratch);
        mrw_status status = scratch.status;
        mrwi_arena_free(&scratch);
        if (!enough)
            return status;
    }
    *influences = mesh.influences;
    *out_source_vertices = mesh.source_vertices;
    return MRW_OK;
}
