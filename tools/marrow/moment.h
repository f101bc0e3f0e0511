/* What `marrow pose` prints: a file at one moment, all of it worked out before the first byte goes
 * out, so that a failure leaves stdout empty. */
#ifndef MARROW_TOOL_MOMENT_H
#define MARROW_TOOL_MOMENT_H

#include "input.h"

#include <core/posed.h>

/* Scene-space vertices of one instance. */
typedef struct cli_moment_mesh {
    const mrw_mesh_instance *instance;
    const mrw_mesh *mesh;
    float *positions; /* [vertex_count * 3] */
    float *normals;   /* [vertex_count * 3], or NULL */
} cli_moment_mesh;

typedef struct cli_moment {
    const cli_input *input;
    int32_t clip; /* -1: the rest pose */
    float time_s; /* that was evaluated: clamped or wrapped; 0 without a clip */
    bool with_morphs;
    view_posed posed;
    uint32_t mesh_count; /* 0 if vertices were not asked for */
    cli_moment_mesh *meshes;
} cli_moment;

typedef struct cli_moment_request {
    int32_t clip;
    double time_s;
    bool loop;
    bool with_vertices;
    bool with_morphs;
    mrw_skin_method method;
} cli_moment_request;

/* Returns CLI_OK, or CLI_CONTENT after saying on stderr what is wrong. Numbers that are not
 * finite are: the file's are too large to be multiplied. */
int cli_moment_evaluate(const cli_input *input, const cli_moment_request *request,
                        cli_moment *out_moment);
void cli_moment_free(cli_moment *moment);

/* Both print to stdout. Text returns false if memory ran out. */
void cli_moment_print_json(const cli_moment *moment);
bool cli_moment_print_text(const cli_moment *moment);

#endif
