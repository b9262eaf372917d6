/* SPDX-License-Identifier: Apache-2.0
 *
 * paged_sets.c: sets of targets that stay where they were written.
 *
 *     set i ---> piece of sets ---> list: ids, in this piece and in those that it goes on in
 *                              ---> tree: node ---> piece of nodes ---> children, leaves
 *
 * In memory are the numbers with which pieces begin, the size of each set and of each node, and all
 * pieces, or else some pieces (set_pages.h) and some nodes (kept_nodes.h). The sizes of nodes tell
 * how many ids lie before one without visiting them. A set of one id needs no piece: in place of
 * its size is the id.
 *
 * When sets are opened, all pieces are read in order and looked at once, so that what is damaged is
 * refused then. Later a piece is read with its checksum, and what it says of itself is looked at
 * again. So a reading fails if the file was changed meanwhile, and never tells of other sets.
 *
 * A tree is walked with a stack of the nodes on the way to a leaf, which are copied out of their
 * pages: so a walk holds one page at a time, and two walks may share that.
 */
#include "engine/sets/paged_sets.h"

#include <string.h>

#include "base/context.h"
#include "base/ids.h"
#include "base/vec.h"
#include "engine/sets/kept_nodes.h"
#include "engine/sets/set_pages.h"

enum { MOST_LEVEL = 6 }; /* of a tree of 32-bit ids */

#define NO_NODE UINT32_MAX

/* Pieces of one kind. */
typedef struct piece_list {
    CFLRI_VEC(size_t) piece; /* number of the block */
    cflri_numbers first;     /* number of the first node, or of the first set that begins there; at
                                the end how many there are */
} piece_list;

typedef struct paged {
    cflri_target_sets sets;
    cflr_context *context;
    cflri_set_pages *pages;
    piece_list node_pieces, set_pieces;
    uint32_t n_sets, n_nodes; /* looked at so far */
    uint32_t *count;          /* of ids, by set; of one id CFLRI_ONE_TARGET and the id */
    uint32_t *below;          /* number of ids, by node */
    cflri_kept_nodes *kept;   /* where some pieces are not in memory, or NULL */
} paged;

static void free_pieces(cflr_context *context, piece_list *list) {
    cflri_vec_free(context, &list->piece);
    cflri_vec_free(context, &list->first);
}

static void free_paged(cflr_context *context, cflri_target_sets *sets) {
    paged *p = (paged *)sets;
    cflri_set_pages_free(p->pages);
    cflri_kept_nodes_free(context, p->kept);
    free_pieces(context, &p->node_pieces);
    free_pieces(context, &p->set_pieces);
    cflri_free(context, p->count);
    cflri_free(context, p->below);
    cflri_free(context, p);
}

static uint32_t shift_of(uint32_t level) {
    return CFLRI_LEAF_BITS + CFLRI_BRANCH_BITS * level;
}

/* ---- pages ---- */

/* Reads for one call; holds at most one page. */
typedef struct reader {
    const paged *p;
    const cflri_page *page;
    size_t piece;                    /* that it has */
    uint32_t first;                  /* number of its first node; NO_NODE: it has sets */
    uint32_t word[CFLRI_NODE_WORDS]; /* of a node that is kept */
    cflr_error *error;
} reader;

static void begin_reading(reader *r, const cflri_target_sets *sets, cflr_error *error) {
    r->p = (const paged *)sets;
    r->page = NULL;
    r->error = error;
}

static cflr_status damaged(const reader *r, const char *what) {
    return cflri_set_pages_damaged(r->p->pages, what, r->error);
}

static void end_reading(reader *r) {
    if (r->page) cflri_set_pages_release(r->p->pages, r->page);
    r->page = NULL;
}

static cflr_status turn_to(reader *r, size_t piece, uint32_t before) {
    if (r->page && r->piece == piece) return CFLR_OK;
    end_reading(r);
    r->piece = piece;
    r->first = NO_NODE;
    cflr_status st = cflri_set_pages_take(r->p->pages, piece, before, &r->page, r->error);
    if (st != CFLR_OK) r->page = NULL;
    return st;
}

