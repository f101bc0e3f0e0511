/* A keyed clip from tracks in any order.
 *
 * Most tracks of a file have the same times, so equal arrays are stored once. They are found by
 * sorting: by length, then by hash, then by the bytes themselves, and equal ones stand side by
 * side. Unlike a hash table that has no bad case: whatever a file holds, the bytes are compared a
 * logarithmic number of times.
 */
#include <marrow/offline/build.h>

#include "base/error.h"
#include "base/finite.h"
#include "clip/clip_format.h"
#include "clip/track_order.h"
#include "offline/build/asset_writer.h"
#include "offline/build/clip_constants.h"
#include "offline/build/clip_writer.h"
#include "offline/build/noise.h"
#include "offline/build/sampling_order.h"
#include "offline/build/unit_rotation.h"
#include "offline/memory/arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct clip_track {
    const mrw_track_desc *desc;
    uint32_t list_index; /* among the tracks that were given */
    uint64_t times_hash;
    mrw_track written;
} clip_track;

typedef struct clip_builder {
    const mrw_skeleton *skeleton;
    const char *name;
    bool drops_still; /* see mrwi_write_clip */
    const mrwi_packed_part *packed;
    mrwi_arena scratch;
    clip_track *tracks; /* [track_count] those with keys that are written */
    uint32_t track_count;
    mrwi_clip_constant *still; /* [still_count] of joints */
    uint32_t still_count;
    uint64_t time_count;
    uint64_t value_count;
    float duration_s;
    float translation_noise;
    mrw_error *out_error;

    mrwi_sampling_order order; /* what is written */
    mrwi_clip_constants constants;
} clip_builder;

/* --- check ------------------------------------------------------------------------------- */

static mrw_status fail_track(const clip_builder *builder, mrw_status status, uint32_t index,
                             const char *field, const char *message)
{
    return mrwi_fail(builder->out_error, status, "tracks[%u].%s", "%s", index, field, message);
}

static size_t count_floats(const mrw_track_desc *desc)
{
    size_t values = desc->interpolation == MRW_INTERPOLATION_CUBIC ? 3 : 1;
    return (size_t)desc->key_count * values * mrw_track_width(desc->kind);
}

static mrw_status check_times(const clip_builder *builder, const mrw_track_desc *desc,
                              uint32_t index)
{
    if (!mrwi_all_finite(desc->times, desc->key_count))
        return fail_track(builder, MRW_ERR_NOT_FINITE, index, "times",
                          mrw_status_text(MRW_ERR_NOT_FINITE));
    if (desc->times[0] < 0.0f)
        return fail_track(builder, MRW_ERR_INVALID_VALUE, index, "times", "a negative time");
    for (uint32_t k = 1; k < desc->key_count; k++)
        if (desc->times[k] <= desc->times[k - 1])
            return mrwi_fail(builder->out_error, MRW_ERR_INVALID_VALUE, "tracks[%u].times[%u]",
                             "not after the time before it", index, k);
    return MRW_OK;
}

static mrw_status check_track(const clip_builder *builder, const mrw_track_desc *desc,
                              uint32_t index)
{
    if (mrw_track_width(desc->kind) == 0)
        return fail_track(builder, MRW_ERR_INVALID_VALUE, index, "kind", "no kind of track");
    if ((uint32_t)desc->interpolation > MRW_INTERPOLATION_CUBIC)
        return fail_track(builder, MRW_ERR_INVALID_VALUE, index, "interpolation",
                          "no kind of interpolation");
    bool scalar = desc->kind == MRW_TRACK_SCALAR;
    uint32_t targets = scalar ? builder->skeleton->scalar_count : builder->skeleton->joint_count;
    if (desc->target >= targets)
        return mrwi_fail(builder->out_error, MRW_ERR_JOINT_RANGE, "tracks[%u].target",
                         "%s %u of %u", index, scalar ? "scalar" : "joint", desc->target, targets);
    if (desc->key_count == 0)
        return MRW_OK;
    if (desc->times == NULL || desc->values == NULL)
        return fail_track(builder, MRW_ERR_NULL_ARGUMENT, index,
                          desc->times == NULL ? "times" : "values",
                          mrw_status_text(MRW_ERR_NULL_ARGUMENT));
    mrw_status status = check_times(builder, desc, index);
    if (status == MRW_OK && !mrwi_all_finite(desc->values, count_floats(desc)))
        status = fail_track(builder, MRW_ERR_NOT_FINITE, index, "values",
                            mrw_status_text(MRW_ERR_NOT_FINITE));
    return status;
}

