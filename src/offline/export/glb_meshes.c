/* Meshes in a .glb.
 *
 * What the scene holds goes out bit for bit wherever glTF allows it. Where it does not, the
 * least is changed that makes it allowed: normals and tangents get unit length, colours are
 * clamped to 0..1, weights that do not sum to 1 or name a joint twice are brought
 * into order as building a character does, a primitive without influences in a skinned mesh is
 * bound to joint 0 as there. Primitives without a vertex or an index, and meshes without a
 * primitive, cannot be said in glTF and are left out.
 */
#include "offline/export/glb.h"

#include "base/error.h"
#include "offline/build/influences.h"

#include <string.h>

/* How far a normal may be from unit length: what 8-bit normals are, and the validator's limit. */
#define UNIT_TOLERANCE 0.005f

/* glTF's tolerance for the sum of a vertex's weights, for each weight that is not 0. */
#define WEIGHT_TOLERANCE 2e-7

static bool can_be_written(const mrw_scene_primitive *primitive)
{
    return primitive->vertex_count > 0 && primitive->index_count > 0;
}

static void write_attribute(mrwi_glb *glb, const char *name, const float *values, uint32_t count,
                            uint32_t width, mrwi_glb_use use)
{
    if (values == NULL)
        return;
    mrwi_glb_accessor accessor = {values, count, MRWI_GLB_FLOAT, width, use};
    mrwi_json_put_unsigned(&glb->json, name, mrwi_glb_add_accessor(glb, &accessor));
}

/* --- values that glTF has rules for ------------------------------------------------------- */

static double squared_length(const float *v)
{
    return (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
}

static bool is_unit(const float *v)
{
    double low = 1.0 - (double)UNIT_TOLERANCE;
    double high = 1.0 + (double)UNIT_TOLERANCE;
    double squared = squared_length(v);
    return squared >= low * low && squared <= high * high;
}

/* Unit length; Z where there is no direction. */
static void make_unit(float *v)
{
    float largest = 0.0f;
    for (uint32_t c = 0; c < 3; c++) {
        float magnitude = v[c] < 0.0f ? -v[c] : v[c];
        largest = magnitude > largest ? magnitude : largest;
    }
    if (!(largest > 0.0f)) {
        v[0] = 0.0f;
        v[1] = 0.0f;
        v[2] = 1.0f;
        return;
    }
    /* The largest component becomes 1 first: squares neither overflow nor vanish. */
    for (uint32_t c = 0; c < 3; c++)
        v[c] = v[c] / largest;
    float length = mrw_sqrt((float)squared_length(v));
    for (uint32_t c = 0; c < 3; c++)
        v[c] = v[c] / length;
}

static bool is_handedness(float w)
{
    return w == 1.0f || w == -1.0f;
}

/* Normals (width 3) or tangents (width 4, the last being the handedness) as glTF wants them: the
 * scene's own array if it is right. */
static const float *directions(mrwi_glb *glb, const float *values, uint32_t count, uint32_t width)
{
    if (values == NULL)
        return NULL;
    bool right = true;
    for (size_t i = 0; i < count && right; i++)
        right = is_unit(values + i * width) && (width == 3 || is_handedness(values[i * 4 + 3]));
    if (right)
        return values;
    float *fixed = mrwi_glb_alloc(glb, (size_t)count * width, sizeof(*fixed));
    if (fixed == NULL)
        return NULL;
    memcpy(fixed, values, (size_t)count * width * sizeof(*fixed));
    for (size_t i = 0; i < count; i++) {
        float *v = fixed + i * width;
        if (!is_unit(v))
            make_unit(v);
        if (width == 4 && !is_handedness(v[3]))
            v[3] = v[3] < 0.0f ? -1.0f : 1.0f;
    }
    return fixed;
}

static const float *clamped_colors(mrwi_glb *glb, const float *values, uint32_t count)
{
    size_t total = (size_t)count * 4;
    size_t i = 0;
    while (values != NULL && i < total && values[i] >= 0.0f && values[i] <= 1.0f)
        i++;
    if (values == NULL || i == total)
        return values;
    float *fixed = mrwi_glb_alloc(glb, total, sizeof(*fixed));
    for (i = 0; fixed != NULL && i < total; i++) {
        float value = values[i] > 0.0f ? values[i] : 0.0f;
        fixed[i] = value < 1.0f ? value : 1.0f;
    }
    return fixed;
}

/* --- influences --------------------------------------------------------------------------- */

typedef struct influence_arrays {
    uint32_t count; /* per vertex */
    const uint16_t *joints;
    const float *weights;
} influence_arrays;

static bool vertex_is_allowed(const uint16_t *joints, const float *weights, uint32_t count)
{
    double sum = 0.0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (weights[i] < 0.0f)
            return false;
        if (weights[i] == 0.0f)
            continue;
        for (uint32_t k = 0; k < i; k++)
            if (joints[k] == joints[i] && weights[k] > 0.0f)
                return false;
        sum += (double)weights[i];
        used++;
    }
    double tolerance = WEIGHT_TOLERANCE * (double)used;
    return sum >= 1.0 - tolerance && sum <= 1.0 + tolerance;
}

