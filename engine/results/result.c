/* SPDX-License-Identifier: Apache-2.0
 *
 * result.c: making a result from a closure, and reading it.
 */
#include "engine/results/result.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/sized.h"

void cflr_result_free(cflr_result *result) {
    if (!result) return;
    cflr_context *context = result->context;
    for (uint32_t i = 0; i < result->n_instances; i++) {
        cflri_relation_free(context, &result->instance[i]);
    }
    cflri_free(context, result->instance);
    if (result->sets) result->sets->free(context, result->sets);
    cflri_result_file_close(context, result->file);
    cflri_rule_tallies_free(context, result->rule, result->n_rules);
    cflri_accounts_free(context, result->account, result->n_accounts);
    cflri_free(context, result->instance_index);
    cflri_free(context, result->instance_number);
    cflri_free(context, result->label);
    cflri_free(context, result->label_of_name);
    cflri_free(context, result->answer);
    cflri_free(context, result->meeting);
    cflri_question_free(context, &result->question);
    cflri_strings_free(&result->strings);
    cflr_graph_free(result->owned_graph);
    cflri_free(context, result);
}

void cflr_result_own_graph(cflr_result *result) {
    result->owned_graph = (cflr_graph *)result->graph;
}

/* ---- making ---- */

static cflr_status intern(cflr_result *result, const char *text, uint32_t *id, cflr_error *error) {
    return cflri_intern(&result->strings, text, strlen(text), id, error);
}

static cflr_symbol_kind kind_of(const cflri_symbol *symbol) {
    switch (symbol->kind) {
        case CFLRI_TERMINAL:
            return CFLR_SYMBOL_TERMINAL;
        case CFLRI_NONTERMINAL:
            return CFLR_SYMBOL_NONTERMINAL;
        case CFLRI_AUXILIARY:
            break;
    }
    return CFLR_SYMBOL_AUXILIARY;
}

static cflr_status make_arrays(cflr_result *result, const cflri_ground *ground, cflr_error *error) {
    cflr_context *context = result->context;
    uint32_t n_symbols = ground->n_symbols;
    result->label =
        cflri_alloc_array_zero(context, ground->grammar->n_symbols, sizeof *result->label);
    result->instance = cflri_alloc_array_zero(context, n_symbols, sizeof *result->instance);
    result->instance_index =
        cflri_alloc_array_zero(context, n_symbols, sizeof *result->instance_index);
    result->instance_number =
        cflri_alloc_array_zero(context, n_symbols, sizeof *result->instance_number);
    if (!result->label || !result->instance || !result->instance_index ||
        !result->instance_number) {
        return cflri_fail_memory(context, error);
    }
    return CFLR_OK;
}

/* Names of one grammar symbol and of its instances, which are consecutive from *ground_symbol on.
 */
static cflr_status name_symbol(cflr_result *result, const cflri_ground *ground, uint32_t symbol,
                               uint32_t *ground_symbol, cflr_error *error) {
    cflr_status st = CFLR_OK;
    const cflri_symbol *grammar_symbol = &ground->grammar->symbol[symbol];
    cflri_result_label *label = &result->label[result->n_labels];
    CFLR_TRY(intern(result, grammar_symbol->name, &label->name, error));
    label->kind = kind_of(grammar_symbol);
    label->first_instance = *ground_symbol;
    for (; *ground_symbol < ground->n_symbols && ground->symbol[*ground_symbol].symbol == symbol;
         ++*ground_symbol) {
        const char *index = cflri_ground_index_text(ground, *ground_symbol);
        CFLR_TRY(intern(result, index, &result->instance_index[*ground_symbol], error));
        label->n_instances++;
    }
out:
    return st;
}

static cflr_status copy_answers(cflr_result *result, const cflr_grammar *grammar,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    result->answer =
        cflri_alloc_array_zero(result->context, grammar->answers.n, sizeof *result->answer);
    if (!result->answer) return cflri_fail_memory(result->context, error);
    for (size_t i = 0; i < grammar->answers.n; i++) {
        cflri_answer_name *answer = &result->answer[i];
        CFLR_TRY(intern(result, grammar->answers.at[i].question, &answer->question, error));
        CFLR_TRY(intern(result, grammar->answers.at[i].text, &answer->symbol, error));
        result->n_answers++;
    }
out:
    return st;
}

