/* SPDX-License-Identifier: Apache-2.0
 *
 * summary.c: finding the summary of a function and stating its effects for one call.
 *
 * A value of the language becomes a node by starting at its base and taking its steps:
 *
 *     (*arg3)->ai_addr     argument 3 --deref--> * --field 24--> --deref--> content of the member
 *
 * and an effect becomes one assignment between two such nodes. A value without node (an argument
 * that is no pointer or was not passed, a result that is not used) ends the effect silently; so
 * `malloc(n);` makes no object.
 *
 * Objects have keys that are equal in two units exactly when they are the same object:
 *
 *     new       new:<key of the caller>:<file>@<offset>:<function>:<which call>:<which new>
 *     null      the same with `null`
 *     copy      the same with `copy` and `copied`: memory of unknown type, by any offset
 *     static    static:<name>, the function's own name where none is written
 *     cell      cell:<name>, with a key cell:<name>[<text of the literal>]
 *     global    <name>: the key of the external variable itself
 *     function  <name>: the same; its own summary is stated once in a unit, on its parameters
 *
 * The caller is part of the first because a macro may define many functions at one place; which
 * call, because a macro may call a function twice, and all of its text has the place of its use.
 *
 * O(effects) a call after one hash of the name; the parsed summaries are never written again.
 */
#include "frontend/summaries/summary.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/files/stream.h"
#include "frontend/summaries/summary_language.h"

typedef CFLRI_VEC(uint32_t) functions;

/* One application: everything that values depend on. */
typedef struct application {
    const cflri_summaries *summaries;
    cflri_facts *facts;
    const cflri_external_call *call; /* its number is CFLRI_NO_CALL where a variable is filled */
    cflri_call site;
    uint32_t repeated; /* the argument that `argN...` stands for now */
    functions *wanted; /* that became values: their own summaries are to be stated */
} application;

/* ---- life ---- */

typedef cflr_status parser(cflri_summaries *, const cflri_summary_text *, cflr_error *);

static cflr_status parse_shipped(cflri_summaries *summaries, const cflri_embedded *texts,
                                 parser *parse, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (; texts->name; texts++) {
        char subject[128];
        snprintf(subject, sizeof subject, "%s.txt", texts->name);
        const cflri_summary_text text = {subject, texts->text, CFLRI_SUMMARY_SHIPPED};
        CFLR_TRY(parse(summaries, &text, error));
    }
out:
    return st;
}

/* The content as text of our own, which ends with NUL. */
static cflr_status text_of_input(cflr_context *context, const cflri_input *input, const char *path,
                                 char **text, cflr_error *error) {
    const char *nul = memchr(input->data, '\0', input->size);
    if (nul) {
        uint32_t line = 1;
        const char *start = input->data;
        for (const char *at = input->data; at < nul; at++) {
            if (*at != '\n') continue;
            line++;
            start = at + 1;
        }
        return cflri_fail_at(error, CFLR_SYNTAX, path, line, (uint32_t)(nul - start) + 1,
                             "a NUL byte: this is no text");
    }
    *text = cflri_alloc(context, input->size + 1);
    if (!*text) return cflri_fail_memory(context, error);
    if (input->size) memcpy(*text, input->data, input->size);
    (*text)[input->size] = '\0';
    return CFLR_OK;
}

cflr_status cflri_summary_text_read(cflr_context *context, const char *path, char **text,
                                    cflr_error *error) {
    cflri_input input = {0};
    *text = NULL;
    cflr_status st = cflri_input_open(context, path, &input, error);
    if (st == CFLR_OK) st = text_of_input(context, &input, path, text, error);
    cflri_input_close(&input);
    return cflri_name_subject(st, path, error);
}

