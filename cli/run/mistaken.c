/* SPDX-License-Identifier: Apache-2.0
 *
 * mistaken.c: a file that cannot be read as what is asked for, because it is something else.
 *
 *     cflr: list.c looks like C source: cflr extract list.c -o list.cflg
 *
 * A name and the first lines tell. It is looked at only after reading has failed, so what can be
 * read is never refused.
 */
#include <string.h>
#include <sys/stat.h>

#include "cli/run/run.h"

typedef enum looks {
    LOOKS_OTHER,
    LOOKS_C,
    LOOKS_GRAPH,
    LOOKS_PLAIN,
    LOOKS_RESULT,
    LOOKS_GRAMMAR
} looks;

enum { HEAD = 4096 };

/* FILE is the file, and NAME its name without what follows the last dot. */
static const struct {
    input wanted;
    looks looks;
    const char *what, *how;
} hints[] = {
    {INPUT_GRAPH, LOOKS_C, "C source", "cflr extract FILE -o NAME.cflg"},
    {INPUT_GRAPH, LOOKS_GRAMMAR, "a grammar", "-g names the grammar, and the operand is the graph"},
    {INPUT_RESULT, LOOKS_C, "C source", "cflr analyze FILE -o NAME.cflr"},
    {INPUT_RESULT, LOOKS_GRAPH, "a graph", "cflr solve -g GRAMMAR FILE -o NAME.cflr"},
    {INPUT_RESULT, LOOKS_PLAIN, "a plain graph", "cflr graph reads it"},
    {INPUT_RESULT, LOOKS_GRAMMAR, "a grammar", "cflr solve -g FILE GRAPH -o NAME.cflr"},
    {INPUT_GRAMMAR, LOOKS_C, "C source", "a grammar is a text of rules"},
    {INPUT_GRAMMAR, LOOKS_GRAPH, "a graph", "a grammar is a text of rules"},
    {INPUT_GRAMMAR, LOOKS_PLAIN, "a plain graph", "a grammar is a text of rules"},
    {INPUT_GRAMMAR, LOOKS_RESULT, "a result", "a grammar is a text of rules"},
};

/* ---- what it looks like ---- */

/* Its first bytes as a text, which ends at a NUL; "" where it cannot be read twice. */
static void read_head(const char *path, char head[HEAD]) {
    struct stat about;
    size_t n = 0;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "r") : NULL;
    if (file) n = fread(head, 1, HEAD - 1, file);
    if (file) fclose(file);
    head[n] = '\0';
}

/* The first line that is no comment. */
static const char *first_line(const char *head) {
    for (head += strspn(head, " \t\r\n"); *head == '#'; head += strspn(head, " \t\r\n"))
        head += strcspn(head, "\n");
    return head;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Two numbers or more. */
static bool is_edge(const char *line) {
    const char *second = line + strcspn(line, " \t");
    return is_digit(line[0]) && is_digit(second[strspn(second, " \t")]);
}

static looks looks_of(const char *path, const char *head) {
    if (strncmp(head, "CFLP", 4) == 0) return LOOKS_PLAIN;
    bool stored = strncmp(head, "CFLR", 4) == 0;
    if (stored && ends_with(path, ".cflg")) return LOOKS_GRAPH;
    if (stored && ends_with(path, ".cflr")) return LOOKS_RESULT;
    if (ends_with(path, ".c") || ends_with(path, ".h") || ends_with(path, ".i")) return LOOKS_C;
    if (strstr(head, "::=") || strstr(head, "Productions:")) return LOOKS_GRAMMAR;
    return is_edge(first_line(head)) ? LOOKS_GRAPH : LOOKS_OTHER;
}

/* ---- telling ---- */

static void add(char *to, size_t size, const char *text, size_t length) {
    size_t used = strlen(to);
    snprintf(to + used, size - used, "%.*s", (int)length, text);
}

/* The hint with the names of the file. */
static void complain_of(const char *path, const char *what, const char *how) {
    char text[1024] = "";
    const char *base = strrchr(path, '/'), *dot = strrchr(base ? base : path, '.');
    while (*how) {
        bool file = strncmp(how, "FILE", 4) == 0, name = strncmp(how, "NAME", 4) == 0;
        size_t stem = dot ? (size_t)(dot - path) : strlen(path);
        if (file || name)
            add(text, sizeof text, path, name ? stem : strlen(path));
        else
            add(text, sizeof text, how, 1);
        how += file || name ? 4 : 1;
    }
    complain("%s looks like %s: %s", path, what, text);
}

int fail_reading(const cflr_error *error, const char *path, input wanted) {
    char head[HEAD];
    bool wrong = error->code == CFLR_SYNTAX || error->code == CFLR_FORMAT;
    read_head(wrong ? path : "", head);
    looks like = looks_of(path, head);
    for (size_t i = 0; i < sizeof hints / sizeof *hints && wrong && head[0]; i++) {
        if (hints[i].wanted != wanted || hints[i].looks != like) continue;
        complain_of(path, hints[i].what, hints[i].how);
        return cflr_status_exit_code(error->code);
    }
    return fail(error);
}
