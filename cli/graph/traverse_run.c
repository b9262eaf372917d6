/* SPDX-License-Identifier: Apache-2.0
 *
 * traverse_run.c: a plain graph is read or made, and a primitive runs on it, trial by trial.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph/traverse.h"

/* Drawn for graphs that are made by rule and have to have weights. */
enum { LEAST_WEIGHT = 1, MOST_WEIGHT = 255 };

/* ---- the graph ---- */

/* A primitive gets the graph that it needs without being asked for it, and says so. */
static void add_both_ways(const traverse_choices *c, cflr_csr_opts *opts) {
    if (!c->needs.symmetric || opts->symmetric) return;
    opts->symmetric = true;
    remark("%s is about graphs without directions: taken with --undirected",
           cflr_primitive_name(c->primitive));
}

/* 0, or the exit code after a message. */
static int draw_weights(traversing *t) {
    const traverse_choices *c = t->choices;
    const char *name = cflr_primitive_name(c->primitive);
    int32_t least = c->graph.least_weight, most = c->graph.most_weight;
    cflr_error error;
    bool lacks = c->needs.weights && cflr_csr_weights(t->csr) == CFLR_WEIGHTS_NONE;
    if (!c->graph.draws_weights) {
        if (!lacks) return 0;
        if (!c->graph.rule) {
            complain(
                "%s: %s needs weights, and the graph has none; --weights LEAST:MOST draws some",
                input_name(c->graph.path), name);
            return EXIT_USAGE;
        }
        least = LEAST_WEIGHT;
        most = MOST_WEIGHT;
        remark("%s needs weights: drawn with --weights %d:%d", name, least, most);
    }
    cflr_status st = cflr_csr_draw_weights(t->csr, least, most, c->graph.weight_seed, &error);
    return st == CFLR_OK ? 0 : fail(&error);
}

/* As it is in its file. */
static int map_graph(traversing *t) {
    const traverse_choices *c = t->choices;
    cflr_error error;
    if (cflr_csr_open(session(), c->graph.path, &t->csr, &error) != CFLR_OK) return fail(&error);
    bool one_way = c->needs.symmetric && !cflr_csr_symmetric(t->csr);
    bool lacks = c->needs.weights && cflr_csr_weights(t->csr) == CFLR_WEIGHTS_NONE;
    if (!one_way && !lacks) return 0;
    complain("%s: %s needs %s: `cflr convert --%s` makes such a file", input_name(c->graph.path),
             cflr_primitive_name(c->primitive), one_way ? "each edge both ways" : "weights",
             one_way ? "undirected" : "weights LEAST:MOST");
    return EXIT_USAGE;
}

static int load(traversing *t) {
    const traverse_choices *c = t->choices;
    cflr_csr_opts opts = c->graph.opts;
    cflr_error error;
    if (c->maps) return map_graph(t);
    add_both_ways(c, &opts);
    opts.drop_weights = !c->needs.weights;
    cflr_status st = load_plain_graph(&c->graph, &opts, &t->csr, &error);
    return st == CFLR_OK ? draw_weights(t) : fail(&error);
}

/* ---- another order ---- */

static int reorder(traversing *t) {
    uint32_t n = cflr_csr_vertices(t->csr);
    cflr_csr *made;
    cflr_error error;
    t->vertex = calloc((size_t)n + 1, sizeof *t->vertex);
    t->number = calloc((size_t)n + 1, sizeof *t->number);
    if (!t->vertex || !t->number) return fail_memory();
    if (cflr_csr_reorder(t->csr, t->choices->order, &made, t->vertex, &error) != CFLR_OK)
        return fail(&error);
    for (uint32_t i = 0; i < n; i++) t->number[t->vertex[i]] = i;
    cflr_csr_free(t->csr);
    t->csr = made;
    return 0;
}

int traverse_load(traversing *t) {
    double begin = seconds_now();
    int code = load(t);
    t->seconds_load = seconds_now() - begin;
    if (code || !t->choices->reorders) return code;
    begin = seconds_now();
    code = reorder(t);
    t->seconds_reorder = seconds_now() - begin;
    return code;
}

/* ---- sources: named as they were before the vertices were reordered ---- */

static uint64_t degree(const traversing *t, uint32_t v) {
    const uint64_t *start = cflr_csr_start(t->csr);
    uint32_t at = t->number ? t->number[v] : v;
    return start[at + 1] - start[at];
}

/* Is it one of the first n sources? */
static bool is_source(const traversing *t, uint32_t n, uint32_t v) {
    for (uint32_t i = 0; i < n; i++) {
        if (t->source[i] == v) return true;
    }
    return false;
}

