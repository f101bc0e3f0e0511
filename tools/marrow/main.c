/* marrow: the command line.
 *
 *     main ──▶ cmd_<name> ──▶ input ──▶ libmarrow_offline, libmarrow
 *                   │           └─▶ report ──▶ stderr
 *                   └─▶ json_writer, table, text ──▶ stdout
 *
 * main knows the list of commands and what is the same for all of them: help, the version, and that
 * a command has only succeeded if its output has arrived.
 */
#include "command.h"
#include "report.h"
#include "suggest.h"

#include <marrow/base.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct command {
    const char *name;
    const char *summary;
    const char *help;
    int (*run)(int argc, char **argv);
} command;

#define COMMAND_ENTRY(name, summary) {#name, summary, cmd_##name##_help, cmd_##name},
static const command commands[] = {CLI_COMMANDS(COMMAND_ENTRY)};
#undef COMMAND_ENTRY

#define COMMAND_NAME(name, summary) "|" #name
static const char command_names[] = "help" CLI_COMMANDS(COMMAND_NAME);
#undef COMMAND_NAME

enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

static void print_overview(FILE *out)
{
    fputs("usage: marrow COMMAND ...\n\nSkeletal animation: look at a character file, pose it, "
          "draw it.\n\ncommands:\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("  help      what a command does and its options: marrow help pose\n"
          "\noptions:\n"
          "  --help     this text\n"
          "  --version  the version, and the instruction set in use\n"
          "\nenvironment:\n"
          "  MARROW_ISA  another instruction set than the fastest, e.g. scalar; the results are the "
          "same\n"
          "\nexit status: 0 success, 1 the content of a file is unusable, 2 the command line is "
          "wrong,\n             3 something cannot be read or written\n",
          out);
}

static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    char nearest[32];
    if (cli_suggest(name, command_names, nearest, sizeof(nearest))) {
        return cli_fail_usage(NULL, "unknown command '%s'; did you mean '%s'?", name, nearest);
    }
    return cli_fail_usage(NULL, "unknown command '%s'", name);
}

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

/* `--help` counts wherever it stands before `--`: somebody who asks is not in the mood for an
 * error. */
static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (is_help(argv[i])) {
            return true;
        }
    }
    return false;
}

static int run_help(int argc, char **argv)
{
    if (argc > 2) {
        return cli_fail_usage(NULL, "help takes one command, not '%s' too", argv[2]);
    }
    if (argc < 2 || is_help(argv[1]) || strcmp(argv[1], "help") == 0) {
        print_overview(stdout);
        return CLI_OK;
    }
    const command *found = find_command(argv[1]);
    if (!found) {
        return unknown_command(argv[1]);
    }
    fputs(found->help, stdout);
    return CLI_OK;
}

/* The instruction set that the environment asks for, for tests and measurements. */
static int select_isa(void)
{
    const char *name = getenv("MARROW_ISA");
    if (name == NULL || name[0] == '\0' || mrw_isa_select(name) == MRW_OK) {
        return CLI_OK;
    }
    char names[128] = "";
    const char *one;
    for (uint32_t i = 0; (one = mrw_isa_available(i)) != NULL; ++i) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof(names) - used, "%s%s", i == 0 ? "" : ", ", one);
    }
    return cli_fail_usage(NULL, "MARROW_ISA is '%s'; this machine has %s", name, names);
}

/* argv[0] is the command's name. */
static int dispatch(int argc, char **argv)
{
    const char *name = argv[0];
    if (strcmp(name, "help") == 0) {
        return run_help(argc, argv);
    }
    if (is_help(name)) {
        print_overview(stdout);
        return CLI_OK;
    }
    if (strcmp(name, "--version") == 0) {
        int status = select_isa();
        if (status == CLI_OK) {
            printf("marrow %s (%s)\n", mrw_version(), mrw_isa_name());
        }
        return status;
    }
    if (name[0] == '-') {
        return cli_fail_usage(NULL, "unknown option '%s'", name);
    }
    const command *found = find_command(name);
    if (!found) {
        return unknown_command(name);
    }
    if (asks_for_help(argc, argv)) {
        fputs(found->help, stdout);
        return CLI_OK;
    }
    int status = select_isa();
    return status == CLI_OK ? found->run(argc, argv) : status;
}

/* A full disk or a closed pipe shows itself here at the latest. */
static bool output_arrived(void)
{
    errno = 0;
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    if (failed) {
        const char *reason = errno ? strerror(errno) : "an earlier write failed";
        fprintf(stderr, "marrow: cannot write to standard output: %s\n", reason);
    }
    return !failed;
}

int main(int argc, char **argv)
{
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* a write to a closed pipe then fails, and we can say so */
#endif
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    int status = dispatch(argc - 1, argv + 1);
    return !output_arrived() && status == CLI_OK ? CLI_IO : status;
}
