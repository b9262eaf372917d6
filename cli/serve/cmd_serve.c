/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_serve.c: `cflr serve --stdio [RESULT]`: a language server (docs/how-to/editor.md).
 *
 * Standard output is the protocol's. So that nothing else gets there, it becomes another descriptor
 * that only the protocol has, and what would be printed goes to standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/serve/server.h"

static int over_stdio;
static char *database;

static struct poptOption table[] = {
    OPTION_FLAG("stdio", '\0', &over_stdio, "talk to the client at standard input and output"),
    OPTION_VALUE("database", 'p', &database,
                 "directory of compile_commands.json, or the file (default: the nearest upward)",
                 "DIR"),
    COMMON_OPTIONS};

static const char notes[] =
    "\nWithout RESULT the workspace of the client is analysed, when the server starts and when a\n"
    "file is saved, by `cflr analyze` and, if the configuration has rules or checks, `cflr check`\n"
    "with the options of .cflr.json. -j, --memory, --time and -p go to these.\n";

/* A path that stays right when the working directory changes; NULL after a message. */
static char *whole_path(const char *path) {
    char here[PATH_MAX], *whole;
    if (path[0] == '/') return strdup(path);
    if (!getcwd(here, sizeof here) || asprintf(&whole, "%s/%s", here, path) < 0) {
        fail_memory();
        return NULL;
    }
    return whole;
}

/* Takes standard output away from all else. */
static int take_output(int *out) {
    *out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (*out >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return 0;
    complain("standard output: %s", strerror(errno));
    return cflr_status_exit_code(CFLR_IO);
}

/* The limits are those of children: the server itself lasts as long as the client does. */
static int begin(void) {
    const common_options given = common;
    uint64_t bytes;
    double seconds;
    int code = read_size("memory", given.memory, &bytes);
    if (!code && given.time && (!parse_duration(given.time, &seconds) || seconds <= 0))
        code = usage_error("--time %s: a duration is a number and s, m or h", given.time);
    if (code) return code;
    common.time = common.memory = NULL;
    code = session_begin();
    common = given;
    return code;
}

static int serve(const char *result) {
    static server s; /* large */
    int code = take_output(&s.rpc.out);
    s.rpc.in = STDIN_FILENO;
    s.analysis.database = database;
    return code ? code : server_run(&s, result);
}

static int run(const cli_arguments *arguments) {
    if (!over_stdio) return usage_error("serve --stdio: there is no other way to talk to it");
    if (common.output || common.format)
        return usage_error("serve prints no answers: no -o, no --format");
    char *result = arguments->n_operands ? whole_path(arguments->operand[0]) : NULL;
    if (arguments->n_operands && !result) return cflr_status_exit_code(CFLR_NO_MEMORY);
    int code = begin();
    if (!code) code = serve(result);
    free(result);
    return code;
}

const command command_serve = {.name = "serve",
                               .operands = "[RESULT]",
                               .summary = "a language server: answers and findings in an editor",
                               .notes = notes,
                               .options = table,
                               .min_operands = 0,
                               .max_operands = 1,
                               .run = run};
