/* SPDX-License-Identifier: Apache-2.0
 *
 * rules.c: rules are read, and marked calls become sources and sinks.
 *
 * A source and a sink are roots of the caller, with keys that are equal in two units exactly when
 * the call is the same:
 *
 *     source:<rule>:<key of the caller>:<file>@<offset>:<function>        sink: likewise
 *
 * All values of one call that one rule marks share the root, since they are one place in the
 * source; sinks that count under a condition have one of their own, and so has what is clean. The number of the rule is the root's step; what edges from and to it are called follows
 * from its kind and that number (emit.c). Linking keeps numbers, because all units are read with
 * the same rules.
 */
#include <stdio.h>
#include <string.h>

#include "base/files/embedded.h"
#include "frontend/summaries/summary_language.h"

/* ---- reading ---- */

static const cflri_embedded *shipped_rule(size_t i) {
    for (const cflri_embedded *rule = cflri_rule_texts; rule->name; rule++, i--)
        if (i == 0) return rule;
    return NULL;
}

const char *cflr_rule_shipped(size_t i) {
    const cflri_embedded *rule = shipped_rule(i);
    return rule ? rule->name : NULL;
}

const char *cflr_rule_shipped_text(size_t i) {
    const cflri_embedded *rule = shipped_rule(i);
    return rule ? rule->text : NULL;
}

static const char *shipped_text(const char *name) {
    for (const cflri_embedded *rule = cflri_rule_texts; rule->name; rule++)
        if (strcmp(rule->name, name) == 0) return rule->text;
    return NULL;
}

static cflr_status parse(cflri_summaries *summaries, const cflri_summary_text *text,
                         cflr_error *error) {
    cflr_status st = cflri_summary_parse_members(summaries, text, error);
    return st == CFLR_OK ? cflri_rules_parse(summaries, text, error) : st;
}

cflr_status cflri_rules_read(cflri_summaries *summaries, const char *const *rules, size_t n,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < n && st == CFLR_OK; i++) {
        uint32_t layer = CFLRI_SUMMARY_USER + (uint32_t)(summaries->n_files + i);
        cflri_summary_text text = {rules[i], shipped_text(rules[i]), layer};
        if (text.text) {
            st = parse(summaries, &text, error);
            continue;
        }
        char *content = NULL;
        st = cflri_summary_text_read(summaries->context, rules[i], &content, error);
        text.text = content;
        if (st == CFLR_OK) st = parse(summaries, &text, error);
        cflri_free(summaries->context, content);
    }
    return st;
}

bool cflri_rules_there(const cflri_summaries *summaries) {
    return summaries->rules.n > 0;
}

const char *cflri_rule_name(const cflri_summaries *summaries, uint32_t rule) {
    if (rule >= summaries->rules.n) return NULL;
    return cflri_string(&summaries->strings, summaries->rules.at[rule].name);
}

/* ---- names ---- */

/* The last mark of a function; 0: none. */
static uint32_t find_marks(const cflri_summaries *summaries, const char *function) {
    const cflri_summary_name *named = cflri_summary_named(summaries, function);
    return named ? named->mark : 0;
}

bool cflri_is_marked(const cflri_summaries *summaries, const char *name) {
    return find_marks(summaries, name) != 0;
}

const char *cflri_marked_name(const cflri_summaries *summaries, const cflri_facts *facts,
                              uint32_t function) {
    if (!cflri_rules_there(summaries)) return NULL;
    const char *spelled = cflri_string(&facts->strings, facts->functions.at[function].name);
    const char *linked = cflri_string(&facts->strings, facts->functions.at[function].key);
    if (find_marks(summaries, spelled)) return spelled;
    return find_marks(summaries, linked) ? linked : NULL;
}

bool cflri_rules_ask_formats(const cflri_summaries *summaries) {
    for (size_t i = 0; i < summaries->rules.n; i++)
        if (summaries->rules.at[i].declared_formats) return true;
    return false;
}

/* ---- programs ---- */