/* Keeps the tracks with keys. */
static mrw_status collect_tracks(clip_builder *builder, const mrw_track_desc *descs, uint32_t count)
{
    builder->tracks = mrwi_arena_alloc(&builder->scratch, count, sizeof(*builder->tracks));
    if (builder->tracks == NULL)
        return mrwi_arena_fail(&builder->scratch, builder->out_error, "tracks");
    for (uint32_t i = 0; i < count; i++) {
        mrw_status status = check_track(builder, &descs[i], i);
        if (status != MRW_OK)
            return status;
        if (descs[i].key_count == 0)
            continue;
        clip_track *track = &builder->tracks[builder->track_count++];
        track->desc = &descs[i];
        track->list_index = i;
        track->written = (mrw_track){.target = descs[i].target,
                                     .kind = (uint8_t)descs[i].kind,
                                     .interpolation = (uint8_t)descs[i].interpolation,
                                     .key_count = descs[i].key_count};
    }
    return MRW_OK;
}

static mrw_status set_duration(clip_builder *builder, float duration_s)
{
    float last_s = 0.0f;
    for (uint32_t i = 0; i < builder->track_count; i++) {
        const mrw_track_desc *desc = builder->tracks[i].desc;
        if (desc->times[desc->key_count - 1] > last_s)
            last_s = desc->times[desc->key_count - 1];
    }
    if (!mrwi_is_finite(duration_s))
        return mrwi_fail_at(builder->out_error, MRW_ERR_NOT_FINITE, 0, "duration_s");
    if (duration_s >= 0.0f && duration_s < last_s)
        return mrwi_fail(builder->out_error, MRW_ERR_INVALID_VALUE, "duration_s",
                         "it ends before the last key");
    builder->duration_s = duration_s > last_s ? duration_s : last_s;
    return MRW_OK;
}

/* --- order ------------------------------------------------------------------------------- */

static int compare_targets(const void *left, const void *right)
{
    const clip_track *a = left;
    const clip_track *b = right;
    if (a->desc->kind != b->desc->kind)
        return a->desc->kind < b->desc->kind ? -1 : 1;
    if (a->desc->target != b->desc->target)
        return a->desc->target < b->desc->target ? -1 : 1;
    return a->list_index < b->list_index ? -1 : 1;
}

static mrw_status sort_tracks(clip_builder *builder)
{
    clip_track *tracks = builder->tracks;
    if (builder->track_count > 1)
        qsort(tracks, builder->track_count, sizeof(*tracks), compare_targets);
    for (uint32_t i = 1; i < builder->track_count; i++) {
        if (tracks[i].desc->kind == tracks[i - 1].desc->kind &&
            tracks[i].desc->target == tracks[i - 1].desc->target)
            return mrwi_fail(builder->out_error, MRW_ERR_INCONSISTENT, "tracks[%u]",
                             "it animates the same as tracks[%u]", tracks[i].list_index,
                             tracks[i - 1].list_index);
    }
    return MRW_OK;
}

static int compare_times(const clip_track *a, const clip_track *b)
{
    if (a->desc->key_count != b->desc->key_count)
        return a->desc->key_count < b->desc->key_count ? -1 : 1;
    if (a->times_hash != b->times_hash)
        return a->times_hash < b->times_hash ? -1 : 1;
    return memcmp(a->desc->times, b->desc->times, a->desc->key_count * sizeof(float));
}

static int compare_times_in_order(const void *left, const void *right)
{
    const clip_track *a = *(const clip_track *const *)left;
    const clip_track *b = *(const clip_track *const *)right;
    int order = compare_times(a, b);
    if (order != 0)
        return order;
    return a < b ? -1 : 1;
}

/* Gives each track the first track, in the clip's order, that has the same times; the list of
 * those leaders is indexed like the tracks. */
