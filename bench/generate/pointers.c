/* SPDX-License-Identifier: Apache-2.0
 *
 * pointers.c: the pointer graph of a C program: labels a, d, f[i].
 *
 *     y = x       x --a--> y            a value flows
 *     *x          x --d--> *x           from an address to the place there; one of each
 *     &x->f       x --f[i]--> &x->f     a field's address; one vertex for each expression
 *
 * A function is a list of statements, which make vertices until it has as many as were planned:
 *
 *     variable    an address and its place
 *     field       the address of a field of a register or a variable, and perhaps its place
 *     store       something flows to a place, often one of several: *p = x, or *p = NULL
 *     call        something flows to each parameter, the result to a new register
 *
 * functions.c draws the call graph. Each module has global pointers, popular by Zipf's law, to
 * which nothing flows; so have the indexes of fields. A value that flowed once seldom flows on:
 * chains of `a` are short in real programs, and with longer ones everything would alias everything.
 *
 * The same holds between modules. An analysis without contexts relates all that a few calls join,
 * so a closure grows with the square of what is joined. Calls to other modules are so rare here
 * that most modules stay for themselves, and a closure grows with the number of vertices: 400 to
 * 800 pairs each under bench/grammars/aa.cfg (aa-psql 770, aa-janet 890, aa-i3 1,840).
 *
 * bench/README.md compares with these three, by whose numbers the weights were set.
 */
#include <stdlib.h>

#include "bench/generate/functions.h"

enum {
    SMALLEST = 64,
    LARGEST = 512,
    ROOM = LARGEST + SMALLEST, /* no function has more vertices */
    MODULE = 8192,
    GLOBALS = 32, /* of a module: its first vertices */
    ABROAD = 1,   /* calls to another module, in ten thousand */
};

/* Some vertices of the function. */
typedef struct pool {
    uint32_t n, vertex[ROOM];
} pool;

typedef struct program {
    sketch *s;
    functions all;
    uint32_t a, d;
    uint32_t *field;       /* labels by index */
    uint32_t module, self; /* the function that is being written */
    uint32_t first, next, end;
    pool registers;      /* values of expressions: parameters, loads, results of calls */
    pool addresses;      /* of variables and fields */
    pool places;         /* what these point to */
    bool assigned[ROOM]; /* of the function's vertices: something flows to it */
} program;

static bool is_full(const program *p) {
    return p->next == p->end;
}

static uint32_t new_vertex(program *p) {
    p->assigned[p->next - p->first] = false;
    return p->next++;
}

static uint32_t new_in(program *p, pool *to) {
    return to->vertex[to->n++] = new_vertex(p);
}

/* One of the pool, rather a late one. */
static uint32_t draw_from(program *p, const pool *from) {
    draw *random = &p->s->random;
    bool late = draw_chance(random, 500);
    uint32_t back = late ? draw_rank(random, from->n) : draw_below(random, from->n);
    return from->vertex[from->n - 1 - back];
}

/* One of the pool to which nothing flows, mostly. */
static uint32_t draw_unassigned(program *p, const pool *from) {
    uint32_t v = draw_from(p, from);
    for (int i = 0; i < 8 && p->assigned[v - p->first]; i++) v = draw_from(p, from);
    return v;
}

/* A global pointer of the module. */
static uint32_t draw_global(program *p) {
    uint32_t first = p->all.function[p->all.module[p->module]].first;
    return first + draw_rank(&p->s->random, GLOBALS);
}

static uint32_t draw_source(program *p) {
    uint32_t what = draw_below(&p->s->random, 100);
    if (what < 35) return draw_unassigned(p, &p->places);
    if (what < 55) return draw_from(p, &p->addresses);
    if (what < 60) return draw_from(p, &p->places);
    if (what < 80) return draw_from(p, &p->registers);
    return is_full(p) ? draw_global(p) : new_vertex(p);
}

/* Something flows to a vertex of the function. */
static void flow(program *p, uint32_t from, uint32_t to) {
    p->assigned[to - p->first] = true;
    if (from != to) sketch_edge(p->s, from, to, p->a);
}

