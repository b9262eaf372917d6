/* SPDX-License-Identifier: Apache-2.0
 *
 * html.c: alerts as one page of HTML that needs nothing else, for people.
 *
 *     page/frame.html    with @style@, @view@ and @data@ replaced
 *     page/style.css     how it looks, light and dark
 *     page/view.js       what it does; its head says what the data is
 *
 * The data has each file once, with those of its lines that are near a step. Nothing of the program
 * can become markup: the data is JSON in which no `<` is left, and the page makes text of it. Time
 * and size are linear in steps and in the lines of files that have one.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/gate.h"
#include "cli/alerts/reports.h"
#include "cli/alerts/suppressions.h"
#include "cli/alerts/tree.h"
#include "cli/names/names.h"

enum {
    MOST_ALERTS = 20000,
    MOST_STEPS = 300, /* of one alert */
    AROUND = 3,       /* lines of code on both sides of a step */
    MOST_LINE = 400,  /* bytes of a line that are shown */
};

/* Made by cmake/embed.cmake of page/. */
extern const struct cflri_embedded {
    const char *name;
    const char *text;
} cflri_page_texts[];

typedef struct page_file {
    char *path;
    int number;
    bool *line; /* by number: it is shown; n_lines of them */
    size_t n_lines;
} page_file;

typedef struct page {
    const alerts *alerts;
    FILE *file;
    void *by_path; /* tsearch */
    page_file **files;
    size_t n_files, file_capacity;
    size_t n_steps, n_left_out; /* of the alert at hand */
    json_t *steps;
} page;

/* ---- files and their lines ---- */

static int compare_files(const void *a, const void *b) {
    const page_file *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static page_file *file_of(page *p, const char *path) {
    page_file *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) exit(fail_memory());
    page_file **at = tsearch(made, &p->by_path, compare_files);
    if (!at) exit(fail_memory());
    if (*at != made) {
        free(made->path);
        free(made);
        return *at;
    }
    if (!make_room(&p->files, &p->file_capacity, p->n_files, sizeof *p->files)) exit(fail_memory());
    made->number = (int)p->n_files;
    p->files[p->n_files++] = made;
    return made;
}

/* The number of a place's file, whose lines around it are shown then; -1: it has none. */
static int show_place(page *p, const cflr_place *place) {
    if (!place->file[0] || place->line == 0) return -1;
    page_file *f = file_of(p, place->file);
    size_t first = place->line > AROUND ? place->line - AROUND : 1, end = place->line + AROUND + 1;
    if (end > f->n_lines) {
        size_t n = 2 * end;
        bool *grown = realloc(f->line, n * sizeof *grown);
        if (!grown) exit(fail_memory());
        memset(grown + f->n_lines, 0, (n - f->n_lines) * sizeof *grown);
        f->line = grown;
        f->n_lines = n;
    }
    for (size_t i = first; i < end; i++) f->line[i] = true;
    return f->number;
}

/* [path, {"17": "the line"}] */
static json_t *file_json(const page_file *f) {
    json_t *list = json_array(), *lines = json_object();
    char *text = NULL, number[24];
    size_t capacity = 0;
    FILE *file = fopen(f->path, "r");
    for (size_t i = 1; file && i < f->n_lines && getline(&text, &capacity, file) >= 0; i++) {
        if (!f->line[i]) continue;
        text[strcspn(text, "\r\n")] = '\0';
        if (strlen(text) > MOST_LINE) strcpy(text + MOST_LINE - 4, "...");
        snprintf(number, sizeof number, "%zu", i);
        json_set_text(lines, number, text);
    }
    free(text);
    if (file) fclose(file);
    json_array_append_new(list, json_text(tree_name(f->path)));
    json_array_append_new(list, lines);
    return list;
}

/* ---- steps ---- */

/* [text, file, line, column, nesting] */
static void add_step(page *p, const char *text, const cflr_place *place, int nesting) {
    json_t *step = json_array();
    json_array_append_new(step, json_text(text));
    json_array_append_new(step, json_integer(show_place(p, place)));
    json_array_append_new(step, json_integer(place->line));
    json_array_append_new(step, json_integer(place->column));
    json_array_append_new(step, json_integer(nesting));
    json_array_append_new(p->steps, step);
}

