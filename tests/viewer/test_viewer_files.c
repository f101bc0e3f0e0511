/* The viewer on every real glTF file: its clips, both methods and their mix, both paths, a crowd,
 * heat and bones, checked call by call by the null backend. */
#define _POSIX_C_SOURCE 200809L

#include "offline/read/file.h"
#include "unit/near.h"
#include "unit/shared_folder.h"
#include "viewer/viewer_case.h"

#include <dirent.h>

/* Of a file with more clips: the first ones. Sanitizers make every vertex five times as slow. */
#ifdef MARROW_SANITIZED
enum { CLIPS = 1 };
#else
enum { CLIPS = 4 };
#endif

static char folder[1024];

/* What a file names lies beside it; the arena keeps it until the import is done. */
static mrw_status open_beside(void *user, const char *path, const uint8_t **out_bytes,
                              size_t *out_size_bytes)
{
    char whole[2048];
    mrwi_format(whole, sizeof(whole), "%s/%s", folder, path);
    return mrwi_file_read(user, whole, out_bytes, out_size_bytes, NULL);
}

static void open_file(const char *name, bool reload)
{
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    const uint8_t *bytes;
    size_t size_bytes;
    mrw_error error = {0};
    assert_int_equal(open_beside(&arena, name, &bytes, &size_bytes), MRW_OK);
    if (view_viewer_load(&viewer, bytes, size_bytes, open_beside, &arena, reload, &error) != MRW_OK)
        fail_msg("%s: %s: %s", name, error.detail, error.message);
    mrwi_arena_free(&arena);
}

static void look_at_clip(const char *name)
{
    double duration_s = view_timeline_duration_s(&viewer.timeline, viewer.character);
    for (int i = 0; i < 6; i++) {
        draw_frame(0.37 * duration_s);
        if (!(viewer.stats.gpu_difference <= 1e-3f))
            fail_msg("%s: GPU and CPU differ by %g", name, (double)viewer.stats.gpu_difference);
        assert_true(viewer.stats.lost.largest >= 0.0f && viewer.stats.lost.largest <= 1.0f);
        view_viewer_command(&viewer, VIEW_METHOD);
        if (i == 2)
            view_viewer_command(&viewer, VIEW_CPU);
    }
    view_viewer_command(&viewer, VIEW_CPU);
}

static void look_at_file(const char *name)
{
    open_file(name, false);
    int32_t count = (int32_t)viewer.character->clip_count;
    for (int32_t clip = -1; clip < count && clip < CLIPS; clip++) {
        view_viewer_set_clip(&viewer, clip);
        look_at_clip(name);
    }
    for (int i = 0; i < VIEW_COMMAND_COUNT; i++) {
        view_viewer_command(&viewer, (view_command)i);
        draw_frame(0.01);
    }
    assert_true(view_viewer_set_crowd(&viewer, 5));
    draw_frame(0.2);
    open_file(name, true);
    draw_frame(0.2);
    for (int i = 0; i < VIEW_COMMAND_COUNT; i++) /* switches everything back */
        view_viewer_command(&viewer, (view_command)i);
    assert_true(view_viewer_set_crowd(&viewer, 1));
    viewer.settings = (view_settings){.blend = 0.5f};
    printf("%s: %u joints, %u vertices, linear skinning loses %.0f %%\n", name,
           (unsigned)viewer.stats.joint_count, (unsigned)viewer.stats.vertex_count,
           100.0 * (double)viewer.stats.linear_lost);
}

static bool is_model(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0);
}

static void every_file_can_be_looked_at(void **state)
{
    (void)state;
    shared_path(folder, sizeof(folder), "assets/gltf");
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    null_backend_init(&null);
    assert_int_equal(view_viewer_create(&null.backend, NULL, &viewer), MRW_OK);
    int count = 0;
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing))
        if (is_model(entry->d_name)) {
            look_at_file(entry->d_name);
            count++;
        }
    closedir(listing);
    view_viewer_free(&viewer);
    null_backend_finish(&null);
    assert_true(count > 0);
}

int main(void)
{
    if (!shared_is_there())
        return SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_can_be_looked_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
