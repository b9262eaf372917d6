/* SPDX-License-Identifier: Apache-2.0
 *
 * told.c: the records that units say a node is a member of, as one string.
 *
 * One node is what several expressions mean that go the same way from the same value:
 *
 *     void *v;     ((struct s *)v)->next, ((struct t *)v)->up, both at 8
 *
 *     field(v, 8)     "struct s\nstruct t"
 *
 * The texts are sorted, since units tell them in any order. With more than MOST_RECORDS the node is
 * of any: that is code which goes through memory of many kinds by one pointer. O(length).
 */
#include "frontend/facts/told.h"

#include <string.h>

enum { MOST_RECORDS = 4, MOST_BYTES = 1024 };

typedef struct telling {
    const char *text;
    size_t length;
} telling;

typedef struct tellings {
    telling at[MOST_RECORDS + 1];
    size_t n; /* MOST_RECORDS + 1: too many */
} tellings;

const char *cflri_told_next(const char **set, size_t *length) {
    const char *text = *set, *stop;
    if (!text) return NULL;
    stop = strchr(text, CFLRI_NEXT_RECORD);
    *length = stop ? (size_t)(stop - text) : strlen(text);
    *set = stop ? stop + 1 : NULL;
    return text;
}

static int compare(telling a, telling b) {
    int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static void insert(tellings *all, telling new) {
    size_t place = 0;
    while (place < all->n && compare(all->at[place], new) < 0) place++;
    if (place < all->n && compare(all->at[place], new) == 0) return;
    if (all->n > MOST_RECORDS) return;
    memmove(all->at + place + 1, all->at + place, (all->n - place) * sizeof *all->at);
    all->at[place] = new;
    all->n++;
}

static void insert_all(tellings *all, const char *set) {
    telling next;
    while ((next.text = cflri_told_next(&set, &next.length)) != NULL) insert(all, next);
}

uint32_t cflri_told_join(cflri_facts *facts, uint32_t one, uint32_t other) {
    char joined[MOST_BYTES];
    size_t size = 0;
    tellings all = {.n = 0};
    insert_all(&all, cflri_string(&facts->strings, one));
    insert_all(&all, cflri_string(&facts->strings, other));
    for (size_t i = 0; i < all.n; i++) {
        if (all.n > MOST_RECORDS || size + all.at[i].length + 2 > MOST_BYTES)
            return cflri_facts_string(facts, CFLRI_ANY_RECORD);
        if (i > 0) joined[size++] = CFLRI_NEXT_RECORD;
        memcpy(joined + size, all.at[i].text, all.at[i].length);
        size += all.at[i].length;
    }
    joined[size] = '\0';
    return cflri_facts_string(facts, joined);
}

static bool has_key(const cflri_facts *facts, cflri_node node, const char *key) {
    return strcmp(cflri_string(&facts->strings, facts->nodes.at[node].key), key) == 0;
}

bool cflri_has_record(const cflri_facts *facts, cflri_node node) {
    const cflri_node_record *member = &facts->nodes.at[node];
    bool step = member->how == CFLRI_FIELD && (int32_t)member->step > 0;
    return (step || member->how == CFLRI_DEREF) && member->key != 0 &&
           !has_key(facts, node, CFLRI_ANY_RECORD) && !has_key(facts, node, CFLRI_BASE_RECORD);
}

bool cflri_is_told(const cflri_facts *facts, cflri_node node) {
    return facts->nodes.at[node].how == CFLRI_FIELD && cflri_has_record(facts, node);
}

bool cflri_is_summary_step(const cflri_facts *facts, cflri_node node) {
    const cflri_node_record *field = &facts->nodes.at[node];
    return field->how == CFLRI_FIELD && (int32_t)field->step > 0 &&
           has_key(facts, node, CFLRI_BASE_RECORD);
}
