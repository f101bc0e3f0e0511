#define _POSIX_C_SOURCE 200809L /* fseeko, stat */

#include "input.h"

#include "command.h"
#include "number_text.h"
#include "report.h"
#include "text.h"

#include <marrow/asset_file.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- .mrw files --------------------------------------------------------------------------- */

/* Only files are looked into: what is read from a pipe is gone. */
static bool is_asset_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    FILE *file = fopen(path, "rb");
    uint32_t magic = 0;
    bool is_one =
        file != NULL && fread(&magic, sizeof(magic), 1, file) == 1 && magic == MRW_FILE_MAGIC;
    if (file != NULL)
        fclose(file);
    return is_one;
}

static mrw_status fail_read(mrw_error *out_error, mrw_status status, const char *reason)
{
    out_error->status = status;
    snprintf(out_error->message, sizeof(out_error->message), "%s", reason);
    return status;
}

/* *out_bytes is freed with free(). */
static mrw_status read_file(const char *path, void **out_bytes, size_t *out_size,
                            mrw_error *out_error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail_read(out_error, MRW_ERR_FILE_READ, strerror(errno));
    mrw_status status = MRW_OK;
    off_t size = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
    void *bytes = size > 0 ? aligned_alloc(64, ((size_t)size + 63) & ~(size_t)63) : NULL;
    if (size <= 0 || fseeko(file, 0, SEEK_SET) != 0)
        status = fail_read(out_error, MRW_ERR_FILE_READ, "its size cannot be found out");
    else if (bytes == NULL)
        status =
            fail_read(out_error, MRW_ERR_OUT_OF_MEMORY, mrw_status_text(MRW_ERR_OUT_OF_MEMORY));
    else if (fread(bytes, 1, (size_t)size, file) != (size_t)size)
        status = fail_read(out_error, MRW_ERR_FILE_READ, "it could not be read to its end");
    fclose(file);
    if (status != MRW_OK) {
        free(bytes);
        return status;
    }
    *out_bytes = bytes;
    *out_size = (size_t)size;
    return MRW_OK;
}

static mrw_status open_asset_file(const char *path, cli_input *input, mrw_error *out_error)
{
    void *bytes = NULL;
    size_t size_bytes = 0;
    mrw_status status = read_file(path, &bytes, &size_bytes, out_error);
    if (status == MRW_OK)
        status = mrw_open_character(bytes, size_bytes, NULL, &input->character, out_error);
    free(bytes);
    if (status == MRW_OK)
        status = mrw_scene_create(NULL, &input->scene);
    if (status == MRW_OK)
        input->scene->format = "Marrow assets";
    return status;
}

/* --- all files ------------------------------------------------------------------------------ */

static mrw_status import_scene(const char *path, const cli_input_options *options, cli_input *input,
                               mrw_error *out_error)
{
    mrw_import_options import_options = mrw_import_options_default();
    import_options.allow_external = options->allow_external;
    import_options.skip_images = options->skip_images;
    mrw_status status = mrw_import_file(path, &import_options, &input->scene, out_error);
    if (status != MRW_OK)
        return status;
    mrw_build_options build_options = mrw_build_options_default();
    build_options.max_influences = options->max_influences;
    return mrw_build_character(input->scene, &build_options, &input->character, out_error);
}

int cli_input_load(const char *command, const char *path, const cli_input_options *options,
                   cli_input *out_input)
{
    memset(out_input, 0, sizeof(*out_input));
    out_input->command = command;
    out_input->path = path;

    mrw_error error = {0};
    mrw_status status = is_asset_file(path) ? open_asset_file(path, out_input, &error)
                                            : import_scene(path, options, out_input, &error);
    if (status != MRW_OK) {
        error.status = status;
        cli_input_free(out_input);
        return cli_fail(command, path, &error);
    }
    return CLI_OK;
}

double cli_input_rate_hz(const cli_input *input, uint32_t clip)
{
    const mrw_clip_packed *packed = &input->character->clips[clip].packed;
    if (packed->sample_count > 0)
        return packed->samples_per_second;
    return clip < input->scene->animation_count
               ? (double)input->scene->animations[clip].sample_rate_hz
               : 0.0;
}

void cli_input_free(cli_input *input)
{
    mrw_character_free(input->character);
    mrw_scene_free(input->scene);
    input->character = NULL;
    input->scene = NULL;
}

static void list_clips(const mrw_character *character)
{
    if (character->clip_count == 0) {
        fputs("The file has no clips; without --clip comes the rest pose.\n", stderr);
        return;
    }
    fputs("The file's clips:\n", stderr);
    for (uint32_t i = 0; i < character->clip_count; ++i) {
        fprintf(stderr, "  %3u  ", (unsigned)i);
        cli_put_text(stderr, character->clips[i].name[0] ? character->clips[i].name : "(no name)");
        fputc('\n', stderr);
    }
}

static void say_none(const cli_input *input, const char *kind, const char *name)
{
    fprintf(stderr, "marrow %s: ", input->command);
    cli_put_text(stderr, input->path);
    fprintf(stderr, ": no %s '", kind);
    cli_put_text(stderr, name);
    fputs("'\n", stderr);
}

int cli_input_find_clip(const cli_input *input, const char *name_or_index, int32_t *out_clip)
{
    int32_t named = mrw_character_find_clip(input->character, name_or_index);
    if (named >= 0) {
        *out_clip = named;
        return CLI_OK;
    }
    uint32_t index;
    if (cli_parse_count(name_or_index, UINT32_MAX, &index) &&
        index < input->character->clip_count) {
        *out_clip = (int32_t)index;
        return CLI_OK;
    }
    say_none(input, "clip", name_or_index);
    list_clips(input->character);
    return CLI_USAGE;
}

int cli_input_find_joint(const cli_input *input, const char *name_or_index, int32_t *out_joint)
{
    const mrw_skeleton *skeleton = &input->character->skeleton;
    *out_joint = mrw_skeleton_find_joint(skeleton, name_or_index);
    if (*out_joint >= 0)
        return CLI_OK;
    uint32_t index;
    if (cli_parse_count(name_or_index, UINT32_MAX, &index) && index < skeleton->joint_count) {
        *out_joint = (int32_t)index;
        return CLI_OK;
    }
    say_none(input, "joint", name_or_index);
    fputs("'marrow inspect' lists the joints of a file.\n", stderr);
    return CLI_USAGE;
}
