#include "inspection.h"

#include "diagnostics.h"
#include "table.h"
#include "text.h"

#include <string.h>

static void print_heading(const inspection *facts)
{
    const mrw_scene *scene = facts->input->scene;
    cli_put_text(stdout, facts->input->path);
    printf("\n  %s", scene->format);
    if (facts->file_bytes > 0) {
        printf(", %llu bytes", (unsigned long long)facts->file_bytes);
    }
    if (scene->generator[0]) {
        printf(", written by ");
        cli_put_text(stdout, scene->generator);
    }
    printf("\n");
    if (scene->copyright[0]) {
        printf("  ");
        cli_put_text(stdout, scene->copyright);
        printf("\n");
    }
}

static void print_count(uint32_t count, const char *singular, const char *plural)
{
    printf("%u %s", (unsigned)count, count == 1 ? singular : plural);
}

static uint32_t count_marked(const inspection *facts, uint8_t mark)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->input->character->skeleton.joint_count; ++i) {
        count += (facts->joint_marks[i] & mark) != 0;
    }
    return count;
}

static uint32_t count_unnamed(const cli_input *input)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < input->character->skeleton.joint_count; ++i) {
        count += cli_source_name(input, i)[0] == '\0';
    }
    return count;
}

static bool print_skeleton(const inspection *facts, bool all_joints)
{
    const mrw_skeleton *skeleton = &facts->input->character->skeleton;
    printf("\nskeleton: ");
    print_count(skeleton->joint_count, "joint", "joints");
    if (facts->input->scene->node_count > 0 || skeleton->joint_count == 0) {
        printf(" from ");
        print_count(facts->input->scene->node_count, "node", "nodes");
    }
    printf("\n");
    if (skeleton->joint_count == 0) {
        return true;
    }
    printf("  s = joint of a skin (%u), a = animated (%u), m = carries a mesh (%u)\n",
           (unsigned)count_marked(facts, JOINT_OF_SKIN),
           (unsigned)count_marked(facts, JOINT_ANIMATED),
           (unsigned)count_marked(facts, JOINT_WITH_MESH));
    uint32_t unnamed = count_unnamed(facts->input);
    if (unnamed > 0) {
        printf("  %u without a name in the file: called joint, joint.2, ... here\n",
               (unsigned)unnamed);
    }
    return cli_inspection_print_tree(facts, all_joints);
}

static void add_name(cli_table *table, const char *name)
{
    cli_table_cell(table, "%s", name[0] ? name : "(no name)");
}

static bool print_skins(const mrw_character *character)
{
    if (character->skin_count == 0) {
        return true;
    }
    printf("\nskins\n");
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "#", CLI_RIGHT, 1);
    cli_table_columns(&table, "name", CLI_LEFT, 1);
    cli_table_columns(&table, "joints", CLI_RIGHT, 1);
    cli_table_columns(&table, "meshes bound", CLI_RIGHT, 1);
    for (uint32_t i = 0; i < character->skin_count; ++i) {
        uint32_t bound = 0;
        for (uint32_t j = 0; j < character->instance_count; ++j) {
            bound += character->instances[j].skin == (int32_t)i;
        }
        cli_table_cell(&table, "%u", (unsigned)i);
        add_name(&table, character->skins[i].name);
        cli_table_cell(&table, "%u", (unsigned)character->skins[i].joint_count);
        cli_table_cell(&table, "%u", (unsigned)bound);
    }
    return cli_table_print(&table, stdout, 2);
}

static bool print_meshes(const inspection *facts)
{
    const mrw_character *character = facts->input->character;
    if (character->mesh_count == 0) {
        return true;
    }
    printf("\nmeshes\n");
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "#", CLI_RIGHT, 1);
    cli_table_columns(&table, "name", CLI_LEFT, 1);
    cli_table_columns(&table, "parts", CLI_RIGHT, 1);
    cli_table_columns(&table, "vertices", CLI_RIGHT, 1);
    cli_table_columns(&table, "triangles", CLI_RIGHT, 1);
    cli_table_columns(&table, "morph targets", CLI_RIGHT, 1);
    cli_table_columns(&table, "used", CLI_RIGHT, 1);
    for (uint32_t i = 0; i < character->mesh_count; ++i) {
        const mrw_mesh *mesh = &character->meshes[i];
        cli_table_cell(&table, "%u", (unsigned)i);
        add_name(&table, mesh->name);
        cli_table_cell(&table, "%u", (unsigned)mesh->part_count);
        cli_table_cell(&table, "%u", (unsigned)mesh->vertex_count);
        cli_table_cell(&table, "%u", (unsigned)facts->meshes[i].triangle_count);
        cli_table_cell(&table, "%u", (unsigned)mesh->target_count);
        cli_table_cell(&table, "%ux", (unsigned)facts->meshes[i].instance_count);
    }
    return cli_table_print(&table, stdout, 2);
}

/* Ranges of influences per vertex that get a column. */
static const struct {
    const char *title;
    uint32_t first;
    uint32_t last;
} influence_columns[] = {
    {"1", 0, 1}, {"2", 2, 2},   {"3", 3, 3},
    {"4", 4, 4}, {"5-8", 5, 8}, {"9 and more", 9, INFLUENCE_COUNTS - 1},
};
enum { INFLUENCE_COLUMNS = sizeof(influence_columns) / sizeof(influence_columns[0]) };

static void add_influences(cli_table *table, const mesh_facts *facts)
{
    for (int column = 0; column < INFLUENCE_COLUMNS; ++column) {
        uint32_t count = 0;
        for (uint32_t i = influence_columns[column].first; i <= influence_columns[column].last;
             ++i) {
            count += facts->influence_counts[i];
        }
        cli_table_cell(table, "%u", (unsigned)count);
    }
    cli_table_cell(table, "%u", (unsigned)facts->largest_influence_count);
}

