/* SPDX-License-Identifier: Apache-2.0
 *
 * test_flow_random.c: random programs, run and analysed: what a pointer was seen to point to must
 * be in its points-to set.
 *
 * A program has a few objects, and functions that move pointers about by every construct that the
 * tables below list. Small and sparse programs are the ones that notice a lost flow: in a dense one
 * everything points to everything. Run, a program prints each (variable, object) that it sees:
 *
 *     f2_a x3            the local a of f2 held &x3 or an address inside
 *     f2_m malloc@41     ... the object that malloc made on line 41
 *
 * Nothing is ever a null or a dangling pointer, and calls are bounded by a budget, so programs end
 * and are defined.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "construct_support.h"

enum { FUNCTIONS = 3, STATEMENTS = 3, NUMBERS = 24, RECORDS = 3, PROGRAMS = 24, DEEPEST = 2 };

typedef struct generator {
    uint64_t state;
    unsigned favourite;
    int function;
    int depth;
} generator;

static unsigned pick(generator *g, unsigned n) {
    uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ z >> 31) % n);
}

/* ---- expressions: templates in which a letter after $ stands for a part ----
 *
 *     $P int * value   $L int * lvalue   $M struct s * value   $R struct s lvalue   $H function
 * value $F function      $K int ** value   $f this function      $x $r $i small numbers
 */
static const char *const values[] = {"$L",
                                     "$L",
                                     "$L",
                                     "&x$x",
                                     "$F($P, $M)",
                                     "$f_h($P, $M)",
                                     "(*$H)($P, $M)",
                                     "($i ? $P : $P)",
                                     "($P, $P)",
                                     "(int *)(void *)$P",
                                     "(int *)(long)$P",
                                     "(int *)((unsigned long)$P & ~0ul)",
                                     "any(2, $P, $P)",
                                     "({ int *t_ = $P; t_; })",
                                     "*$K",
                                     "kept($P)",
                                     "both($P, $P).b",
                                     "($P ?: $P)",
                                     "0 [&$L]",
                                     "_Generic(1, int: $P, default: $P)",
                                     "table[$i].f($P, $M)",
                                     "(int *)__builtin_expect((long)$P, 1)",
                                     "((struct s[]){*$M})->a",
                                     "take($R)"};
static const char *const lvalues[] = {"$f_a",      "$f_b",    "$f_a",           "$f_b",
                                      "*$K",       "$M->a",   "$M->b",          "$f_m->in.c",
                                      "$f_l.in.c", "$f_l.b",  "$f_m->list[$i]", "$f_l.list[$i]",
                                      "g$i",       "$f_m->u", "$M->in.d",       "(*$M).n->b"};
static const char *const records[] = {
    "$f_m",
    "$f_m",
    "&r$r",
    "&$f_l",
    "$M->n",
    "gm",
    "made()",
    "again($M)",
    "(struct s *)((char *)&$M->b - __builtin_offsetof(struct s, b))",
    "($i ? $M : $M)",
    "(struct s *)((char *)&$M->in.d - __builtin_offsetof(struct s, in.d))",
    "({ struct s *t_ = NEW; *t_ = r$r; t_; })",
    "&copy($R)->self[0]"};
static const char *const places[] = {"$f_k",       "&$f_a",     "&$f_b",
                                     "&$M->a",     "&$M->in.c", "&$f_l.list[$i]",
                                     "$f_m->list", "&g$i",      "next($K)"};
