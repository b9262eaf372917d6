/* SPDX-License-Identifier: Apache-2.0
 *
 * callees.c: which calls through values may enter which functions, by their types.
 *
 * A call by a signature enters functions whose signature fits (signature.c), those whose signature
 * the program turns directly into the call's, and those whose type does not say. A call whose type
 * does not say enters all; so does one by a signature that no function of the program has which can be
 * called through a value: then the types of this program tell nothing about it.
 *
 *     calls by      functions of                    enter
 *     v(p)          v(pstruct_list)  free           fits: a pointer to anything
 *     i4(p,p)       i4(i4,i4)                       only if the program turns (int (*)(int, int)) into it
 *     i4(f8)        none                            all: a note tells the call
 *
 * One step of conversion counts and no chain of them: what is turned into a `void (*)(void)` that
 * stands for any function, and from that into something else, is called by its own type.
 *
 * Compares each signature of calls with each one of functions.
 */
#include "frontend/callees.h"

#include <stdlib.h>

#include "frontend/signature.h"

typedef struct maker {
    cflri_program *program;
    const cflri_facts *facts;
    cflri_callees *to;
    bool *calls, *has; /* by signature: of a call, of a function that is called through a value */
} maker;

static const char *text(const maker *m, uint32_t signature) {
    return cflri_string(&m->facts->strings, m->facts->signatures.at[signature]);
}

static uint32_t signature_of(const cflri_facts *facts, uint32_t function) {
    uint32_t told = facts->functions.at[function].signature;
    return told == CFLRI_NO_SIGNATURE ? CFLRI_ANY_SIGNATURE : told;
}

static void find_signatures(const maker *m) {
    for (size_t i = 0; i < m->facts->called.n; i++) {
        const cflri_called *called = &m->facts->called.at[i];
        if (cflri_program_calls(m->program, called)) m->calls[called->signature] = true;
    }
    for (uint32_t f = 1; f < m->facts->functions.n; f++)
        if (m->program->role[f].valued) m->has[signature_of(m->facts, f)] = true;
    m->calls[CFLRI_ANY_SIGNATURE] = false;
}

static int compare(const void *a, const void *b) {
    const cflri_turned *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static bool is_turned(const maker *m, uint32_t from, uint32_t to) {
    const cflri_turned key = {from, to};
    return m->facts->turned.n &&
           bsearch(&key, m->facts->turned.at, m->facts->turned.n, sizeof key, compare) != NULL;
}

/* The calls that enter functions of that signature. */
static bool find_calls(const maker *m, uint32_t function) {
    bool good = true;
    for (uint32_t call = 1; call < m->facts->signatures.n && m->has[function] && good; call++) {
        bool fits = m->calls[call] && (cflri_signatures_fit(text(m, call), text(m, function)) ||
                                       is_turned(m, function, call));
        if (fits) good = cflri_vec_push(m->program->context, &m->to->signature, call);
        if (fits && function != CFLRI_ANY_SIGNATURE) m->to->loose[call] = false;
    }
    return good;
}

static bool find_all(const maker *m) {
    size_t n = m->facts->signatures.n;
    bool good = true;
    for (size_t s = 0; s < n; s++) m->to->loose[s] = m->calls[s];
    for (uint32_t s = 0; s < n && good; s++) {
        m->to->start[s] = m->to->signature.n;
        good = find_calls(m, s);
    }
    m->to->start[n] = m->to->signature.n;
    return good;
}

static void note_loose(const maker *m) {
    cflri_facts *facts = &m->program->facts;
    for (size_t i = 0; i < facts->called.n; i++) {
        const cflri_called *called = &facts->called.at[i];
        bool again = i > 0 && facts->called.at[i - 1].call == called->call;
        if (!again && m->to->loose[called->signature])
            cflri_facts_note_at(facts, CFLR_NOTE_ASSUMED, &facts->calls.at[called->call].place,
                                "no function has the type of this call: it may enter any");
    }
}

cflr_status cflri_callees_make(cflri_program *program, cflr_error *error) {
    cflr_context *context = program->context;
    cflri_facts *facts = &program->facts;
    size_t n = facts->signatures.n;
    maker m = {.program = program, .facts = facts, .to = &program->callees};
    bool good = true;
    if (!program->by_type) return CFLR_OK;
    if (facts->turned.n) qsort(facts->turned.at, facts->turned.n, sizeof *facts->turned.at, compare);
    m.calls = cflri_alloc_array_zero(context, n, sizeof *m.calls);
    m.has = cflri_alloc_array_zero(context, n, sizeof *m.has);
    m.to->loose = cflri_alloc_array_zero(context, n, sizeof *m.to->loose);
    m.to->start = cflri_alloc_array(context, n + 1, sizeof *m.to->start);
    good = m.calls && m.has && m.to->loose && m.to->start;
    if (good) find_signatures(&m);
    if (good) good = find_all(&m);
    if (good) note_loose(&m);
    cflri_free(context, m.calls);
    cflri_free(context, m.has);
    return good && facts->status == CFLR_OK ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_callees_free(cflr_context *context, cflri_callees *callees) {
    cflri_free(context, callees->start);
    cflri_free(context, callees->loose);
    cflri_vec_free(context, &callees->signature);
}

uint32_t cflri_called_by(const cflri_program *program, uint32_t signature) {
    const cflri_callees *callees = &program->callees;
    bool any = !callees->start || signature == CFLRI_ANY_SIGNATURE || callees->loose[signature];
    return any ? CFLRI_NO_SIGNATURE : signature;
}

cflri_entries cflri_entries_of(const cflri_program *program, uint32_t function) {
    const cflri_callees *callees = &program->callees;
    if (!callees->start) return (cflri_entries){NULL, 0};
    const size_t *start = &callees->start[signature_of(&program->facts, function)];
    return (cflri_entries){callees->signature.at + start[0], start[1] - start[0]};
}

bool cflri_enters(const cflri_program *program, uint32_t function, uint32_t signature) {
    const cflri_entries by = cflri_entries_of(program, function);
    bool enters = signature == CFLRI_NO_SIGNATURE;
    for (size_t k = 0; k < by.n && !enters; k++) enters = by.signature[k] == signature;
    return enters;
}
