/* What a frame is made of, by the calls that reach the backend. */
#include "core/renderer.h"
#include "core/selection.h"
#include "viewer/viewer_case.h"

#define MAX_EVENTS 64

enum { EVENT_PLAIN, EVENT_MESH };

typedef struct event {
    int kind;
    view_draw_mesh mesh;
    view_draw_plain plain;
    float flatten[16];
} event;

typedef struct renderer_case {
    null_backend null; /* checks every call */
    view_backend recorder;
    event events[MAX_EVENTS];
    uint32_t event_count;
    mrw_scene *scene;
    mrw_character *character;
    view_posed posed;
    view_renderer *renderer;
    view_bounds bounds;
    view_camera camera;
} renderer_case;

/* --- recording -------------------------------------------------------------------------------- */

static renderer_case *recording; /* cmocka runs one test after the other */

static event *next_event(int kind)
{
    assert_in_range(recording->event_count, 0, MAX_EVENTS - 1);
    event *next = &recording->events[recording->event_count++];
    next->kind = kind;
    return next;
}

static bool record_mesh(void *user, const view_draw_mesh *draw)
{
    event *next = next_event(EVENT_MESH);
    next->mesh = *draw;
    if (draw->flatten != NULL)
        memcpy(next->flatten, draw->flatten, sizeof(next->flatten));
    return recording->null.backend.draw_mesh(user, draw);
}

static bool record_plain(void *user, const view_draw_plain *draw)
{
    next_event(EVENT_PLAIN)->plain = *draw;
    return recording->null.backend.draw_plain(user, draw);
}

/* --- the scene -----------------------------------------------------------------------------------
 */

/* Node 0 with child 1 are the joints. Node 2 has a skinned mesh of three parts: cut out, glass, and
 * one without a material. Node 3, below joint 1, has a rigid mesh, and so has node 4, which mirrors
 * it. */
enum { ROOT, BONE, SKINNED, RIGID, MIRRORED, NODE_COUNT };

static void add_materials(mrw_scene *scene)
{
    static const mrw_scene_material materials[] = {
        {"cut out", {1, 0, 0, 1}, 0, true, false, 0.5f, 0.0f, 0.4f},
        {"glass", {0, 0, 1, 0.5f}, 0, false, true, 0.5f, 0.0f, 0.1f}, /* the same picture */
    };
    static const mrw_scene_image missing = {"lost", "lost.png", NULL, 0};
    scene->material_count = 2;
    scene->materials = scene_copy(scene, materials, sizeof(materials));
    scene->image_count = 1;
    scene->images = scene_copy(scene, &missing, sizeof(missing));
}

static mrw_scene *make_scene(void)
{
    static const int32_t joints[] = {ROOT, BONE};
    static const uint16_t influences[] = {0, 1, 0, 1, 0, 1};
    static const float weights[] = {0.3f, 0.7f, 0.2f, 0.8f, 0.1f, 0.9f};
    mrw_scene *scene = new_scene(NODE_COUNT);
    scene->nodes[BONE].parent = ROOT;
    scene->nodes[BONE].local.translation.y = 1.0f;
    scene->nodes[SKINNED].mesh = add_mesh(scene, "skinned", 3);
    scene->nodes[SKINNED].skin = add_skin(scene, 2, joints);
    scene->nodes[RIGID].mesh = add_mesh(scene, "rigid", 1);
    scene->nodes[RIGID].parent = BONE;
    scene->nodes[MIRRORED].mesh = scene->nodes[RIGID].mesh;
    scene->nodes[MIRRORED].local.scale.x = -1.0f;
    mrw_scene_primitive *parts = scene->meshes[0].primitives;
    for (int i = 0; i < 3; i++)
        set_influences(scene, &parts[i], 2, influences, weights);
    parts[0].material = 0;
    parts[1].material = 1;
    add_materials(scene);
    return scene;
}

static void set_up(renderer_case *c)
{
    memset(c, 0, sizeof(*c));
    null_backend_init(&c->null);
    c->recorder = c->null.backend;
    c->recorder.draw_mesh = record_mesh;
    c->recorder.draw_plain = record_plain;
    recording = c;
    c->scene = make_scene();
    c->character = build_character(c->scene);
    assert_int_equal(c->character->instance_count, 3);
    assert_int_equal(view_posed_create(c->character, &c->posed), MRW_OK);
    assert_int_equal(view_bounds_of_posed(&c->posed, MRW_SKIN_LINEAR, &c->bounds), MRW_OK);
    c->camera = view_camera_frame(&c->bounds, 0.6f, 0.2f, 1.0f);
    const char *reason = NULL;
    c->renderer = view_renderer_create(&c->recorder, c->scene, c->character, &reason);
    assert_non_null(c->renderer);
}