static mrw_status find_leaders(clip_builder *builder, clip_track ***out_leaders)
{
    uint32_t count = builder->track_count;
    clip_track **sorted = mrwi_arena_alloc(&builder->scratch, count, sizeof(clip_track *));
    clip_track **leaders = mrwi_arena_alloc(&builder->scratch, count, sizeof(clip_track *));
    if (sorted == NULL || leaders == NULL)
        return mrwi_arena_fail(&builder->scratch, builder->out_error, "tracks");
    for (uint32_t i = 0; i < count; i++) {
        clip_track *track = &builder->tracks[i];
        track->times_hash =
            mrw_asset_checksum(track->desc->times, track->desc->key_count * sizeof(float));
        sorted[i] = track;
    }
    if (count > 1)
        qsort(sorted, count, sizeof(clip_track *), compare_times_in_order);
    clip_track *leader = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (leader == NULL || compare_times(leader, sorted[i]) != 0)
            leader = sorted[i];
        leaders[sorted[i] - builder->tracks] = leader;
    }
    *out_leaders = leaders;
    return MRW_OK;
}

/* Whether a track's keys are where the samples are. */
static bool has_sample_times(const clip_builder *builder, const mrw_track_desc *desc)
{
    const mrwi_packed_part *packed = builder->packed;
    return packed->time_count == desc->key_count &&
           memcmp(packed->times, desc->times, desc->key_count * sizeof(float)) == 0;
}

/* Fills what is written of each track. A leader comes before those that share its times. */
static mrw_status place_tracks(clip_builder *builder)
{
    clip_track **leaders = NULL;
    mrw_status status = find_leaders(builder, &leaders);
    builder->time_count = builder->packed->time_count;
    if (status != MRW_OK)
        return status;
    for (uint32_t i = 0; i < builder->track_count; i++) {
        clip_track *track = &builder->tracks[i];
        const mrw_track_desc *desc = track->desc;
        track->written.values_offset = (uint32_t)builder->value_count;
        builder->value_count += count_floats(desc);
        if (leaders[i] == track && has_sample_times(builder, desc)) {
            track->written.times_offset = 0;
        } else if (leaders[i] == track) {
            track->written.times_offset = (uint32_t)builder->time_count;
            builder->time_count += desc->key_count;
        } else {
            track->written.times_offset = leaders[i]->written.times_offset;
        }
        if (builder->value_count > UINT32_MAX || builder->time_count > UINT32_MAX)
            return fail_track(builder, MRW_ERR_LIMIT, track->list_index, "values",
                              "more than 2^32 numbers in one clip");
    }
    return MRW_OK;
}

/* --- the order of sampling --------------------------------------------------------------- */

static void write_unit_rotations(const clip_track *track, float *values)
{
    uint32_t key_floats = mrwi_track_key_floats(&track->written);
    float *value = values + mrwi_track_value_at(&track->written);
    for (uint32_t k = 0; k < track->desc->key_count; k++, value += key_floats) {
        mrw_quat unit = mrwi_unit_rotation((mrw_quat){value[0], value[1], value[2], value[3]});
        value[0] = unit.x;
        value[1] = unit.y;
        value[2] = unit.z;
        value[3] = unit.w;
    }
}

/* Tangents are multiplied by the time between two keys, so in a long clip smaller ones count. */
static float noise_of(const clip_builder *builder, const mrw_track_desc *desc)
{
    float limit = desc->kind == MRW_TRACK_ROTATION      ? MRWI_ROTATION_NOISE
                  : desc->kind == MRW_TRACK_TRANSLATION ? builder->translation_noise
                                                        : 0.0f;
    bool has_tangents = desc->interpolation == MRW_INTERPOLATION_CUBIC;
    return has_tangents && builder->duration_s > 1.0f ? limit / builder->duration_s : limit;
}

/* Copies the keys, with rotations of unit length and without noise. Tangents are differences and
 * keep their length. */
static void write_values(const clip_builder *builder, const clip_track *track, float *out_values)
{
    const mrw_track_desc *desc = track->desc;
    memcpy(out_values, desc->values, count_floats(desc) * sizeof(float));
    if (desc->kind == MRW_TRACK_ROTATION)
        write_unit_rotations(track, out_values);
    mrwi_drop_noise(out_values, count_floats(desc), noise_of(builder, desc));
}

static void add_still(clip_builder *builder, const mrw_track *track, const float *values)
{
    mrwi_clip_constant *still = &builder->still[builder->still_count++];
    still->joint = track->target;
    still->kind = (mrw_track_kind)track->kind;
    memcpy(still->value, values + mrwi_track_value_at(track),
           mrw_track_width(still->kind) * sizeof(float));
}

