/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_object.c: which object the O of `points-to P O` is.
 *
 * One call has several vertices, of one place and one name, and so has a member:
 *
 *     p = malloc(8);                       &rec.in
 *     malloc()       the memory            rec          the object
 *     &malloc()      its address           &rec         its address
 *     malloc()       what the call gives   &rec.in      the address of a member of it
 *     malloc()+0     a location in it      rec.in       what lies there
 *
 * Only the first is what a pointer points to; the others stand for it. O is looked up in two ways:
 *
 *     as `cflr query` prints objects: the line, its place or its name, or both
 *     as any name of the source (names.c), from whose vertex edges lead to the object
 *
 * Of what is found that comes first to which the pointer points, which is so never missed because
 * something else is called so, too.
 * O(vertices).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/explain/explain.h"

/* ---- as objects are printed ---- */

/* Without white space, of which names have any. NULL after a message. */
static char *packed(const char *text) {
    char *copy = malloc(strlen(text) + 1), *end = copy;
    if (!copy) fail_memory();
    for (; copy && *text; text++)
        if (!strchr(" \t\r\n", *text)) *end++ = *text;
    if (copy) *end = '\0';
    return copy;
}

/* Is it "file.c:12:", "file.c:12:5:" or "function::", or nothing? The text is cut. */
static bool is_before_name(const cflr_vertex_info *info, char *text) {
    size_t length = strlen(text), function = strlen(info->function);
    if (length == 0) return true;
    if (function && length == function + 2 && strncmp(text, info->function, function) == 0 &&
        strcmp(text + function, "::") == 0)
        return true;
    if (text[length - 1] != ':') return false;
    text[length - 1] = '\0';
    return names_place(info->file, info->line, info->column, text);
}

/* The spec is packed. */
static bool has_name(const cflr_vertex_info *info, const char *spec) {
    if (info->file[0] && names_place(info->file, info->line, info->column, spec)) return true;
    char *name = info->name[0] ? packed(info->name) : NULL;
    size_t length = strlen(spec), own = name ? strlen(name) : 0;
    bool ends = name && own <= length && strcmp(spec + length - own, name) == 0;
    char *before = ends ? strndup(spec, length - own) : NULL;
    bool same = before && is_before_name(info, before);
    free(before);
    free(name);
    return same;
}

/* "list.c:9:5: p (variable, in main)", to the end or to what `cflr query` tells besides. */
static bool is_line_of(const cflr_graph *graph, uint32_t vertex, const cflr_vertex_info *info,
                       const char *line) {
    char *text = NULL;
    size_t size;
    if (!info->name[0] || !strstr(line, info->name)) return false;
    FILE *file = open_memstream(&text, &size);
    if (!file) return false;
    print_vertex(file, graph, vertex);
    bool printed = fclose(file) == 0;
    const char *tail = printed ? text + (info->file[0] ? strlen(short_path(info->file)) : 0) : "";
    const char *at = printed ? strstr(line, tail) : NULL;
    size_t path = at ? (size_t)(at - line) : 0;
    bool same = at && (at[strlen(tail)] == '\0' || strncmp(at + strlen(tail), ", ", 2) == 0);
    same = same && (info->file[0] ? ends_path(info->file, line, path) : path == 0);
    free(text);
    return same;
}

/* ---- from what is called so to the object ---- */

/* The first vertex that an edge of this label, with any index, joins to it; CFLR_NO_VERTEX:
 * none. */
static uint32_t neighbour(const cflr_graph *graph, const char *label, cflr_direction way,
                          uint32_t vertex) {
    for (uint32_t i = 0; vertex != CFLR_NO_VERTEX && i < cflr_graph_labels(graph); i++) {
        uint64_t n;
        if (strcmp(cflr_graph_label_name(graph, i), label) != 0) continue;
        const uint32_t *row = cflr_graph_row(graph, i, way, vertex, &n);
        if (n > 0) return row[0];
    }
    return CFLR_NO_VERTEX;
}

