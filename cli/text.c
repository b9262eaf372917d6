/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: numbers from and places to text.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

bool parse_count(const char *text, uint64_t most, uint64_t *count) {
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(unsigned char)*text - '0';
        if (digit > 9 || digit > most || value > (most - digit) / 10) return false;
        value = 10 * value + digit;
    }
    *count = value;
    return true;
}

/* A non-negative decimal number followed by at most one unit letter of `units`. */
static bool parse_scaled(const char *text, const char *units, const double *scales, double *value) {
    size_t length = strspn(text, "0123456789.");
    if (length == 0 || text[0] == '.') return false;
    char *end;
    *value = strtod(text, &end);
    if (end != text + length || !isfinite(*value)) return false;
    if (*end == '\0') return true;
    const char *unit = strchr(units, *end);
    if (!unit || end[1] != '\0') return false;
    *value *= scales[unit - units];
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

bool parse_real(const char *text, double *value) {
    char *end;
    if (!text[strspn(text, "+-.")] || text[strspn(text, "0123456789+-.eE")]) return false;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

const char *short_path(const char *path) {
    static char here[4096];
    if (!here[0] && !getcwd(here, sizeof here)) return path;
    size_t n = strlen(here);
    bool inside = strncmp(path, here, n) == 0 && path[n] == '/' && path[n + 1];
    return inside ? path + n + 1 : path;
}

const char *shown(const char *text) {
    enum { BUFFERS = 32 }; /* more than any message shows */
    static char *buffer[BUFFERS];
    static size_t next;
    size_t plain = strlen(text), length = cflr_escape(NULL, 0, text);
    if (length == plain) return text;
    char **at = &buffer[next++ % BUFFERS];
    char *larger = realloc(*at, length + 1);
    if (!larger) return "?";
    *at = larger;
    cflr_escape(larger, length + 1, text);
    return larger;
}

void look_at(const cflr_graph *graph, uint32_t vertex, cflr_vertex_info *info) {
    cflr_graph_vertex(graph, vertex, info);
    info->name = shown(info->name);
    info->type = shown(info->type);
    info->function = shown(info->function);
    info->file = shown(info->file);
    info->context = shown(info->context);
}

void print_vertex(FILE *file, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    if (!info.file[0] && !info.name[0]) {
        fprintf(file, "%" PRIu32, vertex);
        return;
    }
    if (info.file[0]) {
        fprintf(file, "%s:%u:%u: ", short_path(info.file), info.line, info.column);
    }
    fputs(info.name[0] ? info.name : "?", file);
    if (!info.file[0]) return;
    fprintf(file, " (%s", cflr_vertex_kind_name(info.kind));
    if (info.function[0]) fprintf(file, ", in %s", info.function);
    if (info.context[0]) fprintf(file, " @ %s", info.context);
    fputc(')', file);
}

void print_quoted(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', file);
        fputc(*text, file);
    }
}
