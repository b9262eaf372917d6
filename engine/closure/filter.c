/* SPDX-License-Identifier: Apache-2.0
 *
 * filter.c: from the labels of filters to masks.
 *
 * The rows of the first label are sorted, so that equal ones are neighbours, and each different one
 * makes a mask: its vertices are exchanged for what the next label leads to from them, label by
 * label. Of the last label no edge is followed: a mask names rows.
 */
#include "engine/closure/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/ids.h"
#include "base/vec.h"

typedef struct maker {
    cflr_context *context;
    const cflri_ground *ground;
    cflri_filter *filter;
    const cflri_relation **step; /* a relation for each label; NULL: the graph has no such edge */
    uint32_t n_steps;
    CFLRI_VEC(uint64_t) start;
    cflri_numbers all;      /* classes of masks */
    cflri_numbers at, next; /* scratch */
    cflr_error *error;
} maker;

static cflr_status no_memory(const maker *m) {
    return cflri_fail_memory(m->context, m->error);
}

/* The edges of a label in the direction that the filter reads them. */
static const cflri_relation *relation_of(const cflri_ground *ground, uint32_t symbol, bool back) {
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        if (ground->symbol[s].symbol != symbol) continue;
        uint32_t label = ground->symbol[s].label;
        if (label == CFLR_NO_LABEL) return NULL;
        return back ? &ground->graph->in[label] : &ground->graph->out[label];
    }
    return NULL;
}

static bool append(maker *m, cflri_numbers *list, const uint32_t *vertex, uint64_t n) {
    if (!cflri_vec_reserve(m->context, list, n)) return false;
    if (n) memcpy(list->at + list->n, vertex, n * sizeof *vertex);
    list->n += n;
    return true;
}

/* m->at becomes what the label leads to from it. */
static bool go_along(maker *m, const cflri_relation *step) {
    m->next.n = 0;
    for (size_t i = 0; step && i < m->at.n; i++) {
        uint64_t n;
        const uint32_t *row = cflri_relation_row(step, m->at.at[i], &n);
        if (!append(m, &m->next, row, n)) return false;
    }
    cflri_numbers old = m->at;
    m->at = m->next;
    m->next = old;
    m->at.n = cflri_ids_sort_once(m->at.at, m->at.n);
    return true;
}

/* m->at, which are vertices, becomes their classes. */
static void find_classes(maker *m) {
    const cflri_relation *classes = &m->filter->classes;
    size_t n = 0;
    for (size_t i = 0; i < m->at.n; i++) {
        uint32_t r = cflri_relation_find(classes, m->at.at[i]);
        if (r < classes->n_rows) m->at.at[n++] = r;
    }
    m->at.n = n;
}

static cflr_status make_mask(maker *m, const uint32_t *first, uint64_t n) {
    m->at.n = 0;
    if (!append(m, &m->at, first, n)) return no_memory(m);
    for (uint32_t k = 1; k + 1 < m->n_steps; k++) {
        if (!go_along(m, m->step[k])) return no_memory(m);
    }
    if (!m->filter->single) find_classes(m);
    if (!append(m, &m->all, m->at.at, m->at.n) ||
        !cflri_vec_push(m->context, &m->start, m->all.n)) {
        return no_memory(m);
    }
    return cflri_interrupted(m->context) == CFLR_CANCELLED
               ? cflri_fail_interrupted(m->context, CFLR_CANCELLED, m->error)
               : CFLR_OK;
}

/* Rows of a relation by their targets. */
typedef struct sorted_row {
    const uint32_t *target;
    uint64_t n;
    uint32_t row;
} sorted_row;

static int compare_targets(const sorted_row *x, const sorted_row *y) {
    for (uint64_t i = 0; i < x->n && i < y->n; i++) {
        if (x->target[i] != y->target[i]) return x->target[i] < y->target[i] ? -1 : 1;
    }
    return (x->n > y->n) - (x->n < y->n);
}

