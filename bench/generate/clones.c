/* SPDX-License-Identifier: Apache-2.0
 *
 * clones.c: pointer graphs of the form and size of those that Graspan closed: labels a, and d or
 * d[i].
 *
 *     y = x       x --a--> y            a value flows
 *     *x          x --d--> *x           from an address to the place there
 *     x->f        x --d[i]--> x->f      the same of one member, where members are kept apart
 *
 * These graphs have millions of vertices although their programs have some ten thousand variables,
 * because each call gets a copy of its callee, with copies of all that this one calls:
 *
 *     text of a module        graph
 *     main: f f g             main --- f --- h
 *     f:    h                      |-- f --- h
 *     g:    h h                    |-- g --- h
 *     h:                                 |-- h
 *     globals                 globals of the module, there once
 *
 * A module is drawn as bodies first: a function's own vertices, edges and calls, by numbers in the
 * function. A function calls those that were drawn before it: close ones, or popular ones by Zipf's
 * law. Then copies of its last functions, its entry points, are written until the module has as
 * many vertices as it should: as likely 1,024 to 2,047 as 32,768 to 65,535.
 *
 * Modules share nothing, so a closure grows with the number of vertices. Some modules have globals:
 * all that a global flows to are aliases of each other, wherever their copies stand, and so is what
 * they point to. A few large modules with globals hold most pairs, as a few nets of aliases do in
 * real programs. Each module has random numbers of its own, so that more modules with globals leave
 * all others as they were, and a closure can be set by their share.
 */
#include <stdlib.h>

#include "bench/generate/generate.h"

enum {
    SMALLEST_MODULE = 1024,
    LARGEST_MODULE = 65536,
    GLOBALS = 32,   /* of a module: its first vertices */
    FUNCTIONS = 64, /* of a module */
    ENTRIES = 24,   /* of these, the last */
    CLOSE = 6,
    SMALLEST = 16,
    LARGEST = 64,
    ROOM = LARGEST + 8, /* no function has more vertices of its own */
    STATEMENT = 2,      /* edges that a statement makes at least */
    EDGES = 12 * ROOM,
    CALLS = 12, /* of one function */
    PARAMETERS = 3,
    LARGEST_COPY = 1024, /* of a function with all that it calls */
    GLOBAL = 1 << 16,    /* vertices of a body from here on are globals of the module */
};

#define NONE UINT32_MAX

/* What differs between programs. */
typedef struct clones_form {
    uint32_t members; /* of a record; 0: a record is one place */
    uint32_t shared;  /* modules with globals, permille */
    uint32_t read;    /* values that come from a global there, in ten thousand */
    uint32_t fresh;   /* values that are new ones, permille: constants, strings */
    uint32_t on;      /* values that flow on from where another one flowed, permille */
    uint32_t again;   /* chance that one more value flows to a vertex, permille */
} clones_form;

typedef struct edge {
    uint32_t source, target, label;
} edge;

typedef struct call {
    uint32_t callee, argument[PARAMETERS], result;
} call;

typedef struct body {
    uint32_t n, parameters, results; /* vertices: parameters, result, then all others */
    uint32_t copy;                   /* vertices of a copy with all in it */
    uint32_t edges, calls;
    edge edge[EDGES];
    call call[CALLS];
} body;

typedef struct pool {
    uint32_t n, vertex[ROOM];
} pool;

typedef struct program {
    sketch *s;
    const clones_form *form;
    uint32_t a, *d;
    body function[FUNCTIONS];
    uint32_t self, end; /* the function being drawn, and how many vertices it will have */
    pool pointers;      /* values that can be followed: parameters, loads, results, addresses */
    pool fresh;         /* values to which nothing flowed */
    uint32_t read;      /* as in the form; 0: the module has no globals */
    uint32_t globals;   /* the first one */
    uint32_t next;      /* vertex of the graph */
} program;

/* ---- bodies ---- */

static body *self(program *p) {
    return &p->function[p->self];
}

static bool is_full(program *p) {
    return self(p)->n >= p->end || self(p)->edges + STATEMENT >= EDGES;
}

