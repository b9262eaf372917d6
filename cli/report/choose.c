/* SPDX-License-Identifier: Apache-2.0
 *
 * choose.c: which rows are on a page that may not be larger than a limit.
 *
 * Rows come in the order of what matters: those that --around names, those near them, variables
 * before memory, values and addresses, and large sets before small ones. Each takes what it adds to
 * the page: some numbers, its set and objects where no row before has them, and their names. One
 * with a set that is too large is left out, and when the page is full, all that come then.
 *
 * O(rows log rows + members of sets).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

enum {
    PAGE_BYTES = 60000, /* of the page without rows */
    ROW_BYTES = 24,     /* of a row or an object without texts, at most */
    TEXT_BYTES = 3,     /* of a text beside itself */
    HELD_BYTES = 3,     /* of a row that is held by another one */
    CODE_PART = 4,      /* a quarter of the page is for code */
    OUTSIDE = 3,        /* in place of `near`: it tells which objects escape, and is always there */
};

typedef struct candidate {
    uint32_t look, near, size;
    row_rank rank;
} candidate;

typedef struct choosing {
    result_page *r;
    blocks texts;
    uint64_t bytes, text_bytes, limit;
    uint32_t *fresh; /* objects that the row at hand brings */
    size_t n_fresh, fresh_room;
} choosing;

/* ---- the order ---- */

static int compare_candidates(const void *x, const void *y) {
    const candidate *a = x, *b = y;
    if (a->near != b->near) return a->near > b->near ? -1 : 1;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return (a->look > b->look) - (a->look < b->look);
}

static bool is_in_files(const result_page *r, const cflr_vertex_info *info) {
    if (!r->only) return true;
    for (size_t i = 0; r->only[i]; i++)
        if (ends_path(info->file, r->only[i], strlen(r->only[i]))) return true;
    return false;
}

static candidate *find_candidates(const result_page *r, uint32_t *n) {
    candidate *all = take_room(r->looks.n, sizeof *all);
    *n = 0;
    for (uint32_t look = 0; look < r->looks.n; look++) {
        cflr_vertex_info info;
        size_t size;
        if (r->set[look] == NONE) continue;
        cflr_graph_vertex(r->graph, vertex_of(r, look), &info);
        uint32_t near = r->near ? r->near[look] : 0;
        if (info.kind == CFLR_VERTEX_OUTSIDE) near = OUTSIDE;
        if (near < 2 && !is_in_files(r, &info)) continue;
        set_at(r, r->set[look], &size);
        all[(*n)++] = (candidate){look, near, (uint32_t)size, rank_of(info.kind)};
    }
    qsort(all, *n, sizeof *all, compare_candidates);
    return all;
}

/* ---- what a row takes ---- */

static bool is_full(const choosing *c) {
    return c->bytes + c->text_bytes > c->limit;
}

static void add_vertex(choosing *c, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(c->r->graph, vertex, &info);
    const char *const text[] = {info.name, info.type, info.function, info.file, info.context};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        uint32_t before = c->texts.n;
        size_t n = strlen(text[i]);
        blocks_add(&c->texts, text[i], n);
        if (c->texts.n > before) c->text_bytes += n + TEXT_BYTES;
    }
    c->bytes += ROW_BYTES;
}

static void add_run(void *user, uint32_t gap, uint32_t length) {
    choosing *c = user;
    c->bytes += number_size(gap) + number_size(length - 1);
}

static void add_object(choosing *c, uint32_t thing) {
    if (c->r->object[thing] != NONE) return;
    if (!make_room(&c->fresh, &c->fresh_room, c->n_fresh, sizeof *c->fresh)) exit(fail_memory());
    c->fresh[c->n_fresh++] = thing;
    c->r->object[thing] = 0; /* numbered when all are known */
    add_vertex(c, c->r->looks.first[thing]);
}

/* Is the set so large that its objects alone have no room? */
static bool is_too_large(const choosing *c, const uint32_t *ids, size_t n) {
    uint64_t bytes = c->bytes + c->text_bytes;
    for (size_t i = 0; i < n && bytes <= c->limit; i++)
        if (c->r->object[ids[i]] == NONE) bytes += ROW_BYTES;
    return bytes > c->limit;
}

/* Adds what the row takes; false: it has no room, and is not shown. Texts stay counted. */
static bool takes_row(choosing *c, uint32_t look) {
    result_page *r = c->r;
    uint32_t set = r->set[look];
    size_t n;
    const uint32_t *ids = set_at(r, set, &n);
    bool is_new = r->set_row[set] == NONE;
    if (is_new && is_too_large(c, ids, n)) return false;
    uint64_t before = c->bytes;
    c->n_fresh = 0;
    add_vertex(c, vertex_of(r, look));
    c->bytes += HELD_BYTES * (r->holds_at[look + 1] - r->holds_at[look]);
    for (size_t i = 0; is_new && i < n; i++) add_object(c, ids[i]);
    if (is_new) runs_of(r, set, NULL, add_run, c);
    if (!is_full(c)) {
        r->row[look] = r->set_row[set] = 0;
        return true;
    }
    for (size_t i = 0; i < c->n_fresh; i++) r->object[c->fresh[i]] = NONE;
    c->bytes = before;
    return false;
}

/* ---- the page ---- */

static uint32_t *take_none(size_t n) {
    uint32_t *all = take_room(n, sizeof *all);
    return memset(all, 0xff, n * sizeof *all);
}

/* Those that are shown get numbers, in their order. */
static uint32_t number(uint32_t *all, uint32_t n) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < n; i++)
        if (all[i] != NONE) all[i] = next++;
    return next;
}

static int refuse_files(const result_page *r) {
    complain("--only %s: no pointer of the result is there", r->only[0]);
    return EXIT_USAGE;
}

int choose_rows(result_page *r) {
    uint32_t n, shown = 0;
    choosing c = {.r = r, .bytes = PAGE_BYTES};
    c.limit = r->code ? r->limit - r->limit / CODE_PART : r->limit;
    r->row = take_none(r->looks.n);
    r->set_row = take_none(r->sets.n);
    r->object = take_none(r->looks.n_things);
    candidate *all = find_candidates(r, &n);
    for (uint32_t i = 0; i < n && !is_full(&c); i++) shown += takes_row(&c, all[i].look);
    r->left_out = n - shown;
    bool any = n && all[n - 1].near != OUTSIDE;
    free(all);
    free(c.fresh);
    blocks_free(&c.texts);
    r->code_left = r->limit > c.bytes + c.text_bytes ? r->limit - c.bytes - c.text_bytes : 0;
    r->n_rows = number(r->row, r->looks.n);
    r->n_sets = number(r->set_row, r->sets.n);
    r->n_objects = number(r->object, r->looks.n_things);
    return any || !r->only ? 0 : refuse_files(r);
}
