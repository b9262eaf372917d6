/* SPDX-License-Identifier: Apache-2.0
 *
 * uncalled.c: functions that nothing in the program enters.
 *
 * Code that nothing enters is compiled, and does nothing. A function is entered
 *
 *     from outside           it has external linkage, or attributes say so (constructor, used)
 *     through a value        its address is used, whether or not a call is found for it (atexit)
 *     by a call              of a function that is entered, or at file scope
 *
 *     static void never(void) { deeper(); }      neither never nor deeper is entered
 *     static void deeper(void) { ... }
 *
 * So what is left is certain, as far as the analysed files tell: only assembly, or a file that was
 * not read, could name a static function besides.
 */
#include "frontend/program/uncalled.h"

typedef struct search {
    const cflri_program *program;
    cflr_context *context;
    uint32_t *first, *next; /* calls by caller: lists of numbers, plus 1; 0: the end */
    uint32_t *stack;
    size_t depth;
    bool *entered;
} search;

static bool is_entered_from_outside(const cflri_program *program, uint32_t f) {
    const cflri_function *function = &program->facts.functions.at[f];
    return f == 0 || function->external || function->exported || function->invoked ||
           program->role[f].entered;
}

static void enter(search *s, uint32_t f) {
    if (s->entered[f]) return;
    s->entered[f] = true;
    s->stack[s->depth++] = f;
}

static void list_calls(search *s) {
    const cflri_facts *facts = &s->program->facts;
    for (uint32_t i = 0; i < facts->calls.n; i++) {
        s->next[i] = s->first[facts->calls.at[i].caller];
        s->first[facts->calls.at[i].caller] = i + 1;
    }
}

static void search_all(search *s) {
    const cflri_facts *facts = &s->program->facts;
    list_calls(s);
    for (uint32_t f = 0; f < facts->functions.n; f++)
        if (is_entered_from_outside(s->program, f)) enter(s, f);
    while (s->depth > 0) {
        uint32_t f = s->stack[--s->depth];
        for (uint32_t i = s->first[f]; i; i = s->next[i - 1])
            enter(s, facts->calls.at[i - 1].callee);
    }
}

bool *cflri_uncalled_find(const cflri_program *program) {
    const cflri_facts *facts = &program->facts;
    cflr_context *context = program->context;
    size_t n = facts->functions.n;
    search s = {.program = program, .context = context};
    s.first = cflri_alloc_array_zero(context, n, sizeof *s.first);
    s.next = cflri_alloc_array(context, facts->calls.n, sizeof *s.next);
    s.stack = cflri_alloc_array(context, n, sizeof *s.stack);
    s.entered = cflri_alloc_array_zero(context, n, sizeof *s.entered);
    bool good = s.first && s.next && s.stack && s.entered;
    if (good) search_all(&s);
    for (size_t f = 0; good && f < n; f++)
        s.entered[f] = !s.entered[f] && facts->functions.at[f].defined;
    cflri_free(context, s.first);
    cflri_free(context, s.next);
    cflri_free(context, s.stack);
    if (good) return s.entered;
    cflri_free(context, s.entered);
    return NULL;
}
