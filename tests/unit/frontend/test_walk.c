/* SPDX-License-Identifier: Apache-2.0
 *
 * test_walk.c: the walker on hard input: deep and long code, code with errors, no memory.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "construct_support.h"
#include "frontend/units/unit.h"
#include "frontend/walk/walk.h"
#include "tests/support/fail_alloc.h"

/* ---- one source, read ---- */

typedef struct reading {
    cflr_context *context;
    cflri_summaries *summaries;
    cflri_facts facts;
    cflri_unit_outcome outcome;
    char path[64];
    FILE *source;
} reading;

static void start(reading *r) {
    cflr_error error = {0};
    memset(r, 0, sizeof *r);
    cr_assert_eq(cflr_context_new(NULL, &r->context, &error), CFLR_OK);
    cr_assert_eq(cflri_summaries_new(r->context, NULL, 0, &r->summaries, &error), CFLR_OK, "%s",
                 error.message);
    snprintf(r->path, sizeof r->path, "/tmp/cflr-walk-XXXXXX.c");
    int fd = mkstemps(r->path, 2);
    cr_assert_geq(fd, 0);
    r->source = fdopen(fd, "w");
    cr_assert(r->source);
}

static void read_source(reading *r) {
    cflr_error error = {0};
    const char *arguments[] = {"clang", "-std=gnu11", "-w", "-fbracket-depth=1000000", r->path};
    const cflri_unit unit = {
        .path = r->path, .directory = "/tmp", .arguments = arguments, .n_arguments = 5};
    cr_assert_eq(fclose(r->source), 0);
    cr_assert_eq(cflri_facts_init(&r->facts, r->context, CFLR_FIELDS_SENSITIVE, &error), CFLR_OK);
    cflr_status st =
        cflri_unit_read(r->context, &unit, r->summaries, &r->facts, NULL, &r->outcome, &error);
    cr_assert_eq(st, CFLR_OK, "%s", error.message);
    unlink(r->path);
}

static void finish(reading *r) {
    cflri_facts_free(&r->facts);
    cflri_summaries_free(r->summaries);
    cr_assert_eq(cflr_context_memory(r->context), 0);
    cflr_context_free(r->context);
}

static const char *text(const reading *r, uint32_t id) {
    return cflri_string(&r->facts.strings, id);
}

static const char *name_of(const reading *r, cflri_node node) {
    const cflri_node_record *record = &r->facts.nodes.at[node];
    if (record->how == CFLRI_ADDRESS) record = &r->facts.nodes.at[record->base];
    return text(r, record->name);
}

/* How many values flow from something named `from` (or its address) to something named `to`. */
static unsigned flows(const reading *r, const char *from, const char *to) {
    unsigned n = 0;
    for (size_t i = 0; i < r->facts.assigns.n; i++) {
        const cflri_assign *assign = &r->facts.assigns.at[i];
        n += strcmp(name_of(r, assign->from), from) == 0 && strcmp(name_of(r, assign->to), to) == 0;
    }
    return n;
}

static uint64_t noted(const reading *r, const char *part) {
    for (size_t i = 0; i < r->facts.notes.n; i++)
        if (strstr(text(r, r->facts.notes.at[i].text), part)) return r->facts.notes.at[i].count;
    return 0;
}

static void repeat(FILE *file, const char *string, int times) {
    for (int i = 0; i < times; i++) fputs(string, file);
}

/* ---- long and deep ---- */

/* An expression made of repeated parts; `q` flows to `p` and nothing is given up. */
typedef struct chain {
    const char *what;
    const char *before;
    const char *part;
    int times;
    const char *middle;
    const char *closing; /* as often as part */
    bool given_up;       /* deeper than is read: said so, and nothing else */
} chain;

static const chain chains[] = {
    {"sum", "p = q", " + 1", 20000, "", "", false},
    {"commas", "p = (1", ", 1", 20000, ", q)", "", false},
    {"logic", "if (q", " && q", 20000, ") p = q", "", false},
    {"conditional", "p = ", "n ? q : ", 5000, "q", "", false},
    {"parentheses", "p = ", "(", 1000, "q", ")", false},
    {"assignments", "p = ", "q = ", 1000, "q", "", false},
    {"calls", "p = ", "same(", 500, "q", ")", false},
    {"blocks", "", "{", 20000, "p = q;", "}", false},
    {"else-if", "if (n) ;", " else if (n) ;", 5000, " else p = q", "", false},
    {"loops", "", "while (n) ", 5000, "p = q", "", false},
    {"statements", "", "p = q;", 20000, "", "", false},
    {"statement expressions", "p = ", "({", 300, "q;", "});", false},
    {"casts", "p = ", "(int *)", 5000, "q", "", true},
    {"complements", "p = (int *)", "~", 5000, "(long)q", "", true},
};

