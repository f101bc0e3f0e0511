#include "core/bounds.h"

#include <float.h>
#include <stdlib.h>

view_bounds view_bounds_empty(void)
{
    view_bounds bounds = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    return bounds;
}

bool view_bounds_is_empty(const view_bounds *bounds)
{
    return bounds->min.x > bounds->max.x;
}

void view_bounds_add(view_bounds *bounds, mrw_vec3 point)
{
    bounds->min.x = point.x < bounds->min.x ? point.x : bounds->min.x;
    bounds->min.y = point.y < bounds->min.y ? point.y : bounds->min.y;
    bounds->min.z = point.z < bounds->min.z ? point.z : bounds->min.z;
    bounds->max.x = point.x > bounds->max.x ? point.x : bounds->max.x;
    bounds->max.y = point.y > bounds->max.y ? point.y : bounds->max.y;
    bounds->max.z = point.z > bounds->max.z ? point.z : bounds->max.z;
}

static void add_joints(const view_posed *posed, view_bounds *bounds)
{
    for (uint32_t i = 0; i < posed->character->skeleton.joint_count; i++) {
        const mrw_mat34 *model = &posed->model[i];
        mrw_vec3 place = {model->m[0][3], model->m[1][3], model->m[2][3]};
        view_bounds_add(bounds, place);
    }
}

mrw_status view_bounds_of_posed(const view_posed *posed, mrw_skin_method method,
                                view_bounds *out_bounds)
{
    const mrw_character *character = posed->character;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < character->instance_count; i++) {
        uint32_t count = character->meshes[character->instances[i].mesh].vertex_count;
        largest = count > largest ? count : largest;
    }
    *out_bounds = view_bounds_empty();
    if (largest == 0) {
        add_joints(posed, out_bounds);
        return MRW_OK;
    }
    float *positions = malloc((size_t)largest * 3 * sizeof(float));
    if (positions == NULL)
        return MRW_ERR_OUT_OF_MEMORY;
    mrw_status status = MRW_OK;
    for (uint32_t i = 0; i < character->instance_count && status == MRW_OK; i++) {
        uint32_t count = character->meshes[character->instances[i].mesh].vertex_count;
        status = view_posed_vertices(posed, i, method, positions, NULL);
        for (uint32_t v = 0; v < count && status == MRW_OK; v++) {
            mrw_vec3 place = {positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]};
            view_bounds_add(out_bounds, place);
        }
    }
    free(positions);
    return status;
}

mrw_status view_bounds_of_clip(view_posed *posed, int32_t clip, mrw_skin_method method,
                               uint32_t sample_count, view_bounds *out_bounds)
{
    *out_bounds = view_bounds_empty();
    double duration_s = clip >= 0 ? (double)posed->character->clips[clip].duration_s : 0.0;
    uint32_t count = duration_s > 0.0 && sample_count > 1 ? sample_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        double time_s = count > 1 ? duration_s * i / (count - 1) : 0.0;
        mrw_status status = view_posed_update(posed, clip, time_s, false);
        view_bounds here;
        if (status == MRW_OK)
            status = view_bounds_of_posed(posed, method, &here);
        if (status != MRW_OK)
            return status;
        if (!view_bounds_is_empty(&here)) {
            view_bounds_add(out_bounds, here.min);
            view_bounds_add(out_bounds, here.max);
        }
    }
    return MRW_OK;
}
