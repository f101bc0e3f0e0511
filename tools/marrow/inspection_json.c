/* marrow.inspect/1: add members, never change one. Indices refer to the lists of the same answer.
 */
#include "inspection.h"

#include "diagnostics.h"
#include "json_writer.h"

static void put_index(cli_json *json, const char *name, int32_t index)
{
    if (index < 0) {
        cli_json_null(json, name);
    } else {
        cli_json_signed(json, name, index);
    }
}

static void print_joint(cli_json *json, const inspection *facts, uint32_t joint)
{
    const mrw_skeleton *skeleton = &facts->input->character->skeleton;
    uint8_t marks = facts->joint_marks[joint];
    cli_json_object(json, NULL, CLI_JSON_INLINE);
    cli_json_string(json, "name", mrw_skeleton_joint_name(skeleton, joint));
    cli_json_signed(json, "parent", skeleton->parents[joint]);
    cli_json_signed(json, "node", skeleton->source_nodes[joint]);
    cli_json_string(json, "node_name", cli_source_name(facts->input, joint));
    cli_json_bool(json, "of_skin", (marks & JOINT_OF_SKIN) != 0);
    cli_json_bool(json, "animated", (marks & JOINT_ANIMATED) != 0);
    put_index(json, "instance", facts->joint_instances[joint]);
    cli_json_end(json);
}

