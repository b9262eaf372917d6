/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortest derivations: each step is a pair, steps join, and there are no fewer.
 */
#include "cflr/witness.h"
#include "support.h"

/* Values that rest in memory: M is symmetric and follows from d alone. */
static const char memory[] =
    "%start Found\n"
    "Found[r] ::= Held sink[r]\n"
    "Held  ::= Given | Given M\n"
    "Given ::= source | Held Pass\n"
    "Pass  ::= a | data\n"
    "M     ::= ~d d\n";

static void begin(world *w, const char *edges, const char *grammar, const char *const *only,
                  size_t n_only) {
    cflr_error error;
    cflr_solve_opts opts;
    world_begin(w, 2);
    world_graph(w, edges);
    MUST(test_grammar(w->context, grammar, &w->grammar, &error));
    cflr_solve_opts_init(&opts);
    opts.only = only;
    opts.n_only = n_only;
    MUST(cflr_solve(w->graph, w->grammar, &opts, &w->result, &error));
}

static cflr_witness *search(world *w, const char *symbol, const char *index, uint32_t source) {
    cflr_error error;
    cflr_witness *witness;
    MUST(cflr_witness_new(w->grammar, w->result, &witness, &error));
    MUST(cflr_witness_search(witness, symbol, index, &source, 1, CFLR_NO_VERTEX, &error));
    return witness;
}

/* "0 -source-> 1 -M-> 3" */
static void write_path(const cflr_witness *witness, uint32_t target, char *text, size_t size) {
    cflr_witness_step step[64];
    size_t n = cflr_witness_path(witness, target, step, 64), at = 0;
    text[0] = '\0';
    cr_assert_leq(n, 64);
    for (size_t i = 0; i < n; i++) {
        if (i == 0) at += (size_t)snprintf(text, size, "%u", step[0].source);
        if (i > 0) cr_assert_eq(step[i].source, step[i - 1].target);
        at += (size_t)snprintf(text + at, size - at, " -%s%s%s%s-> %u", step[i].symbol,
                               step[i].index[0] ? "[" : "", step[i].index,
                               step[i].index[0] ? "]" : "", step[i].target);
    }
}

static const char *const of_memory[] = {"Found", "M"};

Test(witness, path_through_memory) {
    /* 0 -source-> 1; 8 points to both 1 and 3; 3 -a-> 4 -data-> 5; a longer way is 1 -a-> 6 ... */
    world w;
    char text[256];
    begin(&w,
          "0 1 source; 8 1 d; 8 3 d; 3 4 a; 4 5 data; 5 7 sink[x]; 1 6 a; 6 9 a; 9 10 a; 10 4 a; 4 "
          "11 "
          "sink[y]",
          memory, of_memory, 2);
    cflr_witness *witness = search(&w, "Found", "x", 0);
    write_path(witness, 7, text, sizeof text);
    cr_expect_str_eq(text, "0 -source-> 1 -M-> 3 -a-> 4 -data-> 5 -sink[x]-> 7");
    cr_expect_eq(cflr_witness_path(witness, 11, NULL, 0), 0, "that is y");
    cr_expect_eq(cflr_witness_path(witness, 5, NULL, 0), 0, "no goal");
    cflr_error error;
    uint32_t source = 0;
    MUST(cflr_witness_search(witness, "Found", "y", &source, 1, 11, &error));
    write_path(witness, 11, text, sizeof text);
    cr_expect_str_eq(text, "0 -source-> 1 -M-> 3 -a-> 4 -sink[y]-> 11");
    cflr_witness_step first;
    cr_expect_eq(cflr_witness_path(witness, 11, &first, 1), 4);
    cr_expect_eq(first.target, 1);
    cflr_witness_free(witness);
    world_end(&w);
}

