/* SPDX-License-Identifier: Apache-2.0
 *
 * facts.c: the makers of facts.
 *
 * Idea: a node is its construction. A root is found by its key, a derived node by (how, base,
 * step), so asking twice gives the same node; a node has one address and one content, which stand
 * beside it, and any number of members and slots, which are in a table. And the three identities of
 * facts.h are applied when a node is asked for, so no two nodes of one table stand for the same
 * place:
 *
 *     address(x)     is  p        when x was made as deref(p)
 *     deref(p)       is  x        when p was made as address(x)
 *     field(p, 0)    is  p
 *
 * A parameter is deref(slot(address(f), k)) and nothing else: every way to the slot of f leads to
 * the parameter node itself.
 *
 * Invariants: the base of a node has a smaller number (bases exist before what is derived from
 * them), so one ascending pass may redo all steps; a derived node belongs to the function of its
 * base, except the slots of a known function, which belong to that function.
 *
 * Failure is sticky: the first refused allocation sets facts->status, and every later maker returns
 * NO_NODE, which all makers pass through. So a walker has one check, at its end.
 */
#include "frontend/facts/facts.h"

#include <assert.h>
#include <string.h>

#include "frontend/facts/facts_table.h"
#include "frontend/facts/told.h"

/* First number of a key in facts->keys. */
enum { KEY_ROOT, KEY_FUNCTION, KEY_NOTE, KEY_SIGNATURE, KEY_TURNED };

enum { MOST_SIGNATURES = 1 << (32 - CFLRI_SLOT_BITS) };

static void fail(cflri_facts *facts, cflr_status st) {
    if (facts->status == CFLR_OK) facts->status = st;
}

static void fail_memory(cflri_facts *facts) {
    fail(facts, cflri_fail_memory(facts->context, NULL));
}

cflr_status cflri_facts_init(cflri_facts *facts, cflr_context *context, cflr_fields fields,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    memset(facts, 0, sizeof *facts);
    facts->context = context;
    facts->chosen.fields = fields;
    CFLR_TRY(cflri_strings_init(&facts->strings, context, error));
    facts->steps = cflri_triples_new(context);
    facts->keys = cflri_triples_new(context);
    const cflri_function file_scope = {.object = CFLRI_NO_NODE};
    if (!facts->steps || !facts->keys || !cflri_vec_push(context, &facts->functions, file_scope) ||
        !cflri_vec_push(context, &facts->places, (cflri_place){0}))
        CFLR_TRY(cflri_fail_memory(context, error));
    cflri_facts_signature(facts, CFLRI_ANY_SIGNATURE_TEXT);
    if (facts->status != CFLR_OK) CFLR_TRY(cflri_fail_memory(context, error));
out:
    if (st != CFLR_OK) cflri_facts_free(facts);
    return st;
}

void cflri_facts_expect(cflri_facts *facts, const cflri_facts_counts *more) {
    cflr_context *context = facts->context;
    bool made = cflri_strings_reserve(&facts->strings, more->strings) &&
                cflri_vec_reserve(context, &facts->nodes, more->nodes) &&
                cflri_vec_reserve(context, &facts->ways, more->nodes) &&
                cflri_triples_reserve(facts->keys,
                                      more->nodes / 2) && /* some are roots, and some are steps */
                cflri_triples_reserve(facts->steps, more->nodes / 2) &&
                cflri_vec_reserve(context, &facts->assigns, more->assigns) &&
                cflri_vec_reserve(context, &facts->mentions, more->mentions);
    if (!made) fail_memory(facts);
}

void cflri_facts_settle(cflri_facts *facts) {
    cflri_vec_free(facts->context, &facts->ways);
    cflri_triples_free(facts->steps);
    cflri_triples_free(facts->keys);
    facts->steps = facts->keys = NULL;
}

