/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_parse.c: the text form of rules, in the language of summaries (docs/reference/rules.md).
 *
 *     entry  = "rule" name text { about } { "source" from | "sink" to | "clean" names ":" values }
 *            | "member" name offset { "." offset }
 *     about  = "level" ( "error" | "warning" | "note" ) | "cwe" number { number } | "help" text
 *            | "programs" text
 *     from   = "null" | names ":" values
 *     to     = "dereference" | "format_attribute" | names ":" values [ "if" values ]
 *     names  = name { name }
 *     values = value { "," value }                as of summaries: argN, argN..., ret, *v, v->m;
 *              of a source also static:NAME, and "bytes" value, which is behind another
 *     name   = letters, digits, "_"; of a rule also "-" between them
 *     text   = '"' anything but '"' '"'          of help over several lines: blanks are one space;
 *              of programs: names with blanks between them
 *
 *     rule command "text from outside runs as a command"
 *         cwe 78
 *         source getenv: *ret
 *         source fgets: *arg0
 *         source read: bytes *arg1
 *         sink system popen: *arg0
 *
 * `null`, `dereference` and `format_attribute` are no functions: no colon follows. A function may be named by many
 * rules; its marks are a list, the last one first.
 */
#include <stdio.h>
#include <string.h>

#include "frontend/summaries/summary_reader.h"

static bool is_bare(cflri_reader *r, const char *keyword) {
    const char *at = r->at;
    bool bare = cflri_is_word(cflri_take_word(r), keyword) && !cflri_take(r, ":");
    cflri_word next = cflri_peek_word(r);
    cflri_skip_blanks(r);
    bare = bare && (r->at == r->end || cflri_is_word(next, "source") ||
                    cflri_is_word(next, "sink") || cflri_is_word(next, "clean"));
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

/* A quoted text; the end of a line is a blank where `lines` may be several. */
static cflr_status parse_quoted(cflri_reader *r, const char *what, bool lines, uint32_t *id) {
    cflr_status st = CFLR_OK;
    char expected[64];
    cflr_context *context = r->summaries->context;
    CFLRI_VEC(char) text = {0};
    snprintf(expected, sizeof expected, "'\"' and the rule's %s", what);
    CFLR_TRY(cflri_expect(r, "\"", expected));
    const char *begin = r->at;
    for (; r->at < r->end && *r->at != '"' && (lines || *r->at != '\n'); r->at++) {
        bool blank = lines && strchr(" \t\r\n", *r->at);
        if (blank && (text.n == 0 || text.at[text.n - 1] == ' ')) continue;
        if (!cflri_vec_push(context, &text, blank ? ' ' : *r->at))
            CFLR_TRY(cflri_fail_memory(context, r->error));
    }
    if (lines && text.n > 0 && text.at[text.n - 1] == ' ') text.n--;
    if (text.n == 0) CFLR_TRY(CFLRI_FAIL_AT(r, begin, "the rule's %s is empty", what));
    snprintf(expected, sizeof expected, "'\"' behind the rule's %s", what);
    CFLR_TRY(cflri_expect(r, "\"", expected));
    CFLR_TRY(cflri_intern_word(r, (cflri_word){text.at, text.n}, id));
out:
    cflri_vec_free(context, &text);
    return st;
}

static cflr_status parse_level(cflri_reader *r, uint32_t *level) {
    static const char *const words[] = {
#define WORD(name, number, word, text) word,
        CFLR_LEVEL_LIST(WORD)
#undef WORD
    };
    cflri_word word = cflri_peek_word(r);
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!cflri_is_word(word, words[i])) continue;
        *level = i;
        cflri_take_word(r);
        return CFLR_OK;
    }
    return cflri_fail_expected(r, "'error', 'warning' or 'note'");
}

