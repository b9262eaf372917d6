/* SPDX-License-Identifier: Apache-2.0
 *
 * Closures by bit matrices on a device, which is one of plain arrays here: they are those of the
 * reference solver, whatever the techniques; and the rules that a device gets keep what rules.h
 * says of them. How closures end early is in test_bits_ends.c.
 */
#include <dirent.h>
#include <sys/stat.h>

#include "base/ids.h"
#include "bits_support.h"
#include "engine/closure/bits/edge_walk.h"
#include "engine/closure/bits/system.h"

enum { PAIRS = TEST_SANITIZED ? 150 : 750, MANY_PAIRS = 3000 };

static uint64_t pairs_to_try(void) {
    return getenv("CFLR_TEST_EXHAUSTIVE") ? MANY_PAIRS : PAIRS;
}

/* ---- closures ---- */

static void begin_pair(bits_world *b, uint64_t seed) {
    memset(b, 0, sizeof *b);
    filtered_world(&b->w, seed);
}

static void try_pair(uint64_t seed) {
    bits_world b;
    char what[64];
    begin_pair(&b, seed);
    snprintf(what, sizeof what, "seed %" PRIu64, seed);
    if (seed % 5 == 3) b.only = "B";
    b.apart = seed % 3 == 1 && !on_gpu(); /* whose driver does not outlive a fork */
    compare(&b, CFLR_MODEL_NAIVE, what);
    b.w.context->techniques = (unsigned)(seed * UINT64_C(0x9e3779b97f4a7c15) >> 40);
    snprintf(what, sizeof what, "seed %" PRIu64 ", techniques %x", seed, b.w.context->techniques);
    compare(&b, CFLR_MODEL_NAIVE, what);
    world_end(&b.w);
}

Test(bits, random_pairs) {
    uint64_t pairs = pairs_to_try();
    for (uint64_t seed = 0; seed < pairs; seed++) try_pair(seed);
}

/* Calls for each entry of a folder of the source. */
static int for_each(const char *folder, void (*call)(const char *path)) {
    char path[1024];
    int n = 0;
    snprintf(path, sizeof path, CFLR_SOURCE_DIR "/%s", folder);
    DIR *list = opendir(path);
    cr_assert_not_null(list, "%s", path);
    for (struct dirent *entry; (entry = readdir(list));) {
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, "README", 6) == 0) continue;
        snprintf(path, sizeof path, CFLR_SOURCE_DIR "/%s/%s", folder, entry->d_name);
        call(path);
        n++;
    }
    closedir(list);
    return n;
}

/* Edges of a terminal as the grammar declares it, perhaps with an index. */
static void random_edges_of(dice *d, const char *terminal, uint32_t n, text *edges) {
    char name[32];
    bool indexed = strchr(terminal, '[');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(terminal, "["), terminal);
    for (uint32_t i = roll(d, 6); i; i--) {
        append(edges, "%s%u %u %s", edges->n ? "; " : "", roll(d, n), roll(d, n), name);
        if (indexed) append(edges, "[%u]", roll(d, 3));
    }
}

static void random_edges_for(dice *d, const char *grammar, text *edges) {
    uint32_t n = 2 + roll(d, 14);
    char *copy = strdup(grammar), *rest = copy;
    edges->n = 0;
    edges->at[0] = '\0';
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *words = line, *word = strsep(&words, " ");
        if (strcmp(word, "%terminal") != 0) continue;
        while ((word = strsep(&words, " "))) {
            if (*word) random_edges_of(d, word, n, edges);
        }
    }
    free(copy);
}

static void try_grammar(const char *path) {
    size_t size;
    char *grammar = test_read_file(path, &size), what[1200];
    text edges;
    for (uint64_t seed = 0; seed < pairs_to_try() / 15; seed++) {
        dice d = {seed + 7};
        bits_world b = {0};
        world_begin(&b.w, 1);
        random_edges_for(&d, grammar, &edges);
        world_graph(&b.w, edges.at);
        world_grammar(&b.w, grammar);
        snprintf(what, sizeof what, "%s, seed %" PRIu64, path, seed);
        compare(&b, CFLR_MODEL_NAIVE, what);
        world_end(&b.w);
    }
    free(grammar);
}

