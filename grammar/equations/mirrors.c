/* SPDX-License-Identifier: Apache-2.0
 *
 * mirrors.c: which sets are each other read backwards, or the same.
 *
 *     V ::= ~D M D     M ::= ~d V d        read backwards: the same products, so V = ~V, M = ~M
 *     A ::= A a        B ::= ~a B | eps    stars of a and of ~a: B = ~A
 *
 * Two sets are the same when each product of one has a product of the other whose factors are,
 * place by place, the same sets; mirrors, when that is so for the products read backwards. The
 * largest such relation is found as automata are minimised: all sets start with one colour; a round
 * gives each set the colours of its products, forwards and backwards; it ends when no round tells
 * more sets apart. By induction over the height of derivations equal colours mean equal pairs.
 *
 * Colours are hashes. Nothing rests on their not colliding: sets are made one only after their
 * products were compared factor by factor.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/equations/algebra.h"

enum { MOST_ROUNDS = 100 };

typedef struct painter {
    cflri_algebra *algebra;
    uint64_t *colour; /* by factor: of the set, and of the set read backwards */
    uint64_t *next;
    CFLRI_VEC(uint64_t) hashes; /* of the products of one set */
} painter;

/* Values are small numbers and results of this: a sum or an exclusive or of the two would make
 * different products alike. */
