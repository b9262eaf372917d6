/* SPDX-License-Identifier: Apache-2.0
 *
 * clone.c: which copies of which functions there are.
 *
 * Graspan (Wang et al., ASPLOS 2017) makes an analysis context-sensitive by copying each callee
 * into its callers before the closure. The same is done here on nodes and instances:
 *
 *     main ---call 1--> f ---call 3--> g         instances: main, f(1), f(2), g(1>3), g(2>3)
 *          ---call 2--> f
 *
 * - The unit of copying is a strongly connected component of direct calls: inside one, calls stay
 *   inside the same copy, so recursion ends.
 * - Components without direct calls get one instance, and so do components that are entered in
 *   another way: through a value, or by a summary (qsort). It is their base instance, whose
 *   parameters are what calls through values reach.
 * - From these, breadth first, each direct call gets a copy of its callee. Breadth first, because
 *   at the bound the shallow contexts are worth more than one deep branch. At the bound the
 *   remaining calls share their callee's base instance, and are counted.
 * - Copies of heap objects alone: only components that return fresh memory (wrappers.c) are copied,
 *   and calls of all others go to base instances.
 * - The same by types: a call goes to the copy for the type that its result is taken for
 *   (results.c), and so do the calls that the copy makes for its own result, of wrappers and of
 *   functions that return their argument:
 *
 *     o = xmalloc(n)  ---> xmalloc<object> ---> malloc_or_die<object>, checked<object>
 *     s = make_list() ---> make_list ---> xmalloc<list> ---> malloc_or_die<list>, checked<list>
 *
 *   The base instance stands for the type that the function declares. Memory whose type is not
 *   known has the call for its context.
 * - A call that passes no pointer in or out needs no copy of its own: its callee does the same
 *   for each such call. All such calls of a component share one "quiet" instance.
 *
 * Copies are of everything that belongs to the function, allocation sites too; not of static
 * variables, string literals and null pointers, which are one thing for all calls.
 *
 * Time and space are linear in program and result: a component costs its nodes and its calls for
 * each copy.
 */
#include "frontend/contexts/clone.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/components.h"
#include "base/context.h"
#include "frontend/contexts/lookups.h"
#include "frontend/contexts/results.h"
#include "frontend/contexts/sites.h"
#include "frontend/contexts/wrappers.h"
#include "frontend/facts/facts_table.h"

enum {
    MOST_WRAPPER_NODES = 300, /* of a component that is copied for its heap objects */
    LONGEST_TYPE = 100,       /* in a context */
};

/* A copy of a whole component: its members' instances follow each other. */
typedef struct copy {
    uint32_t component;
    uint32_t first_instance;
    cflri_path path;
} copy;

typedef struct cloner {
    cflri_contexts *contexts;
    cflri_program *program;
    cflr_context *context;
    uint64_t limit;
    cflr_contexts mode;
    bool *fresh;           /* by component, to distinguish only heap objects: returns a new one */
    bool *chosen;          /* by component, the same: it is copied */
    cflri_results results; /* by types */
    cflri_lookups lookups; /* the same */
    cflri_triples *shared; /* by types: (component, context, 0) -> copy */
    bool *carries;         /* by call: a pointer passes in or out */
    uint32_t *component;   /* by function */
    uint32_t *member;      /* by function: its place among the members of its component */
    uint32_t n_components;
    cflri_groups members; /* functions by component */
    uint64_t *size;       /* by component: nodes */
    bool *entered;        /* by component */
    bool *called;         /* by component: directly, from another one */
    bool *made;           /* by component: it has a copy */
    uint32_t *base;       /* by component: the copy, or NO_INSTANCE */
    uint32_t *quiet;
    CFLRI_VEC(copy) copies; /* in order of making: the queue of the search */
    cflr_error *error;
} cloner;

static cflr_status no_memory(const cloner *c) {
    return cflri_fail_memory(c->context, c->error);
}

/* ---- the owner of a node ---- */