static uint32_t new_in(program *p, pool *to) {
    return to->vertex[to->n++] = self(p)->n++;
}

static void put(program *p, uint32_t source, uint32_t target, uint32_t label) {
    if (source == target) return;
    self(p)->edge[self(p)->edges++] = (edge){source, target, label};
}

/* One of the pool, rather a late one. */
static uint32_t draw_from(program *p, const pool *from) {
    draw *random = &p->s->random;
    bool late = draw_chance(random, 500);
    uint32_t back = late ? draw_rank(random, from->n) : draw_below(random, from->n);
    return from->vertex[from->n - 1 - back];
}

static uint32_t draw_source(program *p) {
    draw *random = &p->s->random;
    if (draw_below(random, 10000) < p->read) return GLOBAL + draw_rank(random, GLOBALS);
    if (!is_full(p) && draw_chance(random, p->form->fresh)) return new_in(p, &p->fresh);
    return draw_from(p, draw_chance(random, p->form->on) ? &p->pointers : &p->fresh);
}

/* Values come from few, so that many are drawn again and count once. */
static void store(program *p, uint32_t target) {
    do put(p, draw_source(p), target, p->a);
    while (!is_full(p) && draw_chance(&p->s->random, p->form->again));
}

static uint32_t draw_memory(program *p) {
    return p->form->members ? p->d[draw_rank(&p->s->random, p->form->members)] : p->d[0];
}

/* A variable: its address, and the place, which holds something. */
static void variable(program *p) {
    uint32_t address = new_in(p, &p->fresh), place = self(p)->n++;
    p->pointers.vertex[p->pointers.n++] = address;
    put(p, address, place, draw_memory(p));
    store(p, place);
}

/* Memory that a pointer leads to is read, or written. */
static void follow(program *p) {
    uint32_t pointer = draw_from(p, &p->pointers), place = self(p)->n++;
    put(p, pointer, place, draw_memory(p));
    if (!is_full(p) && draw_chance(&p->s->random, 650))
        put(p, place, new_in(p, &p->pointers), p->a);
    else
        store(p, place);
}

static void assign(program *p) {
    store(p, new_in(p, &p->pointers));
}

/* A function close by, or a popular one: NONE where a copy would become too large. */
static uint32_t draw_callee(program *p) {
    draw *random = &p->s->random;
    uint32_t reach = p->self < CLOSE ? p->self : CLOSE, callee;
    if (!p->self || self(p)->calls == CALLS) return NONE;
    callee = draw_chance(random, 400) ? p->self - 1 - draw_below(random, reach)
                                      : draw_rank(random, p->self);
    return p->function[callee].copy + self(p)->copy > LARGEST_COPY ? NONE : callee;
}

static void make_call(program *p) {
    uint32_t callee = draw_callee(p);
    if (callee == NONE) {
        assign(p);
        return;
    }
    const body *called = &p->function[callee];
    call *made = &self(p)->call[self(p)->calls++];
    *made = (call){.callee = callee};
    for (uint32_t i = 0; i < called->parameters; i++) made->argument[i] = draw_source(p);
    made->result = called->results ? new_in(p, &p->pointers) : NONE;
    self(p)->copy += called->copy;
}

static void statement(program *p) {
    uint32_t what = draw_below(&p->s->random, 100);
    if (what < 25)
        variable(p);
    else if (what < 65)
        follow(p);
    else if (what < 80)
        assign(p);
    else
        make_call(p);
}

static void draw_body(program *p) {
    draw *random = &p->s->random;
    uint32_t size = draw_size(random, SMALLEST, LARGEST);
    body *f = self(p);
    f->n = f->edges = f->calls = p->pointers.n = p->fresh.n = 0;
    f->copy = p->end = size;
    f->parameters = draw_below(random, PARAMETERS + 1);
    f->results = draw_chance(random, 500);
    for (uint32_t i = 0; i < f->parameters; i++) new_in(p, &p->pointers);
    uint32_t result = f->results ? f->n++ : NONE;
    variable(p);
    while (!is_full(p)) statement(p);
    if (f->results) put(p, draw_source(p), result, p->a);
    f->copy += f->n - size;
}

/* ---- copies ---- */