/* Tracks of joints with one key need not be tracks. */
static mrw_status drop_still_tracks(clip_builder *builder)
{
    builder->still =
        mrwi_arena_alloc(&builder->scratch, builder->track_count, sizeof(*builder->still));
    if (builder->still == NULL)
        return mrwi_arena_fail(&builder->scratch, builder->out_error, "tracks");
    uint32_t kept = 0;
    for (uint32_t i = 0; i < builder->track_count && builder->drops_still; i++) {
        const clip_track *track = &builder->tracks[i];
        if (track->desc->key_count == 1 && track->desc->kind != MRW_TRACK_SCALAR) {
            float value[MRWI_KEY_FLOATS];
            write_values(builder, track, value);
            add_still(builder, &track->written, value);
        } else {
            builder->tracks[kept++] = *track;
        }
    }
    builder->track_count = builder->drops_still ? kept : builder->track_count;
    return MRW_OK;
}

static mrw_status order_tracks(clip_builder *builder)
{
    mrwi_arena *scratch = &builder->scratch;
    mrw_track *tracks = mrwi_arena_alloc(scratch, builder->track_count, sizeof(*tracks));
    float *values = mrwi_arena_alloc(scratch, (size_t)builder->value_count, sizeof(*values));
    if (tracks == NULL || values == NULL)
        return mrwi_arena_fail(scratch, builder->out_error, "tracks");
    for (uint32_t i = 0; i < builder->track_count; i++) {
        tracks[i] = builder->tracks[i].written;
        write_values(builder, &builder->tracks[i], values + tracks[i].values_offset);
        if (mrwi_track_find_role(&tracks[i], values) == MRWI_TRACK_CONSTANT)
            add_still(builder, &tracks[i], values + tracks[i].values_offset);
    }
    mrw_status status = mrwi_order_sampling(tracks, builder->track_count, values, scratch,
                                            &builder->order, builder->out_error);
    if (status == MRW_OK)
        status = mrwi_order_constants(builder->still, builder->still_count, scratch,
                                      &builder->constants, builder->out_error);
    return status;
}

/* --- bytes ------------------------------------------------------------------------------- */

/* Copies an array into its section. */
static void write_section(uint8_t *data, uint64_t offset, const void *from, size_t size_bytes)
{
    if (size_bytes > 0)
        memcpy(data + offset, from, size_bytes);
}

static mrw_status write_clip(const clip_builder *builder, const mrw_memory_options *memory,
                             mrw_bytes *out_clip)
{
    const mrwi_packed_part *packed = builder->packed;
    size_t name_size_bytes = strlen(builder->name) + 1;
    if (name_size_bytes > UINT32_MAX)
        return mrwi_fail_at(builder->out_error, MRW_ERR_LIMIT, 0, "name");
    const mrwi_sampling_order *order = &builder->order;
    mrwi_clip_content content;
    memset(&content, 0, sizeof(content));
    content.encoding = packed->size_bytes > 0 ? MRW_CLIP_PACKED : MRW_CLIP_KEYED;
    content.joint_count = builder->skeleton->joint_count;
    content.scalar_count = builder->skeleton->scalar_count;
    content.track_count = order->track_count;
    content.time_count = (uint32_t)builder->time_count;
    content.value_count = order->value_count;
    content.name_size_bytes = (uint32_t)name_size_bytes;
    content.duration_s = builder->duration_s;

    mrwi_asset_layout layout = mrwi_asset_layout_begin(sizeof(content));
    content.tracks_offset =
        mrwi_asset_layout_section(&layout, builder->track_count, sizeof(mrw_track));
    content.times_offset = mrwi_asset_layout_section(&layout, builder->time_count, sizeof(float));
    content.values_offset = mrwi_asset_layout_section(&layout, order->value_count, sizeof(float));
    content.name_offset = mrwi_asset_layout_section(&layout, name_size_bytes, 1);
    content.base_count = builder->constants.base_count;
    content.group_count = order->group_count;
    content.moving_count = order->moving_count;
    content.loose_count = order->loose_count;
    const size_t base_bytes = content.base_count * sizeof(mrw_clip_base);
    const size_t constant_bytes = builder->constants.number_count * sizeof(float);
    content.bases_offset = mrwi_asset_layout_section(&layout, base_bytes + constant_bytes, 1);
    content.groups_offset =
        mrwi_asset_layout_section(&layout, order->group_count, sizeof(mrw_clip_group));
    content.moving_offset =
        mrwi_asset_layout_section(&layout, order->moving_count, sizeof(mrw_clip_moving));
    content.loose_offset = mrwi_asset_layout_section(&layout, order->loose_count, sizeof(uint32_t));
    content.packed_offset = mrwi_asset_layout_section(&layout, packed->size_bytes, 1);
    content.packed_size_bytes = packed->size_bytes;
    mrw_status status =
        mrwi_asset_alloc(&layout, memory, &builder->scratch, out_clip, builder->out_error);
    if (status != MRW_OK)
        return status;

    uint8_t *data = out_clip->data;
    float *times = (float *)(void *)(data + content.times_offset);
    memcpy(data, &content, sizeof(content));
    memcpy(data + content.name_offset, builder->name, name_size_bytes);
    write_section(data, content.tracks_offset, order->tracks,
                  order->track_count * sizeof(mrw_track));
    write_section(data, content.values_offset, order->values,
                  (size_t)order->value_count * sizeof(float));
    write_section(data, content.bases_offset, builder->constants.bases, base_bytes);
    write_section(data, content.bases_offset + base_bytes, builder->constants.numbers,
                  constant_bytes);
    write_section(data, content.groups_offset, order->groups,
                  order->group_count * sizeof(mrw_clip_group));
    write_section(data, content.moving_offset, order->moving,
                  order->moving_count * sizeof(mrw_clip_moving));
    write_section(data, content.loose_offset, order->loose, order->loose_count * sizeof(uint32_t));
    write_section(data, content.packed_offset, packed->section, packed->size_bytes);
    write_section(data, content.times_offset, packed->times, packed->time_count * sizeof(float));
    for (uint32_t i = 0; i < order->track_count; i++)
        memcpy(times + order->tracks[i].times_offset, builder->tracks[i].desc->times,
               order->tracks[i].key_count * sizeof(float));
    mrwi_asset_finish(out_clip, MRW_ASSET_CLIP, MRW_CLIP_VERSION,
                      mrw_skeleton_id(builder->skeleton));
    return MRW_OK;
}

