/* SPDX-License-Identifier: Apache-2.0
 *
 * test_link.c: several units as one program: what is one thing, what is not, which body holds.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "extract_support.h"
#include "frontend/compdb/compdb.h"
#include "frontend/graph/emit.h"
#include "frontend/units/unit.h"
#include "tests/support/fail_alloc.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(link, .init = setup, .fini = teardown);

static void expect_edge(const char *edge) {
    cr_expect(project_has_edge(&p, edge), "no %s in\n%s", edge, p.edges);
}

static void expect_no_edge(const char *edge) {
    cr_expect_not(project_has_edge(&p, edge), "%s in\n%s", edge, p.edges);
}

/* Vertices of a kind. */
static unsigned of_kind(cflr_vertex_kind kind) {
    unsigned n = 0;
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        n += info.kind == kind;
    }
    return n;
}

Test(link, an_external_variable_is_one) {
    project_write(&p, "a.c", "int x; int *shared = &x; int *get(void) { return shared; }");
    project_write(&p, "b.c", "extern int *shared; void set(int *v) { shared = v; }");
    project_extract(&p, NULL);
    cr_expect_eq(project_named(&p, "shared"), 1);
    expect_edge("set::v -a-> shared");
    expect_edge("shared -a-> get::return");
    expect_edge("&x -a-> shared");
}

Test(link, tentative_definitions_are_one) {
    project_write(&p, "a.c", "int *g; void f(int *v) { g = v; }");
    project_write(&p, "b.c", "int *g; int *h(void) { return g; }");
    project_extract(&p, NULL);
    cr_expect_eq(project_named(&p, "g"), 1);
    expect_edge("f::v -a-> g");
    expect_edge("g -a-> h::return");
}

Test(link, a_call_finds_its_body_in_another_unit) {
    project_write(&p, "a.c", "int *pick(int *); int x; int *r; void f(void) { r = pick(&x); }");
    project_write(&p, "b.c", "int *pick(int *given) { return given; }");
    for (int order = 0; order < 2; order++) {
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_CLOSED;
        opts.files = (const char *const[]){p.source[order], p.source[!order]};
        opts.n_files = 2;
        project_extract(&p, &opts);
        expect_edge("&x -a-> pick::given");
        expect_edge("pick::return -a-> f::temporary(pick())");
        expect_edge("f::temporary(pick()) -a-> r");
        cr_expect_eq(of_kind(CFLR_VERTEX_UNKNOWN), 0);
        cr_expect_eq(p.counts.calls_unmodelled, 0);
        cr_expect_eq(p.counts.calls_direct, 1);
    }
}

/* Extracts the two files written last, in both orders. */
static void in_both_orders(void (*check)(void)) {
    for (int order = 0; order < 2; order++) {
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_CLOSED;
        opts.files = (const char *const[]){p.source[order], p.source[!order]};
        opts.n_files = 2;
        project_extract(&p, &opts);
        check();
    }
}

static void expect_variable_by_number(void) {
    expect_edge("&x -a-> open::open(1)");
    expect_edge("open::&open(1) -d-> open::open(1)");
    expect_edge("open::&open(1) -a-> open::&open(...)");
    expect_edge("open::&open(...) -d-> open::...");
    expect_no_edge("open::&open(0) -a-> open::&open(...)");
}

/* Without a prototype a call numbers the arguments that the body takes as variable ones. */
Test(link, a_call_without_prototype_meets_variable_arguments) {
    project_write(&p, "a.c", "int *open(); int x; int *r; void f(void) { r = open(1, &x); }");
    project_write(&p, "b.c",
                  "int *open(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n);"
                  " int *p = __builtin_va_arg(a, int *); return p; }");
    in_both_orders(expect_variable_by_number);
}

static void expect_numbered_by_variable(void) {
    expect_edge("&x -a-> fixed::fixed(...)");
    expect_edge("fixed::&fixed(...) -d-> fixed::fixed(...)");
    expect_edge("fixed::&fixed(1) -a-> fixed::&fixed(...)");
    expect_edge("fixed::&fixed(1) -d-> fixed::p");
    expect_edge("fixed::p -a-> fixed::return");
}

Test(link, a_prototype_with_variable_arguments_meets_parameters) {
    project_write(&p, "a.c",
                  "int *fixed(int, ...); int x; int *r; void f(void) { r = fixed(1, &x); }");
    project_write(&p, "b.c", "int *fixed(int n, int *p) { return p; }");
    in_both_orders(expect_numbered_by_variable);
}