static uint64_t stir(uint64_t hash, uint64_t value) {
    hash = (hash * UINT64_C(0xBF58476D1CE4E5B9) + value + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t product_colour(const painter *p, const cflri_product *product, bool back) {
    uint64_t hash = product->n;
    for (uint32_t i = 0; i < product->n; i++) {
        cflri_factor factor = back ? product->factor[product->n - 1 - i] ^ 1 : product->factor[i];
        hash = stir(hash, p->colour[factor]);
    }
    return hash;
}

/* The set's kind and the set of its products' colours. */
static bool paint(painter *p, const cflri_set *set, bool back, uint64_t *colour) {
    p->hashes.n = 0;
    if (!cflri_vec_reserve(p->algebra->context, &p->hashes, set->product.n + 1)) return false;
    for (size_t i = 0; i < set->product.n; i++) {
        p->hashes.at[p->hashes.n++] = product_colour(p, &set->product.at[i], back);
    }
    if (p->hashes.n) qsort(p->hashes.at, p->hashes.n, sizeof *p->hashes.at, compare_hashes);
    uint64_t hash = (uint64_t)set->kind + 1;
    for (size_t i = 0; i < p->hashes.n; i++) {
        if (i == 0 || p->hashes.at[i] != p->hashes.at[i - 1]) hash = stir(hash, p->hashes.at[i]);
    }
    *colour = hash;
    return true;
}

/* An input, and a set that is filtered, whose products do not tell its pairs, are like no other
 * set. */
static bool stays(const cflri_set *set) {
    return set->kind == CFLRI_SET_INPUT || set->filtered;
}

static bool paint_all(painter *p) {
    for (uint32_t s = 0; s < p->algebra->set.n; s++) {
        const cflri_set *set = &p->algebra->set.at[s];
        for (uint32_t back = 0; back < 2; back++) {
            cflri_factor factor = cflri_factor_of(s, back);
            if (stays(set)) {
                p->next[factor] = p->colour[factor];
            } else if (!paint(p, set, back, &p->next[factor])) {
                return false;
            }
        }
    }
    return true;
}

/* How many colours there are; sorts `scratch`. */
static size_t count_colours(const uint64_t *colour, size_t n, uint64_t *scratch) {
    memcpy(scratch, colour, n * sizeof *scratch);
    qsort(scratch, n, sizeof *scratch, compare_hashes);
    size_t colours = n > 0;
    for (size_t i = 1; i < n; i++) colours += scratch[i] != scratch[i - 1];
    return colours;
}

static void first_colours(painter *p) {
    for (uint32_t s = 0; s < p->algebra->set.n; s++) {
        const cflri_set *set = &p->algebra->set.at[s];
        for (uint32_t back = 0; back < 2; back++) {
            cflri_factor factor = cflri_factor_of(s, back);
            uint64_t own = cflri_factor_of(s, back && !set->symmetric) + UINT64_C(1);
            p->colour[factor] = stir((uint64_t)set->kind, stays(set) ? own : 0);
        }
    }
}

/* Rounds until the colours tell nothing more; *settled is false when there are too many. */
static bool paint_until_settled(painter *p, bool *settled) {
    size_t n = 2 * p->algebra->set.n, before = 0;
    uint64_t *scratch = cflri_alloc_array(p->algebra->context, n + 1, sizeof *scratch);
    bool done = scratch != NULL;
    *settled = false;
    first_colours(p);
    for (int round = 0; done && round < MOST_ROUNDS && !*settled; round++) {
        done = paint_all(p);
        uint64_t *old = p->colour;
        p->colour = p->next;
        p->next = old;
        size_t colours = done ? count_colours(p->colour, n, scratch) : 0;
        assert(!done || colours >= before); /* a round tells more apart, or nothing */
        *settled = colours == before;
        before = colours;
    }
    cflri_free(p->algebra->context, scratch);
    return done;
}

/* ---- comparing ---- */

/* The products of a set in terms of `stands_for`, ascending, each once. Memory is the arena's. */
static bool write_products(cflri_algebra *algebra, cflri_arena *arena, cflri_factor which,
                           const cflri_factor *stands_for, cflri_product **products, size_t *n) {
    const cflri_set *set = &algebra->set.at[cflri_factor_set(which)];
    bool back = cflri_factor_back(which);
    *n = 0;
    *products = cflri_arena_alloc(arena, (set->product.n + 1) * sizeof **products);
    if (!*products) return false;
    for (size_t p = 0; p < set->product.n; p++) {
        const cflri_product *product = &set->product.at[p];
        cflri_factor *factors = cflri_arena_alloc(arena, (product->n + 1) * sizeof *factors);
        if (!factors) return false;
        for (uint32_t i = 0; i < product->n; i++) {
            cflri_factor factor =
                back ? product->factor[product->n - 1 - i] ^ 1 : product->factor[i];
            factors[i] = stands_for[factor];
        }
        (*products)[p] = (cflri_product){product->n, factors};
    }
    if (set->product.n) qsort(*products, set->product.n, sizeof **products, cflri_product_compare);
    for (size_t p = 0; p < set->product.n; p++) {
        if (*n && cflri_product_compare(&(*products)[p], &(*products)[*n - 1]) == 0) continue;
        (*products)[(*n)++] = (*products)[p];
    }
    return true;
}

static bool same_products(cflri_algebra *algebra, cflri_factor a, cflri_factor b,
                          const cflri_factor *stands_for, bool *same) {
    cflri_arena arena;
    cflri_product *of_a = NULL, *of_b = NULL;
    size_t n_a = 0, n_b = 0;
    cflri_arena_init(&arena, algebra->context);
    bool done = write_products(algebra, &arena, a, stands_for, &of_a, &n_a) &&
                write_products(algebra, &arena, b, stands_for, &of_b, &n_b);
    *same = done && n_a == n_b;
    for (size_t p = 0; *same && p < n_a; p++) {
        *same = cflri_product_compare(&of_a[p], &of_b[p]) == 0;
    }
    cflri_arena_reset(&arena);
    return done;
}

typedef struct painted {
    uint64_t colour;
    cflri_factor factor;
} painted;

static int compare_painted(const void *a, const void *b) {
    const painted *x = a, *y = b;
    if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
    return (x->factor > y->factor) - (x->factor < y->factor);
}

/* stands_for[factor]: the first factor of its colour, in one of the two readings of each set. */
static bool choose(painter *p, cflri_factor *stands_for) {
    size_t n = 2 * p->algebra->set.n;
    painted *order = cflri_alloc_array(p->algebra->context, n + 1, sizeof *order);
    if (!order) return false;
    for (uint32_t i = 0; i < n; i++) order[i] = (painted){p->colour[i], i};
    if (n) qsort(order, n, sizeof *order, compare_painted);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (order[i].colour != order[first].colour) first = i;
        assert(order[first].factor <= order[i].factor);
        stands_for[order[i].factor] = order[first].factor;
    }
    cflri_free(p->algebra->context, order);
    return true;
}

/* Is every set what it is to stand for? */
static bool check(cflri_algebra *algebra, const cflri_factor *stands_for, bool *sound) {
    *sound = true;
    for (cflri_factor i = 0; *sound && i < 2 * algebra->set.n; i++) {
        if (stands_for[i] == i) continue;
        const cflri_set *set = &algebra->set.at[cflri_factor_set(i)];
        if (set->kind == CFLRI_SET_INPUT && set->symmetric && stands_for[i] == (i & ~1u)) continue;
        const cflri_set *other = &algebra->set.at[cflri_factor_set(stands_for[i])];
        if (set->kind != other->kind || stays(set) || stays(other)) {
            *sound = false;
        } else if (!same_products(algebra, i, stands_for[i], stands_for, sound)) {
            return false;
        }
    }
    return true;
}

/* Names what the factors stand for, everywhere; a set that another stands for has no products
 * left. */
static void rename_factors(cflri_algebra *algebra, const cflri_factor *stands_for) {
    for (uint32_t s = 0; s < algebra->set.n; s++) {
        cflri_set *set = &algebra->set.at[s];
        /* Both readings stand for readings of one set, forwards where these are the same. */
        assert(cflri_factor_set(stands_for[2 * s]) == cflri_factor_set(stands_for[2 * s + 1]));
        assert(stands_for[2 * s] != stands_for[2 * s + 1] || !cflri_factor_back(stands_for[2 * s]));
        if (cflri_factor_set(stands_for[2 * s]) != s) set->product.n = 0;
        if (set->kind != CFLRI_SET_INPUT)
            set->symmetric = stands_for[2 * s] == stands_for[2 * s + 1];
        for (size_t p = 0; p < set->product.n; p++) {
            for (uint32_t i = 0; i < set->product.at[p].n; i++) {
                cflri_factor *factor = &set->product.at[p].factor[i];
                *factor = stands_for[*factor];
            }
        }
    }
    for (uint32_t s = 0; s < algebra->n_symbols; s++) {
        algebra->symbol[s] = stands_for[algebra->symbol[s]];
    }
}

bool cflri_algebra_find_mirrors(cflri_algebra *algebra) {
    cflr_context *context = algebra->context;
    size_t n = 2 * algebra->set.n + 1;
    painter p = {.algebra = algebra};
    bool settled = false, sound = false;
    p.colour = cflri_alloc_array(context, n, sizeof *p.colour);
    p.next = cflri_alloc_array(context, n, sizeof *p.next);
    cflri_factor *stands_for = cflri_alloc_array(context, n, sizeof *stands_for);
    bool done = p.colour && p.next && stands_for && paint_until_settled(&p, &settled);
    if (done && settled) {
        done = choose(&p, stands_for) && check(algebra, stands_for, &sound);
        assert(!done || sound); /* no two colours collide */
    }
    if (done && sound) rename_factors(algebra, stands_for);
    cflri_vec_free(context, &p.hashes);
    cflri_free(context, p.colour);
    cflri_free(context, p.next);
    cflri_free(context, stands_for);
    return done;
}
