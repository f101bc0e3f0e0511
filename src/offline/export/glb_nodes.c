/* Nodes, scenes and skins in a .glb.
 *
 * Nodes keep their numbers. glTF asks three things that a scene need not fulfil, and each is
 * met with the smallest addition:
 *
 * - A scene lists roots. A node is shown by listing the root above it.
 * - The joints of a skin have a common root. If they stand in several trees, one more node at the
 *   end, without a transform, becomes the parent of those trees.
 * - Who shows a skinned mesh shows its joints: their root is listed too.
 *
 * A skin that names one node twice cannot be said in glTF and is an error.
 */
#include "offline/export/glb.h"

#include "base/error.h"

#include <string.h>

typedef struct node_writer {
    mrwi_glb *glb;
    int32_t *roots;        /* [node_count] the root above each node */
    int32_t *first_child;  /* [node_count] or -1 */
    int32_t *next_sibling; /* [node_count] or -1 */
    bool *joined;          /* [node_count] root that gets the added node as its parent */
    bool *shown;           /* [node_count] root that the scene lists */
    bool has_joining_node;
} node_writer;

/* The root above each node: walk up to a node that is known, then tell all on the way. */
static void find_roots(const mrw_scene *scene, int32_t *roots)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        roots[i] = -1;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        int32_t node = (int32_t)i;
        while (roots[node] < 0 && scene->nodes[node].parent >= 0)
            node = scene->nodes[node].parent;
        int32_t root = roots[node] >= 0 ? roots[node] : node;
        for (node = (int32_t)i; node >= 0 && roots[node] < 0; node = scene->nodes[node].parent)
            roots[node] = root;
    }
}

/* Children as linked lists, each in the file's order. */
static void link_children(const mrw_scene *scene, int32_t *first_child, int32_t *next_sibling)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        first_child[i] = -1;
    for (uint32_t i = scene->node_count; i-- > 0;) {
        int32_t parent = scene->nodes[i].parent;
        next_sibling[i] = parent >= 0 ? first_child[parent] : -1;
        if (parent >= 0)
            first_child[parent] = (int32_t)i;
    }
}

static bool is_skinned(const mrwi_glb *glb, const mrw_scene_node *node)
{
    return node->skin >= 0 && node->mesh >= 0 && glb->skinned_meshes[node->mesh] &&
           glb->mesh_numbers[node->mesh] != MRWI_GLB_NONE;
}

static void join_trees(node_writer *writer)
{
    const mrw_scene *scene = writer->glb->scene;
    for (uint32_t s = 0; s < scene->skin_count; s++) {
        const mrw_scene_skin *skin = &scene->skins[s];
        bool several = false;
        for (uint32_t i = 1; i < skin->joint_count; i++)
            several = several || writer->roots[skin->joints[i]] != writer->roots[skin->joints[0]];
        for (uint32_t i = 0; several && i < skin->joint_count; i++)
            writer->joined[writer->roots[skin->joints[i]]] = true;
        writer->has_joining_node = writer->has_joining_node || several;
    }
}

static void show_roots(node_writer *writer)
{
    const mrw_scene *scene = writer->glb->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const mrw_scene_node *node = &scene->nodes[i];
        if (!node->in_scene)
            continue;
        writer->shown[writer->roots[i]] = true;
        /* All joints of a skin have one root, or roots that are joined: the first tells. */
        if (is_skinned(writer->glb, node))
            writer->shown[writer->roots[scene->skins[node->skin].joints[0]]] = true;
    }
}

static bool prepare(node_writer *writer, mrwi_glb *glb)
{
    uint32_t count = glb->scene->node_count;
    memset(writer, 0, sizeof(*writer));
    writer->glb = glb;
    writer->roots = mrwi_glb_alloc(glb, count, sizeof(*writer->roots));
    writer->first_child = mrwi_glb_alloc(glb, count, sizeof(*writer->first_child));
    writer->next_sibling = mrwi_glb_alloc(glb, count, sizeof(*writer->next_sibling));
    writer->joined = mrwi_glb_alloc(glb, count, sizeof(*writer->joined));
    writer->shown = mrwi_glb_alloc(glb, count, sizeof(*writer->shown));
    if (glb->failed)
        return false;
    find_roots(glb->scene, writer->roots);
    link_children(glb->scene, writer->first_child, writer->next_sibling);
    join_trees(writer);
    show_roots(writer);
    return true;
}

