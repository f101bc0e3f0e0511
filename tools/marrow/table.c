#include "table.h"

#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Spaces between two columns. Columns under one title stand closer together. */
enum { GAP = 2, GAP_IN_GROUP = 1 };

void cli_table_begin(cli_table *table)
{
    memset(table, 0, sizeof(*table));
}

void cli_table_columns(cli_table *table, const char *title, cli_alignment alignment, uint32_t span)
{
    table->titles[table->title_count] = title;
    table->spans[table->title_count] = span;
    table->title_count += 1;
    for (uint32_t i = 0; i < span; ++i) {
        table->alignments[table->column_count++] = alignment;
    }
}

static void append(cli_table *table, const char *text, size_t length)
{
    size_t needed = table->cells_size + length + 1;
    if (needed > table->cells_capacity) {
        size_t capacity = needed + table->cells_capacity + 4096;
        char *cells = realloc(table->cells, capacity);
        if (!cells) {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->cells_capacity = capacity;
    }
    memcpy(table->cells + table->cells_size, text, length);
    table->cells[table->cells_size + length] = '\0';
    table->cells_size = needed;
    size_t width = cli_text_width(table->cells + needed - length - 1);
    size_t column = table->cell_count % table->column_count;
    if (width > table->widths[column]) {
        table->widths[column] = width;
    }
    table->cell_count += 1;
}

void cli_table_cell(cli_table *table, const char *format, ...)
{
    char raw[CLI_TABLE_CELL];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof(raw), format, arguments);
    va_end(arguments);
    char cell[CLI_TABLE_CELL];
    size_t length = cli_copy_text(cell, sizeof(cell), raw);
    append(table, cell, length);
}

void cli_table_number(cli_table *table, float value, int decimals)
{
    char cell[64];
    snprintf(cell, sizeof(cell), "%.*f", decimals, (double)value);
    bool negative_zero = cell[0] == '-' && strspn(cell, "-0.") == strlen(cell);
    const char *shown = cell + negative_zero;
    append(table, shown, strlen(shown));
}

/* Spaces are owed rather than written, so that no line ends with them. */
typedef struct table_line {
    FILE *out;
    size_t owed;
} table_line;

static void put_cell(table_line *line, const char *text, size_t text_width, size_t width,
                     bool right)
{
    size_t padding = width - text_width;
    line->owed += right ? padding : 0;
    if (*text) {
        fprintf(line->out, "%*s%s", (int)line->owed, "", text);
        line->owed = 0;
    }
    line->owed += right ? 0 : padding;
}

static size_t group_width(const cli_table *table, uint32_t first, uint32_t span)
{
    size_t width = (span - 1) * (size_t)GAP_IN_GROUP;
    for (uint32_t i = first; i < first + span; ++i) {
        width += table->widths[i];
    }
    return width;
}

static void print_titles(cli_table *table, FILE *out, int indent)
{
    table_line line = {out, (size_t)indent};
    uint32_t column = 0;
    for (uint32_t i = 0; i < table->title_count; ++i) {
        size_t title_width = cli_text_width(table->titles[i]);
        size_t width = group_width(table, column, table->spans[i]);
        if (title_width > width) {
            table->widths[column] += title_width - width;
            width = title_width;
        }
        put_cell(&line, table->titles[i], title_width, width,
                 table->alignments[column] == CLI_RIGHT);
        line.owed += GAP;
        column += table->spans[i];
    }
    fputc('\n', out);
}

static const char *print_row(const cli_table *table, const char *cell, FILE *out, int indent)
{
    table_line line = {out, (size_t)indent};
    uint32_t column = 0;
    for (uint32_t i = 0; i < table->title_count; ++i) {
        for (uint32_t j = 0; j < table->spans[i]; ++j, ++column) {
            put_cell(&line, cell, cli_text_width(cell), table->widths[column],
                     table->alignments[column] == CLI_RIGHT);
            line.owed += j + 1 < table->spans[i] ? GAP_IN_GROUP : GAP;
            cell += strlen(cell) + 1;
        }
    }
    fputc('\n', out);
    return cell;
}

bool cli_table_print(cli_table *table, FILE *out, int indent)
{
    bool complete = !table->failed;
    if (complete) {
        print_titles(table, out, indent);
        const char *cell = table->cells;
        for (size_t i = 0; i < table->cell_count; i += table->column_count) {
            cell = print_row(table, cell, out, indent);
        }
    }
    free(table->cells);
    table->cells = NULL;
    return complete;
}