Test(bits, shipped_grammars_on_random_graphs) {
    cr_assert_geq(for_each("grammars", try_grammar), 9);
}

static void try_case(const char *folder) {
    char path[1100];
    struct stat about;
    cflr_error error;
    bits_world b = {0};
    if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode)) return;
    world_begin(&b.w, 1);
    snprintf(path, sizeof path, "%s/graph.tsv", folder);
    MUST(cflr_graph_load(b.w.context, path, CFLR_GRAPH_TSV, &b.w.graph, &error));
    snprintf(path, sizeof path, "%s/grammar.cfg", folder);
    MUST(cflr_grammar_load(b.w.context, path, CFLR_GRAMMAR_CFLR, &b.w.grammar, &error));
    compare(&b, CFLR_MODEL_NAIVE, folder);
    world_end(&b.w);
}

Test(bits, cases) {
    cr_assert_geq(for_each("tests/cases", try_case), 20);
}

static const char aliases[] =
    "%start V\n"
    "V ::= ~A V | V A | FV[i] f[i] | M | eps\n"
    "FV[i] ::= ~f[i] V\n"
    "M ::= DV d\n"
    "DV ::= ~d V\n"
    "A ::= A A | a M | a | eps\n";

Test(bits, alias_graphs) {
    static const char *const files[] = {"aa/gzip.peg.xz", "aa/crafty.peg.xz"};
    const char *data = getenv("CFLR_DATA");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        cflr_error error;
        bits_world b = {0};
        snprintf(path, sizeof path, "%s/%s", data ? data : CFLR_SOURCE_DIR "/../shared/data",
                 files[i]);
        if (access(path, R_OK) != 0) {
            fprintf(stderr, "SKIP: %s is not there; set CFLR_DATA\n", path);
            continue;
        }
        world_begin(&b.w, 1);
        MUST(cflr_graph_load(b.w.context, path, CFLR_GRAPH_POCR, &b.w.graph, &error));
        world_grammar(&b.w, aliases);
        compare(&b, CFLR_MODEL_BATCH, files[i]);
        world_end(&b.w);
    }
}

/* Small graphs whose vertices lie anywhere among all, so that the plan gives them other numbers;
 * and vertices that no edge touches. */
static void begin_scattered(bits_world *b) {
    enum { VERTICES = 6700, VILLAGE = 40, VILLAGES = 160 };
    static uint32_t vertex[VERTICES];
    static const char *const names[] = {"a", "b", "c"};
    cflr_graph_builder *builder;
    cflr_error error;
    uint64_t random = 5;
    uint32_t label[3];
    memset(b, 0, sizeof *b);
    world_begin(&b->w, 1);
    MUST(cflr_graph_builder_new(b->w.context, &builder, &error));
    for (int i = 0; i < 3; i++)
        MUST(cflr_graph_builder_label(builder, names[i], NULL, &label[i], &error));
    for (uint32_t v = 0; v < VERTICES; v++) {
        uint32_t other = test_random_below(&random, v + 1);
        vertex[v] = vertex[other];
        vertex[other] = v;
    }
    for (uint32_t i = 0; i < 4 * VILLAGES * VILLAGE; i++) {
        const uint32_t *home = vertex + i / 4 / VILLAGE * VILLAGE;
        uint32_t from = i / 4 % VILLAGE, to = from + 1 + test_random_below(&random, 9);
        MUST(cflr_graph_builder_edge(builder, home[from], home[to % VILLAGE],
                                     label[test_random_below(&random, 5) / 2], &error));
    }
    MUST(cflr_graph_builder_edge(builder, VERTICES - 1, VERTICES - 1, label[2], &error));
    MUST(cflr_graph_builder_freeze(builder, &b->w.graph, &error));
}

Test(bits, vertices_with_other_numbers) {
    static const char *const grammars[] = {
        "S ::= ~a a | ~a S a\nT ::= ~c S | S c\n",
        "V ::= ~c V c | a V ~a | eps\nG ::= ~c V\n%start V\n",
    };
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) {
        bits_world b;
        begin_scattered(&b);
        world_grammar(&b.w, grammars[i]);
        cflr_result *reference = reference_of(&b, CFLR_MODEL_BATCH);
        solve(&b);
        cr_assert(b.w.result->sets->reordered);
        must_be_equal(reference, b.w.result, grammars[i]);
        cflr_result_free(reference);
        world_end(&b.w);
    }
}