static void write_chain(FILE *file, const chain *c) {
    fputs("int x; int *q = &x; int n; int *same(int *p) { return p; }\n", file);
    fputs("void f(void) { int *p; ", file);
    fputs(c->before, file);
    repeat(file, c->part, c->times);
    fputs(c->middle, file);
    repeat(file, c->closing, c->times);
    fputs("; }\n", file);
}

Test(walk, long_and_deep) {
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        const chain *c = &chains[i];
        reading r;
        start(&r);
        write_chain(r.source, c);
        read_source(&r);
        cr_expect_eq(r.outcome.state, CFLRI_UNIT_READ, "%s: %s", c->what, r.outcome.first_error);
        bool given_up = noted(&r, "nested too deeply") > 0;
        bool through_calls = strcmp(c->what, "calls") == 0;
        cr_expect_eq(given_up, c->given_up, "%s", c->what);
        if (!c->given_up)
            cr_expect(flows(&r, through_calls ? "same()" : "q", "p") > 0, "%s: no flow", c->what);
        finish(&r);
    }
}

static size_t versions_of(const reading *r, const char *name) {
    size_t n = 0;
    for (size_t i = 0; i < r->facts.nodes.n; i++) {
        const cflri_node_record *node = &r->facts.nodes.at[i];
        n += node->kind == CFLR_VERTEX_VARIABLE && strcmp(text(r, node->name), name) == 0;
    }
    return n;
}

/* Each `if` writes p, and meets what was before. */
Test(walk, many_definitions) {
    enum { TIMES = 20000 };
    reading r;
    start(&r);
    fputs("int x, n; int *g; void f(void) { int *p = &x;\n", r.source);
    repeat(r.source, "if (n) p = g; g = p;\n", TIMES);
    fputs("}\n", r.source);
    read_source(&r);
    cr_expect_eq(r.outcome.state, CFLRI_UNIT_READ, "%s", r.outcome.first_error);
    cr_expect_eq(versions_of(&r, "p"), 1 + 2 * TIMES);
    finish(&r);
}

/* All locals live at all labels: to take them apart would make locals times labels of them. */
Test(walk, too_many_definitions) {
    enum { TIMES = 2000 };
    reading r;
    start(&r);
    fputs("int x, n; int *g; void f(void) {\n", r.source);
    for (int i = 0; i < TIMES; i++) fprintf(r.source, "int *p%d = &x;\n", i);
    for (int i = 0; i < TIMES; i++) {
        int to = (int)(i * 7919LL % TIMES);
        fprintf(r.source, "l%d: if (n == %d) goto l%d; p%d = p%d;\n", i, i, to, i, to);
    }
    for (int i = 0; i < TIMES; i++) fprintf(r.source, "g = p%d;\n", i);
    fputs("}\n", r.source);
    read_source(&r);
    cr_expect_eq(r.outcome.state, CFLRI_UNIT_READ, "%s", r.outcome.first_error);
    for (int i = 0; i < TIMES; i += 100) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        cr_expect_eq(versions_of(&r, name), 1, "%s", name);
    }
    finish(&r);
}

/* Records inside records, initialised and copied. */
Test(walk, deep_types) {
    enum { DEPTH = 200 };
    reading r;
    start(&r);
    fputs("int x; struct s0 { int n; int *p; };\n", r.source);
    for (int i = 1; i <= DEPTH; i++)
        fprintf(r.source, "struct s%d { int n; struct s%d in; };\n", i, i - 1);
    fprintf(r.source, "void f(void) { struct s%d a = ", DEPTH);
    repeat(r.source, "{1, ", DEPTH + 1);
    fputs("&x", r.source);
    repeat(r.source, "}", DEPTH + 1);
    fprintf(r.source, "; struct s%d b = a; }\n", DEPTH);
    read_source(&r);
    cr_expect_eq(r.outcome.state, CFLRI_UNIT_READ, "%s", r.outcome.first_error);
    cr_expect_eq(r.facts.assigns.n, 2);
    finish(&r);
}

/* 4^6 pointers in one record: more than are copied one by one. */
Test(walk, large_record) {
    reading r;
    start(&r);
    fputs("struct s0 { int *a, *b, *c, *d; };\n", r.source);
    for (int i = 1; i < 6; i++)
        fprintf(r.source, "struct s%d { struct s%d a, b, c, d; };\n", i, i - 1);
    fputs("void f(struct s5 *p, struct s5 *q) { *p = *q; }\n", r.source);
    read_source(&r);
    cr_expect_eq(noted(&r, "too large to copy"), 1);
    cr_expect_eq(flows(&r, "q", "p"), 1);
    cr_expect_eq(flows(&r, "p", "q"), 1);
    finish(&r);
}

