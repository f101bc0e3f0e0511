/* Packed clips: sampling them, warm and cold, packing, measuring what packing cost, and storing.
 *
 * Cold means that nothing of the clip is in a cache: there are many copies of clip and view, each
 * call samples another one, and before each run everything is driven out. That is what a crowd of
 * characters asks for whose clips do not fit; the loops of all other stages show the other end.
 *
 * The work of a packed sample counts what the formula of docs/format/clip_packed_v1.md needs in
 * floats, and the bytes of the parts that it reads; bits into numbers are integer arithmetic, which
 * is not counted.
 */
#include "bench_stage.h"

#include "bench_time.h"

#include <marrow/offline/compress.h>

#include <stdio.h>
#include <string.h>

enum {
    /* Steps, the two squares, doubled numbers, the products, and their share of the division. */
    CHART_OPERATIONS = 3 + 4 + 3 + 11 + 7,
    FRAME_OPERATIONS = 28 + 16, /* the product with L, and the shorter one with B' */
    SLERP_OPERATIONS = 63,      /* as in bench_stages_pose.c, with unit length at the end */
    CHANNEL_OPERATIONS = 7,     /* two steps and bases, their mean by weights */
    LEAST_COPIES = 16,
    MOST_COPIES = 256,
    COPIED_BYTES = 64 << 20,
    CACHE_BYTES = 128 << 20 /* more than any holds */
};

/* --- clips ------------------------------------------------------------------------------- */

/* The caller frees the bytes. Says on stderr what fails. */
static bool pack(const bench_rig *rig, const mrw_clip *clip, mrw_pack_effort effort,
                 mrw_bytes *out_bytes, mrw_pack_report *out_report)
{
    mrw_pack_options options = mrw_pack_options_default();
    options.effort = effort;
    options.metres_per_unit = rig->metres_per_unit;
    options.repack = true;
    *out_report = (mrw_pack_report){.struct_size = sizeof(*out_report)};
    mrw_error error = {0};
    if (mrw_pack_clip(rig->skeleton, clip, &options, out_bytes, out_report, &error) == MRW_OK)
        return true;
    fprintf(stderr, "marrow_bench: %s: packing: %s %s\n", rig->name, error.detail, error.message);
    return false;
}

static bool make_packed(const bench_rig *rig, const mrw_clip *source, bench_packed *out)
{
    mrw_bytes bytes;
    out->source = source;
    if (!pack(rig, source, MRW_PACK_DEFAULT, &bytes, &out->report))
        return false;
    out->bytes = bench_alloc(bytes.size_bytes, 1);
    memcpy(out->bytes, bytes.data, bytes.size_bytes);
    mrw_bytes_free(&bytes);
    mrw_error error;
    return mrw_clip_open(out->bytes, out->report.packed_bytes, &out->clip, &error) == MRW_OK;
}

static bool make_copies(bench_copies *copies, const void *bytes, size_t size_bytes)
{
    /* Of pages of their own, and each elsewhere in its first page. */
    const size_t stride = (size_bytes + 2 * 4096 - 1) & ~(size_t)4095;
    const size_t count = COPIED_BYTES / stride;
    copies->count = (uint32_t)(count < LEAST_COPIES  ? LEAST_COPIES
                               : count > MOST_COPIES ? MOST_COPIES
                                                     : count);
    uint8_t *memory = bench_alloc(copies->count, stride);
    copies->clips = bench_alloc(copies->count, sizeof(*copies->clips));
    bool good = true;
    mrw_error error;
    for (size_t i = 0; i < copies->count && good; i++) {
        uint8_t *copy = memory + i * stride + i % 64 * 64;
        memcpy(copy, bytes, size_bytes);
        good = mrw_clip_open(copy, size_bytes, &copies->clips[i], &error) == MRW_OK;
    }
    return good;
}

/* --- sampling ---------------------------------------------------------------------------- */

static bool run_sequence(bench_desk *desk, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++) {
        desk->time_s += 1.0 / 60.0;
        status = bench_sample_at(desk->rig, &desk->packed.clip, desk->time_s, &desk->sampled);
    }
    return status == MRW_OK;
}

static mrw_status sample_somewhere(bench_desk *desk, const mrw_clip *clip)
{
    float time_s = desk->random_times[desk->next_time++ % BENCH_TIMES] * clip->duration_s;
    return bench_sample_at(desk->rig, clip, (double)time_s, &desk->sampled);
}

