/* SPDX-License-Identifier: Apache-2.0
 *
 * test_rules.c: rules as text, and the sources and sinks that they make.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "extract_support.h"
#include "frontend/summaries/summary_language.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(rules, .init = setup, .fini = teardown);

/* ---- text ---- */

static cflr_status parse(const char *text, cflri_summaries **summaries, cflr_error *error) {
    static const cflri_embedded nothing[] = {{NULL, NULL}};
    const cflri_summary_text input = {"r.txt", text, CFLRI_SUMMARY_USER};
    cflr_status st = cflri_summaries_read(p.context, nothing, NULL, 0, summaries, error);
    cr_assert_eq(st, CFLR_OK);
    st = cflri_summary_parse_members(*summaries, &input, error);
    return st == CFLR_OK ? cflri_rules_parse(*summaries, &input, error) : st;
}

static const struct {
    const char *text;
    size_t rules, marks;
} good[] = {
    {"", 0, 0},
    {"# nothing\n", 0, 0},
    {"rule a \"text\"\n", 1, 0},
    {"rule a-b_2 \"t\"\n  source f: ret\n", 1, 1},
    {"rule a \"# no comment\"  # but this\n  source f g h: ret, *arg0, arg2...\n", 1, 9},
    {"rule a \"t\"\n  source f: **arg1\n  sink f: arg0\nrule b \"t\"\n  sink f: *arg0\n", 2, 3},
    {"member m 8\nrule a \"t\"\n  sink f: arg0->m, &arg0->m\n", 1, 2},
    {"rule n \"t\"\n  source null\n  sink dereference\n  sink f: arg0\n", 1, 1},
    {"rule n \"t\" source null sink dereference", 0, 0}, /* one line */
    {"rule n \"t\"\n  source null: ret\n  sink dereference g: arg0\n", 1,
     3}, /* functions so called */
    {"rule b \"t\"\n  source f: bytes *arg1, bytes *arg0->m, *ret\nmember m 8\n", 1, 3},
    {"rule b \"t\"\n  level note\n  cwe 78 9999\n  help \"a\"\n  sink f: arg0\n", 1, 1},
    {"rule b \"t\"\n  sink level cwe help: arg0\n", 1, 3}, /* functions so called */
    {"rule b \"t\"\n  clean f g: ret, *arg0\n  sink clean: arg0\n", 1, 5},
    {"rule b \"t\"\n  programs \" sh\n bash \"\n  sink f: *arg1... if arg0, *arg1\n", 1, 1},
    {"rule b \"t\"\n  sink format_attribute\n  sink if format_attribute: arg0\n", 1, 2},
};

Test(rules, texts_that_read) {
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cflri_summaries *summaries;
        cflr_error error = {0};
        cr_assert_eq(parse(good[i].text, &summaries, &error), CFLR_OK, "%zu: %u:%u: %s", i,
                     error.line, error.column, error.message);
        if (i == 8) {
            cr_expect(summaries->rules.at[0].follows_null && summaries->rules.at[0].dereferences);
        } else {
            cr_expect_eq(summaries->rules.n, good[i].rules, "%zu", i);
            cr_expect_eq(summaries->marks.n - 1, good[i].marks, "%zu: %zu", i,
                         summaries->marks.n - 1);
        }
        cflri_summaries_free(summaries);
    }
}

