/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_alias.c: why two pointers may hold one address.
 *
 * Most often both point to one object. It is named, and then how its address comes to each of the
 * two. Of several the one is chosen whose ways are the shortest. Where no object is known, one
 * value flows to both; or code outside may make them meet:
 *
 *     L(p,l), L(q,l)                l is a place that both hold the address of (explain_common.c)
 *     V(p,q)                        without one
 *     PT(p,o), PT(q,x), PT(o,x)     o, code outside, may give p, and knows x, where q may point
 */
#include <string.h>

#include "cli/answer/outside.h"
#include "cli/explain/explaining.h"

enum { MOST_MEASURED = 8 /* objects, to find the one with the shortest ways */ };

/* The first object of `pointer` that `outside` is or knows; CFLR_NO_VERTEX: none. */
static uint32_t known_object(const explaining *e, uint32_t outside, uint32_t pointer) {
    uint32_t label = cflr_result_find_label(e->result, e->points_to), known = CFLR_NO_VERTEX;
    cflr_row row = {0};
    read_row(e->result, label, 0, pointer, &row);
    for (uint64_t i = 0; i < row.count && known == CFLR_NO_VERTEX; i++) {
        uint32_t object = row.target[i];
        if (object == outside || has_pair(e, e->points_to, outside, object)) known = object;
    }
    cflr_row_free(&row);
    return known;
}

/* Code outside, or without model, gives p, and knows what q points to. */
static int explain_meeting(explaining *e, uint32_t outside, uint32_t p, uint32_t q) {
    uint32_t object = known_object(e, outside, q);
    int code = explain_pair(e, e->points_to, p, outside);
    if (!code) code = explain_pair(e, e->points_to, q, object);
    if (!code && object != outside) code = explain_pair(e, e->points_to, outside, object);
    return code;
}

/* Is it this vertex through which they meet? */
static bool meet_in(const explaining *e, uint32_t outside, uint32_t p, uint32_t q) {
    return has_pair(e, e->points_to, p, outside) && known_object(e, outside, q) != CFLR_NO_VERTEX;
}

static int explain_through(explaining *e, const uint32_t pair[2], cflr_through through) {
    size_t n;
    const uint32_t *unknown = cflr_graph_unknowns(e->graph, &n);
    uint32_t outside = cflr_graph_outside(e->graph);
    for (int turn = 0; turn < 2; turn++) {
        uint32_t p = pair[turn], q = pair[!turn];
        uint32_t lost = cflr_result_lost(e->result, p);
        if (through == CFLR_THROUGH_LOST && lost != CFLR_NO_VERTEX)
            return explain_pair(e, e->points_to, p, lost);
        if (through == CFLR_THROUGH_LOST) continue;
        if (outside != CFLR_NO_VERTEX && meet_in(e, outside, p, q))
            return explain_meeting(e, outside, p, q);
        for (size_t i = 0; i < n; i++)
            if (meet_in(e, unknown[i], p, q)) return explain_meeting(e, unknown[i], p, q);
    }
    return 0;
}

/* Steps of the way to one of two pointers; SIZE_MAX: there is none. */
static int measure_way(explaining *e, const common_place *at, int k, size_t *n) {
    cflr_error error;
    size_t derivations;
    cflr_status st = cflr_explain(e->explainer, at->symbol, "", at->pointer[k], at->target, 0,
                                  &derivations, &error);
    if (st != CFLR_OK) return fail(&error);
    *n = derivations ? 0 : SIZE_MAX;
    for (size_t i = 0; i < derivations; i++) {
        cflr_derivation d;
        cflr_explanation(e->explainer, i, &d);
        *n += d.n_steps;
    }
    return 0;
}

/* The place whose ways are the shortest, of the first one in each of some objects. */
static int choose_common(explaining *e, const common_places *c, const common_place **chosen) {
    size_t least = SIZE_MAX, n_measured = 0, n = 0;
    int code = 0;
    *chosen = &c->at[0];
    for (size_t i = 0; i < c->n && n_measured < MOST_MEASURED && c->n_objects > 1 && !code; i++) {
        size_t both = 0;
        if (i > 0 && c->at[i].object == c->at[i - 1].object) continue;
        n_measured++;
        for (int k = 0; k < 2 && both < least && !code; k++) {
            code = measure_way(e, &c->at[i], k, &n);
            both = n < least - both ? both + n : least;
        }
        if (code || both >= least) continue;
        least = both;
        *chosen = &c->at[i];
    }
    return code;
}

