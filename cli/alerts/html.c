/* SPDX-License-Identifier: Apache-2.0
 *
 * html.c: alerts as one page of HTML that needs nothing else, for people (cli/page/page.h).
 *
 *     page/findings_body.html   what is in it
 *     page/findings_look.css    how it looks
 *     page/findings_view.js     what it does; its head says what the data is
 *
 * The data has each file once, with those of its lines that are near a step. Time and size are
 * linear in steps and in the lines of files that have one.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/gate.h"
#include "cli/alerts/reports.h"
#include "cli/alerts/suppressions.h"
#include "cli/alerts/tree.h"
#include "cli/names/names.h"
#include "cli/page/page.h"

enum {
    MOST_ALERTS = 20000,
    MOST_STEPS = 300, /* of one alert */
    AROUND = 3,       /* lines of code on both sides of a step */
};

typedef struct findings_page {
    const alerts *alerts;
    page_sources *sources;
    size_t n_steps, n_left_out; /* of the alert at hand */
    json_t *steps;
} findings_page;

/* The number of a place's file, whose lines around it are shown then; -1: it has none. */
static int show_place(findings_page *p, const cflr_place *place) {
    return sources_show(p->sources, place->file, place->line, AROUND);
}

/* ---- steps ---- */

/* [text, file, line, column, nesting] */
static void add_step(findings_page *p, const char *text, const cflr_place *place, int nesting) {
    json_t *step = json_array();
    json_array_append_new(step, json_text(text));
    json_array_append_new(step, json_integer(show_place(p, place)));
    json_array_append_new(step, json_integer(place->line));
    json_array_append_new(step, json_integer(place->column));
    json_array_append_new(step, json_integer(nesting));
    json_array_append_new(p->steps, step);
}

static void walk_step(findings_page *p, const cflr_step *step, int nesting) {
    if (step->kind == CFLR_STEP_SILENT) return;
    if (p->n_steps++ < MOST_STEPS) {
        char *text = step_text(p->alerts->graph, step);
        add_step(p, text, &step->place, nesting);
        free(text);
    } else {
        p->n_left_out++;
    }
    for (size_t i = 0; i < step->n_route; i++) walk_step(p, &step->route[i], nesting + 1);
}

static json_t *steps_json(findings_page *p, const alert *a) {
    const cflr_finding *f = a->finding;
    cflr_vertex_info source, sink;
    char text[80];
    p->steps = json_array();
    p->n_steps = p->n_left_out = 0;
    if (!f) {
        add_step(p, a->text, &a->place, 0);
        return p->steps;
    }
    look_at(p->alerts->graph, f->source, &source);
    look_at(p->alerts->graph, f->sink, &sink);
    const cflr_place nowhere = {"", 0, 0};
    add_step(p, source.name, &f->origin, 0);
    for (size_t i = 0; i + 1 < f->n_steps; i++) walk_step(p, &f->step[i], 0);
    snprintf(text, sizeof text, "%zu more steps", p->n_left_out);
    if (p->n_left_out > 0) add_step(p, text, &nowhere, 0);
    add_step(p, sink.name, &f->place, 0);
    return p->steps;
}

/* ---- alerts and rules ---- */

static void append_rank(json_t *list, const cflr_finding *f) {
    char *text = f ? rank_text(f) : NULL;
    json_array_append_new(list, json_text(text ? text : ""));
    free(text);
}

/* Steps as those of paths, and in the end how many more there are. */
static json_t *further_json(findings_page *p, const cflr_finding *f) {
    const cflr_place nowhere = {"", 0, 0};
    char text[80];
    p->steps = json_array();
    for (size_t i = 0; f && i < f->n_further; i++) {
        cflr_vertex_info source;
        look_at(p->alerts->graph, f->further[i].source, &source);
        add_step(p, source.name, &f->further[i].place, 0);
    }
    size_t more = f ? f->n_sources - 1 - f->n_further : 0;
    snprintf(text, sizeof text, "%zu more", more);
    if (more > 0) add_step(p, text, &nowhere, 0);
    return p->steps;
}