void cflri_facts_free(cflri_facts *facts) {
    if (!facts->context) return;
    cflri_facts_settle(facts);
    cflri_vec_free(facts->context, &facts->nodes);
    cflri_vec_free(facts->context, &facts->functions);
    cflri_vec_free(facts->context, &facts->calls);
    cflri_vec_free(facts->context, &facts->assigns);
    cflri_vec_free(facts->context, &facts->places);
    cflri_vec_free(facts->context, &facts->mentions);
    cflri_vec_free(facts->context, &facts->notes);
    cflri_vec_free(facts->context, &facts->checks);
    cflri_vec_free(facts->context, &facts->links);
    cflri_vec_free(facts->context, &facts->called);
    cflri_vec_free(facts->context, &facts->members);
    cflri_vec_free(facts->context, &facts->signatures);
    cflri_vec_free(facts->context, &facts->turned);
    cflri_vec_free(facts->context, &facts->asked);
    cflri_strings_free(&facts->strings);
    memset(facts, 0, sizeof *facts);
}

uint32_t cflri_facts_string(cflri_facts *facts, const char *text) {
    if (!text || !*text || facts->status != CFLR_OK) return 0;
    uint32_t id = 0;
    fail(facts, cflri_intern(&facts->strings, text, strlen(text), &id, NULL));
    return facts->status == CFLR_OK ? id : 0;
}

/* ---- nodes ---- */

static cflri_node add_node(cflri_facts *facts, const cflri_node_record *record) {
    const cflri_ways none = {CFLRI_NO_NODE, CFLRI_NO_NODE};
    if (facts->status != CFLR_OK) return CFLRI_NO_NODE;
    if (facts->nodes.n >= CFLRI_NO_NODE) {
        fail(facts, CFLR_LIMIT);
        return CFLRI_NO_NODE;
    }
    if (!cflri_vec_push(facts->context, &facts->nodes, *record) ||
        !cflri_vec_push(facts->context, &facts->ways, none)) {
        fail_memory(facts);
        return CFLRI_NO_NODE;
    }
    return (cflri_node)facts->nodes.n - 1;
}

/* From now on the node is found by this key. */
static cflri_node index_node(cflri_facts *facts, cflri_triples *index, cflri_triple key,
                             cflri_node node) {
    if (node == CFLRI_NO_NODE || cflri_triples_add(index, key, node)) return node;
    fail_memory(facts);
    return CFLRI_NO_NODE;
}

static bool stronger(cflri_carrier a, cflri_carrier b) {
    static const int strength[] = {
        [CFLRI_CARRIES_NUMBER] = 0,
        [CFLRI_CARRIES_INTEGER] = 1,
        [CFLRI_CARRIES_OBJECT] = 2,
        [CFLRI_CARRIES_POINTER] = 3,
    };
    return strength[a] > strength[b];
}

/* A definition says more than the declarations before it: its place, its complete type. */
static void take_definition(cflri_node_record *known, const cflri_node_record *definition) {
    known->place = definition->place;
    known->defined = true;
    if (definition->name) known->name = definition->name;
    if (definition->type) known->type = definition->type;
}

cflri_node cflri_facts_root(cflri_facts *facts, const char *key, const cflri_node_record *record,
                            bool definition) {
    assert(key && *key);
    return cflri_facts_root_of(facts, cflri_facts_string(facts, key), record, definition);
}

cflri_node cflri_facts_root_of(cflri_facts *facts, uint32_t key, const cflri_node_record *record,
                               bool definition) {
    if (facts->status != CFLR_OK) return CFLRI_NO_NODE;
    assert(key != 0);
    const cflri_triple at = {KEY_ROOT, key, 0};
    cflri_node node = cflri_triples_find(facts->keys, at);
    if (node != CFLRI_NO_VALUE) {
        cflri_node_record *known = &facts->nodes.at[node];
        if (definition && !known->defined) take_definition(known, record);
        known->single |= record->single;
        known->foreign |= record->foreign;
        known->external |= record->external;
        if (stronger(record->carrier, known->carrier)) known->carrier = record->carrier;
        return node;
    }
    cflri_node_record made = *record;
    made.how = CFLRI_ROOT;
    made.base = CFLRI_NO_NODE;
    made.key = key;
    made.defined = definition;
    return index_node(facts, facts->keys, at, add_node(facts, &made));
}

