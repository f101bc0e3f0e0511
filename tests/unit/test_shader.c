/* Texts of shaders, and how many joints uniform arrays hold. What the texts compute is tested in
 * tests/conformance/shader*. */
#include <marrow/shader.h>

#include "unit/near.h"

#include <string.h>

enum { KINDS = 3, DIALECTS = 5 };

static void every_text_is_there(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int dialect = 0; dialect < DIALECTS; dialect++) {
            const char *text =
                mrw_shader_source((mrw_shader_kind)kind, (mrw_shader_dialect)dialect);
            bool is_glsl = dialect <= MRW_GLSL_ES_100;
            if (kind == MRW_SHADER_BLENDED && !is_glsl) {
                assert_null(text);
                continue;
            }
            assert_non_null(text);
            assert_non_null(strstr(text, is_glsl ? "mrw_skinned mrw_skin(" : "mrw_skin("));
            assert_int_equal(text[strlen(text) - 1], '\n');
            /* A version must stand before everything else: it is the caller's. */
            assert_null(strstr(text, "#version"));
        }
    }
}

/* An error in a text is found by its line, and a # must begin one. */
static void texts_are_plain_lines(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int dialect = 0; dialect < DIALECTS; dialect++) {
            const char *text =
                mrw_shader_source((mrw_shader_kind)kind, (mrw_shader_dialect)dialect);
            for (; text != NULL && *text != '\0'; text++) {
                assert_true(*text == '\n' || (*text >= ' ' && *text <= '~'));
                /* Continued lines are no part of GLSL 330 and GLSL ES 100. */
                assert_false(text[0] == '\\');
            }
        }
    }
}

static void what_is_not_listed_is_null(void **state)
{
    (void)state;
    assert_null(mrw_shader_source((mrw_shader_kind)KINDS, MRW_GLSL_330));
    assert_null(mrw_shader_source((mrw_shader_kind)-1, MRW_GLSL_330));
    assert_null(mrw_shader_source(MRW_SHADER_LINEAR, (mrw_shader_dialect)DIALECTS));
    assert_null(mrw_shader_source(MRW_SHADER_LINEAR, (mrw_shader_dialect)-1));
    assert_null(mrw_shader_version_line((mrw_shader_dialect)DIALECTS));
    assert_null(mrw_shader_version_line((mrw_shader_dialect)-1));
}

static void version_lines(void **state)
{
    (void)state;
    assert_string_equal(mrw_shader_version_line(MRW_GLSL_330), "#version 330 core\n");
    assert_string_equal(mrw_shader_version_line(MRW_GLSL_ES_300), "#version 300 es\n");
    assert_string_equal(mrw_shader_version_line(MRW_GLSL_ES_100), "#version 100\n");
    assert_string_equal(mrw_shader_version_line(MRW_WGSL), "");
    assert_string_equal(mrw_shader_version_line(MRW_HLSL), "");
}

/* WebGL promises 128 vectors for ES 2 and 256 for ES 3. A matrix is 3, a dual quaternion 2. */
static void joints_that_fit(void **state)
{
    (void)state;
    /* (256 - 16) / 3 and so on */
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, 256, 16), 80);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, true, 256, 16), 80);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_DUAL_QUAT, false, 256, 16), 120);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_DUAL_QUAT, true, 256, 16), 48);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_BLENDED, false, 256, 16), 48);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_BLENDED, true, 256, 16), 30);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, 128, 0), 42);
    /* one vector short of another joint */
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, 255, 16), 79);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, UINT32_MAX, 0),
                     UINT32_MAX / 3);
}

static void nothing_fits(void **state)
{
    (void)state;
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, 0, 0), 0);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, 2, 0), 0);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, 16, 16), 0);
    assert_int_equal(mrw_shader_uniform_joints(MRW_SHADER_LINEAR, false, 16, 17), 0);
    assert_int_equal(mrw_shader_uniform_joints((mrw_shader_kind)KINDS, false, 256, 0), 0);
}

static void what_fits_passes(void **state)
{
    (void)state;
    mrw_error error;
    memset(&error, 0x5a, sizeof(error));
    mrw_error untouched = error;
    assert_int_equal(mrw_shader_check_uniforms(MRW_SHADER_DUAL_QUAT, true, 48, 256, 16, &error),
                     MRW_OK);
    assert_int_equal(mrw_shader_check_uniforms(MRW_SHADER_LINEAR, false, 0, 0, 0, &error), MRW_OK);
    assert_memory_equal(&error, &untouched, sizeof(error));
}

static void what_does_not_fit_says_the_way_out(void **state)
{
    (void)state;
    mrw_error error = {0};
    assert_int_equal(mrw_shader_check_uniforms(MRW_SHADER_DUAL_QUAT, true, 49, 256, 16, &error),
                     MRW_ERR_LIMIT);
    assert_int_equal(error.status, MRW_ERR_LIMIT);
    assert_string_equal(error.detail, "joint_count");
    assert_string_equal(error.message,
                        "49 joints do not fit into uniform arrays: at 5 vectors a joint, the "
                        "driver's 256 vectors less 16 of others hold 48 joints; put the palette "
                        "into a texture (MRW_PALETTE_TEXTURE)");
    assert_int_equal(mrw_shader_check_uniforms(MRW_SHADER_LINEAR, false, 1, 16, 16, NULL),
                     MRW_ERR_LIMIT);
}

/* The longest message there can be is not cut. */
static void large_numbers_fit_the_message(void **state)
{
    (void)state;
    mrw_error error = {0};
    assert_int_equal(mrw_shader_check_uniforms(MRW_SHADER_BLENDED, true, UINT32_MAX, UINT32_MAX - 1,
                                               UINT32_MAX - 2, &error),
                     MRW_ERR_LIMIT);
    assert_non_null(strstr(error.message, "(MRW_PALETTE_TEXTURE)"));
}

static void an_unknown_kind_is_named(void **state)
{
    (void)state;
    mrw_error error = {0};
    assert_int_equal(mrw_shader_check_uniforms((mrw_shader_kind)7, false, 1, 256, 0, &error),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.detail, "kind");
    assert_string_equal(error.message, "no mrw_shader_kind: 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_is_there),
        cmocka_unit_test(texts_are_plain_lines),
        cmocka_unit_test(what_is_not_listed_is_null),
        cmocka_unit_test(version_lines),
        cmocka_unit_test(joints_that_fit),
        cmocka_unit_test(nothing_fits),
        cmocka_unit_test(what_fits_passes),
        cmocka_unit_test(what_does_not_fit_says_the_way_out),
        cmocka_unit_test(large_numbers_fit_the_message),
        cmocka_unit_test(an_unknown_kind_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
