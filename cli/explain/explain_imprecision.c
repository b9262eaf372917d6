/* SPDX-License-Identifier: Apache-2.0
 *
 * explain_imprecision.c: `cflr explain --imprecision RESULT`: by what most points-to pairs come
 * about, and what would be left without it.
 *
 * A cause (causes.c) is a change of the graph, and its worth the pairs that are gone in the closure
 * of the changed graph (cflr/change.h). The best one is taken, and the others are looked at again
 * on what is left, because causes hide each other: two ways by which everything meets everything
 * are worth nothing one by one.
 *
 *     first round    all groups (all functions without model, ...), and of kinds without one the
 *                    TRIED heaviest -> the best
 *     later ones     those that were measured, by what they were worth then, until the best one is
 *                    worth more now than the next was; all again before it is said that none is
 *     each           the TRIED heaviest members of a group -> one in its place, if it is worth
 *                    nearly as much
 *
 * A closure for each; so O(kinds * TRIED) closures, and a few more for each cause that is printed.
 * With --time, the causes found until then are.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explain/causes.h"
#include "cli/explain/explain.h"
#include "cli/run/writer.h"

enum {
    TRIED = 2,
    NAMED = 3,
    KINDS = 32, /* at least as many as there are kinds of vertices */
};
static const double nearly = 0.7;    /* of what the group is worth */
static const double worth_it = 0.02; /* of the pairs */

typedef struct amount {
    uint64_t pointers, objects; /* how many point to something; and to how many, summed */
} amount;

/* A cause that is printed. */
typedef struct told {
    const cause *cause;
    amount before, after;
} told;

/* A graph and its closure. */
typedef struct closed {
    cflr_graph *graph;
    cflr_result *result;
    amount sums;
} closed;

typedef struct profile {
    const cflr_graph *graph;
    const cflr_grammar *grammar;
    const char *symbol; /* that answers points-to */
    uint8_t *change;    /* by vertex */
    uint64_t *pointed;  /* by vertex: how many point to it, in `result` */
    causes all;
    told *told;
    uint32_t n_told;
    const cflr_result *result; /* of the graph as it is changed so far */
    closed own;                /* what of it is ours */
    amount real, sums;         /* of the graph as it is, and as it is changed so far */
    uint64_t by_kind[KINDS];   /* pairs by the kind of the object */
    cflr_error error;
    cflr_status status; /* of the last closure */
} profile;

static void free_closed(closed *c) {
    cflr_result_free(c->result);
    cflr_graph_free(c->graph);
    *c = (closed){0};
}

/* ---- a closure ---- */

typedef void on_row(profile *p, const uint32_t *row, uint64_t n);

/* The pairs of the vertices that the program has; `count`, if any, is called for each row. */
static amount count_pairs(profile *p, const cflr_result *result, on_row *count) {
    amount found = {0};
    uint32_t label = cflr_result_find_label(result, p->symbol);
    cflr_result_label info = {0};
    cflr_row row = {0};
    if (label != CFLR_NO_LABEL) cflr_result_get_label(result, label, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        uint64_t cursor = 0;
        while (read_next_row(result, label, i, &cursor, &row)) {
            if (row.vertex >= cflr_graph_vertices(p->graph)) continue;
            found.objects += row.count;
            found.pointers++;
            if (count) count(p, row.target, row.count);
        }
    }
    cflr_row_free(&row);
    return found;
}

/* False, with the reason in `status`, when it was not made. */
static bool solve(profile *p, const cflr_graph *graph, cflr_result **result) {
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.only = &p->symbol;
    opts.n_only = 1;
    p->status = cflr_solve(graph, p->grammar, &opts, result, &p->error);
    return p->status == CFLR_OK;
}

static void count_pointed(profile *p, const uint32_t *row, uint64_t n) {
    for (uint64_t k = 0; k < n; k++)
        if (row[k] < cflr_graph_vertices(p->graph)) p->pointed[row[k]]++;
}

static void count_kinds(profile *p, const uint32_t *row, uint64_t n) {
    for (uint64_t k = 0; k < n; k++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p->graph, row[k], &info);
        p->by_kind[info.kind]++;
    }
}

/* ---- what a cause is worth ---- */

static void set_change(profile *p, const cause *c) {
    for (size_t i = 0; i < c->n; i++)
        if (c->part[i].change != CFLR_CHANGE_NONE) p->change[c->part[i].vertex] = c->part[i].change;
}

/* Is it part of what was told already? */
static bool is_told(const profile *p, const cause *c) {
    for (size_t i = 0; i < c->n; i++)
        if (c->part[i].change != CFLR_CHANGE_NONE &&
            p->change[c->part[i].vertex] == CFLR_CHANGE_NONE)
            return false;
    return true;
}

