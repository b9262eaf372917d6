/* SPDX-License-Identifier: Apache-2.0
 *
 * diff_results.c: `cflr diff OLD.cflr NEW.cflr`: in which sets two results differ.
 *
 *     list.c:17:11: got (variable, in main): 1 before, 2 after
 *         new: list.c:20:17: other (variable, in main)
 *
 * The sets are those that the grammars answer `points-to` with, else the rows of the start symbol.
 * A part of a result is refused: what it lacks is no difference.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/diff/diff.h"
#include "cli/diff/sets.h"
#include "cli/names/names.h"
#include "cli/run/writer.h"

typedef struct differences {
    const char *path[SIDES];
    relation_pair of;
    const char *symbol; /* of NEW */
    things t;
    set_pairs sets;
    diff_part only;
} differences;

/* How many things have which sets. */
typedef struct counts {
    uint64_t compared, same, grew, shrank, changed, alone[SIDES];
    uint64_t objects[SIDES]; /* of those that are compared */
    uint64_t left_out;       /* things that one result was not asked about */
} counts;

/* ---- what is compared ---- */

static int open_result(differences *d, int side) {
    char slice[SLICE_TEXT];
    cflr_result *result;
    cflr_error error;
    const char *path = d->path[side];
    if (cflr_result_load(session(), path, &result, &error) != CFLR_OK) return fail(&error);
    d->of.result[side] = result;
    if (describe_slice(result, slice, sizeof slice)) {
        complain("%s: it is %s of a result: put all parts together (cflr merge)", shown(path),
                 slice);
        return cflr_status_exit_code(CFLR_FORMAT);
    }
    if (cflr_result_complete(result)) return 0;
    complain("%s: the run that made it was stopped early: what it lacks is not known", shown(path));
    return cflr_status_exit_code(CFLR_FORMAT);
}

static const char *name_of(const cflr_result *result, uint32_t label) {
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    return info.name;
}

/* A relation without rows of its own, or none. */
static bool is_missing(const cflr_result *result, uint32_t label) {
    cflr_result_label info = {.kind = CFLR_SYMBOL_MEETING};
    if (label != CFLR_NO_LABEL) cflr_result_get_label(result, label, &info);
    return info.kind == CFLR_SYMBOL_MEETING;
}

static int choose_relation(differences *d) {
    bool missing[SIDES];
    for (int i = 0; i < SIDES; i++) {
        d->of.label[i] = answering_label(d->of.result[i], "points-to");
        missing[i] = is_missing(d->of.result[i], d->of.label[i]);
    }
    if (missing[OLD] != missing[NEW]) {
        complain("%s does not answer `points-to`, %s does: their relations are not the same",
                 shown(d->path[missing[OLD] ? OLD : NEW]),
                 shown(d->path[missing[OLD] ? NEW : OLD]));
        return EXIT_USAGE;
    }
    for (int i = 0; i < SIDES && missing[OLD]; i++) {
        d->of.label[i] = cflr_result_start(d->of.result[i]);
        if (!is_missing(d->of.result[i], d->of.label[i])) continue;
        complain("%s: it has neither an answer to `points-to` nor its start symbol",
                 shown(d->path[i]));
        return EXIT_USAGE;
    }
    d->symbol = name_of(d->of.result[NEW], d->of.label[NEW]);
    const char *old = name_of(d->of.result[OLD], d->of.label[OLD]);
    if (!missing[OLD] || strcmp(old, d->symbol) == 0) return 0;
    complain("%s is of the symbol %s, %s of %s: their relations are not the same",
             shown(d->path[OLD]), shown(old), shown(d->path[NEW]), shown(d->symbol));
    return EXIT_USAGE;
}

/* ---- one thing ---- */

static bool is_there(const differences *d, int side, uint32_t thing) {
    const uint32_t *vertex;
    return thing_vertices(&d->t, side, thing, &vertex) > 0;
}

/* The side that a reader finds it in: NEW, if that has it. */
static int side_of(const differences *d, uint32_t thing) {
    return is_there(d, NEW, thing) ? NEW : OLD;
}

static uint32_t vertex_of(const differences *d, int side, uint32_t thing) {
    const uint32_t *vertex;
    thing_vertices(&d->t, side, thing, &vertex);
    return vertex[0];
}

static const set_pair *pair_of(const differences *d, uint32_t thing) {
    uint32_t pair = d->sets.of[thing];
    return pair == NO_PAIR ? NULL : &d->sets.at[pair];
}

static bool is_alone(const differences *d, uint32_t thing) {
    return !is_there(d, OLD, thing) || !is_there(d, NEW, thing);
}