/* The text stays: a linkable graph takes it along. */
static cflr_status read_text(cflri_summaries *summaries, cflri_summary_file *file,
                             cflr_error *error) {
    char *content;
    cflr_status st = cflri_summary_text_read(summaries->context, file->path, &content, error);
    if (st != CFLR_OK) return st;
    file->text = cflri_arena_copy_text(&summaries->texts, content, strlen(content));
    cflri_free(summaries->context, content);
    return file->text ? CFLR_OK : cflri_fail_memory(summaries->context, error);
}

static cflr_status read_file(cflri_summaries *summaries, size_t i, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_summary_file *file = &summaries->files[i];
    if (!file->text) CFLR_TRY(read_text(summaries, file, error));
    const cflri_summary_text text = {file->path, file->text, CFLRI_SUMMARY_USER + (uint32_t)i};
    CFLR_TRY(cflri_summary_parse_members(summaries, &text, error));
    st = cflri_summary_parse_functions(summaries, &text, error);
out:
    return st;
}

/* Room for about what the texts say: a name in 25 bytes, an effect in 50. */
static bool reserve(cflri_summaries *s, const cflri_embedded *texts) {
    size_t size = 0;
    for (; texts->name; texts++) size += strlen(texts->text);
    return cflri_strings_reserve(&s->strings, size / 25) &&
           cflri_vec_reserve(s->context, &s->names, size / 25) &&
           cflri_vec_reserve(s->context, &s->entries, size / 30) &&
           cflri_vec_reserve(s->context, &s->effects, size / 50);
}

static cflr_status begin(cflri_summaries *s, const cflri_embedded *texts,
                         const cflri_summary_file *files, size_t n_files, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_arena_init(&s->texts, s->context);
    CFLR_TRY(cflri_strings_init(&s->strings, s->context, error));
    s->files = cflri_alloc_array(s->context, n_files, sizeof *s->files);
    if (!s->files || !reserve(s, texts) ||
        !cflri_vec_push(s->context, &s->entries, (cflri_summary_entry){0}) ||
        !cflri_vec_push(s->context, &s->marks, (cflri_mark){0}))
        CFLR_TRY(cflri_fail_memory(s->context, error));
    if (n_files) memcpy(s->files, files, n_files * sizeof *files);
    s->n_files = n_files;
out:
    return st;
}

cflr_status cflri_summaries_read(cflr_context *context, const cflri_embedded *texts,
                                 const cflri_summary_file *files, size_t n_files,
                                 cflri_summaries **summaries, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *summaries = NULL;
    cflri_summaries *s = cflri_alloc_zero(context, sizeof *s);
    if (!s) return cflri_fail_memory(context, error);
    s->context = context;
    CFLR_TRY(begin(s, texts, files, n_files, error));
    CFLR_TRY(parse_shipped(s, texts, cflri_summary_parse_members, error));
    CFLR_TRY(parse_shipped(s, texts, cflri_summary_parse_functions, error));
    for (size_t i = 0; i < n_files; i++) CFLR_TRY(read_file(s, i, error));
    *summaries = s;
    s = NULL;
out:
    cflri_summaries_free(s);
    return st;
}

cflr_status cflri_summaries_of_files(cflr_context *context, const cflri_summary_file *files,
                                     size_t n_files, cflri_summaries **summaries,
                                     cflr_error *error) {
    return cflri_summaries_read(context, cflri_summary_texts, files, n_files, summaries, error);
}

cflr_status cflri_summaries_new(cflr_context *context, const char *const *paths, size_t n_files,
                                cflri_summaries **summaries, cflr_error *error) {
    *summaries = NULL;
    cflri_summary_file *files = cflri_alloc_array_zero(context, n_files, sizeof *files);
    if (!files) return cflri_fail_memory(context, error);
    for (size_t i = 0; i < n_files; i++) files[i].path = paths[i];
    cflr_status st = cflri_summaries_of_files(context, files, n_files, summaries, error);
    cflri_free(context, files);
    return st;
}

