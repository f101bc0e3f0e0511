/* glTF documents written in tests: single quotes stand for double ones, and "x.bin" or any other
 * name that a document refers to is an array of the test. */
#ifndef TESTS_GLTF_TEXT_H
#define TESTS_GLTF_TEXT_H

#include <marrow/offline/import.h>

#include "unit/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSET "'asset':{'version':'2.0'}"

/* A file that documents may name. */
typedef struct text_file {
    const char *path;
    const void *bytes;
    size_t size_bytes;
} text_file;

#define FILE_OF(name, array)                                                                       \
    (text_file)                                                                                    \
    {                                                                                              \
        name, array, sizeof(array)                                                                 \
    }

typedef struct text_folder {
    const text_file *files;
    size_t count;
} text_folder;

static inline mrw_status open_text_file(void *user, const char *path, const uint8_t **out_bytes,
                                        size_t *out_size_bytes)
{
    const text_folder *folder = user;
    for (size_t i = 0; i < folder->count; i++) {
        if (strcmp(folder->files[i].path, path) == 0) {
            *out_bytes = folder->files[i].bytes;
            *out_size_bytes = folder->files[i].size_bytes;
            return MRW_OK;
        }
    }
    return MRW_ERR_FILE_NOT_FOUND;
}

static inline char *double_quotes(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    strcpy(copy, text);
    for (char *quote = copy; (quote = strchr(quote, '\'')) != NULL;)
        *quote = '"';
    return copy;
}

static inline mrw_status import_text(const char *text, const text_file *files, size_t count,
                                     mrw_scene **out_scene, mrw_error *out_error)
{
    char *json = double_quotes(text);
    text_folder folder = {files, count};
    mrw_status status =
        mrw_import_memory(json, strlen(json), open_text_file, &folder, NULL, out_scene, out_error);
    free(json);
    return status;
}

/* The scene of a document that must load. */
static inline mrw_scene *load_text(const char *text, const text_file *files, size_t count)
{
    mrw_scene *scene;
    mrw_error error = {0};
    if (import_text(text, files, count, &scene, &error) != MRW_OK)
        fail_msg("%s: %s", error.detail, error.message);
    return scene;
}

/* A document that must be refused, at this place, with these words in the message. */
static inline void refuse_text(const char *text, const text_file *files, size_t count,
                               mrw_status expected, const char *detail, const char *words)
{
    mrw_scene *scene = (mrw_scene *)1;
    mrw_error error = {0};
    mrw_status status = import_text(text, files, count, &scene, &error);
    if (status == MRW_OK)
        mrw_scene_free(scene);
    if (status != expected || error.status != expected || strcmp(error.detail, detail) != 0 ||
        strstr(error.message, words) == NULL)
        fail_msg("%s, %s, %s: %s\ninstead of %s, %s: %s", text, mrw_status_name(status),
                 error.detail, error.message, mrw_status_name(expected), detail, words);
    assert_null(scene);
}

/* The diagnostic with this code, which must be there with this severity and count. */
static inline const mrw_diagnostic *expect_diagnostic(const mrw_scene *scene, const char *code,
                                                      mrw_severity severity, uint32_t count)
{
    for (uint32_t i = 0; i < scene->diagnostic_count; i++) {
        const mrw_diagnostic *found = &scene->diagnostics[i];
        if (strcmp(found->code, code) != 0)
            continue;
        assert_int_equal(found->severity, severity);
        assert_int_equal(found->count, count);
        return found;
    }
    fail_msg("no diagnostic %s", code);
    return NULL;
}

static inline void expect_no_diagnostics(const mrw_scene *scene)
{
    if (scene->diagnostic_count > 0)
        fail_msg("unexpected diagnostic %s at %s", scene->diagnostics[0].code,
                 scene->diagnostics[0].where);
}

static inline void assert_floats(const float *values, const float *expected, size_t count)
{
    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        if (!(values[i] == expected[i]))
            fail_msg("number %zu is %.9g, not %.9g", i, (double)values[i], (double)expected[i]);
}

#endif