cflri_node cflri_facts_derived(const cflri_facts *facts, cflri_how how, cflri_node base,
                               uint32_t step) {
    if (how == CFLRI_ADDRESS) return facts->ways.at[base].address;
    if (how == CFLRI_DEREF) return facts->ways.at[base].content;
    return cflri_triples_find(facts->steps, (cflri_triple){(uint32_t)how, base, step});
}

static cflri_node add_derived(cflri_facts *facts, const cflri_node_record *made) {
    const cflri_triple at = {(uint32_t)made->how, made->base, made->step};
    cflri_node node = add_node(facts, made);
    if (node == CFLRI_NO_NODE) return node;
    if (made->how == CFLRI_ADDRESS)
        facts->ways.at[made->base].address = node;
    else if (made->how == CFLRI_DEREF)
        facts->ways.at[made->base].content = node;
    else
        node = index_node(facts, facts->steps, at, node);
    return node;
}

/* The node `made` describes, found by its step or made now. */
static cflri_node derive(cflri_facts *facts, const cflri_node_record *made) {
    cflri_node node = cflri_facts_derived(facts, made->how, made->base, made->step);
    if (node == CFLRI_NO_NODE) return add_derived(facts, made);
    cflri_node_record *known = &facts->nodes.at[node];
    if (stronger(made->carrier, known->carrier)) known->carrier = made->carrier;
    return node;
}

static bool usable(const cflri_facts *facts, cflri_node node) {
    if (node == CFLRI_NO_NODE || facts->status != CFLR_OK) return false;
    assert(node < facts->nodes.n);
    return true;
}

cflri_node cflri_facts_address(cflri_facts *facts, cflri_node of) {
    if (!usable(facts, of)) return CFLRI_NO_NODE;
    const cflri_node_record *base = &facts->nodes.at[of];
    if (base->how == CFLRI_DEREF) return base->base;
    const cflri_node_record made = {.kind = CFLR_VERTEX_ADDRESS,
                                    .carrier = CFLRI_CARRIES_POINTER,
                                    .base = of,
                                    .how = CFLRI_ADDRESS,
                                    .function = base->function};
    return derive(facts, &made);
}

/* Is this slot one of a known function's own? */
static bool own_slot(const cflri_facts *facts, const cflri_node_record *slot) {
    if (slot->how != CFLRI_SLOT) return false;
    const cflri_node_record *value = &facts->nodes.at[slot->base];
    return value->how == CFLRI_ADDRESS && facts->nodes.at[value->base].kind == CFLR_VERTEX_FUNCTION;
}

static bool is_of_any_record(const cflri_facts *facts, cflri_node node) {
    uint32_t key = facts->nodes.at[node].key;
    return facts->nodes.at[node].how == CFLRI_DEREF &&
           strcmp(cflri_string(&facts->strings, key), CFLRI_ANY_RECORD) == 0;
}

cflri_node cflri_facts_deref(cflri_facts *facts, cflri_node pointer, cflri_carrier carrier) {
    cflri_node made = cflri_facts_deref_member(facts, pointer, carrier);
    if (made != CFLRI_NO_NODE && !is_of_any_record(facts, made))
        cflri_facts_tell_record(facts, made, cflri_facts_string(facts, CFLRI_ANY_RECORD));
    return made;
}

cflri_node cflri_facts_deref_member(cflri_facts *facts, cflri_node pointer, cflri_carrier carrier) {
    if (!usable(facts, pointer)) return CFLRI_NO_NODE;
    const cflri_node_record *base = &facts->nodes.at[pointer];
    if (base->how == CFLRI_ADDRESS) return base->base;
    cflri_node_record made = {.kind = CFLR_VERTEX_DEREFERENCE,
                              .carrier = carrier,
                              .base = pointer,
                              .how = CFLRI_DEREF,
                              .function = base->function};
    if (own_slot(facts, base))
        made.kind = base->step == CFLRI_SLOT_RETURN ? CFLR_VERTEX_RETURN : CFLR_VERTEX_PARAMETER;
    return derive(facts, &made);
}

