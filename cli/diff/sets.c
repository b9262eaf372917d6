/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.c: sets of two results are compared, each pair of sets once.
 *
 * A result keeps equal rows once (cflr_result_alike), and many pointers have the same row. So a
 * thing stands for two numbers, its set in OLD and its set in NEW, and what is compared is each
 * different pair of these numbers:
 *
 *     thing      set in OLD    set in NEW
 *     p          12            7             12, 7 are compared
 *     q          12            7             as p
 *     r          12            9             12, 9 are compared
 *     s          -             9             only NEW has it
 *
 * Sorted by these numbers the pairs come in chunks whose rows are read at once, by all threads
 * (cflr_result_fill). Targets are marked by the number of their pair in an array for each side, so
 * that a comparison is linear in both sets and nothing is sorted. The union of several rows, of a
 * thing with several vertices or of a relation with indexes, is a set of its own.
 */
#include "cli/diff/sets.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_TARGETS = 1 << 23, CHUNK_ROWS = 1 << 18 };

#define NO_SET UINT64_MAX

/* One thing, by its sets. */
typedef struct wanted {
    uint64_t set[SIDES];
    uint32_t thing;
} wanted;

typedef struct comparing {
    const relation_pair *of;
    const things *t;
    uint32_t *alike[SIDES]; /* by vertex; NULL: the relation has several instances */
    uint32_t instances[SIDES];
    uint32_t *mark[SIDES]; /* by thing: 1 + the pair that it was seen in last */
    bool list;
    set_pairs *sets;
} comparing;

/* Rows that were read together: of each side its vertices, row i of instance k from
 * target[offset[k * (n + 1) + i]] on. */
typedef struct rows {
    uint32_t *vertex;
    size_t n, capacity;
    uint64_t *offset;
    uint32_t *target;
} rows;

/* ---- which sets there are ---- */

static uint64_t set_of(const comparing *c, int side, uint32_t thing) {
    const uint32_t *vertex;
    uint32_t n = thing_vertices(c->t, side, thing, &vertex);
    const uint32_t *alike = c->alike[side];
    if (n == 0) return NO_SET;
    uint64_t own = (uint64_t)cflr_graph_vertices(c->t->side[side].graph) + thing;
    for (uint32_t i = 0; alike && i < n; i++)
        if (alike[vertex[i]] != alike[vertex[0]]) return own;
    return alike ? alike[vertex[0]] : own;
}

static bool is_covered(const comparing *c, uint32_t thing) {
    for (int side = 0; side < SIDES; side++) {
        const uint32_t *vertex;
        uint32_t n = thing_vertices(c->t, side, thing, &vertex);
        for (uint32_t i = 0; i < n; i++)
            if (!cflr_result_covers(c->of->result[side], vertex[i], CFLR_NO_VERTEX)) return false;
    }
    return true;
}

static int compare_wanted(const void *a, const void *b) {
    const wanted *x = a, *y = b;
    for (int side = 0; side < SIDES; side++)
        if (x->set[side] != y->set[side]) return x->set[side] < y->set[side] ? -1 : 1;
    return (x->thing > y->thing) - (x->thing < y->thing);
}

static bool is_same_pair(const wanted *a, const wanted *b) {
    return a->set[OLD] == b->set[OLD] && a->set[NEW] == b->set[NEW];
}

/* All things that both results tell of, sorted by their sets: how many. */
static size_t list_wanted(const comparing *c, wanted *list) {
    size_t n = 0;
    for (uint32_t thing = 0; thing < c->t->n; thing++) {
        c->sets->of[thing] = NO_PAIR;
        if (!is_covered(c, thing)) continue;
        list[n++] = (wanted){{set_of(c, OLD, thing), set_of(c, NEW, thing)}, thing};
    }
    qsort(list, n, sizeof *list, compare_wanted);
    return n;
}

/* ---- reading ---- */

static bool add_rows(const comparing *c, int side, uint32_t thing, rows *r) {
    const uint32_t *vertex;
    uint32_t n = thing_vertices(c->t, side, thing, &vertex);
    for (uint32_t i = 0; i < n; i++) {
        if (!make_room(&r->vertex, &r->capacity, r->n, sizeof *r->vertex)) return false;
        r->vertex[r->n++] = vertex[i];
    }
    return true;
}

