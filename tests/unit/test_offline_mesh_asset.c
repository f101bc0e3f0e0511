/* Mesh and materials assets: docs/format/mesh_v1.md and materials_v1.md, the bytes read by hand and
 * by their _open functions; characters out of files with meshes. */
#include <marrow/mesh.h>
#include <marrow/offline/export.h>
#include <marrow/offline/load.h>

#include "unit/asset_damage.h"
#include "unit/handmade_scene.h"
#include "unit/same_mesh.h"

enum { ROOT, ARM, BODY, BOX, TWIN, NODES };

/* A mesh of two parts with influences and three targets, at a node with a skin and at one without;
 * and a rigid mesh. Weights are whole 255ths where `whole`. */
static mrw_scene *make_scene(bool whole)
{
    static const int32_t joints[] = {ROOT, ARM};
    static const uint16_t influence_joints[] = {0, 1, 1, 0, 1, 0};
    static const float thirds[] = {0.7f, 0.3f, 1, 0, 0.6f, 0.4f};
    static const float wholes[] = {204 / 255.0f, 51 / 255.0f, 1, 0, 153 / 255.0f, 102 / 255.0f};
    static const float texcoords[] = {0, 0.25f, 0.5f, 0.75f, 1, 0};
    static const char *const target_names[] = {"wide", "bl\xc3\xa4h", ""};
    static const float rest[] = {0.25f, 0, 0};
    static const float one_moves[] = {0, 0, 0, 0, 0.5f, 0, 0, 0, 0};
    static const float all_move[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const float normals[] = {0, 0, 1, 0, 1, 0, 1, 0, 0};
    static const float color[] = {0.5f, 0.25f, 1, 0.75f};
    static const uint8_t picture[] = {1, 2, 3, 4, 5};
    mrw_scene *scene = new_scene(NODES);
    static const char *const names[] = {"root", "arm", "body", "box", "twin"};
    for (int i = 0; i < NODES; i++) {
        scene->nodes[i].name = names[i];
        scene->nodes[i].parent = i == ROOT ? -1 : ROOT;
        scene->nodes[i].local.translation.y = (float)i;
    }
    scene->nodes[BOX].mesh = add_mesh(scene, "crate", 1);
    scene->nodes[BODY].mesh = scene->nodes[TWIN].mesh = add_mesh(scene, "cloth", 2);
    scene->nodes[BODY].skin = add_skin(scene, 2, joints);
    mrw_scene_mesh *cloth = &scene->meshes[1];
    set_targets(scene, 1, 3, target_names, rest);
    for (uint32_t p = 0; p < 2; p++) {
        set_influences(scene, &cloth->primitives[p], 2, influence_joints, whole ? wholes : thirds);
        cloth->primitives[p].normals = scene_floats(scene, normals, 9);
    }
    cloth->primitives[1].texcoords = scene_floats(scene, texcoords, 6);
    cloth->primitives[1].material = 1;
    cloth->primitives[0].targets[0].positions = scene_floats(scene, one_moves, 9);
    cloth->primitives[0].targets[1].positions = scene_floats(scene, all_move, 9);
    cloth->primitives[1].targets[1].positions = scene_floats(scene, all_move, 9);
    cloth->primitives[1].targets[1].normals = scene_floats(scene, normals, 9);

    scene->material_count = 2;
    scene->materials = mrw_scene_alloc(scene, 2, sizeof(*scene->materials));
    scene->image_count = 2;
    scene->images = mrw_scene_alloc(scene, 2, sizeof(*scene->images));
    scene->materials[0] = (mrw_scene_material){.name = "plain", .base_color_image = -1};
    scene->materials[1] = (mrw_scene_material){.name = "woven",
                                               .base_color_image = 1,
                                               .double_sided = true,
                                               .alpha_cutoff = 0.5f,
                                               .metallic = 0.125f,
                                               .roughness = 0.875f};
    memcpy(scene->materials[1].base_color, color, sizeof(color));
    scene->images[0] = (mrw_scene_image){.name = "unused", .uri = ""};
    scene->images[1] = (mrw_scene_image){
        .name = "threads", .uri = "", .bytes = scene_copy(scene, picture, 5), .size_bytes = 5};
    return scene;
}

static mrw_character *build(const mrw_scene *scene, bool group_vertices)
{
    mrw_build_options options = mrw_build_options_default();
    options.group_vertices = group_vertices;
    mrw_character *character = NULL;
    mrw_error error = {0};
    if (mrw_build_character(scene, &options, &character, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return character;
}

static mrw_bytes make_cloth(bool whole)
{
    mrw_scene *scene = make_scene(whole);
    mrw_character *character = build(scene, false);
    mrw_bytes bytes;
    assert_int_equal(mrw_build_mesh(character, 1, NULL, &bytes, NULL), MRW_OK);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return bytes;
}

static mrw_bytes make_materials(void)
{
    mrw_scene *scene = make_scene(true);
    mrw_bytes bytes;
    assert_int_equal(mrw_build_materials(scene, NULL, &bytes, NULL), MRW_OK);
    mrw_scene_free(scene);
    return bytes;
}

static uint64_t number_at(const mrw_bytes *bytes, size_t offset, size_t size)
{
    uint64_t number = 0;
    for (size_t i = size; i-- > 0;)
        number = number << 8 | bytes->data[offset + i];
    return number;
}

/* --- the bytes ---------------------------------------------------------------------------- */

static void a_mesh_has_the_bytes_of_the_page(void **state)
{
    (void)state;
    mrw_bytes bytes = make_cloth(true);
    assert_memory_equal(bytes.data, "MRWA", 4);
    assert_int_equal(number_at(&bytes, 4, 2), 4);
    assert_int_equal(number_at(&bytes, 6, 2), 1);
    /* vertices, indices, parts, instances, targets, influences, palette, joints, scalars */
    static const uint32_t counts[] = {6, 6, 2, 2, 3, 2, 2, 5, 6};
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(number_at(&bytes, 64 + 4 * i, 4), counts[i]);
    assert_int_equal(bytes.data[100], 1 + 4);                 /* normals, texcoords */
    assert_int_equal(bytes.data[101], 1);                     /* joints of 1 byte */
    assert_int_equal(bytes.data[102], 1);                     /* weights of 1 byte */
    assert_int_equal(bytes.data[103], 2);                     /* indices of 2 bytes */
    static const char names[] = "cloth\0wide\0bl\xc3\xa4h\0"; /* and its NUL: the last is empty */
    assert_int_equal(number_at(&bytes, 104, 4), sizeof(names));
    assert_int_equal(number_at(&bytes, 108, 4), 0);
    assert_int_equal(number_at(&bytes, 112, 8), 1);             /* the one vertex that moves */
    assert_int_equal(number_at(&bytes, 120, 8), 3 + 6 * 3 * 2); /* the last target is empty */
    static const size_t sizes[] = {72, 72, 0,  48, 0, 12,  12,           0,
                                   12, 48, 32, 96, 4, 156, sizeof(names)};
    size_t offset = 256;
    for (size_t i = 0; i < 15; i++) {
        assert_int_equal(number_at(&bytes, 128 + 8 * i, 8), offset);
        offset = (offset + sizes[i] + 63) / 64 * 64;
    }
    assert_int_equal(bytes.size_bytes, offset);
    const size_t at_weights = number_at(&bytes, 128 + 8 * 6, 8);
    static const uint8_t weights[] = {204, 51, 255, 0, 153, 102};
    assert_memory_equal(bytes.data + at_weights, weights, 6);
    const size_t at_parts = number_at(&bytes, 128 + 8 * 9, 8);
    static const uint32_t parts[] = {2, UINT32_MAX, 0, 3, 0, 3, 2, 1, 3, 3, 3, 3};
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(number_at(&bytes, at_parts + 4 * i, 4), parts[i]);
    /* Instances stand in the order of nodes: body, box, twin. */
    const size_t at_instances = number_at(&bytes, 128 + 8 * 10, 8);
    assert_int_equal(number_at(&bytes, at_instances + 4, 4), 0);
    assert_int_equal(number_at(&bytes, at_instances + 12, 4), 0);
    assert_int_equal(number_at(&bytes, at_instances + 16 + 4, 4), UINT32_MAX);
    assert_int_equal(number_at(&bytes, at_instances + 16 + 8, 4), 3);
    assert_int_equal(number_at(&bytes, at_instances + 16 + 12, 4), 2);
    const size_t at_targets = number_at(&bytes, 128 + 8 * 11, 8);
    static const uint32_t targets[] = {0, 0, 0,  0, 1, 1 + 8, 6,  0, 1, 0, 3,  0,
                                       6, 3, 11, 0, 1, 0,     39, 0, 6, 0, 17, 0};
    for (size_t i = 0; i < 24; i++)
        assert_int_equal(number_at(&bytes, at_targets + 4 * i, 4), targets[i]);
    assert_memory_equal(bytes.data + number_at(&bytes, 128 + 8 * 14, 8), names, sizeof(names));
    mrw_bytes_free(&bytes);
}

static void materials_have_the_bytes_of_the_page(void **state)
{
    (void)state;
    mrw_bytes bytes = make_materials();
    static const char names[] =
        "plain\0woven\0threads"; /* the picture that is not used is not there */
    assert_int_equal(number_at(&bytes, 4, 2), 5);
    assert_int_equal(number_at(&bytes, 24, 8), 0);
    assert_int_equal(number_at(&bytes, 64, 4), 2);
    assert_int_equal(number_at(&bytes, 68, 4), 1);
    assert_int_equal(number_at(&bytes, 72, 4), sizeof(names));
    assert_int_equal(number_at(&bytes, 80, 8), 5);
    static const size_t offsets[] = {128, 256, 320, 384};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(number_at(&bytes, 88 + 8 * i, 8), offsets[i]);
    static const float floats[] = {0.5f, 0.25f, 1, 0.75f, 0.5f, 0.125f, 0.875f};
    assert_memory_equal(bytes.data + 128 + 40, floats, sizeof(floats));
    assert_int_equal(number_at(&bytes, 128 + 28, 4), UINT32_MAX);
    assert_int_equal(number_at(&bytes, 128 + 40 + 28, 4), 0);
    assert_int_equal(number_at(&bytes, 128 + 40 + 32, 4), 1);
    assert_int_equal(number_at(&bytes, 128 + 40 + 36, 4), 6);
    assert_int_equal(number_at(&bytes, 256 + 8, 8), 5);
    assert_int_equal(number_at(&bytes, 256 + 16, 4), 12);
    assert_memory_equal(bytes.data + 320, names, sizeof(names));
    assert_memory_equal(bytes.data + 384, "\1\2\3\4\5", 5);
    assert_int_equal(bytes.size_bytes, 448);
    mrw_bytes_free(&bytes);
}

/* --- views -------------------------------------------------------------------------------- */

static void a_view_is_what_jobs_take(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        mrw_bytes bytes = make_cloth(whole != 0);
        mrw_mesh_asset mesh;
        assert_int_equal(mrw_mesh_asset_open(bytes.data, bytes.size_bytes, &mesh, NULL), MRW_OK);
        assert_string_equal(mesh.name, "cloth");
        assert_null(mesh.tangents);
        assert_null(mesh.colors);
        assert_null(mesh.source_vertices);
        assert_true(mesh.texcoords[3 * 2 + 1] == 0.25f && mesh.texcoords[0] == 0.0f);
        assert_int_equal(mesh.weight_format, whole ? MRW_WEIGHT_UNORM8 : MRW_WEIGHT_FLOAT);
        assert_int_equal(mrw_mesh_asset_index(&mesh, 5), 5);
        assert_int_equal(mrw_mesh_asset_index(&mesh, 6), 0);
        assert_string_equal(mrw_mesh_asset_target_name(&mesh, 1), "bl\xc3\xa4h");
        assert_string_equal(mrw_mesh_asset_target_name(&mesh, 3), "");
        mrw_morph_target target = mrw_mesh_asset_target_at(&mesh, 0);
        assert_int_equal(target.count, 1);
        assert_int_equal(target.vertices[0], 1);
        assert_true(target.positions[1] == 0.5f && target.normals == NULL);
        target = mrw_mesh_asset_target_at(&mesh, 1);
        assert_null(target.vertices);
        assert_true(target.positions[17] == 9.0f && target.normals[9 + 2] == 1.0f);
        assert_null(mrw_mesh_asset_target_at(&mesh, 3).positions);
        mrw_skin_job job = mrw_skin_job_default();
        mrw_mesh_asset_set_job(&mesh, &job);
        job.palette_count = 2;
        assert_int_equal(mrw_skin_check_influences(&job, NULL), MRW_OK);
        assert_ptr_equal(job.positions.data, mesh.positions);
        assert_int_equal(job.vertex_count, 6);
        mrw_bytes_free(&bytes);
    }
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    mrw_scene *scene = make_scene(true);
    mrw_character *character = build(scene, false);
    mrw_bytes bytes, mesh = make_cloth(true);
    mrw_mesh_asset view;
    mrw_materials materials;
    mrw_error error;
    assert_int_equal(mrw_build_mesh(NULL, 0, NULL, &bytes, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_build_mesh(character, 0, NULL, NULL, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_build_mesh(character, 2, NULL, &bytes, &error), MRW_ERR_INVALID_ARGUMENT);
    assert_int_equal(mrw_build_materials(NULL, NULL, &bytes, &error), MRW_ERR_NULL_ARGUMENT);
    scene->materials[0].base_color_image = 2;
    assert_int_equal(mrw_build_materials(scene, NULL, &bytes, &error), MRW_ERR_INDEX_RANGE);
    assert_null(bytes.data);
    scene->materials[0].base_color_image = -1;
    scene->materials[1].roughness = -0.5f;
    assert_int_equal(mrw_build_materials(scene, NULL, &bytes, &error), MRW_ERR_INVALID_VALUE);
    assert_string_equal(error.detail, "materials[1].roughness");
    scene->materials[1].base_color[2] = INFINITY;
    assert_int_equal(mrw_build_materials(scene, NULL, &bytes, &error), MRW_ERR_NOT_FINITE);
    assert_int_equal(mrw_mesh_asset_open(mesh.data, mesh.size_bytes, NULL, &error),
                     MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_mesh_asset_open(NULL, 64, &view, &error), MRW_ERR_NULL_ARGUMENT);
    assert_int_equal(mrw_materials_open(mesh.data, mesh.size_bytes, &materials, &error),
                     MRW_ERR_WRONG_KIND);
    mrw_bytes_free(&mesh);
    mrw_character_free(character);
    mrw_scene_free(scene);
}

static void materials_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        float value;
        const char *detail;
    } faults[] = {{offsetof(mrw_material, alpha_cutoff), -0.25f, "materials[1].alpha_cutoff"},
                  {offsetof(mrw_material, metallic), 1.5f, "materials[1].metallic"},
                  {offsetof(mrw_material, roughness), -1.0f, "materials[1].roughness"}};
    mrw_materials materials;
    mrw_error error;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        mrw_bytes bytes = make_materials();
        assert_int_equal(mrw_materials_open(bytes.data, bytes.size_bytes, &materials, &error),
                         MRW_OK);
        const uint8_t *second = (const uint8_t *)&materials.materials[1];
        memcpy(bytes.data + (second - bytes.data) + faults[i].offset, &faults[i].value,
               sizeof(float));
        seal_asset(bytes.data);
        assert_int_equal(mrw_materials_open(bytes.data, bytes.size_bytes, &materials, &error),
                         MRW_ERR_BAD_ASSET);
        assert_string_equal(error.detail, faults[i].detail);
        mrw_bytes_free(&bytes);
    }
}

/* --- damage ------------------------------------------------------------------------------- */

/* Reads all that an accepted mesh points to: influences and lists by the checks of the jobs. */
static mrw_status open_mesh(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    mrw_mesh_asset mesh;
    mrw_status status = mrw_mesh_asset_open(bytes, size_bytes, &mesh, out_error);
    if (status != MRW_OK)
        return status;
    mrw_skin_job job = mrw_skin_job_default();
    mrw_mesh_asset_set_job(&mesh, &job);
    job.palette_count = mesh.palette_count;
    if (mesh.influence_count > 0)
        assert_int_equal(mrw_skin_check_influences(&job, NULL), MRW_OK);
    volatile float sink = 0.0f;
    for (uint32_t i = 0; i < mesh.index_count; i++)
        sink = sink + mesh.positions[mrw_mesh_asset_index(&mesh, i) * 3 + 2];
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        sink = sink + (mesh.tangents != NULL ? mesh.tangents[i * 4 + 3] : 0.0f);
        sink = sink + (mesh.colors != NULL ? mesh.colors[i * 4 + 3] : 0.0f);
        sink = sink + (mesh.texcoords != NULL ? mesh.texcoords[i * 2 + 1] : 0.0f);
    }
    for (uint32_t i = 0; i < mesh.target_count; i++) {
        const mrw_morph_target target = mrw_mesh_asset_target_at(&mesh, i);
        const uint32_t count = mrw_morph_target_count(&target, mesh.vertex_count);
        assert_int_equal(mrw_morph_check_vertices(&target, 1, mesh.vertex_count, NULL), MRW_OK);
        for (uint32_t k = 0; k < count * 3; k++)
            sink = sink + (target.positions != NULL ? target.positions[k] : 0.0f) +
                   (target.tangents != NULL ? target.tangents[k] : 0.0f);
        sink = sink + (float)strlen(mrw_mesh_asset_target_name(&mesh, i));
    }
    return MRW_OK;
}

