/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_parse.c: the text form of summaries, read by recursive descent, one entry at a time.
 *
 *     entry   = [ "override" | "variable" ] names ":" effects
 *             | "member" name offset { "." offset }
 *     names   = name [ "*" ] { name [ "*" ] }
 *     effects = "none" | effect { ";" effect }
 *     ending  = "noreturn" [ "unless" argument { argument } ]       an effect of functions
 *     effect  = place "=" ( given | call | "null" ) | "data" place "=" value | call
 *             | "copy" ( argument | "ret" ) argument
 *     call    = "call" value "(" [ ( given | "_" ) { "," ( given | "_" ) } ] ")"
 *     given   = [ "nonnull" ] value
 *     value   = { "*" } primary { "->" member }          `*` binds weaker than `->`, as in C
 *             | "&" primary "->" member { "->" member } | "&" "global:" name
 *     primary = "argN" | "argN..." | "ret" | "new" [ ":" name ] | "static" [ ":" name ]
 *             | "cell:" name [ "[" "argN" "]" ] | "global:" name | "function:" name | "(" value ")"
 *
 * An entry is a line and the indented lines below it; `#` starts a comment. So an entry is cut out
 * before it is read, and no mistake in it can swallow the next one. Messages carry the line and the
 * column where the reader stood, counted only then. Depth is bounded by CFLRI_SUMMARY_MOST_STEPS.
 */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "frontend/summaries/summary_reader.h"

static uint32_t count_lines(const char *from, const char *to) {
    uint32_t lines = 0;
    for (; from < to; from++) lines += *from == '\n';
    return lines;
}

uint32_t cflri_line_of(const cflri_reader *r, const char *place) {
    return r->line + count_lines(r->begin, place);
}

uint32_t cflri_column_of(const cflri_reader *r, const char *place) {
    const char *start = place;
    while (start > r->text && start[-1] != '\n') start--;
    return (uint32_t)(place - start) + 1;
}

/* ---- words ---- */

/* Letters, digits and the underscore. A table, because every byte of the shipped texts comes by
 * here in each run, and most are in words. */
#define FIVE(c) [c] = 1, [(c) + 1] = 1, [(c) + 2] = 1, [(c) + 3] = 1, [(c) + 4] = 1
#define LETTERS(a) FIVE(a), FIVE(a + 5), FIVE(a + 10), FIVE(a + 15), FIVE(a + 20), [(a) + 25] = 1
static const unsigned char word_bytes[256] = {
    FIVE('0'), FIVE('5'), LETTERS('A'), LETTERS('a'), ['_'] = 1,
};
#undef FIVE
#undef LETTERS

static bool is_word_byte(char c) {
    return word_bytes[(unsigned char)c];
}

void cflri_skip_blanks(cflri_reader *r) {
    const char *at = r->at, *end = r->end;
    for (; at < end && (unsigned char)*at <= '#'; at++) {
        if (*at == '#') {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline ? newline : end - 1;
        } else if (*at != ' ' && *at != '\n' && *at != '\t' && *at != '\r') {
            break;
        }
    }
    r->at = at;
}

bool cflri_take(cflri_reader *r, const char *text) {
    cflri_skip_blanks(r);
    if (r->at == r->end || *r->at != *text) return false;
    size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0) return false;
    r->at += length;
    return true;
}

cflri_word cflri_take_word(cflri_reader *r) {
    cflri_skip_blanks(r);
    const char *begin = r->at, *at = begin, *end = r->end;
    while (at < end && is_word_byte(*at)) at++;
    r->at = at;
    return (cflri_word){begin, (size_t)(at - begin)};
}

cflri_word cflri_peek_word(cflri_reader *r) {
    const char *at = r->at;
    cflri_word w = cflri_take_word(r);
    r->at = at;
    return w;
}

/* The next word if it begins with one of two letters, else none: few do, and so most are read
 * once. */
static cflri_word peek_if(cflri_reader *r, char a, char b) {
    cflri_skip_blanks(r);
    bool may_be = r->at < r->end && (*r->at == a || *r->at == b);
    return may_be ? cflri_peek_word(r) : (cflri_word){r->at, 0};
}

