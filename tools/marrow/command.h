/* The commands of `marrow`, and what they promise.
 *
 * Each command is a file cmd_<name>.c with two things in it: cmd_<name>, which does the work and
 * returns an exit status, and cmd_<name>_help, the whole text of `marrow help <name>`. A line in
 * CLI_COMMANDS makes it known. main.c answers --help before a command runs, ignores SIGPIPE, and
 * after the command checks that everything written to stdout has arrived.
 *
 * Data go to stdout and nothing else does; messages and progress go to stderr.
 */
#ifndef MARROW_TOOL_COMMAND_H
#define MARROW_TOOL_COMMAND_H

/* Exit statuses, the same for every command. */
enum {
    CLI_OK = 0,
    CLI_CONTENT = 1, /* the file's content is unusable */
    CLI_USAGE = 2,   /* the command line is wrong */
    CLI_IO = 3       /* something cannot be read or written */
};

/* COMMAND(name, one line for `marrow --help`), in the order in which they are listed. */
#define CLI_COMMANDS(COMMAND)                                                                      \
    COMMAND(inspect, "what is in a file: skeleton, meshes, clips, and what is odd about it")       \
    COMMAND(pose, "joints and vertices of a file at one moment")                                   \
    COMMAND(view, "a file in a window: play it, mix it, look into it")                             \
    COMMAND(render, "a picture, or a moving picture, of a file")                                   \
    COMMAND(pack, "clips made many times smaller, within a bound on the error")                    \
    COMMAND(compare, "how far two clips of one skeleton are apart")                                \
    COMMAND(demo, "write two small animated characters to try the rest with")

/* argv[0] is the command's name. cmd_<name>_help begins with "usage: marrow <name> " and ends with
 * a newline. */
#define CLI_DECLARE(name, summary)                                                                 \
    int cmd_##name(int argc, char **argv);                                                         \
    extern const char cmd_##name##_help[];
CLI_COMMANDS(CLI_DECLARE)
#undef CLI_DECLARE

#endif
