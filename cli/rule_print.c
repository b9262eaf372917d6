/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_print.c: findings of rules as text and as JSON.
 *
 *     list.c:15:8: null: a null pointer is followed: f->value
 *         list.c:7:12: NULL
 *         list.c:7:5: returned from find
 *         list.c:14:22: result of find()
 *         list.c:14:18: f
 *         direct: by locals, arguments and results
 *
 * A step is told by what it arrives at, at the place where the program says so.
 */
#include <inttypes.h>
#include <string.h>

#include "cli/rule_findings.h"

/* ---- text ---- */

static void print_place_of(FILE *file, const rule_place *place) {
    fprintf(file, "%s:%" PRIu32 ":%" PRIu32 ": ", shown(short_path(place->file)), place->line,
            place->column);
}

static bool is_string(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* What the value arrives at. */
static void print_arrival(FILE *file, const rule_findings *found, const rule_step *step) {
    cflr_vertex_info from, to;
    look_at(found->graph, step->step.source, &from);
    look_at(found->graph, step->step.target, &to);
    if (is_string(step->step.symbol, "nonnull"))
        fprintf(file, "%s, tested", to.name);
    else if (is_string(step->step.symbol, "f"))
        fprintf(file, "member of it: %s", to.name);
    else if (is_string(step->step.symbol, "bytes"))
        fprintf(file, "fills %s%s", to.name[0] == '&' ? "" : "*", to.name + (to.name[0] == '&'));
    else if (is_string(step->step.symbol, "Spread"))
        fprintf(file, "a pointer into it: %s", to.name);
    else if (is_string(step->step.symbol, "d"))
        fprintf(file, "in it: %s", to.name);
    else if (from.kind == CFLR_VERTEX_SOURCE)
        fprintf(file, "brings %s", to.name);
    else if (found->slots.of[step->step.target] == SLOT_PARAMETER)
        fprintf(file, "passed to %s as %s", to.function, to.name);
    else if (found->slots.of[step->step.target] == SLOT_RESULT)
        fprintf(file, "returned from %s", to.function);
    else if (found->slots.of[step->step.source] == SLOT_RESULT)
        fprintf(file, "result of %s", to.name);
    else
        fprintf(file, "assigned to %s", to.name);
}

static void print_memory(FILE *file, const cflr_graph *graph, const rule_step *step) {
    cflr_vertex_info from, to, object;
    look_at(graph, step->step.source, &from);
    look_at(graph, step->step.target, &to);
    fprintf(file, "stored in %s, read through %s", from.name, to.name);
    if (step->object == CFLR_NO_VERTEX) return;
    look_at(graph, step->object, &object);
    fprintf(file, ": both may be in %s", object.name);
    if (object.file[0])
        fprintf(file, " at %s:%" PRIu32 ":%" PRIu32, short_path(object.file), object.line,
                object.column);
}

static void print_step(FILE *file, const rule_findings *found, const rule_step *step, int indent) {
    cflr_vertex_info to;
    look_at(found->graph, step->step.target, &to);
    if (!step->in_memory && rule_rank_is_silent(&to)) return;
    fprintf(file, "%*s", indent, "");
    print_place_of(file, &step->place);
    if (step->in_memory)
        print_memory(file, found->graph, step);
    else
        print_arrival(file, found, step);
    fputc('\n', file);
    for (size_t i = 0; i < step->n_route; i++) /* their own steps have no routes */
        print_step(file, found, &step->route[i], indent + 4);
}

static void print_source(FILE *file, const cflr_graph *graph, const rule_finding *f) {
    cflr_vertex_info info;
    look_at(graph, f->source, &info);
    const rule_place place = {info.file, info.line, info.column};
    fputs("    ", file);
    print_place_of(file, &place);
    fprintf(file, "%s\n", info.name);
}

static void print_headline(FILE *file, const cflr_graph *graph, const rule_finding *f) {
    cflr_vertex_info sink;
    look_at(graph, f->sink, &sink);
    print_place_of(file, &f->place);
    fprintf(file, "%s: %s: %s\n", shown(f->rule->name), shown(f->rule->message), sink.name);
}

static void print_finding(FILE *file, const rule_findings *found, const rule_finding *f) {
    print_headline(file, found->graph, f);
    print_source(file, found->graph, f);
    for (size_t i = 0; i + 1 < f->n_steps; i++) print_step(file, found, &f->step[i], 4);
    if (f->rank != RANK_NONE)
        fprintf(file, "    %s: %s\n", rule_rank_name(f->rank), rule_rank_reason(f->rank));
    if (f->n_sources > 1) fprintf(file, "    further sources: %zu\n", f->n_sources - 1);
    if (f->n_places > 1) fprintf(file, "    further places: %zu\n", f->n_places - 1);
}

/* What else is likely and comes from the same source: the first few, and how many there are. */
static void print_siblings(FILE *file, const rule_findings *found, size_t cause) {
    enum { MOST = 4 };
    size_t n = 0;
    for (size_t i = cause; found->finding[i].next != i;) {
        i = found->finding[i].next;
        if (!rule_rank_is_likely(found->finding[i].rank)) break; /* likely ones come first */
        if (n++ >= MOST) continue;
        fprintf(file, "    also ");
        print_headline(file, found->graph, &found->finding[i]);
    }
    if (n > MOST) fprintf(file, "    and at %zu more places\n", n - MOST);
}

size_t rule_findings_print(const rule_findings *found, bool all, FILE *file) {
    size_t n = 0;
    for (size_t i = 0; i < found->n; i++) {
        const rule_finding *f = &found->finding[i];
        bool grouped = !all && f->rank != RANK_NONE;
        if (grouped && (!rule_rank_is_likely(f->rank) || f->cause != i)) continue;
        print_finding(file, found, f);
        if (grouped) print_siblings(file, found, i);
        n++;
    }
    return n;
}

/* ---- JSON ---- */

static void put_place(json_t *object, const rule_place *place) {
    json_set_text(object, "file", place->file);
    json_set_count(object, "line", place->line);
    json_set_count(object, "column", place->column);
}

static json_t *step_json(const cflr_graph *graph, const rule_step *step) {
    json_t *object = json_object();
    put_place(object, &step->place);
    json_set_text(object, "symbol", step->step.symbol);
    if (step->step.index[0]) json_set_text(object, "index", step->step.index);
    json_set(object, "from", vertex_json(graph, step->step.source));
    json_set(object, "to", vertex_json(graph, step->step.target));
    if (step->object != CFLR_NO_VERTEX)
        json_set(object, "object", vertex_json(graph, step->object));
    if (step->n_route == 0) return object;
    json_t *route = json_array();
    for (size_t i = 0; i < step->n_route; i++)
        json_array_append_new(route, step_json(graph, &step->route[i]));
    json_set(object, "route", route);
    return object;
}

static json_t *finding_json(const cflr_graph *graph, const rule_finding *f) {
    json_t *object = json_object(), *path = json_array();
    put_place(object, &f->place);
    json_set_text(object, "rule", f->rule->name);
    json_set_text(object, "message", f->rule->message);
    json_set_text(object, "fingerprint", f->fingerprint);
    json_set(object, "likely", json_boolean(rule_rank_is_likely(f->rank)));
    if (f->rank != RANK_NONE) {
        json_set_text(object, "rank", rule_rank_name(f->rank));
        json_set_text(object, "reason", rule_rank_reason(f->rank));
    }
    json_set(object, "source", vertex_json(graph, f->source));
    json_set(object, "sink", vertex_json(graph, f->sink));
    json_set_count(object, "sources", f->n_sources);
    json_set_count(object, "places", f->n_places);
    for (size_t i = 0; i < f->n_steps; i++)
        json_array_append_new(path, step_json(graph, &f->step[i]));
    json_set(object, "path", path);
    return object;
}

json_t *rule_findings_json(const rule_findings *found) {
    json_t *list = json_array();
    for (size_t i = 0; i < found->n; i++)
        json_array_append_new(list, finding_json(found->graph, &found->finding[i]));
    return list;
}
