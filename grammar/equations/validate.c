/* SPDX-License-Identifier: Apache-2.0
 *
 * validate.c: do equations keep what equations.h promises?
 *
 * Solvers take these promises for granted, so a broken one is a wrong result or a wild read there:
 *
 *     families    numbers are in range; a filtered family stands for the symbol that is filtered
 *     equations   each kind has its members, all others are zero; the order, and none twice
 *     guards      what moves whole keeps to one version; Q of PAIR and S of TURN are whole; GUARDS
 *                 lead from the whole version to the guarded one
 *     strata      one behind the other, each reads itself and those before it; what is no loop
 *                 reads itself only where rows move whole, and filters nothing
 *     homes       the whole rows, or the input, where the pairs of a symbol are
 *
 * One pass over each, without memory: O(families + equations + strata + symbols).
 */
#include "base/error.h"
#include "grammar/equations/equations.h"

/* The kind of thing that a member of an equation numbers. */
typedef enum member { NOTHING, ROWS, INPUT } member;

static const struct {
    member right, by, close;
    bool moves; /* S moves whole */
} shape_of[] = {
    [CFLRI_DIAGONAL] = {NOTHING, NOTHING, NOTHING, false},
    [CFLRI_INPUT] = {NOTHING, INPUT, NOTHING, false},
    [CFLRI_COPY] = {ROWS, NOTHING, NOTHING, true},
    [CFLRI_TURN] = {ROWS, NOTHING, NOTHING, false},
    [CFLRI_EDGE] = {ROWS, INPUT, NOTHING, true},
    [CFLRI_PAIR] = {ROWS, ROWS, NOTHING, true},
    [CFLRI_STEP] = {ROWS, INPUT, NOTHING, false},
    [CFLRI_BETWEEN] = {ROWS, INPUT, INPUT, false},
    [CFLRI_GUARDS] = {ROWS, NOTHING, NOTHING, false},
};

enum { KINDS = sizeof shape_of / sizeof *shape_of };

static cflr_status broken(cflr_error *error, const char *of, size_t number, const char *promise) {
    return cflri_fail(error, CFLR_INTERNAL, NULL, "%s %zu %s", of, number, promise);
}

/* `nothing` is what the number is where there is none. */
static bool in_range(const cflri_equations *all, member is, uint32_t number, uint32_t nothing) {
    if (is == NOTHING) return number == nothing;
    return number < (is == ROWS ? all->family.n : all->n_symbols);
}

static const cflri_family *rows(const cflri_equations *all, uint32_t number) {
    return &all->family.at[number];
}

/* ---- one at a time: what is broken, or NULL ---- */

static const char *fault_of_family(const cflri_equations *all, const cflri_family *family) {
    if (family->symbol != CFLRI_NO_SYMBOL && family->symbol >= all->n_symbols) {
        return "stands for no symbol that there is";
    }
    if (family->stratum >= all->stratum.n) return "is in no stratum that there is";
    if (!family->filtered) return NULL;
    if (family->symbol == CFLRI_NO_SYMBOL) return "is filtered and stands for no symbol";
    return all->stratum.at[family->stratum].loops ? NULL : "is filtered and in no loop";
}

static const char *fault_of_members(const cflri_equations *all, const cflri_equation *e) {
    if ((unsigned)e->kind >= KINDS) return "is of no kind";
    if (!in_range(all, ROWS, e->left, 0)) return "has no rows on the left";
    if (!in_range(all, shape_of[e->kind].right, e->right, CFLRI_NO_SYMBOL)) {
        return "reads other rows than its kind does";
    }
    if (!in_range(all, shape_of[e->kind].by, e->by, 0) ||
        (e->by_back && shape_of[e->kind].by == NOTHING)) {
        return "goes by something else than its kind does";
    }
    if (!in_range(all, shape_of[e->kind].close, e->close, 0) ||
        (e->close_back && shape_of[e->kind].close == NOTHING)) {
        return "closes by something else than its kind does";
    }
    return e->kind == CFLRI_COPY && e->left == e->right ? "says nothing" : NULL;
}