static uint64_t count_targets(const comparing *c, int side, uint32_t vertex) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->instances[side]; i++)
        n += cflr_result_count(c->of->result[side], c->of->label[side], i, vertex);
    return n;
}

/* Reads the rows of one side. 0, or the exit code after a message. */
static int read_rows(const comparing *c, int side, rows *r) {
    const cflr_result *result = c->of->result[side];
    uint32_t label = c->of->label[side], n = c->instances[side];
    uint64_t total = 0;
    cflr_error error;
    free(r->offset);
    free(r->target);
    r->target = NULL;
    r->offset = malloc((size_t)n * (r->n + 1) * sizeof *r->offset + 1);
    if (!r->offset) return fail_memory();
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *offset = r->offset + (size_t)i * (r->n + 1);
        cflr_result_offsets(result, label, i, r->vertex, r->n, offset);
        for (size_t k = 0; k <= r->n; k++) offset[k] += total;
        total = offset[r->n];
    }
    r->target = malloc((size_t)total * sizeof *r->target + 1);
    if (!r->target) return fail_memory();
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *offset = r->offset + (size_t)i * (r->n + 1);
        if (cflr_result_fill(result, label, i, r->vertex, r->n, offset, r->target, &error) !=
            CFLR_OK)
            return fail(&error);
    }
    return 0;
}

/* ---- comparing ---- */

static bool add_listed(set_pairs *sets, uint32_t thing) {
    if (!make_room(&sets->listed, &sets->listed_capacity, sets->n_listed, sizeof *sets->listed))
        return false;
    sets->listed[sets->n_listed++] = thing;
    return true;
}

/* Marks the targets of `n` rows from `at` on: how many there are, each counted once. */
static uint32_t mark_targets(const comparing *c, int side, const rows *r, size_t at, size_t n,
                             uint32_t stamp) {
    const uint32_t *thing = c->t->side[side].thing;
    uint32_t *mark = c->mark[side], size = 0;
    for (uint32_t i = 0; i < c->instances[side]; i++) {
        const uint64_t *offset = r->offset + (size_t)i * (r->n + 1) + at;
        for (uint64_t k = offset[0]; k < offset[n]; k++) {
            uint32_t target = thing[r->target[k]];
            if (target == NO_THING) c->sets->nameless++;
            if (target == NO_THING || mark[target] == stamp) continue;
            mark[target] = stamp;
            size++;
        }
    }
    return size;
}

/* Takes those that the other side does not have, and their marks away: they are counted once. */
static bool take_others(const comparing *c, int side, const rows *r, size_t at, size_t n,
                        uint32_t stamp, uint32_t *count) {
    const uint32_t *thing = c->t->side[side].thing, *other = c->mark[!side];
    uint32_t *mark = c->mark[side];
    for (uint32_t i = 0; i < c->instances[side]; i++) {
        const uint64_t *offset = r->offset + (size_t)i * (r->n + 1) + at;
        for (uint64_t k = offset[0]; k < offset[n]; k++) {
            uint32_t target = thing[r->target[k]];
            if (target == NO_THING || other[target] == stamp || mark[target] != stamp) continue;
            mark[target] = 0;
            ++*count;
            if (c->list && !add_listed(c->sets, target)) return false;
        }
    }
    return true;
}

/* Compares the next pair, whose rows begin at at[side] and become those of the next. */
static bool compare_pair(const comparing *c, const rows r[SIDES], size_t at[SIDES],
                         uint32_t thing) {
    set_pairs *sets = c->sets;
    uint32_t stamp = (uint32_t)sets->n + 1, n[SIDES];
    if (!make_room(&sets->at, &sets->capacity, sets->n, sizeof *sets->at)) return false;
    set_pair *pair = &sets->at[sets->n++];
    *pair = (set_pair){.list = sets->n_listed};
    for (int side = 0; side < SIDES; side++) {
        const uint32_t *vertex;
        n[side] = thing_vertices(c->t, side, thing, &vertex);
        pair->size[side] = mark_targets(c, side, &r[side], at[side], n[side], stamp);
    }
    bool good = take_others(c, OLD, &r[OLD], at[OLD], n[OLD], stamp, &pair->n_gone) &&
                take_others(c, NEW, &r[NEW], at[NEW], n[NEW], stamp, &pair->n_come);
    at[OLD] += n[OLD];
    at[NEW] += n[NEW];
    return good;
}