/* Is it printed? */
static bool is_told(const differences *d, uint32_t thing) {
    const set_pair *pair = pair_of(d, thing);
    if (!pair) return false;
    return (d->only != DIFF_GONE && pair->n_come) || (d->only != DIFF_NEW && pair->n_gone);
}

/* ---- counting ---- */

static void count_pair(counts *n, const set_pair *pair) {
    n->compared++;
    n->objects[OLD] += pair->size[OLD];
    n->objects[NEW] += pair->size[NEW];
    if (!pair->n_come && !pair->n_gone)
        n->same++;
    else if (!pair->n_gone)
        n->grew++;
    else if (!pair->n_come)
        n->shrank++;
    else
        n->changed++;
}

/* Things that point to nothing in both are no pointers. */
static counts count(const differences *d) {
    counts n = {0};
    for (uint32_t thing = 0; thing < d->t.n; thing++) {
        const set_pair *pair = pair_of(d, thing);
        if (!pair) n.left_out++;
        if (!pair || (!pair->size[OLD] && !pair->size[NEW])) continue;
        if (is_alone(d, thing))
            n.alone[side_of(d, thing)]++;
        else
            count_pair(&n, pair);
    }
    return n;
}

static double mean(uint64_t objects, uint64_t n) {
    return n ? (double)objects / (double)n : 0;
}

static void remark_counts(const differences *d, const counts *n) {
    const char *answer = cflr_result_answer(d->of.result[NEW], "points-to");
    bool points_to = strcmp(answer, d->symbol) == 0;
    remark("%s%s: %" PRIu64 " compared, %" PRIu64 " the same, %" PRIu64 " grew, %" PRIu64
           " shrank, %" PRIu64 " changed otherwise; in OLD alone: %" PRIu64
           ", in NEW alone: %" PRIu64 "; in a set: %.2f before, %.2f after",
           points_to ? "points-to sets" : "sets of ", points_to ? "" : shown(d->symbol),
           n->compared, n->same, n->grew, n->shrank, n->changed, n->alone[OLD], n->alone[NEW],
           mean(n->objects[OLD], n->compared), mean(n->objects[NEW], n->compared));
    if (n->left_out)
        remark("not compared: %" PRIu64
               " that one result was not asked about (solve --from, --to "
               "or --pairs)",
               n->left_out);
    if (d->sets.nameless)
        remark("not compared: %" PRIu64 " pairs whose target has no name", d->sets.nameless);
}

static json_t *counts_json(const differences *d, const counts *n) {
    json_t *object = json_object();
    json_set_count(object, "compared", n->compared);
    json_set_count(object, "same", n->same);
    json_set_count(object, "grew", n->grew);
    json_set_count(object, "shrank", n->shrank);
    json_set_count(object, "changed", n->changed);
    json_set_count(object, "old_alone", n->alone[OLD]);
    json_set_count(object, "new_alone", n->alone[NEW]);
    json_set(object, "mean_old", json_real(mean(n->objects[OLD], n->compared)));
    json_set(object, "mean_new", json_real(mean(n->objects[NEW], n->compared)));
    json_set_count(object, "left_out", n->left_out);
    json_set_count(object, "nameless_pairs", d->sets.nameless);
    return object;
}

/* ---- printing ---- */

/* By place, as a reader finds it. */
static int compare_things(const void *a, const void *b, void *of) {
    const differences *d = of;
    const uint32_t *x = a, *y = b;
    cflr_vertex_info one, other;
    int side = side_of(d, *x), other_side = side_of(d, *y);
    cflr_graph_vertex(d->t.side[side].graph, vertex_of(d, side, *x), &one);
    cflr_graph_vertex(d->t.side[other_side].graph, vertex_of(d, other_side, *y), &other);
    int order = cflr_vertex_compare(&one, &other);
    return order ? order : (*x > *y) - (*x < *y);
}

static void put_thing(FILE *file, const differences *d, int side, uint32_t thing) {
    print_thing(file, d->t.side[side].graph, vertex_of(d, side, thing));
}

static json_t *thing_json(const differences *d, int side, uint32_t thing) {
    json_t *object = vertex_json(d->t.side[side].graph, vertex_of(d, side, thing));
    json_object_del(object, "context"); /* of the first copy */
    return object;
}

/* The things that are in one set of a pair alone, in their order. */
static const uint32_t *listed(differences *d, const set_pair *pair, int side, uint32_t *n) {
    uint32_t *list = d->sets.listed + pair->list + (side == NEW ? pair->n_gone : 0);
    *n = side == NEW ? pair->n_come : pair->n_gone;
    if (d->only == (side == NEW ? DIFF_GONE : DIFF_NEW)) *n = 0;
    if (*n) qsort_r(list, *n, sizeof *list, compare_things, d);
    return list;
}

