/* SPDX-License-Identifier: Apache-2.0
 *
 * stars.c: linear recursion becomes closure.
 *
 *     X ::= X X | eps | s ...                X = star(s ...)
 *     X ::= X X | s ...,  X ::= s | s X      X = plus(s ...)
 *     X ::= l X ... | X r ... | b ...        X ::= star(l ...) b star(r ...) ...
 *
 * where l, r and b are products, which may name X again, inside or through other sets. (Arden's
 * rule: a derivation of X unrolls its outermost steps, all l before and all r behind one b.) A
 * product with X at both ends counts as `l X`. A set that mixes X X with l X or X r and lacks eps
 * is left alone.
 *
 * A closure says what the recursion hides: that it is reflexive, that its steps can be taken one at
 * a time from whichever end suits, and that `X Y` is Y moved along the steps. Afterwards sums that
 * are read once are distributed over the product that reads them, so that all of V is seen in one
 * place: Back ::= ~D M | ~D, V ::= Back D gives V ::= ~D M D | ~D D.
 */
#include <assert.h>
#include <string.h>

#include "grammar/equations/algebra.h"

enum { LONGEST = 12, MOST_STEPS = 64, MOST_NAMES = 2 };

typedef enum form { BASE, EMPTY, SELF, TWICE, LEFT, RIGHT } form;

static form form_of(const cflri_product *product, cflri_factor self) {
    if (!product->n) return EMPTY;
    bool first = product->factor[0] == self, last = product->factor[product->n - 1] == self;
    if (product->n == 1) return first ? SELF : BASE;
    if (product->n == 2 && first && last) return TWICE;
    return last ? LEFT : first ? RIGHT : BASE;
}

static cflri_product without_first(const cflri_product *product) {
    assert(product->n);
    return (cflri_product){product->n - 1, product->factor + 1};
}

static cflri_product without_last(const cflri_product *product) {
    assert(product->n);
    return (cflri_product){product->n - 1, product->factor};
}

/* Moves the products out of the set, which is then empty. */
static cflri_set take_products(cflri_algebra *algebra, uint32_t number) {
    cflri_set old = algebra->set.at[number];
    memset(&algebra->set.at[number].product, 0, sizeof old.product);
    return old;
}

/* The steps of a star: of one form, or all but the empty ones. */
static bool add_steps(cflri_algebra *algebra, uint32_t star, const cflri_set *from,
                      cflri_factor self, bool all, form wanted) {
    for (size_t p = 0; p < from->product.n; p++) {
        form is = form_of(&from->product.at[p], self);
        if (is == EMPTY || is == SELF || is == TWICE || (!all && is != wanted)) continue;
        cflri_product step = from->product.at[p];
        if (is == LEFT) step = without_last(&step);
        if (is == RIGHT) step = without_first(&step);
        assert(step.n); /* an empty one would make a star of a plus */
        if (!cflri_algebra_add_product(algebra, star, &step, CFLRI_NO_FACTOR, NULL)) return false;
    }
    return true;
}

/* X ::= X X | ...: the set becomes a closure. */
static bool to_closure(cflri_algebra *algebra, uint32_t number, cflri_set_kind kind) {
    assert(cflri_is_closure(kind));
    cflri_factor self = cflri_factor_of(number, false);
    cflri_set old = take_products(algebra, number);
    algebra->set.at[number].kind = kind;
    bool done = add_steps(algebra, number, &old, self, true, BASE);
    cflri_vec_free(algebra->context, &old.product);
    return done;
}

/* A star over the steps on one side: its factor, or CFLRI_NO_FACTOR without such steps. */
static bool side_star(cflri_algebra *algebra, const cflri_set *old, cflri_factor self, form side,
                      uint32_t n_steps, cflri_factor *factor) {
    uint32_t star;
    *factor = CFLRI_NO_FACTOR;
    if (!n_steps) return true;
    if (!cflri_algebra_add_set(algebra, CFLRI_SET_STAR, CFLRI_NO_SYMBOL, &star)) return false;
    *factor = cflri_factor_of(star, false);
    return add_steps(algebra, star, old, self, false, side);
}

/* X ::= star(l) b star(r) for every b. */
static bool to_sides(cflri_algebra *algebra, uint32_t number, uint32_t n_left, uint32_t n_right) {
    cflri_factor self = cflri_factor_of(number, false), left, right;
    cflri_set old = take_products(algebra, number);
    bool done = side_star(algebra, &old, self, LEFT, n_left, &left) &&
                side_star(algebra, &old, self, RIGHT, n_right, &right);
    for (size_t p = 0; done && p < old.product.n; p++) {
        form is = form_of(&old.product.at[p], self);
        if (is != BASE && is != EMPTY) continue;
        cflri_product head = {left != CFLRI_NO_FACTOR, &left}, base = old.product.at[p];
        cflri_product whole = {0};
        done = cflri_algebra_add_product(algebra, number, &head, CFLRI_NO_FACTOR, &base);
        if (!done || right == CFLRI_NO_FACTOR) continue;
        cflri_set *set = &algebra->set.at[number];
        whole = set->product.at[--set->product.n];
        done = cflri_algebra_add_product(algebra, number, &whole, right, NULL);
    }
    cflri_vec_free(algebra->context, &old.product);
    return done;
}