/* Same file name, same offsets, same names; different folders. */
Test(link, statics_of_two_files_are_two) {
    static const char text[] =
        "static int *cache; static void put(int *v) { cache = v; }\n"
        "static int own; void NAME(void) { put(&own); }";
    project_write_named(&p, "a/util.c", text, "at_a");
    project_write_named(&p, "b/util.c", text, "at_b");
    project_extract(&p, NULL);
    cr_expect_eq(project_named(&p, "cache"), 2);
    cr_expect_eq(project_named(&p, "own"), 2);
    cr_expect_eq(project_named(&p, "v"), 2);
    cr_expect_eq(p.counts.functions, 4);
    cr_expect_eq(cflr_extract_note(p.report, 0), NULL);
}

Test(link, a_body_in_a_header_is_one) {
    project_write(&p, "h.h",
                  "static inline int *keep(int *v) { static int *kept; kept = v; return kept; }\n"
                  "static inline int *twice(int *v) { return keep(keep(v)); }\n");
    project_write(&p, "a.c", "#include \"h.h\"\nint x; int *f(void) { return twice(&x); }");
    project_extract(&p, NULL);
    uint32_t one_vertices = cflr_graph_vertices(p.graph);
    cr_expect_eq(p.counts.calls_direct, 3);
    project_write(&p, "b.c", "#include \"h.h\"\nint y; int *g(void) { return twice(&y); }");
    project_write(&p, "c.c", "#include \"h.h\"\n");
    project_extract(&p, NULL);
    cr_expect_eq(p.counts.functions, 4);
    cr_expect_eq(p.counts.calls_direct, 4, "%u", p.counts.calls_direct);
    cr_expect_eq(project_named(&p, "kept"), 1);
    cr_expect_leq(cflr_graph_vertices(p.graph), one_vertices + 5, "%u and %u", one_vertices,
                  cflr_graph_vertices(p.graph));
    cr_expect_eq(cflr_extract_note(p.report, 0), NULL, "the same body is not defined twice");
}

Test(link, two_bodies_of_one_name_are_both_taken) {
    project_write(&p, "a.c", "int *pick(int *v, int *w) { return v; }");
    project_write(&p, "b.c", "int *pick(int *a, int *b) { return b; }");
    project_write(&p, "c.c",
                  "int *pick(int *, int *); int x, y;\n"
                  "int *f(void) { return pick(&x, &y); }");
    project_extract(&p, NULL);
    expect_edge("&x -a-> pick::v");
    expect_edge("&y -a-> pick::w");
    expect_edge("pick::v -a-> pick::return");
    expect_edge("pick::w -a-> pick::return");
    const cflr_note *note = project_note(&p, CFLR_NOTE_REDEFINED, "pick, first defined at ");
    cr_assert(note != NULL);
    cr_expect_eq(note->count, 1);
    cr_expect(strstr(note->text, "/a.c:1") != NULL, "%s", note->text);
    cr_expect(strstr(note->file, "/b.c") != NULL, "%s", note->file);
    cr_expect_eq(p.counts.redefined, 1);
}

/* One note a name, however many define it, and none for names that are only their units' own. */
Test(link, definitions_of_a_name_are_counted) {
    static const char *const names[] = {"a.c", "b.c", "c.c"};
    for (size_t i = 0; i < 3; i++) {
        project_write(&p, "h.h", "static inline int two(void) { return 2; } extern int *last;");
        project_write(&p, names[i],
                      "#include \"h.h\"\nint x; int *last = &x; static int own; int run(void)\n"
                      "{ own = two(); return own; }");
    }
    project_extract(&p, NULL);
    const char *const redefined[] = {"last, first", "run, first", "x, first"};
    for (size_t i = 0; i < 3; i++) {
        const cflr_note *note = project_note(&p, CFLR_NOTE_REDEFINED, redefined[i]);
        cr_assert(note != NULL, "%s", redefined[i]);
        cr_expect_eq(note->count, 2);
    }
    cr_expect_eq(p.counts.redefined, 3);
    cr_expect_eq(p.counts.assumptions, 0);
}

