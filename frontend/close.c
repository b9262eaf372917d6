/* SPDX-License-Identifier: Apache-2.0
 *
 * close.c: what only the whole program can tell.
 *
 * 1. Bodies. A direct call states what happens if the callee has a body, and what its summary says
 * if not. Now it is known which:
 *
 *        body here    keep arguments and result, drop the summary's facts
 *        summary      the other way round
 *        body that never returns    what holds only behind the call does not hold
 *        body that tests            what a test of the result has shown not to be null is not null
 *        unknown      arguments flow to the node U of that function, U flows to results.
 *                     U stands for all that the function holds or reaches: emission gives it an
 *                     edge to itself under every label.
 *
 *    A variable that no unit defines is the same: code outside may store in it, or call what is
 *    stored in it, so its address flows to an unknown node of its own.
 *
 *    In an open program all of these nodes are one, the outside, which calls the program, too:
 *    outside.c.
 *
 * 2. Dropped are reads of empty cells of libraries (cells.c), copies of text (pieces.c), integers
 *    that no pointer passes through (integers.c) and temporaries that are never read
 *    (temporaries.c). Pointers that are moved become steps: moves.c. Members of records in records
 *    are members of the whole, too: nested.c.
 *
 * 3. Nodes. Kept are the ends of kept assignments, pointers that the source mentions or defines (so
 *    that questions about them find them), what checks ask about, and the bases of kept nodes. A
 *    function's slots need the function's address only when that address flows somewhere. A slot
 *    that is used as a value is the address of its parameter, which is an object then: taken.
 *
 * Everything is linear in the program.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "frontend/program/callees.h"
#include "frontend/program/cells.h"
#include "frontend/program/integers.h"
#include "frontend/program/link.h"
#include "frontend/program/outside.h"
#include "frontend/program/sections.h"
#include "frontend/program/temporaries.h"
#include "frontend/program/varargs.h"
#include "frontend/typing/made.h"
#include "frontend/typing/moves.h"
#include "frontend/typing/nested.h"
#include "frontend/typing/pieces.h"

static cflr_status no_memory(const cflri_program *program, cflr_error *error) {
    return cflri_fail_memory(program->context, error);
}

static const cflri_node_record *record(const cflri_program *program, cflri_node node) {
    return &program->facts.nodes.at[node];
}

uint32_t cflri_program_valued(const cflri_program *program, cflri_node node) {
    const cflri_node_record *value = record(program, node);
    if (value->how != CFLRI_ADDRESS) return 0;
    const cflri_node_record *object = record(program, value->base);
    return object->kind == CFLR_VERTEX_FUNCTION ? object->step : 0;
}

uint32_t cflri_program_slot_owner(const cflri_program *program, cflri_node node) {
    const cflri_node_record *slot = record(program, node);
    return slot->how == CFLRI_SLOT ? cflri_program_valued(program, slot->base) : 0;
}

cflri_node cflri_program_anchor(const cflri_program *program, cflri_node node) {
    const cflri_node_record *at = record(program, node);
    while (at->how != CFLRI_ROOT && record(program, at->base)->function == at->function) {
        node = at->base;
        at = record(program, node);
    }
    return node;
}

static bool is_direct(const cflri_assign *assign) {
    return assign->call != CFLRI_NO_CALL &&
           (assign->flow == CFLRI_FLOW_ARGUMENT || assign->flow == CFLRI_FLOW_RESULT);
}

static bool under_slot(const cflri_program *program, cflri_node node) {
    return cflri_program_slot_owner(program, cflri_program_anchor(program, node)) != 0;
}

static bool is_outside(const cflri_program *program, cflri_node node) {
    return program->outside != CFLRI_NO_NODE && node == program->outside;
}

uint32_t cflri_program_owner(const cflri_program *program, const cflri_assign *assign) {
    if (assign->call != CFLRI_NO_CALL) return program->facts.calls.at[assign->call].caller;
    if (is_outside(program, assign->from) || is_outside(program, assign->to)) return 0;
    uint32_t from = record(program, assign->from)->function;
    uint32_t to = record(program, assign->to)->function;
    if (from == to || to == 0) return from;
    if (from == 0) return to;
    return under_slot(program, assign->from) && !under_slot(program, assign->to) ? to : from;
}

/* ---- 1. bodies ---- */

