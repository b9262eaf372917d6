/* SPDX-License-Identifier: Apache-2.0
 *
 * message.c: what people read on standard error.
 *
 *     cflr: my.cfg:3:9: unknown directive '%strat'
 *         3 | %strat V
 *           |  ^
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static bool use_color(void) {
    const char *no = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && (!no || !no[0]);
}

static void say(const char *format, va_list arguments) {
    clear_progress();
    fputs(use_color() ? "\033[1mcflr:\033[0m " : "cflr: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void remark(const char *format, ...) {
    if (common.quiet) return;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

int usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    fputs("      try `cflr help` or `cflr COMMAND --help`\n", stderr);
    return EXIT_USAGE;
}

/* Shows line `number` of a plain text file with a caret under the column; nothing when the file
 * cannot be read again (standard input, packed files) or holds other bytes than text. */
static void show_line(const char *path, uint32_t number, uint32_t column) {
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "r");
    if (!file) return;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = -1;
    for (uint32_t i = 0; i < number; i++) {
        length = getline(&line, &capacity, file);
        if (length < 0) break;
    }
    fclose(file);
    bool printable = length >= 0 && length < 200;
    for (ssize_t i = 0; printable && i < length; i++) {
        unsigned char c = (unsigned char)line[i];
        printable = c >= ' ' || c == '\t' || c == '\n' || c == '\r';
    }
    if (printable) {
        line[strcspn(line, "\r\n")] = '\0';
        fprintf(stderr, "%5u | %s\n      | ", number, line);
        for (uint32_t i = 1; i < column && line[i - 1]; i++) {
            fputc(line[i - 1] == '\t' ? '\t' : ' ', stderr);
        }
        if (column) fputc('^', stderr);
        fputc('\n', stderr);
    }
    free(line);
}

int fail(const cflr_error *error) {
    if (!error->subject[0]) {
        complain("%s", error->message);
    } else if (!error->line) {
        complain("%s: %s", error->subject, error->message);
    } else if (!error->column) {
        complain("%s:%u: %s", error->subject, error->line, error->message);
    } else {
        complain("%s:%u:%u: %s", error->subject, error->line, error->column, error->message);
    }
    if (error->line) show_line(error->subject, error->line, error->column);
    return cflr_status_exit_code(error->code);
}

/* Edit distance between two short words, rows of the usual table one after the other. */
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 64 };
    size_t n = strlen(a), m = strlen(b), row[LONGEST + 1];
    if (n > LONGEST || m > LONGEST) return LONGEST;
    for (size_t j = 0; j <= m; j++) row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[m];
}

const char *nearest(const char *word, const char *const *candidates, size_t n) {
    const char *best = NULL;
    size_t best_distance = strlen(word) / 2 + 1;
    for (size_t i = 0; i < n; i++) {
        size_t d = distance(word, candidates[i]);
        if (d < best_distance) {
            best = candidates[i];
            best_distance = d;
        }
    }
    return best;
}