/* The closure without the cause; the changes are then as before. */
static bool try_cause(profile *p, const cause *c, closed *without) {
    uint32_t n = cflr_graph_vertices(p->graph);
    uint8_t *before = malloc((size_t)n + 1);
    *without = (closed){0};
    if (!before) {
        p->status = CFLR_NO_MEMORY;
        fail_memory();
        return false;
    }
    memcpy(before, p->change, n);
    set_change(p, c);
    p->status = cflr_graph_change(p->graph, p->change, &without->graph, &p->error);
    memcpy(p->change, before, n);
    free(before);
    if (p->status != CFLR_OK || !solve(p, without->graph, &without->result)) {
        free_closed(without);
        return false;
    }
    without->sums = count_pairs(p, without->result, NULL);
    return true;
}

/* The best so far. */
typedef struct best {
    const cause *cause;
    closed without;
} best;

/* False when stopped. */
static bool consider(profile *p, cause *c, best *b) {
    closed without;
    if (!try_cause(p, c, &without)) return false;
    uint64_t left = without.sums.objects, all = p->sums.objects;
    c->measured = p->n_told + 1;
    c->gain = left < all ? all - left : 0;
    if (b->cause && left >= b->without.sums.objects) {
        free_closed(&without);
        return true;
    }
    free_closed(&b->without);
    *b = (best){c, without};
    return true;
}

static uint64_t objects_of(const profile *p, uint32_t vertex) {
    uint32_t label = cflr_result_find_label(p->result, p->symbol);
    return label == CFLR_NO_LABEL ? 0 : cflr_result_count(p->result, label, 0, vertex);
}

static void weigh(const profile *p, cause *c) {
    c->weight = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t vertex = c->part[i].vertex;
        uint64_t weight = (objects_of(p, vertex) + p->pointed[vertex]) * c->places;
        if (weight > c->weight) c->weight = weight;
    }
}

static bool is_heavier(const cause *a, const cause *b) {
    return a->weight != b->weight ? a->weight > b->weight : a->n > b->n;
}

/* The heaviest member of a kind that was not tried. */
static cause *next_member(profile *p, cause_kind kind) {
    cause *found = NULL;
    for (size_t i = 0; i < p->all.n; i++) {
        cause *c = &p->all.at[i];
        if (c->group || c->kind != kind || c->measured == p->n_told + 1 || is_told(p, c)) continue;
        weigh(p, c);
        if (!found || is_heavier(c, found)) found = c;
    }
    return found;
}

/* The best of the heaviest members of a kind. False when stopped. */
static bool best_of_kind(profile *p, cause_kind kind, best *b) {
    bool going = true;
    for (uint32_t i = 0; going && i < TRIED; i++) {
        cause *c = next_member(p, kind);
        if (!c) break;
        going = consider(p, c, b);
    }
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
        if (!is_told(p, &p->all.at[i]) && p->all.at[i].measured != p->n_told + 1)
            going = consider(p, &p->all.at[i], b);
    for (cause_kind kind = 0; going && kind < CAUSE_KINDS; kind++)
        if (!has_group(p, kind)) going = best_of_kind(p, kind, b);
    return going;
}

/* The cause that was worth most when it was measured last, and was not measured since. */
static cause *next_best(profile *p) {
    cause *found = NULL;
    for (size_t i = 0; i < p->all.n; i++) {
        cause *c = &p->all.at[i];
        if (!c->measured || c->measured == p->n_told + 1 || is_told(p, c)) continue;
        if (!found || c->gain > found->gain) found = c;
    }
    return found;
}

static bool is_worth_it(const profile *p, const best *b) {
    return b->cause && (double)b->cause->gain > worth_it * (double)p->sums.objects;
}

/* False when stopped. */
static bool best_of_measured(profile *p, best *b) {
    bool going = true;
    for (cause *c; going && (c = next_best(p));) {
        if (is_worth_it(p, b) && c->gain <= b->cause->gain) break;
        going = consider(p, c, b);
    }
    return going;
}

/* One member in the place of its group, if it is worth nearly as much. False when stopped: the
 * group stays. */
static bool best_member(profile *p, best *group) {
    best b = {0};
    bool going = best_of_kind(p, group->cause->kind, &b);
    if (b.cause && (double)b.cause->gain >= nearly * (double)group->cause->gain) {
        free_closed(&group->without);
        *group = b;
    } else {
        free_closed(&b.without);
    }
    return going;
}

/* False at the end: nothing is worth it, or the time is over. */
static bool tell_next(profile *p) {
    best b = {0};
    bool going = p->n_told ? best_of_measured(p, &b) : best_of_all(p, &b);
    if (going && p->n_told && !is_worth_it(p, &b)) going = best_of_all(p, &b);
    if (going && b.cause && b.cause->group) going = best_member(p, &b);
    if (!is_worth_it(p, &b)) {
        free_closed(&b.without);
        return false;
    }
    p->told[p->n_told++] = (told){b.cause, p->sums, b.without.sums};
    set_change(p, b.cause);
    free_closed(&p->own);
    p->own = b.without;
    p->result = p->own.result;
    p->sums = p->own.sums;
    memset(p->pointed, 0, cflr_graph_vertices(p->graph) * sizeof *p->pointed);
    count_pairs(p, p->result, count_pointed);
    return going;
}