/* ---- systems ---- */

typedef struct made {
    bits_world b;
    cflri_spine_plan plan;
    cflri_bit_system system;
} made;

/* Of a world that has begun. */
static void make(made *m) {
    cflr_error error;
    MUST(prepare(&m->b, &error));
    MUST(cflri_spine_plan_init(&m->plan, &m->b.problem, 1, 1, true, &error));
    MUST(cflri_bit_system_make(&m->plan, &m->system, &error));
}

static void make_of(made *m, const char *grammar, const char *edges) {
    memset(m, 0, sizeof *m);
    world_begin(&m->b.w, 1);
    world_grammar(&m->b.w, grammar);
    world_graph(&m->b.w, edges);
    make(m);
}

static void end(made *m) {
    cflri_bit_system_free(&m->system);
    cflri_spine_plan_free(&m->plan);
    forget(&m->b);
    world_end(&m->b.w);
}

static void check_edges(const cflri_bit_edges *edges, uint32_t from, uint32_t to) {
    cr_assert_not_null(edges->start);
    cr_assert_eq(edges->start[0], 0);
    if (edges->source)
        cr_assert(cflri_ids_ascend(edges->source, edges->n_sources, from));
    else
        cr_assert_eq(edges->n_sources, from);
    for (uint32_t i = 0; i < edges->n_sources; i++) {
        cr_assert_leq(edges->start[i], edges->start[i + 1]);
        cr_assert_eq(cflri_bit_source(edges, plain_source(edges, i)), i);
        for (uint64_t e = edges->start[i]; e < edges->start[i + 1]; e++) {
            cr_assert_lt(edges->to[e], to);
            if (e == edges->start[i]) continue;
            uint64_t before = cflri_pair(plain_label(edges, e - 1), edges->to[e - 1]);
            cr_assert_lt(before, cflri_pair(plain_label(edges, e), edges->to[e]));
        }
    }
}

static void check_rule(const cflri_bit_system *s, const cflri_bit_rule *rule, uint32_t stage) {
    const cflri_bit_matrix *left = &s->matrix[rule->left], *right = &s->matrix[rule->right];
    bool by = rule->kind == CFLRI_BITS_PAIR || rule->kind == CFLRI_BITS_SPREAD;
    cr_assert_eq(left->stage, stage);
    cr_assert_leq(right->stage, stage);
    if (by) cr_assert_leq(s->matrix[rule->by].stage, stage);
    if (by || rule->kind == CFLRI_BITS_UNITE) cr_assert_eq(left->guarded, right->guarded);
    if (rule->kind == CFLRI_BITS_UNITE) check_edges(&rule->edges, left->n_rows, right->n_rows);
    cr_assert_eq(left->passing, rule->kind == CFLRI_BITS_IMAGE);
    if (rule->kind == CFLRI_BITS_IMAGE) {
        check_edges(&rule->edges, left->n_rows, right->n_rows);
        for (uint32_t u = 0; u <= left->n_rows; u++) cr_assert_eq(rule->edges.start[u], u);
    }
    if (rule->kind != CFLRI_BITS_IMAGE && rule->kind != CFLRI_BITS_STEP) return;
    check_edges(&rule->image, right->n_columns, left->n_columns);
    cr_assert_eq(rule->edges.label == NULL, rule->image.label == NULL);
}

/* Does a rule come behind another one of its stage? */
static bool is_later(const cflri_bit_rule *rule, const cflri_bit_rule *other) {
    if (rule->left != other->left) return rule->left > other->left;
    if (rule->kind != other->kind) return rule->kind > other->kind;
    if (rule->right != other->right) return rule->right > other->right;
    return rule->by > other->by;
}

static void check_rules(const cflri_bit_system *s) {
    for (uint32_t t = 0; t < s->n_stages; t++) {
        cr_assert_leq(s->first_rule[t], s->first_rule[t + 1]);
        for (uint32_t i = s->first_rule[t]; i < s->first_rule[t + 1]; i++) {
            check_rule(s, &s->rule[i], t);
            if (i > s->first_rule[t]) cr_assert(is_later(&s->rule[i], &s->rule[i - 1]));
        }
    }
}