static int by_targets(const void *a, const void *b) {
    const sorted_row *x = a, *y = b;
    int order = compare_targets(x, y);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static cflr_status make_masks(maker *m) {
    const cflri_relation *first = m->step[0];
    cflr_status st = CFLR_OK;
    if (!first || !first->n_rows) return CFLR_OK;
    sorted_row *order = cflri_alloc_array(m->context, first->n_rows, sizeof *order);
    if (!order) return no_memory(m);
    for (uint32_t r = 0; r < first->n_rows; r++) {
        order[r] = (sorted_row){cflri_relation_targets(first, r), cflri_relation_count(first, r),
                                first->row[r]};
    }
    qsort(order, first->n_rows, sizeof *order, by_targets);
    for (uint32_t r = 0; r < first->n_rows; r++) {
        if (!r || compare_targets(&order[r - 1], &order[r]) != 0) {
            CFLR_TRY(make_mask(m, order[r].target, order[r].n));
        }
        m->filter->mask_of[order[r].row] = (uint32_t)m->start.n - 1;
    }
out:
    cflri_free(m->context, order);
    return st;
}

static cflr_status make_filter(maker *m, const cflri_filter_rule *rule) {
    cflr_status st = CFLR_OK;
    uint32_t vertices = m->ground->graph->n_vertices;
    cflri_filter *filter = m->filter;
    filter->n_vertices = vertices;
    filter->mask_of =
        cflri_alloc_array_zero(m->context, (size_t)vertices + 1, sizeof *filter->mask_of);
    m->step = cflri_alloc_array(m->context, rule->n, sizeof *m->step);
    m->n_steps = rule->n;
    if (!filter->mask_of || !m->step || !cflri_vec_push(m->context, &m->start, 0)) {
        CFLR_TRY(no_memory(m));
    }
    for (uint32_t k = 0; k < rule->n; k++) {
        m->step[k] = relation_of(m->ground, rule->label[k], rule->back[k]);
    }
    filter->single = rule->n == 1;
    if (!filter->single && m->step[rule->n - 1]) {
        uint32_t last = rule->n - 1;
        filter->classes = cflri_relation_borrow(m->step[last]);
        filter->converse = relation_of(m->ground, rule->label[last], !rule->back[last]);
    }
    CFLR_TRY(make_masks(m));
    filter->n_masks = (uint32_t)m->start.n - 1;
    filter->start = m->start.at;
    filter->class_of = m->all.at;
    m->start.at = NULL;
    m->all.at = NULL;
out:
    cflri_free(m->context, m->step);
    cflri_vec_free(m->context, &m->start);
    cflri_vec_free(m->context, &m->all);
    cflri_vec_free(m->context, &m->at);
    cflri_vec_free(m->context, &m->next);
    return st;
}

/* Room for n filters, of n_symbols. */
static cflr_status make_room(cflri_filters *filters, cflr_context *context, uint32_t n,
                             uint32_t n_symbols, cflr_error *error) {
    *filters = (cflri_filters){.context = context, .n_symbols = n_symbols};
    if (!n) return CFLR_OK;
    filters->filter = cflri_alloc_array_zero(context, n, sizeof *filters->filter);
    filters->of =
        cflri_alloc_array_zero(context, (size_t)n_symbols + 1, sizeof(const cflri_filter *));
    if (!filters->filter || !filters->of) return cflri_fail_memory(context, error);
    filters->n = n;
    return CFLR_OK;
}

cflr_status cflri_filters_make(const cflri_ground *ground, cflri_filters *filters,
                               cflr_error *error) {
    const cflr_grammar *grammar = ground->grammar;
    cflr_status st = CFLR_OK;
    CFLR_TRY(make_room(filters, ground->context, (uint32_t)grammar->filters.n, ground->n_symbols,
                       error));
    for (uint32_t i = 0; i < filters->n; i++) {
        maker m = {.context = ground->context,
                   .ground = ground,
                   .filter = &filters->filter[i],
                   .error = error};
        CFLR_TRY(make_filter(&m, &grammar->filters.at[i]));
        for (uint32_t s = 0; s < ground->n_symbols; s++) {
            if (ground->symbol[s].symbol != grammar->filters.at[i].symbol) continue;
            filters->of[s] = &filters->filter[i];
        }
    }
out:
    return st;
}

void cflri_filters_free(cflri_filters *filters) {
    for (uint32_t i = 0; i < filters->n; i++) {
        cflri_free(filters->context, filters->filter[i].mask_of);
        cflri_free(filters->context, filters->filter[i].start);
        cflri_free(filters->context, filters->filter[i].class_of);
        cflri_relation_free(filters->context, &filters->filter[i].classes);
    }
    if (filters->context) {
        cflri_free(filters->context, filters->filter);
        cflri_free(filters->context, (void *)filters->of);
    }
    *filters = (cflri_filters){0};
}

uint64_t cflri_filters_bytes(const cflri_filters *filters) {
    uint64_t bytes = cflri_block_bytes(filters->filter) + cflri_block_bytes(filters->of);
    for (uint32_t i = 0; i < filters->n; i++) {
        const cflri_filter *filter = &filters->filter[i];
        bytes += cflri_block_bytes(filter->mask_of) + cflri_block_bytes(filter->start) +
                 cflri_block_bytes(filter->class_of);
        if (!filter->classes.borrowed) bytes += cflri_relation_bytes(&filter->classes);
    }
    return bytes;
}

/* ---- other numbers ---- */

/* The classes with the vertices that are left. */
static bool renumber_classes(cflr_context *context, const cflri_relation *from,
                             const uint32_t *number, cflri_relation *to) {
    *to = (cflri_relation){.n_rows = from->n_rows, .n_pairs = from->n_pairs};
    if (cflri_relation_allocate(context, to, NULL) != CFLR_OK) return false;
    to->n_pairs = 0;
    for (uint32_t r = 0; r < from->n_rows; r++) {
        to->row[r] = from->row[r];
        to->start[r] = to->n_pairs;
        for (uint64_t i = from->start[r]; i < from->start[r + 1]; i++) {
            uint32_t v = number[from->target[i]];
            if (v != UINT32_MAX) to->target[to->n_pairs++] = v;
        }
    }
    if (to->start) to->start[to->n_rows] = to->n_pairs;
    return true;
}

/* Filters often end with the same label, and then share its rows. */
static bool share_classes(const cflri_filter *from, cflri_filter *to, uint32_t i) {
    for (uint32_t j = 0; j < i; j++) {
        if (from[j].single || from[j].classes.row != from[i].classes.row) continue;
        to[i].classes = cflri_relation_borrow(&to[j].classes);
        return true;
    }
    return false;
}

static bool renumber(cflr_context *context, const cflri_filter *from, const uint32_t *number,
                     uint32_t n, cflri_filter *to) {
    *to = (cflri_filter){.n_vertices = n, .n_masks = from->n_masks, .single = from->single};
    to->mask_of = cflri_alloc_array_zero(context, (size_t)n + 1, sizeof *to->mask_of);
    to->start = cflri_alloc_array(context, (size_t)from->n_masks + 1, sizeof *to->start);
    to->class_of = cflri_alloc_array(context, from->start[from->n_masks] + 1, sizeof *to->class_of);
    if (!to->mask_of || !to->start || !to->class_of) return false;
    for (uint32_t v = 0; v < from->n_vertices; v++) {
        if (number[v] != UINT32_MAX) to->mask_of[number[v]] = from->mask_of[v];
    }
    uint64_t kept = to->start[0] = 0;
    for (uint32_t m = 0; m < from->n_masks; m++) {
        for (uint64_t i = from->start[m]; i < from->start[m + 1]; i++) {
            uint32_t c = from->class_of[i];
            if (from->single) c = number[c];
            if (c != UINT32_MAX) to->class_of[kept++] = c;
        }
        to->start[m + 1] = kept;
    }
    return true;
}

/* Of filter i. */
static bool renumber_all(cflr_context *context, const cflri_filter *from, const uint32_t *number,
                         uint32_t n, cflri_filter *to, uint32_t i) {
    return renumber(context, &from[i], number, n, &to[i]) &&
           (from[i].single || share_classes(from, to, i) ||
            renumber_classes(context, &from[i].classes, number, &to[i].classes));
}

cflr_status cflri_filters_renumber(const cflri_filters *from, const uint32_t *number, uint32_t n,
                                   cflri_filters *filters, cflr_error *error) {
    cflr_status st = make_room(filters, from->context, from->n, from->n_symbols, error);
    for (uint32_t i = 0; st == CFLR_OK && i < from->n; i++) {
        if (renumber_all(from->context, from->filter, number, n, filters->filter, i)) continue;
        st = cflri_fail_memory(from->context, error);
    }
    for (uint32_t s = 0; st == CFLR_OK && from->of && s < from->n_symbols; s++) {
        if (from->of[s]) filters->of[s] = &filters->filter[from->of[s] - from->filter];
    }
    return st;
}

/* ---- vertices of masks ---- */

static bool mask_has_class(const cflri_filter *filter, uint32_t mask, uint32_t c) {
    uint64_t first = filter->start[mask - 1], n = filter->start[mask] - first;
    uint64_t at = cflri_ids_seek(filter->class_of + first, n, c);
    return at < n && filter->class_of[first + at] == c;
}

bool cflri_mask_has(const cflri_filter *filter, uint32_t mask, uint32_t vertex) {
    if (filter->single) return mask_has_class(filter, mask, vertex);
    if (!filter->converse) return false; /* the graph has no edge of the last label */
    uint64_t n;
    const uint32_t *from = cflri_relation_row(filter->converse, vertex, &n);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t c = cflri_relation_find(&filter->classes, from[i]);
        if (mask_has_class(filter, mask, c)) return true;
    }
    return false;
}
