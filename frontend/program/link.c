/* SPDX-License-Identifier: Apache-2.0
 *
 * link.c: merging the facts of units.
 *
 * A unit is replayed into the program: its strings are interned, its functions and roots are found
 * by key, its derived nodes by redoing their step on the mapped base. Bases come before what is
 * derived from them, so one ascending pass maps everything:
 *
 *     unit node:      0 root x     1 address(0)     2 root p     3 deref(2)
 *     map:              17              18              4             5
 *     program node:   17 root x    18 address(17)    4 root p     5 deref(4)
 *
 * A function in a header arrives once from every unit that includes it. Its nodes merge by key; its
 * assignments and mentions are sets; its calls are distinguished by caller, callee, place, and
 * their ordinal among the calls at that place (one macro may expand to several). A check is known
 * by the roots that its arguments flow into.
 *
 * An external name that several units define, at different places, keeps all its bodies and initial
 * values: sound whichever of them a linker would take. The program says so in a note. Where the
 * list makes several programs, scope.c tells which units mean one thing by a name.
 *
 * Every unit costs time in its own size.
 */
#include "frontend/program/link.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "frontend/facts/facts_table.h"
#include "frontend/program/callees.h"
#include "frontend/program/scope.h"

/* One unit on its way into the program: its numbers -> the program's. */
typedef struct mapping {
    cflri_program *program;
    cflri_facts *to;
    const cflri_facts *from;
    const cflri_scopes *scopes; /* or NULL */
    uint32_t number;            /* of the unit in the scopes */
    uint32_t *string;
    uint32_t *function;
    cflri_node *node;
    uint32_t *call;
    uint32_t *signature;
} mapping;

cflr_status cflri_program_init(cflri_program *program, cflr_context *context, cflr_fields fields,
                               const cflri_summaries *summaries, cflr_error *error) {
    memset(program, 0, sizeof *program);
    program->context = context;
    program->summaries = summaries;
    program->outside = CFLRI_NO_NODE;
    cflr_status st = cflri_facts_init(&program->facts, context, fields, error);
    if (st != CFLR_OK) return st;
    struct cflri_triples **tables[] = {&program->definitions, &program->places, &program->sites,
                                       &program->checks};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        *tables[i] = cflri_triples_new(context);
        if (!*tables[i]) return cflri_fail_memory(context, error);
    }
    return CFLR_OK;
}

void cflri_program_end_adding(cflri_program *program) {
    struct cflri_triples **tables[] = {&program->definitions, &program->places, &program->sites,
                                       &program->checks};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        cflri_triples_free(*tables[i]);
        *tables[i] = NULL;
    }
    cflri_seen_free(program->context, &program->flows);
    cflri_seen_free(program->context, &program->members);
    cflri_seen_free(program->context, &program->mentions);
    cflri_vec_free(program->context, &program->call_unit);
}

void cflri_program_free(cflri_program *program) {
    if (!program->context) return;
    cflri_program_end_adding(program);
    cflri_facts_free(&program->facts);
    cflri_free(program->context, program->role);
    cflri_callees_free(program->context, &program->callees);
    cflri_free(program->context, program->kept);
    cflri_free(program->context, program->taken);
    cflri_free(program->context, program->site);
    cflri_vec_free(program->context, &program->flow_places);
    memset(program, 0, sizeof *program);
}

static void fail_memory(cflri_facts *facts) {
    if (facts->status == CFLR_OK) facts->status = cflri_fail_memory(facts->context, NULL);
}

/* True when the key is new; it is there afterwards. */
static bool first_time(cflri_facts *to, cflri_triples *table, cflri_triple key) {
    if (cflri_triples_find(table, key) != CFLRI_NO_VALUE) return false;
    if (!cflri_triples_add(table, key, 0)) fail_memory(to);
    return true;
}

/* A number for each distinct key, from 0. */
static uint32_t number_of(cflri_facts *to, cflri_triples *table, cflri_triple key, uint32_t *n) {
    uint32_t known = cflri_triples_find(table, key);
    if (known != CFLRI_NO_VALUE) return known;
    if (!cflri_triples_add(table, key, *n)) fail_memory(to);
    return (*n)++;
}

/* ---- strings, functions, nodes ---- */