/* A longer way around, or none; a source may be avoided itself. */
Test(witness, avoided_vertices) {
    world w;
    char text[128];
    cflr_error error;
    uint32_t source = 0;
    bool avoided[12] = {[0] = true, [3] = true};
    begin(&w, "0 1 source; 8 1 d; 8 3 d; 3 9 sink[x]; 1 4 a; 4 5 a; 5 9 sink[x]; 3 10 sink[x]",
          memory, of_memory, 2);
    cflr_witness *witness = search(&w, "Found", "x", 0);
    write_path(witness, 9, text, sizeof text);
    cr_expect_str_eq(text, "0 -source-> 1 -M-> 3 -sink[x]-> 9");
    cflr_witness_avoid(witness, avoided);
    MUST(cflr_witness_search(witness, "Found", "x", &source, 1, CFLR_NO_VERTEX, &error));
    write_path(witness, 9, text, sizeof text);
    cr_expect_str_eq(text, "0 -source-> 1 -a-> 4 -a-> 5 -sink[x]-> 9");
    cr_expect_eq(cflr_witness_path(witness, 10, NULL, 0), 0, "only by 3");
    cflr_witness_avoid(witness, NULL);
    MUST(cflr_witness_search(witness, "Found", "x", &source, 1, CFLR_NO_VERTEX, &error));
    cr_expect_eq(cflr_witness_path(witness, 10, NULL, 0), 3);
    cflr_witness_free(witness);
    world_end(&w);
}

Test(witness, nearest_of_several_sources) {
    world w;
    cflr_error error;
    begin(&w, "0 1 source; 1 2 a; 2 3 a; 3 9 sink[r]; 5 3 source", memory, of_memory, 2);
    cflr_witness *witness;
    const uint32_t sources[] = {0, 5};
    char text[128];
    MUST(cflr_witness_new(w.grammar, w.result, &witness, &error));
    MUST(cflr_witness_search(witness, "Found", "r", sources, 2, CFLR_NO_VERTEX, &error));
    write_path(witness, 9, text, sizeof text);
    cr_expect_str_eq(text, "5 -source-> 3 -sink[r]-> 9");
    cflr_witness_free(witness);
    world_end(&w);
}

/* 3 is of type 20, which 0 does not read and 5 does, though later; 1 is of 21. What is entered by a
 * rule with one symbol is filtered as well. */
Test(witness, filters_of_several_sources) {
    static const char edges[] =
        "0 1 source; 1 3 a; 3 4 a; 4 9 sink[r]; 5 6 source; 6 7 a; 7 1 a; "
        "0 21 reads; 1 21 is; 4 21 is; 3 20 is";
    world w;
    cflr_error error;
    cflr_witness *witness;
    const uint32_t sources[] = {0, 5};
    char text[128], grammar[512];
    for (int held = 0; held < 2; held++) {
        snprintf(grammar, sizeof grammar, "%%filter %s reads ~is\n%s", held ? "Held" : "Given",
                 memory);
        begin(&w, edges, grammar, of_memory, 2);
        MUST(cflr_witness_new(w.grammar, w.result, &witness, &error));
        MUST(cflr_witness_search(witness, "Found", "r", sources, 2, CFLR_NO_VERTEX, &error));
        write_path(witness, 9, text, sizeof text);
        cr_expect_str_eq(text, "5 -source-> 6 -a-> 7 -a-> 1 -a-> 3 -a-> 4 -sink[r]-> 9");
        MUST(cflr_witness_search(witness, "Found", "r", sources, 1, CFLR_NO_VERTEX, &error));
        cr_expect_eq(cflr_witness_path(witness, 9, NULL, 0), 0);
        MUST(cflr_witness_search(witness, "Found", "r", sources, 2, 9, &error));
        cr_expect_eq(cflr_witness_path(witness, 9, NULL, 0), 6);
        cflr_witness_free(witness);
        world_end(&w);
    }
}

