/* SPDX-License-Identifier: Apache-2.0
 *
 * partition.c: rows, lists and the queue of a share of the vertices.
 */
#include "engine/closure/pairs/partition.h"

#include <assert.h>
#include <string.h>

enum {
    CHUNK = 1 << CFLRI_CHUNK_LOG2,
    SEARCHED = 16, /* entries of a directory that is searched from end to end */
    FIRST_TABLE = 64,
    BLOCKS_A_PART = 32,
};

#define NO_LABEL UINT32_MAX

cflri_deal cflri_deal_out(uint32_t n_vertices, uint32_t parts) {
    cflri_deal deal = {.parts = parts};
    uint64_t blocks = (uint64_t)parts * BLOCKS_A_PART;
    while (deal.shift < 31 && (blocks << (deal.shift + 1)) <= n_vertices) deal.shift++;
    return deal;
}

void cflri_partition_init(cflri_partition *part, const cflri_plan *plan, uint32_t n_vertices) {
    cflr_context *context = plan->context;
    *part = (cflri_partition){.context = context, .plan = plan, .deal = {.parts = 1}};
    part->store.n_vertices = n_vertices;
    cflri_pool_init(&part->store.items, context);
    cflri_pool_init(&part->store.sets, context);
    cflri_pool_init(&part->list_items, context);
    cflri_pool_init(&part->directories, context);
}

static void free_table(cflr_context *context, cflri_table *table) {
    for (size_t i = 0; i < table->chunk.n; i++) cflri_free(context, table->chunk.at[i]);
    cflri_vec_free(context, &table->chunk);
    table->n = 0;
}

void cflri_partition_end_solving(cflri_partition *part) {
    cflri_pool_free(&part->store.sets);
    cflri_pool_free(&part->list_items);
    free_table(part->context, &part->lists);
    cflri_vec_free(part->context, &part->queue);
    part->queue_head = 0;
}

uint64_t cflri_partition_solving_bytes(const cflri_partition *part) {
    return cflri_pool_taken(&part->store.sets) + cflri_pool_taken(&part->list_items) +
           part->lists.n * (uint64_t)sizeof(cflri_list) +
           part->queue.capacity * sizeof *part->queue.at;
}

void cflri_partition_free(cflri_partition *part) {
    if (!part->context) return;
    cflri_partition_end_solving(part);
    cflri_pool_free(&part->store.items);
    cflri_pool_free(&part->directories);
    free_table(part->context, &part->rows);
    *part = (cflri_partition){0};
}

/* ---- directories ---- */

static uint32_t home(uint32_t label, uint32_t capacity) {
    return (label * UINT32_C(2654435769)) >> (32 - (uint32_t)__builtin_ctz(capacity));
}

static uint32_t probe(const cflri_directory *directory, uint32_t label) {
    uint32_t mask = directory->capacity - 1, at = home(label, directory->capacity);
    while (directory->at[at].label != label && directory->at[at].label != NO_LABEL) {
        at = (at + 1) & mask;
    }
    return at;
}

const cflri_entry *cflri_directory_find(const cflri_directory *directory, uint32_t label) {
    if (directory->capacity <= SEARCHED) {
        for (uint32_t i = 0; i < directory->n; i++) {
            if (directory->at[i].label == label) return &directory->at[i];
        }
        return NULL;
    }
    const cflri_entry *entry = &directory->at[probe(directory, label)];
    return entry->label == label ? entry : NULL;
}

const cflri_entry *cflri_directory_next(const cflri_directory *directory, uint32_t *at) {
    if (directory->capacity <= SEARCHED) {
        return *at < directory->n ? &directory->at[(*at)++] : NULL;
    }
    while (*at < directory->capacity) {
        const cflri_entry *entry = &directory->at[(*at)++];
        if (entry->label != NO_LABEL) return entry;
    }
    return NULL;
}

/* Where a directory of a capacity lies in the pool: arrays go up by classes to 16 entries. */
static uint32_t directory_class(uint32_t capacity) {
    return cflri_pool_class(capacity * sizeof(cflri_entry));
}

static bool grow_directory(cflri_pool *pool, cflri_directory *directory) {
    cflri_directory old = *directory, grown = old;
    bool small = old.capacity < SEARCHED;
    if (small) {
        uint32_t class = old.capacity ? directory_class(old.capacity) + 1 : 0;
        grown.capacity = (uint32_t)(cflri_pool_bytes(class) / sizeof(cflri_entry));
    } else {
        grown.capacity = old.capacity == SEARCHED ? FIRST_TABLE : 2 * old.capacity;
    }
    grown.at = cflri_pool_take(pool, directory_class(grown.capacity));
    if (!grown.at) return false;
    if (small) {
        if (old.n) memcpy(grown.at, old.at, old.n * sizeof *grown.at);
    } else {
        memset(grown.at, 0xff, grown.capacity * sizeof *grown.at);
        const cflri_entry *entry;
        for (uint32_t at = 0; (entry = cflri_directory_next(&old, &at));) {
            grown.at[probe(&grown, entry->label)] = *entry;
        }
    }
    if (old.at) cflri_pool_put(pool, old.at, directory_class(old.capacity));
    *directory = grown;
    return true;
}

bool cflri_directory_enter(cflri_pool *pool, cflri_directory *directory, uint32_t label,
                           uint32_t id) {
    bool table = directory->capacity > SEARCHED;
    bool full =
        table ? directory->n >= directory->capacity / 4 * 3 : directory->n == directory->capacity;
    if (full && !grow_directory(pool, directory)) return false;
    table = directory->capacity > SEARCHED;
    uint32_t at = table ? probe(directory, label) : directory->n;
    directory->at[at] = (cflri_entry){label, id};
    directory->n++;
    return true;
}

