#define _POSIX_C_SOURCE 200809L /* mkdir */

#include "command.h"

#include "demo/demo.h"
#include "options.h"
#include "report.h"
#include "text.h"

#include <marrow/offline/export.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char cmd_demo_help[] =
    "usage: marrow demo [options]\n"
    "\n"
    "Writes two small animated characters to try the other commands with:\n"
    "\n"
    "  tentacle.glb   a box strip on a chain of four joints; clip bend\n"
    "  biped.glb      a humanoid with 27 joints; clips idle, walk (for 0.95 m/s) and run (for\n"
    "                 2.57 m/s), which move it in place\n"
    "\n"
    "  --out DIR      the folder to write to, created if it is missing; default: this one\n"
    "\n"
    "Both are computed: the same bytes on every machine.\n"
    "\n"
    "example:\n"
    "  marrow demo --out demo-out\n";

enum { LONGEST_PATH = 4096 };

typedef struct demo_file {
    const char *name;
    bool (*fill)(mrw_scene *scene);
} demo_file;

static const demo_file files[] = {
    {"tentacle.glb", demo_fill_tentacle},
    {"biped.glb", demo_fill_biped},
};

static int fail_folder(const char *path)
{
    mrw_error error = {.status = MRW_ERR_FILE_WRITE};
    snprintf(error.message, sizeof(error.message), "cannot create the folder: %s", strerror(errno));
    return cli_fail("demo", path, &error);
}

/* Creates the folder and those above it that are missing. If a part is there but no folder, writing
 * the files will say so. */
static int create_folder(const char *path)
{
    char part[LONGEST_PATH];
    size_t length = strlen(path);
    if (length >= sizeof(part)) {
        errno = ENAMETOOLONG;
        return fail_folder(path);
    }
    for (size_t end = 1; end <= length; end++) {
        if (path[end] != '/' && path[end] != '\0')
            continue;
        memcpy(part, path, end);
        part[end] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST && errno != EROFS)
            return fail_folder(part);
    }
    return CLI_OK;
}

static bool join_path(const char *folder, const char *name, char out[LONGEST_PATH])
{
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    return snprintf(out, LONGEST_PATH, "%s%s%s", folder, slash, name) < LONGEST_PATH;
}

static uint32_t count_vertices(const mrw_scene *scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        for (uint32_t k = 0; k < scene->meshes[i].primitive_count; k++)
            count += scene->meshes[i].primitives[k].vertex_count;
    return count;
}

static void print_written(const mrw_scene *scene, const char *path, size_t size_bytes)
{
    fputs("wrote ", stdout);
    cli_put_text(stdout, path);
    printf(" (%zu bytes): %u joints, %u vertices, clip%s ", size_bytes,
           (unsigned)scene->skins[0].joint_count, (unsigned)count_vertices(scene),
           scene->animation_count > 1 ? "s" : "");
    for (uint32_t i = 0; i < scene->animation_count; i++)
        printf("%s%s", i > 0 ? ", " : "", scene->animations[i].name);
    putchar('\n');
}

static int export_scene(const mrw_scene *scene, const char *path)
{
    mrw_error error = {0};
    mrw_bytes bytes;
    mrw_status status = mrw_export_glb(scene, NULL, &bytes, &error);
    if (status != MRW_OK)
        return cli_fail("demo", path, &error);
    status = mrw_write_file(path, bytes.data, bytes.size_bytes, &error);
    size_t size_bytes = bytes.size_bytes;
    mrw_bytes_free(&bytes);
    if (status != MRW_OK) {
        error.detail[0] = '\0'; /* the message says the path already */
        return cli_fail("demo", NULL, &error);
    }
    print_written(scene, path, size_bytes);
    return CLI_OK;
}

static int write_demo_file(const demo_file *file, const char *path)
{
    mrw_scene *scene;
    mrw_status status = mrw_scene_create(NULL, &scene);
    if (status != MRW_OK)
        return cli_fail_status("demo", path, status);
    int result = file->fill(scene) ? export_scene(scene, path)
                                   : cli_fail_status("demo", path, MRW_ERR_OUT_OF_MEMORY);
    mrw_scene_free(scene);
    return result;
}

static void print_next(const char *path)
{
    static const char *const commands[][2] = {
        {"inspect", ""},
        {"pose", " --clip walk --time 0.25"},
        {"render", " --clip walk --frames 32 -o walk.webp"},
    };
    puts("\nNext, try");
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        printf("  marrow %s ", commands[i][0]);
        cli_put_text(stdout, path);
        puts(commands[i][1]);
    }
}

int cmd_demo(int argc, char **argv)
{
    const char *folder = NULL;
    const cli_option options[] = {{"--out", "-o", CLI_TEXT, &folder, NULL, 0, 0}};
    int status = cli_options_parse(argc, argv, options, 1, NULL, NULL);
    if (status == CLI_OK && folder != NULL)
        status = create_folder(folder);
    char path[LONGEST_PATH];
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && status == CLI_OK; i++) {
        if (!join_path(folder != NULL ? folder : "", files[i].name, path)) {
            errno = ENAMETOOLONG;
            return fail_folder(folder);
        }
        status = write_demo_file(&files[i], path);
    }
    if (status == CLI_OK)
        print_next(path);
    return status;
}