/* What is filtered and read as a step is read from the result. */
Test(witness, filtered_step) {
    static const char *const only[] = {"Route", "Step"};
    static const char grammar[] =
        "%start Route\n%filter Step reads ~is\n"
        "Route ::= Step | Route Step\nStep ::= a\n";
    world w;
    cflr_error error;
    char text[128];
    uint32_t source = 0;
    begin(&w, "0 1 a; 1 2 a; 0 3 a; 3 2 a; 0 9 reads; 3 9 is", grammar, only, 2);
    cflr_witness *witness = search(&w, "Route", "", 0);
    write_path(witness, 2, text, sizeof text);
    cr_expect_str_eq(text, "0 -a-> 3 -Step-> 2");
    cr_expect_eq(cflr_witness_path(witness, 1, NULL, 0), 0);
    cflr_witness_free(witness);
    world_end(&w);
    begin(&w, "0 1 a", grammar, only, 1);
    MUST(cflr_witness_new(w.grammar, w.result, &witness, &error));
    cr_expect_eq(cflr_witness_search(witness, "Route", "", &source, 1, CFLR_NO_VERTEX, &error),
                 CFLR_ARGUMENT);
    cr_expect_str_eq(error.message, "the result does not hold Step, which derivations read");
    cflr_witness_free(witness);
    world_end(&w);
}

Test(witness, epsilon) {
    static const char *const only[] = {"Route", "M"};
    world w;
    char text[128];
    begin(&w, "0 1 a; 1 2 a; 7 2 d; 7 4 d",
          "%start Route\nRoute ::= Hop | Hop M\n"
          "Hop ::= eps | Route a\nM ::= ~d d\n",
          only, 2);
    cflr_witness *witness = search(&w, "Route", "", 0);
    write_path(witness, 4, text, sizeof text);
    cr_expect_str_eq(text, "0 -a-> 1 -a-> 2 -M-> 4");
    cr_expect_eq(cflr_witness_path(witness, 0, NULL, 0), 0, "nothing to do");
    cflr_witness_free(witness);
    world_end(&w);
}

/* What is asked of whom. */
Test(witness, refusals) {
    static const char *const without[] = {"Found"};
    world w;
    cflr_error error;
    cflr_witness *witness;
    uint32_t source = 0, far = 99;
    begin(&w, "0 1 source; 1 2 a; 2 9 sink[r]; 3 1 d", memory, without, 1);
    MUST(cflr_witness_new(w.grammar, w.result, &witness, &error));
    cr_expect_eq(cflr_witness_search(witness, "Found", "r", &source, 1, CFLR_NO_VERTEX, &error),
                 CFLR_ARGUMENT);
    cr_expect_str_eq(error.message, "the result does not hold M, which derivations read");
    cr_expect_eq(cflr_witness_search(witness, "Lost", "", &source, 1, CFLR_NO_VERTEX, &error),
                 CFLR_ARGUMENT);
    cr_expect_eq(cflr_witness_path(witness, 9, NULL, 0), 0, "forgotten");
    cflr_witness_free(witness);
    world_end(&w);

    begin(&w, "0 1 source; 1 2 a; 2 9 sink[r]; 3 1 d", memory, of_memory, 2);
    MUST(cflr_witness_new(w.grammar, w.result, &witness, &error));
    cr_expect_eq(cflr_witness_search(witness, "Found", "r", &far, 1, CFLR_NO_VERTEX, &error),
                 CFLR_ARGUMENT);
    cflr_witness_free(witness);
    cflr_solve_opts opts;
    cflr_result *answers;
    cflr_solve_opts_init(&opts);
    opts.from = &source;
    opts.n_from = 1;
    MUST(cflr_solve(w.graph, w.grammar, &opts, &answers, &error));
    cr_expect_eq(cflr_witness_new(w.grammar, answers, &witness, &error), CFLR_ARGUMENT);
    cflr_result_free(answers);
    world_end(&w);
}

/* ---- random graphs: beside a search that reads nothing but pairs ---- */

enum { VERTICES = 14 };

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static bool has_edge(const world *w, const char *name, const char *index, uint32_t u, uint32_t v) {
    uint64_t n = 0;
    uint32_t label = cflr_graph_find_label(w->graph, name, index);
    const uint32_t *row = NULL;
    if (label != CFLR_NO_LABEL) row = cflr_graph_row(w->graph, label, CFLR_OUT, u, &n);
    for (uint64_t i = 0; i < n; i++)
        if (row[i] == v) return true;
    return false;
}

