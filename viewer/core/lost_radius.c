#include "core/lost_radius.h"

static float absolute(float x)
{
    return x < 0.0f ? -x : x;
}

/* The 3x3 parts alone count. */
static void add_scaled(mrw_mat34 *sum, const mrw_mat34 *matrix, float weight)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            sum->m[row][column] += weight * matrix->m[row][column];
}

typedef struct influences {
    const uint16_t *joints; /* [count] */
    const float *weights;   /* [count] the heaviest first */
    uint32_t count;
} influences;

static uint32_t count_weights(const influences *of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < of->count; i++)
        count += of->weights[i] > 0.0f ? 1 : 0;
    return count;
}

/* As the dual quaternion kernel does (skin.h): signs by the heaviest influence's hemisphere. */
static mrw_mat34 rotation_of(const influences *of, const mrw_dual_quat *dual_quats)
{
    mrw_quat sum = {0.0f, 0.0f, 0.0f, 0.0f};
    const mrw_quat pivot = dual_quats[of->joints[0]].real;
    for (uint32_t i = 0; i < of->count; i++) {
        mrw_quat q = dual_quats[of->joints[i]].real;
        float weight = mrw_quat_dot(pivot, q) < 0.0f ? -of->weights[i] : of->weights[i];
        sum.x += weight * q.x;
        sum.y += weight * q.y;
        sum.z += weight * q.z;
        sum.w += weight * q.w;
    }
    mrw_transform turn = mrw_transform_identity();
    turn.rotation = mrw_quat_normalize(sum);
    return mrw_mat34_from_transform(&turn);
}

static mrw_mat34 stretch_of(const influences *of, const mrw_mat34 *stretches)
{
    mrw_mat34 sum = {{{0.0f}}};
    for (uint32_t i = 0; i < of->count; i++)
        add_scaled(&sum, &stretches[of->joints[i]], of->weights[i]);
    return sum;
}

/* What is left of the volume, as the radius sees it. A rounding error above 1 is no gain. */
static float lost(float volume, float expected)
{
    if (!(expected > 0.0f) || !(absolute(volume) < expected))
        return 0.0f;
    return 1.0f - mrw_sqrt(absolute(volume) / expected);
}

static float lost_of_vertex(const view_posed *posed, uint32_t palette_first, const influences *of,
                            float dual_quat_weight)
{
    const mrw_mat34 *palette = posed->palette + palette_first;
    mrw_mat34 blended = {{{0.0f}}};
    float expected = 0.0f;
    for (uint32_t i = 0; i < of->count; i++) {
        const mrw_mat34 *matrix = &palette[of->joints[i]];
        expected += of->weights[i] * absolute(mrw_mat34_determinant(matrix));
        add_scaled(&blended, matrix, of->weights[i] * (1.0f - dual_quat_weight));
    }
    if (dual_quat_weight > 0.0f) {
        mrw_mat34 rigid = rotation_of(of, posed->dual_quats + palette_first);
        if (posed->has_stretch) {
            mrw_mat34 stretch = stretch_of(of, posed->stretches + palette_first);
            rigid = mrw_mat34_mul(&rigid, &stretch);
        }
        add_scaled(&blended, &rigid, dual_quat_weight);
    }
    return lost(mrw_mat34_determinant(&blended), expected);
}

static void measure_instance(const view_posed *posed, uint32_t instance, float dual_quat_weight,
                             view_lost_radius *worst)
{
    const mrw_mesh_instance *placed = &posed->character->instances[instance];
    const mrw_mesh *mesh = &posed->character->meshes[placed->mesh];
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        size_t first = (size_t)v * mesh->influence_count;
        influences of = {mesh->joints + first, mesh->weights + first, mesh->influence_count};
        if (count_weights(&of) < 2)
            continue; /* one joint loses nothing */
        float here = lost_of_vertex(posed, placed->palette_first, &of, dual_quat_weight);
        if (here > worst->largest) {
            worst->largest = here;
            worst->instance = instance;
            worst->vertex = v;
        }
    }
}

view_lost_radius view_measure_lost_radius(const view_posed *posed, float dual_quat_weight)
{
    view_lost_radius worst = {0.0f, 0, 0};
    for (uint32_t i = 0; i < posed->character->instance_count; i++)
        if (posed->character->instances[i].skin >= 0)
            measure_instance(posed, i, dual_quat_weight, &worst);
    return worst;
}
