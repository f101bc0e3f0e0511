/* Steps are chosen so that nearly all samples keep the tolerance, not all: the worst of a thousand
 * sums of roundings is far from the usual one, and steps that are fine enough for it would be too
 * fine for the rest. For the few samples that are off there are many other roundings, and among
 * those that differ by one in the numbers of one joint there is nearly always one that keeps the
 * tolerance. It saves a twentieth of the size.
 */
#include "offline/compress/repair.h"

enum {
    ANCESTORS_TRIED = 4, /* with numbers, from the joint that is off upwards */
    CHANGE_COUNT = 27    /* of three numbers by -1, 0 or 1 each */
};

typedef struct saved_joint {
    mrwi_quatd rotation;
    mrwi_mat33d matrix;
    mrwi_vec3d place;
    double error;
    double twist;
    int32_t numbers[9];
} saved_joint;

struct mrwi_repair {
    const mrwi_motion_plan *plan;
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

mrwi_repair *mrwi_repair_make(const mrwi_motion_plan *plan, mrwi_arena *arena)
{
    mrwi_repair *repair = mrwi_arena_alloc(arena, 1, sizeof(*repair));
    if (repair == NULL)
        return NULL;
    repair->plan = plan;
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

/* The joint and what is below it, parents first. */
static void list_subtree(mrwi_repair *repair, uint32_t joint)
{
    repair->subtree[0] = joint;
    repair->subtree_count = 1;
    for (uint32_t i = 0; i < repair->subtree_count; i++)
        for (int32_t child = repair->first_children[repair->subtree[i]]; child >= 0;
             child = repair->next_siblings[child])
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
        for (uint32_t c = 0; c < count; c++)
            saved->numbers[c] = q->numbers[channels[c]];
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
        for (uint32_t c = 0; c < count; c++)
            q->numbers[channels[c]] = saved->numbers[c];
    }
}

/* --- changes ----------------------------------------------------------------------------- */

/* How far beyond the limit, with something for being beyond it at all. */
static double beyond(double error, double limit)
{
    return error > limit ? (error - limit) * (error - limit) + 1e-4 : 0.0;
}

static double all_beyond(const mrwi_quantiser *q, double limit)
{
    double sum = 0.0;
    for (uint32_t j = 0; j < q->plan->joint_count; j++)
        sum += beyond(q->errors[j], limit);
    return sum;
}

static double subtree_beyond(const mrwi_repair *repair, const mrwi_quantiser *q, double limit)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < repair->subtree_count; i++)
        sum += beyond(q->errors[repair->subtree[i]], limit);
    return sum;
}

static void apply(const mrwi_repair *repair, mrwi_quantiser *q, const number_change *change,
                  int32_t sign)
{
    for (uint32_t i = 0; i < 3; i++)
        q->nudges[change->channels[i]] += sign * change->by[i];
    if (sign > 0)
        for (uint32_t i = 0; i < repair->subtree_count; i++)
            mrwi_quantise_joint(q, repair->subtree[i]);
}

/* The best change of a part's numbers, if it is better than `best`. The subtree is the joint's. */
static void try_part(mrwi_repair *repair, mrwi_quantiser *q, double limit, uint32_t joint,
                     const uint32_t channels[3], number_change *best)
{
    const double others = all_beyond(q, limit) - subtree_beyond(repair, q, limit);
    for (int32_t i = 0; i < CHANGE_COUNT && best->left > 0.0; i++) {
        number_change change = {joint, channels, {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}, 0.0};
        if (change.by[0] == 0 && change.by[1] == 0 && change.by[2] == 0)
            continue;
        apply(repair, q, &change, 1);
        change.left = subtree_beyond(repair, q, limit);
        change.left += others > 1e-12 ? others : 0.0; /* a sum minus itself leaves rounding */
        if (change.left < best->left)
            *best = change;
        apply(repair, q, &change, -1);
        restore_subtree(repair, q);
    }
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
        list_subtree(repair, (uint32_t)j);
        save_subtree(repair, q);
        if (one->rotation == MRWI_PART_PACKED)
            try_part(repair, q, limit, (uint32_t)j, one->rotation_channels, &best);
        if (one->translation == MRWI_PART_PACKED)
            try_part(repair, q, limit, (uint32_t)j, one->translation_channels, &best);
    }
    return best;
}

bool mrwi_repair_sample(mrwi_repair *repair, mrwi_quantiser *quantiser, double limit,
                        uint32_t rounds)
{
    for (uint32_t round = 0;; round++) {
        uint32_t off = 0;
        while (off < repair->plan->joint_count && quantiser->errors[off] <= limit)
            off++;
        if (off == repair->plan->joint_count)
            return true;
        if (round == rounds)
            return false;
        number_change change =
            best_change(repair, quantiser, limit, off, all_beyond(quantiser, limit));
        if (change.joint == UINT32_MAX)
            return false;
        list_subtree(repair, change.joint);
        apply(repair, quantiser, &change, 1);
    }
}
