/* SPDX-License-Identifier: Apache-2.0
 *
 * verdict.c: what a result says about a check in the source (docs/checks.md).
 *
 *     a.c:9:5: FAILED: no-alias p, q->next: may alias (both may point to x at a.c:3:5)
 *
 * The analysis is one of what may be. So `may-alias` and `must-alias` pass when the pointers may alias: that
 * they always do, no analysis of this kind can prove, but that they never do would be a contradiction.
 * With contexts a pair aliases when it does in one of the copies of its function. What may alias in an
 * incomplete result does; what does not is not known. Where the value of one is not followed it is not known
 * either, and no check of kind `no-alias` passes.
 */
#include "cli/verdict.h"
#include "cli/lost.h"
#include "cli/outside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding out ---- */

/* `list` keeps what `other` has, too. Both ascend. */
static void intersect(cflr_vertex_list *list, const cflr_vertex_list *other) {
    size_t kept = 0, k = 0;
    for (size_t i = 0; i < list->count; i++) {
        while (k < other->count && other->vertices[k] < list->vertices[i]) k++;
        bool both = k < other->count && other->vertices[k] == list->vertices[i];
        if (both) list->vertices[kept++] = list->vertices[i];
    }
    list->count = kept;
}

/* The i-th pair aliases: what do both point to? */
static cflr_status add_alias(const cflr_result *result, uint32_t points_to, size_t i, verdict *v,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_vertex_list shared = {0}, other = {0};
    const uint32_t *const *vertex = v->check->vertex;
    bool first = v->n_alias++ == 0;
    if (first) v->first = i;
    if (points_to == CFLR_NO_LABEL) return CFLR_OK;
    st = cflr_result_targets(result, points_to, &vertex[0][i], 1, &shared, error);
    if (st == CFLR_OK) st = cflr_result_targets(result, points_to, &vertex[1][i], 1, &other, error);
    uint32_t outside = cflr_graph_outside(cflr_result_graph(result)); /* no single object */
    bool one_each = shared.count == 1 && other.count == 1 && shared.vertices[0] != outside;
    intersect(&shared, &other);
    v->single_object = (first || v->single_object) && one_each && shared.count == 1;
    cflr_vertex_list_free(session(), &other);
    if (first)
        v->common = shared;
    else
        cflr_vertex_list_free(session(), &shared);
    return st;
}

static cflr_status find(const cflr_result *result, verdict *v, cflr_error *error) {
    const cflr_check *c = v->check;
    uint32_t alias = answering_label(result, "alias");
    uint32_t points_to = answering_label(result, "points-to");
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < c->n && alias != CFLR_NO_LABEL && st == CFLR_OK; i++) {
        cflr_through through = cflr_result_alias(result, c->vertex[0][i], c->vertex[1][i]);
        if (through == CFLR_THROUGH_NOTHING) continue;
        if (v->n_alias == 0 || through < v->through) v->through = through;
        st = add_alias(result, points_to, i, v, error);
    }
    v->knows_objects = cflr_result_answer(result, "points-to")[0] != '\0';
    for (int k = 0; k < 2 && points_to != CFLR_NO_LABEL && st == CFLR_OK; k++)
        st = cflr_result_targets(result, points_to, c->vertex[k], c->n, &v->points_to[k], error);
    return st;
}

/* The first value that is not followed and that one of the two may be. */
static uint32_t lost_of(const cflr_result *result, const cflr_check *check) {
    uint32_t lost = CFLR_NO_VERTEX;
    for (int k = 0; k < 2 && lost == CFLR_NO_VERTEX; k++)
        lost = lost_among(result, check->vertex[k], check->n);
    return lost;
}

static verdict_found what_was_found(const verdict *v, bool complete) {
    if (v->check->problem[0]) return FOUND_PROBLEM;
    if (v->n_alias > 0) return v->through == CFLR_THROUGH_LOST ? FOUND_LOST : FOUND_ALIAS;
    return complete ? FOUND_NO_ALIAS : FOUND_NOTHING;
}