static const char *const record_lvalues[] = {"$f_l", "r$r", "*$M", "*$f_m->n", "$f_l"};
static const char *const functions[] = {"$F", "&$F", "$f_h", "table[$i].f", "choose($i)"};
static const char *const statements[] = {
    "$L = $P;",
    "$L = $P;",
    "$L = $P;",
    "$L = $L = $P;",
    "$f_m = $M;",
    "$M->n = $M;",
    "gm = $M;",
    "$f_k = $K;",
    "$f_h = $H;",
    "$R = $R;",
    "$R = *$M;",
    "memcpy($M, $M, sizeof(struct s));",
    "table[$i].f = $H;",
    "$f_l.in = $M->in;",
    "$R = both_of($P, $M);",
    "if ($i) $L = $P; else $L = $P;",
    "for (int i_ = 0; i_ < 2; i_++) $L = $P;",
    "switch ($i) { case 0: $L = $P; break; default: $f_m = $M; }",
    "{ struct s t_ = {.a = $P, .in = {$P, $P}, .list = {$P, $P}, .b = $P, .u = $P}; $R = t_; }",
    "{ struct s t_ = {.n = $M, .a = $P}; $R = t_; }",
    "{ int *t_[2] = {$P, $P}; $L = t_[$i]; }",
    "$F($P, $M);",
    "put(&$L, $P);",
    "__atomic_store_n(&$L, $P, 5);",
    "$L = __atomic_exchange_n(&$L, $P, 5);"};

typedef struct table {
    char letter;
    const char *const *at;
    unsigned n;
    unsigned plain; /* the first ones need no further parts: for the deepest level */
} table;

#define TABLE(letter, list, plain) \
    { letter, list, sizeof(list) / sizeof *(list), plain }
static const table tables[] = {TABLE('P', values, 0),    TABLE('L', lvalues, 4),
                               TABLE('M', records, 4),   TABLE('R', record_lvalues, 2),
                               TABLE('H', functions, 2), TABLE('K', places, 3)};

static void expand(generator *g, FILE *out, const char *template);

/* Each program favours one construct of each table, so that each has programs that hang on it. */
static unsigned pick_template(generator *g, unsigned n) {
    return pick(g, 3) == 0 ? g->favourite % n : pick(g, n);
}

static void expand_part(generator *g, FILE *out, char letter) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const table *t = &tables[i];
        if (t->letter != letter) continue;
        bool deep = g->depth >= DEEPEST;
        g->depth++;
        fputc('(', out);
        if (deep && letter == 'P')
            expand(g, out, pick(g, 2) ? "$f_a" : "&x$x");
        else
            expand(g, out, t->at[deep ? pick(g, t->plain) : pick_template(g, t->n)]);
        fputc(')', out);
        g->depth--;
        return;
    }
    switch (letter) {
        case 'F':
            fprintf(out, "f%u", pick(g, FUNCTIONS));
            break;
        case 'f':
            fprintf(out, "f%d", g->function);
            break;
        case 'x':
            fprintf(out, "%u", pick(g, NUMBERS));
            break;
        case 'r':
            fprintf(out, "%u", pick(g, RECORDS));
            break;
        default:
            fprintf(out, "%u", pick(g, 2));
            break;
    }
}

static void expand(generator *g, FILE *out, const char *template) {
    for (; *template; template ++) {
        if (*template != '$')
            fputc(*template, out);
        else
            expand_part(g, out, *++template);
    }
}

/* ---- programs ---- */