bool cflri_rule_names_program(const cflri_summaries *summaries, uint32_t rule,
                              const char *literal) {
    const cflri_rule *r = &summaries->rules.at[rule];
    size_t length = strlen(literal);
    if (length < 2 || literal[0] != '"') return false;
    const char *end = literal + length - 1, *begin = end;
    while (begin[-1] != '/' && begin[-1] != '"') begin--;
    for (uint32_t i = 0; i < r->n_programs; i++) {
        const char *name =
            cflri_string(&summaries->strings, summaries->programs.at[r->first_program + i]);
        if (strlen(name) == (size_t)(end - begin) && memcmp(name, begin, strlen(name)) == 0)
            return true;
    }
    return false;
}

/* ---- marks ---- */

typedef struct marking {
    const cflri_summaries *summaries;
    cflri_facts *facts;
    const cflri_marked_call *call;
} marking;

static const char *key_of(const cflri_mark *mark) {
    if (mark->kind == CFLRI_MARK_SINK) return mark->n_conditions > 0 ? "sink if" : "sink";
    return mark->kind == CFLRI_MARK_SOURCE ? "source" : "clean";
}

/* The vertex of the outside, or of the place that is guarded. */
static cflri_node mark_root(const marking *m, const cflri_mark *mark) {
    cflri_facts *facts = m->facts;
    const cflri_marked_call *call = m->call;
    const char *caller = cflri_string(&facts->strings, facts->functions.at[call->caller].key);
    const char *file = cflri_string(&facts->strings, call->place.file);
    const char *rule = cflri_rule_name(m->summaries, mark->rule);
    size_t size = strlen(caller) + strlen(file) + strlen(rule) + strlen(call->function) + 64;
    char *text = cflri_alloc(facts->context, size);
    if (!text) {
        if (facts->status == CFLR_OK) facts->status = cflri_fail_memory(facts->context, NULL);
        return CFLRI_NO_NODE;
    }
    snprintf(text, size, call->variable ? "%s" : "%s()", call->function);
    bool sink = mark->kind == CFLRI_MARK_SINK;
    cflri_node_record record = {.kind = sink ? CFLR_VERTEX_SINK : CFLR_VERTEX_SOURCE,
                                .carrier = CFLRI_CARRIES_POINTER,
                                .function = call->caller,
                                .step = mark->rule,
                                .name = cflri_facts_string(facts, text),
                                .place = call->place};
    snprintf(text, size, "%s:%s:%s:%s@%u:%s", key_of(mark), rule, caller, file, call->place.offset,
             call->function);
    cflri_node root = cflri_facts_root(facts, text, &record, true);
    cflri_free(facts->context, text);
    return root;
}

/* The address of an object of the library, which it hands to callbacks. */
static cflri_node library_object(const marking *m, uint32_t name) {
    const char *own = name ? cflri_string(&m->summaries->strings, name) : m->call->function;
    return cflri_facts_address(m->facts, cflri_library_root(m->facts, "static:", own));
}

static cflri_node marked_value(const marking *m, const cflri_summary_value *value,
                               uint32_t repeated) {
    uint32_t k = value->base == CFLRI_SUMMARY_REST ? repeated : value->number;
    cflri_node node = m->call->result;
    if (value->base == CFLRI_SUMMARY_STATIC)
        node = library_object(m, value->number);
    else if (value->base != CFLRI_SUMMARY_RESULT)
        node = k < m->call->n_arguments ? m->call->arguments[k] : CFLRI_NO_NODE;
    return cflri_summary_follow(m->facts, node, value);
}

static void flow(const marking *m, cflri_node from, cflri_node to, cflri_marked marked) {
    const cflri_assign assign = {.from = from,
                                 .to = to,
                                 .call = m->call->call,
                                 .summary = m->call->call != CFLRI_NO_CALL,
                                 .marked = marked,
                                 .place = cflri_facts_place(m->facts, &m->call->place)};
    cflri_facts_flow(m->facts, &assign);
}