static const struct {
    const char *text;
    uint32_t line, column;
    const char *message;
} bad[] = {
    {"f: ret", 1, 1, "expected 'rule' or 'member', found 'f'"},
    {"rule", 1, 5, "expected the name of a rule before the end of the entry"},
    {"rule a", 1, 7, "expected '\"' and the rule's message before the end of the entry"},
    {"rule a \"t", 1, 10, "expected '\"' behind the rule's message before the end of the entry"},
    {"rule a \"\"", 1, 9, "the rule's message is empty"},
    {"rule a- \"t\"", 1, 7, "expected '\"' and the rule's message, found '-'"},
    {"rule a \"t\"\nrule a \"u\"", 2, 6, "rule 'a' is there already"},
    {"rule a \"t\"\n  sauce f: ret", 2, 3,
     "expected 'source', 'sink', 'clean' or the end of the rule, found 'sauce'"},
    {"rule a \"t\"\n  source f", 2, 11,
     "expected the name of a function, or ':' before the end of the entry"},
    {"rule a \"t\"\n  source : ret", 2, 10, "expected the name of a function, or ':', found ':'"},
    {"rule a \"t\"\n  source f:", 2, 12,
     "expected a value (argN, ret, new, static, cell:NAME, global:NAME, function:NAME) before the "
     "end of the "
     "entry"},
    {"rule a \"t\"\n  source f: new", 2, 13,
     "a source or sink is an argument, ret, or behind one of them"},
    {"rule a \"t\"\n  source f: cell:x", 2, 13,
     "a source or sink is an argument, ret, or behind one of them"},
    {"rule a \"t\"\n  source f: arg0->m", 2, 19, "there is no entry 'member m OFFSET'"},
    {"rule a \"t\"\n  sink f: bytes *arg0", 2, 11, "bytes are of sources only"},
    {"rule a \"t\"\n  clean f: bytes *arg0", 2, 12, "bytes are of sources only"},
    {"rule a \"t\"\n  clean f: static:x", 2, 12,
     "a source or sink is an argument, ret, or behind one of them"},
    {"rule a \"t\"\n  programs sh", 2, 12, "expected '\"' and the rule's programs, found 'sh'"},
    {"rule a \"t\"\n  sink f: arg0 if arg1", 2, 16,
     "a condition is about programs, and the rule names none"},
    {"rule a \"t\"\n  programs \"sh\"\n  source f: arg0 if arg1", 3, 18,
     "conditions are of sinks only"},
    {"rule a \"t\"\n  programs \"sh\"\n  sink f: arg0 if new", 3, 19,
     "a source or sink is an argument, ret, or behind one of them"},
    {"rule a \"t\"\n  source f: bytes arg0", 2, 19,
     "bytes are what an argument or ret points to: `bytes *arg0`"},
    {"rule a \"t\"\n  source null\n  source f: ret", 3, 3,
     "a rule of null pointers has no other sources: a summary says which functions return null"},
    {"rule a \"t\"\n  source f: ret\n  source null", 3, 3,
     "a rule of null pointers has no other sources: a summary says which functions return null"},
    {"rule a \"t\"\n  level bad", 2, 9, "expected 'error', 'warning' or 'note', found 'bad'"},
    {"rule a \"t\"\n  cwe x", 2, 7,
     "expected a number of the Common Weakness Enumeration, found 'x'"},
    {"rule a \"t\"\n  cwe 10000", 2, 7,
     "expected a number of the Common Weakness Enumeration, found '10000'"},
    {"rule a \"t\"\n  help text", 2, 8, "expected '\"' and the rule's help, found 'text'"},
    {"rule a \"t\"\n  help \"\"", 2, 9, "the rule's help is empty"},
    {"rule a \"t\"\n  help \"x", 2, 10,
     "expected '\"' behind the rule's help before the end of the entry"},
    {"rule a \"t\"\n  sink f: arg0\n  level note", 3, 3,
     "expected 'source', 'sink', 'clean' or the end of the rule, found 'level'"},
};

/* What a rule says about itself, before its sources and sinks and in any order. */
Test(rules, about) {
    cflri_summaries *summaries;
    cr_assert_eq(parse("rule a \"t\"\n  help \" Do this,\n    or \t that. \"\n  cwe 78 476\n"
                       "  level warning\n  sink f: arg0\nrule b \"u\"\n  cwe 1\nrule c \"v\"\n",
                       &summaries, NULL),
                 CFLR_OK);
    cr_assert_eq(summaries->rules.n, 3);
    const cflri_rule *rule = summaries->rules.at;
    cr_expect_str_eq(cflri_string(&summaries->strings, rule[0].help), "Do this, or that.");
    cr_expect(rule[0].level == CFLR_LEVEL_WARNING && rule[1].level == CFLR_LEVEL_ERROR);
    cr_assert(rule[0].n_cwe == 2 && rule[1].n_cwe == 1 && rule[2].n_cwe == 0);
    const uint32_t *cwe = summaries->cwe.at;
    cr_expect(cwe[rule[0].first_cwe] == 78 && cwe[rule[0].first_cwe + 1] == 476);
    cr_expect_eq(cwe[rule[1].first_cwe], 1);
    cflri_summaries_free(summaries);
}

