/* SPDX-License-Identifier: Apache-2.0
 *
 * dyck.c: random programs of matched brackets, labels open[k] and close[k].
 *
 * A procedure is a path of blocks in blocks:
 *
 *      o --open[2]--> o --open[7]--> o --close[7]--> o --close[2]--> o ...
 *      |                                             ^
 *      +--open[4]--> o ----------close[4]------------+     a second branch
 *
 * Some blocks have a second branch, which may be a call of one of the last 64 procedures; some
 * places have a bracket beside the path that has no partner. Kinds are drawn for each block, so a
 * call may return to another one of the same kind: with few kinds, everything reaches everything.
 *
 * An open block stands on a stack, so each step is one turn of a loop. A block promises one vertex
 * to close with: a procedure opens no more blocks than it has vertices left to close.
 */
#include <stdlib.h>

#include "bench/generate/generate.h"

enum { DEPTH = 16, SMALLEST = 8, LARGEST = 128, NEIGHBOURS = 64 };
#define NO_JOIN UINT32_MAX

typedef struct block {
    uint32_t start, kind;
    uint32_t join; /* where the branch before ended; NO_JOIN: this is the first */
} block;

typedef struct procedure {
    uint32_t entry, exit;
} procedure;

typedef struct program {
    sketch *s;
    uint32_t *open, *close;      /* labels by kind */
    procedure known[NEIGHBOURS]; /* the last ones, by number modulo NEIGHBOURS */
    uint32_t procedures;
    block stack[DEPTH];
    uint32_t depth, promised; /* open blocks; those that close with a new vertex */
    uint32_t at, next, end;   /* where the path is; the next vertex; end of the procedure */
} program;

static uint32_t draw_kind(program *p) {
    return draw_below(&p->s->random, p->s->number);
}

static void open_block(program *p, uint32_t start, uint32_t join) {
    uint32_t kind = draw_kind(p);
    p->stack[p->depth++] = (block){start, kind, join};
    p->promised += join == NO_JOIN;
    p->at = p->next++;
    sketch_edge(p->s, start, p->at, p->open[kind]);
}

/* Closes the innermost block; perhaps a second branch begins where it began. */
static void close_block(program *p) {
    block b = p->stack[--p->depth];
    uint32_t to = b.join == NO_JOIN ? p->next++ : b.join;
    p->promised -= b.join == NO_JOIN;
    sketch_edge(p->s, p->at, to, p->close[b.kind]);
    p->at = to;
    bool room = p->end - p->next > p->promised;
    if (b.join == NO_JOIN && room && draw_chance(&p->s->random, 250)) open_block(p, b.start, to);
}

/* A block without content, and a call of a procedure as its second branch. */
static void call(program *p) {
    uint32_t known = p->procedures < NEIGHBOURS ? p->procedures : NEIGHBOURS;
    uint32_t from = p->at, inner = p->next++, to = p->next++, kind = draw_kind(p);
    uint32_t back = draw_below(&p->s->random, known);
    procedure callee = p->known[(p->procedures - 1 - back) % NEIGHBOURS];
    sketch_edge(p->s, from, inner, p->open[kind]);
    sketch_edge(p->s, inner, to, p->close[kind]);
    kind = draw_kind(p);
    sketch_edge(p->s, from, callee.entry, p->open[kind]);
    sketch_edge(p->s, callee.exit, to, p->close[kind]);
    p->at = to;
}

/* A bracket beside the path that has no partner. */
static void lone_bracket(program *p) {
    uint32_t kind = draw_kind(p), opens = draw_chance(&p->s->random, 500);
    sketch_edge(p->s, p->at, p->next++, opens ? p->open[kind] : p->close[kind]);
}

static void step(program *p) {
    uint32_t spare = p->end - p->next - p->promised, what = draw_below(&p->s->random, 100);
    if (spare == 0)
        close_block(p);
    else if (what < 20 && spare > 1 && p->procedures)
        call(p);
    else if (what < 23)
        lone_bracket(p);
    else if ((what < 48 || !p->depth) && spare > 1 && p->depth < DEPTH)
        open_block(p, p->at, NO_JOIN);
    else if (p->depth)
        close_block(p);
    else
        lone_bracket(p);
}

static void write_procedure(program *p, uint32_t size) {
    procedure made = {.entry = p->next};
    p->end = p->next + size;
    p->at = p->next++;
    while (p->next < p->end || p->depth) step(p);
    made.exit = p->at;
    p->known[p->procedures++ % NEIGHBOURS] = made;
}

void sketch_dyck(sketch *s) {
    program p = {.s = s};
    p.open = sketch_table(s, s->number, sizeof *p.open);
    p.close = sketch_table(s, s->number, sizeof *p.close);
    for (uint32_t k = 0; s->status == CFLR_OK && k < s->number; k++) {
        p.open[k] = sketch_indexed(s, "open", k);
        p.close[k] = sketch_indexed(s, "close", k);
    }
    while (s->status == CFLR_OK && p.next < s->vertices) {
        uint32_t size = draw_size(&s->random, SMALLEST, LARGEST), left = s->vertices - p.next;
        write_procedure(&p, left < size + SMALLEST ? left : size);
    }
    free(p.open);
    free(p.close);
}
