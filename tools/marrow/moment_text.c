#include "moment.h"

#include "diagnostics.h"
#include "table.h"
#include "text.h"

/* Enough to see a tenth of a millimetre. */
enum { LENGTH_DECIMALS = 4, ANGLE_DECIMALS = 2, AXIS_DECIMALS = 3 };

#define DEGREES_PER_RADIAN (180.0f / MRW_PI)

/* Below this the axis is noise. */
#define SMALLEST_ANGLE_DEGREES 0.005f

static void print_name(const char *name)
{
    if (name[0] == '\0') {
        printf("(no name)");
        return;
    }
    printf("\"");
    cli_put_text(stdout, name);
    printf("\"");
}

static void add_vector(cli_table *table, mrw_vec3 vector, int decimals)
{
    cli_table_number(table, vector.x, decimals);
    cli_table_number(table, vector.y, decimals);
    cli_table_number(table, vector.z, decimals);
}

/* Four cells: the angle and the axis. The half angle comes from both sine and cosine, because each
 * of them alone is flat somewhere. */
static void add_rotation(cli_table *table, mrw_quat rotation)
{
    float sign = rotation.w < 0.0f ? -1.0f : 1.0f;
    mrw_vec3 axis = {sign * rotation.x, sign * rotation.y, sign * rotation.z};
    float sine = mrw_sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    float degrees = 2.0f * mrw_atan2(sine, sign * rotation.w) * DEGREES_PER_RADIAN;
    cli_table_number(table, degrees, ANGLE_DECIMALS);
    if (degrees < SMALLEST_ANGLE_DEGREES) {
        for (int i = 0; i < 3; ++i) {
            cli_table_cell(table, "%s", "");
        }
        return;
    }
    mrw_vec3 unit = {axis.x / sine, axis.y / sine, axis.z / sine};
    add_vector(table, unit, AXIS_DECIMALS);
}

/* So close that the digits shown do not differ, or only by how they are rounded. */
static bool look_equal(float a, float b)
{
    float difference = a - b;
    return difference > -1e-5f && difference < 1e-5f;
}

static bool scales_are_uniform(const cli_moment *moment)
{
    for (uint32_t i = 0; i < moment->posed.pose.joint_count; ++i) {
        mrw_vec3 scale = mrw_pose_joint(&moment->posed.pose, i).scale;
        if (!look_equal(scale.x, scale.y) || !look_equal(scale.y, scale.z)) {
            return false;
        }
    }
    return true;
}

static void add_joint(cli_table *table, const cli_moment *moment, uint32_t joint,
                      bool uniform_scales)
{
    const mrw_skeleton *skeleton = &moment->input->character->skeleton;
    mrw_transform local = mrw_pose_joint(&moment->posed.pose, joint);
    const mrw_mat34 *model = &moment->posed.model[joint];
    mrw_vec3 position = {model->m[0][3], model->m[1][3], model->m[2][3]};

    cli_table_cell(table, "%u", (unsigned)joint);
    cli_table_cell(table, "%s", mrw_skeleton_joint_name(skeleton, joint));
    if (skeleton->parents[joint] < 0) {
        cli_table_cell(table, "-");
    } else {
        cli_table_cell(table, "%d", (int)skeleton->parents[joint]);
    }
    add_vector(table, local.translation, LENGTH_DECIMALS);
    add_rotation(table, local.rotation);
    cli_table_number(table, local.rotation.x, LENGTH_DECIMALS);
    cli_table_number(table, local.rotation.y, LENGTH_DECIMALS);
    cli_table_number(table, local.rotation.z, LENGTH_DECIMALS);
    cli_table_number(table, local.rotation.w, LENGTH_DECIMALS);
    if (uniform_scales) {
        cli_table_number(table, local.scale.x, LENGTH_DECIMALS);
    } else {
        add_vector(table, local.scale, LENGTH_DECIMALS);
    }
    add_vector(table, position, LENGTH_DECIMALS);
}

