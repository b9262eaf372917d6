/* SPDX-License-Identifier: Apache-2.0
 *
 * meant.c: which expression a place means, where several stand.
 *
 *     alias u.c:4:49 v.c:13:17          u.c:4:49: L | pass()     v.c:13:17: argv[1] | id()
 *
 * The choices are gone through as the digits of a number are counted up, the first operand fastest.
 */
#include "cli/answer/meant.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 64 };

int operands_add(operands *all, const cflr_graph *graph, cflr_finder *finder, const char *spec) {
    if (!cflr_graph_has_sources(graph) || !place_length(spec)) return 0;
    operand *o = &all->at[all->n++];
    *o = (operand){.spec = spec};
    return find_things(graph, finder, spec, &o->found);
}

void operands_free(operands *all) {
    for (size_t i = 0; i < all->n; i++) free(all->at[i].found.vertex);
    all->n = 0;
}

const operand *operands_find(const operands *all, const char *spec) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].spec == spec) return &all->at[i];
    return NULL;
}

int operand_meant(const operand *o, place_set *set) {
    set->n = o->end - o->begin;
    set->vertex = malloc((set->n + 1) * sizeof *set->vertex);
    if (!set->vertex) return fail_memory();
    memcpy(set->vertex, o->found.vertex + o->begin, set->n * sizeof *set->vertex);
    return 0;
}

static void mean(operand *o, const cflr_graph *graph, size_t begin) {
    o->begin = begin;
    o->end = end_of_thing(graph, &o->found, begin);
}

static void mean_first(operands *all, const cflr_graph *graph) {
    for (size_t i = 0; i < all->n; i++) mean(&all->at[i], graph, 0);
}

/* The next choice of a thing for each; false: all were there. */
static bool mean_next(operands *all, const cflr_graph *graph) {
    for (size_t i = 0; i < all->n; i++) {
        bool more = all->at[i].end < all->at[i].found.n;
        mean(&all->at[i], graph, more ? all->at[i].end : 0);
        if (more) return true;
    }
    return false;
}

static int write_answer(answer_choice *answer, void *user, char **text) {
    size_t size;
    FILE *file = open_memstream(text, &size);
    if (!file) return fail_memory();
    int code = answer(user, file);
    return fclose(file) != 0 && !code ? fail_memory() : code;
}

static int compare_choices(operands *all, const cflr_graph *graph, answer_choice *answer,
                           void *user, bool *alike) {
    char *first = NULL;
    int code = write_answer(answer, user, &first);
    for (int n = 1; !code && *alike && mean_next(all, graph); n++) {
        char *text = NULL;
        if (n < MOST_CHOICES) code = write_answer(answer, user, &text);
        *alike = !code && text && strcmp(text, first) == 0;
        free(text);
    }
    free(first);
    return code;
}

/* Do several things stand at the place? */
static bool is_open(const operand *o, const cflr_graph *graph) {
    return end_of_thing(graph, &o->found, 0) < o->found.n;
}

int operands_choose(operands *all, const cflr_graph *graph, answer_choice *answer, void *user,
                    bool *alike) {
    bool open = false;
    for (size_t i = 0; i < all->n; i++) open |= is_open(&all->at[i], graph);
    *alike = true;
    mean_first(all, graph);
    int code = open ? compare_choices(all, graph, answer, user, alike) : 0;
    mean_first(all, graph);
    return code;
}

int operands_refuse(const operands *all, const cflr_graph *graph) {
    int code = 0;
    for (size_t i = 0; i < all->n; i++)
        if (is_open(&all->at[i], graph))
            code = refuse_things(graph, all->at[i].spec, &all->at[i].found);
    return code;
}
