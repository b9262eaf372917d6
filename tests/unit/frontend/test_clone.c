/* SPDX-License-Identifier: Apache-2.0
 *
 * test_clone.c: how many copies there are, what they are called, what they keep apart.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract_support.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(clone, .init = setup, .fini = teardown);

static void clone_extract(const char *source, uint64_t limit) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.context = CFLR_CONTEXT_CLONE;
    opts.clone_limit = limit;
    if (source) project_write(&p, "a.c", source);
    project_extract(&p, &opts);
}

/* The vertex of function::name in this context, or CFLR_NO_VERTEX. */
static uint32_t vertex(const char *function, const char *name, const char *context) {
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        if (strcmp(info.function, function) == 0 && strcmp(info.name, name) == 0 &&
            strcmp(info.context, context) == 0)
            return v;
    }
    return CFLR_NO_VERTEX;
}

/* Is there a path of value flow edges? */
static bool flows(uint32_t from, uint32_t to) {
    uint32_t a = cflr_graph_find_label(p.graph, "a", "");
    uint32_t n = cflr_graph_vertices(p.graph), depth = 0;
    bool *seen = calloc(n, sizeof *seen);
    uint32_t *stack = malloc(n * sizeof *stack);
    cr_assert(from < n && to < n, "no such vertex in\n%s", p.edges);
    seen[from] = true;
    stack[depth++] = from;
    while (depth > 0) {
        uint64_t count;
        const uint32_t *row = cflr_graph_row(p.graph, a, CFLR_OUT, stack[--depth], &count);
        for (uint64_t i = 0; i < count; i++) {
            if (!seen[row[i]]) stack[depth++] = row[i];
            seen[row[i]] = true;
        }
    }
    bool reached = seen[to];
    free(seen);
    free(stack);
    return reached;
}

static unsigned count_objects(void) {
    unsigned objects = 0;
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        objects += info.kind == CFLR_VERTEX_ALLOCATION;
    }
    return objects;
}

Test(clone, each_call_has_its_own_copy) {
    clone_extract(
        "int x, y; int *r, *s;\n"
        "static int *same(int *v) { return v; }\n"
        "int main(void) {\n"
        "    r = same(&x);\n"
        "    s = same(&y);\n"
        "}\n",
        0);
    cr_expect_eq(p.counts.clones, 1);
    cr_expect_eq(project_named(&p, "v"), 2);
    uint32_t first = vertex("same", "v", "a.c:4:9"), second = vertex("same", "v", "a.c:5:9");
    cr_assert(first != CFLR_NO_VERTEX && second != CFLR_NO_VERTEX);
    uint32_t r = vertex("", "r", ""), s = vertex("", "s", "");
    uint32_t x = vertex("", "&x", ""), y = vertex("", "&y", "");
    cr_expect(flows(x, r));
    cr_expect(flows(y, s));
    cr_expect_not(flows(x, s));
    cr_expect_not(flows(y, r));
    project_extract(&p, NULL);
    cr_expect(flows(vertex("", "&x", ""), vertex("", "s", "")), "one body mixes them");
    cr_expect_eq(p.counts.clones, 0);
}

Test(clone, diamond) {
    clone_extract(
        "static int *bottom(int *v) { return v; }\n"
        "static int *left(int *v) { return bottom(v); }\n"
        "static int *right(int *v) { return bottom(v); }\n"
        "int x; int main(void) { return *left(&x) + *right(&x); }\n",
        0);
    cr_expect_eq(p.counts.clones, 1, "bottom twice, all others once");
    cr_expect_eq(p.counts.functions, 4);
    cr_expect_neq(vertex("bottom", "v", "a.c:4:33>a.c:2:35"), CFLR_NO_VERTEX);
    cr_expect_neq(vertex("bottom", "v", "a.c:4:45>a.c:3:36"), CFLR_NO_VERTEX);
}

/* f0 calls f1 twice, f1 calls f2 twice, ...: 1 + 2 + 4 + ... copies. */
static char *doubling(int depth) {
    static char text[4000];
    size_t at = 0;
    for (int i = depth; i-- > 0;) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%sint *f%d(int *v) { return ",
                               i ? "static " : "", i);
        if (i == depth - 1)
            at += (size_t)snprintf(text + at, sizeof text - at, "v; }\n");
        else
            at += (size_t)snprintf(text + at, sizeof text - at, "f%d(f%d(v)); }\n", i + 1, i + 1);
    }
    return text;
}

Test(clone, copies_double) {
    for (int depth = 1; depth <= 8; depth++) {
        clone_extract(doubling(depth), 0);
        cr_expect_eq(p.counts.clones, (1u << depth) - 1 - (unsigned)depth, "depth %d: %lu", depth,
                     (unsigned long)p.counts.clones);
        cr_expect_not(p.counts.clone_limit_hit);
    }
}

