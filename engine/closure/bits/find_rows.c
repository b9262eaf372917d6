/* SPDX-License-Identifier: Apache-2.0
 *
 * find_rows.c: the rows that matrices need.
 *
 * A row is needed only where an equation can put something into it, which follows from the inputs
 * alone: in alias graphs, a quarter of the vertices have rows of M. So the rows are the least
 * solution of "an equation has something to put into it":
 *
 *     DIAGONAL, TURN, PAIR turned     everywhere                               the family is full
 *     INPUT                           at the sources of edges
 *     EDGE, BETWEEN                   at u, for an edge (u,v) and a row of S at v        a passage
 *     COPY, STEP, GUARDS              where S has a row                                  a reader
 *     PAIR                            where Q has a row                                  a reader
 *
 * A row that is found is looked at once: the readers of its family get a row there too, and so do
 * the passages that lead to it. Full families are known first. Neither their rows nor the passages
 * that lead to them are looked at, and of alias graphs hardly any others are left.
 *
 *     found      (family, v / 64) -> 64 bits      hashed: thousands of labels have few rows each
 *     passages   by v, then by S: (S, R, u) ...
 *
 * Memory: 4 bytes a row in the end; meanwhile 16 bytes for 64 neighbours that one family has rows
 * at, or fewer, 12 for each passage, and 8 a vertex if there are some.
 */
#include "engine/closure/bits/find_rows.h"

#include <stdlib.h>

#include "base/context.h"
#include "base/ids.h"
#include "base/seen.h"
#include "engine/closure/bits/edge_walk.h"

/* What INPUT, EDGE and BETWEEN say: left has a row where an edge begins, if right has one where it
 * ends. */
typedef struct way {
    uint32_t right; /* CFLRI_NO_SYMBOL: there is no such condition */
    uint32_t left;
    uint32_t by; /* input */
    bool back;
} way;

typedef struct passage {
    uint32_t right, left, from;
} passage;

typedef struct found_word {
    uint64_t key;  /* family, vertex / 64 */
    uint64_t bits; /* 0: free */
} found_word;

typedef struct finding {
    const cflri_spine_plan *plan;
    const cflri_equations *all;
    cflr_context *context;
    cflri_bit_system *system;
    bool *full;                 /* by family */
    CFLRI_VEC(uint64_t) reader; /* (family, family that reads it), ascending, each once */
    CFLRI_VEC(way) way;         /* ascending, each once */
    uint64_t *start;            /* of the passages to each vertex; NULL: there are none */
    passage *passage;
    found_word *found;
    size_t n_words, room;     /* used, and how many there are: a power of two, or 0 */
    CFLRI_VEC(uint64_t) work; /* (family, vertex) of rows that have not been looked at */
} finding;

/* ---- full families and readers ---- */

static bool is_everywhere(const cflri_equation *e) {
    return e->kind == CFLRI_DIAGONAL || e->kind == CFLRI_TURN ||
           (e->kind == CFLRI_PAIR && e->by_back);
}

static bool goes_along_edges(const cflri_equation *e) {
    return e->kind == CFLRI_EDGE || e->kind == CFLRI_BETWEEN;
}

/* The family at whose rows the left one has a row, too, or CFLRI_NO_SYMBOL. */
static uint32_t read_by(const cflri_equation *e) {
    if (is_everywhere(e) || goes_along_edges(e) || e->kind == CFLRI_INPUT) return CFLRI_NO_SYMBOL;
    return e->kind == CFLRI_PAIR ? e->by : e->right;
}

/* Many equations say the same: STEP with each of the labels. */
static bool find_readers(finding *f) {
    for (size_t i = 0; i < f->all->equation.n; i++) {
        const cflri_equation *e = &f->all->equation.at[i];
        uint32_t read = read_by(e);
        if (read == CFLRI_NO_SYMBOL) continue;
        if (!cflri_vec_push(f->context, &f->reader, cflri_pair(read, e->left))) return false;
    }
    size_t kept = 0;
    if (cflri_sort_pairs(f->context, f->reader.at, f->reader.n, NULL, NULL) != CFLR_OK)
        return false;
    for (size_t i = 0; i < f->reader.n; i++) {
        if (!kept || f->reader.at[kept - 1] != f->reader.at[i])
            f->reader.at[kept++] = f->reader.at[i];
    }
    f->reader.n = kept;
    return true;
}

/* Marks a family; those that read it are to be marked. */
static bool mark_full(finding *f, uint32_t family) {
    if (f->full[family]) return true;
    f->full[family] = true;
    return cflri_vec_push(f->context, &f->work, family);
}

static uint64_t first_reader(const finding *f, uint32_t family) {
    return cflri_pairs_seek(f->reader.at, f->reader.n, cflri_pair(family, 0));
}