static void map_strings(const mapping *m) {
    for (size_t i = 0; i < m->from->strings.text.n; i++)
        m->string[i] = cflri_facts_string(m->to, cflri_string(&m->from->strings, (uint32_t)i));
}

static uint32_t map_key(const mapping *m, uint32_t key, bool external) {
    if (!m->scopes) return m->string[key];
    const char *text = cflri_string(&m->from->strings, key);
    const char *meant = external ? cflri_scopes_key(m->scopes, m->number, text)
                                 : cflri_scopes_own_key(m->scopes, text);
    return meant == text ? m->string[key] : cflri_facts_string(m->to, meant);
}

static cflri_place map_place(const mapping *m, cflri_place place) {
    place.file = m->string[place.file];
    return place;
}

static void map_signatures(const mapping *m) {
    for (size_t i = 0; i < m->from->signatures.n; i++)
        m->signature[i] = cflri_facts_signature(
            m->to, cflri_string(&m->from->strings, m->from->signatures.at[i]));
}

static void map_turned(const mapping *m) {
    for (size_t i = 0; i < m->from->turned.n; i++)
        cflri_facts_turn(m->to, m->signature[m->from->turned.at[i].from],
                         m->signature[m->from->turned.at[i].to]);
}

/* A body tells more than a declaration; what tells as much and differs leaves it open. */
static void merge_signature(const mapping *m, cflri_function *to, const cflri_function *from) {
    if (from->signature == CFLRI_NO_SIGNATURE) return;
    uint32_t signature = m->signature[from->signature];
    if (to->signature == CFLRI_NO_SIGNATURE || (from->defined && !to->defined))
        to->signature = signature;
    else if (from->defined == to->defined && to->signature != signature)
        to->signature = CFLRI_ANY_SIGNATURE;
}

/* `known` has a definition. Another one, at `place`, counts when it was not seen before: then the
 * note of the name, which names the first place, counts one more. */
static void note_definition(const mapping *m, cflri_node known, const cflri_place *place) {
    const cflri_node_record *root = &m->to->nodes.at[known];
    const cflri_strings *strings = &m->to->strings;
    char text[600];
    if (root->place.file == place->file && root->place.offset == place->offset) return;
    const cflri_triple definition = {known, place->file, place->offset};
    if (!first_time(m->to, m->program->definitions, definition)) return;
    snprintf(text, sizeof text, "%.150s, first defined at %.400s:%u",
             cflri_string(strings, root->name), cflri_string(strings, root->place.file),
             root->place.line);
    cflri_facts_note_at(m->to, CFLR_NOTE_REDEFINED, place, text);
}

static void merge_body(const mapping *m, uint32_t number, const cflri_function *from) {
    cflri_function *to = &m->to->functions.at[number];
    cflri_place place = map_place(m, from->place);
    if (to->defined) {
        note_definition(m, to->object, &place);
        if (from->variadic && (!to->variadic || from->n_parameters < to->n_parameters))
            to->n_parameters = from->n_parameters;
        to->variadic |= from->variadic;
        return;
    }
    to->defined = true;
    to->name = m->string[from->name]; /* and not that of an alias */
    to->place = place;
    to->n_parameters = from->n_parameters;
    to->variadic = from->variadic;
    to->ends = from->ends;
    for (int yes = 0; yes < 2; yes++) to->shows[yes] = from->shows[yes];
    m->to->nodes.at[to->object].name = to->name;
    m->to->nodes.at[to->object].place = place;
    m->to->nodes.at[to->object].defined = true;
}

static void map_functions(const mapping *m) {
    m->function[0] = 0;
    for (size_t i = 1; i < m->from->functions.n && m->to->status == CFLR_OK; i++) {
        const cflri_function *from = &m->from->functions.at[i];
        cflri_place place = map_place(m, from->place);
        uint32_t key = map_key(m, from->key, from->external);
        uint32_t number = cflri_facts_function_of(m->to, key, m->string[from->name], &place);
        m->function[i] = number;
        if (m->to->status != CFLR_OK) return;
        cflri_function *to = &m->to->functions.at[number];
        to->external |= from->external;
        to->hidden |= from->hidden;
        to->invoked |= from->invoked;
        if (!to->prototype) to->prototype = m->string[from->prototype];
        if (!to->defined) { /* what a body says counts more */
            to->variadic |= from->variadic;
            if (to->n_parameters < from->n_parameters) to->n_parameters = from->n_parameters;
        }
        merge_signature(m, to, from);
        if (from->defined) merge_body(m, number, from);
    }
}