cflri_node cflri_facts_field(cflri_facts *facts, cflri_node pointer, int32_t offset) {
    if (!usable(facts, pointer)) return CFLRI_NO_NODE;
    if (offset == 0 || facts->chosen.fields == CFLR_FIELDS_INSENSITIVE) return pointer;
    const cflri_node_record made = {.kind = CFLR_VERTEX_FIELD,
                                    .carrier = CFLRI_CARRIES_POINTER,
                                    .base = pointer,
                                    .step = (uint32_t)offset,
                                    .how = CFLRI_FIELD,
                                    .function = facts->nodes.at[pointer].function};
    return derive(facts, &made);
}

cflri_node cflri_facts_called_slot(cflri_facts *facts, cflri_node function_value, uint32_t slot,
                                   uint32_t signature) {
    if (!usable(facts, function_value) || slot > CFLRI_SLOT_RETURN) return CFLRI_NO_NODE;
    const cflri_node_record *value = &facts->nodes.at[function_value];
    cflri_node_record made = {.kind = CFLR_VERTEX_ADDRESS,
                              .carrier = CFLRI_CARRIES_POINTER,
                              .base = function_value,
                              .step = slot,
                              .how = CFLRI_SLOT,
                              .function = value->function};
    if (own_slot(facts, &made))
        made.function = facts->nodes.at[value->base].step;
    else
        made.step |= signature << CFLRI_SLOT_BITS;
    return derive(facts, &made);
}

cflri_node cflri_facts_slot(cflri_facts *facts, cflri_node function_value, uint32_t slot) {
    return cflri_facts_called_slot(facts, function_value, slot, CFLRI_ANY_SIGNATURE);
}

uint32_t cflri_facts_signature(cflri_facts *facts, const char *text) {
    uint32_t id = cflri_facts_string(facts, text);
    if (facts->status != CFLR_OK) return CFLRI_ANY_SIGNATURE;
    const cflri_triple at = {KEY_SIGNATURE, id, 0};
    uint32_t number = cflri_triples_find(facts->keys, at);
    if (number != CFLRI_NO_VALUE) return number;
    number = (uint32_t)facts->signatures.n;
    if (number == MOST_SIGNATURES) return CFLRI_ANY_SIGNATURE;
    if (cflri_vec_push(facts->context, &facts->signatures, id) &&
        cflri_triples_add(facts->keys, at, number))
        return number;
    fail_memory(facts);
    return CFLRI_ANY_SIGNATURE;
}

void cflri_facts_turn(cflri_facts *facts, uint32_t from, uint32_t to) {
    const cflri_triple at = {KEY_TURNED, from, to};
    if (from == CFLRI_ANY_SIGNATURE || from == to || facts->status != CFLR_OK) return;
    if (cflri_triples_find(facts->keys, at) != CFLRI_NO_VALUE) return;
    if (!cflri_vec_push(facts->context, &facts->turned, ((cflri_turned){from, to})) ||
        !cflri_triples_add(facts->keys, at, 0))
        fail_memory(facts);
}

/* ---- functions ---- */

uint32_t cflri_facts_function(cflri_facts *facts, const char *key, const char *name,
                              const cflri_place *place) {
    uint32_t id = cflri_facts_string(facts, key);
    return cflri_facts_function_of(facts, id, cflri_facts_string(facts, name), place);
}

