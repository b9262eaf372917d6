/* SPDX-License-Identifier: Apache-2.0
 *
 * test_callees.c: which functions a call through a value enters, by what the options ask of their
 * types.
 *
 * Each function of FUNCTIONS returns an object of its own name and is in one table with the others,
 * so that all reach every call: what a result points to tells which function is called.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "extract_support.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(callees, .init = setup, .fini = teardown);

#define FUNCTIONS                                                                       \
    "struct pair { long a, b; }; union one { int *p; long n; };\n"                      \
    "int none_, pointer_, integer_, two_, floating_, record_, variable_, old_;\n"       \
    "int *none(void) { return &none_; }\n"                                              \
    "int *pointer(int *a) { return &pointer_; }\n"                                      \
    "int *integer(char a) { return &integer_; }\n"                                      \
    "int *two(int *a, int *b) { return &two_; }\n"                                      \
    "int *floating(double a) { return &floating_; }\n"                                  \
    "int *record(struct pair a) { return &record_; }\n"                                 \
    "int *variable(int *a, ...) { return &variable_; }\n"                               \
    "int *old();\n"                                                                     \
    "void *table[] = {none, pointer, integer, two, floating, record, variable, old};\n" \
    "int x; double y; struct pair z; union one u; typedef int *pointer_type;\n"

static uint32_t points_to(const cflr_result *result) {
    return cflr_result_find_label(result, cflr_result_answer(result, "points-to"));
}

/* Does `result` point to something of that name? */
static bool reaches(const cflr_result *result, const char *name) {
    const cflr_graph *graph = cflr_result_graph(result);
    uint32_t from, to[8];
    size_t n, n_to;
    cflr_error error = {0};
    cr_assert_eq(cflr_graph_find(graph, "result", &from, 1, &n, &error), CFLR_OK);
    cflr_status st = cflr_graph_find(graph, name, to, 8, &n_to, &error);
    if (st == CFLR_NOT_FOUND) return false;
    cr_assert(st == CFLR_OK || st == CFLR_AMBIGUOUS, "%s", error.message);
    for (size_t i = 0; i < n_to && i < 8; i++)
        if (cflr_result_has(result, points_to(result), from, to[i])) return true;
    return false;
}

/* The objects that `result` may point to, in the order of the functions. */
static void pointed_to(const cflr_result *result, char *text, size_t size) {
    static const char *const objects[] = {"none_",     "pointer_", "integer_",  "two_",
                                          "floating_", "record_",  "variable_", "old"};
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        if (!reaches(result, objects[i])) continue;
        const char *space = length ? " " : "";
        length += (size_t)snprintf(text + length, size - length, "%s%s", space, objects[i]);
        cr_assert_lt(length, size);
    }
}

/* What the last `n` files that were written say. */
static cflr_result *solve(size_t n, cflr_callees callees) {
    cflr_extract_opts opts;
    cflr_grammar *grammar;
    cflr_result *result;
    cflr_error error = {0};
    cflr_extract_opts_init(&opts);
    opts.files = p.source + p.n_sources - n;
    opts.n_files = n;
    opts.callees = callees;
    opts.world = CFLR_WORLD_CLOSED; /* `old` may be anything */
    project_extract(&p, &opts);
    cflr_status st =
        cflr_grammar_load(p.context, "pointer-fs", CFLR_GRAMMAR_AUTO, &grammar, &error);
    cr_assert_eq(st, CFLR_OK, "%s", error.message);
    cr_assert_eq(cflr_solve(p.graph, grammar, NULL, &result, &error), CFLR_OK, "%s", error.message);
    cflr_grammar_free(grammar);
    return result;
}

static void expect_called(const char *call, cflr_callees callees, const char *expected) {
    char source[4000], text[200];
    snprintf(source, sizeof source, FUNCTIONS "int *result;\nvoid f(int i) { result = %s; }\n",
             call);
    project_write(&p, "a.c", source);
    cflr_result *result = solve(1, callees);
    pointed_to(result, text, sizeof text);
    cr_expect_str_eq(text, expected, "%s with %d: %s", call, (int)callees, text);
    cflr_result_free(result);
}

#define ALL "none_ pointer_ integer_ two_ floating_ record_ variable_ old"

