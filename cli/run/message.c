/* SPDX-License-Identifier: Apache-2.0
 *
 * message.c: what people read on standard error.
 *
 *     cflr: my.cfg:3:9: unknown directive '%strat'
 *         3 | %strat V
 *           |  ^
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/run/run.h"

enum { LONGEST_LINE = 200 };

static bool use_color(void) {
    const char *no = getenv("NO_COLOR");
    return on_terminal() && (!no || !no[0]);
}

/* Text from a hostile file or command line must neither steer the terminal nor look like a message
 * of its own. May be called from any thread. */
static void say(bool complains, const char *format, va_list arguments) {
    char text[2048], line[4096];
    vsnprintf(text, sizeof text, format, arguments);
    if (rank_number()) {
        if (complains) keep_complaint(text);
        return;
    }
    cflr_escape(line, sizeof line, text);
    clear_progress();
    fprintf(stderr, use_color() ? "\033[1mcflr:\033[0m %s\n" : "cflr: %s\n", line);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(true, format, arguments);
    va_end(arguments);
}

void remark(const char *format, ...) {
    if (common.quiet) return;
    va_list arguments;
    va_start(arguments, format);
    say(false, format, arguments);
    va_end(arguments);
}

int usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(true, format, arguments);
    va_end(arguments);
    if (!rank_number()) fputs("      try `cflr help` or `cflr COMMAND --help`\n", stderr);
    return EXIT_USAGE;
}

/* Reads line `number` into `line`; false when there is none, or it is long or no text. */
static bool read_line(FILE *file, uint32_t number, char line[LONGEST_LINE]) {
    int c = 0;
    for (uint32_t at = 1; at < number && c != EOF;) {
        c = getc_unlocked(file);
        at += c == '\n';
    }
    if (c == EOF || !fgets(line, LONGEST_LINE, file)) return false;
    size_t length = strcspn(line, "\r\n");
    if (length == LONGEST_LINE - 1) return false;
    line[length] = '\0';
    for (const char *at = line; *at; at++) length += *at == '\t';
    return cflr_escape(NULL, 0, line) == length; /* but for tabs, nothing in it is escaped */
}

/* Shows line `number` of a plain text file with a caret under the column; nothing when the file
 * cannot be read again (standard input, pipes, packed files). Columns count bytes. */
static void show_line(const char *path, uint32_t number, uint32_t column) {
    struct stat about;
    char line[LONGEST_LINE];
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return;
    FILE *file = fopen(path, "r");
    if (!file) return;
    if (read_line(file, number, line)) {
        fprintf(stderr, "%5u | %s\n      | ", number, line);
        for (uint32_t i = 1; i < column && line[i - 1]; i++) {
            bool continues = ((unsigned char)line[i - 1] & 0xc0) == 0x80; /* of a UTF-8 sequence */
            if (!continues) fputc(line[i - 1] == '\t' ? '\t' : ' ', stderr);
        }
        fputs(column ? "^\n" : "\n", stderr);
    }
    fclose(file);
}

const char *input_name(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

int fail(const cflr_error *error) {
    const char *subject = input_name(error->subject);
    if (error->system_error == EPIPE) return cflr_status_exit_code(error->code);
    if (!error->subject[0]) {
        complain("%s", error->message);
    } else if (!error->line) {
        complain("%s: %s", subject, error->message);
    } else if (!error->column) {
        complain("%s:%u: %s", subject, error->line, error->message);
    } else {
        complain("%s:%u:%u: %s", subject, error->line, error->column, error->message);
    }
    if (error->line && !rank_number()) show_line(error->subject, error->line, error->column);
    return cflr_status_exit_code(error->code);
}

int fail_memory(void) {
    complain("out of memory");
    return cflr_status_exit_code(CFLR_NO_MEMORY);
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
