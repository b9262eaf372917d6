/* SPDX-License-Identifier: Apache-2.0
 *
 * test_facts.c: nodes are their construction; what is stated is kept; failure sticks.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/facts.h"
#include "frontend/facts/facts_table.h"
#include "tests/support/fail_alloc.h"

static cflr_context *make(cflri_facts *facts, cflr_fields fields) {
    cflr_context *context;
    cflr_error error = {0};
    cr_assert_eq(cflr_context_new(NULL, &context, &error), CFLR_OK);
    cr_assert_eq(cflri_facts_init(facts, context, fields, &error), CFLR_OK);
    return context;
}

static void end(cflri_facts *facts, cflr_context *context) {
    cr_expect_eq(facts->status, CFLR_OK);
    cflri_facts_free(facts);
    cr_expect_eq(cflr_context_memory(context), 0);
    cflr_context_free(context);
}

static cflri_node variable(cflri_facts *facts, const char *name, uint32_t function) {
    const cflri_node_record record = {.kind = CFLR_VERTEX_VARIABLE,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .function = function,
                                      .name = cflri_facts_string(facts, name)};
    return cflri_facts_root(facts, name, &record, true);
}

Test(facts, identities) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_SENSITIVE);
    cflri_node p = variable(&facts, "p", 0);
    cflri_node address = cflri_facts_address(&facts, p);
    cflri_node content = cflri_facts_deref(&facts, p, CFLRI_CARRIES_POINTER);
    cflri_node member = cflri_facts_field(&facts, p, 8);

    cr_expect_eq(cflri_facts_deref(&facts, address, CFLRI_CARRIES_POINTER), p, "*&p is p");
    cr_expect_eq(cflri_facts_address(&facts, content), p, "&*p is p");
    cr_expect_eq(cflri_facts_field(&facts, p, 0), p, "&p->first is p");
    cr_expect_eq(cflri_facts_address(&facts, p), address);
    cr_expect_eq(cflri_facts_deref(&facts, p, CFLRI_CARRIES_POINTER), content);
    cr_expect_eq(cflri_facts_field(&facts, p, 8), member);
    cr_expect_neq(cflri_facts_field(&facts, p, 16), member);
    cr_expect_neq(cflri_facts_slot(&facts, p, 8), member, "slot 8 is not byte 8");
    cr_expect_eq(variable(&facts, "p", 0), p, "one key, one root");
    cr_expect_neq(variable(&facts, "q", 0), p);
    end(&facts, context);
}

/* Every node of a long random construction: bases come first, and asking again finds it. */
Test(facts, construction_is_identity) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_SENSITIVE);
    unsigned seed = 7;
    for (int i = 0; i < 20; i++) {
        char name[8];
        snprintf(name, sizeof name, "v%d", i);
        variable(&facts, name, 0);
    }
    for (int i = 0; i < 20000; i++) {
        seed = seed * 1103515245 + 12345;
        cflri_node base = (seed >> 8) % (cflri_node)facts.nodes.n;
        switch (seed >> 4 & 3) {
            case 0:
                cflri_facts_address(&facts, base);
                break;
            case 1:
                cflri_facts_deref(&facts, base, CFLRI_CARRIES_POINTER);
                break;
            case 2:
                cflri_facts_field(&facts, base, (seed >> 6 & 3) * 8);
                break;
            default:
                cflri_facts_slot(&facts, base, seed >> 6 & 1);
        }
    }
    size_t n = facts.nodes.n;
    cr_assert_gt(n, 1000);
    for (cflri_node i = 0; i < n; i++) {
        const cflri_node_record node = facts.nodes.at[i];
        cflri_node again = i;
        if (node.how != CFLRI_ROOT) cr_assert_lt(node.base, i);
        if (node.how == CFLRI_ADDRESS) again = cflri_facts_address(&facts, node.base);
        if (node.how == CFLRI_DEREF) again = cflri_facts_deref(&facts, node.base, node.carrier);
        if (node.how == CFLRI_FIELD) again = cflri_facts_field(&facts, node.base, node.step);
        if (node.how == CFLRI_SLOT) again = cflri_facts_slot(&facts, node.base, node.step);
        cr_assert_eq(again, i);
        if (node.how == CFLRI_ADDRESS)
            cr_assert_neq(facts.nodes.at[node.base].how, CFLRI_DEREF, "&*p was not reduced");
        if (node.how == CFLRI_DEREF)
            cr_assert_neq(facts.nodes.at[node.base].how, CFLRI_ADDRESS, "*&x was not reduced");
    }
    cr_expect_eq(facts.nodes.n, n);
    end(&facts, context);
}