static cflr_status parse_cwe(cflri_reader *r, cflri_rule *rule) {
    cflri_summaries *s = r->summaries;
    cflri_word word = cflri_peek_word(r);
    do {
        uint32_t number;
        if (!cflri_parse_number(word, 10000, &number))
            return cflri_fail_expected(r, "a number of the Common Weakness Enumeration");
        cflri_take_word(r);
        if (!cflri_vec_push(s->context, &s->cwe, number))
            return cflri_fail_memory(s->context, r->error);
        rule->n_cwe++;
        word = cflri_peek_word(r);
    } while (word.length && strchr("0123456789", *word.at));
    return CFLR_OK;
}

/* Splits "sh bash" into words. */
static cflr_status parse_programs(cflri_reader *r, cflri_rule *rule) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    uint32_t all, word;
    CFLR_TRY(parse_quoted(r, "programs", true, &all));
    for (const char *at = cflri_string(&s->strings, all); *at; at += *at == ' ') {
        size_t length = strcspn(at, " "), offset = (size_t)(at - cflri_string(&s->strings, all));
        CFLR_TRY(cflri_intern_word(r, (cflri_word){at, length}, &word));
        at = cflri_string(&s->strings, all) + offset + length;
        if (!cflri_vec_push(s->context, &s->programs, word))
            CFLR_TRY(cflri_fail_memory(s->context, r->error));
        rule->n_programs++;
    }
out:
    return st;
}

static cflr_status parse_about(cflri_reader *r, cflri_rule *rule) {
    rule->first_cwe = (uint32_t)r->summaries->cwe.n;
    rule->first_program = (uint32_t)r->summaries->programs.n;
    for (;;) {
        cflr_status st;
        cflri_word what = cflri_peek_word(r);
        bool level = cflri_is_word(what, "level"), cwe = cflri_is_word(what, "cwe");
        bool programs = cflri_is_word(what, "programs");
        if (!level && !cwe && !programs && !cflri_is_word(what, "help")) return CFLR_OK;
        cflri_take_word(r);
        st = level      ? parse_level(r, &rule->level)
             : cwe      ? parse_cwe(r, rule)
             : programs ? parse_programs(r, rule)
                        : parse_quoted(r, "help", true, &rule->help);
        if (st != CFLR_OK) return st;
    }
}

/* ---- sources and sinks ---- */

static cflr_status add_mark(cflri_reader *r, uint32_t function, cflri_mark mark) {
    cflri_summaries *s = r->summaries;
    mark.next = s->names.at[function].mark;
    s->names.at[function].mark = (uint32_t)s->marks.n;
    return cflri_vec_push(s->context, &s->marks, mark) ? CFLR_OK
                                                       : cflri_fail_memory(s->context, r->error);
}

/* An argument, ret, or what is behind one of them; of a source also what is behind static:NAME. */
static cflr_status parse_call_value(cflri_reader *r, bool source, cflri_mark_condition *to) {
    cflri_summary_effect effect = {.repeat_from = CFLRI_SUMMARY_ONCE};
    cflri_skip_blanks(r);
    const char *place = r->at;
    cflr_status st = cflri_parse_value_of(r, &effect, &to->value);
    if (st != CFLR_OK) return st;
    to->repeat_from = effect.repeat_from;
    cflri_summary_base base = to->value.base;
    bool good = base == CFLRI_SUMMARY_ARGUMENT || base == CFLRI_SUMMARY_REST ||
                base == CFLRI_SUMMARY_RESULT || (source && base == CFLRI_SUMMARY_STATIC);
    if (good) return CFLR_OK;
    return CFLRI_FAIL_AT(r, place, "a source or sink is an argument, ret, or behind one of them");
}

