/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_parse.c: the text form of rules, in the language of summaries (docs/reference/rules.md).
 *
 *     entry  = "rule" name text { "source" from | "sink" to } | "member" name offset { "." offset }
 *     from   = "null" | names ":" values
 *     to     = "dereference" | names ":" values
 *     names  = name { name }
 *     values = value { "," value }                as of summaries: argN, argN..., ret, *v, v->m;
 *              of a source also static:NAME, and "bytes" value, which is behind another
 *     name   = letters, digits, "_"; of a rule also "-" between them
 *     text   = '"' anything but '"' and the end of the line '"'
 *
 *     rule command "text from outside runs as a command"
 *         source getenv: *ret
 *         source fgets: *arg0
 *         source read: bytes *arg1
 *         sink system popen: *arg0
 *
 * `null` and `dereference` are no functions: no colon follows. A function may be named by many
 * rules; its marks are a list, the last one first.
 */
#include <string.h>

#include "frontend/summaries/summary_reader.h"

static bool is_bare(cflri_reader *r, const char *keyword) {
    const char *at = r->at;
    bool bare = cflri_is_word(cflri_take_word(r), keyword) && !cflri_take(r, ":");
    cflri_word next = cflri_peek_word(r);
    cflri_skip_blanks(r);
    bare =
        bare && (r->at == r->end || cflri_is_word(next, "source") || cflri_is_word(next, "sink"));
    if (!bare) r->at = at;
    return bare;
}

/* ---- what a rule begins with ---- */

static cflr_status parse_rule_name(cflri_reader *r, uint32_t *id) {
    cflri_word name = cflri_take_word(r);
    if (!name.length) return cflri_fail_expected(r, "the name of a rule");
    while (r->end - r->at > 1 && *r->at == '-' && !strchr(" \t\r\n\"-", r->at[1])) {
        r->at++;
        if (!cflri_take_word(r).length)
            return cflri_fail_expected(r, "the rest of the rule's name");
    }
    name.length = (size_t)(r->at - name.at);
    for (size_t i = 0; i < r->summaries->rules.n; i++) {
        const char *known = cflri_string(&r->summaries->strings, r->summaries->rules.at[i].name);
        if (strlen(known) == name.length && memcmp(known, name.at, name.length) == 0)
            return CFLRI_FAIL_AT(r, name.at, "rule '%.60s' is there already", known);
    }
    return cflri_intern_word(r, name, id);
}

static cflr_status parse_message(cflri_reader *r, uint32_t *id) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_expect(r, "\"", "'\"' and the rule's message"));
    cflri_word text = {.at = r->at};
    while (r->at < r->end && *r->at != '"' && *r->at != '\n') r->at++;
    text.length = (size_t)(r->at - text.at);
    if (text.length == 0) return CFLRI_FAIL_AT(r, text.at, "the rule's message is empty");
    CFLR_TRY(cflri_expect(r, "\"", "'\"' behind the rule's message"));
    CFLR_TRY(cflri_intern_word(r, text, id));
out:
    return st;
}

/* ---- sources and sinks ---- */

static cflr_status add_mark(cflri_reader *r, uint32_t function, cflri_mark mark) {
    cflri_summaries *s = r->summaries;
    mark.next = s->names.at[function].mark;
    s->names.at[function].mark = (uint32_t)s->marks.n;
    return cflri_vec_push(s->context, &s->marks, mark) ? CFLR_OK
                                                       : cflri_fail_memory(s->context, r->error);
}

