/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_digest.c: what the user's summaries and rules say, for telling whether facts still hold.
 *
 * The facts of a unit depend on what is said of the functions and variables that it uses, and on
 * nothing else that is said; so a line that is added to a file of summaries, or of rules, changes
 * the units that use its function:
 *
 *     names of a unit    entry of the user    marks
 *     strlen             -                    -
 *     pool_get           ret = new            -                    digest: pool_get, effects,
 *     getenv             -                    rule 0: *ret                 getenv, rule, value
 *
 * Beside names, all places where a pointer is followed are sinks of rules that say so: these are a
 * part of every digest. An edge of a rule has the number of the rule, so that one more rule in
 * front of the others is a change where these say something.
 *
 * An entry is digested as it was understood, offsets of members instead of their names, and strings
 * by their text, since numbers of strings differ from one run to the next. Shipped summaries are
 * part of the build (cmake/identity.cmake), shipped rules are chosen.
 *
 * O(names); without files of the user and rules nothing is looked at.
 */
#include "frontend/summaries/summary_digest.h"

#include "frontend/summaries/summary_language.h"

static void add_value(cflri_digester *d, const cflri_summaries *summaries,
                      const cflri_summary_value *value) {
    bool named = value->base == CFLRI_SUMMARY_STATIC || value->base == CFLRI_SUMMARY_CELL ||
                 value->base == CFLRI_SUMMARY_GLOBAL || value->base == CFLRI_SUMMARY_VARIABLE ||
                 value->base == CFLRI_SUMMARY_FUNCTION;
    cflri_digest_number(d, value->base);
    if (named)
        cflri_digest_text(d, cflri_string(&summaries->strings, value->number));
    else
        cflri_digest_number(d, value->number);
    cflri_digest_number(d, value->key);
    cflri_digest_number(d, value->nonnull);
    cflri_digest_number(d, value->n_steps);
    cflri_digest_add(d, value->step, value->n_steps * sizeof *value->step);
}

static void add_effects(cflri_digester *d, const cflri_summaries *summaries,
                        const cflri_summary_entry *entry) {
    cflri_digest_number(d, entry->overrides);
    cflri_digest_number(d, entry->ends);
    cflri_digest_number(d, entry->unless);
    cflri_digest_number(d, entry->n_effects);
    for (uint32_t i = 0; i < entry->n_effects; i++) {
        const cflri_summary_effect *effect = &summaries->effects.at[entry->first_effect + i];
        cflri_digest_number(d, effect->verb);
        cflri_digest_number(d, effect->repeat_from);
        cflri_digest_number(d, effect->has_target);
        cflri_digest_number(d, effect->data);
        if (effect->has_target || effect->verb == CFLRI_SUMMARY_COPY)
            add_value(d, summaries, &effect->target);
        add_value(d, summaries, &effect->source);
        cflri_digest_number(d, effect->n_arguments);
        for (uint32_t k = 0; k < effect->n_arguments; k++)
            add_value(d, summaries, &summaries->arguments.at[effect->first_argument + k]);
    }
}

/* What rules say of a name; 0 is the end of its marks. */
static void add_marks(cflri_digester *d, const cflri_summaries *summaries, uint32_t first) {
    for (uint32_t i = first; i; i = summaries->marks.at[i].next) {
        const cflri_mark *mark = &summaries->marks.at[i];
        cflri_digest_number(d, mark->rule);
        cflri_digest_text(d, cflri_rule_name(summaries, mark->rule));
        cflri_digest_number(d, mark->repeat_from);
        cflri_digest_number(d, mark->kind);
        cflri_digest_number(d, mark->bytes);
        add_value(d, summaries, &mark->value);
        cflri_digest_number(d, mark->n_conditions);
        for (uint32_t k = 0; k < mark->n_conditions; k++) {
            const cflri_mark_condition *at = &summaries->conditions.at[mark->first_condition + k];
            cflri_digest_number(d, at->repeat_from);
            add_value(d, summaries, &at->value);
        }
    }
}

