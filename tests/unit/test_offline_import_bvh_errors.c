/* What of a BVH file is refused, and how exactly it is said: status, line and column, the thing,
 * the words. */
#include "unit/bvh_text.h"

typedef struct refusal {
    const char *text;
    mrw_status status;
    uint32_t line;
    uint32_t column;
    const char *detail;
    const char *words;
} refusal;

#define HEAD "HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n"
#define TWO HEAD " CHANNELS 2 Xrotation Yrotation\n}\nMOTION\n" /* the motion's head is line 8 */

static const refusal refusals[] = {
    /* the hierarchy */
    {"HIERARCHY\n", MRW_ERR_TRUNCATED, 2, 1, "HIERARCHY", "expected ROOT, found the end"},
    {"HIERARCHYROOT a", MRW_ERR_INVALID_VALUE, 1, 1, "file",
     "expected HIERARCHY, found 'HIERARCHYROOT'"},
    {"HIERARCHY\nMOTION\n", MRW_ERR_INVALID_VALUE, 2, 1, "HIERARCHY", "ROOT, found 'MOTION'"},
    {"HIERARCHY\n  JOINT a\n", MRW_ERR_INVALID_VALUE, 2, 3, "HIERARCHY", "ROOT, found 'JOINT'"},
    {"HIERARCHY\nROOT a\nOFFSET 0 0 0\n", MRW_ERR_INVALID_VALUE, 3, 1, "ROOT a",
     "expected '{', found 'OFFSET'"},
    {"HIERARCHY\nROOT a\n{\n OFFSET 0 0\n}", MRW_ERR_INVALID_VALUE, 5, 1, "a OFFSET",
     "expected a number, found '}'"},
    {"HIERARCHY\nROOT a\n{\n OFFSET 0 0 0,5\n}", MRW_ERR_INVALID_VALUE, 4, 13, "a OFFSET",
     "found '0,5': a decimal comma"},
    {HEAD " OFFSET 0 0 0\n}", MRW_ERR_INCONSISTENT, 5, 2, "ROOT a", "OFFSET twice"},
    {HEAD " CHANNELS 0\n CHANNELS 0\n}", MRW_ERR_INCONSISTENT, 6, 2, "ROOT a", "CHANNELS twice"},
    {HEAD " CHANNELS 3 Xrotation Yrotation\n}", MRW_ERR_INCONSISTENT, 6, 1, "a CHANNELS",
     "3 channels are announced, after 2 comes '}'"},
    {HEAD " CHANNELS 1 Xrotation Yrotation\n}", MRW_ERR_INVALID_VALUE, 5, 23, "ROOT a",
     "expected OFFSET, CHANNELS, JOINT, End Site or '}', found 'Yrotation'"},
    {HEAD " CHANNELS -1\n}", MRW_ERR_INVALID_VALUE, 5, 11, "a CHANNELS", "whole number"},
    {HEAD " CHANNELS 4000000000 Xrotation", MRW_ERR_TRUNCATED, 5, 31, "a CHANNELS",
     "4000000000 channels are announced, after 1 comes the end of the file"},
    {HEAD " JOINT b\n {\n  offset 0 0 0\n  bone\n", MRW_ERR_INVALID_VALUE, 8, 3, "JOINT b",
     "found 'bone'"},
    {HEAD " End Site\n {\n  OFFSET 0 0 0\n  JOINT c\n", MRW_ERR_INVALID_VALUE, 8, 3,
     "End Site a_End", "expected OFFSET or '}', found 'JOINT'"},
    {HEAD, MRW_ERR_TRUNCATED, 5, 1, "ROOT a", "found the end of the file"},
    {HEAD "}\n}\n", MRW_ERR_INVALID_VALUE, 6, 1, "HIERARCHY", "ROOT or MOTION, found '}'"},
    {HEAD "}\n", MRW_ERR_TRUNCATED, 6, 1, "HIERARCHY", "ROOT or MOTION, found the end"},
    /* the head of the motion */
    {TWO, MRW_ERR_TRUNCATED, 8, 1, "MOTION", "expected 'Frames:', found the end"},
    {TWO "1 2\n", MRW_ERR_MISSING_PROPERTY, 8, 1, "MOTION", "expected 'Frames:', found '1'"},
    {TWO "Frames: 1\n1 2\n", MRW_ERR_MISSING_PROPERTY, 9, 1, "MOTION",
     "expected 'Frame Time:', found '1'"},
    {TWO "Frames: 1\nFrames: 1\n", MRW_ERR_INVALID_VALUE, 9, 1, "MOTION", "once each"},
    {TWO "Frame Rate: 30\n", MRW_ERR_INVALID_VALUE, 8, 1, "MOTION", "found 'Frame'"},
    {TWO "Frames: many\n", MRW_ERR_INVALID_VALUE, 8, 1, "MOTION", "found 'Frames:'"},
    {TWO "Frames: 1.5\n", MRW_ERR_INVALID_VALUE, 8, 9, "MOTION, Frames", "whole number"},
    {TWO "Frames: -1\n", MRW_ERR_INVALID_VALUE, 8, 9, "MOTION, Frames", "whole number"},
    {TWO "Frames: 1\nFrame Time: 0,04\n", MRW_ERR_INVALID_VALUE, 9, 13, "MOTION, Frame Time",
     "decimal comma"},
    {TWO "Frames: 1\nFrame Time:\n", MRW_ERR_TRUNCATED, 10, 1, "MOTION, Frame Time",
     "expected a number, found the end"},
    /* frames */
    {TWO "Frames: 2\nFrame Time: 1\n1 2\n3 x\n", MRW_ERR_INVALID_VALUE, 11, 3,
     "MOTION, frame 2, a Yrotation", "expected a number, found 'x'"},
    {TWO "Frames: 2\nFrame Time: 1\n1 2\n3 4x\n", MRW_ERR_INVALID_VALUE, 11, 3,
     "MOTION, frame 2, a Yrotation", "found '4x'"},
    {TWO "Frames: 2\nFrame Time: 1\n1 2\n3", MRW_ERR_TRUNCATED, 11, 2,
     "MOTION, frame 2, a Yrotation", "the end of the file"},
    {TWO "Frames: 3\nFrame Time: 1\n1 2\n3\n4 5\n", MRW_ERR_INCONSISTENT, 11, 2, "MOTION, frame 2",
     "the line ends after 1 of the 2 numbers"},
    {TWO "Frames: 3\nFrame Time: 1\n1 2\n3 4 5\n6 7\n", MRW_ERR_INCONSISTENT, 11, 6,
     "MOTION, frame 3", "the line ends after 1 of the 2"},
    {TWO "Frames: 2\nFrame Time: 1\n1\n2 3\n4\n", MRW_ERR_INCONSISTENT, 11, 3, "MOTION, frame 1",
     "the line goes on after"},
    {TWO "Frames: 1\nFrame Time: 1\n1 2 3\n", MRW_ERR_INCONSISTENT, 10, 5, "MOTION, frame 1",
     "the line goes on after"},
    {TWO "Frames: 3\nFrame Time: 1e-46\n1 2\n3 4\n5 6", MRW_ERR_LIMIT, 0, 0, "MOTION, frame 2",
     "single precision"},
    {TWO "Frames: 3\nFrame Time: 3e38\n1 2\n3 4\n5 6", MRW_ERR_LIMIT, 0, 0, "MOTION, frame 3",
     "single precision"},
};