static bool is_less(unsigned *least, unsigned other) {
    bool less = other < *least;
    if (less) *least = other;
    return less;
}

/* By `%filter ... reads ~is`. */
static bool is_kept(const world *w, uint32_t u, uint32_t v) {
    bool reads = false;
    for (uint32_t t = 0; t < VERTICES; t++) {
        if (!has_edge(w, "reads", NULL, u, t)) continue;
        if (has_edge(w, "is", NULL, v, t)) return true;
        reads = true;
    }
    return !reads;
}

enum { NEVER = 1000 };

/* Steps from a source to each goal, as the rules say. */
static void count_steps(const world *w, uint32_t source, bool filtered, unsigned steps[VERTICES]) {
    unsigned given[VERTICES], held[VERTICES];
    uint32_t m = cflr_result_find_label(w->result, "M");
    for (uint32_t v = 0; v < VERTICES; v++) {
        given[v] = has_edge(w, "source", NULL, source, v) ? 1 : NEVER;
        held[v] = steps[v] = NEVER;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < VERTICES * VERTICES; i++) {
            uint32_t u = i / VERTICES, v = i % VERTICES;
            bool passes = has_edge(w, "a", NULL, u, v) || has_edge(w, "data", NULL, u, v);
            bool holds = m != CFLR_NO_LABEL && cflr_result_has(w->result, m, u, v);
            if (!filtered || is_kept(w, source, v)) {
                changed |= is_less(&held[v], given[v]);
                if (holds) changed |= is_less(&held[v], given[u] + 1);
            }
            if (passes) changed |= is_less(&given[v], held[u] + 1);
            if (has_edge(w, "sink", "r", u, v)) changed |= is_less(&steps[v], held[u] + 1);
        }
    }
}

static bool is_pair(const world *w, const cflr_witness_step *step) {
    if (strcmp(step->symbol, "M") == 0)
        return cflr_result_has(w->result, cflr_result_find_label(w->result, "M"), step->source,
                               step->target);
    return has_edge(w, step->symbol, step->index[0] ? step->index : NULL, step->source,
                    step->target);
}

static unsigned check_goals(const world *w, uint32_t seed, bool filtered) {
    static const uint32_t sources[] = {0, 1};
    cflr_error error;
    cflr_witness *witness;
    unsigned found = 0, steps[2][VERTICES];
    MUST(cflr_witness_new(w->grammar, w->result, &witness, &error));
    MUST(cflr_witness_search(witness, "Found", "r", sources, 2, CFLR_NO_VERTEX, &error));
    for (int k = 0; k < 2; k++) count_steps(w, sources[k], filtered, steps[k]);
    for (uint32_t v = 0; v < VERTICES; v++) {
        cflr_witness_step path[64];
        size_t n = cflr_witness_path(witness, v, path, 64);
        unsigned least = steps[0][v] < steps[1][v] ? steps[0][v] : steps[1][v];
        cr_assert_eq(n, least < NEVER ? least : 0, "seed %u, goal %u: %zu steps, not %u", seed, v,
                     n, least);
        for (size_t i = 0; i < n; i++) cr_assert(is_pair(w, &path[i]));
        found += n > 0;
    }
    cflr_witness_free(witness);
    return found;
}