/* Returns the last piece that begins at or before a number. */
static size_t piece_of(const piece_list *list, uint32_t number) {
    size_t low = 0, high = list->piece.n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (list->first.at[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t level_of(const uint32_t *word) {
    return word[0] & ((1u << CFLRI_MASK_SHIFT) - 1);
}

static uint32_t children_of(const uint32_t *word) {
    return word[0] >> CFLRI_MASK_SHIFT;
}

static uint32_t length_of(const uint32_t *word) {
    return word[0] ? 1 + (uint32_t)__builtin_popcount(children_of(word)) : CFLRI_NODE_WORDS;
}

/* Turns to the piece of a node. */
static cflr_status turn_to_node(reader *r, uint32_t number) {
    const piece_list *list = &r->p->node_pieces;
    size_t at = piece_of(list, number);
    uint32_t first = list->first.at[at];
    cflr_status st = turn_to(r, list->piece.at[at], first);
    if (st != CFLR_OK) return st;
    if (number - first >= r->page->n) return damaged(r, "a node of a set is missing");
    r->first = first;
    return CFLR_OK;
}

/* Finds the words of a node, which are there until the next reading. */
static cflr_status read_node(reader *r, uint32_t number, const uint32_t **word) {
    if (number >= r->p->n_nodes) return damaged(r, "a set has no node");
    if (!r->page || number < r->first || number - r->first >= r->page->n) {
        *word = r->word;
        if (r->p->kept && cflri_kept_nodes_find(r->p->kept, number, r->word)) return CFLR_OK;
        cflr_status st = turn_to_node(r, number);
        if (st != CFLR_OK) return st;
    }
    *word = r->page->word + r->page->at[number - r->first];
    if (r->p->kept) cflri_kept_nodes_keep(r->p->kept, number, *word, length_of(*word));
    return CFLR_OK;
}

/* ---- trees ---- */

/* Goes through the leaves of a tree, ascending. */
typedef struct on_the_way {
    uint32_t place; /* among nodes of its level */
    uint32_t left;  /* a bit for each child that is still to come */
    uint32_t next;  /* the first of these */
    uint32_t child[CFLRI_BRANCHES];
} on_the_way;

typedef struct tree_walk {
    bool more;
    uint32_t level;            /* of the root */
    uint32_t node, place;      /* the next one, and its place among nodes of its level */
    uint32_t depth;            /* levels that it is below the root */
    on_the_way at[MOST_LEVEL]; /* nodes above it, the root first */
} tree_walk;

/* Finds the words of a node of that level. */
static cflr_status read_at_level(reader *r, uint32_t number, uint32_t level,
                                 const uint32_t **word) {
    cflr_status st = read_node(r, number, word);
    if (st != CFLR_OK) return st;
    bool right = level ? children_of(*word) && level_of(*word) == level : !**word;
    return right ? CFLR_OK : damaged(r, "a node of a set has a wrong level");
}

static void begin_tree(tree_walk *walk, const uint32_t tree[CFLRI_TREE_WORDS]) {
    walk->more = true;
    walk->node = tree[0];
    walk->level = tree[1];
    walk->place = tree[2];
    walk->depth = 0;
}

/* Moves to the next child that is still to come. */
static void next_child(tree_walk *walk) {
    while (walk->depth && !walk->at[walk->depth - 1].left) walk->depth--;
    walk->more = walk->depth > 0;
    if (!walk->more) return;
    on_the_way *at = &walk->at[walk->depth - 1];
    walk->node = at->child[at->next++];
    walk->place = at->place * CFLRI_BRANCHES + (uint32_t)__builtin_ctz(at->left);
    at->left &= at->left - 1;
}

/* Finds the bits of the next leaf, and its place among leaves. NULL: there is none. */
static cflr_status next_leaf(reader *r, tree_walk *walk, const uint32_t **bits, uint32_t *place) {
    const uint32_t *word;
    *bits = NULL;
    while (walk->more && !*bits) {
        uint32_t level = walk->level - walk->depth;
        cflr_status st = read_at_level(r, walk->node, level, &word);
        if (st != CFLR_OK) return st;
        if (level) {
            on_the_way *at = &walk->at[walk->depth++];
            *at = (on_the_way){.place = walk->place, .left = children_of(word)};
            memcpy(at->child, word + 1, (size_t)__builtin_popcount(at->left) * sizeof *word);
        } else {
            *bits = word + 1;
            *place = walk->place;
        }
        next_child(walk);
    }
    return CFLR_OK;
}

static bool leaf_has(const uint32_t *bits, uint32_t bit) {
    return bits[bit / 32] >> bit % 32 & 1;
}

static uint32_t count_before(const uint32_t *bits, uint32_t bit) {
    uint32_t n = (uint32_t)__builtin_popcount(bits[bit / 32] & ((1u << bit % 32) - 1));
    for (uint32_t i = 0; i < bit / 32; i++) n += (uint32_t)__builtin_popcount(bits[i]);
    return n;
}

/* Finds whether a tree has an id, and the number of ids that are less, unless `before` is NULL. */
static cflr_status find_in_tree(reader *r, const tree_walk *root, uint32_t id, bool *found,
                                uint64_t *before) {
    uint32_t node = root->node, level = root->level, shift = shift_of(level);
    uint64_t first = (uint64_t)root->place << shift;
    bool inside = id >= first && (id - first) >> shift == 0;
    if (before && !inside && id > first) *before = r->p->below[node];
    for (; inside; level--) {
        const uint32_t *word;
        cflr_status st = read_at_level(r, node, level, &word);
        if (st != CFLR_OK) return st;
        if (!level) {
            *found = leaf_has(word + 1, id % CFLRI_BLOCK_IDS);
            if (before) *before += count_before(word + 1, id % CFLRI_BLOCK_IDS);
            break;
        }
        uint32_t branch = id >> shift_of(level - 1) & (CFLRI_BRANCHES - 1);
        uint32_t mask = children_of(word), less = mask & ((1u << branch) - 1);
        uint32_t n = (uint32_t)__builtin_popcount(less);
        for (uint32_t i = 1; before && i <= n; i++) *before += r->p->below[word[i]];
        inside = mask >> branch & 1;
        if (inside) node = word[1 + n];
    }
    return CFLR_OK;
}

/* ---- lists ---- */

/* Goes through a list, part by part. */
typedef struct list_walk {
    uint32_t set;
    uint32_t left;  /* ids that are still to come */
    size_t at;      /* place of the piece in set_pieces */
    uint32_t index; /* of the part in it */
    uint32_t taken; /* ids of the part */
} list_walk;

/* Finds the ids of the current part that are still to come: *n of them. */
static cflr_status next_ids(reader *r, const list_walk *walk, const uint32_t **ids, uint32_t *n) {
    const piece_list *list = &r->p->set_pieces;
    if (walk->at == list->piece.n) return damaged(r, "sets are fewer than promised");
    cflr_status st = turn_to(r, list->piece.at[walk->at], 0);
    if (st != CFLR_OK) return st;
    const uint32_t *head = r->page->head + CFLRI_SET_HEAD * (size_t)walk->index;
    if (walk->index >= r->page->n || head[0] != walk->set || head[1] <= walk->taken ||
        head[1] - walk->taken > walk->left) {
        return damaged(r, "the targets of a set are wrong");
    }
    *ids = r->page->word + r->page->at[walk->index] + walk->taken;
    *n = head[1] - walk->taken;
    return CFLR_OK;
}

/* Takes some of the ids that were found; `all` of them, and it goes on in the next piece. */
static void take_ids(list_walk *walk, uint32_t n, bool all) {
    walk->left -= n;
    walk->taken += n;
    if (!all) return;
    walk->at++;
    walk->index = walk->taken = 0;
}

/* ---- sets ---- */

/* Goes through a list or tree. */
typedef struct set_walk {
    bool is_tree;
    list_walk list;
    tree_walk tree;
} set_walk;

static uint32_t count(const cflri_target_sets *sets, uint32_t set) {
    uint32_t n = ((const paged *)sets)->count[set];
    return n & CFLRI_ONE_TARGET ? 1 : n;
}

/* Begins to go through a set. */
static cflr_status begin_walk(reader *r, uint32_t set, set_walk *walk) {
    const piece_list *list = &r->p->set_pieces;
    size_t at = piece_of(list, set);
    cflr_status st = turn_to(r, list->piece.at[at], 0);
    if (st != CFLR_OK) return st;
    const uint32_t *head = r->page->head;
    uint32_t first = list->first.at[at], index = set - first + (head[0] < first);
    if (index >= r->page->n || head[CFLRI_SET_HEAD * (size_t)index] != set) {
        return damaged(r, "a set has the wrong number");
    }
    walk->is_tree = head[CFLRI_SET_HEAD * (size_t)index + 1] & CFLRI_SET_IS_TREE;
    if (walk->is_tree) {
        begin_tree(&walk->tree, r->page->word + r->page->at[index]);
        if (walk->tree.level > MOST_LEVEL) return damaged(r, "a set has the wrong place");
    } else {
        walk->list = (list_walk){.set = set, .left = count(&r->p->sets, set), .at = at};
        walk->list.index = index;
    }
    return CFLR_OK;
}

static cflr_status write_list(reader *r, list_walk *walk, uint32_t *to) {
    while (walk->left) {
        const uint32_t *ids;
        uint32_t n;
        cflr_status st = next_ids(r, walk, &ids, &n);
        if (st != CFLR_OK) return st;
        memcpy(to, ids, n * sizeof *to);
        to += n;
        take_ids(walk, n, true);
    }
    return CFLR_OK;
}

static uint32_t ids_of_leaf(const uint32_t *bits) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < CFLRI_LEAF_WORDS; i++) n += (uint32_t)__builtin_popcount(bits[i]);
    return n;
}

static uint32_t *write_leaf(const uint32_t *bits, uint32_t place, uint32_t *to) {
    for (uint32_t i = 0; i < CFLRI_BLOCK_WORDS; i++) {
        uint64_t left;
        memcpy(&left, bits + 2 * (size_t)i, sizeof left);
        for (; left; left &= left - 1) {
            *to++ = place * CFLRI_BLOCK_IDS + i * 64 + (uint32_t)__builtin_ctzll(left);
        }
    }
    return to;
}

static cflr_status write_tree(reader *r, tree_walk *walk, uint32_t n, uint32_t *to) {
    const uint32_t *end = to + n, *bits;
    uint32_t place;
    for (;;) {
        cflr_status st = next_leaf(r, walk, &bits, &place);
        if (st != CFLR_OK) return st;
        if (!bits) return to == end ? CFLR_OK : damaged(r, "a node of a set has a wrong size");
        if (end - to < CFLRI_BLOCK_IDS && ids_of_leaf(bits) > (size_t)(end - to)) {
            return damaged(r, "a node of a set has a wrong size");
        }
        to = write_leaf(bits, place, to);
    }
}

static cflr_status write(const cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                         cflr_error *error) {
    reader r;
    set_walk walk;
    begin_reading(&r, sets, error);
    cflr_status st = begin_walk(&r, set, &walk);
    if (st == CFLR_OK) {
        st = walk.is_tree ? write_tree(&r, &walk.tree, count(sets, set), ids)
                          : write_list(&r, &walk.list, ids);
    }
    end_reading(&r);
    return st;
}

static cflr_status find_in_list(reader *r, list_walk *walk, uint32_t id, bool *found,
                                uint64_t *before) {
    while (walk->left) {
        const uint32_t *ids;
        uint32_t n;
        cflr_status st = next_ids(r, walk, &ids, &n);
        if (st != CFLR_OK) return st;
        uint32_t at = (uint32_t)cflri_ids_seek(ids, n, id);
        if (before) *before += at;
        *found = at < n && ids[at] == id;
        if (at < n) break;
        take_ids(walk, n, true);
    }
    return CFLR_OK;
}

static bool find(const cflri_target_sets *sets, uint32_t set, uint32_t id, uint64_t *before,
                 cflri_failure *failure) {
    cflr_error error;
    reader r;
    set_walk walk;
    bool found = false;
    if (before) *before = 0;
    begin_reading(&r, sets, &error);
    cflr_status st = begin_walk(&r, set, &walk);
    if (st == CFLR_OK) {
        st = walk.is_tree ? find_in_tree(&r, &walk.tree, id, &found, before)
                          : find_in_list(&r, &walk.list, id, &found, before);
    }
    end_reading(&r);
    if (st == CFLR_OK) return found;
    if (before) *before = 0;
    cflri_note_failure(failure, st, &error);
    return false;
}

/* Ids of a set in one block of ids. */
typedef struct block {
    bool there; /* false: the set has no more */
    uint32_t place;
    uint32_t bits[CFLRI_LEAF_WORDS];
} block;

static cflr_status next_block_of_list(reader *r, list_walk *walk, block *to) {
    *to = (block){.there = walk->left > 0};
    for (bool first = true, whole = false; !whole && walk->left; first = false) {
        const uint32_t *ids;
        uint32_t n, taken = 0;
        cflr_status st = next_ids(r, walk, &ids, &n);
        if (st != CFLR_OK) return st;
        if (first) to->place = ids[0] / CFLRI_BLOCK_IDS;
        for (; taken < n && ids[taken] / CFLRI_BLOCK_IDS == to->place; taken++) {
            uint32_t bit = ids[taken] % CFLRI_BLOCK_IDS;
            to->bits[bit / 32] |= 1u << bit % 32;
        }
        whole = taken < n;
        take_ids(walk, taken, !whole);
    }
    return CFLR_OK;
}

static cflr_status next_block(reader *r, set_walk *walk, block *to) {
    const uint32_t *bits;
    if (!walk->is_tree) return next_block_of_list(r, &walk->list, to);
    cflr_status st = next_leaf(r, &walk->tree, &bits, &to->place);
    to->there = st == CFLR_OK && bits;
    if (to->there) memcpy(to->bits, bits, sizeof to->bits);
    return st;
}

static bool blocks_meet(const block *a, const block *b) {
    uint32_t both = 0;
    for (uint32_t i = 0; i < CFLRI_LEAF_WORDS; i++) both |= a->bits[i] & b->bits[i];
    return both != 0;
}

static cflr_status meet_blocks(reader *r, uint32_t a, uint32_t b, bool *met) {
    cflr_status st = CFLR_OK;
    set_walk first, second;
    block p, q;
    CFLR_TRY(begin_walk(r, a, &first));
    CFLR_TRY(begin_walk(r, b, &second));
    CFLR_TRY(next_block(r, &first, &p));
    CFLR_TRY(next_block(r, &second, &q));
    while (p.there && q.there && !*met) {
        uint32_t place = p.place;
        *met = p.place == q.place && blocks_meet(&p, &q);
        if (place <= q.place) CFLR_TRY(next_block(r, &first, &p));
        if (q.place <= place) CFLR_TRY(next_block(r, &second, &q));
    }
out:
    return st;
}

static bool meet(const cflri_target_sets *sets, uint32_t a, uint32_t b, cflri_failure *failure) {
    cflr_error error;
    reader r;
    bool met = false;
    begin_reading(&r, sets, &error);
    cflr_status st = meet_blocks(&r, a, b, &met);
    end_reading(&r);
    if (st == CFLR_OK) return met;
    cflri_note_failure(failure, st, &error);
    return false;
}

/* ---- opening ---- */

/* Sets that are being opened. */
typedef struct opening {
    paged *p;
    const cflri_block_source *source;
    const cflri_set_counts *counts;
    uint32_t n_vertices;
    uint64_t memory; /* for nodes that are kept */
    uint8_t *level;  /* by node */
    uint32_t *last;  /* by node: the last id, from its first place on; UINT32_MAX: too large */
    bool in_list;    /* the last set is a list, which may go on */
    uint32_t last_id;
    reader r;
} opening;

static cflr_status look_at_leaf(opening *o, const uint32_t *bits, uint32_t number) {
    uint32_t n = ids_of_leaf(bits), last = CFLRI_LEAF_WORDS;
    if (!n) return damaged(&o->r, "a node of a set is empty");
    while (!bits[last - 1]) last--;
    o->level[number] = 0;
    o->last[number] = last * 32 - 1 - (uint32_t)__builtin_clz(bits[last - 1]);
    o->p->below[number] = n;
    return CFLR_OK;
}

static cflr_status look_at_inner(opening *o, const uint32_t *word, uint32_t number) {
    uint32_t level = level_of(word), mask = children_of(word), n = 0;
    uint64_t ids = 0, last = 0;
    if (!level || level > MOST_LEVEL) return damaged(&o->r, "a node of a set has a wrong level");
    for (uint32_t branch = 0; branch < CFLRI_BRANCHES; branch++) {
        if (!(mask >> branch & 1)) continue;
        uint32_t child = word[1 + n++];
        if (o->level[child] + 1u != level) {
            return damaged(&o->r, "a node of a set has a wrong level");
        }
        ids += o->p->below[child];
        last = ((uint64_t)branch << shift_of(level - 1)) + o->last[child];
    }
    if (ids >= CFLRI_ONE_TARGET) return damaged(&o->r, "a node of a set has a wrong size");
    o->level[number] = (uint8_t)level;
    o->last[number] = last < UINT32_MAX ? (uint32_t)last : UINT32_MAX;
    o->p->below[number] = (uint32_t)ids;
    return CFLR_OK;
}

static cflr_status look_at_nodes(opening *o) {
    cflr_status st = CFLR_OK;
    const cflri_page *page = o->r.page;
    for (uint32_t i = 0; i < page->n; i++) {
        const uint32_t *word = page->word + page->at[i];
        uint32_t number = o->p->n_nodes;
        if (number == o->counts->n_nodes) return damaged(&o->r, "nodes are more than promised");
        CFLR_TRY(*word ? look_at_inner(o, word, number) : look_at_leaf(o, word + 1, number));
        o->p->n_nodes++;
    }
out:
    return st;
}

static cflr_status look_at_tree(opening *o, const uint32_t tree[CFLRI_TREE_WORDS], uint32_t set) {
    uint32_t node = tree[0], level = tree[1], key = tree[2];
    if (node >= o->p->n_nodes) return damaged(&o->r, "a set has no node");
    if (o->level[node] != level) return damaged(&o->r, "a set has the wrong place");
    uint64_t first = (uint64_t)key << shift_of(level);
    if (first >= o->n_vertices) return damaged(&o->r, "a set has the wrong place");
    if (first + o->last[node] >= o->n_vertices) {
        return damaged(&o->r, "the targets of a set are wrong");
    }
    o->p->count[set] = o->p->below[node];
    o->in_list = false;
    return CFLR_OK;
}

/* `goes_on`: the list has more before this part. A list with a single id is known by that. */
static cflr_status look_at_list(opening *o, const uint32_t *ids, uint32_t n, uint32_t set,
                                bool goes_on) {
    uint32_t *all = &o->p->count[set];
    uint64_t before = goes_on ? count(&o->p->sets, set) : 0;
    if (goes_on && ids[0] <= o->last_id) return damaged(&o->r, "the targets of a set are wrong");
    if (before + n >= CFLRI_ONE_TARGET) return damaged(&o->r, "a set has the wrong length");
    *all = (uint32_t)before + n;
    o->last_id = ids[n - 1];
    o->in_list = true;
    if (*all == 1 && o->last_id < CFLRI_ONE_TARGET) *all = CFLRI_ONE_TARGET | o->last_id;
    return CFLR_OK;
}

/* A list goes on where a piece begins with the number of the set before. */
static cflr_status look_at_set(opening *o, uint32_t i) {
    const cflri_page *page = o->r.page;
    const uint32_t *head = page->head + CFLRI_SET_HEAD * (size_t)i,
                   *word = page->word + page->at[i];
    uint32_t set = head[0];
    bool tree = head[1] & CFLRI_SET_IS_TREE;
    if (!tree && i == 0 && o->in_list && set == o->p->n_sets - 1) {
        return look_at_list(o, word, head[1], set, true);
    }
    if (set != o->p->n_sets || set >= o->counts->n_sets) {
        return damaged(&o->r, "a set has the wrong number");
    }
    o->p->n_sets++;
    return tree ? look_at_tree(o, word, set) : look_at_list(o, word, head[1], set, false);
}

static cflr_status look_at_sets(opening *o) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < o->r.page->n; i++) CFLR_TRY(look_at_set(o, i));
out:
    return st;
}

