/* SPDX-License-Identifier: Apache-2.0
 *
 * traverse.c: many runs of the graph engine on one graph, one JSON object a line.
 *
 *     traverse [OPTION]... GRAPH CASE...
 *
 * GRAPH is a rule of `cflr graph --gen`, or a file, whose rows stay there with --map. A CASE is a
 * primitive and, with colons between, what is not the default: cpu or gpu, a schedule, a transfer,
 * push or pull, idempotent, and delta=X, tolerance=X, steps=N, split=N, hops=N, circle=N or gpus=N.
 * With share=N edges get one N-th of what they take on a GPU.
 *
 *     traverse --undirected --weights 255 --trials 7 --verify 1 rmat:16 bfs:gpu:warp \
 *         sssp:gpu:delta=16 pagerank:cpu
 *
 * The first line is about the graph; then one is about each case, with the seconds of each trial.
 * Trials begin at vertices that have edges, the same ones for every case, or all at --source; the
 * ground of a circuit is the last vertex. The first --verify trials of a case are held against the
 * serial verifier; one that gave the same bits as the last run that was found right, of the same
 * primitive and source, is right without it.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cflr/traverse.h"

enum { MOST_TRIALS = 1000, MOST_CASE = 120 };

typedef struct setting {
    int threads, trials, verified, most_weight;
    cflr_csr_opts graph;
    long source;       /* of all trials; below 0: drawn */
    const char *order; /* NULL: none */
    const char *write; /* NULL: nowhere */
    bool maps;         /* the graph stays in its file */
} setting;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int complain(const char *about, const char *what) {
    fprintf(stderr, "traverse: %s: %s\n", about, what);
    return 2;
}

/* ---- a case ---- */

typedef struct one_case {
    cflr_primitive primitive;
    double share;
    cflr_traverse_opts opts;
} one_case;

/* name=number */
static bool read_number(const char *word, const char *name, double *number) {
    size_t n = strlen(name);
    char *end;
    if (strncmp(word, name, n) != 0 || word[n] != '=') return false;
    *number = strtod(word + n + 1, &end);
    return end != word + n + 1 && !*end;
}

static bool read_word(const char *word, one_case *c) {
    double steps, split, hops, circle, gpus;
    cflr_error error;
    if (strcmp(word, "cpu") == 0)
        c->opts.device = CFLR_DEVICE_CPU;
    else if (strcmp(word, "gpu") == 0)
        c->opts.device = CFLR_DEVICE_GPU;
    else if (strcmp(word, "push") == 0)
        c->opts.way = CFLR_WAY_PUSH;
    else if (strcmp(word, "pull") == 0)
        c->opts.way = CFLR_WAY_PULL;
    else if (strcmp(word, "idempotent") == 0)
        c->opts.idempotent = true;
    else if (read_number(word, "steps", &steps))
        c->opts.most_iterations = (uint32_t)steps;
    else if (read_number(word, "split", &split))
        c->opts.split = (uint32_t)split;
    else if (read_number(word, "hops", &hops))
        c->opts.hops = (uint32_t)hops;
    else if (read_number(word, "circle", &circle))
        c->opts.circle = (uint32_t)circle;
    else if (read_number(word, "gpus", &gpus))
        c->opts.gpus = (uint32_t)gpus;
    else if (read_number(word, "share", &c->share))
        return true;
    else if (cflr_transfer_parse(word, &c->opts.transfer, &error) == CFLR_OK)
        return true;
    else if (read_number(word, "delta", &c->opts.delta))
        return true;
    else if (read_number(word, "tolerance", &c->opts.tolerance))
        return true;
    else
        return cflr_schedule_parse(word, &c->opts.schedule, &error) == CFLR_OK;
    return true;
}

static int read_case(const char *text, one_case *c) {
    char words[MOST_CASE], *rest = words;
    cflr_error error;
    snprintf(words, sizeof words, "%s", text);
    cflr_traverse_opts_init(&c->opts);
    c->share = 0;
    if (cflr_primitive_parse(strsep(&rest, ":"), &c->primitive, &error) != CFLR_OK)
        return complain(text, error.message);
    while (rest) {
        const char *word = strsep(&rest, ":");
        if (!read_word(word, c)) return complain(text, word);
    }
    return 0;
}

/* ---- trials ---- */

