/* SPDX-License-Identifier: Apache-2.0
 *
 * cache_entry.c: one unit of the cache as a container (base/files/container.h) of three sections.
 *
 *     "FROM"   key                4 numbers of 32 bits, little endian like all
 *              said               4, digest of what summaries and rules say
 *              outcome            state, errors, lines (2), line of the first error
 *              files, bytes       counts of what follows
 *              digests            4 numbers for each file
 *              texts              "", first error, its file, and the path of each file, each ended
 *                                 by NUL
 *     "NAME"   summary_digest.c: what the unit's functions and variables are called
 *     "FACT"   facts_io.c
 *
 * They are apart because the first is all that some comparisons need, and the second what one with
 * rules or summaries of the user needs.
 */
#include "frontend/store/cache_entry.h"

#include <string.h>

#include "frontend/facts/buffer.h"
#include "frontend/facts/facts_io.h"

static const char from_tag[] = "FROM", names_tag[] = "NAME", facts_tag[] = "FACT";

/* The first numbers of "FROM". */
typedef struct heading {
    uint32_t key[4], said[4];
    uint32_t state, errors, lines_low, lines_high, error_line;
    uint32_t files, text_bytes;
} heading;

enum { DIGEST = 4 * sizeof(uint32_t) };

/* ---- writing ---- */

static bool add_heading(cflr_context *context, cflri_buffer *to, const cflri_entry *entry) {
    const cflri_unit_outcome *outcome = &entry->outcome;
    size_t n = entry->paths.text.n;
    uint64_t text_bytes = strlen(outcome->first_error) + strlen(outcome->error_file) + 2;
    for (size_t i = 0; i < n; i++) text_bytes += strlen(entry->paths.text.at[i]) + 1;
    heading h = {.state = (uint32_t)outcome->state,
                 .errors = outcome->errors,
                 .lines_low = (uint32_t)outcome->lines,
                 .lines_high = (uint32_t)(outcome->lines >> 32),
                 .error_line = outcome->error_line,
                 .files = (uint32_t)n - 1,
                 .text_bytes = (uint32_t)text_bytes};
    memcpy(h.key, &entry->key, sizeof h.key);
    memcpy(h.said, &entry->said, sizeof h.said);
    return text_bytes <= UINT32_MAX && cflri_buffer_add(context, to, &h, sizeof h);
}

/* "FROM". False when memory is refused. */
static bool describe(cflr_context *context, const cflri_entry *entry, cflri_buffer *to) {
    size_t n = entry->paths.text.n;
    bool good = add_heading(context, to, entry) &&
                cflri_buffer_add(context, to, entry->digests + 1, (n - 1) * DIGEST) &&
                cflri_buffer_text(context, to, "") &&
                cflri_buffer_text(context, to, entry->outcome.first_error) &&
                cflri_buffer_text(context, to, entry->outcome.error_file);
    for (size_t i = 1; i < n; i++)
        good = good && cflri_buffer_text(context, to, entry->paths.text.at[i]);
    return good;
}

cflr_status cflri_entry_write(cflr_context *context, cflri_output *output, const cflri_entry *entry,
                              const cflri_buffer *names, const cflri_facts *facts,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_buffer from = {0};
    cflri_numbers words = {0};
    if (!describe(context, entry, &from) || !cflri_facts_write(facts, &words))
        CFLR_TRY(cflri_fail_memory(context, error));
    cflri_container_begin(output);
    CFLR_TRY(cflri_container_section(context, output, from_tag, from.at, from.n, error));
    CFLR_TRY(cflri_container_section(context, output, names_tag, names->at, names->n, error));
    CFLR_TRY(cflri_container_section(context, output, facts_tag, words.at,
                                     words.n * sizeof *words.at, error));
    cflri_container_end(output);
out:
    cflri_vec_free(context, &from);
    cflri_vec_free(context, &words);
    return st;
}

/* ---- reading ---- */

static cflr_status no_entry(cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, NULL, "not an entry of the cache");
}