/* Fails with a message about the word, the sign or the end that stands where something else was
 * expected. */
cflr_status cflri_fail_expected(cflri_reader *r, const char *expected) {
    cflri_word w = cflri_peek_word(r);
    cflri_skip_blanks(r);
    if (r->at == r->end)
        return CFLRI_FAIL_AT(r, r->at, "expected %s before the end of the entry", expected);
    if (!w.length) w = (cflri_word){r->at, 1};
    return CFLRI_FAIL_AT(r, r->at, "expected %s, found '%.*s'", expected,
                         (int)(w.length < 60 ? w.length : 60), w.at);
}

cflr_status cflri_expect(cflri_reader *r, const char *text, const char *expected) {
    return cflri_take(r, text) ? CFLR_OK : cflri_fail_expected(r, expected);
}

bool cflri_parse_number(cflri_word word, uint32_t limit, uint32_t *number) {
    if (word.length == 0 || word.length > 9) return false;
    *number = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (word.at[i] < '0' || word.at[i] > '9') return false;
        *number = *number * 10 + (uint32_t)(word.at[i] - '0');
    }
    return *number < limit;
}

/* ---- names ---- */

cflr_status cflri_intern_word(cflri_reader *r, cflri_word w, uint32_t *id) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    CFLR_TRY(cflri_intern(&s->strings, w.at, w.length, id, r->error));
    while (s->names.n < s->strings.text.n) {
        if (!cflri_vec_push(s->context, &s->names, (cflri_summary_name){0})) {
            return cflri_fail_memory(s->context, r->error);
        }
    }
out:
    return st;
}

cflr_status cflri_parse_name(cflri_reader *r, const char *expected, uint32_t *id) {
    cflri_word w = cflri_take_word(r);
    if (!w.length) return cflri_fail_expected(r, expected);
    return cflri_intern_word(r, w, id);
}

/* ---- values ---- */

static cflr_status add_step(cflri_reader *r, cflri_summary_value *value, uint32_t step) {
    if (value->n_steps == CFLRI_SUMMARY_MOST_STEPS) {
        return CFLRI_FAIL_AT(r, r->at, "more than %d steps in one value", CFLRI_SUMMARY_MOST_STEPS);
    }
    value->step[value->n_steps++] = step;
    return CFLR_OK;
}

/* `argN` and `argN...` */
static cflr_status parse_argument_word(cflri_reader *r, cflri_word w, cflri_summary_value *value) {
    if (!cflri_parse_number((cflri_word){w.at + 3, w.length - 3}, CFLRI_SUMMARY_MOST_ARGUMENTS,
                            &value->number)) {
        return CFLRI_FAIL_AT(r, w.at, "'%.*s': an argument is arg0 to arg%d",
                             (int)(w.length < 60 ? w.length : 60), w.at,
                             CFLRI_SUMMARY_MOST_ARGUMENTS - 1);
    }
    if (r->variable) {
        return CFLRI_FAIL_AT(r, w.at, "'%.*s': a variable has no arguments", (int)w.length, w.at);
    }
    value->base = cflri_take(r, "...") ? CFLRI_SUMMARY_REST : CFLRI_SUMMARY_ARGUMENT;
    return CFLR_OK;
}

/* `[argN]` behind a cell. */
static cflr_status parse_key(cflri_reader *r, cflri_summary_value *value) {
    cflr_status st = CFLR_OK;
    cflri_summary_value key = {0};
    if (!cflri_take(r, "[")) return CFLR_OK;
    cflri_skip_blanks(r);
    const char *place = r->at;
    cflri_word w = cflri_take_word(r);
    bool argument = w.length > 3 && memcmp(w.at, "arg", 3) == 0;
    if (argument) CFLR_TRY(parse_argument_word(r, w, &key));
    if (!argument || key.base != CFLRI_SUMMARY_ARGUMENT)
        return CFLRI_FAIL_AT(r, place, "the key of a cell is an argument: cell:NAME[argN]");
    value->key = key.number + 1;
    CFLR_TRY(cflri_expect(r, "]", "']'"));
out:
    return st;
}

