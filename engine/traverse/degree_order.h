/* SPDX-License-Identifier: Apache-2.0
 *
 * degree_order.h: a graph's vertices by degree.
 */
#ifndef CFLRI_DEGREE_ORDER_H
#define CFLRI_DEGREE_ORDER_H

#include "base/plain/csr.h"

/* The edges of a symmetric graph, each once, to the smaller number; vertices are numbered anew,
 * those with most edges first, unless that makes no difference worth it. Edges from a vertex to
 * itself and all but one of parallel ones are left out, weights too. *by_degree is NULL where the
 * rows of `csr` do as they are. With `sorted` it never is, and rows ascend. O(n + m), and the
 * sorting. */
cflr_status cflri_degree_order(const cflr_csr *csr, bool sorted, cflr_csr **by_degree,
                               cflr_error *error);

#endif
