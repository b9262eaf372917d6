/* SPDX-License-Identifier: Apache-2.0
 *
 * tally.c: statistics of each equation of a batch, if they are wanted.
 *
 * One stopwatch always runs, and a thread that begins with an equation sets it to that equation, so
 * the times add up to the time of solving. Behind the equations come the strata, for work that no
 * single equation causes: uniting sets, ordering rows.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch/state.h"
#include "grammar/read/text.h"

/* Makes a tally for each equation, and behind them one for each stratum. */
bool cflri_batch_make_tallies(cflri_batch *b) {
    size_t n = b->equations->equation.n + b->equations->stratum.n;
    b->tally = cflri_alloc_array_zero(b->context, n + 1, sizeof *b->tally);
    b->tallied_since = cflri_now();
    return b->tally != NULL;
}

void cflri_batch_tally(cflri_batch *b, uint32_t what) {
    double now = cflri_now();
    b->tally[b->tallied].seconds += now - b->tallied_since;
    b->tallied = what;
    b->tallied_since = now;
}

/* A tally and its line. */
typedef struct line {
    char *text;
    size_t stratum, at; /* the place of the first equation with this text */
    cflri_tally tally;
} line;

static int by_text(const void *a, const void *b) {
    const line *x = a, *y = b;
    if (x->stratum != y->stratum) return x->stratum < y->stratum ? -1 : 1;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b) {
    const line *x = a, *y = b;
    if (x->stratum != y->stratum) return x->stratum < y->stratum ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Merges equations of one stratum that have the same text. */
static size_t add_up(cflr_context *context, line *lines, size_t n) {
    size_t kept = 0;
    qsort(lines, n, sizeof *lines, by_text);
    for (size_t i = 0; i < n; i++) {
        line *last = kept ? &lines[kept - 1] : NULL;
        if (!last || last->stratum != lines[i].stratum || strcmp(last->text, lines[i].text) != 0) {
            lines[kept++] = lines[i];
            continue;
        }
        last->tally.tried += lines[i].tally.tried;
        last->tally.fresh += lines[i].tally.fresh;
        last->tally.seconds += lines[i].tally.seconds;
        cflri_free(context, lines[i].text);
    }
    qsort(lines, kept, sizeof *lines, by_place);
    return kept;
}

/* Writes the line of an equation, or of a stratum behind the equations. False when memory is
 * refused. */
static bool write_line(const cflri_batch *b, size_t what, line *made) {
    const cflri_equations *all = b->equations;
    cflri_text text;
    cflri_text_init(&text, b->context);
    *made = (line){.tally = b->tally[what], .at = what + 1};
    if (what < all->equation.n) {
        made->stratum = all->equation.at[what].stratum;
        cflri_equation_show_any(&text, b->problem->ground, all, what);
    } else {
        made->stratum = what - all->equation.n;
        made->at = 0; /* in front of its equations */
        cflri_stratum_show(&text, all, made->stratum);
    }
    return cflri_text_take(&text, &made->text, NULL) == CFLR_OK;
}

void cflri_batch_report(cflri_batch *b, cflri_closure *closure) {
    cflr_context *context = b->context;
    if (!b->tally) return;
    cflri_batch_tally(b, b->tallied);
    size_t n = b->equations->equation.n + b->equations->stratum.n, written = 0;
    line *lines = cflri_alloc_array(context, n + 1, sizeof *lines);
    cflri_rule_tally *rule = NULL;
    while (lines && written < n && write_line(b, written, &lines[written])) written++;
    bool whole = lines && written == n;
    if (whole) written = add_up(context, lines, n);
    if (whole) rule = cflri_alloc_array(context, written + 1, sizeof *rule);
    for (size_t i = 0; i < written; i++) {
        if (rule) {
            cflri_tally tally = lines[i].tally;
            rule[i] = (cflri_rule_tally){lines[i].text, tally.tried, tally.fresh, tally.seconds};
        } else {
            cflri_free(context, lines[i].text);
        }
    }
    cflri_free(context, lines);
    closure->rule = rule;
    closure->n_rules = rule ? written : 0;
}