/* A search among all pairs is right for the few influences of a file; many more are
 * rare enough to be put in order in any case. */
#define MOST_INFLUENCES_TO_COMPARE 32

static bool influences_are_allowed(const mrw_scene_primitive *primitive)
{
    uint32_t count = primitive->influence_count;
    if (count > MOST_INFLUENCES_TO_COMPARE)
        return false;
    for (size_t v = 0; v < primitive->vertex_count; v++)
        if (!vertex_is_allowed(primitive->joints + v * count, primitive->weights + v * count,
                               count))
            return false;
    return true;
}

/* The influences as they can be written: the scene's if they are allowed, else put in order. */
static influence_arrays influences_of(mrwi_glb *glb, uint32_t mesh,
                                      const mrw_scene_primitive *primitive)
{
    influence_arrays result = {0, NULL, NULL};
    if (primitive->influence_count == 0) {
        if (!glb->skinned_meshes[mesh])
            return result;
        float *weights = mrwi_glb_alloc(glb, primitive->vertex_count, sizeof(*weights));
        result.joints = mrwi_glb_alloc(glb, primitive->vertex_count, sizeof(*result.joints));
        for (uint32_t v = 0; weights != NULL && v < primitive->vertex_count; v++)
            weights[v] = 1.0f;
        result.weights = weights;
        result.count = 1;
        return result;
    }
    if (influences_are_allowed(primitive)) {
        result.count = primitive->influence_count;
        result.joints = primitive->joints;
        result.weights = primitive->weights;
        return result;
    }
    mrw_scene_primitive copy = *primitive;
    mrw_scene_mesh alone = {"", 1, &copy, 0, NULL, NULL};
    mrwi_influences ordered;
    if (mrwi_build_influences(&alone, 0, glb->arena, &ordered) != MRW_OK) {
        glb->failed = true;
        return result;
    }
    result.count = ordered.count;
    result.joints = ordered.joints;
    result.weights = ordered.weights;
    return result;
}

/* A joint that has no weight is written as joint 0, as glTF asks. */
static uint16_t joint_at(const influence_arrays *influences, size_t place)
{
    return influences->weights[place] != 0.0f ? influences->joints[place] : 0;
}

/* One set of four: JOINTS_n in bytes if they fit, and WEIGHTS_n. Places past the last are 0. */
static void write_influence_set(mrwi_glb *glb, const influence_arrays *influences,
                                uint32_t vertex_count, uint32_t set, bool bytes)
{
    char name[24];
    float *weights = mrwi_glb_alloc(glb, (size_t)vertex_count * 4, sizeof(*weights));
    uint16_t *joints = mrwi_glb_alloc(glb, (size_t)vertex_count * 4, sizeof(*joints));
    if (glb->failed)
        return;
    uint32_t first = set * 4;
    uint32_t count = influences->count - first < 4 ? influences->count - first : 4;
    for (size_t v = 0; v < vertex_count; v++) {
        for (uint32_t i = 0; i < count; i++) {
            size_t place = v * influences->count + first + i;
            weights[v * 4 + i] = influences->weights[place];
            joints[v * 4 + i] = joint_at(influences, place);
        }
    }
    mrwi_glb_accessor accessor = {joints, vertex_count, MRWI_GLB_UINT16, 4, MRWI_GLB_USE_VERTICES};
    if (bytes) {
        /* In place: byte i is written after the two bytes of number i were read. */
        uint8_t *narrow = (uint8_t *)joints;
        for (size_t i = 0; i < (size_t)vertex_count * 4; i++)
            narrow[i] = (uint8_t)joints[i];
        accessor.component = MRWI_GLB_UINT8;
    }
    mrwi_format(name, sizeof(name), "JOINTS_%u", set);
    mrwi_json_put_unsigned(&glb->json, name, mrwi_glb_add_accessor(glb, &accessor));
    mrwi_format(name, sizeof(name), "WEIGHTS_%u", set);
    write_attribute(glb, name, weights, vertex_count, 4, MRWI_GLB_USE_VERTICES);
}