static mrw_status build(clip_builder *builder, const char *name, const mrw_track_desc *descs,
                        uint32_t count, float duration_s)
{
    builder->name = mrwi_asset_name(&builder->scratch, name);
    if (builder->name == NULL)
        return mrwi_arena_fail(&builder->scratch, builder->out_error, "name");
    mrw_status status = collect_tracks(builder, descs, count);
    if (status == MRW_OK)
        status = set_duration(builder, duration_s);
    if (status == MRW_OK)
        status = sort_tracks(builder);
    if (status == MRW_OK)
        status = drop_still_tracks(builder);
    if (status == MRW_OK)
        status = place_tracks(builder);
    if (status == MRW_OK)
        status = order_tracks(builder);
    return status;
}

mrw_status mrwi_write_clip(const mrw_skeleton *skeleton, const char *name,
                           const mrw_track_desc *tracks, uint32_t track_count, float duration_s,
                           bool drops_still, const mrwi_packed_part *packed,
                           const mrw_memory_options *memory, mrw_bytes *out_clip,
                           mrw_error *out_error)
{
    if (out_clip == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0, "out_clip");
    memset(out_clip, 0, sizeof(*out_clip));
    if (skeleton == NULL || (tracks == NULL && track_count > 0))
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            skeleton == NULL ? "skeleton" : "tracks");
    static const mrwi_packed_part nothing = {0};
    clip_builder builder = {
        .skeleton = skeleton,
        .drops_still = drops_still,
        .packed = packed != NULL ? packed : &nothing,
        .translation_noise = mrwi_translation_noise(skeleton->rest_blocks, skeleton->joint_count),
        .out_error = out_error};
    mrwi_arena_init(&builder.scratch, memory);
    mrw_status status = build(&builder, name, tracks, track_count, duration_s);
    if (status == MRW_OK)
        status = write_clip(&builder, memory, out_clip);
    mrwi_arena_free(&builder.scratch);
    return status;
}

mrw_status mrw_build_clip(const mrw_skeleton *skeleton, const char *name,
                          const mrw_track_desc *tracks, uint32_t track_count, float duration_s,
                          const mrw_memory_options *memory, mrw_bytes *out_clip,
                          mrw_error *out_error)
{
    return mrwi_write_clip(skeleton, name, tracks, track_count, duration_s, false, NULL, memory,
                           out_clip, out_error);
}
