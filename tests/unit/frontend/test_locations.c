/* SPDX-License-Identifier: Apache-2.0
 *
 * test_locations.c: classes of types, parts of records, and memory as vertices.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "extract_support.h"
#include "frontend/typing/shapes.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(locations, .init = setup, .fini = teardown);

/* ---- classes ---- */

typedef struct row {
    const char *type, *content, *value;
} row;

static const row rows[] = {
    {"", "anything", "anything"},
    {"void", "anything", "anything"},
    {"void *", "pointer", "anything"},
    {"const void *const", "pointer", "anything"},
    {"void **", "(pointer) *", "pointer"},
    {"long *const *", "(pointer) *", "pointer"},
    {"char", "characters", "anything"},
    {"unsigned char[16]", "characters", "anything"},
    {"const char *restrict", "(characters) *", "characters"},
    {"char *[4][2]", "(characters) *", "characters"},
    {"unsigned char **", "(characters) * *", "(characters) *"},
    {"int", "number", "anything"},
    {"volatile double", "number", "anything"},
    {"enum kind", "number", "anything"},
    {"int *", "(number) *", "number"},
    {"int *const[3]", "(number) *", "number"},
    {"unsigned long *", "pointer", "anything"},
    {"long double *", "(number) *", "number"},
    {"struct s", "struct s", "anything"},
    {"const struct s *", "struct s *", "struct s"},
    {"struct s[]", "struct s", "anything"},
    {"struct s *volatile *", "struct s * *", "struct s *"},
    {"union u *", "union u *", "union u"},
    {"struct (unnamed at a(b).c:3:1) *", "struct (unnamed at a(b).c:3:1) *",
     "struct (unnamed at a(b).c:3:1)"},
    {"node_t *", "node_t *", "node_t"},
    {"int (int)", "function", "anything"},
    {"int (*)(void *)", "(function) *", "function"},
    {"int (*[4])(struct s *)", "pointer", "anything"},
    {"struct s (*)[8]", "struct s *", "struct s"},
    {"struct s (*[3])[8]", "pointer", "anything"},
    {"_Atomic(struct s *)", "struct s *", "struct s"},
    {"_Atomic(int)", "number", "anything"},
    {"__attribute__((__vector_size__(4 * sizeof(int)))) int", "number", "anything"},
};

static void begin_classes(cflri_strings *texts, cflri_classes *classes) {
    cflr_error error;
    uint32_t id;
    cr_assert_eq(cflri_strings_init(texts, p.context, &error), CFLR_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert_eq(cflri_intern(texts, rows[i].type, strlen(rows[i].type), &id, &error), CFLR_OK);
    cr_assert_eq(cflri_classes_init(classes, p.context, texts, &error), CFLR_OK);
}

Test(locations, classes_of_types) {
    cflri_strings texts = {0};
    cflri_classes classes;
    cflr_error error;
    begin_classes(&texts, &classes);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t id = cflri_strings_find(&texts, rows[i].type, strlen(rows[i].type)), class;
        for (int again = 0; again < 2; again++) {
            cr_assert_eq(cflri_class_of_content(&classes, id, &class, &error), CFLR_OK);
            cr_expect_str_eq(cflri_class_name(&classes, class), rows[i].content, "%s",
                             rows[i].type);
            cr_assert_eq(cflri_class_of_value(&classes, id, &class, &error), CFLR_OK);
            cr_expect_str_eq(cflri_class_name(&classes, class), rows[i].value, "%s", rows[i].type);
        }
    }
    cflri_classes_free(&classes);
    cflri_strings_free(&texts);
}

/* ---- shapes ---- */

typedef struct member {
    const char *record;
    uint32_t offset;
    const char *type;
} member;

static void add_members(cflri_facts *facts, const member *members, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const cflri_facts_member made = {cflri_facts_string(facts, members[i].record),
                                         members[i].offset,
                                         cflri_facts_string(facts, members[i].type)};
        cflri_facts_member_add(facts, &made);
    }
}