static cflr_status name_all(cflr_result *result, const cflri_ground *ground, const bool *named,
                            cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t ground_symbol = 0;
    result->start = CFLR_NO_LABEL;
    result->restricted = named != NULL;
    CFLR_TRY(cflri_strings_init(&result->strings, result->context, error));
    CFLR_TRY(make_arrays(result, ground, error));
    for (uint32_t symbol = 0; symbol < ground->grammar->n_symbols; symbol++) {
        if (!named || named[symbol]) {
            CFLR_TRY(name_symbol(result, ground, symbol, &ground_symbol, error));
            if (symbol == ground->grammar->start) result->start = result->n_labels;
            result->n_labels++;
            continue;
        }
        while (ground_symbol < ground->n_symbols &&
               ground->symbol[ground_symbol].symbol == symbol) {
            ground_symbol++;
        }
    }
    assert(ground_symbol == ground->n_symbols); /* symbols ascend by those of the grammar */
    CFLR_TRY(copy_answers(result, ground->grammar, error));
    CFLR_TRY(cflri_result_index_names(result, NULL, error));
    CFLR_TRY(cflri_result_index_answers(result, error));
out:
    return st;
}

cflr_status cflri_result_new(const cflri_ground *ground, const bool *named, cflr_result **result,
                             cflr_error *error) {
    cflr_context *context = ground->context;
    *result = NULL;
    cflr_result *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->graph = ground->graph;
    cflr_status st = name_all(made, ground, named, error);
    if (st == CFLR_OK) {
        *result = made;
    } else {
        cflr_result_free(made);
    }
    return st;
}

void cflri_result_fill(cflr_result *result, cflri_closure *closure) {
    assert(result->n_instances == 0);
    for (uint32_t i = 0; i < result->n_labels; i++) {
        cflri_result_label *label = &result->label[i];
        uint32_t from = label->first_instance, to = from + label->n_instances;
        label->first_instance = result->n_instances;
        assert(!closure->relation || to <= closure->n_symbols);
        for (uint32_t s = from; s < to && closure->relation; s++) {
            cflri_relation *relation = &closure->relation[s];
            if (relation->n_pairs == 0) continue;
            label->pairs += relation->n_pairs;
            label->rows += relation->n_rows;
            result->instance_index[result->n_instances] = result->instance_index[s];
            result->instance_number[result->n_instances] = s;
            result->instance[result->n_instances++] = *relation;
            *relation = (cflri_relation){0};
        }
        label->n_instances = result->n_instances - label->first_instance;
        result->stats.pairs += label->pairs;
    }
    result->sets = closure->sets;
    closure->sets = NULL;
    result->sliced = closure->sliced;
    result->rule = closure->rule;
    result->n_rules = closure->n_rules;
    closure->rule = NULL;
    closure->n_rules = 0;
    result->account = closure->account;
    result->n_accounts = closure->n_accounts;
    closure->account = NULL;
    closure->n_accounts = 0;
    result->stats.rounds = closure->rounds;
    result->stats.derivations = closure->derivations;
    result->stats.device = closure->device.of;
    memcpy(result->device_name, closure->device.name, sizeof result->device_name);
}

cflr_status cflri_result_index_names(cflr_result *result, const char *subject, cflr_error *error) {
    size_t n = result->strings.text.n;
    result->label_of_name = cflri_alloc_array(result->context, n, sizeof *result->label_of_name);
    if (!result->label_of_name) return cflri_fail_memory(result->context, error);
    for (size_t i = 0; i < n; i++) result->label_of_name[i] = CFLR_NO_LABEL;
    for (uint32_t i = 0; i < result->n_labels; i++) {
        uint32_t name = result->label[i].name;
        if (name >= n) {
            return cflri_fail(error, CFLR_FORMAT, subject, "symbol %u of the result has no name",
                              i);
        }
        if (result->label_of_name[name] == CFLR_NO_LABEL) result->label_of_name[name] = i;
    }
    return CFLR_OK;
}

