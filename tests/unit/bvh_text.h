/* BVH files written in tests. */
#ifndef TESTS_BVH_TEXT_H
#define TESTS_BVH_TEXT_H

#include <marrow/offline/import.h>

#include "unit/near.h"

#include <stdlib.h>
#include <string.h>

/* In memory of exactly its size, so that a sanitizer sees a read past its end. */
static inline mrw_status import_bvh_bytes(const char *text, size_t size_bytes,
                                          mrw_scene **out_scene, mrw_error *out_error)
{
    char *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    assert_non_null(copy);
    memcpy(copy, text, size_bytes);
    mrw_status status = mrw_import_memory(copy, size_bytes, NULL, NULL, NULL, out_scene, out_error);
    free(copy);
    return status;
}

static inline mrw_scene *import_bvh(const char *text)
{
    mrw_scene *scene;
    mrw_error error = {0};
    if (import_bvh_bytes(text, strlen(text), &scene, &error) != MRW_OK)
        fail_msg("%u:%u: %s: %s in\n%s", error.line, error.column, error.detail, error.message,
                 text);
    return scene;
}

/* The channel of a node's property in the motion; NULL if there is none. */
static inline const mrw_scene_channel *bvh_channel(const mrw_scene *scene, int32_t node,
                                                   mrw_channel_path path)
{
    assert_int_equal(scene->animation_count, 1);
    for (uint32_t i = 0; i < scene->animations[0].channel_count; i++)
        if (scene->animations[0].channels[i].node == node &&
            scene->animations[0].channels[i].path == path)
            return &scene->animations[0].channels[i];
    return NULL;
}

static inline const mrw_diagnostic *bvh_diagnostic(const mrw_scene *scene, const char *code)
{
    for (uint32_t i = 0; i < scene->diagnostic_count; i++)
        if (strcmp(scene->diagnostics[i].code, code) == 0)
            return &scene->diagnostics[i];
    return NULL;
}

#endif