/* strchr has a summary; a program that defines it does not use it. */
Test(link, a_body_wins_over_a_summary) {
    project_write(&p, "a.c",
                  "char *strchr(const char *, int); char *r;\n"
                  "void f(char *s) { r = strchr(s, 1); }");
    project_extract(&p, NULL);
    cr_expect_eq(of_kind(CFLR_VERTEX_UNKNOWN), 0);
    expect_edge("f::s -a-> f::temporary(strchr())");
    project_write(&p, "b.c",
                  "static char other; char *strchr(const char *s, int c)\n"
                  "{ return &other; }");
    project_extract(&p, NULL);
    expect_no_edge("f::s -a-> f::temporary(strchr())");
    expect_edge("strchr::return -a-> f::temporary(strchr())");
    expect_edge("f::s -a-> strchr::s");
    expect_edge("&other -a-> strchr::return");
}

Test(link, a_function_nobody_knows_is_unknown) {
    project_write(&p, "a.c",
                  "int *mystery(int *); int x; int *r;\n"
                  "void f(void) { r = mystery(&x); mystery(&x); }");
    project_extract(&p, NULL);
    cr_expect_eq(of_kind(CFLR_VERTEX_UNKNOWN), 1);
    cr_expect_eq(p.counts.calls_unmodelled, 2);
    const cflr_note *note = project_note(&p, CFLR_NOTE_UNMODELLED, "mystery");
    cr_assert(note != NULL);
    cr_expect_eq(note->count, 2);
    cr_expect_eq(note->line, 2);
    project_write(&p, "b.c", "int *mystery(int *v) { return v; }");
    project_extract(&p, NULL);
    cr_expect_eq(of_kind(CFLR_VERTEX_UNKNOWN), 0);
    cr_expect_eq(p.counts.calls_unmodelled, 0);
}

/* An unknown function, as a value: every slot of it is unknown. */
Test(link, an_unknown_function_has_unknown_slots) {
    project_write(&p, "a.c",
                  "int *mystery(int *); int x; int *r;\n"
                  "void f(int on) { int *(*h)(int *) = mystery; r = h(&x); }");
    project_extract(&p, NULL);
    unsigned edges = 0;
    for (const char *at = p.edges; (at = strstr(at, "&mystery -s[")); at++) edges++;
    cr_expect_eq(edges, 2, "slots 0 and ret:\n%s", p.edges);
}

/* Known at the call although written as an expression. */
Test(link, an_expression_of_unknown_functions) {
    project_write(&p, "a.c",
                  "int *one(int *), *two(int *); int x; int *r;\n"
                  "void f(int on) { r = (on ? one : two)(&x); }");
    project_extract(&p, NULL);
    cr_expect_eq(of_kind(CFLR_VERTEX_UNKNOWN), 2);
    unsigned in = 0;
    for (const char *at = p.edges; (at = strstr(at, "&x -a-> unknown(")); at++) in++;
    cr_expect_eq(in, 2, "%s", p.edges);
}

/* ---- second names ---- */

static void expect_one_function(void) {
    expect_edge("&x -a-> impl::return");
    expect_edge("impl::return -a-> f::temporary(api())");
    expect_edge("&impl -a-> p");
    expect_edge("&kept -a-> got");
    cr_expect_eq(of_kind(CFLR_VERTEX_UNKNOWN), 0);
    cr_expect_eq(p.counts.calls_unmodelled, 0);
    cr_expect_eq(p.counts.redefined, 0);
    cr_expect_eq(project_named(&p, "api"), 0);
}

Test(link, an_alias_is_its_target_in_all_units) {
    project_write(&p, "a.c",
                  "static int x; static int kept; static int *impl(void) { return &x; }"
                  "int *api(void) __attribute__((alias(\"impl\")));"
                  "extern int known __attribute__((alias(\"kept\")));");
    project_write(&p, "b.c",
                  "int *api(void); int *(*p)(void) = api; int *r; extern int known;"
                  "int *got = &known; void f(void) { r = api(); }");
    in_both_orders(expect_one_function);
}

static void expect_both_bodies(void) {
    expect_edge("hook::p -a-> hook::return");
    expect_edge("&idle -a-> &hook");
    expect_edge("idle::p -a-> seen");
    expect_edge("&v -a-> variable");
    expect_edge("&initial -a-> &variable");
    cr_expect_eq(p.counts.redefined, 0);
}

/* A default that another unit replaces: which one a linker takes, archives decide. */
Test(link, a_weak_alias_may_be_replaced) {
    project_write(
        &p, "a.c",
        "static int *seen; static int *idle(int *p) { seen = p; return 0; }"
        "int *hook(int *) __attribute__((weak, alias(\"idle\")));"
        "static int *initial; extern int *variable __attribute__((weak, alias(\"initial\")));"
        "int *use(int *p) { return *variable ? hook(p) : 0; }");
    project_write(&p, "b.c", "static int v; int *hook(int *p) { return p; } int *variable = &v;");
    in_both_orders(expect_both_bodies);
}