/* The smallest vertex of most edges that is none of the first n sources. */
static uint32_t greatest_degree(const traversing *t, uint32_t n) {
    uint32_t best = 0;
    while (is_source(t, n, best)) best++;
    for (uint32_t v = best + 1; v < cflr_csr_vertices(t->csr); v++) {
        if (degree(t, v) > degree(t, best) && !is_source(t, n, v)) best = v;
    }
    return best;
}

/* The trial's number below n: bits of its seed and its number, mixed (Steele, Lea, Flood:
 * SplitMix). */
static uint32_t draw(uint64_t seed, uint64_t trial, uint32_t n) {
    uint64_t bits = seed * UINT64_C(0xd1342543de82ef95) + trial * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    bits ^= bits >> 31;
    return (uint32_t)((bits >> 32) * n >> 32);
}

/* One of the vertices that have an edge, all of them alike; of all, where none has. */
static uint32_t random_vertex(const traversing *t, uint64_t seed, uint64_t trial) {
    uint32_t n = cflr_csr_vertices(t->csr), with_edges = 0, v = 0;
    for (uint32_t i = 0; i < n; i++) with_edges += degree(t, i) > 0;
    if (!with_edges) return draw(seed, trial, n);
    for (uint32_t left = draw(seed, trial, with_edges);; v++) {
        if (degree(t, v) && !left--) return v;
    }
}

static int make_room_for_sources(traversing *t, uint32_t n) {
    t->source = calloc((size_t)n + 1, sizeof *t->source);
    t->source_number = calloc((size_t)n + 1, sizeof *t->source_number);
    t->n_sources = n;
    return t->source && t->source_number ? 0 : fail_memory();
}

/* A number that is no vertex stays, and the library then refuses it. */
static void number_sources(traversing *t) {
    for (uint32_t i = 0; i < t->n_sources; i++) {
        uint32_t v = t->source[i];
        t->source_number[i] = t->number && v < cflr_csr_vertices(t->csr) ? t->number[v] : v;
    }
}

/* The vertex of this name, as it was numbered first. */
static uint32_t vertex_named(const traversing *t, const char *name) {
    uint32_t v = cflr_csr_find(t->csr, name);
    return v != CFLR_NO_VERTEX && t->vertex ? t->vertex[v] : v;
}

/* Sources by name, with commas between, or one whose name has some. */
static int find_names(const traversing *t, char *text) {
    traverse_choices *c = t->choices;
    c->source[0] = vertex_named(t, text);
    c->n_sources = c->source[0] != CFLR_NO_VERTEX;
    if (c->n_sources) return check_sources(c);
    for (char *name; (name = strsep(&text, ","));) {
        uint32_t v = c->source[c->n_sources++] = vertex_named(t, name);
        if (v != CFLR_NO_VERTEX) continue;
        complain("--source %s: no vertex has this name", name);
        return EXIT_USAGE;
    }
    return check_sources(c);
}

/* Sources that may be names, once the graph is there. */
static int resolve_sources(traversing *t) {
    traverse_choices *c = t->choices;
    if (!c->sources || c->n_sources) return 0;
    if (!cflr_csr_has_names(t->csr))
        return read_vertices(c->sources, c) ? check_sources(c) : fail_sources(c->sources);
    char *text = strdup(c->sources);
    int code = text ? find_names(t, text) : fail_memory();
    free(text);
    return code;
}

/* Does an edge leave it, or come to it? Rows that are in a file are not looked at: it may. */
static bool has_edges(const traversing *t, uint32_t v) {
    const uint32_t *target = cflr_csr_target(t->csr);
    uint32_t at = t->number ? t->number[v] : v;
    bool found = degree(t, v) || !target;
    for (uint64_t e = 0; !found && e < cflr_csr_edges(t->csr); e++) found = target[e] == at;
    return found;
}

/* Counting from 1 is what many lists do. */
static void note_lonely_source(const traversing *t) {
    const traverse_choices *c = t->choices;
    if (!c->n_sources || c->source[0] >= cflr_csr_vertices(t->csr)) return;
    if (has_edges(t, c->source[0])) return;
    bool may_be_none = !c->source[0] && !cflr_csr_has_names(t->csr);
    remark("source %.*s has no edges%s", (int)strcspn(c->sources, ","), c->sources,
           may_be_none ? ": are vertices counted from 1?" : "");
}

