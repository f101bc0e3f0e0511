/* Crowds: each character has the bits that the functions for one character give it, whatever stands
 * beside it, wherever ranges are cut, and with every instruction set; and what a job refuses. */
#include <marrow/marrow.h>

#include "unit/crowd_case.h"
#include "unit/near.h"

#include <stdint.h>

/* What a call writes. */
typedef struct results {
    mrw_mat34 palettes[CROWD_COUNT * CROWD_PALETTE];
    mrw_mat34 models[CROWD_COUNT * CROWD_JOINTS];
    float scalars[CROWD_COUNT * CROWD_SCALARS];
} results;

static crowd_case crowd;
static results expected, got;
static _Alignas(64) unsigned char scratch[1 << 20];

static mrw_crowd_job make_job(uint32_t layer_count, uint32_t character_count)
{
    mrw_crowd_job job = mrw_crowd_job_default();
    job.skeleton = &crowd.skeleton;
    job.parts = crowd.parts;
    job.part_count = CROWD_SKINS + 1;
    job.layers = crowd.layers;
    job.layer_count = layer_count;
    job.character_count = character_count;
    job.scratch = scratch;
    job.scratch_size_bytes = mrw_crowd_scratch_size(&crowd.skeleton, layer_count);
    assert_in_range(job.scratch_size_bytes, 1, sizeof(scratch));
    job.out_palettes = got.palettes;
    job.out_models = got.models;
    job.out_scalars = got.scalars;
    return job;
}

/* --- one by one -------------------------------------------------------------------------- */

static void sample_layer(const mrw_crowd_layer *layer, mrw_pose *out_pose)
{
    if (layer->clip == NULL) {
        assert_int_equal(mrw_skeleton_rest_pose(&crowd.skeleton, out_pose), MRW_OK);
        return;
    }
    mrw_sample_job job = mrw_sample_job_default();
    job.clip = layer->clip;
    job.skeleton = &crowd.skeleton;
    job.time_s = layer->time_s;
    job.loop = layer->loop;
    job.out_pose = out_pose;
    assert_int_equal(mrw_sample(&job), MRW_OK);
}

static void pose_character(const mrw_crowd_job *job, uint32_t character, mrw_pose *out_pose)
{
    static mrw_pose_block blocks[CROWD_LAYERS][CROWD_BLOCKS];
    static float scalars[CROWD_LAYERS][CROWD_SCALARS];
    mrw_pose poses[CROWD_LAYERS];
    mrw_blend_layer layers[CROWD_LAYERS];
    for (uint32_t i = 0; i < job->layer_count; i++) {
        const mrw_crowd_layer *layer = &job->layers[character * job->layer_count + i];
        poses[i] = (mrw_pose){crowd.skeleton.joint_count, crowd.skeleton.scalar_count, blocks[i],
                              scalars[i]};
        sample_layer(layer, &poses[i]);
        layers[i] = (mrw_blend_layer){.pose = &poses[i], .weight = layer->weight};
    }
    mrw_blend_job blend = mrw_blend_job_default();
    blend.skeleton = &crowd.skeleton;
    blend.layers = layers;
    blend.layer_count = job->layer_count;
    blend.rest_threshold = job->rest_threshold;
    blend.out_pose = out_pose;
    assert_int_equal(mrw_blend(&blend), MRW_OK);
}

static void skin_character(const mrw_mat34 *model, const mrw_skin *skin, mrw_mat34 *out_palette)
{
    mrw_palette_job job = mrw_palette_job_default();
    job.skin = skin;
    job.model = model;
    job.model_count = crowd.skeleton.joint_count;
    job.out_palette = out_palette;
    job.palette_count = skin->joint_count;
    assert_int_equal(mrw_palette(&job), MRW_OK);
}

