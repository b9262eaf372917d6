/* SPDX-License-Identifier: Apache-2.0
 *
 * generate.c: `generate KIND --vertices N [--seed S] [--KIND'S-OPTION K] OUT`: writes a graph of
 * one kind for benchmarks, in the format that the name OUT tells (docs/reference/formats.md). A
 * kind that is named after a program does without --vertices.
 */
#include "bench/generate/generate.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind {
    const char *name;
    sketch_kind *draw;
    const char *option; /* the kind's own number; NULL: it has none */
    uint64_t usual;     /* what that number is when it is not given; without one, the number of
                         * vertices, or 0: that must be given */
    uint32_t smallest;  /* number of vertices */
    const char *help;
} kinds[] = {
    {"pointers", sketch_pointers, "fields", 100, 64,
     "assignments a, dereferences d, fields f[i] of a C program; --fields K: indexes (100)"},
    {"valueflow", sketch_valueflow, NULL, 0, 64,
     "flow a, call[i] and ret[i] of call sites of a C program"},
    {"dataflow", sketch_dataflow, NULL, 0, 4, "short chains of definitions and uses, label e"},
    {"dyck", sketch_dyck, "kinds", 64, 8,
     "programs of brackets open[k], close[k]; --kinds K: kinds of brackets (64)"},
    {"chain", sketch_chain, NULL, 0, 2, "one path, label e"},
    {"grid", sketch_grid, "width", 0, 2, "edges right and down, label e; --width W (square root)"},
    {"clique", sketch_clique, NULL, 0, 2, "all edges, label e"},
    {"random", sketch_random, "edges", 0, 2, "edges drawn uniformly, label e; --edges M (2 N)"},
    {"pa-psql", sketch_pa_psql, NULL, 5200000, 64, "labels a, d: PostgreSQL, copied by calls"},
    {"pa-httpd", sketch_pa_httpd, NULL, 1700000, 64, "the same of Apache httpd"},
    {"fpa-hdfs", sketch_fpa_hdfs, NULL, 5300000, 64, "labels a, d[i]: HDFS, members apart"},
    {"dfa-linux", sketch_dfa_linux, NULL, 42400000, 4, "dataflow, as large as that of Linux"},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* ---- drawing ---- */

void sketch_edge(sketch *s, uint32_t source, uint32_t target, uint32_t label) {
    if (s->status != CFLR_OK) return;
    s->status = cflr_graph_builder_edge(s->builder, source, target, label, &s->error);
}

static uint32_t find_label(sketch *s, const char *name, const char *index) {
    uint32_t label = CFLR_NO_LABEL;
    if (s->status == CFLR_OK) {
        s->status = cflr_graph_builder_label(s->builder, name, index, &label, &s->error);
    }
    return label;
}

uint32_t sketch_label(sketch *s, const char *name) {
    return find_label(s, name, NULL);
}

uint32_t sketch_indexed(sketch *s, const char *name, uint32_t index) {
    char digits[16];
    snprintf(digits, sizeof digits, "%" PRIu32, index);
    return find_label(s, name, digits);
}

void *sketch_table(sketch *s, uint64_t n, size_t size) {
    void *table = s->status == CFLR_OK ? calloc(n ? n : 1, size) : NULL;
    if (!table && s->status == CFLR_OK) {
        s->status = CFLR_NO_MEMORY;
        s->error = (cflr_error){.code = CFLR_NO_MEMORY};
        snprintf(s->error.message, sizeof s->error.message, "no memory for a table of %" PRIu64, n);
    }
    return table;
}

void sketch_refuse(sketch *s, const char *format, ...) {
    if (s->status != CFLR_OK) return;
    s->status = CFLR_ARGUMENT;
    s->error = (cflr_error){.code = CFLR_ARGUMENT};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->error.message, sizeof s->error.message, format, arguments);
    va_end(arguments);
}

/* ---- the line ---- */

typedef struct request {
    const struct kind *kind;
    uint64_t vertices, seed, number;
    const char *path;
} request;

static int print_help(void) {
    printf("usage: generate KIND --vertices N [--seed S] OUT\n\nkinds:\n");
    for (size_t i = 0; i < N_KINDS; i++) printf("  %-10s %s\n", kinds[i].name, kinds[i].help);
    printf("\nKinds named after programs do without --vertices.\n");
    printf("OUT ends in .tsv, .cflg or another name that `cflr convert` can write.\n");
    return 0;
}

__attribute__((format(printf, 1, 2))) static int usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("generate: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs(" (see --help)\n", stderr);
    va_end(arguments);
    return cflr_status_exit_code(CFLR_ARGUMENT);
}

