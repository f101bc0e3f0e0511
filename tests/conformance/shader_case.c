#include "conformance/shader_case.h"

#include "base/error.h"
#include "core/posed.h"
#include "unit/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PALETTE_FIRST 5u /* matrices of NaN in front, so that a text that ignores it fails */
#define SCALAR_FIRST 2u

enum { RANDOM_VERTICES = 500, RANDOM_JOINTS = 40, RANDOM_TARGETS = 5 };

/* The random case's own deltas; those of a file belong to its mesh. */
static float random_deltas[RANDOM_TARGETS][2][RANDOM_VERTICES * 3];
static mrw_morph_target random_targets[RANDOM_TARGETS];

/* Everything but influences and poses, from the counts that are set. */
static bool allocate(shader_case *subject)
{
    size_t vertices = subject->vertex_count;
    size_t influences = vertices * subject->influence_count;
    subject->palette_first = PALETTE_FIRST;
    subject->palette_stride = subject->joint_count + 1;
    subject->palette_count = PALETTE_FIRST + SHADER_CASE_CHARACTERS * subject->palette_stride;
    size_t scalars = SCALAR_FIRST + (size_t)SHADER_CASE_CHARACTERS * subject->scalar_stride;
    subject->positions = calloc(vertices * 3 + 1, sizeof(float));
    subject->normals = calloc(vertices * 3 + 1, sizeof(float));
    subject->joints = calloc(influences + 1, sizeof(uint16_t));
    subject->weights = calloc(influences + 1, sizeof(float));
    subject->dual_quat_weights = calloc(vertices + 1, sizeof(float));
    subject->scalars = calloc(scalars, sizeof(float));
    subject->palette = calloc(subject->palette_count, sizeof(mrw_mat34));
    subject->stretches = calloc(subject->palette_count, sizeof(mrw_mat34));
    subject->dual_quats = calloc(subject->palette_count, sizeof(mrw_dual_quat));
    if (!subject->positions || !subject->normals || !subject->joints || !subject->weights ||
        !subject->dual_quat_weights || !subject->scalars || !subject->palette ||
        !subject->stretches || !subject->dual_quats)
        return false;
    for (size_t i = 0; i < vertices; i++)
        subject->dual_quat_weights[i] = (float)(i % 5) * 0.25f;
    for (uint32_t i = 0; i < subject->palette_count; i++) {
        for (int element = 0; element < 12; element++) {
            (&subject->palette[i].m[0][0])[element] = NAN;
            (&subject->stretches[i].m[0][0])[element] = NAN;
        }
        subject->dual_quats[i] = (mrw_dual_quat){{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    }
    return true;
}

void shader_case_free(shader_case *subject)
{
    free(subject->positions);
    free(subject->normals);
    free(subject->joints);
    free(subject->weights);
    free(subject->dual_quat_weights);
    free(subject->scalars);
    free(subject->palette);
    free(subject->stretches);
    free(subject->dual_quats);
    memset(subject, 0, sizeof(*subject));
}

/* Influences that are not used name the joint of NaN. */
static void copy_influences(const mrw_mesh *mesh, shader_case *subject)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (uint32_t i = 0; i < subject->influence_count; i++) {
            size_t to = (size_t)v * subject->influence_count + i;
            size_t from = (size_t)v * mesh->influence_count + i;
            float weight = i < mesh->influence_count ? mesh->weights[from] : 0.0f;
            if (mesh->influence_count == 0 && i == 0)
                weight = 1.0f; /* a rigid mesh: one matrix moves it */
            subject->weights[to] = weight;
            subject->joints[to] = (uint16_t)(subject->joint_count - 1);
            if (weight != 0.0f)
                subject->joints[to] = mesh->influence_count > 0 ? mesh->joints[from] : 0;
        }
    }
}

static bool take_pose(shader_case *subject, const view_posed *posed,
                      const mrw_mesh_instance *instance, uint32_t character)
{
    size_t first = subject->palette_first + (size_t)character * subject->palette_stride;
    size_t count = instance->palette_count;
    memcpy(subject->palette + first, posed->palette + instance->palette_first,
           count * sizeof(mrw_mat34));
    memcpy(subject->stretches + first, posed->stretches + instance->palette_first,
           count * sizeof(mrw_mat34));
    memcpy(subject->dual_quats + first, posed->dual_quats + instance->palette_first,
           count * sizeof(mrw_dual_quat));
    subject->has_stretch = subject->has_stretch || posed->has_stretch;
    const float *scalars = posed->pose.scalars;
    for (uint32_t i = 0; i < subject->target_count; i++)
        subject->scalars[subject->scalar_first + character * subject->scalar_stride + i] =
            scalars[instance->first_scalar + i];
    return true;
}