/* [rule, level, text, file, line, column, function, state, why, rank, steps, further] */
static json_t *alert_row(findings_page *p, const alert *a) {
    json_t *list = json_array();
    json_array_append_new(list, json_integer((json_int_t)alerts_rule(p->alerts, a->rule)));
    json_array_append_new(list, json_integer(a->level));
    json_array_append_new(list, json_text(a->text));
    json_array_append_new(list, json_integer(show_place(p, &a->place)));
    json_array_append_new(list, json_integer(a->place.line));
    json_array_append_new(list, json_integer(a->place.column));
    json_array_append_new(list, json_text(a->function));
    json_array_append_new(list, json_integer(a->suppressed ? 2 : a->known));
    json_array_append_new(list, json_text(a->suppressed ? a->suppressed->reason : ""));
    append_rank(list, a->finding);
    json_array_append_new(list, steps_json(p, a));
    json_array_append_new(list, further_json(p, a->finding));
    return list;
}

/* [name, message, help, CWE numbers] */
static json_t *rule_row(const char *name, const cflr_rule *rule) {
    char numbers[80] = "";
    json_t *list = json_array();
    for (size_t i = 0, n = 0; rule && i < rule->n_cwe && n + 16 < sizeof numbers; i++)
        n += (size_t)snprintf(numbers + n, sizeof numbers - n, "%sCWE-%u", i ? ", " : "",
                              rule->cwe[i]);
    json_array_append_new(list, json_text(name));
    json_array_append_new(list,
                          json_text(rule ? rule->message : "what the source says of aliases"));
    json_array_append_new(list, json_text(rule ? rule->help : ""));
    json_array_append_new(list, json_text(numbers));
    return list;
}

/* ---- the page ---- */

static void put_alerts(findings_page *p, FILE *file, size_t *left_out) {
    size_t n = 0;
    fputs("\"alerts\":[", file);
    for (size_t i = 0; i < p->alerts->n; i++) {
        const alert *a = &p->alerts->list[i];
        if (!a->asked) continue;
        if (n == MOST_ALERTS) {
            ++*left_out;
            continue;
        }
        fputs(n++ ? ",\n" : "\n", file);
        page_put(file, alert_row(p, a));
    }
}

static json_t *summary_json(const alerts *a, size_t left_out) {
    char *text = NULL, *rest = gate_summary(a), *units = alerts_units(a);
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) exit(fail_memory());
    fprintf(file, "%zu fail the run%s. %s", gate_failures(a), rest ? rest : "", units);
    if (!a->complete) fputs("; the run was stopped early, and there may be more", file);
    if (left_out > 0) fprintf(file, "; %zu more are not on this page", left_out);
    fprintf(file, ". cflr %s", cflr_version());
    free(rest);
    free(units);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    json_t *value = json_text(text);
    free(text);
    return value;
}

static void put_data(FILE *file, void *user) {
    findings_page *p = user;
    const alerts *a = p->alerts;
    size_t left_out = 0, n_checks = a->n_rules - a->n_findings_rules;
    fprintf(file, "{\"title\":\"cflr: findings\",\"baseline\":%s,\n\"rules\":[",
            gate_has_baseline() ? "true" : "false");
    for (size_t i = 0; i < a->n_rules; i++) {
        if (i > 0) fputc(',', file);
        page_put(file, rule_row(a->rule[i], i < n_checks ? NULL : &a->rules[i - n_checks]));
    }
    fputs("],\n", file);
    put_alerts(p, file, &left_out);
    fputs("],\n\"files\":", file);
    sources_put(file, p->sources, tree_name);
    fputs(",\n\"summary\":", file);
    page_put(file, summary_json(a, left_out));
    fputs("}", file);
}

void html_write(FILE *file, const alerts *a) {
    findings_page p = {.alerts = a, .sources = sources_new()};
    page_write(file, "findings", put_data, &p);
    sources_free(p.sources);
}
