/* SPDX-License-Identifier: Apache-2.0
 *
 * overview.c: what is said of a result as a whole: what it is of, what its answers rest on, what is
 * not followed, and how precise it is.
 *
 * A result keeps no times and nothing of its run (docs/explanation/results.md), so there are none.
 */
#include "cli/report/overview.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cflr/findings.h"
#include "cli/answer/loading.h"
#include "cli/answer/lost.h"
#include "cli/answer/unresolved.h"

enum { MOST_LISTED = 200, MOST_RANKED = 15, TEXT = 400, LINE = 4096 };

/* ---- facts: [what, value] ---- */

static void add_fact(json_t *facts, const char *what, json_t *value) {
    json_array_append_new(facts, json_pack("[so]", what, value));
}

static void add_number(json_t *facts, const char *what, uint64_t number) {
    if (number) add_fact(facts, what, json_integer((json_int_t)number));
}

static void add_text(json_t *facts, const char *what, const char *text) {
    add_fact(facts, what, json_text(text));
}

/* Edges of all labels of a name. */
static uint64_t edges_called(const cflr_graph *graph, const char *name) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < cflr_graph_labels(graph); i++)
        if (strcmp(cflr_graph_label_name(graph, i), name) == 0)
            n += cflr_graph_label_edges(graph, i);
    return n;
}

static bool has_contexts(const result_page *r) {
    for (uint32_t v = 0; v < cflr_graph_vertices(r->graph); v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(r->graph, v, &info);
        if (info.context[0]) return true;
    }
    return false;
}

/* How the program was read, as far as its graph tells. */
static void add_options(json_t *facts, const result_page *r) {
    const cflr_graph *graph = r->graph;
    cflr_assumption a = cflr_graph_assumption(graph);
    if (!cflr_graph_has_sources(graph)) return;
    add_text(facts, "Code outside",
             cflr_graph_outside(graph) == CFLR_NO_VERTEX
                 ? "none: the program is closed"
                 : "may call it, and know its objects: the program is open");
    add_text(facts, "Memory",
             a.aliasing ? a.text ? "is read and written by its type; copied text has no pointers"
                                 : "is read and written by its type"
                        : "is read and written by any type");
    add_text(facts, "Members", edges_called(graph, "f") ? "are told apart" : "are not told apart");
    add_text(facts, "Calls through pointers",
             a.callees ? "enter functions of their type" : "enter functions of any type");
    add_text(facts, "Copies for contexts", has_contexts(r) ? "of some functions" : "none");
    if (edges_called(graph, "call")) add_text(facts, "Arguments and results", "match by call site");
    if (edges_called(graph, "data")) add_text(facts, "Numbers and text", "are followed, too");
}

static uint64_t count_bodies(const cflr_graph *graph) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < cflr_graph_functions(graph); i++) {
        cflr_function_info info;
        cflr_graph_function(graph, i, &info);
        n += i > 0 && info.body == CFLR_BODY_HERE;
    }
    return n;
}

static json_t *facts_json(const result_page *r) {
    json_t *facts = json_array();
    cflr_result_stats stats;
    cflr_result_get_stats(r->result, &stats);
    add_text(facts, "Result", r->path);
    add_number(facts, "Functions with a body", count_bodies(r->graph));
    add_number(facts, "Calls", cflr_graph_calls(r->graph));
    add_number(facts, "Vertices of the graph", cflr_graph_vertices(r->graph));
    add_number(facts, "Edges of the graph", cflr_graph_edges(r->graph));
    add_number(facts, "Pairs of all symbols", stats.pairs);
    add_options(facts, r);
    return facts;
}

/* ---- what to know before a no is believed ---- */

static bool is_whole(const result_page *r) {
    return cflr_result_covers(r->result, CFLR_NO_VERTEX, CFLR_NO_VERTEX);
}

__attribute__((format(printf, 2, 3))) static void add_line(json_t *lines, const char *format, ...) {
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_array_append_new(lines, json_text(text));
}

static bool is_shown(const result_page *r, uint32_t vertex) {
    uint32_t look = r->looks.look[vertex];
    return look != NONE && r->row[look] != NONE;
}