/* ---- tables ---- */

/* Makes sure that number table->n has a place. */
static bool reserve_one(cflr_context *context, cflri_table *table, size_t size) {
    if (table->n < table->chunk.n << CFLRI_CHUNK_LOG2) return true;
    assert(table->n < UINT32_MAX);
    if (!cflri_vec_reserve(context, &table->chunk, 1)) return false;
    char *chunk = cflri_alloc_array(context, CHUNK, size);
    if (!chunk) return false;
    table->chunk.at[table->chunk.n++] = chunk;
    return true;
}

static cflri_hashed_row *new_row(cflri_partition *part, uint32_t label, uint32_t vertex) {
    if (!reserve_one(part->context, &part->rows, sizeof(cflri_hashed_row))) return NULL;
    cflri_directory *directory = &part->out[vertex];
    if (!cflri_directory_enter(&part->directories, directory, label, part->rows.n)) return NULL;
    cflri_hashed_row *row = cflri_partition_row(part, part->rows.n++);
    *row = (cflri_hashed_row){.label = label,
                              .vertex = vertex,
                              .shape = CFLRI_HASHED_ROW_FEW,
                              .capacity = CFLRI_HASHED_ROW_INSIDE};
    return row;
}

cflri_hashed_row *cflri_partition_make_row(cflri_partition *part, uint32_t label, uint32_t vertex) {
    assert(cflri_partition_owns(part, vertex));
    const cflri_entry *entry = cflri_directory_find(&part->out[vertex], label);
    if (entry) return cflri_partition_row(part, entry->id);
    cflri_hashed_row *row = new_row(part, label, vertex);
    if (row && part->plan->nullable[label]) {
        row->few[0] = vertex;
        row->count = row->settled = 1;
    }
    return row;
}

bool cflri_partition_fixed_row(cflri_partition *part, uint32_t label, uint32_t vertex,
                               const uint32_t *items, uint32_t n) {
    assert(part->plan->fixed[label]);
    cflri_hashed_row *row = new_row(part, label, vertex);
    if (!row) return false;
    row->capacity = 0;
    row->count = n;
    if (n <= CFLRI_HASHED_ROW_INSIDE) {
        memcpy(row->few, items, n * sizeof *items);
        return true;
    }
    row->shape = CFLRI_HASHED_ROW_PLAIN;
    row->many.items = (uint32_t *)(uintptr_t)items; /* never written: see cflri_hashed_row_fixed */
    return true;
}

bool cflri_partition_add(cflri_partition *part, cflri_hashed_row *row, const uint32_t *targets,
                         uint32_t n) {
    uint32_t before = row->count;
    bool whole = cflri_hashed_row_merge(&part->store, row, targets, n);
    uint32_t added = row->count - before;
    if (!added) return whole;
    part->pairs += added;
    part->copies += (uint64_t)added * part->plan->copies[row->label];
    if (!part->plan->busy[row->label]) return whole;
    return cflri_partition_enqueue(part, row) && whole;
}

/* ---- lists ---- */

static bool grow_list(cflri_pool *pool, cflri_list *list) {
    bool inside = list->class == CFLRI_LIST_INSIDE;
    uint32_t class = inside ? 0 : list->class + 1;
    uint32_t *items = cflri_pool_take(pool, class);
    if (!items) return false;
    memcpy(items, cflri_list_items(list), list->count * sizeof *items);
    if (!inside) cflri_pool_put(pool, list->items, list->class);
    list->items = items;
    list->class = class;
    return true;
}

static cflri_list *make_list(cflri_partition *part, uint32_t label, uint32_t target) {
    cflri_directory *directory = &part->in[target];
    const cflri_entry *entry = cflri_directory_find(directory, label);
    if (entry) return cflri_partition_list(part, entry->id);
    if (!reserve_one(part->context, &part->lists, sizeof(cflri_list))) return NULL;
    if (!cflri_directory_enter(&part->directories, directory, label, part->lists.n)) return NULL;
    cflri_list *list = cflri_partition_list(part, part->lists.n++);
    *list = (cflri_list){.class = CFLRI_LIST_INSIDE};
    return list;
}

bool cflri_partition_append(cflri_partition *part, uint32_t label, uint32_t target,
                            uint32_t source) {
    assert(cflri_partition_owns(part, target));
    cflri_list *list = make_list(part, label, target);
    if (!list) return false;
    bool inside = list->class == CFLRI_LIST_INSIDE;
    size_t capacity = inside ? sizeof list->few / sizeof *list->few
                             : cflri_pool_bytes(list->class) / sizeof *list->items;
    if (list->count == capacity && !grow_list(&part->list_items, list)) return false;
    uint32_t *items = list->class == CFLRI_LIST_INSIDE ? list->few : list->items;
    items[list->count++] = source;
    return true;
}

/* ---- the queue ---- */

/* Rows wait between head and n; the part before head is moved away when it is half of all. */
bool cflri_partition_enqueue(cflri_partition *part, cflri_hashed_row *row) {
    if (row->queued) return true;
    if (part->queue_head > part->queue.n / 2 && part->queue.n == part->queue.capacity) {
        part->queue.n -= part->queue_head;
        memmove(part->queue.at, part->queue.at + part->queue_head,
                part->queue.n * sizeof *part->queue.at);
        part->queue_head = 0;
    }
    row->queued = cflri_vec_push(part->context, &part->queue, row);
    return row->queued;
}

cflri_hashed_row *cflri_partition_dequeue(cflri_partition *part) {
    if (part->queue_head == part->queue.n) return NULL;
    return part->queue.at[part->queue_head++];
}