static cflr_status make_roles(cflri_program *program, cflr_error *error) {
    const cflri_facts *facts = &program->facts;
    size_t n = facts->functions.n;
    program->role = cflri_alloc_array_zero(program->context, n, sizeof *program->role);
    if (!program->role) return no_memory(program, error);
    for (size_t f = 0; f < n; f++) {
        cflri_role *role = &program->role[f];
        const cflri_function *function = &facts->functions.at[f];
        *role = (cflri_role){CFLRI_BODY_UNKNOWN, false, false, CFLRI_NO_NODE, CFLRI_NO_NODE};
        if (f == 0 || function->defined)
            role->body = CFLRI_BODY_HERE;
        else if (cflri_summarised_name(program->summaries, facts, (uint32_t)f))
            role->body = CFLRI_BODY_SUMMARY;
        if (f == 0) continue;
        role->value = cflri_facts_derived(facts, CFLRI_ADDRESS, function->object, 0);
    }
    return CFLR_OK;
}

static cflri_node unknown_root(cflri_program *program, uint32_t key_of,
                               cflri_node_record *unknown) {
    const char *owner = cflri_string(&program->facts.strings, key_of);
    size_t size = strlen(owner) + sizeof "unknown:";
    char *key = cflri_alloc(program->context, size);
    if (!key) {
        program->facts.status = no_memory(program, NULL);
        return CFLRI_NO_NODE;
    }
    snprintf(key, size, "unknown:%s", owner);
    unknown->kind = CFLR_VERTEX_UNKNOWN;
    unknown->carrier = CFLRI_CARRIES_POINTER;
    cflri_node root = cflri_facts_root(&program->facts, key, unknown, true);
    cflri_free(program->context, key);
    return root;
}

static cflri_node unknown_of(cflri_program *program, uint32_t f) {
    cflri_role *role = &program->role[f];
    if (program->open) return program->outside;
    if (role->unknown != CFLRI_NO_NODE) return role->unknown;
    const cflri_function *function = &program->facts.functions.at[f];
    cflri_node_record unknown = {.name = function->name, .place = function->place};
    role->unknown = unknown_root(program, function->key, &unknown);
    return role->unknown;
}

/* ---- variables of the outside ---- */

static void make_foreign(cflri_program *program, cflri_node variable) {
    cflri_facts *facts = &program->facts;
    const cflri_node_record from = *record(program, variable);
    cflri_node_record unknown = {.name = from.name, .place = from.place};
    cflri_node root = program->open ? program->outside : unknown_root(program, from.key, &unknown);
    cflri_facts_assign(facts, cflri_facts_address(facts, variable), root);
    cflri_facts_note_at(facts, CFLR_NOTE_ASSUMED, &from.place,
                        program->open ? "variable without definition: it lies outside"
                                      : "variable without definition: an unknown object");
}

/* Do the summaries say what its library stores in it? */
static bool is_described(const cflri_program *program, const cflri_node_record *variable) {
    const char *name = cflri_string(&program->facts.strings, variable->name);
    return cflri_summaries_have_variable(program->summaries, name);
}

static void find_foreign(cflri_program *program) {
    size_t n = program->facts.nodes.n;
    for (cflri_node v = 0; v < n; v++) {
        const cflri_node_record *node = record(program, v);
        bool outside = node->foreign && !node->defined && node->carrier != CFLRI_CARRIES_INTEGER &&
                       node->carrier != CFLRI_CARRIES_NUMBER;
        if (outside && !is_described(program, node)) make_foreign(program, v);
    }
}

/* ---- what summaries keep under names that are not known ---- */

/* The key of a cell that has one (summary.c); NULL for all else. */
static const char *key_of_cell(const cflri_program *program, const cflri_node_record *node) {
    if (node->how != CFLRI_ROOT || node->kind != CFLR_VERTEX_VARIABLE) return NULL;
    const char *text = cflri_string(&program->facts.strings, node->key);
    bool cell = strncmp(text, "cell:", strlen("cell:")) == 0;
    return cell ? strchr(text, '[') : NULL;
}

/* Its cell is the first. */
static bool of_one_name(const cflri_program *program, cflri_node unknown, cflri_node other) {
    const char *key = key_of_cell(program, record(program, other));
    const char *text = cflri_string(&program->facts.strings, record(program, unknown)->key);
    const char *name =
        key ? cflri_string(&program->facts.strings, record(program, other)->key) : "";
    return key && other != unknown && strncmp(text, name, (size_t)(key - name) + 1) == 0;
}