static unsigned check_random(uint32_t seed, bool filtered) {
    static const char *const labels[] = {"a", "data", "d", "source", "sink[r]", "reads", "is"};
    char edges[1024], grammar[512];
    size_t at = 0;
    uint32_t state = seed;
    for (int i = 0; i < (filtered ? 40 : 26); i++) {
        const char *label = labels[next_random(&state) % (filtered ? 7 : 5)];
        bool ours = strcmp(label, "source") == 0 || strcmp(label, "reads") == 0;
        uint32_t from = next_random(&state) % (ours ? 2 : VERTICES);
        uint32_t to = next_random(&state) % (label[0] == 'r' || label[0] == 'i' ? 2 : VERTICES);
        at += (size_t)snprintf(edges + at, sizeof edges - at, "%u %u %s; ", from, to, label);
    }
    snprintf(edges + at, sizeof edges - at, "0 %u a", VERTICES - 1);
    snprintf(grammar, sizeof grammar, "%s%s",
             filtered ? "%filter Held reads ~is\n%filter M reads ~is\n" : "", memory);
    world w;
    begin(&w, edges, grammar, of_memory, 2);
    cflr_result_label info;
    cflr_result_get_label(w.result, cflr_result_find_label(w.result, "Found"), &info);
    unsigned found = info.indexes > 0 ? check_goals(&w, seed, filtered) : 0;
    world_end(&w);
    return found;
}

Test(witness, random_graphs) {
    for (int filtered = 0; filtered < 2; filtered++) {
        unsigned found = 0;
        for (uint32_t seed = 1; seed <= 400; seed++) found += check_random(seed, filtered);
        cr_expect_gt(found, 300, "%u", found);
    }
}

/* ---- gates ---- */

typedef struct closed {
    uint32_t source, target; /* the pair that is no step */
    size_t asked;
} closed;

static uint32_t group_of(void *user, const char *symbol, uint32_t source) {
    const closed *c = user;
    return strcmp(symbol, "M") == 0 && source == c->source ? 7 : 0;
}

static bool lets(void *user, const char *symbol, uint32_t source, uint32_t target) {
    closed *c = user;
    cr_expect(strcmp(symbol, "M") == 0 && source == c->source, "%s %u", symbol, source);
    c->asked++;
    return target != c->target;
}

/* 1, 2 and 3 are one place; 1 is written first, and 2 by way of 5. */
static const char places[] =
    "0 1 source; 8 1 d; 8 2 d; 8 3 d; 1 5 a; 5 2 a; 3 4 a; 4 7 sink[x]; 3 9 a; 9 10 sink[y]";

Test(witness, goes_around_pairs) {
    world w;
    char text[256];
    cflr_error error;
    uint32_t source = 0;
    closed c = {.source = 1, .target = 3};
    const cflr_witness_gate gate = {.group = group_of, .lets = lets, .user = &c};
    begin(&w, places, memory, of_memory, 2);
    cflr_witness *witness = search(&w, "Found", "x", 0);
    write_path(witness, 7, text, sizeof text);
    cr_expect_str_eq(text, "0 -source-> 1 -M-> 3 -a-> 4 -sink[x]-> 7");
    cflr_witness_filter(witness, &gate);
    MUST(cflr_witness_search(witness, "Found", "x", &source, 1, CFLR_NO_VERTEX, &error));
    write_path(witness, 7, text, sizeof text);
    /* the row of 2 is that of 1, and was read from there, but not all of it */
    cr_expect_str_eq(text, "0 -source-> 1 -a-> 5 -a-> 2 -M-> 3 -a-> 4 -sink[x]-> 7");
    cr_expect_gt(c.asked, 0);
    cflr_witness_filter(witness, NULL);
    MUST(cflr_witness_search(witness, "Found", "x", &source, 1, CFLR_NO_VERTEX, &error));
    cr_expect_eq(cflr_witness_path(witness, 7, NULL, 0), 4);
    cflr_witness_free(witness);
    world_end(&w);
}

Test(witness, tells_that_it_was_cut) {
    world w;
    cflr_error error;
    uint32_t source = 0;
    begin(&w, places, memory, of_memory, 2);
    cflr_witness *witness = search(&w, "Found", "x", 0);
    cr_expect_not(cflr_witness_cut(witness));
    cflr_witness_bound(witness, 1);
    MUST(cflr_witness_search(witness, "Found", "x", &source, 1, CFLR_NO_VERTEX, &error));
    cr_expect(cflr_witness_cut(witness));
    cr_expect_eq(cflr_witness_path(witness, 7, NULL, 0), 0);
    cflr_witness_free(witness);
    world_end(&w);
}
