/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: numbers from and places to text.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* A non-negative decimal number followed by at most one unit letter of `units`. */
static bool parse_scaled(const char *text, const char *units, const double *scales, double *value) {
    if (!(text[0] >= '0' && text[0] <= '9')) return false;
    char *end;
    double number = strtod(text, &end);
    if (!isfinite(number)) return false;
    *value = number;
    if (*end == '\0') return true;
    const char *unit = strchr(units, *end);
    if (!unit || end[1] != '\0') return false;
    *value = number * scales[unit - units];
    return true;
}

bool parse_size(const char *text, uint64_t *bytes) {
    static const double scales[] = {0x1p10, 0x1p20, 0x1p30, 0x1p40, 0x1p10, 0x1p20, 0x1p30, 0x1p40};
    double value;
    if (!parse_scaled(text, "KMGTkmgt", scales, &value) || value > 0x1p62) return false;
    *bytes = (uint64_t)value;
    return true;
}

bool parse_duration(const char *text, double *seconds) {
    static const double scales[] = {1, 60, 3600};
    return parse_scaled(text, "smh", scales, seconds);
}

const char *vertex_text(const cflr_graph *graph, uint32_t vertex, char *buffer, size_t size) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    if (!info.file[0]) {
        if (info.name[0])
            snprintf(buffer, size, "%s", info.name);
        else
            snprintf(buffer, size, "%" PRIu32, vertex);
        return buffer;
    }
    const char *in = info.function[0] ? ", in " : "", *at = info.context[0] ? " @ " : "";
    snprintf(buffer, size, "%s:%u:%u: %s (%s%s%s%s%s)", info.file, info.line, info.column,
             info.name[0] ? info.name : "?", cflr_vertex_kind_name(info.kind), in, info.function,
             at, info.context);
    return buffer;
}

static void set_text(json_t *object, const char *key, const char *text) {
    if (text[0]) json_object_set_new(object, key, json_string(text));
}

json_t *vertex_json(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    json_t *object = json_object();
    json_object_set_new(object, "vertex", json_integer(vertex));
    set_text(object, "name", info.name);
    if (info.file[0]) {
        json_object_set_new(object, "kind", json_string(cflr_vertex_kind_name(info.kind)));
        set_text(object, "file", info.file);
        json_object_set_new(object, "line", json_integer(info.line));
        json_object_set_new(object, "column", json_integer(info.column));
        set_text(object, "function", info.function);
        set_text(object, "type", info.type);
        set_text(object, "context", info.context);
    }
    return object;
}
