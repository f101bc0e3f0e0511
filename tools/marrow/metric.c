#include "metric.h"

#include "command.h"
#include "number_text.h"
#include "report.h"

#include <marrow/model.h>
#include <marrow/offline/compress.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SHELL_M 0.03
#define LARGEST_METRES 10.0 /* of what is taken for a character in metres */

static int read_units(const char *command, const char *text, double *out_metres)
{
    double factor = 1.0;
    if (strcmp(text, "cm") == 0)
        factor = 0.01;
    else if (strcmp(text, "mm") == 0)
        factor = 0.001;
    else if (strcmp(text, "m") != 0 &&
             (!cli_parse_metres(text, &factor) || !(factor > 0.0 && factor <= 1e9)))
        return cli_fail_usage(command, "--units: '%s' is not m, cm, mm or a number of metres",
                              text);
    *out_metres = factor;
    return CLI_OK;
}

static int make_mesh_shells(const cli_input *input, cli_metric *metric)
{
    if (input->character->instance_count == 0)
        return cli_fail_usage(input->command,
                              "--shell mesh: %s has no mesh; give a distance in metres instead",
                              input->path);
    metric->joint_shells_m =
        calloc((size_t)input->character->skeleton.joint_count + 1, sizeof(float));
    if (metric->joint_shells_m == NULL)
        return cli_fail_status(input->command, input->path, MRW_ERR_OUT_OF_MEMORY);
    mrw_error error = {0};
    mrw_status status = mrw_joint_shells(input->character, metric->metres_per_unit, DEFAULT_SHELL_M,
                                         metric->joint_shells_m, &error);
    return status == MRW_OK ? CLI_OK : cli_fail(input->command, input->path, &error);
}

int cli_metric_make(const cli_input *input, const char *units, const char *shell,
                    cli_metric *out_metric)
{
    *out_metric = (cli_metric){1.0, DEFAULT_SHELL_M, NULL};
    int status = CLI_OK;
    if (units != NULL)
        status = read_units(input->command, units, &out_metric->metres_per_unit);
    if (status != CLI_OK || shell == NULL)
        return status;
    if (strcmp(shell, "mesh") == 0)
        return make_mesh_shells(input, out_metric);
    if (!cli_parse_metres(shell, &out_metric->shell_m) ||
        !(out_metric->shell_m >= 0.0 && out_metric->shell_m <= 1e9))
        return cli_fail_usage(input->command, "--shell: '%s' is neither a distance nor 'mesh'",
                              shell);
    return CLI_OK;
}

void cli_metric_free(cli_metric *metric)
{
    free(metric->joint_shells_m);
    metric->joint_shells_m = NULL;
}

/* The longest edge of the box around the joints at rest; 0 if memory ran out. */
static double rest_size(const mrw_skeleton *skeleton)
{
    const size_t pose_bytes = mrw_pose_size(skeleton->joint_count, skeleton->scalar_count);
    void *memory = aligned_alloc(64, (pose_bytes + 64) & ~(size_t)63);
    mrw_mat34 *model = calloc((size_t)skeleton->joint_count + 1, sizeof(*model));
    double size = 0.0;
    mrw_pose pose;
    if (memory != NULL && model != NULL &&
        mrw_pose_init(memory, pose_bytes, skeleton->joint_count, skeleton->scalar_count, &pose) ==
            MRW_OK &&
        mrw_skeleton_rest_pose(skeleton, &pose) == MRW_OK) {
        mrw_model_job job = mrw_model_job_default();
        job.skeleton = skeleton;
        job.pose = &pose;
        job.out_model = model;
        job.model_count = skeleton->joint_count;
        mrw_model(&job);
        for (int axis = 0; axis < 3; axis++) {
            double low = DBL_MAX, high = -DBL_MAX;
            for (uint32_t j = 0; j < skeleton->joint_count; j++) {
                low = fmin(low, (double)model[j].m[axis][3]);
                high = fmax(high, (double)model[j].m[axis][3]);
            }
            size = fmax(size, high - low);
        }
    }
    free(memory);
    free(model);
    return size;
}

void cli_metric_note_size(const cli_input *input, const char *units)
{
    const double size = units == NULL ? rest_size(&input->character->skeleton) : 0.0;
    if (size > LARGEST_METRES)
        fprintf(
            stderr,
            "marrow %s: note: at rest the skeleton is %.0f units large, and a unit is taken for "
            "a metre; if it is a centimetre, say --units cm\n",
            input->command, size);
}
