/* SPDX-License-Identifier: Apache-2.0
 *
 * finding_print.c: findings of rules as text and as JSON.
 *
 *     list.c:15:8: null: null pointer dereference: f->value
 *         list.c:7:12: NULL
 *         list.c:7:5: returned from find
 *         list.c:14:22: result of find()
 *         list.c:14:18: f
 *         direct: by locals, arguments and results
 *         further sources: 4
 *             list.c:9:12: NULL
 *             ...
 *
 * A step is printed as what it arrives at, at the place where the program says so.
 */
#include "cli/analyze/finding_print.h"

#include <stdlib.h>

#include "cli/alerts/gate.h"
#include "cli/names/names.h"

/* ---- text ---- */

static void print_place_of(FILE *file, const cflr_place *place) {
    print_place(file, place->file, place->line, place->column);
    fputs(": ", file);
}

static void print_step(FILE *file, const cflr_graph *graph, const cflr_step *step, int indent) {
    if (step->kind == CFLR_STEP_SILENT) return;
    fprintf(file, "%*s", indent, "");
    print_place_of(file, &step->place);
    print_step_text(file, graph, step);
    fputc('\n', file);
    for (size_t i = 0; i < step->n_route; i++) /* their own steps have no routes */
        print_step(file, graph, &step->route[i], indent + 4);
}

static void print_source(FILE *file, const cflr_graph *graph, const cflr_finding *f) {
    cflr_vertex_info info;
    look_at(graph, f->source, &info);
    fputs("    ", file);
    print_place_of(file, &f->origin);
    fprintf(file, "%s\n", info.name);
}

static void print_headline(FILE *file, const cflr_graph *graph, const cflr_finding *f) {
    cflr_vertex_info sink;
    look_at(graph, f->sink, &sink);
    print_place_of(file, &f->place);
    fprintf(file, "%s: %s: %s\n", shown(f->rule->name), shown(f->rule->message), sink.name);
}

/* The nearest few, and of `all` as many as are known. */
static void print_further(FILE *file, const cflr_graph *graph, const cflr_finding *f, bool all) {
    enum { MOST = 3 };
    size_t n = all || f->n_further < MOST ? f->n_further : MOST;
    if (f->n_sources > 1) fprintf(file, "    further sources: %zu\n", f->n_sources - 1);
    for (size_t i = 0; i < n; i++) {
        cflr_vertex_info info;
        look_at(graph, f->further[i].source, &info);
        fputs("        ", file);
        print_place_of(file, &f->further[i].place);
        fprintf(file, "%s\n", info.name);
    }
    if (n > 0 && n + 1 < f->n_sources)
        fprintf(file, "        and %zu more\n", f->n_sources - 1 - n);
}

static void print_finding(FILE *file, const told_findings *told, const cflr_finding *f) {
    const cflr_graph *graph = told->graph;
    char *rank = rank_text(f);
    print_headline(file, graph, f);
    print_source(file, graph, f);
    for (size_t i = 0; i + 1 < f->n_steps; i++) print_step(file, graph, &f->step[i], 4);
    if (rank[0]) fprintf(file, "    %s\n", rank);
    free(rank);
    print_further(file, graph, f, !told->grouped);
    if (f->n_places > 1) fprintf(file, "    further places: %zu\n", f->n_places - 1);
}

/* ---- findings of one source ---- */

static bool has_sources(const alert *a) {
    return a->finding->rule->follows_null;
}

int findings_group(alert *list, size_t n) {
    bool *led = calloc(n + 1, sizeof *led); /* by cause */
    if (!led) return fail_memory();
    for (size_t i = 0; i < n; i++) {
        size_t cause = list[i].finding->cause;
        list[i].leads = gate_tells(&list[i]) && !led[cause];
        led[cause] |= list[i].leads;
    }
    free(led);
    return 0;
}

bool finding_is_told(const told_findings *of, const alert *a) {
    return of->grouped && has_sources(a) ? a->leads : gate_tells(a);
}

/* Other findings of the same source that are printed: the first few, and how many there are. */
static void print_siblings(FILE *file, const told_findings *of, const alert *leader) {
    enum { MOST = 4 };
    size_t n = 0, i = (size_t)(leader - of->list);
    while (of->list[i].finding->next != i) {
        i = of->list[i].finding->next;
        if (!gate_tells(&of->list[i]) || n++ >= MOST) continue;
        fprintf(file, "    also ");
        print_headline(file, of->graph, of->list[i].finding);
    }
    if (n > MOST)
        fprintf(file, "    and at %zu more place%s\n", n - MOST, n - MOST == 1 ? "" : "s");
}

static void print_row(FILE *file, const void *of, const void *row) {
    const told_findings *told = of;
    const alert *a = row;
    if (!finding_is_told(told, a)) return;
    print_finding(file, told, a->finding);
    gate_explain(file, a);
    if (told->grouped && has_sources(a)) print_siblings(file, told, a);
}

/* ---- JSON ---- */

static json_t *step_json(const cflr_graph *graph, const cflr_step *step) {
    json_t *object = json_object();
    json_set_place(object, step->place.file, step->place.line, step->place.column);
    json_set_text(object, "symbol", step->pair.symbol);
    if (step->pair.index[0]) json_set_text(object, "index", step->pair.index);
    json_set(object, "from", vertex_json(graph, step->pair.source));
    json_set(object, "to", vertex_json(graph, step->pair.target));
    if (step->object != CFLR_NO_VERTEX)
        json_set(object, "object", vertex_json(graph, step->object));
    if (step->n_route == 0) return object;
    json_t *route = json_array();
    for (size_t i = 0; i < step->n_route; i++)
        json_array_append_new(route, step_json(graph, &step->route[i]));
    json_set(object, "route", route);
    return object;
}

static json_t *further_json(const cflr_graph *graph, const cflr_finding *f) {
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_further; i++) {
        const cflr_origin *from = &f->further[i];
        json_t *object = json_object();
        json_set_place(object, from->place.file, from->place.line, from->place.column);
        json_set(object, "source", vertex_json(graph, from->source));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *finding_json(const void *of, const void *row) {
    const cflr_graph *graph = ((const told_findings *)of)->graph;
    const alert *a = row;
    const cflr_finding *f = a->finding;
    json_t *object = json_object(), *path = json_array(), *origin = json_object();
    json_set_place(object, f->place.file, f->place.line, f->place.column);
    json_set_text(object, "rule", f->rule->name);
    json_set_text(object, "message", f->rule->message);
    json_set_text(object, "fingerprint", f->fingerprint);
    alert_json(a, object);
    json_set(object, "likely", json_boolean(f->likely));
    if (f->rank != CFLR_RANK_NONE) {
        json_set_text(object, "rank", cflr_rank_name(f->rank));
        json_set_text(object, "reason", cflr_rank_reason(f->rank));
    }
    if (f->uncalled[0]) json_set_text(object, "uncalled", f->uncalled);
    json_set_place(origin, f->origin.file, f->origin.line, f->origin.column);
    json_set(object, "origin", origin);
    json_set(object, "source", vertex_json(graph, f->source));
    json_set(object, "sink", vertex_json(graph, f->sink));
    json_set_count(object, "sources", f->n_sources);
    if (f->n_further > 0) json_set(object, "further_sources", further_json(graph, f));
    json_set_count(object, "places", f->n_places);
    for (size_t i = 0; i < f->n_steps; i++)
        json_array_append_new(path, step_json(graph, &f->step[i]));
    json_set(object, "path", path);
    return object;
}

const row_kind finding_rows = {"findings", print_row, finding_json};
