/* SPDX-License-Identifier: Apache-2.0
 *
 * emit.c: vertices and edges.
 *
 * Vertices come instance by instance, in each the kept nodes of its function in their order; so the
 * number of a vertex is the first number of its instance plus the node's number in the function.
 *
 *     instance:   0 file scope      1 main        2 f          3 f (main.c:4:3)
 *     vertex:     0 1 2 3 4 5       6 7 8 9       10 11 12     13 14 15
 *
 * A derived node gives the edges of its step, an assignment one edge in each instance of the
 * function that it is a statement of. Slots of a function's own address exist once for all
 * instances, so the s[k] edges go to the base instance only: a call through a value gets that one.
 *
 * Where the types of functions count (callees.h), a label for each type of calls that may enter
 * the function leads to a slot of it. Calls whose type does not say enter all:
 *
 *     f, which calls by t and u may enter     &f -s[k:t]-> slot   &f -s[k:u]-> slot &f -s[k]-> slot
 *     a call by t                              g -s[k:t]-> slot
 *     a call by any                            g -s[k]-> slot
 *
 * A record in a record is two steps, and one where it is seen as a flat one, maybe behind a `void
 * *`. So a member of a member is also a member of the whole:
 *
 *     &n -f[8]-> &n.in -f[8]-> &n.in.b        &n -f[16]-> &n.in.b
 *
 * and so of steps back: p -b[8]-> -b[8]-> q is p -b[16]-> q, too, and p -f[16]-> -b[8]-> q is p
 * -f[8]-> q.
 *
 * An unknown node U may hold and reach anything it was given: U has an edge to itself under every
 * label, and so has a lost one; a smeared one under the labels of members, and one for a pointer
 * that is moved back by an unknown distance under around[n], for each n that is a member's. The
 * outside of an open program has none: edges to and from it have labels of their own. Time is
 * linear in the result.
 */
#include "frontend/graph/emit.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/decimal.h"
#include "base/graph/graph.h"
#include "base/graph/relation.h"
#include "frontend/contexts/sites.h"
#include "frontend/facts/facts_table.h"
#include "frontend/facts/told.h"
#include "frontend/graph/locations.h"
#include "frontend/program/callees.h"
#include "frontend/summaries/rules.h"

/* of a spelling, of a slot's name, of a pointer's type */
enum { NAME_BYTES = 96, SLOT_BYTES = CFLRI_DECIMAL_DIGITS + 1, TYPE_BYTES = 256 };
enum { MOST_STEPS = 64 }; /* of records in records that are flattened */

typedef struct emitter {
    const cflri_contexts *contexts;
    cflri_program *program;
    const cflri_facts *facts;
    cflr_context *context;
    cflr_graph_builder *builder;
    bool brackets;
    bool strict;                /* memory becomes vertices, too (locations.c) */
    bool moves;                 /* around[n] is wanted */
    uint32_t a, d, alloc, null; /* labels */
    uint32_t any, store;        /* with `strict` */
    bool *used;             /* by node, with `strict`: something is had from it, or asks for it */
    uint32_t nonnull, data; /* they, with data flow */
    uint32_t text, held;    /* copies of it (made.h) */
    cflri_triples *indexed; /* (how, step, type) -> label of f[n], b[n] and s[k] */
    CFLRI_VEC(uint32_t) fields;           /* the labels of `indexed`: forth */
    CFLRI_VEC(uint32_t) around;           /* one for each that leads forth */
    CFLRI_VEC(uint32_t) slots, slot_type; /* labels, and by which signature */
    cflri_groups assigns;                 /* by owner */
    cflri_groups mentions;                /* by owner */
    uint32_t *name;                       /* by node: spelling, also where the source has none */
    uint32_t *string; /* by string of the facts: the builder's, 0 until it is asked for */
    cflr_error *error;
} emitter;

static cflr_status no_memory(const emitter *e) {
    return cflri_fail_memory(e->context, e->error);
}

static const char *text(const emitter *e, uint32_t string) {
    return cflri_string(&e->facts->strings, string);
}