static void tear_down(renderer_case *c)
{
    view_renderer_free(c->renderer);
    null_backend_finish(&c->null);
    view_posed_free(&c->posed);
    mrw_character_free(c->character);
    mrw_scene_free(c->scene);
}

static view_frame plain_frame(const renderer_case *c)
{
    view_frame frame;
    memset(&frame, 0, sizeof(frame));
    frame.width = 64;
    frame.height = 64;
    frame.camera = &c->camera;
    frame.bounds = &c->bounds;
    frame.selected_joint = -1;
    return frame;
}

static void draw(renderer_case *c, const view_crowd_data *crowd, const view_frame *frame)
{
    const char *reason = NULL;
    c->event_count = 0;
    if (!view_renderer_draw(c->renderer, &c->posed, crowd, frame, &reason))
        fail_msg("%s", reason);
}

/* Two characters that stand in one place. */
static view_crowd_data two_of(const renderer_case *c, void **out_memory)
{
    const uint32_t matrices = c->character->palette_count;
    mrw_mat34 *memory = calloc((size_t)matrices * 6, sizeof(*memory));
    assert_non_null(memory);
    mrw_mat34 *stretches = memory + (size_t)matrices * 2;
    mrw_dual_quat *dual_quats = (mrw_dual_quat *)(memory + (size_t)matrices * 4);
    for (uint32_t i = 0; i < 2 * matrices; i++) {
        memory[i] = c->posed.palette[i % matrices];
        stretches[i] = c->posed.stretches[i % matrices];
        dual_quats[i] = c->posed.dual_quats[i % matrices];
    }
    view_crowd_data crowd = {2, memory, dual_quats, stretches, NULL};
    *out_memory = memory;
    return crowd;
}

/* --- tests
 * ------------------------------------------------------------------------------------------ */

/* Backdrop and ground, shadows of what is opaque (5 parts, 1 of them glass), then these, then the
 * glass, then box, and the skeleton in two layers over everything. */
static void test_order(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    view_frame frame = plain_frame(&c);
    frame.skeleton = true;
    frame.box = true;
    draw(&c, NULL, &frame);
    assert_int_equal(c.event_count, 2 + 4 + 4 + 1 + 1 + 2);
    for (uint32_t i = 0; i < c.event_count; i++) {
        const event *e = &c.events[i];
        const bool is_mesh = i >= 2 && i < 11;
        assert_int_equal(e->kind, is_mesh ? EVENT_MESH : EVENT_PLAIN);
        if (is_mesh) {
            assert_int_equal(e->mesh.surface, i < 6 ? VIEW_SURFACE_SHADOW : VIEW_SURFACE_MATERIAL);
            assert_int_equal(e->mesh.blended, i == 10);
        } else {
            assert_int_equal(e->plain.depth_test, i >= 11);
            assert_int_equal(e->plain.clear_depth, i >= 12);
        }
    }
    tear_down(&c);
}

