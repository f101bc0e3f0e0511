/* Skins, and whether they fit the meshes that are used with them. */
#include "offline/import/gltf.h"

#include <marrow/math.h>

#include "base/error.h"
#include "base/finite.h"

#include <string.h>

/* --- inverse bind matrices -------------------------------------------------------------------- */

static mrw_status check_inverse_binds(mrwi_gltf *gltf, const mrwi_gltf_accessor *accessor,
                                      const char *where, uint32_t joint_count)
{
    if (accessor->component != MRWI_GLTF_FLOAT || accessor->component_count != 16)
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, "inverseBindMatrices", NULL,
                              "the accessor must be a MAT4 of floats");
    if (accessor->count < joint_count)
        return mrwi_fail(gltf->out_error, MRW_ERR_INCONSISTENT, "%s.inverseBindMatrices",
                         "%u matrices for %u joints: each joint needs its own", where,
                         accessor->count, joint_count);
    if (accessor->count > joint_count)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_INFO, "MRW_SKIN_IBM_UNUSED", where,
                           "there are more inverse bind matrices than joints; the first ones count",
                           1);
    return MRW_OK;
}

/* A matrix with a number that is none places everything bound to it nowhere: no value put in its
 * stead would be right, so the file is refused. */
static mrw_status read_inverse_binds(mrwi_gltf *gltf, int32_t index, const char *where,
                                     mrw_scene_skin *skin)
{
    const mrwi_gltf_accessor *accessor;
    MRWI_TRY(mrwi_gltf_accessor_open(gltf, index, &accessor));
    MRWI_TRY(check_inverse_binds(gltf, accessor, where, skin->joint_count));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, skin->joint_count, sizeof(*skin->inverse_binds),
                             where, &skin->inverse_binds));
    uint32_t bad_rows = 0;
    mrwi_gltf_accessor one = *accessor;
    one.count = 1;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        float elements[16];
        one.bytes = accessor->bytes + i * accessor->stride_bytes;
        mrwi_gltf_read_floats(&one, 16, elements);
        if (!mrwi_all_finite(elements, 16))
            return mrwi_fail(gltf->out_error, MRW_ERR_INVALID_VALUE, "%s.inverseBindMatrices",
                             "matrix %u holds a number that is infinite or none", where, i);
        bad_rows += elements[3] != 0.0f || elements[7] != 0.0f || elements[11] != 0.0f ||
                    elements[15] != 1.0f;
        skin->inverse_binds[i] = mrw_mat34_from_column_major(elements);
    }
    mrwi_gltf_diagnose(
        gltf, MRW_SEVERITY_ERROR, "ACCESSOR_INVALID_IBM", where,
        "the fourth row of an inverse bind matrix is not 0 0 0 1; it is read as that", bad_rows);
    return MRW_OK;
}

/* --- joints ----------------------------------------------------------------------------------- */

static mrw_status read_joints(mrwi_gltf *gltf, const mrwi_json_value *array, const char *where,
                              uint32_t index, mrw_scene_skin *skin, uint32_t *last_skins)
{
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, array->count, sizeof(*skin->joints), where,
                             &skin->joints));
    skin->joint_count = array->count;
    uint32_t duplicate_count = 0;
    for (uint32_t i = 0; i < array->count; i++) {
        char place[MRWI_GLTF_WHERE];
        mrwi_format(place, sizeof(place), "%s.joints[%u]", where, i);
        MRWI_TRY(mrwi_gltf_index_value(gltf, mrwi_json_element(&gltf->json, array, i), place,
                                       MRWI_GLTF_NODES, &skin->joints[i]));
        uint32_t *last = &last_skins[skin->joints[i]];
        duplicate_count += *last == index + 1;
        *last = index + 1;
    }
    mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "DUPLICATE_ELEMENTS", where,
                       "a skin names a joint twice", duplicate_count);
    return MRW_OK;
}

