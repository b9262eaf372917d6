/* SPDX-License-Identifier: Apache-2.0
 *
 * equations.c: from sums of products to equations between rows.
 *
 * Rows are made on demand: for a set that is wanted, for a set read backwards, or for a sum of what
 * stands behind some first factor. A product is cut behind its first factor, which becomes the
 * edge, and what is left is the row that moves along it:
 *
 *     V ::= ~D f' V f D | ~D M D | ~D D             D = star(a, a M), f' = ~f
 *
 *     a star in front is a recursion       V ::= f' V f D | M D | D | ~a V | M ~a V
 *     a set in front is read pair by       V >= F.D    V >= M.Q    V >= D    V >= ~a.V
 *     pair, once for all that follows      F between f' V f        Q ::= D | ~a V
 *     a star behind is rows of its own     D >= eps    D >= a.D    D >= a.E    E ::= M D
 *
 * An input in front is one equation for each row that there is anyway, and one for the sum of the
 * rest. Equal sums share their rows. A set that is no closure and is read backwards as a row is
 * turned, pair by pair; a closure is written backwards instead, step by step.
 */
#include "grammar/equations/equations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "grammar/compile/compile.h"
#include "grammar/equations/strata.h"

enum { DEEPEST_STARS = 3 };

typedef struct cflri_sum {
    size_t n;
    cflri_product *product;
} sum;

typedef struct pending {
    uint32_t rows;
    sum sum;
} pending;

typedef struct lowering {
    cflr_context *context;
    cflr_error *error;
    const cflri_input_kind *input;
    cflri_algebra algebra;
    cflri_equations *equations;
    cflri_arena arena; /* sums */
    cflri_memo memo;   /* text of a sum -> its rows */
    cflri_text text;
    uint32_t *rows_of_factor;
    bool *opens;        /* by set: a star that may be opened in front of others */
    uint32_t n_factors; /* those above are rows: n_factors + number */
    CFLRI_VEC(pending) todo;
} lowering;

static cflr_status out_of_memory(const lowering *l) {
    return cflri_fail_memory(l->context, l->error);
}

static cflri_set_kind kind_of(const lowering *l, cflri_factor factor) {
    if (factor >= l->n_factors) return CFLRI_SET_SUM;
    return l->algebra.set.at[cflri_factor_set(factor)].kind;
}

static uint32_t input_of(const lowering *l, cflri_factor factor) {
    assert(kind_of(l, factor) == CFLRI_SET_INPUT);
    return l->algebra.set.at[cflri_factor_set(factor)].symbol;
}

/* R(u) has R(u). */
static bool says_nothing(const lowering *l, const cflri_equation *e) {
    if (e->left != e->right) return false;
    bool by_input = e->kind == CFLRI_EDGE || e->kind == CFLRI_STEP;
    return e->kind == CFLRI_COPY || (by_input && l->input[e->by] == CFLRI_INPUT_LOOPS);
}

static cflr_status add_equation(lowering *l, cflri_equation equation) {
    if (says_nothing(l, &equation)) return CFLR_OK;
    if (!cflri_vec_push(l->context, &l->equations->equation, equation)) return out_of_memory(l);
    return CFLR_OK;
}

static cflr_status new_rows(lowering *l, uint32_t symbol, bool filtered, uint32_t *rows) {
    assert(!filtered || symbol != CFLRI_NO_SYMBOL);
    cflri_family family = {.symbol = symbol, .filtered = filtered};
    *rows = (uint32_t)l->equations->family.n;
    if (!cflri_vec_push(l->context, &l->equations->family, family)) return out_of_memory(l);
    return CFLR_OK;
}

static cflr_status put_off(lowering *l, uint32_t rows, sum what) {
    pending later = {rows, what};
    return cflri_vec_push(l->context, &l->todo, later) ? CFLR_OK : out_of_memory(l);
}

/* ---- sums ---- */

static cflr_status sum_room(lowering *l, size_t n, sum *made) {
    *made = (sum){0, cflri_arena_alloc(&l->arena, (n + 1) * sizeof *made->product)};
    return made->product ? CFLR_OK : out_of_memory(l);
}

/* The product read backwards, or not, with one more factor behind it unless that is
 * CFLRI_NO_FACTOR. */