static mrw_status open_materials(const void *bytes, size_t size_bytes, mrw_error *out_error)
{
    mrw_materials materials;
    mrw_status status = mrw_materials_open(bytes, size_bytes, &materials, out_error);
    volatile size_t sink = 0;
    for (uint32_t i = 0; status == MRW_OK && i < materials.material_count; i++)
        sink = sink + strlen(materials.names + materials.materials[i].name_offset);
    for (uint32_t i = 0; status == MRW_OK && i < materials.image_count; i++) {
        const mrw_image *image = &materials.images[i];
        for (uint64_t k = 0; k < image->size_bytes; k++)
            sink = sink + materials.image_bytes[image->offset + k];
    }
    return status;
}

static void truncations_are_refused_and_flips_harmless(void **state)
{
    (void)state;
    mrw_bytes mesh = make_cloth(false), materials = make_materials();
    assert_truncations_refused(mesh.data, mesh.size_bytes, open_mesh);
    assert_truncations_refused(materials.data, materials.size_bytes, open_materials);
    assert_flips_harmless(mesh.data, mesh.size_bytes, open_mesh);
    assert_flips_harmless(materials.data, materials.size_bytes, open_materials);
    mrw_bytes_free(&mesh);
    mrw_bytes_free(&materials);
}

/* One number of the mesh is another. */
typedef struct mesh_damage {
    size_t section; /* of the table of offsets; 15: the fields */
    size_t offset;  /* in it */
    uint32_t value;
    mrw_status status;
    const char *detail;
} mesh_damage;