Test(rules, texts_with_mistakes) {
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cflri_summaries *summaries;
        cflr_error error = {0};
        cr_expect_eq(parse(bad[i].text, &summaries, &error), CFLR_SYNTAX, "%zu", i);
        cr_expect_str_eq(error.subject, "r.txt");
        cr_expect_str_eq(error.message, bad[i].message, "%zu: %s", i, error.message);
        cr_expect(error.line == bad[i].line && error.column == bad[i].column, "%zu: %u:%u", i,
                  error.line, error.column);
        cflri_summaries_free(summaries);
    }
}

/* The shipped ones read, all together, with members of the shipped summaries. */
Test(rules, shipped) {
    const char *all[16];
    size_t n = 0;
    for (; cflr_rule_shipped(n); n++) {
        cr_assert_lt(n, 16);
        all[n] = cflr_rule_shipped(n);
        cr_expect_not_null(strstr(cflr_rule_shipped_text(n), all[n]));
    }
    cr_expect_null(cflr_rule_shipped_text(n));
    cflri_summaries *summaries;
    cr_assert_eq(cflri_summaries_new(p.context, NULL, 0, &summaries, NULL), CFLR_OK);
    cr_expect_eq(cflri_rules_read(summaries, all, n, NULL), CFLR_OK);
    cr_expect_eq(summaries->rules.n, n);
    for (size_t i = 0; i < n; i++)
        cr_expect_str_eq(cflri_rule_name(summaries, (uint32_t)i), all[i]);
    cflri_summaries_free(summaries);
}

/* ---- edges ---- */

static void extract(const char *rules, const char *source) {
    static char path[PROJECT_PATH * 2];
    static const char *list[1];
    cflr_extract_opts opts;
    project_write(&p, "r.txt", rules);
    project_write(&p, "a.c", source);
    list[0] = project_path(&p, "r.txt", path);
    cflr_extract_opts_init(&opts);
    opts.rules = list;
    opts.n_rules = 1;
    project_extract(&p, &opts);
}

static void expect_edge(const char *edge) {
    cr_expect(project_has_edge(&p, edge), "no %s in\n%s", edge, p.edges);
}

Test(rules, calls_are_sources_and_sinks) {
    extract(
        "rule r \"m\"\n source get: *ret\n source fill: *arg0\n sink put own: arg1, *arg0\n"
        " source main: **arg1\n",
        "char *get(void); void fill(char *); void put(char *, char *); char *slot;\n"
        "static void own(char *p, char *q) { slot = p; (void)q; }\n"
        "int main(int n, char **words) {\n"
        "  char *g = get(); fill(g); put(g, slot); own(words[0], g);\n"
        "  return n; }\n");
    expect_edge("main::get() -source[r]-> main::*get()");
    expect_edge("main::fill() -source[r]-> main::*g");
    expect_edge("main::main() -source[r]-> main::*words[0]");
    expect_edge("slot -sink[r]-> main::put()");
    expect_edge("main::*g -sink[r]-> main::put()");
    expect_edge("main::g -sink[r]-> main::own()");
    expect_edge("main::*words[0] -sink[r]-> main::own()");
    size_t n;
    const cflr_rule *rule = cflr_extract_rules(p.report, &n);
    cr_assert_eq(n, 1);
    cr_expect(strcmp(rule->name, "r") == 0 && strcmp(rule->message, "m") == 0 &&
              !rule->follows_null);
}

/* Variables that other units may see; not those that are called the same. */
Test(rules, variables_are_sources) {
    extract("rule r \"m\"\n source given own inner: *ret\n sink put: *arg0\n",
            "extern char *given; void put(char *); static char *own;\n"
            "int main(void) { char *inner = own; put(given); put(inner); return 0; }\n");
    expect_edge("given@1:14#1 -source[r]-> *given");
    expect_edge("*given -sink[r]-> main::put()@2:37");
    cr_expect_null(strstr(p.edges, "-source[r]-> *own"));
    cr_expect_null(strstr(p.edges, "-source[r]-> *inner"));
    cr_expect_null(strstr(p.edges, "-source[r]-> main::*inner"));
}

