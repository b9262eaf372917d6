/* SPDX-License-Identifier: Apache-2.0
 *
 * subject.c: what stands at a place that a question asks about, as text and as JSON.
 *
 * A column does not tell a reader which expression an answer is about: several may begin there.
 */
#include "cli/answer/subject.h"

#include <string.h>

bool names_subject(const cflr_graph *graph, const char *spec) {
    return cflr_graph_has_sources(graph) && place_length(spec) > 0;
}

/* Expressions that look the same in one copy of their function: a macro makes several of one. */
static size_t count_alike(const cflr_graph *graph, const place_set *things, size_t at) {
    cflr_vertex_info first, other;
    size_t n = 0, end = end_of_thing(graph, things, at);
    cflr_graph_vertex(graph, things->vertex[at], &first);
    for (size_t i = at; i < end; i++) {
        cflr_graph_vertex(graph, things->vertex[i], &other);
        n += strcmp(first.context, other.context) == 0;
    }
    return is_variable(&first) ? 1 : n;
}

void print_subject(FILE *file, const cflr_graph *graph, const char *spec, const place_set *things) {
    const char *seen = shown(spec);
    fprintf(file, "%.*s is ", (int)place_length(seen), seen);
    for (size_t at = 0; at < things->n; at = end_of_thing(graph, things, at)) {
        if (at) fputs(", or ", file);
        print_name(file, graph, things->vertex[at]);
        size_t n = count_alike(graph, things, at);
        if (n > 1) fprintf(file, ", any of %zu", n);
    }
    fputc('\n', file);
}

void add_subject(json_t *answer, const cflr_graph *graph, const char *spec,
                 const place_set *things) {
    json_t *subjects = json_object_get(answer, "subjects");
    if (!subjects) {
        json_set(answer, "subjects", json_array());
        subjects = json_object_get(answer, "subjects");
    }
    for (size_t at = 0; at < things->n; at = end_of_thing(graph, things, at)) {
        json_t *subject = vertex_json(graph, things->vertex[at]);
        size_t n = count_alike(graph, things, at);
        json_set_text(subject, "asked", spec);
        if (n > 1) json_set_count(subject, "alike", n);
        json_array_append_new(subjects, subject);
    }
}
