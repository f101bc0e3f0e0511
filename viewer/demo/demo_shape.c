#include "demo_shape.h"

#include "demo_vec.h"

#include <string.h>

/* --- influences -------------------------------------------------------------------- */

void demo_influences_add(demo_influences *influences, uint32_t joint, float weight)
{
    if (weight <= 0.0f)
        return;
    for (int i = 0; i < DEMO_INFLUENCES; i++) {
        bool is_free = influences->weights[i] == 0.0f;
        if (is_free || influences->joints[i] == joint) {
            influences->joints[i] = (uint16_t)joint;
            influences->weights[i] += weight;
            return;
        }
    }
}

void demo_influences_normalize(demo_influences *influences)
{
    float sum = 0.0f;
    for (int i = 0; i < DEMO_INFLUENCES; i++)
        sum += influences->weights[i];
    float rest = 1.0f;
    for (int i = 1; i < DEMO_INFLUENCES; i++) {
        influences->weights[i] /= sum;
        rest -= influences->weights[i];
    }
    influences->weights[0] = rest;
}

/* --- meshes ------------------------------------------------------------------------- */

/* Makes room for one more element. The outgrown array stays with the scene until that is freed. */
static void *grow(demo_mesh *mesh, void *array, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    uint32_t wanted = *capacity == 0 ? 1024 : *capacity * 2;
    void *grown = mrw_scene_alloc(mesh->scene, wanted, size);
    if (grown == NULL) {
        mesh->failed = true;
        return NULL;
    }
    if (count > 0)
        memcpy(grown, array, count * size);
    *capacity = wanted;
    return grown;
}

static uint32_t add_vertex(demo_mesh *mesh, demo_part *part, const demo_vertex *vertex)
{
    void *grown = grow(mesh, part->vertices, part->vertex_count, &part->vertex_capacity,
                       sizeof(*part->vertices));
    if (grown == NULL)
        return 0;
    part->vertices = grown;
    part->vertices[part->vertex_count] = *vertex;
    return part->vertex_count++;
}

static void add_index(demo_mesh *mesh, demo_part *part, uint32_t index)
{
    void *grown =
        grow(mesh, part->indices, part->index_count, &part->index_capacity, sizeof(*part->indices));
    if (grown == NULL)
        return;
    part->indices = grown;
    part->indices[part->index_count++] = index;
}

static bool finish_part(mrw_scene *scene, const demo_part *part, mrw_scene_primitive *out)
{
    uint32_t count = part->vertex_count;
    out->topology = MRW_TOPOLOGY_TRIANGLES;
    out->vertex_count = count;
    out->positions = mrw_scene_alloc(scene, count, 3 * sizeof(float));
    out->normals = mrw_scene_alloc(scene, count, 3 * sizeof(float));
    out->influence_count = DEMO_INFLUENCES;
    out->joints = mrw_scene_alloc(scene, count, DEMO_INFLUENCES * sizeof(uint16_t));
    out->weights = mrw_scene_alloc(scene, count, DEMO_INFLUENCES * sizeof(float));
    out->index_count = part->index_count;
    out->indices = part->indices;
    if (!out->positions || !out->normals || !out->joints || !out->weights)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const demo_vertex *vertex = &part->vertices[i];
        memcpy(out->positions + i * 3, &vertex->position, sizeof(vertex->position));
        memcpy(out->normals + i * 3, &vertex->normal, sizeof(vertex->normal));
        memcpy(out->joints + i * DEMO_INFLUENCES, vertex->influences.joints,
               sizeof(vertex->influences.joints));
        memcpy(out->weights + i * DEMO_INFLUENCES, vertex->influences.weights,
               sizeof(vertex->influences.weights));
    }
    return true;
}

bool demo_mesh_finish(demo_mesh *mesh, mrw_scene_mesh *out_mesh)
{
    mrw_scene_primitive *primitives =
        mrw_scene_alloc(mesh->scene, DEMO_MATERIAL_LIMIT, sizeof(*primitives));
    if (mesh->failed || primitives == NULL)
        return false;
    out_mesh->primitives = primitives;
    for (int32_t i = 0; i < DEMO_MATERIAL_LIMIT; i++) {
        if (mesh->parts[i].index_count == 0)
            continue;
        mrw_scene_primitive *primitive = &primitives[out_mesh->primitive_count++];
        primitive->material = i;
        if (!finish_part(mesh->scene, &mesh->parts[i], primitive))
            return false;
    }
    return true;
}

/* --- grids --------------------------------------------------------------------------- */

bool demo_grid_create(demo_mesh *mesh, uint32_t ring_count, uint32_t segment_count,
                      demo_grid *out_grid)
{
    size_t count = (size_t)ring_count * segment_count;
    out_grid->ring_count = ring_count;
    out_grid->segment_count = segment_count;
    out_grid->points = mrw_scene_alloc(mesh->scene, count, sizeof(*out_grid->points));
    out_grid->influences = mrw_scene_alloc(mesh->scene, count, sizeof(*out_grid->influences));
    out_grid->materials = mrw_scene_alloc(mesh->scene, count, sizeof(*out_grid->materials));
    bool done = out_grid->points && out_grid->influences && out_grid->materials;
    mesh->failed = mesh->failed || !done;
    return done;
}

