/* SPDX-License-Identifier: Apache-2.0
 *
 * csr.h: plain graphs as compressed sparse rows: what the graph engine traverses.
 *
 *     0 -> 1, 2     2 -> 0          start  0 2 2 3        row v is target[start[v]] ..
 *                                   target 1 2 0                    target[start[v + 1] - 1]
 *
 * Vertices are 0 .. n-1 in 32 bits, edges are counted in 64. The targets of a row ascend. Edges may
 * have weights, all of one kind. A frozen graph may be read by many threads. */
#ifndef CFLR_CSR_H
#define CFLR_CSR_H

#include "cflr/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cflr_csr cflr_csr;

typedef enum cflr_weights {
    CFLR_WEIGHTS_NONE = 0,
    CFLR_WEIGHTS_INT32 = 1,
    CFLR_WEIGHTS_FLOAT32 = 2, /* finite */
} cflr_weights;

/* Edges in any order, as often as the caller likes: n_edges elements in each array, read during the
 * call. */
typedef struct cflr_edge_list {
    uint32_t n_vertices; /* at most CFLR_MAX_VERTICES */
    uint64_t n_edges;
    const uint32_t *source, *target;
    cflr_weights weights;
    const void *weight; /* int32_t or float, one an edge; NULL without weights */
} cflr_edge_list;

/* Fill with cflr_csr_opts_init, then change what you need. */
typedef struct cflr_csr_opts {
    uint32_t struct_size;
    bool symmetric;     /* each edge counts both ways, with the same weight */
    bool drop_loops;    /* edges from a vertex to itself are left out */
    bool keep_parallel; /* otherwise edges that are equal in all, weight included, are one */
    bool drop_weights;  /* weights are left out, before edges that are equal are joined */
    bool header;        /* the first line of a list as text is no edge, whatever it looks like */
} cflr_csr_opts;

CFLR_API void cflr_csr_opts_init_sized(cflr_csr_opts *opts, size_t struct_size);
static inline void cflr_csr_opts_init(cflr_csr_opts *opts) {
    cflr_csr_opts_init_sized(opts, sizeof *opts);
}

/* opts: NULL for the defaults. CFLR_ARGUMENT when an end is no vertex or a weight is not finite,
 * with the number of the edge. O(edges) time for rows of bounded length, 16 bytes an edge while it
 * runs. */
CFLR_API cflr_status cflr_csr_new(cflr_context *context, const cflr_edge_list *edges,
                                  const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error);

/* The edges of one label; `label` < cflr_graph_labels(graph). */
CFLR_API cflr_status cflr_csr_of_graph(cflr_context *context, const cflr_graph *graph,
                                       uint32_t label, const cflr_csr_opts *opts, cflr_csr **csr,
                                       cflr_error *error);

/* Reads a file, "-" for standard input, packed or not. Matrix Market and DIMACS files with their
 * weights; text with a source, a target and perhaps a weight a line, between them blanks, commas,
 * semicolons or tabs, vertices from 0 or, when one is no number, names; .el32 and
 * .wel32, pairs of little-endian numbers of 32 bits, with a weight behind each in the second; what
 * cflr_csr_save_packed wrote, to which the options apply as to any other file.
 * `label` names a label of any other format that holds graphs (a, f[8]), or NULL when there is one
 * only. Weights are INT32 when all are integers. Errors carry line and column where the file has
 * lines. */
CFLR_API cflr_status cflr_csr_load(cflr_context *context, const char *path, const char *label,
                                   const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error);