static void expect_two_defaults(void) {
    expect_edge("&one -a-> &hook");
    expect_edge("&two -a-> &hook");
}

Test(link, two_units_may_have_one_alias) {
    project_write(&p, "a.c",
                  "static int *one(int *p) { return p; }"
                  "int *hook(int *) __attribute__((weak, alias(\"one\")));");
    project_write(&p, "b.c",
                  "static int *two(int *p) { return p; }"
                  "int *hook(int *) __attribute__((weak, alias(\"two\"))); int *q;"
                  "void f(int *p) { q = hook(p); }");
    in_both_orders(expect_two_defaults);
}

/* Each program's name means its own alias, also in the library that only it needs. */
Test(link, aliases_of_programs_stay_apart) {
    project_write(&p, "a.c",
                  "static int *in_a(void) { return 0; } int *ask_a(void);"
                  "int *report(void) __attribute__((alias(\"in_a\")));"
                  "int main(void) { return !ask_a(); }");
    project_write(&p, "b.c",
                  "static int *in_b(void) { return 0; } int *ask_b(void);"
                  "int *report(void) __attribute__((alias(\"in_b\")));"
                  "int main(void) { return !ask_b(); }");
    project_write(&p, "c.c", "int *report(void); int *ask_a(void) { return report(); }");
    project_write(&p, "d.c", "int *report(void); int *ask_b(void) { return report(); }");
    project_extract(&p, NULL);
    expect_edge("in_a::return -a-> ask_a::temporary(report())");
    expect_edge("in_b::return -a-> ask_b::temporary(report())");
    expect_no_edge("in_b::return -a-> ask_a::temporary(report())");
    expect_no_edge("in_a::return -a-> ask_b::temporary(report())");
}

