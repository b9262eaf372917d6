/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: finds the command, reads its options, runs it.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/dump.h"

const command *const commands[] = {
    &command_analyze, &command_extract, &command_solve, &command_query,
    &command_grammar, &command_convert, &command_info,  NULL};

static void print_help(FILE *file) {
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
}

static int print_version(const char *how) {
    if (strcmp(how, "json") == 0) {
        printf("{\"cflr\": \"%s\", \"frontend\": %s, \"file_format\": %d, \"compiler\": \"%s\"}\n",
               cflr_version(), CFLR_WITH_FRONTEND ? "true" : "false", CFLR_FILE_FORMAT,
               __VERSION__);
    } else {
        printf("cflr %s%s\n", cflr_version(),
               CFLR_WITH_FRONTEND ? "" : " (without the C front end)");
    }
    return 0;
}

static const command *find_command(const char *name) {
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    }
    return NULL;
}

static int unknown_command(const char *name) {
    const char *names[16];
    size_t n = 0;
    while (commands[n]) {
        names[n] = commands[n]->name;
        n++;
    }
    const char *meant = nearest(name, names, n);
    if (meant) return usage_error("no command '%s'; did you mean '%s'?", name, meant);
    return usage_error("no command '%s'; `cflr help` lists them", name);
}

/* popt swallows "--": what follows it is cut off first. */
static int split_flags(const command *chosen, int argc, const char **argv, cli_arguments *found) {
    for (int i = 1; chosen->takes_flags && i < argc; i++) {
        if (strcmp(argv[i], "--") != 0) continue;
        found->flag = argv + i + 1;
        found->n_flags = argc - i - 1;
        return i;
    }
    return argc;
}

static int run_command(const command *chosen, int argc, const char **argv) {
    cli_arguments found = {0};
    argc = split_flags(chosen, argc, argv, &found);
    poptContext options = poptGetContext("cflr", argc, argv, chosen->options, 0);
    if (!options) return usage_error("out of memory for options");
    char usage[160];
    snprintf(usage, sizeof usage, "%s [OPTIONS] %s", chosen->name, chosen->operands);
    poptSetOtherOptionHelp(options, usage);
    int code = 0;
    int seen = poptGetNextOpt(options);
    if (seen < -1) {
        code = usage_error("%s: %s", poptBadOption(options, 0), poptStrerror(seen));
    } else {
        found.operand = poptGetArgs(options);
        while (found.operand && found.operand[found.n_operands]) found.n_operands++;
        if (found.n_operands < chosen->min_operands) {
            code = usage_error("%s needs %s", chosen->name, chosen->operands);
        } else if (chosen->max_operands >= 0 && found.n_operands > chosen->max_operands) {
            code = usage_error("%s: unexpected '%s'", chosen->name,
                               found.operand[chosen->max_operands]);
        } else {
            code = chosen->run(&found);
        }
    }
    session_end();
    poptFreeContext(options);
    return code;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "help";
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return finish_output(stdout, 0);
    }
    if (strncmp(name, "--version", 9) == 0) {
        print_version(name[9] == '=' ? name + 10 : "text");
        return finish_output(stdout, 0);
    }
    if (strcmp(name, "--dump-options") == 0) {
        dump_options(stdout);
        return finish_output(stdout, 0);
    }
    const command *chosen = find_command(name);
    if (!chosen) return unknown_command(name);
    return run_command(chosen, argc - 1, (const char **)argv + 1);
}
