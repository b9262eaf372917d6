/* SPDX-License-Identifier: Apache-2.0
 *
 * test_init_random.c: random initialisers, as the analysis and as the compiler understand them.
 *
 * Types are random records, unions and arrays whose leaves are all `int *`, so that any list of
 * addresses is a valid initialiser however its braces and designators fall. Each variable is
 * initialised with addresses of x0, x1, ..., each used once, and then every leaf is read:
 *
 *     struct t3 v = {&x0, .b[1] = {&x1}, &x2};
 *     r0 = v.a; r1 = v.b[0].c; ...
 *
 * Compiled and run, the program prints which x each r holds. The facts say which may be there. What
 * is held must be among those; and an x that the run found in one place must not be said to be in
 * another, unless the two are one place to the analysis (elements of an array). In unions only the
 * first member is more than a pointer: members of different shapes overlap in ways that are not
 * told.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/units/unit.h"

enum { TYPES = 60, MOST_MEMBERS = 4, MOST_LEAVES = 40000, MOST_VALUES = 40000, TEXT = 200 };

typedef enum member_kind { POINTER, RECORD, ANONYMOUS } member_kind;

typedef struct member {
    member_kind kind;
    int type;     /* RECORD, ANONYMOUS: which; lower than its own */
    int elements; /* 0: no array */
} member;

typedef struct type {
    bool is_union;
    int n;
    int leaves;
    member at[MOST_MEMBERS];
} type;

typedef struct generator {
    uint64_t state;
    type types[TYPES];
    FILE *file;
    int values; /* x used so far */
    int leaves; /* r used so far */
} generator;

static unsigned pick(generator *g, unsigned n) {
    uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ z >> 31) % n);
}

/* ---- types ---- */

static int leaves_of(const generator *g, const member *m) {
    int one = m->kind == POINTER ? 1 : g->types[m->type].leaves;
    return m->elements ? m->elements * one : one;
}

static void make_type(generator *g, int t) {
    type *made = &g->types[t];
    made->is_union = t > 0 && pick(g, 5) == 0;
    made->n = 1 + (int)pick(g, MOST_MEMBERS);
    for (int i = 0; i < made->n; i++) {
        member *m = &made->at[i];
        m->kind = t == 0 ? POINTER : (member_kind)pick(g, 3);
        m->type = t == 0 ? 0 : (int)pick(g, (unsigned)t);
        if (m->kind != POINTER && g->types[m->type].leaves > 12) m->kind = POINTER;
        if (made->is_union && i > 0) *m = (member){POINTER, 0, 0};
        if (made->is_union && i > 0) continue;
        m->elements = m->kind != ANONYMOUS && pick(g, 3) == 0 ? 1 + (int)pick(g, 3) : 0;
        made->leaves += leaves_of(g, m);
    }
}

static const char *keyword(const generator *g, int t) {
    return g->types[t].is_union ? "union" : "struct";
}

/* Names say their record and the path of anonymous records to it, so that none occurs twice. */
static void write_members(const generator *g, int t, const char *prefix) {
    for (int i = 0; i < g->types[t].n; i++) {
        const member *m = &g->types[t].at[i];
        char name[TEXT];
        snprintf(name, sizeof name, "%s%d_", prefix, i);
        if (m->kind == ANONYMOUS) {
            fprintf(g->file, "%s { ", keyword(g, m->type));
            write_members(g, m->type, name);
            fprintf(g->file, "}; ");
            continue;
        }
        if (m->kind == POINTER)
            fprintf(g->file, "int *%s", name);
        else
            fprintf(g->file, "%s t%d %s", keyword(g, m->type), m->type, name);
        if (m->elements) fprintf(g->file, "[%d]", m->elements);
        fprintf(g->file, "; ");
    }
}

/* ---- initialisers ---- */

/* A random path into the type, as designators; returns the type it ends at, -1 for a pointer and -2
 * for an array as a whole. *first is the member of `t` that it starts with. */
static int write_designators(generator *g, int t, const char *prefix, int *first) {
    int i = (int)pick(g, (unsigned)g->types[t].n);
    int ignored;
    *first = i;
    const member *m = &g->types[t].at[i];
    char name[TEXT];
    snprintf(name, sizeof name, "%s%d_", prefix, i);
    if (m->kind == ANONYMOUS) return write_designators(g, m->type, name, &ignored);
    fprintf(g->file, ".%s", name);
    if (m->elements && pick(g, 4) == 0) return -2;
    if (m->elements && pick(g, 5) == 0)
        fprintf(g->file, "[0 ... %d]", m->elements - 1);
    else if (m->elements)
        fprintf(g->file, "[%u]", pick(g, (unsigned)m->elements));
    if (m->kind == POINTER) return -1;
    return pick(g, 2) ? m->type : write_designators(g, m->type, "m", &ignored);
}

static void write_list(generator *g, int t, const char *prefix, int depth);