static cflr_status parse_mark_value(cflri_reader *r, cflri_mark *mark) {
    cflr_status st = CFLR_OK;
    cflri_mark_condition value;
    bool source = mark->kind == CFLRI_MARK_SOURCE;
    cflri_skip_blanks(r);
    const char *place = r->at;
    mark->bytes = cflri_is_word(cflri_peek_word(r), "bytes");
    if (mark->bytes && !source) return CFLRI_FAIL_AT(r, place, "bytes are of sources only");
    if (mark->bytes) cflri_take_word(r);
    cflri_skip_blanks(r);
    place = r->at;
    CFLR_TRY(parse_call_value(r, source, &value));
    mark->value = value.value;
    mark->repeat_from = value.repeat_from;
    if (mark->bytes && mark->value.n_steps == 0)
        return CFLRI_FAIL_AT(r, place,
                             "bytes are what an argument or ret points to: `bytes *arg0`");
out:
    return st;
}

/* `if arg0, *arg1` behind the values of a sink, for the marks from `first` on. */
static cflr_status parse_conditions(cflri_reader *r, size_t first) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    cflri_skip_blanks(r);
    const char *place = r->at;
    cflri_mark *last = &s->marks.at[s->marks.n - 1];
    uint32_t from = (uint32_t)s->conditions.n, n = 0;
    if (!cflri_is_word(cflri_peek_word(r), "if")) return CFLR_OK;
    cflri_take_word(r);
    if (last->kind != CFLRI_MARK_SINK)
        return CFLRI_FAIL_AT(r, place, "conditions are of sinks only");
    if (s->rules.at[last->rule].n_programs == 0)
        return CFLRI_FAIL_AT(r, place, "a condition is about programs, and the rule names none");
    do {
        cflri_mark_condition condition;
        CFLR_TRY(parse_call_value(r, false, &condition));
        if (!cflri_vec_push(s->context, &s->conditions, condition))
            CFLR_TRY(cflri_fail_memory(s->context, r->error));
        n++;
    } while (cflri_take(r, ","));
    for (size_t i = first; i < s->marks.n; i++) {
        s->marks.at[i].first_condition = from;
        s->marks.at[i].n_conditions = n;
    }
out:
    return st;
}

/* `getenv secure_getenv: *ret` */
static cflr_status parse_calls(cflri_reader *r, cflri_mark mark) {
    cflr_status st = CFLR_OK;
    CFLRI_VEC(uint32_t) names = {0};
    cflr_context *context = r->summaries->context;
    size_t first = r->summaries->marks.n;
    do {
        uint32_t name;
        CFLR_TRY(cflri_parse_name(r, "the name of a function, or ':'", &name));
        if (!cflri_vec_push(context, &names, name)) CFLR_TRY(cflri_fail_memory(context, r->error));
    } while (!cflri_take(r, ":"));
    do {
        CFLR_TRY(parse_mark_value(r, &mark));
        for (size_t i = 0; i < names.n; i++) CFLR_TRY(add_mark(r, names.at[i], mark));
    } while (cflri_take(r, ","));
    st = parse_conditions(r, first);
out:
    cflri_vec_free(context, &names);
    return st;
}

static cflr_status parse_mark(cflri_reader *r, uint32_t number) {
    cflri_rule *rule = &r->summaries->rules.at[number];
    cflri_word what = cflri_peek_word(r);
    bool source = cflri_is_word(what, "source"), sink = cflri_is_word(what, "sink");
    if (!source && !sink && !cflri_is_word(what, "clean"))
        return cflri_fail_expected(r, "'source', 'sink', 'clean' or the end of the rule");
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
    if (sink && is_bare(r, "format_attribute")) {
        rule->declared_formats = true;
        return CFLR_OK;
    }
    const cflri_mark_kind kind = source ? CFLRI_MARK_SOURCE
                                 : sink ? CFLRI_MARK_SINK
                                        : CFLRI_MARK_CLEAN;
    return parse_calls(r, (cflri_mark){.rule = number, .kind = kind});
}

/* After the word `rule`. */
static cflr_status parse_rule(cflri_reader *r) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    cflri_rule rule = {0};
    uint32_t number = (uint32_t)s->rules.n;
    CFLR_TRY(parse_rule_name(r, &rule.name));
    CFLR_TRY(parse_quoted(r, "message", false, &rule.message));
    CFLR_TRY(parse_about(r, &rule));
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