static cflri_node_record map_record(const mapping *m, const cflri_node_record *from) {
    cflri_node_record to = *from;
    to.function = m->function[from->function];
    to.name = m->string[from->name];
    to.type = m->string[from->type];
    to.place = map_place(m, from->place);
    return to;
}

static cflri_node map_root(const mapping *m, const cflri_node_record *from) {
    if (from->kind == CFLR_VERTEX_FUNCTION)
        return m->to->functions.at[m->function[from->step]].object;
    const cflri_node_record record = map_record(m, from);
    uint32_t key = map_key(m, from->key, from->external);
    cflri_node root = cflri_facts_root_of(m->to, key, &record, from->defined);
    if (from->defined && root != CFLRI_NO_NODE) note_definition(m, root, &record.place);
    return root;
}

static cflri_node map_step(const mapping *m, const cflri_node_record *from) {
    assert(from->how != CFLRI_ROOT);
    cflri_node base = m->node[from->base];
    switch (from->how) {
        case CFLRI_ADDRESS:
            return cflri_facts_address(m->to, base);
        case CFLRI_DEREF:
            return cflri_facts_deref_member(m->to, base, from->carrier);
        case CFLRI_FIELD:
            return cflri_facts_field(m->to, base, (int32_t)from->step);
        case CFLRI_SLOT:
            return cflri_facts_called_slot(m->to, base, cflri_step_slot(from->step),
                                           m->signature[cflri_step_signature(from->step)]);
        case CFLRI_ROOT:
            break;
    }
    return CFLRI_NO_NODE;
}

/* Texts of the first unit that has them stay. */
static void describe(const mapping *m, cflri_node node, const cflri_node_record *from) {
    if (node == CFLRI_NO_NODE) return;
    cflri_node_record *to = &m->to->nodes.at[node];
    if (!to->name) to->name = m->string[from->name];
    if (!to->type) to->type = m->string[from->type];
    if (!to->place.line) to->place = map_place(m, from->place);
    if ((from->how == CFLRI_FIELD || from->how == CFLRI_DEREF) && from->key)
        cflri_facts_tell_record(m->to, node, m->string[from->key]);
    to = &m->to->nodes.at[node];
    to->untyped |= from->untyped;
    to->stripped |= from->stripped;
    to->sure |= from->sure;
    to->exported &= from->exported;
}

static void map_nodes(const mapping *m) {
    for (size_t i = 0; i < m->from->nodes.n; i++) {
        const cflri_node_record *from = &m->from->nodes.at[i];
        assert(from->how == CFLRI_ROOT || from->base < i);
        m->node[i] = from->how == CFLRI_ROOT ? map_root(m, from) : map_step(m, from);
        describe(m, m->node[i], from);
    }
}

/* ---- calls, assignments, mentions, checks, notes ---- */

/* The call at this place that this unit has not used yet: the next ordinal is a call of its own. */
static uint32_t map_call(const mapping *m, const cflri_call *from) {
    cflri_program *program = m->program;
    const cflri_call call = {m->function[from->caller], m->function[from->callee],
                             map_place(m, from->place)};
    uint32_t place =
        number_of(m->to, program->places, (cflri_triple){call.caller, call.callee, call.place.file},
                  &program->n_places);
    for (uint32_t ordinal = 0;; ordinal++) {
        const cflri_triple site = {place, call.place.offset, ordinal};
        uint32_t known = cflri_triples_find(program->sites, site);
        if (known == CFLRI_NO_VALUE) {
            known = cflri_facts_call(m->to, &call);
            if (known == CFLRI_NO_CALL) return known;
            if (!cflri_triples_add(program->sites, site, known) ||
                !cflri_vec_push(program->context, &program->call_unit, 0))
                fail_memory(m->to);
            if (m->to->status != CFLR_OK) return CFLRI_NO_CALL;
        } else if (program->call_unit.at[known] == program->n_units) {
            continue;
        }
        program->call_unit.at[known] = program->n_units;
        return known;
    }
}

