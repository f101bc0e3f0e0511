/* Left and right by name.
 *
 * A name is searched for places that could say a side, and for each of them the name with the other
 * side there is looked up. Only what exists counts, so the search can be generous: `bright` has a
 * `right` in it, but there is no `bleft`. What reads as a word is tried before single letters.
 */
#include <marrow/blend.h>

#include "skeleton/name_order.h"

#include <string.h>

/* A name in which `length` characters at `at` stand for something else. */
typedef struct other_name {
    const char *name;
    size_t at;
    size_t length;
    const char *instead;
} other_name;

/* --- looking up --------------------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

/* mrw_name_hash of the name as it would be. */
static uint64_t hash_other(const other_name *other)
{
    const char *behind = other->name + other->at + other->length;
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, other->name, other->at);
    hash = hash_bytes(hash, other->instead, strlen(other->instead));
    return hash_bytes(hash, behind, strlen(behind));
}

static bool is_other(const other_name *other, const char *name)
{
    size_t inserted = strlen(other->instead);
    const char *behind = other->name + other->at + other->length;
    size_t behind_length = strlen(behind);
    return strlen(name) == other->at + inserted + behind_length &&
           memcmp(name, other->name, other->at) == 0 &&
           memcmp(name + other->at, other->instead, inserted) == 0 &&
           memcmp(name + other->at + inserted, behind, behind_length) == 0;
}

static uint32_t find_joint(const mrw_skeleton *skeleton, const other_name *other, uint32_t if_none)
{
    const uint32_t *order = skeleton->joints_by_name;
    uint64_t hash = hash_other(other);
    uint32_t first = mrwi_name_order_find(skeleton, hash);
    for (; first < skeleton->joint_count && skeleton->name_hashes[order[first]] == hash; first++)
        if (is_other(other, mrw_skeleton_joint_name(skeleton, order[first])))
            return order[first];
    return if_none;
}

static uint32_t find_scalar(const mrw_skeleton *skeleton, const other_name *other, uint32_t if_none)
{
    for (uint32_t i = 0; i < skeleton->scalar_count; i++)
        if (is_other(other, mrw_skeleton_scalar_name(skeleton, i)))
            return i;
    return if_none;
}

typedef uint32_t find_function(const mrw_skeleton *skeleton, const other_name *other,
                               uint32_t if_none);

/* --- places that say a side --------------------------------------------------------------- */

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_lower(c) || is_upper(c);
}

static bool word_at(const char *name, size_t at, other_name *out_other)
{
    static const char *const words[][2] = {{"left", "right"}, {"right", "left"}, {"Left", "Right"},
                                           {"Right", "Left"}, {"LEFT", "RIGHT"}, {"RIGHT", "LEFT"}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = 0;
        while (words[i][0][length] != '\0' && name[at + length] == words[i][0][length])
            length++;
        if (words[i][0][length] != '\0')
            continue;
        *out_other = (other_name){name, at, length, words[i][1]};
        return true;
    }
    return false;
}

/* Arm.L l_arm "Bip01 L Hand"; lHand; LHand; handL */
static bool letter_at(const char *name, size_t at, other_name *out_other)
{
    static const char letters[] = "lrLR";
    static const char *const others[] = {"r", "l", "R", "L"};
    char letter = name[at];
    char before = at == 0 ? '\0' : name[at - 1];
    char after = name[at + 1];
    char second_after = after == '\0' ? '\0' : name[at + 2];
    bool is_alone = !is_letter(before) && !is_letter(after);
    bool leads =
        !is_letter(before) && is_upper(after) && (is_lower(letter) || is_lower(second_after));
    bool ends = is_upper(letter) && is_lower(before) && !is_letter(after);
    if (!(is_alone || leads || ends))
        return false;
    for (size_t i = 0; i < 4; i++) {
        if (letters[i] != letter)
            continue;
        *out_other = (other_name){name, at, 1, others[i]};
        return true;
    }
    return false;
}

static uint32_t find_partner(const mrw_skeleton *skeleton, const char *name, find_function *find,
                             uint32_t self)
{
    other_name other;
    for (size_t at = 0; name[at] != '\0'; at++) {
        uint32_t partner = word_at(name, at, &other) ? find(skeleton, &other, self) : self;
        if (partner != self)
            return partner;
    }
    for (size_t at = 0; name[at] != '\0'; at++) {
        uint32_t partner = letter_at(name, at, &other) ? find(skeleton, &other, self) : self;
        if (partner != self)
            return partner;
    }
    return self;
}

/* A name with sides at several places may find a partner that finds another: neither is paired. */
static uint32_t keep_mutual(uint32_t *pairs, uint32_t count)
{
    uint32_t paired_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (pairs[pairs[i]] != i)
            pairs[i] = i;
        paired_count += pairs[i] != i;
    }
    return paired_count;
}

mrw_status mrw_mirror_pairs_by_name(const mrw_skeleton *skeleton, uint32_t *out_pairs,
                                    uint32_t pair_count, uint32_t *out_paired_count)
{
    if (skeleton == NULL || (out_pairs == NULL && pair_count > 0))
        return MRW_ERR_NULL_ARGUMENT;
    if (pair_count != skeleton->joint_count)
        return MRW_ERR_JOINT_COUNT;
    for (uint32_t i = 0; i < pair_count; i++)
        out_pairs[i] = find_partner(skeleton, mrw_skeleton_joint_name(skeleton, i), find_joint, i);
    uint32_t paired_count = keep_mutual(out_pairs, pair_count);
    if (out_paired_count != NULL)
        *out_paired_count = paired_count;
    return MRW_OK;
}

mrw_status mrw_mirror_scalars_by_name(const mrw_skeleton *skeleton, uint32_t *out_pairs,
                                      uint32_t pair_count, uint32_t *out_paired_count)
{
    if (skeleton == NULL || (out_pairs == NULL && pair_count > 0))
        return MRW_ERR_NULL_ARGUMENT;
    if (pair_count != skeleton->scalar_count)
        return MRW_ERR_SCALAR_COUNT;
    for (uint32_t i = 0; i < pair_count; i++)
        out_pairs[i] =
            find_partner(skeleton, mrw_skeleton_scalar_name(skeleton, i), find_scalar, i);
    uint32_t paired_count = keep_mutual(out_pairs, pair_count);
    if (out_paired_count != NULL)
        *out_paired_count = paired_count;
    return MRW_OK;
}