/* `static`, `static:name`, `cell:name`, `cell:name[argN]`, `global:name`, `function:name` */
static cflr_status parse_named(cflri_reader *r, cflri_summary_base base,
                               cflri_summary_value *value) {
    cflr_status st = CFLR_OK;
    value->base = base;
    value->number = 0;
    if (!cflri_take(r, ":")) {
        return base == CFLRI_SUMMARY_STATIC ? CFLR_OK : cflri_fail_expected(r, "':' and a name");
    }
    CFLR_TRY(cflri_parse_name(r, "a name", &value->number));
    if (base == CFLRI_SUMMARY_GLOBAL) r->summaries->names.at[value->number].variable = true;
    if (base == CFLRI_SUMMARY_CELL) CFLR_TRY(parse_key(r, value));
out:
    return st;
}

/* `new`, another object each time, and `new:name`, one object in all of the entry. */
static cflr_status parse_new(cflri_reader *r, cflri_summary_value *value) {
    cflr_status st = CFLR_OK;
    value->base = CFLRI_SUMMARY_NEW;
    uint32_t name, i = 0;
    if (!cflri_take(r, ":")) {
        value->number = r->n_new++;
        return CFLR_OK;
    }
    CFLR_TRY(cflri_parse_name(r, "a name", &name));
    while (i < r->n_named && r->named[i].name != name) i++;
    if (i == CFLRI_SUMMARY_MOST_NAMED)
        return CFLRI_FAIL_AT(r, r->at, "more than %d names of objects", CFLRI_SUMMARY_MOST_NAMED);
    if (i == r->n_named) {
        r->named[r->n_named].name = name;
        r->named[r->n_named++].ordinal = r->n_new++;
    }
    value->number = r->named[i].ordinal;
out:
    return st;
}

static cflr_status parse_word_value(cflri_reader *r, cflri_summary_value *value) {
    cflri_word w = cflri_take_word(r);
    if (cflri_is_word(w, "ret")) {
        value->base = CFLRI_SUMMARY_RESULT;
    } else if (cflri_is_word(w, "new")) {
        return parse_new(r, value);
    } else if (cflri_is_word(w, "static")) {
        return parse_named(r, CFLRI_SUMMARY_STATIC, value);
    } else if (cflri_is_word(w, "cell")) {
        return parse_named(r, CFLRI_SUMMARY_CELL, value);
    } else if (cflri_is_word(w, "global")) {
        return parse_named(r, CFLRI_SUMMARY_GLOBAL, value);
    } else if (cflri_is_word(w, "function")) {
        return parse_named(r, CFLRI_SUMMARY_FUNCTION, value);
    } else if (w.length > 3 && memcmp(w.at, "arg", 3) == 0) {
        return parse_argument_word(r, w, value);
    } else {
        r->at = w.at;
        return cflri_fail_expected(
            r, "a value (argN, ret, new, static, cell:NAME, global:NAME, function:NAME)");
    }
    return CFLR_OK;
}

static cflr_status parse_member(cflri_reader *r, cflri_summary_value *value) {
    cflr_status st = CFLR_OK;
    cflri_skip_blanks(r);
    const char *place = r->at;
    uint32_t id;
    CFLR_TRY(cflri_parse_name(r, "a member", &id));
    const cflri_summary_member *member = &r->summaries->names.at[id].member;
    if (member->layer == CFLRI_SUMMARY_ABSENT) {
        return CFLRI_FAIL_AT(r, place, "there is no entry 'member %.40s OFFSET'",
                             cflri_string(&r->summaries->strings, id));
    }
    for (uint32_t i = 0; i < member->n_offsets; i++)
        CFLR_TRY(add_step(r, value, member->offset[i]));
    CFLR_TRY(add_step(r, value, CFLRI_SUMMARY_DEREF));
out:
    return st;
}