static void add_left_out(json_t *lines, const result_page *r) {
    if (r->left_out)
        add_line(lines,
                 "%" PRIu64
                 " more rows are not on this page, which was to be no larger (--page-size): "
                 "those that matter less. The figures count them.",
                 r->left_out);
    uint32_t outside = cflr_graph_outside(r->graph);
    if (r->points_to && outside != CFLR_NO_VERTEX && !is_shown(r, outside))
        add_line(lines, "Which objects code outside may know is not on this page.");
    if (r->files_without_code)
        add_line(lines, "The code of %" PRIu64 " files is not on this page for the same reason.",
                 r->files_without_code);
    if (r->only) add_line(lines, "Only pointers of some files are listed (--only).");
}

/* A sentence. */
static void add_lost(void *user, const char *what, const char *causes) {
    add_line(user, "%c%s: %s.", toupper((unsigned char)what[0]), what + 1, causes);
}

static json_t *warnings_json(const result_page *r) {
    json_t *lines = json_array();
    char slice[SLICE_TEXT];
    if (describe_slice(r->result, slice, sizeof slice))
        add_line(lines, "This is %s of a result: objects that other parts have are missing.",
                 slice);
    else if (!cflr_result_complete(r->result))
        add_line(lines,
                 "This result is partial: a limit was met before all was found. All that is shown "
                 "is right, but what is not shown may be so, too: a missing object or alias is no "
                 "'no'.");
    if (!is_whole(r))
        add_line(lines, "This result answers a question: what was not asked for is not here.");
    tell_lost(r->result, add_lost, lines);
    add_left_out(lines, r);
    return lines;
}

/* ---- lists of what is not followed: [what, how many, lines] ---- */

static char *line_of_vertex(const cflr_graph *graph, uint32_t vertex) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) exit(fail_memory());
    print_vertex(file, graph, vertex);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    return text;
}

static void add_unknowns(json_t *lists, const result_page *r, cflr_vertex_kind kind,
                         const char *what) {
    size_t n, count = 0;
    const uint32_t *unknown = cflr_graph_unknowns(r->graph, &n);
    json_t *lines = json_array();
    for (size_t i = 0; i < n; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(r->graph, unknown[i], &info);
        if (info.kind != kind || count++ >= MOST_LISTED) continue;
        char *text = line_of_vertex(r->graph, unknown[i]);
        json_array_append_new(lines, json_text(text));
        free(text);
    }
    json_array_append_new(lists, json_pack("[sIo]", what, (json_int_t)count, lines));
}

static void add_unresolved(json_t *lists, const result_page *r) {
    unresolved_list found = {0};
    char *text = NULL, *rest;
    size_t size;
    int code = unresolved_find(r->result, &found);
    if (code) exit(code);
    size_t n = found.n;
    json_t *lines = json_array();
    FILE *file = open_memstream(&text, &size);
    if (!file) exit(fail_memory());
    if (found.n > MOST_LISTED) found.n = MOST_LISTED;
    unresolved_print(&found, r->graph, file);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        json_array_append_new(lines, json_text(line));
    json_array_append_new(lists,
                          json_pack("[sIo]", "Calls through pointers that enter no known function",
                                    (json_int_t)n, lines));
    free(text);
    free(found.at);
}

static json_t *lists_json(const result_page *r) {
    json_t *lists = json_array();
    add_unknowns(lists, r, CFLR_VERTEX_LOST, "Values that are not followed");
    add_unknowns(lists, r, CFLR_VERTEX_UNKNOWN, "Functions and variables without a model");
    if (r->points_to) add_unresolved(lists, r);
    return lists;
}

/* ---- precision ---- */

/* [symbol, pairs, rows] */
static json_t *symbols_table(const result_page *r) {
    json_t *table = json_array();
    for (uint32_t i = 0; i < cflr_result_labels(r->result); i++) {
        cflr_result_label label;
        cflr_result_get_label(r->result, i, &label);
        json_t *row = json_array();
        json_array_append_new(row, json_text(label.name));
        json_array_append_new(row, json_integer((json_int_t)label.pairs));
        json_array_append_new(row, json_integer((json_int_t)label.rows));
        json_array_append_new(table, row);
    }
    return table;
}