/* roots[i] = the node without parent above node i. Each node is walked over once. */
static void find_roots(const mrw_scene *scene, int32_t *roots)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        roots[i] = -1;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        int32_t top = (int32_t)i;
        while (roots[top] < 0 && scene->nodes[top].parent >= 0)
            top = scene->nodes[top].parent;
        int32_t root = roots[top] >= 0 ? roots[top] : top;
        for (int32_t node = (int32_t)i; node >= 0 && roots[node] < 0;
             node = scene->nodes[node].parent)
            roots[node] = root;
    }
}

static void check_common_root(mrwi_gltf *gltf, const char *where, const mrw_scene_skin *skin,
                              const int32_t *roots)
{
    for (uint32_t i = 1; i < skin->joint_count; i++) {
        if (roots[skin->joints[i]] != roots[skin->joints[0]]) {
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "SKIN_NO_COMMON_ROOT", where,
                               "the joints of a skin are not all below one node", 1);
            return;
        }
    }
}

static mrw_status import_skin(mrwi_gltf *gltf, uint32_t index, const int32_t *roots,
                              uint32_t *last_skins)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    const mrwi_json_value *joints;
    int32_t inverse_binds;
    int32_t skeleton;
    mrw_scene_skin *skin = &gltf->scene->skins[index];
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_SKINS, index, &object, where));
    MRWI_TRY(mrwi_gltf_string(gltf, object, "name", &skin->name));
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "joints", MRWI_JSON_ARRAY, &joints));
    if (joints == NULL || joints->count == 0)
        return mrwi_gltf_fail(gltf, MRW_ERR_MISSING_PROPERTY, where, "joints", object,
                              "a skin must have at least one joint");
    MRWI_TRY(read_joints(gltf, joints, where, index, skin, last_skins));
    check_common_root(gltf, where, skin, roots);
    mrwi_gltf_soft_index(gltf, object, where, "skeleton", MRWI_GLTF_NODES, &skeleton);
    MRWI_TRY(mrwi_gltf_index(gltf, object, where, "inverseBindMatrices", MRWI_GLTF_ACCESSORS,
                             &inverse_binds));
    if (inverse_binds >= 0)
        return read_inverse_binds(gltf, inverse_binds, where, skin);
    return MRW_OK;
}

mrw_status mrwi_gltf_import_skins(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    uint32_t count = gltf->counts[MRWI_GLTF_SKINS];
    int32_t *roots;
    uint32_t *last_skins; /* [nodes] the skin + 1 that named a node last */
    MRWI_TRY(
        mrwi_gltf_alloc(gltf, gltf->arena, count, sizeof(*scene->skins), "skins", &scene->skins));
    MRWI_TRY(
        mrwi_gltf_alloc(gltf, gltf->scratch, scene->node_count, sizeof(*roots), "skins", &roots));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, scene->node_count, sizeof(*last_skins), "skins",
                             &last_skins));
    find_roots(scene, roots);
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(import_skin(gltf, i, roots, last_skins));
    scene->skin_count = count;
    return MRW_OK;
}

/* --- meshes under skins ------------------------------------------------------------------------
 */

static bool has_influences(const mrw_scene_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->primitive_count; i++)
        if (mesh->primitives[i].influence_count > 0)
            return true;
    return false;
}

static bool is_identity(const mrw_transform *local)
{
    mrw_vec3 t = local->translation;
    mrw_quat q = local->rotation;
    mrw_vec3 s = local->scale;
    return t.x == 0.0f && t.y == 0.0f && t.z == 0.0f && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f &&
           s.x == 1.0f && s.y == 1.0f && s.z == 1.0f;
}

