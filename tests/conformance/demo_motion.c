/* demo_motion FILE: what `marrow demo` promises about the motions of its biped, looked at from
 * outside: in the file that it wrote, through the library's own chain from clip to vertices. */
#include <marrow/marrow.h>
#include <marrow/offline/offline.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Moments of a clip that are looked at: more than it has keys. */
enum { SAMPLES = 110 };

static const char *biped_path;

typedef struct biped {
    mrw_character *character;
    const mrw_mesh *mesh;
    void *pose_memory;
    mrw_pose pose;
    mrw_mat34 *model;
    mrw_mat34 *palette;
    float *positions;
    int32_t left_foot, right_foot;
} biped;

static int set_up(void **state)
{
    biped *b = calloc(1, sizeof(*b));
    mrw_scene *scene = NULL;
    mrw_error error = {0};
    if (b == NULL || mrw_import_file(biped_path, NULL, &scene, &error) != MRW_OK ||
        mrw_build_character(scene, NULL, &b->character, &error) != MRW_OK)
        fail_msg("%s: %s: %s", biped_path, error.detail, error.message);
    mrw_scene_free(scene);
    const mrw_skeleton *skeleton = &b->character->skeleton;
    b->mesh = &b->character->meshes[0];
    size_t size_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    b->pose_memory = malloc(size_bytes);
    b->model = calloc(skeleton->joint_count, sizeof(*b->model));
    b->palette = calloc(b->character->skins[0].joint_count, sizeof(*b->palette));
    b->positions = calloc(b->mesh->vertex_count, 3 * sizeof(float));
    assert_true(b->pose_memory && b->model && b->palette && b->positions);
    assert_int_equal(mrw_pose_init(b->pose_memory, size_bytes, skeleton->joint_count,
                                   skeleton->scalar_count, &b->pose),
                     MRW_OK);
    b->left_foot = mrw_skeleton_find_joint(skeleton, "left_foot");
    b->right_foot = mrw_skeleton_find_joint(skeleton, "right_foot");
    assert_true(b->left_foot >= 0 && b->right_foot >= 0);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    biped *b = *state;
    mrw_character_free(b->character);
    free(b->pose_memory);
    free(b->model);
    free(b->palette);
    free(b->positions);
    free(b);
    return 0;
}

static const mrw_clip *clip_named(const biped *b, const char *name)
{
    int32_t clip = mrw_character_find_clip(b->character, name);
    assert_true(clip >= 0);
    return &b->character->clips[clip];
}

static void pose_at(biped *b, const mrw_clip *clip, double time_s)
{
    mrw_sample_job sample = mrw_sample_job_default();
    sample.clip = clip;
    sample.skeleton = &b->character->skeleton;
    sample.time_s = time_s;
    sample.out_pose = &b->pose;
    assert_int_equal(mrw_sample(&sample), MRW_OK);

    mrw_model_job model = mrw_model_job_default();
    model.skeleton = &b->character->skeleton;
    model.pose = &b->pose;
    model.out_model = b->model;
    model.model_count = b->character->skeleton.joint_count;
    assert_int_equal(mrw_model(&model), MRW_OK);
}

static void skin(biped *b)
{
    mrw_palette_job palette = mrw_palette_job_default();
    palette.skin = &b->character->skins[0];
    palette.model = b->model;
    palette.model_count = b->character->skeleton.joint_count;
    palette.out_palette = b->palette;
    palette.palette_count = b->character->skins[0].joint_count;
    assert_int_equal(mrw_palette(&palette), MRW_OK);

    mrw_skin_job job = mrw_skin_job_default();
    job.palette = b->palette;
    job.palette_count = palette.palette_count;
    job.vertex_count = b->mesh->vertex_count;
    job.influence_count = b->mesh->influence_count;
    job.joints = b->mesh->joints;
    job.weights = b->mesh->weights;
    job.positions.data = b->mesh->positions;
    job.out_positions.data = b->positions;
    assert_int_equal(mrw_skin_vertices(&job), MRW_OK);
}

/* The height of the mesh's lowest point. */
static float lowest_at(biped *b, const mrw_clip *clip, double time_s)
{
    pose_at(b, clip, time_s);
    skin(b);
    float lowest = b->positions[1];
    for (uint32_t i = 1; i < b->mesh->vertex_count; i++)
        if (b->positions[i * 3 + 1] < lowest)
            lowest = b->positions[i * 3 + 1];
    return lowest;
}

static mrw_vec3 joint_place(const biped *b, int32_t joint)
{
    const mrw_mat34 *model = &b->model[joint];
    return (mrw_vec3){model->m[0][3], model->m[1][3], model->m[2][3]};
}