static void write_value(generator *g) {
    fprintf(g->file, "&x%d", g->values++);
}

/* How many values without braces the members from number `from` on take at least. One too many
 * would be an error of sorts: compilers differ in what they make of the rest. */
static int room_from(const generator *g, int t, int from) {
    int room = 0;
    for (int i = from; i < g->types[t].n; i++) {
        const member *m = &g->types[t].at[i];
        int one = m->kind == POINTER ? 1 : room_from(g, m->type, 0);
        room += m->elements ? m->elements * one : one;
        if (g->types[t].is_union) break;
    }
    return g->types[t].is_union && from > 0 ? 0 : room;
}

/* A designator and its value; returns the member of `t` that it starts with. */
static int write_designated(generator *g, int t, const char *prefix, int depth) {
    int first = 0;
    int ends_at = write_designators(g, t, prefix, &first);
    fprintf(g->file, " = ");
    if (ends_at >= 0 && pick(g, 2))
        write_list(g, ends_at, "m", depth + 1);
    else
        write_value(g);
    return first;
}

/* Braced; the first item may be braced itself when the first member allows it. */
static void write_list(generator *g, int t, const char *prefix, int depth) {
    char inner[TEXT];
    const member *first = &g->types[t].at[0];
    bool record = first->kind != POINTER && !first->elements;
    int room = room_from(g, t, 0);
    snprintf(inner, sizeof inner, "%s0_", prefix);
    fprintf(g->file, "{");
    for (int i = 0, n = 1 + (int)pick(g, (unsigned)room + 2); i < n; i++) {
        bool braced = i == 0 && record && depth < 4 && pick(g, 2);
        bool designated = !braced && (room == 0 || pick(g, 4) == 0);
        if (i) fprintf(g->file, ", ");
        if (braced) {
            write_list(g, first->type, first->kind == RECORD ? "m" : inner, depth + 1);
            room = room_from(g, t, 1);
        } else if (designated) {
            room = room_from(g, t, write_designated(g, t, prefix, depth) + 1);
        } else {
            write_value(g);
            room--;
        }
    }
    fprintf(g->file, "}");
}

/* ---- reading ---- */

static void write_reads(generator *g, int t, const char *prefix, const char *path) {
    for (int i = 0; i < g->types[t].n; i++) {
        const member *m = &g->types[t].at[i];
        char name[TEXT];
        snprintf(name, sizeof name, "%s%d_", prefix, i);
        if (m->kind == ANONYMOUS) {
            write_reads(g, m->type, name, path);
            continue;
        }
        for (int k = 0; k < (m->elements ? m->elements : 1); k++) {
            char whole[2 * TEXT];
            int n = snprintf(whole, sizeof whole, "%s.%s", path, name);
            if (m->elements) snprintf(whole + n, sizeof whole - (size_t)n, "[%d]", k);
            if (m->kind == RECORD)
                write_reads(g, m->type, "m", whole);
            else
                fprintf(g->file, "    int *r%d = %s; show(%d, r%d);\n", g->leaves, whole, g->leaves,
                        g->leaves),
                    g->leaves++;
        }
    }
}

static void write_program(generator *g) {
    char *body = NULL;
    size_t size = 0;
    FILE *out = g->file;
    g->file = open_memstream(&body, &size);
    for (int t = 0; t < TYPES; t++) {
        make_type(g, t);
        fprintf(g->file, "%s t%d { ", keyword(g, t), t);
        write_members(g, t, "m");
        fprintf(g->file, "};\n");
    }
    for (int f = 0; f < 3 * TYPES; f++) {
        int t = f % TYPES;
        bool is_static = pick(g, 2) == 0;
        fprintf(g->file, "static void f%d(void) {\n    %s%s t%d v = ", f,
                is_static ? "static " : "", keyword(g, t), t);
        write_list(g, t, "m", 0);
        fprintf(g->file, ";\n");
        write_reads(g, t, "m", "v");
        fprintf(g->file, "}\n");
    }
    fclose(g->file);
    g->file = out;
    fprintf(out, "int printf(const char *, ...);\n");
    for (int i = 0; i < g->values; i++) fprintf(out, "static int x%d;\n", i);
    fprintf(out, "static int *all[] = {");
    for (int i = 0; i < g->values; i++) fprintf(out, "&x%d, ", i);
    fprintf(out,
            "0};\nstatic void show(int r, int *p) {\n"
            "    for (int i = 0; all[i]; i++) if (p == all[i]) printf(\"%%d %%d\\n\", r, i);\n}\n"
            "%s",
            body);
    fprintf(out, "int main(void) {\n");
    for (int f = 0; f < 3 * TYPES; f++) fprintf(out, "    f%d();\n", f);
    fprintf(out, "}\n");
    free(body);
}

/* ---- comparing ---- */

