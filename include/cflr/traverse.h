/* SPDX-License-Identifier: Apache-2.0
 *
 * traverse.h: primitives of the graph engine, on plain graphs.
 *
 *     cflr_csr --cflr_traversal_new--> traversal --run--> columns (one value a vertex), values,
 *                 what is made once                |      statistics
 *                                                  +--> verify: against a serial program that
 *                                                       shares no code
 *
 * What a run gives is the same for every number of threads and every schedule; numbers that are not
 * integers are, on different devices or schedules, the same within the bounds that
 * cflr_traversal_verify holds them to. */
#ifndef CFLR_TRAVERSE_H
#define CFLR_TRAVERSE_H

#include "cflr/csr.h"
#include "cflr/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, number, command-line word, what it computes) */
#define CFLR_PRIMITIVE_LIST(X)                                                              \
    X(BFS, 0, "bfs", "hops from the source")                                                \
    X(SSSP, 1, "sssp", "least distances from the source")                                   \
    X(SSWP, 2, "sswp", "greatest widths of paths from the source")                          \
    X(SSNSP, 3, "ssnsp", "numbers of paths of fewest hops from the source")                 \
    X(CC, 4, "cc", "connected components")                                                  \
    X(PAGERANK, 5, "pagerank", "ranks: how often walks come by")                            \
    X(PAGERANK_DELTA, 6, "pagerank-delta", "ranks, by what each vertex has yet to hand on") \
    X(PPR, 7, "ppr", "ranks as seen from the sources")                                      \
    X(BC, 8, "bc", "betweenness: shares of the shortest paths from the sources")            \
    X(HITS, 9, "hits", "hubs and authorities")                                              \
    X(SALSA, 10, "salsa", "hubs and authorities, by random walks")                          \
    X(TC, 11, "tc", "triangles")                                                            \
    X(MST, 12, "mst", "lightest spanning forest")                                           \
    X(MIS, 13, "mis", "maximal independent set")                                            \
    X(COLOUR, 14, "colour", "colours that differ between neighbours")                       \
    X(KCORE, 15, "kcore", "core numbers")                                                   \
    X(REACH, 16, "reach", "which of up to 64 sources reach a vertex")                       \
    X(GCS, 17, "gcs", "voltages of a circuit whose sources are held")                       \
    X(NNDR, 18, "nndr", "activations of a network of neurons")                              \
    X(WTF, 19, "wtf", "what to follow, by the circle of trust of the source")               \
    X(SCC, 20, "scc", "strongly connected components")

typedef enum cflr_primitive {
#define CFLR_PRIMITIVE_ENUM(name, number, word, text) CFLR_##name = number,
    CFLR_PRIMITIVE_LIST(CFLR_PRIMITIVE_ENUM)
#undef CFLR_PRIMITIVE_ENUM
} cflr_primitive;

CFLR_API const char *cflr_primitive_name(cflr_primitive primitive);
CFLR_API cflr_status cflr_primitive_parse(const char *word, cflr_primitive *primitive,
                                          cflr_error *error);

/* What a primitive asks of its graph and of cflr_traversal_run. */
typedef struct cflr_primitive_needs {
    bool symmetric; /* each edge both ways */
    bool weights;   /* which are not negative, but for MST and NNDR */
    uint32_t least_sources, most_sources;
    uint32_t usual_sources; /* as many as the command chooses when none are named */
} cflr_primitive_needs;

CFLR_API void cflr_primitive_asks_sized(cflr_primitive primitive, cflr_primitive_needs *needs,
                                        size_t struct_size);
static inline cflr_primitive_needs cflr_primitive_asks(cflr_primitive primitive) {
    cflr_primitive_needs needs;
    cflr_primitive_asks_sized(primitive, &needs, sizeof needs);
    return needs;
}

/* Which end of an edge moves what is known along it. */
typedef enum cflr_way {
    CFLR_WAY_AUTO = 0, /* what costs less, perhaps another one in every step */
    CFLR_WAY_PUSH = 1, /* from each vertex of the frontier to its targets */
    CFLR_WAY_PULL = 2, /* to each vertex that waits from its sources */
} cflr_way;