/* ---- printing ---- */

static double average(amount sums) {
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

static void print_told(FILE *file, const void *of, const void *row) {
    const profile *p = of;
    const told *t = row;
    fprintf(file, "\n%td. ", t - p->told + 1);
    cause_print(t->cause, file);
    print_places(p, t->cause, file);
    fprintf(file, "\n   without: %.0f %% of the pairs less, %.1f objects a pointer\n   do: %s\n",
            share(t), average(t->after), cause_advice(t->cause));
}

static void print_result(const profile *p, FILE *file) {
    fprintf(file, "%-24s %14.1f\n", "objects a pointer", average(p->real));
    print_count(file, "pairs", p->real.objects);
    print_kinds(p, file);
}

static void set_sums(json_t *object, const char *pointers, const char *objects, amount sums) {
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

static json_t *told_json(const void *of, const void *row) {
    const profile *p = of;
    const told *t = row;
    json_t *object = json_object();
    json_set_text(object, "cause", cause_word(t->cause));
    if (!t->cause->group) json_set_text(object, "name", t->cause->name);
    if (!t->cause->group && t->cause->record[0]) json_set_text(object, "record", t->cause->record);
    if (t->cause->group) json_set(object, "heaviest", members_json(p, t->cause));
    set_place(object, t->cause);
    json_set_count(object, "places", t->cause->places);
    set_sums(object, "pointing", "pointees", t->after);
    json_set(object, "share", json_real(share(t) / 100));
    json_set_text(object, "advice", cause_advice(t->cause));
    return object;
}

static void set_result(json_t *object, const profile *p) {
    json_t *kinds = json_object();
    if (p->real.pointers) set_sums(object, "pointing", "pointees", p->real);
    for (int kind = 0; kind < KINDS; kind++)
        if (p->by_kind[kind])
            json_set_count(kinds, cflr_vertex_kind_name((cflr_vertex_kind)kind), p->by_kind[kind]);
    json_set(object, "pointees_by_kind", kinds);
}

static int write_causes(const profile *p) {
    static const row_kind cause_rows = {"causes", print_told, told_json};
    writer w = writer_open();
    if (w.json) set_result(w.json, p);
    if (w.file && p->real.pointers) print_result(p, w.file);
    writer_list(&w, &cause_rows);
    for (uint32_t i = 0; i < p->n_told; i++) writer_row(&w, &cause_rows, p, &p->told[i]);
    if (w.json) json_set(w.json, "complete", json_boolean(p->status == CFLR_OK));
    if (w.file && p->status == CFLR_OK && !p->n_told)
        fputs("no cause is worth 2 % of the pairs\n", w.file);
    return writer_close(&w, 0);
}

/* ---- the command ---- */

/* False when there is no closure, with the reason in `status`. */
static bool begin(profile *p, const cflr_result *result) {
    p->result = result;
    if (!result && !solve(p, p->graph, &p->own.result)) return false;
    if (!result) p->result = p->own.result;
    p->real = p->sums = count_pairs(p, p->result, count_kinds);
    count_pairs(p, p->result, count_pointed);
    return true;
}

static int profile_run(profile *p, const cflr_result *result, uint32_t most) {
    p->told = calloc((size_t)most + 1, sizeof *p->told);
    p->change = calloc((size_t)cflr_graph_vertices(p->graph) + 1, 1);
    p->pointed = calloc((size_t)cflr_graph_vertices(p->graph) + 1, sizeof *p->pointed);
    if (!p->told || !p->change || !p->pointed) return fail_memory();
    int code = causes_find(p->graph, &p->all);
    if (code) return code;
    if (begin(p, result))
        while (p->n_told < most && tell_next(p)) continue;
    bool stopped = p->status == CFLR_LIMIT || p->status == CFLR_CANCELLED;
    if (p->status != CFLR_OK && !stopped) return fail(&p->error);
    code = write_causes(p);
    if (stopped) return code ? code : fail_out_of_time("not all causes were looked at");
    return code;
}

int explain_imprecision(const cflr_graph *graph, const cflr_grammar *grammar,
                        const cflr_result *result, uint32_t most) {
    profile p = {
        .graph = graph, .grammar = grammar, .symbol = cflr_grammar_answer(grammar, "points-to")};
    if (!p.symbol[0]) {
        complain("the grammar does not answer points-to");
        return cflr_status_exit_code(CFLR_ARGUMENT);
    }
    int code = profile_run(&p, result, most);
    free_closed(&p.own);
    causes_free(&p.all);
    free(p.told);
    free(p.change);
    free(p.pointed);
    return code;
}