static bool read_number(const char *text, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static const struct kind *find_kind(const char *name) {
    for (size_t i = 0; i < N_KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    }
    return NULL;
}

enum { OPTION_HELP = 'h', OPTION_VERTICES = 256, OPTION_SEED, OPTION_KIND };

/* Reads the options of all kinds; *own is the name of the one that belongs to a kind. */
static int read_options(int argc, char **argv, request *r, const char **own, bool *help) {
    struct option table[4 + N_KINDS] = {{"help", no_argument, NULL, OPTION_HELP},
                                        {"vertices", required_argument, NULL, OPTION_VERTICES},
                                        {"seed", required_argument, NULL, OPTION_SEED}};
    size_t n = 3;
    for (size_t i = 0; i < N_KINDS; i++) {
        if (!kinds[i].option) continue;
        table[n++] = (struct option){kinds[i].option, required_argument, NULL, OPTION_KIND};
    }
    int at, found;
    while ((found = getopt_long(argc, argv, "h", table, &at)) != -1) {
        uint64_t *number = &r->number;
        if (found == '?') return usage_error("wrong option");
        if (found == OPTION_HELP) {
            *help = true;
            return 0;
        }
        if (found == OPTION_VERTICES) number = &r->vertices;
        if (found == OPTION_SEED) number = &r->seed;
        if (found == OPTION_KIND) *own = table[at].name;
        if (!read_number(optarg, number)) {
            return usage_error("--%s %s: not a number", table[at].name, optarg);
        }
    }
    return 0;
}

/* 0, or the exit code after a message. */
static int check(request *r, int operands, const char *name, const char *own) {
    if (operands != 2) return usage_error("KIND and OUT are needed, and nothing else");
    r->kind = find_kind(name);
    if (!r->kind) return usage_error("no kind '%s'", name);
    if (own && (!r->kind->option || strcmp(own, r->kind->option) != 0)) {
        return usage_error("--%s is not for %s", own, name);
    }
    if (own && r->number - 1 >= CFLR_MAX_VERTICES) return usage_error("--%s: out of range", own);
    if (!own) r->number = r->kind->usual;
    if (!r->kind->option && !r->vertices) r->vertices = r->kind->usual;
    if (r->vertices < r->kind->smallest || r->vertices > CFLR_MAX_VERTICES) {
        return usage_error("%s: --vertices must be %" PRIu32 " to %" PRIu32, name,
                           r->kind->smallest, CFLR_MAX_VERTICES);
    }
    return 0;
}

/* ---- making ---- */

/* Draws into a builder; *graph is NULL on failure, which *s tells. */
static void make_graph(cflr_context *context, const request *r, sketch *s, cflr_graph **graph) {
    draw_init(&s->random, r->seed);
    s->vertices = (uint32_t)r->vertices;
    s->number = r->number;
    s->status = cflr_graph_builder_new(context, &s->builder, &s->error);
    if (s->status != CFLR_OK) return;
    r->kind->draw(s);
    if (s->status != CFLR_OK) {
        cflr_graph_builder_free(s->builder);
        return;
    }
    s->status = cflr_graph_builder_freeze(s->builder, graph, &s->error);
}

static cflr_status generate(const request *r, cflr_error *error) {
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    sketch s = {.status = CFLR_OK};
    s.status = cflr_graph_check_target(r->path, CFLR_GRAPH_AUTO, &s.error);
    if (s.status == CFLR_OK) s.status = cflr_context_new(NULL, &context, &s.error);
    if (s.status == CFLR_OK) make_graph(context, r, &s, &graph);
    if (s.status == CFLR_OK) {
        s.status = cflr_graph_save(graph, r->path, CFLR_GRAPH_AUTO, &s.error);
    }
    if (s.status == CFLR_OK && strcmp(r->path, "-") != 0) {
        printf("%s: seed %" PRIu64 ", %" PRIu32 " vertices, %" PRIu64 " edges\n", r->kind->name,
               r->seed, cflr_graph_vertices(graph), cflr_graph_edges(graph));
    }
    cflr_graph_free(graph);
    cflr_context_free(context);
    *error = s.error;
    return s.status;
}

int main(int argc, char **argv) {
    request r = {.seed = 1};
    const char *own = NULL;
    bool help = false;
    int code = read_options(argc, argv, &r, &own, &help);
    if (code) return code;
    if (help) return print_help();
    code = check(&r, argc - optind, argv[optind], own);
    if (code) return code;
    r.path = argv[optind + 1];
    cflr_error error;
    cflr_status st = generate(&r, &error);
    if (st == CFLR_OK) return 0;
    fprintf(stderr, "generate: %s: %s\n", r.path, error.message);
    return cflr_status_exit_code(st);
}
