/* The vertices of one instance, moved on the CPU. */
#include "exchange.h"

#include <string.h>

/* What skinning one instance needs, parts of the pose's scratch. */
typedef struct skin_space {
    float *positions;
    float *normals; /* or NULL */
    mrw_mat34 *palette;
    mrw_dual_quat *dual_quats;
    mrw_mat34 *stretches;
    uint16_t *rigid_joints; /* [vertex_count] zeros and */
    float *rigid_weights;   /* [vertex_count] ones, for a mesh without influences */
} skin_space;

static bool take_space(js_pose *posed, const mrw_mesh *mesh, uint64_t palette_count,
                       bool with_normals, bool rigid, skin_space *out_space)
{
    uint64_t vertices = mesh->vertex_count;
    uint64_t vector_bytes = vertices * 3 * sizeof(float);
    uint64_t matrix_bytes = palette_count * sizeof(mrw_mat34);
    uint64_t dual_quat_bytes = palette_count * sizeof(mrw_dual_quat);
    uint64_t weight_bytes = rigid ? vertices * sizeof(float) : 0;
    uint8_t *next = js_pose_scratch(posed, 2 * matrix_bytes + dual_quat_bytes + 2 * vector_bytes +
                                               weight_bytes + weight_bytes / 2);
    if (!next) {
        return false;
    }
    out_space->palette = (mrw_mat34 *)next;
    next += matrix_bytes;
    out_space->stretches = (mrw_mat34 *)next;
    next += matrix_bytes;
    out_space->dual_quats = (mrw_dual_quat *)next;
    next += dual_quat_bytes;
    out_space->positions = (float *)next;
    next += vector_bytes;
    out_space->normals = with_normals ? (float *)next : NULL;
    next += vector_bytes;
    out_space->rigid_weights = (float *)next;
    next += weight_bytes;
    out_space->rigid_joints = (uint16_t *)next;
    return true;
}

static mrw_status morph(const js_pose *posed, const mrw_mesh *mesh,
                        const mrw_mesh_instance *instance, const skin_space *space)
{
    mrw_morph_job job = mrw_morph_job_default();
    job.vertex_count = mesh->vertex_count;
    job.target_count = mesh->target_count;
    job.targets = mesh->targets;
    job.weights = posed->pose.scalars + instance->first_scalar;
    job.positions.data = mesh->positions;
    job.out_positions.data = space->positions;
    if (space->normals) {
        job.normals.data = mesh->normals;
        job.out_normals.data = space->normals;
    }
    return mrw_morph(&job);
}

static void bind_rigidly(mrw_skin_job *job, const skin_space *space)
{
    memset(space->rigid_joints, 0, job->vertex_count * sizeof(uint16_t));
    for (uint32_t i = 0; i < job->vertex_count; i++) {
        space->rigid_weights[i] = 1.0f;
    }
    job->palette_count = 1;
    job->influence_count = 1;
    job->joints = space->rigid_joints;
    job->weights = space->rigid_weights;
}

static mrw_status put_dual_quats(mrw_skin_job *job, const skin_space *space)
{
    bool has_stretch = false;
    mrw_dual_quat_job dual_quats = mrw_dual_quat_job_default();
    dual_quats.palette = job->palette;
    dual_quats.palette_count = job->palette_count;
    dual_quats.out_dual_quats = space->dual_quats;
    dual_quats.out_stretches = space->stretches;
    dual_quats.out_has_stretch = &has_stretch;
    job->method = MRW_SKIN_DUAL_QUAT;
    job->dual_quats = space->dual_quats;
    mrw_status status = mrw_palette_dual_quats(&dual_quats);
    job->stretches = has_stretch ? space->stretches : NULL;
    return status;
}

static mrw_status move(const js_pose *posed, const mrw_character *character,
                       const mrw_mesh_instance *instance, const mrw_mesh *mesh, bool rigid,
                       mrw_skin_method method, const skin_space *space)
{
    mrw_skin_job job = mrw_skin_job_default();
    job.vertex_count = mesh->vertex_count;
    job.positions.data = space->positions;
    job.normals.data = space->normals;
    job.out_positions.data = space->positions;
    job.out_normals.data = space->normals;
    job.palette = space->palette;
    if (rigid) {
        space->palette[0] = posed->model[instance->joint];
        bind_rigidly(&job, space);
        return mrw_skin_vertices(&job);
    }
    job.palette_count = instance->palette_count;
    job.influence_count = mesh->influence_count;
    job.joints = mesh->joints;
    job.weights = mesh->weights;
    mrw_status status = js_put_instance(character, instance, posed->model, space->palette);
    if (status == MRW_OK && method == MRW_SKIN_DUAL_QUAT) {
        status = put_dual_quats(&job, space);
    }
    return status == MRW_OK ? mrw_skin_vertices(&job) : status;
}

mrw_status pose_skin(js_pose *posed, const mrw_character *character, uint32_t index,
                     mrw_skin_method method, bool with_normals)
{
    const mrw_mesh_instance *instance = &character->instances[index];
    const mrw_mesh *mesh = &character->meshes[instance->mesh];
    bool rigid = instance->skin < 0 || mesh->influence_count == 0;
    mrw_status status =
        js_same_skeleton(mrw_skeleton_id(posed->skeleton), &character->skeleton, "pose");
    if (status != MRW_OK) {
        return status;
    }
    skin_space space;
    if (!take_space(posed, mesh, instance->palette_count, with_normals && mesh->normals, rigid,
                    &space)) {
        return MRW_ERR_OUT_OF_MEMORY;
    }
    if (mesh->vertex_count > 0) {
        status = morph(posed, mesh, instance, &space);
        if (status == MRW_OK) {
            status = move(posed, character, instance, mesh, rigid, method, &space);
        }
    }
    js_record[0] = js_address(space.positions);
    js_record[1] = js_address(space.normals);
    js_record[2] = mesh->vertex_count * 3;
    return status == MRW_OK ? MRW_OK : js_fail(status, "instance");
}
