/* SPDX-License-Identifier: Apache-2.0
 *
 * results.c: what becomes of the results of calls.
 *
 * A wrapper of an allocator says `void *`; what the memory is, its callers say:
 *
 *     void *xmalloc(size_t n) {                   struct list *l = xmalloc(sizeof *l);  struct list
 *         void *p = malloc(n);                    t->root = xmalloc(n);                 struct node
 *         return checked(p, n);                   void *raw = xmalloc(n); use(raw);     not told
 *     }
 *
 * - Types. A call is of the type of what takes its result: of the call itself, when the callee
 *   declares more than
 *   `void *` or `char *`, or else of the nearest variable, member or parameter on the way of the
 *   value that says more. Types spread from these places against assignments, breadth first. Only
 *   variables and temporaries take a type in this way: each of them is one value; memory and
 *   parameters are what they are declared as.
 * - What is handed on. The result of `malloc` in `xmalloc` is a result of `xmalloc`, and so is what
 *   passes through a function that returns its argument (`checked`). Both are one search against
 *   assignments, from the results of all functions at once. A call is in it an assignment from an
 *   argument to the call's result, once the parameter is found to reach the callee's result:
 *
 *     p --argument--> parameter of checked --...--> result of checked --result--> temporary
 *     temporary --> result of xmalloc
 *
 *   Whichever of the two halves is found later looks for the other one. From a member the search
 *   goes on to its record, because a wrapper may put a header before what it returns; it does not
 *   look into memory.
 *
 * Nothing rests on what is found. It decides which calls share a copy (clone.c), and any way to
 * share them is sound.
 *
 * Each search queues a node once. It looks at each assignment once, at arguments twice: O(nodes +
 * assignments).
 */
#include "frontend/contexts/results.h"

#include <string.h>

#include "base/context.h"
#include "frontend/contexts/clone.h"
#include "frontend/facts/facts_table.h"

typedef struct search {
    cflri_program *program;
    const cflri_facts *facts;
    cflri_results *results;
    cflri_groups into;    /* assignments by their target */
    cflri_groups of_call; /* those of calls by the call */
    uint32_t *type;       /* by node: what it points to */
    cflri_node *queue;
    uint32_t first, end;  /* of it */
    cflri_triples *spelt; /* (type, 0, 0) -> what it points to */
    cflr_error *error;
} search;

/* ---- types ---- */

static bool ends_in(const char *text, size_t length, const char *word) {
    size_t n = strlen(word);
    return length >= n && memcmp(text + length - n, word, n) == 0;
}

static const char *after(const char *text, const char *word) {
    size_t n = strlen(word);
    return strncmp(text, word, n) == 0 ? text + n : text;
}

/* The type that a pointer of this type points to, without qualifiers; 0 for a type that is no
 * pointer to an object. */
static uint32_t spell_target(cflri_program *program, const char *type) {
    static const char *const after_it[] = {"const", "volatile", "restrict", " "};
    size_t length = strlen(type);
    for (size_t i = 0; i < 4; i++)
        if (ends_in(type, length, after_it[i])) length -= strlen(after_it[i]);
    if (!ends_in(type, length, "*")) return 0;
    length--;
    while (ends_in(type, length, " ")) length--;
    const char *from = after(after(type, "const "), "volatile ");
    uint32_t id = 0;
    cflr_status st =
        cflri_intern(&program->facts.strings, from, length - (size_t)(from - type), &id, NULL);
    if (st != CFLR_OK) program->facts.status = st;
    return id;
}

/* The same by its number, each type once. */
static uint32_t target_of(search *s, uint32_t type) {
    const cflri_triple key = {type, 0, 0};
    uint32_t target = cflri_triples_find(s->spelt, key);
    if (target != CFLRI_NO_VALUE) return target;
    target = spell_target(s->program, cflri_string(&s->facts->strings, type));
    if (!cflri_triples_add(s->spelt, key, target)) s->program->facts.status = CFLR_NO_MEMORY;
    return target;
}

/* Is it more than memory? Bytes are raw memory as often as they are text. */
static bool tells(const search *s, uint32_t target) {
    static const char *const memory[] = {"void", "char", "unsigned char", "signed char"};
    const char *text = cflri_string(&s->facts->strings, target);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (strcmp(text, memory[i]) == 0) return false;
    return target != 0;
}

/* One value, which is known by its assignments alone. */
static bool is_value(const cflri_node_record *node) {
    bool root = node->kind == CFLR_VERTEX_VARIABLE || node->kind == CFLR_VERTEX_TEMPORARY;
    return node->how == CFLRI_ROOT && root;
}

/* To the sources of node n. */
static void spread_from(search *s, cflri_node n) {
    for (uint32_t i = s->into.start[n]; i < s->into.start[n + 1]; i++) {
        cflri_node from = s->facts->assigns.at[s->into.item[i]].from;
        if (s->type[from] != 0 || !is_value(&s->facts->nodes.at[from])) continue;
        s->type[from] = s->type[n];
        s->queue[s->end++] = from;
    }
}

static void spread_types(search *s) {
    s->first = s->end = 0;
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) {
        uint32_t target = target_of(s, s->facts->nodes.at[n].type);
        if (!tells(s, target)) continue;
        s->type[n] = target;
        s->queue[s->end++] = n;
    }
    while (s->first < s->end) spread_from(s, s->queue[s->first++]);
}

/* ---- what reaches the result ---- */