static cflr_status parse_mark_value(cflri_reader *r, cflri_mark *mark) {
    cflr_status st = CFLR_OK;
    cflri_summary_effect effect = {.repeat_from = CFLRI_SUMMARY_ONCE};
    cflri_skip_blanks(r);
    const char *place = r->at;
    mark->bytes = cflri_is_word(cflri_peek_word(r), "bytes");
    if (mark->bytes && mark->sink) return CFLRI_FAIL_AT(r, place, "bytes are of sources only");
    if (mark->bytes) cflri_take_word(r);
    cflri_skip_blanks(r);
    place = r->at;
    CFLR_TRY(cflri_parse_value_of(r, &effect, &mark->value));
    if (mark->bytes && mark->value.n_steps == 0)
        return CFLRI_FAIL_AT(r, place,
                             "bytes are what an argument or ret points to: `bytes *arg0`");
    mark->repeat_from = effect.repeat_from;
    if (mark->value.base != CFLRI_SUMMARY_ARGUMENT && mark->value.base != CFLRI_SUMMARY_REST &&
        mark->value.base != CFLRI_SUMMARY_RESULT &&
        (mark->sink || mark->value.base != CFLRI_SUMMARY_STATIC)) {
        return CFLRI_FAIL_AT(r, place,
                             "a source or sink is an argument, ret, or behind one of them");
    }
out:
    return st;
}

/* `getenv secure_getenv: *ret` */
static cflr_status parse_calls(cflri_reader *r, cflri_mark mark) {
    cflr_status st = CFLR_OK;
    CFLRI_VEC(uint32_t) names = {0};
    cflr_context *context = r->summaries->context;
    do {
        uint32_t name;
        CFLR_TRY(cflri_parse_name(r, "the name of a function, or ':'", &name));
        if (!cflri_vec_push(context, &names, name)) CFLR_TRY(cflri_fail_memory(context, r->error));
    } while (!cflri_take(r, ":"));
    do {
        CFLR_TRY(parse_mark_value(r, &mark));
        for (size_t i = 0; i < names.n; i++) CFLR_TRY(add_mark(r, names.at[i], mark));
    } while (cflri_take(r, ","));
out:
    cflri_vec_free(context, &names);
    return st;
}

static cflr_status parse_mark(cflri_reader *r, uint32_t number) {
    cflri_rule *rule = &r->summaries->rules.at[number];
    cflri_word what = cflri_peek_word(r);
    bool source = cflri_is_word(what, "source"), sink = cflri_is_word(what, "sink");
    if (!source && !sink) return cflri_fail_expected(r, "'source', 'sink' or the end of the rule");
    cflri_take_word(r);
    bool null = source && is_bare(r, "null");
    if (source && (null ? rule->has_sources : rule->follows_null))
        return CFLRI_FAIL_AT(r, what.at,
                             "a rule of null pointers has no other sources: a summary says which "
                             "functions return null");
    rule->follows_null |= null;
    rule->has_sources |= source && !null;
    if (null) return CFLR_OK;
    if (sink && is_bare(r, "dereference")) {
        rule->dereferences = true;
        return CFLR_OK;
    }
    return parse_calls(r, (cflri_mark){.rule = number, .sink = sink});
}

/* After the word `rule`. */
static cflr_status parse_rule(cflri_reader *r) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    cflri_rule rule = {0};
    uint32_t number = (uint32_t)s->rules.n;
    CFLR_TRY(parse_rule_name(r, &rule.name));
    CFLR_TRY(parse_message(r, &rule.message));
    if (!cflri_vec_push(s->context, &s->rules, rule))
        CFLR_TRY(cflri_fail_memory(s->context, r->error));
    for (cflri_skip_blanks(r); r->at < r->end; cflri_skip_blanks(r))
        CFLR_TRY(parse_mark(r, number));
out:
    return st;
}

static cflr_status parse_if_rule(cflri_reader *r) {
    cflri_word what = cflri_peek_word(r);
    if (cflri_is_word(what, "member")) return CFLR_OK;
    if (!cflri_is_word(what, "rule")) return cflri_fail_expected(r, "'rule' or 'member'");
    cflri_take_word(r);
    return parse_rule(r);
}

cflr_status cflri_rules_parse(cflri_summaries *summaries, const cflri_summary_text *text,
                              cflr_error *error) {
    return cflri_parse_entries(summaries, text, parse_if_rule, error);
}