void cflri_summaries_free(cflri_summaries *summaries) {
    if (!summaries) return;
    cflr_context *context = summaries->context;
    cflri_vec_free(context, &summaries->arguments);
    cflri_vec_free(context, &summaries->effects);
    cflri_vec_free(context, &summaries->entries);
    cflri_vec_free(context, &summaries->prefixes);
    cflri_vec_free(context, &summaries->names);
    cflri_vec_free(context, &summaries->rules);
    cflri_vec_free(context, &summaries->cwe);
    cflri_vec_free(context, &summaries->marks);
    cflri_vec_free(context, &summaries->conditions);
    cflri_vec_free(context, &summaries->programs);
    cflri_strings_free(&summaries->strings);
    cflri_free(context, summaries->files);
    cflri_arena_reset(&summaries->texts);
    cflri_free(context, summaries);
}

static uint32_t find_prefix(const cflri_summaries *summaries, const char *function) {
    uint32_t longest = 0;
    size_t most = 0;
    for (size_t i = 0; i < summaries->prefixes.n; i++) {
        uint32_t id = summaries->prefixes.at[i];
        const char *prefix = cflri_string(&summaries->strings, id);
        if (prefix[0] != function[0]) continue; /* most, and this is asked of every name */
        size_t length = strlen(prefix);
        if (length < most || strncmp(function, prefix, length) != 0) continue;
        longest = summaries->names.at[id].prefix;
        most = length;
    }
    return longest;
}

/* Returns what the texts say of a name; NULL: they do not have it. */
const cflri_summary_name *cflri_summary_named(const cflri_summaries *summaries, const char *name) {
    uint32_t id = cflri_strings_find(&summaries->strings, name, strlen(name));
    return id < summaries->names.n ? &summaries->names.at[id] : NULL;
}

uint32_t cflri_summary_find(const cflri_summaries *summaries, const char *function) {
    const cflri_summary_name *name = cflri_summary_named(summaries, function);
    return name && name->function ? name->function : find_prefix(summaries, function);
}

bool cflri_summaries_have(const cflri_summaries *summaries, const char *function) {
    return cflri_summary_find(summaries, function) != 0;
}

bool cflri_summaries_have_variable(const cflri_summaries *summaries, const char *variable) {
    const cflri_summary_name *name = cflri_summary_named(summaries, variable);
    return name && name->variable;
}

const char *cflri_summarised_name(const cflri_summaries *summaries, const cflri_facts *facts,
                                  uint32_t function) {
    const char *spelled = cflri_string(&facts->strings, facts->functions.at[function].name);
    const char *linked = cflri_string(&facts->strings, facts->functions.at[function].key);
    if (cflri_summaries_have(summaries, spelled)) return spelled;
    return cflri_summaries_have(summaries, linked) ? linked : NULL;
}

bool cflri_summary_overrides(const cflri_summaries *summaries, const cflri_facts *facts,
                             uint32_t function) {
    const char *name =
        summaries->override ? cflri_summarised_name(summaries, facts, function) : NULL;
    return name && summaries->entries.at[cflri_summary_find(summaries, name)].overrides;
}

bool cflri_summary_ends(const cflri_summaries *summaries, const char *name, uint32_t *unless) {
    const cflri_summary_entry *entry = &summaries->entries.at[cflri_summary_find(summaries, name)];
    *unless = entry->unless;
    return entry->ends;
}

/* ---- objects ---- */

static void out_of_memory(cflri_facts *facts) {
    if (facts->status == CFLR_OK) facts->status = cflri_fail_memory(facts->context, NULL);
}

/* How many calls of the same function the same place had before: they follow each other. */
static uint32_t earlier_calls_here(const application *a) {
    const cflri_facts *facts = a->facts;
    const cflri_call *site = &a->site;
    uint32_t n = 0;
    if (a->call->call == CFLRI_NO_CALL) return 0;
    for (uint32_t i = a->call->call; i-- > 0;) {
        const cflri_call *call = &facts->calls.at[i];
        if (call->caller != site->caller || call->place.file != site->place.file ||
            call->place.offset != site->place.offset) {
            break;
        }
        n += call->callee == site->callee;
    }
    return n;
}

