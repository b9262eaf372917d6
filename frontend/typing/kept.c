/* SPDX-License-Identifier: Apache-2.0
 *
 * kept.c: where a pointer that is kept in memory is read again.
 *
 * Which pointers lead to one place is not known before the closure, but types tell something: what
 * is stored in a member of a record is read as that member, or through a pointer to pointers that
 * the address of some member has become.
 *
 *     p->next, q->next              one cell: struct node, 8
 *     p->in.a, struct in *r, r->a   one cell: struct in, 0
 *     *pp, and all members and variables whose address is used as a value    one cell
 *
 * At the start of a record is the start of its first member. A content of memory that no type
 * tells is in no cell. O(nodes + assignments), and a sort.
 */
#include "frontend/typing/kept.h"

#include <stdlib.h>

#include "base/context.h"
#include "base/graph/graph.h"
#include "base/ids.h"

static const cflri_node_record *record(const cflri_kept *k, cflri_node n) {
    return &k->facts->nodes.at[n];
}

static int by_cell(const void *a, const void *b) {
    const cflri_cell *x = a, *y = b;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

void cflri_kept_innermost(const cflri_kept *k, cflri_cell *found) {
    enum { MOST_DEPTH = 64 };
    const cflri_shapes *shapes = k->readings->shapes;
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        size_t first, end;
        cflri_shapes_at(shapes, found->class, found->offset, &first, &end);
        if (first == end) return;
        uint32_t class = k->readings->classes->content[shapes->members.at[first].type] - 1;
        if (!cflri_is_record_class(k->readings->classes, class)) return;
        *found = (cflri_cell){class, 0, found->node};
    }
}

static bool flows_on(const cflri_kept *k, cflri_node n) {
    return k->out->start[n] < k->out->start[n + 1];
}

bool cflri_kept_member(const cflri_kept *k, cflri_node n, size_t which, cflri_cell *found) {
    const cflri_node_record *node = record(k, n);
    const size_t *start = k->readings->start;
    *found = (cflri_cell){.node = n};
    if (node->how == CFLRI_ROOT && which > 0) return false;
    if (node->how == CFLRI_ROOT) {
        found->class = k->readings->classes->content[node->type] - 1;
        cflri_kept_innermost(k, found);
        return cflri_is_record_class(k->readings->classes, found->class);
    }
    if (node->how != CFLRI_DEREF) return false;
    const size_t *record_start = k->readings->record_start;
    if (record_start[n] + which < record_start[n + 1]) {
        *found = (cflri_cell){k->readings->record.at[record_start[n] + which], 0, n};
        cflri_kept_innermost(k, found);
        return true;
    }
    if (record_start[n] < record_start[n + 1]) return false;
    const cflri_node_record *base = record(k, node->base);
    size_t of = record_start[node->base];
    if (of + which < record_start[node->base + 1] && base->how == CFLRI_FIELD) {
        *found = (cflri_cell){k->readings->record.at[of + which], base->step, n};
        cflri_kept_innermost(k, found);
        return true;
    }
    if (which > 0) return false;
    if (start[node->base + 1] != start[node->base] + 1) return false;
    found->class = k->readings->class.at[start[node->base]];
    cflri_kept_innermost(k, found);
    return cflri_is_record_class(k->readings->classes, found->class);
}

static bool is_taken(const cflri_kept *k, uint32_t class, uint32_t offset) {
    uint64_t key = cflri_pair(class, offset);
    return k->taken.n &&
           bsearch(&key, k->taken.at, k->taken.n, sizeof key, cflri_pairs_compare) != NULL;
}

/* Is this the target of a pointer to pointers, or a parameter whose address is taken? */
static bool is_pointed_to(const cflri_kept *k, cflri_node n) {
    const size_t *start = k->readings->start;
    const cflri_node_record *node = record(k, n);
    if (node->how != CFLRI_DEREF) return false;
    bool one = start[node->base + 1] == start[node->base] + 1;
    if (record(k, node->base)->how == CFLRI_SLOT) return flows_on(k, node->base);
    return one &&
           cflri_is_pointer_class(k->readings->classes, k->readings->class.at[start[node->base]]);
}