static void write_scenes(const node_writer *writer)
{
    mrwi_json_text *json = &writer->glb->json;
    uint32_t count = writer->glb->scene->node_count;
    bool any = false;
    bool joining_node = false;
    for (uint32_t i = 0; i < count; i++) {
        any = any || writer->shown[i];
        joining_node = joining_node || (writer->shown[i] && writer->joined[i]);
    }
    if (!any)
        return;
    mrwi_json_put_unsigned(json, "scene", 0);
    mrwi_json_put_open(json, "scenes", '[');
    mrwi_json_put_open(json, NULL, '{');
    mrwi_json_put_open(json, "nodes", '[');
    for (uint32_t i = 0; i < count; i++)
        if (writer->shown[i] && !writer->joined[i])
            mrwi_json_put_unsigned(json, NULL, i);
    if (joining_node)
        mrwi_json_put_unsigned(json, NULL, count);
    mrwi_json_put_close(json, ']');
    mrwi_json_put_close(json, '}');
    mrwi_json_put_close(json, ']');
}

/* A transform's part is left out where it is the default, bit for bit: -0 is kept. */
static void write_part(mrwi_json_text *json, const char *key, const float *values,
                       const float *defaults, size_t count)
{
    if (memcmp(values, defaults, count * sizeof(*values)) != 0)
        mrwi_json_put_floats(json, key, values, count);
}

static float clamp_component(float value)
{
    return value < -1.0f ? -1.0f : (value > 1.0f ? 1.0f : value);
}

/* A rotation that is further from unit length than rounding explains is normalised; and no
 * component may be above 1, not even by its last bit. */
static mrw_quat unit_rotation(mrw_quat q)
{
    float squared = mrw_quat_dot(q, q);
    if (squared < 0.9999f || squared > 1.0001f)
        q = mrw_quat_normalize(q);
    mrw_quat clamped = {clamp_component(q.x), clamp_component(q.y), clamp_component(q.z),
                        clamp_component(q.w)};
    return clamped;
}

static void write_transform(mrwi_json_text *json, const mrw_transform *local)
{
    static const float zero[] = {0, 0, 0};
    static const float one[] = {1, 1, 1};
    static const float identity[] = {0, 0, 0, 1};
    mrw_quat q = unit_rotation(local->rotation);
    const float translation[] = {local->translation.x, local->translation.y, local->translation.z};
    const float rotation[] = {q.x, q.y, q.z, q.w};
    const float scale[] = {local->scale.x, local->scale.y, local->scale.z};
    write_part(json, "translation", translation, zero, 3);
    write_part(json, "rotation", rotation, identity, 4);
    write_part(json, "scale", scale, one, 3);
}

static void write_node(const node_writer *writer, uint32_t index)
{
    const mrwi_glb *glb = writer->glb;
    const mrw_scene_node *node = &glb->scene->nodes[index];
    mrwi_json_text *json = &writer->glb->json;
    mrwi_json_put_open(json, NULL, '{');
    if (node->name[0] != '\0')
        mrwi_json_put_string(json, "name", node->name);
    if (writer->first_child[index] >= 0) {
        mrwi_json_put_open(json, "children", '[');
        for (int32_t c = writer->first_child[index]; c >= 0; c = writer->next_sibling[c])
            mrwi_json_put_unsigned(json, NULL, (uint32_t)c);
        mrwi_json_put_close(json, ']');
    }
    write_transform(json, &node->local);
    if (node->mesh >= 0 && glb->mesh_numbers[node->mesh] != MRWI_GLB_NONE) {
        mrwi_json_put_unsigned(json, "mesh", glb->mesh_numbers[node->mesh]);
        if (is_skinned(glb, node))
            mrwi_json_put_unsigned(json, "skin", (uint32_t)node->skin);
        if (node->morph_weight_count > 0)
            mrwi_json_put_floats(json, "weights", node->morph_weights, node->morph_weight_count);
    }
    mrwi_json_put_close(json, '}');
}