static bool sample_randomly(bench_desk *desk, const mrw_clip *clip, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = sample_somewhere(desk, clip);
    return status == MRW_OK;
}

static bool run_random(bench_desk *desk, uint64_t call_count)
{
    return sample_randomly(desk, &desk->packed.clip, call_count);
}

static bool run_busiest(bench_desk *desk, uint64_t call_count)
{
    return sample_randomly(desk, &desk->packed_busiest.clip, call_count);
}

/* Writes to so much else that nothing of before is in a cache. */
static void empty_caches(void)
{
    static volatile uint8_t *memory;
    if (memory == NULL)
        memory = bench_alloc(CACHE_BYTES, 1);
    for (size_t i = 0; i < CACHE_BYTES; i += 64)
        memory[i]++;
}

static bool sample_copies(bench_desk *desk, const bench_copies *copies, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = sample_somewhere(desk, &copies->clips[i % copies->count]);
    return status == MRW_OK;
}

static bool run_cold(bench_desk *desk, uint64_t call_count)
{
    return sample_copies(desk, &desk->packed_copies, call_count);
}

static bool run_cold_keyed(bench_desk *desk, uint64_t call_count)
{
    return sample_copies(desk, &desk->keyed_copies, call_count);
}

/* --- packing ------------------------------------------------------------------------------ */

static bool pack_again(bench_desk *desk, mrw_pack_effort effort, uint64_t call_count)
{
    bool good = true;
    for (uint64_t i = 0; i < call_count && good; i++) {
        mrw_bytes bytes = {0};
        mrw_pack_report report;
        good = pack(desk->rig, desk->packed.source, effort, &bytes, &report);
        mrw_bytes_free(&bytes);
    }
    return good;
}

static bool run_pack_fast(bench_desk *desk, uint64_t call_count)
{
    return pack_again(desk, MRW_PACK_FAST, call_count);
}

static bool run_pack_default(bench_desk *desk, uint64_t call_count)
{
    return pack_again(desk, MRW_PACK_DEFAULT, call_count);
}

static bool run_compare(bench_desk *desk, uint64_t call_count)
{
    mrw_compare_options options = mrw_compare_options_default();
    options.metres_per_unit = desk->rig->metres_per_unit;
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++) {
        mrw_comparison *comparison = NULL;
        mrw_error error;
        status = mrw_compare_clips(desk->rig->skeleton, desk->packed.source, &desk->packed.clip,
                                   &options, &comparison, &error);
        mrw_comparison_free(comparison);
    }
    return status == MRW_OK;
}

/* --- storing ------------------------------------------------------------------------------ */

static bool make_stored(const bench_packed *packed, bench_stored *out)
{
    mrw_bytes bytes;
    mrw_error error = {0};
    mrw_status status =
        mrw_store_clip(packed->bytes, packed->report.packed_bytes, NULL, &bytes, &error);
    if (status == MRW_OK) {
        out->size_bytes = bytes.size_bytes;
        out->bytes = bench_alloc(bytes.size_bytes, 1);
        memcpy(out->bytes, bytes.data, bytes.size_bytes);
        mrw_bytes_free(&bytes);
        status = mrw_stored_clip_open(out->bytes, out->size_bytes, &out->sizes, &error);
    }
    if (status != MRW_OK) {
        fprintf(stderr, "marrow_bench: storing: %s %s\n", error.detail, error.message);
        return false;
    }
    out->clip = bench_alloc(out->sizes.clip_bytes, 1);
    out->work = bench_alloc(out->sizes.work_bytes, 1);
    return true;
}

static bool run_store(bench_desk *desk, uint64_t call_count)
{
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++) {
        mrw_bytes stored;
        status = mrw_store_clip(desk->packed.bytes, desk->packed.report.packed_bytes, NULL, &stored,
                                NULL);
        mrw_bytes_free(&stored);
    }
    return status == MRW_OK;
}

static bool run_decode(bench_desk *desk, uint64_t call_count)
{
    const bench_stored *stored = &desk->stored;
    mrw_status status = MRW_OK;
    for (uint64_t i = 0; i < call_count && status == MRW_OK; i++)
        status = mrw_stored_clip_decode(stored->bytes, stored->size_bytes, stored->clip,
                                        stored->sizes.clip_bytes, stored->work,
                                        stored->sizes.work_bytes, NULL);
    return status == MRW_OK;
}