/* Numbers of calls from `first` on are of this unit alone. */
static void map_called(const mapping *m, size_t first) {
    for (size_t i = 0; i < m->from->called.n && m->to->status == CFLR_OK; i++) {
        const cflri_called *from = &m->from->called.at[i];
        cflri_called to = {m->call[from->call], CFLRI_NO_NODE, m->string[from->name],
                           m->signature[from->signature]};
        if (from->value != CFLRI_NO_NODE) to.value = m->node[from->value];
        if (to.call >= first) cflri_facts_called_at(m->to, &to);
    }
}

static void map_calls(const mapping *m) {
    for (size_t i = 0; i < m->from->calls.n && m->to->status == CFLR_OK; i++)
        m->call[i] = map_call(m, &m->from->calls.at[i]);
}

static bool same_flow(const cflri_assign *a, const cflri_assign *b) {
    return a->from == b->from && a->to == b->to && a->call == b->call && a->flow == b->flow &&
           a->data == b->data && a->summary == b->summary && a->returns == b->returns &&
           a->unless == b->unless && a->outcome == b->outcome && a->argument == b->argument;
}

static bool flow_is_known(const cflri_program *program, const cflri_assign *assign, uint32_t hash) {
    const cflri_assign *known = program->facts.assigns.at;
    size_t at = cflri_seen_first(&program->flows, hash);
    for (uint32_t i; (i = cflri_seen_next(&program->flows, hash, &at)) != CFLRI_NOT_SEEN;)
        if (same_flow(&known[i], assign)) return true;
    return false;
}

static void add_flow(const mapping *m, const cflri_assign *assign) {
    uint32_t gate =
        (uint32_t)assign->argument << 2 | (uint32_t)assign->outcome << 1 | (uint32_t)assign->unless;
    uint32_t kind = gate << 16 | (uint32_t)assign->flow << 3 | (uint32_t)assign->returns << 2 |
                    (uint32_t)assign->data << 1 | (uint32_t)assign->summary;
    uint64_t hash = cflri_seen_mix(0, assign->from, assign->to);
    hash = cflri_seen_mix(hash, assign->call, kind);
    if (flow_is_known(m->program, assign, (uint32_t)hash)) return;
    size_t number = m->to->assigns.n;
    cflri_facts_flow(m->to, assign);
    if (m->to->assigns.n == number) return; /* from a node to itself */
    if (!cflri_seen_add(m->to->context, &m->program->flows, (uint32_t)hash, (uint32_t)number))
        fail_memory(m->to);
}

static void map_assigns(const mapping *m) {
    for (size_t i = 0; i < m->from->assigns.n && m->to->status == CFLR_OK; i++) {
        cflri_assign assign = m->from->assigns.at[i];
        assign.from = m->node[assign.from];
        assign.to = m->node[assign.to];
        if (assign.call != CFLRI_NO_CALL) assign.call = m->call[assign.call];
        if (assign.place) {
            const cflri_place place = map_place(m, m->from->places.at[assign.place]);
            assign.place = cflri_facts_place(m->to, &place);
        }
        add_flow(m, &assign);
    }
}

static bool same_mention(const cflri_facts_mention *a, const cflri_facts_mention *b) {
    return a->node == b->node && a->file == b->file && a->line == b->line &&
           a->column == b->column && a->name == b->name;
}

static bool mention_is_known(const cflri_program *program, const cflri_facts_mention *mention,
                             uint32_t hash) {
    const cflri_facts_mention *known = program->facts.mentions.at;
    size_t at = cflri_seen_first(&program->mentions, hash);
    for (uint32_t i; (i = cflri_seen_next(&program->mentions, hash, &at)) != CFLRI_NOT_SEEN;)
        if (same_mention(&known[i], mention)) return true;
    return false;
}

static void add_mention(const mapping *m, const cflri_facts_mention *mention) {
    uint64_t hash = cflri_seen_mix(0, mention->file, mention->line);
    hash = cflri_seen_mix(hash, mention->name, mention->column);
    hash = cflri_seen_mix(hash, mention->node, 0);
    if (mention_is_known(m->program, mention, (uint32_t)hash)) return;
    uint32_t number = (uint32_t)m->to->mentions.n;
    if (!cflri_vec_push(m->to->context, &m->to->mentions, *mention) ||
        !cflri_seen_add(m->to->context, &m->program->mentions, (uint32_t)hash, number))
        fail_memory(m->to);
}