static cflr_status parse_value(cflri_reader *r, cflri_summary_value *value, uint32_t depth) {
    cflr_status st = CFLR_OK;
    uint32_t stars = 0;
    bool address = cflri_take(r, "&");
    while (!address && cflri_take(r, "*")) stars++;
    if (cflri_take(r, "(")) {
        if (depth == CFLRI_SUMMARY_MOST_STEPS)
            return CFLRI_FAIL_AT(r, r->at, "too many parentheses");
        CFLR_TRY(parse_value(r, value, depth + 1));
        CFLR_TRY(cflri_expect(r, ")", "')'"));
    } else {
        CFLR_TRY(parse_word_value(r, value));
    }
    while (cflri_take(r, "->")) CFLR_TRY(parse_member(r, value));
    for (uint32_t i = 0; i < stars; i++) CFLR_TRY(add_step(r, value, CFLRI_SUMMARY_DEREF));
    if (!address) return CFLR_OK;
    if (value->n_steps == 0 && value->base == CFLRI_SUMMARY_GLOBAL) {
        value->base = CFLRI_SUMMARY_VARIABLE;
        return CFLR_OK;
    }
    if (value->n_steps == 0) return cflri_fail_expected(r, "'->' and a member after '&'");
    value->n_steps--; /* the last step went from the member's address to its content */
out:
    return st;
}

cflr_status cflri_parse_value_of(cflri_reader *r, cflri_summary_effect *effect,
                                 cflri_summary_value *value) {
    *value = (cflri_summary_value){0};
    cflri_skip_blanks(r);
    const char *place = r->at;
    cflr_status st = parse_value(r, value, 0);
    if (st != CFLR_OK || value->base != CFLRI_SUMMARY_REST) return st;
    if (effect->repeat_from != CFLRI_SUMMARY_ONCE && effect->repeat_from != value->number) {
        return CFLRI_FAIL_AT(r, place, "an effect repeats for one 'argN...' only");
    }
    effect->repeat_from = value->number;
    return CFLR_OK;
}

/* Something can be stored in ret, a cell, a global and whatever a pointer points to. */
static bool is_place(const cflri_summary_value *value) {
    if (value->n_steps > 0) return value->step[value->n_steps - 1] == CFLRI_SUMMARY_DEREF;
    return value->base == CFLRI_SUMMARY_RESULT || value->base == CFLRI_SUMMARY_CELL ||
           value->base == CFLRI_SUMMARY_GLOBAL;
}

/* Reads the place that an effect stores in. */
static cflr_status parse_place(cflri_reader *r, cflri_summary_effect *effect) {
    cflri_skip_blanks(r);
    const char *place = r->at;
    cflr_status st = cflri_parse_value_of(r, effect, &effect->target);
    if (st != CFLR_OK || is_place(&effect->target)) return st;
    return CFLRI_FAIL_AT(r, place,
                         "nothing can be stored here: only in ret, cell:NAME, global:NAME "
                         "and behind a pointer");
}

/* ---- effects ---- */

/* A value that is stored or passed, perhaps only where it is not null. */
static cflr_status parse_given(cflri_reader *r, cflri_summary_effect *effect,
                               cflri_summary_value *value) {
    bool nonnull = cflri_is_word(peek_if(r, 'n', 'n'), "nonnull");
    if (nonnull) cflri_take_word(r);
    cflr_status st = cflri_parse_value_of(r, effect, value);
    value->nonnull = nonnull;
    return st;
}

/* After the word `data`. */
static cflr_status parse_data(cflri_reader *r, cflri_summary_effect *effect) {
    cflr_status st = CFLR_OK;
    effect->verb = CFLRI_SUMMARY_ASSIGN;
    effect->has_target = effect->data = true;
    CFLR_TRY(parse_place(r, effect));
    CFLR_TRY(cflri_expect(r, "=", "'='"));
    CFLR_TRY(cflri_parse_value_of(r, effect, &effect->source));
out:
    return st;
}

static cflr_status parse_call_argument(cflri_reader *r, cflri_summary_effect *effect) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    cflri_summary_value value = {.base = CFLRI_SUMMARY_NOTHING};
    if (effect->n_arguments == CFLRI_SUMMARY_MOST_ARGUMENTS) {
        return CFLRI_FAIL_AT(r, r->at, "more than %d arguments", CFLRI_SUMMARY_MOST_ARGUMENTS);
    }
    if (cflri_is_word(peek_if(r, '_', '_'), "_")) {
        cflri_take_word(r);
    } else {
        CFLR_TRY(parse_given(r, effect, &value));
    }
    if (!cflri_vec_push(s->context, &s->arguments, value)) {
        return cflri_fail_memory(s->context, r->error);
    }
    effect->n_arguments++;