/* --- work --------------------------------------------------------------------------------- */

static bench_work sample_work(const bench_packed *packed, const mrw_skeleton *skeleton)
{
    const mrw_clip_packed *p = &packed->clip.packed;
    bench_work work = bench_sample_work(&packed->clip, skeleton); /* of its tracks, and the pose */
    if (p->sample_count == 0)
        return work;
    const double rotations = p->rotation_count, rest = p->channel_count - 3.0 * rotations;
    work.operations += rotations * (2 * CHART_OPERATIONS + FRAME_OPERATIONS + SLERP_OPERATIONS) +
                       rest * CHANNEL_OPERATIONS;
    work.divisions += rotations * (2.0 + 2.0);
    /* A segment, the anchors behind it, and what stands once for each target and channel. */
    work.bytes_read += (double)p->segments[p->segment_count] / p->segment_count + p->anchor_bytes +
                       10.0 * rotations + 4.0 * rest + 2.0 * p->channel_count;
    return work;
}

/* A run has no more calls than there are copies. */
static void add_cold(const bench_desk *desk, bench_stages *stages, const char *name,
                     bench_work work, const bench_copies *copies, bench_run run)
{
    work.working_set_bytes = CACHE_BYTES;
    bench_stage *stage =
        bench_add_stage(stages, name, "joint", desk->rig->skeleton->joint_count, work, run);
    stage->before_run = empty_caches;
    stage->most_calls = copies->count;
}

static void add_packing(bench_desk *desk, bench_stages *stages)
{
    const bench_packed *packed = &desk->packed;
    const double raw_bytes = (double)packed->report.raw_bytes;
    bench_work work = {0};
    work.bytes_read = (double)packed->report.source_bytes;
    work.bytes_written = (double)packed->report.packed_bytes;
    bench_add_stage(stages, "packing, fast", "raw byte", raw_bytes, work, run_pack_fast);
    bench_add_stage(stages, "packing, default", "raw byte", raw_bytes, work, run_pack_default);
    work.bytes_read += work.bytes_written;
    work.bytes_written = 4.0 * packed->report.sample_count * packed->clip.joint_count;
    bench_add_stage(stages, "comparing packed and source", "raw byte", raw_bytes, work,
                    run_compare);
}

static void add_storing(bench_desk *desk, bench_stages *stages)
{
    const double packed_bytes = (double)desk->packed.report.packed_bytes;
    bench_work work = {0};
    work.bytes_read = packed_bytes;
    work.bytes_written = (double)desk->stored.size_bytes;
    bench_add_stage(stages, "storing", "packed byte", packed_bytes, work, run_store);
    work.bytes_read = work.bytes_written;
    work.bytes_written = packed_bytes;
    bench_add_stage(stages, "decoding a stored clip", "packed byte", packed_bytes, work,
                    run_decode);
}

bool bench_add_packed_stages(bench_desk *desk, bench_stages *stages)
{
    const bench_rig *rig = desk->rig;
    const double joints = rig->skeleton->joint_count;
    if (!make_packed(rig, rig->first, &desk->packed) ||
        !make_packed(rig, rig->busiest, &desk->packed_busiest) ||
        !make_stored(&desk->packed, &desk->stored) ||
        !make_copies(&desk->packed_copies, desk->packed.bytes, desk->packed.report.packed_bytes) ||
        !make_copies(&desk->keyed_copies, rig->first->header, rig->first->header->size_bytes))
        return false;

    const bench_work work = sample_work(&desk->packed, rig->skeleton);
    bench_add_stage(stages, "sample packed in sequence", "joint", joints, work, run_sequence);
    bench_add_stage(stages, "sample packed anywhere", "joint", joints, work, run_random);
    bench_work busiest = sample_work(&desk->packed_busiest, rig->skeleton);
    busiest.working_set_bytes =
        (size_t)busiest.bytes_written + desk->packed_busiest.report.packed_bytes;
    bench_add_stage(stages, "sample packed, most tracks", "joint", joints, busiest, run_busiest);
    add_cold(desk, stages, "sample packed, cold", work, &desk->packed_copies, run_cold);
    add_cold(desk, stages, "sample, cold", bench_sample_work(rig->first, rig->skeleton),
             &desk->keyed_copies, run_cold_keyed);
    add_packing(desk, stages);
    add_storing(desk, stages);
    return true;
}