Test(facts, members_of_insensitive_facts_are_their_object) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_INSENSITIVE);
    cflri_node p = variable(&facts, "p", 0);
    cr_expect_eq(cflri_facts_field(&facts, p, 8), p);
    end(&facts, context);
}

Test(facts, parameters_are_contents_of_slots) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_SENSITIVE);
    uint32_t f = cflri_facts_function(&facts, "f", "f", NULL);
    uint32_t g = cflri_facts_function(&facts, "g", "g", NULL);
    cr_expect_eq(cflri_facts_function(&facts, "f", "f", NULL), f);
    cflri_node value = cflri_facts_address(&facts, facts.functions.at[f].object);
    cflri_node first = cflri_facts_parameter(&facts, f, 0);
    cflri_node result = cflri_facts_return(&facts, f);

    cr_expect_eq(
        cflri_facts_deref(&facts, cflri_facts_slot(&facts, value, 0), CFLRI_CARRIES_POINTER),
        first);
    cr_expect_eq(facts.nodes.at[first].kind, CFLR_VERTEX_PARAMETER);
    cr_expect_eq(facts.nodes.at[result].kind, CFLR_VERTEX_RETURN);
    cr_expect_eq(facts.nodes.at[first].function, f, "a parameter belongs to its function");
    cr_expect_eq(facts.nodes.at[value].function, 0, "a function's address to none");
    cr_expect_neq(cflri_facts_parameter(&facts, g, 0), first);
    cr_expect_neq(cflri_facts_parameter(&facts, f, CFLRI_SLOT_VARARGS), first);

    /* through a variable that holds a function it is an ordinary place */
    cflri_node p = variable(&facts, "p", g);
    cflri_node through =
        cflri_facts_deref(&facts, cflri_facts_slot(&facts, p, 0), CFLRI_CARRIES_POINTER);
    cr_expect_eq(facts.nodes.at[through].kind, CFLR_VERTEX_DEREFERENCE);
    cr_expect_eq(facts.nodes.at[through].function, g);
    end(&facts, context);
}

Test(facts, the_strongest_carrier_stays) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_SENSITIVE);
    static const cflri_carrier ascending[] = {CFLRI_CARRIES_INTEGER, CFLRI_CARRIES_OBJECT,
                                              CFLRI_CARRIES_POINTER};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            cflri_node base =
                variable(&facts, (char[]){'v', (char)('0' + i), (char)('0' + j), 0}, 0);
            cflri_node node = cflri_facts_deref(&facts, base, ascending[i]);
            cr_expect_eq(cflri_facts_deref(&facts, base, ascending[j]), node);
            cr_expect_eq(facts.nodes.at[node].carrier, ascending[i > j ? i : j]);
        }
    }
    end(&facts, context);
}

Test(facts, a_definition_says_where) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_SENSITIVE);
    cflri_node_record record = {.kind = CFLR_VERTEX_VARIABLE, .place = {.line = 3, .offset = 30}};
    cflri_node g = cflri_facts_root(&facts, "g", &record, false);
    record.place.line = 9;
    cr_expect_eq(cflri_facts_root(&facts, "g", &record, false), g);
    cr_expect_eq(facts.nodes.at[g].place.line, 3, "a second declaration changes nothing");
    cflri_facts_root(&facts, "g", &record, true);
    cr_expect_eq(facts.nodes.at[g].place.line, 9);
    record.place.line = 12;
    cflri_facts_root(&facts, "g", &record, true);
    cr_expect_eq(facts.nodes.at[g].place.line, 9, "the first definition stays");
    end(&facts, context);
}

