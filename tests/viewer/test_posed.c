/* One character between two clips, at another place, and under a mix of both methods. */
#include "core/posed.h"

#include "unit/near.h"
#include "viewer/viewer_case.h"

static mrw_scene *scene;
static mrw_character *character;
static view_posed posed, other;

static int make_biped(void **state)
{
    (void)state;
    scene = biped_scene();
    character = build_character(scene);
    assert_true(character->clip_count >= 2);
    assert_int_equal(view_posed_create(character, &posed), MRW_OK);
    assert_int_equal(view_posed_create(character, &other), MRW_OK);
    return 0;
}

static int free_biped(void **state)
{
    (void)state;
    view_posed_free(&posed);
    view_posed_free(&other);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return 0;
}

static void assert_same_matrices(void)
{
    assert_memory_equal(posed.model, other.model,
                        character->skeleton.joint_count * sizeof(mrw_mat34));
    assert_memory_equal(posed.palette, other.palette, character->palette_count * sizeof(mrw_mat34));
    assert_memory_equal(posed.dual_quats, other.dual_quats,
                        character->palette_count * sizeof(mrw_dual_quat));
}

static void fade(float share)
{
    assert_int_equal(view_posed_update_fade(&posed, 0, 0.3, 1, 0.2, share, true), MRW_OK);
}

static void both_ends_of_a_fade_are_the_clips(void **state)
{
    (void)state;
    fade(0.0f);
    assert_int_equal(view_posed_update(&other, 0, 0.3, true), MRW_OK);
    assert_same_matrices();
    fade(1.0f);
    assert_int_equal(view_posed_update(&other, 1, 0.2, true), MRW_OK);
    assert_same_matrices();
    assert_int_equal(view_posed_update_fade(&posed, 1, 0.2, -1, 0.0, 0.7f, true), MRW_OK);
    assert_same_matrices();
}

/* Translations are averaged: a quarter of the way lies there. */
static void between_them_poses_are_mixed(void **state)
{
    (void)state;
    for (uint32_t j = 0; j < character->skeleton.joint_count; j++) {
        fade(0.0f);
        mrw_vec3 a = mrw_pose_joint(&posed.pose, j).translation;
        fade(1.0f);
        mrw_vec3 b = mrw_pose_joint(&posed.pose, j).translation;
        fade(0.25f);
        mrw_vec3 mixed = mrw_pose_joint(&posed.pose, j).translation;
        assert_near((double)mixed.x, 0.75 * (double)a.x + 0.25 * (double)b.x, 1e-6);
        assert_near((double)mixed.y, 0.75 * (double)a.y + 0.25 * (double)b.y, 1e-6);
        assert_near((double)mixed.z, 0.75 * (double)a.z + 0.25 * (double)b.z, 1e-6);
    }
}

static void clips_that_are_not_there_are_refused(void **state)
{
    (void)state;
    int32_t beyond = (int32_t)character->clip_count;
    assert_int_equal(view_posed_update(&posed, beyond, 0.0, true), MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(view_posed_update_fade(&posed, 0, 0.0, beyond, 0.0, 0.5f, true),
                     MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(view_posed_update_fade(&posed, 0, 0.0, beyond, 0.0, 1.0f, true),
                     MRW_ERR_INVALID_ARGUMENT);
}

/* A root moves the whole character, and the other's matrices stay where they are. */
static void a_placed_character_is_moved(void **state)
{
    (void)state;
    uint32_t count = character->palette_count;
    mrw_mat34 *palette = calloc(count, sizeof(*palette)),
              *stretches = calloc(count, sizeof(*stretches));
    mrw_dual_quat *dual_quats = calloc(count, sizeof(*dual_quats));
    mrw_mat34 root = mrw_mat34_identity();
    root.m[0][3] = 5.0f;
    root.m[2][3] = -2.0f;
    bool has_stretch = true;
    assert_int_equal(view_posed_update(&posed, 1, 0.4, true), MRW_OK);
    assert_int_equal(view_posed_place(&posed, &root, palette, dual_quats, stretches, &has_stretch),
                     MRW_OK);
    assert_int_equal(has_stretch, posed.has_stretch);
    for (uint32_t i = 0; i < count; i++) {
        mrw_mat34 expected = mrw_mat34_mul(&root, &posed.palette[i]);
        mrw_mat34 rigid = mrw_mat34_from_dual_quat(&dual_quats[i]);
        assert_below(mat34_difference(&palette[i], &expected, 4), 2e-6);
        assert_below(mat34_difference(&rigid, &expected, 4), 5e-6);
    }
    free(palette);
    free(stretches);
    free(dual_quats);
}

static float *vertices_of(float dual_quat_weight, bool mixed)
{
    const mrw_mesh *mesh = &character->meshes[character->instances[0].mesh];
    float *positions = calloc((size_t)mesh->vertex_count * 6, sizeof(float));
    float *normals = positions + (size_t)mesh->vertex_count * 3;
    mrw_skin_method method = dual_quat_weight > 0.0f ? MRW_SKIN_DUAL_QUAT : MRW_SKIN_LINEAR;
    assert_int_equal(
        mixed ? view_posed_vertices_mixed(&posed, 0, dual_quat_weight, positions, normals)
              : view_posed_vertices(&posed, 0, method, positions, normals),
        MRW_OK);
    return positions;
}

/* One weight for all vertices; the mesh is larger than a slice. */
static void methods_are_mixed_vertex_by_vertex(void **state)
{
    (void)state;
    const mrw_mesh *mesh = &character->meshes[character->instances[0].mesh];
    size_t count = (size_t)mesh->vertex_count * 3;
    assert_true(mesh->vertex_count > 256);
    assert_int_equal(view_posed_update(&posed, 1, 0.4, true), MRW_OK);
    float *linear = vertices_of(0.0f, false), *dual_quat = vertices_of(1.0f, false);
    float *at_0 = vertices_of(0.0f, true), *at_1 = vertices_of(1.0f, true);
    float *mixed = vertices_of(0.3f, true);
    assert_memory_equal(linear, at_0, 2 * count * sizeof(float));
    assert_memory_equal(dual_quat, at_1, 2 * count * sizeof(float));
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        double a = (double)linear[i], b = (double)dual_quat[i];
        assert_near((double)mixed[i], 0.7 * a + 0.3 * b, 1e-6);
        largest = worst(largest, fabs(a - b));
    }
    assert_true(largest > 1e-3); /* else the above says nothing */
    free(linear);
    free(dual_quat);
    free(at_0);
    free(at_1);
    free(mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_of_a_fade_are_the_clips),
        cmocka_unit_test(between_them_poses_are_mixed),
        cmocka_unit_test(clips_that_are_not_there_are_refused),
        cmocka_unit_test(a_placed_character_is_moved),
        cmocka_unit_test(methods_are_mixed_vertex_by_vertex),
    };
    return cmocka_run_group_tests(tests, make_biped, free_biped);
}
