/* SPDX-License-Identifier: Apache-2.0
 *
 * intern.c: numbering strings.
 *
 *     text[]:  0 -> ""   1 -> "a"   2 -> "main.c"         number -> text
 *     seen  :  XXH3(text) -> numbers (base/seen.h)
 *     arena :  ["" "a" "main.c" ...]                       texts never move
 *
 * A string is hashed once and looked up and added by that hash. A new one is put in place in an
 * order that needs no undoing: room in text[], the text in the arena, its number in the table; the
 * number counts only after the last of them. When memory is refused on the way, the bytes left in
 * the arena are lost until the arena goes, and nothing else has changed.
 *
 * Expected O(length) a call; 21 to 34 bytes a string beside its text.
 */
#include "base/intern.h"

#include <assert.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LONGEST_STRING = 1 << 30 };

static uint32_t hash_of(const char *text, size_t length) {
    return (uint32_t)XXH3_64bits(text, length);
}

static bool same(const char *known, const char *text, size_t length) {
    return strncmp(known, text, length) == 0 && known[length] == '\0';
}

static uint32_t find(const cflri_strings *strings, const char *text, size_t length, uint32_t hash) {
    size_t at = cflri_seen_first(&strings->seen, hash);
    uint32_t id;
    do id = cflri_seen_next(&strings->seen, hash, &at);
    while (id != CFLRI_NO_STRING && !same(strings->text.at[id], text, length));
    return id;
}

/* False when memory is refused. */
static bool add(cflri_strings *strings, const char *text, size_t length, uint32_t hash) {
    if (!cflri_vec_reserve(strings->context, &strings->text, 1)) return false;
    const char *copy = cflri_arena_copy_text(&strings->arena, text, length);
    uint32_t id = (uint32_t)strings->text.n;
    if (!copy || !cflri_seen_add(strings->context, &strings->seen, hash, id)) return false;
    strings->text.at[strings->text.n++] = copy;
    return true;
}

cflr_status cflri_intern(cflri_strings *strings, const char *text, size_t length, uint32_t *id,
                         cflr_error *error) {
    assert(!memchr(text, '\0', length));
    assert((strings->seen.n > 0 || strings->text.n == 0) && "a list takes no more strings");
    if (length > LONGEST_STRING) {
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "a name of %zu bytes is too long", length);
    }
    uint32_t hash = hash_of(text, length), known = find(strings, text, length, hash);
    if (known != CFLRI_NO_STRING) {
        *id = known;
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

uint64_t cflri_strings_bytes(const cflri_strings *strings) {
    return cflri_arena_bytes(&strings->arena) + cflri_block_bytes(strings->text.at) +
           cflri_block_bytes(strings->seen.slot);
}

uint32_t cflri_strings_find(const cflri_strings *strings, const char *text, size_t length) {
    if (length > LONGEST_STRING) return CFLRI_NO_STRING;
    return find(strings, text, length, hash_of(text, length));
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

bool cflri_strings_reserve(cflri_strings *strings, size_t extra) {
    return cflri_vec_reserve(strings->context, &strings->text, extra) &&
           cflri_seen_reserve(strings->context, &strings->seen, extra);
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
    cflri_seen_free(context, &strings->seen);
    cflri_vec_free(context, &strings->text);
    cflri_arena_reset(&strings->arena);
}
