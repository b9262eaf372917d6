/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_imprecision.c: `cflr explain --imprecision RESULT`: by what most points-to pairs come
 * about, and what would be left without it.
 *
 * A cause (causes.c) is a change of the graph, and its worth the pairs that are gone in an estimate
 * of the changed graph (cflr/estimate.h). The best one is taken, and the others are looked at again
 * on what is left, because causes hide each other: two ways by which everything meets everything
 * are worth nothing one by one.
 *
 *     round:   all groups (all functions without model, ...), and of kinds without one the TRIED
 *              heaviest -> the best
 *              its TRIED heaviest members -> one of them, if it is worth nearly as much
 *
 * O(causes told * (kinds + TRIED)) estimates. With --time, what was found until then is told.
 */
#include "cli/explain_imprecision.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/causes.h"

enum {
    TRIED = 4,
    NAMED = 3,
    KINDS = 32, /* at least as many as there are kinds of vertices */
};
static const double nearly = 0.7;    /* of what the group is worth */
static const double worth_it = 0.02; /* of the pairs */

/* A cause that is told. */
typedef struct told {
    const cause *cause;
    cflr_estimate_sums before, after;
} told;

typedef struct profile {
    const cflr_graph *graph;
    uint8_t *change; /* by vertex */
    causes all;
    told *told;
    uint32_t n_told;
    cflr_estimate *estimate; /* of the graph as it is changed so far */
    cflr_estimate_sums real, sums;
    uint64_t by_kind[KINDS]; /* pairs of the result by the kind of the object */
    cflr_error error;
    cflr_status status; /* of the last estimate */
} profile;

/* ---- the result ---- */

static void count_row(profile *p, const uint32_t *row, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p->graph, row[k], &info);
        p->by_kind[info.kind]++;
    }
    p->real.objects += n;
    p->real.pointers += n > 0;
}

/* 0, or the exit code after a message. */
static int count_pairs(profile *p, const cflr_result *result) {
    uint32_t label = answering_label(result, "points-to"), vertex;
    cflr_result_label info;
    if (label == CFLR_NO_LABEL) {
        complain("the result does not answer points-to");
        return cflr_status_exit_code(CFLR_ARGUMENT);
    }
    cflr_result_get_label(result, label, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        uint64_t cursor = 0, n;
        const uint32_t *row;
        while (!out_of_time() &&
               (row = cflr_result_next_row(result, label, i, &cursor, &vertex, &n)))
            count_row(p, row, n);
    }
    return 0;
}

/* ---- what a cause is worth ---- */

static void set_change(profile *p, const cause *c, cflr_change change) {
    for (size_t i = 0; i < c->n; i++) p->change[c->vertex[i]] = (uint8_t)change;
}

/* Is it part of what was told already? */
static bool is_told(const profile *p, const cause *c) {
    return p->change[c->vertex[0]] != CFLR_CHANGE_NONE &&
           p->change[c->vertex[c->n - 1]] != CFLR_CHANGE_NONE;
}

/* The estimate without the cause; the graph is then as before. */
static bool try_cause(profile *p, const cause *c, cflr_estimate **estimate) {
    uint8_t *before = malloc(c->n + 1);
    if (!before) {
        p->status = CFLR_NO_MEMORY;
        fail_memory();
        return false;
    }
    for (size_t i = 0; i < c->n; i++) before[i] = p->change[c->vertex[i]];
    set_change(p, c, cause_change(c));
    p->status = cflr_estimate_new(p->graph, p->change, estimate, &p->error);
    for (size_t i = 0; i < c->n; i++) p->change[c->vertex[i]] = before[i];
    free(before);
    return p->status == CFLR_OK;
}

/* The best so far. */
typedef struct best {
    const cause *cause;
    cflr_estimate *estimate;
    cflr_estimate_sums sums;
} best;

static bool consider(profile *p, const cause *c, best *b) {
    cflr_estimate *estimate;
    if (!try_cause(p, c, &estimate)) return false;
    cflr_estimate_sums sums = cflr_estimate_get(estimate);
    if (b->cause && sums.objects >= b->sums.objects) {
        cflr_estimate_free(estimate);
        return true;
    }
    cflr_estimate_free(b->estimate);
    *b = (best){c, estimate, sums};
    return true;
}

static void weigh(const profile *p, cause *c) {
    c->weight = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint64_t objects = cflr_estimate_objects(p->estimate, c->vertex[i]);
        if (objects * c->places > c->weight) c->weight = objects * c->places;
    }
}

static bool is_heavier(const cause *a, const cause *b) {
    return a->weight != b->weight ? a->weight > b->weight : a->n > b->n;
}

/* The heaviest member of a kind that was not tried. */
static cause *next_member(profile *p, cause_kind kind, const bool *tried) {
    cause *found = NULL;
    for (size_t i = 0; i < p->all.n; i++) {
        cause *c = &p->all.at[i];
        if (c->group || c->kind != kind || tried[i] || is_told(p, c)) continue;
        weigh(p, c);
        if (!found || is_heavier(c, found)) found = c;
    }
    return found;
}

