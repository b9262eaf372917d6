/* SPDX-License-Identifier: Apache-2.0
 *
 * json.c: what the JSON outputs of the commands have in common (docs/reference/json.md).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

static void *allocate_or_exit(size_t size) {
    void *block = malloc(size);
    if (!block) exit(fail_memory());
    return block;
}

void json_begin(void) {
    json_set_alloc_funcs(allocate_or_exit, free);
}

/* A copy in which each byte that is not ASCII is U+FFFD: for text that is no UTF-8. */
static char *replace_bytes(const char *text) {
    static const char replacement[] = "\xEF\xBF\xBD";
    size_t n = strlen(text), at = 0;
    char *copy = allocate_or_exit(3 * n + 1);
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] < 0x80) {
            copy[at++] = text[i];
        } else {
            memcpy(copy + at, replacement, 3);
            at += 3;
        }
    }
    copy[at] = '\0';
    return copy;
}

json_t *json_text(const char *text) {
    json_t *string = json_string(text);
    if (string) return string;
    char *copy = replace_bytes(text);
    string = json_string(copy);
    free(copy);
    return string;
}

void json_set(json_t *object, const char *key, json_t *value) {
    if (json_object_set(object, key, value) != 0) {
        char *copy = replace_bytes(key);
        json_object_set(object, copy, value);
        free(copy);
    }
    json_decref(value);
}

void json_set_text(json_t *object, const char *key, const char *text) {
    json_set(object, key, json_text(text));
}

void json_set_count(json_t *object, const char *key, uint64_t count) {
    json_set(object, key, json_integer((json_int_t)count));
}

void json_set_place(json_t *object, const char *file, uint32_t line, uint32_t column) {
    json_set_text(object, "file", file);
    json_set_count(object, "line", line);
    json_set_count(object, "column", column);
}
