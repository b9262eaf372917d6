/* SPDX-License-Identifier: Apache-2.0
 *
 * memory_shelf.h: a shelf in memory, which also remembers the states of one of its commits.
 */
#ifndef TEST_ENGINE_MEMORY_SHELF_H
#define TEST_ENGINE_MEMORY_SHELF_H

#include "engine/spine/shelf.h"
#include "tests/support/support.h"

typedef struct memory_block {
    void *data;
    size_t size;
} memory_block;

typedef struct memory_states {
    uint32_t slices, stratum;
    struct {
        memory_block *block;
        size_t n;
    } * of;
} memory_states;

typedef struct memory_shelf {
    cflri_shelf shelf;
    cflr_context *context;
    memory_states former, now, remembered;
    bool whole;
    uint32_t commits, remember; /* so many so far; the one to be remembered */
} memory_shelf;

static inline void memory_clear(memory_states *s, uint32_t slice) {
    for (size_t i = 0; i < s->of[slice].n; i++) free(s->of[slice].block[i].data);
    free(s->of[slice].block);
    s->of[slice].block = NULL;
    s->of[slice].n = 0;
}

static inline void memory_states_free(memory_states *s) {
    for (uint32_t i = 0; s->of && i < s->slices; i++) memory_clear(s, i);
    free(s->of);
    *s = (memory_states){0};
}

static inline void memory_states_make(memory_states *s, uint32_t slices) {
    *s = (memory_states){.slices = slices, .of = calloc(slices, sizeof *s->of)};
    cr_assert_not_null(s->of);
}

static inline void memory_add(memory_states *s, uint32_t slice, const void *data, size_t size) {
    size_t n = s->of[slice].n++;
    s->of[slice].block = realloc(s->of[slice].block, (n + 1) * sizeof(memory_block));
    cr_assert_not_null(s->of[slice].block);
    s->of[slice].block[n] = (memory_block){malloc(size), size};
    cr_assert_not_null(s->of[slice].block[n].data);
    memcpy(s->of[slice].block[n].data, data, size);
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

static inline void memory_shelf_clear(cflri_shelf *shelf, uint32_t slice) {
    memory_clear(&((memory_shelf *)shelf)->now, slice);
}

static inline cflr_status memory_put(cflri_shelf *shelf, uint32_t slice, const void *data,
                                     size_t size, cflr_error *error) {
    (void)error;
    memory_add(&((memory_shelf *)shelf)->now, slice, data, size);
    return CFLR_OK;
}

static inline cflr_status memory_get(cflri_shelf *shelf, bool former, uint32_t slice, size_t at,
                                     void **data, size_t *size, cflr_error *error) {
    memory_shelf *m = (memory_shelf *)shelf;
    const memory_states *s = former ? &m->former : &m->now;
    *data = NULL;
    if (at == s->of[slice].n) return CFLR_OK;
    *size = s->of[slice].block[at].size;
    *data = cflri_alloc(m->context, *size);
    if (!*data) return cflri_fail_memory(m->context, error);
    memcpy(*data, s->of[slice].block[at].data, *size);
    return CFLR_OK;
}

static inline cflr_status memory_commit(cflri_shelf *shelf, uint32_t stratum, cflr_error *error) {
    memory_shelf *m = (memory_shelf *)shelf;
    (void)error;
    m->whole = true;
    m->now.stratum = stratum;
    if (m->commits++ != m->remember) return CFLR_OK;
    memory_states_free(&m->remembered);
    memory_states_make(&m->remembered, m->now.slices);
    m->remembered.stratum = stratum;
    for (uint32_t i = 0; i < m->now.slices; i++) {
        for (size_t b = 0; b < m->now.of[i].n; b++) {
            memory_add(&m->remembered, i, m->now.of[i].block[b].data, m->now.of[i].block[b].size);
        }
    }
    return CFLR_OK;
}

static inline memory_shelf memory_shelf_of(cflr_context *context) {
    return (memory_shelf){.shelf = {.begin = memory_begin,
                                    .clear = memory_shelf_clear,
                                    .put = memory_put,
                                    .get = memory_get,
                                    .commit = memory_commit},
                          .context = context};
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
