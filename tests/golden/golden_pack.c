/* golden_pack PACK: imports and builds the real files of the shared folder, and writes what the
 * runtime needs of them, see golden_pack.h. So a machine for which there is no offline library
 * hashes real characters too, and every compiler's importers and builders have to give the same
 * bytes. */
#include "golden/golden_pack.h"

#include <marrow/marrow.h>
#include <marrow/offline/build.h>
#include <marrow/offline/import.h>

#include "unit/shared_folder.h"

static const char *const names[] = {
    "01_morphed_cube.gltf",
    "03_all_animations.gltf",
    "03_skinned_cylinder.gltf",
    "06_parent-inverse-anim.gltf",
    "AnimatedMorphCube.gltf",
    "BrainStem.glb",
    "CesiumMan.glb",
    "Fox.glb",
    "Knight.glb",
    "MorphPrimitivesTest.gltf",
    "MorphStressTest.gltf",
    "RiggedSimple.glb",
    "Rogue.glb",
    "SimpleMorph.gltf",
    "SimpleSkin.gltf",
    "box_animated.gltf",
    "interpolation_test.gltf",
    "robot.glb",
};

static void write_record(FILE *out, const void *bytes, size_t size_bytes)
{
    static const uint8_t zeros[GOLDEN_ALIGNMENT];
    uint64_t size = bytes == NULL ? 0 : size_bytes;
    fwrite(&size, sizeof(size), 1, out);
    fwrite(zeros, 1, GOLDEN_ALIGNMENT - sizeof(size), out);
    if (size > 0)
        fwrite(bytes, 1, size, out);
    fwrite(zeros, 1, (0 - size) % GOLDEN_ALIGNMENT, out);
}

static void write_asset(FILE *out, const mrw_asset_header *header)
{
    write_record(out, header, header->size_bytes);
}

static void write_instance(FILE *out, const mrw_character *character,
                           const mrw_mesh_instance *instance)
{
    const mrw_mesh *mesh = &character->meshes[instance->mesh];
    const golden_mesh head = {mesh->vertex_count, mesh->influence_count, mesh->target_count,
                              instance->skin, instance->first_scalar};
    size_t vertices = mesh->vertex_count;
    size_t influences = vertices * mesh->influence_count;
    size_t vector_bytes = vertices * 3 * sizeof(float);
    write_record(out, &head, sizeof(head));
    write_record(out, mesh->positions, vector_bytes);
    write_record(out, mesh->normals, vector_bytes);
    write_record(out, mesh->tangents, vertices * 4 * sizeof(float));
    write_record(out, mesh->joints, influences * sizeof(*mesh->joints));
    write_record(out, mesh->weights, influences * sizeof(*mesh->weights));
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const mrw_morph_target *target = &mesh->targets[t];
        size_t count = mrw_morph_target_count(target, mesh->vertex_count);
        write_record(out, target->positions, count * 3 * sizeof(float));
        write_record(out, target->normals, count * 3 * sizeof(float));
        write_record(out, target->tangents, count * 3 * sizeof(float));
        write_record(out, target->vertices, count * sizeof(uint32_t));
    }
}

static void write_character(FILE *out, const char *name, const mrw_character *character)
{
    const golden_counts counts = {character->clip_count, character->skin_count,
                                  character->instance_count};
    write_record(out, name, strlen(name));
    write_record(out, &counts, sizeof(counts));
    write_asset(out, character->skeleton.header);
    for (uint32_t i = 0; i < character->clip_count; i++)
        write_asset(out, character->clips[i].header);
    for (uint32_t i = 0; i < character->skin_count; i++)
        write_asset(out, character->skins[i].header);
    for (uint32_t i = 0; i < character->instance_count; i++)
        write_instance(out, character, &character->instances[i]);
}

static bool pack_file(FILE *out, const char *name)
{
    char path[1024];
    mrwi_format(path, sizeof(path), "%s/assets/gltf/%s", shared_folder(), name);
    mrw_scene *scene = NULL;
    mrw_character *character = NULL;
    mrw_error error = {0};
    mrw_status status = mrw_import_file(path, NULL, &scene, &error);
    if (status == MRW_OK)
        status = mrw_build_character(scene, NULL, &character, &error);
    if (status == MRW_OK)
        write_character(out, name, character);
    else
        fprintf(stderr, "%s: %s: %s\n", path, error.detail, error.message);
    mrw_character_free(character);
    mrw_scene_free(scene);
    return status == MRW_OK;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: golden_pack PACK\n");
        return 2;
    }
    remove(argv[1]);
    if (!shared_is_there())
        return GOLDEN_NO_FILES;
    FILE *out = fopen(argv[1], "wb");
    bool good = out != NULL;
    for (size_t i = 0; good && i < sizeof(names) / sizeof(names[0]); i++)
        good = pack_file(out, names[i]);
    if (out != NULL)
        good = !ferror(out) && fclose(out) == 0 && good;
    if (!good) {
        fprintf(stderr, "%s: not written\n", argv[1]);
        remove(argv[1]);
    }
    return good ? 0 : 1;
}
