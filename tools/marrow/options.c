#include "options.h"

#include "command.h"
#include "number_text.h"
#include "report.h"
#include "suggest.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct option_parser {
    const char *command;
    const cli_option *options;
    uint32_t option_count;
} option_parser;

/* "lbs|dqs" is for us, "lbs, dqs" for people. */
static const char *spelled_out(const char *choices, char out[128])
{
    size_t used = 0;
    for (; *choices && used + 3 < 128; ++choices) {
        if (*choices == '|') {
            out[used++] = ',';
            out[used++] = ' ';
        } else {
            out[used++] = *choices;
        }
    }
    out[used] = '\0';
    return out;
}

static int read_choice(const char *command, const cli_option *option, const char *value)
{
    int place = 0;
    for (const char *word = option->choices;; ++place) {
        size_t length = strcspn(word, "|");
        if (strlen(value) == length && memcmp(word, value, length) == 0) {
            *(int *)option->out = place;
            return CLI_OK;
        }
        if (word[length] == '\0') {
            break;
        }
        word += length + 1;
    }
    char listed[128];
    return cli_fail_usage(command, "%s: '%s' is none of: %s", option->name, value,
                          spelled_out(option->choices, listed));
}

static int read_size(const char *command, const cli_option *option, const char *value)
{
    char width[16];
    size_t length = strcspn(value, "xX");
    cli_size size;
    if (value[length] != '\0' && length < sizeof(width)) {
        memcpy(width, value, length);
        width[length] = '\0';
        if (cli_parse_count(width, option->maximum, &size.width) &&
            cli_parse_count(value + length + 1, option->maximum, &size.height) &&
            size.width >= option->minimum && size.height >= option->minimum) {
            *(cli_size *)option->out = size;
            return CLI_OK;
        }
    }
    return cli_fail_usage(command, "%s: '%s' is not WIDTHxHEIGHT with both from %u to %u",
                          option->name, value, (unsigned)option->minimum,
                          (unsigned)option->maximum);
}

static int read_count(const char *command, const cli_option *option, const char *value)
{
    uint32_t count;
    if (cli_parse_count(value, option->maximum, &count) && count >= option->minimum) {
        *(uint32_t *)option->out = count;
        return CLI_OK;
    }
    return cli_fail_usage(command, "%s: '%s' is not a whole number from %u to %u", option->name,
                          value, (unsigned)option->minimum, (unsigned)option->maximum);
}

static int read_value(const char *command, const cli_option *option, const char *value)
{
    switch (option->kind) {
    case CLI_NUMBER:
        if (!cli_parse_number(value, option->out)) {
            return cli_fail_usage(command, "%s: '%s' is not a number", option->name, value);
        }
        return CLI_OK;
    case CLI_METRES:
        if (!cli_parse_metres(value, option->out)) {
            return cli_fail_usage(command,
                                  "%s: '%s' is not a distance: a number of metres, or one with mm, "
                                  "cm or m behind it",
                                  option->name, value);
        }
        return CLI_OK;
    case CLI_COUNT:
        return read_count(command, option, value);
    case CLI_CHOICE:
        return read_choice(command, option, value);
    case CLI_SIZE:
        return read_size(command, option, value);
    case CLI_TEXT:
    case CLI_FLAG:
        break;
    }
    if (*value == '\0') {
        return cli_fail_usage(command, "%s: the value is empty", option->name);
    }
    *(const char **)option->out = value;
    return CLI_OK;
}

static const cli_option *find_option(const option_parser *parser, const char *argument,
                                     size_t length)
{
    for (uint32_t i = 0; i < parser->option_count; ++i) {
        const cli_option *option = &parser->options[i];
        if (strlen(option->name) == length && memcmp(option->name, argument, length) == 0) {
            return option;
        }
        if (option->short_name && strlen(option->short_name) == length &&
            memcmp(option->short_name, argument, length) == 0) {
            return option;
        }
    }
    return NULL;
}

