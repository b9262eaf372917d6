/* SPDX-License-Identifier: Apache-2.0
 *
 * set_pages.c: pieces of sets in memory, and which of them leave it.
 *
 * Pages are given to pieces by the clock algorithm: a hand goes round, and takes the first page
 * that is neither held nor was used since the hand came by last. A page is read without the lock;
 * a thread that wants the same piece meanwhile waits for it.
 *
 *     free --> filling --> full, held --> full, used --> full, not used --> filling ...
 *
 * A piece is made ready once, when it is read: differences become numbers, and places of its nodes
 * or sets are noted, so that a node or target is found without going through the piece.
 */
#include "engine/sets/set_pages.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"

#define NO_PAGE UINT32_MAX
#define NO_PIECE SIZE_MAX

typedef struct held_page {
    cflri_page page; /* first: it is what a user holds */
    size_t piece;    /* or NO_PIECE */
    uint32_t users;
    bool filling, used;
    uint32_t *block; /* of the largest piece */
    cflri_numbers at;
} held_page;

struct cflri_set_pages {
    cflr_context *context;
    const cflri_block_source *source;
    uint32_t n_vertices;
    size_t n_pieces;
    size_t largest;       /* bytes of a piece */
    bool all;             /* pieces have a page each, for good */
    pthread_mutex_t lock; /* for all that follows, but not what is in a page that is held */
    pthread_cond_t changed;
    uint32_t n, most; /* pages that have been made, and that may be made */
    uint32_t hand;
    held_page *page;
    uint32_t *page_of; /* by piece, or NO_PAGE */
};

/* ---- making ---- */

static bool is_nodes(cflri_stored_block block) {
    return strcmp(block.tag, CFLRI_NODES_TAG) == 0;
}

static bool is_piece(cflri_stored_block block) {
    return is_nodes(block) || strcmp(block.tag, CFLRI_SETS_TAG) == 0;
}

static void plan_pages(cflri_set_pages *pages, uint64_t memory) {
    uint64_t n = 0, largest = 1;
    for (size_t i = 0; i < pages->source->n; i++) {
        cflri_stored_block block = pages->source->about(pages->source, i);
        if (!is_piece(block)) continue;
        n++;
        if (block.size > largest) largest = block.size;
    }
    uint64_t most = memory / (largest + largest / 8); /* with places */
    most = most < n ? most / 8 : n;
    pages->n_pieces = (size_t)n;
    pages->largest = (size_t)largest;
    pages->most = most < NO_PAGE ? (uint32_t)most : NO_PAGE - 1;
    if (!pages->most) pages->most = 1;
}

/* Makes another page. NULL when there are enough, or memory is refused. */
static held_page *make_page(cflri_set_pages *pages) {
    if (pages->n == pages->most) return NULL;
    held_page *made = &pages->page[pages->n];
    made->block = cflri_alloc(pages->context, pages->largest);
    if (!made->block) {
        pages->most = pages->n;
        return NULL;
    }
    made->piece = NO_PIECE;
    pages->n++;
    return made;
}

cflr_status cflri_set_pages_new(cflr_context *context, const cflri_block_source *source,
                                uint32_t n_vertices, uint64_t memory, cflri_set_pages **pages,
                                cflr_error *error) {
    cflri_set_pages *made = *pages = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->source = source;
    made->n_vertices = n_vertices;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    plan_pages(made, memory);
    made->page = cflri_alloc_array_zero(context, made->most, sizeof *made->page);
    made->page_of = cflri_alloc_array(context, source->n, sizeof *made->page_of);
    if (made->page && made->page_of) {
        for (size_t i = 0; i < source->n; i++) made->page_of[i] = NO_PAGE;
        if (make_page(made)) return CFLR_OK;
    }
    cflri_set_pages_free(made);
    *pages = NULL;
    return cflri_fail_memory(context, error);
}

