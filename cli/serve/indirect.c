/* SPDX-License-Identifier: Apache-2.0
 *
 * indirect.c: where calls through pointers go, and what holds the same address.
 *
 *     definition        of a call through a pointer: the functions that it may enter; of all else
 *                       null, so that the answer of another server (clangd) stands alone
 *     implementation    the same, and of any other pointer the functions that it may point to
 *     call hierarchy    the edges of `cflr callgraph`
 *     cflr.aliases      a command, not references: those are uses of a name, as another server has
 *                       them
 *
 * An item of the hierarchy carries the place of its function as the result has it; so it is found
 * again in a newer result if the function is where it was.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/assumption.h"
#include "cli/answer/loading.h"
#include "cli/answer/lost.h"
#include "cli/serve/server.h"

/* ---- functions that are entered ---- */

static const refusal unreadable = {RPC_FAILED, "the result cannot be read: see the log"};

typedef struct function_set {
    uint32_t *at; /* vertices */
    size_t n, capacity;
} function_set;

static bool add_function(void *user, uint32_t vertex) {
    function_set *f = user;
    for (size_t i = 0; i < f->n; i++)
        if (f->at[i] == vertex) return true;
    if (!make_room(&f->at, &f->capacity, f->n, sizeof *f->at)) exit(fail_memory());
    f->at[f->n++] = vertex;
    return true;
}

/* The functions among what the vertices may point to. 0, or the exit code after a message. */
static int add_pointed(const program *p, const place_set *values, function_set *f) {
    cflr_vertex_list list;
    cflr_error error;
    uint32_t label = answering_label(p->result, "points-to");
    if (cflr_result_targets(p->result, label, values->vertex, values->n, &list, &error) != CFLR_OK)
        return fail(&error);
    for (size_t i = 0; i < list.count; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p->graph, list.vertices[i], &info);
        if (info.kind == CFLR_VERTEX_FUNCTION) add_function(f, list.vertices[i]);
    }
    cflr_vertex_list_free(session(), &list);
    return 0;
}

/* `calls`: only those that a call enters. */
static int find_functions(program *p, const asked_place *asked, bool calls, function_set *f) {
    place_set found;
    uint32_t call;
    int code = program_find(p, &asked->place, asked->name, &found);
    if (!code && found.n && program_call(p, &asked->place, &found, &call)) {
        entering e;
        entering_begin(&e, p->result);
        entering_look_up(&e, call, add_function, f);
    } else if (!code && found.n && !calls) {
        code = add_pointed(p, &found, f);
    }
    free(found.vertex);
    return code;
}

static json_t *functions_of(server *s, const json_t *parameters, bool calls, refusal *r) {
    asked_place asked;
    function_set f = {0};
    json_t *list = NULL;
    if (!read_asked_place(s, parameters, &asked, r) || asked.changed || !s->program) return NULL;
    if (find_functions(s->program, &asked, calls, &f)) *r = unreadable;
    for (size_t i = 0; i < f.n; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(s->program->graph, f.at[i], &info);
        if (!info.file[0]) continue;
        if (!list) list = json_array();
        json_array_append_new(list,
                              location_of(s, info.file, info.line, info.column, strlen(info.name)));
    }
    free(f.at);
    return list;
}

json_t *answer_definition(server *s, const json_t *parameters, refusal *r) {
    return functions_of(s, parameters, true, r);
}

json_t *answer_implementation(server *s, const json_t *parameters, refusal *r) {
    return functions_of(s, parameters, false, r);
}

/* ---- items of the call hierarchy ---- */

/* Has the result calls? It is then ready. 0, or the exit code after a message. */
static int make_calls(program *p) {
    return cflr_graph_functions(p->graph) ? program_make_calls(p) : 0;
}

static json_t *item_at(const char *name, const char *detail, json_t *location, json_t *data) {
    enum { KIND_FUNCTION = 12 };
    json_t *item = json_object(), *range = json_object_get(location, "range");
    json_set_text(item, "name", name);
    json_set_count(item, "kind", KIND_FUNCTION);
    if (detail) json_set_text(item, "detail", detail);
    json_set(item, "uri", json_incref(json_object_get(location, "uri")));
    json_set(item, "range", json_incref(range));
    json_set(item, "selectionRange", json_incref(range));
    if (data) json_set(item, "data", data);
    json_decref(location);
    return item;
}