/* The label S of the text "S ~S"; CFLR_NO_LABEL for any other text. */
static uint32_t label_that_meets(const cflr_result *result, const char *text) {
    const char *half = strstr(text, " ~");
    while (half) {
        size_t length = (size_t)(half - text);
        if (strncmp(text, half + 2, length) == 0 && half[2 + length] == '\0') {
            uint32_t id = cflri_strings_find(&result->strings, text, length);
            return id == CFLRI_NO_STRING ? CFLR_NO_LABEL : result->label_of_name[id];
        }
        half = strstr(half + 1, " ~");
    }
    return CFLR_NO_LABEL;
}

cflr_status cflri_result_index_answers(cflr_result *result, cflr_error *error) {
    size_t n = result->n_answers;
    result->meeting = cflri_alloc_array(result->context, n, sizeof *result->meeting);
    if (!result->meeting) return cflri_fail_memory(result->context, error);
    for (size_t i = 0; i < n; i++) {
        uint32_t id = result->answer[i].symbol;
        bool is_text = id < result->strings.text.n && result->label_of_name[id] == CFLR_NO_LABEL;
        result->meeting[i] =
            is_text ? label_that_meets(result, cflri_string(&result->strings, id)) : CFLR_NO_LABEL;
    }
    return CFLR_OK;
}

/* ---- reading ---- */

uint32_t cflri_result_meeting(const cflr_result *result, uint32_t label) {
    bool is_answer = label >= result->n_labels && label - result->n_labels < result->n_answers;
    return is_answer ? result->meeting[label - result->n_labels] : CFLR_NO_LABEL;
}

const cflr_graph *cflr_result_graph(const cflr_result *result) {
    return result->graph;
}

bool cflr_result_covers(const cflr_result *result, uint32_t source, uint32_t target) {
    return cflri_question_asks(&result->question, source, target);
}

bool cflr_result_complete(const cflr_result *result) {
    return result->stats.complete;
}

void cflr_result_get_slice_sized(const cflr_result *result, cflr_result_slice *slice,
                                 size_t struct_size) {
    const cflri_sliced *s = &result->sliced;
    cflr_result_slice known = {0};
    if (s->n) known = (cflr_result_slice){s->self + 1, s->n, s->first, s->end, s->complete};
    CFLRI_GIVE(slice, struct_size, known);
}

void cflr_result_get_stats_sized(const cflr_result *result, cflr_result_stats *stats,
                                 size_t struct_size) {
    cflr_result_stats told = result->stats;
    told.device.name = told.device.device == CFLR_DEVICE_CPU ? "cpu" : result->device_name;
    CFLRI_GIVE(stats, struct_size, told);
}

uint32_t cflr_result_labels(const cflr_result *result) {
    return result->n_labels;
}

static cflr_result_label label_of(const cflr_result *result, uint32_t label) {
    if (cflri_result_meeting(result, label) != CFLR_NO_LABEL) {
        uint32_t text = result->answer[label - result->n_labels].symbol;
        return (cflr_result_label){.name = cflri_string(&result->strings, text),
                                   .kind = CFLR_SYMBOL_MEETING,
                                   .meets = result->meeting[label - result->n_labels]};
    }
    assert(label < result->n_labels);
    const cflri_result_label *record = &result->label[label];
    return (cflr_result_label){.name = cflri_string(&result->strings, record->name),
                               .kind = record->kind,
                               .indexes = record->n_instances,
                               .pairs = record->pairs,
                               .rows = record->rows,
                               .meets = CFLR_NO_LABEL};
}

void cflr_result_get_label_sized(const cflr_result *result, uint32_t label, cflr_result_label *info,
                                 size_t struct_size) {
    const cflr_result_label known = label_of(result, label);
    CFLRI_GIVE(info, struct_size, known);
}

uint32_t cflr_result_find_label(const cflr_result *result, const char *name) {
    uint32_t id = cflri_strings_find(&result->strings, name, strlen(name));
    if (id == CFLRI_NO_STRING) return CFLR_NO_LABEL;
    for (uint32_t i = 0; i < result->n_answers; i++) {
        bool meets = result->meeting[i] != CFLR_NO_LABEL;
        if (meets && result->answer[i].symbol == id) return result->n_labels + i;
    }
    return result->label_of_name[id];
}

uint32_t cflr_result_start(const cflr_result *result) {
    return result->start;
}