void cflri_set_pages_free(cflri_set_pages *pages) {
    if (!pages) return;
    cflr_context *context = pages->context;
    for (uint32_t i = 0; i < pages->n; i++) {
        cflri_free(context, pages->page[i].block);
        cflri_vec_free(context, &pages->page[i].at);
    }
    cflri_free(context, pages->page);
    cflri_free(context, pages->page_of);
    pthread_cond_destroy(&pages->changed);
    pthread_mutex_destroy(&pages->lock);
    cflri_free(context, pages);
}

cflr_status cflri_set_pages_damaged(const cflri_set_pages *pages, const char *what,
                                    cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, pages->source->subject, "damaged result: %s", what);
}

/* ---- reading a piece ---- */

/* A piece that is made ready. */
typedef struct readying {
    const cflri_set_pages *pages;
    held_page *to;
    uint32_t *word;
    uint32_t n_words;
    cflr_error *error;
} readying;

static cflr_status damaged(const readying *r, const char *what) {
    return cflri_set_pages_damaged(r->pages, what, r->error);
}

static bool note_places(const readying *r, uint32_t n) {
    r->to->at.n = 0;
    return cflri_vec_reserve(r->pages->context, &r->to->at, n + (size_t)1);
}

/* Children have numbers below that of their node. */
static cflr_status ready_nodes(readying *r, uint32_t n, uint32_t number) {
    uint32_t at = 0;
    if (n > r->n_words) return damaged(r, "a piece of nodes is too short");
    if (!note_places(r, n)) return cflri_fail_memory(r->pages->context, r->error);
    for (uint32_t i = 0; i < n; i++, number++) {
        uint32_t left = r->n_words - at, *word = r->word + at, length = CFLRI_NODE_WORDS;
        if (left && word[0]) {
            length = 1 + (uint32_t)__builtin_popcount(word[0] >> CFLRI_MASK_SHIFT);
        }
        if (length > left) return damaged(r, "a piece of nodes is too short");
        if (length == 1) return damaged(r, "a node of a set is empty");
        for (uint32_t k = 1; word[0] && k < length; k++) {
            if (!word[k] || word[k] > number) return damaged(r, "a node of a set is missing");
            word[k] = number - word[k];
        }
        r->to->at.at[r->to->at.n++] = at;
        at += length;
    }
    return at == r->n_words ? CFLR_OK : damaged(r, "a piece of nodes is too long");
}

static cflr_status ready_list(const readying *r, uint32_t *word, uint32_t n) {
    uint64_t id = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool ascends = i == 0 || word[i] > 0;
        id += word[i];
        if (!ascends || id >= r->pages->n_vertices) {
            return damaged(r, "the targets of a set are wrong");
        }
        word[i] = (uint32_t)id;
    }
    return CFLR_OK;
}

static cflr_status ready_sets(readying *r, uint32_t n, const uint32_t *head) {
    cflr_status st = CFLR_OK;
    uint32_t at = 0;
    if (!note_places(r, n)) return cflri_fail_memory(r->pages->context, r->error);
    for (uint32_t i = 0; i < n; i++, head += CFLRI_SET_HEAD) {
        bool tree = head[1] & CFLRI_SET_IS_TREE;
        uint32_t length = head[1] & ~CFLRI_SET_IS_TREE;
        if (!length || length > r->n_words - at || (tree && length != CFLRI_TREE_WORDS)) {
            return damaged(r, "a set has the wrong length");
        }
        if (!tree) CFLR_TRY(ready_list(r, r->word + at, length));
        r->to->at.at[r->to->at.n++] = at;
        at += length;
    }
    if (at != r->n_words) st = damaged(r, "a piece has targets outside its sets");
out:
    return st;
}