/* Every clip ends as it begins, to the bit. */
static void clips_loop(void **state)
{
    biped *b = *state;
    uint32_t joint_count = b->character->skeleton.joint_count;
    mrw_transform *first = calloc(joint_count, sizeof(*first));
    assert_non_null(first);
    assert_int_equal(b->character->clip_count, 3);
    for (uint32_t c = 0; c < 3; c++) {
        const mrw_clip *clip = &b->character->clips[c];
        pose_at(b, clip, 0.0);
        for (uint32_t i = 0; i < joint_count; i++)
            first[i] = mrw_pose_joint(&b->pose, i);
        pose_at(b, clip, (double)clip->duration_s);
        for (uint32_t i = 0; i < joint_count; i++) {
            mrw_transform last = mrw_pose_joint(&b->pose, i);
            assert_memory_equal(&last, &first[i], sizeof(last));
        }
    }
    free(first);
}

/* Somebody who walks or stands has a foot on the ground at any time, and none in it. Times between
 * the keys count as much as the keys. */
static void feet_meet_the_ground(void **state)
{
    biped *b = *state;
    const char *const names[2] = {"idle", "walk"};
    for (int n = 0; n < 2; n++) {
        const mrw_clip *clip = clip_named(b, names[n]);
        for (int i = 0; i < SAMPLES; i++) {
            float lowest = lowest_at(b, clip, (double)clip->duration_s * i / SAMPLES);
            if (fabsf(lowest) > 0.01f)
                fail_msg("%s %d/%d: the lowest point is at %g m", names[n], i, SAMPLES,
                         (double)lowest);
        }
    }
}

/* Somebody who runs leaves the ground twice a cycle, and comes down to it in between. */
static void run_flies(void **state)
{
    biped *b = *state;
    const mrw_clip *clip = clip_named(b, "run");
    int landings = 0;
    bool was_high = lowest_at(b, clip, 0.0) > 0.03f;
    for (int i = 1; i <= SAMPLES; i++) {
        float lowest = lowest_at(b, clip, (double)clip->duration_s * i / SAMPLES);
        assert_true(lowest > -0.01f);
        bool is_high = was_high ? lowest > 0.005f : lowest > 0.03f;
        landings += was_high && !is_high;
        was_high = is_high;
    }
    assert_int_equal(landings, 2);
}

/* While a foot stands flat it moves back with the ground: at one speed and one height. Of the
 * walk that is from 0.12 to 0.28 of the cycle for the left foot, half a cycle later for the right.
 */
static void standing_foot_does_not_slide(void **state)
{
    biped *b = *state;
    const mrw_clip *clip = clip_named(b, "walk");
    double duration_s = (double)clip->duration_s;
    for (int side = 0; side < 2; side++) {
        int32_t foot = side == 0 ? b->left_foot : b->right_foot;
        double first_phase = side == 0 ? 0.12 : 0.62, last_phase = first_phase + 0.16;
        pose_at(b, clip, duration_s * first_phase);
        mrw_vec3 first = joint_place(b, foot);
        pose_at(b, clip, duration_s * last_phase);
        mrw_vec3 last = joint_place(b, foot);
        assert_true(last.z < first.z - 0.1f);
        for (int i = 0; i <= 32; i++) {
            float t = (float)i / 32.0f;
            pose_at(b, clip, duration_s * (first_phase + 0.16 * (double)t));
            mrw_vec3 here = joint_place(b, foot);
            assert_true(fabsf(here.y - first.y) < 0.005f);
            assert_true(fabsf(here.x - first.x) < 0.005f);
            assert_true(fabsf(here.z - (first.z + (last.z - first.z) * t)) < 0.005f);
        }
    }
}

static void idle_feet_stay(void **state)
{
    biped *b = *state;
    const mrw_clip *clip = clip_named(b, "idle");
    pose_at(b, clip, 0.0);
    mrw_vec3 left = joint_place(b, b->left_foot), right = joint_place(b, b->right_foot);
    for (int i = 1; i < SAMPLES; i++) {
        pose_at(b, clip, (double)clip->duration_s * i / SAMPLES);
        mrw_vec3 l = joint_place(b, b->left_foot), r = joint_place(b, b->right_foot);
        assert_true(fabsf(l.x - left.x) + fabsf(l.y - left.y) + fabsf(l.z - left.z) < 0.002f);
        assert_true(fabsf(r.x - right.x) + fabsf(r.y - right.y) + fabsf(r.z - right.z) < 0.002f);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: demo_motion biped.glb\n");
        return 2;
    }
    biped_path = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(clips_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(feet_meet_the_ground, set_up, tear_down),
        cmocka_unit_test_setup_teardown(run_flies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(standing_foot_does_not_slide, set_up, tear_down),
        cmocka_unit_test_setup_teardown(idle_feet_stay, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