typedef struct knowledge {
    const cflri_facts *facts;
    cflri_node place[MOST_LEAVES]; /* by r: the node that it was read from */
    cflri_node *holds;             /* by x: the node that it flows to; one, as each is used once */
} knowledge;

static const cflri_node_record *record(const knowledge *k, cflri_node node) {
    return &k->facts->nodes.at[node];
}

/* The number in a name such as x17; -1 when it is none. */
static int number_in(const knowledge *k, cflri_node node, char letter) {
    const char *name = cflri_string(&k->facts->strings, record(k, node)->name);
    return name[0] == letter && name[1] >= '0' && name[1] <= '9' ? atoi(name + 1) : -1;
}

/* Elements of an array in a union are also at any offset of it (view.c). */
static bool is_anywhere(const knowledge *k, cflri_node node) {
    const cflri_node_record *at = record(k, node);
    while (at->how == CFLRI_DEREF || at->how == CFLRI_FIELD) at = record(k, at->base);
    return at->smeared;
}

static void learn(knowledge *k) {
    for (size_t i = 0; i < k->facts->assigns.n; i++) {
        const cflri_assign *assign = &k->facts->assigns.at[i];
        const cflri_node_record *from = record(k, assign->from);
        if (is_anywhere(k, assign->from) || is_anywhere(k, assign->to)) continue;
        int r = number_in(k, assign->to, 'r');
        if (r >= 0) k->place[r] = assign->from;
        int x = from->how == CFLRI_ADDRESS ? number_in(k, from->base, 'x') : -1;
        const char *to = cflri_string(&k->facts->strings, record(k, assign->to)->name);
        if (x < 0 || strcmp(to, "all") == 0) continue;
        cr_assert_eq(k->holds[x], CFLRI_NO_NODE, "x%d flows to two places", x);
        k->holds[x] = assign->to;
    }
}

static void compare(knowledge *k, FILE *output) {
    int r, x, compared = 0;
    while (fscanf(output, "%d %d", &r, &x) == 2) {
        cr_assert(r < MOST_LEAVES && x < MOST_VALUES);
        cr_expect_eq(k->holds[x], k->place[r], "r%d holds x%d, which the analysis puts into %s", r,
                     x,
                     k->holds[x] == CFLRI_NO_NODE
                         ? "nothing"
                         : cflri_string(&k->facts->strings, record(k, k->holds[x])->name));
        compared++;
    }
    cr_expect_gt(compared, 500);
}

static void analyse(const char *path, FILE *output) {
    cflr_context *context;
    cflr_error error = {0};
    cflri_summaries *summaries;
    cflri_facts facts;
    cflri_unit_outcome outcome;
    const char *arguments[] = {"clang", "-std=gnu11", "-w", path};
    const cflri_unit unit = {
        .path = path, .directory = "/tmp", .arguments = arguments, .n_arguments = 4};
    cr_assert_eq(cflr_context_new(NULL, &context, &error), CFLR_OK);
    cr_assert_eq(cflri_summaries_new(context, NULL, 0, &summaries, &error), CFLR_OK);
    cr_assert_eq(cflri_facts_init(&facts, context, CFLR_FIELDS_SENSITIVE, &error), CFLR_OK);
    cr_assert_eq(cflri_unit_read(context, &unit, summaries, &facts, NULL, &outcome, &error),
                 CFLR_OK);
    cr_assert_eq(outcome.state, CFLRI_UNIT_READ, "line %u: %s", outcome.error_line,
                 outcome.first_error);
    knowledge *k = calloc(1, sizeof *k);
    k->facts = &facts;
    k->holds = malloc(MOST_VALUES * sizeof *k->holds);
    for (int i = 0; i < MOST_VALUES; i++) k->holds[i] = CFLRI_NO_NODE;
    learn(k);
    compare(k, output);
    free(k->holds);
    free(k);
    cflri_facts_free(&facts);
    cflri_summaries_free(summaries);
    cflr_context_free(context);
}

Test(init_random, like_the_compiler) {
    if (system("cc --version >/dev/null 2>&1") != 0) cr_skip_test("no C compiler to compare with");
    for (uint64_t seed = 1; seed <= 3; seed++) {
        char path[] = "/tmp/cflr-init-XXXXXX.c";
        char command[200];
        generator *g = calloc(1, sizeof *g);
        g->state = seed;
        g->file = fdopen(mkstemps(path, 2), "w");
        cr_assert(g->file);
        write_program(g);
        cr_assert(g->values < MOST_VALUES && g->leaves < MOST_LEAVES);
        fclose(g->file);
        snprintf(command, sizeof command, "cc -std=gnu11 -w -O0 -o %s.out %s && %s.out", path, path,
                 path);
        FILE *output = popen(command, "r");
        cr_assert(output);
        analyse(path, output);
        cr_expect_eq(pclose(output), 0, "seed %u does not compile", (unsigned)seed);
        snprintf(command, sizeof command, "%s.out", path);
        unlink(command);
        unlink(path);
        free(g);
    }
}