/* A root that belongs to this call alone. */
static cflri_node call_root(const application *a, const char *what, uint32_t ordinal,
                            cflri_node_record *record) {
    cflri_facts *facts = a->facts;
    const cflri_call *site = &a->site;
    const char *caller = cflri_string(&facts->strings, facts->functions.at[site->caller].key);
    const char *file = cflri_string(&facts->strings, site->place.file);
    const char *function = a->call->function;
    size_t size = strlen(what) + strlen(caller) + strlen(file) + 2 * strlen(function) + 64;
    char *text = cflri_alloc(facts->context, size);
    if (!text) {
        out_of_memory(facts);
        return CFLRI_NO_NODE;
    }
    int length = snprintf(text, size, "%s:%s:%s@%u:%s:%u:%u", what, caller, file,
                          site->place.offset, function, earlier_calls_here(a), ordinal);
    char *name = text + length + 1;
    if (record->kind == CFLR_VERTEX_ALLOCATION || record->kind == CFLR_VERTEX_NULL_VALUE)
        snprintf(name, size - (size_t)(name - text), "%s()", function);
    else
        snprintf(name, size - (size_t)(name - text), "%s", what);
    record->carrier = CFLRI_CARRIES_POINTER;
    record->function = site->caller;
    record->name = cflri_facts_string(facts, name);
    record->place = site->place;
    cflri_node root = cflri_facts_root(facts, text, record, true);
    cflri_free(facts->context, text);
    return root;
}

static cflri_node new_object(const application *a, uint32_t ordinal) {
    cflri_node_record record = {.kind = CFLR_VERTEX_ALLOCATION};
    return call_root(a, "new", ordinal, &record);
}

static cflri_node null_of_call(const application *a) {
    cflri_node_record record = {.kind = CFLR_VERTEX_NULL_VALUE};
    return a->facts->chosen.data_flow ? call_root(a, "null", 0, &record) : CFLRI_NO_NODE;
}

static cflri_node library_variable(cflri_facts *facts, const char *key, bool external) {
    const cflri_node_record record = {
        .kind = CFLR_VERTEX_VARIABLE,
        .carrier = CFLRI_CARRIES_POINTER,
        .name = cflri_facts_string(facts, key),
        .external = external,
    };
    return cflri_facts_root(facts, key, &record, false);
}

cflri_node cflri_library_root(cflri_facts *facts, const char *prefix, const char *name) {
    size_t size = strlen(prefix) + strlen(name) + 1;
    char *key = cflri_alloc(facts->context, size);
    if (!key) {
        out_of_memory(facts);
        return CFLRI_NO_NODE;
    }
    snprintf(key, size, "%s%s", prefix, name);
    cflri_node root = library_variable(facts, key, !*prefix);
    cflri_free(facts->context, key);
    return root;
}

static cflri_node shared_root(const application *a, const char *prefix, uint32_t name) {
    const char *own = name ? cflri_string(&a->summaries->strings, name) : a->call->function;
    return cflri_library_root(a->facts, prefix, own);
}

/* ---- functions as values ---- */

static uint32_t most_arguments(uint32_t most, const cflri_summary_value *value) {
    bool argument = value->base == CFLRI_SUMMARY_ARGUMENT;
    return argument && value->number >= most ? value->number + 1 : most;
}

/* How many parameters a summary speaks of. */
static uint32_t parameters_of(const cflri_summaries *summaries, const cflri_summary_entry *entry) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < entry->n_effects; i++) {
        const cflri_summary_effect *effect = &summaries->effects.at[entry->first_effect + i];
        n = most_arguments(most_arguments(n, &effect->target), &effect->source);
        for (uint32_t k = 0; k < effect->n_arguments; k++)
            n = most_arguments(n, &summaries->arguments.at[effect->first_argument + k]);
    }
    return n;
}