static void each_wrong_number_is_named(void **state)
{
    (void)state;
    static const mesh_damage damages[] = {
        {15, 88, 1, MRW_ERR_JOINT_RANGE, "vertices[0].joints[1]"},
        {15, 88, 0, MRW_ERR_BAD_ASSET, "palette_count"},
        {15, 108, 1, MRW_ERR_BAD_ASSET, "reserved"},
        {0, 8, 0x7f800000, MRW_ERR_NOT_FINITE, "positions"},
        {6, 0, 0xbf000000, MRW_ERR_BAD_ASSET, "vertices[0].weights[0]"},
        {8, 8, 6, MRW_ERR_INDEX_RANGE, "indices[4]"},
        {9, 0, 3, MRW_ERR_BAD_ASSET, "parts[0].topology"},
        {9, 24 + 8, 2, MRW_ERR_BAD_ASSET, "parts[1].first_vertex"},
        {9, 24 + 16, 2, MRW_ERR_BAD_ASSET, "parts[1].first_index"},
        {9, 24 + 20, 6, MRW_ERR_BAD_ASSET, "parts"},
        {10, 0, 5, MRW_ERR_JOINT_RANGE, "instances[0].joint"},
        {10, 16 + 8, 4, MRW_ERR_BAD_ASSET, "instances[1].first_scalar"},
        {11, 16, 7, MRW_ERR_BAD_ASSET, "targets[0].count"},
        {11, 32, 2, MRW_ERR_BAD_ASSET, "targets[1].first_vertex"},
        {11, 64 + 24, 18, MRW_ERR_BAD_ASSET, "targets[2].name_offset"},
        {12, 0, 6, MRW_ERR_BAD_ASSET, "targets[0].vertices"},
        {13, 8, 0xff800000, MRW_ERR_NOT_FINITE, "target_values"},
        {14, 0, 0xffffffff, MRW_ERR_BAD_ASSET, "name"},
    };
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        const mesh_damage *damage = &damages[i];
        mrw_bytes bytes = make_cloth(false);
        size_t at = damage->section == 15 ? 0 : number_at(&bytes, 128 + 8 * damage->section, 8);
        memcpy(bytes.data + at + damage->offset, &damage->value, 4);
        ((mrw_asset_header *)(void *)bytes.data)->checksum =
            mrw_asset_checksum(bytes.data + 64, bytes.size_bytes - 64);
        mrw_error error = {0};
        mrw_mesh_asset mesh;
        mrw_status status = mrw_mesh_asset_open(bytes.data, bytes.size_bytes, &mesh, &error);
        assert_string_equal(error.detail, damage->detail);
        assert_int_equal(status, damage->status);
        assert_int_equal(error.status, damage->status);
        mrw_bytes_free(&bytes);
    }
}

