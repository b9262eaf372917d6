/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_locations.c: derivations about places in memory, in steps of the source.
 *
 * Under pointer-types (grammars/pointer-types.cfg) a derivation is about facts of few forms. That a
 * value is the address of a location is printed as the value flows, from where the address is
 * taken:
 *
 *     p <-a- ... <-a- w    w -address-> l              the address is taken
 *                          w <-f[8]- v   L(v,k)   k -member[8]-> l      of what is around it
 *                          w <-any- v    L(v,k)   k, l in one object
 *                          w <-d- x      L(x,k)   Content(k,l)          w is read from memory
 *     Content(k,l)         y <-d- s      L(s,k)   y <-a- z   L(z,l)     z is stored in y
 *
 * The first two steps of these are pairs of their own (LF, Load), which filters cut; they are put
 * in place of the pair. So what was stored comes first, how it came to z; then that it is stored in
 * y and read through w, and below, once, why s and x are one address: both of k. Two such ways are
 * printed from where they meet, if they do; else each from its own beginning.
 *
 * Depth of recursion: that of the derivation, which its levels bound.
 */
#include <stdlib.h>

#include "cli/answer/loading.h"
#include "cli/explain/explain_words.h"

typedef enum form {
    FORM_OTHER,
    FORM_ADDRESS, /* L: by these, a value is the address of a location */
    FORM_PART,
    FORM_MOVED,
    FORM_READ,
    FORM_STORED,    /* Content: what lies at a location is the address of another one */
    FORM_WRITTEN,   /* Write: a content lies at a location */
    FORM_POINTS_TO, /* PT */
    FORM_ALIAS,     /* V */
    FORM_SAME,
    FORM_STEP, /* LF, LS: a part of FORM_PART */
} form;

typedef struct fact {
    form form;
    uint32_t source, target;
    const cflr_derivation_step *step;
    size_t flows;      /* steps with which it begins: assignments, against the path */
    uint32_t inner[2]; /* facts that the other steps are */
} fact;

typedef struct reason {
    uint32_t a, b; /* facts of two pointers */
} reason;

typedef struct telling {
    const cflr_graph *graph;
    told_lines *to;
    fact *fact;
    cflr_derivation_step *step; /* of all facts */
    size_t n_steps;
    reason *reason; /* that were told; no more than there are facts */
    size_t n_reasons;
} telling;

/* ---- forms ---- */

/* One letter a step: that of its label, "L" for a pair; capitals and "<" for what is against the
 * path. */
static bool goes(const cflr_derivation_step *step, char what) {
    bool back = step->backwards, edge = step_is_edge(step);
    bool value = step_is(step, "a") || step_is(step, "nonnull") || step_is(step, "call") ||
                 step_is(step, "ret");
    switch (what) {
        case 'P':
            return !edge && !back;
        case 'Q':
            return !edge && back;
        case 'A':
            return edge && back && value;
        case 'D':
            return edge && back && (step_is(step, "d") || step_is(step, "store"));
        case 'F':
            return edge && back && (step_is(step, "f") || step_is(step, "s"));
        case 'Y':
            return edge && back && step_is(step, "any");
        case 'I':
            return edge && back && step_is(step, "in");
        case 'O':
            return edge && back && step_is(step, "alloc");
        case 'i':
            return edge && !back && step_is(step, "in");
        case 'l':
            return edge && !back && step_is(step, "address");
        case 'm':
            return edge && !back &&
                   (step_is(step, "member") || step_is(step, "slot") || step_is(step, "whole"));
        default:
            return false;
    }
}

static const struct {
    form form;
    const char *steps; /* behind the assignments */
} forms[] = {
    {FORM_ADDRESS, "l"},  {FORM_PART, "FPm"},   {FORM_MOVED, "YPiI"},    {FORM_READ, "DPP"},
    {FORM_STORED, "QAP"}, {FORM_WRITTEN, "DP"}, {FORM_POINTS_TO, "PiO"}, {FORM_ALIAS, "PQ"},
    {FORM_SAME, ""},      {FORM_STEP, "FP"},
};

static bool spells(const cflr_derivation_step *step, size_t n, const char *steps) {
    size_t i = 0;
    while (i < n && steps[i] && goes(&step[i], steps[i])) i++;
    return i == n && !steps[i];
}

/* "LF" of L ::= LF[n] member[n], "LS", and "Load". */
static bool is_part(const cflr_derivation_step *step) {
    bool named = step_is(step, "LF") || step_is(step, "LS") || step_is(step, "Load");
    return !step_is_edge(step) && !step->backwards && named;
}

/* The steps of a derivation, those of parts in their places. */
static size_t copy_steps(telling *t, const explanation *x, const cflr_derivation *d) {
    size_t first = t->n_steps;
    for (size_t i = 0; i < d->n_steps; i++) {
        cflr_derivation part = {.step = &d->step[i], .n_steps = 1};
        if (is_part(&d->step[i])) cflr_explanation(x->explainer, d->step[i].derivation, &part);
        for (size_t k = 0; k < part.n_steps; k++) t->step[t->n_steps++] = part.step[k];
    }
    return t->n_steps - first;
}