static cflr_status write_product(lowering *l, const cflri_product *from, bool back,
                                 cflri_factor behind, cflri_product *made) {
    uint32_t n = from->n + (behind != CFLRI_NO_FACTOR);
    *made = (cflri_product){n, cflri_arena_alloc(&l->arena, (n + 1) * sizeof *made->factor)};
    if (!made->factor) return out_of_memory(l);
    for (uint32_t i = 0; i < from->n; i++) {
        made->factor[i] =
            back ? cflri_flip(&l->algebra, from->factor[from->n - 1 - i]) : from->factor[i];
    }
    if (behind != CFLRI_NO_FACTOR) made->factor[from->n] = behind;
    return CFLR_OK;
}

/* Ascending, each once: the empty product first, then by first factor. */
static void sort_sum(sum *s) {
    size_t kept = 0;
    if (s->n) qsort(s->product, s->n, sizeof *s->product, cflri_product_compare);
    for (size_t p = 0; p < s->n; p++) {
        if (kept && cflri_product_compare(&s->product[p], &s->product[kept - 1]) == 0) continue;
        s->product[kept++] = s->product[p];
    }
    s->n = kept;
}

/* Rows of a single factor. */
static cflr_status rows_of(lowering *l, cflri_factor factor, uint32_t *rows) {
    cflr_status st = CFLR_OK;
    if (factor >= l->n_factors) {
        *rows = factor - l->n_factors;
        assert(*rows < l->equations->family.n);
        return CFLR_OK;
    }
    *rows = l->rows_of_factor[factor];
    if (*rows != CFLRI_NO_SYMBOL) return CFLR_OK;
    const cflri_set *set = &l->algebra.set.at[cflri_factor_set(factor)];
    bool back = cflri_factor_back(factor), closure = cflri_is_closure(set->kind);
    CFLR_TRY(new_rows(l, back ? CFLRI_NO_SYMBOL : set->symbol, set->filtered && !back, rows));
    l->rows_of_factor[factor] = *rows;
    if (set->kind == CFLRI_SET_SUM && back) {
        cflri_equation turn = {.kind = CFLRI_TURN, .left = *rows};
        CFLR_TRY(rows_of(l, factor ^ 1, &turn.right));
        return add_equation(l, turn);
    }
    sum what;
    CFLR_TRY(sum_room(l, 2 * set->product.n + 1, &what));
    if (set->kind == CFLRI_SET_INPUT) {
        cflri_product none = {0};
        CFLR_TRY(write_product(l, &none, false, factor, &what.product[what.n++]));
    }
    if (set->kind == CFLRI_SET_STAR) what.product[what.n++] = (cflri_product){0};
    for (size_t p = 0; p < set->product.n; p++) {
        const cflri_product *product = &set->product.at[p];
        if (set->kind != CFLRI_SET_STAR) {
            CFLR_TRY(write_product(l, product, back, CFLRI_NO_FACTOR, &what.product[what.n++]));
        }
        if (closure) CFLR_TRY(write_product(l, product, back, factor, &what.product[what.n++]));
    }
    CFLR_TRY(put_off(l, *rows, what));
out:
    return st;
}

static void write_key(lowering *l, const sum *s) {
    l->text.bytes.n = 0;
    for (size_t p = 0; p < s->n; p++) {
        for (uint32_t i = 0; i < s->product[p].n; i++) {
            cflri_text_printf(&l->text, "%u ", s->product[p].factor[i]);
        }
        cflri_text_add(&l->text, "|");
    }
}

/* Rows of a sum, which is sorted. */
static cflr_status rows_of_sum(lowering *l, const sum *s, uint32_t *rows) {
    cflr_status st = CFLR_OK;
    assert(s->n < 2 || cflri_product_compare(&s->product[0], &s->product[s->n - 1]) < 0);
    if (s->n == 1 && s->product[0].n == 1) return rows_of(l, s->product[0].factor[0], rows);
    uint32_t *known;
    write_key(l, s);
    if (l->text.failed) return out_of_memory(l);
    CFLR_TRY(cflri_memo_find(&l->memo, l->text.bytes.at, l->text.bytes.n, &known, l->error));
    if (*known == CFLRI_NO_SYMBOL) {
        CFLR_TRY(new_rows(l, CFLRI_NO_SYMBOL, false, known));
        *rows = *known;
        return put_off(l, *rows, *s);
    }
    *rows = *known;
out:
    return st;
}

