/* SPDX-License-Identifier: Apache-2.0
 *
 * vertex.c: one vertex as text and as JSON.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/names/names.h"

/* In one of some buffers that are used again, as shown() does. */
static const char *number_of(uint32_t vertex) {
    enum { BUFFERS = 32 };
    static char buffer[BUFFERS][sizeof "4294967295"];
    static size_t next;
    char *at = buffer[next++ % BUFFERS];
    snprintf(at, sizeof *buffer, "%" PRIu32, vertex);
    return at;
}

const char *known_name(const char *name) {
    static const char *const known[][2] = {
        {"static:argv_vector", "the argument vector"},
        {"&static:argv_vector", "the address of the argument vector"},
        {"static:argv_text", "the text of an argument"},
        {"&static:argv_text", "the address of an argument's text"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i][0]) == 0) return known[i][1];
    return name;
}

void look_at(const cflr_graph *graph, uint32_t vertex, cflr_vertex_info *info) {
    cflr_graph_vertex(graph, vertex, info);
    info->name = info->name[0] ? shown(known_name(info->name)) : number_of(vertex);
    info->type = shown(info->type);
    info->function = shown(info->function);
    info->file = shown(info->file);
    info->context = shown(info->context);
}

bool is_variable(const cflr_vertex_info *info) {
    return info->kind == CFLR_VERTEX_VARIABLE || info->kind == CFLR_VERTEX_PARAMETER;
}

/* Of texts as they may be seen. */
static void print_named(FILE *file, const cflr_vertex_info *info) {
    fputs(info->name, file);
    if (!info->file[0]) return;
    fprintf(file, " (%s", cflr_vertex_kind_name(info->kind));
    if (info->function[0]) fprintf(file, ", in %s", info->function);
    if (info->context[0]) fprintf(file, " @ %s", info->context);
    fputc(')', file);
}

static void print_info(FILE *file, const cflr_vertex_info *info) {
    if (info->file[0]) {
        print_place(file, info->file, info->line, info->column);
        fputs(": ", file);
    }
    print_named(file, info);
}

void print_name(FILE *file, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    info.context = "";
    print_named(file, &info);
}

void print_vertex(FILE *file, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    print_info(file, &info);
}

void print_thing(FILE *file, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    look_at(graph, vertex, &info);
    info.context = "";
    print_info(file, &info);
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
        json_set_place(object, info.file, info.line, info.column);
        set_if_known(object, "function", info.function);
        set_if_known(object, "type", info.type);
        set_if_known(object, "context", info.context);
    }
    return object;
}