/* From list[begin] on, as many pairs as one chunk takes: where it ends. False when memory is
 * refused. */
static bool choose_chunk(const comparing *c, const wanted *list, size_t n, size_t begin,
                         rows r[SIDES], size_t *end) {
    uint64_t targets = 0, instances = (uint64_t)c->instances[OLD] + c->instances[NEW];
    size_t i = begin;
    r[OLD].n = r[NEW].n = 0;
    for (; i < n; i++) {
        if (i > begin && is_same_pair(&list[i], &list[i - 1])) continue;
        if (targets > CHUNK_TARGETS || (r[OLD].n + r[NEW].n) * (instances + 1) > CHUNK_ROWS) break;
        for (int side = 0; side < SIDES; side++) {
            size_t before = r[side].n;
            if (!add_rows(c, side, list[i].thing, &r[side])) return false;
            for (; before < r[side].n; before++)
                targets += count_targets(c, side, r[side].vertex[before]);
        }
    }
    *end = i;
    return true;
}

static int compare_chunk(const comparing *c, const wanted *list, size_t n, rows r[SIDES]) {
    size_t at[SIDES] = {0, 0};
    int code = read_rows(c, OLD, &r[OLD]);
    if (!code) code = read_rows(c, NEW, &r[NEW]);
    for (size_t i = 0; i < n && !code; i++) {
        bool known = i > 0 && is_same_pair(&list[i], &list[i - 1]);
        if (!known && !compare_pair(c, r, at, list[i].thing)) code = fail_memory();
        c->sets->of[list[i].thing] = (uint32_t)c->sets->n - 1;
    }
    return code;
}

static int compare_all(const comparing *c, wanted *list) {
    rows r[SIDES] = {{0}};
    size_t n = list_wanted(c, list);
    int code = 0;
    for (size_t begin = 0, end = n; begin < n && !code; begin = end) {
        if (out_of_time())
            code = fail_out_of_time("not all sets are compared");
        else if (!choose_chunk(c, list, n, begin, r, &end))
            code = fail_memory();
        if (!code) code = compare_chunk(c, list + begin, end - begin, r);
    }
    for (int side = 0; side < SIDES; side++) {
        free(r[side].vertex);
        free(r[side].offset);
        free(r[side].target);
    }
    return code;
}

/* ---- both ---- */

static int find_alike(comparing *c, int side) {
    cflr_result_label info;
    cflr_error error;
    uint32_t n = cflr_graph_vertices(c->t->side[side].graph);
    cflr_result_get_label(c->of->result[side], c->of->label[side], &info);
    c->instances[side] = info.indexes;
    c->mark[side] = calloc((size_t)c->t->n + 1, sizeof *c->mark[side]);
    if (!c->mark[side]) return fail_memory();
    if (info.indexes != 1) return 0;
    c->alike[side] = malloc(((size_t)n + 1) * sizeof *c->alike[side]);
    if (!c->alike[side]) return fail_memory();
    cflr_status st = cflr_result_alike(c->of->result[side], c->of->label[side], 0, NULL, n,
                                       c->alike[side], &error);
    return st == CFLR_OK ? 0 : fail(&error);
}

int sets_compare(const relation_pair *of, const things *t, bool list, set_pairs *sets) {
    comparing c = {.of = of, .t = t, .list = list, .sets = sets};
    *sets = (set_pairs){.of = malloc(((size_t)t->n + 1) * sizeof *sets->of)};
    wanted *all = malloc(((size_t)t->n + 1) * sizeof *all);
    int code = sets->of && all ? 0 : fail_memory();
    for (int side = 0; side < SIDES && !code; side++) code = find_alike(&c, side);
    if (!code) code = compare_all(&c, all);
    for (int side = 0; side < SIDES; side++) {
        free(c.alike[side]);
        free(c.mark[side]);
    }
    free(all);
    return code;
}

void sets_free(set_pairs *sets) {
    free(sets->at);
    free(sets->of);
    free(sets->listed);
}