/* The builder's number of a string; few strings are used once only. */
static cflr_status hand_over(const emitter *e, uint32_t string, uint32_t *id) {
    cflr_status st = CFLR_OK;
    if (string != 0 && e->string[string] == 0)
        st = cflri_graph_builder_string(e->builder, text(e, string), &e->string[string], e->error);
    *id = e->string[string];
    return st;
}

static const cflri_node_record *record(const emitter *e, cflri_node node) {
    return &e->facts->nodes.at[node];
}

/* ---- labels ---- */

static cflr_status plain_label(emitter *e, const char *name, uint32_t *label) {
    return cflr_graph_builder_label(e->builder, name, NULL, label, e->error);
}

/* Returns the end. */
static char *put_slot(char *to, uint32_t slot) {
    if (slot == CFLRI_SLOT_RETURN) return stpcpy(to, "ret");
    if (slot == CFLRI_SLOT_VARARGS) return stpcpy(to, "...");
    to = cflri_put_decimal(to, slot);
    *to = '\0';
    return to;
}

/* f[offset], or b[-offset] of an offset before the pointer. */
static cflr_status member_label(emitter *e, int32_t offset, uint32_t *label) {
    cflr_status st = CFLR_OK;
    const cflri_triple key = {(uint32_t)CFLRI_FIELD, (uint32_t)offset, CFLRI_NO_SIGNATURE};
    char index[CFLRI_DECIMAL_DIGITS + 1];
    uint32_t around;
    bool forth = offset > 0;
    *label = cflri_triples_find(e->indexed, key);
    if (*label != CFLRI_NO_VALUE) return CFLR_OK;
    *cflri_put_decimal(index, forth ? (uint64_t)offset : -(uint64_t)offset) = '\0';
    CFLR_TRY(cflr_graph_builder_label(e->builder, forth ? "f" : "b", index, label, e->error));
    bool good = cflri_triples_add(e->indexed, key, *label);
    if (forth && e->moves)
        CFLR_TRY(cflr_graph_builder_label(e->builder, "around", index, &around, e->error));
    if (forth && e->moves) good = good && cflri_vec_push(e->context, &e->around, around);
    if (forth) good = good && cflri_vec_push(e->context, &e->fields, *label);
    if (!good) st = no_memory(e);
out:
    return st;
}

void cflri_slot_index(const cflri_facts *facts, uint32_t slot, uint32_t type,
                      char index[CFLRI_SLOT_INDEX_BYTES]) {
    char number[SLOT_BYTES];
    put_slot(number, slot);
    if (type == CFLRI_NO_SIGNATURE)
        snprintf(index, CFLRI_SLOT_INDEX_BYTES, "%s", number);
    else
        snprintf(index, CFLRI_SLOT_INDEX_BYTES, "%s:%s", number,
                 cflri_string(&facts->strings, facts->signatures.at[type]));
}

/* The label of a slot tells `type`, a signature, unless that is CFLRI_NO_SIGNATURE. */
static cflr_status slot_label(emitter *e, uint32_t slot, uint32_t type, uint32_t *label) {
    const cflri_triple key = {(uint32_t)CFLRI_SLOT, slot, type};
    char index[CFLRI_SLOT_INDEX_BYTES];
    *label = cflri_triples_find(e->indexed, key);
    if (*label != CFLRI_NO_VALUE) return CFLR_OK;
    cflri_slot_index(e->facts, slot, type, index);
    cflr_status st = cflr_graph_builder_label(e->builder, "s", index, label, e->error);
    if (st != CFLR_OK) return st;
    bool good = cflri_triples_add(e->indexed, key, *label) &&
                cflri_vec_push(e->context, &e->slots, *label) &&
                cflri_vec_push(e->context, &e->slot_type, type);
    return good ? CFLR_OK : no_memory(e);
}

/* ---- spellings ---- */

/* `sign`, of one character at most, and `base`, cut off so that `room` bytes stay for what follows.
 * Returns the end. */
static char *spell_signed(char *buffer, size_t size, const char *sign, const char *base,
                          size_t room) {
    char *at = stpcpy(buffer, sign);
    size_t length = strnlen(base, size - 1 - room - (size_t)(at - buffer));
    memcpy(at, base, length);
    at[length] = '\0';
    return at + length;
}