static void find_owners(cflri_contexts *contexts) {
    const cflri_facts *facts = &contexts->program->facts;
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        bool follows =
            node->how != CFLRI_ROOT && facts->nodes.at[node->base].function == node->function;
        bool one_for_all = node->single || node->kind == CFLR_VERTEX_STRING ||
                           node->kind == CFLR_VERTEX_NULL_VALUE;
        if (follows)
            contexts->owner[n] = contexts->owner[node->base];
        else
            contexts->owner[n] = one_for_all ? 0 : node->function;
    }
}

/* An assignment between two functions that is no passing of values (through a slot) ties their
 * instances together: such an end becomes one for all. No C says so, but the file of a linkable
 * graph may. */
static bool tie(cflri_contexts *contexts, const cflri_assign *assign, cflri_node end) {
    cflri_program *program = contexts->program;
    uint32_t owner = contexts->owner[end];
    if (owner == 0 || owner == cflri_program_owner(program, assign)) return false;
    cflri_node anchor = cflri_program_anchor(program, end);
    if (cflri_program_slot_owner(program, anchor) != 0) return false;
    program->facts.nodes.at[anchor].single = true;
    return true;
}

static void tie_all(cflri_contexts *contexts) {
    const cflri_facts *facts = &contexts->program->facts;
    bool tied = false;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        tied |= tie(contexts, assign, assign->from);
        tied |= tie(contexts, assign, assign->to);
    }
    if (tied) find_owners(contexts);
}

/* Owners of kept nodes for grouping: UINT32_MAX for the rest. `local` is scratch until numbered. */
static cflr_status group_nodes(cflri_contexts *contexts, cflr_error *error) {
    const cflri_program *program = contexts->program;
    size_t n = program->facts.nodes.n;
    for (size_t i = 0; i < n; i++)
        contexts->local[i] = program->kept[i] ? contexts->owner[i] : UINT32_MAX;
    cflr_status st = cflri_group(program->context, contexts->local, n, program->facts.functions.n,
                                 &contexts->nodes, error);
    if (st != CFLR_OK) return st;
    for (size_t f = 0; f < program->facts.functions.n; f++)
        for (uint32_t i = contexts->nodes.start[f]; i < contexts->nodes.start[f + 1]; i++)
            contexts->local[contexts->nodes.item[i]] = i - contexts->nodes.start[f];
    return CFLR_OK;
}

static cflr_status group_calls(cflri_contexts *contexts, cflr_error *error) {
    const cflri_program *program = contexts->program;
    size_t n = program->facts.calls.n;
    for (size_t i = 0; i < n; i++) contexts->ordinal[i] = program->facts.calls.at[i].caller;
    cflr_status st = cflri_group(program->context, contexts->ordinal, n, program->facts.functions.n,
                                 &contexts->calls, error);
    if (st != CFLR_OK) return st;
    for (size_t f = 0; f < program->facts.functions.n; f++)
        for (uint32_t i = contexts->calls.start[f]; i < contexts->calls.start[f + 1]; i++)
            contexts->ordinal[contexts->calls.item[i]] = i - contexts->calls.start[f];
    return CFLR_OK;
}

static uint32_t nodes_of(const cflri_contexts *contexts, uint32_t f) {
    return contexts->nodes.start[f + 1] - contexts->nodes.start[f];
}

/* ---- instances ---- */

static cflr_status add_instance(cloner *c, uint32_t f, uint32_t text, bool base) {
    cflri_contexts *contexts = c->contexts;
    uint32_t n_calls = contexts->calls.start[f + 1] - contexts->calls.start[f];
    if (contexts->n_vertices + nodes_of(contexts, f) > CFLR_MAX_VERTICES ||
        contexts->targets.n + n_calls >= UINT32_MAX)
        return cflri_fail(c->error, CFLR_LIMIT, NULL, "the program has too many vertices");
    const cflri_instance made = {.function = f,
                                 .context = text,
                                 .first_vertex = (uint32_t)contexts->n_vertices,
                                 .first_target = (uint32_t)contexts->targets.n,
                                 .base = base};
    if (!cflri_vec_push(c->context, &contexts->instances, made) ||
        !cflri_vec_reserve(c->context, &contexts->targets, n_calls))
        return no_memory(c);
    for (uint32_t i = 0; i < n_calls; i++)
        contexts->targets.at[contexts->targets.n++] = CFLRI_NO_INSTANCE;
    contexts->n_vertices += nodes_of(contexts, f);
    if (base) contexts->base[f] = (uint32_t)contexts->instances.n - 1;
    return CFLR_OK;
}