static fact read_fact(telling *t, const explanation *x, size_t number) {
    cflr_derivation d;
    cflr_explanation(x->explainer, number, &d);
    fact made = {.source = d.source, .target = d.target, .step = t->step + t->n_steps};
    size_t n = 0, n_steps = copy_steps(t, x, &d);
    while (made.flows < n_steps && goes(&made.step[made.flows], 'A')) made.flows++;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (spells(made.step + made.flows, n_steps - made.flows, forms[i].steps))
            made.form = forms[i].form;
    for (size_t i = made.flows; i < n_steps && n < 2; i++)
        if (!step_is_edge(&made.step[i])) made.inner[n++] = made.step[i].derivation;
    if (made.flows > 0 && made.form > FORM_READ) made.form = FORM_OTHER;
    return made;
}

static bool is_address(const telling *t, uint32_t number) {
    return t->fact[number].form >= FORM_ADDRESS && t->fact[number].form <= FORM_READ;
}

/* Are the facts that it rests on of the forms that they must be? */
static bool is_known(const telling *t, const fact *f) {
    switch (f->form) {
        case FORM_OTHER:
            return false;
        case FORM_ADDRESS:
        case FORM_SAME:
            return true;
        case FORM_PART:
        case FORM_MOVED:
        case FORM_WRITTEN:
        case FORM_STEP:
        case FORM_POINTS_TO:
            return is_address(t, f->inner[0]);
        case FORM_READ:
            return is_address(t, f->inner[0]) && t->fact[f->inner[1]].form == FORM_STORED;
        case FORM_STORED:
            return t->fact[f->inner[0]].form == FORM_WRITTEN && is_address(t, f->inner[1]);
        case FORM_ALIAS:
            return is_address(t, f->inner[0]) && is_address(t, f->inner[1]);
    }
    return false;
}

/* ---- lines ---- */

static void tell_edge(const telling *t, const cflr_derivation_step *step, int indent) {
    print_step_place(t->to->file, place_between(t->graph, step->to, step->from), indent);
    print_edge(t->to->file, t->graph, step);
    end_edge(t->to, t->graph, step, indent);
}

static void tell_reason(telling *t, uint32_t a, uint32_t b, int indent);
static void tell_way(telling *t, uint32_t number, size_t stop, int indent);

/* A value that is read was stored before. */
static void tell_read(telling *t, const fact *f, int indent) {
    const fact *stored = &t->fact[f->inner[1]], *written = &t->fact[stored->inner[0]];
    uint32_t content = f->step[f->flows].from;
    cflr_vertex_info from, to;
    tell_way(t, stored->inner[1], 0, indent);
    tell_edge(t, &stored->step[1], indent);
    look_at(t->graph, written->source, &from);
    look_at(t->graph, content, &to);
    print_step_place(t->to->file, place_between(t->graph, written->source, content), indent);
    print_passage(t->to->file, &from, &to);
    end_line(t->to, indent);
    if (t->fact[f->inner[0]].source != t->fact[written->inner[0]].source)
        tell_reason(t, f->inner[0], written->inner[0], indent + 4);
}

/* As the value flows, up to a place on the path: 0 is its beginning. */
static void tell_way(telling *t, uint32_t number, size_t stop, int indent) {
    const fact *f = &t->fact[number];
    const cflr_derivation_step *behind = f->step + f->flows;
    if (f->form == FORM_ADDRESS) {
        tell_taken(t->to, t->graph, behind->from, indent);
    } else if (f->form == FORM_READ) {
        tell_read(t, f, indent);
    } else {
        tell_way(t, f->inner[0], 0, indent);
        tell_edge(t, behind, indent);
    }
    for (size_t i = f->flows; i-- > stop;) tell_edge(t, &f->step[i], indent);
}

/* ---- two pointers ---- */

static uint32_t vertex_at(const fact *f, size_t place) {
    return place ? f->step[place - 1].to : f->source;
}

/* The places where two ways meet first, seen from their pointers; false: they do not. */
static bool find_meeting(const fact *a, const fact *b, size_t *at_a, size_t *at_b) {
    for (size_t both = 0; both <= a->flows + b->flows; both++)
        for (size_t i = 0; i <= a->flows && i <= both; i++) {
            if (both - i > b->flows || vertex_at(a, i) != vertex_at(b, both - i)) continue;
            *at_a = i;
            *at_b = both - i;
            return true;
        }
    return false;
}

static void tell_turn(const telling *t, const char *word, uint32_t vertex, int indent) {
    cflr_vertex_info info;
    look_at(t->graph, vertex, &info);
    fprintf(t->to->file, "%*sand %s %s:", indent, "", word, info.name);
    end_line(t->to, indent);
}