static bool take_poses(shader_case *subject, const mrw_character *character,
                       const mrw_mesh_instance *instance)
{
    view_posed posed;
    if (view_posed_create(character, &posed) != MRW_OK)
        return false;
    bool ran = take_pose(subject, &posed, instance, 0);
    for (uint32_t i = 1; ran && i < SHADER_CASE_CHARACTERS; i++) {
        int32_t clip = i == 1 ? 0 : (int32_t)character->clip_count - 1;
        if (character->clip_count == 0)
            clip = -1;
        double time_s = clip < 0 ? 0.0 : (double)character->clips[clip].duration_s * 0.5;
        ran = view_posed_update(&posed, clip, time_s, false) == MRW_OK &&
              take_pose(subject, &posed, instance, i);
    }
    view_posed_free(&posed);
    return ran;
}

bool shader_case_create(const char *name, const mrw_character *character, uint32_t instance,
                        uint32_t influence_count, shader_case *out_case)
{
    const mrw_mesh_instance *placed = &character->instances[instance];
    const mrw_mesh *mesh = &character->meshes[placed->mesh];
    memset(out_case, 0, sizeof(*out_case));
    mrwi_format(out_case->name, sizeof(out_case->name), "%s, instance %u", name, instance);
    out_case->vertex_count = mesh->vertex_count;
    out_case->influence_count = influence_count;
    out_case->joint_count = placed->palette_count + 1;
    out_case->target_count = mesh->target_count;
    out_case->targets = mesh->targets;
    out_case->scalar_first = SCALAR_FIRST;
    out_case->scalar_stride = mesh->target_count + 1;
    bool made = mesh->influence_count <= influence_count && allocate(out_case);
    if (made) {
        memcpy(out_case->positions, mesh->positions, (size_t)mesh->vertex_count * 3 * 4);
        if (mesh->normals != NULL)
            memcpy(out_case->normals, mesh->normals, (size_t)mesh->vertex_count * 3 * 4);
        copy_influences(mesh, out_case);
        made = take_poses(out_case, character, placed);
    }
    if (!made)
        shader_case_free(out_case);
    return made;
}

/* --- the random case ------------------------------------------------------------------ */

/* Sorted, the heaviest first, with sum 1; every 50th vertex has none, and many have few. */
static void random_influences(shader_case *subject, uint64_t *random)
{
    uint32_t count = subject->influence_count;
    for (uint32_t v = 0; v < subject->vertex_count; v++) {
        float *weights = subject->weights + (size_t)v * count;
        uint16_t *joints = subject->joints + (size_t)v * count;
        uint32_t used = v % 50 == 0 ? 0 : 1 + v % count;
        float sum = 0.0f;
        for (uint32_t i = 0; i < count; i++) {
            joints[i] = (uint16_t)(subject->joint_count - 1);
            weights[i] = 0.0f;
            if (i >= used)
                continue;
            joints[i] = (uint16_t)((v * 7 + i * 11) % RANDOM_JOINTS);
            weights[i] = random_float(random, 0.1f, 0.2f) + (i == 0 ? 0.3f : 0.0f);
            sum += weights[i];
        }
        for (uint32_t i = 0; i < used; i++)
            weights[i] /= sum;
    }
}

static void random_palette(shader_case *subject, uint64_t *random)
{
    for (uint32_t c = 0; c < SHADER_CASE_CHARACTERS; c++) {
        uint32_t first = subject->palette_first + c * subject->palette_stride;
        for (uint32_t i = 0; i < RANDOM_JOINTS; i++) {
            mrw_transform transform = random_transform(random, 0.5f, 2.0f);
            mrw_mat34 *matrix = &subject->palette[first + i];
            *matrix = mrw_mat34_from_transform(&transform);
            matrix->m[0][1] += 0.2f; /* shear */
            if (i % 8 == 3)          /* a mirror */
                for (int row = 0; row < 3; row++)
                    matrix->m[row][0] = -matrix->m[row][0];
        }
        mrw_dual_quat_job job = mrw_dual_quat_job_default();
        job.palette = subject->palette + first;
        job.palette_count = RANDOM_JOINTS;
        job.out_dual_quats = subject->dual_quats + first;
        job.out_stretches = subject->stretches + first;
        mrw_palette_dual_quats(&job);
        for (uint32_t i = 0; i < RANDOM_TARGETS; i++)
            subject->scalars[subject->scalar_first + c * subject->scalar_stride + i] =
                i == 2 ? 0.0f : random_float(random, -1.0f, 1.0f);
    }
    subject->has_stretch = true;
}