/* It is found under every name. There are few such cells, if any: one for each name in the
 * texts. */
static void join_cells(cflri_program *program) {
    cflri_node n = (cflri_node)program->facts.nodes.n;
    for (cflri_node v = 0; v < n; v++) {
        const char *key = key_of_cell(program, record(program, v));
        if (!key || strcmp(key, "[]") != 0) continue;
        for (cflri_node u = 0; u < n; u++)
            if (of_one_name(program, v, u)) cflri_facts_assign(&program->facts, v, u);
    }
}

/* ---- ends of assignments ---- */

/* A parameter or result of a function with neither body nor summary is what that function holds. */
static cflri_node real_end(cflri_program *program, cflri_node end) {
    uint32_t f = cflri_program_slot_owner(program, cflri_program_anchor(program, end));
    bool unknown = f != 0 && program->role[f].body == CFLRI_BODY_UNKNOWN;
    return unknown ? unknown_of(program, f) : end;
}

static cflri_body callee_body(const cflri_program *program, const cflri_assign *assign) {
    return program->role[program->facts.calls.at[assign->call].callee].body;
}

/* Does the callee show that the argument is not null, where its result is as the test found it? */
static bool callee_shows(const cflri_program *program, const cflri_assign *assign) {
    const cflri_facts *facts = &program->facts;
    uint32_t callee = facts->calls.at[assign->call].callee;
    return facts->functions.at[callee].shows[assign->outcome] >> assign->argument & 1;
}

/* Does the callee never return: by its body, or by the summary that stands for it? */
static bool callee_ends(const cflri_program *program, const cflri_assign *assign) {
    const cflri_facts *facts = &program->facts;
    uint32_t callee = facts->calls.at[assign->call].callee, unless;
    cflri_body body = program->role[callee].body;
    if (body != CFLRI_BODY_SUMMARY)
        return body == CFLRI_BODY_HERE && facts->functions.at[callee].ends;
    const char *name = cflri_summarised_name(program->summaries, facts, callee);
    return name && cflri_summary_ends(program->summaries, name, &unless) && unless == 0;
}

/* Does the assignment hold, now that it is known which functions have bodies? */
static bool holds(const cflri_program *program, const cflri_assign *assign) {
    if (assign->call == CFLRI_NO_CALL) return true;
    cflri_body body = callee_body(program, assign);
    if (assign->returns) return !callee_ends(program, assign);
    if (assign->unless) return body != CFLRI_BODY_HERE || !callee_shows(program, assign);
    if (assign->summary) return body != CFLRI_BODY_HERE;
    return body != CFLRI_BODY_SUMMARY || !is_direct(assign);
}

/* Decides about one assignment; false drops it. */
static bool settle(cflri_program *program, cflri_assign *assign) {
    if (!holds(program, assign)) return false;
    cflri_node from = real_end(program, assign->from), to = real_end(program, assign->to);
    if (from == to || from == CFLRI_NO_NODE || to == CFLRI_NO_NODE) return false;
    if (is_direct(assign) && callee_body(program, assign) != CFLRI_BODY_HERE)
        assign->flow = CFLRI_FLOW_ASSIGN;
    if (assign->returns || assign->unless)
        assign->call = CFLRI_NO_CALL; /* as any other, now that it holds */
    assign->from = from;
    assign->to = to;
    return true;
}

/* A summary's facts about a function's own parameters wait for a call of the function by value. */
static bool waits(const cflri_program *program, const cflri_assign *assign) {
    if (!assign->summary) return false;
    const cflri_call *call = &program->facts.calls.at[assign->call];
    return call->callee != 0 && call->caller == call->callee &&
           !program->role[call->callee].entered;
}

static void settle_assigns(cflri_program *program) {
    size_t kept = 0;
    for (size_t i = 0; i < program->facts.assigns.n; i++) {
        cflri_assign assign = program->facts.assigns.at[i];
        if (settle(program, &assign)) program->facts.assigns.at[kept++] = assign;
    }
    program->facts.assigns.n = kept;
}

static void drop_waiting(cflri_program *program) {
    size_t kept = 0;
    for (size_t i = 0; i < program->facts.assigns.n; i++) {
        const cflri_assign *assign = &program->facts.assigns.at[i];
        if (!waits(program, assign)) program->facts.assigns.at[kept++] = *assign;
    }
    program->facts.assigns.n = kept;
}

static void mark_value(cflri_program *program, cflri_node node) {
    uint32_t f = cflri_program_valued(program, node);
    if (f != 0) program->role[f].valued = true;
}