/* The n products without their first factors. */
static cflr_status suffixes(lowering *l, const cflri_product *from, size_t n, sum *made) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(sum_room(l, n, made));
    for (size_t p = 0; p < n; p++) {
        assert(from[p].n);
        made->product[made->n++] = (cflri_product){from[p].n - 1, from[p].factor + 1};
    }
    sort_sum(made);
out:
    return st;
}

/* ---- one sum ---- */

static cflr_status emit_alone(lowering *l, uint32_t left, cflri_factor factor) {
    cflr_status st = CFLR_OK;
    cflri_equation e = {.kind = CFLRI_INPUT, .left = left, .right = CFLRI_NO_SYMBOL};
    if (kind_of(l, factor) == CFLRI_SET_INPUT) {
        e.by = input_of(l, factor);
        e.by_back = cflri_factor_back(factor);
    } else {
        e.kind = CFLRI_COPY;
        CFLR_TRY(rows_of(l, factor, &e.right));
    }
    CFLR_TRY(add_equation(l, e));
out:
    return st;
}

static bool is_between(const lowering *l, const cflri_product *product) {
    return l->algebra.techniques & CFLR_TECHNIQUE_BETWEEN && product->n >= 3 &&
           kind_of(l, product->factor[0]) == CFLRI_SET_INPUT &&
           kind_of(l, product->factor[1]) != CFLRI_SET_INPUT &&
           kind_of(l, product->factor[2]) == CFLRI_SET_INPUT;
}

static cflr_status emit_between(lowering *l, uint32_t left, const cflri_product *product) {
    cflr_status st = CFLR_OK;
    assert(product->n == 3);
    cflri_equation e = {.kind = CFLRI_BETWEEN, .left = left};
    e.by = input_of(l, product->factor[0]);
    e.by_back = cflri_factor_back(product->factor[0]);
    e.close = input_of(l, product->factor[2]);
    e.close_back = cflri_factor_back(product->factor[2]);
    CFLR_TRY(rows_of(l, product->factor[1], &e.right));
    CFLR_TRY(add_equation(l, e));
out:
    return st;
}

/* By what follows the third factor. */
static int compare_tails(const void *a, const void *b) {
    const cflri_product *x = a, *y = b;
    assert(x->n >= 3 && y->n >= 3);
    cflri_product tail_x = {x->n - 3, x->factor + 3}, tail_y = {y->n - 3, y->factor + 3};
    int order = cflri_product_compare(&tail_x, &tail_y);
    return order ? order : cflri_product_compare(a, b);
}

/* Products of an input, a set and an input in front, and the same behind: F behind, F ::= in
 * front. */
static cflr_status emit_betweens(lowering *l, uint32_t left, sum *s) {
    cflr_status st = CFLR_OK;
    if (s->n) qsort(s->product, s->n, sizeof *s->product, compare_tails);
    for (size_t p = 0, next; p < s->n; p = next) {
        const cflri_product *first = &s->product[p];
        cflri_product tail = {first->n - 3, first->factor + 3};
        sum fronts, behind = {1, &tail};
        CFLR_TRY(sum_room(l, s->n - p, &fronts));
        for (next = p; next < s->n; next++) {
            cflri_product other = {s->product[next].n - 3, s->product[next].factor + 3};
            if (cflri_product_compare(&tail, &other) != 0) break;
            fronts.product[fronts.n++] = (cflri_product){3, s->product[next].factor};
        }
        sort_sum(&fronts);
        if (!tail.n) {
            for (size_t f = 0; f < fronts.n; f++) {
                CFLR_TRY(emit_between(l, left, &fronts.product[f]));
            }
            continue;
        }
        cflri_equation e = {.kind = CFLRI_PAIR, .left = left};
        cflri_product *kept = cflri_arena_alloc(&l->arena, sizeof *kept);
        if (!kept) return out_of_memory(l);
        *kept = tail;
        behind.product = kept;
        CFLR_TRY(rows_of_sum(l, &fronts, &e.by));
        CFLR_TRY(rows_of_sum(l, &behind, &e.right));
        CFLR_TRY(add_equation(l, e));
    }
out:
    return st;
}

/* R >= input . S for each row S that there is anyway, and one more for the sum of what is left: a
 * merge more along the edge is cheaper than a copy of S in a row of that sum. */