bool shader_case_create_random(uint32_t influence_count, shader_case *out_case)
{
    uint64_t random = 7;
    memset(out_case, 0, sizeof(*out_case));
    mrwi_format(out_case->name, sizeof(out_case->name), "random mesh");
    out_case->size = 2.0f;
    out_case->vertex_count = RANDOM_VERTICES;
    out_case->influence_count = influence_count;
    out_case->joint_count = RANDOM_JOINTS + 1;
    out_case->target_count = RANDOM_TARGETS;
    out_case->targets = random_targets;
    out_case->scalar_first = SCALAR_FIRST;
    out_case->scalar_stride = RANDOM_TARGETS + 1;
    for (uint32_t t = 0; t < RANDOM_TARGETS; t++) {
        random_targets[t] =
            (mrw_morph_target){.positions = random_deltas[t][0], .normals = random_deltas[t][1]};
        for (uint32_t i = 0; i < RANDOM_VERTICES * 3; i++) {
            random_deltas[t][0][i] = random_float(&random, -0.2f, 0.2f);
            random_deltas[t][1][i] = random_float(&random, -0.2f, 0.2f);
        }
    }
    random_targets[1].normals = NULL;
    random_targets[3].positions = NULL;
    if (!allocate(out_case)) {
        shader_case_free(out_case);
        return false;
    }
    for (uint32_t v = 0; v < RANDOM_VERTICES; v++) {
        mrw_vec3 position = random_vec3(&random, -1.0f, 1.0f);
        mrw_vec3 normal = random_vec3(&random, -1.0f, 1.0f);
        memcpy(out_case->positions + (size_t)v * 3, &position, sizeof(position));
        memcpy(out_case->normals + (size_t)v * 3, &normal, sizeof(normal));
    }
    random_influences(out_case, &random);
    random_palette(out_case, &random);
    return true;
}

/* --- what the library makes of it ------------------------------------------------------- */

static bool morph(const shader_case *subject, uint32_t character, float *positions, float *normals)
{
    mrw_morph_job job = mrw_morph_job_default();
    job.vertex_count = subject->vertex_count;
    job.target_count = subject->target_count;
    job.targets = subject->targets;
    job.weights =
        subject->scalars + subject->scalar_first + (size_t)character * subject->scalar_stride;
    job.positions.data = subject->positions;
    job.normals.data = subject->normals;
    job.out_positions.data = positions;
    job.out_normals.data = normals;
    return mrw_morph(&job) == MRW_OK;
}

bool shader_case_expect(const shader_case *subject, uint32_t character, mrw_skin_method method,
                        mrw_normal_mode normal_mode, bool with_morph, bool with_stretch,
                        float dual_quat_weight, float *out_positions, float *out_normals)
{
    size_t size_bytes = (size_t)subject->vertex_count * 3 * sizeof(float);
    memcpy(out_positions, subject->positions, size_bytes);
    memcpy(out_normals, subject->normals, size_bytes);
    if (with_morph && !morph(subject, character, out_positions, out_normals))
        return false;

    float *same_weight = malloc((size_t)subject->vertex_count * sizeof(float) + 1);
    if (same_weight == NULL)
        return false;
    for (uint32_t v = 0; v < subject->vertex_count; v++)
        same_weight[v] = dual_quat_weight;
    size_t first = subject->palette_first + (size_t)character * subject->palette_stride;
    mrw_skin_job job = mrw_skin_job_default();
    job.method = method;
    job.normal_mode = normal_mode;
    job.palette = subject->palette + first;
    job.dual_quats = subject->dual_quats + first;
    job.stretches = with_stretch ? subject->stretches + first : NULL;
    job.palette_count = subject->joint_count;
    job.vertex_count = subject->vertex_count;
    job.influence_count = subject->influence_count;
    job.joints = subject->joints;
    job.weights = subject->weights;
    job.dual_quat_weights = dual_quat_weight < 0.0f ? subject->dual_quat_weights : same_weight;
    job.positions.data = out_positions;
    job.normals.data = out_normals;
    job.out_positions.data = out_positions;
    job.out_normals.data = out_normals;
    bool ran = mrw_skin_vertices(&job) == MRW_OK;
    free(same_weight);
    return ran;
}