uint32_t cflri_facts_function_of(cflri_facts *facts, uint32_t key, uint32_t name,
                                 const cflri_place *place) {
    if (facts->status != CFLR_OK) return 0;
    const cflri_triple at = {KEY_FUNCTION, key, 0};
    uint32_t known = cflri_triples_find(facts->keys, at);
    if (known != CFLRI_NO_VALUE) return known;

    cflri_function made = {.key = key, .name = name, .signature = CFLRI_NO_SIGNATURE};
    if (place) made.place = *place;
    const cflri_node_record object = {.kind = CFLR_VERTEX_FUNCTION,
                                      .carrier = CFLRI_CARRIES_OBJECT,
                                      .step = (uint32_t)facts->functions.n,
                                      .name = made.name,
                                      .place = made.place};
    made.object = cflri_facts_root_of(facts, key, &object, false);
    if (made.object == CFLRI_NO_NODE) return 0;
    uint32_t number = (uint32_t)facts->functions.n;
    if (!cflri_vec_push(facts->context, &facts->functions, made) ||
        !cflri_triples_add(facts->keys, at, number)) {
        fail_memory(facts);
        return 0;
    }
    return number;
}

cflri_node cflri_facts_parameter(cflri_facts *facts, uint32_t function, uint32_t k) {
    assert(function < facts->functions.n);
    cflri_node value = cflri_facts_address(facts, facts->functions.at[function].object);
    return cflri_facts_deref(facts, cflri_facts_slot(facts, value, k), CFLRI_CARRIES_POINTER);
}

cflri_node cflri_facts_return(cflri_facts *facts, uint32_t function) {
    return cflri_facts_parameter(facts, function, CFLRI_SLOT_RETURN);
}

/* ---- what is known about them ---- */

static bool earlier(const cflri_place *a, const cflri_place *b) {
    return b->line == 0 || (a->file == b->file && a->offset < b->offset);
}

cflri_node cflri_facts_copy_of(const cflri_facts *facts, cflri_node node) {
    const cflri_node_record *content = &facts->nodes.at[node];
    bool copied = content->how == CFLRI_DEREF && facts->nodes.at[content->base].piecewise;
    return copied ? content->base : CFLRI_NO_NODE;
}

/* A copy from the outside has no source that tells whether it is text. */
static bool comes_in(const cflri_facts *facts, const cflri_assign *assign) {
    const cflri_node_record *from = &facts->nodes.at[assign->from];
    return assign->summary && from->how == CFLRI_ROOT && from->kind == CFLR_VERTEX_VARIABLE &&
           strcmp(cflri_string(&facts->strings, from->key), "cell:bytes") == 0;
}

cflri_node cflri_facts_piece_of(const cflri_facts *facts, const cflri_assign *assign) {
    cflri_node root = cflri_facts_copy_of(facts, assign->from);
    bool into = root == CFLRI_NO_NODE && comes_in(facts, assign);
    return into ? cflri_facts_copy_of(facts, assign->to) : root;
}

void cflri_facts_describe(cflri_facts *facts, cflri_node node, uint32_t name, uint32_t type,
                          const cflri_place *place) {
    if (!usable(facts, node)) return;
    cflri_node_record *record = &facts->nodes.at[node];
    bool better = place && place->line && !record->defined && earlier(place, &record->place);
    if (better) record->place = *place;
    if (name && (better || !record->name)) record->name = name;
    if (type && (better || !record->type)) record->type = type;
}

void cflri_facts_assign(cflri_facts *facts, cflri_node from, cflri_node to) {
    const cflri_assign assign = {.from = from, .to = to, .call = CFLRI_NO_CALL};
    cflri_facts_flow(facts, &assign);
}

void cflri_facts_flow(cflri_facts *facts, const cflri_assign *assign) {
    if (!usable(facts, assign->from) || !usable(facts, assign->to)) return;
    if (assign->from == assign->to) return;
    assert(assign->call == CFLRI_NO_CALL || assign->call < facts->calls.n);
    if (!cflri_vec_push(facts->context, &facts->assigns, *assign)) fail_memory(facts);
}

uint32_t cflri_facts_place(cflri_facts *facts, const cflri_place *place) {
    if (!facts->keeps_places || place->line == 0 || facts->status != CFLR_OK) return 0;
    const cflri_place *last = &facts->places.at[facts->places.n - 1];
    bool same = last->file == place->file && last->offset == place->offset;
    if (!same && !cflri_vec_push(facts->context, &facts->places, *place)) {
        fail_memory(facts);
        return 0;
    }
    return (uint32_t)facts->places.n - 1;
}