static cflr_status emit_edges(lowering *l, cflri_equation edge, const sum *rest) {
    cflr_status st = CFLR_OK;
    sum others;
    assert(edge.kind == CFLRI_EDGE);
    CFLR_TRY(sum_room(l, rest->n, &others));
    for (size_t p = 0; p < rest->n; p++) {
        if (rest->product[p].n != 1) {
            others.product[others.n++] = rest->product[p];
            continue;
        }
        CFLR_TRY(rows_of(l, rest->product[p].factor[0], &edge.right));
        CFLR_TRY(add_equation(l, edge));
    }
    if (others.n) {
        CFLR_TRY(rows_of_sum(l, &others, &edge.right));
        CFLR_TRY(add_equation(l, edge));
    }
out:
    return st;
}

/* n products of two factors or more that begin with the same one. */
static cflr_status emit_group(lowering *l, uint32_t left, const cflri_product *group, size_t n) {
    cflr_status st = CFLR_OK;
    cflri_factor first = group[0].factor[0];
    assert(group[0].n >= 2 && group[n - 1].factor[0] == first);
    bool input = kind_of(l, first) == CFLRI_SET_INPUT, back = cflri_factor_back(first);
    sum rest, others;
    cflri_equation e = {.kind = CFLRI_EDGE, .left = left, .by_back = back};
    CFLR_TRY(suffixes(l, group, n, &rest));
    if (input) {
        e.by = input_of(l, first);
        return emit_edges(l, e, &rest);
    }
    back = back && first < l->n_factors;
    CFLR_TRY(sum_room(l, rest.n, &others));
    for (size_t p = 0; p < rest.n; p++) {
        const cflri_product *product = &rest.product[p];
        if (back || product->n != 1 || kind_of(l, product->factor[0]) != CFLRI_SET_INPUT) {
            others.product[others.n++] = *product;
            continue;
        }
        cflri_equation step = {.kind = CFLRI_STEP, .left = left};
        step.by = input_of(l, product->factor[0]);
        step.by_back = cflri_factor_back(product->factor[0]);
        CFLR_TRY(rows_of(l, first, &step.right));
        CFLR_TRY(add_equation(l, step));
    }
    if (!others.n) return CFLR_OK;
    e.kind = CFLRI_PAIR;
    e.by_back = back;
    CFLR_TRY(rows_of(l, back ? first ^ 1 : first, &e.by));
    CFLR_TRY(rows_of_sum(l, &others, &e.right));
    CFLR_TRY(add_equation(l, e));
out:
    return st;
}

static bool starts_with_star(const lowering *l, const cflri_product *product) {
    return product->n >= 2 && product->factor[0] < l->n_factors &&
           l->opens[cflri_factor_set(product->factor[0])];
}

/* The whole sum is one closure in front of something: that recursion. Behind a step is again the
 * whole; behind one of a plus also what stands behind the plus. */
static cflr_status open_star(lowering *l, uint32_t left, sum *s) {
    cflr_status st = CFLR_OK;
    cflri_factor star = s->product[0].factor[0];
    cflri_set set = l->algebra.set.at[cflri_factor_set(star)];
    bool back = cflri_factor_back(star), plus = set.kind == CFLRI_SET_PLUS;
    assert(cflri_is_closure(set.kind) && !l->equations->family.at[left].filtered);
    sum opened, rest;
    uint32_t behind = 0;
    CFLR_TRY(suffixes(l, s->product, s->n, &rest));
    if (plus) CFLR_TRY(rows_of_sum(l, &rest, &behind));
    CFLR_TRY(sum_room(l, rest.n + 2 * set.product.n, &opened));
    if (!plus) {
        memcpy(opened.product, rest.product, rest.n * sizeof *rest.product);
        opened.n = rest.n;
    }
    for (size_t p = 0; p < set.product.n; p++) {
        const cflri_product *step = &set.product.at[p];
        CFLR_TRY(write_product(l, step, back, l->n_factors + left, &opened.product[opened.n++]));
        if (!plus) continue;
        CFLR_TRY(write_product(l, step, back, l->n_factors + behind, &opened.product[opened.n++]));
    }
    sort_sum(&opened);
    *s = opened;
out:
    return st;
}