/* How edges are assigned to the threads of a GPU (gpu/traverse/schedules.cuh); the processor has
 * one way. X(name, number, command-line word, text) */
#define CFLR_SCHEDULE_LIST(X)                                                         \
    X(AUTO, 0, "auto", "what suits the degrees of the graph")                         \
    X(THREAD, 1, "thread", "a thread a vertex")                                       \
    X(TWC, 2, "twc", "a thread, a warp or a block a vertex, by its degree")           \
    X(INPUT, 3, "input", "equal shares of vertices a block, of their edges a thread") \
    X(OUTPUT, 4, "output", "equal shares of edges")                                   \
    X(WARP, 5, "warp", "a warp for 32 vertices, long rows in pieces")                 \
    X(VIRTUAL, 6, "virtual", "a thread for ten edges of a vertex (Tigr-V)")           \
    X(STRIDED, 7, "strided", "the same, side by side (Tigr-V+)")                      \
    X(TILES, 8, "tiles", "tiles of threads, halved and halved again (SAGE)")          \
    X(STEAL, 9, "steal", "the same tiles, shared by all blocks (SAGE)")               \
    X(EDGES, 10, "edges", "a thread an edge, all edges in every step (WolfGraph)")    \
    X(ALIGNED, 11, "aligned", "a warp a vertex, whole lines of memory (EMOGI)")

typedef enum cflr_schedule {
#define CFLR_SCHEDULE_ENUM(name, number, word, text) CFLR_SCHEDULE_##name = number,
    CFLR_SCHEDULE_LIST(CFLR_SCHEDULE_ENUM)
#undef CFLR_SCHEDULE_ENUM
} cflr_schedule;

CFLR_API const char *cflr_schedule_name(cflr_schedule schedule);
CFLR_API cflr_status cflr_schedule_parse(const char *word, cflr_schedule *schedule,
                                         cflr_error *error);

/* How the edges of a graph come to a GPU (gpu/stream). X(name, number, command-line word, text) */
#define CFLR_TRANSFER_LIST(X)                                                                      \
    X(AUTO, 0, "auto", "whole where it fits")                                                      \
    X(WHOLE, 1, "whole", "all of them, before the run")                                            \
    X(PARTITIONS, 2, "partitions", "partition by partition, in every step")                        \
    X(AHEAD, 3, "ahead", "active partitions that are not there, the next while one is visited")    \
    X(SUBWAY, 4, "subway", "the rows of active vertices, gathered by the host (Subway)")           \
    X(ZERO_COPY, 5, "zero-copy", "read by kernels where they are, in the host's memory (EMOGI)")   \
    X(UNIFIED, 6, "unified", "page by page, as the driver sees fit")                               \
    X(ADVISED, 7, "advised", "the same, with advice: what fits lies on the GPU, the rest is read") \
    X(PACKED, 8, "packed", "in few bits: what fits lies on the GPU, the rest is read")             \
    X(SUBWAY_ASYNC, 9, "subway-async",                                                             \
      "as subway, and what was sent is visited until it is still")                                 \
    X(SCAPH, 10, "scaph", "whole partitions where most is active, else gathered rows (Scaph)")     \
    X(WOLFGRAPH, 11, "wolfgraph", "partitions with rows of earlier ones (WolfGraph)")

typedef enum cflr_transfer {
#define CFLR_TRANSFER_ENUM(name, number, word, text) CFLR_TRANSFER_##name = number,
    CFLR_TRANSFER_LIST(CFLR_TRANSFER_ENUM)
#undef CFLR_TRANSFER_ENUM
} cflr_transfer;

CFLR_API const char *cflr_transfer_name(cflr_transfer transfer);
CFLR_API cflr_status cflr_transfer_parse(const char *word, cflr_transfer *transfer,
                                         cflr_error *error);

