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
 * one. It is printed as values flow: from where it turns to the first pointer, and then to the
 * second. Three steps make one line where memory is between them: from a content to its pointer,
 * from that to another pointer, and to its content. Why both pointers may hold one address is
 * printed below, once.
 *
 * Derivations about places in memory have a form of their own (explain_locations.c).
 */
#include "cli/explain/explain_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

/* Steps that make one line: one, or three of which the middle one is a pair. */
typedef struct token {
    size_t first;
    size_t n;
    int flow; /* -1, 1: against the path, along it; 0: memory */
} token;

typedef struct telling {
    const explanation *x;
    told_lines *to;
    bool *told; /* by derivation */
} telling;

static bool through_memory(const cflr_derivation *d, size_t i) {
    if (i + 2 >= d->n_steps) return false;
    const cflr_derivation_step *s = &d->step[i];
    return step_is_edge(&s[0]) && !step_is_edge(&s[1]) && step_is_edge(&s[2]) &&
           s[0].backwards != s[2].backwards;
}

static size_t cut_tokens(const cflr_derivation *d, token *tokens) {
    size_t n = 0;
    for (size_t i = 0; i < d->n_steps; i += tokens[n++].n) {
        bool memory = through_memory(d, i);
        int flow = !step_is_edge(&d->step[i]) || memory ? 0 : d->step[i].backwards ? -1 : 1;
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

/* Each: 0, or the exit code after a message. */
static int tell(telling *t, size_t number, int indent);

static int tell_pair(telling *t, const cflr_derivation_step *pair, int indent) {
    cflr_vertex_info a, b;
    cflr_derivation d;
    cflr_explanation(t->x->explainer, pair->derivation, &d);
    if (d.n_steps == 0) return 0;
    look_at(t->x->graph, pair->from, &a);
    look_at(t->x->graph, pair->to, &b);
    bool again = t->told[pair->derivation], tells = !again && tells_reason(t->to, indent);
    fprintf(t->to->file, "%*sbecause %s and %s may hold one address", indent, "", a.name, b.name);
    if (again || tells)
        fprintf(t->to->file, " [%" PRIu32 "]%s", pair->derivation, tells ? ":" : ", see above");
    end_line(t->to, indent);
    return tells ? tell(t, pair->derivation, indent) : 0;
}

/* Memory, or a member, between two values: `back` when they are printed from the end of the
 * path. */
static void print_memory(FILE *file, const cflr_graph *graph, const cflr_derivation_step *s,
                         bool back) {
    cflr_vertex_info from, to;
    look_at(graph, back ? s[2].to : s[0].from, &from);
    look_at(graph, back ? s[0].from : s[2].to, &to);
    if (step_is(&s[0], "d"))
        print_passage(file, &from, &to);
    else if (step_is(&s[0], "f") && step_is(&s[2], "f"))
        fprintf(file, "%s is %s: through the member at byte %s", to.name, from.name, s[0].index);
    else if (step_is(&s[0], "s"))
        fprintf(file, "the call and the function have one slot: %s, %s", from.name, to.name);
    else
        fprintf(file, "from %s to %s, forth and back by %s bytes", from.name, to.name, s[0].index);
}

static int tell_token(telling *t, const cflr_derivation *d, const token *at, bool back,
                      int indent) {
    const cflr_derivation_step *s = &d->step[at->first], *last = s + at->n - 1;
    bool turned = at->n == 1 && step_is_edge(s) ? s->backwards : back;
    uint32_t from = turned ? last->to : s->from, to = turned ? s->from : last->to;
    print_step_place(t->to->file, place_between(t->x->graph, from, to), indent);
    if (at->n == 3) {
        print_memory(t->to->file, t->x->graph, s, back);
    } else if (step_is_edge(s)) {
        print_edge(t->to->file, t->x->graph, s);
    } else {
        cflr_vertex_info a, b;
        look_at(t->x->graph, s->from, &a);
        look_at(t->x->graph, s->to, &b);
        fprintf(t->to->file, "%s(%s, %s)", shown(s->symbol), a.name, b.name);
    }
    if (at->n == 1 && step_is_edge(s))
        end_edge(t->to, t->x->graph, s, indent);
    else
        end_line(t->to, indent);
    int code = 0;
    for (size_t i = 0; i < at->n && !code; i++)
        if (!step_is_edge(&s[i])) code = tell_pair(t, &s[i], indent + INDENT);
    return code;
}

/* Is it an object that the first step names anyway? */
static bool is_object(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    return info.kind == CFLR_VERTEX_FUNCTION || info.kind == CFLR_VERTEX_ALLOCATION ||
           info.kind == CFLR_VERTEX_STRING;
}

static int tell_tokens(telling *t, const cflr_derivation *d, const token *tokens, size_t n,
                       int indent) {
    size_t turn = find_turn(tokens, n);
    int code = 0;
    const token *first = turn ? &tokens[turn - 1] : NULL;
    bool address = first && first->n == 1 && step_is(&d->step[first->first], "alloc");
    uint32_t origin = first ? d->step[first->first + first->n - 1].to : d->source;
    if (!address && !is_object(t->x->graph, origin)) tell_taken(t->to, t->x->graph, origin, indent);
    for (size_t i = turn; i-- > 0 && !code;) code = tell_token(t, d, &tokens[i], true, indent);
    if (turn > 0 && turn < n) {
        cflr_vertex_info info;
        look_at(t->x->graph, origin, &info);
        fprintf(t->to->file, "%*sand from %s:", indent, "", info.name);
        end_line(t->to, indent);
    }
    for (size_t i = turn; i < n && !code; i++) code = tell_token(t, d, &tokens[i], false, indent);
    return code;
}

/* Depth: how deep pairs are nested, which the search bounds. */
static int tell(telling *t, size_t number, int indent) {
    cflr_derivation d;
    cflr_explanation(t->x->explainer, number, &d);
    token *tokens = calloc(d.n_steps + 1, sizeof *tokens);
    if (!tokens) return fail_memory();
    t->told[number] = true;
    int code = tell_tokens(t, &d, tokens, cut_tokens(&d, tokens), indent);
    free(tokens);
    return code;
}

static int tell_all(const void *of, told_lines *to) {
    const explanation *x = of;
    telling t = {x, to, calloc(x->n + 1, sizeof *t.told)};
    if (!t.told) return fail_memory();
    int code = x->n > 0 ? tell(&t, 0, INDENT) : 0;
    free(t.told);
    return code;
}

int explanation_print(const explanation *x, FILE *file, bool all) {
    bool known = false;
    int code = explanation_print_locations(x, file, all, &known);
    return code || known ? code : print_lines(file, all, tell_all, x);
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
    if (!step_is_edge(step)) json_set_count(object, "derivation", step->derivation);
    json_set(object, "from", vertex_json(x->graph, step->from));
    json_set(object, "to", vertex_json(x->graph, step->to));
    if (at.line) {
        json_set_place(object, at.file, at.line, at.column);
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
    print_quoted(file, info.name);
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
            fprintf(file, "%s\"%s];\n", s->index[0] ? "]" : "",
                    step_is_edge(s) ? "" : ", style=dashed");
        }
    }
}