/* Why two pointers hold the address of one location. */
static void tell_both(telling *t, uint32_t a, uint32_t b, int indent) {
    const fact *f = &t->fact[a], *g = &t->fact[b];
    size_t i, k;
    if (!find_meeting(f, g, &i, &k)) {
        tell_way(t, a, 0, indent);
        tell_turn(t, "to", g->source, indent);
        tell_way(t, b, 0, indent);
        return;
    }
    uint32_t origin = vertex_at(f, i);
    bool taken = f->form == FORM_ADDRESS && i == f->flows;
    if (taken)
        tell_taken(t->to, t->graph, origin, indent);
    else
        tell_origin(t->to, t->graph, origin, indent);
    if (i > 0 && k > 0) {
        while (i-- > 0) tell_edge(t, &f->step[i], indent);
        tell_turn(t, "from", origin, indent);
    } else {
        while (i-- > 0) tell_edge(t, &f->step[i], indent);
    }
    while (k-- > 0) tell_edge(t, &g->step[k], indent);
}

/* The object where the location is, in which two pointers meet. */
static void print_meeting(const telling *t, uint32_t location) {
    uint32_t address = first_edge(t->graph, "in", NULL, CFLR_OUT, location);
    uint32_t object = first_edge(t->graph, "alloc", NULL, CFLR_IN, address);
    cflr_vertex_info info;
    if (address == CFLR_NO_VERTEX || object == CFLR_NO_VERTEX) return;
    look_at(t->graph, object, &info);
    fprintf(t->to->file, ": both may point to %s", info.name);
}

static size_t find_reason(const telling *t, uint32_t a, uint32_t b) {
    size_t k = 0;
    while (k < t->n_reasons && (t->reason[k].a != a || t->reason[k].b != b)) k++;
    return k;
}

static void tell_reason(telling *t, uint32_t a, uint32_t b, int indent) {
    cflr_vertex_info of[2];
    size_t k = find_reason(t, a, b);
    bool again = k < t->n_reasons, tells = !again && tells_reason(t->to, indent);
    look_at(t->graph, t->fact[a].source, &of[0]);
    look_at(t->graph, t->fact[b].source, &of[1]);
    fprintf(t->to->file, "%*sbecause %s and %s may hold one address", indent, "", of[0].name,
            of[1].name);
    if (again || tells)
        fprintf(t->to->file, " [%zu]%s", k + 1, tells ? ":" : ", see above");
    else
        print_meeting(t, t->fact[a].target);
    end_line(t->to, indent);
    if (!tells) return;
    t->reason[t->n_reasons++] = (reason){a, b};
    tell_both(t, a, b, indent);
}

/* ---- the answer ---- */

static void tell_object(telling *t, const fact *f, int indent) {
    uint32_t location = t->fact[f->inner[0]].target;
    cflr_vertex_info place, object;
    tell_way(t, f->inner[0], 0, indent);
    if (first_edge(t->graph, "address", NULL, CFLR_IN, location) != CFLR_NO_VERTEX) return;
    look_at(t->graph, location, &place);
    look_at(t->graph, f->target, &object);
    fprintf(t->to->file, "%*swhich is in %s: %s", indent, "", object.name, place.name);
    end_line(t->to, indent);
}

/* Room for the steps of all derivations: those of parts are counted with the part, and where it is
 * read. */
static bool prepare_steps(telling *t, const explanation *x) {
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++) {
        cflr_derivation d, part;
        cflr_explanation(x->explainer, i, &d);
        n += d.n_steps;
        for (size_t k = 0; k < d.n_steps; k++) {
            if (!is_part(&d.step[k])) continue;
            cflr_explanation(x->explainer, d.step[k].derivation, &part);
            n += part.n_steps;
        }
    }
    t->step = calloc(n + 1, sizeof *t->step);
    return t->step != NULL;
}

static bool read_all(telling *t, const explanation *x) {
    for (size_t i = 0; i < x->n; i++) t->fact[i] = read_fact(t, x, i);
    for (size_t i = 0; i < x->n; i++)
        if (!is_known(t, &t->fact[i])) return false;
    return x->n > 0;
}

static int tell_all(const void *of, told_lines *to) {
    telling t = *(const telling *)of;
    const fact *f = t.fact;
    t.to = to;
    if (f->form == FORM_POINTS_TO)
        tell_object(&t, f, INDENT);
    else if (f->form == FORM_ALIAS)
        tell_both(&t, f->inner[0], f->inner[1], INDENT);
    else if (is_address(&t, 0))
        tell_way(&t, 0, 0, INDENT);
    return 0;
}

int explanation_print_locations(const explanation *x, FILE *file, bool all, bool *known) {
    telling t = {.graph = x->graph};
    if (!has_locations(x->graph)) return 0;
    t.fact = calloc(x->n + 1, sizeof *t.fact);
    t.reason = calloc(x->n + 1, sizeof *t.reason);
    bool made = t.fact && t.reason && prepare_steps(&t, x);
    *known = made && read_all(&t, x);
    int code = made ? 0 : fail_memory();
    if (*known) code = print_lines(file, all, tell_all, &t);
    free(t.fact);
    free(t.step);
    free(t.reason);
    return code;
}