/* Fill with cflr_traverse_opts_init, then change what you need. */
typedef struct cflr_traverse_opts {
    uint32_t struct_size;
    cflr_device device;
    cflr_schedule schedule;   /* CFLR_ARGUMENT for others than AUTO on the processor */
    cflr_way way;             /* of BFS and the PageRanks; others have one */
    double damping;           /* 0.85; PageRanks: the chance to follow an edge, in [0, 1); NNDR */
    double tolerance;         /* 1e-4; done when a step changes less: ranks and hubs in all, GCS and
                               * NNDR each value */
    uint32_t most_iterations; /* 100; of the same. They say when that was too few */
    double delta; /* SSSP, SSWP: how much of the distance, or width, is near; 0: chosen */
    /* SSSP, SSWP, CC, REACH: vertices of more edges than this become trees (Tigr's UDT); 0: none
     * do */
    uint32_t split;
    /* BFS: a thread that finds a vertex does not claim it, and others of the same step may find
     * it */
    bool idempotent;
    uint64_t device_memory; /* bytes of a GPU's memory that it may take; 0: what is free */
    cflr_transfer transfer; /* CFLR_ARGUMENT for others than AUTO on the processor */
    uint64_t device_rows;   /* bytes of that for edges; 0: what the rest leaves */
    /* BFS: vertices that are more hops away than this are not reached; 0: all are that can be */
    uint32_t hops;
    uint32_t circle; /* WTF: vertices in the circle of trust beside the source; 0: 1000 */
    uint32_t gpus;   /* so many of a host share the graph (gpu/peers); 0: one */
} cflr_traverse_opts;

CFLR_API void cflr_traverse_opts_init_sized(cflr_traverse_opts *opts, size_t struct_size);
static inline void cflr_traverse_opts_init(cflr_traverse_opts *opts) {
    cflr_traverse_opts_init_sized(opts, sizeof *opts);
}

typedef struct cflr_traversal cflr_traversal;

/* Makes what every run of the primitive needs: edges backwards, room for its columns. The graph
 * must outlive the traversal, and no other call may use the graph meanwhile. CFLR_ARGUMENT, saying
 * what is asked for, when the graph is not what the primitive needs. */
CFLR_API cflr_status cflr_traversal_new(cflr_csr *csr, cflr_primitive primitive,
                                        const cflr_traverse_opts *opts, /* NULL: defaults */
                                        cflr_traversal **traversal, cflr_error *error);
CFLR_API void cflr_traversal_free(cflr_traversal *traversal);

/* Runs it, from these vertices where the primitive has sources: n_sources of them, in any order,
 * each once. As often as one likes; columns and values are those of the last run. CFLR_LIMIT and
 * CFLR_CANCELLED as the context says, and CFLR_LIMIT when a distance does not fit into 32 bits:
 * then there are no columns. */
CFLR_API cflr_status cflr_traversal_run(cflr_traversal *traversal, const uint32_t *sources,
                                        uint32_t n_sources, cflr_error *error);

typedef enum cflr_column_type {
    CFLR_COLUMN_UINT8 = 0,
    CFLR_COLUMN_UINT32 = 1,
    CFLR_COLUMN_UINT64 = 2,
    CFLR_COLUMN_FLOAT32 = 3,
    CFLR_COLUMN_FLOAT64 = 4,
} cflr_column_type;

/* Columns by primitive, one value a vertex unless said otherwise:
 *
 *     bfs             level      uint32, UINT32_MAX where nothing leads
 *     sssp            distance   uint32, UINT32_MAX where nothing leads; or float32, infinite there
 *     sswp            width      uint32 or float32: the minimum weight of the best path; 0
 *                                where nothing leads, UINT32_MAX or infinite at the source
 *     ssnsp           paths      uint64, UINT64_MAX for that or more; parallel edges count apart
 *     cc, scc         component  uint32, its smallest vertex
 *     pagerank..ppr   rank       float32, in all 1; where no edge leads on, a walk begins anew
 *     bc              centrality float64, by source; each pair counts in both directions where
 *                                the graph has both
 *     hits, salsa     hub, authority  float32; the sum of the squares of each is 1 (hits), or
 *                                their sum is (salsa)
 *     mst             edge       uint64, as many as the forest has: its edges by number in the
 *                                rows, ascending; of each edge the one from the smaller vertex
 *     mis             member     uint8, 0 or 1
 *     colour          colour     uint32
 *     kcore           core       uint32
 *     reach           reached    uint64, bit i for source i
 *     gcs             voltage    float32, from 0 to 1; 1 at the first source, 0 at all others
 *     nndr            activation float32, from -1 to 1; 1 at sources
 *     wtf             score      float32, 0 at what the source follows; circle: uint8, 0 or 1 */
