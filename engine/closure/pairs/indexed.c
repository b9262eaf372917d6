/* SPDX-License-Identifier: Apache-2.0
 *
 * indexed.c: directories of the labels at a vertex.
 */
#include "engine/closure/pairs/indexed.h"

#include <string.h>

enum {
    SEARCHED = 16, /* entries of a directory that is searched from end to end */
    FIRST_TABLE = 64,
};

void cflri_indexed_init(cflri_indexed *indexed, cflr_context *context, cflri_directory *of,
                        uint32_t n_vertices, size_t row_size) {
    *indexed = (cflri_indexed){.of = of, .row_size = row_size};
    cflri_arena_init(&indexed->rows, context);
    cflri_pool_init(&indexed->directories, context);
    cflri_hashed_row_store_init(&indexed->store, context, n_vertices);
}

void cflri_indexed_free(cflri_indexed *indexed) {
    if (!indexed->row_size) return;
    cflri_arena_reset(&indexed->rows);
    cflri_pool_free(&indexed->directories);
    cflri_hashed_row_store_free(&indexed->store);
}

static uint32_t home(uint32_t label, uint32_t capacity) {
    return (label * UINT32_C(2654435769)) >> (32 - (uint32_t)__builtin_ctz(capacity));
}

/* The entry of the label in a table, or the free one where it belongs. */
static cflri_label_row *probe(const cflri_directory *directory, uint32_t label) {
    uint32_t mask = directory->capacity - 1, at = home(label, directory->capacity);
    while (directory->at[at].row && directory->at[at].label != label) at = (at + 1) & mask;
    return &directory->at[at];
}

cflri_hashed_row *cflri_directory_find(const cflri_directory *directory, uint32_t label) {
    if (directory->capacity > SEARCHED) return probe(directory, label)->row;
    for (uint32_t i = 0; i < directory->n; i++) {
        if (directory->at[i].label == label) return directory->at[i].row;
    }
    return NULL;
}

cflri_hashed_row *cflri_directory_next(const cflri_directory *directory, uint32_t *at) {
    uint32_t end = directory->capacity > SEARCHED ? directory->capacity : directory->n;
    while (*at < end) {
        cflri_hashed_row *row = directory->at[(*at)++].row;
        if (row) return row;
    }
    return NULL;
}

static void enter(cflri_directory *directory, cflri_hashed_row *row) {
    bool table = directory->capacity > SEARCHED;
    cflri_label_row *entry = table ? probe(directory, row->label) : &directory->at[directory->n];
    *entry = (cflri_label_row){row->label, row};
    directory->n++;
}

/* From array to larger array, by the classes of the pool, to table, to table of twice the size. */
static bool grow(cflri_pool *pool, cflri_directory *directory) {
    cflri_directory grown = {.capacity = 2 * directory->capacity};
    uint32_t class = cflri_pool_class(directory->capacity * sizeof *grown.at);
    if (directory->capacity < SEARCHED) {
        uint32_t next = directory->capacity ? cflri_pool_larger(class) : CFLRI_POOL_GROWING;
        grown.capacity = (uint32_t)(cflri_pool_bytes(next) / sizeof *grown.at);
    } else if (directory->capacity == SEARCHED) {
        grown.capacity = FIRST_TABLE;
    }
    grown.at = cflri_pool_take(pool, cflri_pool_class(grown.capacity * sizeof *grown.at));
    if (!grown.at) return false;
    memset(grown.at, 0, grown.capacity * sizeof *grown.at);
    cflri_hashed_row *row;
    for (uint32_t at = 0; (row = cflri_directory_next(directory, &at));) enter(&grown, row);
    if (directory->at) cflri_pool_put(pool, directory->at, class);
    *directory = grown;
    return true;
}

cflri_hashed_row *cflri_indexed_make(cflri_indexed *indexed, uint32_t label, uint32_t vertex) {
    cflri_directory *directory = &indexed->of[vertex];
    cflri_hashed_row *row = cflri_directory_find(directory, label);
    if (row) return row;
    uint32_t capacity = directory->capacity;
    bool full = directory->n >= (capacity > SEARCHED ? capacity / 4 * 3 : capacity);
    if (full && !grow(&indexed->directories, directory)) return NULL;
    row = cflri_arena_alloc_zero(&indexed->rows, indexed->row_size);
    if (!row) return NULL;
    *row = cflri_hashed_row_empty(label, vertex);
    enter(directory, row);
    return row;
}
