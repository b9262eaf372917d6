/* SPDX-License-Identifier: Apache-2.0
 *
 * check_nodes.c: validates and dumps the nodes of a batch.
 */
#include <stdlib.h>

#include "engine/closure/batch/check.h"
#include "engine/sets/check.h"

typedef struct checking {
    cflri_faults faults;
    const cflri_batch *b;
    uint32_t families, extras;
    uint8_t *listed; /* by number of an extra: its family's list has it */
    uint8_t *within; /* by number of a set: bits of what ranges it was found in */
} checking;

/* ---- places ---- */

static void check_places(checking *c) {
    const cflri_batch *b = c->b;
    uint32_t stratum = 0;
    for (uint32_t p = 0; p < b->at_place.n; p++) {
        uint32_t family = b->at_place.at[p];
        if (family >= c->families || b->place[family] != p) {
            cflri_fault(&c->faults, "place %u has family %u, which has another", p, family);
            continue;
        }
        if (b->equations->family.at[family].stratum < stratum) {
            cflri_fault(&c->faults, "place %u has a family of an earlier stratum", p);
        }
        stratum = b->equations->family.at[family].stratum;
    }
    for (uint32_t f = 0; f < c->families; f++) {
        if (b->place[f] != CFLRI_NO_NODE && b->place[f] >= b->at_place.n) {
            cflri_fault(&c->faults, "family %u has place %u", f, b->place[f]);
        }
    }
    if (b->n_placed != b->at_place.n * b->problem->n_vertices) {
        cflri_fault(&c->faults, "%u nodes have places", b->n_placed);
    }
}

/* ---- extras ---- */

static void check_list(checking *c, uint32_t family) {
    const cflri_batch *b = c->b;
    uint32_t number = cflri_batch_nodes(b, family).extra;
    while (number) {
        if (number >= c->extras || c->listed[number]) {
            cflri_fault(&c->faults, "the list of family %u has extra %u twice", family, number);
            return;
        }
        const cflri_extra *extra = cflri_batch_extra(b, b->n_placed + number);
        c->listed[number] = 1;
        if (extra->family != family) {
            cflri_fault(&c->faults, "the list of family %u has extra %u of family %u", family,
                        number, extra->family);
        }
        number = extra->next;
    }
}

static void check_lists(checking *c) {
    for (uint32_t f = 0; f < c->families; f++) {
        check_list(c, f);
        if (c->b->sliced) check_list(c, cflri_batch_sent(c->b, f));
        if (c->b->sliced) check_list(c, cflri_batch_received(c->b, f));
    }
}

/* Hubs and fans are of sets of several. */
static bool is_vertex(const cflri_batch *b, uint32_t family, uint32_t vertex) {
    if (!cflri_is_by_set(b, family)) return vertex < b->problem->n_vertices;
    return cflri_sets_known(b->store->sets, vertex) && cflri_sets_count(b->sets, vertex) > 1;
}

static void check_extra(checking *c, uint32_t number) {
    const cflri_batch *b = c->b;
    uint32_t node = b->n_placed + number, family = cflri_batch_family(b, node);
    if (family == CFLRI_NO_NODE) return;
    if (family >= (b->sliced ? 5 : 3) * c->families) {
        cflri_fault(&c->faults, "extra %u is of family %u", number, family);
        return;
    }
    uint32_t vertex = cflri_batch_vertex(b, node);
    if (cflri_batch_has_place(b, family)) {
        cflri_fault(&c->faults, "extra %u is of family %u, which has a place", number, family);
    }
    if (!is_vertex(b, family, vertex)) {
        cflri_fault(&c->faults, "extra %u of family %u is at %u", number, family, vertex);
    }
    if (cflri_batch_find(b, family, vertex) != node) {
        cflri_fault(&c->faults, "extra %u, of family %u at %u, is not found so", number, family,
                    vertex);
    }
    if (c->listed[number] == cflri_is_by_set(b, family)) {
        cflri_fault(&c->faults, "extra %u of family %u is %s", number, family,
                    c->listed[number] ? "by a set, and in a list" : "in no list");
    }
}

static void check_extras(checking *c, FILE *to) {
    uint8_t *found = cflri_fault_room(c->extras, 1);
    if (!cflri_shards_validate(&c->b->store->extras, c->extras, found, to)) c->faults.n++;
    for (uint32_t i = 1; i < c->extras; i++) check_extra(c, i);
    free(found);
}

/* ---- values ---- */

/* Ids of the row are from `first` on, before `end`; each set is looked at once for each range. */
static bool is_within(checking *c, cflri_set_number set, uint8_t range, uint32_t first,
                      uint32_t end) {
    const cflri_sets *sets = c->b->sets;
    cflri_row row = cflri_sets_row(sets, set);
    if (!cflri_set_is_single(set) && c->within[set] & range) return true;
    if (cflri_row_rank(&row, &sets->store->trees, first) ||
        cflri_row_rank(&row, &sets->store->trees, end) < row.n)
        return false;
    if (!cflri_set_is_single(set)) c->within[set] |= range;
    return true;
}

static bool has_begun(const cflri_batch *b, uint32_t node) {
    return node < cflri_batch_n_begun(b) || node >= b->n_placed;
}

static void check_value(checking *c, uint32_t node) {
    const cflri_batch *b = c->b;
    uint32_t family = cflri_batch_family(b, node);
    if (family == CFLRI_NO_NODE || !has_begun(b, node)) return;
    cflri_set_number value = cflri_batch_value(b, node);
    if (!value) return;
    if (!cflri_sets_known(b->store->sets, value)) {
        cflri_fault(&c->faults, "node %u has set %u, which is not there", node, value);
        return;
    }
    const cflri_family *of = &b->equations->family.at[family % c->families];
    if (cflri_is_row(b, family) && of->stratum > b->number) {
        cflri_fault(&c->faults, "node %u of stratum %u has a row in stratum %u", node, of->stratum,
                    b->number);
    }
    if (cflri_is_worked(b, family) &&
        !is_within(c, value, of->guarded ? 2 : 1, b->own_first[of->guarded],
                   b->own_end[of->guarded])) {
        cflri_fault(&c->faults, "node %u has ids of another slice", node);
    }
}

/* ---- all ---- */

bool cflri_batch_validate(const cflri_batch *b, FILE *to) {
    checking c = {.faults = {.to = to},
                  .b = b,
                  .families = (uint32_t)b->equations->family.n,
                  .extras = b->store->extra.drawn};
    c.listed = cflri_fault_room(c.extras, 1);
    c.within = cflri_fault_room(b->store->sets->row.drawn, 1);
    if (!cflri_sets_validate(b->store->sets, to)) c.faults.n++;
    check_places(&c);
    check_lists(&c);
    check_extras(&c, to);
    for (uint32_t node = 0; node < b->n_placed + c.extras; node++) check_value(&c, node);
    free(c.listed);
    free(c.within);
    return !c.faults.n;
}

void cflri_batch_dump(const cflri_batch *b, FILE *to) {
    static const char *const kinds[] = {"", "hub ", "fan ", "sent ", "received "};
    uint32_t families = (uint32_t)b->equations->family.n;
    for (uint32_t node = 0; node < b->n_placed + b->store->extra.drawn; node++) {
        uint32_t family = cflri_batch_family(b, node);
        if (family == CFLRI_NO_NODE || !has_begun(b, node)) continue;
        fprintf(to, "node %u: %s%u(%u) is set %u\n", node, kinds[family / families],
                family % families, cflri_batch_vertex(b, node), cflri_batch_value(b, node));
    }
    cflri_sets_dump(b->store->sets, to);
}
