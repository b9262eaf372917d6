/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: what the checks of the primitives share: looking at what a run gave, counting what is
 * wrong with it.
 *
 * A check is a serial program from a textbook. It reads the graph as the caller gave it, and of the
 * run its columns, values, sources and options: nothing that the engine made for itself.
 */
#ifndef CFLRI_TRAVERSE_CHECK_H
#define CFLRI_TRAVERSE_CHECK_H

#include "engine/traverse/traversal.h"

/* One check under way. Zero bytes in the report are none checked, none wrong. */
typedef struct cflri_check {
    const cflr_traversal *t;
    const cflr_csr *csr;
    cflr_context *context;
    cflr_traverse_report *report;
    cflr_error *error;
    uint64_t work, looked_up_at; /* vertices and edges so far */
} cflri_check;

/* One a primitive, cflri_check_BFS and so on, in check_<kind>.c. Each adds to the report; anything
 * but CFLR_OK means that it could not be brought to its end. */
typedef cflr_status cflri_check_function(cflri_check *c);

#define CFLRI_CHECK(name, number, word, text) cflri_check_function cflri_check_##name;
CFLR_PRIMITIVE_LIST(CFLRI_CHECK)
#undef CFLRI_CHECK

/* ---- what the run gave ---- */

/* The column of this name, which the primitive has. */
cflr_column cflri_check_column(const cflri_check *c, const char *name);

/* The same of a number that says something of the whole, an integer or not. */
uint64_t cflri_check_counted(const cflri_check *c, const char *name);
double cflri_check_measured(const cflri_check *c, const char *name);

/* ---- counting ---- */

/* One thing was checked. Unless it holds it is wrong; the text, a sentence without a stop, is kept
 * of the first one. */
void cflri_check_that(cflri_check *c, bool holds, const char *format, ...) CFLRI_PRINTF(3, 4);

/* The same of a number of one vertex: "level of vertex 7 is 3, should be 2". */
void cflri_check_number(cflri_check *c, const char *name, uint32_t v, uint64_t found,
                        uint64_t expected);

/* The same of a real number, which may be wrong by `bound`. */
void cflri_check_real(cflri_check *c, const char *name, uint32_t v, double found, double expected,
                      double bound);

/* The same of a number that says something of the whole: "components is 3, should be 2". */
void cflri_check_count(cflri_check *c, const char *name, uint64_t expected);
void cflri_check_total(cflri_check *c, const char *name, double expected, double bound);

/* Of what takes steps until one changes less, in all, than the tolerance: did it stop there, and
 * say by how much the last one changed? `slack` is for how changes are rounded. */
void cflri_check_end(cflri_check *c, double change_before, double change, double slack);

/* ---- on the way ---- */

/* Not CFLR_OK: memory was refused. */
cflr_status cflri_check_have(cflri_check *c, bool memory);

/* Says that so much was looked at since the last call. Not CFLR_OK: the caller has had enough. */
cflr_status cflri_check_worked(cflri_check *c, uint64_t work);

static inline uint64_t cflri_check_degree(const cflri_check *c, uint32_t v) {
    return c->csr->start[v + 1] - c->csr->start[v];
}

/* ---- what several of them need ---- */

/* Breadth-first search: hops from the source (UINT32_MAX: not reached), and the vertices in the
 * order in which they were reached. Both have n_vertices elements. O(n + m). */
cflr_status cflri_check_hops(cflri_check *c, uint32_t source, uint32_t *hops, uint32_t *order,
                             uint32_t *reached);

/* Ranks after so many whole steps of power iteration, from the sources or from everywhere, and by
 * how much the last step and the one before change them, in all. O(n + m) a step. */
cflr_status cflri_check_ranks(cflri_check *c, uint64_t steps, double *rank, double *change_before,
                              double *change);

/* Sets of vertices that are joined: each points to a smaller vertex, or to itself when it is the
 * smallest of its set. A search for the smallest halves the path (Tarjan and van Leeuwen,
 * "Worst-case analysis of set union algorithms", 1984). */
uint32_t *cflri_check_alone(const cflri_check *c); /* each vertex by itself; NULL without memory */
uint32_t cflri_check_smallest(uint32_t *up, uint32_t v);
bool cflri_check_join(uint32_t *up, uint32_t a, uint32_t b); /* false: they were */

#endif