/* A place gets a pointer, often one of several. */
static void store(program *p, uint32_t place) {
    flow(p, draw_chance(&p->s->random, 300) ? draw_global(p) : draw_source(p), place);
    if (draw_chance(&p->s->random, 700)) flow(p, draw_global(p), place);
}

static void load(program *p, uint32_t place) {
    if (is_full(p)) return;
    uint32_t made = new_in(p, &p->registers);
    flow(p, place, made);
    if (draw_chance(&p->s->random, 400)) flow(p, draw_global(p), made);
}

/* The content of the address, and perhaps a use of it. */
static void dereference(program *p, uint32_t address) {
    if (is_full(p)) return;
    uint32_t made = new_in(p, &p->places), use = draw_below(&p->s->random, 100);
    sketch_edge(p->s, address, made, p->d);
    if (use < 25)
        store(p, made);
    else if (use < 40)
        load(p, made);
}

static void variable(program *p) {
    uint32_t made = new_in(p, &p->addresses);
    if (is_full(p))
        flow(p, draw_global(p), made);
    else
        dereference(p, made);
}

static void access_field(program *p) {
    draw *random = &p->s->random;
    uint32_t index = draw_rank(random, (uint32_t)p->s->number);
    uint32_t base = draw_from(p, draw_chance(random, 750) ? &p->registers : &p->addresses);
    uint32_t made = new_in(p, &p->addresses);
    sketch_edge(p->s, base, made, p->field[index]);
    if (draw_chance(random, 650)) dereference(p, made);
}

static void call(program *p) {
    const function *callee = functions_callee(p->s, &p->all, p->module, p->self);
    for (uint32_t i = 0; i < callee->parameters; i++) {
        sketch_edge(p->s, draw_source(p), callee->first + i, p->a);
    }
    if (!callee->results || is_full(p)) return;
    flow(p, callee->first + callee->parameters, new_in(p, &p->registers));
}

static void statement(program *p) {
    uint32_t what = draw_below(&p->s->random, 100);
    if (what < 25)
        variable(p);
    else if (what < 75)
        access_field(p);
    else if (what < 80)
        store(p, draw_from(p, &p->places));
    else
        call(p);
}

/* Globals stand where the module's first function, which has no interface, begins. */
static void write_function(program *p) {
    const function *f = &p->all.function[p->self];
    p->first = p->next = f->first;
    p->end = f[1].first;
    p->registers.n = p->addresses.n = p->places.n = 0;
    for (uint32_t i = 0; i < f->parameters; i++) {
        p->assigned[new_in(p, &p->registers) - p->first] = true;
    }
    uint32_t result = f->results ? new_vertex(p) : 0;
    if (p->self == p->all.module[p->module]) {
        while (p->next < p->first + GLOBALS) new_vertex(p);
    }
    uint32_t address = new_in(p, &p->addresses), place = new_in(p, &p->places);
    sketch_edge(p->s, address, place, p->d);
    load(p, place);
    while (!is_full(p)) statement(p);
    if (f->results) flow(p, draw_source(p), result);
}

static void draw_interface(draw *random, function *f) {
    f->parameters = (uint16_t)draw_below(random, 4);
    f->results = draw_chance(random, 500);
}

void sketch_pointers(sketch *s) {
    if (s->number > DRAW_RANKS) {
        sketch_refuse(s, "--fields: at most %d", DRAW_RANKS);
        return;
    }
    static const functions_form form = {SMALLEST, LARGEST, MODULE, ABROAD, draw_interface};
    program *p = sketch_table(s, 1, sizeof *p);
    if (!p) return;
    p->s = s;
    p->a = sketch_label(s, "a");
    p->d = sketch_label(s, "d");
    p->field = sketch_table(s, s->number, sizeof *p->field);
    for (uint32_t i = 0; s->status == CFLR_OK && i < s->number; i++) {
        p->field[i] = sketch_indexed(s, "f", i);
    }
    functions_plan(s, &form, &p->all);
    for (p->self = 0; s->status == CFLR_OK && p->self < p->all.n; p->self++) {
        while (p->all.module[p->module + 1] <= p->self) p->module++;
        write_function(p);
    }
    functions_free(&p->all);
    free(p->field);
    free(p);
}