/* NULL: it has no place. */
static json_t *item_of(server *s, uint32_t function) {
    cflr_function_info info;
    cflr_graph_function(s->program->graph, function, &info);
    if (!info.file[0]) return NULL;
    json_t *data = json_object();
    json_set_place(data, info.file, info.line, info.column);
    json_set_text(data, "name", info.name);
    const char *detail = info.body == CFLR_BODY_HERE      ? NULL
                         : info.body == CFLR_BODY_SUMMARY ? "by its summary"
                                                          : "without model";
    return item_at(info.name, detail,
                   location_of(s, info.file, info.line, info.column, strlen(info.name)), data);
}

/* The function of an item; 0: the result has it no more. */
static uint32_t function_of(const program *p, const json_t *parameters) {
    const json_t *data = json_object_get(json_object_get(parameters, "item"), "data");
    const char *file = json_string_value(json_object_get(data, "file"));
    const char *name = json_string_value(json_object_get(data, "name"));
    json_int_t line = json_integer_value(json_object_get(data, "line"));
    for (uint32_t i = 1; file && name && i < cflr_graph_functions(p->graph); i++) {
        cflr_function_info info;
        cflr_graph_function(p->graph, i, &info);
        if (info.line == line && !strcmp(info.name, name) && !strcmp(info.file, file)) return i;
    }
    return 0;
}

static void add_item(server *s, json_t *list, uint32_t function) {
    json_t *item = function ? item_of(s, function) : NULL;
    if (item) json_array_append_new(list, item);
}

/* Functions are numbered by their own vertices: number + 1, 0 is none. */
static void add_entered(server *s, const function_set *f, json_t *list) {
    for (size_t i = 0; i < f->n; i++) {
        uint32_t number = s->program->calls.function[f->at[i]];
        if (number) add_item(s, list, number - 1);
    }
}

json_t *answer_prepare_calls(server *s, const json_t *parameters, refusal *r) {
    asked_place asked;
    function_set f = {0};
    if (!read_asked_place(s, parameters, &asked, r) || asked.changed || !s->program) return NULL;
    program *p = s->program;
    if (!cflr_graph_functions(p->graph)) return NULL;
    json_t *list = json_array();
    uint32_t named = program_function(p, &asked.place);
    if (!named) named = program_called(p, &asked.place);
    add_item(s, list, named);
    if (!named && (make_calls(p) || find_functions(p, &asked, true, &f))) *r = unreadable;
    if (!named && !r->code) add_entered(s, &f, list);
    free(f.at);
    if (json_array_size(list) > 0) return list;
    json_decref(list);
    return NULL;
}

/* ---- edges ---- */

/* Code around the program, and what a call may enter besides, have no place of their own: they are
 * shown at the other end. */
static json_t *placeless_item(server *s, const char *name, const char *detail, const char *file,
                              uint32_t line, uint32_t column) {
    return item_at(name, detail, location_of(s, file, line, column, 0), NULL);
}

static json_t *end_of_edge(server *s, uint32_t function, uint32_t other) {
    cflr_function_info info;
    json_t *item = function ? item_of(s, function) : NULL;
    if (item) return item;
    cflr_graph_function(s->program->graph, other, &info);
    if (!info.file[0]) return NULL;
    callgraph_function(&s->program->calls, function, &info);
    const char *name = info.name;
    cflr_graph_function(s->program->graph, other, &info);
    return placeless_item(s, name, function ? NULL : "code that is not in the program", info.file,
                          info.line, info.column);
}

/* Where the call is: the name of what is called, or its beginning. */
static json_t *range_of_call(server *s, const cflr_call_info *call) {
    return range_of(s, program_real(s->program, call->file), call->line, call->column, 0);
}

/* The edges that lead to one end, which come together, are one call of the protocol. */
typedef struct gathered {
    server *s;
    json_t *list;
    const char *key; /* "from" or "to" */
    json_t *ranges;  /* of the last one */
    uint32_t end, of;
} gathered;

static void gather(gathered *g, uint32_t end, const call_edge *e) {
    cflr_call_info call;
    if (!g->ranges || end != g->end) {
        json_t *item = end_of_edge(g->s, end, g->of), *object = json_object();
        g->ranges = json_array();
        g->end = end;
        if (item) json_set(object, g->key, item);
        json_set(object, "fromRanges", g->ranges);
        if (item) json_array_append(g->list, object);
        if (!item) g->ranges = NULL;
        json_decref(object);
    }
    cflr_graph_call(g->s->program->graph, e->call, &call);
    if (g->ranges && call.line) json_array_append_new(g->ranges, range_of_call(g->s, &call));
}

static void add_incoming(gathered *g, const program *p) {
    const callgraph *c = &p->calls;
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t half = low + (high - low) / 2;
        if (c->edge[p->by_callee[half]].callee < g->of)
            low = half + 1;
        else
            high = half;
    }
    for (; low < c->n && c->edge[p->by_callee[low]].callee == g->of; low++)
        gather(g, c->edge[p->by_callee[low]].caller, &c->edge[p->by_callee[low]]);
}

