/* SPDX-License-Identifier: Apache-2.0
 *
 * verdict.c: verdicts on checks in the source, told to people and as JSON
 * (docs/reference/checks.md).
 *
 *     a.c:9:5: FAILED: no-alias p, q->next: may alias (both may point to x at a.c:3:5)
 */
#include "cli/analyze/verdict.h"

#include <string.h>

#include "cli/alerts/gate.h"
#include "cli/alerts/suppressions.h"
#include "cli/answer/assumption.h"
#include "cli/answer/lost.h"
#include "cli/answer/outside.h"
#include "cli/names/names.h"

int verdict_make(const cflr_result *result, const cflr_check *check, cflr_apart *apart,
                 verdict *v) {
    cflr_error error;
    *v = (verdict){.check = check};
    if (cflr_verdict_make(result, check, apart, &v->says, &error) != CFLR_OK) return fail(&error);
    int code = members_find(result, check->vertex[0], check->n, &v->members[0]);
    return code ? code : members_find(result, check->vertex[1], check->n, &v->members[1]);
}

void verdict_free(verdict *v) {
    for (int k = 0; k < 2; k++) members_free(&v->members[k]);
    cflr_verdict_free(session(), &v->says);
}

/* ---- telling ---- */

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
    fputs(" at ", file);
    print_place(file, info.file, info.line, info.column);
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
    const char *context = context_of(v, graph, v->says.first);
    if (context[0]) fprintf(file, " in context %s", shown(context));
    fputs(through_condition(v->says.through), file);
    if (!v->says.knows_objects) return;
    if (v->says.common.count == 0 && v->says.through != CFLR_THROUGH_PROGRAM) return;
    if (v->says.common.count == 0) {
        fputs(" (one value flows to both, and no object is known that it points to)", file);
        return;
    }
    fputs(v->says.single_object ? " (both point to " : " (both may point to ", file);
    print_objects(file, graph, &v->members[0], &v->says.common);
    fputs(v->says.single_object ? " only)" : ")", file);
}

static void print_why_not(const verdict *v, const cflr_graph *graph, FILE *file) {
    if (!v->says.knows_objects) return;
    for (int k = 0; k < 2; k++) {
        fprintf(file, "%s%s may point to ", k ? "; " : " (", shown(v->check->expression[k]));
        print_objects(file, graph, &v->members[k], &v->says.points_to[k]);
    }
    fputc(')', file);
}

bool verdict_unknown(const verdict *v) {
    return v->says.found == CFLR_FOUND_NOTHING || v->says.found == CFLR_FOUND_LOST;
}

static const char *verdict_word(const verdict *v) {
    if (verdict_unknown(v)) return "unknown";
    return v->says.passed ? "ok" : "FAILED";
}

static void print_found(const verdict *v, const cflr_graph *graph, FILE *file) {
    switch (v->says.found) {
        case CFLR_FOUND_ALIAS:
            fputs("may alias", file);
            print_why_alias(v, graph, file);
            break;
        case CFLR_FOUND_NO_ALIAS:
            fprintf(file, "no alias%s", assumption_condition(v->says.rests_on));
            if (!v->says.passed) print_why_not(v, graph, file);
            break;
        case CFLR_FOUND_PROBLEM:
            fprintf(file, "cannot be asked: %s", shown(v->check->problem));
            break;
        case CFLR_FOUND_NOTHING:
            fputs("stopped early", file);
            break;
        case CFLR_FOUND_LOST:
            print_lost(file, graph, v->says.lost);
            break;
    }
}

static void print_verdict(const verdict *v, const cflr_graph *graph, FILE *file) {
    const cflr_check *c = v->check;
    fprintf(file, "%s ", check_kind_name(c->kind));
    if (c->expression[1][0])
        fprintf(file, "%s, %s: ", shown(c->expression[0]), shown(c->expression[1]));
    else
        fprintf(file, "%s(%s): ", shown(c->callee), shown(c->expression[0]));
    print_found(v, graph, file);
}

char *verdict_text(const verdict *v, const cflr_graph *graph) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) return NULL;
    print_verdict(v, graph, file);
    return fclose(file) == 0 ? text : NULL;
}

static void verdict_print(FILE *file, const void *of, const void *row) {
    const verdict *v = row;
    print_place(file, v->check->file, v->check->line, v->check->column);
    fprintf(file, ": %s: ", verdict_word(v));
    print_verdict(v, of, file);
    if (v->alert && v->alert->suppressed)
        fprintf(file, " (suppressed: %s)", shown(v->alert->suppressed->reason));
    else if (v->alert && v->alert->known)
        fputs(" (known)", file);
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
        json_array_append_new(points_to,
                              objects_json(graph, &v->members[k], &v->says.points_to[k]));
    json_set(object, "single_object", json_boolean(v->says.single_object));
    json_set(object, "common", objects_json(graph, &v->members[0], &v->says.common));
    json_set(object, "points_to", points_to);
}

static json_t *verdict_json(const void *of, const void *row) {
    const cflr_graph *graph = of;
    const verdict *v = row;
    const cflr_check *c = v->check;
    json_t *object = json_object();
    json_set_place(object, c->file, c->line, c->column);
    json_set_text(object, "function", c->function);
    json_set_text(object, "callee", c->callee);
    json_set_text(object, "expected", check_kind_name(c->kind));
    json_set_text(object, "first", c->expression[0]);
    json_set_text(object, "second", c->expression[1]);
    json_set(object, "passed", json_boolean(v->says.passed));
    json_set_text(object, "fingerprint", c->fingerprint);
    if (v->alert) alert_json(v->alert, object);
    if (v->says.found == CFLR_FOUND_ALIAS || v->says.found == CFLR_FOUND_NO_ALIAS)
        json_set_text(object, "found", v->says.found == CFLR_FOUND_ALIAS ? "may" : "no");
    else
        json_set(object, "found", json_null());
    if (assumption_condition(v->says.rests_on)[0])
        json_set(object, "assumes", assumption_json(v->says.rests_on));
    if (v->says.found == CFLR_FOUND_LOST)
        json_set(object, "lost", vertex_json(graph, v->says.lost));
    if (c->problem[0]) json_set_text(object, "problem", c->problem);
    bool open = cflr_graph_outside(graph) != CFLR_NO_VERTEX;
    if (v->says.n_alias > 0 && (open || v->says.through != CFLR_THROUGH_PROGRAM))
        json_set_text(object, "through", through_word(v->says.through));
    json_set_count(object, "contexts", c->n);
    json_set_count(object, "contexts_with_alias", v->says.n_alias);
    if (v->says.n_alias > 0 && context_of(v, graph, v->says.first)[0])
        json_set_text(object, "context", context_of(v, graph, v->says.first));
    if (v->says.knows_objects) put_objects(v, graph, object);
    return object;
}

const row_kind verdict_rows = {"checks", verdict_print, verdict_json};
