/* SPDX-License-Identifier: Apache-2.0
 *
 * equations_show.c: equations as text.
 *
 *     V >= <1>                           the row of V at u has the row of <1> at u
 *     A >= a . <2>                       ... the rows of <2> that a leads to
 *     V >= M . <1>                       the same along pairs that are found meanwhile
 *     <3> >= ~f["8"] . V . f["8"]        input, row, input in one join
 *
 * Rows of no symbol of the grammar are numbered; V|g holds of the rows of V only guards (strata.h).
 * `eps` is the diagonal. A line with # begins a stratum.
 */
#include "base/context.h"
#include "grammar/equations.h"
#include "grammar/text.h"

static void show_ground(cflri_text *text, const cflri_ground *ground, uint32_t s, bool back) {
    const cflri_symbol *symbol = &ground->grammar->symbol[ground->symbol[s].symbol];
    if (back) cflri_text_add(text, "~");
    cflri_text_symbol(text, symbol->name);
    if (!symbol->indexed) return;
    cflri_text_add(text, "[");
    cflri_text_quoted(text, cflri_ground_index_text(ground, s));
    cflri_text_add(text, "]");
}

static void show_rows(cflri_text *text, const cflri_ground *ground,
                      const cflri_equations *equations, uint32_t rows, bool back) {
    cflri_family family = equations->family.at[rows];
    if (family.symbol != CFLRI_NO_SYMBOL) {
        show_ground(text, ground, family.symbol, back);
    } else {
        cflri_text_printf(text, "%s<%u>", back ? "~" : "", rows);
    }
    if (family.guarded) cflri_text_add(text, "|g");
}

static void show_equation(cflri_text *text, const cflri_ground *ground, const cflri_equations *all,
                          const cflri_equation *e) {
    show_rows(text, ground, all, e->left, false);
    cflri_text_add(text, " >= ");
    switch (e->kind) {
        case CFLRI_DIAGONAL:
            cflri_text_add(text, "eps");
            break;
        case CFLRI_INPUT:
            show_ground(text, ground, e->by, e->by_back);
            break;
        case CFLRI_COPY:
        case CFLRI_TURN:
        case CFLRI_GUARDS:
            show_rows(text, ground, all, e->right, e->kind == CFLRI_TURN);
            break;
        case CFLRI_EDGE:
        case CFLRI_BETWEEN:
            show_ground(text, ground, e->by, e->by_back);
            cflri_text_add(text, " . ");
            show_rows(text, ground, all, e->right, false);
            if (e->kind == CFLRI_EDGE) break;
            cflri_text_add(text, " . ");
            show_ground(text, ground, e->close, e->close_back);
            break;
        case CFLRI_PAIR:
            show_rows(text, ground, all, e->by, e->by_back);
            cflri_text_add(text, " . ");
            show_rows(text, ground, all, e->right, false);
            break;
        case CFLRI_STEP:
            show_rows(text, ground, all, e->right, false);
            cflri_text_add(text, " . ");
            show_ground(text, ground, e->by, e->by_back);
            break;
    }
    cflri_text_add(text, "\n");
}

/* Where symbols are found that have no rows of their own. */
static void show_homes(cflri_text *text, const cflri_ground *ground, const cflri_equations *all) {
    for (uint32_t s = 0; s < all->n_symbols; s++) {
        cflri_home home = all->home[s];
        if (!home.wanted) continue;
        bool own = home.rows != CFLRI_NO_SYMBOL && all->family.at[home.rows].symbol == s;
        uint32_t other =
            home.rows == CFLRI_NO_SYMBOL ? home.input : all->family.at[home.rows].symbol;
        bool converse = home.turned && ground->symbol[s].converse_of == other;
        if (own || other == s || converse) continue;
        show_ground(text, ground, s, false);
        cflri_text_add(text, " = ");
        if (home.rows == CFLRI_NO_SYMBOL) {
            show_ground(text, ground, home.input, home.turned);
        } else {
            show_rows(text, ground, all, home.rows, home.turned);
        }
        cflri_text_add(text, "\n");
    }
}

void cflri_equations_show(cflri_text *text, const cflri_ground *ground,
                          const cflri_equations *equations) {
    for (size_t s = 0; s < equations->stratum.n; s++) {
        cflri_stratum stratum = equations->stratum.at[s];
        cflri_text_printf(text, "# %zu: %s\n", s + 1, stratum.loops ? "a loop" : "products");
        for (size_t e = stratum.first; e < stratum.end; e++) {
            show_equation(text, ground, equations, &equations->equation.at[e]);
        }
    }
    show_homes(text, ground, equations);
}