Test(clone, the_limit_holds_and_is_reported) {
    clone_extract(doubling(12), 0);
    uint32_t whole = cflr_graph_vertices(p.graph);
    for (uint64_t limit = 40; limit < whole; limit += whole / 7) {
        clone_extract(NULL, limit);
        cr_expect_leq(cflr_graph_vertices(p.graph), limit + 12 * 8, "%u above %lu",
                      cflr_graph_vertices(p.graph), (unsigned long)limit);
        cr_expect(p.counts.clone_limit_hit);
        const cflr_note *note = project_note(&p, CFLR_NOTE_LIMIT, "");
        cr_assert(note != NULL);
        cr_expect_gt(note->count, 0);
        /* whatever is shared, nothing is lost */
        uint32_t from = vertex("f0", "v", "");
        uint32_t to = CFLR_NO_VERTEX;
        for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
            cflr_vertex_info info;
            cflr_graph_vertex(p.graph, v, &info);
            if (info.kind == CFLR_VERTEX_RETURN && strcmp(info.function, "f0") == 0) to = v;
        }
        cr_expect(flows(from, to));
    }
    clone_extract(NULL, whole);
    cr_expect_not(p.counts.clone_limit_hit);
}

Test(clone, recursion_is_one_copy_each_entry) {
    clone_extract(
        "int x, y; int *r, *s;\n"
        "static int *odd(int *v, int n);\n"
        "static int *even(int *v, int n) { return n ? odd(v, n - 1) : v; }\n"
        "static int *odd(int *v, int n) { return n ? even(v, n - 1) : v; }\n"
        "int main(void) { r = even(&x, 4); s = even(&y, 4); }\n",
        0);
    cr_expect_eq(p.counts.clones, 2, "even and odd once more: %lu", (unsigned long)p.counts.clones);
    cr_expect(flows(vertex("", "&x", ""), vertex("", "r", "")));
    cr_expect_not(flows(vertex("", "&x", ""), vertex("", "s", "")));
}

Test(clone, a_function_that_calls_itself) {
    clone_extract(
        "static int *self(int *v) { return v ? self(v) : v; }\n"
        "int x; int *main2(void) { return self(&x); }\n"
        "int *main3(void) { return self(&x); }\n",
        0);
    cr_expect_eq(p.counts.clones, 1);
}

/* What is called through a value is one body; direct calls still have their own. */
Test(clone, calls_through_values_share_one_body) {
    clone_extract(
        "int x, y, z; int *r, *s, *t;\n"
        "static int *same(int *v) { return v; }\n"
        "int *(*held)(int *) = same;\n"
        "int main(void) { r = same(&x); s = held(&y); t = held(&z); }\n",
        0);
    cr_expect_eq(project_named(&p, "v"), 2);
    cr_expect_neq(vertex("same", "v", ""), CFLR_NO_VERTEX, "the base instance");
    cr_expect_neq(vertex("same", "v", "a.c:4:22"), CFLR_NO_VERTEX);
    unsigned slots = 0;
    for (const char *at = p.edges; (at = strstr(at, "&same -s[0]->")); at++) slots++;
    cr_expect_eq(slots, 1);
}

/* Called by a library function: the parameters that qsort passes to are the base instance's. */
Test(clone, callbacks_reach_the_base_instance) {
    clone_extract(
        "typedef unsigned long size_t;\n"
        "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n"
        "int *seen; static int table[9];\n"
        "static int compare(const void *a, const void *b) { seen = (int *)a; return 0; }\n"
        "void f(void) { qsort(table, 9, 4, compare); }\n"
        "void g(int *v) { compare(v, v); }\n",
        0);
    uint32_t base = vertex("compare", "a", "");
    cr_assert_neq(base, CFLR_NO_VERTEX);
    cr_expect(flows(vertex("", "&table", ""), base), "%s", p.edges);
    cr_expect_not(flows(vertex("g", "v", ""), base));
    cr_expect(flows(vertex("g", "v", ""), vertex("", "seen", "")));
}

Test(clone, heap_objects_are_copied_with_their_function) {
    clone_extract(
        "void *malloc(unsigned long); int *r, *s;\n"
        "static int *make(void) { return malloc(4); }\n"
        "int main(void) { r = make(); s = make(); }\n",
        0);
    cr_expect_eq(count_objects(), 2);
}

/* Wrappers, wrappers of wrappers, and one that hides a header; what only stores what it gets is no
 * wrapper. */
