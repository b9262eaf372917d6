/* SPDX-License-Identifier: Apache-2.0
 *
 * pieces.c: which copies in pieces (bytes.c) may copy pointers.
 *
 * Nearly all loops over characters are about text. What they read was made of characters and has been pointed to by
 * pointers to characters ever since; memory that holds pointers was something else before:
 *
 *     copy(&to, &from, sizeof to)             struct s * becomes void *: untyped
 *     unsigned char *f = from;                and so does f
 *     char *line = strdup(text);              never was
 *
 * Walking a unit marks the values that a conversion makes untyped. Here the mark follows the assignments, arguments
 * and results among them; a copy in pieces whose source has no mark is dropped. A way through memory (a char * in a
 * record that points to records) is seen where it is read as void *, which is marked too, and not where it has been
 * a char * all along: that is taken for text.
 *
 * One search over the assignments. Linear.
 */
#include "frontend/pieces.h"

#include <string.h>

#include "frontend/flows.h"

typedef struct search {
    cflri_program *program;
    bool *untyped;     /* by node */
    bool *is_source;   /* by node: roots of copies that are read from */
    bool *fed;         /* by node: roots of copies that memory with pointers flows into */
    cflri_flows flows; /* forward */
    cflri_node *stack;
} search;

static cflr_status make_search(search *s, cflri_program *program, cflr_error *error) {
    size_t n = program->facts.nodes.n;
    cflr_context *context = program->context;
    *s = (search){.program = program};
    s->untyped = cflri_alloc_array_zero(context, n, sizeof *s->untyped);
    s->is_source = cflri_alloc_array_zero(context, n, sizeof *s->is_source);
    s->fed = cflri_alloc_array_zero(context, n, sizeof *s->fed);
    s->stack = cflri_alloc_array(context, n, sizeof *s->stack);
    bool good = s->untyped && s->is_source && s->fed && s->stack;
    if (!good) return cflri_fail_memory(context, error);
    return cflri_flows_make(&s->flows, &program->facts, true, error);
}

static void free_search(search *s) {
    cflr_context *context = s->program->context;
    cflri_free(context, s->untyped);
    cflri_free(context, s->is_source);
    cflri_free(context, s->fed);
    cflri_flows_free(context, &s->flows);
    cflri_free(context, s->stack);
}

/* A void * that callers through values pass: their arguments are not followed. */
static bool is_open(const cflri_program *program, cflri_node n) {
    const cflri_node_record *node = &program->facts.nodes.at[n];
    if (node->kind != CFLR_VERTEX_PARAMETER || !program->role[node->function].valued) return false;
    const char *type = cflri_string(&program->facts.strings, node->type);
    return strstr(type, "void *") != NULL;
}

static void spread(search *s) {
    const cflri_facts *facts = &s->program->facts;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        bool begins = facts->nodes.at[n].untyped || is_open(s->program, n);
        if (!begins || s->untyped[n]) continue;
        s->untyped[n] = true;
        cflri_flows_reach(&s->flows, n, NULL, s->untyped, s->stack);
    }
}

static void find_sources(search *s) {
    const cflri_facts *facts = &s->program->facts;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        cflri_node root = cflri_facts_copy_of(facts, facts->assigns.at[i].from);
        if (root != CFLRI_NO_NODE) s->is_source[root] = true;
    }
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        if (s->is_source[assign->to] && s->untyped[assign->from]) s->fed[assign->to] = true;
    }
}

static void drop_text(const search *s) {
    cflri_facts *facts = &s->program->facts;
    size_t kept = 0;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        cflri_node root = cflri_facts_copy_of(facts, assign.from);
        if (root == CFLRI_NO_NODE && s->is_source[assign.to]) root = assign.to;
        if (root == CFLRI_NO_NODE || s->fed[root]) facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
}

cflr_status cflri_drop_text(cflri_program *program, cflr_error *error) {
    search s;
    cflr_status st = make_search(&s, program, error);
    if (st == CFLR_OK) {
        spread(&s);
        find_sources(&s);
        drop_text(&s);
    }
    free_search(&s);
    return st;
}