/* The unknown function `old` may be any. */
Test(callees, by_their_types) {
    static const struct row {
        const char *call, *expected;
    } rows[] = {
        {"((int *(*)(void))table[i])()", "none_ old"},
        {"((int *(*)(int *))table[i])(&x)", "pointer_ old"},
        {"((int *(*)(pointer_type))table[i])(&x)", "pointer_ old"},
        {"((int *(*)(unsigned *))table[i])(0)", "pointer_ old"},
        {"((int *(*)(void *))table[i])(&x)", "pointer_ old"},
        {"((int *(*)(char *))table[i])(0)", "pointer_ old"},
        {"((void *(*)(int *))table[i])(&x)", "pointer_ old"},
        {"((int *(*)(unsigned char))table[i])(1)", "integer_ old"},
        {"((int *(*)(const char))table[i])(1)", "integer_ old"},
        {"((int *(*)(double))table[i])(1)", "floating_ old"},
        {"((int *(*)(struct pair))table[i])(z)", "record_ old"},
        {"((int *(*)(int *, int *))table[i])(&x, &x)", "two_ old"},
        {"((int *(*)(int *, ...))table[i])(&x)", "variable_ old"},
        {"((int *(*)())table[i])(&x)", ALL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_called(rows[i].call, CFLR_CALLEES_ANY, ALL);
        expect_called(rows[i].call, CFLR_CALLEES_AUTO, ALL);
        expect_called(rows[i].call, CFLR_CALLEES_TYPES, rows[i].expected);
    }
}

/* Records are known by their names, in pointers to them too, and pointers by what they point to. */
Test(callees, by_records) {
    static const struct row {
        const char *call, *expected;
    } rows[] = {
        {"((int *(*)(struct pair *))table[i])(0)", "a"},
        {"((int *(*)(union one *))table[i])(0)", "b"},
        {"((int *(*)(void *))table[i])(0)", "a b c d"},
        {"((int *(*)(int **))table[i])(0)", "c"},
        {"((int *(*)(void (*)(void)))table[i])(0)", "d"},
        {"((int *(*)(long))table[i])(0)", ""}, /* no function has the type */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const names[] = {"a", "b", "c", "d"};
        char source[2000], text[40] = "";
        snprintf(source, sizeof source,
                 "struct pair { long a, b; }; union one { int *p; long n; }; int a, b, c, d;\n"
                 "int *fa(struct pair *p) { return &a; } int *fb(union one *p) { return &b; }\n"
                 "int *fc(char **p) { return &c; } int *fd(int (*f)(int)) { return &d; }\n"
                 "void *table[] = {fa, fb, fc, fd};\n"
                 "int *result; void f(int i) { result = %s; }\n",
                 rows[i].call);
        project_write(&p, "a.c", source);
        cflr_result *result = solve(1, CFLR_CALLEES_TYPES);
        for (size_t k = 0; k < 4; k++) {
            if (!reaches(result, names[k])) continue;
            if (text[0]) strcat(text, " ");
            strcat(text, names[k]);
        }
        cr_expect_str_eq(text, rows[i].expected, "%s: %s", rows[i].call, text);
        cflr_result_free(result);
    }
}

/* What the program turns directly into the type of a call is called by it, and no more. */
Test(callees, of_types_that_are_turned) {
    static const struct row {
        const char *turns;
        bool entered;
    } rows[] = {
        {"", false},
        {"int *(*one)(long) = (int *(*)(long))g;", true},
        {"void h(int *(*)(long)); void k(void) { h((int *(*)(long))g); }", true},
        {"void h(int *(*)(long)); void k(void) { h(g); }", true},
        {"int *(*one)(long) = (int *(*)(long))(void (*)(void))g;", true},
        {"int *(*one)(short) = (int *(*)(short))g;", false},
        {"void (*any)(void) = (void (*)(void))g; int *(*one)(long);"
         " void k(void) { one = (int *(*)(long))any; }",
         false},
        {"int *(*other)(int *), *(*one)(long); void k(void) { one = (int *(*)(long))other; }",
         true},
        {"void *any = (void *)g;", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char source[2000];
        snprintf(
            source, sizeof source,
            "int x, *result; int *g(int *p) { return &x; } int *other_one(long p) { return 0; }\n"
            "%s\n"
            "void *table[] = {g, other_one};\n"
            "void f(int i) { result = ((int *(*)(long))table[i])(1); }\n",
            rows[i].turns);
        project_write(&p, "a.c", source);
        cflr_result *result = solve(1, CFLR_CALLEES_TYPES);
        cr_expect_eq(reaches(result, "x"), rows[i].entered, "row %zu", i);
        cflr_result_free(result);
    }
}

/* Bodies of one name and two types: either may be called. A body tells more than a declaration. */
Test(callees, of_two_units) {
    static const char *const calls =
        "int *g(), x, one, two, *result; int *(*called)(int *) = g;"
        " int *other(int *p) { return 0; } int *(*kept)(int *) = other;"
        " void f(void) { result = called(&x); }";
    static const struct row {
        const char *first, *second;
        bool one, two;
    } rows[] = {
        {"extern int one; int *g(int *p) { return &one; }",
         "extern int two; int *g(int *p, int *q) { return &two; }", true, true},
        {"extern int one; int *g(int *p, int *q) { return &one; }", "int *g(int *);", false, false},
        {"extern int one; int *g(int *p) { return &one; }", "int *g(int *, int *);", true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        project_write(&p, "a.c", rows[i].first);
        project_write(&p, "b.c", calls);
        project_write(&p, "c.c", rows[i].second);
        cflr_result *result = solve(3, CFLR_CALLEES_TYPES);
        cr_expect_eq(reaches(result, "one"), rows[i].one, "row %zu", i);
        cr_expect_eq(reaches(result, "two"), rows[i].two, "row %zu", i);
        cflr_result_free(result);
    }
}

/* What a summary calls, and what it is called with, is of any type. */
Test(callees, of_summaries) {
    project_write(
        &p, "a.c",
        "#include <stdlib.h>\n"
        "int *x[2], *result;\n"
        "static int compare(const void *a, const void *b) { result = *(int **)a; return 0; }\n"
        "void *(*get)(size_t) = malloc;\n"
        "void f(void) { static int y; x[0] = &y; qsort(x, 2, sizeof *x, compare);\n"
        "    if (!result) result = get(3); }\n");
    cflr_result *result = solve(1, CFLR_CALLEES_TYPES);
    cr_expect(reaches(result, "y"));
    cr_expect(reaches(result, "malloc()"), "%s", p.edges);
    cflr_result_free(result);
}
