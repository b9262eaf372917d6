/* SPDX-License-Identifier: Apache-2.0
 *
 * test_summary_user.c: summaries that the user gives: what they replace, what they cannot, which
 * are of no use; and the functions that still have none.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "extract_support.h"
#include "summary_support.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(summary_user, .init = setup, .fini = teardown);

/* ---- layers ---- */

enum { MOST_FILES = 3 };

/* Reads the texts as files of the user, above a layer that stands for what is shipped. */
static cflr_status read_files(const char *const *texts, cflri_summaries **summaries,
                              cflr_error *error) {
    static const cflri_embedded shipped[] = {
        {"one", "member m 8\nf: ret = arg0\ng_*: ret = arg0\ng_1: ret = arg1\nh: arg0->m = arg1"},
        {NULL, NULL}};
    static char paths[MOST_FILES][PROJECT_PATH * 2];
    static cflri_summary_file files[MOST_FILES];
    size_t n = 0;
    for (; n < MOST_FILES && texts[n]; n++) {
        char name[16];
        snprintf(name, sizeof name, "%zu.txt", n);
        project_write(&p, name, texts[n]);
        files[n] = (cflri_summary_file){project_path(&p, name, paths[n]), NULL};
    }
    return cflri_summaries_read(p.context, shipped, files, n, summaries, error);
}

static const struct {
    const char *texts[MOST_FILES];
    const char *function;
    const char *expect;
} layers[] = {
    {{"# nothing\n"}, "f", "ret = arg0"},
    {{""}, "f", "ret = arg0"},
    {{"f: none"}, "f", "none"},
    {{"f: ret = arg2; ret = new"}, "f", "ret = arg2; ret = &f()#0"},
    {{"f: ret = arg2", "f: ret = arg3"}, "f", "ret = arg3"},
    {{"f: ret = arg3", "# not here\n", "f: ret = arg2\n"}, "f", "ret = arg2"},
    {{"k: ret = arg1"}, "k", "ret = arg1"},
    {{"k: ret = arg1"}, "f", "ret = arg0"},
    /* the name itself before a prefix, a longer prefix before a shorter one, in any file */
    {{"g_2: none"}, "g_2", "none"},
    {{"g_2: none"}, "g_1", "ret = arg1"},
    {{"g_*: none"}, "g_2", "none"},
    {{"g_*: none"}, "g_1", "ret = arg1"},
    {{"g_12*: none"}, "g_1", "ret = arg1"},
    {{"g_12*: none"}, "g_123", "none"},
    {{"g_12*: none\n", "g_1*: ret = arg4"}, "g_123", "none"},
    {{"g_12*: none\n", "g_1*: ret = arg4"}, "g_13", "ret = arg4"},
    /* members: of what is shipped, of an earlier file, of one's own */
    {{"f: ret = arg0->m"}, "f", "ret = *(arg0+8)"},
    {{"member n 16", "f: ret = arg0->n"}, "f", "ret = *(arg0+16)"},
    {{"member m 24\nf: ret = arg0->m"}, "f", "ret = *(arg0+24)"},
    {{"member m 24\nf: ret = arg0->m"}, "h", "*(arg0+8) = arg1"},
};

Test(summary_user, later_layers_replace_earlier_ones) {
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        cflri_summaries *summaries;
        cflr_error error = {0};
        char text[256];
        cflr_status st = read_files(layers[i].texts, &summaries, &error);
        cr_assert_eq(st, CFLR_OK, "%zu: %s", i, error.message);
        write_effects(summaries, layers[i].function, text, sizeof text);
        cr_expect_str_eq(text, layers[i].expect, "%zu: %s", i, text);
        cflri_summaries_free(summaries);
        p.n_files = 0;
    }
}

static const struct {
    const char *texts[MOST_FILES];
    size_t file; /* the one that is wrong */
    uint32_t line, column;
    const char *message;
} mistakes[] = {
    {{"f: none\nf: none\n"}, 0, 2, 1, "'f' has a summary already"},
    {{"f: none\n", "# second\nf: none\n  f: none"}, 1, 3, 3, "expected"},
    {{"f: none\n", "g_*: none\nk g_*: none"}, 1, 2, 3, "'g_*' has a summary already"},
    {{"f: ret = arg0->later", "member later 8"}, 0, 1, 16, "no entry 'member later OFFSET'"},
    {{"member m 8\nmember m 16"}, 0, 2, 8, "'m' is there already"},
    {{"#\n#\n\nf: arg0 = arg1\n"}, 0, 4, 4, "nothing can be stored here"},
    {{"# pool *make(void)\npool_make:\n"}, 0, 2, 11, "expected a value"},
};

