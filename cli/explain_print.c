/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_print.c: derivations in steps of the source, as JSON and for Graphviz.
 *
 *     a.c:4:9: the address of x is taken
 *     a.c:9:5: passed to put as v
 *     a.c:4:5: stored in *slot, read through *p
 *         because slot and p may hold one address [1]:
 *         a.c:8:14: the address of cell is taken
 *         ...
 *
 * A path goes from one pointer back to where its value comes from, and on from there to the other
 * one. It is told as values flow: from where it turns to the first pointer, and then to the
 * second. Three steps make one line where memory is between them: from a content to its pointer,
 * from that to another pointer, and to its content. Why both pointers may hold one address is
 * told below, once.
 *
 * The place of a step is the first line in which both values are written, if there is one.
 */
#include "cli/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

typedef struct step_place {
    const char *file;
    uint32_t line, column;
} step_place;

static bool is_declared(const cflr_vertex_info *info) {
    return info->kind == CFLR_VERTEX_VARIABLE || info->kind == CFLR_VERTEX_PARAMETER;
}

/* The only call by name of the function, if there is one. */
static bool find_only_call(const cflr_graph *graph, const char *function, step_place *at) {
    size_t n = 0;
    for (uint32_t i = 0; i < cflr_graph_calls(graph) && n < 2; i++) {
        cflr_call_info call;
        cflr_function_info callee;
        cflr_graph_call(graph, i, &call);
        cflr_graph_function(graph, call.callee, &callee);
        if (!call.callee || strcmp(callee.name, function) != 0) continue;
        *at = (step_place){call.file, call.line, call.column};
        n++;
    }
    return n == 1;
}

/* Where the value goes from one vertex to another. */
static step_place place_between(const cflr_graph *graph, uint32_t from, uint32_t to) {
    cflr_mention at;
    cflr_vertex_info a, b;
    step_place call;
    if (from != to && cflr_graph_common_line(graph, from, to, &at))
        return (step_place){at.file, at.line, at.column};
    cflr_graph_vertex(graph, from, &a);
    cflr_graph_vertex(graph, to, &b);
    if (b.kind == CFLR_VERTEX_PARAMETER && find_only_call(graph, b.function, &call)) return call;
    bool first = (is_declared(&b) && !is_declared(&a) && a.line) || !b.line;
    return first ? (step_place){a.file, a.line, a.column} : (step_place){b.file, b.line, b.column};
}

static void print_step_place(FILE *file, step_place at, int indent) {
    fprintf(file, "%*s", indent, "");
    if (at.line)
        fprintf(file, "%s:%" PRIu32 ":%" PRIu32 ": ", shown(short_path(at.file)), at.line,
                at.column);
}

/* ---- words ---- */

static bool is(const cflr_derivation_step *step, const char *symbol) {
    return strcmp(step->symbol, symbol) == 0;
}

static bool is_edge(const cflr_derivation_step *step) {
    return step->derivation == CFLR_NO_DERIVATION;
}

static const char *behind_and(const char *name) {
    return name + (name[0] == '&');
}

/* The function's summary states it, if the place is in a function of the library. */
static void print_library(FILE *file, const cflr_graph *graph, const cflr_vertex_info *info) {
    for (uint32_t i = 1; i < cflr_graph_functions(graph) && info->function[0]; i++) {
        cflr_function_info f;
        cflr_graph_function(graph, i, &f);
        if (f.body != CFLR_BODY_SUMMARY || strcmp(f.name, info->function) != 0) continue;
        fprintf(file, " (library: the summary of %s says so)", shown(f.name));
        return;
    }
}

static void print_address(FILE *file, const cflr_vertex_info *object) {
    if (object->kind == CFLR_VERTEX_FUNCTION)
        fprintf(file, "the function %s is used as a value", object->name);
    else if (object->kind == CFLR_VERTEX_ALLOCATION)
        fprintf(file, "memory of %s", object->name);
    else if (object->kind == CFLR_VERTEX_STRING)
        fprintf(file, "the string %s", object->name);
    else
        fprintf(file, "the address of %s is taken", object->name);
}