/* May a pointer point to it? What is a value only has an address where the graph says so. */
static bool is_object(const cflr_graph *graph, uint32_t vertex, cflr_vertex_kind kind) {
    switch (kind) {
        case CFLR_VERTEX_RETURN:
        case CFLR_VERTEX_ADDRESS:
        case CFLR_VERTEX_DEREFERENCE:
        case CFLR_VERTEX_FIELD:
        case CFLR_VERTEX_TEMPORARY:
        case CFLR_VERTEX_NULL_VALUE:
        case CFLR_VERTEX_LOCATION:
        case CFLR_VERTEX_TYPE:
            return neighbour(graph, "alloc", CFLR_OUT, vertex) != CFLR_NO_VERTEX;
        default:
            return true;
    }
}

/* The memory that a call gives, of the value of the call: they look alike but for their kind. */
static uint32_t made_by(const cflr_graph *graph, uint32_t call, const cflr_vertex_info *info) {
    uint32_t address = neighbour(graph, "a", CFLR_IN, call);
    uint32_t object = neighbour(graph, "alloc", CFLR_IN, address);
    cflr_vertex_info made;
    if (object == CFLR_NO_VERTEX) return object;
    cflr_graph_vertex(graph, object, &made);
    made.kind = info->kind;
    return cflr_vertex_compare(&made, info) == 0 ? object : CFLR_NO_VERTEX;
}

/* Of a value that is an address, or of a place that is a part of one object: one step nearer to it.
 * CFLR_NO_VERTEX: there is none. */
static uint32_t step_to_object(const cflr_graph *graph, uint32_t vertex,
                               const cflr_vertex_info *info) {
    switch (info->kind) {
        case CFLR_VERTEX_TEMPORARY:
            return made_by(graph, vertex, info);
        case CFLR_VERTEX_ADDRESS:
            return neighbour(graph, "alloc", CFLR_IN, vertex);
        case CFLR_VERTEX_LOCATION:
            return neighbour(graph, "in", CFLR_OUT, vertex);
        case CFLR_VERTEX_FIELD:
            return neighbour(graph, "f", CFLR_IN, vertex);
        case CFLR_VERTEX_DEREFERENCE:
            return neighbour(graph, "d", CFLR_IN, vertex);
        default:
            return CFLR_NO_VERTEX;
    }
}

/* CFLR_NO_VERTEX: it has none. A pointer on the way leads to any object, and to none in
 * particular. */
static uint32_t object_of(const cflr_graph *graph, uint32_t vertex) {
    while (vertex != CFLR_NO_VERTEX) {
        cflr_vertex_info info, next;
        cflr_graph_vertex(graph, vertex, &info);
        if (is_object(graph, vertex, info.kind)) break;
        vertex = step_to_object(graph, vertex, &info);
        if (vertex == CFLR_NO_VERTEX) break;
        cflr_graph_vertex(graph, vertex, &next);
        bool steps = info.kind == CFLR_VERTEX_FIELD || info.kind == CFLR_VERTEX_DEREFERENCE;
        bool address = next.kind == CFLR_VERTEX_FIELD || next.kind == CFLR_VERTEX_ADDRESS;
        if (steps && !address) return CFLR_NO_VERTEX;
    }
    return vertex;
}

/* ---- looking it up ---- */

typedef struct search {
    const cflr_result *result;
    const cflr_graph *graph;
    const place_set *pointers;
    const char *line; /* as written */
    char *name;       /* its word, or what stands before ", at in.n" */
    char *packed_line, *packed_name;
    place_set printed, named; /* that are printed so, and that are called so in the source */
} search;

/* The words of `cflr query` behind an object are no part of its name. */
static char *name_in(const char *line) {
    static const char escapes[] = ", escapes", at[] = ", at ";
    char *name = strdup(line), *end = name ? strstr(name, escapes) : NULL;
    if (!name) fail_memory();
    if (end && end[strlen(escapes)] == '\0') *end = '\0';
    end = name ? strstr(name, at) : NULL;
    if (end) *end = '\0';
    return name;
}

/* Room for all vertices. */
static bool search_begin(search *s, const char *word) {
    size_t n = (size_t)cflr_graph_vertices(s->graph) + 1;
    s->printed.vertex = calloc(n, sizeof *s->printed.vertex);
    if (!s->printed.vertex) fail_memory();
    s->name = name_in(word ? word : s->line);
    s->packed_line = packed(s->line);
    s->packed_name = s->name ? packed(s->name) : NULL;
    return s->printed.vertex && s->packed_line && s->packed_name;
}

