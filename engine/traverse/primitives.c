/* SPDX-License-Identifier: Apache-2.0
 *
 * primitives.c: primitives and schedules by number and by name.
 */
#include "engine/traverse/primitives.h"

#include <string.h>

#include "base/sized.h"
#include "base/words.h"

static const cflri_primitive *const table[] = {
    [CFLR_BFS] = &cflri_bfs,
    [CFLR_SSSP] = &cflri_sssp,
    [CFLR_SSWP] = &cflri_sswp,
    [CFLR_SSNSP] = &cflri_ssnsp,
    [CFLR_CC] = &cflri_cc,
    [CFLR_PAGERANK] = &cflri_pagerank,
    [CFLR_PAGERANK_DELTA] = &cflri_pagerank_delta,
    [CFLR_PPR] = &cflri_ppr,
    [CFLR_BC] = &cflri_bc,
    [CFLR_HITS] = &cflri_hits,
    [CFLR_SALSA] = &cflri_salsa,
    [CFLR_TC] = &cflri_tc,
    [CFLR_MST] = &cflri_mst,
    [CFLR_MIS] = &cflri_mis,
    [CFLR_COLOUR] = &cflri_colour,
    [CFLR_KCORE] = &cflri_kcore,
    [CFLR_REACH] = &cflri_reach,
};

enum { PRIMITIVES = sizeof table / sizeof *table };

const cflri_primitive *cflri_primitive_of(cflr_primitive primitive) {
    return table[primitive];
}

const char *cflr_primitive_name(cflr_primitive primitive) {
    return (unsigned)primitive < PRIMITIVES ? table[primitive]->name : "unknown";
}

cflr_status cflr_primitive_parse(const char *word, cflr_primitive *primitive, cflr_error *error) {
    for (unsigned i = 0; i < PRIMITIVES; i++) {
        if (strcmp(word, table[i]->name) != 0) continue;
        *primitive = (cflr_primitive)i;
        return CFLR_OK;
    }
    return cflri_fail(error, CFLR_NOT_FOUND, NULL, "there is no primitive '%s'", word);
}

void cflr_primitive_asks_sized(cflr_primitive primitive, cflr_primitive_needs *needs,
                               size_t struct_size) {
    CFLRI_GIVE(needs, struct_size, cflri_primitive_of(primitive)->needs);
}

/* ---- schedules ---- */

static const char *const schedule_words[] = {
#define SCHEDULE_WORD(name, number, word, text) [number] = word,
    CFLR_SCHEDULE_LIST(SCHEDULE_WORD)
#undef SCHEDULE_WORD
};

enum { SCHEDULES = sizeof schedule_words / sizeof *schedule_words };

const char *cflr_schedule_name(cflr_schedule schedule) {
    return (unsigned)schedule < SCHEDULES ? schedule_words[schedule] : "unknown";
}

cflr_status cflr_schedule_parse(const char *word, cflr_schedule *schedule, cflr_error *error) {
    uint32_t number = 0;
    cflr_status st = cflri_find_word(word, schedule_words, SCHEDULES, "schedule", &number, error);
    if (st == CFLR_OK) *schedule = (cflr_schedule)number;
    return st;
}
