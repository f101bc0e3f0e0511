#include "input.h"

#include "command.h"
#include "number_text.h"
#include "report.h"
#include "text.h"

#include <marrow/offline/load.h>

#include <stdio.h>
#include <string.h>

int cli_input_load(const char *command, const char *path, const cli_input_options *options,
                   cli_input *out_input)
{
    memset(out_input, 0, sizeof(*out_input));
    out_input->command = command;
    out_input->path = path;

    mrw_error error = {0};
    mrw_import_options import_options = mrw_import_options_default();
    import_options.allow_external = options->allow_external;
    import_options.skip_images = options->skip_images;
    mrw_build_options build_options = mrw_build_options_default();
    build_options.max_influences = options->max_influences;
    build_options.group_vertices = options->group_vertices;
    mrw_status status = mrw_load_file(path, &import_options, &build_options, &out_input->scene,
                                      &out_input->character, &error);
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