static void search_end(search *s) {
    free(s->packed_line);
    free(s->packed_name);
    free(s->name);
    free(s->printed.vertex);
    free(s->named.vertex);
}

static void find_printed(search *s) {
    for (uint32_t v = 0; v < cflr_graph_vertices(s->graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(s->graph, v, &info);
        if (!is_object(s->graph, v, info.kind)) continue;
        look_at(s->graph, v, &info);
        if (has_name(&info, s->packed_line) || has_name(&info, s->packed_name) ||
            is_line_of(s->graph, v, &info, s->line))
            s->printed.vertex[s->printed.n++] = v;
    }
}

/* Vertices without object are dropped. False when out of memory, after a message. */
static bool find_named(search *s) {
    cflr_error error;
    size_t kept = 0;
    cflr_status st = look_up(s->graph, NULL, s->name, &s->named, &error);
    if (st == CFLR_NO_MEMORY) fail_memory();
    for (size_t i = 0; i < s->named.n; i++) {
        uint32_t object = object_of(s->graph, s->named.vertex[i]);
        if (object != CFLR_NO_VERTEX) s->named.vertex[kept++] = object;
    }
    s->named.n = kept;
    return st != CFLR_NO_MEMORY;
}

static bool look_the_same(const cflr_graph *graph, const place_set *set) {
    cflr_vertex_info first, other;
    for (size_t i = 1; i < set->n; i++) {
        cflr_graph_vertex(graph, set->vertex[0], &first);
        cflr_graph_vertex(graph, set->vertex[i], &other);
        if (cflr_vertex_compare(&first, &other) != 0) return false;
    }
    return true;
}

static bool is_pointed_to(const search *s, uint32_t object) {
    uint32_t label = answering_label(s->result, "points-to");
    for (size_t i = 0; i < s->pointers->n; i++)
        if (cflr_result_has(s->result, label, s->pointers->vertex[i], object)) return true;
    return false;
}

/* Leaves those that are pointed to, if there are any. */
static bool keep_pointed_to(const search *s, place_set *set) {
    size_t kept = 0;
    for (size_t i = 0; i < set->n; i++)
        if (is_pointed_to(s, set->vertex[i])) set->vertex[kept++] = set->vertex[i];
    if (kept > 0) set->n = kept;
    return kept > 0;
}

static void take(place_set *from, place_set *set) {
    *set = *from;
    *from = (place_set){0};
}

/* Nothing is pointed to: what is not pointed to must be one thing. */
static int choose_other(search *s, place_set *set) {
    if (s->named.n > 0 && look_the_same(s->graph, &s->named)) {
        take(&s->named, set);
    } else if (s->printed.n > 0 && look_the_same(s->graph, &s->printed)) {
        take(&s->printed, set);
    } else {
        int code = find_places(s->graph, NULL, s->name, (name_place){"", 0, 0}, set);
        if (code) return code;
        complain("'%s' is no object: it is a value, or lies where pointers lead", shown(s->name));
        return cflr_status_exit_code(CFLR_NOT_FOUND);
    }
    return 0;
}

/* Several things may be called so, of which one is explained. */
static void tell_others(const search *s, const place_set *set) {
    if (!look_the_same(s->graph, set))
        remark("'%s' is the name of several objects: the first that is pointed to is explained",
               shown(s->line));
}

int find_objects(const cflr_result *result, const place_set *pointers, const char *line,
                 const char *word, place_set *set) {
    search s = {
        .result = result, .graph = cflr_result_graph(result), .pointers = pointers, .line = line};
    *set = (place_set){0};
    int code = 0;
    if (!search_begin(&s, word) || !find_named(&s)) code = cflr_status_exit_code(CFLR_NO_MEMORY);
    if (!code) find_printed(&s);
    if (!code && keep_pointed_to(&s, &s.printed))
        take(&s.printed, set);
    else if (!code && keep_pointed_to(&s, &s.named))
        take(&s.named, set);
    if (!code && set->n > 0)
        tell_others(&s, set);
    else if (!code)
        code = choose_other(&s, set);
    search_end(&s);
    return code;
}