/* Opens a file that cflr_csr_save_packed wrote, and leaves its rows there: they need not fit into
 * memory. The graph is what was written. The file is read through once, by all threads: CFLR_FORMAT
 * for damage. A regular file that is not packed once more; CFLR_IO otherwise.
 *
 * One GPU has its rows from the file, by transfer `packed` (`auto` is that), in primitives that do
 * not need them by degree, nor backwards unless the graph is symmetric; without a schedule, splits,
 * idempotent mode. Other runs, the edges of a forest, cflr_traversal_verify, cflr_csr_reverse and
 * cflr_csr_draw_weights read the rows into memory first, and may fail with CFLR_NO_MEMORY;
 * cflr_csr_reorder and cflr_csr_save_packed fail with CFLR_ARGUMENT. Until the rows are in memory
 * such a graph, and its traversals, are for one thread at a time.
 *
 * The file must stay as it is until the graph is freed: if it is cut short, the process is killed.
 * Replacing it by another one, as cflr_csr_save_packed does, does no harm. */
CFLR_API cflr_status cflr_csr_open(cflr_context *context, const char *path, cflr_csr **csr,
                                   cflr_error *error);

/* Reads the rows of a graph that was opened into memory, if they are not there yet. */
CFLR_API cflr_status cflr_csr_read_rows(cflr_csr *csr, cflr_error *error);

/* Writes the rows in few bits, with their weights: a file that loads faster and is smaller than any
 * of the others (docs/reference/formats.md, cflp). It appears whole or not at all; "-" is standard
 * output, a name that ends in .zst is packed once more. Takes 8 bytes a vertex. */
CFLR_API cflr_status cflr_csr_save_packed(const cflr_csr *csr, const char *path, cflr_error *error);

/* Formats of plain graphs that are written. X(name, number, command-line word, ends of names) */
#define CFLR_CSR_FORMAT_LIST(X)           \
    X(CFLP, 1, "cflp", ".cflp")           \
    X(MTX, 2, "mtx", ".mtx")              \
    X(DIMACS, 3, "dimacs", ".dimacs .gr") \
    X(EL32, 4, "el32", ".el32")           \
    X(WEL32, 5, "wel32", ".wel32")        \
    X(LIST, 6, "list", ".txt .el .wel")

typedef enum cflr_csr_format {
    CFLR_CSR_AUTO = 0, /* as the name of the file ends */
#define CFLR_CSR_FORMAT_ENUM(name, number, word, endings) CFLR_CSR_##name = number,
    CFLR_CSR_FORMAT_LIST(CFLR_CSR_FORMAT_ENUM)
#undef CFLR_CSR_FORMAT_ENUM
} cflr_csr_format;

CFLR_API cflr_status cflr_csr_format_parse(const char *word, cflr_csr_format *format,
                                           cflr_error *error);
/* CFLR_CSR_AUTO: the name ends like none of them, `.zst` not counted. */
CFLR_API cflr_csr_format cflr_csr_format_of(const char *path);

/* Writes the graph with its weights; otherwise as cflr_csr_save_packed. Names of vertices are
 * written to lists. CFLR_UNSUPPORTED for what the format does not hold: weights, or other ones,
 * names with blanks, a last vertex without edges (el32, wel32). */
CFLR_API cflr_status cflr_csr_save(const cflr_csr *csr, const char *path, cflr_csr_format format,
                                   cflr_error *error);

/* A graph made by rule, which is the same everywhere:
 *
 *     rmat:SCALE[:FACTOR[:SEED]]     2^SCALE vertices, FACTOR (16) times as many edges, by the
 *                                    probabilities of Graph500 (0.57, 0.19, 0.19, 0.05),
 *                                    vertices shuffled
 *     uniform:SCALE[:FACTOR[:SEED]]  the same number of edges, each end any vertex alike
 *     grid:ROWS:COLUMNS              each vertex to the right and downwards
 *     chain:N  star:N  clique:N      v to v + 1; 0 to all others; each vertex to each greater one
 *     world:N:K:PERMILLE[:SEED]      a small world (Watts and Strogatz): v to the K next ones
 *                                    of a ring, each of these edges with this chance to any
 *                                    vertex instead
 *
 * CFLR_ARGUMENT, saying what was expected, for any other text and for graphs with too many
 * vertices. */