/* --- characters --------------------------------------------------------------------------- */

typedef struct made_file {
    mrw_scene *scene;
    mrw_character *character;
    mrw_bytes meshes[2], materials;
    mrw_file_part parts[6];
    uint32_t part_count;
} made_file;

static mrw_file_part asset_part(const mrw_asset_header *header)
{
    return (mrw_file_part){"asset", header, (size_t)header->size_bytes};
}

static made_file make_file(bool group_vertices)
{
    made_file made = {.scene = make_scene(true)};
    made.character = build(made.scene, group_vertices);
    made.parts[made.part_count++] = asset_part(made.character->skeleton.header);
    made.parts[made.part_count++] = asset_part(made.character->skins[0].header);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(mrw_build_mesh(made.character, i, NULL, &made.meshes[i], NULL), MRW_OK);
        made.parts[made.part_count++] = (mrw_file_part){
            made.character->meshes[i].name, made.meshes[i].data, made.meshes[i].size_bytes};
    }
    assert_int_equal(mrw_build_materials(made.scene, NULL, &made.materials, NULL), MRW_OK);
    made.parts[made.part_count++] =
        (mrw_file_part){"materials", made.materials.data, made.materials.size_bytes};
    return made;
}

static void free_file(made_file *made)
{
    mrw_bytes_free(&made->meshes[0]);
    mrw_bytes_free(&made->meshes[1]);
    mrw_bytes_free(&made->materials);
    mrw_character_free(made->character);
    mrw_scene_free(made->scene);
}