Test(summary_user, mistakes_name_the_file) {
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        cflri_summaries *summaries;
        cflr_error error = {0};
        char name[16], path[PROJECT_PATH * 2];
        cr_expect_eq(read_files(mistakes[i].texts, &summaries, &error), CFLR_SYNTAX, "%zu", i);
        cr_expect_null(summaries);
        snprintf(name, sizeof name, "%zu.txt", mistakes[i].file);
        cr_expect_str_eq(error.subject, project_path(&p, name, path));
        cr_expect(error.line == mistakes[i].line && error.column == mistakes[i].column,
                  "%zu: place %u:%u", i, error.line, error.column);
        cr_expect(strstr(error.message, mistakes[i].message), "%zu: %s", i, error.message);
        p.n_files = 0;
    }
}

/* Extracts with one file of summaries. */
static void extract_with(const char *summaries, cflr_calls calls) {
    char path[PROJECT_PATH * 2];
    const char *file = project_path(&p, summaries, path);
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.calls = calls;
    opts.summaries = &file;
    opts.n_summaries = 1;
    project_try(&p, &opts);
}

Test(summary_user, files_that_cannot_be_read_end_the_run) {
    char path[PROJECT_PATH * 2];
    project_write(&p, "a.c", "int x;\n");
    extract_with("gone.txt", CFLR_CALLS_ASSIGN);
    cr_expect_eq(p.status, CFLR_IO);
    cr_expect_str_eq(p.error.subject, project_path(&p, "gone.txt", path));
    extract_with(".", CFLR_CALLS_ASSIGN);
    cr_expect_eq(p.status, CFLR_IO);

    FILE *file = fopen(project_path(&p, "binary.txt", path), "w");
    cr_assert(file);
    fwrite("f: none\ng: \0 none\n", 1, 18, file);
    fclose(file);
    extract_with("binary.txt", CFLR_CALLS_ASSIGN);
    cr_expect_eq(p.status, CFLR_SYNTAX);
    cr_expect_eq(p.error.line, 2);
    cr_expect(strstr(p.error.message, "NUL"), "%s", p.error.message);

    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.n_summaries = 1;
    project_try(&p, &opts);
    cr_expect_eq(p.status, CFLR_ARGUMENT);
}

/* ---- in a program ---- */

static const char calls_by_name[] =
    "int *pick(int *, int *), a, b, *r;\n"
    "void f(void) { r = pick(&a, &b); }\n";
static const char calls_by_value[] =
    "int *pick(int *, int *), a, b, *r;\n"
    "int *(*table[])(int *, int *) = { pick };\n"
    "void f(void) { r = table[0](&a, &b); }\n";

/* What r may point to, as the closure tells. */
static bool may_point_to(const char *place) {
    cflr_grammar *grammar = NULL;
    cflr_result *result = NULL;
    cflr_error error = {0};
    cr_assert_eq(cflr_grammar_load(p.context, "pointer-fs", CFLR_GRAMMAR_AUTO, &grammar, &error),
                 CFLR_OK, "%s", error.message);
    cr_assert_eq(cflr_solve(p.graph, grammar, NULL, &result, &error), CFLR_OK, "%s", error.message);
    uint32_t label = cflr_result_find_label(result, cflr_result_answer(result, "points-to"));
    bool found = false;
    for (uint32_t r = 0; r < cflr_graph_vertices(p.graph); r++) {
        cflr_vertex_info from;
        cflr_graph_vertex(p.graph, r, &from);
        if (strcmp(from.name, "r") != 0) continue;
        for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
            cflr_vertex_info to;
            cflr_graph_vertex(p.graph, v, &to);
            if (strcmp(to.name, place) == 0) found |= cflr_result_has(result, label, r, v);
        }
    }
    cflr_result_free(result);
    cflr_grammar_free(grammar);
    return found;
}

