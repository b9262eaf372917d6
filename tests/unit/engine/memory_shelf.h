/* SPDX-License-Identifier: Apache-2.0
 *
 * memory_shelf.h: a shelf in memory, which also remembers the states of one of its commits.
 */
#ifndef TEST_ENGINE_MEMORY_SHELF_H
#define TEST_ENGINE_MEMORY_SHELF_H

#include "engine/spine/shelf.h"
#include "kept_blocks.h"

typedef struct memory_states {
    uint32_t slices, stratum;
    kept_blocks **of;
} memory_states;

typedef struct memory_shelf {
    cflri_shelf shelf;
    memory_states former, now, remembered;
    bool whole;
    uint32_t commits, remember; /* so many so far; the one to be remembered */
} memory_shelf;

static inline void memory_states_free(memory_states *s) {
    for (uint32_t i = 0; s->of && i < s->slices; i++) kept_blocks_free(s->of[i]);
    free(s->of);
    *s = (memory_states){0};
}

static inline void memory_states_make(memory_states *s, uint32_t slices) {
    *s = (memory_states){.slices = slices, .of = calloc(slices, sizeof *s->of)};
    cr_assert_not_null(s->of);
    for (uint32_t i = 0; i < slices; i++) s->of[i] = kept_blocks_new();
}

static inline cflr_status memory_begin(cflri_shelf *shelf, uint32_t slices, cflr_error *error) {
    memory_shelf *m = (memory_shelf *)shelf;
    (void)error;
    if (m->whole) {
        memory_states_free(&m->former);
        m->former = m->now;
        m->now = (memory_states){0};
    }
    shelf->former = (cflri_progress){m->former.slices, m->former.stratum};
    memory_states_free(&m->now);
    memory_states_make(&m->now, slices);
    m->whole = false;
    return CFLR_OK;
}

static inline cflri_block_sink *memory_write(cflri_shelf *shelf, uint32_t slice) {
    kept_blocks **state = &((memory_shelf *)shelf)->now.of[slice];
    kept_blocks_free(*state);
    *state = kept_blocks_new();
    return &(*state)->sink;
}

static inline const cflri_block_source *memory_read(cflri_shelf *shelf, bool former,
                                                    uint32_t slice) {
    const memory_shelf *m = (const memory_shelf *)shelf;
    return &(former ? &m->former : &m->now)->of[slice]->source;
}

static inline cflr_status memory_commit(cflri_shelf *shelf, uint32_t stratum, cflr_error *error) {
    memory_shelf *m = (memory_shelf *)shelf;
    m->whole = true;
    m->now.stratum = stratum;
    if (m->commits++ != m->remember) return CFLR_OK;
    memory_states_free(&m->remembered);
    memory_states_make(&m->remembered, m->now.slices);
    m->remembered.stratum = stratum;
    for (uint32_t i = 0; i < m->now.slices; i++) {
        kept_blocks *from = m->now.of[i], *to = m->remembered.of[i];
        for (size_t b = 0; b < from->source.n; b++) {
            const kept_block *block = &from->at[b];
            keep_block(&to->sink, block->tag, block->data, block->size, error);
        }
    }
    return CFLR_OK;
}

static inline memory_shelf memory_shelf_of(void) {
    return (memory_shelf){
        .shelf = {.begin = memory_begin,
                  .write = memory_write,
                  .read = memory_read,
                  .commit = memory_commit},
    };
}

/* The next attempt goes on from the commit that was remembered, as after a crash. */
static inline void memory_shelf_return(memory_shelf *m) {
    memory_states_free(&m->former);
    memory_states_free(&m->now);
    m->former = m->remembered;
    m->remembered = (memory_states){0};
    m->whole = false;
    m->shelf.former = (cflri_progress){m->former.slices, m->former.stratum};
}

static inline void memory_shelf_free(memory_shelf *m) {
    memory_states_free(&m->former);
    memory_states_free(&m->now);
    memory_states_free(&m->remembered);
}

#endif
