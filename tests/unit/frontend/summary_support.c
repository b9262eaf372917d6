/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_support.c: see summary_support.h.
 */
#include "summary_support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static cflri_node variable(cflri_facts *facts, const char *name) {
    cflri_node_record record = {
        .kind = CFLR_VERTEX_VARIABLE,
        .carrier = CFLRI_CARRIES_POINTER,
        .name = cflri_facts_string(facts, name),
    };
    return cflri_facts_root(facts, name, &record, true);
}

void fixture_open(fixture *f, cflr_fields fields) {
    memset(f, 0, sizeof *f);
    cr_assert_eq(cflr_context_new(NULL, &f->context, NULL), CFLR_OK);
    cr_assert_eq(cflri_facts_init(&f->facts, f->context, fields, NULL), CFLR_OK);
    f->facts.chosen.data_flow = true; /* all effects count */
    f->caller = cflri_facts_function(&f->facts, "caller", "caller", NULL);
    for (uint32_t k = 0; k < SUPPORT_ARGUMENTS; k++) {
        char name[16];
        snprintf(name, sizeof name, "arg%u", k);
        f->argument[k] = variable(&f->facts, name);
    }
    f->result = variable(&f->facts, "ret");
}

void fixture_close(fixture *f) {
    cflri_facts_free(&f->facts);
    cr_assert_eq(cflr_context_memory(f->context), 0);
    cflr_context_free(f->context);
}

uint32_t fixture_call(fixture *f, uint32_t line) {
    cflri_call call = {
        .caller = f->caller,
        .place = {.file = cflri_facts_string(&f->facts, "/src/a.c"),
                  .line = line,
                  .column = 1,
                  .offset = 10 * line},
    };
    return cflri_facts_call(&f->facts, &call);
}

cflri_external_call fixture_external(fixture *f, const char *function) {
    return (cflri_external_call){
        .call = fixture_call(f, 7),
        .function = function,
        .arguments = f->argument,
        .n_arguments = SUPPORT_ARGUMENTS,
        .result = f->result,
    };
}

cflri_summaries *read_text(cflr_context *context, const char *text) {
    const cflri_embedded texts[] = {{"test", text}, {NULL, NULL}};
    cflri_summaries *summaries = NULL;
    cflr_error error = {0};
    cflr_status st = cflri_summaries_read(context, texts, NULL, 0, &summaries, &error);
    cr_assert_eq(st, CFLR_OK, "%s:%u:%u: %s", error.subject, error.line, error.column,
                 error.message);
    return summaries;
}

/* ---- nodes as text ---- */

typedef struct writer {
    char *at;
    char *end;
} writer;

static void put(writer *w, const char *text) {
    size_t length = strlen(text);
    cr_assert_lt(length, (size_t)(w->end - w->at), "buffer too small");
    memcpy(w->at, text, length + 1);
    w->at += length;
}

/* "arg0", "static:tm", "malloc()#0": of an object of the call, the number at the end of its key. */
static void put_root(writer *w, const cflri_facts *facts, const cflri_node_record *node) {
    bool null = node->kind == CFLR_VERTEX_NULL_VALUE;
    put(w, null ? "null" : cflri_string(&facts->strings, node->name));
    if (node->kind != CFLR_VERTEX_ALLOCATION) return;
    put(w, "#");
    put(w, strrchr(cflri_string(&facts->strings, node->key), ':') + 1);
}

static void put_node(writer *w, const cflri_facts *facts, cflri_node number) {
    const cflri_node_record *node = &facts->nodes.at[number];
    char step[24];
    switch (node->how) {
        case CFLRI_ROOT:
            put_root(w, facts, node);
            break;
        case CFLRI_ADDRESS:
            put(w, "&");
            put_node(w, facts, node->base);
            break;
        case CFLRI_DEREF:
            put(w, "*");
            put_node(w, facts, node->base);
            break;
        case CFLRI_FIELD:
            put(w, "(");
            put_node(w, facts, node->base);
            snprintf(step, sizeof step, "+%u)", node->step);
            put(w, step);
            break;
        case CFLRI_SLOT:
            put_node(w, facts, node->base);
            snprintf(step, sizeof step, ":%u", node->step);
            put(w, node->step == CFLRI_SLOT_RETURN ? ":ret" : step);
            break;
    }
}

/* Puts "; " when something was written already. */
static void separate(writer *w, const char *begin) {
    if (w->at > begin) put(w, "; ");
}

char *write_assigns(const cflri_facts *facts, size_t first, char *buffer, size_t size) {
    writer w = {.at = buffer, .end = buffer + size};
    *buffer = '\0';
    for (size_t i = first; i < facts->assigns.n; i++) {
        separate(&w, buffer);
        if (facts->assigns.at[i].data) put(&w, "data ");
        put_node(&w, facts, facts->assigns.at[i].to);
        put(&w, " = ");
        put_node(&w, facts, facts->assigns.at[i].from);
    }
    if (w.at == buffer) put(&w, "none");
    return buffer;
}

/* ---- whole summaries ---- */

static void write_copy(void *user, uint32_t to, uint32_t from) {
    writer *w = user;
    char text[64];
    if (to == CFLRI_COPY_RESULT)
        snprintf(text, sizeof text, "copy ret arg%u; ", from);
    else
        snprintf(text, sizeof text, "copy arg%u arg%u; ", to, from);
    put(w, text);
}

static void write_exchange(void *user, uint32_t argument, bool in) {
    char text[64];
    if (argument == CFLRI_COPY_RESULT)
        snprintf(text, sizeof text, "copy ret outside; ");
    else
        snprintf(text, sizeof text, in ? "copy arg%u outside; " : "copy outside arg%u; ", argument);
    put(user, text);
}

static void fill_variable(fixture *f, const cflri_summaries *summaries, const char *name) {
    const cflri_external_variable variable = {.name = name, .content = f->result};
    cr_assert(cflri_summaries_have_variable(summaries, name), "no summary of %s", name);
    cflri_summary_fill(summaries, &f->facts, &variable);
}

char *write_effects(const cflri_summaries *summaries, const char *function, char *buffer,
                    size_t size) {
    fixture f;
    fixture_open(&f, CFLR_FIELDS_SENSITIVE);
    char copies[256] = "", assigns[16384];
    writer w = {.at = copies, .end = copies + sizeof copies};
    cflri_external_call call = fixture_external(&f, function);
    call.copy = write_copy;
    call.exchange = write_exchange;
    call.user = &w;
    if (!cflri_summary_apply(summaries, &f.facts, &call)) fill_variable(&f, summaries, function);
    cr_assert_eq(f.facts.status, CFLR_OK);
    write_assigns(&f.facts, 0, assigns, sizeof assigns);
    if (*copies && strcmp(assigns, "none") == 0) {
        copies[strlen(copies) - 2] = '\0';
        assigns[0] = '\0';
    }
    int length = snprintf(buffer, size, "%s%s", copies, assigns);
    cr_assert_lt((size_t)length, size);
    fixture_close(&f);
    return buffer;
}