CFLR_API cflr_status cflr_csr_generate(cflr_context *context, const char *rule,
                                       const cflr_csr_opts *opts, cflr_csr **csr,
                                       cflr_error *error);

CFLR_API void cflr_csr_free(cflr_csr *csr);
CFLR_API uint32_t cflr_csr_vertices(const cflr_csr *csr);
CFLR_API uint64_t cflr_csr_edges(const cflr_csr *csr);
CFLR_API cflr_weights cflr_csr_weights(const cflr_csr *csr);

/* Names of vertices: of lists as text, and of graphs whose vertices have nothing but names, each
 * its own. "" where there are none, and for what is no vertex. They stay with a graph that is
 * reordered, and are not written by cflr_csr_save_packed. */
CFLR_API bool cflr_csr_has_names(const cflr_csr *csr);
CFLR_API const char *cflr_csr_name(const cflr_csr *csr, uint32_t vertex);
/* CFLR_NO_VERTEX: none has this name. O(length). */
CFLR_API uint32_t cflr_csr_find(const cflr_csr *csr, const char *name);

/* What loading a file took for something that it may not be: a first line of titles, names among
 * numbers. Half a sentence, or "". */
CFLR_API const char *cflr_csr_note(const cflr_csr *csr);

/* Is each edge there both ways, because that was asked for? */
CFLR_API bool cflr_csr_symmetric(const cflr_csr *csr);

/* The rows, which live as long as the graph. `start` has one element more than there are vertices
 * and never descends. `target` and `weight` have one an edge; targets ascend in each row, and one
 * may be there several times where edges are parallel. Weights are int32_t or float, or NULL, in
 * the order of the targets; cflr_csr_draw_weights replaces them. Where rows are in a file
 * (cflr_csr_open), targets and weights are NULL until they are read. */
CFLR_API const uint64_t *cflr_csr_start(const cflr_csr *csr);
CFLR_API const uint32_t *cflr_csr_target(const cflr_csr *csr);
CFLR_API const void *cflr_csr_weight(const cflr_csr *csr);

/* Gives each edge a weight from `least` to `most`, which depends on its ends (not on which of them
 * is the source) and on the seed alone. Replaces what weights there were. CFLR_ARGUMENT unless
 * least <= most. */
CFLR_API cflr_status cflr_csr_draw_weights(cflr_csr *csr, int32_t least, int32_t most,
                                           uint64_t seed, cflr_error *error);

/* Edges read backwards: *reverse is owned by `csr`, made once, and `csr` itself when that is
 * symmetric. Not to be called by two threads at once. */
CFLR_API cflr_status cflr_csr_reverse(cflr_csr *csr, const cflr_csr **reverse, cflr_error *error);

/* Orders of vertices. X(name, number, command-line word, text) */
#define CFLR_ORDER_LIST(X)                                     \
    X(DEGREE, 0, "degree", "those of most edges first")        \
    X(SEARCH, 1, "search", "as a search by levels finds them") \
    X(SAMPLED, 2, "sampled", "as rounds of sampling lay side by side what is read together (SAGE)")

typedef enum cflr_order {
#define CFLR_ORDER_ENUM(name, number, word, text) CFLR_ORDER_##name = number,
    CFLR_ORDER_LIST(CFLR_ORDER_ENUM)
#undef CFLR_ORDER_ENUM
} cflr_order;

CFLR_API const char *cflr_order_name(cflr_order order);
CFLR_API cflr_status cflr_order_parse(const char *word, cflr_order *order, cflr_error *error);

/* The same graph with its vertices in another order: its vertex i is `vertex[i]` of `csr`; the
 * caller gives room for as many as there are. Each vertex is there once, in no order. CFLR_ARGUMENT
 * where rows are in a file: they have to be read first. */
CFLR_API cflr_status cflr_csr_reorder(const cflr_csr *csr, cflr_order order, cflr_csr **made,
                                      uint32_t *vertex, cflr_error *error);

#ifdef __cplusplus
}
#endif

#endif
