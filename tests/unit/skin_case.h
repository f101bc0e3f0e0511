/* A random mesh with a random palette, and a job over it. */
#ifndef TESTS_SKIN_CASE_H
#define TESTS_SKIN_CASE_H

#include <marrow/skin.h>

#include "unit/near.h"
#include "unit/random.h"
#include "unit/skin_reference.h"

enum { CASE_VERTICES = 64, CASE_INFLUENCES = 12, CASE_JOINTS = 300 };

typedef struct skin_case {
    mrw_skin_job job;
    mrw_mat34 palette[CASE_JOINTS];
    mrw_dual_quat dual_quats[CASE_JOINTS];
    mrw_mat34 stretches[CASE_JOINTS];
    uint16_t joints[CASE_VERTICES * CASE_INFLUENCES];
    float weights[CASE_VERTICES * CASE_INFLUENCES];
    float dual_quat_weights[CASE_VERTICES];
    float positions[CASE_VERTICES * 3];
    float normals[CASE_VERTICES * 3];
    float tangents[CASE_VERTICES * 4];
    float out_positions[CASE_VERTICES * 3];
    float out_normals[CASE_VERTICES * 3];
    float out_tangents[CASE_VERTICES * 4];
} skin_case;

static inline void skin_case_store(float *to, mrw_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static inline mrw_vec3 random_direction(uint64_t *random)
{
    mrw_vec3 x = {1.0f, 0.0f, 0.0f};
    return mrw_quat_rotate(random_quat(random), x);
}

static inline void skin_case_weights(skin_case *c, uint64_t *random)
{
    uint32_t count = c->job.influence_count;
    for (uint32_t v = 0; v < c->job.vertex_count; v++) {
        float *weights = c->weights + v * count;
        float sum = 0.0f;
        for (uint32_t i = 0; i < count; i++) {
            c->joints[v * count + i] = (uint16_t)(random_bits(random) % c->job.palette_count);
            weights[i] =
                i > 0 && random_bits(random) % 4 == 0 ? 0.0f : random_float(random, 0.05f, 1.0f);
            sum += weights[i];
        }
        for (uint32_t i = 0; i < count; i++)
            weights[i] /= sum;
    }
}

/* Turns of up to max_angle_rad, so that blends do not collapse, and scales in a range; with a
 * negative x scale if `mirrored`. */
static inline void skin_case_palette(skin_case *c, uint64_t *random, float max_angle_rad,
                                     float scale_low, float scale_high, bool mirrored)
{
    for (uint32_t i = 0; i < c->job.palette_count; i++) {
        mrw_transform transform = random_transform(random, scale_low, scale_high);
        transform.rotation = mrw_quat_from_axis_angle(random_vec3(random, -1.0f, 1.0f),
                                                      random_float(random, 0.0f, max_angle_rad));
        if (mirrored)
            transform.scale.x = -transform.scale.x;
        c->palette[i] = mrw_mat34_from_transform(&transform);
    }
    mrw_dual_quat_job job = mrw_dual_quat_job_default();
    job.palette = c->palette;
    job.palette_count = c->job.palette_count;
    job.out_dual_quats = c->dual_quats;
    job.out_stretches = c->stretches;
    assert_int_equal(mrw_palette_dual_quats(&job), MRW_OK);
    for (uint32_t i = 0; i < c->job.palette_count; i++) {
        if (random_bits(random) % 2 == 0)
            continue;
        mrw_dual_quat *q = &c->dual_quats[i]; /* the same motion, the other sign */
        *q = (mrw_dual_quat){{-q->real.x, -q->real.y, -q->real.z, -q->real.w},
                             {-q->dual.x, -q->dual.y, -q->dual.z, -q->dual.w}};
    }
}

static inline void skin_case_init(skin_case *c, uint64_t *random, uint32_t palette_count,
                                  uint32_t influence_count)
{
    memset(c, 0, sizeof(*c));
    mrw_skin_job *job = &c->job;
    *job = mrw_skin_job_default();
    job->palette = c->palette;
    job->dual_quats = c->dual_quats;
    job->stretches = c->stretches;
    job->palette_count = palette_count;
    job->vertex_count = CASE_VERTICES;
    job->influence_count = influence_count;
    job->joints = c->joints;
    job->weights = c->weights;
    job->dual_quat_weights = c->dual_quat_weights;
    job->positions.data = c->positions;
    job->normals.data = c->normals;
    job->tangents.data = c->tangents;
    job->out_positions.data = c->out_positions;
    job->out_normals.data = c->out_normals;
    job->out_tangents.data = c->out_tangents;
    skin_case_weights(c, random);
    for (uint32_t v = 0; v < CASE_VERTICES; v++) {
        skin_case_store(c->positions + 3 * v, random_vec3(random, -1.0f, 1.0f));
        skin_case_store(c->normals + 3 * v, random_direction(random));
        skin_case_store(c->tangents + 4 * v, random_direction(random));
        c->tangents[4 * v + 3] = v % 3 == 0 ? -1.0f : 1.0f;
        c->dual_quat_weights[v] = random_float(random, 0.0f, 1.0f);
    }
}

static inline void assert_floats_near(const float *values, const double *expected, double tolerance)
{
    assert_floats3(values, expected[0], expected[1], expected[2], tolerance);
}

/* Runs the job and compares every vertex with the reference. */
static inline void skin_case_check(skin_case *c, double tolerance)
{
    assert_int_equal(mrw_skin_vertices(&c->job), MRW_OK);
    for (uint32_t v = 0; v < c->job.vertex_count; v++) {
        reference_vertex bind;
        for (int i = 0; i < 3; i++) {
            bind.position[i] = (double)c->positions[3 * v + (uint32_t)i];
            bind.normal[i] = (double)c->normals[3 * v + (uint32_t)i];
            bind.tangent[i] = (double)c->tangents[4 * v + (uint32_t)i];
        }
        bind.handedness = (double)c->tangents[4 * v + 3];
        reference_vertex expected = reference_skin(&c->job, v, bind);
        assert_floats_near(c->out_positions + 3 * v, expected.position, tolerance);
        assert_floats_near(c->out_normals + 3 * v, expected.normal, tolerance);
        assert_floats_near(c->out_tangents + 4 * v, expected.tangent, tolerance);
        assert_near((double)c->out_tangents[4 * v + 3], expected.handedness, 0.0);
    }
}

#endif