/* ---- errors ---- */

Test(walk, code_with_errors) {
    reading r;
    start(&r);
    fputs(
        "#include \"missing.h\"\n"
        "int x; int *q = &x;\n"
        "missing_t *g(missing_t *m) { return m->next; }\n"
        "void f(void) { int *p; p = q; undeclared(p) + ; p->; q = p[; }\n"
        "struct open { int *a; struct incomplete in; int *b; };\n"
        "int *h(struct open *o) { return o->b ? o->b : o->c; }\n"
        "int *k(int *p) { int *r = (p; return r }\n"
        "int *last(void) { int *z = q; return z; }\n",
        r.source);
    read_source(&r);
    cr_expect_eq(r.outcome.state, CFLRI_UNIT_DEGRADED);
    cr_expect_eq(flows(&r, "q", "p"), 1);
    cr_expect_eq(flows(&r, "q", "z"), 1);
    finish(&r);
}

/* ---- second names that are not read ---- */

/* The note with this text is there, first at this line. */
static bool notes_at(const reading *r, const char *part, uint32_t line) {
    for (size_t i = 0; i < r->facts.notes.n; i++) {
        const cflri_facts_note *note = &r->facts.notes.at[i];
        if (strstr(text(r, note->text), part)) return note->first.line == line;
    }
    return false;
}

Test(walk, aliases_that_are_not_read) {
    reading r;
    start(&r);
    fputs(
        "int x; int *real(void) { return &x; }\n"
        "int *nowhere(void) __attribute__((alias(\"absent\")));\n"
        "int *ring(void) __attribute__((alias(\"round\")));\n"
        "int *round(void) __attribute__((alias(\"ring\")));\n"
        "#define PRAGMA(x) _Pragma(#x)\n"
        "#define WEAK(a, b) PRAGMA(weak a = b)\n"
        "WEAK(hidden, real)\n"
        "__asm__(\".set twice, real + 4\");\n"
        "__asm__(\".symver real, old@V1\");\n"
        "int *printf(const char *, ...) __asm__(\"write_text\");\n"
        "int *f(void) { return ring() ? nowhere() : real(); }\n",
        r.source);
    read_source(&r);
    cr_expect(notes_at(&r, "alias of what the unit does not declare", 2));
    cr_expect(notes_at(&r, "a declaration out of a macro", 7));
    cr_expect(notes_at(&r, "assembly outside functions", 8));
    cr_expect_eq(r.facts.links.n, 0);
    finish(&r);
}

/* Every prefix of a file is broken in another way. */
Test(walk, cut_off_anywhere) {
    char *source = construct_read(CFLR_SOURCE_DIR "/tests/c/init.c");
    cr_assert(source);
    size_t length = strlen(source);
    const char *body = strstr(source, "static int x");
    cr_assert(body);
    for (size_t end = (size_t)(body - source); end < length; end += 61) {
        reading r;
        start(&r);
        fwrite(body, 1, end - (size_t)(body - source), r.source);
        read_source(&r);
        finish(&r);
    }
    free(source);
}

/* ---- no memory ---- */

typedef struct parsed {
    CXTranslationUnit unit;
    cflr_fields fields;
} parsed;

static cflr_status walk_once(cflr_context *context, void *user, cflr_error *error) {
    const parsed *p = user;
    cflri_summaries *summaries = NULL;
    cflri_facts facts = {0};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_facts_init(&facts, context, p->fields, error));
    CFLR_TRY(cflri_summaries_new(context, NULL, 0, &summaries, error));
    CFLR_TRY(cflri_walk_unit(p->unit, summaries, &facts, error));
out:
    cflri_facts_free(&facts);
    cflri_summaries_free(summaries);
    return st;
}

Test(walk, no_memory) {
    static const char *const files[] = {"call_record", "init",   "variadic", "container",
                                        "atomic",      "string", "heap",     "memory_copy",
                                        "alias",       "section"};
    CXIndex index = clang_createIndex(0, 0);
    cr_assert_eq(cflri_clang_load(NULL), CFLR_OK);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[CONSTRUCT_PATH];
        snprintf(path, sizeof path, "%s/tests/c/%s.c", CFLR_SOURCE_DIR, files[i]);
        const char *arguments[] = {"clang", "-std=gnu11", "-w", path};
        parsed p = {.fields = CFLR_FIELDS_SENSITIVE};
        enum CXErrorCode code = clang_parseTranslationUnit2FullArgv(
            index, NULL, arguments, 4, NULL, 0, CXTranslationUnit_KeepGoing, &p.unit);
        cr_assert_eq(code, CXError_Success);
        fail_alloc_sweep(walk_once, &p);
        clang_disposeTranslationUnit(p.unit);
    }
    clang_disposeIndex(index);
}