void cflri_facts_member_add(cflri_facts *facts, const cflri_facts_member *member) {
    if (facts->status == CFLR_OK && !cflri_vec_push(facts->context, &facts->members, *member))
        fail_memory(facts);
}

void cflri_facts_tell_record(cflri_facts *facts, cflri_node node, uint32_t record) {
    if (!usable(facts, node)) return;
    cflri_how how = facts->nodes.at[node].how;
    if (how != CFLRI_FIELD && how != CFLRI_DEREF) return;
    uint32_t known = facts->nodes.at[node].key;
    uint32_t base = cflri_facts_string(facts, CFLRI_BASE_RECORD);
    uint32_t any = cflri_facts_string(facts, CFLRI_ANY_RECORD);
    if (known && (record == base || known == any)) return;
    if (known && known != record && known != base)
        record = record == any ? any : cflri_told_join(facts, known, record);
    facts->nodes.at[node].key = record;
}
uint32_t cflri_facts_call(cflri_facts *facts, const cflri_call *call) {
    assert(call->caller < facts->functions.n && call->callee < facts->functions.n);
    if (facts->status != CFLR_OK) return CFLRI_NO_CALL;
    uint32_t number = (uint32_t)facts->calls.n;
    if (cflri_vec_push(facts->context, &facts->calls, *call)) return number;
    fail_memory(facts);
    return CFLRI_NO_CALL;
}

void cflri_facts_mention_at(cflri_facts *facts, cflri_node node, const cflri_place *place,
                            uint32_t name) {
    if (!usable(facts, node)) return;
    const cflri_facts_mention mention = {node, place->file, place->line, place->column, name};
    if (!cflri_vec_push(facts->context, &facts->mentions, mention)) fail_memory(facts);
}

uint32_t cflri_facts_note_at(cflri_facts *facts, cflr_note_kind kind, const cflri_place *place,
                             const char *text) {
    uint32_t id = cflri_facts_string(facts, text);
    if (facts->status != CFLR_OK) return CFLRI_NO_VALUE;
    const cflri_triple at = {KEY_NOTE, id, (uint32_t)kind};
    uint32_t number = cflri_triples_find(facts->keys, at);
    if (number != CFLRI_NO_VALUE) {
        facts->notes.at[number].count++;
        return number;
    }
    cflri_facts_note note = {.kind = kind, .text = id, .count = 1};
    if (place) note.first = *place;
    number = (uint32_t)facts->notes.n;
    if (cflri_vec_push(facts->context, &facts->notes, note) &&
        cflri_triples_add(facts->keys, at, number))
        return number;
    fail_memory(facts);
    return CFLRI_NO_VALUE;
}

void cflri_facts_check_at(cflri_facts *facts, const cflri_facts_check *check) {
    if (!usable(facts, check->node[0]) || !usable(facts, check->node[1])) return;
    if (!cflri_vec_push(facts->context, &facts->checks, *check)) fail_memory(facts);
}

void cflri_facts_link_at(cflri_facts *facts, const cflri_facts_link *link) {
    if (facts->status != CFLR_OK || link->node == CFLRI_NO_NODE) return;
    if (!cflri_vec_push(facts->context, &facts->links, *link)) fail_memory(facts);
}

void cflri_facts_called_at(cflri_facts *facts, const cflri_called *called) {
    if (facts->status != CFLR_OK) return;
    if (!cflri_vec_push(facts->context, &facts->called, *called)) fail_memory(facts);
}

cflri_node_record cflri_facts_lost_record(cflri_facts *facts, const char *cause, bool unread) {
    return (cflri_node_record){.kind = CFLR_VERTEX_LOST,
                               .carrier = CFLRI_CARRIES_POINTER,
                               .name = cflri_facts_string(facts, cause),
                               .unread = unread};
}

const char *cflri_section_ended_by(const char *key) {
    static const char *const ends[] = {"__start_", "__stop_"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t length = strlen(ends[i]);
        if (strncmp(key, ends[i], length) == 0) return key + length;
    }
    return NULL;
}
