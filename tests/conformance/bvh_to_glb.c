/* bvh_to_glb IN OUT: imports a file, writes it as .glb, imports that: the nodes and the keys must
 * be the same. */
#include <marrow/offline/offline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void stop(const char *what, const char *why)
{
    fprintf(stderr, "bvh_to_glb: %s: %s\n", what, why);
    exit(1);
}

static mrw_scene *import(const char *path)
{
    mrw_scene *scene;
    mrw_error error = {0};
    if (mrw_import_file(path, NULL, &scene, &error) != MRW_OK)
        stop(error.detail, error.message);
    return scene;
}

static void compare_channels(const mrw_scene_channel *a, const mrw_scene_channel *b)
{
    if (a->node != b->node || a->path != b->path || a->interpolation != b->interpolation ||
        a->key_count != b->key_count ||
        memcmp(a->times, b->times, a->key_count * sizeof(float)) != 0 ||
        memcmp(a->values, b->values, (size_t)a->key_count * a->value_width * sizeof(float)) != 0)
        stop("animations[0]", "a channel differs");
}

static void compare(const mrw_scene *a, const mrw_scene *b)
{
    if (a->node_count != b->node_count || a->animation_count != 1 || b->animation_count != 1 ||
        a->animations[0].channel_count != b->animations[0].channel_count)
        stop("scene", "the counts differ");
    for (uint32_t i = 0; i < a->node_count; i++)
        if (strcmp(a->nodes[i].name, b->nodes[i].name) != 0 ||
            a->nodes[i].parent != b->nodes[i].parent ||
            memcmp(&a->nodes[i].local, &b->nodes[i].local, sizeof(mrw_transform)) != 0)
            stop(a->nodes[i].name, "the node differs");
    for (uint32_t i = 0; i < a->animations[0].channel_count; i++)
        compare_channels(&a->animations[0].channels[i], &b->animations[0].channels[i]);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        stop("usage", "bvh_to_glb IN OUT");
    mrw_error error = {0};
    mrw_bytes bytes;
    mrw_scene *scene = import(argv[1]);
    if (mrw_export_glb(scene, NULL, &bytes, &error) != MRW_OK ||
        mrw_write_file(argv[2], bytes.data, bytes.size_bytes, &error) != MRW_OK)
        stop(error.detail, error.message);
    mrw_scene *again = import(argv[2]);
    compare(scene, again);
    mrw_bytes_free(&bytes);
    mrw_scene_free(scene);
    mrw_scene_free(again);
    return 0;
}