static cflr_status look_at_pieces(opening *o, const char *tag, piece_list *list,
                                  const uint32_t *first, cflr_status (*look)(opening *)) {
    cflr_context *context = o->p->context;
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < o->source->n; i++) {
        if (strcmp(o->source->about(o->source, i).tag, tag) != 0) continue;
        if (!cflri_vec_push(context, &list->piece, i) ||
            !cflri_vec_push(context, &list->first, *first)) {
            CFLR_TRY(cflri_fail_memory(context, o->r.error));
        }
        CFLR_TRY(turn_to(&o->r, i, *first));
        CFLR_TRY(look(o));
        st = cflri_tick(context, "load", i, o->source->n);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(context, st, o->r.error));
    }
out:
    end_reading(&o->r);
    return st;
}

static cflr_status make_room(opening *o) {
    cflr_context *context = o->p->context;
    uint32_t sets = o->counts->n_sets, nodes = o->counts->n_nodes;
    if (sets > cflri_block_words(o->source, CFLRI_SETS_TAG) / CFLRI_SET_HEAD ||
        nodes > cflri_block_words(o->source, CFLRI_NODES_TAG) / 2) {
        return damaged(&o->r, "more sets are promised than the file holds");
    }
    o->p->count = cflri_alloc_array(context, sets, sizeof *o->p->count);
    o->p->below = cflri_alloc_array(context, nodes, sizeof *o->p->below);
    o->level = cflri_alloc_array(context, nodes, sizeof *o->level);
    o->last = cflri_alloc_array(context, nodes, sizeof *o->last);
    bool made = o->p->count && o->p->below && o->level && o->last;
    return made ? CFLR_OK : cflri_fail_memory(context, o->r.error);
}