static mrw_bytes export_file(const made_file *made)
{
    mrw_bytes bytes;
    assert_int_equal(mrw_export_file(made->parts, made->part_count, NULL, &bytes, NULL), MRW_OK);
    return bytes;
}

static void a_character_comes_back_with_its_meshes(void **state)
{
    (void)state;
    for (int grouped = 0; grouped < 2; grouped++) {
        made_file made = make_file(grouped != 0);
        mrw_bytes bytes = export_file(&made);
        mrw_character *character = NULL;
        mrw_error error = {0};
        mrw_status status =
            mrw_open_character(bytes.data, bytes.size_bytes, NULL, &character, &error);
        if (status != MRW_OK)
            fail_msg("%s: %s", error.detail, error.message);
        mrw_bytes_free(&bytes); /* it has a copy */
        assert_int_equal(character->mesh_count, 2);
        for (uint32_t i = 0; i < 2; i++)
            expect_same_mesh(&made.character->meshes[i], &character->meshes[i]);
        assert_int_equal(character->instance_count, 3);
        assert_memory_equal(character->instances, made.character->instances,
                            3 * sizeof(*character->instances));
        assert_int_equal(character->palette_count, made.character->palette_count);
        mrw_character_free(character);
        free_file(&made);
    }
}

static void a_scene_gets_the_materials(void **state)
{
    (void)state;
    made_file made = make_file(false);
    mrw_bytes bytes = export_file(&made);
    mrw_import_options import = mrw_import_options_default();
    for (int skip = 0; skip < 2; skip++) {
        mrw_scene *scene;
        mrw_character *character;
        import.skip_images = skip != 0;
        assert_int_equal(mrw_load_memory(bytes.data, bytes.size_bytes, NULL, NULL, &import, NULL,
                                         &scene, &character, NULL),
                         MRW_OK);
        assert_int_equal(scene->material_count, 2);
        assert_string_equal(scene->materials[0].name, "plain");
        const mrw_scene_material *a = &scene->materials[1], *b = &made.scene->materials[1];
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->base_color, b->base_color, sizeof(a->base_color));
        assert_true(a->double_sided && !a->alpha_blend && a->alpha_cutoff == 0.5f);
        assert_true(a->metallic == 0.125f && a->roughness == 0.875f);
        assert_int_equal(a->base_color_image, 0);
        assert_int_equal(scene->image_count, 1);
        assert_string_equal(scene->images[0].name, "threads");
        assert_int_equal(scene->images[0].size_bytes, skip ? 0 : 5);
        if (!skip)
            assert_memory_equal(scene->images[0].bytes, "\1\2\3\4\5", 5);
        mrw_character_free(character);
        mrw_scene_free(scene);
    }
    mrw_bytes_free(&bytes);
    free_file(&made);
}

