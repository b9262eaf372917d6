/* SPDX-License-Identifier: Apache-2.0
 *
 * valueflow.c: the value-flow graph of a C program: labels a, call[i], ret[i], an index i for each
 * call site.
 *
 *     caller   v --call[7]--> entry of the callee        entry --a--> ... --a--> exit
 *              w <--ret[7]--- exit of the callee
 *
 * Values are versions of variables and of memory regions, so a call passes many: a function has up
 * to 31 entries and 31 exits. In the body each value comes from one or two earlier ones, rather
 * from the last few, and loops carry some back; global addresses of the module, popular by Zipf's
 * law, flow everywhere. functions.c draws the call graph. Calls and returns match, so that calls
 * between modules cost little, and the closure grows with the number of vertices.
 *
 * The weights were set by the graphs gzip, crafty and psql of the CFL literature, whose numbers
 * bench/README.md has beside these.
 */
#include <stdlib.h>

#include "bench/generate/functions.h"

enum { SMALLEST = 64, LARGEST = 2048, MODULE = 32768, GLOBALS = 16, RECENT = 16, ABROAD = 300 };

typedef struct program {
    sketch *s;
    functions all;
    uint32_t a;
    uint32_t module, self, sites;
    uint32_t first, next, end; /* the function's vertices; those before next are made */
} program;

static uint32_t draw_local(program *p) {
    uint32_t made = p->next - p->first;
    draw *random = &p->s->random;
    uint32_t recent = made < RECENT ? made : RECENT;
    bool late = draw_chance(random, 850);
    return p->next - 1 - (late ? draw_rank(random, recent) : draw_below(random, made));
}

static uint32_t draw_global(program *p) {
    uint32_t first = p->all.function[p->all.module[p->module]].first;
    return first + draw_rank(&p->s->random, GLOBALS);
}

static void flow(program *p) {
    draw *random = &p->s->random;
    uint32_t from = draw_chance(random, 80) ? draw_global(p) : draw_local(p), to = p->next;
    sketch_edge(p->s, from, to, p->a);
    if (draw_chance(random, 220)) sketch_edge(p->s, draw_local(p), to, p->a);
    if (draw_chance(random, 15)) sketch_edge(p->s, to, draw_local(p), p->a);
    p->next++;
}

/* Passes some of what the callee reads, takes some of what it makes. */
static void call(program *p) {
    draw *random = &p->s->random;
    const function *callee = functions_callee(p->s, &p->all, p->module, p->self);
    uint32_t site = p->sites++, call = sketch_indexed(p->s, "call", site);
    uint32_t passed = 1 + draw_below(random, callee->parameters);
    uint32_t taken = draw_below(random, callee->results + 1u);
    for (uint32_t i = 0; i < passed; i++) {
        sketch_edge(p->s, draw_local(p), callee->first + i, call);
    }
    if (!taken) return;
    uint32_t ret = sketch_indexed(p->s, "ret", site);
    for (uint32_t i = 0; i < taken && p->next < p->end; i++) {
        sketch_edge(p->s, callee->first + callee->parameters + i, p->next++, ret);
    }
}

/* Globals stand where the module's first function, which has no interface, begins. */
static void write_function(program *p) {
    const function *f = &p->all.function[p->self];
    p->first = f->first;
    p->next = f->first + f->parameters + f->results;
    if (p->self == p->all.module[p->module]) p->next += GLOBALS;
    p->end = f[1].first;
    while (p->next < p->end) {
        if (draw_chance(&p->s->random, 32))
            call(p);
        else
            flow(p);
    }
    for (uint32_t i = 0; i < f->results; i++) {
        sketch_edge(p->s, draw_local(p), f->first + f->parameters + i, p->a);
    }
}

static void draw_interface(draw *random, function *f) {
    f->parameters = (uint16_t)draw_size(random, 2, 32);
    f->results = (uint16_t)draw_size(random, 1, 32);
}

void sketch_valueflow(sketch *s) {
    static const functions_form form = {SMALLEST, LARGEST, MODULE, ABROAD, draw_interface};
    program p = {.s = s};
    p.a = sketch_label(s, "a");
    functions_plan(s, &form, &p.all);
    for (; s->status == CFLR_OK && p.self < p.all.n; p.self++) {
        while (p.all.module[p.module + 1] <= p.self) p.module++;
        write_function(&p);
    }
    functions_free(&p.all);
}