static void test_transparent_frame_has_only_the_character(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    view_frame frame = plain_frame(&c);
    frame.transparent = true;
    draw(&c, NULL, &frame);
    assert_int_equal(c.event_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(c.events[i].mesh.surface, VIEW_SURFACE_MATERIAL);
    tear_down(&c);
}

/* Events of a transparent frame: cut out, no material, rigid, mirrored, glass. */
static void test_materials(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    view_frame frame = plain_frame(&c);
    frame.transparent = true;
    draw(&c, NULL, &frame);
    const view_draw_mesh *cut_out = &c.events[0].mesh, *none = &c.events[1].mesh,
                         *glass = &c.events[4].mesh;
    assert_true(cut_out->alpha_cutoff == 0.5f && cut_out->double_sided);
    assert_true(cut_out->base_color[0] == 1.0f && cut_out->roughness == 0.4f);
    assert_true(glass->alpha_cutoff == 0.0f && glass->blended && !glass->double_sided);
    assert_true(none->base_color[0] == none->base_color[2] && none->base_color[3] == 1.0f);
    assert_false(none->double_sided);
    /* One picture of two materials is missing, once. */
    assert_int_equal(view_renderer_missing_images(c.renderer), 1);
    assert_int_equal(cut_out->texture, 0);
    tear_down(&c);
}

static void test_heat_is_opaque_on_glass_too(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    float *heat = calloc(view_vertex_count(c.character), sizeof(*heat));
    assert_non_null(heat);
    view_joint_heat(c.character, (int32_t)joint_of(c.character, BONE), heat);
    const char *reason = NULL;
    assert_true(view_renderer_set_heat(c.renderer, heat, &reason));
    view_frame frame = plain_frame(&c);
    frame.transparent = true;
    frame.heat = true;
    draw(&c, NULL, &frame);
    assert_int_equal(c.event_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(c.events[i].mesh.surface, VIEW_SURFACE_HEAT);
        assert_false(c.events[i].mesh.blended);
    }
    /* Each instance has its own part of the array: 9 vertices, then 3, then 3. */
    assert_true(c.null.meshes[0].heat[0] == 0.7f && c.null.meshes[0].heat[2] == 0.9f);
    view_joint_heat(c.character, (int32_t)joint_of(c.character, RIGID), heat);
    assert_true(view_renderer_set_heat(c.renderer, heat, &reason));
    assert_true(c.null.meshes[0].heat[0] == 0.0f);
    assert_true(c.null.meshes[1].heat[0] == 1.0f && c.null.meshes[2].heat[0] == 0.0f);
    free(heat);
    tear_down(&c);
}

static void test_rigid_meshes_know_one_method(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    view_frame frame = plain_frame(&c);
    frame.transparent = true;
    frame.dual_quat_weight = 0.75f;
    draw(&c, NULL, &frame);
    assert_true(c.events[0].mesh.dual_quat_weight == 0.75f);
    assert_true(c.events[2].mesh.dual_quat_weight == 0.0f);
    assert_true(c.events[2].mesh.skinned);
    tear_down(&c);
}

static void test_mirrors_turn_faces_around(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    view_frame frame = plain_frame(&c);
    frame.transparent = true;
    draw(&c, NULL, &frame);
    assert_false(c.events[2].mesh.mirrored);
    assert_true(c.events[3].mesh.mirrored);
    /* Joint 1 carries most of the skinned mesh: it decides, and joint 0 does not. */
    c.posed.palette[c.character->instances[0].palette_first].m[0][0] *= -1.0f;
    draw(&c, NULL, &frame);
    assert_false(c.events[0].mesh.mirrored);
    c.posed.palette[c.character->instances[0].palette_first + 1].m[0][0] *= -1.0f;
    draw(&c, NULL, &frame);
    assert_true(c.events[0].mesh.mirrored);
    tear_down(&c);
}

static void test_crowd_is_one_draw_a_part(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    void *memory = NULL;
    const view_crowd_data crowd = two_of(&c, &memory);
    view_frame frame = plain_frame(&c);
    draw(&c, &crowd, &frame);
    assert_int_equal(c.event_count, 2 + 4 + 5);
    for (uint32_t i = 2; i < c.event_count; i++) {
        assert_int_equal(c.events[i].mesh.instance_count, 2);
        assert_int_equal(c.events[i].mesh.palette_stride, c.character->palette_count);
    }
    assert_int_equal(c.null.shared_count[VIEW_PALETTE], 2 * c.character->palette_count);
    free(memory);
    tear_down(&c);
}

/* The first character comes from the CPU, the others from where the second one's matrices begin. */
static void test_cpu_draws_the_first_of_a_crowd(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    void *memory = NULL;
    const view_crowd_data crowd = two_of(&c, &memory);
    view_frame frame = plain_frame(&c);
    frame.transparent = true;
    frame.on_cpu = true;
    draw(&c, &crowd, &frame);
    assert_int_equal(c.event_count, 2 * 5);
    const view_draw_mesh *first = &c.events[4].mesh, *second = &c.events[5].mesh;
    assert_false(first->skinned);
    assert_int_equal(first->instance_count, 1);
    assert_true(second->skinned);
    assert_int_equal(second->instance_count, 1);
    assert_int_equal(second->palette_first,
                     c.character->instances[1].palette_first + c.character->palette_count);
    draw(&c, NULL, &frame);
    assert_int_equal(c.event_count, 5);
    free(memory);
    tear_down(&c);
}

/* A point and its shadow lie on one ray of light, and the shadow on the ground. */
static void test_shadow_lies_on_the_ground(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    view_frame frame = plain_frame(&c);
    draw(&c, NULL, &frame);
    const event *shadow = &c.events[2];
    const float *m = shadow->flatten;
    const float p[3] = {0.3f, 2.0f, -0.4f};
    float at[3];
    for (int row = 0; row < 3; row++)
        at[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
    const mrw_vec3 light = shadow->mesh.key_direction;
    const float way = (p[1] - at[1]) / light.y;
    assert_float_equal(at[1], c.bounds.min.y, 1e-6);
    assert_float_equal(at[0] + way * light.x, p[0], 1e-5);
    assert_float_equal(at[2] + way * light.z, p[2], 1e-5);
    assert_null(c.events[6].mesh.flatten);
    tear_down(&c);
}

static void test_weight_of_a_method(void **state)
{
    (void)state;
    assert_true(view_dual_quat_weight(MRW_SKIN_LINEAR, 0.3f) == 0.0f);
    assert_true(view_dual_quat_weight(MRW_SKIN_DUAL_QUAT, 0.3f) == 1.0f);
    assert_true(view_dual_quat_weight(MRW_SKIN_BLENDED, 0.3f) == 0.3f);
}

/* Every call fails once: the frame says so, in the backend's words, and the next one works. */
static void test_failing_backend(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    view_frame frame = plain_frame(&c);
    frame.skeleton = frame.box = frame.on_cpu = true;
    frame.dual_quat_weight = 0.5f;
    c.null.calls = 0;
    draw(&c, NULL, &frame);
    const uint32_t call_count = c.null.calls;
    assert_true(call_count > 15);
    for (uint32_t i = 1; i <= call_count; i++) {
        const char *reason = NULL;
        c.null.calls = 0;
        c.null.fail_at = i;
        c.event_count = 0;
        assert_false(view_renderer_draw(c.renderer, &c.posed, NULL, &frame, &reason));
        assert_non_null(strstr(reason, "of the backend failed"));
        assert_false(c.null.in_frame);
    }
    c.null.fail_at = 0;
    draw(&c, NULL, &frame);
    tear_down(&c);
}

/* Two instances of 2^31 vertices: their sum does not fit into 32 bits. Nothing of them is looked
 * at. */
static void test_too_many_vertices(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    mrw_character large = *c.character;
    mrw_mesh meshes[2] = {large.meshes[0], large.meshes[1]};
    assert_int_equal(large.mesh_count, 2);
    meshes[1].vertex_count = (uint32_t)1 << 31;
    large.meshes = meshes;
    const char *reason = NULL;
    assert_null(view_renderer_create(&c.recorder, c.scene, &large, &reason));
    assert_string_equal(reason, "the meshes of all nodes have more vertices than can be drawn");
    tear_down(&c);
}

static void test_capture(void **state)
{
    (void)state;
    renderer_case c;
    set_up(&c);
    float captured[9 * 3], expected[9 * 3];
    const char *reason = NULL;
    assert_int_equal(view_posed_vertices_mixed(&c.posed, 0, 0.5f, expected, NULL), MRW_OK);
    assert_true(view_renderer_capture(c.renderer, &c.posed, 0, 0.5f, captured, &reason));
    for (int i = 0; i < 27; i++)
        assert_float_equal(captured[i], expected[i], 1e-6);
    assert_false(view_renderer_capture(c.renderer, &c.posed, 3, 0.5f, captured, &reason));
    assert_non_null(reason);
    tear_down(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_transparent_frame_has_only_the_character),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_heat_is_opaque_on_glass_too),
        cmocka_unit_test(test_rigid_meshes_know_one_method),
        cmocka_unit_test(test_mirrors_turn_faces_around),
        cmocka_unit_test(test_crowd_is_one_draw_a_part),
        cmocka_unit_test(test_cpu_draws_the_first_of_a_crowd),
        cmocka_unit_test(test_shadow_lies_on_the_ground),
        cmocka_unit_test(test_weight_of_a_method),
        cmocka_unit_test(test_failing_backend),
        cmocka_unit_test(test_too_many_vertices),
        cmocka_unit_test(test_capture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