static void judge(bool complete, verdict *v) {
    bool no_alias = v->check->kind == CFLR_CHECK_NO_ALIAS;
    v->found = what_was_found(v, complete);
    v->passed =
        no_alias ? v->found == FOUND_NO_ALIAS : v->found == FOUND_ALIAS || v->found == FOUND_LOST;
    v->single_object &= complete;
}

static assumption rests_on(const cflr_result *result, const cflr_check *check,
                           apart_classes *apart) {
    if (apart_are(apart, check->vertex[0], check->n, check->vertex[1], check->n))
        return (assumption){0};
    return assumption_of(cflr_result_graph(result));
}

int verdict_make(const cflr_result *result, const cflr_check *check, apart_classes *apart,
                 verdict *v) {
    cflr_error error;
    *v = (verdict){.check = check};
    cflr_status st = find(result, v, &error);
    judge(cflr_result_complete(result), v);
    if (v->found == FOUND_NO_ALIAS) v->rests_on = rests_on(result, check, apart);
    if (v->found == FOUND_LOST) v->lost = lost_of(result, check);
    for (int k = 0; k < 2 && st == CFLR_OK; k++)
        if (!members_find(result, check->vertex[k], check->n, &v->members[k]))
            return cflr_status_exit_code(CFLR_NO_MEMORY);
    return st == CFLR_OK ? 0 : fail(&error);
}

void verdict_free(verdict *v) {
    for (int k = 0; k < 2; k++) {
        cflr_vertex_list_free(session(), &v->points_to[k]);
        members_free(&v->members[k]);
    }
    cflr_vertex_list_free(session(), &v->common);
}

/* ---- telling ---- */

static const char *const kind_words[] = {"may-alias", "must-alias", "no-alias"};

/* Where the copy lies in which they alias first; "" without contexts. */
static const char *context_of(const verdict *v, const cflr_graph *graph, size_t i) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, v->check->vertex[0][i], &info);
    return info.context;
}

/* "e", or of one member "e.n". */
static void print_object(FILE *file, const cflr_graph *graph, const members *m, uint32_t vertex) {
    char member[MEMBER_SIZE];
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    if (info.kind == CFLR_VERTEX_OUTSIDE) {
        fputs("memory outside", file);
        return;
    }
    if (info.kind != CFLR_VERTEX_VARIABLE) fprintf(file, "%s ", cflr_vertex_kind_name(info.kind));
    fputs(info.name, file);
    if (members_one(m, vertex, member)) fprintf(file, "%s%s", member[0] == '[' ? "" : ".", member);
    if (!info.file[0]) return;
    fprintf(file, " at %s:%" PRIu32 ":%" PRIu32, short_path(info.file), info.line, info.column);
}

static void print_objects(FILE *file, const cflr_graph *graph, const members *m,
                          const cflr_vertex_list *objects) {
    enum { MOST = 3 };
    if (objects->count == 0) fputs("nothing known", file);
    for (size_t i = 0; i < objects->count && i < MOST; i++) {
        if (i > 0) fputs(", ", file);
        print_object(file, graph, m, objects->vertices[i]);
    }
    if (objects->count > MOST) fprintf(file, " and %zu more", objects->count - MOST);
}

static void print_why_alias(const verdict *v, const cflr_graph *graph, FILE *file) {
    const char *context = context_of(v, graph, v->first);
    if (context[0]) fprintf(file, " in context %s", shown(context));
    fputs(through_condition(v->through), file);
    if (!v->knows_objects) return;
    if (v->common.count == 0 && v->through != CFLR_THROUGH_PROGRAM) return;
    if (v->common.count == 0) {
        fputs(" (one value flows to both, and no object is known that it points to)", file);
        return;
    }
    fputs(v->single_object ? " (both point to " : " (both may point to ", file);
    print_objects(file, graph, &v->members[0], &v->common);
    fputs(v->single_object ? " only)" : ")", file);
}

static void print_why_not(const verdict *v, const cflr_graph *graph, FILE *file) {
    if (!v->knows_objects) return;
    for (int k = 0; k < 2; k++) {
        fprintf(file, "%s%s may point to ", k ? "; " : " (", shown(v->check->expression[k]));
        print_objects(file, graph, &v->members[k], &v->points_to[k]);
    }
    fputc(')', file);
}

