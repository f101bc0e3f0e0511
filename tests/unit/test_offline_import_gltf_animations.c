/* Animations of glTF documents: what a file may store, and the keys that come out. */
#include "unit/gltf_text.h"

/* A document with one channel: times in "t.bin", values in "v.bin". The target node 0 carries a
 * mesh with two morph targets. */
#define ANIMATED(key_count, value_count, value_type, path, interpolation)                          \
    "{" ASSET ",'buffers':[{'uri':'t.bin','byteLength':%u},{'uri':'v.bin','byteLength':%u}],"      \
    "'bufferViews':[{'buffer':0,'byteLength':%u},{'buffer':1,'byteLength':%u}],"                   \
    "'accessors':[{'bufferView':0,'componentType':5126,'count':" key_count ",'type':'SCALAR'},"    \
    "{'bufferView':1," value_type ",'count':" value_count "},"                                     \
    "{'componentType':5126,'count':1,'type':'VEC3'}],"                                             \
    "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':2},'targets':[{},{}]}]}],"        \
    "'nodes':[{'mesh':0}],'animations':[{'name':'A','channels':[{'sampler':0,"                     \
    "'target':{'node':0,'path':'" path "'}}],'samplers':[{'input':0,'output':1" interpolation      \
    "}]}]}"
#define VEC3 "'componentType':5126,'type':'VEC3'"
#define VEC4 "'componentType':5126,'type':'VEC4'"
#define SCALAR "'componentType':5126,'type':'SCALAR'"
#define CUBIC ",'interpolation':'CUBICSPLINE'"
#define STEP ",'interpolation':'STEP'"

static mrw_scene *load_animated(const char *format, const float *times, size_t time_bytes,
                                const void *values, size_t value_bytes)
{
    char text[2048];
    unsigned t = (unsigned)time_bytes, v = (unsigned)value_bytes;
    snprintf(text, sizeof(text), format, t, v, t, v);
    text_file files[] = {{"t.bin", times, time_bytes}, {"v.bin", values, value_bytes}};
    return load_text(text, files, 2);
}

#define LOAD(format, times, values)                                                                \
    load_animated(format, times, sizeof(times), values, sizeof(values))

static const mrw_scene_channel *only_channel(const mrw_scene *scene)
{
    assert_int_equal(scene->animation_count, 1);
    assert_int_equal(scene->animations[0].channel_count, 1);
    return &scene->animations[0].channels[0];
}

static void keys_come_as_they_are(void **state)
{
    (void)state;
    const float times[] = {0.5f, 1, 4};
    const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    mrw_scene *scene = LOAD(ANIMATED("3", "3", VEC3, "translation", ""), times, values);
    expect_no_diagnostics(scene);
    assert_string_equal(scene->animations[0].name, "A");
    const mrw_scene_channel *channel = only_channel(scene);
    assert_int_equal(channel->node, 0);
    assert_int_equal(channel->path, MRW_CHANNEL_TRANSLATION);
    assert_int_equal(channel->interpolation, MRW_INTERPOLATION_LINEAR);
    assert_int_equal(channel->key_count, 3);
    assert_int_equal(channel->value_width, 3);
    assert_floats(channel->times, times, 3);
    assert_floats(channel->values, values, 9);
    mrw_scene_free(scene);
}