/* The best of the heaviest members of a kind. False when stopped. */
static bool best_of_kind(profile *p, cause_kind kind, best *b) {
    bool *tried = calloc(p->all.n + 1, sizeof *tried);
    bool going = tried != NULL;
    if (!tried) p->status = CFLR_NO_MEMORY;
    for (uint32_t i = 0; going && i < TRIED; i++) {
        cause *c = next_member(p, kind, tried);
        if (!c) break;
        tried[c - p->all.at] = true;
        going = consider(p, c, b);
    }
    free(tried);
    return going;
}

/* A kind with one place has no group. */
static bool has_group(const profile *p, cause_kind kind) {
    for (size_t i = 0; i < p->all.n && p->all.at[i].group; i++)
        if (p->all.at[i].kind == kind) return true;
    return false;
}

static bool best_of_all(profile *p, best *b) {
    bool going = true;
    for (size_t i = 0; going && i < p->all.n && p->all.at[i].group; i++)
        if (!is_told(p, &p->all.at[i])) going = consider(p, &p->all.at[i], b);
    for (cause_kind kind = 0; going && kind < CAUSE_KINDS; kind++)
        if (!has_group(p, kind)) going = best_of_kind(p, kind, b);
    return going;
}

/* One member in the place of its group, if it is worth nearly as much. False when stopped: the
 * group stays. */
static bool best_member(profile *p, best *group) {
    best b = {0};
    bool going = best_of_kind(p, group->cause->kind, &b);
    double whole = (double)p->sums.objects - (double)group->sums.objects;
    if (b.cause && (double)p->sums.objects - (double)b.sums.objects >= nearly * whole) {
        cflr_estimate_free(group->estimate);
        *group = b;
    } else {
        cflr_estimate_free(b.estimate);
    }
    return going;
}

/* False at the end: nothing is worth it, or the time is over. */
static bool tell_next(profile *p) {
    best b = {0};
    bool going = best_of_all(p, &b);
    if (going && b.cause && b.cause->group) going = best_member(p, &b);
    double gain = b.cause ? (double)p->sums.objects - (double)b.sums.objects : 0;
    if (gain <= worth_it * (double)p->sums.objects) {
        cflr_estimate_free(b.estimate);
        return false;
    }
    p->told[p->n_told++] = (told){b.cause, p->sums, b.sums};
    set_change(p, b.cause, cause_change(b.cause));
    cflr_estimate_free(p->estimate);
    p->estimate = b.estimate;
    p->sums = b.sums;
    return going;
}

/* ---- printing ---- */

static double average(cflr_estimate_sums sums) {
    return sums.pointers ? (double)sums.objects / (double)sums.pointers : 0;
}

static double share(const told *t) {
    return 100 * ((double)t->before.objects - (double)t->after.objects) / (double)t->before.objects;
}

static void print_kinds(const profile *p, FILE *file) {
    for (int kind = 0; kind < KINDS; kind++) {
        double part = 100 * (double)p->by_kind[kind] / (double)(p->real.objects + !p->real.objects);
        if (part < 1) continue;
        fprintf(file, "%-24s %14.0f  %% of the pairs\n",
                cflr_vertex_kind_name((cflr_vertex_kind)kind), part);
    }
}

static bool is_named(const cause *c, const cause *const *named, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (named[i] == c) return true;
    return false;
}

/* The heaviest members of a group, NAMED at most: how many. */
static uint32_t name_members(const profile *p, const cause *group, const cause *named[NAMED]) {
    uint32_t n = 0;
    for (const cause *next; n < NAMED; named[n++] = next) {
        next = NULL;
        for (size_t i = 0; i < p->all.n; i++) {
            const cause *c = &p->all.at[i];
            if (c->group || c->kind != group->kind || is_named(c, named, n)) continue;
            if (!next || is_heavier(c, next)) next = c;
        }
        if (!next) break;
    }
    return n;
}

static void print_places(const profile *p, const cause *c, FILE *file) {
    const cause *named[NAMED];
    if (!c->group) {
        if (c->places > 1) fprintf(file, " (%zu places)", c->places);
        return;
    }
    uint32_t n = name_members(p, c, named);
    fprintf(file, " (%zu functions: ", c->places);
    for (uint32_t i = 0; i < n; i++) fprintf(file, "%s%s", i ? ", " : "", shown(named[i]->name));
    fputs(n < c->places ? ", ...)" : ")", file);
}

static void print_told(const profile *p, uint32_t i, FILE *file) {
    const told *t = &p->told[i];
    fprintf(file, "\n%" PRIu32 ". ", i + 1);
    cause_print(t->cause, file);
    print_places(p, t->cause, file);
    fprintf(file, "\n   without: %.0f %% of the pairs less, %.1f objects a pointer\n   do: %s\n",
            share(t), average(t->after), cause_advice(t->cause));
}

