#include "report.h"

#include "command.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* Longer messages are cut: a path can be longer than anyone wants to read. */
enum { MESSAGE_SIZE = 1024 };

static void put_prefix(const char *command)
{
    fputs("marrow", stderr);
    if (command) {
        fprintf(stderr, " %s", command);
    }
    fputs(": ", stderr);
}

int cli_fail_usage(const char *command, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);

    put_prefix(command);
    cli_put_text(stderr, message);
    fprintf(stderr, "\nTry 'marrow help%s%s'.\n", command ? " " : "", command ? command : "");
    return CLI_USAGE;
}

int cli_exit_status(mrw_status status)
{
    switch (status) {
    case MRW_OK:
        return CLI_OK;
    case MRW_ERR_FILE_NOT_FOUND:
    case MRW_ERR_FILE_READ:
    case MRW_ERR_FILE_WRITE:
        return CLI_IO;
    default:
        return CLI_CONTENT;
    }
}

int cli_fail(const char *command, const char *path, const mrw_error *error)
{
    put_prefix(command);
    if (path) {
        cli_put_text(stderr, path);
        if (error->line > 0) {
            fprintf(stderr, ":%u:%u", (unsigned)error->line, (unsigned)error->column);
        }
        fputs(": ", stderr);
    }
    /* The file as a whole, or by its path: that has been said. */
    bool is_file = path && (strcmp(error->detail, path) == 0 || strcmp(error->detail, "file") == 0);
    if (error->detail[0] && !is_file) {
        cli_put_text(stderr, error->detail);
        fputs(": ", stderr);
    }
    cli_put_text(stderr, error->message[0] ? error->message : mrw_status_text(error->status));
    fputc('\n', stderr);
    return cli_exit_status(error->status);
}

int cli_fail_status(const char *command, const char *path, mrw_status status)
{
    mrw_error error = {0};
    error.status = status;
    return cli_fail(command, path, &error);
}