static void refusals_say_what_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        const refusal *refused = &refusals[i];
        mrw_scene *scene;
        mrw_error error = {0};
        mrw_status status = import_bvh_bytes(refused->text, strlen(refused->text), &scene, &error);
        if (status != refused->status || error.status != status || error.line != refused->line ||
            error.column != refused->column || strcmp(error.detail, refused->detail) != 0 ||
            strstr(error.message, refused->words) == NULL)
            fail_msg("%s\n: %s at %u:%u: %s: %s", refused->text, mrw_status_name(status),
                     error.line, error.column, error.detail, error.message);
        assert_null(scene);
    }
}

static void an_error_may_be_unwanted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        mrw_scene *scene;
        if (import_bvh_bytes(refusals[i].text, strlen(refusals[i].text), &scene, NULL) !=
            refusals[i].status)
            fail_msg("%s", refusals[i].text);
    }
}

/* Nothing is read past the end of a text, and only one that ends between frames is a file. */
static void a_file_ends_between_frames(void **state)
{
    (void)state;
    static const char head[] = TWO "Frames: 2\nFrame Time: ";
    static const char text[] = TWO "Frames: 2\nFrame Time: 1e-1\n1.5e1 23\n3 4";
    static const char frames[] = "1.5e1 23\n3 4";
    const size_t frames_at = sizeof(text) - sizeof(frames);
    for (size_t size = 0; size < sizeof(text); size++) {
        mrw_scene *scene;
        mrw_error error = {0};
        mrw_status status = import_bvh_bytes(text, size, &scene, &error);
        assert_true(status == MRW_OK || error.message[0] != '\0');
        bool in_first = size > frames_at && size <= frames_at + 6;
        bool in_second = size > frames_at + 9 && size < sizeof(text) - 1;
        if (size < sizeof(head) || in_first || in_second)
            assert_int_not_equal(status, MRW_OK);
        else if (size >= frames_at)
            assert_int_equal(status, MRW_OK);
        mrw_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_say_what_and_where),
        cmocka_unit_test(an_error_may_be_unwanted),
        cmocka_unit_test(a_file_ends_between_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