static void walk_step(page *p, const cflr_step *step, int nesting) {
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

static json_t *steps_json(page *p, const alert *a) {
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
    const cflr_place begin = source_place(p->alerts->graph, f), nowhere = {"", 0, 0};
    add_step(p, source.name, &begin, 0);
    for (size_t i = 0; i + 1 < f->n_steps; i++) walk_step(p, &f->step[i], 0);
    snprintf(text, sizeof text, "%zu more steps", p->n_left_out);
    if (p->n_left_out > 0) add_step(p, text, &nowhere, 0);
    add_step(p, sink.name, &f->place, 0);
    return p->steps;
}

/* ---- alerts and rules ---- */

static void append_rank(json_t *list, const cflr_finding *f) {
    char text[200] = "";
    if (f && f->rank != CFLR_RANK_NONE)
        snprintf(text, sizeof text, "%s: %s", cflr_rank_name(f->rank), cflr_rank_reason(f->rank));
    json_array_append_new(list, json_text(text));
}

/* [rule, level, text, file, line, column, function, state, why, rank, steps] */
static json_t *alert_row(page *p, const alert *a) {
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

/* JSON without `<`, which could end the element that it is in. */
static int put_escaped(const char *text, size_t n, void *user) {
    FILE *file = user;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(text[i], file);
    }
    return 0;
}

static void put_json(FILE *file, json_t *value) {
    json_dump_callback(value, put_escaped, file,
                       JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY);
    json_decref(value);
}

static void put_alerts(page *p, size_t *left_out) {
    size_t n = 0;
    fputs("\"alerts\":[", p->file);
    for (size_t i = 0; i < p->alerts->n; i++) {
        const alert *a = &p->alerts->list[i];
        if (!a->asked) continue;
        if (n == MOST_ALERTS) {
            ++*left_out;
            continue;
        }
        fputs(n++ ? ",\n" : "\n", p->file);
        put_json(p->file, alert_row(p, a));
    }
}

static json_t *summary_json(const alerts *a, size_t left_out) {
    char *text = NULL, *rest = gate_summary(a);
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) exit(fail_memory());
    fprintf(file, "%zu fail the run%s. %u of %u units were read in full", gate_failures(a),
            rest ? rest : "", a->units - a->units_faulty, a->units);
    if (!a->complete) fputs("; the run was stopped early, and there may be more", file);
    if (left_out > 0) fprintf(file, "; %zu more are not on this page", left_out);
    fprintf(file, ". cflr %s", cflr_version());
    free(rest);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    json_t *value = json_text(text);
    free(text);
    return value;
}

static void put_data(page *p) {
    const alerts *a = p->alerts;
    size_t left_out = 0, n_checks = a->n_rules - a->n_findings_rules;
    fprintf(p->file, "{\"title\":\"cflr: findings\",\"baseline\":%s,\n\"rules\":[",
            gate_has_baseline() ? "true" : "false");
    for (size_t i = 0; i < a->n_rules; i++) {
        if (i > 0) fputc(',', p->file);
        put_json(p->file, rule_row(a->rule[i], i < n_checks ? NULL : &a->rules[i - n_checks]));
    }
    fputs("],\n", p->file);
    put_alerts(p, &left_out);
    fputs("],\n\"files\":[", p->file);
    for (size_t i = 0; i < p->n_files; i++) {
        fputs(i ? ",\n" : "\n", p->file);
        put_json(p->file, file_json(p->files[i]));
    }
    fputs("],\n\"summary\":", p->file);
    put_json(p->file, summary_json(a, left_out));
    fputs("}", p->file);
}

static const char *text_of(const char *name, size_t length) {
    size_t i = 0;
    while (strlen(cflri_page_texts[i].name) != length ||
           strncmp(cflri_page_texts[i].name, name, length) != 0)
        i++;
    return cflri_page_texts[i].text;
}

static void free_file(void *node) {
    page_file *f = node;
    free(f->path);
    free(f->line);
    free(f);
}

void html_write(FILE *file, const alerts *a) {
    page p = {.alerts = a, .file = file};
    for (const char *at = text_of("frame", 5); *at;) {
        size_t n = strcspn(at, "@");
        fwrite(at, 1, n, file);
        at += n;
        if (!*at) break;
        size_t length = strcspn(at + 1, "@");
        if (length == 4 && strncmp(at + 1, "data", length) == 0)
            put_data(&p);
        else
            fputs(text_of(at + 1, length), file);
        at += length + 2;
    }
    tdestroy(p.by_path, free_file);
    free(p.files);
}