static bool find_full(finding *f) {
    for (size_t i = 0; i < f->all->equation.n; i++) {
        const cflri_equation *e = &f->all->equation.at[i];
        if (is_everywhere(e) && !mark_full(f, e->left)) return false;
    }
    while (f->work.n) {
        uint32_t family = (uint32_t)f->work.at[--f->work.n];
        for (uint64_t i = first_reader(f, family); i < f->reader.n; i++) {
            if (f->reader.at[i] >> 32 != family) break;
            if (!mark_full(f, (uint32_t)f->reader.at[i])) return false;
        }
    }
    return true;
}

/* ---- ways and passages ---- */

static int compare_ways(const void *a, const void *b) {
    const way *x = a, *y = b;
    if (x->right != y->right) return x->right < y->right ? -1 : 1;
    if (x->by != y->by) return x->by < y->by ? -1 : 1;
    if (x->back != y->back) return x->back < y->back ? -1 : 1;
    return (x->left > y->left) - (x->left < y->left);
}

/* Many equations say the same here, too: BETWEEN that closes with each of the labels. */
static bool find_ways(finding *f) {
    for (size_t i = 0; i < f->all->equation.n; i++) {
        const cflri_equation *e = &f->all->equation.at[i];
        bool input = e->kind == CFLRI_INPUT;
        if ((!input && !goes_along_edges(e)) || f->full[e->left]) continue;
        uint32_t right = input || f->full[e->right] ? CFLRI_NO_SYMBOL : e->right;
        way one = {right, e->left, e->by, e->by_back};
        if (!cflri_vec_push(f->context, &f->way, one)) return false;
    }
    size_t kept = 0;
    if (f->way.n) qsort(f->way.at, f->way.n, sizeof *f->way.at, compare_ways);
    for (size_t i = 0; i < f->way.n; i++) {
        if (kept && compare_ways(&f->way.at[kept - 1], &f->way.at[i]) == 0) continue;
        f->way.at[kept++] = f->way.at[i];
    }
    f->way.n = kept;
    return true;
}

/* start[v + 2] becomes the number of passages to v. */
static void count_passages(finding *f) {
    for (size_t i = 0; i < f->way.n && f->way.at[i].right != CFLRI_NO_SYMBOL; i++) {
        const way *w = &f->way.at[i];
        cflri_edge_walk walk = cflri_edge_walk_of(f->plan, w->by, w->back);
        while (cflri_edge_walk_next(&walk)) f->start[walk.to + 2]++;
    }
}

/* Ways ascend by S, so passages to a vertex do. */
static void fill_passages(finding *f) {
    for (size_t i = 0; i < f->way.n && f->way.at[i].right != CFLRI_NO_SYMBOL; i++) {
        const way *w = &f->way.at[i];
        cflri_edge_walk walk = cflri_edge_walk_of(f->plan, w->by, w->back);
        while (cflri_edge_walk_next(&walk))
            f->passage[f->start[walk.to + 1]++] = (passage){w->right, w->left, walk.from};
    }
}

static bool make_passages(finding *f) {
    uint32_t n = f->system->n_vertices;
    if (!f->way.n || f->way.at[0].right == CFLRI_NO_SYMBOL) return true;
    f->start = cflri_alloc_array_zero(f->context, n + (size_t)2, sizeof *f->start);
    if (!f->start) return false;
    count_passages(f);
    for (uint32_t v = 0; v < n; v++) f->start[v + 2] += f->start[v + 1];
    f->passage = cflri_alloc_array(f->context, f->start[n + 1], sizeof *f->passage);
    if (f->passage) fill_passages(f);
    return f->passage;
}

/* The first of the passages to the vertex that go by rows of the family. */
static uint64_t first_passage(const finding *f, uint32_t family, uint32_t vertex) {
    uint64_t i;
    CFLRI_BISECT(i, f->start[vertex], f->start[vertex + 1], f->passage[i].right < family);
    return i;
}

/* ---- rows that are found ---- */

/* The place of a word, or a free one. */
static found_word *place_of(const finding *f, uint64_t key) {
    size_t at = cflri_seen_mix(0, (uint32_t)(key >> 32), (uint32_t)key) & (f->room - 1);
    while (f->found[at].bits && f->found[at].key != key) at = (at + 1) & (f->room - 1);
    return &f->found[at];
}

static bool make_room(finding *f) {
    enum { LEAST = 64 };
    found_word *old = f->found;
    size_t before = f->room;
    f->room = before ? 2 * before : LEAST;
    f->found = cflri_alloc_array_zero(f->context, f->room, sizeof *f->found);
    for (size_t i = 0; f->found && i < before; i++) {
        if (old[i].bits) *place_of(f, old[i].key) = old[i];
    }
    cflri_free(f->context, old);
    return f->found;
}

static bool add_row(finding *f, uint32_t family, uint32_t vertex) {
    uint64_t key = cflri_pair(family, vertex / 64), bit = UINT64_C(1) << vertex % 64;
    if (f->full[family]) return true;
    if (f->n_words >= f->room / 4 * 3 && !make_room(f)) return false;
    found_word *word = place_of(f, key);
    if (word->bits & bit) return true;
    f->n_words += !word->bits;
    word->key = key;
    word->bits |= bit;
    return cflri_vec_push(f->context, &f->work, cflri_pair(family, vertex));
}