/* A missing model is reported, and taken for anything; a summary says what happens, however the
 * function is reached. */
Test(summary_user, models_hold_by_name_and_through_pointers) {
    const char *const sources[] = {calls_by_name, calls_by_value};
    for (size_t i = 0; i < 2; i++) {
        p.n_files = 0;
        project_write(&p, "mine.txt", "pick: ret = arg1\n");
        project_write(&p, "a.c", sources[i]);
        p.n_sources = 1;
        project_extract(&p, NULL);
        cr_expect(project_note(&p, CFLR_NOTE_UNMODELLED, "pick"), "%zu", i);
        cr_expect(may_point_to("a") && may_point_to("b"), "%zu", i);
        extract_with("mine.txt", CFLR_CALLS_ASSIGN);
        cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
        cr_expect_null(cflr_extract_note(p.report, 0), "%zu", i);
        cr_expect_null(cflr_extract_unmodelled(p.report, 0), "%zu", i);
        cr_expect(!may_point_to("a") && may_point_to("b"), "%zu", i);
    }
}

Test(summary_user, variable_arguments_reach_models_through_pointers) {
    static const char *const calls[] = {"gather(0, &a, &b)", "through(0, &a, &b)"};
    for (size_t i = 0; i < 2; i++) {
        char source[256];
        snprintf(source, sizeof source,
                 "int *gather(int, ...), *(*through)(int, ...) = gather, a, b, *r;\n"
                 "void f(void) { r = %s; }\n",
                 calls[i]);
        p.n_files = 0;
        project_write(&p, "mine.txt", "gather: ret = arg1...\n");
        project_write(&p, "a.c", source);
        p.n_sources = 1;
        extract_with("mine.txt", CFLR_CALLS_ASSIGN);
        cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
        cr_expect(may_point_to("a") && may_point_to("b"), "%s", calls[i]);
    }
}

Test(summary_user, shipped_summaries_are_replaced) {
    project_write(&p, "mine.txt", "strchr: ret = new\n");
    project_write(&p, "a.c",
                  "#include <string.h>\nchar a[4], *r;\n"
                  "void f(void) { r = strchr(a, 'x'); }\n");
    project_extract(&p, NULL);
    cr_expect(may_point_to("a") && !may_point_to("strchr()"));
    extract_with("mine.txt", CFLR_CALLS_ASSIGN);
    cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
    cr_expect(!may_point_to("a") && may_point_to("strchr()"));
}

Test(summary_user, bodies_win_and_the_user_is_told) {
    project_write(&p, "mine.txt", "# mine\npick other*: ret = arg1\n");
    project_write(&p, "a.c", calls_by_name);
    project_write(&p, "b.c", "\nint *pick(int *x, int *y) { return x; }\nint *other_1(void);\n");
    extract_with("mine.txt", CFLR_CALLS_ASSIGN);
    cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
    cr_expect(may_point_to("a") && !may_point_to("b"));
    const cflr_note *note = project_note(&p, CFLR_NOTE_OVERRULED, "pick");
    cr_assert(note);
    cr_expect_str_eq(note->text, "pick");
    cr_expect_eq(note->line, 2);
    cr_expect(strstr(note->file, "mine.txt"));
    cr_expect(project_note(&p, CFLR_NOTE_UNUSED, "other*"));
    cr_expect_null(project_note(&p, CFLR_NOTE_UNUSED, "pick"));
}

/* What is made through a hook may be one object, if there is a hook; an empty cell leaves others
 * empty. */
Test(summary_user, cells_that_nothing_is_stored_in_are_nothing) {
    static const char *const first[] = {"", "set_hook(give); hand_on();"};
    for (size_t i = 0; i < 2; i++) {
        char source[512];
        snprintf(source, sizeof source,
                 "struct n { int *at; } shared, *make(void), *p, *q;\n"
                 "void set_hook(struct n *(*)(void)), hand_on(void);\n"
                 "int a, *r;\n"
                 "struct n *give(void) { return &shared; }\n"
                 "void f(void) { %s p = make(); q = make(); p->at = &a; r = q->at; }\n",
                 first[i]);
        p.n_files = 0;
        project_write(&p, "mine.txt",
                      "set_hook: cell:hook = arg0\nhand_on: cell:other = cell:hook\n"
                      "make: ret = new; ret = call cell:other()\n");
        project_write(&p, "a.c", source);
        p.n_sources = 1;
        extract_with("mine.txt", CFLR_CALLS_ASSIGN);
        cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
        cr_expect_eq(may_point_to("a"), i == 1, "%s", first[i]);
    }
}