/* Does the program have the callee's body? */
static bool has_body(const cloner *c, const cflri_call *call) {
    return call->callee != 0 && c->program->role[call->callee].body == CFLRI_BODY_HERE;
}

/* One instance each. */
static cflr_status make_bases(cloner *c) {
    cflr_status st = CFLR_OK;
    cflri_contexts *contexts = c->contexts;
    const cflri_facts *facts = &c->program->facts;
    for (uint32_t f = 1; f < facts->functions.n; f++) CFLR_TRY(add_instance(c, f, 0, true));
    for (size_t i = 0; i < facts->calls.n; i++) {
        const cflri_call *call = &facts->calls.at[i];
        if (!has_body(c, call)) continue;
        const cflri_instance *caller = &contexts->instances.at[contexts->base[call->caller]];
        contexts->targets.at[caller->first_target + contexts->ordinal[i]] =
            contexts->base[call->callee];
    }
out:
    return st;
}

/* ---- components ---- */

static cflr_status find_components(cloner *c) {
    cflr_status st = CFLR_OK;
    const cflri_facts *facts = &c->program->facts;
    uint32_t n = (uint32_t)facts->functions.n;
    cflri_groups edges = {0};
    uint64_t *start = NULL;
    uint32_t *caller = cflri_alloc_array(c->context, facts->calls.n, sizeof *caller);
    if (!caller) CFLR_TRY(no_memory(c));
    for (size_t i = 0; i < facts->calls.n; i++)
        caller[i] = has_body(c, &facts->calls.at[i]) ? facts->calls.at[i].caller : UINT32_MAX;
    CFLR_TRY(cflri_group(c->context, caller, facts->calls.n, n, &edges, c->error));
    for (uint32_t i = 0; i < edges.start[n]; i++)
        edges.item[i] = facts->calls.at[edges.item[i]].callee;
    start = cflri_alloc_array(c->context, (size_t)n + 1, sizeof *start);
    if (!start) CFLR_TRY(no_memory(c));
    for (uint32_t i = 0; i <= n; i++) start[i] = edges.start[i];
    const cflri_successors graph = {n, start, edges.item, NULL};
    CFLR_TRY(cflri_components(c->context, &graph, c->component, &c->n_components, c->error));
    CFLR_TRY(cflri_group(c->context, c->component, n, c->n_components, &c->members, c->error));
    for (uint32_t k = 0; k < c->n_components; k++)
        for (uint32_t i = c->members.start[k]; i < c->members.start[k + 1]; i++)
            c->member[c->members.item[i]] = i - c->members.start[k];
out:
    cflri_free(c->context, caller);
    cflri_free(c->context, start);
    cflri_free(c->context, edges.start);
    cflri_free(c->context, edges.item);
    return st;
}

static void describe_components(cloner *c) {
    const cflri_facts *facts = &c->program->facts;
    for (uint32_t f = 0; f < facts->functions.n; f++) {
        uint32_t k = c->component[f];
        c->size[k] += nodes_of(c->contexts, f);
        c->entered[k] |= c->program->role[f].entered;
    }
    for (size_t i = 0; i < facts->calls.n; i++) {
        const cflri_call *call = &facts->calls.at[i];
        if (has_body(c, call) && c->component[call->caller] != c->component[call->callee])
            c->called[c->component[call->callee]] = true;
    }
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        bool passes = assign->flow == CFLRI_FLOW_ARGUMENT || assign->flow == CFLRI_FLOW_RESULT;
        if (passes && assign->call != CFLRI_NO_CALL) c->carries[assign->call] = true;
    }
    for (uint32_t k = 0; k < c->n_components; k++) c->base[k] = c->quiet[k] = CFLRI_NO_INSTANCE;
}

/* ---- the search ---- */