Test(clone, heap_contexts_copy_wrappers_only) {
    static const char source[] =
        "void *malloc(unsigned long); struct s { int *v; struct s *next; } *kept; int *r[4], x, "
        "y;\n"
        "static void *make(void) { void *p = malloc(4); if (!p) return 0; return p; }\n"
        "static void *outer(void) { return make(); }\n"
        "struct header { long size; int data[1]; };\n"
        "static int *hidden(void) { struct header *h = make(); return h->data; }\n"
        "static void keep(void) { kept = malloc(16); }\n"
        "static struct s *give(void) { keep(); return kept; }\n"
        "static int *same(int *v) { return v; }\n"
        "int main(void) {\n"
        "    r[0] = make(); r[1] = outer(); r[2] = outer(); r[3] = hidden();\n"
        "    kept = give(); kept = give();\n"
        "    r[0] = same(&x); r[1] = same(&y);\n"
        "}\n";
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.context = CFLR_CONTEXT_HEAP;
    project_write(&p, "a.c", source);
    project_extract(&p, &opts);
    cr_expect_eq(count_objects(), 5); /* four of make, one of keep */
    cr_expect(flows(vertex("", "&x", ""), vertex("same", "v", "")));
    cr_expect(flows(vertex("", "&y", ""), vertex("same", "v", "")));
    opts.clone_limit = 1;
    project_extract(&p, &opts);
    cr_expect(p.counts.clone_limit_hit);
    cr_expect_eq(count_objects(), 2);
}

/* ---- copies by types ---- */

static const char allocators[] =
    "void *malloc(unsigned long); struct a { int *v; } *a; struct b { int *w; } *b; void *raw;\n"
    "static void *same(void *p) { return p; }\n"
    "static void *inner(long n) { void *p = malloc(n); p = same(p); return p; }\n"
    "static void *make(long n) { return inner(n); }\n";

static void type_extract(const char *rest, uint64_t limit) {
    char source[4096];
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.context = CFLR_CONTEXT_TYPES;
    opts.clone_limit = limit;
    snprintf(source, sizeof source, "%s%s", allocators, rest);
    project_write(&p, "a.c", source);
    project_extract(&p, &opts);
}

/* Is there an allocation in `inner` in this context, and in no more than `n`? */
static void expect_object(const char *context, unsigned n) {
    unsigned found = 0, all = 0;
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        if (info.kind != CFLR_VERTEX_ALLOCATION) continue;
        found += strcmp(info.context, context) == 0;
        all++;
    }
    cr_expect_eq(found, 1, "%u in '%s'", found, context);
    cr_expect_eq(all, n, "%u of %u objects", all, n);
}

/* However many calls there are; wrappers and functions that return their argument hand the type
 * on. */
Test(clone, a_copy_for_each_type) {
    type_extract("int main(void) { a = make(1); a = make(2); b = inner(3); b = make(4); }\n", 0);
    expect_object("<struct a>", 2);
    expect_object("<struct b>", 2);
    cr_expect(flows(vertex("inner", "&malloc()", "<struct a>"), vertex("", "a", "")));
    cr_expect(flows(vertex("inner", "&malloc()", "<struct b>"), vertex("", "b", "")));
    cr_expect_not(flows(vertex("inner", "&malloc()", "<struct a>"), vertex("", "b", "")));
    cr_expect_eq(project_named(&p, "p"), 6, "of inner two versions, of same one, twice");
}

/* A cast tells the type by what takes it: members, arguments, results; `raw` is known by a local
 * that it goes to. */
Test(clone, types_of_all_that_takes_a_result) {
    type_extract(
        "struct c { int n; struct a *member; } c; struct d { int n; };\n"
        "static void take(struct b *given) { b = given; }\n"
        "static struct d *new_d(void) { return (struct d *)make(1); }\n"
        "int main(void) {\n"
        "    c.member = make(1); take(make(2)); new_d();\n"
        "    void *p = make(3); const struct c *typed = p;\n"
        "    return typed != 0;\n"
        "}\n",
        0);
    expect_object("<struct a>", 4);
    expect_object("<struct b>", 4);
    expect_object("<struct c>", 4);
    expect_object("<struct d>", 4);
}

/* Memory whose type nothing tells is an object for each call. */
Test(clone, raw_memory_by_its_calls) {
    type_extract("int main(void) { raw = make(1); raw = make(2); }\n", 0);
    expect_object("a.c:5:24", 2);
    expect_object("a.c:5:39", 2);
}

/* Bytes may be anything: they give way to what says more, and are as untold as void where nothing
 * does. */