/* The row of a vertex is found in both ways. */
static void check_row_of(const cflri_bit_system *s, const cflri_bit_matrix *matrix) {
    uint32_t *map = malloc((s->n_vertices + (size_t)1) * sizeof *map);
    cflri_bit_matrix mapped = *matrix, unmapped = *matrix;
    mapped.row = map;
    unmapped.row = NULL;
    memset(map, 0xff, s->n_vertices * sizeof *map);
    for (uint32_t r = 0; r < matrix->n_rows; r++) map[matrix->vertex[r]] = r;
    for (uint32_t v = 0; v < s->n_vertices; v++) {
        uint32_t row = cflri_bit_row_of(matrix, v);
        cr_assert_eq(row, cflri_bit_row_of(&mapped, v));
        cr_assert_eq(row, cflri_bit_row_of(&unmapped, v));
    }
    free(map);
}

static void check_seeds(const cflri_bit_system *s, const cflri_bit_matrix *matrix) {
    const cflri_bit_masks *masks = &matrix->masks;
    cr_assert_eq(matrix->n_columns, matrix->guarded ? s->n_guards : s->n_vertices);
    for (uint32_t r = 0; masks->of && r < matrix->n_rows; r++)
        cr_assert_leq(masks->of[r], masks->n);
    for (uint64_t i = 0; i < matrix->n_seeds; i++) {
        uint32_t row = (uint32_t)(matrix->seed[i] >> 32), column = (uint32_t)matrix->seed[i];
        cr_assert_lt(row, matrix->n_rows);
        cr_assert_lt(column, matrix->n_columns);
        if (!masks->of || !masks->of[row]) continue;
        size_t words = (matrix->n_columns + (size_t)31) / 32;
        uint32_t word = masks->bits[(masks->of[row] - 1) * words + column / 32];
        cr_assert(word >> column % 32 & 1);
    }
}

/* Rows of a stage are together, those of a matrix too, and each has one number. */
static void check_matrices(const cflri_bit_system *s) {
    uint32_t rows = s->first_row[s->n_stages];
    bool *taken = calloc(rows + (size_t)1, sizeof *taken);
    for (uint32_t i = 0; i < s->n_matrices; i++) {
        const cflri_bit_matrix *m = &s->matrix[i];
        cr_assert_geq(m->first, s->first_row[m->stage]);
        cr_assert_leq(m->first + m->n_rows, s->first_row[m->stage + 1]);
        cr_assert_eq(m->passing, m->vertex == NULL);
        cr_assert(m->passing || cflri_ids_ascend(m->vertex, m->n_rows, s->n_vertices));
        for (uint32_t r = 0; r < m->n_rows; r++) {
            cr_assert(!taken[m->first + r]);
            taken[m->first + r] = true;
        }
        if (!m->passing) check_row_of(s, m);
        check_seeds(s, m);
    }
    for (uint32_t r = 0; r < rows; r++) cr_assert(taken[r]);
    free(taken);
}

/* What a stratum reads is closed before, unless it is the stratum itself. */
static void check_stages(const made *m) {
    const cflri_equations *all = m->plan.equations;
    for (size_t i = 0; i < all->equation.n; i++) {
        const cflri_equation *e = &all->equation.at[i];
        uint32_t by = e->kind == CFLRI_PAIR ? e->by : e->left;
        uint32_t right = e->right == CFLRI_NO_SYMBOL ? e->left : e->right;
        uint32_t read[2] = {all->family.at[right].stratum, all->family.at[by].stratum};
        for (int r = 0; r < 2; r++) {
            if (read[r] == e->stratum) continue;
            cr_assert_lt(m->system.stage_of[read[r]], m->system.stage_of[e->stratum]);
        }
        cr_assert_eq(m->system.matrix[e->left].stage, m->system.stage_of[e->stratum]);
    }
}

/* ---- orders ---- */

