/* SPDX-License-Identifier: Apache-2.0
 *
 * set_pages.h: pieces of sets in memory, as many of them as there is memory for.
 *
 *     piece:   0    1    2    3    4    5 ...      blocks of a source, read when they are needed
 *     page:         a         c    b               a few, each for one piece at a time
 *
 * Any number of threads may hold pages. A page is not given to another piece while it is held. A
 * thread holds at most one, and waits when all are held: so one page is enough for all.
 */
#ifndef CFLRI_SET_PAGES_H
#define CFLRI_SET_PAGES_H

#include "base/files/blocks.h"
#include "engine/sets/set_pieces.h"

typedef struct cflri_set_pages cflri_set_pages;

/* A piece that was read: links and targets are numbers, not differences. */
typedef struct cflri_page {
    const uint32_t *word; /* of nodes, or of sets */
    const uint32_t *head; /* of sets: number and length, CFLRI_SET_HEAD words each */
    const uint32_t *at;   /* place in `word` of each node, or set */
    uint32_t n;           /* nodes, or sets */
} cflri_page;

/* Pages for pieces of the source, which must live as long. They take at most so many bytes, an
 * eighth of that where it is not enough for all pieces, but there is always one. Sets have targets
 * below n_vertices. */
cflr_status cflri_set_pages_new(cflr_context *context, const cflri_block_source *source,
                                uint32_t n_vertices, uint64_t memory, cflri_set_pages **pages,
                                cflr_error *error);
void cflri_set_pages_free(cflri_set_pages *pages);

/* Finds or reads piece i; its page is held until it is released. `before` is the number of nodes
 * in the pieces of nodes before it. CFLR_FORMAT when the piece is damaged: of what it says, all
 * that needs no other piece is right. */
cflr_status cflri_set_pages_take(cflri_set_pages *pages, size_t i, uint32_t before,
                                 const cflri_page **page, cflr_error *error);
void cflri_set_pages_release(cflri_set_pages *pages, const cflri_page *page);

/* All pieces have been read once. If all of them are in memory, they stay there, and no lock is
 * taken any more. Called while one thread has the pages. False: they are not. */
bool cflri_set_pages_settle(cflri_set_pages *pages);

/* CFLR_FORMAT, with what is wrong. */
cflr_status cflri_set_pages_damaged(const cflri_set_pages *pages, const char *what,
                                    cflr_error *error);

#endif
