#include "diagnostics.h"

#include "text.h"

static uint32_t count_all(const cli_input *input)
{
    return input->scene->diagnostic_count + input->character->diagnostic_count;
}

static const mrw_diagnostic *diagnostic_at(const cli_input *input, uint32_t index)
{
    uint32_t scene_count = input->scene->diagnostic_count;
    return index < scene_count ? &input->scene->diagnostics[index]
                               : &input->character->diagnostics[index - scene_count];
}

void cli_diagnostics_json(cli_json *json, const cli_input *input)
{
    cli_json_array(json, "diagnostics", CLI_JSON_LINES);
    for (uint32_t i = 0; i < count_all(input); ++i) {
        const mrw_diagnostic *diagnostic = diagnostic_at(input, i);
        cli_json_object(json, NULL, CLI_JSON_INLINE);
        cli_json_string(json, "code", diagnostic->code);
        cli_json_string(json, "severity", mrw_severity_name(diagnostic->severity));
        cli_json_string(json, "where", diagnostic->where);
        cli_json_string(json, "message", diagnostic->message);
        cli_json_unsigned(json, "count", diagnostic->count);
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_diagnostics_text(const cli_input *input)
{
    if (count_all(input) == 0) {
        return;
    }
    printf("\ndiagnostics\n");
    for (uint32_t i = 0; i < count_all(input); ++i) {
        const mrw_diagnostic *diagnostic = diagnostic_at(input, i);
        printf("  %-7s  %s", mrw_severity_name(diagnostic->severity), diagnostic->code);
        if (diagnostic->count > 1) {
            printf(", %u times, first", (unsigned)diagnostic->count);
        }
        if (diagnostic->where[0]) {
            printf(" at ");
            cli_put_text(stdout, diagnostic->where);
        }
        printf("\n           ");
        cli_put_text(stdout, diagnostic->message);
        printf("\n");
    }
}
