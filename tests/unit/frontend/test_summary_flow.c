/* SPDX-License-Identifier: Apache-2.0
 *
 * test_summary_flow.c: asks the analysis what tests/c/summaries/ can observe.
 *
 * Each program is extracted, closed under the pointer grammar, and every check in it becomes a
 * question about the variables that it names, at its own line (expect.h says what each check
 * means). test_summary_run.c runs the same lines. With both levels of fields, with and without
 * contexts, the answers must contain what was observed; what must be apart is asked where the
 * analysis is field-sensitive.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cflr/cflr.h"
#include "cflr/extract.h"

#define PROGRAMS CFLR_SOURCE_DIR "/tests/c/summaries/"

static const char *const files[] = {
    PROGRAMS "strings.c",   PROGRAMS "memory.c",    PROGRAMS "library.c",  PROGRAMS "system.c",
    PROGRAMS "accounts.c",  PROGRAMS "network.c",   PROGRAMS "numbers.c",  PROGRAMS "text.c",
    PROGRAMS "streams.c",   PROGRAMS "processes.c", PROGRAMS "tables.c",   PROGRAMS "files.c",
    PROGRAMS "objects.c",   PROGRAMS "builtins.c",  PROGRAMS "bytes.c",    PROGRAMS "glib.c",
    PROGRAMS "sqlite.c",    PROGRAMS "uv.c",        PROGRAMS "readline.c", PROGRAMS "ncurses.c",
    PROGRAMS "dbus.c",      PROGRAMS "systemd.c",   PROGRAMS "sdl.c",      PROGRAMS "xml2.c",
    PROGRAMS "x11.c",       PROGRAMS "crypto.c",
#ifdef CFLR_TEST_LIBRARIES
    PROGRAMS "libraries.c",
#endif
#ifdef CFLR_TEST_CALLBACKS
    PROGRAMS "callbacks.c", PROGRAMS "hooks.c",
#endif
#ifdef CFLR_TEST_PATTERNS
    PROGRAMS "patterns.c",
#endif
#ifdef CFLR_TEST_WATCHERS
    PROGRAMS "watchers.c",
#endif
#ifdef CFLR_TEST_PORTABLE
    PROGRAMS "portable.c",
#endif
};
enum { N_FILES = sizeof files / sizeof *files, MOST_VERTICES = 64 };

typedef struct analysis {
    cflr_context *context;
    cflr_graph *graph;
    cflr_grammar *grammar;
    cflr_result *result;
    uint32_t alias, points_to; /* labels */
    bool apart;                /* are APART checks asked? */
    const char *file;          /* the check that is being asked */
    unsigned line;
    unsigned asked, wrong;
} analysis;

/* ---- making it ---- */

static void analyse(analysis *a, const char *file, cflr_fields fields, cflr_contexts contexts) {
    const char *flags[] = {"-std=gnu11", "-D_GNU_SOURCE", ("-I" CFLR_SOURCE_DIR)};
    cflr_error error = {0};
    cflr_extract_report *report = NULL;
    memset(a, 0, sizeof *a);
    a->file = file;
    cr_assert_eq(cflr_context_new(NULL, &a->context, &error), CFLR_OK);
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = &file;
    opts.n_files = 1;
    opts.flags = flags;
    opts.n_flags = sizeof flags / sizeof *flags;
    opts.fields = fields;
    opts.context = contexts;
    cr_assert_eq(cflr_extract(a->context, &opts, &a->graph, &report, &error), CFLR_OK, "%s",
                 error.message);
    cflr_extract_counts counts;
    cflr_extract_get_counts(report, &counts);
    cr_assert_eq(counts.units_lost + counts.units_degraded, 0);
    for (size_t i = 0; cflr_extract_note(report, i); i++) {
        const cflr_note *note = cflr_extract_note(report, i);
        cr_expect(note->kind != CFLR_NOTE_UNMODELLED || strcmp(note->text, "expect_true") == 0 ||
                      strstr(note->text, "expect_true"),
                  "not modelled: %s", note->text);
    }
    cflr_extract_report_free(report);
    const char *grammar = fields == CFLR_FIELDS_SENSITIVE ? "pointer-fs" : "pointer";
    cr_assert_eq(cflr_grammar_load(a->context, grammar, CFLR_GRAMMAR_AUTO, &a->grammar, &error),
                 CFLR_OK, "%s", error.message);
    cflr_solve_opts solving;
    cflr_solve_opts_init(&solving);
    solving.model = CFLR_MODEL_EDGE_INDEXED;
    cr_assert_eq(cflr_solve(a->graph, a->grammar, &solving, &a->result, &error), CFLR_OK, "%s",
                 error.message);
    a->alias = cflr_result_find_label(a->result, cflr_result_answer(a->result, "alias"));
    a->points_to = cflr_result_find_label(a->result, cflr_result_answer(a->result, "points-to"));
    cr_assert(a->alias != CFLR_NO_LABEL && a->points_to != CFLR_NO_LABEL);
}

static void finish(analysis *a) {
    cflr_result_free(a->result);
    cflr_grammar_free(a->grammar);
    cflr_graph_free(a->graph);
    cflr_context_free(a->context);
}

