/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: finds the command and hands it the rest of the line.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/run.h"

const command *const commands[] = {&command_analyze,
                                   &command_check,
                                   &command_extract,
                                   &command_link,
                                   &command_compdb,
                                   &command_solve,
                                   &command_merge,
                                   &command_query,
                                   &command_callgraph,
                                   &command_explain,
                                   &command_report,
                                   &command_serve,
                                   &command_grammar,
                                   &command_graph,
                                   &command_convert,
                                   &command_info,
                                   &command_diff,
                                   &command_init,
                                   NULL};

enum { N_COMMANDS = sizeof commands / sizeof *commands - 1 };

static int print_help(FILE *file, int code) {
    fputs(
        "cflr: alias, points-to and data-flow answers by CFL-reachability\n\n"
        "usage: cflr COMMAND [OPTIONS] ...\n\n",
        file);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(file, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs(
        "\n`cflr COMMAND --help` lists the options of a command; `man cflr` tells the rest.\n"
        "exit: 0 done or yes, 1 no, 2 usage, 3 input, 4 limit hit with a partial result kept,\n"
        "      5 out of memory or disk, 6 not available here, 70 internal error, 130 interrupted\n",
        file);
    return finish_output(file, code);
}

static int print_version(const char *how) {
    if (strcmp(how, "json") == 0) {
        json_t *object = json_object();
        json_set_text(object, "cflr", cflr_version());
        json_set(object, "frontend", json_boolean(CFLR_WITH_FRONTEND));
        json_set_count(object, "file_format", CFLR_FILE_FORMAT);
        json_set_count(object, "file_format_oldest", CFLR_FILE_FORMAT_OLDEST);
        json_set_text(object, "compiler", __VERSION__);
        return print_json(object, 0);
    }
    if (strcmp(how, "text") != 0) {
        return usage_error("--version=%s: there are text and json", how);
    }
    printf("cflr %s%s\n", cflr_version(), CFLR_WITH_FRONTEND ? "" : " (without the C front end)");
    return finish_output(stdout, 0);
}

static int unexpected(const char *operand) {
    return usage_error("unexpected '%s'", operand);
}

static const command *find_command(const char *name) {
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

static int unknown_command(const char *name) {
    const char *names[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++) names[i] = commands[i]->name;
    if (name[0] == '-') return usage_error("no option %s here: the command comes first", name);
    const char *meant = nearest(name, names, N_COMMANDS);
    if (meant) return usage_error("no command '%s'; did you mean '%s'?", name, meant);
    return usage_error("no command '%s'", name);
}

static int help(int argc, char **argv) {
    const char *about = argc > 2 ? argv[2] : NULL;
    if (!about) return print_help(stdout, 0);
    if (argc > 3) return unexpected(argv[3]);
    const command *chosen = find_command(about);
    const char *line[] = {"cflr", "--help", NULL};
    return chosen ? run_command(chosen, 2, line) : unknown_command(about);
}

/* A closed standard descriptor must not become the number of a file that is opened later. Reading
 * from or writing to what is put in its place fails, as it should. */
static void hold_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        bool closed = fcntl(fd, F_GETFD) < 0;
        if (closed) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

static int run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : NULL;
    hold_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an output error, not a death */
    signal(SIGXFSZ, SIG_IGN); /* and so is a limit of file sizes */
    json_begin();
    quiet_ranks();
    if (!name) return print_help(stderr, EXIT_USAGE);
    bool wants_help = !strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h");
    if (wants_help) return help(argc, argv);
    if (strcmp(name, "--version") == 0 || strncmp(name, "--version=", 10) == 0) {
        return argc > 2 ? unexpected(argv[2]) : print_version(name[9] ? name + 10 : "text");
    }
    if (strcmp(name, "--dump-options") == 0) {
        if (argc > 2) return unexpected(argv[2]);
        dump_options(stdout);
        return finish_output(stdout, 0);
    }
    const command *chosen = find_command(name);
    if (!chosen) return unknown_command(name);
    int refused = check_ranks(chosen);
    if (refused) return refused;
    return run_command(chosen, argc - 1, (const char **)argv + 1);
}

/* A command that was done in spite of a signal says so all the same. */
int main(int argc, char **argv) {
    catch_signals();
    int code = end_ranks(run(argc, argv));
    return code == EXIT_YES && interrupted() ? EXIT_INTERRUPTED : code;
}