const cflri_relation *cflri_result_instance(const cflr_result *result, uint32_t label, uint32_t i) {
    static const cflri_relation nothing = {0};
    assert(label < result->n_labels);
    const cflri_result_label *record = &result->label[label];
    return i < record->n_instances ? &result->instance[record->first_instance + i] : &nothing;
}

const char *cflr_result_label_index(const cflr_result *result, uint32_t label, uint32_t i) {
    assert(label < result->n_labels && i < result->label[label].n_instances);
    uint32_t instance = result->label[label].first_instance + i;
    return cflri_string(&result->strings, result->instance_index[instance]);
}

cflr_status cflr_result_row(const cflr_result *result, uint32_t label, uint32_t i, uint32_t vertex,
                            cflr_row *row, cflr_error *error) {
    const cflri_relation *relation = cflri_result_instance(result, label, i);
    return cflri_relation_read_row(result->context, relation, vertex, row, error);
}

cflr_status cflr_result_next_row(const cflr_result *result, uint32_t label, uint32_t i,
                                 uint64_t *cursor, cflr_row *row, cflr_error *error) {
    const cflri_relation *relation = cflri_result_instance(result, label, i);
    if (*cursor < relation->n_rows)
        return cflri_relation_read(result->context, relation, (uint32_t)(*cursor)++, row, error);
    row->count = 0;
    row->target = NULL;
    return CFLR_OK;
}

uint64_t cflr_result_count(const cflr_result *result, uint32_t label, uint32_t i, uint32_t vertex) {
    const cflri_relation *relation = cflri_result_instance(result, label, i);
    uint32_t r = cflri_relation_find(relation, vertex);
    return r == relation->n_rows ? 0 : cflri_relation_count(relation, r);
}

cflr_status cflr_result_pairs(const cflr_result *result, uint32_t label, uint32_t i,
                              uint32_t *source, uint32_t *target, uint64_t capacity,
                              uint64_t *count, cflr_error *error) {
    const cflri_relation *relation = cflri_result_instance(result, label, i);
    uint64_t n = 0;
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    *count = relation->n_pairs;
    for (uint32_t r = 0; n < capacity && r < relation->n_rows; r++) {
        CFLR_TRY(cflri_relation_read(result->context, relation, r, &row, error));
        for (uint64_t k = 0; k < row.count && n < capacity; k++, n++) {
            source[n] = row.vertex;
            target[n] = row.target[k];
        }
    }
out:
    cflr_row_free(&row);
    return st;
}

bool cflri_result_has(const cflr_result *result, uint32_t label, uint32_t source, uint32_t target,
                      cflri_failure *failure) {
    uint32_t meeting = cflri_result_meeting(result, label);
    bool meets = meeting != CFLR_NO_LABEL;
    if (meets && source == target) return true;
    assert(meets || label < result->n_labels);
    const cflri_result_label *record = &result->label[meets ? meeting : label];
    for (uint32_t i = 0; i < record->n_instances; i++) {
        const cflri_relation *relation = &result->instance[record->first_instance + i];
        if (meets && cflri_relations_meet(relation, source, relation, target, failure)) return true;
        if (!meets && cflri_relation_has(relation, source, target, failure)) return true;
    }
    return false;
}

bool cflr_result_has(const cflr_result *result, uint32_t label, uint32_t source, uint32_t target) {
    cflri_failure failure;
    failure.st = CFLR_OK;
    bool has = cflri_result_has(result, label, source, target, &failure);
    cflri_result_note(result, &failure);
    return has;
}

const char *cflr_result_answer(const cflr_result *result, const char *question) {
    for (uint32_t i = 0; i < result->n_answers; i++) {
        const cflri_answer_name *answer = &result->answer[i];
        if (strcmp(cflri_string(&result->strings, answer->question), question) == 0) {
            return cflri_string(&result->strings, answer->symbol);
        }
    }
    return "";
}

/* ---- checking ---- */

static bool string_exists(const cflr_result *result, uint32_t id) {
    return id < result->strings.text.n;
}

/* A plain symbol has one instance, without an index; string 0 is "". */
static bool index_valid(const cflr_result *result, const cflri_result_label *label, uint32_t id) {
    return string_exists(result, id) && (id != 0 || label->n_instances == 1);
}

