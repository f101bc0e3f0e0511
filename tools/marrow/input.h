/* A file on its way into a command: imported, built, its clip chosen. */
#ifndef MARROW_TOOL_INPUT_H
#define MARROW_TOOL_INPUT_H

#include <marrow/offline/build.h>
#include <marrow/offline/import.h>

typedef struct cli_input {
    const char *command; /* for messages */
    const char *path;
    mrw_scene *scene; /* of a .mrw file, which has none: empty but for its format */
    mrw_character *character;
} cli_input;

typedef struct cli_input_options {
    bool allow_external;
    bool skip_images;
    uint32_t max_influences; /* 0: all */
    bool group_vertices;     /* as mrw_build_options has it */
} cli_input_options;

/* Imports and builds; a .mrw file, which its first bytes tell, is opened. Returns CLI_OK, or
 * another exit status after saying on stderr what is wrong; then nothing needs to be freed. */
int cli_input_load(const char *command, const char *path, const cli_input_options *options,
                   cli_input *out_input);
void cli_input_free(cli_input *input);

/* Samples a second that the clip's source says it was recorded with, or that it was packed with; 0
 * where nothing says so. */
double cli_input_rate_hz(const cli_input *input, uint32_t clip);

/* The clip that --clip means: an exact name, else an index from 0. Returns CLI_OK, or CLI_USAGE
 * after listing the clips that there are. */
int cli_input_find_clip(const cli_input *input, const char *name_or_index, int32_t *out_clip);

/* The joint that an option means: an exact name, else an index from 0. Returns CLI_OK, or CLI_USAGE
 * after saying where the joints are listed. */
int cli_input_find_joint(const cli_input *input, const char *name_or_index, int32_t *out_joint);

#endif