/* Bodies that take memory out of a pool: by name, through a pointer, in the unit of the body and in
 * others. */
static const char pool_of_two[] =
    "static int a, b; int *r;\n"
    "int *pick(int *x, int *y) { return x; }\n"
    "static int *inner(int *x, int *y) { return pick(x, y); }\n"
    "int *(*table[])(int *, int *) = { pick };\n"
    "void here(void) { r = %s; }\n";

Test(summary_user, an_override_counts_more_than_a_body) {
    static const char *const uses[] = {"pick(&a, &b)", "table[0](&a, &b)", "inner(&a, &b)", "0"};
    for (size_t i = 0; i < 4; i++) {
        char source[512];
        snprintf(source, sizeof source, pool_of_two, uses[i]);
        p.n_files = p.n_sources = 0;
        project_write(&p, "mine.txt", "override pick pack*: ret = arg1\n");
        project_write(&p, "a.c", source);
        project_write(&p, "b.c", calls_by_name);
        if (i < 3) p.n_sources = 1;
        project_extract(&p, NULL);
        cr_expect(may_point_to("a") && !may_point_to("b"), "%s", uses[i]);
        extract_with("mine.txt", CFLR_CALLS_ASSIGN);
        cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
        cr_expect(!may_point_to("a") && may_point_to("b"), "%s", uses[i]);
        cr_expect_null(project_note(&p, CFLR_NOTE_OVERRULED, "pick"));
        cr_expect_null(project_note(&p, CFLR_NOTE_UNUSED, "pick"));
    }
}

/* A later file may leave the body its right; `override` alone is a name as any other. */
Test(summary_user, an_override_is_replaced_by_later_files) {
    const char *const files[] = {"override f f_*: ret = arg1\noverride: none\n", "f: ret = arg2\n",
                                 NULL};
    static const cflri_embedded nothing[] = {{NULL, NULL}};
    cflri_summary_file read[2];
    char paths[2][PROJECT_PATH * 2];
    for (size_t i = 0; i < 2; i++) {
        const char *name = i ? "two.txt" : "one.txt";
        project_write(&p, name, files[i]);
        read[i] = (cflri_summary_file){project_path(&p, name, paths[i]), NULL};
    }
    cflri_summaries *summaries;
    cflr_error error = {0};
    cr_assert_eq(cflri_summaries_read(p.context, nothing, read, 2, &summaries, &error), CFLR_OK,
                 "%s", error.message);
    const char *const names[] = {"f", "f_1", "override"};
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(summaries->entries.at[cflri_summary_find(summaries, names[i])].overrides,
                     i == 1, "%s", names[i]);
    cflri_summaries_free(summaries);
}

Test(summary_user, summaries_of_no_use_are_told) {
    project_write(&p, "mine.txt",
                  "# mine\npick: ret = arg1\n\npikc\n  pick_it: none\npic*: none\npixel_*: none\n");
    project_write(&p, "a.c", calls_by_name);
    extract_with("mine.txt", CFLR_CALLS_ASSIGN);
    cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
    static const struct {
        const char *text;
        uint32_t line;
    } expected[] = {{"pick_it", 4}, {"pikc", 4}, {"pic*", 6}, {"pixel_*", 7}};
    for (size_t i = 0; i < 4; i++) {
        const cflr_note *note = cflr_extract_note(p.report, i);
        cr_assert(note);
        cr_expect_eq(note->kind, CFLR_NOTE_UNUSED);
        cr_expect_str_eq(note->text, expected[i].text);
        cr_expect_eq(note->line, expected[i].line);
    }
    cr_expect_null(cflr_extract_note(p.report, 4));
}