out:
    return st;
}

/* After the word `call`. */
static cflr_status parse_call(cflri_reader *r, cflri_summary_effect *effect) {
    cflr_status st = CFLR_OK;
    effect->verb = CFLRI_SUMMARY_CALL;
    effect->first_argument = (uint32_t)r->summaries->arguments.n;
    CFLR_TRY(cflri_parse_value_of(r, effect, &effect->source));
    CFLR_TRY(cflri_expect(r, "(", "'(' and the arguments of the call"));
    if (cflri_take(r, ")")) return CFLR_OK;
    do CFLR_TRY(parse_call_argument(r, effect));
    while (cflri_take(r, ","));
    CFLR_TRY(cflri_expect(r, ")", "',' or ')'"));
out:
    return st;
}

/* Where to, or where from. */
static cflr_status parse_copy_argument(cflri_reader *r, cflri_summary_effect *effect,
                                       cflri_summary_value *value) {
    cflri_skip_blanks(r);
    const char *place = r->at;
    bool second = value == &effect->source;
    if (cflri_is_word(cflri_peek_word(r), "outside") &&
        !(second && effect->target.base == CFLRI_SUMMARY_OUTSIDE)) {
        cflri_take_word(r);
        value->base = CFLRI_SUMMARY_OUTSIDE;
        return CFLR_OK;
    }
    cflr_status st = cflri_parse_value_of(r, effect, value);
    if (st != CFLR_OK) return st;
    bool result = value->base == CFLRI_SUMMARY_RESULT && !second;
    if ((value->base != CFLRI_SUMMARY_ARGUMENT && !result) || value->n_steps > 0) {
        return CFLRI_FAIL_AT(r, place,
                             "copy takes two arguments: copy argTO argFROM, copy ret argFROM");
    }
    return CFLR_OK;
}

static cflr_status parse_assignment(cflri_reader *r, cflri_summary_effect *effect) {
    cflr_status st = CFLR_OK;
    effect->verb = CFLRI_SUMMARY_ASSIGN;
    effect->has_target = true;
    CFLR_TRY(parse_place(r, effect));
    CFLR_TRY(cflri_expect(r, "=", "'='"));
    cflri_word first = peek_if(r, 'c', 'n');
    if (cflri_is_word(first, "call")) {
        cflri_take_word(r);
        return parse_call(r, effect);
    }
    if (cflri_is_word(first, "null")) {
        cflri_take_word(r);
        effect->source.base = CFLRI_SUMMARY_NULL;
        return CFLR_OK;
    }
    CFLR_TRY(parse_given(r, effect, &effect->source));
out:
    return st;
}

static cflr_status parse_effect(cflri_reader *r) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    cflri_summary_effect effect = {.repeat_from = CFLRI_SUMMARY_ONCE};
    cflri_word verb = peek_if(r, 'c', 'd');
    if (cflri_is_word(verb, "call")) {
        cflri_take_word(r);
        CFLR_TRY(parse_call(r, &effect));
    } else if (cflri_is_word(verb, "copy")) {
        cflri_take_word(r);
        effect.verb = CFLRI_SUMMARY_COPY;
        CFLR_TRY(parse_copy_argument(r, &effect, &effect.target));
        CFLR_TRY(parse_copy_argument(r, &effect, &effect.source));
    } else if (cflri_is_word(verb, "data")) {
        cflri_take_word(r);
        CFLR_TRY(parse_data(r, &effect));
    } else {
        CFLR_TRY(parse_assignment(r, &effect));
    }
    if (!cflri_vec_push(s->context, &s->effects, effect)) {
        return cflri_fail_memory(s->context, r->error);
    }
out:
    return st;
}

static bool takes_word(cflri_reader *r, const char *word) {
    bool is = cflri_is_word(cflri_peek_word(r), word);
    if (is) cflri_take_word(r);
    return is;
}