static const char prelude[] =
    "#include <stdarg.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "struct s { int *a; struct s *n; int *b; struct { int *c; int *d; } in; int *list[2];\n"
    "           union { int *u; int *v; }; };\n"
    "struct two { int *a; int *b; };\n"
    "struct holder { struct s self[1]; };\n"
    "typedef int *fn(int *, struct s *);\n"
    "struct row { int tag; fn *f; };\n"
    "static int budget = 3000;\n"
    "#ifdef CHECK_RUN\n"
    "#include <stdio.h>\n"
    "static struct { const char *name; int line; char *at; size_t size; } objects[20000];\n"
    "static int n_objects;\n"
    "static void *object(const char *name, int line, void *at, size_t size) {\n"
    "    for (int i = 0; i < n_objects; i++) if (objects[i].at == at) return at;\n"
    "    objects[n_objects].name = name; objects[n_objects].line = line;\n"
    "    objects[n_objects].at = at; objects[n_objects++].size = size; return at; }\n"
    "static void see(const char *name, const void *p) {\n"
    "    for (int i = 0; i < n_objects; i++)\n"
    "        if ((char *)p >= objects[i].at && (char *)p < objects[i].at + objects[i].size)\n"
    "            printf(\"%s %s %d\\n\", name, objects[i].name, objects[i].line); }\n"
    "#define OBJECT(x) object(#x, 0, &x, sizeof x);\n"
    "#define SEE(p) see(#p, p);\n"
    "#define NEW object(\"malloc()\", __LINE__, malloc(sizeof(struct s)), sizeof(struct s))\n"
    "#else\n"
    "#define OBJECT(x)\n#define SEE(p)\n#define NEW malloc(sizeof(struct s))\n"
    "#endif\n";

static const char helpers[] =
    "static struct s *made(void) { struct s *t = NEW; *t = r0; return t; }\n"
    "static struct s *again(struct s *p) { return p; }\n"
    "static struct holder *copy(struct s p) { struct s *t = NEW; *t = p; return (void *)t; }\n"
    "static int *kept(int *p) { static int *last = &x0; int *old = last; last = p; return old; }\n"
    "static struct two both(int *p, int *q) { return (struct two){p, q}; }\n"
    "static struct s both_of(int *p, struct s *m) { struct s t = *m; t.a = p; return t; }\n"
    "static int *take(struct s p) { return p.in.d; }\n"
    "static void put(int **to, int *p) { *to = p; }\n"
    "static int **next(int **p) { return p; }\n"
    "static fn *choose(int i) { return table[i].f; }\n"
    "static int *any(int n, ...) { va_list ap; va_start(ap, n); int *p = va_arg(ap, int *);\n"
    "    p = va_arg(ap, int *); va_end(ap); return p; }\n";

static void write_objects(FILE *out) {
    for (int i = 0; i < NUMBERS; i++) fprintf(out, "static int x%d;\n", i);
    fprintf(out,
            "static struct s r0, r1, r2;\nstatic int *g0 = &x0, *g1 = &x1;\n"
            "static struct s *gm = &r1;\n");
    for (int i = 0; i < FUNCTIONS; i++) fprintf(out, "static fn f%d;\n", i);
    fprintf(out, "static struct row table[2] = {{0, f0}, {1, f1}};\n");
    for (int i = 0; i < RECORDS; i++)
        fprintf(out,
                "static struct s r%d = {&x%d, &r%d, &x%d, {&x%d, &x%d}, {&x%d, &x%d}, {&x%d}};\n",
                i, 7 * i, (i + 1) % RECORDS, 7 * i + 1, 7 * i + 2, 7 * i + 3, 7 * i + 4, 7 * i + 5,
                7 * i + 6);
}

static void write_function(generator *g, FILE *out) {
    int f = g->function;
    fprintf(out, "static int *f%d(int *f%d_a, struct s *f%d_m) {\n", f, f, f);
    fprintf(out, "    int *f%d_b = &x%d, **f%d_k = &f%d_b;\n    fn *f%d_h = f%d;\n", f, f, f, f, f,
            (f + 1) % FUNCTIONS);
    fprintf(out, "    static struct s f%d_l; f%d_l = *f%d_m;\n    OBJECT(f%d_l)\n", f, f, f, f);
    fprintf(out, "    if (budget-- < 0) return f%d_a;\n", f);
    for (int i = 0; i < STATEMENTS; i++) {
        fprintf(out, "    ");
        expand(g, out, statements[pick_template(g, sizeof statements / sizeof *statements)]);
        fprintf(out, "\n    SEE(f%d_a) SEE(f%d_b) SEE(f%d_m)\n", f, f, f);
    }
    fprintf(out, "    return ");
    expand(g, out, "$P");
    fprintf(out, ";\n}\n");
}

static void write_program(FILE *out, uint64_t seed) {
    generator g = {.state = seed * 1000003, .favourite = (unsigned)seed};
    fputs(prelude, out);
    write_objects(out);
    fputs(helpers, out);
    for (g.function = 0; g.function < FUNCTIONS; g.function++) write_function(&g, out);
    fprintf(out, "int main(void) {\n");
    for (int i = 0; i < NUMBERS; i++) fprintf(out, "    OBJECT(x%d)\n", i);
    for (int i = 0; i < RECORDS; i++) fprintf(out, "    OBJECT(r%d)\n", i);
    fprintf(out, "    f0(&x0, &r0);\n    return 0;\n}\n");
}

/* ---- comparing ---- */

typedef struct analysis {
    cflr_context *context;
    cflr_graph *graph;
    cflr_result *result;
    uint32_t points_to;
} analysis;

static bool is_object(const cflr_vertex_info *info, const char *name, int line) {
    if (strcmp(info->name, name) != 0) return false;
    return line == 0 || (int)info->line == line;
}

/* variable: "f2_a" of function f2. */
static bool points_to(const analysis *a, const char *variable, const char *object, int line) {
    char spec[100];
    uint32_t vertices[8];
    size_t n = 0;
    cflr_error error = {0};
    cflr_vertex_list targets = {0};
    bool found = false;
    snprintf(spec, sizeof spec, "%.*s::%s", (int)strcspn(variable, "_"), variable, variable);
    cr_assert_eq(cflr_graph_find(a->graph, spec, vertices, 8, &n, &error), CFLR_OK, "%s",
                 error.message);
    cr_assert_eq(cflr_result_targets(a->result, a->points_to, vertices, n, &targets, &error),
                 CFLR_OK);
    for (size_t i = 0; i < targets.count && !found; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(a->graph, targets.vertices[i], &info);
        found = is_object(&info, object, line);
    }
    cflr_vertex_list_free(a->context, &targets);
    return found;
}

static unsigned compare(const analysis *a, FILE *output, unsigned seed) {
    char variable[50], object[50];
    int line;
    unsigned n = 0;
    while (fscanf(output, "%49s %49s %d", variable, object, &line) == 3) {
        cr_expect(points_to(a, variable, object, line), "seed %u: %s was seen to point to %s (%d)",
                  seed, variable, object, line);
        n++;
    }
    return n;
}

static unsigned try_program(cflr_context *context, const cflr_grammar *grammar, unsigned seed) {
    char path[] = "/tmp/cflr-flow-XXXXXX.c";
    char command[300];
    cflr_error error = {0};
    FILE *out = fdopen(mkstemps(path, 2), "w");
    cr_assert(out);
    write_program(out, seed);
    fclose(out);
    analysis a = {.context = context};
    a.graph = construct_graph(context, path, CFLR_FIELDS_SENSITIVE);
    cr_assert_eq(cflr_solve(a.graph, grammar, NULL, &a.result, &error), CFLR_OK, "%s",
                 error.message);
    a.points_to = cflr_result_find_label(a.result, cflr_result_answer(a.result, "points-to"));
    snprintf(command, sizeof command,
             "cc -std=gnu11 -w -DCHECK_RUN -o %s.out %s && %s.out | sort -u", path, path, path);
    FILE *output = popen(command, "r");
    cr_assert(output);
    unsigned n = compare(&a, output, seed);
    cr_expect_eq(pclose(output), 0);
    cflr_result_free(a.result);
    cflr_graph_free(a.graph);
    if (!getenv("CFLR_KEEP")) unlink(path);
    snprintf(command, sizeof command, "%s.out", path);
    unlink(command);
    return n;
}

Test(flow_random, what_happens_is_foreseen) {
    if (system("cc --version >/dev/null 2>&1") != 0) cr_skip_test("no C compiler to compare with");
    cflr_context *context;
    cflr_grammar *grammar;
    cflr_error error = {0};
    unsigned seen = 0;
    const char *programs = getenv("CFLR_PROGRAMS"); /* more of them, for a longer look */
    unsigned n = programs ? (unsigned)atoi(programs) : PROGRAMS;
    cr_assert_eq(cflr_context_new(NULL, &context, &error), CFLR_OK);
    cr_assert_eq(cflr_grammar_load(context, "pointer-fs", CFLR_GRAMMAR_AUTO, &grammar, &error),
                 CFLR_OK, "%s", error.message);
    for (unsigned seed = 1; seed <= n; seed++) seen += try_program(context, grammar, seed);
    cr_expect_gt(seen, 4 * n);
    cflr_grammar_free(grammar);
    cflr_context_free(context);
}