/* Drops a skin that has nothing to move, and says what of the node will be ignored. */
static void check_node(mrwi_gltf *gltf, uint32_t index, bool skinned_mesh)
{
    mrw_scene_node *node = &gltf->scene->nodes[index];
    char where[MRWI_GLTF_WHERE];
    mrwi_format(where, sizeof(where), "nodes[%u]", index);
    if (node->skin >= 0 && !skinned_mesh) {
        const char *code =
            node->mesh < 0 ? "UNSATISFIED_DEPENDENCY" : "NODE_SKIN_WITH_NON_SKINNED_MESH";
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, code, where,
                           "a node has a skin, but no mesh with joints; the skin is ignored", 1);
        node->skin = -1;
    }
    if (node->skin < 0 && skinned_mesh)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "NODE_SKINNED_MESH_WITHOUT_SKIN", where,
                           "a mesh has joints, but its node has no skin; it follows the node", 1);
    if (node->skin < 0)
        return;
    if (node->parent >= 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_WARNING, "NODE_SKINNED_MESH_NON_ROOT", where,
                           "a skinned mesh is placed by its joints alone; the transforms of its "
                           "node's parents are ignored",
                           1);
    if (!is_identity(&node->local))
        mrwi_gltf_diagnose(
            gltf, MRW_SEVERITY_WARNING, "NODE_SKINNED_MESH_LOCAL_TRANSFORMS", where,
            "a skinned mesh is placed by its joints alone; the transform of its node "
            "is ignored",
            1);
    if (node->in_scene) {
        const mrw_scene_skin *skin = &gltf->scene->skins[node->skin];
        if (!gltf->scene->nodes[skin->joints[0]].in_scene)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "NODE_SKIN_NO_SCENE", where,
                               "the scene shows a skinned mesh, but not its joints", 1);
    }
}

/* Every joint of the mesh must exist in the skin. Where it has no weight it does not matter, and
 * becomes joint 0. */
static mrw_status check_joint_range(mrwi_gltf *gltf, uint32_t mesh_index, uint32_t node_index)
{
    mrw_scene *scene = gltf->scene;
    int32_t skin = scene->nodes[node_index].skin;
    uint32_t joint_count = scene->skins[skin].joint_count;
    mrw_scene_mesh *mesh = &scene->meshes[mesh_index];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        mrw_scene_primitive *primitive = &mesh->primitives[p];
        size_t width = primitive->influence_count;
        uint32_t unused_count = 0;
        for (size_t i = 0; i < primitive->vertex_count * width; i++) {
            if (primitive->joints[i] < joint_count)
                continue;
            if (primitive->weights[i] > 0.0f)
                return mrwi_fail(gltf->out_error, MRW_ERR_INDEX_RANGE,
                                 "meshes[%u].primitives[%u].attributes.JOINTS_%u",
                                 "vertex %z is bound to joint %u of %u: skins[%d], which nodes[%u] "
                                 "uses with this mesh, has no such joint",
                                 mesh_index, p, (uint32_t)(i % width / 4), (uint64_t)(i / width),
                                 (uint32_t)primitive->joints[i], joint_count, skin, node_index);
            primitive->joints[i] = 0;
            unused_count++;
        }
        char where[MRWI_GLTF_WHERE];
        mrwi_format(where, sizeof(where), "meshes[%u].primitives[%u]", mesh_index, p);
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ACCESSOR_JOINTS_INDEX_OOB", where,
                           "a joint that the skin does not have is named with weight 0; it is read "
                           "as joint 0",
                           unused_count);
    }
    return MRW_OK;
}

/* A mesh may hang from many nodes with many skins; it must fit the one with the fewest joints, so
 * it is looked through once. */
mrw_status mrwi_gltf_bind_skins(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    bool *skinned;
    int32_t *strictest; /* [meshes] the node whose skin has the fewest joints, or -1 */
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, scene->mesh_count, sizeof(*skinned), "meshes",
                             &skinned));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, scene->mesh_count, sizeof(*strictest), "meshes",
                             &strictest));
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        skinned[i] = has_influences(&scene->meshes[i]);
        strictest[i] = -1;
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const mrw_scene_node *node = &scene->nodes[i];
        check_node(gltf, i, node->mesh >= 0 && skinned[node->mesh]);
        if (node->skin < 0)
            continue;
        int32_t *least = &strictest[node->mesh];
        if (*least < 0 || scene->skins[node->skin].joint_count <
                              scene->skins[scene->nodes[*least].skin].joint_count)
            *least = (int32_t)i;
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        if (strictest[i] >= 0)
            MRWI_TRY(check_joint_range(gltf, i, (uint32_t)strictest[i]));
    return MRW_OK;
}
