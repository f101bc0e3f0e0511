/* Stored clips: what comes out is what went in, all at once or as bytes arrive; what has arrived
 * can be sampled; damaged ones are refused or give some clip, and never lead outside. */
#include "unit/asset_damage.h"
#include "unit/packed_case.h"

#include <marrow/asset_file.h>
#include <marrow/offline/compress.h>
#include <marrow/offline/export.h>
#include <marrow/sample.h>
#include <marrow/stored_clip.h>

#include "clip/clip_format.h"
#include "clip/packed_format.h"

typedef struct stored_case {
    mrw_bytes stored;
    mrw_stored_clip sizes;
    void *clip, *work;
} stored_case;

static stored_case store(const void *clip, size_t size_bytes)
{
    stored_case one;
    mrw_error error;
    if (mrw_store_clip(clip, size_bytes, NULL, &one.stored, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    assert_true(mrw_is_stored_clip(one.stored.data, one.stored.size_bytes));
    assert_int_equal(
        mrw_stored_clip_open(one.stored.data, one.stored.size_bytes, &one.sizes, &error), MRW_OK);
    assert_int_equal(one.sizes.stored_bytes, one.stored.size_bytes);
    one.clip = malloc(one.sizes.clip_bytes);
    one.work = malloc(one.sizes.work_bytes);
    assert_true(one.clip != NULL && one.work != NULL);
    return one;
}

static mrw_status decode(const stored_case *one, const void *bytes, size_t size_bytes)
{
    memset(one->clip, 0xa5, one->sizes.clip_bytes);
    memset(one->work, 0x5a, one->sizes.work_bytes);
    return mrw_stored_clip_decode(bytes, size_bytes, one->clip, one->sizes.clip_bytes, one->work,
                                  one->sizes.work_bytes, NULL);
}

static void free_case(stored_case *one)
{
    mrw_bytes_free(&one->stored);
    free(one->clip);
    free(one->work);
}

/* Whether its motion was stored as numbers. */
static bool has_motion(const stored_case *one)
{
    uint32_t channel_count;
    memcpy(&channel_count, one->stored.data + 68, sizeof(channel_count));
    return channel_count > 0;
}

/* --- round trips ------------------------------------------------------------------------- */

static void assert_round_trip(const void *clip, size_t size_bytes, bool with_motion)
{
    stored_case one = store(clip, size_bytes);
    assert_int_equal(one.sizes.clip_bytes, size_bytes);
    assert_int_equal(has_motion(&one), with_motion);
    assert_int_equal(decode(&one, one.stored.data, one.stored.size_bytes), MRW_OK);
    assert_memory_equal(one.clip, clip, size_bytes);
    free_case(&one);
}

static void test_round_trips(void **state)
{
    (void)state;
    uint64_t random = 41;
    for (int i = 0; i < 60; i++) {
        packed_case one = packed_case_make(&random, 2 + (1u << i % 8));
        if (i % 3 == 0)
            packed_case_entangle(&one);
        assert_round_trip(one.clip_bytes.data, one.clip_bytes.size_bytes, true);
        packed_case_free(&one);
    }
}

static void test_keyed_clips(void **state)
{
    (void)state;
    uint64_t random = 43;
    for (int i = 0; i < 10; i++) {
        packed_case one = packed_case_make(&random, 20);
        mrw_bytes keyed;
        assert_int_equal(mrw_unpack_clip(&one.skeleton, &one.clip, NULL, &keyed, NULL), MRW_OK);
        assert_round_trip(keyed.data, keyed.size_bytes, false);
        mrw_bytes_free(&keyed);
        packed_case_free(&one);
    }
}

/* Exchanges two shapes of the channels that begin with the same, and their codes: the clip means
 * the same, but the first shape that is wide enough may be another. */
static void exchange_shapes(packed_case *one, uint64_t *random)
{
    const mrw_clip_packed *packed = &one->clip.packed;
    uint8_t *bytes = one->clip_bytes.data;
    const uint32_t first = packed->first_shapes[random_bits(random) % packed->channel_count];
    const uint32_t left = packed->shape_count - first;
    const uint32_t count = left < MRWI_PACKED_CODES ? left : MRWI_PACKED_CODES;
    const uint32_t a = random_bits(random) % count, b = random_bits(random) % count;
    for (uint32_t c = 0; c < packed->channel_count; c++) {
        const uint32_t theirs = packed->first_shapes[c]; /* who may use one of the two */
        if (theirs != first && theirs + MRWI_PACKED_CODES > first + (a < b ? a : b) &&
            theirs <= first + (a > b ? a : b))
            return;
    }
    uint8_t *shapes = bytes + (packed->shapes - bytes), kept[4];
    memcpy(kept, shapes + 4 * (first + a), 4);
    memcpy(shapes + 4 * (first + a), shapes + 4 * (first + b), 4);
    memcpy(shapes + 4 * (first + b), kept, 4);
    for (uint32_t s = 0; s < packed->segment_count; s++)
        for (uint32_t c = 0; c < packed->channel_count; c++) {
            uint8_t *codes =
                bytes + (packed->data - bytes) + packed->segments[s] + packed->anchor_bytes;
            const uint32_t code = mrwi_packed_code(codes, c);
            const uint32_t other = code == a ? b : code == b ? a : code;
            if (packed->first_shapes[c] == first)
                codes[c / 2] = (uint8_t)(codes[c / 2] ^ (code ^ other) << c % 2 * 4);
        }
    seal_asset(bytes);
}

static void test_codes_of_other_writers(void **state)
{
    (void)state;
    uint64_t random = 47;
    int other = 0;
    for (int i = 0; i < 60; i++) {
        packed_case one = packed_case_make(&random, 200);
        exchange_shapes(&one, &random);
        stored_case s = store(one.clip_bytes.data, one.clip_bytes.size_bytes);
        other += !has_motion(&s);
        assert_int_equal(decode(&s, s.stored.data, s.stored.size_bytes), MRW_OK);
        assert_memory_equal(s.clip, one.clip_bytes.data, one.clip_bytes.size_bytes);
        free_case(&s);
        packed_case_free(&one);
    }
    assert_true(other >= 5);
}

/* Puts the clip's name, an empty one, where its data have a 0. False if none is at a place where a
 * section may begin. */
static bool move_name_to_data(packed_case *one)
{
    uint8_t *bytes = one->clip_bytes.data;
    mrwi_clip_content *content = (mrwi_clip_content *)(void *)bytes;
    size_t at = (size_t)(one->clip.packed.data - bytes) + one->clip.packed.anchor_bytes;
    at = (at + MRW_ASSET_SECTION_ALIGNMENT - 1) / MRW_ASSET_SECTION_ALIGNMENT *
         MRW_ASSET_SECTION_ALIGNMENT;
    while (at < one->clip_bytes.size_bytes && bytes[at] != 0)
        at += MRW_ASSET_SECTION_ALIGNMENT;
    if (at >= content->packed_offset + content->packed_size_bytes)
        return false;
    content->name_offset = at;
    content->name_size_bytes = 1;
    seal_asset(bytes);
    return true;
}

/* What stands in the motion is checked before the motion is there: a section of such a clip could
 * become anything afterwards. So the decoder takes none with motion. */
static void test_sections_in_the_motion(void **state)
{
    (void)state;
    uint64_t random = 73;
    int moved = 0;
    for (int i = 0; i < 20; i++) {
        packed_case one = packed_case_make(&random, 200);
        if (move_name_to_data(&one)) {
            mrw_clip clip;
            assert_int_equal(
                mrw_clip_open(one.clip_bytes.data, one.clip_bytes.size_bytes, &clip, NULL), MRW_OK);
            assert_round_trip(one.clip_bytes.data, one.clip_bytes.size_bytes, false);
            moved++;
        }
        packed_case_free(&one);
    }
    assert_true(moved > 5);
}

/* --- streams ----------------------------------------------------------------------------- */

static void *sample(const packed_case *one, const mrw_clip *clip, double time_s, mrw_pose *out_pose)
{
    size_t size_bytes = mrw_pose_size(one->joint_count, one->scalar_count);
    void *memory = aligned_alloc(MRW_ALIGNMENT, size_bytes);
    assert_non_null(memory);
    assert_int_equal(
        mrw_pose_init(memory, size_bytes, one->joint_count, one->scalar_count, out_pose), MRW_OK);
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = clip;
    job.skeleton = &one->skeleton;
    job.time_s = time_s;
    job.out_pose = out_pose;
    assert_int_equal(mrw_sample(&job), MRW_OK);
    return memory;
}

/* What has arrived is what the whole clip is at these times, bit for bit. */
static void assert_view(const packed_case *one, const mrw_clip *view, uint64_t *random)
{
    for (int i = 0; i < 4; i++) {
        double time_s = i == 0 ? (double)view->duration_s
                               : (double)random_float(random, 0.0f, view->duration_s);
        mrw_pose a, b;
        void *memory_a = sample(one, view, time_s, &a),
             *memory_b = sample(one, &one->clip, time_s, &b);
        for (uint32_t joint = 0; joint < one->joint_count; joint++) {
            const mrw_transform x = mrw_pose_joint(&a, joint), y = mrw_pose_joint(&b, joint);
            assert_memory_equal(&x, &y, sizeof(x));
        }
        if (one->scalar_count > 0)
            assert_memory_equal(a.scalars, b.scalars, one->scalar_count * sizeof(float));
        free(memory_a);
        free(memory_b);
    }
}

static void stream(const packed_case *one, uint64_t *random)
{
    stored_case s = store(one->clip_bytes.data, one->clip_bytes.size_bytes);
    uint8_t *arrived = malloc(s.stored.size_bytes);
    assert_non_null(arrived);
    memset(arrived, 0xee, s.stored.size_bytes);
    size_t size_bytes = MRW_STORED_CLIP_HEAD_BYTES;
    memcpy(arrived, s.stored.data, size_bytes);
    mrw_clip_stream *decoder;
    assert_int_equal(mrw_clip_stream_begin(arrived, size_bytes, s.clip, s.sizes.clip_bytes, s.work,
                                           s.sizes.work_bytes, &decoder, NULL),
                     MRW_OK);
    float duration_s = 0.0f;
    uint32_t views = 0;
    while (!mrw_clip_stream_is_complete(decoder)) {
        assert_true(size_bytes < s.stored.size_bytes);
        size_t more = 1 + random_bits(random) % 97;
        more = more < s.stored.size_bytes - size_bytes ? more : s.stored.size_bytes - size_bytes;
        memcpy(arrived + size_bytes, s.stored.data + size_bytes, more);
        size_bytes += more;
        mrw_clip view;
        assert_int_equal(mrw_clip_stream_advance(decoder, size_bytes, &view, NULL), MRW_OK);
        if (view.joint_count == 0)
            continue;
        assert_true(view.duration_s >= duration_s && view.duration_s <= one->clip.duration_s);
        if (view.duration_s > duration_s || views == 0)
            assert_view(one, &view, random);
        duration_s = view.duration_s;
        views++;
    }
    assert_true(views > 0 && duration_s == one->clip.duration_s);
    assert_memory_equal(s.clip, one->clip_bytes.data, one->clip_bytes.size_bytes);
    free(arrived);
    free_case(&s);
}

static void test_streams(void **state)
{
    (void)state;
    uint64_t random = 53;
    for (int i = 0; i < 12; i++) {
        packed_case one = packed_case_make(&random, 150);
        stream(&one, &random);
        packed_case_free(&one);
    }
}

/* A long clip arrives evenly: with a part of the bytes about that part of the motion is there. */
static void test_streams_are_in_order(void **state)
{
    (void)state;
    uint64_t random = 59;
    packed_case one;
    do {
        one = packed_case_make(&random, 2000);
        if (one.motion.sample_count > 1000 && mrwi_packed_channel_count(&one.motion) > 20)
            break;
        packed_case_free(&one);
    } while (true);
    stored_case s = store(one.clip_bytes.data, one.clip_bytes.size_bytes);
    mrw_clip_stream *decoder;
    assert_int_equal(mrw_clip_stream_begin(s.stored.data, s.stored.size_bytes, s.clip,
                                           s.sizes.clip_bytes, s.work, s.sizes.work_bytes, &decoder,
                                           NULL),
                     MRW_OK);
    for (uint32_t part = 1; part < 8; part++) {
        mrw_clip view;
        assert_int_equal(
            mrw_clip_stream_advance(decoder, s.stored.size_bytes * part / 8, &view, NULL), MRW_OK);
        const double reached = (double)view.duration_s / (double)one.clip.duration_s;
        assert_true(reached > part / 8.0 - 0.05 && reached < part / 8.0 + 0.05);
    }
    free_case(&s);
    packed_case_free(&one);
}

/* --- memory ------------------------------------------------------------------------------ */

/* Each allocation fails once; what is given back then shows a sanitizer. */
static void test_memory_runs_out(void **state)
{
    (void)state;
    uint64_t random = 79;
    packed_case one = packed_case_make(&random, 100);
    mrw_memory_options memory = mrw_memory_options_default();
    memory.separate = true;
    mrw_status status;
    uint32_t failed = 0;
    do {
        mrw_bytes stored;
        mrw_error error;
        memory.allocation_limit = failed + 1;
        status = mrw_store_clip(one.clip_bytes.data, one.clip_bytes.size_bytes, &memory, &stored,
                                &error);
        assert_int_equal(stored.data == NULL, status != MRW_OK);
        if (status != MRW_OK)
            assert_int_equal(status, MRW_ERR_MEMORY_LIMIT);
        mrw_bytes_free(&stored);
        failed += status != MRW_OK;
    } while (status != MRW_OK);
    assert_true(failed > 8);
    packed_case_free(&one);
}

/* --- files ------------------------------------------------------------------------------- */

/* Of a skeleton and two clips, one of them stored. */
static mrw_bytes make_file(const packed_case *one, const mrw_bytes *stored)
{
    const mrw_file_part parts[] = {
        {"skeleton", one->skeleton_bytes.data, one->skeleton_bytes.size_bytes},
        {"plain", one->clip_bytes.data, one->clip_bytes.size_bytes},
        {"stored", stored->data, stored->size_bytes}};
    mrw_bytes file;
    mrw_error error;
    if (mrw_export_file(parts, 3, NULL, &file, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return file;
}

static void test_files(void **state)
{
    (void)state;
    uint64_t random = 73;
    packed_case one = packed_case_make(&random, 60);
    stored_case s = store(one.clip_bytes.data, one.clip_bytes.size_bytes);
    mrw_bytes file = make_file(&one, &s.stored);
    mrw_character *character;
    mrw_error error;
    assert_int_equal(mrw_open_character(file.data, file.size_bytes, NULL, &character, &error),
                     MRW_OK);
    assert_int_equal(character->clip_count, 2);
    assert_string_equal(character->clips[1].name, "stored");
    assert_int_equal(character->stored_bytes[0], 0);
    assert_int_equal(character->stored_bytes[1], s.stored.size_bytes);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(character->clips[i].header, one.clip_bytes.data,
                            one.clip_bytes.size_bytes);
    mrw_character_free(character);

    const void *asset;
    size_t size_bytes;
    mrw_file view;
    assert_int_equal(mrw_file_open(file.data, file.size_bytes, &view, &error), MRW_OK);
    assert_int_equal(mrw_file_asset(&view, MRW_ASSET_CLIP, 1, &asset, &size_bytes), MRW_OK);
    const size_t at = (size_t)((const uint8_t *)asset - file.data);
    file.data[at + MRW_STORED_CLIP_HEAD_BYTES + 4] ^= 16;
    seal_asset(file.data + at);
    assert_int_not_equal(mrw_open_character(file.data, file.size_bytes, NULL, &character, &error),
                         MRW_OK);
    assert_memory_equal(error.detail, "clips[1]: ", 10);
    mrw_bytes_free(&file);
    free_case(&s);
    packed_case_free(&one);
}

/* --- damage ------------------------------------------------------------------------------ */

static void test_truncated(void **state)
{
    (void)state;
    uint64_t random = 61;
    packed_case one = packed_case_make(&random, 40);
    stored_case s = store(one.clip_bytes.data, one.clip_bytes.size_bytes);
    for (size_t size_bytes = 0; size_bytes < s.stored.size_bytes;
         size_bytes += 1 + size_bytes / 9) {
        void *copy = malloc(size_bytes > 0 ? size_bytes : 1);
        assert_non_null(copy);
        memcpy(copy, s.stored.data, size_bytes);
        assert_int_equal(decode(&s, copy, size_bytes), MRW_ERR_TRUNCATED);
        free(copy);
    }
    free_case(&s);
    packed_case_free(&one);
}

/* With a checksum that fits, so that the damage is looked at. */
static void test_damaged(void **state)
{
    (void)state;
    uint64_t random = 67;
    uint32_t refused = 0, decoded = 0;
    for (int c = 0; c < 6; c++) {
        packed_case one = packed_case_make(&random, 40);
        stored_case s = store(one.clip_bytes.data, one.clip_bytes.size_bytes);
        uint8_t *copy = malloc(s.stored.size_bytes);
        assert_non_null(copy);
        for (int i = 0; i < 400; i++) {
            memcpy(copy, s.stored.data, s.stored.size_bytes);
            copy[64 + random_bits(&random) % (s.stored.size_bytes - 64)] ^=
                (uint8_t)(1u << random_bits(&random) % 8);
            seal_asset(copy);
            mrw_stored_clip sizes;
            if (mrw_stored_clip_open(copy, s.stored.size_bytes, &sizes, NULL) != MRW_OK ||
                sizes.clip_bytes > s.sizes.clip_bytes || sizes.work_bytes > s.sizes.work_bytes ||
                decode(&s, copy, s.stored.size_bytes) != MRW_OK) {
                refused++;
                continue;
            }
            mrw_clip clip;
            decoded += mrw_clip_open(s.clip, sizes.clip_bytes, &clip, NULL) == MRW_OK;
        }
        free(copy);
        free_case(&s);
        packed_case_free(&one);
    }
    /* A bit of a number that is coded as it is makes another clip; most others lead astray. */
    assert_true(refused > 1500 && decoded > 50);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    uint64_t random = 71;
    packed_case one = packed_case_make(&random, 20);
    stored_case s = store(one.clip_bytes.data, one.clip_bytes.size_bytes);
    const size_t size_bytes = s.stored.size_bytes;
    mrw_stored_clip sizes;
    mrw_clip clip;
    mrw_error error;
    assert_int_equal(mrw_clip_open(s.stored.data, size_bytes, &clip, &error), MRW_ERR_BAD_VERSION);
    assert_string_equal(error.detail, "encoding");
    assert_int_equal(mrw_stored_clip_open(NULL, 0, &sizes, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_stored_clip_open(s.stored.data + 1, size_bytes - 1, &sizes, &error),
                     MRW_ERR_ALIGNMENT);
    assert_int_equal(
        mrw_stored_clip_open(one.clip_bytes.data, one.clip_bytes.size_bytes, &sizes, &error),
        MRW_ERR_BAD_VERSION);
    assert_false(mrw_is_stored_clip(one.clip_bytes.data, one.clip_bytes.size_bytes));
    assert_int_equal(mrw_stored_clip_open(one.skeleton_bytes.data, one.skeleton_bytes.size_bytes,
                                          &sizes, &error),
                     MRW_ERR_WRONG_KIND);
    assert_int_equal(mrw_stored_clip_decode(s.stored.data, size_bytes, s.clip,
                                            s.sizes.clip_bytes - 1, s.work, s.sizes.work_bytes,
                                            &error),
                     MRW_ERR_BUFFER_TOO_SMALL);
    assert_string_equal(error.detail, "clip");
    assert_int_equal(mrw_stored_clip_decode(s.stored.data, size_bytes, s.clip, s.sizes.clip_bytes,
                                            s.work, s.sizes.work_bytes - 1, &error),
                     MRW_ERR_BUFFER_TOO_SMALL);
    assert_string_equal(error.detail, "work");
    s.stored.data[offsetof(mrw_asset_header, reserved) + 5] = 1;
    assert_int_equal(mrw_stored_clip_open(s.stored.data, size_bytes, &sizes, &error),
                     MRW_ERR_BAD_ASSET);
    assert_string_equal(error.detail, "header.reserved");
    s.stored.data[offsetof(mrw_asset_header, reserved) + 5] = 0;
    const uint32_t channels = (uint32_t)(s.sizes.clip_bytes / 6 + 1);
    memcpy(s.stored.data + 68, &channels, sizeof(channels));
    assert_int_equal(mrw_stored_clip_open(s.stored.data, size_bytes, &sizes, &error),
                     MRW_ERR_BAD_ASSET);
    assert_string_equal(error.detail, "channel_count");
    memcpy(s.stored.data + 68, &one.clip.packed.channel_count, sizeof(channels));
    s.stored.data[size_bytes - 60] ^= 4;
    assert_int_not_equal(decode(&s, s.stored.data, size_bytes), MRW_OK);
    mrw_bytes again;
    assert_int_equal(mrw_store_clip(s.stored.data, size_bytes, NULL, &again, &error),
                     MRW_ERR_BAD_CHECKSUM);
    free_case(&s);
    packed_case_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_keyed_clips),
        cmocka_unit_test(test_codes_of_other_writers),
        cmocka_unit_test(test_sections_in_the_motion),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_streams_are_in_order),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
