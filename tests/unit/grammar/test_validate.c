/* SPDX-License-Identifier: Apache-2.0
 *
 * test_validate.c: each promise of equations.h is broken once, and validate.c says which.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/stages.h"

/* All kinds of equations; a filter; products, a loop, products. */
static const char rules[] =
    "%filter F d\nA ::= a B | b | eps\nB ::= A c A c\nT ::= ~B | A c\nF ::= b c\nS ::= a S b | F\n";
static const char edges[] = "0 1 a; 1 2 b; 2 3 c; 3 4 a; 4 5 b; 5 6 c; 1 3 d";

/* The first of the kind. */
static cflri_equation *any_of(cflri_equations *all, cflri_equation_kind kind) {
    for (size_t e = 0; e < all->equation.n; e++) {
        if (all->equation.at[e].kind == kind) return &all->equation.at[e];
    }
    cr_assert_fail("no equation of kind %d", kind);
    return NULL;
}

/* The last family that holds guards, or does not. */
static uint32_t last_family(const cflri_equations *all, bool guarded) {
    uint32_t f = (uint32_t)all->family.n - 1;
    while (all->family.at[f].guarded != guarded) f--;
    return f;
}

static cflri_family *filtered_family(cflri_equations *all) {
    size_t f = 0;
    while (!all->family.at[f].filtered) f++;
    return &all->family.at[f];
}

/* Of the last stratum and with as many guards: what an equation of the first must not read. */
static uint32_t late_family(const cflri_equations *all, bool guarded) {
    uint32_t late = CFLRI_NO_SYMBOL;
    for (uint32_t f = 0; f < all->family.n; f++) {
        if (all->family.at[f].guarded != guarded) continue;
        if (late == CFLRI_NO_SYMBOL || all->family.at[f].stratum > all->family.at[late].stratum) {
            late = f;
        }
    }
    return late;
}

static cflri_home *home_of(cflri_equations *all, bool rows) {
    uint32_t s = 0;
    while (!all->home[s].wanted || (all->home[s].rows != CFLRI_NO_SYMBOL) != rows) s++;
    return &all->home[s];
}

/* Each breaks the promise that stands under its number. */
static void break_promise(cflri_equations *all, int number) {
    cflri_stratum *first = &all->stratum.at[0], *last = &all->stratum.at[all->stratum.n - 1];
    cflri_equation *e;
    switch (number) {
        case 0:
            all->family.at[0].symbol = all->n_symbols;
            break;
        case 1:
            all->family.at[0].stratum = (uint32_t)all->stratum.n;
            break;
        case 2:
            filtered_family(all)->symbol = CFLRI_NO_SYMBOL;
            break;
        case 3:
            all->stratum.at[filtered_family(all)->stratum].loops = false;
            break;
        case 4:
            all->equation.at[0].kind = (cflri_equation_kind)(CFLRI_GUARDS + 1);
            break;
        case 5:
            all->equation.at[0].left = (uint32_t)all->family.n;
            break;
        case 6:
            any_of(all, CFLRI_COPY)->right = CFLRI_NO_SYMBOL;
            break;
        case 7:
            any_of(all, CFLRI_DIAGONAL)->right = 0;
            break;
        case 8:
            any_of(all, CFLRI_EDGE)->by = all->n_symbols;
            break;
        case 9:
            any_of(all, CFLRI_TURN)->by_back = true;
            break;
        case 10:
            any_of(all, CFLRI_BETWEEN)->close = all->n_symbols;
            break;
        case 11:
            any_of(all, CFLRI_STEP)->close_back = true;
            break;
        case 12:
            e = any_of(all, CFLRI_COPY);
            e->right = e->left;
            break;
        case 13:
            any_of(all, CFLRI_PAIR)->by = last_family(all, true);
            break;
        case 14:
            e = any_of(all, CFLRI_EDGE);
            e->right = last_family(all, !all->family.at[e->right].guarded);
            break;
        case 15:
            any_of(all, CFLRI_TURN)->right = last_family(all, true);
            break;
        case 16:
            e = any_of(all, CFLRI_GUARDS);
            e->right = e->left;
            break;
        case 17:
            e = any_of(all, CFLRI_GUARDS);
            e->right += all->family.at[e->right + 1].guarded ? 2 : 1;
            break;
        case 18:
            e = &all->equation.at[last->first];
            e->stratum = 0;
            break;
        case 19:
            e = &all->equation.at[first->first];
            while (e->kind != CFLRI_EDGE) e++;
            e->right = late_family(all, all->family.at[e->left].guarded);
            break;
        case 20: /* of its own stratum, whose steps are looked at */
            e = &all->equation.at[last->end - 1];
            while (e->kind != CFLRI_STEP || all->stratum.at[e->stratum].loops) e--;
            e->right = e->left;
            break;
        case 21:
            e = any_of(all, CFLRI_PAIR);
            e->by = late_family(all, false);
            break;
        case 22: /* the loop that has no filter */
            e = any_of(all, CFLRI_BETWEEN);
            while (e->kind != CFLRI_BETWEEN || !all->family.at[e->left].guarded) e++;
            all->stratum.at[e->stratum].loops = false;
            break;
        case 23:
            home_of(all, false)->input = all->n_symbols;
            break;
        case 24:
            home_of(all, true)->rows = (uint32_t)all->family.n;
            break;
        case 25:
            home_of(all, true)->rows = last_family(all, true);
            break;
        case 26:
            last->first++;
            break;
        case 27: /* one place further on */
            first->end++;
            first[1].first++;
            break;
        case 28:
            last->end--;
            break;
        case 29:
            e = &all->equation.at[last->first];
            e[1] = e[0];
            break;
        default:
            break;
    }
}