static void print_skeleton(cli_json *json, const inspection *facts)
{
    const mrw_skeleton *skeleton = &facts->input->character->skeleton;
    cli_json_object(json, "skeleton", CLI_JSON_LINES);
    cli_json_unsigned(json, "bytes", skeleton->header->size_bytes);
    cli_json_array(json, "joints", CLI_JSON_LINES);
    for (uint32_t i = 0; i < skeleton->joint_count; ++i) {
        print_joint(json, facts, i);
    }
    cli_json_end(json);
    cli_json_array(json, "scalars", CLI_JSON_LINES);
    for (uint32_t i = 0; i < skeleton->scalar_count; ++i) {
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_string(json, "name", mrw_skeleton_scalar_name(skeleton, i));
        cli_json_float(json, "rest", skeleton->rest_scalars[i]);
        cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_end(json);
}

static void print_skins(cli_json *json, const mrw_character *character)
{
    cli_json_array(json, "skins", CLI_JSON_LINES);
    for (uint32_t i = 0; i < character->skin_count; ++i) {
        const mrw_skin *skin = &character->skins[i];
        cli_json_object(json, NULL, CLI_JSON_LINES);
        cli_json_string(json, "name", skin->name);
        cli_json_unsigned(json, "bytes", skin->header->size_bytes);
        cli_json_array(json, "joints", CLI_JSON_INLINE);
        for (uint32_t j = 0; j < skin->joint_count; ++j) {
            cli_json_unsigned(json, NULL, skin->joints[j]);
        }
        cli_json_end(json);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void print_parts(cli_json *json, const mrw_mesh *mesh)
{
    static const char *const topologies[] = {"points", "lines", "triangles"};
    cli_json_array(json, "parts", CLI_JSON_LINES);
    for (uint32_t i = 0; i < mesh->part_count; ++i) {
        const mrw_mesh_part *part = &mesh->parts[i];
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_string(json, "topology", topologies[part->topology]);
        put_index(json, "material", part->material);
        cli_json_unsigned(json, "first_vertex", part->first_vertex);
        cli_json_unsigned(json, "vertex_count", part->vertex_count);
        cli_json_unsigned(json, "first_index", part->first_index);
        cli_json_unsigned(json, "index_count", part->index_count);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void print_influences(cli_json *json, const mesh_facts *facts)
{
    cli_json_unsigned(json, "largest_influence_count", facts->largest_influence_count);
    cli_json_array(json, "vertices_by_influence_count", CLI_JSON_INLINE);
    for (uint32_t i = 0; i <= facts->largest_influence_count && i < INFLUENCE_COUNTS; ++i) {
        cli_json_unsigned(json, NULL, facts->influence_counts[i]);
    }
    cli_json_end(json);
}

static void print_mesh(cli_json *json, const mrw_mesh *mesh, const mesh_facts *facts)
{
    cli_json_object(json, NULL, CLI_JSON_LINES);
    cli_json_string(json, "name", mesh->name);
    cli_json_unsigned(json, "vertex_count", mesh->vertex_count);
    cli_json_unsigned(json, "triangle_count", facts->triangle_count);
    cli_json_bool(json, "has_normals", mesh->normals != NULL);
    cli_json_bool(json, "has_tangents", mesh->tangents != NULL);
    cli_json_bool(json, "has_texcoords", mesh->texcoords != NULL);
    cli_json_bool(json, "has_colors", mesh->colors != NULL);
    if (mesh->influence_count > 0) {
        print_influences(json, facts);
    }
    cli_json_array(json, "morph_targets", CLI_JSON_INLINE);
    for (uint32_t i = 0; i < mesh->target_count; ++i) {
        cli_json_string(json, NULL, mesh->target_names[i]);
    }
    cli_json_end(json);
    print_parts(json, mesh);
    cli_json_end(json);
}

static void print_instances(cli_json *json, const mrw_character *character)
{
    cli_json_array(json, "instances", CLI_JSON_LINES);
    for (uint32_t i = 0; i < character->instance_count; ++i) {
        const mrw_mesh_instance *instance = &character->instances[i];
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_unsigned(json, "mesh", instance->mesh);
        put_index(json, "skin", instance->skin);
        cli_json_unsigned(json, "joint", instance->joint);
        cli_json_unsigned(json, "first_scalar", instance->first_scalar);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void print_materials(cli_json *json, const mrw_scene *scene)
{
    cli_json_array(json, "materials", CLI_JSON_LINES);
    for (uint32_t i = 0; i < scene->material_count; ++i) {
        const mrw_scene_material *material = &scene->materials[i];
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_string(json, "name", material->name);
        cli_json_floats(json, "base_color", material->base_color, 4);
        put_index(json, "base_color_image", material->base_color_image);
        cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_array(json, "images", CLI_JSON_LINES);
    for (uint32_t i = 0; i < scene->image_count; ++i) {
        const mrw_scene_image *image = &scene->images[i];
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_string(json, "name", image->name);
        cli_json_string(json, "uri", image->uri);
        cli_json_bool(json, "found", image->bytes != NULL);
        cli_json_unsigned(json, "bytes", image->size_bytes);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void print_tracks(cli_json *json, const mrw_skeleton *skeleton, const mrw_clip *clip)
{
    cli_json_array(json, "tracks", CLI_JSON_LINES);
    for (uint32_t i = 0; i < clip->track_count; ++i) {
        const mrw_track *track = &clip->tracks[i];
        bool scalar = track->kind == MRW_TRACK_SCALAR;
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_string(json, "kind", cli_track_kind_name(track->kind));
        cli_json_unsigned(json, "target", track->target);
        cli_json_string(json, "target_name",
                        scalar ? mrw_skeleton_scalar_name(skeleton, track->target)
                               : mrw_skeleton_joint_name(skeleton, track->target));
        cli_json_string(json, "interpolation", cli_interpolation_name(track->interpolation));
        cli_json_unsigned(json, "key_count", track->key_count);
        cli_json_float(json, "first_key_s", clip->times[track->times_offset]);
        cli_json_float(json, "last_key_s", clip->times[track->times_offset + track->key_count - 1]);
        cli_json_end(json);
    }
    cli_json_end(json);
}

/* What stands in the clip as samples and not as tracks: null in keyed clips. */
static void print_packed(cli_json *json, const mrw_clip_packed *packed)
{
    if (packed->sample_count == 0) {
        cli_json_null(json, "packed");
        return;
    }
    cli_json_object(json, "packed", CLI_JSON_INLINE);
    cli_json_unsigned(json, "sample_count", packed->sample_count);
    cli_json_unsigned(json, "rotations", packed->rotation_count);
    cli_json_unsigned(json, "translations", packed->translation_count);
    cli_json_unsigned(json, "scales", packed->scale_count);
    cli_json_unsigned(json, "scalars", packed->scalar_count);
    cli_json_end(json);
}

static void print_clips(cli_json *json, const inspection *facts)
{
    const mrw_character *character = facts->input->character;
    cli_json_array(json, "clips", CLI_JSON_LINES);
    for (uint32_t i = 0; i < character->clip_count; ++i) {
        const mrw_clip *clip = &character->clips[i];
        cli_json_object(json, NULL, CLI_JSON_LINES);
        cli_json_string(json, "name", clip->name);
        cli_json_float(json, "duration_s", clip->duration_s);
        float rate_hz = (float)cli_input_rate_hz(facts->input, i);
        if (rate_hz > 0.0f) {
            cli_json_float(json, "sample_rate_hz", rate_hz);
        } else {
            cli_json_null(json, "sample_rate_hz");
        }
        cli_json_unsigned(json, "bytes", clip->header->size_bytes);
        if (character->stored_bytes != NULL && character->stored_bytes[i] > 0) {
            cli_json_unsigned(json, "stored_bytes", character->stored_bytes[i]);
        } else {
            cli_json_null(json, "stored_bytes");
        }
        cli_json_unsigned(json, "key_count", facts->clips[i].key_count);
        cli_json_unsigned(json, "constant_count", facts->clips[i].constant_count);
        print_packed(json, &clip->packed);
        print_tracks(json, &character->skeleton, clip);
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_inspection_print_json(const inspection *facts)
{
    const mrw_scene *scene = facts->input->scene;
    const mrw_character *character = facts->input->character;
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_object(&json, NULL, CLI_JSON_LINES);
    cli_json_string(&json, "schema", "marrow.inspect/1");
    cli_json_string(&json, "file", facts->input->path);
    cli_json_string(&json, "format", scene->format);
    cli_json_string(&json, "generator", scene->generator);
    cli_json_string(&json, "copyright", scene->copyright);
    if (facts->file_bytes > 0) {
        cli_json_unsigned(&json, "file_bytes", facts->file_bytes);
    } else {
        cli_json_null(&json, "file_bytes");
    }
    cli_json_unsigned(&json, "node_count", scene->node_count);
    print_skeleton(&json, facts);
    print_skins(&json, character);
    cli_json_array(&json, "meshes", CLI_JSON_LINES);
    for (uint32_t i = 0; i < character->mesh_count; ++i) {
        print_mesh(&json, &character->meshes[i], &facts->meshes[i]);
    }
    cli_json_end(&json);
    print_instances(&json, character);
    print_materials(&json, scene);
    print_clips(&json, facts);
    cli_diagnostics_json(&json, facts->input);
    cli_json_end(&json);
    cli_json_finish(&json);
}