static void add_unresolved(gathered *g, const callgraph *c, const unresolved_call *u) {
    cflr_call_info call;
    char *text = NULL;
    size_t size;
    cflr_graph_call(c->graph, u->call, &call);
    FILE *file = call.caller == g->of ? open_memstream(&text, &size) : NULL;
    if (!file) return;
    fprintf(file, "through %s: ", shown(call.expression));
    unresolved_print_cause(u->cause, u->object, c->graph, file);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    json_t *object = json_object(), *ranges = json_array();
    json_array_append_new(ranges, range_of_call(g->s, &call));
    json_set(object, "to", placeless_item(g->s, "?", text, call.file, call.line, call.column));
    json_set(object, "fromRanges", ranges);
    json_array_append_new(g->list, object);
    free(text);
}

/* Edges are sorted by the ranks of callers. */
static void add_outgoing(gathered *g, const program *p) {
    const callgraph *c = &p->calls;
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t half = low + (high - low) / 2;
        if (c->rank[c->edge[half].caller] < c->rank[g->of])
            low = half + 1;
        else
            high = half;
    }
    for (; low < c->n && c->edge[low].caller == g->of; low++)
        gather(g, c->edge[low].callee, &c->edge[low]);
    for (size_t i = 0; i < c->unresolved.n; i++) add_unresolved(g, c, &c->unresolved.at[i]);
}

static json_t *answer_calls(server *s, const json_t *parameters, const char *key, refusal *r) {
    if (!json_is_object(json_object_get(parameters, "item"))) {
        *r = (refusal){RPC_NO_PARAMETERS, "no item"};
        return NULL;
    }
    uint32_t function = s->program ? function_of(s->program, parameters) : 0;
    if (!function) return NULL;
    if (make_calls(s->program)) {
        *r = unreadable;
        return NULL;
    }
    gathered g = {.s = s, .list = json_array(), .key = key, .of = function};
    if (strcmp(key, "from") == 0)
        add_incoming(&g, s->program);
    else
        add_outgoing(&g, s->program);
    return g.list;
}

json_t *answer_incoming_calls(server *s, const json_t *parameters, refusal *r) {
    return answer_calls(s, parameters, "from", r);
}

json_t *answer_outgoing_calls(server *s, const json_t *parameters, refusal *r) {
    return answer_calls(s, parameters, "to", r);
}

/* ---- aliases ---- */

typedef struct alias_list {
    server *s;
    json_t *answer;
} alias_list;

/* A list_told: `user` is the alias_list. */
static int tell_aliases(asking *a, const listing *l, const cflr_vertex_list *list) {
    enum { MOST = 1000 };
    alias_list *to = a->user;
    json_t *places = json_array();
    for (size_t i = 0; i < list->count && json_array_size(places) < MOST; i++) {
        cflr_vertex_info info;
        char *text = NULL;
        size_t size;
        cflr_graph_vertex(a->graph, list->vertices[i], &info);
        FILE *file = info.file[0] ? open_memstream(&text, &size) : NULL;
        if (!file) continue;
        print_vertex(file, a->graph, list->vertices[i]);
        print_particulars(a, l, list->vertices[i], file);
        if (fclose(file) != 0 || !text) exit(fail_memory());
        json_t *place = location_of(to->s, info.file, info.line, info.column, 0);
        json_set_text(place, "text", text);
        json_array_append_new(places, place);
        free(text);
    }
    uint32_t lost = lost_among(a->result, l->of->vertex, l->of->n);
    json_set_count(to->answer, "count", list->count);
    json_set(to->answer, "places", places);
    json_set(to->answer, "complete",
             json_boolean(lost == CFLR_NO_VERTEX && cflr_result_complete(a->result)));
    json_set(to->answer, "assumes", assumption_json(list_rests_on(a, l, list)));
    return 0;
}

/* `parameters` are those of a request at a position. */
json_t *answer_aliases(server *s, const json_t *parameters, refusal *r) {
    asked_place asked;
    place_set found = {0};
    if (!read_asked_place(s, parameters, &asked, r) || asked.changed || !s->program) return NULL;
    alias_list to = {s, json_object()};
    asking *a = &s->program->asking;
    int code = program_find(s->program, &asked.place, asked.name, &found);
    const pointers of = {found, {0}};
    a->tell = tell_aliases;
    a->user = &to;
    if (!code && found.n) code = ask_list(a, "", "alias", &of);
    if (code) *r = unreadable;
    free(found.vertex);
    if (!code && json_object_size(to.answer) > 0) return to.answer;
    json_decref(to.answer);
    return NULL;
}
