/* Joints in the order of their names' hashes. */
#ifndef MRWI_NAME_ORDER_H
#define MRWI_NAME_ORDER_H

#include <marrow/skeleton.h>

/* The first place in joints_by_name whose joint has this hash; joint_count if none has. Joints of
 * the same hash stand behind it. */
static inline uint32_t mrwi_name_order_find(const mrw_skeleton *skeleton, uint64_t hash)
{
    const uint32_t *order = skeleton->joints_by_name;
    uint32_t first = 0;
    uint32_t end = skeleton->joint_count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (skeleton->name_hashes[order[middle]] < hash)
            first = middle + 1;
        else
            end = middle;
    }
    bool is_found = first < skeleton->joint_count && skeleton->name_hashes[order[first]] == hash;
    return is_found ? first : skeleton->joint_count;
}

#endif
