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
#include "grammar/equations/equations.h"
#include "grammar/read/text.h"

/* The state that all lines of a text share. */
typedef struct showing {
    cflri_text *text;
    const cflri_ground *ground;
    const cflri_equations *all;
    bool any; /* [i] in place of indexes, <> in place of numbers */
} showing;

static void show_ground(const showing *show, uint32_t s, bool back) {
    cflri_text *text = show->text;
    const cflri_ground *ground = show->ground;
    const cflri_symbol *symbol = &ground->grammar->symbol[ground->symbol[s].symbol];
    if (back) cflri_text_add(text, "~");
    cflri_text_symbol(text, symbol->name);
    if (!symbol->indexed) return;
    if (show->any) {
        cflri_text_add(text, "[i]");
        return;
    }
    cflri_text_add(text, "[");
    cflri_text_quoted(text, cflri_ground_index_text(ground, s));
    cflri_text_add(text, "]");
}

static void show_rows(const showing *show, uint32_t rows, bool back) {
    cflri_text *text = show->text;
    cflri_family family = show->all->family.at[rows];
    if (family.symbol != CFLRI_NO_SYMBOL) {
        show_ground(show, family.symbol, back);
    } else if (show->any) {
        cflri_text_printf(text, "%s<>", back ? "~" : "");
    } else {
        cflri_text_printf(text, "%s<%u>", back ? "~" : "", rows);
    }
    if (family.guarded) cflri_text_add(text, "|g");
}

static void show_equation(const showing *show, const cflri_equation *e) {
    cflri_text *text = show->text;
    show_rows(show, e->left, false);
    cflri_text_add(text, " >= ");
    switch (e->kind) {
        case CFLRI_DIAGONAL:
            cflri_text_add(text, "eps");
            break;
        case CFLRI_INPUT:
            show_ground(show, e->by, e->by_back);
            break;
        case CFLRI_COPY:
        case CFLRI_TURN:
        case CFLRI_GUARDS:
            show_rows(show, e->right, e->kind == CFLRI_TURN);
            break;
        case CFLRI_EDGE:
        case CFLRI_BETWEEN:
            show_ground(show, e->by, e->by_back);
            cflri_text_add(text, " . ");
            show_rows(show, e->right, false);
            if (e->kind == CFLRI_EDGE) break;
            cflri_text_add(text, " . ");
            show_ground(show, e->close, e->close_back);
            break;
        case CFLRI_PAIR:
            show_rows(show, e->by, e->by_back);
            cflri_text_add(text, " . ");
            show_rows(show, e->right, false);
            break;
        case CFLRI_STEP:
            show_rows(show, e->right, false);
            cflri_text_add(text, " . ");
            show_ground(show, e->by, e->by_back);
            break;
    }
}

/* Where symbols are found that have no rows of their own. */
static void show_homes(const showing *show) {
    cflri_text *text = show->text;
    const cflri_ground *ground = show->ground;
    const cflri_equations *all = show->all;
    for (uint32_t s = 0; s < all->n_symbols; s++) {
        cflri_home home = all->home[s];
        if (!home.wanted) continue;
        bool own = home.rows != CFLRI_NO_SYMBOL && all->family.at[home.rows].symbol == s;
        uint32_t other =
            home.rows == CFLRI_NO_SYMBOL ? home.input : all->family.at[home.rows].symbol;
        bool converse = home.turned && ground->symbol[s].converse_of == other;
        if (own || other == s || converse) continue;
        show_ground(show, s, false);
        cflri_text_add(text, " = ");
        if (home.rows == CFLRI_NO_SYMBOL) {
            show_ground(show, home.input, home.turned);
        } else {
            show_rows(show, home.rows, home.turned);
        }
        cflri_text_add(text, "\n");
    }
}

void cflri_stratum_show(cflri_text *text, const cflri_equations *equations, size_t stratum) {
    bool loops = equations->stratum.at[stratum].loops;
    cflri_text_printf(text, "# %zu: %s", stratum + 1, loops ? "a loop" : "products");
}

void cflri_equation_show_any(cflri_text *text, const cflri_ground *ground,
                             const cflri_equations *equations, size_t equation) {
    const showing show = {text, ground, equations, true};
    show_equation(&show, &equations->equation.at[equation]);
}

void cflri_equations_show(cflri_text *text, const cflri_ground *ground,
                          const cflri_equations *equations) {
    const showing show = {text, ground, equations, false};
    for (size_t s = 0; s < equations->stratum.n; s++) {
        cflri_stratum stratum = equations->stratum.at[s];
        cflri_stratum_show(text, equations, s);
        cflri_text_add(text, "\n");
        for (size_t e = stratum.first; e < stratum.end; e++) {
            show_equation(&show, &equations->equation.at[e]);
            cflri_text_add(text, "\n");
        }
    }
    show_homes(&show);
}