static void mark_entered(cflri_program *program, const cflri_assign *assign, cflri_node end) {
    uint32_t function = record(program, end)->function;
    if (function == 0) return;
    if (is_direct(assign) && function == program->facts.calls.at[assign->call].callee) return;
    if (cflri_program_owner(program, assign) != function) program->role[function].entered = true;
}

/* A function that can be named from outside is called by its name, and need not be a value for
 * that. */
static bool is_naming(const cflri_program *program, const cflri_assign *assign) {
    return assign->call == CFLRI_NO_CALL && is_outside(program, assign->to);
}

/* Marks the functions that are called other than by name. */
static void mark_entries(cflri_program *program) {
    for (size_t i = 0; i < program->facts.assigns.n; i++) {
        const cflri_assign *assign = &program->facts.assigns.at[i];
        if (!is_naming(program, assign)) mark_value(program, assign->from);
        mark_value(program, assign->to);
        mark_entered(program, assign, assign->from);
        mark_entered(program, assign, assign->to);
    }
    for (cflri_node n = 0; n < program->facts.nodes.n; n++) {
        const cflri_node_record *node = record(program, n);
        if (node->how != CFLRI_ROOT && cflri_program_slot_owner(program, n) == 0)
            mark_value(program, node->base);
    }
    size_t n_functions = program->facts.functions.n;
    for (uint32_t f = 1; f < n_functions; f++) {
        cflri_role *role = &program->role[f];
        role->entered |= role->valued;
        if (!role->valued || role->body != CFLRI_BODY_UNKNOWN) continue;
        if (program->open)
            cflri_outside_knows(program, program->facts.functions.at[f].object);
        else
            unknown_of(program, f);
    }
}

/* ---- calls ---- */

bool cflri_program_carries(const cflri_program *program, uint32_t number) {
    const cflri_call *call = &program->facts.calls.at[number];
    return call->caller == call->callee && program->role[call->callee].body != CFLRI_BODY_HERE;
}

bool cflri_program_calls(const cflri_program *program, const cflri_called *called) {
    const cflri_role *role = &program->role[program->facts.calls.at[called->call].callee];
    bool waits_for_ever = cflri_program_carries(program, called->call) && !role->entered;
    bool direct = program->facts.calls.at[called->call].callee != 0;
    return called->value != CFLRI_NO_NODE && !waits_for_ever &&
           (!direct || role->body == CFLRI_BODY_SUMMARY);
}

static void count_calls(cflri_program *program) {
    for (size_t i = 0; i < program->facts.calls.n; i++) {
        const cflri_call *call = &program->facts.calls.at[i];
        if (cflri_program_carries(program, (uint32_t)i)) continue;
        if (call->callee == 0) {
            program->calls_indirect++;
            continue;
        }
        program->calls_direct++;
        program->calls_unmodelled += program->role[call->callee].body == CFLRI_BODY_UNKNOWN;
    }
}

/* ---- 3. nodes ---- */

/* A value that is called without arguments, and whose result is not used, has no slot to be kept
 * for. */
static bool is_called(const cflri_program *program, const cflri_called *called) {
    return cflri_program_calls(program, called) &&
           (program->facts.calls.at[called->call].callee != 0 ||
            cflri_program_valued(program, called->value) != 0);
}

/* Is this a pointer that a question may be about, even if nothing flows through it? */
static bool is_defined_pointer(const cflri_program *program, const cflri_node_record *node) {
    if (node->carrier != CFLRI_CARRIES_POINTER || !node->name) return false;
    if (node->kind == CFLR_VERTEX_VARIABLE) return node->defined;
    return node->kind == CFLR_VERTEX_PARAMETER &&
           program->facts.functions.at[node->function].defined;
}

/* `node` is a value: perhaps the address of a parameter, or of a member of one. */
static void take(cflri_program *program, cflri_node node) {
    while (record(program, node)->how == CFLRI_FIELD) node = record(program, node)->base;
    if (cflri_program_slot_owner(program, node) == 0) return;
    cflri_node parameter = cflri_facts_derived(&program->facts, CFLRI_DEREF, node, 0);
    if (parameter == CFLRI_NO_NODE) return;
    program->taken[node] = program->kept[node] = program->kept[parameter] = true;
}