/* The node of each row of a stage; nodes have all rows, and read nodes of levels before. */
static uint32_t *check_nodes(const cflri_bit_system *s, uint32_t stage) {
    const cflri_bit_order *o = &s->order[stage];
    uint32_t first = s->first_row[stage], rows = s->first_row[stage + 1] - first;
    uint32_t *node = malloc((rows + (size_t)1) * sizeof *node);
    memset(node, 0xff, rows * sizeof *node);
    cr_assert_eq(o->first[o->n], rows);
    cr_assert_eq(o->level[o->n_levels], o->n);
    for (uint32_t l = 0; l < o->n_levels; l++) {
        for (uint32_t k = o->level[l]; k < o->level[l + 1]; k++) {
            for (uint32_t i = o->first[k]; i < o->first[k + 1]; i++) {
                cr_assert_eq(node[o->row[i] - first], UINT32_MAX);
                node[o->row[i] - first] = k;
            }
            for (uint64_t e = o->start[k]; e < o->start[k + 1]; e++)
                cr_assert_lt(o->to[e], o->level[l]);
        }
    }
    return node;
}

static bool has_node_edge(const cflri_bit_order *o, uint32_t from, uint32_t to) {
    uint64_t e = o->start[from];
    while (e < o->start[from + 1] && o->to[e] != to) e++;
    return e < o->start[from + 1];
}

/* Every row that a row reads is in its node, or in one that its node reads. */
static void check_reads(const cflri_bit_system *s, uint32_t stage, const uint32_t *node) {
    const cflri_bit_order *o = &s->order[stage];
    for (uint32_t i = s->first_rule[stage]; i < s->first_rule[stage + 1]; i++) {
        const cflri_bit_rule *rule = &s->rule[i];
        const cflri_bit_matrix *left = &s->matrix[rule->left], *right = &s->matrix[rule->right];
        bool within = right->stage == stage && !right->passing;
        cr_assert(!within || rule->kind == CFLRI_BITS_UNITE);
        cr_assert_null(left->masks.of);
        for (uint32_t k = 0; within && k < rule->edges.n_sources; k++) {
            uint32_t u = left->first + plain_source(&rule->edges, k) - s->first_row[stage];
            for (uint64_t e = rule->edges.start[k]; e < rule->edges.start[k + 1]; e++) {
                uint32_t v = right->first + rule->edges.to[e] - s->first_row[stage];
                cr_assert(node[u] == node[v] || has_node_edge(o, node[u], node[v]));
            }
        }
    }
}

/* Returns how many stages have an order. */
static uint32_t check_orders(const cflri_bit_system *s) {
    uint32_t ordered = 0;
    for (uint32_t t = 0; t < s->n_stages; t++) {
        if (!s->order[t].n_levels) continue;
        uint32_t *node = check_nodes(s, t);
        check_reads(s, t, node);
        free(node);
        ordered++;
    }
    return ordered;
}

/* A cycle is one node; where rows recur otherwise there is no order. */
Test(bits, rows_that_are_only_united_have_an_order) {
    made m;
    make_of(&m, "A ::= e A | b\n", "0 1 e; 1 2 e; 2 0 e; 2 3 e; 3 4 e; 4 5 b");
    cr_assert_eq(check_orders(&m.system), 1);
    cr_assert_eq(m.system.order[0].n_levels, 3);
    cr_assert_eq(m.system.order[0].n, 3);
    end(&m);
    make_of(&m, "A ::= e A e | b\n", "0 1 e; 1 2 e; 2 0 e; 2 3 e; 3 4 e; 4 5 b");
    cr_assert_eq(check_orders(&m.system), 0);
    end(&m);
}

/* What recurs otherwise beside it does not take the order away, nor what has to be there before. */
Test(bits, an_order_is_of_what_recurs_along_edges) {
    made m;
    make_of(&m, "A ::= e A | b\nB ::= e | B B\n", "0 1 e; 1 2 e; 2 0 e; 2 3 e; 3 4 e; 4 5 b");
    cr_assert_eq(check_orders(&m.system), 1);
    end(&m);
    make_of(&m, "B ::= e | B B\nA ::= e A | B b\n", "0 1 e; 1 2 e; 2 0 e; 2 3 e; 3 4 e; 4 5 b");
    cr_assert_eq(check_orders(&m.system), 1);
    check_stages(&m);
    end(&m);
}

/* ---- rows that there can be ---- */

