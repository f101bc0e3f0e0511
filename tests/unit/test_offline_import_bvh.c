/* BVH: what a file means, and all the ways to write it. Rotations are compared with the product of
 * the matrices of the elementary turns, in double precision and with libm. */
#include "unit/bvh_text.h"
#include "unit/random.h"

#include <stdio.h>

#define ROOT(channels) "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\n" channels "\n}\n"
#define SIX "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"

/* --- the reference ---------------------------------------------------------------------------- */

typedef struct mat33 {
    double m[3][3];
} mat33;

static mat33 multiply(mat33 a, mat33 b)
{
    mat33 product = {{{0}}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                product.m[r][c] += a.m[r][k] * b.m[k][c];
    return product;
}

/* Counterclockwise about axis 0, 1 or 2, seen from its tip. */
static mat33 turn(int axis, double angle_deg)
{
    double angle_rad = angle_deg * acos(-1.0) / 180.0;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    mat33 result = {{{0}}};
    result.m[axis][axis] = 1.0;
    result.m[u][u] = cos(angle_rad);
    result.m[v][v] = cos(angle_rad);
    result.m[v][u] = sin(angle_rad);
    result.m[u][v] = -sin(angle_rad);
    return result;
}

static mat33 matrix_of(const float q[4])
{
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    mat33 result = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                     {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                     {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
    return result;
}

static double difference(mat33 a, mat33 b)
{
    double largest = 0.0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            largest = worst(largest, fabs(a.m[r][c] - b.m[r][c]));
    return largest;
}

/* --- meaning ---------------------------------------------------------------------------------- */

static void a_file_becomes_a_scene(void **state)
{
    (void)state;
    mrw_scene *scene = import_bvh("HIERARCHY\n"
                                  "ROOT Hips\n{\n"
                                  "  OFFSET 1.5 -2 3e-1\n"
                                  "  " SIX "\n"
                                  "  JOINT Chest\n  {\n"
                                  "    OFFSET 0 10 0\n"
                                  "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
                                  "    End Site\n    {\n      OFFSET 0 5 0\n    }\n"
                                  "  }\n"
                                  "}\n"
                                  "MOTION\nFrames: 3\nFrame Time: 0.25\n"
                                  "1 2 3 0 0 0 0 0 0\n"
                                  "4 5 6 90 0 0 0 0 90\n"
                                  "7 8 9 0 0 0 0 180 0\n");
    assert_string_equal(scene->format, "BVH");
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->diagnostic_count, 0);
    static const char *const names[] = {"Hips", "Chest", "Chest_End"};
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(scene->nodes[i].name, names[i]);
        assert_int_equal(scene->nodes[i].parent, (int)i - 1);
        assert_true(scene->nodes[i].in_scene);
        assert_true(scene->nodes[i].local.rotation.w == 1.0f);
        assert_vec3(scene->nodes[i].local.scale, 1, 1, 1, 0);
    }
    assert_vec3(scene->nodes[0].local.translation, 1.5, -2, (double)0.3f, 0);
    assert_vec3(scene->nodes[2].local.translation, 0, 5, 0, 0);

    assert_int_equal(scene->animation_count, 1);
    assert_int_equal(scene->animations[0].channel_count, 3); /* the chest stays where it is */
    assert_true(scene->animations[0].sample_rate_hz == 4.0f);
    const mrw_scene_channel *place = bvh_channel(scene, 0, MRW_CHANNEL_TRANSLATION);
    const mrw_scene_channel *chest = bvh_channel(scene, 1, MRW_CHANNEL_ROTATION);
    assert_true(place != NULL && chest != NULL);
    assert_int_equal(place->key_count, 3);
    assert_int_equal(place->interpolation, MRW_INTERPOLATION_LINEAR);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(place->times[i] == 0.25f * (float)i && chest->times[i] == 0.25f * (float)i);
    assert_floats3(place->values + 3, 4, 5, 6, 0); /* in place of OFFSET, not added to it */
    assert_near((double)chest->values[4 + 1], sqrt(0.5), 1e-7); /* 90 degrees about y */
    assert_near((double)chest->values[4 + 3], sqrt(0.5), 1e-7);
    mrw_scene_free(scene);
}

/* All 3 + 9 + 27 + 81 lists of up to four rotations, with angles of several turns. */
static void rotations_apply_in_the_order_of_the_list(void **state)
{
    (void)state;
    uint64_t random = 5;
    double largest = 0.0;
    for (int length = 1; length <= 4; length++) {
        int lists = (int)pow(3, length);
        for (int list = 0; list < lists; list++) {
            char text[1024];
            int at =
                snprintf(text, sizeof(text), "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS %d", length);
            char numbers[256] = "";
            mat33 expected = turn(0, 0.0);
            for (int i = 0, left = list; i < length; i++, left /= 3) {
                double angle_deg =
                    (double)(int32_t)(random_bits(&random) % 2000000) * 1e-3 - 1000.0;
                at += snprintf(text + at, sizeof(text) - (size_t)at, " %crotation", 'X' + left % 3);
                snprintf(numbers + strlen(numbers), 64, " %.3f", angle_deg);
                expected = multiply(expected, turn(left % 3, angle_deg));
            }
            snprintf(text + at, sizeof(text) - (size_t)at,
                     " } MOTION\nFrames: 1\nFrame Time: 1\n%s\n", numbers);
            mrw_scene *scene = import_bvh(text);
            const mrw_scene_channel *channel = bvh_channel(scene, 0, MRW_CHANNEL_ROTATION);
            assert_non_null(channel);
            assert_null(bvh_channel(scene, 0, MRW_CHANNEL_TRANSLATION));
            largest = worst(largest, difference(matrix_of(channel->values), expected));
            mrw_scene_free(scene);
        }
    }
    assert_below(largest, 3e-7);
}

static void keys_are_continuous(void **state)
{
    (void)state;
    char text[16384] =
        ROOT("CHANNELS 3 Zrotation Xrotation Yrotation") "MOTION\nFrames: 200\nFrame Time: 0.01\n";
    for (int i = 0; i < 200; i++) /* wraps from 180 to -180 as files do */
        snprintf(text + strlen(text), 64, "%.2f 30 %.2f\n", fmod(i * 7.0, 360.0) - 180.0,
                 fmod(i * 5.0 + 180.0, 360.0) - 180.0);
    mrw_scene *scene = import_bvh(text);
    const mrw_scene_channel *channel = bvh_channel(scene, 0, MRW_CHANNEL_ROTATION);
    for (uint32_t i = 1; i < channel->key_count; i++) {
        const float *a = channel->values + (i - 1) * 4, *b = a + 4;
        assert_true(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0.9f);
    }
    mrw_scene_free(scene);
}

/* Columns belong to the joints in the order of the file, whatever their channels are. */
static void any_number_of_channels_anywhere(void **state)
{
    (void)state;
    mrw_scene *scene = import_bvh("HIERARCHY\n"
                                  "ROOT none { OFFSET 1 1 1 CHANNELS 0\n"
                                  " JOINT one { OFFSET 2 2 2 CHANNELS 1 Yrotation\n"
                                  "  JOINT silent { OFFSET 3 3 3\n"
                                  "   JOINT two { OFFSET 4 5 6 CHANNELS 2 Zposition Xposition\n"
                                  "    End Site { OFFSET 0 0 1 } End Site { OFFSET 0 0 2 } } } }\n"
                                  " JOINT four { OFFSET 0 0 0 CHANNELS 4 Xrotation Yposition "
                                  "Zrotation Yrotation } }\n"
                                  "ROOT second { CHANNELS 2 Wrotation Yrotation OFFSET 9 9 9 }\n"
                                  "MOTION Frames: 1 Frame Time: 0.1\n"
                                  "90 7 8 0 9 0 0 123 180\n");
    assert_int_equal(scene->node_count, 8);
    static const int32_t parents[] = {-1, 0, 1, 2, 3, 3, 0, -1};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(scene->nodes[i].parent, parents[i]);
    assert_string_equal(scene->nodes[4].name, "two_End");
    assert_string_equal(scene->nodes[5].name, "two_End");
    assert_int_equal(scene->animations[0].channel_count, 5);
    assert_near((double)bvh_channel(scene, 1, MRW_CHANNEL_ROTATION)->values[1], sqrt(0.5), 1e-7);
    /* Of the three coordinates those without a channel are OFFSET's. */
    assert_floats3(bvh_channel(scene, 3, MRW_CHANNEL_TRANSLATION)->values, 8, 5, 7, 0);
    assert_floats3(bvh_channel(scene, 6, MRW_CHANNEL_TRANSLATION)->values, 0, 9, 0, 0);
    assert_near((double)bvh_channel(scene, 7, MRW_CHANNEL_ROTATION)->values[1], 1, 1e-7);
    const mrw_diagnostic *unknown = bvh_diagnostic(scene, "MRW_BVH_UNKNOWN_CHANNEL");
    assert_non_null(unknown);
    assert_string_equal(unknown->where, "line 8");
    mrw_scene_free(scene);
}

/* --- spellings -------------------------------------------------------------------------------- */

static void every_spelling_is_the_same_file(void **state)
{
    (void)state;
    static const char *const spellings[] = {
        ROOT(SIX) "MOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3 4 5 6\n-1 -2 -3 -4 -5 -6\n",
        /* no newline at the end; blanks at the ends of lines */
        ROOT(SIX) "MOTION \nFrames: 2 \nFrame Time: 0.5 \n1 2 3 4 5 6 \n-1 -2 -3 -4 -5 -6",
        /* carriage returns, alone and with line feeds; tabs; what old editors end files with */
        "HIERARCHY\r\nROOT\ta\r\n{\r\n\tOFFSET\t1\t2\t3\r\n\t" SIX "\r\n}\r\nMOTION\r\n"
        "Frames:\t2\r\nFrame Time:\t0.5\r\n1\t2\t3\t4\t5\t6\t\r\n-1 -2 -3 -4 -5 -6\r\n\x1a",
        "HIERARCHY\rROOT a\r{\rOFFSET 1 2 3\r" SIX "\r}\rMOTION\rFrames: 2\rFrame Time: 0.5\r"
        "1 2 3 4 5 6\r-1 -2 -3 -4 -5 -6\r",
        /* numbers */
        "\xef\xbb\xbfHIERARCHY\nROOT a\n{\nOFFSET 1.0 +2e0 0.3E1\n" SIX "\n}\nMOTION\nFrames: 2.0\n"
        "Frame Time: 5e-1\n1. 2.000 .03e+2 40.0e-1 0005 6\n-1.0E0 -2 -3 -.4e1 -5e00 -6\n",
        /* keywords, braces, blank lines */
        "hierarchy\n\n root a{\n offset 1 2 3\n\n channels 6 xposition yposition zposition "
        "zrotation xrotation yrotation }\n\nmotion\nFRAMES:2\n\nFrame Time:.5\n\n1 2 3 4 5 6\n\n"
        "-1 -2 -3 -4 -5 -6\n\n",
        /* of the head */
        ROOT(SIX) "MOTION\nFrames 2\nFrametime: 0.5\n1 2 3 4 5 6\n-1 -2 -3 -4 -5 -6\n",
        ROOT(SIX) "MOTION\nFrames :2\nframe_time = 0.5\n1 2 3 4 5 6\n-1 -2 -3 -4 -5 -6\n",
        ROOT(SIX) "MOTION\nFRAME TIME:  0.5\nFrames:2\n1 2 3 4 5 6\n-1 -2 -3 -4 -5 -6\n",
        ROOT(SIX) "MOTION\nFrames:  2\nFrame  Time  :  0.5\n1 2 3 4 5 6\n-1 -2 -3 -4 -5 -6\n",
        /* a frame in several lines, all frames in one */
        ROOT(SIX) "MOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3\n4 5 6\n-1 -2 -3\n-4 -5 -6\n",
        ROOT(SIX) "MOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3 4 5 6 -1 -2 -3 -4 -5 -6\n",
        "HIERARCHY ROOT a{OFFSET 1 2 3 " SIX "}MOTION Frames:2 Frame Time:0.5 1 2 3 4 5 6 -1 -2 -3 "
        "-4 -5 -6",
    };
    mrw_scene *first = import_bvh(spellings[0]);
    for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
        mrw_scene *scene = import_bvh(spellings[i]);
        assert_int_equal(scene->diagnostic_count, 0);
        assert_int_equal(scene->node_count, 1);
        assert_string_equal(scene->nodes[0].name, "a");
        assert_memory_equal(&scene->nodes[0].local, &first->nodes[0].local, sizeof(mrw_transform));
        for (uint32_t c = 0; c < 2; c++) {
            const mrw_scene_channel *channel = &scene->animations[0].channels[c];
            const mrw_scene_channel *expected = &first->animations[0].channels[c];
            assert_int_equal(channel->key_count, 2);
            assert_true(channel->times[0] == 0.0f && channel->times[1] == 0.5f);
            assert_memory_equal(channel->values, expected->values,
                                2 * channel->value_width * sizeof(float));
        }
        mrw_scene_free(scene);
    }
    mrw_scene_free(first);
}