static cflr_status add_copy(cloner *c, uint32_t k, cflri_path path, bool base, uint32_t *number) {
    cflr_status st = CFLR_OK;
    const copy made = {k, (uint32_t)c->contexts->instances.n, path};
    *number = (uint32_t)c->copies.n;
    if (!cflri_vec_push(c->context, &c->copies, made)) CFLR_TRY(no_memory(c));
    for (uint32_t i = c->members.start[k]; i < c->members.start[k + 1]; i++)
        CFLR_TRY(add_instance(c, c->members.item[i], path.text, base));
    if (c->made[k]) c->contexts->copies += c->members.start[k + 1] - c->members.start[k];
    c->made[k] = true;
    if (base) c->base[k] = *number;
out:
    return st;
}

static cflr_status base_copy(cloner *c, uint32_t k, uint32_t *number) {
    *number = c->base[k];
    if (*number != CFLRI_NO_INSTANCE) return CFLR_OK;
    return add_copy(c, k, (cflri_path){0, 0}, true, number);
}

/* The one copy for all calls that pass nothing. When values reach the base, it is another one. */
static cflr_status quiet_copy(cloner *c, uint32_t k, uint32_t *number) {
    *number = c->quiet[k];
    if (*number != CFLRI_NO_INSTANCE) return CFLR_OK;
    bool room = c->contexts->n_vertices + c->size[k] <= c->limit;
    cflr_status st;
    if (c->entered[k] && c->size[k] > 0 && room) {
        const cflri_path path = {cflri_facts_string(&c->program->facts, "*"), 1};
        st = add_copy(c, k, path, false, number);
    } else {
        st = base_copy(c, k, number);
    }
    c->quiet[k] = *number;
    return st;
}

/* "<struct list>". Types that differ only in what is cut off share their copies. */
static cflri_path type_path(cloner *c, uint32_t type) {
    char text[LONGEST_TYPE + 8];
    const char *name = cflri_string(&c->program->facts.strings, type);
    snprintf(text, sizeof text, "<%.*s>", LONGEST_TYPE, name);
    return (cflri_path){cflri_facts_string(&c->program->facts, text), 0};
}

/* "[tokens]", and a number, since several may have the name. */
static cflri_path table_path(cloner *c, cflri_node table) {
    char text[LONGEST_TYPE + 32];
    const char *name =
        cflri_string(&c->program->facts.strings, c->program->facts.nodes.at[table].name);
    snprintf(text, sizeof text, "[%.*s %" PRIu32 "]", LONGEST_TYPE, name, table);
    return (cflri_path){cflri_facts_string(&c->program->facts, text), 0};
}

/* By types: the context of a call to component k, the empty one for its base copy. */
static cflri_path context_by_type(cloner *c, const copy *from, uint32_t call, uint32_t k) {
    const cflri_path base = {0, 0};
    uint32_t type = c->results.type[call], table = c->lookups.table[call];
    if (table != 0) return table_path(c, table);
    if (c->results.handed_on[call] && from->path.text != 0) return from->path;
    if (type == c->results.declared[c->program->facts.calls.at[call].callee]) return base;
    if (type != 0) return type_path(c, type);
    return c->fresh[k] ? cflri_path_extend(c->program, base, call) : base;
}

/* The copy of component k that `call` of `from` goes to. */
static cflr_status choose_copy(cloner *c, const copy *from, uint32_t call, uint32_t k,
                               uint32_t *number) {
    cflr_status st = CFLR_OK;
    bool by_type = c->mode == CFLR_CONTEXT_TYPES;
    if (c->chosen && !c->chosen[k]) return base_copy(c, k, number);
    if (!c->carries[call]) return quiet_copy(c, k, number);
    const cflri_path path = by_type ? context_by_type(c, from, call, k)
                                    : cflri_path_extend(c->program, from->path, call);
    if (c->program->facts.status != CFLR_OK) return no_memory(c);
    if (path.text == 0) return base_copy(c, k, number);
    const cflri_triple key = {k, path.text, 0};
    *number = by_type ? cflri_triples_find(c->shared, key) : CFLRI_NO_VALUE;
    if (*number != CFLRI_NO_VALUE) return CFLR_OK;
    if (c->contexts->n_vertices + c->size[k] > c->limit) {
        c->contexts->limited++;
        return base_copy(c, k, number);
    }
    CFLR_TRY(add_copy(c, k, path, false, number));
    if (by_type && !cflri_triples_add(c->shared, key, *number)) CFLR_TRY(no_memory(c));
out:
    return st;
}