/* After `noreturn`: perhaps the arguments that are other than 0 where the call returns. */
static cflr_status parse_ending(cflri_reader *r, cflri_summary_entry *entry) {
    enum { MOST = 32 };
    if (entry->variable) return cflri_fail_expected(r, "what a variable holds");
    entry->ends = true;
    if (!takes_word(r, "unless")) return CFLR_OK;
    do {
        uint32_t number;
        cflri_word word = cflri_peek_word(r);
        bool argument =
            word.length > 3 && memcmp(word.at, "arg", 3) == 0 &&
            cflri_parse_number((cflri_word){word.at + 3, word.length - 3}, MOST, &number);
        if (!argument) return cflri_fail_expected(r, "an argument, from arg0 to arg31");
        cflri_take_word(r);
        entry->unless |= 1u << number;
    } while (cflri_peek_word(r).length > 0);
    return CFLR_OK;
}

static cflr_status parse_effects(cflri_reader *r, cflri_summary_entry *entry) {
    cflr_status st = CFLR_OK;
    if (!takes_word(r, "none")) {
        do CFLR_TRY(takes_word(r, "noreturn") ? parse_ending(r, entry) : parse_effect(r));
        while (cflri_take(r, ";"));
    }
    cflri_skip_blanks(r);
    if (r->at < r->end) st = cflri_fail_expected(r, "';' or the end of the entry");
out:
    return st;
}

/* ---- entries ---- */

static cflr_status parse_offset(cflri_reader *r, cflri_summary_member *member) {
    cflri_word number = cflri_take_word(r);
    if (member->n_offsets == CFLRI_SUMMARY_MOST_NESTED) {
        return CFLRI_FAIL_AT(r, number.at, "more than %d offsets", CFLRI_SUMMARY_MOST_NESTED);
    }
    if (!cflri_parse_number(number, INT_MAX, &member->offset[member->n_offsets])) {
        r->at = number.at;
        return cflri_fail_expected(r, "an offset in bytes");
    }
    member->n_offsets++;
    return CFLR_OK;
}

/* After the word `member`. */
static cflr_status parse_member_entry(cflri_reader *r) {
    cflr_status st = CFLR_OK;
    cflri_skip_blanks(r);
    const char *place = r->at;
    uint32_t id;
    CFLR_TRY(cflri_parse_name(r, "the name of a member", &id));
    cflri_summary_member *member = &r->summaries->names.at[id].member;
    if (member->layer == r->layer) {
        return CFLRI_FAIL_AT(r, place, "member '%.60s' is there already",
                             cflri_string(&r->summaries->strings, id));
    }
    *member = (cflri_summary_member){.layer = r->layer};
    do CFLR_TRY(parse_offset(r, member));
    while (cflri_take(r, "."));
    cflri_skip_blanks(r);
    if (r->at < r->end) st = cflri_fail_expected(r, "the end of the entry");
out:
    return st;
}

/* The entry of the same name that the layers so far have. */
static uint32_t *said_of(cflri_summary_name *name, const cflri_summary_entry *entry) {
    if (entry->variable) return &name->content;
    return entry->is_prefix ? &name->prefix : &name->function;
}

/* Makes it what is said of its name. */
static cflr_status add_entry(cflri_reader *r, const cflri_summary_entry *entry) {
    cflri_summaries *s = r->summaries;
    cflri_summary_name *name = &s->names.at[entry->name];
    uint32_t *said = said_of(name, entry);
    name->variable |= entry->variable;
    bool is_new_prefix = entry->is_prefix && *said == 0;
    *said = (uint32_t)s->entries.n;
    if (!cflri_vec_push(s->context, &s->entries, *entry) ||
        (is_new_prefix && !cflri_vec_push(s->context, &s->prefixes, entry->name))) {
        return cflri_fail_memory(s->context, r->error);
    }
    return CFLR_OK;
}

