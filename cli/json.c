/* SPDX-License-Identifier: Apache-2.0
 *
 * json.c: what the JSON outputs of the commands have in common (docs/reference/json.md).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

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

static json_t *any_text(const char *text) {
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
    json_set(object, key, any_text(text));
}

void json_set_count(json_t *object, const char *key, uint64_t count) {
    json_set(object, key, json_integer((json_int_t)count));
}

static void set_if_known(json_t *object, const char *key, const char *text) {
    if (text[0]) json_set_text(object, key, text);
}

json_t *vertex_json(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    json_t *object = json_object();
    json_set_count(object, "vertex", vertex);
    set_if_known(object, "name", info.name);
    if (info.file[0] || info.kind == CFLR_VERTEX_OUTSIDE)
        json_set_text(object, "kind", cflr_vertex_kind_name(info.kind));
    if (info.file[0]) {
        json_set_text(object, "file", info.file);
        json_set_count(object, "line", info.line);
        json_set_count(object, "column", info.column);
        set_if_known(object, "function", info.function);
        set_if_known(object, "type", info.type);
        set_if_known(object, "context", info.context);
    }
    return object;
}

json_t *symbols_json(const cflr_result *result) {
    json_t *labels = json_object();
    for (uint32_t i = 0; i < cflr_result_labels(result); i++) {
        cflr_result_label label;
        cflr_result_get_label(result, i, &label);
        json_t *object = json_object();
        json_set_count(object, "pairs", label.pairs);
        json_set_count(object, "rows", label.rows);
        json_set(labels, label.name, object);
    }
    return labels;
}
