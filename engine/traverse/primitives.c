/* SPDX-License-Identifier: Apache-2.0
 *
 * primitives.c: primitives and schedules by number and by name.
 */
#include "engine/traverse/primitives.h"

#include "base/sized.h"
#include "base/words.h"

static const cflri_primitive *const table[] = {
#define PRIMITIVE(name, number, word, text) [number] = &cflri_primitive_##name,
    CFLR_PRIMITIVE_LIST(PRIMITIVE)
#undef PRIMITIVE
};

static const char *const words[] = {
#define WORD(name, number, word, text) [number] = word,
    CFLR_PRIMITIVE_LIST(WORD)};

enum { PRIMITIVES = sizeof table / sizeof *table };

const cflri_primitive *cflri_primitive_of(cflr_primitive primitive) {
    return table[primitive];
}

const char *cflr_primitive_name(cflr_primitive primitive) {
    return (unsigned)primitive < PRIMITIVES ? words[primitive] : "unknown";
}

cflr_status cflr_primitive_parse(const char *word, cflr_primitive *primitive, cflr_error *error) {
    uint32_t number = 0;
    cflr_status st = cflri_find_word(word, words, PRIMITIVES, "primitive", &number, error);
    if (st == CFLR_OK) *primitive = (cflr_primitive)number;
    return st;
}

void cflr_primitive_asks_sized(cflr_primitive primitive, cflr_primitive_needs *needs,
                               size_t struct_size) {
    cflr_primitive_needs asks = cflri_primitive_of(primitive)->needs;
    if (!asks.usual_sources) asks.usual_sources = asks.least_sources;
    CFLRI_GIVE(needs, struct_size, asks);
}

/* ---- schedules ---- */

static const char *const schedule_words[] = {CFLR_SCHEDULE_LIST(WORD)};

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

/* ---- transfers ---- */

static const char *const transfer_words[] = {CFLR_TRANSFER_LIST(WORD)
#undef WORD
};

enum { TRANSFERS = sizeof transfer_words / sizeof *transfer_words };

const char *cflr_transfer_name(cflr_transfer transfer) {
    return (unsigned)transfer < TRANSFERS ? transfer_words[transfer] : "unknown";
}

cflr_status cflr_transfer_parse(const char *word, cflr_transfer *transfer, cflr_error *error) {
    uint32_t number = 0;
    cflr_status st = cflri_find_word(word, transfer_words, TRANSFERS, "transfer", &number, error);
    if (st == CFLR_OK) *transfer = (cflr_transfer)number;
    return st;
}