static cflri_node described_function(const application *a, uint32_t id) {
    cflri_facts *facts = a->facts;
    const char *name = cflri_string(&a->summaries->strings, id);
    uint32_t f = cflri_facts_function(facts, name, name, NULL);
    if (facts->status != CFLR_OK) return CFLRI_NO_NODE;
    cflri_function *function = &facts->functions.at[f];
    if (!function->stated && !cflri_vec_push(facts->context, a->wanted, f)) {
        out_of_memory(facts);
        return CFLRI_NO_NODE;
    }
    function->external = function->stated = true;
    return cflri_facts_address(facts, function->object);
}

static bool is_null(const application *a, cflri_node node) {
    return node != CFLRI_NO_NODE && a->facts->status == CFLR_OK &&
           a->facts->nodes.at[node].kind == CFLR_VERTEX_NULL_VALUE;
}

static void flow_as(const application *a, cflri_node from, cflri_node to, cflri_flow flow) {
    cflri_assign assign = {
        .from = from,
        .to = to,
        .call = a->call->call,
        .flow = flow,
        .summary = a->call->call != CFLRI_NO_CALL,
        .place = cflri_facts_place(a->facts, &a->site.place),
    };
    cflri_facts_flow(a->facts, &assign);
}

static void flow(const application *a, cflri_node from, cflri_node to) {
    flow_as(a, from, to, is_null(a, from) ? CFLRI_FLOW_NULL : CFLRI_FLOW_ASSIGN);
}

/* Perhaps only where it is not null. */
static void flow_value(const application *a, const cflri_summary_value *value, cflri_node from,
                       cflri_node to) {
    if (!value->nonnull || !a->facts->chosen.data_flow)
        flow(a, from, to);
    else if (!is_null(a, from))
        flow_as(a, from, to, CFLRI_FLOW_NONNULL);
}

/* ---- cells with keys ---- */

static cflri_node argument(const application *a, uint32_t k) {
    return k < a->call->n_arguments ? a->call->arguments[k] : CFLRI_NO_NODE;
}

/* A key is known when the argument is a string literal; then its cell is distinguished from the
 * others:
 *
 *     cell:f["a"]    what is kept under "a"
 *     cell:f[]       what is kept under names that are not known: only where there are such is it
 *                    made, and then found under all others (close.c)
 *     cell:f         all of it: what a name that is not known may find
 */
static cflri_node cell(const application *a, uint32_t name, const char *key) {
    const char *text = cflri_string(&a->summaries->strings, name);
    size_t size = strlen(text) + strlen(key) + sizeof "cell:[]";
    char *own = cflri_alloc(a->facts->context, size);
    if (!own) {
        out_of_memory(a->facts);
        return CFLRI_NO_NODE;
    }
    snprintf(own, size, "cell:%s[%s]", text, key);
    cflri_node root = library_variable(a->facts, own, false);
    cflri_free(a->facts->context, own);
    return root;
}

/* The text of an argument that is a string literal; NULL for any other. */
static const char *literal(const application *a, uint32_t k) {
    const cflri_facts *facts = a->facts;
    cflri_node node = argument(a, k);
    if (node == CFLRI_NO_NODE || facts->nodes.at[node].how != CFLRI_ADDRESS) return NULL;
    const cflri_node_record *object = &facts->nodes.at[facts->nodes.at[node].base];
    bool known = object->how == CFLRI_ROOT && object->kind == CFLR_VERTEX_STRING;
    return known ? cflri_string(&facts->strings, object->name) : NULL;
}

/* The cell that is read, or written: `stored`. */
static cflri_node keyed_cell(const application *a, const cflri_summary_value *value, bool stored) {
    cflri_node all = shared_root(a, "cell:", value->number);
    const char *key = literal(a, value->key - 1);
    if (!key && !stored) return all;
    cflri_node own = cell(a, value->number, key ? key : "");
    if (a->facts->status != CFLR_OK) return CFLRI_NO_NODE;
    flow(a, own, all);
    return own;
}

