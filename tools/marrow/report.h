/* What goes to stderr when something is wrong, and the exit status that it means. */
#ifndef MARROW_TOOL_REPORT_H
#define MARROW_TOOL_REPORT_H

#include <marrow/base.h>

#include <stdarg.h>

#if defined(__GNUC__)
#define CLI_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define CLI_PRINTF(format_index, first)
#endif

/* "marrow pose: <message>" and a pointer to the help. command may be NULL: "marrow: ".
 * Returns CLI_USAGE. */
int cli_fail_usage(const char *command, const char *format, ...) CLI_PRINTF(2, 3);

/* "marrow pose: <path>:3:14: <detail>: <message>". path or NULL. Returns the exit status that
 * error->status means. */
int cli_fail(const char *command, const char *path, const mrw_error *error);

/* The same where only a status is known. */
int cli_fail_status(const char *command, const char *path, mrw_status status);

/* CLI_IO for files that cannot be read or written, else CLI_CONTENT. */
int cli_exit_status(mrw_status status);

#endif