static cflr_status look_at_all(opening *o) {
    paged *p = o->p;
    cflr_status st = CFLR_OK;
    CFLR_TRY(make_room(o));
    CFLR_TRY(look_at_pieces(o, CFLRI_NODES_TAG, &p->node_pieces, &p->n_nodes, look_at_nodes));
    CFLR_TRY(look_at_pieces(o, CFLRI_SETS_TAG, &p->set_pieces, &p->n_sets, look_at_sets));
    if (p->n_sets != o->counts->n_sets || p->n_nodes != o->counts->n_nodes) {
        st = damaged(&o->r, "sets are fewer than promised");
    }
    if (!cflri_set_pages_settle(p->pages)) p->kept = cflri_kept_nodes_new(p->context, o->memory);
    p->sets.n = p->n_sets;
out:
    cflri_free(p->context, o->level);
    cflri_free(p->context, o->last);
    return st;
}

cflr_status cflri_paged_sets_open(cflr_context *context, const cflri_block_source *source,
                                  const cflri_set_counts *counts, uint32_t n_vertices,
                                  uint64_t memory, cflri_target_sets **sets, cflr_error *error) {
    paged *p = cflri_alloc_zero(context, sizeof *p);
    *sets = NULL;
    if (!p) return cflri_fail_memory(context, error);
    p->context = context;
    p->sets = (cflri_target_sets){
        .count = count, .write = write, .find = find, .meet = meet, .free = free_paged};
    opening o = {.p = p, .source = source, .counts = counts, .n_vertices = n_vertices};
    o.memory = memory / 2;
    begin_reading(&o.r, &p->sets, error);
    cflr_status st = cflri_set_pages_new(context, source, n_vertices, memory, &p->pages, error);
    if (st == CFLR_OK) st = look_at_all(&o);
    if (st == CFLR_OK)
        *sets = &p->sets;
    else
        free_paged(context, &p->sets);
    return st;
}

uint32_t cflri_paged_set(const cflri_target_sets *sets, uint32_t i, uint32_t *n_targets) {
    uint32_t n = ((const paged *)sets)->count[i];
    *n_targets = count(sets, i);
    return n & CFLRI_ONE_TARGET ? n : i;
}