/* Products that begin with a star, among others: rows of their own. The rest stays in *s. */
static cflr_status split_stars(lowering *l, uint32_t left, sum *s) {
    cflr_status st = CFLR_OK;
    size_t kept = 0;
    for (size_t p = 0, next; p < s->n; p = next) {
        for (next = p + 1; next < s->n && s->product[next].n >= 2 && s->product[p].n &&
                           s->product[next].factor[0] == s->product[p].factor[0];) {
            next++;
        }
        if (!starts_with_star(l, &s->product[p])) {
            /* alone before others of its star: [D] sorts before [D x] */
            s->product[kept++] = s->product[p];
            next = p + 1;
            continue;
        }
        sum group;
        cflri_equation e = {.kind = CFLRI_COPY, .left = left};
        CFLR_TRY(sum_room(l, next - p, &group));
        memcpy(group.product, s->product + p, (next - p) * sizeof *group.product);
        group.n = next - p;
        CFLR_TRY(rows_of_sum(l, &group, &e.right));
        CFLR_TRY(add_equation(l, e));
    }
    s->n = kept;
out:
    return st;
}

/* Is the sum one star in front of everything? */
static bool all_one_star(const lowering *l, const sum *s) {
    for (size_t p = 0; p < s->n; p++) {
        if (!starts_with_star(l, &s->product[p])) return false;
        if (s->product[p].factor[0] != s->product[0].factor[0]) return false;
    }
    return s->n > 0;
}

static cflr_status emit_sum(lowering *l, uint32_t left, sum s) {
    cflr_status st = CFLR_OK;
    sum between;
    sort_sum(&s);
    /* Not into filtered rows: what is cut from R(v) may be wanted in R(u). */
    bool opens = !l->equations->family.at[left].filtered;
    while (opens && all_one_star(l, &s)) CFLR_TRY(open_star(l, left, &s));
    CFLR_TRY(split_stars(l, left, &s));
    CFLR_TRY(sum_room(l, s.n, &between));
    size_t kept = 0;
    for (size_t p = 0; p < s.n; p++) {
        if (is_between(l, &s.product[p])) {
            between.product[between.n++] = s.product[p];
        } else {
            s.product[kept++] = s.product[p];
        }
    }
    s.n = kept;
    CFLR_TRY(emit_betweens(l, left, &between));
    for (size_t p = 0, next; p < s.n; p = next) {
        const cflri_product *product = &s.product[p];
        next = p + 1;
        if (!product->n) {
            cflri_equation e = {.kind = CFLRI_DIAGONAL, .left = left, .right = CFLRI_NO_SYMBOL};
            CFLR_TRY(add_equation(l, e));
        } else if (product->n == 1) {
            CFLR_TRY(emit_alone(l, left, product->factor[0]));
        } else {
            while (next < s.n && s.product[next].factor[0] == product->factor[0]) next++;
            CFLR_TRY(emit_group(l, left, product, next - p));
        }
    }
out:
    return st;
}

/* ---- all ---- */

static cflr_status house_symbol(lowering *l, uint32_t symbol) {
    cflr_status st = CFLR_OK;
    cflri_factor factor = l->algebra.symbol[symbol];
    cflri_home *home = &l->equations->home[symbol];
    home->turned = cflri_factor_back(factor);
    home->wanted = true;
    if (kind_of(l, factor) == CFLRI_SET_INPUT) {
        home->input = input_of(l, factor);
    } else {
        CFLR_TRY(rows_of(l, factor & ~1u, &home->rows));
    }
out:
    return st;
}

/* Does the product, cut from its front as emit_sum will, open only stars that may be opened? What
 * stands between two inputs is read there and not opened. */
static bool product_opens(const lowering *l, const cflri_product *product) {
    cflri_product rest = *product;
    while (rest.n) {
        bool between = is_between(l, &rest);
        uint32_t set = cflri_factor_set(rest.factor[0]), skip = between ? 3 : 1;
        if (!between && cflri_is_closure(l->algebra.set.at[set].kind) && !l->opens[set]) {
            return false;
        }
        rest = (cflri_product){rest.n - skip, rest.factor + skip};
    }
    return true;
}

/* The same for all steps of a star, in both readings. False when memory is refused. */
static bool steps_open(lowering *l, const cflri_set *set, bool *open) {
    *open = true;
    for (size_t p = 0; p < set->product.n && *open; p++) {
        cflri_product back;
        if (write_product(l, &set->product.at[p], true, CFLRI_NO_FACTOR, &back) != CFLR_OK) {
            return false;
        }
        *open = product_opens(l, &set->product.at[p]) && product_opens(l, &back);
    }
    return true;
}