static void influences_beyond_what_a_program_takes_are_pruned(void **state)
{
    (void)state;
    made_file made = make_file(false);
    mrw_bytes bytes = export_file(&made);
    mrw_build_options options = mrw_build_options_default();
    options.max_influences = 1;
    mrw_scene *scene;
    mrw_character *character;
    assert_int_equal(mrw_load_memory(bytes.data, bytes.size_bytes, NULL, NULL, NULL, &options,
                                     &scene, &character, NULL),
                     MRW_OK);
    const mrw_mesh *mesh = &character->meshes[1];
    static const uint16_t joints[] = {0, 1, 1, 0, 1, 1};
    assert_int_equal(mesh->influence_count, 1);
    assert_memory_equal(mesh->joints, joints, sizeof(joints));
    for (int i = 0; i < 6; i++)
        assert_true(mesh->weights[i] == 1.0f);
    assert_true(mesh->pruned_weight > 0.39f && mesh->pruned_weight < 0.41f);
    mrw_character_free(character);
    mrw_scene_free(scene);
    mrw_bytes_free(&bytes);
    free_file(&made);
}

/* Changes a number of the cloth, or of the skin, and puts its checksum right. */
static void change(void *asset, size_t size_bytes, size_t offset, uint32_t value)
{
    memcpy((uint8_t *)asset + offset, &value, sizeof(value));
    ((mrw_asset_header *)asset)->checksum =
        mrw_asset_checksum((uint8_t *)asset + 64, size_bytes - 64);
}