typedef struct cflr_column {
    const char *name;
    cflr_column_type type;
    uint64_t n;
    /* In the order of the vertices, or as said above; until the traversal runs again. */
    const void *values;
} cflr_column;

/* Column `i` of the last run; false when there are not so many. */
CFLR_API bool cflr_traversal_column_sized(const cflr_traversal *traversal, uint32_t i,
                                          cflr_column *column, size_t struct_size);
static inline bool cflr_traversal_column(const cflr_traversal *traversal, uint32_t i,
                                         cflr_column *column) {
    return cflr_traversal_column_sized(traversal, i, column, sizeof *column);
}

/* A number that says something of the whole: `reached` vertices, `components`, `triangles`,
 * `weight` ... */
typedef struct cflr_value {
    const char *name;
    bool real; /* which of the two it is */
    uint64_t count;
    double number;
} cflr_value;

CFLR_API bool cflr_traversal_value_sized(const cflr_traversal *traversal, uint32_t i,
                                         cflr_value *value, size_t struct_size);
static inline bool cflr_traversal_value(const cflr_traversal *traversal, uint32_t i,
                                        cflr_value *value) {
    return cflr_traversal_value_sized(traversal, i, value, sizeof *value);
}

/* What a run moved to a GPU, where its edges were not there before. */
typedef struct cflr_transfer_stats {
    uint64_t bytes_moved;
    uint64_t bytes_needed; /* of the edges that were looked at, each time */
    uint64_t loads;        /* partitions, or chunks of gathered rows */
    double gather_seconds; /* of the host, making rows into chunks */
    double copy_seconds; /* of the link, copying them; both go on while the kernel visits others */
    double wait_seconds; /* of the kernel, for what was not there yet */
} cflr_transfer_stats;

typedef struct cflr_traversal_stats {
    cflr_device device;       /* where it ran */
    const char *device_name;  /* "cpu", or the GPU's name */
    const char *schedule;     /* in a word or two */
    const char *why;          /* a sentence: why there, and why so */
    double transform_seconds; /* what is made once: edges backwards, other orders */
    double copy_seconds;      /* to the device, once, and back, of the last run */
    double run_seconds;       /* of the last run */
    uint64_t iterations;
    uint64_t edges_inspected;  /* how often an edge was looked at */
    uint64_t memory;           /* bytes of the state, beside the graph */
    const char *transfer;      /* how edges came to the device, in a word; "-" on the processor */
    uint64_t device_rows;      /* bytes of the device's memory for edges */
    cflr_transfer_stats moved; /* in the last run */
    uint32_t gpus;             /* that share the graph; 0 on the processor */
} cflr_traversal_stats;

CFLR_API void cflr_traversal_statistics_sized(const cflr_traversal *traversal,
                                              cflr_traversal_stats *stats, size_t struct_size);
static inline cflr_traversal_stats cflr_traversal_statistics(const cflr_traversal *traversal) {
    cflr_traversal_stats stats;
    cflr_traversal_statistics_sized(traversal, &stats, sizeof stats);
    return stats;
}

typedef struct cflr_traverse_report {
    uint64_t checked, wrong;
    double worst; /* largest difference of what is not an integer, as a share of its bound */
    char first_failure[224]; /* "" when there is none */
} cflr_traverse_report;

/* Compares the last run with a serial program that shares no code with it. CFLR_OK when the check
 * ran, whatever it found. Integers must be equal, or for MST, MIS and COLOUR be what the word says;
 * other numbers within the bound that docs/reference/graph.md gives. */
CFLR_API cflr_status cflr_traversal_verify_sized(const cflr_traversal *traversal,
                                                 cflr_traverse_report *report, size_t struct_size,
                                                 cflr_error *error);
static inline cflr_status cflr_traversal_verify(const cflr_traversal *traversal,
                                                cflr_traverse_report *report, cflr_error *error) {
    return cflr_traversal_verify_sized(traversal, report, sizeof *report, error);
}

#ifdef __cplusplus
}
#endif

#endif