bool cflri_kept_cell(const cflri_kept *k, cflri_node n, size_t which, cflri_cell *found) {
    bool member = cflri_kept_member(k, n, which, found);
    bool shared = member ? is_taken(k, found->class, found->offset)
                         : which == 0 && (k->addressed[n] || is_pointed_to(k, n));
    if (shared) *found = (cflri_cell){CFLRI_CLASS_POINTER, 0, n};
    return member || shared;
}

static cflr_status take(cflri_kept *k, uint32_t class, uint32_t offset, cflr_error *error) {
    cflri_cell at = {class, offset, CFLRI_NO_NODE};
    cflri_kept_innermost(k, &at);
    uint64_t pair = cflri_pair(at.class, at.offset);
    cflr_context *context = k->readings->program->context;
    return cflri_vec_push(context, &k->taken, pair) ? CFLR_OK : cflri_fail_memory(context, error);
}

/* Members and variables whose address is used as a value. */
static cflr_status find_taken(cflri_kept *k, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const uint32_t *content = k->readings->classes->content;
    for (cflri_node n = 0; n < k->facts->nodes.n; n++) {
        const cflri_node_record *node = record(k, n);
        if (!flows_on(k, n)) continue;
        if (node->how == CFLRI_ADDRESS) k->addressed[node->base] = true;
        if (node->how == CFLRI_ADDRESS && content[record(k, node->base)->type] > 1)
            CFLR_TRY(take(k, content[record(k, node->base)->type] - 1, 0, error));
        for (size_t i = k->readings->record_start[n]; i < k->readings->record_start[n + 1]; i++)
            if (node->how == CFLRI_FIELD)
                CFLR_TRY(take(k, k->readings->record.at[i], node->step, error));
    }
out:
    return st;
}

/* Records whose address becomes a pointer to something else, which may be their first member. */
static cflr_status find_begun(cflri_kept *k, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const size_t *start = k->readings->start;
    for (size_t i = 0; i < k->facts->assigns.n; i++) {
        const cflri_assign *assign = &k->facts->assigns.at[i];
        for (size_t j = start[assign->from]; j < start[assign->from + 1]; j++) {
            uint32_t class = k->readings->class.at[j];
            bool begins = cflri_is_record_class(k->readings->classes, class);
            bool same = start[assign->to] < start[assign->to + 1] &&
                        k->readings->class.at[start[assign->to]] == class;
            if (begins && !same) CFLR_TRY(take(k, class, 0, error));
        }
    }
    if (k->taken.n) qsort(k->taken.at, k->taken.n, sizeof *k->taken.at, cflri_pairs_compare);
out:
    return st;
}

static cflr_status find_cells(cflri_kept *k, cflr_error *error) {
    cflr_context *context = k->readings->program->context;
    for (cflri_node n = 0; n < k->facts->nodes.n; n++) {
        cflri_cell found;
        for (size_t i = 0; cflri_kept_cell(k, n, i, &found); i++)
            if (!cflri_vec_push(context, &k->cells, found))
                return cflri_fail_memory(context, error);
    }
    if (k->cells.n) qsort(k->cells.at, k->cells.n, sizeof *k->cells.at, by_cell);
    return CFLR_OK;
}

cflr_status cflri_kept_make(cflri_kept *k, const cflri_readings *readings, const cflri_flows *out,
                            cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = readings->program->context;
    *k = (cflri_kept){.readings = readings, .facts = &readings->program->facts, .out = out};
    k->addressed = cflri_alloc_array_zero(context, k->facts->nodes.n, sizeof *k->addressed);
    if (!k->addressed) return cflri_fail_memory(context, error);
    CFLR_TRY(find_taken(k, error));
    CFLR_TRY(find_begun(k, error));
    st = find_cells(k, error);
out:
    return st;
}

void cflri_kept_free(cflri_kept *k) {
    if (!k->readings) return;
    cflr_context *context = k->readings->program->context;
    cflri_free(context, k->addressed);
    cflri_vec_free(context, &k->cells);
    cflri_vec_free(context, &k->taken);
}

size_t cflri_kept_find(const cflri_kept *k, uint32_t class, uint32_t offset) {
    const cflri_cell *cell = k->cells.at;
    size_t i;
    CFLRI_BISECT(i, 0, k->cells.n,
                 cell[i].class < class || (cell[i].class == class && cell[i].offset < offset));
    return i;
}