static void expect_refused(const made_file *made, mrw_status status, const char *detail)
{
    mrw_bytes bytes = export_file(made);
    mrw_character *character = NULL;
    mrw_error error = {0};
    assert_int_equal(mrw_open_character(bytes.data, bytes.size_bytes, NULL, &character, &error),
                     status);
    assert_null(character);
    assert_string_equal(error.detail, detail);
    mrw_bytes_free(&bytes);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    made_file made = make_file(false);
    mrw_bytes *cloth = &made.meshes[1];
    const size_t instances = number_at(cloth, 128 + 8 * 10, 8);
    const struct {
        size_t offset;
        uint32_t value;
        mrw_status status;
        const char *detail;
    } changes[] = {
        {92, 6, MRW_ERR_SKELETON_MISMATCH, "meshes[1]: joint_count"},
        {96, 7, MRW_ERR_SKELETON_MISMATCH, "meshes[1]: scalar_count"},
        {88, 3, MRW_ERR_BAD_ASSET, "meshes[1]: instances[0].skin"},
        {instances + 4, 1, MRW_ERR_BAD_ASSET, "meshes[1]: instances[0].skin"},
        {instances + 12, 2, MRW_ERR_BAD_ASSET, "meshes[1]: instances[1].place"},
        {instances + 12, 3, MRW_ERR_BAD_ASSET, "meshes[1]: instances[0].place"},
        {number_at(cloth, 128 + 8 * 9, 8) + 24 + 4, 2, MRW_ERR_INDEX_RANGE,
         "meshes[1]: parts[1].material"},
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const uint32_t was = (uint32_t)number_at(cloth, changes[i].offset, 4);
        change(cloth->data, cloth->size_bytes, changes[i].offset, changes[i].value);
        expect_refused(&made, changes[i].status, changes[i].detail);
        change(cloth->data, cloth->size_bytes, changes[i].offset, was);
    }
    made.parts[5] = made.parts[4];
    made.part_count = 6;
    expect_refused(&made, MRW_ERR_INCONSISTENT, "materials");
    made.part_count = 4; /* none at all */
    expect_refused(&made, MRW_ERR_INDEX_RANGE, "meshes[1]: parts[1].material");
    made.part_count = 5;
    made.parts[1] = made.parts[2]; /* the box twice, and no skin */
    expect_refused(&made, MRW_ERR_BAD_ASSET, "meshes[1]: instances[0].place");
    free_file(&made);
}

