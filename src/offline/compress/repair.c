/* Steps are chosen so that nearly all samples keep the tolerance, not all: the worst of a thousand
 * sums of roundings is far from the usual one, and steps that are fine enough for it would be too
 * fine for the rest. For the few samples that are off there are many other roundings, and among
 * those that differ by one in the numbers of one joint there is nearly always one that keeps the
 * tolerance. Where change after change ends in a dead end, the same is tried from other starts.
 * It saves a tenth of the size.
 */
#include "offline/compress/repair.h"

#include <string.h>

enum {
    ANCESTORS_TRIED = 4, /* with numbers, from the joint that is off upwards */
    CHANGE_COUNT = 27,   /* of three numbers by -1, 0 or 1 each */
    DESCENT_ROUNDS = 12,
    STARTS_AT_PART = 10
};

#define HUGE_SUM 1e300

typedef struct saved_joint {
    mrwi_quatd rotation;
    mrwi_mat33d matrix;
    mrwi_vec3d place;
    double error;
    double twist;
    int32_t numbers[9];
    double remainders[9];
} saved_joint;

struct mrwi_repair {
    const mrwi_motion_plan *plan;
    double for_being_off;
    mrwi_between *between;   /* or NULL */
    int32_t *first_children; /* [joint_count] or -1 */
    int32_t *next_siblings;  /* [joint_count] or -1 */
    uint32_t *subtree;       /* [joint_count] scratch: of the joint that is changed */
    uint32_t subtree_count;
    saved_joint *saved; /* [joint_count] of the joints of the subtree */
};

/* One part of one joint, and a change of its numbers. */
typedef struct number_change {
    uint32_t joint;
    const uint32_t *channels; /* [3] */
    int32_t by[3];
    double left; /* what is beyond the limit after it */
} number_change;

mrwi_repair *mrwi_repair_make(const mrwi_motion_plan *plan, double for_being_off, mrwi_arena *arena)
{
    mrwi_repair *repair = mrwi_arena_alloc(arena, 1, sizeof(*repair));
    if (repair == NULL)
        return NULL;
    repair->plan = plan;
    repair->for_being_off = for_being_off;
    repair->first_children = mrwi_arena_alloc(arena, plan->joint_count, sizeof(int32_t));
    repair->next_siblings = mrwi_arena_alloc(arena, plan->joint_count, sizeof(int32_t));
    repair->subtree = mrwi_arena_alloc(arena, plan->joint_count, sizeof(uint32_t));
    repair->saved = mrwi_arena_alloc(arena, plan->joint_count, sizeof(saved_joint));
    if (repair->first_children == NULL || repair->next_siblings == NULL ||
        repair->subtree == NULL || repair->saved == NULL)
        return NULL;
    for (uint32_t j = 0; j < plan->joint_count; j++)
        repair->first_children[j] = repair->next_siblings[j] = -1;
    for (uint32_t j = plan->joint_count; j-- > 0;) {
        int32_t parent = plan->joints[j].parent;
        if (parent < 0)
            continue;
        repair->next_siblings[j] = repair->first_children[parent];
        repair->first_children[parent] = (int32_t)j;
    }
    return repair;
}

void mrwi_repair_look_between(mrwi_repair *repair, mrwi_between *between)
{
    repair->between = between;
}

/* The joint and what is below it, parents first, and of them first those on the way to `off`: a
 * change that does not help there need not be looked at any further. */
static void list_subtree(mrwi_repair *repair, uint32_t joint, uint32_t off)
{
    uint32_t way = 1;
    for (uint32_t j = off; j != joint; j = (uint32_t)repair->plan->joints[j].parent)
        way++;
    repair->subtree_count = way;
    for (uint32_t j = off; way-- > 0; j = (uint32_t)repair->plan->joints[j].parent)
        repair->subtree[way] = j;
    way = repair->subtree_count;
    for (uint32_t i = 0; i < repair->subtree_count; i++)
        for (int32_t child = repair->first_children[repair->subtree[i]]; child >= 0;
             child = repair->next_siblings[child])
            if (i + 1 >= way || (uint32_t)child != repair->subtree[i + 1])
                repair->subtree[repair->subtree_count++] = (uint32_t)child;
}

/* --- numbers of a joint ------------------------------------------------------------------ */

/* Its channels, in any order; their count. */
static uint32_t channels_of(const mrwi_joint_plan *joint, uint32_t out_channels[9])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++) {
        if (joint->rotation == MRWI_PART_PACKED)
            out_channels[count++] = joint->rotation_channels[i];
        if (joint->translation == MRWI_PART_PACKED)
            out_channels[count++] = joint->translation_channels[i];
        if (joint->scale == MRWI_PART_PACKED)
            out_channels[count++] = joint->scale_channels[i];
    }
    return count;
}