static bool may_reach(const cflri_node_record *node) {
    if (node->function == 0 || node->single) return false;
    bool slot = node->kind == CFLR_VERTEX_PARAMETER || node->kind == CFLR_VERTEX_RETURN;
    return slot || node->how == CFLRI_FIELD || is_value(node);
}

static void reach(search *s, cflri_node n) {
    if (s->results->returned[n] || !may_reach(&s->facts->nodes.at[n])) return;
    s->results->returned[n] = true;
    s->queue[s->end++] = n;
}

/* The result of a call is one of the caller's: so are the arguments that the callee returns. */
static void through_call(search *s, uint32_t call) {
    if (s->results->handed_on[call]) return;
    s->results->handed_on[call] = true;
    for (uint32_t i = s->of_call.start[call]; i < s->of_call.start[call + 1]; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[s->of_call.item[i]];
        if (assign->flow == CFLRI_FLOW_ARGUMENT && s->results->returned[assign->to])
            reach(s, assign->from);
    }
}

static bool is_handed_on(const search *s, uint32_t call) {
    return call != CFLRI_NO_CALL && s->results->handed_on[call];
}

static void reach_back(search *s, cflri_node n) {
    const cflri_node_record *node = &s->facts->nodes.at[n];
    if (node->how == CFLRI_FIELD) reach(s, node->base);
    if (node->kind == CFLR_VERTEX_PARAMETER && target_of(s, node->type) != 0)
        s->results->gives_back[node->function] = true;
    for (uint32_t i = s->into.start[n]; i < s->into.start[n + 1]; i++) {
        const cflri_assign *assign = &s->facts->assigns.at[s->into.item[i]];
        if (assign->flow == CFLRI_FLOW_RESULT && assign->call != CFLRI_NO_CALL)
            through_call(s, assign->call);
        else if (assign->flow != CFLRI_FLOW_ARGUMENT || is_handed_on(s, assign->call))
            reach(s, assign->from);
    }
}

/* Starts at the results that are pointers. */
static void start_at_results(search *s) {
    for (cflri_node n = 0; n < s->facts->nodes.n; n++) {
        const cflri_node_record *node = &s->facts->nodes.at[n];
        if (node->kind != CFLR_VERTEX_RETURN) continue;
        uint32_t target = target_of(s, node->type);
        if (target != 0) reach(s, n);
        s->results->declared[node->function] = target;
    }
}

static void find_handed_on(search *s) {
    s->first = s->end = 0;
    start_at_results(s);
    while (s->first < s->end) reach_back(s, s->queue[s->first++]);
}

/* ---- the whole ---- */

static bool make_tables(search *s) {
    cflr_context *context = s->program->context;
    size_t nodes = s->facts->nodes.n, calls = s->facts->calls.n;
    cflri_results *results = s->results;
    results->type = cflri_alloc_array_zero(context, calls, sizeof *results->type);
    results->handed_on = cflri_alloc_array_zero(context, calls, sizeof *results->handed_on);
    results->gives_back =
        cflri_alloc_array_zero(context, s->facts->functions.n, sizeof *results->gives_back);
    results->declared =
        cflri_alloc_array_zero(context, s->facts->functions.n, sizeof *results->declared);
    s->type = cflri_alloc_array_zero(context, nodes, sizeof *s->type);
    results->returned = cflri_alloc_array_zero(context, nodes, sizeof *results->returned);
    s->queue = cflri_alloc_array(context, nodes, sizeof *s->queue);
    s->spelt = cflri_triples_new(context);
    return results->type && results->handed_on && results->gives_back && results->declared &&
           results->returned && s->type && s->queue && s->spelt;
}

/* The result of call `call` goes to `taker`, which says more than the callee or leaves it at
 * that. */
static void take_type(search *s, uint32_t call, cflri_node taker) {
    uint32_t *type = &s->results->type[call];
    bool any = strcmp(cflri_string(&s->facts->strings, *type), "void") == 0;
    if (s->type[taker] != 0 || any) *type = s->type[taker];
}

static void take_types(search *s) {
    const cflri_facts *facts = s->facts;
    for (size_t i = 0; i < facts->calls.n; i++)
        s->results->type[i] = s->results->declared[facts->calls.at[i].callee];
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        bool result = assign->flow == CFLRI_FLOW_RESULT && assign->call != CFLRI_NO_CALL;
        if (result) take_type(s, assign->call, assign->to);
    }
}

cflr_status cflri_results_find(cflri_results *results, cflri_program *program, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = program->context;
    search s = {.program = program, .facts = &program->facts, .results = results, .error = error};
    if (!make_tables(&s)) CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(cflri_group_assigns(s.facts, CFLRI_BY_TARGET, &s.into, error));
    CFLR_TRY(cflri_group_assigns(s.facts, CFLRI_BY_CALL, &s.of_call, error));
    spread_types(&s);
    find_handed_on(&s);
    take_types(&s);
    if (program->facts.status != CFLR_OK) st = cflri_fail_memory(context, error);
out:
    cflri_free(context, s.into.start);
    cflri_free(context, s.into.item);
    cflri_free(context, s.of_call.start);
    cflri_free(context, s.of_call.item);
    cflri_free(context, s.type);
    cflri_free(context, s.queue);
    cflri_triples_free(s.spelt);
    return st;
}

void cflri_results_free(cflr_context *context, cflri_results *results) {
    cflri_free(context, results->type);
    cflri_free(context, results->handed_on);
    cflri_free(context, results->gives_back);
    cflri_free(context, results->declared);
    cflri_free(context, results->returned);
}