/* What can be named from outside by any of its names is. */
Test(link, an_alias_exports) {
    static const char text[] =
        "%s int *impl(void) { return 0; } extern int *api(void) "
        "__attribute__((alias(\"impl\")%s));";
    static const struct {
        const char *impl, *alias;
        unsigned entered;
    } cases[] = {{"static", "", 1},
                 {"static", ", visibility(\"hidden\")", 0},
                 {"", ", visibility(\"hidden\")", 1},
                 {"__attribute__((visibility(\"hidden\")))", "", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[16], source[400];
        snprintf(file, sizeof file, "%zu.c", i);
        snprintf(source, sizeof source, text, cases[i].impl, cases[i].alias);
        project_write(&p, file, source);
        cflr_extract_opts opts;
        cflr_extract_opts_init(&opts);
        opts.world = CFLR_WORLD_OPEN;
        opts.files = (const char *const[]){p.source[i]};
        opts.n_files = 1;
        project_extract(&p, &opts);
        cr_expect_eq(p.counts.functions_entered, cases[i].entered, "%s %s", cases[i].impl,
                     cases[i].alias);
    }
}

/* ---- sections ---- */

static void expect_members(void) {
    expect_edge("&one -a-> &__start_set");
    expect_edge("&two -a-> &__start_set");
    expect_edge("&two -a-> &__stop_set");
    expect_no_edge("&other -a-> &__start_set");
    cr_expect(!project_note(&p, CFLR_NOTE_ASSUMED, "variable without definition"));
}

Test(link, a_section_has_variables_of_all_units) {
    project_write(&p, "a.c",
                  "static int x; static int *one __attribute__((used, section(\"set\"))) = &x;"
                  "static int *other __attribute__((used, section(\"sets\"))) = &x;");
    project_write(&p, "b.c",
                  "static int y; static int *two __attribute__((used, section(\"set\"))) = &y;"
                  "extern int *__start_set[], *__stop_set[]; int *r;"
                  "void f(void) { for (int **p = __start_set; p < __stop_set; p++) r = *p;"
                  " r = __stop_set[-1]; }");
    in_both_orders(expect_members);
}

static void expect_unknown_ends(void) {
    cr_expect(project_note(&p, CFLR_NOTE_ASSUMED, "variable without definition"));
    expect_edge("&__start_none -a-> unknown(__start_none)");
    expect_edge("&__start_text -a-> unknown(__start_text)");
}

Test(link, a_section_without_variables_is_unknown) {
    project_write(&p, "a.c",
                  "extern int *__start_none[]; extern char __start_text[]; int *r;"
                  "void f(void) { r = __start_none[0]; r = *(int **)__start_text; }");
    project_write(&p, "b.c", "static int *one __attribute__((used, section(\"set\")));");
    in_both_orders(expect_unknown_ends);
}

Test(link, calls_at_one_place_are_told_apart) {
    project_write(&p, "h.h",
                  "void g(int *);\n#define BOTH(a, b) g(a), g(b)\n"
                  "static inline void f(int *v, int *w) { BOTH(v, w); }\n");
    project_write(&p, "a.c", "#include \"h.h\"\nvoid a(int *v) { f(v, v); }");
    project_write(&p, "b.c", "#include \"h.h\"\nvoid g(int *v) {}\nvoid b(int *v) { f(v, v); }");
    project_extract(&p, NULL);
    cr_expect_eq(p.counts.calls_direct, 4, "%u", p.counts.calls_direct);
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.calls = CFLR_CALLS_BRACKETS;
    project_extract(&p, &opts);
    expect_edge("f::v -call[h.h:3:40]-> g::v");
    expect_edge("f::w -call[h.h:3:40#2]-> g::v");
}

Test(link, integers_are_kept_where_a_pointer_passes) {
    project_write(&p, "a.c",
                  "typedef unsigned long word; int *r; word total, other;\n"
                  "word through(word n) { word m = n + 8; return m; }\n"
                  "void f(int *v) { r = (int *)through((word)v); }\n"
                  "word add(word n) { word k = n; return k; }\n"
                  "void g(void) { total = add(3); other = total; }\n");
    project_extract(&p, NULL);
    expect_edge("f::v -a-> through::n");
    expect_edge("through::n -a-> through::m");
    cr_expect_eq(project_named(&p, "k"), 0);
    cr_expect_eq(project_named(&p, "total"), 0);
}

/* Memory may hold a pointer that was written as one and is read as an integer. */
Test(link, integers_in_memory_are_kept) {
    project_write(&p, "a.c",
                  "struct s { unsigned long word; };\n"
                  "void f(struct s *a, struct s *b) { unsigned long w = a->word;\n"
                  "  b->word = w; }\n");
    project_extract(&p, NULL);
    cr_expect_eq(project_named(&p, "w"), 1, "%s", p.edges);
}

Test(link, pointers_that_are_never_used_can_be_asked_for) {
    project_write(&p, "a.c", "int *lonely; void f(int *given) { int *local; if (lonely) return; }");
    project_extract(&p, NULL);
    cr_expect_eq(project_named(&p, "lonely"), 1);
    cr_expect_eq(project_named(&p, "given"), 1);
}

/* ---- from the facts on ---- */

static void read_facts(const cflri_unit *unit, const cflri_summaries *summaries,
                       cflri_facts *facts) {
    cflri_unit_outcome outcome;
    cflr_error error;
    cr_assert_eq(cflri_facts_init(facts, p.context, CFLR_FIELDS_SENSITIVE, &error), CFLR_OK);
    cr_assert_eq(cflri_unit_read(p.context, unit, summaries, facts, NULL, &outcome, &error),
                 CFLR_OK);
    cr_assert_eq(outcome.state, CFLRI_UNIT_READ, "%s", outcome.first_error);
}

static cflri_node root_named(const cflri_facts *facts, const char *name) {
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        if (node->how == CFLRI_ROOT && strcmp(cflri_string(&facts->strings, node->name), name) == 0)
            return n;
    }
    cr_assert_fail("no %s", name);
    return CFLRI_NO_NODE;
}

/* A local of one function flows into that of another, which only a damaged file can say: that one
 * is one for all instances of its function. */