/* Does the equation give the row at a vertex something, where these rows can be? */
static bool find_row(const made *m, const cflri_equation *e, bool *can) {
    uint32_t n = m->system.n_vertices;
    bool *left = can + (size_t)e->left * n, found = false;
    bool edges = e->kind == CFLRI_INPUT || e->kind == CFLRI_EDGE || e->kind == CFLRI_BETWEEN;
    bool all =
        e->kind == CFLRI_DIAGONAL || e->kind == CFLRI_TURN || (e->kind == CFLRI_PAIR && e->by_back);
    uint32_t source = e->kind == CFLRI_PAIR ? e->by : e->right;
    cflri_edge_walk walk = cflri_edge_walk_of(&m->plan, edges ? e->by : 0, e->by_back);
    while (edges && cflri_edge_walk_next(&walk)) {
        if (left[walk.from]) continue;
        if (e->kind != CFLRI_INPUT && !can[(size_t)e->right * n + walk.to]) continue;
        found = left[walk.from] = true;
    }
    for (uint32_t v = 0; !edges && v < n; v++) {
        if (left[v] || (!all && !can[(size_t)source * n + v])) continue;
        found = left[v] = true;
    }
    return found;
}

/* The rows are the least ones that equations need, found without haste. */
static void check_rows(const made *m) {
    const cflri_equations *all = m->plan.equations;
    uint32_t n = m->system.n_vertices;
    bool *can = calloc(all->family.n * (size_t)n + 1, sizeof *can);
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < all->equation.n; i++)
            found |= find_row(m, &all->equation.at[i], can);
    }
    for (uint32_t i = 0; i < all->family.n; i++) {
        for (uint32_t v = 0; v < n; v++) {
            bool there = cflri_bit_row_of(&m->system.matrix[i], v) != CFLRI_NO_BIT_ROW;
            cr_assert_eq(there, can[(size_t)i * n + v], "family %u, vertex %u", i, v);
        }
    }
    free(can);
}

Test(bits, systems_keep_what_they_promise) {
    uint32_t ordered = 0;
    for (uint64_t seed = 0; seed < pairs_to_try(); seed++) {
        made m = {0};
        begin_pair(&m.b, seed);
        m.b.w.context->techniques = ~(unsigned)(seed / 4 * (seed % 4 == 0));
        make(&m);
        check_matrices(&m.system);
        check_rules(&m.system);
        check_stages(&m);
        check_rows(&m);
        ordered += check_orders(&m.system);
        end(&m);
    }
    cr_assert_gt(ordered, 0);
}

static const cflri_bit_matrix *matrix_of(const made *m, const char *symbol) {
    for (uint32_t s = 0; s < m->b.ground->n_symbols; s++) {
        uint32_t name = m->b.ground->symbol[s].symbol, rows = m->plan.equations->home[s].rows;
        if (strcmp(m->b.w.grammar->symbol[name].name, symbol) == 0)
            return rows == CFLRI_NO_SYMBOL ? NULL : &m->system.matrix[rows];
    }
    return NULL;
}

Test(bits, rows_that_nothing_needs_are_absent) {
    made m;
    make_of(&m, "A ::= a A | b\n", "0 1 a; 1 2 a; 2 3 b; 4 5 a; 5 4 a; 3 6 a; 7 2 a");
    const cflri_bit_matrix *a = matrix_of(&m, "A");
    const uint32_t rows[] = {0, 1, 2, 7};
    cr_assert_eq(a->n_rows, 4);
    cr_assert_arr_eq(a->vertex, rows, sizeof rows);
    end(&m);
}

/* ---- sizes ---- */

static uint64_t edges_of(const cflri_bit_system *s) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->first_rule[s->n_stages]; i++) {
        const cflri_bit_rule *rule = &s->rule[i];
        if (rule->edges.start) n += rule->edges.start[rule->edges.n_sources];
        if (rule->image.start) n += rule->image.start[rule->image.n_sources];
    }
    return n;
}

static uint64_t sources_of(const cflri_bit_system *s) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->first_rule[s->n_stages]; i++)
        n += s->rule[i].edges.n_sources + (uint64_t)s->rule[i].image.n_sources;
    return n;
}