/* ---- values ---- */

static cflri_node base_node(const application *a, const cflri_summary_value *value, bool stored) {
    switch (value->base) {
        case CFLRI_SUMMARY_ARGUMENT:
            return argument(a, value->number);
        case CFLRI_SUMMARY_REST:
            return argument(a, a->repeated);
        case CFLRI_SUMMARY_RESULT: /* one that is a record has members only */
            return stored && a->call->record ? CFLRI_NO_NODE : a->call->result;
        case CFLRI_SUMMARY_NEW:
            return cflri_facts_address(a->facts, new_object(a, value->number));
        case CFLRI_SUMMARY_STATIC:
            return cflri_facts_address(a->facts, shared_root(a, "static:", value->number));
        case CFLRI_SUMMARY_CELL:
            return value->key ? keyed_cell(a, value, stored)
                              : shared_root(a, "cell:", value->number);
        case CFLRI_SUMMARY_GLOBAL:
            return shared_root(a, "", value->number);
        case CFLRI_SUMMARY_VARIABLE:
            return cflri_facts_address(a->facts, shared_root(a, "", value->number));
        case CFLRI_SUMMARY_FUNCTION:
            return described_function(a, value->number);
        case CFLRI_SUMMARY_NULL:
            return null_of_call(a);
        case CFLRI_SUMMARY_NOTHING:
        case CFLRI_SUMMARY_OUTSIDE:
            break;
    }
    return CFLRI_NO_NODE;
}

/* A member by its offset alone. */
static cflri_node field(cflri_facts *facts, cflri_node node, int32_t step) {
    cflri_node at = cflri_facts_field(facts, node, step);
    cflri_facts_tell_record(facts, at, cflri_facts_string(facts, CFLRI_BASE_RECORD));
    return at;
}

/* Text and numbers: a step through an argument that is a number leads nowhere (those of printf are
 * of all kinds). */
cflri_node cflri_summary_follow(cflri_facts *facts, cflri_node node,
                                const cflri_summary_value *value) {
    for (uint32_t i = 0; i < value->n_steps && node != CFLRI_NO_NODE; i++) {
        cflri_carrier carrier = facts->nodes.at[node].carrier;
        bool last = i + 1 == value->n_steps;
        if (carrier == CFLRI_CARRIES_NUMBER || carrier == CFLRI_CARRIES_INTEGER)
            return CFLRI_NO_NODE;
        node = value->step[i] == CFLRI_SUMMARY_DEREF
                   ? cflri_facts_deref(facts, node,
                                       last ? CFLRI_CARRIES_NUMBER : CFLRI_CARRIES_POINTER)
                   : field(facts, node, value->step[i]);
    }
    return node;
}

static cflri_node evaluate_data(const application *a, const cflri_summary_value *value,
                                bool stored) {
    return cflri_summary_follow(a->facts, base_node(a, value, stored && value->n_steps == 0),
                                value);
}

static cflri_node follow(const application *a, cflri_node node, const cflri_summary_value *value) {
    cflri_facts *facts = a->facts;
    for (uint32_t i = 0; i < value->n_steps; i++) {
        node = value->step[i] == CFLRI_SUMMARY_DEREF
                   ? cflri_facts_deref(facts, node, CFLRI_CARRIES_POINTER)
                   : field(facts, node, value->step[i]);
    }
    return node;
}

static cflri_node evaluate(const application *a, const cflri_summary_value *value) {
    return follow(a, base_node(a, value, false), value);
}

/* The same of what is stored in. */
static cflri_node evaluate_place(const application *a, const cflri_summary_value *place) {
    return follow(a, base_node(a, place, place->n_steps == 0), place);
}

