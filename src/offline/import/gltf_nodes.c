/* Nodes: rest transforms, the hierarchy, and which of them the file shows.
 *
 * glTF stores children, a scene stores parents. On the way the graph is walked once, with a stack
 * on the heap: a chain of a million nodes is legal and must not use up the thread's. */
#include "offline/import/gltf.h"

#include <marrow/math.h>

#include "base/error.h"
#include "base/finite.h"

#include <string.h>

/* What decomposition may lose before it is called shear; see mrw_mat34_decompose. */
#define SHEAR_TOLERANCE 1e-5f
/* A length may be off by what 8-bit storage loses: 2 / 2 / 127 or less, the validator's limit too.
 */
#define UNIT_ROTATION_TOLERANCE 0.00769

/* --- transforms ------------------------------------------------------------------------------- */

static bool is_finite_transform(const mrw_transform *local)
{
    const float values[] = {local->translation.x, local->translation.y, local->translation.z,
                            local->rotation.x,    local->rotation.y,    local->rotation.z,
                            local->rotation.w,    local->scale.x,       local->scale.y,
                            local->scale.z};
    return mrwi_all_finite(values, 10);
}

static mrw_status decompose(mrwi_gltf *gltf, const float elements[16], const char *where,
                            mrw_transform *local)
{
    mrw_mat34 matrix = mrw_mat34_from_column_major(elements);
    float lost = mrw_mat34_decompose(&matrix, local);
    if (!is_finite_transform(local))
        return mrwi_gltf_fail(gltf, MRW_ERR_INVALID_VALUE, where, "matrix", NULL,
                              "its numbers are too large to be taken apart");
    bool affine =
        elements[3] == 0.0f && elements[7] == 0.0f && elements[11] == 0.0f && elements[15] == 1.0f;
    if (lost > SHEAR_TOLERANCE || !affine)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "NODE_MATRIX_NON_TRS", where,
                           "the matrix has shear or perspective; the nearest translation, rotation "
                           "and scale is used",
                           1);
    return MRW_OK;
}

static void normalize_rotation(mrwi_gltf *gltf, const float q[4], const char *where,
                               mrw_transform *local)
{
    double squared = 0.0;
    for (uint32_t i = 0; i < 4; i++)
        squared += (double)q[i] * (double)q[i];
    double low = 1.0 - UNIT_ROTATION_TOLERANCE;
    double high = 1.0 + UNIT_ROTATION_TOLERANCE;
    if (squared < low * low || squared > high * high)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "ROTATION_NON_UNIT", where,
                           "the quaternion is not of unit length; it is normalised, and a zero one "
                           "is the identity",
                           1);
    mrw_quat rotation = {q[0], q[1], q[2], q[3]};
    local->rotation = mrw_quat_normalize(rotation);
}

static mrw_status read_transform(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                                 uint32_t index, mrw_transform *local)
{
    float t[3] = {0.0f, 0.0f, 0.0f};
    float q[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    float s[3] = {1.0f, 1.0f, 1.0f};
    float elements[16];
    bool has_t = false, has_q = false, has_s = false, has_matrix = false;
    MRWI_TRY(mrwi_gltf_floats(gltf, object, where, "translation", 3, t, &has_t));
    MRWI_TRY(mrwi_gltf_floats(gltf, object, where, "rotation", 4, q, &has_q));
    MRWI_TRY(mrwi_gltf_floats(gltf, object, where, "scale", 3, s, &has_s));
    MRWI_TRY(mrwi_gltf_floats(gltf, object, where, "matrix", 16, elements, &has_matrix));
    gltf->has_matrix[index] = has_matrix;
    if (has_matrix) {
        if (has_t || has_q || has_s)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "NODE_MATRIX_TRS", where,
                               "a node has a matrix and other transforms; the matrix counts", 1);
        return decompose(gltf, elements, where, local);
    }
    *local = mrw_transform_identity();
    mrw_vec3 translation = {t[0], t[1], t[2]};
    mrw_vec3 scale = {s[0], s[1], s[2]};
    local->translation = translation;
    local->scale = scale;
    if (has_q)
        normalize_rotation(gltf, q, where, local);
    return MRW_OK;
}

/* --- one node --------------------------------------------------------------------------------- */