/* Headers rename functions by asm labels: the name that is spelled counts, then the linker's. */
Test(summary_user, asm_labels_name_functions_too) {
    project_write(&p, "mine.txt", "pick: ret = arg1\nreal_pick: ret = arg0\n");
    project_write(&p, "a.c",
                  "int *choose(int *, int *) __asm__(\"real_pick\"), a, b, *r;\n"
                  "void f(void) { r = choose(&a, &b); }\n");
    extract_with("mine.txt", CFLR_CALLS_ASSIGN);
    cr_expect(may_point_to("a") && !may_point_to("b"));
    cr_expect_null(cflr_extract_unmodelled(p.report, 0));
    project_write(&p, "a.c",
                  "int *pick(int *, int *) __asm__(\"real_pick\"), a, b, *r;\n"
                  "int *(*through)(int *, int *) = pick;\n"
                  "void f(void) { r = through(&a, &b); }\n");
    p.n_sources = 1;
    extract_with("mine.txt", CFLR_CALLS_ASSIGN);
    cr_expect(!may_point_to("a") && may_point_to("b"));
}

/* What is stored or passed only where it is not null is the same pointer, and no null pointer. */
Test(summary_user, not_null) {
    char path[PROJECT_PATH * 2];
    const char *file = project_path(&p, "mine.txt", path);
    project_write(&p, "mine.txt",
                  "same: ret = nonnull arg0\nvisit: call arg1(nonnull arg0, arg0)\n");
    project_write(&p, "a.c",
                  "int *same(int *), x, *r, *s;\nvoid visit(int *, void (*)(int *, int *));\n"
                  "static void see(int *q, int *t) { r = q; r = t; }\n"
                  "void f(int *p) { r = same(p); s = same(0); visit(p, see); visit(0, see); }\n");
    for (int data_flow = 0; data_flow < 2; data_flow++) {
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_CLOSED;
        opts.summaries = &file;
        opts.n_summaries = 1;
        opts.data_flow = data_flow;
        p.n_sources = 1;
        project_try(&p, &opts);
        cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
        cr_expect_eq(project_has_edge(&p, "f::p -nonnull-> f::temporary(same())@4:22"), data_flow,
                     "%s", p.edges);
        cr_expect_eq(project_has_edge(&p, "f::p -a-> f::temporary(same())@4:22"), !data_flow);
        cr_expect_eq(project_has_edge(&p, "f::p -nonnull-> see::q"), data_flow);
        cr_expect_eq(project_has_edge(&p, "f::p -nonnull-> see::t"), false);
    }
}

/* ---- variables of libraries ---- */

/* A variable that a library fills is no unknown object, whatever its entry makes of it; a function
 * of the same name is another thing. */
Test(summary_user, variables_are_filled) {
    project_write(&p, "mine.txt",
                  "variable theirs mine: ret = static:box; *ret = new; **ret = null;\n"
                  "    call *ret(ret); *ret = ret\n"
                  "theirs: ret = arg0\nvariable: none\n");
    project_write(&p, "a.c",
                  "extern int **theirs, **others;\nint **mine, **f(void);\n"
                  "int **f(void) { return others; }\n"
                  "int **g(void) { return theirs; }\n"
                  "int **h(void) { return mine; }\n");
    extract_with("mine.txt", CFLR_CALLS_ASSIGN);
    cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
    cr_expect(project_has_edge(&p, "&static:box -a-> theirs"));
    cr_expect(project_has_edge(&p, "&static:box -a-> mine"));
    cr_expect_eq(project_named(&p, "theirs()"), 1, "the object of `new`");
    const cflr_note *note =
        project_note(&p, CFLR_NOTE_ASSUMED, "variable without definition: an unknown object");
    cr_expect(note && note->count == 1, "of `others` alone");
}

