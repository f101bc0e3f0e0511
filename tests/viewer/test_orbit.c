/* The camera in a hand: it frames as `marrow render` does, follows the pointer, and cuts nothing
 * off. */
#include "core/orbit.h"
#include "unit/near.h"
#include "unit/random.h"

#define DEGREES (3.14159265358979323846 / 180.0)

static const view_bounds box = {{-1.0f, 0.0f, -0.5f}, {1.0f, 3.0f, 0.5f}};

static void it_frames_as_the_still_camera_does(void **state)
{
    (void)state;
    uint64_t random = 31;
    for (int round = 0; round < 200; round++) {
        view_bounds bounds = view_bounds_empty();
        for (int i = 0; i < round % 4; i++) { /* empty, a point, boxes */
            mrw_vec3 point = {random_float(&random, -5.0f, 5.0f),
                              random_float(&random, -5.0f, 5.0f),
                              random_float(&random, -5.0f, 5.0f)};
            view_bounds_add(&bounds, point);
        }
        float yaw = random_float(&random, -3.0f, 3.0f), pitch = random_float(&random, -1.5f, 1.5f);
        float aspect = random_float(&random, 0.2f, 4.0f);
        view_camera still = view_camera_frame(&bounds, yaw, pitch, aspect);
        view_orbit orbit = view_orbit_frame(&bounds, yaw, pitch, aspect);
        view_camera held = view_orbit_camera(&orbit, aspect);
        assert_memory_equal(&still, &held, sizeof(still));
        view_orbit_set_scene(&orbit, &bounds);
        held = view_orbit_camera(&orbit, aspect);
        assert_memory_equal(&still, &held, sizeof(still));
    }
}

/* All corners are in the picture, and the one that decided is 1 / 1.12 of the way to its edge. */
static void all_of_the_box_is_seen(void **state)
{
    (void)state;
    view_orbit orbit = view_orbit_frame(&box, 0.6f, 0.3f, 1.5f);
    view_camera camera = view_orbit_camera(&orbit, 1.5f);
    double farthest = 0.0;
    for (int i = 0; i < 8; i++) {
        mrw_vec3 corner = {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                           i & 4 ? box.max.z : box.min.z};
        float x, y;
        assert_true(view_camera_project(&camera, corner, 2.0f, 2.0f, &x, &y));
        farthest = fmax(farthest, fmax(fabs((double)x - 1.0), fabs((double)y - 1.0)));
    }
    assert_near(farthest, 1.0 / 1.12, 1e-5);
}

/* From (0, 0, 10) along -z with 30 degrees of height: 10 tan(15) up is the upper edge. */
static void points_are_projected(void **state)
{
    (void)state;
    view_orbit orbit = {{0, 0, 0}, 0.0f, 0.0f, 10.0f, 1.0f, {0, 0, 0}};
    view_camera camera = view_orbit_camera(&orbit, 2.0f);
    float x, y, edge = (float)(10.0 * tan(15.0 * DEGREES));
    assert_true(view_camera_project(&camera, (mrw_vec3){0, 0, 0}, 800, 400, &x, &y));
    assert_near((double)x, 400.0, 1e-3);
    assert_near((double)y, 200.0, 1e-3);
    assert_true(view_camera_project(&camera, (mrw_vec3){2.0f * edge, edge, 0}, 800, 400, &x, &y));
    assert_near((double)x, 800.0, 1e-3);
    assert_near((double)y, 0.0, 1e-3);
    assert_false(view_camera_project(&camera, (mrw_vec3){0, 0, 10.5f}, 800, 400, &x, &y));
    assert_false(view_camera_project(&camera, (mrw_vec3){0, 0, 10}, 800, 400, &x, &y));
}

static void the_height_of_the_window_is_half_a_turn(void **state)
{
    (void)state;
    view_orbit orbit = view_orbit_frame(&box, 0.0f, 0.0f, 1.0f);
    view_orbit_rotate(&orbit, 100.0f, 50.0f, 400.0f);
    assert_near((double)orbit.yaw_rad, -45.0 * DEGREES, 1e-6);
    assert_near((double)orbit.pitch_rad, 22.5 * DEGREES, 1e-6);
    view_orbit_rotate(&orbit, 0.0f, 4000.0f, 400.0f);
    assert_near((double)orbit.pitch_rad, 89.0 * DEGREES, 1e-6);
    view_orbit_rotate(&orbit, 0.0f, -8000.0f, 400.0f);
    assert_near((double)orbit.pitch_rad, -89.0 * DEGREES, 1e-6);
    /* Two whole turns lead back, and the number stays small. */
    view_orbit_rotate(&orbit, 1600.0f, 0.0f, 400.0f);
    assert_near((double)orbit.yaw_rad, -45.0 * DEGREES, 1e-5);
    /* A window without a height does nothing. */
    view_orbit before = orbit;
    view_orbit_rotate(&orbit, 5.0f, 5.0f, 0.0f);
    view_orbit_pan(&orbit, 5.0f, 5.0f, 0.0f);
    assert_memory_equal(&before, &orbit, sizeof(orbit));
}