/* ---- effects ---- */

static void apply_data(const application *a, const cflri_summary_effect *effect) {
    if (!a->facts->chosen.data_flow) return;
    const cflri_assign assign = {.from = evaluate_data(a, &effect->source, false),
                                 .to = evaluate_data(a, &effect->target, true),
                                 .call = a->call->call,
                                 .flow = CFLRI_FLOW_ASSIGN,
                                 .data = true,
                                 .summary = a->call->call != CFLRI_NO_CALL,
                                 .place = cflri_facts_place(a->facts, &a->site.place)};
    cflri_facts_flow(a->facts, &assign);
}

static cflri_node content_of_slot(const application *a, cflri_node function, uint32_t slot) {
    return cflri_facts_deref(a->facts, cflri_facts_slot(a->facts, function, slot),
                             CFLRI_CARRIES_POINTER);
}

static void apply_call(const application *a, const cflri_summary_effect *effect) {
    cflri_node function = evaluate(a, &effect->source);
    if (function == CFLRI_NO_NODE) return;
    const cflri_called called = {a->call->call, function, 0, CFLRI_ANY_SIGNATURE};
    if (called.call != CFLRI_NO_CALL) cflri_facts_called_at(a->facts, &called);
    const cflri_summary_value *arguments = a->summaries->arguments.at + effect->first_argument;
    for (uint32_t k = 0; k < effect->n_arguments; k++) {
        cflri_node value = evaluate(a, &arguments[k]);
        if (value != CFLRI_NO_NODE)
            flow_value(a, &arguments[k], value, content_of_slot(a, function, k));
    }
    if (!effect->has_target) return;
    cflri_node target = evaluate_place(a, &effect->target);
    if (target == CFLRI_NO_NODE) return;
    flow(a, content_of_slot(a, function, CFLRI_SLOT_RETURN), target);
}

/* The content at any offset of what an argument points to (facts.h: smeared). */
static cflri_node any_content(const application *a, const char *what,
                              const cflri_summary_value *pointer) {
    cflri_node_record record = {.kind = CFLR_VERTEX_UNKNOWN, .smeared = true};
    cflri_node root = call_root(a, what, pointer->number, &record);
    flow(a, evaluate(a, pointer), root);
    return cflri_facts_deref(a->facts, root, CFLRI_CARRIES_POINTER);
}

/* Without types to copy by, any member of one may be any member of the other. Elements of one array
 * that change places are where they were unless they are apart. */
static void apply_copy(const application *a, const cflri_summary_effect *effect) {
    bool result = effect->target.base == CFLRI_SUMMARY_RESULT;
    bool inside = !result && effect->target.number == effect->source.number;
    if (inside && a->facts->chosen.arrays == CFLR_ARRAYS_ONE) return;
    cflri_node to = evaluate(a, &effect->target);
    cflri_node from = evaluate(a, &effect->source);
    if (to == CFLRI_NO_NODE || from == CFLRI_NO_NODE) return;
    if (a->call->copy) {
        a->call->copy(a->call->user, result ? CFLRI_COPY_RESULT : effect->target.number,
                      effect->source.number);
    } else {
        cflri_node source = any_content(a, "copied", &effect->source);
        flow(a, source, any_content(a, "copy", &effect->target));
    }
}

/* Where bytes come in to, or go out from. */
static void apply_exchange(const application *a, const cflri_summary_value *memory, bool in) {
    bool result = memory->base == CFLRI_SUMMARY_RESULT;
    if (a->call->exchange && evaluate(a, memory) != CFLRI_NO_NODE)
        a->call->exchange(a->call->user, result ? CFLRI_COPY_RESULT : memory->number, in);
}