static void map_mentions(const mapping *m) {
    for (size_t i = 0; i < m->from->mentions.n && m->to->status == CFLR_OK; i++) {
        const cflri_facts_mention *from = &m->from->mentions.at[i];
        const cflri_facts_mention to = {m->node[from->node], m->string[from->file], from->line,
                                        from->column, m->string[from->name]};
        add_mention(m, &to);
    }
}

static cflri_facts_check map_check(const mapping *m, const cflri_facts_check *from) {
    cflri_facts_check to = *from;
    to.function = m->function[from->function];
    to.callee = m->string[from->callee];
    to.problem = m->string[from->problem];
    to.place = map_place(m, from->place);
    for (int k = 0; k < 2; k++) {
        to.expression[k] = m->string[from->expression[k]];
        to.node[k] = m->node[from->node[k]];
    }
    return to;
}

/* A check that one unit cannot ask is not asked, even if another unit can ask it at the same place.
 */
static void map_checks(const mapping *m) {
    cflri_triples *known = m->program->checks;
    for (size_t i = 0; i < m->from->checks.n && m->to->status == CFLR_OK; i++) {
        const cflri_facts_check to = map_check(m, &m->from->checks.at[i]);
        const cflri_triple key = {to.node[0], 0, 0};
        uint32_t number = cflri_triples_find(known, key);
        if (number != CFLRI_NO_VALUE) {
            cflri_facts_check *first = &m->to->checks.at[number];
            if (!first->problem) first->problem = to.problem;
            continue;
        }
        if (!cflri_triples_add(known, key, (uint32_t)m->to->checks.n)) fail_memory(m->to);
        cflri_facts_check_at(m->to, &to);
    }
}

/* Can a function be named from outside, by this name or by its own? */
static void map_export(const mapping *m, const cflri_facts_link *from) {
    const cflri_node_record *unit_nodes = m->from->nodes.at;
    cflri_node_record *node = &m->to->nodes.at[m->node[from->node]];
    if (node->kind != CFLR_VERTEX_FUNCTION) {
        node->exported |= unit_nodes[from->node].exported || unit_nodes[from->alias].exported;
        return;
    }
    const cflri_function *target = &m->from->functions.at[unit_nodes[from->node].step];
    const cflri_function *alias = &m->from->functions.at[unit_nodes[from->alias].step];
    m->to->functions.at[node->step].exported |=
        !alias->hidden || (target->external && !target->hidden);
}

/* An alias that others define too (scope.c) may be its target: then so is its address. */
static void map_alias(const mapping *m, const cflri_facts_link *from) {
    cflri_node target = m->node[from->node], alias = m->node[from->alias];
    if (target == alias)
        map_export(m, from);
    else
        cflri_facts_assign(m->to, cflri_facts_address(m->to, target),
                           cflri_facts_address(m->to, alias));
}

static void map_links(const mapping *m) {
    for (size_t i = 0; i < m->from->links.n && m->to->status == CFLR_OK; i++) {
        const cflri_facts_link *from = &m->from->links.at[i];
        const cflri_facts_link to = {from->kind, m->string[from->name], m->node[from->node],
                                     CFLRI_NO_NODE};
        if (from->kind == CFLRI_LINK_SECTION)
            cflri_facts_link_at(m->to, &to);
        else
            map_alias(m, from);
    }
}

static bool is_known_member(const mapping *m, uint32_t hash, const cflri_facts_member *member) {
    size_t at = cflri_seen_first(&m->program->members, hash);
    uint32_t k;
    while ((k = cflri_seen_next(&m->program->members, hash, &at)) != CFLRI_NOT_SEEN) {
        const cflri_facts_member *known = &m->to->members.at[k];
        if (known->record == member->record && known->offset == member->offset &&
            known->type == member->type)
            return true;
    }
    return false;
}

/* Headers tell most of them again in each unit. */
static void map_members(const mapping *m) {
    for (size_t i = 0; i < m->from->members.n && m->to->status == CFLR_OK; i++) {
        cflri_facts_member member = m->from->members.at[i];
        member.record = m->string[member.record];
        member.type = m->string[member.type];
        uint32_t hash = (uint32_t)cflri_seen_mix(cflri_seen_mix(0, member.record, member.type),
                                                 member.offset, 0);
        if (is_known_member(m, hash, &member)) continue;
        uint32_t number = (uint32_t)m->to->members.n;
        cflri_facts_member_add(m->to, &member);
        if (!cflri_seen_add(m->to->context, &m->program->members, hash, number)) fail_memory(m->to);
    }
}