static void a_skin_of_more_joints_than_the_skeleton_is_refused(void **state)
{
    (void)state;
    made_file made = make_file(false);
    const size_t size_bytes = made.parts[1].size_bytes;
    uint8_t *skin = aligned_alloc(64, size_bytes);
    assert_non_null(skin);
    memcpy(skin, made.parts[1].asset, size_bytes);
    change(skin, size_bytes, 68, 60000);
    made.parts[1].asset = skin;
    expect_refused(&made, MRW_ERR_SKELETON_MISMATCH, "skins[0]: joint_count");
    free(skin);
    free_file(&made);
}

static void an_order_that_is_none_is_refused(void **state)
{
    (void)state;
    made_file made = make_file(true);
    mrw_bytes *cloth = &made.meshes[1];
    const size_t order = number_at(cloth, 128 + 8 * 7, 8);
    assert_non_null(made.character->meshes[1].source_vertices);
    change(cloth->data, cloth->size_bytes, order + 4, (uint32_t)number_at(cloth, order, 4));
    expect_refused(&made, MRW_ERR_BAD_ASSET, "meshes[1]: source_vertices[1]");
    free_file(&made);
}

/* --- memory ------------------------------------------------------------------------------- */

static mrw_status make_and_open(const made_file *made, const mrw_memory_options *memory)
{
    mrw_bytes mesh = {0}, materials = {0};
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_import_options import = mrw_import_options_default();
    import.memory = *memory;
    mrw_status status = mrw_build_mesh(made->character, 1, memory, &mesh, NULL);
    if (status == MRW_OK)
        status = mrw_build_materials(made->scene, memory, &materials, NULL);
    if (status == MRW_OK) {
        mrw_bytes bytes = export_file(made);
        status = mrw_load_memory(bytes.data, bytes.size_bytes, NULL, NULL, &import, NULL, &scene,
                                 &character, NULL);
        mrw_bytes_free(&bytes);
    }
    mrw_character_free(character);
    mrw_scene_free(scene);
    mrw_bytes_free(&materials);
    mrw_bytes_free(&mesh);
    return status;
}

static void failing_allocations_leave_nothing(void **state)
{
    (void)state;
    made_file made = make_file(true);
    failing_heap heap = {0};
    mrw_memory_options memory = failing_options(&heap);
    mrw_status status = MRW_ERR_OUT_OF_MEMORY;
    for (uint32_t n = 1; status != MRW_OK; n++) {
        assert_true(n < 200);
        heap.calls = 0;
        heap.fail_at = n;
        status = make_and_open(&made, &memory);
        assert_true(status == MRW_OK || status == MRW_ERR_OUT_OF_MEMORY);
        assert_int_equal(heap.held_bytes, 0);
    }
    free_file(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_has_the_bytes_of_the_page),
        cmocka_unit_test(materials_have_the_bytes_of_the_page),
        cmocka_unit_test(a_view_is_what_jobs_take),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(materials_out_of_range_are_refused),
        cmocka_unit_test(truncations_are_refused_and_flips_harmless),
        cmocka_unit_test(each_wrong_number_is_named),
        cmocka_unit_test(a_character_comes_back_with_its_meshes),
        cmocka_unit_test(a_scene_gets_the_materials),
        cmocka_unit_test(influences_beyond_what_a_program_takes_are_pruned),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_skin_of_more_joints_than_the_skeleton_is_refused),
        cmocka_unit_test(an_order_that_is_none_is_refused),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