/* A vertex of the graph for one of the body whose copy begins at `first`. */
static uint32_t vertex_of(const program *p, uint32_t first, uint32_t v) {
    return v < GLOBAL ? first + v : p->globals + v - GLOBAL;
}

static void write_copy(program *p, uint32_t function);

/* The callee's copy, and what flows in and out. */
static void write_call(program *p, const call *made, uint32_t first) {
    const body *called = &p->function[made->callee];
    uint32_t inner = p->next;
    write_copy(p, made->callee);
    for (uint32_t i = 0; i < called->parameters; i++) {
        sketch_edge(p->s, vertex_of(p, first, made->argument[i]), inner + i, p->a);
    }
    if (made->result == NONE) return;
    sketch_edge(p->s, inner + called->parameters, vertex_of(p, first, made->result), p->a);
}

/* As deep as calls are: each goes to an earlier function. */
static void write_copy(program *p, uint32_t function) {
    const body *f = &p->function[function];
    uint32_t first = p->next;
    p->next += f->n;
    for (uint32_t i = 0; i < f->edges; i++) {
        const edge *e = &f->edge[i];
        sketch_edge(p->s, vertex_of(p, first, e->source), vertex_of(p, first, e->target), e->label);
    }
    for (uint32_t i = 0; i < f->calls; i++) write_call(p, &f->call[i], first);
}

/* The last of the functions from number `f` down that fits in what is left; NONE: none does. */
static uint32_t find_fitting(const program *p, uint32_t f) {
    while (f != NONE && p->function[f].copy > p->s->vertices - p->next) f--;
    return f;
}

static void write_module(program *p) {
    uint32_t size = draw_size(&p->s->random, SMALLEST_MODULE, LARGEST_MODULE), f = 0;
    uint64_t seed = draw_bits(&p->s->random);
    p->read = draw_chance(&p->s->random, p->form->shared) ? p->form->read : 0;
    draw outer = p->s->random;
    draw_init(&p->s->random, seed);
    for (p->self = 0; p->self < FUNCTIONS; p->self++) draw_body(p);
    p->globals = p->next;
    p->next += GLOBALS;
    while (f != NONE && p->next - p->globals < size) {
        f = find_fitting(p, FUNCTIONS - 1 - draw_below(&p->s->random, ENTRIES));
        if (f != NONE) write_copy(p, f);
    }
    p->s->random = outer;
}

/* Where no module begins any more: addresses, each with its place; the last one perhaps with
 * another's. */
static void write_rest(program *p) {
    uint32_t n = p->s->vertices;
    for (uint32_t v = p->next; v < n; v += 2) {
        sketch_edge(p->s, v, v + 1 < n ? v + 1 : v - 1, p->d[0]);
    }
}

static void sketch_clones(sketch *s, const clones_form *form) {
    program *p = sketch_table(s, 1, sizeof *p);
    uint32_t memory = form->members ? form->members : 1;
    if (!p) return;
    *p = (program){.s = s, .form = form, .a = sketch_label(s, "a")};
    p->d = sketch_table(s, memory, sizeof *p->d);
    for (uint32_t i = 0; s->status == CFLR_OK && i < memory; i++) {
        p->d[i] = form->members ? sketch_indexed(s, "d", i) : sketch_label(s, "d");
    }
    do write_module(p);
    while (s->status == CFLR_OK && s->vertices - p->next >= SMALLEST_MODULE);
    if (s->status == CFLR_OK) write_rest(p);
    free(p->d);
    free(p);
}

void sketch_pa_psql(sketch *s) {
    static const clones_form form = {
        .shared = 510, .read = 50, .fresh = 110, .on = 20, .again = 924};
    sketch_clones(s, &form);
}

void sketch_pa_httpd(sketch *s) {
    static const clones_form form = {
        .shared = 850, .read = 70, .fresh = 110, .on = 20, .again = 913};
    sketch_clones(s, &form);
}

void sketch_fpa_hdfs(sketch *s) {
    static const clones_form form = {
        .members = 100, .shared = 1000, .read = 330, .fresh = 30, .on = 40, .again = 887};
    sketch_clones(s, &form);
}