static void print_assignment(FILE *file, const cflr_vertex_info *from, const cflr_vertex_info *to) {
    if (to->kind == CFLR_VERTEX_UNKNOWN)
        fprintf(file, "given to %s, which has no model", to->name);
    else if (to->kind == CFLR_VERTEX_LOST)
        fprintf(file, "not followed from here: %s", to->name);
    else if (from->kind == CFLR_VERTEX_UNKNOWN)
        fprintf(file, "%s, which has no model, gives %s", from->name, to->name);
    else if (from->kind == CFLR_VERTEX_LOST)
        fprintf(file, "a value is not followed: %s", from->name);
    else if (to->kind == CFLR_VERTEX_PARAMETER)
        fprintf(file, "passed to %s as %s", to->function, to->name);
    else if (to->kind == CFLR_VERTEX_RETURN)
        fprintf(file, "returned by %s", to->function);
    else if (from->kind == CFLR_VERTEX_RETURN)
        fprintf(file, "result of %s: %s", from->function, to->name);
    else if (to->kind == CFLR_VERTEX_DEREFERENCE)
        fprintf(file, "stored in %s", to->name);
    else
        fprintf(file, "assigned to %s", to->name);
}

/* An edge, as values flow along it. */
static void print_edge(FILE *file, const cflr_graph *graph, const cflr_derivation_step *step) {
    cflr_vertex_info from, to;
    look_at(graph, step->backwards ? step->to : step->from, &from);
    look_at(graph, step->backwards ? step->from : step->to, &to);
    if (is(step, "a") || is(step, "call") || is(step, "ret") || is(step, "data"))
        print_assignment(file, &from, &to);
    else if (is(step, "nonnull"))
        fprintf(file, "tested: %s", to.name);
    else if (is(step, "alloc"))
        print_address(file, &from);
    else if (is(step, "f"))
        fprintf(file, "its member at byte %s: %s", step->index, to.name);
    else if (is(step, "b"))
        fprintf(file, "what begins %s bytes before it: %s", step->index, to.name);
    else if (is(step, "d"))
        fprintf(file, "what it points to: %s", to.name);
    else if (is(step, "caller"))
        fprintf(file, "code outside gives it to %s", to.name);
    else if (is(step, "unknown"))
        fprintf(file, "%s, which has no model, gives it to %s", shown(step->index), to.name);
    else if (is(step, "escapes"))
        fprintf(file, "code outside is told %s", from.name);
    else
        fprintf(file, "%s%s%s%s: from %s to %s", shown(step->symbol), step->index[0] ? "[" : "",
                shown(step->index), step->index[0] ? "]" : "", from.name, to.name);
    print_library(file, graph, &to);
}

/* ---- tokens ---- */

/* Steps that make one line: one, or three of which the middle one is a pair. */
typedef struct token {
    size_t first;
    size_t n;
    int flow; /* -1, 1: against the path, along it; 0: memory */
} token;

typedef struct telling {
    const explanation *x;
    FILE *file;
    bool *told; /* by derivation */
} telling;

static bool through_memory(const cflr_derivation *d, size_t i) {
    if (i + 2 >= d->n_steps) return false;
    const cflr_derivation_step *s = &d->step[i];
    return is_edge(&s[0]) && !is_edge(&s[1]) && is_edge(&s[2]) && s[0].backwards != s[2].backwards;
}

static size_t cut_tokens(const cflr_derivation *d, token *tokens) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_steps; i += tokens[n++].n) {
        bool memory = through_memory(d, i);
        int flow = !is_edge(&d->step[i]) || memory ? 0 : d->step[i].backwards ? -1 : 1;
        tokens[n] = (token){i, memory ? 3 : 1, flow};
    }
    return n;
}

/* How many tokens lead back to where the value comes from: up to the last one against the path,
 * if none along it is before. */
static size_t find_turn(const token *tokens, size_t n) {
    size_t turn = 0;
    for (size_t i = 0; i < n && tokens[i].flow <= 0; i++)
        if (tokens[i].flow < 0) turn = i + 1;
    for (size_t i = turn; i < n; i++)
        if (tokens[i].flow < 0) return 0;
    return turn;
}

/* ---- lines ---- */

static bool tell(telling *t, size_t number, int indent);