static void save_subtree(mrwi_repair *repair, const mrwi_quantiser *q)
{
    for (uint32_t i = 0; i < repair->subtree_count; i++) {
        const uint32_t j = repair->subtree[i];
        const mrwi_joint_plan *joint = &repair->plan->joints[j];
        saved_joint *saved = &repair->saved[i];
        saved->rotation = q->rotations[j];
        saved->matrix = q->matrices[j];
        saved->place = q->places[j];
        saved->error = q->errors[j];
        saved->twist = joint->rotation == MRWI_PART_PACKED ? q->twists[joint->rotation_index] : 0.0;
        uint32_t channels[9];
        uint32_t count = channels_of(joint, channels);
        for (uint32_t c = 0; c < count; c++) {
            saved->numbers[c] = q->numbers[channels[c]];
            saved->remainders[c] = q->remainders[channels[c]];
        }
    }
}

static void restore_subtree(const mrwi_repair *repair, mrwi_quantiser *q)
{
    for (uint32_t i = 0; i < repair->subtree_count; i++) {
        const uint32_t j = repair->subtree[i];
        const mrwi_joint_plan *joint = &repair->plan->joints[j];
        const saved_joint *saved = &repair->saved[i];
        q->rotations[j] = saved->rotation;
        q->matrices[j] = saved->matrix;
        q->places[j] = saved->place;
        q->errors[j] = saved->error;
        if (joint->rotation == MRWI_PART_PACKED)
            q->twists[joint->rotation_index] = saved->twist;
        uint32_t channels[9];
        uint32_t count = channels_of(joint, channels);
        for (uint32_t c = 0; c < count; c++) {
            q->numbers[channels[c]] = saved->numbers[c];
            q->remainders[channels[c]] = saved->remainders[c];
        }
    }
}

/* --- changes ----------------------------------------------------------------------------- */

/* How far beyond the limit, with something for being beyond it at all. */
static double beyond(const mrwi_repair *repair, double error, double limit)
{
    return error > limit ? (error - limit) * (error - limit) + repair->for_being_off : 0.0;
}

static double all_beyond(const mrwi_repair *repair, const mrwi_quantiser *q, double limit)
{
    double sum = 0.0;
    for (uint32_t j = 0; j < q->plan->joint_count; j++)
        sum += beyond(repair, q->errors[j], limit);
    return sum;
}

static double subtree_beyond(const mrwi_repair *repair, const mrwi_quantiser *q, double limit)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < repair->subtree_count; i++)
        sum += beyond(repair, q->errors[repair->subtree[i]], limit);
    return sum;
}

static double beyond_between(const mrwi_repair *repair, const mrwi_quantiser *q, double limit,
                             double most, uint32_t *out_first)
{
    return repair->between == NULL ? 0.0
                                   : mrwi_between_beyond(repair->between, q->numbers, limit,
                                                         repair->for_being_off, most, out_first);
}

/* Rounds the subtree again with the change. What is beyond the limit in it then, or any number
 * from `most` on. */
static double apply(const mrwi_repair *repair, mrwi_quantiser *q, double limit,
                    const number_change *change, double most)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < 3; i++)
        q->nudges[change->channels[i]] += change->by[i];
    for (uint32_t i = 0; i < repair->subtree_count && sum < most; i++) {
        mrwi_quantise_joint(q, repair->subtree[i]);
        sum += beyond(repair, q->errors[repair->subtree[i]], limit);
    }
    return sum < most ? sum + beyond_between(repair, q, limit, most - sum, NULL) : sum;
}

