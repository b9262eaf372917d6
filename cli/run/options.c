/* SPDX-License-Identifier: Apache-2.0
 *
 * options.c: from an argument line to a run of a command.
 *
 * popt reads the tables. What it leaves to its caller is done here: "--" before compiler flags, the
 * ownership of values (an option that is given twice would lose its first), help that notices a
 * full disk, and the option that was meant.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

common_options common;

/* Rows that every command has. */
#define ALWAYS                                                                                 \
    OPTION_VALUE("format", '\0', &common.format, "how to print, one of: text json", "FORMAT"), \
        OPTION_VALUE("output", 'o', &common.output, "write to FILE", "FILE"),                  \
        OPTION_FLAG("quiet", 'q', &common.quiet, "no progress, no warnings"),                  \
        OPTION_FLAG("verbose", 'v', &common.verbose, "say what is done and why"),              \
        OPTION_FLAG("help", 'h', &common.help, "show this and exit"), POPT_TABLEEND

struct poptOption common_table[] = {
    OPTION_VALUE("threads", 'j', &common.threads, "threads (default: all)", "N"),
    OPTION_VALUE("memory", '\0', &common.memory,
                 "stop with a partial result when the process has this size", "16G"),
    OPTION_VALUE("time", '\0', &common.time, "stop with a partial result after this time", "10m"),
    ALWAYS};

struct poptOption plain_table[] = {ALWAYS};

size_t list_length(char *const *list) {
    size_t n = 0;
    while (list && list[n]) n++;
    return n;
}

bool list_has(char *const *list, const char *word) {
    for (size_t i = 0; list && list[i]; i++)
        if (strcmp(list[i], word) == 0) return true;
    return false;
}

int read_word(const char *option, const char *text, const option_word *words, int *value) {
    char there[256] = "";
    size_t n = 0;
    for (size_t i = 0; text && words[i].word; i++) {
        const char *between = i == 0 ? "" : words[i + 1].word ? ", " : " and ";
        n += (size_t)snprintf(there + n, sizeof there - n, "%s%s", between, words[i].word);
        if (strcmp(text, words[i].word) != 0) continue;
        *value = words[i].value;
        return 0;
    }
    return text ? usage_error("--%s %s: there are %s", option, text, there) : 0;
}

static bool is_end(const struct poptOption *row) {
    return !row->longName && !row->shortName && !row->arg;
}

/* ---- values ---- */

/* Every text that an option was given, so that one that is replaced by a later one is freed too. */
static struct {
    char **text;
    size_t n, capacity;
} values;

static void keep_value(char *text) {
    for (size_t i = 0; i < values.n; i++) {
        if (values.text[i] == text) return;
    }
    if (values.n == values.capacity) {
        size_t capacity = values.capacity ? 2 * values.capacity : 16;
        char **grown = realloc(values.text, capacity * sizeof *grown);
        if (!grown) return;
        values.text = grown;
        values.capacity = capacity;
    }
    values.text[values.n++] = text;
}

/* Tables include tables one level deep. */
static void keep_values(const struct poptOption *table) {
    for (const struct poptOption *row = table; !is_end(row); row++) {
        int kind = row->argInfo & POPT_ARG_MASK;
        if (kind == POPT_ARG_INCLUDE_TABLE) {
            keep_values(row->arg);
        } else if (kind == POPT_ARG_STRING && *(char **)row->arg) {
            keep_value(*(char **)row->arg);
        }
    }
}

static void free_values(void) {
    for (size_t i = 0; i < values.n; i++) free(values.text[i]);
    free(values.text);
}

/* ---- mistakes ---- */

enum { MOST_NAMES = 64 };

static size_t collect_names(const struct poptOption *table, const char **names, size_t n) {
    for (const struct poptOption *row = table; !is_end(row); row++) {
        if ((row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            n = collect_names(row->arg, names, n);
        } else if (row->longName && n < MOST_NAMES) {
            names[n++] = row->longName;
        }
    }
    return n;
}

static int unknown_option(const command *chosen, const char *given) {
    const char *names[MOST_NAMES], *meant = NULL;
    char word[64];
    if (strncmp(given, "--", 2) == 0) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(given + 2, "="), given + 2);
        meant = nearest(word, names, collect_names(chosen->options, names, 0));
    }
    if (!meant) return usage_error("%s has no option %s", chosen->name, given);
    return usage_error("%s has no option %s; did you mean --%s?", chosen->name, given, meant);
}

static int explain_mistake(const command *chosen, const char *given, int mistake) {
    switch (mistake) {
        case POPT_ERROR_BADOPT:
            return unknown_option(chosen, given);
        case POPT_ERROR_NOARG:
            return usage_error("%s needs a value", given);
        case POPT_ERROR_UNWANTEDARG:
            return usage_error("%s: this option takes no value", given);
        default:
            return usage_error("%s: %s", given, poptStrerror(mistake));
    }
}

/* ---- running ---- */

static const command *running;

static bool table_has(const struct poptOption *table, const char *word) {
    size_t length = strcspn(word, "=");
    for (const struct poptOption *row = table; !is_end(row); row++) {
        if ((row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            if (table_has(row->arg, word)) return true;
            continue;
        }
        bool letter = word[1] != '-' && word[1] == row->shortName && length == 2;
        bool name = word[1] == '-' && row->longName && strlen(row->longName) + 2 == length &&
                    strncmp(row->longName, word + 2, length - 2) == 0;
        if (letter || name) return true;
    }
    return false;
}

bool is_own_option(const char *word) {
    return word[0] == '-' && word[1] && table_has(running->options, word);
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

static int print_command_help(poptContext options, const command *chosen) {
    char usage[160];
    snprintf(usage, sizeof usage, "%s [OPTIONS] %s", chosen->name, chosen->operands);
    poptSetOtherOptionHelp(options, usage);
    poptPrintHelp(options, stdout, 0);
    if (chosen->notes) fputs(chosen->notes, stdout);
    return finish_output(stdout, 0);
}

static int run_checked(const command *chosen, cli_arguments *found) {
    while (found->operand && found->operand[found->n_operands]) found->n_operands++;
    if (found->n_operands < chosen->min_operands) {
        return usage_error("%s needs %s", chosen->name, chosen->operands);
    }
    if (chosen->max_operands >= 0 && found->n_operands > chosen->max_operands) {
        return usage_error("%s: unexpected '%s'", chosen->name,
                           found->operand[chosen->max_operands]);
    }
    return chosen->run(found);
}

int run_command(const command *chosen, int argc, const char **argv) {
    cli_arguments found = {0};
    int code, seen;
    running = chosen;
    argc = split_flags(chosen, argc, argv, &found);
    argv[0] = "cflr"; /* begins the usage line */
    poptContext options = poptGetContext("cflr", argc, argv, chosen->options, 0);
    if (!options) return fail_memory();
    while ((seen = poptGetNextOpt(options)) == OPTION_TAKEN) keep_values(chosen->options);
    keep_values(chosen->options);
    if (seen < -1) {
        code = explain_mistake(chosen, poptBadOption(options, 0), seen);
    } else if (common.help) {
        forget_output();
        code = print_command_help(options, chosen);
    } else {
        found.operand = poptGetArgs(options);
        code = run_checked(chosen, &found);
    }
    session_end();
    poptFreeContext(options);
    free_values();
    return code;
}
