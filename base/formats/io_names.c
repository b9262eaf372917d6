/* SPDX-License-Identifier: Apache-2.0
 *
 * io_names.c: numbering the names of vertices while a file is read. Expected O(length) a name; up
 * to 2^32 - 2 names, as many as vertices.
 */
#include <assert.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/formats/io_edges.h"

bool cflri_name_find(cflr_context *context, cflri_name_table *table, cflri_field name,
                     uint32_t *number, bool *is_new) {
    uint32_t hash = (uint32_t)(XXH3_64bits(name.at, name.size) >> 32);
    *is_new = false;
    for (size_t at = cflri_seen_first(&table->seen, hash);
         (*number = cflri_seen_next(&table->seen, hash, &at)) != CFLRI_NOT_SEEN;) {
        cflri_field known = table->names.at[*number];
        if (known.size == name.size && memcmp(known.at, name.at, name.size) == 0) return true;
    }
    assert(table->names.n < UINT32_MAX);
    *number = (uint32_t)table->names.n;
    *is_new = true;
    return cflri_vec_push(context, &table->names, name) &&
           cflri_seen_add(context, &table->seen, hash, *number);
}

void cflri_name_table_free(cflr_context *context, cflri_name_table *table) {
    cflri_vec_free(context, &table->names);
    cflri_seen_free(context, &table->seen);
    *table = (cflri_name_table){0};
}
