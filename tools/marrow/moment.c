#include "moment.h"

#include "command.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool all_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static int fail_overflow(const cli_input *input, const char *kind, const char *name)
{
    mrw_error error = {0};
    error.status = MRW_ERR_NOT_FINITE;
    snprintf(error.detail, sizeof(error.detail), "%s \"%s\"", kind, name);
    snprintf(error.message, sizeof(error.message),
             "its place is beyond what a float can hold: the transforms or keys of the file are "
             "too large");
    return cli_fail(input->command, input->path, &error);
}

static int check_joints(const cli_input *input, const view_posed *posed)
{
    for (uint32_t i = 0; i < posed->pose.joint_count; ++i) {
        mrw_transform local = mrw_pose_joint(&posed->pose, i);
        if (!all_finite(&posed->model[i].m[0][0], 12) ||
            !all_finite(&local.translation.x, sizeof(local) / sizeof(float))) {
            return fail_overflow(input, "joint",
                                 mrw_skeleton_joint_name(&input->character->skeleton, i));
        }
    }
    return CLI_OK;
}

/* Vertices that a .mrw has in another order go back to that of their source. False if memory ran
 * out. */
static bool restore_order(const mrw_mesh *mesh, float **vectors)
{
    if (mesh->source_vertices == NULL || *vectors == NULL) {
        return true;
    }
    float *ordered = calloc((size_t)mesh->vertex_count * 3 + 1, sizeof(*ordered));
    if (ordered == NULL) {
        return false;
    }
    const mrw_stream in = {*vectors, 0};
    const mrw_out_stream out = {ordered, 0};
    mrw_stream_scatter(in, 3, mesh->source_vertices, mesh->vertex_count, out);
    free(*vectors);
    *vectors = ordered;
    return true;
}

static int evaluate_mesh(const cli_input *input, const view_posed *posed, uint32_t instance,
                         mrw_skin_method method, cli_moment_mesh *out_mesh)
{
    out_mesh->instance = &input->character->instances[instance];
    out_mesh->mesh = &input->character->meshes[out_mesh->instance->mesh];
    size_t float_count = (size_t)out_mesh->mesh->vertex_count * 3;
    out_mesh->positions = calloc(float_count + 1, sizeof(float));
    if (out_mesh->mesh->normals) {
        out_mesh->normals = calloc(float_count + 1, sizeof(float));
    }
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    if (out_mesh->positions && (out_mesh->normals || !out_mesh->mesh->normals)) {
        status =
            view_posed_vertices(posed, instance, method, out_mesh->positions, out_mesh->normals);
    }
    if (status == MRW_OK && !(restore_order(out_mesh->mesh, &out_mesh->positions) &&
                              restore_order(out_mesh->mesh, &out_mesh->normals))) {
        status = MRW_ERR_OUT_OF_MEMORY;
    }
    if (status != MRW_OK) {
        return cli_fail_status(input->command, input->path, status);
    }
    if (!all_finite(out_mesh->positions, float_count) ||
        (out_mesh->normals && !all_finite(out_mesh->normals, float_count))) {
        return fail_overflow(input, "mesh", out_mesh->mesh->name);
    }
    return CLI_OK;
}

static int evaluate_meshes(const cli_moment_request *request, cli_moment *out_moment)
{
    uint32_t count = out_moment->input->character->instance_count;
    out_moment->meshes = calloc((size_t)count + 1, sizeof(*out_moment->meshes));
    if (!out_moment->meshes) {
        return cli_fail_status(out_moment->input->command, out_moment->input->path,
                               MRW_ERR_OUT_OF_MEMORY);
    }
    int status = CLI_OK;
    for (uint32_t i = 0; status == CLI_OK && i < count; ++i) {
        out_moment->mesh_count = i + 1;
        status = evaluate_mesh(out_moment->input, &out_moment->posed, i, request->method,
                               &out_moment->meshes[i]);
    }
    return status;
}

int cli_moment_evaluate(const cli_input *input, const cli_moment_request *request,
                        cli_moment *out_moment)
{
    memset(out_moment, 0, sizeof(*out_moment));
    out_moment->input = input;
    out_moment->clip = request->clip;
    out_moment->with_morphs = request->with_morphs;
    if (request->clip >= 0) {
        out_moment->time_s = mrw_clip_local_time(&input->character->clips[request->clip],
                                                 request->time_s, request->loop);
    }
    mrw_status made = view_posed_create(input->character, &out_moment->posed);
    if (made == MRW_OK) {
        made = view_posed_update(&out_moment->posed, request->clip, request->time_s, request->loop);
    }
    int status = made == MRW_OK ? check_joints(input, &out_moment->posed)
                                : cli_fail_status(input->command, input->path, made);
    if (status == CLI_OK && request->with_vertices) {
        status = evaluate_meshes(request, out_moment);
    }
    if (status != CLI_OK) {
        cli_moment_free(out_moment);
    }
    return status;
}

void cli_moment_free(cli_moment *moment)
{
    for (uint32_t i = 0; i < moment->mesh_count; ++i) {
        free(moment->meshes[i].positions);
        free(moment->meshes[i].normals);
    }
    free(moment->meshes);
    view_posed_free(&moment->posed);
    memset(moment, 0, sizeof(*moment));
}