static void write_joining_node(const node_writer *writer)
{
    mrwi_json_text *json = &writer->glb->json;
    mrwi_json_put_open(json, NULL, '{');
    mrwi_json_put_open(json, "children", '[');
    for (uint32_t i = 0; i < writer->glb->scene->node_count; i++)
        if (writer->joined[i])
            mrwi_json_put_unsigned(json, NULL, i);
    mrwi_json_put_close(json, ']');
    mrwi_json_put_close(json, '}');
}

static void write_all_nodes(const node_writer *writer)
{
    mrwi_json_text *json = &writer->glb->json;
    if (writer->glb->scene->node_count == 0)
        return;
    mrwi_json_put_open(json, "nodes", '[');
    for (uint32_t i = 0; i < writer->glb->scene->node_count; i++)
        write_node(writer, i);
    if (writer->has_joining_node)
        write_joining_node(writer);
    mrwi_json_put_close(json, ']');
}

/* --- skins -------------------------------------------------------------------------------- */

static mrw_status check_joints(mrwi_glb *glb)
{
    const mrw_scene *scene = glb->scene;
    uint32_t *last_skins = mrwi_glb_alloc(glb, scene->node_count, sizeof(*last_skins));
    if (last_skins == NULL)
        return MRW_OK;
    for (uint32_t s = 0; s < scene->skin_count; s++)
        for (uint32_t i = 0; i < scene->skins[s].joint_count; i++) {
            uint32_t *last_skin = &last_skins[scene->skins[s].joints[i]];
            if (*last_skin == s + 1)
                return mrwi_fail(glb->out_error, MRW_ERR_INCONSISTENT, "skins[%u].joints[%u]",
                                 "node %d is a joint of this skin already; glTF cannot say that", s,
                                 i, scene->skins[s].joints[i]);
            *last_skin = s + 1;
        }
    return MRW_OK;
}

static void write_inverse_binds(mrwi_glb *glb, const mrw_scene_skin *skin)
{
    if (skin->inverse_binds == NULL)
        return;
    float *elements = mrwi_glb_alloc(glb, (size_t)skin->joint_count * 16, sizeof(*elements));
    if (elements == NULL)
        return;
    for (size_t i = 0; i < skin->joint_count; i++)
        mrw_mat34_to_column_major(&skin->inverse_binds[i], elements + i * 16);
    mrwi_glb_accessor accessor = {elements, skin->joint_count, MRWI_GLB_FLOAT, 16,
                                  MRWI_GLB_USE_MATRICES};
    mrwi_json_put_unsigned(&glb->json, "inverseBindMatrices",
                           mrwi_glb_add_accessor(glb, &accessor));
}

static void write_skin(mrwi_glb *glb, const mrw_scene_skin *skin)
{
    mrwi_json_text *json = &glb->json;
    mrwi_json_put_open(json, NULL, '{');
    if (skin->name[0] != '\0')
        mrwi_json_put_string(json, "name", skin->name);
    mrwi_json_put_open(json, "joints", '[');
    for (uint32_t i = 0; i < skin->joint_count; i++)
        mrwi_json_put_unsigned(json, NULL, (uint32_t)skin->joints[i]);
    mrwi_json_put_close(json, ']');
    write_inverse_binds(glb, skin);
    mrwi_json_put_close(json, '}');
}

mrw_status mrwi_glb_write_nodes(mrwi_glb *glb)
{
    mrw_status status = check_joints(glb);
    node_writer writer;
    if (status != MRW_OK || !prepare(&writer, glb))
        return status;
    write_scenes(&writer);
    write_all_nodes(&writer);
    if (glb->scene->skin_count > 0) {
        mrwi_json_put_open(&glb->json, "skins", '[');
        for (uint32_t i = 0; i < glb->scene->skin_count; i++)
            write_skin(glb, &glb->scene->skins[i]);
        mrwi_json_put_close(&glb->json, ']');
    }
    return MRW_OK;
}