static void print_result(const profile *p, FILE *file) {
    fprintf(file, "%-24s %14.1f\n", "objects a pointer", average(p->real));
    fprintf(file, "%-24s %14" PRIu64 "\n", "pairs", p->real.objects);
    print_kinds(p, file);
}

static int print_text(const profile *p) {
    FILE *file = open_output();
    if (p->real.pointers) print_result(p, file);
    if (p->estimate)
        fprintf(file, "%-24s %14.1f  objects a pointer; so is what is left, below\n", "estimate",
                average(p->n_told ? p->told[0].before : p->sums));
    for (uint32_t i = 0; i < p->n_told; i++) print_told(p, i, file);
    if (p->status == CFLR_OK && !p->n_told) fputs("no cause is worth 2 % of the pairs\n", file);
    return finish_output(file, 0);
}

static void set_sums(json_t *object, const char *pointers, const char *objects,
                     cflr_estimate_sums sums) {
    json_set_count(object, pointers, sums.pointers);
    json_set_count(object, objects, sums.objects);
}

static void set_place(json_t *object, const cause *c) {
    json_set_text(object, "file", c->file ? c->file : "");
    json_set_count(object, "line", c->line);
}

static json_t *members_json(const profile *p, const cause *c) {
    const cause *named[NAMED];
    json_t *list = json_array();
    uint32_t n = name_members(p, c, named);
    for (uint32_t i = 0; i < n; i++) {
        json_t *member = json_object();
        json_set_text(member, "name", named[i]->name);
        set_place(member, named[i]);
        json_array_append_new(list, member);
    }
    return list;
}

static json_t *told_json(const profile *p, const told *t) {
    json_t *object = json_object();
    json_set_text(object, "cause", cause_word(t->cause));
    if (!t->cause->group) json_set_text(object, "name", t->cause->name);
    if (t->cause->group) json_set(object, "heaviest", members_json(p, t->cause));
    set_place(object, t->cause);
    json_set_count(object, "places", t->cause->places);
    set_sums(object, "pointing", "pointees", t->after);
    json_set(object, "share", json_real(share(t) / 100));
    json_set_text(object, "advice", cause_advice(t->cause));
    return object;
}

static int print_causes_json(const profile *p) {
    json_t *object = json_object(), *kinds = json_object(), *list = json_array();
    if (p->real.pointers) set_sums(object, "pointing", "pointees", p->real);
    for (int kind = 0; kind < KINDS; kind++)
        if (p->by_kind[kind])
            json_set_count(kinds, cflr_vertex_kind_name((cflr_vertex_kind)kind), p->by_kind[kind]);
    json_set(object, "pointees_by_kind", kinds);
    set_sums(object, "estimated_pointing", "estimated_pointees",
             p->n_told ? p->told[0].before : p->sums);
    for (uint32_t i = 0; i < p->n_told; i++) json_array_append_new(list, told_json(p, &p->told[i]));
    json_set(object, "causes", list);
    json_set(object, "complete", json_boolean(p->status == CFLR_OK));
    return print_json(object, 0);
}

/* ---- the command ---- */

static int profile_run(profile *p, uint32_t most) {
    p->told = calloc((size_t)most + 1, sizeof *p->told);
    p->change = calloc((size_t)cflr_graph_vertices(p->graph) + 1, 1);
    if (!p->told || !p->change) return fail_memory();
    if (!causes_find(p->graph, &p->all)) return cflr_status_exit_code(CFLR_NO_MEMORY);
    p->status = cflr_estimate_new(p->graph, p->change, &p->estimate, &p->error);
    if (p->status == CFLR_OK) p->sums = cflr_estimate_get(p->estimate);
    while (p->status == CFLR_OK && p->n_told < most && tell_next(p)) continue;
    int code = wants_json() ? print_causes_json(p) : print_text(p);
    bool stopped = p->status == CFLR_LIMIT || p->status == CFLR_CANCELLED;
    if (stopped) return code ? code : fail_out_of_time("not all causes were looked at");
    return p->status == CFLR_OK ? code : fail(&p->error);
}

int explain_imprecision(const char *path, uint32_t most) {
    profile p = {0};
    cflr_result *result = NULL;
    cflr_graph *graph = NULL;
    if (cflr_result_or_graph_load(session(), path, &result, &graph, &p.error) != CFLR_OK)
        return fail(&p.error);
    p.graph = result ? cflr_result_graph(result) : graph;
    int code = result ? count_pairs(&p, result) : 0;
    if (!code) code = profile_run(&p, most);
    cflr_estimate_free(p.estimate);
    causes_free(&p.all);
    free(p.told);
    free(p.change);
    cflr_result_free(result);
    cflr_graph_free(graph);
    return code;
}