/* The objects: the one that is explained, then the others. */
static json_t *common_json(const explaining *e, const common_places *c, uint32_t explained) {
    json_t *list = json_array();
    json_array_append_new(list, vertex_json(e->graph, explained));
    for (size_t i = 0; i < c->n_objects; i++)
        if (c->object[i] != explained)
            json_array_append_new(list, vertex_json(e->graph, c->object[i]));
    return list;
}

static void print_object(const explaining *e, const char *before, uint32_t object) {
    fputs(before, e->to.file);
    print_vertex(e->to.file, e->graph, object);
    fputc('\n', e->to.file);
}

static void print_common(const explaining *e, const common_places *c, uint32_t explained) {
    size_t n_others = 0;
    print_object(e, "yes: both may point to ", explained);
    for (size_t i = 0; i < c->n_objects; i++) {
        if (c->object[i] == explained) continue;
        if (e->all) print_object(e, "as well as to ", c->object[i]);
        n_others++;
    }
    if (n_others && !e->all)
        fprintf(e->to.file, "and to %zu other object%s, which --all lists\n", n_others,
                n_others == 1 ? "" : "s");
}

static void say_common(const explaining *e, const common_places *c, uint32_t explained) {
    if (e->answer) {
        json_set(e->answer, "answer", json_true());
        json_set(e->answer, "common", common_json(e, c, explained));
    } else if (!e->as_dot) {
        print_common(e, c, explained);
    }
}

/* By an object that both point to. */
static int explain_common(explaining *e, const common_places *c) {
    const common_place *at;
    int code = choose_common(e, c, &at);
    if (!code) say_common(e, c, at->object);
    for (int k = 0; k < 2 && !code; k++) {
        const heading h = {at->pointer[k], " may point to ", at->object, ""};
        if (k == 1 && at->pointer[0] == at->pointer[1]) break;
        code = explain_symbol(e, at->symbol, "", at->pointer[k], at->target, &h);
    }
    return code;
}

/* No object is known that both point to. */
static int explain_no_common(explaining *e, const uint32_t pair[2]) {
    if (has_pair(e, e->answer_alias, pair[0], pair[1])) {
        say_answer(e, true, "");
        return explain_pair(e, e->alias, pair[0], pair[1]);
    }
    say_answer(e, true,
               "one is assigned to the other, and no place is known that it is the address of");
    return 0;
}

/* By the program's own doing. */
static int explain_program(explaining *e, const place_set *p, const place_set *q,
                           const uint32_t pair[2]) {
    common_places c = {0};
    int code = cflr_graph_has_sources(e->graph) ? common_find(e->result, p, q, &c) : 0;
    if (!code) code = c.n ? explain_common(e, &c) : explain_no_common(e, pair);
    common_free(&c);
    return code;
}

static int explain_no_alias(explaining *e, const uint32_t pair[2]) {
    say_answer(e, false, "");
    if (pair[0] != CFLR_NO_VERTEX && !e->as_dot)
        explain_why_not(e->result, pair[0], pair[1], true, e->to.file, e->answer);
    return EXIT_NO;
}

static int explain_by(explaining *e, const place_set *p, const place_set *q) {
    uint32_t pair[2] = {CFLR_NO_VERTEX, CFLR_NO_VERTEX};
    cflr_through through = places_alias(e->result, p, q, pair);
    switch (through) {
        case CFLR_THROUGH_NOTHING:
            return explain_no_alias(e, pair);
        case CFLR_THROUGH_PROGRAM:
            return explain_program(e, p, q, pair);
        case CFLR_THROUGH_UNANSWERED:
            say_unknown(e);
            return 0;
        default:
            say_answer(e, true, through_condition(through) + strlen(", "));
            return explain_through(e, pair, through);
    }
}

int explain_alias(explaining *e, char *const *word) {
    place_set p = {0}, q = {0}, object[2] = {{0}, {0}};
    int code = find_pointers(e->graph, NULL, word[1], &p, &object[0]);
    if (!code) code = find_pointers(e->graph, NULL, word[2], &q, &object[1]);
    if (!code) say_subject(e, word[1], &p, &object[0]);
    if (!code) say_subject(e, word[2], &q, &object[1]);
    if (!code) code = explain_by(e, &p, &q);
    free(p.vertex);
    free(q.vertex);
    for (int i = 0; i < 2; i++) free(object[i].vertex);
    return code;
}