/* Vertices by the number of joints that move them, for every mesh that is bound at all. */
static bool print_influences(const inspection *facts)
{
    const mrw_character *character = facts->input->character;
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "#", CLI_RIGHT, 1);
    cli_table_columns(&table, "name", CLI_LEFT, 1);
    for (int column = 0; column < INFLUENCE_COLUMNS; ++column) {
        cli_table_columns(&table, influence_columns[column].title, CLI_RIGHT, 1);
    }
    cli_table_columns(&table, "largest", CLI_RIGHT, 1);
    for (uint32_t i = 0; i < character->mesh_count; ++i) {
        if (character->meshes[i].influence_count > 0) {
            cli_table_cell(&table, "%u", (unsigned)i);
            add_name(&table, character->meshes[i].name);
            add_influences(&table, &facts->meshes[i]);
        }
    }
    if (table.cell_count == 0 && !table.failed) {
        return true;
    }
    printf("\nvertices by the number of joints that move them\n");
    return cli_table_print(&table, stdout, 2);
}

static void add_interpolations(cli_table *table, const clip_facts *facts)
{
    char text[64] = "";
    for (uint32_t i = 0; i < 3; ++i) {
        if (facts->interpolation_counts[i] > 0) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof(text) - used, "%s%s", used > 0 ? ", " : "",
                     cli_interpolation_name(i));
        }
    }
    if (facts->packed_track_count > 0) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, "%spacked", used > 0 ? ", " : "");
    }
    cli_table_cell(table, "%s", text);
}

static bool has_stored_clips(const mrw_character *character)
{
    for (uint32_t i = 0; i < character->clip_count; ++i) {
        if (character->stored_bytes != NULL && character->stored_bytes[i] > 0) {
            return true;
        }
    }
    return false;
}

/* Only motion capture and packed clips say at which rate they were sampled. */
static bool has_sample_rates(const cli_input *input)
{
    for (uint32_t i = 0; i < input->character->clip_count; ++i) {
        if (cli_input_rate_hz(input, i) > 0.0) {
            return true;
        }
    }
    return false;
}

static bool print_clips(const inspection *facts)
{
    const mrw_character *character = facts->input->character;
    if (character->clip_count == 0) {
        printf("\nclips: none\n");
        return true;
    }
    printf("\nclips\n");
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "#", CLI_RIGHT, 1);
    cli_table_columns(&table, "name", CLI_LEFT, 1);
    cli_table_columns(&table, "seconds", CLI_RIGHT, 1);
    bool with_rates = has_sample_rates(facts->input);
    if (with_rates) {
        cli_table_columns(&table, "Hz", CLI_RIGHT, 1);
    }
    cli_table_columns(&table, "tracks: move", CLI_RIGHT, 1);
    cli_table_columns(&table, "turn", CLI_RIGHT, 1);
    cli_table_columns(&table, "scale", CLI_RIGHT, 1);
    cli_table_columns(&table, "morph", CLI_RIGHT, 1);
    cli_table_columns(&table, "keys", CLI_RIGHT, 1);
    cli_table_columns(&table, "interpolation", CLI_LEFT, 1);
    cli_table_columns(&table, "bytes", CLI_RIGHT, 1);
    bool with_stored = has_stored_clips(character);
    if (with_stored) {
        cli_table_columns(&table, "stored in", CLI_RIGHT, 1);
    }
    for (uint32_t i = 0; i < character->clip_count; ++i) {
        cli_table_cell(&table, "%u", (unsigned)i);
        add_name(&table, character->clips[i].name);
        cli_table_number(&table, character->clips[i].duration_s, 3);
        if (with_rates) {
            double rate_hz = cli_input_rate_hz(facts->input, i);
            if (rate_hz > 0.0) {
                cli_table_number(&table, (float)rate_hz, 2);
            } else {
                cli_table_cell(&table, "%s", "");
            }
        }
        for (int kind = 0; kind < 4; ++kind) {
            cli_table_cell(&table, "%u", (unsigned)facts->clips[i].track_counts[kind]);
        }
        cli_table_cell(&table, "%llu", (unsigned long long)facts->clips[i].key_count);
        add_interpolations(&table, &facts->clips[i]);
        cli_table_cell(&table, "%llu", (unsigned long long)character->clips[i].header->size_bytes);
        if (with_stored && character->stored_bytes[i] > 0) {
            cli_table_cell(&table, "%llu", (unsigned long long)character->stored_bytes[i]);
        } else if (with_stored) {
            cli_table_cell(&table, "%s", "");
        }
    }
    return cli_table_print(&table, stdout, 2);
}

static void print_materials(const mrw_scene *scene)
{
    if (scene->material_count == 0 && scene->image_count == 0) {
        return;
    }
    uint64_t image_bytes = 0;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < scene->image_count; ++i) {
        image_bytes += scene->images[i].size_bytes;
        missing += scene->images[i].bytes == NULL;
    }
    printf("\n");
    print_count(scene->material_count, "material", "materials");
    printf(", ");
    print_count(scene->image_count, "image", "images");
    if (scene->image_count > 0) {
        printf(" (%llu bytes", (unsigned long long)image_bytes);
        if (missing > 0) {
            printf(", %u not found", (unsigned)missing);
        }
        printf(")");
    }
    printf("\n");
}

bool cli_inspection_print_text(const inspection *facts, bool all_joints)
{
    print_heading(facts);
    bool complete = print_skeleton(facts, all_joints) && print_skins(facts->input->character) &&
                    print_meshes(facts) && print_influences(facts);
    print_materials(facts->input->scene);
    complete = complete && print_clips(facts);
    cli_diagnostics_text(facts->input);
    return complete;
}