/* Dragged to the right, what is in front moves to the right; dragged down, it moves down. */
static void the_scene_turns_with_the_pointer(void **state)
{
    (void)state;
    view_orbit orbit = view_orbit_frame(&box, 0.4f, 0.1f, 1.0f);
    view_camera camera = view_orbit_camera(&orbit, 1.0f);
    mrw_vec3 near_point = {orbit.target.x + camera.back.x, orbit.target.y + camera.back.y,
                           orbit.target.z + camera.back.z};
    float x, y, turned_x, turned_y;
    assert_true(view_camera_project(&camera, near_point, 500, 500, &x, &y));
    view_orbit_rotate(&orbit, 10.0f, 10.0f, 500.0f);
    camera = view_orbit_camera(&orbit, 1.0f);
    assert_true(view_camera_project(&camera, near_point, 500, 500, &turned_x, &turned_y));
    assert_true(turned_x > x + 1.0f);
    assert_true(turned_y > y + 1.0f);
}

static void panning_keeps_the_pointer_on_its_point(void **state)
{
    (void)state;
    view_orbit orbit = view_orbit_frame(&box, 0.7f, 0.5f, 1.6f);
    mrw_vec3 point = orbit.target;
    view_orbit_pan(&orbit, 120.0f, -45.0f, 500.0f);
    view_camera camera = view_orbit_camera(&orbit, 1.6f);
    float x, y;
    assert_true(view_camera_project(&camera, point, 800, 500, &x, &y));
    assert_near((double)x, 400.0 + 120.0, 1e-2);
    assert_near((double)y, 250.0 - 45.0, 1e-2);
}

static void a_notch_is_a_tenth(void **state)
{
    (void)state;
    view_orbit orbit = view_orbit_frame(&box, 0.0f, 0.0f, 1.0f);
    const double start = (double)orbit.distance;
    view_orbit_zoom(&orbit, 1.0f);
    assert_near((double)orbit.distance, 0.9 * start, 1e-4 * start);
    for (int i = 0; i < 10; i++)
        view_orbit_zoom(&orbit, 0.1f);
    assert_near((double)orbit.distance, 0.81 * start, 1e-4 * start);
    view_orbit_zoom(&orbit, -2.0f);
    assert_near((double)orbit.distance, start, 1e-4 * start);
    view_orbit_zoom(&orbit, 1e30f);
    assert_near((double)orbit.distance, 0.01 * (double)orbit.scene_size, 1e-6);
    view_orbit_zoom(&orbit, -1e30f);
    view_orbit_zoom(&orbit, -1e30f);
    assert_near((double)orbit.distance, 100.0 * (double)orbit.scene_size, 1e-2);
    view_orbit_zoom(&orbit, NAN);
    assert_near((double)orbit.distance, 100.0 * (double)orbit.scene_size, 1e-2);
}

static void assert_between_the_planes(const view_camera *camera, mrw_vec3 p, float distance)
{
    const float *m = camera->view_projection;
    float z = m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14];
    float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    if (w < 0.0201f * distance)
        return; /* nothing is drawn that near */
    if (!(z >= -1.0001f * w && z <= 1.0001f * w))
        fail_msg("(%g %g %g) is cut off: z %g, w %g", (double)p.x, (double)p.y, (double)p.z,
                 (double)z, (double)w);
}

/* However the camera is turned, panned and zoomed: the box, and the ground around it, which is a
 * disc of 1.1 diagonals. */
static void nothing_is_cut_off(void **state)
{
    (void)state;
    uint64_t random = 32;
    const double radius = 1.1 * sqrt(2.0 * 2.0 + 3.0 * 3.0 + 1.0 * 1.0);
    for (int round = 0; round < 300; round++) {
        view_orbit orbit = view_orbit_frame(&box, random_float(&random, -3.0f, 3.0f),
                                            random_float(&random, -1.0f, 1.0f), 1.3f);
        view_orbit_zoom(&orbit, random_float(&random, -12.0f, 30.0f));
        view_orbit_pan(&orbit, random_float(&random, -900.0f, 900.0f),
                       random_float(&random, -900.0f, 900.0f), 400.0f);
        view_orbit_rotate(&orbit, random_float(&random, -400.0f, 400.0f),
                          random_float(&random, -100.0f, 100.0f), 400.0f);
        view_camera camera = view_orbit_camera(&orbit, 1.3f);
        for (int i = 0; i < 8; i++)
            assert_between_the_planes(
                &camera,
                (mrw_vec3){i & 1 ? 1.0f : -1.0f, i & 2 ? 3.0f : 0.0f, i & 4 ? 0.5f : -0.5f},
                orbit.distance);
        for (int i = 0; i < 16; i++) {
            double angle = i * 22.5 * DEGREES;
            mrw_vec3 edge = {(float)(radius * cos(angle)), 0.0f, (float)(radius * sin(angle))};
            assert_between_the_planes(&camera, edge, orbit.distance);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_frames_as_the_still_camera_does),
        cmocka_unit_test(all_of_the_box_is_seen),
        cmocka_unit_test(points_are_projected),
        cmocka_unit_test(the_height_of_the_window_is_half_a_turn),
        cmocka_unit_test(the_scene_turns_with_the_pointer),
        cmocka_unit_test(panning_keeps_the_pointer_on_its_point),
        cmocka_unit_test(a_notch_is_a_tenth),
        cmocka_unit_test(nothing_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
