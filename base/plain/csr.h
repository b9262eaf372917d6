/* SPDX-License-Identifier: Apache-2.0
 *
 * csr.h (internal): the rows themselves, and edges on their way into rows.
 */
#ifndef CFLRI_CSR_H
#define CFLRI_CSR_H

#include "base/files/stream.h"
#include "base/intern.h"
#include "base/vec.h"
#include "cflr/csr.h"

struct cflr_csr {
    cflr_context *context;
    uint32_t n_vertices;
    uint64_t n_edges;
    uint64_t *start;  /* n_vertices + 1 */
    uint32_t *target; /* n_edges, ascending in each row; equal ones by weight */
    cflr_weights weights;
    void *weight; /* n_edges of int32_t or float; NULL without */
    bool symmetric;
    bool has_parallel;   /* some row has a target more than once */
    bool keeps_parallel; /* that was asked for: they are not there for their weights alone */
    cflr_csr *reverse;   /* own; NULL until it is asked for */
    cflri_strings names; /* of vertex v: string v + 1; zero bytes: they have none */
    char *note;          /* cflr_csr_note; NULL for nothing */
    /* Owned: the mapped file that has the rows and `start`; NULL for graphs that were not opened
     * from one. `target` and `weight` are NULL until the rows are read. */
    struct cflri_mapped_rows *mapped;
};

/* Are the rows in a file only? */
static inline bool cflri_csr_is_mapped(const cflr_csr *csr) {
    return csr->mapped && !csr->target;
}

/* CFLR_ARGUMENT if they are, for callers that may not change the graph. */
cflr_status cflri_csr_need_rows(const cflr_csr *csr, cflr_error *error);

/* Edges that a reader or a generator collects. Zero bytes are none. */
typedef struct cflri_edges {
    uint32_t n_vertices;
    cflri_numbers source, target;
    cflr_weights weights;
    cflri_numbers weight; /* the bits of each; empty without weights */
} cflri_edges;

/* Room for `n` more, with weights where `weights` says so; false when memory is refused. */
bool cflri_edges_reserve(cflr_context *context, cflri_edges *edges, uint64_t n);
void cflri_edges_free(cflr_context *context, cflri_edges *edges);

/* Makes rows of what was collected, and frees it, on failure too. */
cflr_status cflri_edges_freeze(cflr_context *context, cflri_edges *edges, const cflr_csr_opts *opts,
                               cflr_csr **csr, cflr_error *error);

/* Gives the rows these names, which are empty then, and a copy of the note. */
cflr_status cflri_csr_describe(cflr_csr *csr, cflri_strings *names, const char *note,
                               cflr_error *error);

/* vertex i of `made` gets the name of vertex[i]. */
cflr_status cflri_csr_copy_names(const cflr_csr *csr, const uint32_t *vertex, cflr_csr *made,
                                 cflr_error *error);

/* As cflr_csr_load, of what was read from `path`. */
cflr_status cflri_csr_load_bytes(const cflri_input *input, const char *path, const char *label,
                                 const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error);

/* As cflr_csr_generate, so many slices of the rows after each other; 0: as memory says. */
cflr_status cflri_csr_generate(cflr_context *context, const char *text, const cflr_csr_opts *opts,
                               uint32_t slices, cflr_csr **csr, cflr_error *error);

/* The same edges, with number[v] in place of each vertex v (NULL: with v), and turned around when
 * `backwards`. */
cflr_status cflri_csr_remake(const cflr_csr *csr, const uint32_t *number, bool backwards,
                             cflr_csr **made, cflr_error *error);

/* The same edges, with what the options say of them, but for the header. */
cflr_status cflri_csr_change(const cflr_csr *csr, const cflr_csr_opts *opts, cflr_csr **made,
                             cflr_error *error);

/* The same edges with vertices that are read together side by side: vertex i of *made is vertex[i]
 * of csr. */
cflr_status cflri_csr_sampled_order(const cflr_csr *csr, uint32_t *vertex, cflr_csr **made,
                                    cflr_error *error);

/* vertex[]: all vertices, those of most edges first, of as many by number. false when memory is
 * refused. */
bool cflri_csr_by_degree(const cflr_csr *csr, uint32_t *vertex);

/* The same graph with no vertex of more than `most` edges, 2 or more: vertices from csr's number of
 * them on are new, and the bits of their edges' weight are `weight`. CFLR_LIMIT when they would be
 * too many. */
cflr_status cflri_csr_split(const cflr_csr *csr, uint32_t most, uint32_t weight, cflr_csr **made,
                            cflr_error *error);

/* The caller's options, or the defaults for NULL. */
cflr_status cflri_csr_opts_take(cflr_csr_opts *chosen, const cflr_csr_opts *opts,
                                cflr_error *error);

/* Random bits of a number: the finaliser of splitmix64 (Steele, Lea and Flood). */
static inline uint64_t cflri_csr_mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Weights as numbers that are in order when read as unsigned, and back. Both are the same function
 * twice for integers; for floats the sign says what to turn. */
static inline uint32_t cflri_weight_order(cflr_weights kind, uint32_t bits) {
    bool turn_all = kind == CFLR_WEIGHTS_FLOAT32 && bits >> 31;
    return bits ^ (turn_all ? UINT32_MAX : UINT32_C(1) << 31);
}

static inline uint32_t cflri_weight_bits(cflr_weights kind, uint32_t order) {
    bool turn_all = kind == CFLR_WEIGHTS_FLOAT32 && !(order >> 31);
    return order ^ (turn_all ? UINT32_MAX : UINT32_C(1) << 31);
}

#endif