/* X ::= s | s X, or s | X s, of one s. */
static bool is_plus(const cflri_set *set, cflri_factor self) {
    if (set->product.n != 2) return false;
    for (size_t base = 0; base < 2; base++) {
        const cflri_product *s = &set->product.at[base], *other = &set->product.at[1 - base];
        form is = form_of(other, self);
        if (form_of(s, self) != BASE || (is != LEFT && is != RIGHT)) continue;
        cflri_product step = is == LEFT ? without_last(other) : without_first(other);
        if (cflri_product_compare(s, &step) == 0) return true;
    }
    return false;
}

static bool find_star(cflri_algebra *algebra, uint32_t number) {
    const cflri_set *set = &algebra->set.at[number];
    assert(set->kind == CFLRI_SET_SUM && !set->filtered);
    cflri_factor self = cflri_factor_of(number, false);
    uint32_t n[RIGHT + 1] = {0};
    for (size_t p = 0; p < set->product.n; p++) n[form_of(&set->product.at[p], self)]++;
    if (n[TWICE] && n[EMPTY]) return to_closure(algebra, number, CFLRI_SET_STAR);
    if (n[TWICE] && (n[LEFT] || n[RIGHT])) return true;
    if (n[TWICE]) return to_closure(algebra, number, CFLRI_SET_PLUS);
    if (is_plus(set, self)) {
        cflri_product step = set->product.at[form_of(&set->product.at[0], self) != BASE];
        algebra->set.at[number].kind = CFLRI_SET_PLUS;
        algebra->set.at[number].product.at[0] = step;
        algebra->set.at[number].product.n = 1;
        return true;
    }
    return !(n[LEFT] || n[RIGHT]) || to_sides(algebra, number, n[LEFT], n[RIGHT]);
}

/* ---- afterwards ---- */

/* The facts about each set that opening sums needs. */
typedef struct fact {
    uint32_t uses; /* factors that name it */
    uint32_t longest;
    bool names_itself;
} fact;

static void look_at(const cflri_algebra *algebra, uint32_t number, fact *facts) {
    const cflri_set *set = &algebra->set.at[number];
    facts[number].longest = 0;
    facts[number].names_itself = false;
    for (size_t p = 0; p < set->product.n; p++) {
        const cflri_product *product = &set->product.at[p];
        if (product->n > facts[number].longest) facts[number].longest = product->n;
        for (uint32_t i = 0; i < product->n; i++) {
            facts[number].names_itself |= cflri_factor_set(product->factor[i]) == number;
        }
    }
}

static fact *look_at_all(const cflri_algebra *algebra) {
    fact *facts = cflri_alloc_array_zero(algebra->context, algebra->set.n + 1, sizeof *facts);
    if (!facts) return NULL;
    for (uint32_t s = 0; s < algebra->set.n; s++) {
        const cflri_set *set = &algebra->set.at[s];
        look_at(algebra, s, facts);
        for (size_t p = 0; p < set->product.n; p++) {
            for (uint32_t i = 0; i < set->product.at[p].n; i++) {
                facts[cflri_factor_set(set->product.at[p].factor[i])].uses++;
            }
        }
    }
    return facts;
}

/* Puts the products of `from`, read backwards or not, in place of factor `at` of the product. */
static bool distribute(cflri_algebra *algebra, uint32_t number, cflri_product host, uint32_t at,
                       const cflri_set *from) {
    assert(at < host.n && !from->filtered);
    cflri_product head = {at, host.factor}, tail = {host.n - at - 1, host.factor + at + 1};
    bool back = cflri_factor_back(host.factor[at]);
    cflri_factor middle[LONGEST];
    for (size_t p = 0; p < from->product.n; p++) {
        cflri_product part = {from->product.at[p].n, middle}, joined;
        assert(part.n <= LONGEST);
        for (uint32_t i = 0; i < part.n; i++) {
            const cflri_factor *factor = from->product.at[p].factor;
            middle[i] = back ? factor[part.n - 1 - i] ^ 1 : factor[i];
        }
        if (!cflri_algebra_add_product(algebra, number, &head, CFLRI_NO_FACTOR, &part))
            return false;
        cflri_set *set = &algebra->set.at[number];
        joined = set->product.at[--set->product.n];
        if (!cflri_algebra_add_product(algebra, number, &joined, CFLRI_NO_FACTOR, &tail)) {
            return false;
        }
    }
    return true;
}