static const char *verdict_word(const verdict *v) {
    if (v->found == FOUND_NOTHING || v->found == FOUND_LOST) return "unknown";
    return v->passed ? "ok" : "FAILED";
}

static void print_found(const verdict *v, const cflr_graph *graph, FILE *file) {
    switch (v->found) {
        case FOUND_ALIAS:
            fputs("may alias", file);
            print_why_alias(v, graph, file);
            break;
        case FOUND_NO_ALIAS:
            fprintf(file, "no alias%s", assumption_condition(v->rests_on));
            if (!v->passed) print_why_not(v, graph, file);
            break;
        case FOUND_PROBLEM:
            fprintf(file, "cannot be asked: %s", shown(v->check->problem));
            break;
        case FOUND_NOTHING:
            fputs("stopped early", file);
            break;
        case FOUND_LOST:
            print_lost(file, graph, v->lost);
            break;
    }
}

void verdict_print(const verdict *v, const cflr_graph *graph, FILE *file) {
    const cflr_check *c = v->check;
    fprintf(file, "%s:%" PRIu32 ":%" PRIu32 ": %s: %s ", shown(short_path(c->file)), c->line,
            c->column, verdict_word(v), kind_words[c->kind]);
    if (c->expression[1][0])
        fprintf(file, "%s, %s: ", shown(c->expression[0]), shown(c->expression[1]));
    else
        fprintf(file, "%s(%s): ", shown(c->callee), shown(c->expression[0]));
    print_found(v, graph, file);
    fputc('\n', file);
}

/* ---- as JSON ---- */

static json_t *objects_json(const cflr_graph *graph, const members *m,
                            const cflr_vertex_list *objects) {
    char member[MEMBER_SIZE];
    json_t *list = json_array();
    for (size_t i = 0; i < objects->count; i++) {
        json_t *object = vertex_json(graph, objects->vertices[i]);
        if (members_one(m, objects->vertices[i], member)) json_set_text(object, "member", member);
        json_array_append_new(list, object);
    }
    return list;
}

static void put_objects(const verdict *v, const cflr_graph *graph, json_t *object) {
    json_t *points_to = json_array();
    for (int k = 0; k < 2; k++)
        json_array_append_new(points_to, objects_json(graph, &v->members[k], &v->points_to[k]));
    json_set(object, "single_object", json_boolean(v->single_object));
    json_set(object, "common", objects_json(graph, &v->members[0], &v->common));
    json_set(object, "points_to", points_to);
}

json_t *verdict_json(const verdict *v, const cflr_graph *graph) {
    const cflr_check *c = v->check;
    json_t *object = json_object();
    json_set_text(object, "file", c->file);
    json_set_count(object, "line", c->line);
    json_set_count(object, "column", c->column);
    json_set_text(object, "function", c->function);
    json_set_text(object, "callee", c->callee);
    json_set_text(object, "expected", kind_words[c->kind]);
    json_set_text(object, "first", c->expression[0]);
    json_set_text(object, "second", c->expression[1]);
    json_set(object, "passed", json_boolean(v->passed));
    if (v->found == FOUND_ALIAS || v->found == FOUND_NO_ALIAS)
        json_set_text(object, "found", v->found == FOUND_ALIAS ? "may" : "no");
    else
        json_set(object, "found", json_null());
    if (assumption_condition(v->rests_on)[0])
        json_set(object, "assumes", assumption_json(v->rests_on));
    if (v->found == FOUND_LOST) json_set(object, "lost", vertex_json(graph, v->lost));
    if (c->problem[0]) json_set_text(object, "problem", c->problem);
    bool open = cflr_graph_outside(graph) != CFLR_NO_VERTEX;
    if (v->n_alias > 0 && (open || v->through != CFLR_THROUGH_PROGRAM))
        json_set_text(object, "through", through_word(v->through));
    json_set_count(object, "contexts", c->n);
    json_set_count(object, "contexts_with_alias", v->n_alias);
    if (v->n_alias > 0 && context_of(v, graph, v->first)[0])
        json_set_text(object, "context", context_of(v, graph, v->first));
    if (v->knows_objects) put_objects(v, graph, object);
    return object;
}