/* What the system hands over: the text of a function, and the parameters that get a vector. */
static const struct {
    const char *text;
    const char *vector, *environment; /* parameters; NULL: none */
} mains[] = {
    {"int main(int n, char **v) { return n; }", "v", NULL},
    {"int main(int n, char *v[], char *e[]) { return n; }", "v", "e"},
    {"int main(n, v, e) int n; char **v, **e; { return n; }", "v", "e"},
    {"int main(int n, const char *const *v) { return n; }", "v", NULL},
    {"int main(int n, char **v, char **e, char **more) { return n; }", "v", "e"},
    {"int main(void) { return 0; }", NULL, NULL},
    {"int main() { return 0; }", NULL, NULL},
    {"int main(int n, long v) { return n; }", NULL, NULL},
    {"static int main(int n, char **v) { return n; }", NULL, NULL},
    {"int wmain(int n, char **v) { return n; }", NULL, NULL},
    {"int start(int n, char **v) { return n; } int main(void) { return 0; }", NULL, NULL},
};

static void expect_held(const char *vector, const char *parameter, const char *text) {
    char address[64], edge[128];
    snprintf(address, sizeof address, "&%s", vector);
    snprintf(edge, sizeof edge, "%s -a-> main::%s", address, parameter ? parameter : "");
    cr_expect_eq(project_named(&p, address), parameter != NULL, "%s", text);
    if (parameter) cr_expect(project_has_edge(&p, edge), "%s: %s", text, p.edges);
}

Test(summary_user, main_is_handed_its_arguments) {
    static const cflr_world worlds[] = {CFLR_WORLD_CLOSED, CFLR_WORLD_OPEN};
    for (size_t i = 0; i < 2 * (sizeof mains / sizeof *mains); i++) {
        const char *text = mains[i / 2].text;
        cflr_extract_opts opts;
        p.n_files = p.n_sources = 0;
        project_write(&p, "a.c", text);
        cflr_extract_opts_init(&opts);
        opts.world = worlds[i % 2];
        project_extract(&p, &opts);
        cr_assert_eq(p.status, CFLR_OK, "%s: %s", text, p.error.message);
        expect_held("static:argv_vector", mains[i / 2].vector, text);
        expect_held("static:environ_vector", mains[i / 2].environment, text);
    }
}

/* ---- functions without summary ---- */

static void expect_unmodelled(size_t i, const char *prototype, uint64_t calls, uint64_t values,
                              uint32_t line, uint32_t column) {
    const cflr_unmodelled *function = cflr_extract_unmodelled(p.report, i);
    cr_assert(function, "%zu", i);
    cr_expect_str_eq(function->prototype, prototype);
    cr_expect_eq(function->calls, calls, "%s", prototype);
    cr_expect_eq(function->values, values, "%s", prototype);
    cr_expect(function->line == line && function->column == column, "%s: %u:%u", prototype,
              function->line, function->column);
    cr_expect(strstr(prototype, function->name));
    cr_expect(strstr(function->file, "/a.c"));
}

Test(summary_user, what_has_no_model_is_listed) {
    project_write(&p, "a.c",
                  "typedef struct pool pool;\n"
                  "int (*choose(void (*done)(pool *), char name[8]))(int);\n"
                  "void *take(pool *from, unsigned long n) __attribute__((malloc));\n"
                  "extern int log_it(const char *, ...);\n"
                  "int never(int *), size_only(int *);\n"
                  "int also_here(int *);\n"
                  "void *(*taker)(pool *, unsigned long) = take;\n"
                  "int (*logger)(const char *, ...);\n"
                  "void f(pool *x) {\n"
                  "    take(x, 1);\n"
                  "    take(x, sizeof size_only(0));\n"
                  "    choose(0, \"a\"), also_here(0);\n"
                  "    logger = &log_it, logger = log_it;\n"
                  "}\n");
    project_write(&p, "b.c", "int also_here(int *x) { return !x; }\n");
    project_extract(&p, NULL);
    expect_unmodelled(0, "void *take(pool *from, unsigned long n)", 2, 1, 10, 5);
    expect_unmodelled(1, "int (*choose(void (*done)(pool *), char name[8]))(int)", 1, 0, 12, 5);
    expect_unmodelled(2, "extern int log_it(const char *, ...)", 0, 2, 13, 14);
    cr_expect_null(cflr_extract_unmodelled(p.report, 3));
    cr_expect_eq(p.counts.calls_unmodelled, 3);
    cr_expect_eq(project_note(&p, CFLR_NOTE_UNMODELLED, "take")->count, 3);
    cr_expect_eq(project_note(&p, CFLR_NOTE_UNMODELLED, "log_it")->count, 2);
}