static void map_notes(const mapping *m) {
    for (size_t i = 0; i < m->from->notes.n; i++) {
        const cflri_facts_note *from = &m->from->notes.at[i];
        cflri_place first = map_place(m, from->first);
        uint32_t note = cflri_facts_note_at(m->to, from->kind, &first,
                                            cflri_string(&m->from->strings, from->text));
        if (note != CFLRI_NO_VALUE) m->to->notes.at[note].count += from->count - 1;
    }
}

/* ---- the whole ---- */

static cflr_status check(const cflri_facts *facts, cflr_error *error) {
    if (facts->status == CFLR_OK) return CFLR_OK;
    if (facts->nodes.n >= CFLRI_NO_NODE)
        return cflri_fail(error, CFLR_LIMIT, NULL, "the program has too many values");
    return cflri_fail_memory(facts->context, error);
}

static bool make_maps(mapping *m, cflr_context *context) {
    m->string = cflri_alloc_array(context, m->from->strings.text.n, sizeof *m->string);
    m->function = cflri_alloc_array(context, m->from->functions.n, sizeof *m->function);
    m->node = cflri_alloc_array(context, m->from->nodes.n, sizeof *m->node);
    m->call = cflri_alloc_array(context, m->from->calls.n, sizeof *m->call);
    m->signature = cflri_alloc_array(context, m->from->signatures.n, sizeof *m->signature);
    return m->string && m->function && m->node && m->call && m->signature;
}

/* Most of a unit is its own. */
static bool make_room(const mapping *m, cflr_context *context) {
    const cflri_facts_counts more = {m->from->strings.text.n, m->from->nodes.n, m->from->assigns.n,
                                     m->from->mentions.n};
    cflri_facts_expect(m->to, &more);
    return m->to->status == CFLR_OK &&
           cflri_seen_reserve(context, &m->program->flows, more.assigns) &&
           cflri_seen_reserve(context, &m->program->mentions, more.mentions);
}

cflr_status cflri_program_add(cflri_program *program, const cflri_facts *unit,
                              const cflri_scopes *scopes, uint32_t number, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_context *context = program->context;
    mapping m = {.program = program,
                 .to = &program->facts,
                 .from = unit,
                 .scopes = scopes,
                 .number = number};
    assert(!program->kept && "a closed program takes no more units");
    if (!make_maps(&m, context) || !make_room(&m, context))
        CFLR_TRY(cflri_fail_memory(context, error));
    program->n_units++;
    map_strings(&m);
    map_signatures(&m);
    map_turned(&m);
    map_functions(&m);
    if (m.to->status == CFLR_OK) map_nodes(&m);
    size_t first_call = m.to->calls.n;
    if (m.to->status == CFLR_OK) map_calls(&m);
    if (m.to->status == CFLR_OK) map_called(&m, first_call);
    if (m.to->status == CFLR_OK) map_assigns(&m);
    if (m.to->status == CFLR_OK) map_mentions(&m);
    if (m.to->status == CFLR_OK) map_checks(&m);
    if (m.to->status == CFLR_OK) map_links(&m);
    if (m.to->status == CFLR_OK) map_notes(&m);
    if (m.to->status == CFLR_OK) map_members(&m);
    st = check(m.to, error);
out:
    cflri_free(context, m.string);
    cflri_free(context, m.function);
    cflri_free(context, m.node);
    cflri_free(context, m.call);
    cflri_free(context, m.signature);
    return st;
}

void cflri_program_unread(cflri_program *program, const char *path, uint32_t line,
                          const char *cause) {
    enum { KEY_SIZE = 64 };
    cflri_facts *facts = &program->facts;
    char key[KEY_SIZE];
    cflri_node_record record = cflri_facts_lost_record(facts, cause, true);
    record.place = (cflri_place){.file = cflri_facts_string(facts, path), .line = line};
    snprintf(key, sizeof key, "unread:%zu", facts->nodes.n);
    cflri_facts_root(facts, key, &record, true);
}