/* Opening a star makes rows for each of its steps, and opens the stars in them: without end where
 * stars name one another. Stars of small depth are opened, the others are read pair by pair. */
static bool find_opening_stars(lowering *l) {
    size_t n = l->algebra.set.n;
    l->opens = cflri_alloc_array_zero(l->context, n + 1, sizeof *l->opens);
    bool *next = cflri_alloc_array_zero(l->context, n + 1, sizeof *next);
    bool done = l->opens && next;
    for (int depth = 0; done && depth < DEEPEST_STARS; depth++) {
        for (size_t s = 0; done && s < n; s++) {
            const cflri_set *set = &l->algebra.set.at[s];
            if (cflri_is_closure(set->kind)) done = steps_open(l, set, &next[s]);
        }
        memcpy(l->opens, next, n * sizeof *next);
    }
    cflri_free(l->context, next);
    return done;
}

static cflr_status lower(lowering *l, const bool *wanted) {
    cflr_status st = CFLR_OK;
    size_t factors = 2 * l->algebra.set.n;
    l->n_factors = (uint32_t)factors;
    l->rows_of_factor = cflri_alloc_array(l->context, factors + 1, sizeof *l->rows_of_factor);
    if (!l->rows_of_factor || !find_opening_stars(l)) return out_of_memory(l);
    memset(l->rows_of_factor, 0xff, (factors + 1) * sizeof *l->rows_of_factor);
    CFLR_TRY(cflri_memo_init(&l->memo, l->context, l->error));
    for (uint32_t s = 0; s < l->algebra.n_symbols; s++) {
        l->equations->home[s].rows = CFLRI_NO_SYMBOL;
        if (!wanted || wanted[s]) CFLR_TRY(house_symbol(l, s));
    }
    for (size_t t = 0; t < l->todo.n; t++) {
        pending now = l->todo.at[t];
        CFLR_TRY(emit_sum(l, now.rows, now.sum));
    }
out:
    return st;
}

cflr_status cflri_equations_new(const cflri_ground *ground, const cflri_input_kind *input,
                                const bool *wanted, unsigned techniques,
                                cflri_equations **equations, cflr_error *error) {
    cflr_context *context = ground->context;
    cflr_status st = CFLR_OK;
    lowering l = {.context = context, .input = input, .error = error};
    cflri_arena_init(&l.arena, context);
    cflri_text_init(&l.text, context);
    cflri_equations *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    l.equations = made;
    made->context = context;
    made->n_symbols = ground->n_symbols;
    made->home = cflri_alloc_array_zero(context, (size_t)ground->n_symbols + 1, sizeof *made->home);
    if (!made->home) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    CFLR_TRY(cflri_algebra_make(ground, input, techniques, &l.algebra, error));
    CFLR_TRY(lower(&l, wanted));
    CFLR_TRY(cflri_equations_split(made, techniques, error));
    assert(cflri_equations_validate(made, error) == CFLR_OK);
    *equations = made;
    made = NULL;
out:
    cflri_equations_free(made);
    cflri_memo_free(&l.memo);
    cflri_text_drop(&l.text);
    cflri_arena_reset(&l.arena);
    cflri_free(context, l.rows_of_factor);
    cflri_free(context, l.opens);
    cflri_vec_free(context, &l.todo);
    if (l.algebra.context) cflri_algebra_free(&l.algebra);
    return st;
}

void cflri_equations_free(cflri_equations *equations) {
    if (!equations) return;
    cflr_context *context = equations->context;
    cflri_vec_free(context, &equations->equation);
    cflri_vec_free(context, &equations->family);
    cflri_vec_free(context, &equations->stratum);
    cflri_free(context, equations->home);
    cflri_free(context, equations);
}

size_t cflri_equations_seek(const cflri_equations *equations, cflri_stratum stratum,
                            const cflri_equation *key) {
    size_t low = stratum.first, high = stratum.end;
    assert(low <= high && high <= equations->equation.n);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const cflri_equation *e = &equations->equation.at[middle];
        if (e->kind < key->kind || (e->kind == key->kind && e->right < key->right)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