/* The text of a string literal is the program's own. */
static bool is_literal(const marking *m, cflri_node value) {
    return m->facts->status == CFLR_OK && m->facts->nodes.at[value].kind == CFLR_VERTEX_STRING;
}

/* Is it the format that the caller was given? Then its own callers are asked. */
static bool is_passed_on(const marking *m, const cflri_mark *mark) {
    return m->summaries->rules.at[mark->rule].declared_formats &&
           mark->value.base == CFLRI_SUMMARY_ARGUMENT && m->call->passed == mark->value.number + 1;
}

static void apply(const marking *m, const cflri_mark *mark, uint32_t repeated) {
    cflri_node value = marked_value(m, &mark->value, repeated);
    if (value == CFLRI_NO_NODE || (mark->kind == CFLRI_MARK_SINK && is_literal(m, value))) return;
    cflri_node root = mark_root(m, mark);
    switch (mark->kind) {
        case CFLRI_MARK_SINK:
            flow(m, value, root,
                 is_passed_on(m, mark) ? CFLRI_MARKED_PASSED_ON : CFLRI_MARKED_PLAIN);
            break;
        case CFLRI_MARK_CLEAN:
            flow(m, root, value, CFLRI_MARKED_CLEAN);
            break;
        case CFLRI_MARK_SOURCE:
            flow(m, root, value, CFLRI_MARKED_PLAIN);
            if (!mark->bytes) break;
            flow(m, root, cflri_facts_address(m->facts, value), CFLRI_MARKED_BYTES);
            break;
    }
}

/* Which arguments a value that is marked repeats for. */
typedef struct repeats {
    uint32_t first, end;
} repeats;

static repeats repeats_of(const marking *m, uint32_t from) {
    return from == CFLRI_SUMMARY_ONCE ? (repeats){0, 1} : (repeats){from, m->call->n_arguments};
}

static void apply_conditions(const marking *m, const cflri_mark *mark) {
    for (uint32_t i = 0; i < mark->n_conditions; i++) {
        const cflri_mark_condition *c = &m->summaries->conditions.at[mark->first_condition + i];
        const repeats all = repeats_of(m, c->repeat_from);
        for (uint32_t k = all.first; k < all.end; k++) {
            cflri_node value = marked_value(m, &c->value, k);
            if (value != CFLRI_NO_NODE) flow(m, value, mark_root(m, mark), CFLRI_MARKED_IF);
        }
    }
}

static bool has_sink(const cflri_summaries *summaries, const char *function, uint32_t rule) {
    for (uint32_t i = find_marks(summaries, function); i; i = summaries->marks.at[i].next)
        if (summaries->marks.at[i].rule == rule && summaries->marks.at[i].kind == CFLRI_MARK_SINK)
            return true;
    return false;
}

/* A declared format is a sink of rules that ask for it and do not name the function. */
static void apply_format(const marking *m) {
    const cflri_summaries *s = m->summaries;
    for (uint32_t r = 0; r < s->rules.n; r++) {
        const cflri_mark mark = {.rule = r,
                                 .kind = CFLRI_MARK_SINK,
                                 .value = {.base = CFLRI_SUMMARY_ARGUMENT,
                                           .number = m->call->format - 1,
                                           .n_steps = 1,
                                           .step = {CFLRI_SUMMARY_DEREF}}};
        if (s->rules.at[r].declared_formats && !has_sink(s, m->call->function, r))
            apply(m, &mark, 0);
    }
}

void cflri_rules_mark(const cflri_summaries *summaries, cflri_facts *facts,
                      const cflri_marked_call *call) {
    const marking m = {summaries, facts, call};
    if (call->format) apply_format(&m);
    for (uint32_t i = find_marks(summaries, call->function); i && facts->status == CFLR_OK;) {
        const cflri_mark *mark = &summaries->marks.at[i];
        const repeats all = repeats_of(&m, mark->repeat_from);
        for (uint32_t k = all.first; k < all.end; k++) apply(&m, mark, k);
        apply_conditions(&m, mark);
        i = mark->next;
    }
}
