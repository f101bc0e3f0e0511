/* demo_hash FILE: the hash of all numbers of the demo characters against the lines of FILE,
 * "name hash". Built at several optimisation levels, from the same sources: that the characters are
 * the same everywhere is a promise of `marrow demo`. Without FILE the lines are printed. */
#include "demo/demo.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size_bytes)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size_bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return hash;
}

static uint64_t add_floats(uint64_t hash, const float *values, size_t count)
{
    return values == NULL ? hash : add_bytes(hash, values, count * sizeof(*values));
}

static uint64_t add_primitive(uint64_t hash, const mrw_scene_primitive *part)
{
    size_t vertices = part->vertex_count;
    size_t influences = vertices * part->influence_count;
    hash = add_floats(hash, part->positions, vertices * 3);
    hash = add_floats(hash, part->normals, vertices * 3);
    hash = add_floats(hash, part->colors, vertices * 4);
    hash = add_bytes(hash, part->joints, influences * sizeof(*part->joints));
    hash = add_floats(hash, part->weights, influences);
    return add_bytes(hash, part->indices, part->index_count * sizeof(*part->indices));
}

static uint64_t add_animation(uint64_t hash, const mrw_scene_animation *animation)
{
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const mrw_scene_channel *channel = &animation->channels[i];
        size_t keys = channel->key_count;
        hash = add_floats(hash, channel->times, keys);
        hash = add_floats(hash, channel->values, keys * channel->value_width);
    }
    return hash;
}

static uint64_t hash_scene(const mrw_scene *scene)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < scene->node_count; i++)
        hash = add_bytes(hash, &scene->nodes[i].local, sizeof(scene->nodes[i].local));
    for (uint32_t i = 0; i < scene->skins[0].joint_count; i++)
        hash = add_bytes(hash, &scene->skins[0].inverse_binds[i], sizeof(mrw_mat34));
    for (uint32_t i = 0; i < scene->meshes[0].primitive_count; i++)
        hash = add_primitive(hash, &scene->meshes[0].primitives[i]);
    for (uint32_t i = 0; i < scene->animation_count; i++)
        hash = add_animation(hash, &scene->animations[i]);
    return hash;
}

/* The line of a character; false if it cannot be made. */
static bool describe(const char *name, bool (*fill)(mrw_scene *scene), char *out, size_t size_bytes)
{
    mrw_scene *scene;
    if (mrw_scene_create(NULL, &scene) != MRW_OK)
        return false;
    bool filled = fill(scene);
    if (filled)
        snprintf(out, size_bytes, "%s %016" PRIx64 "\n", name, hash_scene(scene));
    mrw_scene_free(scene);
    return filled;
}

int main(int argc, char **argv)
{
    char lines[2][64];
    if (!describe("tentacle", demo_fill_tentacle, lines[0], sizeof(lines[0])) ||
        !describe("biped", demo_fill_biped, lines[1], sizeof(lines[1]))) {
        fputs("demo_hash: a character cannot be made\n", stderr);
        return 1;
    }
    FILE *expected = argc > 1 ? fopen(argv[1], "r") : NULL;
    int different = argc > 1 && expected == NULL;
    for (int i = 0; i < 2; i++) {
        char line[64] = "";
        if (expected != NULL && fgets(line, sizeof(line), expected) == NULL)
            line[0] = '\0';
        if (argc < 2 || strcmp(line, lines[i]) != 0)
            fputs(lines[i], stdout);
        if (argc > 1 && strcmp(line, lines[i]) != 0)
            different = 1;
    }
    if (expected != NULL)
        fclose(expected);
    if (different)
        fputs("demo_hash: these differ from the file\n", stderr);
    return different;
}
