/* Boxes around skinned meshes: the exact one, from the vertices, and a cheap one from the palette.
 *
 * Linear skinning moves a vertex to the mean of the places where its joints would take it. A joint
 * takes all its vertices into its own box, moved; so the box around all moved boxes holds the mesh,
 * whatever the pose. It costs a matrix for each joint instead of one for each vertex, and is larger
 * than the exact box by as much as a turned box is larger than what was in it.
 */
#include <marrow/skin.h>

#include "base/error.h"
#include "math/math_inline.h"
#include "simd/kernels.h"
#include "skin/skin_influences.h"
#include "skin/stream.h"

/* Rounding moves a vertex by some 1e-7 of the largest number on the way, and weights sum to 1 only
 * to some 1e-6. */
#define BOUNDS_MARGIN 1e-5f

static mrw_box empty_box(void)
{
    float end = __builtin_inff();
    return (mrw_box){{end, end, end}, {-end, -end, -end}};
}

static void grow_axis(float v, float *low, float *high)
{
    *low = v < *low ? v : *low;
    *high = *high < v ? v : *high;
}

static void grow(mrw_box *box, mrw_vec3 p)
{
    grow_axis(p.x, &box->min.x, &box->max.x);
    grow_axis(p.y, &box->min.y, &box->max.y);
    grow_axis(p.z, &box->min.z, &box->max.z);
}

static mrw_status check_stream(mrw_stream positions, uint32_t vertex_count)
{
    mrwi_vertex_streams streams = {positions, {NULL, 0}, {NULL, 0},
                                   {NULL, 0}, {NULL, 0}, {NULL, 0}};
    float unused;
    streams.out_positions.data = &unused; /* there is no output here to complain about */
    return vertex_count == 0 ? MRW_OK : mrwi_check_streams(&streams, NULL);
}

mrw_status mrw_box_of_positions(mrw_stream positions, uint32_t vertex_count, mrw_box *out_box)
{
    if (out_box == NULL)
        return MRW_ERR_NULL_ARGUMENT;
    mrw_status status = check_stream(positions, vertex_count);
    if (status != MRW_OK)
        return status;
    mrw_box box = empty_box();
    float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    if (vertex_count > 0)
        mrwi_kernels_active()->bounds(positions.data, mrwi_stream_step(positions.stride_bytes, 3),
                                      vertex_count, low, high);
    /* + 0 turns -0 into +0: which of the two came first is not the same in every kernel. */
    *out_box = (mrw_box){{low[0] + 0.0f, low[1] + 0.0f, low[2] + 0.0f},
                         {high[0] + 0.0f, high[1] + 0.0f, high[2] + 0.0f}};
    return MRW_OK;
}

mrw_status mrw_joint_boxes(const mrw_skin_job *job, mrw_box *out_boxes)
{
    if (job == NULL || out_boxes == NULL)
        return MRW_ERR_NULL_ARGUMENT;
    if (job->struct_size != sizeof(*job))
        return MRW_ERR_STRUCT_SIZE;
    mrw_status status = mrwi_check_influences(job, NULL);
    if (status == MRW_OK)
        status = check_stream(job->positions, job->vertex_count);
    if (status != MRW_OK)
        return status;
    for (uint32_t i = 0; i <= job->palette_count; i++)
        out_boxes[i] = empty_box();
    for (uint32_t v = 0; v < job->vertex_count; v++) {
        mrw_vec3 position = mrwi_load_vec3(mrwi_stream_at(job->positions, 3, v));
        mrwi_influences influences = mrwi_influences_at(job, v);
        bool moves = false;
        for (uint32_t i = 0; i < influences.count; i++) {
            if (mrwi_influence_weight(&influences, i) == 0.0f)
                continue;
            uint32_t joint = mrwi_influence_joint(&influences, i);
            if (joint >= job->palette_count)
                return MRW_ERR_JOINT_RANGE;
            grow(&out_boxes[joint], position);
            moves = true;
        }
        if (!moves)
            grow(&out_boxes[job->palette_count], position);
    }
    return MRW_OK;
}

/* Grows `box` by the box around `joint_box` after `matrix`, in one axis of the result. */
static void grow_by_row(const float row[4], const mrw_box *joint_box, float *low, float *high)
{
    const mrw_vec3 *a = &joint_box->min, *b = &joint_box->max;
    mrw_vec3 middle = mrwi_vec3_scale(mrwi_vec3_add(*a, *b), 0.5f);
    mrw_vec3 half = mrwi_vec3_scale(mrwi_vec3_sub(*b, *a), 0.5f);
    mrw_vec3 linear = {row[0], row[1], row[2]};
    mrw_vec3 sizes = {mrwi_abs(row[0]), mrwi_abs(row[1]), mrwi_abs(row[2])};
    mrw_vec3 middle_sizes = {mrwi_abs(middle.x), mrwi_abs(middle.y), mrwi_abs(middle.z)};
    float center = mrwi_vec3_dot(linear, middle) + row[3];
    float reach = mrwi_vec3_dot(sizes, half);
    float largest = mrwi_vec3_dot(sizes, middle_sizes) + reach + mrwi_abs(row[3]);
    reach += BOUNDS_MARGIN * largest;
    grow_axis(center - reach, low, high);
    grow_axis(center + reach, low, high);
}

mrw_status mrw_skin_bounds(const mrw_mat34 *palette, const mrw_box *joint_boxes,
                           uint32_t palette_count, mrw_box *out_box)
{
    if ((palette == NULL && palette_count > 0) || joint_boxes == NULL || out_box == NULL)
        return MRW_ERR_NULL_ARGUMENT;
    mrw_box box = joint_boxes[palette_count];
    for (uint32_t i = 0; i < palette_count; i++) {
        const mrw_box *joint_box = &joint_boxes[i];
        if (!(joint_box->min.x <= joint_box->max.x))
            continue;
        grow_by_row(palette[i].m[0], joint_box, &box.min.x, &box.max.x);
        grow_by_row(palette[i].m[1], joint_box, &box.min.y, &box.max.y);
        grow_by_row(palette[i].m[2], joint_box, &box.min.z, &box.max.z);
    }
    *out_box = box;
    return MRW_OK;
}
