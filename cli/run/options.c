/* SPDX-License-Identifier: Apache-2.0
 *
 * options.c: from an argument line to a run of a command.
 *
 * popt reads the tables. It leaves to its caller, which is this file: "--" before compiler flags,
 * the ownership of values (an option that is given twice would lose its first), help that notices a
 * full disk, and the option that was meant.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/run/rows.h"
#include "cli/run/settings.h"
#include "cli/run/writer.h"

common_options common;

#define WORD(word) " " #word

/* Rows that every command has. */
#define ALWAYS                                                                                     \
    OPTION_VALUE("format", '\0', &common.format, "how to print, one of:" ANSWER_FORMAT_LIST(WORD), \
                 "FORMAT"),                                                                        \
        OPTION_VALUE("output", 'o', &common.output, "write to FILE", "FILE"),                      \
        OPTION_FLAG("quiet", 'q', &common.quiet, "no progress, no warnings"),                      \
        OPTION_FLAG("verbose", 'v', &common.verbose, "say what is done and why"),                  \
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

int read_size(const char *option, const char *text, uint64_t *bytes) {
    if (!text || (parse_size(text, bytes) && *bytes > 0)) return 0;
    return usage_error("--%s %s: a size is a number and K, M, G or T", option, text);
}

int read_count(const char *option, const char *text, uint32_t least, uint32_t most,
               uint32_t *value) {
    uint64_t count;
    if (!text) return 0;
    if (!parse_count(text, most, &count) || count < least) {
        return usage_error("--%s %s: a number from %u to %u", option, text, least, most);
    }
    *value = (uint32_t)count;
    return 0;
}

int read_device(const char *text, cflr_device *device) {
    static const option_word devices[] = {
        {"auto", CFLR_DEVICE_AUTO}, {"cpu", CFLR_DEVICE_CPU}, {"gpu", CFLR_DEVICE_GPU}, {NULL, 0}};
    int value = CFLR_DEVICE_AUTO;
    int code = read_word("device", text, devices, &value);
    *device = (cflr_device)value;
    return code;
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
    if (!make_room(&values.text, &values.capacity, values.n, sizeof *values.text)) return;
    values.text[values.n++] = text;
}

static void keep_values(const command *chosen) {
    const option_rows rows = rows_of(chosen);
    for (size_t i = 0; i < rows.n; i++) {
        bool is_text = (rows.at[i]->argInfo & POPT_ARG_MASK) == POPT_ARG_STRING;
        if (is_text && *(char **)rows.at[i]->arg) keep_value(*(char **)rows.at[i]->arg);
    }
}

static void free_values(void) {
    for (size_t i = 0; i < values.n; i++) free(values.text[i]);
    free(values.text);
}

/* ---- mistakes ---- */

static int unknown_option(const command *chosen, const char *given) {
    const option_rows rows = rows_of(chosen);
    const char *meant = NULL;
    char word[64];
    if (strncmp(given, "--", 2) == 0) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(given + 2, "="), given + 2);
        meant = nearest_row(&rows, word);
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

bool is_own_option(const char *word) {
    const option_rows rows = rows_of(running);
    size_t length = strcspn(word, "=");
    if (length == 2 && word[0] == '-') return find_letter(&rows, word[1]);
    return length > 2 && strncmp(word, "--", 2) == 0 && find_row(&rows, word + 2, length - 2);
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
    char usage[4096];
    snprintf(usage, sizeof usage, "%s [OPTIONS] %s%s%s", chosen->name, chosen->operands,
             chosen->intro ? "\n\n" : "", chosen->intro ? chosen->intro : "");
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
    int seen, code;
    running = chosen;
    argc = split_flags(chosen, argc, argv, &found);
    argv[0] = "cflr"; /* begins the usage line */
    code = settings_merge(chosen, &argc, &argv);
    if (code) {
        settings_free();
        return code;
    }
    poptContext options = poptGetContext("cflr", argc, argv, chosen->options, 0);
    if (!options) return fail_memory();
    while ((seen = poptGetNextOpt(options)) == OPTION_TAKEN) keep_values(chosen);
    keep_values(chosen);
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
    settings_free();
    return code;
}
