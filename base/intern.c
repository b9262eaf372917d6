/* SPDX-License-Identifier: Apache-2.0
 *
 * intern.c: numbering strings, on top of uthash.
 *
 *     text[]:  0 -> ""   1 -> "a"   2 -> "main.c"         number -> text
 *     table :  XXH3(text) -> chain of entries { handle, number }
 *     arena :  [entry][text][entry][text] ...             neither ever moves
 *
 * A string is hashed once and looked up and added by that hash. A new one is put in place in an
 * order that needs no undoing: room in text[], entry and text in the arena, entry in the table; the
 * number counts only after the last of them. When memory is refused on the way, the bytes left in
 * the arena are lost until the arena goes, and nothing else has changed.
 *
 * Expected O(length) a call; about 90 bytes a string beside its text.
 */
#include "base/intern.h"

#include <assert.h>
#include <string.h>

/* `context` and `refused` are locals of the functions that use the macros of uthash. */
#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) cflri_alloc(context, (size))
#define uthash_free(block, size) cflri_free(context, (block))
#define uthash_nonfatal_oom(entry) (refused = true)
#include <uthash.h>
/* The longest chain. Each entry of a chain is a cache miss; with uthash's 10 most searches have three. */
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 6U
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LONGEST_STRING = 1 << 30 }; /* uthash keeps lengths in 32 bits */

struct cflri_string_entry {
    UT_hash_handle hh;
    uint32_t id;
};

static unsigned hash_of(const char *text, size_t length) {
    return (unsigned)XXH3_64bits(text, length);
}

static struct cflri_string_entry *find(const cflri_strings *strings, const char *text,
                                       size_t length, unsigned hash) {
    struct cflri_string_entry *entry = NULL;
    HASH_FIND_BYHASHVALUE(hh, strings->table, text, length, hash, entry);
    return entry;
}

/* False when memory is refused. */
static bool add(cflri_strings *strings, const char *text, size_t length, unsigned hash) {
    cflr_context *context = strings->context;
    bool refused = false;
    if (!cflri_vec_reserve(context, &strings->text, 1)) return false;
    struct cflri_string_entry *entry = cflri_arena_alloc_zero(&strings->arena, sizeof *entry);
    if (!entry) return false;
    char *copy = cflri_arena_copy_text(&strings->arena, text, length);
    if (!copy) return false;
    entry->id = (uint32_t)strings->text.n;
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, strings->table, copy, length, hash, entry);
    if (refused) return false;
    strings->text.at[strings->text.n++] = copy;
    return true;
}

cflr_status cflri_intern(cflri_strings *strings, const char *text, size_t length, uint32_t *id,
                         cflr_error *error) {
    assert(!memchr(text, '\0', length));
    assert((strings->table || strings->text.n == 0) && "a list takes no more strings");
    if (length > LONGEST_STRING) {
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "a name of %zu bytes is too long", length);
    }
    unsigned hash = hash_of(text, length);
    struct cflri_string_entry *entry = find(strings, text, length, hash);
    if (entry) {
        *id = entry->id;
        return CFLR_OK;
    }
    if (strings->text.n == CFLRI_NO_STRING) {
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "more than %u different names",
                          CFLRI_NO_STRING);
    }
    if (!add(strings, text, length, hash)) return cflri_fail_memory(strings->context, error);
    *id = (uint32_t)strings->text.n - 1;
    return CFLR_OK;
}

uint32_t cflri_strings_find(const cflri_strings *strings, const char *text, size_t length) {
    if (length > LONGEST_STRING) return CFLRI_NO_STRING;
    const struct cflri_string_entry *entry = find(strings, text, length, hash_of(text, length));
    return entry ? entry->id : CFLRI_NO_STRING;
}

cflr_status cflri_strings_init(cflri_strings *strings, cflr_context *context, cflr_error *error) {
    uint32_t empty = CFLRI_NO_STRING;
    *strings = (cflri_strings){.context = context};
    cflri_arena_init(&strings->arena, context);
    cflr_status st = cflri_intern(strings, "", 0, &empty, error);
    if (st != CFLR_OK) cflri_strings_free(strings);
    assert(st != CFLR_OK || empty == 0);
    return st;
}

cflr_status cflri_strings_list(cflri_strings *strings, cflr_context *context, const char *texts,
                               size_t size, uint32_t n, cflr_error *error) {
    bool good = n > 0 && size > 0 && texts[0] == '\0' && texts[size - 1] == '\0';
    *strings = (cflri_strings){.context = context};
    cflri_arena_init(&strings->arena, context);
    if (!good) return cflri_fail(error, CFLR_FORMAT, NULL, "not a list of strings");
    const char *copy = cflri_arena_copy_text(&strings->arena, texts, size - 1), *end = copy + size;
    if (!copy || !cflri_vec_reserve(context, &strings->text, n)) {
        cflri_strings_free(strings);
        return cflri_fail_memory(context, error);
    }
    for (const char *at = copy; at < end && strings->text.n < n; at += strlen(at) + 1)
        strings->text.at[strings->text.n++] = at;
    const char *last = strings->text.at[strings->text.n - 1];
    if (strings->text.n == n && last + strlen(last) + 1 == end) return CFLR_OK;
    cflri_strings_free(strings);
    return cflri_fail(error, CFLR_FORMAT, NULL, "not a list of strings");
}

void cflri_strings_free(cflri_strings *strings) {
    cflr_context *context = strings->context;
    if (!context) return; /* never made */
    HASH_CLEAR(hh, strings->table);
    cflri_vec_free(context, &strings->text);
    cflri_arena_reset(&strings->arena);
}