/* A grid on its way into the mesh. */
typedef struct grid_pass {
    const demo_grid *grid;
    mrw_vec3 *normals;
    uint32_t *vertices; /* [point count] vertex of each point in the part of `material`, UINT32_MAX
                         * if it has none yet */
    uint32_t material;
    const uint16_t *mirror_joints;
} grid_pass;

static bool same_point(mrw_vec3 a, mrw_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The grid's point (ring, segment), wrapped around; all points of a pole are its first. */
static uint32_t point_index(const demo_grid *grid, uint32_t ring, uint32_t segment)
{
    uint32_t first = ring * grid->segment_count;
    uint32_t across = first + grid->segment_count / 2;
    if (same_point(grid->points[first], grid->points[across]))
        return first;
    return first + segment % grid->segment_count;
}

/* The corners of a face's two triangles, as points. */
static void face_corners(const demo_grid *grid, uint32_t ring, uint32_t segment, uint32_t out[6])
{
    uint32_t a = point_index(grid, ring, segment);
    uint32_t b = point_index(grid, ring, segment + 1);
    uint32_t c = point_index(grid, ring + 1, segment + 1);
    uint32_t d = point_index(grid, ring + 1, segment);
    const uint32_t corners[6] = {a, b, c, a, c, d};
    memcpy(out, corners, sizeof(corners));
}

static bool is_flat(const uint32_t corners[3])
{
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

/* Each vertex gets the sum of its triangles' normals, weighted by their areas. */
static void sum_normals(const demo_grid *grid, mrw_vec3 *normals)
{
    for (uint32_t ring = 0; ring + 1 < grid->ring_count; ring++) {
        for (uint32_t segment = 0; segment < grid->segment_count; segment++) {
            uint32_t corners[6];
            face_corners(grid, ring, segment, corners);
            for (int t = 0; t < 6; t += 3) {
                mrw_vec3 a = grid->points[corners[t]];
                mrw_vec3 ab = demo_sub(grid->points[corners[t + 1]], a);
                mrw_vec3 ac = demo_sub(grid->points[corners[t + 2]], a);
                mrw_vec3 normal = demo_cross(ab, ac);
                for (int i = t; i < t + 3; i++)
                    normals[corners[i]] = demo_add(normals[corners[i]], normal);
            }
        }
    }
}

static uint32_t vertex_of_point(demo_mesh *mesh, const grid_pass *pass, uint32_t point)
{
    if (pass->vertices[point] != UINT32_MAX)
        return pass->vertices[point];
    demo_vertex vertex = {pass->grid->points[point], demo_normalize(pass->normals[point]),
                          pass->grid->influences[point]};
    if (pass->mirror_joints != NULL) {
        vertex.position.x = -vertex.position.x;
        vertex.normal.x = -vertex.normal.x;
        for (int i = 0; i < DEMO_INFLUENCES; i++)
            if (vertex.influences.weights[i] > 0.0f)
                vertex.influences.joints[i] = pass->mirror_joints[vertex.influences.joints[i]];
    }
    return pass->vertices[point] = add_vertex(mesh, &mesh->parts[pass->material], &vertex);
}

static void add_triangle(demo_mesh *mesh, const grid_pass *pass, const uint32_t corners[3])
{
    if (is_flat(corners))
        return;
    for (int i = 0; i < 3; i++) {
        int corner = pass->mirror_joints != NULL ? 2 - i : i; /* a mirror turns the winding */
        add_index(mesh, &mesh->parts[pass->material], vertex_of_point(mesh, pass, corners[corner]));
    }
}

static void add_faces_of_material(demo_mesh *mesh, const grid_pass *pass)
{
    const demo_grid *grid = pass->grid;
    for (uint32_t ring = 0; ring + 1 < grid->ring_count; ring++) {
        for (uint32_t segment = 0; segment < grid->segment_count; segment++) {
            if (grid->materials[ring * grid->segment_count + segment] != pass->material)
                continue;
            uint32_t corners[6];
            face_corners(grid, ring, segment, corners);
            add_triangle(mesh, pass, corners);
            add_triangle(mesh, pass, corners + 3);
        }
    }
}

void demo_grid_add(demo_mesh *mesh, const demo_grid *grid, const uint16_t *mirror_joints)
{
    size_t count = (size_t)grid->ring_count * grid->segment_count;
    grid_pass pass = {grid, mrw_scene_alloc(mesh->scene, count, sizeof(mrw_vec3)),
                      mrw_scene_alloc(mesh->scene, count, sizeof(uint32_t)), 0, mirror_joints};
    if (mesh->failed || pass.normals == NULL || pass.vertices == NULL) {
        mesh->failed = true;
        return;
    }
    sum_normals(grid, pass.normals);
    for (pass.material = 0; pass.material < DEMO_MATERIAL_LIMIT; pass.material++) {
        memset(pass.vertices, 0xff, count * sizeof(*pass.vertices));
        add_faces_of_material(mesh, &pass);
    }
}