static mrw_status read_weights(mrwi_gltf *gltf, const mrwi_json_value *object, const char *where,
                               mrw_scene_node *node)
{
    const mrwi_json_value *weights;
    char place[MRWI_GLTF_WHERE];
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "weights", MRWI_JSON_ARRAY, &weights));
    if (weights == NULL)
        return MRW_OK;
    mrwi_format(place, sizeof(place), "%s.weights", where);
    uint32_t target_count = node->mesh >= 0 ? gltf->scene->meshes[node->mesh].target_count : 0;
    if (weights->count != target_count)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR,
                           node->mesh < 0 ? "UNSATISFIED_DEPENDENCY" : "NODE_WEIGHTS_INVALID",
                           place,
                           "there are not as many weights as morph targets; missing ones are 0", 1);
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->arena, target_count, sizeof(float), place,
                             &node->morph_weights));
    node->morph_weight_count = target_count;
    for (uint32_t i = 0; i < weights->count && i < target_count; i++)
        MRWI_TRY(mrwi_gltf_float_value(gltf, mrwi_json_element(&gltf->json, weights, i), place, i,
                                       &node->morph_weights[i]));
    return MRW_OK;
}

static mrw_status import_node(mrwi_gltf *gltf, uint32_t index)
{
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    mrw_scene_node *node = &gltf->scene->nodes[index];
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_NODES, index, &object, where));
    MRWI_TRY(mrwi_gltf_string(gltf, object, "name", &node->name));
    MRWI_TRY(mrwi_gltf_index(gltf, object, where, "mesh", MRWI_GLTF_MESHES, &node->mesh));
    MRWI_TRY(mrwi_gltf_index(gltf, object, where, "skin", MRWI_GLTF_SKINS, &node->skin));
    node->parent = -1;
    MRWI_TRY(read_transform(gltf, object, where, index, &node->local));
    return read_weights(gltf, object, where, node);
}

/* --- hierarchy -------------------------------------------------------------------------------- */

/* The children of node i are list[first[i]] to list[first[i + 1] - 1]. */
typedef struct child_lists {
    uint32_t *first;
    int32_t *list;
} child_lists;

static mrw_status read_children(mrwi_gltf *gltf, uint32_t node, const mrwi_json_value *array,
                                int32_t *out)
{
    for (uint32_t i = 0; i < array->count; i++) {
        char where[MRWI_GLTF_WHERE];
        mrwi_format(where, sizeof(where), "nodes[%u].children[%u]", node, i);
        MRWI_TRY(mrwi_gltf_index_value(gltf, mrwi_json_element(&gltf->json, array, i), where,
                                       MRWI_GLTF_NODES, &out[i]));
    }
    return MRW_OK;
}

static mrw_status collect_children(mrwi_gltf *gltf, child_lists *children)
{
    uint32_t count = gltf->counts[MRWI_GLTF_NODES];
    const mrwi_json_value **arrays;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*arrays), "nodes", &arrays));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, (size_t)count + 1, sizeof(*children->first),
                             "nodes", &children->first));
    for (uint32_t i = 0; i < count; i++) {
        char where[MRWI_GLTF_WHERE];
        const mrwi_json_value *object;
        MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_NODES, i, &object, where));
        MRWI_TRY(mrwi_gltf_container(gltf, object, where, "children", MRWI_JSON_ARRAY, &arrays[i]));
        uint32_t child_count = arrays[i] != NULL ? arrays[i]->count : 0;
        if (arrays[i] != NULL && child_count == 0)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "EMPTY_ENTITY", where,
                               "the list of children is empty; it should be left out", 1);
        children->first[i + 1] = children->first[i] + child_count;
    }
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, children->first[count], sizeof(*children->list),
                             "nodes", &children->list));
    for (uint32_t i = 0; i < count; i++)
        if (arrays[i] != NULL)
            MRWI_TRY(read_children(gltf, i, arrays[i], children->list + children->first[i]));
    return MRW_OK;
}

/* Depth first, each edge once. A node is open while its descendants are walked: an edge to an
 * open node closes a cycle. Edges, not parents, are followed, so that a cycle is found also where
 * one of its nodes hangs from another place as well. */
static mrw_status refuse_cycles(mrwi_gltf *gltf, const child_lists *children)
{
    enum { UNSEEN, OPEN, DONE };
    uint32_t count = gltf->counts[MRWI_GLTF_NODES];
    uint8_t *states;
    uint32_t *next; /* the edge of each open node that is walked next */
    uint32_t *stack;
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*states), "nodes", &states));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*next), "nodes", &next));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*stack), "nodes", &stack));
    for (uint32_t root = 0; root < count; root++) {
        if (states[root] != UNSEEN)
            continue;
        uint32_t height = 0;
        stack[height++] = root;
        states[root] = OPEN;
        next[root] = children->first[root];
        while (height > 0) {
            uint32_t node = stack[height - 1];
            if (next[node] == children->first[node + 1]) {
                states[node] = DONE;
                height--;
                continue;
            }
            uint32_t edge = next[node]++;
            uint32_t child = (uint32_t)children->list[edge];
            if (states[child] == OPEN)
                return mrwi_fail(gltf->out_error, MRW_ERR_NODE_CYCLE, "nodes[%u].children[%u]",
                                 "node %u is its own ancestor: a node must not be below itself",
                                 node, edge - children->first[node], child);
            if (states[child] == UNSEEN) {
                states[child] = OPEN;
                next[child] = children->first[child];
                stack[height++] = child;
            }
        }
    }
    return MRW_OK;
}

