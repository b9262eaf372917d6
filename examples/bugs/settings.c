/* SPDX-License-Identifier: Apache-2.0
 *
 * settings.c: a null pointer that goes through the heap and through a record that is returned.
 *
 * The seeded bugs: a name without a value keeps NULL in its entry, and `find` gives NULL for a name
 * that is not there; neither is looked at before it is used. The twins below look.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const char *name;
    const char *value; /* NULL: none was given */
    struct entry *next;
};

struct answer {
    struct entry *found;
    int line;
};

static struct entry *entries;

static void remember(const char *name, const char *value) {
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry) return;
    entry->name = name;
    entry->value = value;
    entry->next = entries;
    entries = entry;
}

static struct answer find(const char *name) {
    struct answer answer = {NULL, 0};
    for (struct entry *entry = entries; entry; entry = entry->next, answer.line++) {
        if (strcmp(entry->name, name) != 0) continue;
        answer.found = entry;
        break;
    }
    return answer;
}

static size_t width_of(const char *name) {
    struct answer answer = find(name);
    return strlen(answer.found->value); /* bugs: not found, or found without a value */
}

static size_t checked_width_of(const char *name) {
    struct answer answer = find(name);
    struct entry *entry = answer.found;
    if (!entry) return 0;
    const char *value = entry->value;
    return value ? strlen(value) : 0;
}

int main(void) {
    remember("colour", "green");
    remember("verbose", NULL);
    printf("%zu %zu\n", width_of("verbose"), checked_width_of("verbose"));
    return 0;
}