static bool tell_pair(telling *t, const cflr_derivation_step *pair, int indent) {
    cflr_vertex_info a, b;
    cflr_derivation d;
    cflr_explanation(t->x->explainer, pair->derivation, &d);
    if (d.n_steps == 0) return true;
    look_at(t->x->graph, pair->from, &a);
    look_at(t->x->graph, pair->to, &b);
    fprintf(t->file, "%*sbecause %s and %s may hold one address [%" PRIu32 "]%s\n", indent, "",
            a.name, b.name, pair->derivation, t->told[pair->derivation] ? ", see above" : ":");
    return t->told[pair->derivation] || tell(t, pair->derivation, indent);
}

/* Memory, or a member, between two values: `back` when they are told from the end of the path. */
static void print_memory(FILE *file, const cflr_graph *graph, const cflr_derivation_step *s,
                         bool back) {
    cflr_vertex_info from, to;
    look_at(graph, back ? s[2].to : s[0].from, &from);
    look_at(graph, back ? s[0].from : s[2].to, &to);
    if (is(&s[0], "d") && to.kind == CFLR_VERTEX_PARAMETER)
        fprintf(file, "passed to %s as %s, which is called through a pointer", to.function,
                to.name);
    else if (is(&s[0], "d") && from.kind == CFLR_VERTEX_RETURN)
        fprintf(file, "returned by %s to %s, which is called through a pointer", from.function,
                to.name);
    else if (is(&s[0], "d"))
        fprintf(file, "stored in %s, read through %s", from.name, to.name);
    else if (is(&s[0], "f") && is(&s[2], "f"))
        fprintf(file, "%s is %s: through the member at byte %s", to.name, from.name, s[0].index);
    else if (is(&s[0], "s"))
        fprintf(file, "the call and the function have one slot: %s, %s", from.name, to.name);
    else
        fprintf(file, "from %s to %s, forth and back by %s bytes", from.name, to.name, s[0].index);
}

static bool tell_token(telling *t, const cflr_derivation *d, const token *at, bool back,
                       int indent) {
    const cflr_derivation_step *s = &d->step[at->first], *last = s + at->n - 1;
    bool turned = at->n == 1 && is_edge(s) ? s->backwards : back;
    uint32_t from = turned ? last->to : s->from, to = turned ? s->from : last->to;
    print_step_place(t->file, place_between(t->x->graph, from, to), indent);
    if (at->n == 3) {
        print_memory(t->file, t->x->graph, s, back);
    } else if (is_edge(s)) {
        print_edge(t->file, t->x->graph, s);
    } else {
        cflr_vertex_info a, b;
        look_at(t->x->graph, s->from, &a);
        look_at(t->x->graph, s->to, &b);
        fprintf(t->file, "%s(%s, %s)", shown(s->symbol), a.name, b.name);
    }
    fputc('\n', t->file);
    for (size_t i = 0; i < at->n; i++)
        if (!is_edge(&s[i]) && !tell_pair(t, &s[i], indent + 4)) return false;
    return true;
}

/* Where the value comes from; an address is its object's. */
static void tell_origin(telling *t, uint32_t vertex, int indent) {
    cflr_vertex_info info;
    look_at(t->x->graph, vertex, &info);
    if (info.kind == CFLR_VERTEX_FUNCTION || info.kind == CFLR_VERTEX_ALLOCATION ||
        info.kind == CFLR_VERTEX_STRING)
        return; /* the first step tells it */
    print_step_place(t->file, (step_place){info.file, info.line, info.column}, indent);
    if (info.kind == CFLR_VERTEX_ADDRESS && info.name[0] == '&')
        fprintf(t->file, "the address of %s is taken\n", behind_and(info.name));
    else if (info.kind == CFLR_VERTEX_OUTSIDE)
        fputs("code outside\n", t->file);
    else
        fprintf(t->file, "%s\n", info.name);
}

static bool tell_tokens(telling *t, const cflr_derivation *d, const token *tokens, size_t n,
                        int indent) {
    size_t turn = find_turn(tokens, n);
    bool told = true;
    const token *first = turn ? &tokens[turn - 1] : NULL;
    bool address = first && first->n == 1 && is(&d->step[first->first], "alloc");
    uint32_t origin = first ? d->step[first->first + first->n - 1].to : d->source;
    if (!address) tell_origin(t, origin, indent);
    for (size_t i = turn; i-- > 0 && told;) told = tell_token(t, d, &tokens[i], true, indent);
    if (turn > 0 && turn < n) {
        cflr_vertex_info info;
        look_at(t->x->graph, origin, &info);
        fprintf(t->file, "%*sand from %s:\n", indent, "", info.name);
    }
    for (size_t i = turn; i < n && told; i++) told = tell_token(t, d, &tokens[i], false, indent);
    return told;
}

