/* SPDX-License-Identifier: Apache-2.0
 *
 * callees.c: which calls through values may enter which functions, by their types.
 *
 * A call by a signature enters the functions
 *
 *     of that signature                v(p)    of v(p)
 *     that the program turns into it   v(p)    of v(pstruct_list), where it has
 *                                              (void (*)(void *))free_list, or an assignment or
 *                                              argument without the cast
 *     that fit, and lose their type    v(p)    of v(pstruct_list), where it has
 *                                              (void *)free_list (signature.h)
 *     whose type does not say
 *
 * One step of conversion counts and no chain of them: what is turned into a `void (*)(void)` that
 * stands for any function, and from that into something else, is called by its own type.
 *
 * A call whose type does not say enters all functions. Where none of the first three is there, all
 * that fit are entered. If there are none either, the call is of functions that are not in the
 * program, such as those of modules that are loaded, or breaks C's rules: it enters none. A note
 * says so, and so do answers about calls without functions.
 *
 * Compares each signature of calls with each one of functions.
 */
#include "frontend/program/callees.h"

#include <stdlib.h>
#include <string.h>

/* How much a call by a signature enters. */
typedef enum trust {
    TRUST_TYPE,
    TRUST_FITTING, /* no function has the type: all that fit */
    TRUST_NOTHING, /* none fits */
} trust;

typedef struct maker {
    cflri_program *program;
    const cflri_facts *facts;
    cflri_callees *to;
    bool *calls, *has; /* by signature: of a call, of a function that is called through a value */
} maker;

static bool is_end(char c) {
    return c == '(' || c == ')' || c == ',' || c == '\0';
}

/* How long the part is that begins there. */
static size_t part(const char *text) {
    size_t n = 0;
    while (!is_end(text[n])) n++;
    return n;
}

static bool part_fits(const char *a, size_t n_a, const char *b, size_t n_b) {
    if (n_a == n_b && memcmp(a, b, n_a) == 0) return true;
    bool pointers = n_a > 0 && n_b > 0 && *a == 'p' && *b == 'p';
    return pointers && (n_a == 1 || n_b == 1);
}

/* May a call by the one signature enter a function of the other, by their texts? Symmetric, but not
 * transitive. */
static bool signatures_fit(const char *a, const char *b) {
    if (strcmp(a, CFLRI_ANY_SIGNATURE_TEXT) == 0 || strcmp(b, CFLRI_ANY_SIGNATURE_TEXT) == 0)
        return true;
    for (;;) {
        size_t n_a = part(a), n_b = part(b);
        if (!part_fits(a, n_a, b, n_b) || a[n_a] != b[n_b]) return false;
        if (a[n_a] == '\0') return true;
        a += n_a + 1;
        b += n_b + 1;
    }
}

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
        if (!cflri_program_calls(m->program, called)) continue;
        uint32_t itself = cflri_program_valued(m->program, called->value); /* (c ? f : g)() */
        m->calls[called->signature] = true;
        if (itself) m->has[signature_of(m->facts, itself)] = true;
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

static bool fits(const maker *m, uint32_t function, uint32_t call) {
    return signatures_fit(text(m, call), text(m, function));
}

/* By type, that is. */
static bool has_type(const maker *m, uint32_t function, uint32_t call) {
    return function == call || is_turned(m, function, call) ||
           (is_turned(m, function, CFLRI_ANY_SIGNATURE) && fits(m, function, call));
}

static trust trust_of(const maker *m, uint32_t call) {
    trust found = TRUST_NOTHING;
    for (uint32_t f = 1; f < m->facts->signatures.n && found != TRUST_TYPE; f++) {
        if (m->has[f] && has_type(m, f, call))
            found = TRUST_TYPE;
        else if (m->has[f] && fits(m, f, call))
            found = TRUST_FITTING;
    }
    return found;
}

static bool enters(const maker *m, uint32_t function, uint32_t call, trust by) {
    if (function == CFLRI_ANY_SIGNATURE || has_type(m, function, call)) return true;
    return by == TRUST_FITTING && fits(m, function, call);
}

static bool find_all(const maker *m, uint8_t *by) {
    uint32_t n = (uint32_t)m->facts->signatures.n;
    bool good = true;
    for (uint32_t call = 0; call < n; call++) {
        if (!m->calls[call]) continue;
        by[call] = (uint8_t)trust_of(m, call);
    }
    for (uint32_t f = 0; f < n && good; f++) {
        m->to->start[f] = m->to->signature.n;
        for (uint32_t call = 0; call < n && m->has[f] && good; call++)
            if (m->calls[call] && enters(m, f, call, (trust)by[call]))
                good = cflri_vec_push(m->program->context, &m->to->signature, call);
    }
    m->to->start[n] = m->to->signature.n;
    return good;
}

static void note_strangers(const maker *m, const uint8_t *by) {
    cflri_facts *facts = &m->program->facts;
    for (size_t i = 0; i < facts->called.n; i++) {
        const cflri_called *called = &facts->called.at[i];
        bool again = i > 0 && facts->called.at[i - 1].call == called->call;
        if (!again && m->calls[called->signature] && by[called->signature] == TRUST_NOTHING)
            cflri_facts_note_at(facts, CFLR_NOTE_ASSUMED, &facts->calls.at[called->call].place,
                                "no function has the type of this call: it enters none");
    }
}

cflr_status cflri_callees_make(cflri_program *program, cflr_error *error) {
    cflr_context *context = program->context;
    cflri_facts *facts = &program->facts;
    size_t n = facts->signatures.n;
    maker m = {.program = program, .facts = facts, .to = &program->callees};
    uint8_t *by = NULL;
    bool good = true;
    if (!program->by_type) return CFLR_OK;
    if (facts->turned.n)
        qsort(facts->turned.at, facts->turned.n, sizeof *facts->turned.at, compare);
    m.calls = cflri_alloc_array_zero(context, n, sizeof *m.calls);
    m.has = cflri_alloc_array_zero(context, n, sizeof *m.has);
    by = cflri_alloc_array_zero(context, n, sizeof *by);
    m.to->start = cflri_alloc_array(context, n + 1, sizeof *m.to->start);
    good = m.calls && m.has && by && m.to->start;
    if (good) find_signatures(&m);
    if (good) good = find_all(&m, by);
    if (good) note_strangers(&m, by);
    cflri_free(context, m.calls);
    cflri_free(context, m.has);
    cflri_free(context, by);
    return good && facts->status == CFLR_OK ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_callees_free(cflr_context *context, cflri_callees *callees) {
    cflri_free(context, callees->start);
    cflri_vec_free(context, &callees->signature);
}

uint32_t cflri_called_by(const cflri_program *program, uint32_t signature) {
    bool any = !program->callees.start || signature == CFLRI_ANY_SIGNATURE;
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