/* The parts of a record as text: "0:struct s 0:number 8:pointer". */
static void parts_of(cflri_shapes *shapes, const cflri_facts *facts, const char *record, char *text,
                     size_t size) {
    uint32_t class;
    cflr_error error;
    uint32_t id = cflri_strings_find(&facts->strings, record, strlen(record));
    cr_assert_eq(cflri_class_of_content(shapes->classes, id, &class, &error), CFLR_OK);
    const cflri_shape *shape = &shapes->shape[class];
    text[0] = '\0';
    for (size_t i = 0; i < shape->n_parts; i++) {
        const cflri_part *part = &shapes->parts.at[shape->first_part + i];
        size_t n = strlen(text);
        snprintf(text + n, size - n, "%s%u:%s", i ? " " : "", part->offset,
                 cflri_class_name(shapes->classes, part->class));
    }
}

Test(locations, parts_of_records) {
    static const member members[] = {
        {"struct in", 0, "int *"},   {"struct in", 8, "int *"},
        {"struct s", 0, "long"},     {"struct s", 8, "struct in[2]"},
        {"struct s", 40, "char *"},  {"struct s", 40, "struct t *"},
        {"struct a", 0, "struct b"}, {"struct b", 0, "struct a"}, /* of two units */
    };
    cflri_facts facts;
    cflri_classes classes;
    cflri_shapes shapes;
    cflr_error error;
    char text[512];
    cr_assert_eq(cflri_facts_init(&facts, p.context, CFLR_FIELDS_SENSITIVE, &error), CFLR_OK);
    add_members(&facts, members, sizeof members / sizeof *members);
    cr_assert_eq(cflri_classes_init(&classes, p.context, &facts.strings, &error), CFLR_OK);
    cr_assert_eq(cflri_shapes_init(&shapes, &classes, &facts, &error), CFLR_OK);
    cr_assert_eq(cflri_shapes_flatten(&shapes, NULL, 0, &error), CFLR_OK);
    parts_of(&shapes, &facts, "struct s", text, sizeof text);
    cr_expect_str_eq(text,
                     "0:number 0:struct s 8:struct in 8:(number) * 16:(number) * "
                     "40:(characters) * 40:struct t *");
    parts_of(&shapes, &facts, "struct a", text, sizeof text);
    cr_expect_str_eq(text, "0:struct a 0:struct b");
    cflri_shapes_free(&shapes);
    cflri_classes_free(&classes);
    cflri_facts_free(&facts);
}

/* Members that double at each depth: told as one place, not as 2^40. */
Test(locations, records_with_too_many_parts) {
    cflri_facts facts;
    cflri_classes classes;
    cflri_shapes shapes;
    cflr_error error;
    char record[32], type[32], text[64];
    cr_assert_eq(cflri_facts_init(&facts, p.context, CFLR_FIELDS_SENSITIVE, &error), CFLR_OK);
    for (int depth = 40; depth > 0; depth--) {
        snprintf(record, sizeof record, "struct s%d", depth);
        snprintf(type, sizeof type, depth > 1 ? "struct s%d" : "int *", depth - 1);
        const member both[] = {{record, 0, type}, {record, 4u << depth % 24, type}};
        add_members(&facts, both, 2);
    }
    cr_assert_eq(cflri_classes_init(&classes, p.context, &facts.strings, &error), CFLR_OK);
    cr_assert_eq(cflri_shapes_init(&shapes, &classes, &facts, &error), CFLR_OK);
    cr_assert_eq(cflri_shapes_flatten(&shapes, NULL, 0, &error), CFLR_OK);
    parts_of(&shapes, &facts, "struct s40", text, sizeof text);
    cr_expect_str_eq(text, "0:struct s40");
    parts_of(&shapes, &facts, "struct s1", text, sizeof text);
    cr_expect_str_eq(text, "0:struct s1 0:(number) * 8:(number) *");
    cflri_shapes_free(&shapes);
    cflri_classes_free(&classes);
    cflri_facts_free(&facts);
}

/* ---- graphs ---- */

static void extract_text(const char *text) {
    cflr_extract_opts opts;
    project_write(&p, "a.c", text);
    cflr_extract_opts_init(&opts);
    opts.aliasing = CFLR_ALIASING_STRICT;
    opts.world = CFLR_WORLD_CLOSED;
    project_extract(&p, &opts);
}