static void set_parents(mrwi_gltf *gltf, const child_lists *children)
{
    mrw_scene *scene = gltf->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        for (uint32_t edge = children->first[i]; edge < children->first[i + 1]; edge++) {
            mrw_scene_node *child = &scene->nodes[children->list[edge]];
            if (child->parent < 0) {
                child->parent = (int32_t)i;
                continue;
            }
            char where[MRWI_GLTF_WHERE];
            mrwi_format(where, sizeof(where), "nodes[%u].children[%u]", i,
                        edge - children->first[i]);
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "NODE_PARENT_OVERRIDE", where,
                               "a node has two parents; the first one counts", 1);
        }
    }
}

/* --- scenes ----------------------------------------------------------------------------------- */

/* Marks the root nodes of the scene that is shown; all that have no parent if there is none. */
static mrw_status mark_roots(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    int32_t shown;
    char where[MRWI_GLTF_WHERE];
    const mrwi_json_value *object;
    const mrwi_json_value *roots;
    mrwi_gltf_soft_index(gltf, gltf->json.values, "", "scene", MRWI_GLTF_SCENES, &shown);
    if (gltf->counts[MRWI_GLTF_SCENES] == 0) {
        for (uint32_t i = 0; i < scene->node_count; i++)
            scene->nodes[i].in_scene = scene->nodes[i].parent < 0;
        return MRW_OK;
    }
    uint32_t index = shown >= 0 ? (uint32_t)shown : 0;
    MRWI_TRY(mrwi_gltf_item(gltf, MRWI_GLTF_SCENES, index, &object, where));
    MRWI_TRY(mrwi_gltf_container(gltf, object, where, "nodes", MRWI_JSON_ARRAY, &roots));
    if (roots != NULL && roots->count == 0)
        mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "EMPTY_ENTITY", where,
                           "the list of nodes is empty; it should be left out", 1);
    for (uint32_t i = 0; roots != NULL && i < roots->count; i++) {
        int32_t node;
        mrwi_format(where, sizeof(where), "scenes[%u].nodes[%u]", index, i);
        MRWI_TRY(mrwi_gltf_index_value(gltf, mrwi_json_element(&gltf->json, roots, i), where,
                                       MRWI_GLTF_NODES, &node));
        if (scene->nodes[node].parent >= 0)
            mrwi_gltf_diagnose(gltf, MRW_SEVERITY_ERROR, "SCENE_NON_ROOT_NODE", where,
                               "the scene shows a node that has a parent; the parent's transform "
                               "counts",
                               1);
        scene->nodes[node].in_scene = true;
    }
    return MRW_OK;
}

/* Everything below a marked node is shown. Each node is put on the stack once at most. */
static mrw_status mark_descendants(mrwi_gltf *gltf, const child_lists *children)
{
    mrw_scene *scene = gltf->scene;
    uint32_t *stack;
    uint32_t height = 0;
    MRWI_TRY(
        mrwi_gltf_alloc(gltf, gltf->scratch, scene->node_count, sizeof(*stack), "nodes", &stack));
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].in_scene)
            stack[height++] = i;
    while (height > 0) {
        uint32_t node = stack[--height];
        for (uint32_t edge = children->first[node]; edge < children->first[node + 1]; edge++) {
            mrw_scene_node *child = &scene->nodes[children->list[edge]];
            if (child->parent == (int32_t)node && !child->in_scene) {
                child->in_scene = true;
                stack[height++] = (uint32_t)children->list[edge];
            }
        }
    }
    return MRW_OK;
}

mrw_status mrwi_gltf_import_nodes(mrwi_gltf *gltf)
{
    mrw_scene *scene = gltf->scene;
    uint32_t count = gltf->counts[MRWI_GLTF_NODES];
    child_lists children = {NULL, NULL};
    MRWI_TRY(
        mrwi_gltf_alloc(gltf, gltf->arena, count, sizeof(*scene->nodes), "nodes", &scene->nodes));
    MRWI_TRY(mrwi_gltf_alloc(gltf, gltf->scratch, count, sizeof(*gltf->has_matrix), "nodes",
                             &gltf->has_matrix));
    for (uint32_t i = 0; i < count; i++)
        MRWI_TRY(import_node(gltf, i));
    scene->node_count = count;
    MRWI_TRY(collect_children(gltf, &children));
    MRWI_TRY(refuse_cycles(gltf, &children));
    set_parents(gltf, &children);
    MRWI_TRY(mark_roots(gltf));
    return mark_descendants(gltf, &children);
}