static void write_influences(mrwi_glb *glb, uint32_t mesh, const mrw_scene_primitive *primitive)
{
    influence_arrays influences = influences_of(glb, mesh, primitive);
    if (glb->failed)
        return;
    bool bytes = true;
    for (size_t i = 0; i < (size_t)primitive->vertex_count * influences.count; i++)
        bytes = bytes && joint_at(&influences, i) <= UINT8_MAX;
    for (uint32_t set = 0; set * 4 < influences.count; set++)
        write_influence_set(glb, &influences, primitive->vertex_count, set, bytes);
}

/* --- primitives --------------------------------------------------------------------------- */

/* A texture needs coordinates; 0 is what building a character gives where there are none. */
static const float *texcoords_of(mrwi_glb *glb, const mrw_scene_primitive *primitive)
{
    if (primitive->texcoords != NULL || primitive->material < 0)
        return primitive->texcoords;
    int32_t image = glb->scene->materials[primitive->material].base_color_image;
    if (image < 0 || glb->image_numbers[image] == MRWI_GLB_NONE)
        return NULL;
    return mrwi_glb_alloc(glb, (size_t)primitive->vertex_count * 2, sizeof(float));
}

static bool has_tangents(const mrw_scene_primitive *primitive)
{
    return primitive->normals != NULL && primitive->tangents != NULL &&
           primitive->topology != MRW_TOPOLOGY_POINTS;
}

static void write_attributes(mrwi_glb *glb, uint32_t mesh, const mrw_scene_primitive *primitive)
{
    uint32_t count = primitive->vertex_count;
    mrwi_json_put_open(&glb->json, "attributes", '{');
    write_attribute(glb, "POSITION", primitive->positions, count, 3, MRWI_GLB_USE_POSITIONS);
    write_attribute(glb, "NORMAL", directions(glb, primitive->normals, count, 3), count, 3,
                    MRWI_GLB_USE_VERTICES);
    if (has_tangents(primitive))
        write_attribute(glb, "TANGENT", directions(glb, primitive->tangents, count, 4), count, 4,
                        MRWI_GLB_USE_VERTICES);
    write_attribute(glb, "TEXCOORD_0", texcoords_of(glb, primitive), count, 2,
                    MRWI_GLB_USE_VERTICES);
    write_attribute(glb, "COLOR_0", clamped_colors(glb, primitive->colors, count), count, 4,
                    MRWI_GLB_USE_VERTICES);
    write_influences(glb, mesh, primitive);
    mrwi_json_put_close(&glb->json, '}');
}

/* A target that moves nothing still has its place: it is written as one of zeros. */
static void write_target(mrwi_glb *glb, const mrw_scene_primitive *primitive,
                         const mrw_scene_target *target)
{
    uint32_t count = primitive->vertex_count;
    const float *positions = target->positions;
    const float *normals = primitive->normals != NULL ? target->normals : NULL;
    const float *tangents = has_tangents(primitive) ? target->tangents : NULL;
    if (positions == NULL && normals == NULL && tangents == NULL)
        positions = mrwi_glb_alloc(glb, (size_t)count * 3, sizeof(*positions));
    mrwi_json_put_open(&glb->json, NULL, '{');
    write_attribute(glb, "POSITION", positions, count, 3, MRWI_GLB_USE_POSITION_DIFFERENCES);
    write_attribute(glb, "NORMAL", normals, count, 3, MRWI_GLB_USE_DIFFERENCES);
    write_attribute(glb, "TANGENT", tangents, count, 3, MRWI_GLB_USE_DIFFERENCES);
    mrwi_json_put_close(&glb->json, '}');
}

/* 16 bits where they do: 65535 itself is no index but "start anew". */
static uint32_t add_indices(mrwi_glb *glb, const mrw_scene_primitive *primitive)
{
    mrwi_glb_accessor accessor = {primitive->indices, primitive->index_count, MRWI_GLB_UINT32, 1,
                                  MRWI_GLB_USE_INDICES};
    if (primitive->vertex_count <= UINT16_MAX) {
        uint16_t *narrow = mrwi_glb_alloc(glb, primitive->index_count, sizeof(*narrow));
        if (narrow == NULL)
            return MRWI_GLB_NONE;
        for (uint32_t i = 0; i < primitive->index_count; i++)
            narrow[i] = (uint16_t)primitive->indices[i];
        accessor.data = narrow;
        accessor.component = MRWI_GLB_UINT16;
    }
    return mrwi_glb_add_accessor(glb, &accessor);
}