/* All changes of three numbers by one, those first that stay nearest to what was rounded. */
static void list_changes(const mrwi_quantiser *q, const uint32_t channels[3],
                         int32_t out_changes[CHANGE_COUNT][3])
{
    double distances[CHANGE_COUNT];
    for (int32_t i = 0; i < CHANGE_COUNT; i++) {
        const int32_t by[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        double distance = 0.0;
        for (uint32_t k = 0; k < 3; k++) {
            double off = by[k] - q->remainders[channels[k]];
            distance += off * off;
        }
        int32_t at = i;
        for (; at > 0 && distances[at - 1] > distance; at--) {
            distances[at] = distances[at - 1];
            memcpy(out_changes[at], out_changes[at - 1], sizeof(by));
        }
        distances[at] = distance;
        memcpy(out_changes[at], by, sizeof(by));
    }
}

/* The best change of a part's numbers, if it is better than `best`. The subtree is the joint's. */
static void try_part(mrwi_repair *repair, mrwi_quantiser *q, double limit, uint32_t joint,
                     const uint32_t channels[3], number_change *best)
{
    double others = all_beyond(repair, q, limit) - subtree_beyond(repair, q, limit);
    others = others > 1e-12 ? others : 0.0; /* a sum minus itself leaves rounding */
    int32_t changes[CHANGE_COUNT][3];
    list_changes(q, channels, changes);
    for (int32_t i = 0; i < CHANGE_COUNT && best->left > others; i++) {
        number_change change = {
            joint, channels, {changes[i][0], changes[i][1], changes[i][2]}, 0.0};
        if (change.by[0] == 0 && change.by[1] == 0 && change.by[2] == 0)
            continue;
        change.left = others + apply(repair, q, limit, &change, best->left - others);
        if (change.left < best->left)
            *best = change;
        for (uint32_t k = 0; k < 3; k++)
            q->nudges[channels[k]] -= change.by[k];
    }
    restore_subtree(repair, q);
}

/* The best change near a joint that is off. */
static number_change best_change(mrwi_repair *repair, mrwi_quantiser *q, double limit,
                                 uint32_t joint, double now)
{
    const mrwi_motion_plan *plan = repair->plan;
    number_change best = {UINT32_MAX, NULL, {0, 0, 0}, now};
    uint32_t tried = 0;
    for (int32_t j = (int32_t)joint; j >= 0 && tried < ANCESTORS_TRIED && best.left > 0.0;
         j = plan->joints[j].parent) {
        const mrwi_joint_plan *one = &plan->joints[j];
        if (one->rotation != MRWI_PART_PACKED && one->translation != MRWI_PART_PACKED)
            continue;
        tried++;
        list_subtree(repair, (uint32_t)j, joint);
        save_subtree(repair, q);
        if (one->rotation == MRWI_PART_PACKED)
            try_part(repair, q, limit, (uint32_t)j, one->rotation_channels, &best);
        if (one->translation == MRWI_PART_PACKED)
            try_part(repair, q, limit, (uint32_t)j, one->translation_channels, &best);
    }
    return best;
}

/* The first joint beyond the limit, at the sample or else between; or joint_count. */
static uint32_t first_off(const mrwi_repair *repair, const mrwi_quantiser *q, double limit)
{
    uint32_t off = 0;
    while (off < repair->plan->joint_count && q->errors[off] <= limit)
        off++;
    if (off == repair->plan->joint_count)
        beyond_between(repair, q, limit, HUGE_SUM, &off);
    return off;
}

/* Change after change, each the best there is. */
static bool descend(mrwi_repair *repair, mrwi_quantiser *q, double limit)
{
    for (uint32_t round = 0;; round++) {
        const uint32_t off = first_off(repair, q, limit);
        if (off == repair->plan->joint_count)
            return true;
        if (round == DESCENT_ROUNDS)
            return false;
        const double now =
            all_beyond(repair, q, limit) + beyond_between(repair, q, limit, HUGE_SUM, NULL);
        number_change change = best_change(repair, q, limit, off, now);
        if (change.joint == UINT32_MAX)
            return false;
        list_subtree(repair, change.joint, off);
        apply(repair, q, limit, &change, HUGE_SUM);
    }
}

/* Rounds the whole sample with some change of these numbers, or with none. */
static void start(const mrwi_repair *repair, mrwi_quantiser *q, const uint32_t channels[3],
                  const int32_t by[3])
{
    for (uint32_t c = 0; c < repair->plan->channel_count; c++)
        q->nudges[c] = 0;
    for (uint32_t k = 0; k < 3 && by != NULL; k++)
        q->nudges[channels[k]] = by[k];
    mrwi_quantise_sample(q);
}

/* Descends from the changes of a part's numbers that are nearest to none. */
static bool start_at_part(mrwi_repair *repair, mrwi_quantiser *q, double limit,
                          const uint32_t channels[3], uint32_t *starts_left)
{
    int32_t changes[CHANGE_COUNT][3];
    start(repair, q, channels, NULL);
    list_changes(q, channels, changes);
    for (uint32_t i = 1; i <= STARTS_AT_PART && *starts_left > 0; i++, (*starts_left)--) {
        start(repair, q, channels, changes[i]);
        if (descend(repair, q, limit))
            return true;
    }
    return false;
}

bool mrwi_repair_sample(mrwi_repair *repair, mrwi_quantiser *quantiser, double limit,
                        uint32_t starts)
{
    if (descend(repair, quantiser, limit))
        return true;
    for (int32_t j = (int32_t)first_off(repair, quantiser, limit); j >= 0 && starts > 0;
         j = repair->plan->joints[j].parent) {
        const mrwi_joint_plan *joint = &repair->plan->joints[j];
        if (joint->rotation == MRWI_PART_PACKED &&
            start_at_part(repair, quantiser, limit, joint->rotation_channels, &starts))
            return true;
        if (joint->translation == MRWI_PART_PACKED &&
            start_at_part(repair, quantiser, limit, joint->translation_channels, &starts))
            return true;
    }
    return false;
}