static bool print_joints(const cli_moment *moment)
{
    if (moment->posed.pose.joint_count == 0) {
        printf("  no joints\n");
        return true;
    }
    cli_table table;
    bool uniform_scales = scales_are_uniform(moment);
    cli_table_begin(&table);
    cli_table_columns(&table, "#", CLI_RIGHT, 1);
    cli_table_columns(&table, "joint", CLI_LEFT, 1);
    cli_table_columns(&table, "parent", CLI_RIGHT, 1);
    cli_table_columns(&table, "translation", CLI_RIGHT, 3);
    cli_table_columns(&table, "degrees about axis", CLI_RIGHT, 4);
    cli_table_columns(&table, "rotation x y z w", CLI_RIGHT, 4);
    cli_table_columns(&table, "scale", CLI_RIGHT, uniform_scales ? 1 : 3);
    cli_table_columns(&table, "place in the scene", CLI_RIGHT, 3);
    for (uint32_t i = 0; i < moment->posed.pose.joint_count; ++i) {
        add_joint(&table, moment, i, uniform_scales);
    }
    return cli_table_print(&table, stdout, 2);
}

static void print_morph_weights(const cli_moment *moment)
{
    const mrw_character *character = moment->input->character;
    printf("\nmorph weights\n");
    bool any = false;
    for (uint32_t i = 0; i < character->instance_count; ++i) {
        const mrw_mesh_instance *instance = &character->instances[i];
        const mrw_mesh *mesh = &character->meshes[instance->mesh];
        for (uint32_t j = 0; j < mesh->target_count; ++j) {
            any = true;
            printf("  ");
            cli_put_text(stdout, mrw_skeleton_joint_name(&character->skeleton, instance->joint));
            printf("[%u]", (unsigned)j);
            if (mesh->target_names[j][0]) {
                printf(" ");
                cli_put_text(stdout, mesh->target_names[j]);
            }
            printf(": %.4f\n", (double)moment->posed.pose.scalars[instance->first_scalar + j]);
        }
    }
    if (!any) {
        printf("  none: no mesh of the file has morph targets\n");
    }
}

static bool print_mesh(const cli_moment *moment, const cli_moment_mesh *mesh)
{
    const mrw_skeleton *skeleton = &moment->input->character->skeleton;
    printf("\nmesh ");
    print_name(mesh->mesh->name);
    printf(" at ");
    cli_put_text(stdout, mrw_skeleton_joint_name(skeleton, mesh->instance->joint));
    printf(", %s, %u vertices\n", mesh->instance->skin >= 0 ? "skinned" : "rigid",
           (unsigned)mesh->mesh->vertex_count);
    cli_table table;
    cli_table_begin(&table);
    cli_table_columns(&table, "#", CLI_RIGHT, 1);
    cli_table_columns(&table, "position", CLI_RIGHT, 3);
    if (mesh->normals) {
        cli_table_columns(&table, "normal", CLI_RIGHT, 3);
    }
    for (size_t i = 0; i < mesh->mesh->vertex_count; ++i) {
        cli_table_cell(&table, "%u", (unsigned)i);
        for (size_t j = 0; j < 3; ++j) {
            cli_table_number(&table, mesh->positions[i * 3 + j], LENGTH_DECIMALS);
        }
        for (size_t j = 0; mesh->normals && j < 3; ++j) {
            cli_table_number(&table, mesh->normals[i * 3 + j], AXIS_DECIMALS);
        }
    }
    return cli_table_print(&table, stdout, 2);
}

static void print_heading(const cli_moment *moment)
{
    const mrw_character *character = moment->input->character;
    cli_put_text(stdout, moment->input->path);
    if (moment->clip >= 0) {
        const mrw_clip *clip = &character->clips[moment->clip];
        printf(", clip %d ", (int)moment->clip);
        print_name(clip->name);
        printf(" at %.4g of %.4g s", (double)moment->time_s, (double)clip->duration_s);
    } else {
        printf(", rest pose");
    }
    printf("\n\n");
}

bool cli_moment_print_text(const cli_moment *moment)
{
    print_heading(moment);
    bool complete = print_joints(moment);
    if (moment->with_morphs) {
        print_morph_weights(moment);
    }
    for (uint32_t i = 0; complete && i < moment->mesh_count; ++i) {
        complete = print_mesh(moment, &moment->meshes[i]);
    }
    cli_diagnostics_text(moment->input);
    return complete;
}