/* Into `expected`. */
static void evaluate(const mrw_crowd_job *job, uint32_t character)
{
    mrw_pose_block blocks[CROWD_BLOCKS];
    mrw_pose pose = {crowd.skeleton.joint_count, crowd.skeleton.scalar_count, blocks,
                     expected.scalars + character * crowd.skeleton.scalar_count};
    pose_character(job, character, &pose);
    mrw_model_job model = mrw_model_job_default();
    model.skeleton = &crowd.skeleton;
    model.pose = &pose;
    model.root = job->roots != NULL ? &job->roots[character] : NULL;
    model.out_model = expected.models + character * crowd.skeleton.joint_count;
    model.model_count = crowd.skeleton.joint_count;
    assert_int_equal(mrw_model(&model), MRW_OK);
    mrw_mat34 *palette = expected.palettes + character * crowd_palette_count(&crowd);
    skin_character(model.out_model, &crowd.skins[0], palette);
    palette += crowd.skins[0].joint_count;
    *palette++ = model.out_model[crowd.parts[1].joint];
    skin_character(model.out_model, &crowd.skins[1], palette);
}

static void evaluate_all(const mrw_crowd_job *job)
{
    memset(&expected, 0x7f, sizeof(expected));
    assert_int_equal(mrw_isa_select(mrw_isa_available(0)), MRW_OK);
    for (uint32_t i = 0; i < job->character_count; i++)
        evaluate(job, i);
}

/* --- the same bits ----------------------------------------------------------------------- */