static void write_primitive(mrwi_glb *glb, uint32_t mesh, const mrw_scene_primitive *primitive)
{
    static const uint32_t modes[] = {0, 1, 4}; /* points, lines, triangles */
    mrwi_json_text *json = &glb->json;
    mrwi_json_put_open(json, NULL, '{');
    write_attributes(glb, mesh, primitive);
    mrwi_json_put_unsigned(json, "indices", add_indices(glb, primitive));
    if (primitive->topology != MRW_TOPOLOGY_TRIANGLES)
        mrwi_json_put_unsigned(json, "mode", modes[primitive->topology]);
    if (primitive->material >= 0)
        mrwi_json_put_unsigned(json, "material", (uint32_t)primitive->material);
    uint32_t target_count = glb->scene->meshes[mesh].target_count;
    if (target_count > 0) {
        mrwi_json_put_open(json, "targets", '[');
        for (uint32_t i = 0; i < target_count; i++)
            write_target(glb, primitive, &primitive->targets[i]);
        mrwi_json_put_close(json, ']');
    }
    mrwi_json_put_close(json, '}');
}

/* --- meshes ------------------------------------------------------------------------------- */

/* The names of targets have no place of their own in glTF; `extras` is where tools agree to
 * put them. */
static void write_targets(mrwi_json_text *json, const mrw_scene_mesh *mesh)
{
    if (mesh->target_count == 0)
        return;
    mrwi_json_put_floats(json, "weights", mesh->target_weights, mesh->target_count);
    bool named = false;
    for (uint32_t i = 0; i < mesh->target_count; i++)
        named = named || mesh->target_names[i][0] != '\0';
    if (!named)
        return;
    mrwi_json_put_open(json, "extras", '{');
    mrwi_json_put_open(json, "targetNames", '[');
    for (uint32_t i = 0; i < mesh->target_count; i++)
        mrwi_json_put_string(json, NULL, mesh->target_names[i]);
    mrwi_json_put_close(json, ']');
    mrwi_json_put_close(json, '}');
}

static void write_mesh(mrwi_glb *glb, uint32_t index)
{
    const mrw_scene_mesh *mesh = &glb->scene->meshes[index];
    mrwi_json_text *json = &glb->json;
    mrwi_json_put_open(json, NULL, '{');
    if (mesh->name[0] != '\0')
        mrwi_json_put_string(json, "name", mesh->name);
    mrwi_json_put_open(json, "primitives", '[');
    for (uint32_t p = 0; p < mesh->primitive_count; p++)
        if (can_be_written(&mesh->primitives[p]))
            write_primitive(glb, index, &mesh->primitives[p]);
    mrwi_json_put_close(json, ']');
    write_targets(json, mesh);
    mrwi_json_put_close(json, '}');
}

bool mrwi_glb_number_meshes(mrwi_glb *glb)
{
    const mrw_scene *scene = glb->scene;
    glb->mesh_numbers = mrwi_glb_alloc(glb, scene->mesh_count, sizeof(*glb->mesh_numbers));
    glb->skinned_meshes = mrwi_glb_alloc(glb, scene->mesh_count, sizeof(*glb->skinned_meshes));
    if (glb->failed)
        return false;
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].mesh >= 0 && scene->nodes[i].skin >= 0)
            glb->skinned_meshes[scene->nodes[i].mesh] = true;
    uint32_t number = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        bool written = false;
        bool has_influences = false;
        for (uint32_t p = 0; p < scene->meshes[i].primitive_count; p++) {
            const mrw_scene_primitive *primitive = &scene->meshes[i].primitives[p];
            written = written || can_be_written(primitive);
            has_influences = has_influences || primitive->influence_count > 0;
        }
        glb->mesh_numbers[i] = written ? number++ : MRWI_GLB_NONE;
        glb->skinned_meshes[i] = glb->skinned_meshes[i] && has_influences;
    }
    return true;
}

void mrwi_glb_write_meshes(mrwi_glb *glb)
{
    bool opened = false;
    for (uint32_t i = 0; i < glb->scene->mesh_count && !glb->failed; i++) {
        if (glb->mesh_numbers[i] == MRWI_GLB_NONE)
            continue;
        if (!opened)
            mrwi_json_put_open(&glb->json, "meshes", '[');
        opened = true;
        write_mesh(glb, i);
    }
    if (opened)
        mrwi_json_put_close(&glb->json, ']');
}