/* base+8, base+-8 */
static void spell_step(char *buffer, size_t size, const char *base, int32_t step) {
    char *at = spell_signed(buffer, size, "", base, 2 + CFLRI_DECIMAL_DIGITS);
    at = stpcpy(at, step < 0 ? "+-" : "+");
    *cflri_put_decimal(at, step < 0 ? -(uint64_t)step : (uint64_t)step) = '\0';
}

/* &f(2) */
static void spell_slot(char *buffer, size_t size, const char *base, uint32_t slot) {
    char *at = spell_signed(buffer, size, "&", base + (base[0] == '&'), 2 + SLOT_BYTES);
    at = put_slot(stpcpy(at, "("), slot);
    stpcpy(at, ")");
}

/* How a step reads when the source never spells it. */
static void spell(const emitter *e, cflri_node n, char *buffer, size_t size) {
    const cflri_node_record *node = record(e, n);
    const char *base = node->how == CFLRI_ROOT ? "" : text(e, e->name[node->base]);
    switch (node->how) {
        case CFLRI_ROOT:
            buffer[0] = '\0';
            break;
        case CFLRI_ADDRESS:
            spell_signed(buffer, size, "&", base, 0);
            break;
        case CFLRI_DEREF:
            spell_signed(buffer, size, base[0] == '&' ? "" : "*", base + (base[0] == '&'), 0);
            break;
        case CFLRI_FIELD:
            spell_step(buffer, size, base, (int32_t)node->step);
            break;
        case CFLRI_SLOT:
            spell_slot(buffer, size, base, cflri_step_slot(node->step));
            break;
    }
}

static cflr_status make_names(emitter *e) {
    cflri_facts *facts = &e->program->facts;
    e->name = cflri_alloc_array(e->context, facts->nodes.n, sizeof *e->name);
    if (!e->name) return no_memory(e);
    for (cflri_node n = 0; n < facts->nodes.n; n++) {
        char buffer[NAME_BYTES];
        e->name[n] = record(e, n)->name;
        if (e->name[n] != 0) continue;
        spell(e, n, buffer, sizeof buffer);
        e->name[n] = cflri_facts_string(facts, buffer);
    }
    return facts->status == CFLR_OK ? CFLR_OK : no_memory(e);
}

/* ---- vertices ---- */

/* The place of a step that has none is that of what it is taken from. */
static const cflri_place *place_of(const emitter *e, cflri_node n) {
    const cflri_node_record *node = record(e, n);
    while (node->place.line == 0 && node->how != CFLRI_ROOT) node = record(e, node->base);
    return &node->place;
}

static bool holds_pointer(const cflri_node_record *node) {
    if (node->carrier != CFLRI_CARRIES_POINTER) return false;
    switch (node->kind) {
        case CFLR_VERTEX_VARIABLE:
        case CFLR_VERTEX_PARAMETER:
        case CFLR_VERTEX_RETURN:
        case CFLR_VERTEX_DEREFERENCE:
        case CFLR_VERTEX_TEMPORARY:
            return true;
        default:
            return false;
    }
}

/* Of the address of a member that is a record, the facts have the type of the record (member.c). */
static cflr_status type_of_vertex(const emitter *e, const cflri_node_record *node, uint32_t *type) {
    char pointer[TYPE_BYTES];
    if (node->how != CFLRI_FIELD || !node->type) return hand_over(e, node->type, type);
    snprintf(pointer, sizeof pointer, "%.*s *", TYPE_BYTES - 3, text(e, node->type));
    return cflri_graph_builder_string(e->builder, pointer, type, e->error);
}

static cflr_status emit_vertex(const emitter *e, cflri_node n, const cflri_instance *instance,
                               uint32_t *vertex) {
    cflr_status st = CFLR_OK;
    const cflri_node_record *node = record(e, n);
    const cflri_place *place = place_of(e, n);
    cflri_source source = {.kind = node->kind, .line = place->line, .column = place->column};
    CFLR_TRY(hand_over(e, e->name[n], &source.name));
    CFLR_TRY(type_of_vertex(e, node, &source.type));
    CFLR_TRY(hand_over(e, e->facts->functions.at[node->function].name, &source.function));
    CFLR_TRY(hand_over(e, place->file, &source.file));
    CFLR_TRY(hand_over(e, instance->context, &source.context));
    st = cflri_graph_builder_vertex(e->builder, &source, vertex, e->error);
out:
    return st;
}

