/* SPDX-License-Identifier: Apache-2.0
 *
 * facts_table.h: a hash table from three numbers to one.
 *
 * Facts are found by small keys of numbers: (step, base, detail) for derived nodes, (what, string,
 * detail) for named things. One table serves all. Entries are never removed.
 */
#ifndef CFLRI_FACTS_TABLE_H
#define CFLRI_FACTS_TABLE_H

#include "base/alloc.h"

typedef struct cflri_triples cflri_triples;

#define CFLRI_NO_VALUE UINT32_MAX

typedef struct cflri_triple {
    uint32_t a, b, c;
} cflri_triple;

/* NULL when memory is refused. */
cflri_triples *cflri_triples_new(cflr_context *context);
void cflri_triples_free(cflri_triples *table);

/* CFLRI_NO_VALUE when the key is not there. */
uint32_t cflri_triples_find(const cflri_triples *table, cflri_triple key);

/* Makes room for `extra` more keys, which then are added without growing; false when memory is
 * refused. */
bool cflri_triples_reserve(cflri_triples *table, size_t extra);

/* Sets the value of a key that is not there yet; false when memory is refused. */
bool cflri_triples_add(cflri_triples *table, cflri_triple key, uint32_t value);

#endif
