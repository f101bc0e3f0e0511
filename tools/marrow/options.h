/* Command lines: options before or after the file, `--name value` or `--name=value`, `-n value` or
 * `-nvalue`, and `--` before a file whose name begins with a dash. */
#ifndef MARROW_TOOL_OPTIONS_H
#define MARROW_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_option_kind {
    CLI_FLAG,   /* out: bool, set to true */
    CLI_TEXT,   /* out: const char *, not empty */
    CLI_NUMBER, /* out: double, finite */
    CLI_METRES, /* out: double, finite, "0.0001" or "0.1mm" */
    CLI_COUNT,  /* out: uint32_t, minimum..maximum */
    CLI_CHOICE, /* out: int, the place of the word in `choices` */
    CLI_SIZE    /* out: cli_size, "640x480", both in minimum..maximum */
} cli_option_kind;

typedef struct cli_size {
    uint32_t width;
    uint32_t height;
} cli_size;

typedef struct cli_option {
    const char *name;       /* "--time" */
    const char *short_name; /* "-o", or NULL */
    cli_option_kind kind;
    void *out;           /* left alone if the option is not given; the last one given counts */
    const char *choices; /* CLI_CHOICE: "text|json" */
    uint32_t minimum;    /* CLI_COUNT, CLI_SIZE */
    uint32_t maximum;
} cli_option;

/* Reads argv[1..]. operand_name is what the command's one operand is called in messages ("FILE"),
 * or NULL if it takes none; *out_operand is then left alone. Returns CLI_OK, or CLI_USAGE after
 * saying on stderr what is wrong. */
int cli_options_parse(int argc, char **argv, const cli_option *options, uint32_t option_count,
                      const char *operand_name, const char **out_operand);

/* The same for a command of up to `capacity` operands, of which none needs to be there. */
int cli_options_parse_list(int argc, char **argv, const cli_option *options, uint32_t option_count,
                           uint32_t capacity, const char **out_operands, uint32_t *out_count);

#endif