/* One of the names in front of the colon. How many effects they have is known later. */
static cflr_status parse_entry_name(cflri_reader *r, cflri_summary_entry entry) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    cflri_skip_blanks(r);
    const char *place = r->at;
    CFLR_TRY(cflri_parse_name(
        r, entry.variable ? "the name of a variable" : "the name of a function", &entry.name));
    entry.is_prefix = !entry.variable && r->at < r->end && *r->at == '*';
    if (entry.is_prefix) r->at++;
    uint32_t said = *said_of(&s->names.at[entry.name], &entry);
    if (said != 0 && s->entries.at[said].layer == r->layer) {
        return CFLRI_FAIL_AT(r, place, "'%.60s%s' has a summary already",
                             cflri_string(&s->strings, entry.name), entry.is_prefix ? "*" : "");
    }
    CFLR_TRY(add_entry(r, &entry));
out:
    return st;
}

/* A word such as `override` before the names: where the colon or the star of a prefix follows, it
 * is a name. */
static bool take_kind(cflri_reader *r, const char *kind) {
    const char *at = r->at;
    if (*at != *kind) return false;
    if (cflri_is_word(cflri_take_word(r), kind) && cflri_peek_word(r).length > 0) return true;
    r->at = at;
    return false;
}

static cflr_status parse_function_entry(cflri_reader *r) {
    cflr_status st = CFLR_OK;
    cflri_summaries *s = r->summaries;
    size_t first = s->effects.n, named = s->entries.n;
    cflri_summary_entry entry = {.layer = r->layer, .line = r->line};
    r->variable = entry.variable = take_kind(r, "variable");
    entry.overrides = !entry.variable && take_kind(r, "override");
    s->override |= entry.overrides;
    do CFLR_TRY(parse_entry_name(r, entry));
    while (!cflri_take(r, ":"));
    CFLR_TRY(parse_effects(r, &entry));
    for (size_t i = named; i < s->entries.n; i++) {
        s->entries.at[i].ends = entry.ends;
        s->entries.at[i].unless = entry.unless;
        s->entries.at[i].first_effect = (uint32_t)first;
        s->entries.at[i].n_effects = (uint32_t)(s->effects.n - first);
    }
out:
    return st;
}

/* Where the entry at `at` ends: at the end of a line that no indented line follows. How many lines
 * it has is added to *lines. */
static const char *end_of_entry(const char *at, uint32_t *lines) {
    do {
        const char *newline = strchr(at, '\n');
        if (!newline) return at + strlen(at);
        at = newline;
        ++*lines;
    } while ((at[1] == ' ' || at[1] == '\t') && *at++);
    return at;
}

cflr_status cflri_parse_entries(cflri_summaries *summaries, const cflri_summary_text *text,
                                cflri_entry_parser *parse_entry, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_reader r = {.summaries = summaries,
                      .subject = text->subject,
                      .layer = text->layer,
                      .text = text->text,
                      .line = 1,
                      .error = error};
    assert(summaries && text->text && text->layer != CFLRI_SUMMARY_ABSENT);
    uint32_t lines;
    for (const char *next = r.text; *next; r.line += lines) {
        lines = 0;
        r.at = r.begin = next;
        r.end = end_of_entry(next, &lines);
        r.n_new = r.n_named = 0;
        cflri_skip_blanks(&r);
        if (r.at < r.end) CFLR_TRY(parse_entry(&r));
        next = r.end + (*r.end == '\n');
    }
out:
    return st;
}

/* Members are read before functions, so that an entry may use those of any text. */

static bool is_member_entry(cflri_reader *r) {
    return cflri_is_word(peek_if(r, 'm', 'm'), "member");
}

static cflr_status parse_if_member(cflri_reader *r) {
    if (!is_member_entry(r)) return CFLR_OK;
    cflri_take_word(r);
    return parse_member_entry(r);
}

static cflr_status parse_if_function(cflri_reader *r) {
    return is_member_entry(r) ? CFLR_OK : parse_function_entry(r);
}

cflr_status cflri_summary_parse_members(cflri_summaries *summaries, const cflri_summary_text *text,
                                        cflr_error *error) {
    return cflri_parse_entries(summaries, text, parse_if_member, error);
}

cflr_status cflri_summary_parse_functions(cflri_summaries *summaries,
                                          const cflri_summary_text *text, cflr_error *error) {
    return cflri_parse_entries(summaries, text, parse_if_function, error);
}