static bool look_at(finding *f, uint32_t family, uint32_t vertex) {
    for (uint64_t i = first_reader(f, family); i < f->reader.n; i++) {
        if (f->reader.at[i] >> 32 != family) break;
        if (!add_row(f, (uint32_t)f->reader.at[i], vertex)) return false;
    }
    if (!f->start) return true;
    for (uint64_t i = first_passage(f, family, vertex); i < f->start[vertex + 1]; i++) {
        if (f->passage[i].right != family) break;
        if (!add_row(f, f->passage[i].left, f->passage[i].from)) return false;
    }
    return true;
}

/* Adds the rows that a way has from the beginning, and all that follow. */
static bool begin_with(finding *f, const way *w) {
    bool added = true;
    cflri_edge_walk walk = cflri_edge_walk_of(f->plan, w->by, w->back);
    while (added && cflri_edge_walk_next(&walk)) added = add_row(f, w->left, walk.from);
    while (added && f->work.n) {
        uint64_t row = f->work.at[--f->work.n];
        added = look_at(f, (uint32_t)(row >> 32), (uint32_t)row);
    }
    return added;
}

static bool find_all(finding *f) {
    f->full = cflri_alloc_array_zero(f->context, f->all->family.n + 1, sizeof *f->full);
    bool found = f->full && find_readers(f) && find_full(f) && find_ways(f) && make_passages(f);
    for (size_t i = 0; found && i < f->way.n; i++) {
        if (f->way.at[i].right == CFLRI_NO_SYMBOL) found = begin_with(f, &f->way.at[i]);
    }
    return found;
}

/* ---- rows of matrices ---- */

/* False where there are more than numbers. */
static bool count_rows(finding *f) {
    uint64_t rows = 0;
    for (uint32_t i = 0; i < f->all->family.n; i++) {
        f->system->matrix[i].n_rows = f->full[i] ? f->system->n_vertices : 0;
        rows += f->system->matrix[i].n_rows;
    }
    for (size_t i = 0; i < f->room; i++) {
        uint32_t more = (uint32_t)__builtin_popcountll(f->found[i].bits);
        if (more) f->system->matrix[f->found[i].key >> 32].n_rows += more;
        rows += more;
    }
    return rows < CFLRI_NO_BIT_ROW;
}

/* The keys of all words, ascending, in the room of the work. */
static bool sort_words(finding *f) {
    if (!cflri_vec_reserve(f->context, &f->work, f->n_words)) return false;
    for (size_t i = 0; i < f->room; i++) {
        if (f->found[i].bits) f->work.at[f->work.n++] = f->found[i].key;
    }
    return cflri_sort_pairs(f->context, f->work.at, f->work.n, NULL, NULL) == CFLR_OK;
}

static bool make_rows(finding *f) {
    cflri_bit_matrix *matrix = f->system->matrix;
    for (uint32_t i = 0; i < f->all->family.n; i++) {
        matrix[i].vertex =
            cflri_alloc_array(f->context, (size_t)matrix[i].n_rows + 1, sizeof *matrix[i].vertex);
        if (!matrix[i].vertex) return false;
        for (uint32_t v = 0; f->full[i] && v < matrix[i].n_rows; v++) matrix[i].vertex[v] = v;
    }
    if (!sort_words(f)) return false;
    uint32_t *to = NULL;
    for (size_t i = 0; i < f->work.n; i++) {
        uint32_t family = (uint32_t)(f->work.at[i] >> 32), first = (uint32_t)f->work.at[i] * 64;
        if (!i || f->work.at[i - 1] >> 32 != family) to = matrix[family].vertex;
        for (uint64_t left = place_of(f, f->work.at[i])->bits; left; left &= left - 1)
            *to++ = first + (uint32_t)__builtin_ctzll(left);
    }
    return true;
}

static cflr_status find_and_make(finding *f, cflr_error *error) {
    if (!find_all(f)) return cflri_fail_memory(f->context, error);
    if (!count_rows(f))
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "more than 2^32 rows could be there");
    return make_rows(f) ? CFLR_OK : cflri_fail_memory(f->context, error);
}

cflr_status cflri_bit_find_rows(const cflri_spine_plan *plan, cflri_bit_system *s,
                                cflr_error *error) {
    finding f = {.plan = plan, .all = plan->equations, .context = s->context, .system = s};
    cflr_status st = find_and_make(&f, error);
    cflri_free(f.context, f.full);
    cflri_vec_free(f.context, &f.reader);
    cflri_vec_free(f.context, &f.way);
    cflri_free(f.context, f.start);
    cflri_free(f.context, f.passage);
    cflri_free(f.context, f.found);
    cflri_vec_free(f.context, &f.work);
    return st;
}