Test(facts, no_node_passes_through) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_SENSITIVE);
    cflri_node p = variable(&facts, "p", 0);
    cr_expect_eq(cflri_facts_address(&facts, CFLRI_NO_NODE), CFLRI_NO_NODE);
    cr_expect_eq(cflri_facts_deref(&facts, CFLRI_NO_NODE, CFLRI_CARRIES_POINTER), CFLRI_NO_NODE);
    cr_expect_eq(cflri_facts_field(&facts, CFLRI_NO_NODE, 8), CFLRI_NO_NODE);
    cr_expect_eq(cflri_facts_slot(&facts, CFLRI_NO_NODE, 0), CFLRI_NO_NODE);
    cflri_facts_assign(&facts, p, CFLRI_NO_NODE);
    cflri_facts_assign(&facts, CFLRI_NO_NODE, p);
    cflri_facts_assign(&facts, p, p);
    cr_expect_eq(facts.assigns.n, 0);
    cflri_facts_assign(&facts, p, variable(&facts, "q", 0));
    cr_expect_eq(facts.assigns.n, 1);
    end(&facts, context);
}

Test(facts, notes_are_counted_by_text) {
    cflri_facts facts;
    cflr_context *context = make(&facts, CFLR_FIELDS_SENSITIVE);
    const cflri_place first = {.line = 5}, later = {.line = 6};
    uint32_t a = cflri_facts_note_at(&facts, CFLR_NOTE_ASSUMED, &first, "inline assembly");
    cr_expect_eq(cflri_facts_note_at(&facts, CFLR_NOTE_ASSUMED, &later, "inline assembly"), a);
    cr_expect_neq(cflri_facts_note_at(&facts, CFLR_NOTE_LIMIT, &later, "inline assembly"), a);
    cr_expect_eq(facts.notes.n, 2);
    cr_expect_eq(facts.notes.at[a].count, 2);
    cr_expect_eq(facts.notes.at[a].first.line, 5);
    end(&facts, context);
}

/* ---- the table ---- */

Test(facts, table_against_an_array) {
    enum { RANGE = 24 };
    static uint32_t known[RANGE][RANGE][RANGE];
    cflr_context *context;
    cr_assert_eq(cflr_context_new(NULL, &context, NULL), CFLR_OK);
    cflri_triples *table = cflri_triples_new(context);
    memset(known, 0xff, sizeof known);
    srand(3);
    for (uint32_t i = 0; i < 30000; i++) {
        uint32_t a = (uint32_t)rand() % RANGE, b = (uint32_t)rand() % RANGE,
                 c = (uint32_t)rand() % RANGE;
        const cflri_triple key = {a << 27, b, c * 0x1000001u};
        if (i % 10000 == 500) cr_assert(cflri_triples_reserve(table, i));
        cr_assert_eq(cflri_triples_find(table, key), known[a][b][c]);
        if (known[a][b][c] != CFLRI_NO_VALUE) continue;
        cr_assert(cflri_triples_add(table, key, i));
        known[a][b][c] = i;
    }
    size_t memory = cflr_context_memory(context);
    cr_assert(cflri_triples_reserve(table, 0));
    cr_assert(!cflri_triples_reserve(table, SIZE_MAX), "more than there can be");
    cr_assert_eq(cflr_context_memory(context), memory);
    cflri_triples_free(table);
    cr_expect_eq(cflr_context_memory(context), 0);
    cflr_context_free(context);
}

/* ---- no memory ---- */

static cflr_status build_facts(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflri_facts facts;
    cflr_status st = cflri_facts_init(&facts, context, CFLR_FIELDS_SENSITIVE, error);
    if (st != CFLR_OK) return st;
    uint32_t f = cflri_facts_function(&facts, "f", "f", NULL);
    cflri_facts_expect(&facts, &(cflri_facts_counts){400, 60, 20, 20});
    for (int i = 0; i < 50; i++) {
        char name[8];
        snprintf(name, sizeof name, "v%d", i);
        cflri_node v = variable(&facts, name, f);
        cflri_node member = cflri_facts_field(&facts, v, 8);
        uint32_t spelled = cflri_facts_string(&facts, name);
        cflri_facts_describe(&facts, member, spelled, spelled, &(cflri_place){.line = 1});
        cflri_facts_assign(&facts, cflri_facts_deref(&facts, member, CFLRI_CARRIES_POINTER), v);
        cflri_facts_mention_at(&facts, member, &(cflri_place){.line = 1}, spelled);
        cflri_facts_call(&facts, &(cflri_call){.caller = f});
        cflri_facts_note_at(&facts, CFLR_NOTE_ASSUMED, NULL, name);
    }
    st = facts.status;
    cflri_facts_free(&facts);
    return st == CFLR_OK ? st : cflri_fail_memory(context, error);
}

Test(facts, every_allocation_may_fail) {
    cr_expect_gt(fail_alloc_sweep(build_facts, NULL), 20);
}
