/* Crowds that play packed clips beside keyed ones: each character has the bits that the functions
 * for one character give it, with every instruction set. */
#include "unit/made_motions.h"

#include <marrow/marrow.h>

enum { JOINTS = 19, SCALARS = 3, CLIPS = 6, CHARACTERS = 61, LAYERS = 3, PARTS = 2 };

typedef struct fixture {
    made_clip made[CLIPS]; /* the first one's skeleton is everybody's */
    mrw_bytes packed[CLIPS];
    mrw_clip clips[CLIPS];
    mrw_crowd_layer layers[CHARACTERS * LAYERS];
    mrw_mat34 roots[CHARACTERS];
} fixture;

typedef struct results {
    mrw_mat34 palettes[CHARACTERS * PARTS];
    mrw_mat34 models[CHARACTERS * JOINTS];
    float scalars[CHARACTERS * SCALARS];
} results;

static fixture crowd;
static results expected, got;
static const mrw_crowd_part parts[PARTS] = {{NULL, JOINTS - 1}, {NULL, 3}};

/* --- clips ------------------------------------------------------------------------------- */

/* Of several rates, lengths and kinds: rotations alone, all that moves, steps that stay keys, and
 * two clips that are not packed. */
static const motion_spec specs[CLIPS] = {
    {.key_count = 70, .keys_per_second = 30.0, .at = waving},
    {.key_count = 41, .keys_per_second = 120.0, .at = spinning},
    {.key_count = 100, .keys_per_second = 24.0, .at = scaled_through_zero},
    {.key_count = 64, .keys_per_second = 30.0, .at = blinking, .is_scale_step = true},
    {.key_count = 30, .keys_per_second = 30.0, .at = waving, .is_cubic = true},
    {.key_count = 9, .keys_per_second = 5.0, .at = wild},
};

static void make_clip(int index)
{
    motion_spec spec = specs[index];
    spec.joint_count = JOINTS;
    spec.scalar_count = SCALARS;
    spec.bone = 0.05f;
    spec.scalar_at = weight;
    crowd.made[index] = make(&spec);
    crowd.clips[index] = crowd.made[index].clip;
    if (index >= 4)
        return;
    mrw_pack_report report;
    mrw_pack_options options = mrw_pack_options_default();
    options.effort = MRW_PACK_FAST;
    crowd.packed[index] = pack(&crowd.made[index], &options, &report);
    mrw_error error;
    assert_int_equal(mrw_clip_open(crowd.packed[index].data, crowd.packed[index].size_bytes,
                                   &crowd.clips[index], &error),
                     MRW_OK);
    assert_int_equal(crowd.clips[index].encoding, MRW_CLIP_PACKED);
}

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < CLIPS; i++)
        make_clip(i);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < CLIPS; i++) {
        mrw_bytes_free(&crowd.packed[i]);
        unmake(&crowd.made[i]);
    }
    return 0;
}

/* Clips from `first` on, `count` of them; one more stands for the rest pose. Some times are those
 * of samples, both ends among them. */
static void fill_layers(uint64_t *random, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < CHARACTERS * LAYERS; i++) {
        const uint32_t index = random_bits(random) % (count + 1);
        const mrw_clip *clip = index < count ? &crowd.clips[first + index] : NULL;
        const double end = clip != NULL ? (double)clip->duration_s : 1.0;
        const double samples[3] = {0.0, end, random_bits(random) % 40 / 30.0};
        crowd.layers[i] = (mrw_crowd_layer){
            .clip = clip,
            .time_s = random_bits(random) % 4 == 0
                          ? samples[random_bits(random) % 3]
                          : (double)random_float(random, -1.0f, 1.0f + (float)end),
            .weight = random_bits(random) % 6 == 0 ? 0.0f : random_float(random, 0.0f, 1.0f),
            .loop = random_bits(random) % 2 == 0};
    }
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        const mrw_transform root = random_transform(random, 0.5f, 2.0f);
        crowd.roots[i] = mrw_mat34_from_transform(&root);
    }
}

/* --- one by one -------------------------------------------------------------------------- */