/* The members are in range. */
static const char *fault_of_guards(const cflri_equations *all, const cflri_equation *e) {
    const cflri_family *left = rows(all, e->left);
    if (e->kind == CFLRI_PAIR && rows(all, e->by)->guarded) return "goes by pairs to guards";
    if (shape_of[e->kind].right == NOTHING) return NULL;
    const cflri_family *right = rows(all, e->right);
    if (shape_of[e->kind].moves && left->guarded != right->guarded) {
        return "moves rows of guards to whole rows, or the other way";
    }
    if (e->kind == CFLRI_TURN && right->guarded) return "turns rows of guards";
    if (e->kind != CFLRI_GUARDS) return NULL;
    if (!left->guarded || right->guarded) return "takes guards from guards, or for whole rows";
    bool same = left->symbol == right->symbol && left->filtered == right->filtered;
    return same ? NULL : "takes guards from other rows";
}

/* May the equation read these rows where it stands? */
static bool is_whole(const cflri_equations *all, const cflri_equation *e, uint32_t read,
                     bool moves) {
    uint32_t stratum = rows(all, read)->stratum;
    if (stratum == e->stratum) return moves || all->stratum.at[stratum].loops;
    return stratum < e->stratum;
}

static const char *fault_of_order(const cflri_equations *all, const cflri_equation *e) {
    if (e->stratum != rows(all, e->left)->stratum) return "is not in the stratum of its rows";
    if (shape_of[e->kind].right == ROWS && !is_whole(all, e, e->right, shape_of[e->kind].moves)) {
        return "reads rows before they are whole";
    }
    if (shape_of[e->kind].by == ROWS && !is_whole(all, e, e->by, false)) {
        return "goes by pairs before all are found";
    }
    return NULL;
}

static const char *fault_of_equation(const cflri_equations *all, const cflri_equation *e) {
    const char *fault = fault_of_members(all, e);
    if (!fault) fault = fault_of_guards(all, e);
    return fault ? fault : fault_of_order(all, e);
}

static const char *fault_of_home(const cflri_equations *all, const cflri_home *home) {
    if (!home->wanted) return NULL;
    if (home->rows == CFLRI_NO_SYMBOL) {
        return in_range(all, INPUT, home->input, 0) ? NULL : "is in no input that there is";
    }
    if (!in_range(all, ROWS, home->rows, 0)) return "is in no rows that there are";
    return rows(all, home->rows)->guarded ? "is in rows that hold only guards" : NULL;
}

/* ---- all ---- */

static cflr_status validate_strata(const cflri_equations *all, cflr_error *error) {
    size_t at = 0;
    for (size_t s = 0; s < all->stratum.n; s++) {
        cflri_stratum stratum = all->stratum.at[s];
        if (stratum.first != at || stratum.end < at || stratum.end > all->equation.n) {
            return broken(error, "stratum", s, "does not begin where the last one ends");
        }
        for (; at < stratum.end; at++) {
            const cflri_equation *e = &all->equation.at[at];
            if (e->stratum != s) return broken(error, "equation", at, "stands in another stratum");
            if (at > stratum.first && cflri_equation_compare(e - 1, e) >= 0) {
                return broken(error, "equation", at, "is not in order, or stands twice");
            }
        }
    }
    return at == all->equation.n ? CFLR_OK : broken(error, "equation", at, "is in no stratum");
}

cflr_status cflri_equations_validate(const cflri_equations *equations, cflr_error *error) {
    for (size_t f = 0; f < equations->family.n; f++) {
        const char *fault = fault_of_family(equations, &equations->family.at[f]);
        if (fault) return broken(error, "family", f, fault);
    }
    for (size_t e = 0; e < equations->equation.n; e++) {
        const char *fault = fault_of_equation(equations, &equations->equation.at[e]);
        if (fault) return broken(error, "equation", e, fault);
    }
    for (size_t s = 0; s < equations->n_symbols; s++) {
        const char *fault = fault_of_home(equations, &equations->home[s]);
        if (fault) return broken(error, "symbol", s, fault);
    }
    return validate_strata(equations, error);
}
