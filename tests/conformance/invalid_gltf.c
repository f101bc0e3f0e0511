/* invalid_gltf EXPECTATIONS
 *
 * Imports every file of the Khronos validator's test corpus. None may crash; each is refused with a
 * message, or loads, as the list of expectations says. The validator's verdict stands in a report
 * beside each file: where ours is another, the list must give a reason, and where the reason says
 * that the mistake is reported, a diagnostic must carry one of the validator's codes. */
#include <marrow/offline/import.h>

#include "offline/read/file.h"
#include "offline/read/json.h"
#include "unit/shared_folder.h"

#include <ctype.h>

#define CORPUS "assets/gltf-invalid/"
#define LARGEST_PATH 1024

/* A line of the list. */
typedef struct expectation {
    char *file;
    char *outcome; /* "loads", or a status and a place */
    char *reason;  /* or "" */
} expectation;

static int failure_count;

static void fail(const char *file, const char *what, const char *value, const char *expected)
{
    printf("FAILED %s: %s: %s (%s)\n", file, what, value, expected);
    failure_count++;
}

/* --- the list ------------------------------------------------------------------------------------
 */

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t length = strlen(text); length > 0 && isspace((unsigned char)text[length - 1]);)
        text[--length] = '\0';
    return text;
}

/* false for a comment. */
static bool parse_line(char *line, expectation *out)
{
    if (line[0] == '#' || *trim(line) == '\0')
        return false;
    char *mark = strchr(line, '#');
    out->reason = "";
    if (mark != NULL) {
        *mark = '\0';
        out->reason = trim(mark + 1);
    }
    out->file = trim(line);
    out->outcome = strchr(out->file, ' ');
    if (out->outcome == NULL)
        return false;
    *out->outcome++ = '\0';
    out->outcome = trim(out->outcome);
    return true;
}

/* --- the validator's report ----------------------------------------------------------------------
 */

typedef struct report {
    mrwi_json json;
    const mrwi_json_value *messages;
} report;

static bool read_report(mrwi_arena *arena, const char *path, report *out)
{
    char report_path[LARGEST_PATH];
    mrwi_format(report_path, sizeof(report_path), "%s.report.json", path);
    const uint8_t *bytes;
    size_t size_bytes;
    if (mrwi_file_read(arena, report_path, &bytes, &size_bytes, NULL) != MRW_OK ||
        mrwi_json_parse(arena, (const char *)bytes, size_bytes, &out->json, NULL) != MRW_OK)
        return false;
    const mrwi_json_value *issues = mrwi_json_member(&out->json, out->json.values, "issues");
    out->messages = mrwi_json_member(&out->json, issues, "messages");
    return mrwi_json_is(out->messages, MRWI_JSON_ARRAY);
}

/* Whether the report has an error; if `scene` is not NULL, one with the code of a diagnostic. */
static bool report_has_error(const report *r, const mrw_scene *scene)
{
    for (uint32_t i = 0; i < r->messages->count; i++) {
        const mrwi_json_value *message = mrwi_json_element(&r->json, r->messages, i);
        double severity = -1.0;
        mrwi_json_number(&r->json, mrwi_json_member(&r->json, message, "severity"), &severity);
        if (severity != 0.0)
            continue;
        if (scene == NULL)
            return true;
        const mrwi_json_value *code = mrwi_json_member(&r->json, message, "code");
        for (uint32_t d = 0; d < scene->diagnostic_count; d++)
            if (mrwi_json_equals(&r->json, code, scene->diagnostics[d].code))
                return true;
    }
    return false;
}

/* --- one file
 * ------------------------------------------------------------------------------------- */

static void check_verdicts(const expectation *expected, const report *r, const mrw_scene *scene)
{
    bool valid = !report_has_error(r, NULL);
    bool loads = scene != NULL;
    bool has_reason = expected->reason[0] != '\0';
    if (valid == loads && has_reason)
        fail(expected->file, "the validator agrees, there is nothing to explain", expected->reason,
             "");
    if (valid != loads && !has_reason)
        fail(expected->file, "the validator disagrees and the list gives no reason",
             loads ? "it loads" : "it is refused", valid ? "valid" : "invalid");
    if (loads && strncmp(expected->reason, "reported", 8) == 0 && !report_has_error(r, scene))
        fail(expected->file, "no diagnostic has a code of the validator's", expected->reason, "");
}

static void check_file(const expectation *expected)
{
    char path[LARGEST_PATH], relative[LARGEST_PATH];
    mrwi_format(relative, sizeof(relative), CORPUS "%s", expected->file);
    shared_path(path, sizeof(path), relative);
    mrw_scene *scene;
    mrw_error error = {0};
    mrw_status status = mrw_import_file(path, NULL, &scene, &error);
    char outcome[LARGEST_PATH] = "loads";
    if (status != MRW_OK)
        mrwi_format(outcome, sizeof(outcome), "%s %s", mrw_status_name(status), error.detail);
    if (strcmp(outcome, expected->outcome) != 0)
        fail(expected->file, "the outcome has changed", outcome, expected->outcome);
    if (status != MRW_OK && (error.status != status || error.message[0] == '\0'))
        fail(expected->file, "the error has no message", outcome, "");

    mrwi_arena arena;
    mrwi_arena_init(&arena, NULL);
    report r;
    if (read_report(&arena, path, &r))
        check_verdicts(expected, &r, scene);
    else
        fail(expected->file, "the report cannot be read", path, "");
    mrwi_arena_free(&arena);
    mrw_scene_free(scene);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: invalid_gltf EXPECTATIONS\n");
        return 2;
    }
    if (!shared_is_there())
        return SKIPPED;
    FILE *list = fopen(argv[1], "r");
    if (list == NULL) {
        fprintf(stderr, "%s cannot be read\n", argv[1]);
        return 2;
    }
    char line[LARGEST_PATH];
    int file_count = 0;
    while (fgets(line, sizeof(line), list) != NULL) {
        expectation expected;
        if (!parse_line(line, &expected))
            continue;
        check_file(&expected);
        file_count++;
    }
    fclose(list);
    printf("%d files, %d failures\n", file_count, failure_count);
    return failure_count == 0 && file_count > 0 ? 0 : 1;
}