static void apply_effect(const application *a, const cflri_summary_effect *effect) {
    if (effect->verb == CFLRI_SUMMARY_CALL) {
        apply_call(a, effect);
    } else if (effect->verb == CFLRI_SUMMARY_COPY) {
        if (effect->source.base == CFLRI_SUMMARY_OUTSIDE)
            apply_exchange(a, &effect->target, true);
        else if (effect->target.base == CFLRI_SUMMARY_OUTSIDE)
            apply_exchange(a, &effect->source, false);
        else
            apply_copy(a, effect);
    } else if (effect->data) {
        apply_data(a, effect);
    } else {
        cflri_node target = evaluate_place(a, &effect->target);
        if (target != CFLRI_NO_NODE)
            flow_value(a, &effect->source, evaluate(a, &effect->source), target);
    }
}

static void apply_entry(application *a, const cflri_summary_entry *entry) {
    for (uint32_t i = 0; i < entry->n_effects; i++) {
        const cflri_summary_effect *effect = &a->summaries->effects.at[entry->first_effect + i];
        if (effect->repeat_from == CFLRI_SUMMARY_ONCE) {
            apply_effect(a, effect);
            continue;
        }
        for (a->repeated = effect->repeat_from; a->repeated < a->call->n_arguments; a->repeated++)
            apply_effect(a, effect);
    }
}

/* States the summary on the function's own parameters, for calls through a pointer. */
static void state_own(const application *user, uint32_t function) {
    const cflri_summaries *summaries = user->summaries;
    cflri_facts *facts = user->facts;
    const char *name = cflri_string(&facts->strings, facts->functions.at[function].name);
    const cflri_summary_entry *entry = &summaries->entries.at[cflri_summary_find(summaries, name)];
    uint32_t n = parameters_of(summaries, entry);
    cflri_node arguments[CFLRI_SUMMARY_MOST_ARGUMENTS];
    for (uint32_t k = 0; k < n; k++) arguments[k] = cflri_facts_parameter(facts, function, k);
    if (facts->functions.at[function].n_parameters < n)
        facts->functions.at[function].n_parameters = n;
    const cflri_call self = {function, function, facts->functions.at[function].place};
    const cflri_external_call call = {.call = cflri_facts_call(facts, &self),
                                      .function = name,
                                      .arguments = arguments,
                                      .n_arguments = n,
                                      .result = cflri_facts_return(facts, function)};
    application own = {.summaries = summaries,
                       .facts = facts,
                       .call = &call,
                       .site = self,
                       .wanted = user->wanted};
    if (facts->status == CFLR_OK) apply_entry(&own, entry);
}

/* With what the functions do that its effects mention. */
static void state(application *a, uint32_t entry) {
    functions wanted = {0};
    a->wanted = &wanted;
    apply_entry(a, &a->summaries->entries.at[entry]);
    for (size_t i = 0; i < wanted.n && a->facts->status == CFLR_OK; i++) state_own(a, wanted.at[i]);
    cflri_vec_free(a->facts->context, &wanted);
}

bool cflri_summary_apply(const cflri_summaries *summaries, cflri_facts *facts,
                         const cflri_external_call *call) {
    uint32_t entry = cflri_summary_find(summaries, call->function);
    if (entry == 0) return false;
    if (facts->status != CFLR_OK) return true;
    assert(call->call < facts->calls.n);
    application a = {
        .summaries = summaries, .facts = facts, .call = call, .site = facts->calls.at[call->call]};
    state(&a, entry);
    return true;
}

void cflri_summary_fill(const cflri_summaries *summaries, cflri_facts *facts,
                        const cflri_external_variable *variable) {
    const cflri_summary_name *name = cflri_summary_named(summaries, variable->name);
    uint32_t entry = name ? name->content : 0;
    if (entry == 0 || facts->status != CFLR_OK) return;
    const cflri_external_call call = {
        .call = CFLRI_NO_CALL, .function = variable->name, .result = variable->content};
    application a = {.summaries = summaries,
                     .facts = facts,
                     .call = &call,
                     .site = {.caller = variable->owner, .place = variable->place}};
    state(&a, entry);
}