/* Depth: how deep pairs are nested, which the search bounds. */
static bool tell(telling *t, size_t number, int indent) {
    cflr_derivation d;
    cflr_explanation(t->x->explainer, number, &d);
    token *tokens = calloc(d.n_steps + 1, sizeof *tokens);
    if (!tokens) {
        fail_memory();
        return false;
    }
    t->told[number] = true;
    bool told = tell_tokens(t, &d, tokens, cut_tokens(&d, tokens), indent);
    free(tokens);
    return told;
}

bool explanation_print(const explanation *x, FILE *file) {
    telling t = {x, file, calloc(x->n + 1, sizeof *t.told)};
    bool done = t.told != NULL;
    if (!done) fail_memory();
    if (done && x->n > 0) done = tell(&t, 0, 4);
    free(t.told);
    return done;
}

/* ---- JSON ---- */

static json_t *step_json(const explanation *x, const cflr_derivation_step *step) {
    json_t *object = json_object();
    uint32_t from = step->backwards ? step->to : step->from;
    uint32_t to = step->backwards ? step->from : step->to;
    step_place at = place_between(x->graph, from, to);
    json_set_text(object, "symbol", step->symbol);
    if (step->index[0]) json_set_text(object, "index", step->index);
    json_set(object, "backwards", json_boolean(step->backwards));
    if (!is_edge(step)) json_set_count(object, "derivation", step->derivation);
    json_set(object, "from", vertex_json(x->graph, step->from));
    json_set(object, "to", vertex_json(x->graph, step->to));
    if (at.line) {
        json_set_text(object, "file", at.file);
        json_set_count(object, "line", at.line);
        json_set_count(object, "column", at.column);
    }
    return object;
}

json_t *explanation_json(const explanation *x) {
    json_t *list = json_array();
    for (size_t i = 0; i < x->n; i++) {
        cflr_derivation d;
        cflr_explanation(x->explainer, i, &d);
        json_t *object = json_object(), *steps = json_array();
        json_set_text(object, "symbol", d.symbol);
        if (d.index[0]) json_set_text(object, "index", d.index);
        json_set(object, "source", vertex_json(x->graph, d.source));
        json_set(object, "target", vertex_json(x->graph, d.target));
        for (size_t k = 0; k < d.n_steps; k++)
            json_array_append_new(steps, step_json(x, &d.step[k]));
        json_set(object, "steps", steps);
        json_array_append_new(list, object);
    }
    return list;
}

/* ---- Graphviz ---- */

static void print_dot_vertex(FILE *file, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    fprintf(file, "  %" PRIu32 " [label=\"", vertex);
    print_quoted(file, info.name[0] ? info.name : "?");
    if (info.line) {
        fputs("\\n", file);
        print_quoted(file, short_path(info.file));
        fprintf(file, ":%" PRIu32, info.line);
    }
    fputs("\"];\n", file);
}

/* Edges in their own direction; pairs dashed. */
void explanation_dot(const explanation *x, FILE *file) {
    for (size_t i = 0; i < x->n; i++) {
        cflr_derivation d;
        cflr_explanation(x->explainer, i, &d);
        print_dot_vertex(file, x->graph, d.source);
        for (size_t k = 0; k < d.n_steps; k++) {
            const cflr_derivation_step *s = &d.step[k];
            print_dot_vertex(file, x->graph, s->to);
            fprintf(file, "  %" PRIu32 " -> %" PRIu32 " [label=\"", s->backwards ? s->to : s->from,
                    s->backwards ? s->from : s->to);
            print_quoted(file, shown(s->symbol));
            if (s->index[0]) fputc('[', file);
            print_quoted(file, shown(s->index));
            fprintf(file, "%s\"%s];\n", s->index[0] ? "]" : "", is_edge(s) ? "" : ", style=dashed");
        }
    }
}