static cflr_status make_ready(cflri_set_pages *pages, held_page *to, cflri_stored_block block,
                              uint32_t before, cflr_error *error) {
    cflri_piece_header header;
    readying r = {.pages = pages, .to = to, .error = error};
    uint64_t words = block.size / sizeof(uint32_t), heads = is_nodes(block) ? 0 : CFLRI_SET_HEAD;
    bool whole = block.size % sizeof(uint32_t) == 0 && words >= CFLRI_PIECE_HEADER;
    if (whole) memcpy(&header, to->block, sizeof header);
    if (!whole || !header.n || words - CFLRI_PIECE_HEADER != header.n_words + heads * header.n) {
        return damaged(&r, "a piece of sets has the wrong size");
    }
    r.word = to->block + CFLRI_PIECE_HEADER;
    r.n_words = header.n_words;
    const uint32_t *head = r.word + r.n_words;
    cflr_status st = heads ? ready_sets(&r, header.n, head) : ready_nodes(&r, header.n, before);
    to->page = (cflri_page){r.word, head, to->at.at, header.n};
    return st;
}

static cflr_status fill(cflri_set_pages *pages, held_page *to, uint32_t before, cflr_error *error) {
    cflr_status st = pages->source->read(pages->source, to->piece, to->block, error);
    cflri_stored_block block = pages->source->about(pages->source, to->piece);
    return st == CFLR_OK ? make_ready(pages, to, block, before, error) : st;
}

/* ---- pages, with the lock held ---- */

/* Finds a page that is free or may be given to another piece, or NULL. */
static held_page *find_free(cflri_set_pages *pages) {
    held_page *made = make_page(pages);
    if (made) return made;
    for (uint64_t steps = 2 * (uint64_t)pages->n; steps > 0; steps--) {
        held_page *page = &pages->page[pages->hand];
        pages->hand = (pages->hand + 1) % pages->n;
        if (page->users) continue;
        if (!page->used) return page;
        page->used = false;
    }
    return NULL;
}

/* Gives a page to the piece, which is then read without the lock. */
static cflr_status give_to(cflri_set_pages *pages, held_page *to, size_t i, uint32_t before,
                           cflr_error *error) {
    if (to->piece != NO_PIECE) pages->page_of[to->piece] = NO_PAGE;
    to->piece = i;
    to->users = 1;
    to->filling = true;
    pages->page_of[i] = (uint32_t)(to - pages->page);
    pthread_mutex_unlock(&pages->lock);
    cflr_status st = fill(pages, to, before, error);
    pthread_mutex_lock(&pages->lock);
    to->filling = false;
    if (st != CFLR_OK) {
        pages->page_of[i] = NO_PAGE;
        to->piece = NO_PIECE;
        to->users = 0;
    }
    pthread_cond_broadcast(&pages->changed);
    return st;
}

cflr_status cflri_set_pages_take(cflri_set_pages *pages, size_t i, uint32_t before,
                                 const cflri_page **page, cflr_error *error) {
    cflr_status st = CFLR_OK;
    held_page *found = NULL;
    if (pages->all) {
        *page = &pages->page[pages->page_of[i]].page;
        return CFLR_OK;
    }
    pthread_mutex_lock(&pages->lock);
    while (!found) {
        uint32_t at = pages->page_of[i];
        if (at != NO_PAGE && !pages->page[at].filling) {
            found = &pages->page[at];
            found->users++;
        } else if (at == NO_PAGE && (found = find_free(pages)) != NULL) {
            st = give_to(pages, found, i, before, error);
        } else {
            pthread_cond_wait(&pages->changed, &pages->lock);
        }
    }
    found->used = true;
    pthread_mutex_unlock(&pages->lock);
    *page = &found->page;
    return st;
}

void cflri_set_pages_release(cflri_set_pages *pages, const cflri_page *page) {
    held_page *held = (held_page *)(uintptr_t)page;
    if (pages->all) return;
    pthread_mutex_lock(&pages->lock);
    if (--held->users == 0) pthread_cond_broadcast(&pages->changed);
    pthread_mutex_unlock(&pages->lock);
}

bool cflri_set_pages_settle(cflri_set_pages *pages) {
    uint32_t full = 0;
    for (uint32_t i = 0; i < pages->n; i++) full += pages->page[i].piece != NO_PIECE;
    pages->all = full == pages->n_pieces;
    return pages->all;
}