Test(link, values_between_functions) {
    project_write(&p, "a.c",
                  "int x, y;\n"
                  "static int *f(int *v) { int *mine = v, **at = &mine; return *at; }\n"
                  "static int *g(int *v) { int *yours = v, **at = &yours; return *at; }\n"
                  "int main(void) { return *f(&x) + *f(&y) + *g(&x) + *g(&y); }\n");
    const cflri_units_request request = {.files = p.source, .n_files = p.n_sources};
    cflri_units units;
    cflri_summaries *summaries;
    cflri_facts facts;
    cflri_program program = {0};
    cflri_contexts contexts = {0};
    cflr_graph_builder *builder = NULL;
    cflr_error error;
    uint64_t pointers;
    cr_assert_eq(cflri_units_list(p.context, &request, &units, &error), CFLR_OK);
    cr_assert_eq(cflri_summaries_new(p.context, NULL, 0, &summaries, &error), CFLR_OK);
    read_facts(&units.list.at[0], summaries, &facts);
    cflri_facts_assign(&facts, root_named(&facts, "mine"), root_named(&facts, "yours"));
    cr_assert_eq(cflri_program_init(&program, p.context, CFLR_FIELDS_SENSITIVE, summaries, &error),
                 CFLR_OK);
    cr_assert_eq(cflri_program_add(&program, &facts, NULL, 0, &error), CFLR_OK);
    cr_assert_eq(cflri_program_close(&program, &error), CFLR_OK);
    cr_assert_eq(cflri_contexts_make(&contexts, &program, CFLR_CONTEXT_CLONE, 0, &error), CFLR_OK);
    cr_expect_neq(contexts.owner[root_named(&program.facts, "mine")], 0);
    cr_expect_eq(contexts.owner[root_named(&program.facts, "yours")], 0);
    cr_assert_eq(cflri_emit(&contexts, CFLR_CALLS_ASSIGN, &builder, &pointers, &error), CFLR_OK);
    cflr_graph_builder_free(builder);
    cflri_contexts_free(&contexts);
    cflri_program_free(&program);
    cflri_facts_free(&facts);
    cflri_summaries_free(summaries);
    cflri_units_free(&units);
}

/* ---- no memory ---- */

typedef struct linking {
    const cflri_summaries *summaries;
    cflri_facts facts[2];
    cflr_contexts contexts;
    cflr_calls calls;
} linking;

/* From the facts of two units to a graph; the facts themselves live elsewhere. */
static cflr_status link_facts(cflr_context *context, void *user, cflr_error *error) {
    const linking *l = user;
    cflri_program program = {0};
    cflri_contexts contexts = {0};
    cflr_graph_builder *builder = NULL;
    cflr_graph *graph = NULL;
    uint64_t pointers;
    cflr_status st =
        cflri_program_init(&program, context, CFLR_FIELDS_SENSITIVE, l->summaries, error);
    for (int i = 0; i < 2 && st == CFLR_OK; i++)
        st = cflri_program_add(&program, &l->facts[i], NULL, (uint32_t)i, error);
    if (st == CFLR_OK) st = cflri_program_close(&program, error);
    if (st == CFLR_OK) st = cflri_contexts_make(&contexts, &program, l->contexts, 0, error);
    if (st == CFLR_OK) st = cflri_emit(&contexts, l->calls, &builder, &pointers, error);
    if (st == CFLR_OK) st = cflr_graph_builder_freeze(builder, &graph, error);
    cflr_graph_free(graph);
    cflri_contexts_free(&contexts);
    cflri_program_free(&program);
    return st;
}

Test(link, every_allocation_may_fail) {
    project_write(&p, "a.c",
                  "int *g(int *); int *mystery(int *); int x; struct s { int *a, *b; };\n"
                  "int *f(struct s *v) { v->b = mystery(&x); return g(g(v->a)); }\n"
                  "int *(*held)(int *) = g; unsigned long n(int *v)\n"
                  "{ return (unsigned long)v; }\n");
    project_write(&p, "b.c",
                  "int *g(int *v) { static int *kept; kept = v ? v : g(v); return 0; }\n"
                  "char *s = \"text\"; int *h(void) { return g(0); }\n");
    const cflri_units_request request = {.files = p.source, .n_files = p.n_sources};
    cflri_units units;
    cflri_summaries *summaries;
    linking l = {0};
    cflr_error error = {0};
    cr_assert_eq(cflri_units_list(p.context, &request, &units, &error), CFLR_OK);
    cr_assert_eq(cflri_summaries_new(p.context, NULL, 0, &summaries, &error), CFLR_OK);
    l.summaries = summaries;
    for (size_t i = 0; i < 2; i++) read_facts(&units.list.at[i], summaries, &l.facts[i]);
    for (int mode = 0; mode < 2; mode++) {
        l.contexts = mode ? CFLR_CONTEXT_CLONE : CFLR_CONTEXT_NONE;
        l.calls = mode ? CFLR_CALLS_BRACKETS : CFLR_CALLS_ASSIGN;
        cr_expect_gt(fail_alloc_sweep(link_facts, &l), 100);
    }
    for (size_t i = 0; i < 2; i++) cflri_facts_free(&l.facts[i]);
    cflri_summaries_free(summaries);
    cflri_units_free(&units);
}