static cflr_status resolve_calls(cloner *c, const copy *from, uint32_t instance) {
    cflr_status st = CFLR_OK;
    cflri_contexts *contexts = c->contexts;
    uint32_t f = contexts->instances.at[instance].function;
    for (uint32_t i = contexts->calls.start[f]; i < contexts->calls.start[f + 1]; i++) {
        uint32_t call = contexts->calls.item[i];
        const cflri_call *record = &c->program->facts.calls.at[call];
        if (!has_body(c, record)) continue;
        uint32_t k = c->component[record->callee];
        uint32_t first = from->first_instance;
        if (k != from->component) {
            uint32_t number;
            CFLR_TRY(choose_copy(c, from, call, k, &number));
            first = c->copies.at[number].first_instance;
        }
        uint32_t target =
            contexts->instances.at[instance].first_target + i - contexts->calls.start[f];
        contexts->targets.at[target] = first + c->member[record->callee];
    }
out:
    return st;
}

/* A node of `owner` is named in the code of another function: there it means the one of the base
 * instance. */
static cflr_status add_named(cloner *c, uint32_t owner, uint32_t other) {
    uint32_t number;
    if (owner == 0 || owner == other) return CFLR_OK;
    return base_copy(c, c->component[owner], &number);
}

/* The nodes that an assignment of `f` names, but for what a direct call passes, which is the copy's
 * that is called. */
static cflr_status add_ends(cloner *c, const cflri_assign *assign, uint32_t f) {
    const uint32_t *owner = c->contexts->owner;
    bool argument = assign->flow == CFLRI_FLOW_ARGUMENT, result = assign->flow == CFLRI_FLOW_RESULT;
    bool direct = assign->call != CFLRI_NO_CALL && (argument || result);
    uint32_t callee = direct ? c->program->facts.calls.at[assign->call].callee : 0;
    cflr_status st = add_named(c, owner[assign->from], direct && result ? callee : f);
    return st == CFLR_OK ? add_named(c, owner[assign->to], direct && argument ? callee : f) : st;
}

/* In programs of C all of these are entered anyhow; the file of a linkable graph may say what C
 * cannot. */
static cflr_status add_all_named(cloner *c) {
    cflr_status st = CFLR_OK;
    const cflri_program *program = c->program;
    const cflri_facts *facts = &program->facts;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        CFLR_TRY(add_ends(c, assign, cflri_program_owner(program, assign)));
    }
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        if (program->kept[n] && node->how != CFLRI_ROOT)
            CFLR_TRY(add_named(c, c->contexts->owner[node->base], c->contexts->owner[n]));
    }
out:
    return st;
}

/* File scope, then base instances of what is entered from outside the direct calls, in order of
 * functions. */
static cflr_status add_roots(cloner *c) {
    cflr_status st = CFLR_OK;
    if (!cflri_vec_push(c->context, &c->copies, (copy){.component = c->component[0]}))
        CFLR_TRY(no_memory(c));
    for (uint32_t f = 1; f < c->program->facts.functions.n; f++) {
        uint32_t k = c->component[f], number;
        bool defined = c->program->role[f].body == CFLRI_BODY_HERE;
        if (defined ? !c->called[k] || c->entered[k] : nodes_of(c->contexts, f) > 0)
            CFLR_TRY(base_copy(c, k, &number));
    }
    st = add_all_named(c);
out:
    return st;
}

static cflr_status search(cloner *c) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_program_name_sites(c->program, c->error));
    CFLR_TRY(add_roots(c));
    for (size_t i = 0; i < c->copies.n; i++) {
        const copy from = c->copies.at[i]; /* the vector moves as it grows */
        uint32_t n = c->members.start[from.component + 1] - c->members.start[from.component];
        for (uint32_t m = 0; m < n; m++) CFLR_TRY(resolve_calls(c, &from, from.first_instance + m));
        if (i % 1024 == 0) st = cflri_interrupted(c->context);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(c->context, st, c->error));
    }
out:
    return st;
}

