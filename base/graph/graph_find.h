/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_find.h: what looking up a vertex by its source name and explaining a failure share.
 */
#ifndef CFLRI_GRAPH_FIND_H
#define CFLRI_GRAPH_FIND_H

#include "base/graph/graph.h"

typedef struct cflri_piece {
    const char *at;
    size_t n;
} cflri_piece;

typedef enum cflri_spec_kind {
    CFLRI_SPEC_NAME,     /* p->next */
    CFLRI_SPEC_LINE,     /* list.c:42:p->next; an empty name never matches */
    CFLRI_SPEC_COLUMN,   /* list.c:42:7, list.c:42:7:p->next */
    CFLRI_SPEC_FUNCTION, /* push::p */
    CFLRI_SPEC_NUMBER,   /* 17 */
} cflri_spec_kind;

typedef struct cflri_spec {
    cflri_spec_kind kind;
    cflri_piece text; /* all of it, without white space around */
    cflri_piece file;
    cflri_piece function;
    cflri_piece name;
    uint64_t number; /* a line or a vertex; saturated */
    uint64_t column; /* 0: none */
} cflri_spec;

static inline bool cflri_spec_has_file(const cflri_spec *spec) {
    return spec->kind == CFLRI_SPEC_LINE || spec->kind == CFLRI_SPEC_COLUMN;
}

/* How each string of the graph relates to a spec. */
enum {
    CFLRI_FITS_NAME = 1,
    CFLRI_FITS_FILE = 2,
    CFLRI_FITS_FUNCTION = 4,
    CFLRI_USED_AS_NAME = 8, /* the USED bits are set for explanations only */
    CFLRI_USED_AS_FILE = 16,
    CFLRI_USED_AS_FUNCTION = 32,
};

typedef struct cflri_finder {
    const cflr_graph *graph;
    const cflr_finder *index; /* NULL: all strings and vertices are looked at */
    cflri_spec spec;
    uint8_t *fits;              /* one for each string */
    CFLRI_VEC(uint32_t) marked; /* with an index: the strings that fit */
    CFLRI_VEC(uint64_t) found;  /* vertices; sorted and distinct when asked about */
} cflri_finder;

/* Do two vertices stand for one thing in the source (alike in everything but the context)? */
bool cflri_same_thing(const cflr_graph *graph, uint32_t a, uint32_t b);

/* CFLR_AMBIGUOUS with the candidates found, and CFLR_NOT_FOUND with the nearest ones. */
cflr_status cflri_fail_ambiguous(const cflri_finder *finder, cflr_error *error);
cflr_status cflri_fail_not_found(const cflri_finder *finder, cflr_error *error);

#endif