static cflr_status emit_vertices(const emitter *e, uint32_t i, uint64_t *pointers) {
    const cflri_instance *instance = &e->contexts->instances.at[i];
    const cflri_groups *nodes = &e->contexts->nodes;
    uint32_t f = instance->function;
    for (uint32_t j = nodes->start[f]; j < nodes->start[f + 1]; j++) {
        cflri_node n = nodes->item[j];
        uint32_t vertex;
        cflr_status st = emit_vertex(e, n, instance, &vertex);
        if (st != CFLR_OK) return st;
        assert(vertex == cflri_contexts_vertex(e->contexts, i, n));
        *pointers += holds_pointer(record(e, n));
    }
    return CFLR_OK;
}

/* ---- edges ---- */

static cflr_status edge(const emitter *e, uint32_t source, uint32_t target, uint32_t label) {
    return cflr_graph_builder_edge(e->builder, source, target, label, e->error);
}

static cflr_status slot_edge(emitter *e, cflri_node n, uint32_t type, uint32_t from, uint32_t to) {
    uint32_t label;
    cflr_status st = slot_label(e, cflri_step_slot(record(e, n)->step), type, &label);
    return st == CFLR_OK ? edge(e, from, to, label) : st;
}

/* To a slot of the function `owner`, or of a value that is called when that is 0. */
static cflr_status emit_slot(emitter *e, cflri_node n, uint32_t owner, uint32_t from, uint32_t to) {
    cflr_status st = CFLR_OK;
    uint32_t called = cflri_step_signature(record(e, n)->step);
    if (!owner) return slot_edge(e, n, cflri_called_by(e->program, called), from, to);
    const cflri_entries by = cflri_entries_of(e->program, owner);
    CFLR_TRY(slot_edge(e, n, CFLRI_NO_SIGNATURE, from, to));
    for (size_t k = 0; k < by.n; k++) CFLR_TRY(slot_edge(e, n, by.signature[k], from, to));
out:
    return st;
}

/* From the record that it is a member of, from the one that this is a member of, and so on. */
static cflr_status emit_member(emitter *e, uint32_t i, cflri_node n) {
    cflr_status st = CFLR_OK;
    uint32_t label, to = cflri_contexts_vertex(e->contexts, i, n);
    int64_t offset = 0;
    cflri_node at = n;
    for (int steps = 0; steps < MOST_STEPS && record(e, at)->how == CFLRI_FIELD; steps++) {
        offset += (int32_t)record(e, at)->step;
        at = record(e, at)->base;
        if (!e->program->kept[at] || offset != (int32_t)offset) break;
        label = e->a; /* forth and back again */
        if (offset != 0) CFLR_TRY(member_label(e, (int32_t)offset, &label));
        CFLR_TRY(edge(e, cflri_contexts_vertex(e->contexts, i, at), to, label));
    }
out:
    return st;
}

/* Where memory is vertices, a member that the source names is one step, and any other is any place
 * of the object. */
static cflr_status emit_place(emitter *e, uint32_t i, cflri_node n) {
    uint32_t label = e->any, to = cflri_contexts_vertex(e->contexts, i, n);
    uint32_t from = cflri_contexts_vertex(e->contexts, i, record(e, n)->base);
    cflr_status st = CFLR_OK;
    if (cflri_is_told(e->facts, n) || cflri_is_summary_step(e->facts, n))
        st = member_label(e, (int32_t)record(e, n)->step, &label);
    return st == CFLR_OK ? edge(e, from, to, label) : st;
}

/* Where memory is vertices, an argument of a call through a value is stored where the functions
 * have their parameter, and need not be what others have stored there, since nothing reads it. */
static bool is_only_stored(const emitter *e, cflri_node n) {
    const cflri_node_record *node = record(e, n);
    const cflri_node_record *slot = record(e, node->base);
    return e->strict && slot->how == CFLRI_SLOT && !e->used[n] &&
           cflri_step_slot(slot->step) != CFLRI_SLOT_RETURN &&
           cflri_program_slot_owner(e->program, node->base) == 0;
}