/* The sources of all trials, but for one that is drawn; 0, or the exit code after a message. */
static int choose_sources(traversing *t) {
    const traverse_choices *c = t->choices;
    uint32_t n = cflr_csr_vertices(t->csr), usual = c->needs.usual_sources;
    if (usual == 0) usual = 1;
    int code = resolve_sources(t);
    if (code) return code;
    note_lonely_source(t);
    bool chooses = !c->n_sources && (c->random_source || c->needs.least_sources);
    code = make_room_for_sources(t, !chooses ? c->n_sources : n < usual ? n : usual);
    if (code) return code;
    if (chooses && !n) {
        complain("%s needs a vertex to begin at, and the graph has none",
                 cflr_primitive_name(c->primitive));
        return EXIT_USAGE;
    }
    for (uint32_t i = 0; chooses && !c->random_source && i < t->n_sources; i++) {
        t->source[i] = greatest_degree(t, i);
    }
    if (c->n_sources) memcpy(t->source, c->source, c->n_sources * sizeof *t->source);
    number_sources(t);
    return 0;
}

static void draw_source(traversing *t, uint32_t trial) {
    for (uint32_t i = 0; i < t->n_sources; i++) {
        uint64_t number = (uint64_t)trial * t->n_sources + i;
        t->source[i] = random_vertex(t, t->choices->source_seed, number);
    }
    number_sources(t);
}

/* ---- trials ---- */

/* Adds what the check of one trial found. 0, or the exit code after a message. */
static int verify(traversing *t, uint32_t trial) {
    cflr_traverse_report *all = &t->verified, report;
    cflr_error error;
    double begin = seconds_now();
    if (cflr_traversal_verify(t->traversal, &report, &error) != CFLR_OK) {
        complain("the run could not be verified: %s", error.message);
        return cflr_status_exit_code(error.code);
    }
    t->seconds_verify += seconds_now() - begin;
    all->checked += report.checked;
    if (report.worst > all->worst) all->worst = report.worst;
    if (report.wrong && !all->wrong) {
        memcpy(all->first_failure, report.first_failure, sizeof all->first_failure);
        complain("trial %" PRIu32 " is wrong: %s", trial + 1, report.first_failure);
    }
    all->wrong += report.wrong;
    return 0;
}

static int run_trial(traversing *t, uint32_t trial) {
    cflr_error error;
    if (t->choices->random_source) draw_source(t, trial);
    if (cflr_traversal_run(t->traversal, t->source_number, t->n_sources, &error) != CFLR_OK) {
        return fail(&error);
    }
    cflr_traversal_stats stats = cflr_traversal_statistics(t->traversal);
    t->trial[trial] = (traverse_trial){.seconds = stats.run_seconds,
                                       .iterations = stats.iterations,
                                       .edges_inspected = stats.edges_inspected,
                                       .source = t->n_sources ? t->source[0] : 0};
    return t->choices->verify ? verify(t, trial) : 0;
}

static int compare_trials(const void *a, const void *b) {
    const traverse_trial *x = *(const traverse_trial *const *)a;
    const traverse_trial *y = *(const traverse_trial *const *)b;
    if (x->seconds != y->seconds) return x->seconds < y->seconds ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* 0, or the exit code after a message. */
static int rank_trials(traversing *t) {
    uint32_t n = t->choices->trials;
    const traverse_trial **by_time = calloc(n, sizeof *by_time);
    if (!by_time) return fail_memory();
    for (uint32_t i = 0; i < n; i++) by_time[i] = &t->trial[i];
    qsort(by_time, n, sizeof *by_time, compare_trials);
    t->least = by_time[0];
    t->median = by_time[(n - 1) / 2];
    free(by_time);
    return 0;
}

int traverse_run(traversing *t) {
    const traverse_choices *c = t->choices;
    cflr_error error;
    int code = 0;
    t->trial = calloc(c->trials, sizeof *t->trial);
    if (!t->trial) return fail_memory();
    if (cflr_traversal_new(t->csr, c->primitive, &c->opts, &t->traversal, &error) != CFLR_OK) {
        return fail(&error);
    }
    code = choose_sources(t);
    for (uint32_t i = 0; !code && i < c->trials; i++) code = run_trial(t, i);
    if (!code) code = rank_trials(t);
    if (code) return code;
    return t->verified.wrong ? EXIT_NO : 0;
}

void traverse_free(traversing *t) {
    cflr_traversal_free(t->traversal);
    cflr_csr_free(t->csr);
    free(t->trial);
    for (uint32_t k = 0; k < MOST_COLUMNS; k++) free(t->restored[k]);
    free(t->vertex);
    free(t->number);
    free(t->source);
    free(t->source_number);
}
