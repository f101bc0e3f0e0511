/* Shells out of skinned meshes: how far the farthest vertex stands from each joint that moves it.
 */
#include <marrow/offline/compress.h>

#include "base/error.h"
#include "offline/compress/rotation_double.h"

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

static void widen_by_skin(const mrw_mesh *mesh, const mrw_skin *skin, double metres_per_unit,
                          float *shells)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        for (size_t i = 0; i < mesh->influence_count; i++) {
            const size_t place = v * mesh->influence_count + i;
            if (!(mesh->weights[place] > 0.0f))
                continue;
            const uint16_t joint = mesh->joints[place];
            widen(&shells[skin->joints[joint]],
                  length_of(mesh->positions + 3 * v, &skin->inverse_binds[joint]) *
                      metres_per_unit);
        }
    }
}

/* A mesh without a skin lies in the space of its joint. */
static void widen_by_rigid(const mrw_mesh *mesh, double metres_per_unit, float *shell)
{
    static const mrw_mat34 identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (size_t v = 0; v < mesh->vertex_count; v++)
        widen(shell, length_of(mesh->positions + 3 * v, &identity) * metres_per_unit);
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
    for (uint32_t j = 0; j < character->skeleton.joint_count; j++)
        out_shells_m[j] = (float)least_m;
    for (uint32_t i = 0; i < character->instance_count; i++) {
        const mrw_mesh_instance *instance = &character->instances[i];
        const mrw_mesh *mesh = &character->meshes[instance->mesh];
        if (instance->skin >= 0)
            widen_by_skin(mesh, &character->skins[instance->skin], metres_per_unit, out_shells_m);
        else
            widen_by_rigid(mesh, metres_per_unit, &out_shells_m[instance->joint]);
    }
    return MRW_OK;
}