/* A string literal that names a program has an edge to itself for each rule that asks for it. */
static cflr_status emit_program(const emitter *e, cflri_node literal, uint32_t vertex) {
    cflr_status st = CFLR_OK;
    const char *rule, *spelled = text(e, record(e, literal)->name);
    if (record(e, literal)->kind != CFLR_VERTEX_STRING) return CFLR_OK;
    for (uint32_t r = 0; (rule = cflri_rule_name(e->program->summaries, r)); r++) {
        uint32_t label;
        if (!cflri_rule_names_program(e->program->summaries, r, spelled)) continue;
        CFLR_TRY(cflr_graph_builder_label(e->builder, "program", rule, &label, e->error));
        CFLR_TRY(edge(e, vertex, vertex, label));
    }
out:
    return st;
}

static cflr_status emit_step(emitter *e, uint32_t i, cflri_node n) {
    cflr_status st = CFLR_OK;
    const cflri_node_record *node = record(e, n);
    if (node->how == CFLRI_ROOT || !e->program->kept[node->base]) return CFLR_OK;
    uint32_t owner = cflri_program_slot_owner(e->program, n);
    if (owner != 0 && !e->contexts->instances.at[i].base) return CFLR_OK;
    if (node->how == CFLRI_FIELD) return e->strict ? emit_place(e, i, n) : emit_member(e, i, n);
    uint32_t to = cflri_contexts_vertex(e->contexts, i, n);
    uint32_t from = cflri_contexts_vertex(e->contexts, i, node->base);
    if (node->how == CFLRI_ADDRESS) {
        CFLR_TRY(emit_program(e, node->base, from));
        CFLR_TRY(edge(e, from, to, e->alloc));
        return edge(e, to, from, e->d);
    }
    if (node->how == CFLRI_SLOT) return emit_slot(e, n, owner, from, to);
    if (e->program->taken[node->base]) CFLR_TRY(edge(e, to, from, e->alloc));
    st = edge(e, from, to, is_only_stored(e, n) ? e->store : e->d);
out:
    return st;
}

static uint32_t plain_flow_label(const emitter *e, const cflri_assign *assign) {
    switch (assign->flow) {
        case CFLRI_FLOW_NULL:
            return e->null;
        case CFLRI_FLOW_NONNULL:
            return e->nonnull;
        default:
            if (assign->text) return assign->text == CFLRI_TEXT_HELD ? e->held : e->text;
            return assign->data ? e->data : e->a;
    }
}

/* The rule that an edge from a source or to a sink is of; NULL for all other edges, and where a
 * foreign file names a rule that is not there. */
static const char *rule_of(const emitter *e, const cflri_assign *assign, bool *source) {
    const cflri_node_record *from = record(e, assign->from), *to = record(e, assign->to);
    *source = from->kind == CFLR_VERTEX_SOURCE;
    if (!*source && to->kind != CFLR_VERTEX_SINK) return NULL;
    return cflri_rule_name(e->program->summaries, *source ? from->step : to->step);
}

/* The label of a value that the outside gives, to a function that it calls or as the result of a
 * function without model. */
static cflr_status given_label(const emitter *e, const cflri_assign *assign, uint32_t *label) {
    if (assign->call == CFLRI_NO_CALL)
        return cflr_graph_builder_label(e->builder, "caller", NULL, label, e->error);
    uint32_t callee = e->facts->calls.at[assign->call].callee;
    return cflr_graph_builder_label(e->builder, "unknown",
                                    text(e, e->facts->functions.at[callee].name), label, e->error);
}