static bool make_tables(cloner *c) {
    size_t functions = c->program->facts.functions.n;
    c->carries = cflri_alloc_array_zero(c->context, c->program->facts.calls.n, sizeof(bool));
    c->component = cflri_alloc_array(c->context, functions, sizeof *c->component);
    c->member = cflri_alloc_array(c->context, functions, sizeof *c->member);
    c->size = cflri_alloc_array_zero(c->context, functions, sizeof *c->size);
    c->entered = cflri_alloc_array_zero(c->context, functions, sizeof *c->entered);
    c->called = cflri_alloc_array_zero(c->context, functions, sizeof *c->called);
    c->made = cflri_alloc_array_zero(c->context, functions, sizeof *c->made);
    c->base = cflri_alloc_array(c->context, functions, sizeof *c->base);
    c->quiet = cflri_alloc_array(c->context, functions, sizeof *c->quiet);
    return c->carries && c->component && c->member && c->size && c->entered && c->called &&
           c->made && c->base && c->quiet;
}

static void free_tables(cloner *c) {
    cflri_free(c->context, c->fresh);
    cflri_free(c->context, c->chosen);
    cflri_results_free(c->context, &c->results);
    cflri_lookups_free(c->context, &c->lookups);
    cflri_triples_free(c->shared);
    cflri_free(c->context, c->carries);
    cflri_free(c->context, c->component);
    cflri_free(c->context, c->member);
    cflri_free(c->context, c->size);
    cflri_free(c->context, c->entered);
    cflri_free(c->context, c->called);
    cflri_free(c->context, c->made);
    cflri_free(c->context, c->base);
    cflri_free(c->context, c->quiet);
    cflri_free(c->context, c->members.start);
    cflri_free(c->context, c->members.item);
    cflri_vec_free(c->context, &c->copies);
}

/* Chooses the components to copy when only heap objects are distinguished: small ones that return
 * fresh memory or, by types, their arguments. */
static cflr_status choose_components(cloner *c) {
    cflr_status st = CFLR_OK;
    bool *returns_fresh = NULL;
    c->fresh = cflri_alloc_array_zero(c->context, c->n_components, sizeof *c->fresh);
    c->chosen = cflri_alloc_array_zero(c->context, c->n_components, sizeof *c->chosen);
    if (!c->fresh || !c->chosen) CFLR_TRY(no_memory(c));
    CFLR_TRY(cflri_wrappers_find(c->program, c->results.returned, &returns_fresh, c->error));
    for (uint32_t f = 0; f < c->program->facts.functions.n; f++) {
        uint32_t k = c->component[f];
        bool gives_back = c->results.gives_back && c->results.gives_back[f];
        c->fresh[k] |= returns_fresh[f];
        bool looks = c->lookups.looks && c->lookups.looks[f];
        c->chosen[k] |=
            (returns_fresh[f] || gives_back || looks) && c->size[k] <= MOST_WRAPPER_NODES;
    }
out:
    cflri_free(c->context, returns_fresh);
    return st;
}

/* Makes the tables that contexts by types need. */
static cflr_status prepare_types(cloner *c) {
    c->shared = cflri_triples_new(c->context);
    if (!c->shared) return no_memory(c);
    cflr_status st = cflri_results_find(&c->results, c->program, c->error);
    if (st != CFLR_OK) return st;
    return cflri_lookups_find(&c->lookups, c->program, &c->results, c->error);
}

static cflr_status make_copies(cloner *c) {
    cflr_status st = CFLR_OK;
    if (!make_tables(c)) CFLR_TRY(no_memory(c));
    CFLR_TRY(find_components(c));
    describe_components(c);
    if (c->mode == CFLR_CONTEXT_TYPES) CFLR_TRY(prepare_types(c));
    if (c->mode != CFLR_CONTEXT_CLONE) CFLR_TRY(choose_components(c));
    CFLR_TRY(search(c));
out:
    free_tables(c);
    return st;
}

/* The size that a closure can be expected to finish with on one machine, or a little more than
 * without copies. */
static uint64_t default_limit(const cflri_contexts *contexts) {
    uint64_t n = contexts->nodes.start[contexts->program->facts.functions.n];
    return n + n / 4 > CFLRI_CLONE_LIMIT ? n + n / 4 : CFLRI_CLONE_LIMIT;
}