static void evaluate(uint32_t character, uint32_t layer_count)
{
    const mrw_skeleton *skeleton = &crowd.made[0].skeleton;
    measured poses[LAYERS], blended = measured_make(skeleton);
    mrw_blend_layer layers[LAYERS];
    for (uint32_t i = 0; i < layer_count; i++) {
        const mrw_crowd_layer *layer = &crowd.layers[character * layer_count + i];
        poses[i] = measured_make(skeleton);
        poses[i].loop = layer->loop;
        if (layer->clip != NULL)
            measured_at(&poses[i], layer->clip, layer->time_s);
        else
            assert_int_equal(mrw_skeleton_rest_pose(skeleton, &poses[i].pose), MRW_OK);
        layers[i] = (mrw_blend_layer){.pose = &poses[i].pose, .weight = layer->weight};
    }
    mrw_blend_job blend = mrw_blend_job_default();
    blend.skeleton = skeleton;
    blend.layers = layers;
    blend.layer_count = layer_count;
    blend.out_pose = &blended.pose;
    assert_int_equal(mrw_blend(&blend), MRW_OK);
    mrw_model_job model = mrw_model_job_default();
    model.skeleton = skeleton;
    model.pose = &blended.pose;
    model.root = &crowd.roots[character];
    model.out_model = &expected.models[character * JOINTS];
    model.model_count = JOINTS;
    assert_int_equal(mrw_model(&model), MRW_OK);
    memcpy(&expected.scalars[character * SCALARS], blended.pose.scalars, SCALARS * sizeof(float));
    for (uint32_t i = 0; i < PARTS; i++)
        expected.palettes[character * PARTS + i] = model.out_model[parts[i].joint];
    for (uint32_t i = 0; i < layer_count; i++)
        measured_free(&poses[i]);
    measured_free(&blended);
}

/* --- the same bits ----------------------------------------------------------------------- */

static void compare(uint32_t layer_count)
{
    const mrw_skeleton *skeleton = &crowd.made[0].skeleton;
    const size_t scratch_bytes = mrw_crowd_scratch_size(skeleton, layer_count);
    void *scratch = aligned_alloc(64, (scratch_bytes + 63) / 64 * 64);
    assert_non_null(scratch);
    assert_int_equal(mrw_isa_select(mrw_isa_available(0)), MRW_OK);
    for (uint32_t i = 0; i < CHARACTERS; i++)
        evaluate(i, layer_count);
    const char *isa;
    for (uint32_t i = 0; (isa = mrw_isa_available(i)) != NULL; i++) {
        assert_int_equal(mrw_isa_select(isa), MRW_OK);
        memset(&got, 0x7f, sizeof(got));
        mrw_crowd_job job = mrw_crowd_job_default();
        job.skeleton = skeleton;
        job.parts = parts;
        job.part_count = PARTS;
        job.layers = crowd.layers;
        job.layer_count = layer_count;
        job.character_count = CHARACTERS;
        job.roots = crowd.roots;
        job.scratch = scratch;
        job.scratch_size_bytes = scratch_bytes;
        job.out_palettes = got.palettes;
        job.out_models = got.models;
        job.out_scalars = got.scalars;
        for (uint32_t cut = 13 * i; job.first_character < CHARACTERS; cut = CHARACTERS) {
            job.end_character = cut < CHARACTERS ? cut : CHARACTERS;
            assert_int_equal(mrw_crowd(&job), MRW_OK);
            job.first_character = job.end_character;
        }
        assert_memory_equal(got.scalars, expected.scalars, sizeof(got.scalars));
        assert_memory_equal(got.models, expected.models, sizeof(got.models));
        assert_memory_equal(got.palettes, expected.palettes, sizeof(got.palettes));
    }
    assert_int_equal(mrw_isa_select(NULL), MRW_OK);
    free(scratch);
}

/* Everybody plays the same packed clip: what a crowd is fastest at. */
static void one_packed_clip(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (uint32_t clip = 0; clip < 4; clip++) {
        fill_layers(&random, clip, 1);
        compare(1);
    }
}

static void packed_and_keyed_clips(void **state)
{
    (void)state;
    uint64_t random = 22;
    for (uint32_t layers = 1; layers <= LAYERS; layers++) {
        fill_layers(&random, 0, CLIPS);
        compare(layers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_packed_clip),
        cmocka_unit_test(packed_and_keyed_clips),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