static cflr_status flow_label(const emitter *e, const cflri_assign *assign, uint32_t *label) {
    bool direct = assign->call != CFLRI_NO_CALL;
    bool in = assign->flow == CFLRI_FLOW_ARGUMENT, out = assign->flow == CFLRI_FLOW_RESULT;
    *label = plain_flow_label(e, assign);
    bool source;
    const char *rule = rule_of(e, assign, &source);
    static const char *const marked[] = {[CFLRI_MARKED_BYTES] = "bytes",
                                         [CFLRI_MARKED_CLEAN] = "clean",
                                         [CFLRI_MARKED_IF] = "if",
                                         [CFLRI_MARKED_PASSED_ON] = "sink"};
    const char *name = assign->marked ? marked[assign->marked] : source ? "source" : "sink";
    if (rule) return cflr_graph_builder_label(e->builder, name, rule, label, e->error);
    if (e->program->open && assign->from == e->program->outside)
        return given_label(e, assign, label);
    if (e->program->open && assign->to == e->program->outside && assign->flow != CFLRI_FLOW_NULL)
        return cflr_graph_builder_label(e->builder, "escapes", NULL, label, e->error);
    if (!e->brackets || !direct || (!in && !out)) return CFLR_OK;
    return cflr_graph_builder_label(e->builder, in ? "call" : "ret",
                                    text(e, e->program->site[assign->call]), label, e->error);
}

/* Is it a sink of a function whose callers, all by name, have one for the same value? */
static bool is_of_callers(const emitter *e, const cflri_assign *assign) {
    return assign->marked == CFLRI_MARKED_PASSED_ON &&
           !e->facts->functions.at[record(e, assign->to)->function].invoked;
}

/* An assignment as one instance of its owner states it. */
static cflr_status emit_assign(const emitter *e, uint32_t i, const cflri_assign *assign) {
    uint32_t from, to, label;
    if (is_of_callers(e, assign)) return CFLR_OK;
    cflri_contexts_assign(e->contexts, i, assign, &from, &to);
    cflr_status st = flow_label(e, assign, &label);
    if (st != CFLR_OK) return st;
    const cflri_flow_place place = {cflri_pair(from, to), assign->place};
    if (assign->place && !cflri_vec_push(e->context, &e->program->flow_places, place))
        return no_memory(e);
    return edge(e, from, to, label);
}

static cflr_status emit_edges(emitter *e, uint32_t i) {
    cflr_status st = CFLR_OK;
    const cflri_groups *nodes = &e->contexts->nodes;
    uint32_t f = e->contexts->instances.at[i].function;
    for (uint32_t j = nodes->start[f]; j < nodes->start[f + 1]; j++)
        CFLR_TRY(emit_step(e, i, nodes->item[j]));
    for (uint32_t j = e->assigns.start[f]; j < e->assigns.start[f + 1]; j++)
        CFLR_TRY(emit_assign(e, i, &e->facts->assigns.at[e->assigns.item[j]]));
out:
    return st;
}

static cflr_status emit_mentions(const emitter *e, uint32_t i) {
    cflr_status st = CFLR_OK;
    uint32_t f = e->contexts->instances.at[i].function;
    for (uint32_t j = e->mentions.start[f]; j < e->mentions.start[f + 1]; j++) {
        const cflri_facts_mention *mention = &e->facts->mentions.at[e->mentions.item[j]];
        cflri_mention at = {.line = mention->line,
                            .column = mention->column,
                            .vertex = cflri_contexts_vertex(e->contexts, i, mention->node)};
        uint32_t name = mention->name ? mention->name : e->name[mention->node];
        CFLR_TRY(hand_over(e, mention->file, &at.file));
        CFLR_TRY(hand_over(e, name, &at.name));
        CFLR_TRY(cflri_graph_builder_mention(e->builder, &at, e->error));
    }
out:
    return st;
}

/* ---- what is unknown ---- */

static cflr_status emit_loops(const emitter *e, uint32_t unknown, const cflri_node_record *node) {
    cflr_status st = CFLR_OK;
    bool back = node->far && !node->smeared;
    if (e->strict) CFLR_TRY(edge(e, unknown, unknown, e->any));
    for (size_t i = 0; !e->strict && !back && i < e->fields.n; i++)
        CFLR_TRY(edge(e, unknown, unknown, e->fields.at[i]));
    for (size_t i = 0; !e->strict && back && i < e->around.n; i++)
        CFLR_TRY(edge(e, unknown, unknown, e->around.at[i]));
    if (node->smeared || node->far) goto out;
    CFLR_TRY(edge(e, unknown, unknown, e->a));
    CFLR_TRY(edge(e, unknown, unknown, e->d));
    CFLR_TRY(edge(e, unknown, unknown, e->alloc));
    for (size_t i = 0; i < e->slots.n; i++) CFLR_TRY(edge(e, unknown, unknown, e->slots.at[i]));
out:
    return st;
}