static const char *const promises[] = {
    "stands for no symbol that there is",
    "is in no stratum that there is",
    "is filtered and stands for no symbol",
    "is filtered and in no loop",
    "is of no kind",
    "has no rows on the left",
    "reads other rows than its kind does",
    "reads other rows than its kind does",
    "goes by something else than its kind does",
    "goes by something else than its kind does",
    "closes by something else than its kind does",
    "closes by something else than its kind does",
    "says nothing",
    "goes by pairs to guards",
    "moves rows of guards to whole rows, or the other way",
    "turns rows of guards",
    "takes guards from guards, or for whole rows",
    "takes guards from other rows",
    "is not in the stratum of its rows",
    "reads rows before they are whole",
    "reads rows before they are whole",
    "goes by pairs before all are found",
    "reads rows before they are whole",
    "is in no input that there is",
    "is in no rows that there are",
    "is in rows that hold only guards",
    "does not begin where the last one ends",
    "stands in another stratum",
    "is in no stratum",
    "is not in order, or stands twice",
};

Test(validate, each_promise_can_be_broken) {
    cflr_context *context = test_context();
    stages s = stages_of(context, rules, edges);
    for (int number = 0; number < (int)(sizeof promises / sizeof *promises); number++) {
        cflr_error error = {0};
        cflri_equations *all = equations_of(&s, ALL_TECHNIQUES);
        break_promise(all, number);
        cflr_status st = cflri_equations_validate(all, &error);
        cr_expect_eq(st, CFLR_INTERNAL, "%d: %s", number, promises[number]);
        cr_expect(strstr(error.message, promises[number]), "%d: %s, and not: %s", number,
                  promises[number], error.message);
        cflri_equations_free(all);
    }
    stages_free(&s);
    test_context_end(context);
}

Test(validate, the_grammar_has_all_kinds) {
    cflr_context *context = test_context();
    stages s = stages_of(context, rules, edges);
    cflri_equations *all = equations_of(&s, ALL_TECHNIQUES);
    for (int kind = CFLRI_DIAGONAL; kind <= CFLRI_GUARDS; kind++) {
        cr_expect_not_null(any_of(all, (cflri_equation_kind)kind));
    }
    cflri_equations_free(all);
    stages_free(&s);
    test_context_end(context);
}