/* There it is read by one join, whatever it is a sum of. */
static bool between_inputs(const cflri_algebra *algebra, const cflri_product *product, uint32_t i) {
    if (i == 0 || i + 1 == product->n) return false;
    uint32_t before = cflri_factor_set(product->factor[i - 1]);
    uint32_t behind = cflri_factor_set(product->factor[i + 1]);
    return algebra->set.at[before].kind == CFLRI_SET_INPUT &&
           algebra->set.at[behind].kind == CFLRI_SET_INPUT;
}

/* The first factor of a product whose sum can be distributed; product->n when there is none. In a
 * star a step that is a set alone is opened, too: a star, or a sum that is not worth rows of its
 * own. */
static uint32_t factor_to_open(const cflri_algebra *algebra, const fact *facts, uint32_t number,
                               const cflri_product *product, bool only_names) {
    for (uint32_t i = 0; i < product->n; i++) {
        uint32_t other = cflri_factor_set(product->factor[i]);
        const cflri_set *set = &algebra->set.at[other];
        if (other == number || set->kind == CFLRI_SET_INPUT || facts[other].names_itself) continue;
        if (set->filtered) continue;
        if (between_inputs(algebra, product, i)) continue;
        bool light = cflri_is_closure(set->kind) || facts[other].longest <= 2;
        cflri_set_kind host = algebra->set.at[number].kind;
        bool step = cflri_is_closure(host) && product->n == 1 && light &&
                    (host == CFLRI_SET_STAR || set->kind != CFLRI_SET_STAR) &&
                    set->product.n <= MOST_STEPS;
        bool once = set->kind == CFLRI_SET_SUM && facts[other].uses == 1;
        bool names =
            set->kind == CFLRI_SET_SUM && facts[other].longest <= 1 && set->product.n <= MOST_NAMES;
        if ((names || (!only_names && (step || once))) &&
            facts[other].longest + product->n - 1 <= LONGEST)
            return i;
    }
    return product->n;
}

/* Sets that are nothing but one another are never done with, hence the bound. */
static bool open_products(cflri_algebra *algebra, fact *facts, uint32_t number, bool only_names) {
    size_t steps_left = 4 * (MOST_STEPS + algebra->set.at[number].product.n);
    for (size_t p = 0; p < algebra->set.at[number].product.n;) {
        cflri_set *set = &algebra->set.at[number];
        cflri_product host = set->product.at[p];
        uint32_t at =
            steps_left ? factor_to_open(algebra, facts, number, &host, only_names) : host.n;
        if (at == host.n) {
            p++;
            continue;
        }
        steps_left--;
        set->product.at[p] = set->product.at[--set->product.n];
        cflri_set from = algebra->set.at[cflri_factor_set(host.factor[at])];
        if (!distribute(algebra, number, host, at, &from)) return false;
    }
    look_at(algebra, number, facts);
    return true;
}

/* Steps that are empty, or the closure itself, say nothing more. */
static void drop_idle_steps(cflri_set *set, uint32_t number) {
    assert(cflri_is_closure(set->kind));
    size_t kept = 0;
    for (size_t p = 0; p < set->product.n; p++) {
        const cflri_product *product = &set->product.at[p];
        if (!product->n) set->kind = CFLRI_SET_STAR; /* plus of what may be empty */
        if (!product->n) continue;
        if (product->n == 1 && cflri_factor_set(product->factor[0]) == number &&
            !cflri_factor_back(product->factor[0])) {
            continue;
        }
        set->product.at[kept++] = *product;
    }
    set->product.n = kept;
}

/* Names first: where a sum of two names is opened, neither grows in it before. */
static bool open_all(cflri_algebra *algebra, bool only_names) {
    fact *facts = look_at_all(algebra);
    bool done = facts != NULL;
    for (uint32_t s = 0; done && s < algebra->set.n; s++) {
        done = open_products(algebra, facts, s, only_names);
        cflri_set *set = &algebra->set.at[s];
        if (cflri_is_closure(set->kind)) drop_idle_steps(set, s);
    }
    cflri_free(algebra->context, facts);
    return done;
}

bool cflri_algebra_find_stars(cflri_algebra *algebra) {
    size_t n = algebra->set.n;
    for (uint32_t s = 0; s < n; s++) {
        const cflri_set *set = &algebra->set.at[s];
        if (set->kind == CFLRI_SET_SUM && !set->filtered && !find_star(algebra, s)) return false;
    }
    return open_all(algebra, true) && open_all(algebra, false);
}