static void take_heading(const heading *h, cflri_entry *entry) {
    cflri_unit_outcome *outcome = &entry->outcome;
    memcpy(&entry->key, h->key, sizeof h->key);
    memcpy(&entry->said, h->said, sizeof h->said);
    outcome->state = (cflri_unit_state)h->state;
    outcome->errors = h->errors;
    outcome->lines = h->lines_low | (uint64_t)h->lines_high << 32;
    outcome->error_line = h->error_line;
}

/* Takes the unpacked "FROM" apart. */
static cflr_status take_apart(cflr_context *context, const char *data, size_t size,
                              cflri_entry *entry, cflr_error *error) {
    cflr_status st = CFLR_OK;
    enum { OF_OUTCOME = 2 }; /* texts before the paths, "" apart */
    heading h;
    if (size < sizeof h) return no_entry(error);
    memcpy(&h, data, sizeof h);
    uint64_t digest_bytes = (uint64_t)h.files * DIGEST;
    if (sizeof h + digest_bytes + h.text_bytes != size || h.state >= CFLRI_UNIT_LOST ||
        h.files > UINT32_MAX - OF_OUTCOME - 1)
        return no_entry(error);
    take_heading(&h, entry);
    CFLR_TRY(cflri_strings_list(&entry->paths, context, data + sizeof h + digest_bytes,
                                h.text_bytes, h.files + OF_OUTCOME + 1, error));
    cflri_unit_outcome_say(&entry->outcome, cflri_string(&entry->paths, 1),
                           cflri_string(&entry->paths, 2));
    memmove(entry->paths.text.at + 1, entry->paths.text.at + 1 + OF_OUTCOME,
            h.files * sizeof *entry->paths.text.at);
    entry->paths.text.n -= OF_OUTCOME;
    entry->digests = cflri_alloc_array(context, (size_t)h.files + 1, sizeof *entry->digests);
    if (!entry->digests) CFLR_TRY(cflri_fail_memory(context, error));
    memcpy(entry->digests + 1, data + sizeof h, digest_bytes);
out:
    return st;
}

cflr_status cflri_entry_read(cflr_context *context, const void *data, size_t size,
                             cflri_entry *entry, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_section *sections = NULL;
    size_t n;
    void *plain = NULL;
    memset(entry, 0, sizeof *entry);
    CFLR_TRY(cflri_container_open(context, data, size, NULL, &sections, &n, error));
    const cflri_section *from = cflri_container_find(sections, n, from_tag);
    const cflri_section *names = cflri_container_find(sections, n, names_tag);
    const cflri_section *facts = cflri_container_find(sections, n, facts_tag);
    if (!from || !names || !facts) CFLR_TRY(no_entry(error));
    entry->names = *names;
    entry->facts = *facts;
    CFLR_TRY(cflri_container_unpack(context, from, NULL, &plain, error));
    st = take_apart(context, plain, from->size, entry, error);
out:
    cflri_free(context, plain);
    cflri_free(context, sections);
    return st;
}

void cflri_entry_free(cflr_context *context, cflri_entry *entry) {
    cflri_strings_free(&entry->paths);
    cflri_free(context, entry->digests);
    memset(entry, 0, sizeof *entry);
}

cflr_status cflri_entry_said(cflr_context *context, const cflri_entry *entry,
                             const cflri_summaries *summaries, cflri_digest *digest,
                             cflr_error *error) {
    void *plain = NULL;
    *digest = (cflri_digest){0, 0};
    if (!cflri_summaries_of_user(summaries)) return CFLR_OK;
    cflr_status st = cflri_container_unpack(context, &entry->names, NULL, &plain, error);
    if (st == CFLR_OK && !cflri_summaries_digest_names(summaries, plain, entry->names.size, digest))
        st = no_entry(error);
    cflri_free(context, plain);
    return st;
}

cflr_status cflri_entry_facts(cflr_context *context, const cflri_entry *entry, cflr_fields fields,
                              cflri_facts *facts, cflr_error *error) {
    void *plain = NULL;
    cflr_status st = CFLR_OK;
    memset(facts, 0, sizeof *facts);
    CFLR_TRY(cflri_container_unpack(context, &entry->facts, NULL, &plain, error));
    st = cflri_facts_read(facts, context, fields, plain, entry->facts.size, error);
out:
    cflri_free(context, plain);
    return st;
}