static void run_range(mrw_crowd_job *job, uint32_t first, uint32_t end)
{
    job->first_character = first;
    job->end_character = end;
    mrw_error error = {0};
    if (mrw_crowd_check(job, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    assert_int_equal(mrw_crowd(job), MRW_OK);
}

/* All of the results, those of characters past the last too. */
static void assert_expected(void)
{
    assert_memory_equal(got.scalars, expected.scalars, sizeof(got.scalars));
    assert_memory_equal(got.models, expected.models, sizeof(got.models));
    assert_memory_equal(got.palettes, expected.palettes, sizeof(got.palettes));
}

/* With every instruction set, in ranges of random lengths in random order. */
static void compare(mrw_crowd_job *job, uint64_t *random)
{
    evaluate_all(job);
    const char *isa;
    for (uint32_t i = 0; (isa = mrw_isa_available(i)) != NULL; i++) {
        assert_int_equal(mrw_isa_select(isa), MRW_OK);
        memset(&got, 0x7f, sizeof(got));
        memset(scratch, 0xff, sizeof(scratch)); /* NaN: nothing is read that was not written */
        uint32_t cut = job->character_count > 0 ? random_bits(random) % job->character_count : 0;
        run_range(job, cut, random_bits(random) % 2 ? job->character_count : MRW_ALL_CHARACTERS);
        for (uint32_t first = 0; first < cut;) {
            uint32_t end = first + 1 + random_bits(random) % 20;
            run_range(job, first, end < cut ? end : cut);
            first = end;
        }
        assert_expected();
    }
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
}

static void few_characters(void **state)
{
    (void)state;
    uint64_t random = 1;
    const uint32_t joint_counts[] = {1, 7, 8, 9, 33, CROWD_JOINTS};
    for (uint32_t count = 0; count <= 35; count++) {
        crowd_make(&crowd, &random, joint_counts[count % 6], count % 2 ? CROWD_SCALARS : 0,
                   1 + count % (CROWD_CLIPS + 1));
        mrw_crowd_job job = make_job(count % (CROWD_LAYERS + 1), count);
        job.roots = count % 3 == 0 ? crowd.roots : NULL;
        job.rest_threshold = count % 4 == 0 ? 0.75f : 0.0f;
        compare(&job, &random);
    }
}

/* More than a window. */
static void many_characters(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (uint32_t kinds = 1; kinds <= CROWD_CLIPS + 1; kinds++) {
        crowd_make(&crowd, &random, 17, 2, kinds);
        mrw_crowd_job job = make_job(1 + kinds % CROWD_LAYERS, CROWD_COUNT);
        job.roots = kinds % 2 ? crowd.roots : NULL;
        job.rest_threshold = kinds == 3 ? 2.0f : 0.0f;
        compare(&job, &random);
    }
}

/* Opposite rotations cancel but for the first layer, whose weight makes a sum too short for its
 * square to be exact. */
static void rotations_that_cancel(void **state)
{
    (void)state;
    uint64_t random = 3;
    crowd_make(&crowd, &random, 9, 0, 1);
    for (uint32_t i = 0; i < 9; i++) {
        mrw_pose rest = {9, 0, crowd.rest_blocks, NULL};
        mrw_transform local = mrw_transform_identity();
        mrw_pose_set_joint(&rest, i, &local);
    }
    for (uint32_t i = 0; i < 2; i++) {
        crowd_clip *clip = &crowd.clips[i];
        const float turned[4] = {i == 0 ? 1.0f : -1.0f, 0.0f, 0.0f, 0.0f};
        memcpy(clip->values, turned, sizeof(turned));
        clip->tracks[0] = (mrw_track){.target = 4, .kind = MRW_TRACK_ROTATION, .key_count = 1};
        clip->clip.track_count = 1;
        track_lists_fill(&clip->lists, &clip->clip);
    }
    for (uint32_t i = 0; i < 11; i++) {
        mrw_crowd_layer *layers = &crowd.layers[3 * i];
        float weight = i % 3 == 0 ? 1.0f : 1e-25f;
        layers[0] = (mrw_crowd_layer){.clip = NULL, .weight = weight};
        layers[1] = (mrw_crowd_layer){.clip = &crowd.clips[0].clip, .weight = 1.0f};
        layers[2] = (mrw_crowd_layer){.clip = &crowd.clips[1].clip, .weight = 1.0f};
    }
    mrw_crowd_job job = make_job(3, 11);
    compare(&job, &random);
    const mrw_mat34 *model = &got.models[9 + 4];
    assert_near((double)model->m[1][1], 1.0, 1e-6); /* the rest pose's */
}

static void results_may_be_left_out(void **state)
{
    (void)state;
    uint64_t random = 4;
    crowd_make(&crowd, &random, 12, CROWD_SCALARS, 2);
    mrw_crowd_job job = make_job(2, 21);
    evaluate_all(&job);
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
    for (uint32_t wanted = 0; wanted < 8; wanted++) {
        memset(&got, 0x7f, sizeof(got));
        job.out_palettes = wanted & 1 ? got.palettes : NULL;
        job.out_models = wanted & 2 ? got.models : NULL;
        job.out_scalars = wanted & 4 ? got.scalars : NULL;
        run_range(&job, 0, MRW_ALL_CHARACTERS);
        size_t palettes = 21 * crowd_palette_count(&crowd);
        if (wanted & 1)
            assert_memory_equal(got.palettes, expected.palettes, palettes * sizeof(mrw_mat34));
        if (wanted & 2)
            assert_memory_equal(got.models, expected.models, sizeof(got.models));
        if (wanted & 4)
            assert_memory_equal(got.scalars, expected.scalars, sizeof(got.scalars));
    }
}

/* --- what a job refuses ------------------------------------------------------------------ */

static void expect(const mrw_crowd_job *job, mrw_status status, const char *detail)
{
    mrw_error error = {0};
    assert_int_equal(mrw_crowd_check(job, &error), status);
    assert_int_equal(mrw_crowd(job), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.detail, detail);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    uint64_t random = 5;
    crowd_make(&crowd, &random, 12, 2, 2);
    const mrw_crowd_job good = make_job(2, 20);
    assert_int_equal(mrw_crowd_check(&good, NULL), MRW_OK);
    expect(NULL, MRW_ERR_NULL_ARGUMENT, "job");
    mrw_crowd_job job = {0};
    expect(&job, MRW_ERR_STRUCT_SIZE, "struct_size");
    job = good;
    job.skeleton = NULL;
    expect(&job, MRW_ERR_NULL_ARGUMENT, "skeleton");
    job = good;
    job.parts = NULL;
    expect(&job, MRW_ERR_NULL_ARGUMENT, "parts");
    job = good;
    job.layers = NULL;
    expect(&job, MRW_ERR_NULL_ARGUMENT, "layers");
    job = good;
    job.scratch = NULL;
    expect(&job, MRW_ERR_NULL_ARGUMENT, "scratch");
    job = good;
    job.scratch = scratch + 1;
    expect(&job, MRW_ERR_ALIGNMENT, "scratch");
    job = good;
    job.scratch_size_bytes--;
    expect(&job, MRW_ERR_BUFFER_TOO_SMALL, "scratch_size_bytes");
    job = good;
    job.end_character = 21;
    expect(&job, MRW_ERR_INVALID_ARGUMENT, "end_character");
    job = good;
    job.first_character = 11;
    job.end_character = 10;
    expect(&job, MRW_ERR_INVALID_ARGUMENT, "first_character");
    job = good;
    job.rest_threshold = -1.0f;
    expect(&job, MRW_ERR_INVALID_ARGUMENT, "rest_threshold");
    job.rest_threshold = NAN;
    expect(&job, MRW_ERR_NOT_FINITE, "rest_threshold");
}

static void bad_parts_are_refused(void **state)
{
    (void)state;
    uint64_t random = 6;
    crowd_make(&crowd, &random, 12, 2, 2);
    const mrw_crowd_job good = make_job(2, 20);
    crowd.parts[1].joint = 12;
    expect(&good, MRW_ERR_JOINT_RANGE, "parts[1].joint");
    crowd.parts[1].joint = 11;
    crowd.skins[1].skeleton_joint_count = 13;
    expect(&good, MRW_ERR_JOINT_COUNT, "parts[2].skin");
}

static void bad_layers_are_refused(void **state)
{
    (void)state;
    uint64_t random = 7;
    crowd_make(&crowd, &random, 12, 2, 1);
    mrw_crowd_job job = make_job(2, 20);
    mrw_asset_header other = {.skeleton_id = 99};
    crowd_clip *clip = &crowd.clips[3];
    crowd.layers[2 * 7 + 1].clip = &clip->clip;
    clip->clip.header = &other;
    expect(&job, MRW_ERR_SKELETON_MISMATCH, "layers[1].clip");
    clip->clip.header = &crowd.header;
    clip->clip.joint_count = 11;
    expect(&job, MRW_ERR_JOINT_COUNT, "layers[1].clip");
    clip->clip.joint_count = 12;
    clip->clip.scalar_count = 1;
    expect(&job, MRW_ERR_SCALAR_COUNT, "layers[1].clip");
    clip->clip.scalar_count = 2;
    crowd.layers[2 * 7].weight = -0.5f;
    expect(&job, MRW_ERR_INVALID_ARGUMENT, "layers[0].weight");
    crowd.layers[2 * 7].weight = INFINITY;
    expect(&job, MRW_ERR_NOT_FINITE, "layers[0].weight");
    crowd.layers[2 * 7].weight = 1.0f;
    crowd.layers[2 * 7].time_s = (double)NAN;
    expect(&job, MRW_ERR_NOT_FINITE, "layers[0].time_s");
    /* Other ranges do not care. */
    run_range(&job, 0, 7);
    run_range(&job, 8, 20);
}

static void scratch_sizes_do_not_overflow(void **state)
{
    (void)state;
    mrw_skeleton huge = {.joint_count = MRW_MAX_JOINTS, .scalar_count = MRW_MAX_SCALARS};
    size_t most = mrw_crowd_scratch_size(&huge, UINT32_MAX);
    if (sizeof(size_t) == 8)
        assert_true(most > (size_t)MRW_MAX_JOINTS * UINT32_MAX * 320u);
    else
        assert_int_equal(most, 0);
    mrw_skeleton empty = {0};
    assert_true(mrw_crowd_scratch_size(&empty, 0) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_characters),
        cmocka_unit_test(many_characters),
        cmocka_unit_test(rotations_that_cancel),
        cmocka_unit_test(results_may_be_left_out),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(bad_parts_are_refused),
        cmocka_unit_test(bad_layers_are_refused),
        cmocka_unit_test(scratch_sizes_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
