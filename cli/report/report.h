/* SPDX-License-Identifier: Apache-2.0
 *
 * report.h: a relation of a result as a page shows it.
 *
 *     vertices    p p' &x x ...      of the graph
 *     looks       p  &x x            what a reader takes for the same: versions and copies of a
 *                                    local are one look, which has a row of the page
 *     things      p  &x x            the same, but copies for contexts are apart: objects in sets
 *     sets        {x}                different sets of things, each once
 *
 * The steps, each with what it makes: sets_find (looks, things, sets), holds_find (what is stored
 * where rows lead to), figures_find (counts), choose_rows (what is shown), data_put (JSON). Where
 * memory is refused the program ends, after a message.
 */
#ifndef CFLR_CLI_REPORT_REPORT_H
#define CFLR_CLI_REPORT_REPORT_H

#include "cli/names/names.h"
#include "cli/page/page.h"
#include "cli/report/blocks.h"

#define NONE UINT32_MAX

/* Vertices by how they look (looks.c). */
typedef struct looks {
    uint32_t n, n_things;
    uint32_t *start; /* n + 1: vertices of look i are in[start[i]] and on, sorted by place */
    uint32_t *in;
    uint32_t *look;  /* of a vertex; NONE: it was not wanted */
    uint32_t *thing; /* likewise */
    uint32_t *first; /* of a thing: its first vertex */
} looks;

void looks_find(const cflr_graph *graph, const bool *wanted, looks *found);
void looks_free(looks *l);

/* How much a row matters, by the kind of its vertex; what is an address or stands for much else is
 * no pointer whose precision counts. */
typedef enum row_rank {
    RANK_VARIABLE,
    RANK_MEMORY,
    RANK_VALUE,
    RANK_ADDRESS,
    RANK_NO_ROW
} row_rank;
row_rank rank_of(cflr_vertex_kind kind);

enum { BUCKETS = 34 }; /* of sizes: 0, 1, 2, 3 to 4, 5 to 8, ... */

typedef struct figures {
    uint64_t bucket[BUCKETS]; /* rows by size of their set; addresses are not counted */
    uint64_t rows, pairs;
    uint32_t median, ninetieth, largest;
    uint32_t *popularity; /* of a thing: rows that have it */
    uint32_t *sharing;    /* of a set: rows that have it */
} figures;

typedef struct result_page {
    const char *path;
    const cflr_result *result;
    const cflr_graph *graph;
    uint32_t label;
    bool points_to;    /* the relation answers it */
    char *const *only; /* files whose rows are shown; NULL: all are */
    uint64_t limit;    /* bytes of the page, about */
    bool code;         /* is shown */

    looks looks;
    blocks sets;        /* of things, ascending, as uint32_t */
    uint32_t *set;      /* of a look; NONE: it is no row */
    uint64_t *holds_at; /* looks + 1 */
    uint32_t *holds;    /* looks that are the content of what a look leads to */
    figures figures;

    uint32_t *near;    /* of a look: 2: --around names it, 1: it is near; NULL: nothing was named */
    uint32_t focus;    /* the look that the page opens at, or NONE */
    uint32_t *row;     /* of a look, of those that are shown; NONE: it is not */
    uint32_t *set_row; /* of a set, and of a thing, likewise */
    uint32_t *object;
    uint32_t n_rows, n_sets, n_objects;
    uint64_t left_out, code_left; /* rows; bytes that code may take */
    uint64_t files_without_code;
} result_page;

/* Each returns 0, or the exit code after a message. */
int sets_find(result_page *r);
int around_find(result_page *r, const char *pointer);
int choose_rows(result_page *r);

/* Numbers things anew, so that the ids of sets are in few runs (runs.c). */
void runs_make(result_page *r);
void holds_find(result_page *r);
void figures_find(result_page *r);
void data_put(FILE *file, void *page); /* for page_write */
void result_page_free(result_page *r);

/* Ids of a set. */
const uint32_t *set_at(const result_page *r, uint32_t set, size_t *n);
/* The vertex that a row shows. */
uint32_t vertex_of(const result_page *r, uint32_t look);

/* Calls `take` for each run of ids of a set: how many there are between the one before and it, and
 * how many are in it. Ids are what `object` has for them, in the same order; NULL: as they are.
 * (runs.c) */
typedef void run_taken(void *user, uint32_t gap, uint32_t length);
void runs_of(const result_page *r, uint32_t set, const uint32_t *object, run_taken *take,
             void *user);

/* A number on the page: five bits a letter, the low ones first (columns.c). */
size_t number_size(uint64_t number);
void number_put(FILE *file, uint64_t number);
/* The member `key`: n numbers, as they are, or as differences of each and the one before. */
void column_put(FILE *file, const char *key, const uint32_t *number, size_t n);
void column_put_steps(FILE *file, const char *key, const uint32_t *number, size_t n);

#endif