/* Label i of `name` leads from vertex i + from to i + to. */
static void add_labels(cflr_graph_builder *builder, const char *name, uint32_t n, uint32_t from,
                       uint32_t to) {
    for (uint32_t i = 0; i < n; i++) test_indexed_edge(builder, name, i, i + from, i + to);
}

/* As many labels as vertices, each with one edge of `f` and of `g`; `a` leads from vertex to
 * vertex. The context counts the memory, of which a table of labels by vertices would take more. */
static void make_labelled(made *m, const char *grammar, uint32_t n) {
    cflr_error error;
    cflr_graph_builder *builder;
    uint32_t a;
    memset(m, 0, sizeof *m);
    world_begin(&m->b.w, 1);
    MUST(cflr_graph_builder_new(m->b.w.context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
    for (uint32_t v = 0; v < n; v++) MUST(cflr_graph_builder_edge(builder, v, v + 1, a, &error));
    add_labels(builder, "f", n, 0, 1);
    add_labels(builder, "g", n, 1, 0);
    MUST(cflr_graph_builder_freeze(builder, &m->b.w.graph, &error));
    world_grammar(&m->b.w, grammar);
    MUST(prepare(&m->b, &error));
    MUST(cflri_spine_plan_init(&m->plan, &m->b.problem, 1, 1, true, &error));
    cflri_take_peak(m->b.w.context);
    MUST(cflri_bit_system_make(&m->plan, &m->system, &error));
}

Test(bits, labels_and_vertices_do_not_multiply) {
    enum { LABELS = 3000, EACH = 24 };
    static const char *const grammars[] = {
        "K ::= a | K f[i]\n",
        "K ::= a | K f[i] | f[i] K g[i] | a K g[i]\n",
        "K ::= a | g[i] K a\n",
        "K ::= a K | g[i] G[i]\nG[i] ::= f[i] | f[i] K g[i]\n",
        "V ::= ~a V | V a | F[i] f[i] | eps\nF[i] ::= ~f[i] V\n",
        "A ::= a A | H[i] g[i]\nH[i] ::= f[i] | H[i] f[i]\n",
    };
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) {
        made m;
        make_labelled(&m, grammars[i], LABELS);
        const char *what = grammars[i];
        uint64_t peak = cflri_take_peak(m.b.w.context) - cflr_context_memory(m.b.w.context);
        cr_assert_lt(edges_of(&m.system), (uint64_t)EACH * LABELS, "%s: %" PRIu64, what,
                     edges_of(&m.system));
        cr_assert_lt(sources_of(&m.system), (uint64_t)EACH * LABELS, "%s: %" PRIu64, what,
                     sources_of(&m.system));
        cr_assert_lt(m.system.first_row[m.system.n_stages], (uint64_t)EACH * LABELS, "%s", what);
        cr_assert_lt(peak, (uint64_t)EACH * LABELS * 40, "%s: %" PRIu64, what, peak);
        end(&m);
    }
}

/* Work that grows with the square of the chain would not end. */
Test(bits, rows_along_a_chain) {
    enum { LONG = TEST_SANITIZED ? 100000 : 1000000 };
    static const char *const grammars[] = {"A ::= a A | b\n", "A ::= a A ~a | b\n"};
    for (size_t i = 0; i < 2; i++) {
        made m = {0};
        cflr_error error;
        cflr_graph_builder *builder;
        uint32_t a, b;
        world_begin(&m.b.w, 1);
        MUST(cflr_graph_builder_new(m.b.w.context, &builder, &error));
        MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
        MUST(cflr_graph_builder_label(builder, "b", NULL, &b, &error));
        for (uint32_t v = 0; v + 1 < LONG; v++)
            MUST(cflr_graph_builder_edge(builder, v, v + 1, a, &error));
        MUST(cflr_graph_builder_edge(builder, LONG - 1, 0, b, &error));
        MUST(cflr_graph_builder_freeze(builder, &m.b.w.graph, &error));
        world_grammar(&m.b.w, grammars[i]);
        make(&m);
        uint32_t rows = 0;
        for (uint32_t k = 0; k < m.system.n_matrices; k++)
            rows += m.system.matrix[k].n_rows == LONG;
        cr_assert_geq(rows, 1, "%s", grammars[i]);
        end(&m);
    }
}