/* Is a pointer moved back by an unknown distance? */
static bool has_moves(const emitter *e) {
    bool moves = false;
    for (cflri_node n = 0; n < e->facts->nodes.n && !moves; n++) {
        const cflri_node_record *node = record(e, n);
        moves = e->program->kept[n] && node->far && !node->smeared;
    }
    return moves;
}

static cflr_status emit_unknown(const emitter *e, uint32_t i) {
    cflr_status st = CFLR_OK;
    const cflri_groups *nodes = &e->contexts->nodes;
    uint32_t f = e->contexts->instances.at[i].function;
    for (uint32_t j = nodes->start[f]; j < nodes->start[f + 1]; j++) {
        const cflri_node_record *node = record(e, nodes->item[j]);
        if (node->kind != CFLR_VERTEX_UNKNOWN && node->kind != CFLR_VERTEX_LOST) continue;
        CFLR_TRY(emit_loops(e, cflri_contexts_vertex(e->contexts, i, nodes->item[j]), node));
    }
out:
    return st;
}

/* The value of an unknown function has all its slots in the unknown node too. */
static cflr_status emit_unknown_value(const emitter *e, uint32_t f) {
    cflr_status st = CFLR_OK;
    const cflri_role *role = &e->program->role[f];
    if (role->unknown == CFLRI_NO_NODE || !e->program->kept[role->unknown]) return CFLR_OK;
    if (!role->valued || role->value == CFLRI_NO_NODE) return CFLR_OK;
    uint32_t unknown = cflri_contexts_vertex(e->contexts, 0, role->unknown);
    uint32_t value = cflri_contexts_vertex(e->contexts, 0, role->value);
    for (size_t i = 0; i < e->slots.n; i++)
        if (cflri_enters(e->program, f, e->slot_type.at[i]))
            CFLR_TRY(edge(e, value, unknown, e->slots.at[i]));
out:
    return st;
}

/* ---- the whole ---- */

/* Groups assignments and mentions by the function whose instances repeat them. */
static cflr_status group_statements(emitter *e) {
    cflr_status st = CFLR_OK;
    const cflri_facts *facts = e->facts;
    size_t n = facts->assigns.n > facts->mentions.n ? facts->assigns.n : facts->mentions.n;
    uint32_t *owner = cflri_alloc_array(e->context, n, sizeof *owner);
    if (!owner) CFLR_TRY(no_memory(e));
    for (size_t i = 0; i < facts->assigns.n; i++)
        owner[i] = cflri_program_owner(e->program, &facts->assigns.at[i]);
    CFLR_TRY(cflri_group(e->context, owner, facts->assigns.n, facts->functions.n, &e->assigns,
                         e->error));
    for (size_t i = 0; i < facts->mentions.n; i++) {
        cflri_node node = facts->mentions.at[i].node;
        owner[i] = e->program->kept[node] ? e->contexts->owner[node] : UINT32_MAX;
    }
    st = cflri_group(e->context, owner, facts->mentions.n, facts->functions.n, &e->mentions,
                     e->error);
out:
    cflri_free(e->context, owner);
    return st;
}

static uint64_t count_mentions(const emitter *e) {
    uint64_t n = 0;
    for (size_t i = 0; i < e->contexts->instances.n; i++) {
        const uint32_t *start = e->mentions.start + e->contexts->instances.at[i].function;
        n += start[1] - start[0];
    }
    return n;
}

static cflr_status find_used(emitter *e) {
    const cflri_facts *facts = e->facts;
    e->used = cflri_alloc_array_zero(e->context, facts->nodes.n, sizeof *e->used);
    if (!e->used) return no_memory(e);
    for (cflri_node n = 0; n < facts->nodes.n; n++)
        if (record(e, n)->how != CFLRI_ROOT && e->program->kept[n])
            e->used[record(e, n)->base] = true;
    for (size_t i = 0; i < facts->assigns.n; i++) e->used[facts->assigns.at[i].from] = true;
    for (size_t i = 0; i < facts->mentions.n; i++) e->used[facts->mentions.at[i].node] = true;
    for (size_t i = 0; i < facts->checks.n; i++)
        e->used[facts->checks.at[i].node[0]] = e->used[facts->checks.at[i].node[1]] = true;
    for (size_t i = 0; i < facts->called.n; i++)
        if (facts->called.at[i].value != CFLRI_NO_NODE) e->used[facts->called.at[i].value] = true;
    return CFLR_OK;
}

