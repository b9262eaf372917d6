/* SPDX-License-Identifier: Apache-2.0
 *
 * traverse.h: what the files of `cflr graph` share: a plain graph, a primitive of the graph engine
 * run on it, and the report of the runs.
 */
#ifndef CFLR_CLI_GRAPH_TRAVERSE_H
#define CFLR_CLI_GRAPH_TRAVERSE_H

#include "cli/run/plain_graph.h"

/* The options as values. */
typedef struct traverse_choices {
    plain_graph_choices graph;
    bool maps; /* rows stay in their file */
    cflr_primitive primitive;
    cflr_primitive_needs needs;
    cflr_traverse_opts opts;
    bool reorders;
    cflr_order order;
    const char *sources;         /* as given; NULL: none were, or they are drawn */
    uint32_t *source, n_sources; /* the same as numbers; 0: none, or they are names */
    bool random_source;
    uint64_t source_seed;
    uint32_t trials, top;
    bool verify;
    const char *plot; /* the file of --plot, or NULL */
} traverse_choices;

typedef struct traverse_trial {
    double seconds;
    uint64_t iterations, edges_inspected;
    uint32_t source; /* the first; 0 where there is none */
} traverse_trial;

enum { MOST_COLUMNS = 7 };

/* The work, and what is known of it. */
typedef struct traversing {
    traverse_choices *choices;
    cflr_csr *csr;
    uint32_t
        *vertex; /* whose number a vertex of `csr` had before; NULL unless they were reordered */
    uint32_t *number; /* of a vertex in `csr`; NULL as well */
    cflr_traversal *traversal;
    uint32_t *source; /* of the last trial, as they were named, and in `csr` */
    uint32_t *source_number;
    uint32_t n_sources;
    cflr_column column[MOST_COLUMNS];
    void *restored[MOST_COLUMNS]; /* values of columns that are not the traversal's own */
    uint32_t n_columns;
    traverse_trial *trial;
    const traverse_trial *median, *least; /* by time; of two in the middle, the faster one */
    double seconds_load, seconds_reorder, seconds_verify, seconds_write;
    cflr_traverse_report verified; /* all trials together */
} traversing;

/* ---- cmd_graph.c ---- */

/* "3,5" becomes the sources; false when it is no list of numbers. There is room for as many as the
 * text has commas, and one. */
bool read_vertices(const char *text, traverse_choices *c);
/* Exit codes after a message: the sources are no such list; 0, or there are too many or too few. */
int fail_sources(const char *text);
int check_sources(const traverse_choices *c);

/* ---- traverse_run.c: each returns 0, or the exit code after a message ---- */

int traverse_load(traversing *t);
/* All trials; EXIT_NO when one of them was found to be wrong. */
int traverse_run(traversing *t);
void traverse_free(traversing *t);

/* ---- traverse_columns.c ---- */

typedef enum cell_kind {
    CELL_COUNT,
    CELL_NUMBER,
    CELL_ENDLESS, /* greater than all others */
    CELL_NONE,    /* nothing leads there */
    CELL_NAME,    /* of a vertex */
} cell_kind;

/* A value of a column. */
typedef struct cell {
    cell_kind kind;
    uint64_t count;
    double number;
    int digits; /* of the number: with so many the very same number can be read again */
    const char *name;
} cell;

cell cell_of(const cflr_column *column, uint64_t i);
/* A vertex as it was named: its name, where the graph has some, else its number. */
cell vertex_cell(const traversing *t, uint32_t v);
/* The same of column `k` of those that were taken: components are vertices. */
cell column_cell(const traversing *t, uint32_t k, uint64_t i);
void print_cell(FILE *file, cell value);
/* null for what is neither a finite number nor a name */
json_t *cell_json(cell value);

/* After the last run: what it gives, of the vertices as they were named. 0, or the exit code after
 * a message. */
int take_columns(traversing *t);

/* The first column, if it has a value for each vertex, else NULL. */
const cflr_column *first_vertex_column(const traversing *t);

/* Before a run: 0, or the exit code after a message when the primitive does not give what is asked
 * for. */
int check_columns(const traverse_choices *c);

/* Writes the columns that were taken to the output. 0, or the exit code after a message. */
int traverse_write(traversing *t);

/* The vertices of greatest value, at most *n of them, those with equal values by number; cells
 * without a value are left out. Freed by the caller; *n becomes how many there are. NULL when out
 * of memory, after a message. */
uint32_t *greatest_vertices(const cflr_column *column, uint32_t *n);

/* ---- traverse_plot.c ---- */

/* Once columns are taken: how many vertices have which value, as a picture. 0, or the exit code
 * after a message. */
int traverse_plot(const traversing *t);

/* ---- traverse_report.c ---- */

/* Prints the report to the output, as text or as JSON; `code` or that of an output that could not
 * be written. */
int traverse_report(const traversing *t, int code);

#endif