/* Is every pair of the relation asked for? O(pairs log). */
static cflr_status relation_asked(const cflr_result *result, const cflri_relation *relation,
                                  bool *asked, cflr_error *error) {
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    *asked = true;
    for (uint32_t r = 0; !cflri_question_is_all(&result->question) && r < relation->n_rows; r++) {
        CFLR_TRY(cflri_relation_read(result->context, relation, r, &row, error));
        for (uint64_t i = 0; i < row.count; i++) {
            *asked &= cflri_question_asks(&result->question, row.vertex, row.target[i]);
        }
    }
out:
    cflr_row_free(&row);
    return st;
}

static cflr_status all_asked(const cflr_result *result, const char *subject, cflr_error *error) {
    for (uint32_t i = 0; i < result->n_instances; i++) {
        bool asked;
        cflr_status st = relation_asked(result, &result->instance[i], &asked, error);
        if (st != CFLR_OK) return st;
        if (asked) continue;
        return cflri_fail(error, CFLR_FORMAT, subject,
                          "the result has a pair that its question does not ask for");
    }
    return CFLR_OK;
}

/* `last` remembers, for each string, the last label (plus one) that had an instance with it. */
static bool instances_valid(const cflr_result *result, uint32_t at, uint32_t *last) {
    const cflri_result_label *label = &result->label[at];
    uint64_t pairs = 0, rows = 0;
    for (uint32_t i = 0; i < label->n_instances; i++) {
        const cflri_relation *relation = &result->instance[label->first_instance + i];
        uint32_t index = result->instance_index[label->first_instance + i];
        if (relation->n_pairs == 0 || !index_valid(result, label, index)) return false;
        if (last[index] == at + 1) return false; /* two instances with one index */
        if (!cflri_relation_valid(relation, result->graph->n_vertices)) return false;
        last[index] = at + 1;
        pairs += relation->n_pairs;
        rows += relation->n_rows;
    }
    return label->pairs == pairs && label->rows == rows;
}

static bool label_valid(const cflr_result *result, uint32_t at, uint32_t *next_instance,
                        uint32_t *last) {
    const cflri_result_label *label = &result->label[at];
    if (label->kind > CFLR_SYMBOL_AUXILIARY) return false;
    if (label->name == 0 || !string_exists(result, label->name)) return false;
    if (result->label_of_name[label->name] != at) return false; /* two symbols with one name */
    if (label->first_instance != *next_instance) return false;
    if (label->n_instances > result->n_instances - *next_instance) return false;
    *next_instance += label->n_instances;
    return instances_valid(result, at, last);
}

static cflr_status labels_valid(const cflr_result *result, uint32_t *last, const char *subject,
                                cflr_error *error) {
    uint32_t next_instance = 0;
    for (uint32_t i = 0; i < result->n_labels; i++) {
        if (label_valid(result, i, &next_instance, last)) continue;
        return cflri_fail(error, CFLR_FORMAT, subject, "symbol %u of the result is damaged", i);
    }
    if (next_instance == result->n_instances) return CFLR_OK;
    return cflri_fail(error, CFLR_FORMAT, subject, "the result's symbols do not add up");
}

cflr_status cflri_result_validate(const cflr_result *result, const char *subject,
                                  cflr_error *error) {
    size_t n_strings = result->strings.text.n;
    if (!cflri_question_valid(&result->question, result->graph->n_vertices)) {
        return cflri_fail(error, CFLR_FORMAT, subject, "the result's question is damaged");
    }
    uint32_t *last = cflri_alloc_array_zero(result->context, n_strings, sizeof *last);
    if (!last) return cflri_fail_memory(result->context, error);
    cflr_status st = labels_valid(result, last, subject, error);
    cflri_free(result->context, last);
    if (st == CFLR_OK) st = all_asked(result, subject, error);
    if (st != CFLR_OK) return st;
    if (result->start >= result->n_labels && result->start != CFLR_NO_LABEL) {
        return cflri_fail(error, CFLR_FORMAT, subject, "the result's start symbol is missing");
    }
    for (uint32_t i = 0; i < result->n_answers; i++) {
        if (string_exists(result, result->answer[i].question) &&
            string_exists(result, result->answer[i].symbol)) {
            continue;
        }
        return cflri_fail(error, CFLR_FORMAT, subject, "answer %u of the result is damaged", i);
    }
    return CFLR_OK;
}