static cflr_status prepare(emitter *e) {
    cflr_status st = CFLR_OK;
    e->indexed = cflri_triples_new(e->context);
    if (!e->indexed) CFLR_TRY(no_memory(e));
    CFLR_TRY(cflr_graph_builder_new(e->context, &e->builder, e->error));
    CFLR_TRY(plain_label(e, "a", &e->a));
    CFLR_TRY(plain_label(e, "d", &e->d));
    CFLR_TRY(plain_label(e, "alloc", &e->alloc));
    CFLR_TRY(plain_label(e, "null", &e->null));
    if (e->facts->chosen.data_flow) {
        CFLR_TRY(plain_label(e, "nonnull", &e->nonnull));
        CFLR_TRY(plain_label(e, "data", &e->data));
    }
    if (e->strict) {
        CFLR_TRY(plain_label(e, "any", &e->any));
        CFLR_TRY(plain_label(e, "text", &e->text));
        CFLR_TRY(plain_label(e, "held", &e->held));
        CFLR_TRY(plain_label(e, "store", &e->store));
        CFLR_TRY(find_used(e));
    }
    e->moves = has_moves(e);
    if (e->brackets) CFLR_TRY(cflri_program_name_sites(e->program, e->error));
    CFLR_TRY(make_names(e));
    e->string = cflri_alloc_array_zero(e->context, e->facts->strings.text.n, sizeof *e->string);
    if (!e->string) CFLR_TRY(no_memory(e));
    CFLR_TRY(group_statements(e));
    st = cflri_graph_builder_expect(e->builder, e->contexts->n_vertices, count_mentions(e),
                                    e->error);
out:
    return st;
}

static cflr_status emit_all(emitter *e, uint64_t *pointers) {
    cflr_status st = CFLR_OK;
    uint32_t n = (uint32_t)e->contexts->instances.n;
    for (uint32_t i = 0; i < n; i++) CFLR_TRY(emit_vertices(e, i, pointers));
    for (uint32_t i = 0; i < n; i++) {
        CFLR_TRY(emit_edges(e, i));
        CFLR_TRY(emit_mentions(e, i));
        if (i % 1024 == 0) st = cflri_interrupted(e->context);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(e->context, st, e->error));
    }
    for (uint32_t i = 0; i < n; i++) CFLR_TRY(emit_unknown(e, i));
    for (uint32_t f = 1; f < e->facts->functions.n; f++) CFLR_TRY(emit_unknown_value(e, f));
out:
    return st;
}

static void free_groups(const emitter *e, cflri_groups *groups) {
    cflri_free(e->context, groups->start);
    cflri_free(e->context, groups->item);
}

cflr_status cflri_emit(const cflri_contexts *contexts, cflr_calls calls,
                       cflr_graph_builder **builder, uint64_t *pointers, cflr_error *error) {
    cflr_status st = CFLR_OK;
    emitter e = {.contexts = contexts,
                 .program = contexts->program,
                 .facts = &contexts->program->facts,
                 .context = contexts->program->context,
                 .brackets = calls == CFLR_CALLS_BRACKETS,
                 .strict = contexts->program->strict,
                 .error = error};
    *pointers = 0;
    CFLR_TRY(prepare(&e));
    CFLR_TRY(emit_all(&e, pointers));
out:
    cflri_triples_free(e.indexed);
    cflri_vec_free(e.context, &e.fields);
    cflri_vec_free(e.context, &e.around);
    cflri_vec_free(e.context, &e.slots);
    cflri_vec_free(e.context, &e.slot_type);
    cflri_free(e.context, e.name);
    cflri_free(e.context, e.used);
    cflri_free(e.context, e.string);
    free_groups(&e, &e.assigns);
    free_groups(&e, &e.mentions);
    if (st != CFLR_OK) cflr_graph_builder_free(e.builder);
    *builder = st == CFLR_OK ? e.builder : NULL;
    return st;
}