static void names_are_the_rest_of_the_line(void **state)
{
    (void)state;
    mrw_scene *scene = import_bvh("HIERARCHY\nROOT  Bip01 L Thigh \t\n{\nOFFSET 0 0 0\n"
                                  "JOINT mixamorig:H\xc3\xbc"
                                  "fte {\nOFFSET 0 0 0\n"
                                  "End Site foot end\n{\nOFFSET 0 0 0\n}\n}\n"
                                  "JOINT\n{\nOFFSET 0 0 0\nENDSITE{OFFSET 0 0 0}\n}\n"
                                  "JOINT \x83n\x83o\n{\nOFFSET 0 0 0\n}\n}\n"
                                  "MOTION\nFrames: 0\nFrame Time: 0.1\n");
    static const char *const names[] = {"Bip01 L Thigh",
                                        "mixamorig:H\xc3\xbc"
                                        "fte",
                                        "mixamorig:H\xc3\xbc"
                                        "fte_End",
                                        "",
                                        "_End",
                                        "\xef\xbf\xbdn\xef\xbf\xbdo"};
    assert_int_equal(scene->node_count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(scene->nodes[i].name, names[i]);
    assert_int_equal(scene->animation_count, 0);
    assert_int_equal(scene->diagnostic_count, 1);
    assert_string_equal(scene->diagnostics[0].code, "MRW_BVH_NAME_NOT_UTF8");
    assert_string_equal(scene->diagnostics[0].where, "line 17");
    mrw_scene_free(scene);
}

static void a_deep_chain_is_only_a_long_one(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    const char *open = "JOINT j{OFFSET 0 1 0 CHANNELS 1 Zrotation ";
    char *text = malloc((strlen(open) + 4) * DEPTH + 256);
    assert_non_null(text);
    char *at = text + sprintf(text, "HIERARCHY ROOT r{OFFSET 0 0 0 ");
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, "%s", open);
    for (int i = 0; i <= DEPTH; i++)
        *at++ = '}';
    at += sprintf(at, " MOTION Frames: 1 Frame Time: 1\n");
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, " %d", i % 10);
    *at = '\0';
    mrw_scene *scene = import_bvh(text);
    assert_int_equal(scene->node_count, DEPTH + 1);
    assert_int_equal(scene->nodes[DEPTH].parent, DEPTH - 1);
    assert_int_equal(scene->animations[0].channel_count, DEPTH);
    mrw_scene_free(scene);
    free(text);
}

