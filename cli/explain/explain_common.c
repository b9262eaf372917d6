/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_common.c: the places whose address two pointers may hold: why they are aliases.
 *
 * Where aliases are pointers to one place, `%answer alias L ~L`, these are the targets that rows of
 * L have in common, and the object of one is what it lies in:
 *
 *     L(p,l)  L(q,l)      l -in-> &x <-alloc- x
 *
 * Otherwise an object that both point to has an address, &x, which may be an alias of both. Two
 * pointers into one object need not hold one address, so that is looked up for each:
 *
 *     PT(p,x)  PT(q,x)    x -alloc-> &x      V(p,&x)  V(q,&x)
 *                         or both at one member of x (member.c)
 *
 * A name stands for copies of a pointer. Two of them are aliases when one of the first and one of
 * the second hold the same, so rows of all copies are read together.
 * O(targets of both * log, and copies).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/answer/member.h"
#include "cli/explain/explain.h"

typedef struct search {
    const cflr_result *result;
    const cflr_graph *graph;
    const place_set *of[2];
    uint32_t places, alias,
        points_to; /* labels; `places` is CFLR_NO_LABEL or what answers meet in */
    members members[2];
} search;

static const char *name_of(const search *s, uint32_t label) {
    cflr_result_label info;
    cflr_result_get_label(s->result, label, &info);
    return info.name;
}

/* The first copies that have a pair with the target; false: there are none. */
static bool take_pairs(const search *s, uint32_t label, uint32_t target, common_place *made) {
    made->symbol = name_of(s, label);
    made->target = target;
    for (int k = 0; k < 2; k++) {
        size_t i = 0;
        while (i < s->of[k]->n && !cflr_result_has(s->result, label, s->of[k]->vertex[i], target))
            i++;
        if (i == s->of[k]->n) return false;
        made->pointer[k] = s->of[k]->vertex[i];
    }
    return true;
}

static uint32_t object_around(const search *s, uint32_t place) {
    uint32_t address = first_edge(s->graph, "in", NULL, CFLR_OUT, place);
    return address == CFLR_NO_VERTEX ? address
                                     : first_edge(s->graph, "alloc", NULL, CFLR_IN, address);
}

static bool at_one_member(const search *s, uint32_t object) {
    char text[2][MEMBER_SIZE];
    return members_one(&s->members[0], object, text[0]) &&
           members_one(&s->members[1], object, text[1]) && strcmp(text[0], text[1]) == 0;
}

/* Of a target that both have, a place or an object: false where they do not meet in it. */
static bool look_at_target(const search *s, uint32_t target, common_place *made) {
    if (s->places != CFLR_NO_LABEL) {
        made->object = object_around(s, target);
        return made->object != CFLR_NO_VERTEX && take_pairs(s, s->places, target, made);
    }
    uint32_t address = first_edge(s->graph, "alloc", NULL, CFLR_OUT, target);
    made->object = target;
    if (address != CFLR_NO_VERTEX && take_pairs(s, s->alias, address, made)) return true;
    return at_one_member(s, target) && take_pairs(s, s->points_to, target, made);
}

static int compare_places(const void *x, const void *y) {
    const common_place *a = x, *b = y;
    if (a->object != b->object) return a->object < b->object ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

/* Where two ascending lists meet. */
static int keep_common(const search *s, const cflr_vertex_list target[2], common_places *found) {
    size_t i = 0, k = 0;
    found->at = calloc(target[0].count + 1, sizeof *found->at);
    if (!found->at) return fail_memory();
    while (i < target[0].count && k < target[1].count) {
        uint32_t a = target[0].vertices[i], b = target[1].vertices[k];
        if (a == b && look_at_target(s, a, &found->at[found->n])) found->n++;
        i += a <= b;
        k += b <= a;
    }
    if (found->n) qsort(found->at, found->n, sizeof *found->at, compare_places);
    return 0;
}

static int list_objects(const search *s, common_places *found) {
    found->object = calloc(found->n + 1, sizeof *found->object);
    if (!found->object) return fail_memory();
    for (size_t i = 0; i < found->n; i++)
        if (i == 0 || found->at[i].object != found->at[i - 1].object)
            found->object[found->n_objects++] = found->at[i].object;
    return keep_things(s->graph, found->object, &found->n_objects);
}

static int find_targets(const search *s, uint32_t label, common_places *found) {
    cflr_vertex_list target[2] = {{0}, {0}};
    cflr_error error;
    int code = 0;
    for (int k = 0; k < 2 && !code; k++)
        if (cflr_result_targets(s->result, label, s->of[k]->vertex, s->of[k]->n, &target[k],
                                &error) != CFLR_OK)
            code = fail(&error);
    if (!code) code = keep_common(s, target, found);
    if (!code) code = list_objects(s, found);
    for (int k = 0; k < 2; k++) cflr_vertex_list_free(session(), &target[k]);
    return code;
}

int common_find(const cflr_result *result, const place_set *p, const place_set *q,
                common_places *found) {
    cflr_result_label info;
    search s = {.result = result,
                .graph = cflr_result_graph(result),
                .of = {p, q},
                .places = CFLR_NO_LABEL,
                .alias = answering_label(result, "alias"),
                .points_to = answering_label(result, "points-to")};
    int code = 0;
    *found = (common_places){0};
    if (s.alias == CFLR_NO_LABEL) return 0;
    cflr_result_get_label(result, s.alias, &info);
    if (info.kind == CFLR_SYMBOL_MEETING) s.places = info.meets;
    uint32_t label = info.kind == CFLR_SYMBOL_MEETING ? s.places : s.points_to;
    if (label == CFLR_NO_LABEL) return 0;
    for (int k = 0; k < 2 && !code; k++)
        code = members_find(result, s.of[k]->vertex, s.of[k]->n, &s.members[k]);
    if (!code) code = find_targets(&s, label, found);
    for (int k = 0; k < 2; k++) members_free(&s.members[k]);
    return code;
}

void common_free(common_places *found) {
    free(found->at);
    free(found->object);
    *found = (common_places){0};
}