static void keep_used(cflri_program *program) {
    const cflri_facts *facts = &program->facts;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        program->kept[facts->assigns.at[i].from] = true;
        program->kept[facts->assigns.at[i].to] = true;
        take(program, facts->assigns.at[i].from);
    }
    for (cflri_node n = 0; n < facts->nodes.n; n++)
        if (is_defined_pointer(program, record(program, n)) || record(program, n)->unread)
            program->kept[n] = true;
    for (size_t i = 0; i < facts->mentions.n; i++) {
        cflri_node node = facts->mentions.at[i].node;
        if (record(program, node)->carrier == CFLRI_CARRIES_POINTER) program->kept[node] = true;
        take(program, node);
    }
    for (size_t i = 0; i < facts->checks.n; i++)
        for (int k = 0; k < 2 && !facts->checks.at[i].problem; k++)
            program->kept[facts->checks.at[i].node[k]] = true;
    for (size_t i = 0; i < facts->called.n; i++)
        if (is_called(program, &facts->called.at[i]))
            program->kept[facts->called.at[i].value] = true;
    for (size_t f = 0; f < facts->functions.n; f++) {
        const cflri_role *role = &program->role[f];
        if (role->valued && role->value != CFLRI_NO_NODE) program->kept[role->value] = true;
        if (role->valued && role->unknown != CFLRI_NO_NODE) program->kept[role->unknown] = true;
    }
}

/* A parameter of a function that is never called by value stands alone, without slot. */
static bool needs_base(const cflri_program *program, cflri_node n) {
    const cflri_node_record *node = record(program, n);
    if (node->how == CFLRI_ROOT) return false;
    uint32_t owner = cflri_program_slot_owner(program, node->how == CFLRI_DEREF ? node->base : n);
    return owner == 0 || program->role[owner].valued;
}

static void keep_bases(cflri_program *program) {
    for (size_t i = program->facts.nodes.n; i-- > 0;)
        if (program->kept[i] && needs_base(program, (cflri_node)i))
            program->kept[record(program, (cflri_node)i)->base] = true;
}

/* Which memory that is seen as bytes holds pointers. */
static cflr_status settle_bytes(cflri_program *program, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_untyped untyped;
    cflri_made made = {0};
    CFLR_TRY(cflri_untyped_make(&untyped, program, error));
    if (program->text) CFLR_TRY(cflri_made_make(&made, &untyped, error));
    CFLR_TRY(cflri_settle_moves(&untyped, error));
    cflri_drop_text(&untyped, program->text ? &made : NULL);
out:
    cflri_made_free(&made);
    cflri_untyped_free(&untyped);
    return st;
}

/* Rules alone do without: with such ways their closure takes three times as long, for findings in
 * memory that the program sees as two kinds of records (docs/reference/rules.md). */
static bool sees_nested(const cflri_program *program) {
    const cflri_facts *facts = &program->facts;
    bool asked = !facts->keeps_places || facts->checks.n > 0;
    return asked && facts->chosen.fields == CFLR_FIELDS_SENSITIVE && !program->strict;
}

cflr_status cflri_program_close(cflri_program *program, cflr_error *error) {
    cflr_status st = CFLR_OK;
    assert(!program->kept);
    cflri_program_end_adding(program);
    CFLR_TRY(make_roles(program, error));
    if (program->open) cflri_outside_make(program);
    settle_assigns(program);
    cflri_sections_join(program);
    find_foreign(program);
    join_cells(program);
    if (program->open) cflri_outside_enter(program);
    mark_entries(program);
    cflri_join_varargs(program);
    drop_waiting(program);
    count_calls(program);
    if (program->facts.status != CFLR_OK) CFLR_TRY(no_memory(program, error));
    CFLR_TRY(cflri_drop_empty_cells(program, error));
    CFLR_TRY(settle_bytes(program, error));
    CFLR_TRY(cflri_drop_idle_integers(program, error));
    CFLR_TRY(cflri_drop_idle_temporaries(program, error));
    if (sees_nested(program)) CFLR_TRY(cflri_settle_nested(program, error));
    program->kept = cflri_alloc_array_zero(program->context, program->facts.nodes.n, sizeof(bool));
    program->taken = cflri_alloc_array_zero(program->context, program->facts.nodes.n, sizeof(bool));
    if (!program->kept || !program->taken) CFLR_TRY(no_memory(program, error));
    keep_used(program);
    keep_bases(program);
    CFLR_TRY(cflri_callees_make(program, error));
    cflri_facts_settle(&program->facts);
out:
    return st;
}