/* --- odd content ------------------------------------------------------------------------------ */

typedef struct oddity {
    const char *text;
    const char *code; /* NULL: nothing is odd about it */
    const char *where;
    uint32_t count;
    uint32_t frames;
    float last; /* x of the last frame */
} oddity;

#define X(head, frames) ROOT("CHANNELS 1 Xposition") "MOTION\n" head "\n" frames

static const oddity oddities[] = {
    {X("Frames: 3\nFrame Time: 1", "4\n5\n"), "MRW_BVH_FRAME_COUNT", "line 8", 1, 2, 5},
    {X("Frames: 4294967294\nFrame Time: 1", "4\n5\n"), "MRW_BVH_FRAME_COUNT", "line 8", 1, 2, 5},
    {X("Frames: 1\nFrame Time: 1", "4\n5\n"), "MRW_BVH_FRAME_COUNT", "line 8", 1, 1, 4},
    {X("Frames: 0\nFrame Time: 1", "4\n5\n"), "MRW_BVH_FRAME_COUNT", "line 8", 1, 2, 5},
    {X("Frames: 2\nFrame Time: 1", "4\n5\nEND\n"), "MRW_BVH_AFTER_MOTION", "line 12", 1, 2, 5},
    {X("Frames: 2\nFrame Time: 0", "4\n5\n"), "MRW_BVH_FRAME_TIME", "line 9", 1, 2, 5},
    {X("Frames: 2\nFrame Time: -1", "4\n5\n"), "MRW_BVH_FRAME_TIME", "line 9", 1, 2, 5},
    {X("Frames: 1\nFrame Time: 0", "4\n"), NULL, NULL, 0, 1, 4},
    {X("Frames: 4\nFrame Time: 1", "4\nnan\n-nan(ind)\n1.#QNAN0\n"), "MRW_BVH_NOT_FINITE",
     "line 11", 3, 4, 4},
    {X("Frames: 2\nFrame Time: 1", "INF\n1e39\n"), "MRW_BVH_NOT_FINITE", "line 10", 2, 2, 0},
    {X("Frames: 2\nFrame Time: 1", "3.4e38\n1e-320\n"), NULL, NULL, 0, 2, 0},
    {"HIERARCHY ROOT a { CHANNELS 1 Xposition }\nMOTION Frames:1 Frame Time:1 7",
     "MRW_BVH_NO_OFFSET", "line 1", 1, 1, 7},
    {"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 2 Xposition\nXposition }\nMOTION Frames:1 Frame "
     "Time:1 7 8",
     "MRW_BVH_REPEATED_CHANNEL", "line 1", 1, 1, 8},
};

