/* Shells out of skinned meshes: how far the farthest vertex stands from each joint that moves it.
 */
#include <marrow/offline/compress.h>

#include "base/error.h"
#include "offline/compress/rotation_double.h"
#include "offline/compress/shell_units.h"
#include "offline/memory/arena.h"

static double length_of(const float *position, const mrw_mat34 *to_joint)
{
    double square = 0.0;
    for (int row = 0; row < 3; row++) {
        const float *m = to_joint->m[row];
        double sum = (double)m[3];
        for (int i = 0; i < 3; i++)
            sum += (double)m[i] * (double)position[i];
        square += sum * sum;
    }
    return mrwi_sqrt_double(square);
}

static void widen(float *shell, double distance)
{
    const float rounded = (float)distance;
    *shell = rounded > *shell ? rounded : *shell;
}

static void widen_by_skin(const mrw_mesh *mesh, const mrw_skin *skin, const double *units_m,
                          float *shells)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        for (size_t i = 0; i < mesh->influence_count; i++) {
            const size_t place = v * mesh->influence_count + i;
            if (!(mesh->weights[place] > 0.0f))
                continue;
            const uint16_t influence = mesh->joints[place];
            const uint32_t joint = skin->joints[influence];
            widen(&shells[joint],
                  length_of(mesh->positions + 3 * v, &skin->inverse_binds[influence]) *
                      units_m[joint]);
        }
    }
}

/* A mesh without a skin lies in the space of its joint. */
static void widen_by_rigid(const mrw_mesh *mesh, double unit_m, float *shell)
{
    static const mrw_mat34 identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (size_t v = 0; v < mesh->vertex_count; v++)
        widen(shell, length_of(mesh->positions + 3 * v, &identity) * unit_m);
}

static void widen_all(const mrw_character *character, const double *units_m, float *shells)
{
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        const mrw_mesh *mesh = &character->meshes[instance->mesh];
        if (instance->skin >= 0)
            widen_by_skin(mesh, &character->skins[instance->skin], units_m, shells);
        else
            widen_by_rigid(mesh, units_m[instance->joint], &shells[instance->joint]);
    }
}

mrw_status mrw_joint_shells(const mrw_character *character, double metres_per_unit, double least_m,
                            float *out_shells_m, mrw_error *out_error)
{
    if (character == NULL || out_shells_m == NULL)
        return mrwi_fail_at(out_error, MRW_ERR_NULL_ARGUMENT, 0,
                            character == NULL ? "character" : "out_shells_m");
    if (!(metres_per_unit > 0.0 && metres_per_unit <= 1e18) || !(least_m >= 0.0 && least_m <= 1e18))
        return mrwi_fail(out_error, MRW_ERR_INVALID_ARGUMENT,
                         metres_per_unit > 0.0 ? "least_m" : "metres_per_unit",
                         "metres_per_unit is above 0, least_m not below");
    const uint32_t joint_count = character->skeleton.joint_count;
    mrw_status status = MRW_OK;
    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    double *units_m = mrwi_arena_alloc(&arena, joint_count, sizeof(double));
    if (units_m != NULL) {
        mrwi_shell_units(&character->skeleton, metres_per_unit, units_m);
        for (uint32_t j = 0; j < joint_count; j++)
            out_shells_m[j] = (float)least_m;
        widen_all(character, units_m, out_shells_m);
    } else {
        status = mrwi_arena_fail(&arena, out_error, "joints");
    }
    mrwi_arena_free(&arena);
    return status;
}