bool cflri_summaries_of_user(const cflri_summaries *summaries) {
    return summaries->n_files > 0 || cflri_rules_there(summaries);
}

cflri_digest cflri_summaries_digest(const cflri_summaries *summaries) {
    cflri_digester d;
    cflri_digest_begin(&d);
    for (size_t i = 1; i < summaries->entries.n; i++) {
        const cflri_summary_entry *entry = &summaries->entries.at[i];
        if (entry->layer < CFLRI_SUMMARY_USER) continue;
        cflri_digest_text(&d, summaries->files[entry->layer - CFLRI_SUMMARY_USER].path);
        cflri_digest_number(&d, entry->line);
        cflri_digest_text(&d, cflri_string(&summaries->strings, entry->name));
        cflri_digest_number(&d, entry->is_prefix);
        cflri_digest_number(&d, entry->variable);
        add_effects(&d, summaries, entry);
    }
    for (uint32_t r = 0; r < summaries->rules.n; r++) {
        const cflri_rule *rule = &summaries->rules.at[r];
        cflri_digest_text(&d, cflri_rule_name(summaries, r));
        cflri_digest_number(&d, rule->n_programs);
        for (uint32_t i = 0; i < rule->n_programs; i++)
            cflri_digest_text(&d, cflri_string(&summaries->strings,
                                               summaries->programs.at[rule->first_program + i]));
    }
    return cflri_digest_end(&d);
}

bool cflri_summary_names(const cflri_facts *facts, cflri_buffer *names) {
    bool good = true;
    for (size_t f = 1; f < facts->functions.n; f++) {
        const cflri_function *function = &facts->functions.at[f];
        const char *name = cflri_string(&facts->strings, function->name);
        const char *linked = cflri_string(&facts->strings, function->key);
        good = good && cflri_buffer_text(facts->context, names, name);
        if (function->key != function->name)
            good = good && cflri_buffer_text(facts->context, names, linked);
    }
    return good && cflri_buffer_add(facts->context, names, facts->asked.at, facts->asked.n);
}

static bool is_of_user(const cflri_summaries *summaries, uint32_t entry) {
    return summaries->entries.at[entry].layer >= CFLRI_SUMMARY_USER;
}

/* All that is said of a function or variable of this name; false: nothing. */
static bool add_name(cflri_digester *d, const cflri_summaries *summaries, const char *name) {
    const cflri_summary_name *named = cflri_summary_named(summaries, name);
    uint32_t function = cflri_summary_find(summaries, name);
    uint32_t content = named ? named->content : 0, mark = named ? named->mark : 0;
    bool does = is_of_user(summaries, function), holds = is_of_user(summaries, content);
    if (!does && !holds && !mark) return false;
    cflri_digest_text(d, name);
    cflri_digest_number(d, does);
    cflri_digest_number(d, holds);
    if (does) add_effects(d, summaries, &summaries->entries.at[function]);
    if (holds) add_effects(d, summaries, &summaries->entries.at[content]);
    add_marks(d, summaries, mark);
    return true;
}

/* The rules whose sinks need no names. */
static bool add_dereferences(cflri_digester *d, const cflri_summaries *summaries) {
    bool said = false;
    for (uint32_t r = 0; r < summaries->rules.n; r++) {
        const cflri_rule *rule = &summaries->rules.at[r];
        if (!rule->dereferences && !rule->declared_formats) continue;
        cflri_digest_number(d, 2 * r + rule->dereferences);
        said = true;
    }
    return said;
}

bool cflri_summaries_digest_names(const cflri_summaries *summaries, const char *names, size_t size,
                                  cflri_digest *digest) {
    cflri_digester d;
    *digest = (cflri_digest){0, 0};
    if (!cflri_summaries_of_user(summaries)) return true;
    if (size > 0 && names[size - 1] != '\0') return false;
    cflri_digest_begin(&d);
    bool said = add_dereferences(&d, summaries);
    for (size_t at = 0; at < size; at += strlen(names + at) + 1)
        if (add_name(&d, summaries, names + at)) said = true;
    if (said) *digest = cflri_digest_end(&d);
    return true;
}