/* ---- asking ---- */

typedef struct vertices {
    uint32_t at[MOST_VERTICES];
    size_t n;
} vertices;

static void failed(analysis *a, const char *check, const char *why) {
    a->wrong++;
    cr_expect(false, "%s:%u: %s: %s", a->file, a->line, check, why);
}

static bool find(analysis *a, const char *name, vertices *found) {
    char spec[512];
    cflr_error error = {0};
    snprintf(spec, sizeof spec, "%s:%u:%s", a->file, a->line, name);
    cflr_status st = cflr_graph_find(a->graph, spec, found->at, MOST_VERTICES, &found->n, &error);
    if (found->n > MOST_VERTICES) found->n = MOST_VERTICES;
    if (st == CFLR_OK && found->n > 0) return true;
    failed(a, spec, error.message);
    return false;
}

static bool may_alias(analysis *a, const vertices *p, const vertices *q) {
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < q->n; k++) {
            if (cflr_result_has(a->result, a->alias, p->at[i], q->at[k])) return true;
        }
    }
    return false;
}

/* Counts the objects that p may point to: all, those of a name, those made by calls, variables of
 * the program. */
typedef struct objects {
    unsigned all, named, allocations, variables;
} objects;

static objects pointed_to(analysis *a, const vertices *p, const char *name) {
    cflr_vertex_list list;
    cflr_error error;
    cr_assert_eq(cflr_result_targets(a->result, a->points_to, p->at, p->n, &list, &error), CFLR_OK);
    objects count = {.all = (unsigned)list.count};
    for (size_t i = 0; i < list.count; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(a->graph, list.vertices[i], &info);
        count.named += name && strcmp(info.name, name) == 0;
        count.allocations += info.kind == CFLR_VERTEX_ALLOCATION;
        count.variables += info.kind == CFLR_VERTEX_VARIABLE && !strchr(info.name, ':');
    }
    cflr_vertex_list_free(a->context, &list);
    return count;
}

static void ask(analysis *a, const char *check, const char *first, const char *second) {
    vertices p, q;
    if (!find(a, first, &p)) return;
    a->asked++;
    if (strcmp(check, "POINTS_TO") == 0 || strcmp(check, "WILL_POINT_TO") == 0) {
        if (!pointed_to(a, &p, second).named) failed(a, check, "the object is missing");
    } else if (strcmp(check, "FRESH") == 0) {
        objects count = pointed_to(a, &p, NULL);
        if (!count.allocations) failed(a, check, "no allocation");
        if (count.variables) failed(a, check, "a variable too");
    } else if (strcmp(check, "KNOWN") == 0) {
        objects count = pointed_to(a, &p, NULL);
        if (!count.all) failed(a, check, "nothing");
    } else if (find(a, second, &q)) {
        bool alias = may_alias(a, &p, &q);
        if (strcmp(check, "SAME") == 0 && !alias) failed(a, check, "no alias");
        if (strcmp(check, "APART") == 0 && a->apart && alias) failed(a, check, "an alias");
    }
}

/* "    SAME(p, q);", maybe after a condition, with names only; anything else is not a check. */
static void read_line(analysis *a, const char *text) {
    char check[16], first[64], second[64] = "";
    text += strspn(text, " ");
    if (strncmp(text, "if (", 4) == 0 && strchr(text, ')')) text = strchr(text, ')') + 1;
    int n = sscanf(text, " %15[A-Z_](%63[a-z_0-9A-Z], %63[a-z_0-9A-Z])", check, first, second);
    if (n < 2) return;
    static const char *const checks[] = {"POINTS_TO", "SAME",  "FRESH",
                                         "APART",     "KNOWN", "WILL_POINT_TO"};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (strcmp(check, checks[i]) == 0) ask(a, check, first, second);
    }
}

static void ask_all(analysis *a) {
    FILE *file = fopen(a->file, "r");
    cr_assert(file, "%s", a->file);
    char text[512];
    for (a->line = 1; fgets(text, sizeof text, file); a->line++) read_line(a, text);
    fclose(file);
    cr_expect_gt(a->asked, 10, "%s: only %u questions", a->file, a->asked);
    cr_expect_eq(a->wrong, 0, "%s: %u of %u answers are wrong", a->file, a->wrong, a->asked);
}

static void check(cflr_fields fields, cflr_contexts contexts, bool apart) {
    for (size_t i = 0; i < N_FILES; i++) {
        analysis a;
        analyse(&a, files[i], fields, contexts);
        a.apart = apart;
        ask_all(&a);
        finish(&a);
    }
}

Test(summary_flow, field_sensitive) {
    check(CFLR_FIELDS_SENSITIVE, CFLR_CONTEXT_NONE, true);
}

Test(summary_flow, field_insensitive) {
    check(CFLR_FIELDS_INSENSITIVE, CFLR_CONTEXT_NONE, false);
}

Test(summary_flow, cloned) {
    check(CFLR_FIELDS_SENSITIVE, CFLR_CONTEXT_CLONE, true);
}
