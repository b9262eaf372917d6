/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_symbols.c: derivations under any grammar, as paths of symbols.
 *
 *     D(0, 5):
 *         0 -op-> 1
 *         1 -D-> 4 [1]:
 *             1 -op-> 2
 *             2 -cl-> 3
 *             3 -D-> 3, the empty path
 *             3 <-cl- 4
 *         4 -cl-> 5
 *
 * A line is a step: an edge, or a pair whose own path stands below, once. An arrow to the left is
 * an edge, or pair, that the path goes through against its direction. Where the graph knows places,
 * a line begins with that of its step.
 *
 * Depth of recursion: that of the derivation, which its levels bound.
 */
#include "cli/explain/explain_words.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct telling {
    const explanation *x;
    told_lines *to;
    bool *told; /* by derivation */
} telling;

static void print_symbol(FILE *file, const char *symbol, const char *index) {
    fputs(shown(symbol), file);
    if (index[0]) fprintf(file, "[%s]", shown(index));
}

static void print_step(const telling *t, const cflr_derivation_step *step, int indent) {
    cflr_vertex_info from, to;
    look_at(t->x->graph, step->from, &from);
    look_at(t->x->graph, step->to, &to);
    print_step_place(t->to->file, place_between(t->x->graph, step->from, step->to), indent);
    fprintf(t->to->file, "%s %s-", from.name, step->backwards ? "<" : "");
    print_symbol(t->to->file, step->symbol, step->index);
    fprintf(t->to->file, "-%s %s", step->backwards ? "" : ">", to.name);
}

static void tell(telling *t, size_t number, int indent);

/* Behind the step itself: how the pair comes about. */
static void tell_pair(telling *t, uint32_t number, int indent) {
    cflr_derivation d;
    cflr_explanation(t->x->explainer, number, &d);
    bool again = t->told[number], tells = !again && tells_reason(t->to, indent);
    if (d.n_steps == 0)
        fputs(", the empty path", t->to->file);
    else if (again || tells)
        fprintf(t->to->file, " [%" PRIu32 "]%s", number, again ? ", see above" : ":");
    end_line(t->to, indent - INDENT);
    if (tells) tell(t, number, indent);
}

static void tell(telling *t, size_t number, int indent) {
    cflr_derivation d;
    cflr_explanation(t->x->explainer, number, &d);
    t->told[number] = true;
    for (size_t i = 0; i < d.n_steps; i++) {
        print_step(t, &d.step[i], indent);
        if (step_is_edge(&d.step[i]))
            end_edge(t->to, t->x->graph, &d.step[i], indent);
        else
            tell_pair(t, d.step[i].derivation, indent + INDENT);
    }
}

static int tell_all(const void *of, told_lines *to) {
    const explanation *x = of;
    telling t = {x, to, calloc(x->n, sizeof *t.told)};
    if (!t.told) return fail_memory();
    tell(&t, 0, INDENT);
    free(t.told);
    return 0;
}

int explanation_print_symbols(const explanation *x, FILE *file, bool all) {
    cflr_derivation d;
    cflr_vertex_info source, target;
    if (x->n == 0) return 0;
    cflr_explanation(x->explainer, 0, &d);
    look_at(x->graph, d.source, &source);
    look_at(x->graph, d.target, &target);
    print_symbol(file, d.symbol, d.index);
    fprintf(file, "(%s, %s)%s\n", source.name, target.name, d.n_steps ? ":" : ", the empty path");
    return print_lines(file, all, tell_all, x);
}
