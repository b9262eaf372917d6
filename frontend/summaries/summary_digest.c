/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_digest.c: what the user's summaries say, for telling whether facts still hold.
 *
 * The facts of a unit depend on the summaries of the functions that it uses, and on no others; so a
 * line that is added to a file of summaries changes the units that use its function:
 *
 *     names of a unit       entry of the user
 *     strlen, strlen        -
 *     pool_get, pool_get    ret = new            digest: pool_get, effects, ...
 *     list_add, list_add    -
 *
 * An entry is digested as it was understood, offsets of members instead of their names, and strings
 * by their text, since numbers of strings differ from one run to the next. Shipped summaries are
 * part of the build (cmake/identity.cmake).
 *
 * O(names); without files of the user nothing is looked at.
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

bool cflri_summaries_of_user(const cflri_summaries *summaries) {
    return summaries->n_files > 0;
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
        add_effects(&d, summaries, entry);
    }
    return cflri_digest_end(&d);
}

bool cflri_summary_names(const cflri_facts *facts, cflri_buffer *names) {
    bool good = true;
    for (size_t f = 1; f < facts->functions.n; f++) {
        const cflri_function *function = &facts->functions.at[f];
        good =
            good &&
            cflri_buffer_text(facts->context, names,
                              cflri_string(&facts->strings, function->name)) &&
            cflri_buffer_text(facts->context, names, cflri_string(&facts->strings, function->key));
    }
    return good;
}

/* The user's summary of a function, if that is what describes it; adds it. */
static bool add_function(cflri_digester *d, const cflri_summaries *summaries, const char *name,
                         const char *linked) {
    uint32_t number = cflri_summary_find(summaries, name);
    if (number == 0) {
        name = linked;
        number = cflri_summary_find(summaries, name);
    }
    const cflri_summary_entry *entry = &summaries->entries.at[number];
    if (entry->layer < CFLRI_SUMMARY_USER) return false;
    cflri_digest_text(d, name);
    add_effects(d, summaries, entry);
    return true;
}

bool cflri_summaries_digest_names(const cflri_summaries *summaries, const char *names, size_t size,
                                  cflri_digest *digest) {
    cflri_digester d;
    bool described = false;
    *digest = (cflri_digest){0, 0};
    if (!cflri_summaries_of_user(summaries) || size == 0) return true;
    if (names[size - 1] != '\0') return false;
    cflri_digest_begin(&d);
    for (const char *name = names, *end = names + size; name < end;) {
        const char *linked = name + strlen(name) + 1;
        if (linked >= end) return false;
        described |= add_function(&d, summaries, name, linked);
        name = linked + strlen(linked) + 1;
    }
    if (described) *digest = cflri_digest_end(&d);
    return true;
}
