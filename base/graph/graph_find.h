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

/* The vertices by the place that they have themselves (graph_places.c). */
typedef struct cflri_place_index {
    uint64_t *at; /* (hash of the place, vertex), ascending; NULL: all vertices are looked at */
    size_t n;
    uint64_t *written; /* a bit for each vertex: is there a mention of it? NULL: not known yet */
} cflri_place_index;

cflr_status cflri_place_index_make(const cflr_graph *graph, cflri_place_index *places,
                                   cflr_error *error);
void cflri_place_index_free(const cflr_graph *graph, cflri_place_index *places);

typedef struct cflri_finder {
    const cflr_graph *graph;
    const cflr_finder *index; /* NULL: all strings and vertices are looked at */
    cflri_place_index places; /* of the index, or for this query */
    cflri_spec spec;
    uint8_t *fits;              /* one for each string */
    CFLRI_VEC(uint32_t) marked; /* with an index: the strings that fit */
    CFLRI_VEC(uint64_t) found;  /* vertices; sorted and distinct when asked about */
} cflri_finder;

/* Do two vertices stand for one thing in the source (alike in everything but the context)? */
bool cflri_same_thing(const cflr_graph *graph, uint32_t a, uint32_t b);

/* Adds the vertices whose own place is that of the spec, which has a column, and that fit its name:
 * those that stand there (graph_places.c), or, with `any`, all. False when memory is refused. */
bool cflri_collect_placed(cflri_finder *finder, bool any);
/* Does the name of the vertex fit that of the spec, if it has one? */
bool cflri_vertex_named(const cflri_finder *finder, uint32_t vertex);
/* Is it declared where its place is? */
bool cflri_is_declared(const cflri_source *source);

/* CFLR_AMBIGUOUS with the candidates found, and CFLR_NOT_FOUND with the nearest ones. */
cflr_status cflri_fail_ambiguous(const cflri_finder *finder, cflr_error *error);
cflr_status cflri_fail_not_found(const cflri_finder *finder, cflr_error *error);

#endif