/* The example of docs/explanation/aliasing.md. */
Test(locations, members_of_an_object) {
    extract_text(
        "struct in { int *b; }; struct s { long n; struct in in; } s;\n"
        "int *f(void) { struct s *p = &s; struct in *q = &p->in; return q->b; }\n");
    static const char *const edges[] = {
        "&s -address-> s+0",
        "s+0 -member[8]-> s+8",
        "s+8 -in-> &s",
        "s+8 -is-> struct in",
        "s+8 -is-> (number) *",
        "s+0 -is-> struct s",
        "s+8 -holds-> number",
        "f::p -reads-> struct s",
        "f::p -f[8]-> f::&p->in",
        "f::&p->in -reads-> struct in",
        "f::&p->in -of-> struct s",
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        cr_expect(project_has_edge(&p, edges[i]), "%s\n%s", edges[i], p.edges);
}

/* A member that several records tell of one node, of one void *, is of each of them. */
Test(locations, members_by_two_types) {
    extract_text(
        "struct s { long n; int *a; }; struct t { long n; int *b; };\n"
        "int *f(void *v) { return ((struct s *)v)->a; }\n"
        "int *g(void *v) { return v ? ((struct s *)v)->a : ((struct t *)v)->b; }\n");
    static const char *const edges[] = {
        "f::v -f[8]-> f::&v->a",   "f::&v->a -of-> struct s", "g::v -f[8]-> g::&v->a",
        "g::&v->a -of-> struct s", "g::&v->a -of-> struct t",
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        cr_expect(project_has_edge(&p, edges[i]), "%s\n%s", edges[i], p.edges);
    cr_expect(!project_has_edge(&p, "f::&v->a -of-> struct t"), "%s", p.edges);
}

/* Of too many it is any. */
Test(locations, members_by_many_types) {
    char text[2048] = "";
    for (int i = 0; i < 5; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "struct s%d { long n; int *a; };\n", i);
    strcat(text, "int *f(void *v, int i) {\n");
    for (int i = 0; i < 5; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "    if (i == %d) return ((struct s%d *)v)->a;\n", i, i);
    extract_text(strcat(text, "    return 0;\n}\n"));
    cr_expect(project_has_edge(&p, "f::v -any-> f::&v->a"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "f::v -f[8]-> f::&v->a"), "%s", p.edges);
}

/* What lies at the start has no address of its own, and is named where nothing else is read
 * there. */
Test(locations, first_members) {
    extract_text(
        "struct s { int *a; };\n"
        "int *f(void *v) { return ((struct s *)v)->a; }\n"
        "int *g(void *v) { return v ? ((struct s *)v)->a : *(int **)v; }\n");
    cr_expect(project_has_edge(&p, "f::v->a -of-> struct s"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::v->a -reads-> number"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "g::v->a -of-> struct s"), "%s", p.edges);
}

/* Arguments of calls through values are stored, and results are read. */
Test(locations, arguments_of_values) {
    extract_text("int x, *(*g)(int *); int *f(void) { return g(&x); }\n");
    cr_expect(project_has_edge(&p, "&g(0) -store-> g(0)"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "&g(0) -d-> g(0)"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "&g(ret) -d-> g()"), "%s", p.edges);
}

/* A number with room for a pointer may be one; others in the union are not. */
Test(locations, unions_with_numbers) {
    extract_text(
        "struct s { int n; };\n"
        "union d { struct s *s; double n; } u; union l { struct s *s; long n; } w;\n"
        "struct s *f(void) { return u.s; } struct s *g(void) { return w.s; }\n");
    cr_expect(project_has_edge(&p, "u -reads-> struct s"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "w -reads-> struct s"), "%s", p.edges);
}

/* A pointer to characters that may be something else is one as well where a char ** leads to it. */
Test(locations, pointers_to_pointers_to_characters) {
    extract_text(
        "struct r { int n; } r; struct s { char *at; } s; struct t { char *at; } t;\n"
        "char f(void) { char **p = &s.at; s.at = (char *)&r; char *c = *p; return *c; }\n"
        "char g(void) { t.at = (char *)\"text\"; return *t.at; }\n");
    cr_expect(!project_has_edge(&p, "f::c -reads-> characters"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "t -reads-> characters"), "%s", p.edges);
}

Test(locations, functions_and_text_do_not_change) {
    extract_text(
        "int f(void) { return 0; }\n"
        "int main(void) { int (*g)(void) = f; const char *t = \"text\"; return g() + *t; }\n");
    cr_expect(strstr(p.edges, "+0") && strstr(p.edges, "-is-> literal\n"), "%s", p.edges);
    cr_expect(strstr(p.edges, "-is-> function\n"), "%s", p.edges);
    cr_expect(!strstr(p.edges, "-changes->"), "%s", p.edges);
}

/* Constant text is text as a literal is, unless the program takes it for a record. */
Test(locations, constant_text) {
    extract_text(
        "struct h { int n; }; const char name[] = \"a\"; const unsigned char table[8];\n"
        "void *v; int f(void) { const struct h *h = (const struct h *)table;\n"
        "    v = (void *)name; return h->n; }\n");
    cr_expect(project_has_edge(&p, "name+0 -is-> literal"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "name+0 -changes-> anything"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "table+0 -is-> literal"), "%s", p.edges);
}

/* An array of characters is memory for others where it becomes a pointer to them, but not because
 * a function that it is passed to does that with some of its arguments. */
Test(locations, arrays_of_characters) {
    extract_text(
        "struct b { struct b *next; } *list; char arena[64], *at = arena, text[64];\n"
        "void give(void *p) { struct b *b = p; b->next = list; list = b; }\n"
        "struct b *take(void) { char *p = at; at += 8; return (struct b *)p; }\n"
        "void f(void) { give(take()); give(text); }\n");
    cr_expect(project_has_edge(&p, "arena+0 -is-> all"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "text+0 -is-> characters"), "%s", p.edges);
}

/* Only a va_list leads to variable arguments, unless a record is had from some. */
Test(locations, variable_arguments) {
    static const char start[] =
        "#include <stdarg.h>\nstruct s { int *a; };\n"
        "int *f(int n, ...) { va_list l; va_start(l, n);";
    char text[512];
    snprintf(text, sizeof text,
             "%s int *p = va_arg(l, int *); va_end(l); return p; }\n"
             "int x; int *g(void) { return f(1, &x); }\n",
             start);
    extract_text(text);
    cr_expect(project_has_edge(&p, "f+0 -is-> arguments"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "struct __va_list_tag -fits-> arguments"), "%s", p.edges);
    snprintf(text, sizeof text,
             "%s int *p = va_arg(l, struct s).a; va_end(l); return p; }\n"
             "int *g(struct s *s) { return f(1, *s); }\n",
             start);
    extract_text(text);
    cr_expect(project_has_edge(&p, "f+0 -is-> all"), "%s", p.edges);
}

/* No memory is a function; code that is not known may be one. */
Test(locations, memory_is_no_function) {
    extract_text(
        "void *malloc(unsigned long), *unknown(void), *v; int x;\n"
        "int f(void) { int (**g)(int *) = malloc(8); v = g; int (*h)(int *) = unknown();\n"
        "    return (*g)(&x) + h(&x); }\n");
    cr_expect(!strstr(p.edges, "\nfunction -fits-> all"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "unknown+0 -is-> function"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::&h(0) -of-> function"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::g -reads-> (function) *"), "%s", p.edges);
}

/* A pointer to characters that may lead to other objects leads to no function, unless the program
 * makes one of a function. */
Test(locations, characters_are_no_code) {
    static const char start[] =
        "struct s { int n; } s; int f(void) { return 1; } void *v = f;\n"
        "char g(void) { v = &s; char *c = v; return *c; }\n";
    extract_text(start);
    cr_expect(project_has_edge(&p, "g::c -reads-> data"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "data -fits-> struct s"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "data -fits-> function"), "%s", p.edges);
    char text[512];
    snprintf(text, sizeof text, "%schar h(void) { char *c = (char *)f; return *c; }\n", start);
    extract_text(text);
    cr_expect(project_has_edge(&p, "data -fits-> function"), "%s", p.edges);
}
