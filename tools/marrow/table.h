/* Aligned columns for people. */
#ifndef MARROW_TOOL_TABLE_H
#define MARROW_TOOL_TABLE_H

#include "report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_TABLE_COLUMNS 24
#define CLI_TABLE_CELL 256 /* bytes of a cell; longer text is cut */

typedef enum cli_alignment { CLI_LEFT, CLI_RIGHT } cli_alignment;

/* Begin, then the titles of all columns, then cells row by row, then print. */
typedef struct cli_table {
    uint32_t column_count;
    cli_alignment alignments[CLI_TABLE_COLUMNS];
    uint32_t title_count;
    const char *titles[CLI_TABLE_COLUMNS];
    uint32_t spans[CLI_TABLE_COLUMNS];
    size_t widths[CLI_TABLE_COLUMNS];
    char *cells; /* one after the other, each with its NUL */
    size_t cells_size;
    size_t cells_capacity;
    size_t cell_count;
    bool failed; /* memory ran out */
} cli_table;

void cli_table_begin(cli_table *table);
/* Adds `span` columns under one title. */
void cli_table_columns(cli_table *table, const char *title, cli_alignment alignment, uint32_t span);
void cli_table_cell(cli_table *table, const char *format, ...) CLI_PRINTF(2, 3);
/* `decimals` digits after the point; never "-0.00". */
void cli_table_number(cli_table *table, float value, int decimals);
/* Prints each row after `indent` spaces, and frees the table. Returns false if memory ran out. */
bool cli_table_print(cli_table *table, FILE *out, int indent);

#endif