static void odd_content_is_used_and_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(oddities) / sizeof(oddities[0]); i++) {
        const oddity *odd = &oddities[i];
        mrw_scene *scene = import_bvh(odd->text);
        assert_int_equal(scene->diagnostic_count, odd->code != NULL);
        if (odd->code != NULL) {
            assert_string_equal(scene->diagnostics[0].code, odd->code);
            assert_string_equal(scene->diagnostics[0].where, odd->where);
            assert_int_equal(scene->diagnostics[0].count, odd->count);
        }
        const mrw_scene_channel *channel = bvh_channel(scene, 0, MRW_CHANNEL_TRANSLATION);
        assert_int_equal(channel->key_count, odd->frames);
        assert_true(channel->values[3 * (odd->frames - 1)] == odd->last);
        mrw_scene_free(scene);
    }
}

static void without_usable_time_frames_are_a_thirtieth_apart(void **state)
{
    (void)state;
    mrw_scene *scene = import_bvh(X("Frames: 2\nFrame Time: 0", "4\n5\n"));
    assert_near((double)bvh_channel(scene, 0, MRW_CHANNEL_TRANSLATION)->times[1], 1.0 / 30.0, 2e-9);
    mrw_scene_free(scene);
}

static void joints_without_channels_are_a_skeleton(void **state)
{
    (void)state;
    mrw_scene *scene =
        import_bvh("HIERARCHY ROOT a { OFFSET 0 0 0 }\nMOTION\nFrames: 2\nFrame Time: 1\n\n\n");
    assert_int_equal(scene->node_count, 1);
    assert_int_equal(scene->animation_count, 0);
    assert_non_null(bvh_diagnostic(scene, "MRW_BVH_NO_CHANNELS"));
    mrw_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_becomes_a_scene),
        cmocka_unit_test(rotations_apply_in_the_order_of_the_list),
        cmocka_unit_test(keys_are_continuous),
        cmocka_unit_test(any_number_of_channels_anywhere),
        cmocka_unit_test(every_spelling_is_the_same_file),
        cmocka_unit_test(names_are_the_rest_of_the_line),
        cmocka_unit_test(a_deep_chain_is_only_a_long_one),
        cmocka_unit_test(odd_content_is_used_and_told),
        cmocka_unit_test(without_usable_time_frames_are_a_thirtieth_apart),
        cmocka_unit_test(joints_without_channels_are_a_skeleton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
