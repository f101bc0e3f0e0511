/* marrow.pose/1: the shape is a contract; add members, never change one. */
#include "moment.h"

#include "diagnostics.h"
#include "json_writer.h"

static void print_joint(cli_json *json, const cli_moment *moment, uint32_t joint)
{
    const mrw_skeleton *skeleton = &moment->input->character->skeleton;
    mrw_transform local = mrw_pose_joint(&moment->posed.pose, joint);
    float model[16];
    mrw_mat34_to_column_major(&moment->posed.model[joint], model);
    cli_json_object(json, NULL, CLI_JSON_INLINE);
    cli_json_string(json, "name", mrw_skeleton_joint_name(skeleton, joint));
    cli_json_signed(json, "parent", skeleton->parents[joint]);
    cli_json_floats(json, "translation", &local.translation.x, 3);
    cli_json_floats(json, "rotation", &local.rotation.x, 4);
    cli_json_floats(json, "scale", &local.scale.x, 3);
    cli_json_floats(json, "model", model, 16);
    cli_json_end(json);
}

static void print_morph_weights(cli_json *json, const cli_moment *moment)
{
    const mrw_character *character = moment->input->character;
    cli_json_object(json, "morph_weights", CLI_JSON_LINES);
    for (uint32_t i = 0; i < character->instance_count; ++i) {
        const mrw_mesh_instance *instance = &character->instances[i];
        uint32_t target_count = character->meshes[instance->mesh].target_count;
        if (target_count > 0) {
            cli_json_floats(json, mrw_skeleton_joint_name(&character->skeleton, instance->joint),
                            moment->posed.pose.scalars + instance->first_scalar, target_count);
        }
    }
    cli_json_end(json);
}

static void print_vectors(cli_json *json, const char *name, const float *values, uint32_t count)
{
    cli_json_array(json, name, CLI_JSON_INLINE);
    for (size_t i = 0; i < count; ++i) {
        cli_json_floats(json, NULL, values + i * 3, 3);
    }
    cli_json_end(json);
}

static void print_meshes(cli_json *json, const cli_moment *moment)
{
    const mrw_skeleton *skeleton = &moment->input->character->skeleton;
    cli_json_array(json, "meshes", CLI_JSON_LINES);
    for (uint32_t i = 0; i < moment->mesh_count; ++i) {
        const cli_moment_mesh *mesh = &moment->meshes[i];
        cli_json_object(json, NULL, CLI_JSON_LINES);
        cli_json_string(json, "name", mesh->mesh->name);
        cli_json_string(json, "node", mrw_skeleton_joint_name(skeleton, mesh->instance->joint));
        cli_json_bool(json, "skinned", mesh->instance->skin >= 0);
        print_vectors(json, "positions", mesh->positions, mesh->mesh->vertex_count);
        if (mesh->normals) {
            print_vectors(json, "normals", mesh->normals, mesh->mesh->vertex_count);
        }
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_moment_print_json(const cli_moment *moment)
{
    const mrw_character *character = moment->input->character;
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_object(&json, NULL, CLI_JSON_LINES);
    cli_json_string(&json, "schema", "marrow.pose/1");
    cli_json_string(&json, "file", moment->input->path);
    if (moment->clip >= 0) {
        cli_json_string(&json, "clip", character->clips[moment->clip].name);
        cli_json_float(&json, "duration_s", character->clips[moment->clip].duration_s);
    } else {
        cli_json_null(&json, "clip");
        cli_json_null(&json, "duration_s");
    }
    cli_json_float(&json, "time_s", moment->time_s);
    cli_json_array(&json, "joints", CLI_JSON_LINES);
    for (uint32_t i = 0; i < character->skeleton.joint_count; ++i) {
        print_joint(&json, moment, i);
    }
    cli_json_end(&json);
    if (moment->with_morphs) {
        print_morph_weights(&json, moment);
    }
    if (moment->meshes) {
        print_meshes(&json, moment);
    }
    cli_diagnostics_json(&json, moment->input);
    cli_json_end(&json);
    cli_json_finish(&json);
}