Test(clone, bytes_tell_nothing) {
    type_extract(
        "char *text; static char *bytes(void) { return make(3); }\n"
        "int main(void) { text = make(1); char *s = make(2); a = (void *)s;\n"
        "    b = (struct b *)bytes(); text = bytes(); }\n",
        0);
    expect_object("a.c:6:25", 4);
    expect_object("<struct a>", 4);
    expect_object("<struct b>", 4);
    expect_object("a.c:5:47", 4);
}

/* A function that declares what it returns has one body. */
Test(clone, typed_functions_are_not_copied) {
    type_extract(
        "static struct a *new_a(void) { return make(1); }\n"
        "static char *text(void) { return make(1); }\n"
        "char *t; int main(void) { a = new_a(); raw = new_a(); t = text(); }\n",
        0);
    expect_object("<struct a>", 2);
    expect_object("a.c:6:34", 2);
    cr_expect_neq(vertex("new_a", "return", ""), CFLR_NO_VERTEX);
    cr_expect_neq(vertex("text", "return", ""), CFLR_NO_VERTEX);
}

/* What returns another object than the one that it makes for itself tells the type of the
 * latter. */
Test(clone, memory_that_is_not_handed_on) {
    type_extract(
        "static void *both(void) { b = make(1); return make(2); }\n"
        "int main(void) { a = both(); }\n",
        0);
    expect_object("<struct a>", 2);
    expect_object("<struct b>", 2);
}

/* Values still reach the base copy, and at the limit all do. */
Test(clone, types_and_values) {
    type_extract("void *(*f)(long) = make; int main(void) { a = make(1); b = f(2); }\n", 0);
    expect_object("<struct a>", 2);
    expect_object("a.c:4:36", 2);
}

Test(clone, types_at_the_limit) {
    type_extract("int main(void) { a = make(1); b = make(2); }\n", 1);
    cr_expect(p.counts.clone_limit_hit);
    expect_object("", 1);
}

Test(clone, members_and_headers_are_handed_on) {
    type_extract(
        "struct header { long n; long data[2]; };\n"
        "static void *with(void) { struct header *h = make(8); return same(h->data); }\n"
        "int main(void) { a = with(); b = with(); }\n",
        0);
    expect_object("<struct a>", 2);
    expect_object("<struct b>", 2);
}

/* Long types are cut. */
Test(clone, long_types) {
    char rest[1024], name[201] = {0};
    memset(name, 'x', 200);
    snprintf(rest, sizeof rest, "struct %s *l; int main(void) { l = make(1); }\n", name);
    type_extract(rest, 0);
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        cr_expect_leq(strlen(info.context), 102);
    }
    cr_expect_eq(count_objects(), 1);
}

/* Static variables, strings, globals: one for all calls. */
Test(clone, static_variables_are_not_copied) {
    clone_extract(
        "static char *last(char *v) {\n"
        "    static char *kept; char *before = kept; kept = v; return before; }\n"
        "char *r, *s; int main(void) { r = last(\"a\"); s = last(\"b\"); }\n",
        0);
    cr_expect_eq(project_named(&p, "kept"), 1);
    cr_expect_eq(project_named(&p, "before"), 2);
}

/* A call that passes nothing needs no copy, however often it is made. */
Test(clone, calls_that_pass_nothing_share_a_copy) {
    clone_extract(
        "int *g; int x; static void inner(int *v) { g = v; }\n"
        "static void quiet(int n) { int *local = &x; inner(local); }\n"
        "int main(void) { quiet(1); quiet(2); quiet(3); }\n"
        "void (*held)(int) = quiet;\n",
        0);
    cr_expect_eq(project_named(&p, "local"), 2, "one for the calls, one for the value");
}

Test(clone, long_paths_are_cut) {
    clone_extract(doubling(10), 0);
    size_t longest = 0;
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        if (strlen(info.context) > longest) longest = strlen(info.context);
        if (strchr(info.context, '~'))
            cr_expect_eq(strlen(strchr(info.context, '~')), 17, "%s", info.context);
    }
    cr_expect_gt(longest, 60);
    cr_expect_leq(longest, 120);
}

/* Every copy of a vertex has a context of its own. */
Test(clone, contexts_are_distinct) {
    clone_extract(doubling(9), 0);
    unsigned n = 0;
    char **found = calloc(cflr_graph_vertices(p.graph), sizeof *found);
    for (uint32_t v = 0; v < cflr_graph_vertices(p.graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, v, &info);
        if (strcmp(info.function, "f8") != 0 || info.kind != CFLR_VERTEX_PARAMETER) continue;
        found[n++] = strdup(info.context);
        for (unsigned i = 0; i + 1 < n; i++) cr_assert_str_neq(found[i], found[n - 1]);
    }
    cr_expect_eq(n, 256);
    for (unsigned i = 0; i < n; i++) free(found[i]);
    free(found);
}

/* ---- components ---- */