/* Text from outside is the same for all shipped rules. */
Test(rules, shipped_sources) {
    const char *command = NULL, *format = NULL;
    for (size_t n = 0; cflr_rule_shipped(n); n++) {
        if (strcmp(cflr_rule_shipped(n), "command") == 0) command = cflr_rule_shipped_text(n);
        if (strcmp(cflr_rule_shipped(n), "format") == 0) format = cflr_rule_shipped_text(n);
    }
    cr_assert(command && format);
    command = strstr(command, "\n    # the environment");
    format = strstr(format, "\n    # the environment");
    cr_assert(command && format);
    size_t length = (size_t)(strstr(command, "\n    # commands") - command);
    cr_expect(strncmp(command, format, length) == 0 &&
              strncmp(format + length, "\n    # formats", 14) == 0);
}

Test(rules, followed_pointers) {
    extract("rule n \"m\"\n source null\n sink dereference\n",
            "struct s { int a, b; int m[4]; struct s *n; struct { int z; } in; } v;\n"
            "int read(struct s *p, int *q, int (*f)(int), struct s **r) {\n"
            "  int *taken = &p->b, *array = p->m, *element = &q[3]; (void)taken; (void)element;\n"
            "  p->n->b = *q + r[0]->a + f(1) + p->in.z + v.a + v.m[1] + (*f)(2);\n"
            "  return array[0] + sizeof(p->n->n->n->a) + p->m[2]; }\n");
    expect_edge("read::p -sink[n]-> read::p->n@4:6");
    expect_edge("read::p->n@4:6#1 -sink[n]-> read::p->n->b@4:9");
    expect_edge("read::q -sink[n]-> read::*q@4:13");
    expect_edge("read::r -sink[n]-> read::r[0]@4:18");
    expect_edge("read::f -sink[n]-> read::f()@4:28");
    expect_edge("read::p -sink[n]-> read::p->in");
    expect_edge("read::p -sink[n]-> read::p->m[2]@5:45");
    cr_expect_eq(project_named(&p, "p->b"), 0, "an address is not followed");
    cr_expect_eq(project_named(&p, "q[3]"), 0);
    cr_expect_eq(project_named(&p, "p->n->n"), 0, "sizeof evaluates nothing");
    cr_expect_eq(project_named(&p, "v.a"), 0, "an object is there");
}

/* What is clean, sinks under a condition, and literals that name programs. */
Test(rules, clean_values_and_conditions) {
    extract(
        "rule r \"m\"\n programs \"sh bash\"\n source get: *ret\n clean number: ret\n"
        " sink run: *arg1... if arg0\n sink run: *arg0\n",
        "char *get(void); int number(char *); void run(const char *, ...);\n"
        "int f(const char *shell) {\n"
        "  run(shell, get(), \"text\"); run(\"/bin/sh\", \"sh\", \"no sh\", \"bash\"); return "
        "number(get()); }\n");
    expect_edge("f::number() -clean[r]-> f::temporary(number())");
    expect_edge("f::shell -if[r]-> f::run()@3:3#1");
    expect_edge("f::*shell -sink[r]-> f::run()@3:3");
    expect_edge("f::\"/bin/sh\" -program[r]-> f::\"/bin/sh\"");
    expect_edge("f::\"sh\" -program[r]-> f::\"sh\"");
    cr_expect_null(strstr(p.edges, "no sh\" -program"));
    cr_expect_null(strstr(p.edges, "\" -sink[r]->"), "a literal is the program's own:\n%s",
                   p.edges);
}