static uint64_t next_random(uint64_t *state) {
    return *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/* A vertex that has edges, if there is one. */
static uint32_t draw_source(const cflr_csr *csr, uint64_t *state) {
    const uint64_t *start = cflr_csr_start(csr);
    uint32_t n = cflr_csr_vertices(csr), v;
    do {
        v = (uint32_t)((next_random(state) >> 33) % n);
    } while (start[v] == start[v + 1] && cflr_csr_edges(csr));
    return v;
}

typedef struct outcome {
    double seconds[MOST_TRIALS];
    uint32_t source[MOST_TRIALS];
    int n;
    double verify_seconds;
    cflr_traverse_report report;
    cflr_error error;
} outcome;

/* ---- what was found right ---- */

enum { MOST_COLUMNS = 4, MOST_VALUES = 4 };

typedef struct right_run {
    bool is_there;
    cflr_primitive primitive;
    uint32_t source;
    cflr_column column[MOST_COLUMNS]; /* values are a copy */
    cflr_value value[MOST_VALUES];
    uint64_t checked;
} right_run;

static size_t column_bytes(const cflr_column *column) {
    static const uint8_t size[] = {1, 4, 8, 4, 8}; /* by cflr_column_type */
    return column->n * size[column->type];
}

static void forget(right_run *right) {
    for (int i = 0; i < MOST_COLUMNS; i++) free((void *)right->column[i].values);
    memset(right, 0, sizeof *right);
}

static bool same_column(const cflr_column *a, const cflr_column *b) {
    return a->n == b->n && a->type == b->type && memcmp(a->values, b->values, column_bytes(a)) == 0;
}

/* No bit is different. */
static bool is_same(const right_run *right, const cflr_traversal *traversal) {
    cflr_column column;
    cflr_value value;
    for (uint32_t i = 0; i < MOST_COLUMNS && cflr_traversal_column(traversal, i, &column); i++)
        if (!right->column[i].values || !same_column(&right->column[i], &column)) return false;
    for (uint32_t i = 0; i < MOST_VALUES && cflr_traversal_value(traversal, i, &value); i++)
        if (value.count != right->value[i].count || value.number != right->value[i].number)
            return false;
    return true;
}

static void keep(right_run *right, const one_case *c, uint32_t source, uint64_t checked,
                 const cflr_traversal *traversal) {
    forget(right);
    *right = (right_run){true, c->primitive, source, .checked = checked};
    for (uint32_t i = 0; i < MOST_COLUMNS && cflr_traversal_column(traversal, i, &right->column[i]);
         i++) {
        size_t bytes = column_bytes(&right->column[i]);
        void *copy = malloc(bytes + 1);
        if (copy) memcpy(copy, right->column[i].values, bytes);
        right->column[i].values = copy; /* without one, nothing is the same */
    }
    for (uint32_t i = 0; i < MOST_VALUES && cflr_traversal_value(traversal, i, &right->value[i]);
         i++)
        continue;
}

static bool verify(const one_case *c, uint32_t source, const cflr_traversal *traversal,
                   cflr_traverse_report *report, cflr_error *error) {
    static right_run right;
    memset(report, 0, sizeof *report);
    if (right.is_there && right.primitive == c->primitive && right.source == source &&
        is_same(&right, traversal)) {
        report->checked = right.checked;
        return true;
    }
    if (cflr_traversal_verify(traversal, report, error) != CFLR_OK) return false;
    if (!report->wrong) keep(&right, c, source, report->checked, traversal);
    return true;
}

static void add_report(outcome *o, const cflr_traverse_report *report) {
    o->report.checked += report->checked;
    if (report->wrong && !o->report.wrong)
        memcpy(o->report.first_failure, report->first_failure, sizeof report->first_failure);
    o->report.wrong += report->wrong;
    if (report->worst > o->report.worst) o->report.worst = report->worst;
}

static bool run_trials(const cflr_csr *csr, const setting *s, const one_case *c,
                       cflr_traversal *traversal, outcome *o) {
    uint64_t state = 27;
    uint32_t sources = cflr_primitive_asks(c->primitive).usual_sources;
    for (int i = 0; i < s->trials; i++) {
        cflr_traverse_report report;
        if (s->source >= 0)
            o->source[i] = (uint32_t)s->source;
        else if (cflr_csr_vertices(csr))
            o->source[i] = draw_source(csr, &state);
        const uint32_t from[] = {o->source[i], cflr_csr_vertices(csr) - 1};
        if (cflr_traversal_run(traversal, from, sources, &o->error) != CFLR_OK) return false;
        o->seconds[o->n++] = cflr_traversal_statistics(traversal).run_seconds;
        if (i >= s->verified) continue;
        double begin = seconds_now();
        if (!verify(c, o->source[i], traversal, &report, &o->error)) return false;
        o->verify_seconds += seconds_now() - begin;
        add_report(o, &report);
    }
    return true;
}

/* ---- lines ---- */

static void print_outcome(const char *text, const cflr_traversal *traversal, const outcome *o) {
    cflr_traversal_stats stats = cflr_traversal_statistics(traversal);
    printf("{\"case\": \"%s\", \"device\": \"%s\", \"schedule\": \"%s\", \"seconds\": [", text,
           stats.device_name, stats.schedule);
    for (int i = 0; i < o->n; i++) printf("%s%.9f", i ? ", " : "", o->seconds[i]);
    printf("], \"sources\": [");
    for (int i = 0; i < o->n; i++) printf("%s%u", i ? ", " : "", o->source[i]);
    printf("], \"gpus\": %" PRIu32 ", \"transfer\": \"%s\", \"rows\": %" PRIu64
           ", \"moved\": %" PRIu64 ", \"needed\": %" PRIu64 ", \"loads\": %" PRIu64
           ", \"gather\": %.6f, \"copies\": %.6f, \"wait\": %.6f",
           stats.gpus, stats.transfer, stats.device_rows, stats.moved.bytes_moved,
           stats.moved.bytes_needed, stats.moved.loads, stats.moved.gather_seconds,
           stats.moved.copy_seconds, stats.moved.wait_seconds);
    printf(", \"iterations\": %" PRIu64 ", \"inspected\": %" PRIu64 ", \"memory\": %" PRIu64
           ", \"transform\": %.6f, \"copy\": %.6f, \"checked\": %" PRIu64 ", \"wrong\": %" PRIu64
           ", \"worst\": %.6g, \"failure\": \"%s\", \"verify\": %.6f}\n",
           stats.iterations, stats.edges_inspected, stats.memory, stats.transform_seconds,
           stats.copy_seconds, o->report.checked, o->report.wrong, o->report.worst,
           o->report.first_failure, o->verify_seconds);
    fflush(stdout);
}

static int run_case(cflr_csr *csr, const setting *s, const char *text) {
    static outcome o; /* too large for a stack */
    one_case c;
    cflr_traversal *traversal = NULL;
    int code = read_case(text, &c);
    if (code) return code;
    memset(&o, 0, sizeof o);
    if (c.share > 0)
        c.opts.device_rows = (uint64_t)((double)cflr_csr_edges(csr) / c.share) *
                             (cflr_primitive_asks(c.primitive).weights ? 8 : 4);
    if (cflr_traversal_new(csr, c.primitive, &c.opts, &traversal, &o.error) == CFLR_OK &&
        run_trials(csr, s, &c, traversal, &o)) {
        print_outcome(text, traversal, &o);
    } else {
        printf("{\"case\": \"%s\", \"error\": \"%s\"}\n", text, o.error.message);
        fflush(stdout);
    }
    cflr_traversal_free(traversal);
    return 0;
}

/* ---- the graph ---- */

/* A line an edge, for programs that read text. */
static int write_edges(const cflr_csr *csr, const char *path) {
    const uint64_t *start = cflr_csr_start(csr);
    const uint32_t *target = cflr_csr_target(csr);
    const int32_t *weight = cflr_csr_weight(csr);
    bool weighs = cflr_csr_weights(csr) == CFLR_WEIGHTS_INT32;
    FILE *file = fopen(path, "w");
    if (!file) return complain(path, "cannot be written");
    for (uint32_t v = 0; v < cflr_csr_vertices(csr); v++) {
        for (uint64_t e = start[v]; e < start[v + 1]; e++) {
            if (weighs)
                fprintf(file, "%u %u %d\n", v, target[e], weight[e]);
            else
                fprintf(file, "%u %u\n", v, target[e]);
        }
    }
    bool failed = ferror(file);
    return fclose(file) != 0 || failed ? complain(path, "cannot be written") : 0;
}

static cflr_status reorder(const setting *s, cflr_csr **csr, cflr_error *error) {
    cflr_order order;
    cflr_csr *made = NULL;
    uint32_t *vertex = calloc((size_t)cflr_csr_vertices(*csr) + 1, sizeof *vertex);
    cflr_status st = vertex ? cflr_order_parse(s->order, &order, error) : CFLR_NO_MEMORY;
    if (st == CFLR_OK) st = cflr_csr_reorder(*csr, order, &made, vertex, error);
    free(vertex);
    if (st != CFLR_OK) return st;
    cflr_csr_free(*csr);
    *csr = made;
    return CFLR_OK;
}

static cflr_status make_graph(cflr_context *context, const setting *s, const char *text,
                              cflr_csr **csr, cflr_error *error) {
    if (s->maps) return cflr_csr_open(context, text, csr, error);
    cflr_status st = cflr_csr_generate(context, text, &s->graph, csr, error);
    if (st != CFLR_OK) st = cflr_csr_load(context, text, NULL, &s->graph, csr, error);
    if (st == CFLR_OK && s->most_weight)
        st = cflr_csr_draw_weights(*csr, 1, s->most_weight, 1, error);
    if (st == CFLR_OK && s->order) st = reorder(s, csr, error);
    return st;
}

/* Vertices that no edge leads away from. */
static uint32_t count_sinks(const cflr_csr *csr) {
    const uint64_t *start = cflr_csr_start(csr);
    uint32_t n = 0;
    for (uint32_t v = 0; v < cflr_csr_vertices(csr); v++) n += start[v] == start[v + 1];
    return n;
}

static int work(cflr_context *context, const setting *s, char **words) {
    cflr_csr *csr = NULL;
    cflr_error error;
    double begin = seconds_now();
    if (make_graph(context, s, words[0], &csr, &error) != CFLR_OK)
        return complain(words[0], error.message);
    printf("{\"graph\": \"%s\", \"order\": \"%s\", \"vertices\": %u, \"edges\": %" PRIu64
           ", \"sinks\": %u, \"threads\": %d, \"build\": %.6f}\n",
           words[0], s->order ? s->order : "none", cflr_csr_vertices(csr), cflr_csr_edges(csr),
           count_sinks(csr), cflr_context_threads(context), seconds_now() - begin);
    fflush(stdout);
    int code = s->write ? write_edges(csr, s->write) : 0;
    for (char **text = words + 1; !code && *text; text++) code = run_case(csr, s, *text);
    cflr_csr_free(csr);
    return code;
}

static int read_options(int argc, char **argv, setting *s) {
    static const struct option table[] = {
        {"threads", required_argument, NULL, 'j'}, {"trials", required_argument, NULL, 't'},
        {"verify", required_argument, NULL, 'v'},  {"weights", required_argument, NULL, 'w'},
        {"order", required_argument, NULL, 'o'},   {"source", required_argument, NULL, 's'},
        {"write", required_argument, NULL, 'f'},   {"undirected", no_argument, NULL, 'u'},
        {"drop-loops", no_argument, NULL, 'd'},    {"keep-parallel", no_argument, NULL, 'p'},
        {"map", no_argument, NULL, 'm'},           {0}};
    for (int letter; (letter = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        if (letter == 'j')
            s->threads = atoi(optarg);
        else if (letter == 't')
            s->trials = atoi(optarg);
        else if (letter == 'v')
            s->verified = atoi(optarg);
        else if (letter == 'w')
            s->most_weight = atoi(optarg);
        else if (letter == 'o')
            s->order = optarg;
        else if (letter == 's')
            s->source = strtol(optarg, NULL, 10);
        else if (letter == 'f')
            s->write = optarg;
        else if (letter == 'u')
            s->graph.symmetric = true;
        else if (letter == 'd')
            s->graph.drop_loops = true;
        else if (letter == 'p')
            s->graph.keep_parallel = true;
        else if (letter == 'm')
            s->maps = true;
        else
            return 2;
    }
    if (s->maps && (s->write || s->order || s->most_weight))
        return complain("--map", "the graph is as it is in its file");
    if (s->trials < 1 || s->trials > MOST_TRIALS) return complain("--trials", "out of range");
    return optind < argc ? 0 : complain("GRAPH", "is missing");
}

int main(int argc, char **argv) {
    setting s = {.trials = 1, .source = -1};
    cflr_context_opts opts;
    cflr_context *context;
    cflr_error error;
    cflr_csr_opts_init(&s.graph);
    int code = read_options(argc, argv, &s);
    if (code) return code;
    cflr_context_opts_init(&opts);
    opts.threads = s.threads;
    if (cflr_context_new(&opts, &context, &error) != CFLR_OK)
        return complain("context", error.message);
    code = work(context, &s, argv + optind);
    cflr_context_free(context);
    return code;
}