/* The first of them, by value and then number, of those that are shown: [number, value]. */
static json_t *greatest(const uint32_t *value, const uint32_t *shown_as, uint32_t n) {
    uint32_t best[MOST_RANKED], many = 0;
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++) {
        if (shown_as[i] == NONE || !value[i]) continue;
        uint32_t at = many < MOST_RANKED ? many++ : MOST_RANKED;
        for (; at > 0 && value[best[at - 1]] < value[i]; at--)
            if (at < MOST_RANKED) best[at] = best[at - 1];
        if (at < MOST_RANKED) best[at] = i;
    }
    for (uint32_t k = 0; k < many; k++)
        json_array_append_new(
            list, json_pack("[II]", (json_int_t)shown_as[best[k]], (json_int_t)value[best[k]]));
    return list;
}

/* [set, rows that have it] */
static json_t *largest_sets(const result_page *r) {
    uint32_t *size = take_room(r->sets.n, sizeof *size);
    for (uint32_t set = 0; set < r->sets.n; set++) {
        size_t n;
        set_at(r, set, &n);
        size[set] = r->figures.sharing[set] ? (uint32_t)n : 0;
    }
    json_t *list = greatest(size, r->set_row, r->sets.n);
    free(size);
    return list;
}

static json_t *precision_json(const result_page *r) {
    const figures *f = &r->figures;
    json_t *object = json_object(), *buckets = json_array();
    size_t end = BUCKETS;
    while (end > 0 && !f->bucket[end - 1]) end--;
    for (size_t i = 0; i < end; i++)
        json_array_append_new(buckets, json_integer((json_int_t)f->bucket[i]));
    json_set(object, "buckets", buckets);
    json_set_count(object, "rows", f->rows);
    json_set_count(object, "pairs", f->pairs);
    json_set_count(object, "median", f->median);
    json_set_count(object, "ninetieth", f->ninetieth);
    json_set_count(object, "largest", f->largest);
    json_set(object, "objects", greatest(f->popularity, r->object, r->looks.n_things));
    json_set(object, "sets", largest_sets(r));
    return object;
}

/* ---- all of it ---- */

void overview_warn(const result_page *r) {
    if (r->left_out)
        remark("warning: %" PRIu64 " of %" PRIu64
               " rows are not on the page: --page-size, --only PATH or "
               "--around POINTER choose others",
               r->left_out, r->left_out + r->n_rows);
}

static const char *state_of(const result_page *r) {
    if (!cflr_result_complete(r->result)) return "partial";
    return is_whole(r) ? "complete" : "as asked for";
}

static void put_member(FILE *file, const char *key, json_t *value) {
    fprintf(file, ",\n\"%s\":", key);
    page_put(file, value);
}

void overview_put(FILE *file, const result_page *r) {
    cflr_result_label label;
    char text[TEXT];
    cflr_result_get_label(r->result, r->label, &label);
    snprintf(text, sizeof text, "%s, %s%s: %" PRIu32 " %s, %" PRIu32 " %s. cflr %s", r->path,
             state_of(r), unread_code(r->graph) ? ", but code was not read in full" : "", r->n_rows,
             r->points_to ? "pointers" : "sources", r->n_objects,
             r->points_to ? "objects" : "targets", cflr_version());
    fprintf(file, "\"title\":\"cflr: %s\"", r->points_to ? "what points where" : "a relation");
    put_member(file, "summary", json_text(text));
    put_member(file, "relation", json_text(label.name));
    put_member(file, "pointsTo", json_boolean(r->points_to));
    put_member(file, "warnings", warnings_json(r));
    put_member(file, "facts", facts_json(r));
    put_member(file, "symbols", symbols_table(r));
    put_member(file, "lists", lists_json(r));
    put_member(file, "precision", precision_json(r));
    uint32_t focus = r->focus == NONE ? NONE : r->row[r->focus];
    put_member(file, "focus", json_integer(focus == NONE ? -1 : (json_int_t)focus));
}