/* Formats that attributes declare, and those that their functions hand on. */
Test(rules, declared_formats) {
    extract("rule r \"m\"\n sink format_attribute\n sink vprint: *arg0\n",
            "void vprint(const char *, __builtin_va_list);\n"
            "__attribute__((format(printf, 2, 3))) static void say(int n, const char *f, ...) {\n"
            "  __builtin_va_list l; __builtin_va_start(l, f); vprint(f, l); }\n"
            "__attribute__((format(printf, 1, 2))) static void used(const char *f, ...) {\n"
            "  __builtin_va_list l; __builtin_va_start(l, f); vprint(f, l); }\n"
            "__attribute__((format(strftime, 1, 0))) void date(const char *f);\n"
            "void (*hook)(const char *, ...) = used;\n"
            "int main(int n, char **v) { say(n, v[1]); date(v[2]); return 0; }\n");
    expect_edge("main::*v[1] -sink[r]-> main::say()");
    expect_edge("used::*f -sink[r]-> used::vprint()");
    cr_expect_null(strstr(p.edges, "say::vprint()"), "%s", p.edges);
    cr_expect_null(strstr(p.edges, "main::date()"), "%s", p.edges);
}

/* Static functions that no call leads to, from outside or from functions that are entered. */
Test(rules, uncalled_functions) {
    extract("rule r \"m\"\n source get: ret\n",
            "static void deeper(int *p) { (void)p; }\n"
            "static void never(int *p) { deeper(p); }\n"
            "static void valued(void) {}\n"
            "__attribute__((destructor)) static void end(void) {}\n"
            "void outside(void) {}\n"
            "static void called(int *p) { (void)p; }\n"
            "void *value = valued;\n"
            "int main(void) { int x; called(&x); return 0; }\n");
    size_t n;
    const cflr_uncalled *list = cflr_extract_uncalled(p.report, &n);
    cr_assert_eq(n, 2, "%zu", n);
    for (size_t i = 0; i < n; i++) {
        cflr_vertex_info info;
        bool first = strcmp(list[i].function, "deeper") == 0;
        cr_expect(first || strcmp(list[i].function, "never") == 0, "%s", list[i].function);
        cr_expect_eq(list[i].place.line, first ? 1 : 2);
        cr_assert_gt(list[i].end, list[i].first);
        for (uint32_t v = list[i].first; v < list[i].end; v++) {
            cflr_graph_vertex(p.graph, v, &info);
            cr_expect_str_eq(info.function, list[i].function);
        }
    }
}

/* Without rules there is nothing new. */
Test(rules, not_asked_for) {
    project_write(&p, "a.c",
                  "char *getenv(const char *); int system(const char *);\n"
                  "int main(void) { return system(getenv(\"X\")); }\n");
    project_extract(&p, NULL);
    cr_expect_null(strstr(p.edges, "sink"));
    size_t n;
    cflr_extract_rules(p.report, &n);
    cr_expect_eq(n, 0);
}

/* A library function counts where it is called through a pointer, if it is. */
Test(rules, through_pointers) {
    static const char rules[] = "rule r \"m\"\n sink put: arg0\n";
    extract(rules,
            "void put(char *); void (*f)(char *) = put; int main(void) { f(\"x\"); return 0; }");
    expect_edge("unknown(put) -sink[r]-> put::put()");
}

Test(rules, where_flows_are_stated) {
    extract(
        "rule n \"m\"\n source null\n",
        "int *f(int *p) {\n  return p;\n}\nint *g;\nint main(void) {\n  int *x = f(g);\n  g = x;\n"
        "  return 0;\n}\n");
    unsigned checked = 0;
    size_t n;
    const cflr_flow *flow = cflr_extract_flows(p.report, &n);
    for (size_t i = 0; i < n; i++) {
        cflr_vertex_info from, to;
        cflr_graph_vertex(p.graph, flow[i].source, &from);
        cflr_graph_vertex(p.graph, flow[i].target, &to);
        bool sorted = i == 0 || flow[i - 1].source < flow[i].source ||
                      (flow[i - 1].source == flow[i].source && flow[i - 1].target < flow[i].target);
        cr_expect(sorted, "%zu", i);
        if (strcmp(from.name, "g") == 0) {
            cr_expect_str_eq(to.name, "p");
            cr_expect_eq(flow[i].place.line, 6);
            checked++;
        }
        if (strcmp(to.name, "g") == 0) {
            cr_expect_eq(flow[i].place.line, 7);
            checked++;
        }
    }
    cr_expect_eq(checked, 2, "%u", checked);
}