static void all_paths_and_interpolations(void **state)
{
    (void)state;
    const float times[] = {0, 1};
    const float scales[] = {1, 2, 3, 4, 5, 6};
    mrw_scene *scene = LOAD(ANIMATED("2", "2", VEC3, "scale", STEP), times, scales);
    assert_int_equal(only_channel(scene)->path, MRW_CHANNEL_SCALE);
    assert_int_equal(only_channel(scene)->interpolation, MRW_INTERPOLATION_STEP);
    mrw_scene_free(scene);

    /* Cubic: in-tangent, value, out-tangent of each key; tangents are free, values are unit. */
    const float rotations[] = {9, 9, 9, 9, 0, 0, 0, 1, 8, 8, 8, 8,
                               7, 7, 7, 7, 1, 0, 0, 0, 6, 6, 6, 6};
    scene = LOAD(ANIMATED("2", "6", VEC4, "rotation", CUBIC), times, rotations);
    expect_no_diagnostics(scene);
    const mrw_scene_channel *channel = only_channel(scene);
    assert_int_equal(channel->path, MRW_CHANNEL_ROTATION);
    assert_int_equal(channel->interpolation, MRW_INTERPOLATION_CUBIC);
    assert_int_equal(channel->value_width, 4);
    assert_floats(channel->values, rotations, 24);
    mrw_scene_free(scene);

    /* Weights: the two of key 0, then the two of key 1; as a spline three groups of two a key. */
    const float weights[] = {0.5f, 0.25f, 1, 0};
    scene = LOAD(ANIMATED("2", "4", SCALAR, "weights", ""), times, weights);
    expect_no_diagnostics(scene);
    channel = only_channel(scene);
    assert_int_equal(channel->path, MRW_CHANNEL_WEIGHTS);
    assert_int_equal(channel->value_width, 2);
    assert_floats(channel->values, weights, 4);
    mrw_scene_free(scene);
    const float spline[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    scene = LOAD(ANIMATED("2", "12", SCALAR, "weights", CUBIC), times, spline);
    assert_floats(only_channel(scene)->values, spline, 12);
    mrw_scene_free(scene);
}

static void rotations_may_be_normalized_integers(void **state)
{
    (void)state;
    const float times[] = {0, 1};
    const int16_t shorts[] = {0, 0, 0, 32767, -32767, 0, 0, 0};
    mrw_scene *scene = LOAD(
        ANIMATED("2", "2", "'componentType':5122,'normalized':true,'type':'VEC4'", "rotation", ""),
        times, shorts);
    expect_no_diagnostics(scene);
    assert_floats(only_channel(scene)->values, (float[]){0, 0, 0, 1, -1, 0, 0, 0}, 8);
    mrw_scene_free(scene);
    /* 8 bits are coarse: 90/127, 90/127 is 0.2 % too long, which is no reason to complain. */
    const int8_t bytes[] = {90, 0, 0, 90, 0, 127, 0, 0};
    scene = LOAD(
        ANIMATED("2", "2", "'componentType':5120,'normalized':true,'type':'VEC4'", "rotation", ""),
        times, bytes);
    expect_no_diagnostics(scene);
    assert_floats(only_channel(scene)->values, (float[]){90.0f / 127, 0, 0, 90.0f / 127}, 4);
    mrw_scene_free(scene);
}

static void odd_rotations_are_normalized(void **state)
{
    (void)state;
    const float times[] = {0, 1, 2};
    const float values[] = {0, 0, 3, 4, 0, 0, 0, 0, 0, 1, 0, 0};
    mrw_scene *scene = LOAD(ANIMATED("3", "3", VEC4, "rotation", ""), times, values);
    expect_diagnostic(scene, "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
                      MRW_SEVERITY_ERROR, 2);
    const float *rotations = only_channel(scene)->values;
    assert_near((double)rotations[2], 0.6, 1e-6);
    assert_near((double)rotations[3], 0.8, 1e-6);
    assert_floats(rotations + 4, (float[]){0, 0, 0, 1, 0, 1, 0, 0}, 8);
    mrw_scene_free(scene);
}

/* --- repaired keys --------------------------------------------------------------------------- */

static void unsorted_keys_are_sorted_stably(void **state)
{
    (void)state;
    const float times[] = {3, 1, 2, 1, 5, 4, 3, 0};
    float values[24];
    for (int i = 0; i < 24; i++)
        values[i] = (float)i;
    mrw_scene *scene = LOAD(ANIMATED("8", "8", VEC3, "scale", ""), times, values);
    /* 3>1, 2>1, 5>4, 4>3, 3>0: five steps that do not go up */
    const mrw_diagnostic *found =
        expect_diagnostic(scene, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING", MRW_SEVERITY_ERROR, 5);
    assert_string_equal(found->where, "animations[0].channels[0]");
    const mrw_scene_channel *channel = only_channel(scene);
    assert_int_equal(channel->key_count, 6);
    assert_floats(channel->times, (float[]){0, 1, 2, 3, 4, 5}, 6);
    /* of the keys at 1 and 3 the later ones in the file, number 3 and 6 */
    const int keys[] = {7, 3, 2, 6, 5, 4};
    for (int i = 0; i < 6; i++)
        assert_floats(channel->values + 3 * i, values + 3 * keys[i], 3);
    mrw_scene_free(scene);
}

static void negative_times_become_zero(void **state)
{
    (void)state;
    const float times[] = {-2, -1, 1};
    const float values[] = {1, 1, 1, 2, 2, 2, 3, 3, 3};
    mrw_scene *scene = LOAD(ANIMATED("3", "3", VEC3, "scale", ""), times, values);
    expect_diagnostic(scene, "ACCESSOR_ANIMATION_INPUT_NEGATIVE", MRW_SEVERITY_ERROR, 2);
    const mrw_scene_channel *channel = only_channel(scene);
    assert_int_equal(channel->key_count, 2);
    assert_floats(channel->times, (float[]){0, 1}, 2);
    assert_floats(channel->values, values + 3, 6);
    mrw_scene_free(scene);
}

static void keys_that_are_no_numbers_are_left_out(void **state)
{
    (void)state;
    const float times[] = {0, NAN, 2, 3, INFINITY};
    const float values[] = {1, 1, 1, 2, 2, 2, 3, NAN, 3, 4, 4, 4, 5, 5, 5};
    mrw_scene *scene = LOAD(ANIMATED("5", "5", VEC3, "translation", ""), times, values);
    expect_diagnostic(scene, "ACCESSOR_INVALID_FLOAT", MRW_SEVERITY_ERROR, 3);
    const mrw_scene_channel *channel = only_channel(scene);
    assert_int_equal(channel->key_count, 2);
    assert_floats(channel->times, (float[]){0, 3}, 2);
    assert_floats(channel->values, (float[]){1, 1, 1, 4, 4, 4}, 6);
    mrw_scene_free(scene);

    /* A tangent counts too. */
    const float spline_times[] = {0, 1};
    float spline[18] = {0};
    spline[2] = NAN;
    scene = LOAD(ANIMATED("2", "6", VEC3, "translation", CUBIC), spline_times, spline);
    assert_int_equal(only_channel(scene)->key_count, 1);
    assert_floats(only_channel(scene)->times, (float[]){1}, 1);
    mrw_scene_free(scene);

    /* Nothing left: no channel, but still a clip. */
    const float no_times[] = {NAN};
    const float one[] = {1, 1, 1};
    scene = LOAD(ANIMATED("1", "1", VEC3, "translation", ""), no_times, one);
    expect_diagnostic(scene, "MRW_CHANNEL_WITHOUT_KEYS", MRW_SEVERITY_WARNING, 1);
    assert_int_equal(scene->animation_count, 1);
    assert_int_equal(scene->animations[0].channel_count, 0);
    mrw_scene_free(scene);
}

/* Sorting against the definition: time, then place in the file; the last of equal times stays. */
static void many_unsorted_keys(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static float times[COUNT], values[COUNT * 3];
    uint32_t random = 12345;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        times[i] = (float)(random >> 22); /* 0 to 1023 */
        values[3 * i] = (float)i;
    }
    mrw_scene *scene = LOAD(ANIMATED("1000", "1000", VEC3, "scale", ""), times, values);
    const mrw_scene_channel *channel = only_channel(scene);
    uint32_t key = 0;
    for (int time = 0; time < 1024; time++) {
        int last = -1;
        for (int i = 0; i < COUNT; i++)
            if (times[i] == (float)time)
                last = i;
        if (last < 0)
            continue;
        assert_true(channel->times[key] == (float)time);
        assert_true(channel->values[3 * key] == (float)last);
        key++;
    }
    assert_int_equal(channel->key_count, key);
    mrw_scene_free(scene);
}

/* --- counts ---------------------------------------------------------------------------------- */

static void one_key_is_an_animation(void **state)
{
    (void)state;
    const float times[] = {2};
    const float values[] = {0, 0, 0, 1, 2, 3, 0, 0, 0};
    mrw_scene *scene = LOAD(ANIMATED("1", "3", VEC3, "scale", CUBIC), times, values);
    expect_diagnostic(scene, "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS",
                      MRW_SEVERITY_ERROR, 1);
    assert_int_equal(only_channel(scene)->key_count, 1);
    mrw_scene_free(scene);
}

static void spare_values_are_ignored(void **state)
{
    (void)state;
    const float times[] = {0, 1};
    const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    mrw_scene *scene = LOAD(ANIMATED("2", "3", VEC3, "scale", ""), times, values);
    expect_diagnostic(scene, "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", MRW_SEVERITY_ERROR,
                      1);
    assert_floats(only_channel(scene)->values, values, 6);
    mrw_scene_free(scene);
}

/* --- targets --------------------------------------------------------------------------------- */

static void odd_channels_are_ignored_and_reported(void **state)
{
    (void)state;
    mrw_scene *scene = load_text(
        "{" ASSET ",'accessors':[{'componentType':5126,'count':1,'type':'SCALAR'},"
        "{'componentType':5126,'count':1,'type':'VEC3'}],"
        "'nodes':[{},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"
        "'animations':[{'samplers':[{'input':0,'output':1},{'input':0,'output':0}],'channels':["
        "{'sampler':0,'target':{'path':'translation'}},"
        "{'sampler':0,'target':{'node':0,'path':'pointer'}},"
        "{'sampler':1,'target':{'node':0,'path':'weights'}},"
        "{'sampler':0,'target':{'node':0,'path':'scale'}},"
        "{'sampler':0,'target':{'node':0,'path':'scale'}},"
        "{'sampler':0,'target':{'node':1,'path':'scale'}}]},"
        "{'samplers':[{'input':0,'output':1}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'scale'}}]}]}",
        NULL, 0);
    expect_diagnostic(scene, "MRW_CHANNEL_WITHOUT_NODE", MRW_SEVERITY_INFO, 1);
    expect_diagnostic(scene, "VALUE_NOT_IN_LIST", MRW_SEVERITY_WARNING, 1);
    expect_diagnostic(scene, "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", MRW_SEVERITY_ERROR,
                      1);
    const mrw_diagnostic *twice =
        expect_diagnostic(scene, "ANIMATION_DUPLICATE_TARGETS", MRW_SEVERITY_ERROR, 1);
    assert_string_equal(twice->where, "animations[0].channels[4]");
    expect_diagnostic(scene, "ANIMATION_CHANNEL_TARGET_NODE_MATRIX", MRW_SEVERITY_ERROR, 1);
    assert_int_equal(scene->animations[0].channel_count, 2);
    assert_int_equal(scene->animations[0].channels[0].node, 0);
    assert_int_equal(scene->animations[0].channels[1].node, 1);
    assert_int_equal(scene->animations[1].channel_count, 1); /* another animation: no duplicate */
    mrw_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_come_as_they_are),
        cmocka_unit_test(all_paths_and_interpolations),
        cmocka_unit_test(rotations_may_be_normalized_integers),
        cmocka_unit_test(odd_rotations_are_normalized),
        cmocka_unit_test(unsorted_keys_are_sorted_stably),
        cmocka_unit_test(negative_times_become_zero),
        cmocka_unit_test(keys_that_are_no_numbers_are_left_out),
        cmocka_unit_test(many_unsorted_keys),
        cmocka_unit_test(one_key_is_an_animation),
        cmocka_unit_test(spare_values_are_ignored),
        cmocka_unit_test(odd_channels_are_ignored_and_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