static int unknown_option(const option_parser *parser, const char *argument, size_t length)
{
    char names[512] = "--help";
    for (uint32_t i = 0; i < parser->option_count; ++i) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof(names) - used, "|%s", parser->options[i].name);
    }
    char typed[64];
    snprintf(typed, sizeof(typed), "%.*s", (int)(length < 63 ? length : 63), argument);
    char nearest[64];
    if (cli_suggest(typed, names, nearest, sizeof(nearest))) {
        return cli_fail_usage(parser->command, "unknown option '%s'; did you mean '%s'?", typed,
                              nearest);
    }
    return cli_fail_usage(parser->command, "unknown option '%s'", typed);
}

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

/* Reads the option at argv[*index] and moves *index to its last argument. */
static int read_option(const option_parser *parser, int argc, char **argv, int *index)
{
    const char *argument = argv[*index];
    size_t length = strcspn(argument, "=");
    const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
    const cli_option *found = find_option(parser, argument, length);
    if (!found && argument[1] != '-' && length > 2) {
        found = find_option(parser, argument, 2); /* -j4 */
        value = found && found->kind != CLI_FLAG ? argument + 2 : NULL;
        found = value ? found : NULL;
    }
    if (!found) {
        return unknown_option(parser, argument, length);
    }
    cli_option option = *found;
    if (argument[1] != '-') {
        option.name = option.short_name; /* messages call it what the user calls it */
    }
    if (option.kind == CLI_FLAG) {
        if (value) {
            return cli_fail_usage(parser->command, "%s takes no value", option.name);
        }
        *(bool *)option.out = true;
        return CLI_OK;
    }
    if (!value) {
        /* `--clip --time 2` is a forgotten name and not a clip called "--time". */
        bool missing = *index + 1 >= argc ||
                       find_option(parser, argv[*index + 1], strcspn(argv[*index + 1], "="));
        if (missing) {
            return cli_fail_usage(parser->command, "%s needs a value", option.name);
        }
        value = argv[++*index];
    }
    return read_value(parser->command, &option, value);
}

/* Where operands go: those behind the capacity are counted and not kept. */
typedef struct operand_list {
    uint32_t capacity;
    const char **operands;
    uint32_t count;
} operand_list;

static int parse_all(const option_parser *parser, int argc, char **argv, operand_list *list,
                     const char **out_first_too_many)
{
    bool options_ended = false;
    *out_first_too_many = NULL;
    for (int i = 1; i < argc && *out_first_too_many == NULL; ++i) {
        if (!options_ended && strcmp(argv[i], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && is_option(argv[i])) {
            int status = read_option(parser, argc, argv, &i);
            if (status != CLI_OK) {
                return status;
            }
        } else if (list->count == list->capacity) {
            *out_first_too_many = argv[i];
        } else {
            list->operands[list->count++] = argv[i];
        }
    }
    return CLI_OK;
}

int cli_options_parse(int argc, char **argv, const cli_option *options, uint32_t option_count,
                      const char *operand_name, const char **out_operand)
{
    option_parser parser = {argv[0], options, option_count};
    const char *operand = NULL;
    operand_list list = {operand_name ? 1 : 0, &operand, 0};
    const char *too_many;
    int status = parse_all(&parser, argc, argv, &list, &too_many);
    if (status != CLI_OK) {
        return status;
    }
    if (too_many && !operand_name) {
        return cli_fail_usage(parser.command, "'%s' is too much: no file is needed here", too_many);
    }
    if (too_many) {
        return cli_fail_usage(parser.command, "one %s at a time: '%s' is too many", operand_name,
                              too_many);
    }
    if (operand_name && (!operand || *operand == '\0')) {
        return cli_fail_usage(parser.command, "%s is missing", operand_name);
    }
    if (operand_name) {
        *out_operand = operand;
    }
    return CLI_OK;
}

int cli_options_parse_list(int argc, char **argv, const cli_option *options, uint32_t option_count,
                           uint32_t capacity, const char **out_operands, uint32_t *out_count)
{
    option_parser parser = {argv[0], options, option_count};
    operand_list list = {capacity, out_operands, 0};
    const char *too_many;
    int status = parse_all(&parser, argc, argv, &list, &too_many);
    *out_count = list.count;
    if (status == CLI_OK && too_many) {
        return cli_fail_usage(parser.command, "'%s' is one file too many", too_many);
    }
    return status;
}