cflr_status cflri_contexts_make(cflri_contexts *contexts, cflri_program *program,
                                cflr_contexts mode, uint64_t limit, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = program->context;
    const cflri_facts *facts = &program->facts;
    *contexts = (cflri_contexts){.program = program};
    cloner c = {
        .contexts = contexts, .program = program, .context = context, .mode = mode, .error = error};
    contexts->owner = cflri_alloc_array(context, facts->nodes.n, sizeof *contexts->owner);
    contexts->local = cflri_alloc_array(context, facts->nodes.n, sizeof *contexts->local);
    contexts->base = cflri_alloc_array(context, facts->functions.n, sizeof *contexts->base);
    contexts->ordinal = cflri_alloc_array(context, facts->calls.n, sizeof *contexts->ordinal);
    if (!contexts->owner || !contexts->local || !contexts->base || !contexts->ordinal)
        CFLR_TRY(no_memory(&c));
    memset(contexts->base, 0xff, facts->functions.n * sizeof *contexts->base);
    find_owners(contexts);
    tie_all(contexts);
    CFLR_TRY(group_nodes(contexts, error));
    CFLR_TRY(group_calls(contexts, error));
    CFLR_TRY(add_instance(&c, 0, 0, true));
    c.limit = limit ? limit : default_limit(contexts);
    CFLR_TRY(mode == CFLR_CONTEXT_NONE ? make_bases(&c) : make_copies(&c));
out:
    return st;
}

void cflri_contexts_free(cflri_contexts *contexts) {
    if (!contexts->program) return;
    cflr_context *context = contexts->program->context;
    cflri_free(context, contexts->owner);
    cflri_free(context, contexts->local);
    cflri_free(context, contexts->base);
    cflri_free(context, contexts->ordinal);
    cflri_free(context, contexts->nodes.start);
    cflri_free(context, contexts->nodes.item);
    cflri_free(context, contexts->calls.start);
    cflri_free(context, contexts->calls.item);
    cflri_vec_free(context, &contexts->instances);
    cflri_vec_free(context, &contexts->targets);
    memset(contexts, 0, sizeof *contexts);
}

uint32_t cflri_contexts_vertex(const cflri_contexts *contexts, uint32_t instance, cflri_node node) {
    assert(contexts->program->kept[node] && instance < contexts->instances.n);
    uint32_t owner = contexts->owner[node];
    if (owner != contexts->instances.at[instance].function)
        instance = owner == 0 ? 0 : contexts->base[owner];
    assert(instance != CFLRI_NO_INSTANCE);
    return contexts->instances.at[instance].first_vertex + contexts->local[node];
}

void cflri_contexts_assign(const cflri_contexts *contexts, uint32_t i, const cflri_assign *assign,
                           uint32_t *from, uint32_t *to) {
    uint32_t from_in = i, to_in = i;
    bool argument = assign->flow == CFLRI_FLOW_ARGUMENT, result = assign->flow == CFLRI_FLOW_RESULT;
    if (assign->call != CFLRI_NO_CALL && (argument || result)) {
        const cflri_instance *instance = &contexts->instances.at[i];
        uint32_t target =
            contexts->targets.at[instance->first_target + contexts->ordinal[assign->call]];
        assert(target != CFLRI_NO_INSTANCE);
        *(argument ? &to_in : &from_in) = target;
    }
    *from = cflri_contexts_vertex(contexts, from_in, assign->from);
    *to = cflri_contexts_vertex(contexts, to_in, assign->to);
}

cflr_status cflri_contexts_group(const cflri_contexts *contexts, cflri_groups *groups,
                                 cflr_error *error) {
    cflr_context *context = contexts->program->context;
    size_t n = contexts->instances.n;
    uint32_t *function = cflri_alloc_array(context, n, sizeof *function);
    if (!function) return cflri_fail_memory(context, error);
    for (size_t i = 0; i < n; i++) function[i] = contexts->instances.at[i].function;
    cflr_status st =
        cflri_group(context, function, n, contexts->program->facts.functions.n, groups, error);
    cflri_free(context, function);
    return st;
}