static const char *const side_key[SIDES] = {"gone", "new"};

static void print_list(FILE *file, differences *d, const set_pair *pair, int side) {
    uint32_t n;
    const uint32_t *list = listed(d, pair, side, &n);
    for (uint32_t i = 0; i < n; i++) {
        fprintf(file, "    %s: ", side_key[side]);
        put_thing(file, d, side, list[i]);
        fputc('\n', file);
    }
}

static void print_difference(FILE *file, const void *of, const void *row) {
    differences *d = (differences *)(uintptr_t)of; /* its lists are sorted when they are printed */
    uint32_t thing = *(const uint32_t *)row;
    const set_pair *pair = pair_of(d, thing);
    int side = side_of(d, thing);
    put_thing(file, d, side, thing);
    if (is_alone(d, thing))
        fprintf(file, ": in %s alone, %" PRIu32 "\n", side == NEW ? "NEW" : "OLD",
                pair->size[side]);
    else
        fprintf(file, ": %" PRIu32 " before, %" PRIu32 " after\n", pair->size[OLD],
                pair->size[NEW]);
    print_list(file, d, pair, NEW);
    print_list(file, d, pair, OLD);
}

static json_t *list_json(differences *d, const set_pair *pair, int side) {
    uint32_t n;
    const uint32_t *list = listed(d, pair, side, &n);
    json_t *array = json_array();
    for (uint32_t i = 0; i < n; i++) json_array_append_new(array, thing_json(d, side, list[i]));
    return array;
}

static json_t *difference_json(const void *of, const void *row) {
    differences *d = (differences *)(uintptr_t)of;
    uint32_t thing = *(const uint32_t *)row;
    const set_pair *pair = pair_of(d, thing);
    json_t *object = json_object();
    json_set(object, "of", thing_json(d, side_of(d, thing), thing));
    if (is_there(d, OLD, thing)) json_set_count(object, "before", pair->size[OLD]);
    if (is_there(d, NEW, thing)) json_set_count(object, "after", pair->size[NEW]);
    if (d->only != DIFF_GONE) json_set(object, "new", list_json(d, pair, NEW));
    if (d->only != DIFF_NEW) json_set(object, "gone", list_json(d, pair, OLD));
    return object;
}

static const row_kind difference_rows = {"differences", print_difference, difference_json};

static int write_rows(differences *d, writer *w) {
    size_t n = 0;
    uint32_t *told = malloc(((size_t)d->t.n + 1) * sizeof *told);
    if (!told) return fail_memory();
    for (uint32_t thing = 0; thing < d->t.n; thing++)
        if (is_told(d, thing)) told[n++] = thing;
    qsort_r(told, n, sizeof *told, compare_things, d);
    writer_list(w, &difference_rows);
    int code = 0;
    for (size_t i = 0; i < n && !code; i++) {
        if (out_of_time()) code = fail_out_of_time("not all differences are printed");
        if (!code) writer_row(w, &difference_rows, d, &told[i]);
    }
    free(told);
    return code;
}

/* ---- the command ---- */

static bool differ(const differences *d, diff_fails fails) {
    bool gone_too = fails == DIFF_FAILS_BY_KIND;
    for (size_t i = 0; i < d->sets.n && fails != DIFF_FAILS_NONE; i++)
        if (d->sets.at[i].n_come || (gone_too && d->sets.at[i].n_gone)) return true;
    return false;
}

static int write_all(differences *d, const diff_request *request) {
    const counts n = count(d);
    writer w = writer_open();
    int code = 0;
    if (w.json) json_set_text(w.json, "relation", d->symbol);
    if (d->only != DIFF_COUNTS) code = write_rows(d, &w);
    if (w.json) json_set(w.json, "counts", counts_json(d, &n));
    code = writer_close(&w, code);
    remark_counts(d, &n);
    if (code) return code;
    return differ(d, request->fails) ? EXIT_NO : EXIT_YES;
}

int diff_results(const diff_request *request) {
    differences d = {.path = {request->old, request->new}, .only = request->only};
    int code = open_result(&d, OLD);
    if (!code) code = open_result(&d, NEW);
    if (!code) code = choose_relation(&d);
    const cflr_graph *graph[SIDES] = {NULL, NULL};
    for (int i = 0; i < SIDES && !code; i++) graph[i] = cflr_result_graph(d.of.result[i]);
    if (!code) code = things_match(graph, d.path, &d.t);
    if (!code) code = sets_compare(&d.of, &d.t, d.only != DIFF_COUNTS, &d.sets);
    if (!code) code = write_all(&d, request);
    sets_free(&d.sets);
    things_free(&d.t);
    for (int i = 0; i < SIDES; i++) code = end_result(d.of.result[i], code);
    return code;
}
