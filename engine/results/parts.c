/* SPDX-License-Identifier: Apache-2.0
 *
 * parts.c: one result out of the files of its parts.
 *
 *     part 1 of 2    f[8]: 2: 1 4                            PT: 2: 1 4
 *     part 2 of 2    f[8]: 2: 9 11       f[16]: 3: 9         PT: 2: 9 11     7: 8
 *     the result     f[8]: 2: 1 4 9 11   f[16]: 3: 9         PT: 2: 1 4 9 11   7: 8
 *
 * A part has the pairs of a slice of targets, so a row of the result is the list of the rows of the
 * parts (engine/sets/pieced_sets.h), and no set is made anew. Relations of one symbol and index are
 * known by their number, which is the same in all parts. A part has none where it has no pair.
 *
 * Parts belong together when they were made for the same edges and equations (cflri_sliced.problem)
 * and tell the same of the graph and the symbols. The latter is compared by a digest, so that only
 * the first part keeps its graph.
 */
#include <assert.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* the state of a hash on the stack */
#include <xxhash.h>

#include "base/context.h"
#include "engine/results/result.h"
#include "engine/sets/pieced_sets.h"

typedef struct parts {
    cflr_context *context;
    uint32_t n;                   /* 0 before the first one is loaded */
    cflr_result **of;             /* by number of the slice */
    const char **path;            /* likewise */
    uint32_t first;               /* the part that was loaded first */
    uint64_t digest;              /* of that part */
    uint32_t *next;               /* of each part: the next instance */
    const cflri_relation **piece; /* of each part: its relation, or one without rows */
    cflri_pieced_sets *sets;
    cflr_error *error;
} parts;

/* ---- do they belong together? ---- */

static void mix(XXH3_state_t *hash, const void *data, size_t size) {
    XXH3_64bits_update(hash, &size, sizeof size);
    if (size) XXH3_64bits_update(hash, data, size);
}

static void mix_strings(XXH3_state_t *hash, const cflri_strings *strings) {
    for (uint32_t i = 0; i < strings->text.n; i++) {
        mix(hash, cflri_string(strings, i), strlen(cflri_string(strings, i)));
    }
}

static void mix_graph(XXH3_state_t *hash, const cflr_graph *graph) {
    mix(hash, &graph->n_vertices, sizeof graph->n_vertices);
    mix_strings(hash, &graph->strings);
    mix(hash, graph->label, graph->n_labels * sizeof *graph->label);
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        const cflri_relation *out = &graph->out[l];
        mix(hash, out->row, out->n_rows * sizeof *out->row);
        mix(hash, out->start, (out->n_rows ? out->n_rows + 1 : 0) * sizeof *out->start);
        mix(hash, out->target, out->n_pairs * sizeof *out->target);
    }
    if (graph->source) mix(hash, graph->source, graph->n_vertices * sizeof *graph->source);
    mix(hash, graph->mention, graph->n_mentions * sizeof *graph->mention);
}

static void mix_question(XXH3_state_t *hash, const cflri_question *q) {
    bool lists[] = {q->from, q->to, q->pair};
    mix(hash, lists, sizeof lists);
    mix(hash, q->from, q->n_from * sizeof *q->from);
    mix(hash, q->to, q->n_to * sizeof *q->to);
    mix(hash, q->pair, q->n_pairs * sizeof *q->pair);
}

static uint64_t digest_of(const cflr_result *result) {
    const cflri_sliced *s = &result->sliced;
    uint64_t numbers[] = {s->n, s->problem, result->start, result->restricted};
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    mix(&hash, numbers, sizeof numbers);
    mix_graph(&hash, result->graph);
    mix_strings(&hash, &result->strings);
    for (uint32_t i = 0; i < result->n_labels; i++) {
        uint32_t label[] = {result->label[i].name, result->label[i].kind};
        mix(&hash, label, sizeof label);
    }
    mix(&hash, result->answer, result->n_answers * sizeof *result->answer);
    mix_question(&hash, &result->question);
    return XXH3_64bits_digest(&hash);
}

/* ---- loading ---- */

/* The first part tells how many there are. */
static cflr_status begin(parts *p, const cflr_result *result, const char *path) {
    const cflri_sliced *s = &result->sliced;
    if (!s->n) return cflri_fail(p->error, CFLR_FORMAT, path, "not a part of a result");
    if (p->n) return CFLR_OK;
    p->of = cflri_alloc_array_zero(p->context, s->n, sizeof(cflr_result *));
    p->path = cflri_alloc_array_zero(p->context, s->n, sizeof(char *));
    if (!p->of || !p->path) return cflri_fail_memory(p->context, p->error);
    p->n = s->n;
    p->first = s->self;
    p->digest = digest_of(result);
    return CFLR_OK;
}

static cflr_status check(const parts *p, const cflr_result *result, const char *path) {
    const cflri_sliced *s = &result->sliced;
    if (s->n != p->n) {
        return cflri_fail(p->error, CFLR_FORMAT, path, "one of %u parts, and %s is one of %u", s->n,
                          p->path[p->first], p->n);
    }
    if (digest_of(result) != p->digest) {
        return cflri_fail(p->error, CFLR_FORMAT, path,
                          "graph, grammar or question are not those of %s", p->path[p->first]);
    }
    if (!p->of[s->self]) return CFLR_OK;
    return cflri_fail(p->error, CFLR_FORMAT, path, "part %u of %u, and so is %s", s->self + 1, s->n,
                      p->path[s->self]);
}

static cflr_status load(parts *p, const char *path) {
    cflr_result *result;
    cflr_status st = cflr_result_load(p->context, path, &result, p->error);
    if (st != CFLR_OK) return st;
    bool first = !p->n;
    st = begin(p, result, path);
    if (st == CFLR_OK && !first) st = check(p, result, path);
    if (st != CFLR_OK) {
        cflr_result_free(result);
        return st;
    }
    p->of[result->sliced.self] = result;
    p->path[result->sliced.self] = path;
    if (first) return CFLR_OK;
    cflr_graph_free(result->owned_graph);
    result->owned_graph = NULL;
    return CFLR_OK;
}

static cflr_status find_missing(const parts *p) {
    uint32_t missing = 0, n = 0;
    for (uint32_t i = p->n; i > 0; i--) {
        if (p->of[i - 1]) continue;
        missing = i;
        n++;
    }
    if (!n) return CFLR_OK;
    if (n == 1) {
        return cflri_fail(p->error, CFLR_FORMAT, NULL, "part %u of %u is missing", missing, p->n);
    }
    return cflri_fail(p->error, CFLR_FORMAT, NULL, "%u of %u parts are missing, the first is %u", n,
                      p->n, missing);
}

/* ---- putting together ---- */

/* Of a label: the least number of an instance that is still to come, or CFLRI_NO_SYMBOL. */
static uint32_t next_number(const parts *p, uint32_t label) {
    uint32_t least = CFLRI_NO_SYMBOL;
    for (uint32_t i = 0; i < p->n; i++) {
        const cflr_result *part = p->of[i];
        const cflri_result_label *of = &part->label[label];
        if (p->next[i] == of->first_instance + of->n_instances) continue;
        uint32_t number = part->instance_number[p->next[i]];
        if (number < least) least = number;
    }
    return least;
}

/* Finds the relations with this number, and moves on past them. Returns the index that they
 * have. */
static uint32_t take_pieces(parts *p, uint32_t label, uint32_t number) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const cflr_result *part = p->of[i];
        const cflri_result_label *of = &part->label[label];
        uint32_t at = p->next[i];
        p->piece[i] = &cflri_no_pairs;
        if (at == of->first_instance + of->n_instances) continue;
        if (part->instance_number[at] != number) continue;
        index = part->instance_index[at];
        p->piece[i] = &part->instance[at];
        p->next[i]++;
    }
    return index;
}

static void free_pieces(const parts *p) {
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->piece[i] == &cflri_no_pairs) continue;
        cflri_relation_free(p->context, &p->of[i]->instance[p->next[i] - 1]);
    }
}

/* Makes the instances of a label. Those of the parts are freed as soon as they are not needed. */
static cflr_status unite_label(parts *p, uint32_t label, cflr_result *made) {
    cflr_status st = CFLR_OK;
    cflri_result_label *of = &made->label[label];
    for (uint32_t i = 0; i < p->n; i++) p->next[i] = p->of[i]->label[label].first_instance;
    of->first_instance = made->n_instances;
    for (uint32_t number; (number = next_number(p, label)) != CFLRI_NO_SYMBOL;) {
        uint32_t index = take_pieces(p, label, number);
        cflri_relation *relation = &made->instance[made->n_instances];
        CFLR_TRY(cflri_pieced_sets_add(p->sets, p->piece, p->n, relation, p->error));
        free_pieces(p);
        made->instance_index[made->n_instances] = index;
        made->instance_number[made->n_instances++] = number;
        of->pairs += relation->n_pairs;
        of->rows += relation->n_rows;
    }
    of->n_instances = made->n_instances - of->first_instance;
    made->stats.pairs += of->pairs;
out:
    return st;
}

static cflr_status make_room(parts *p, cflr_result *made) {
    uint64_t n = 0;
    cflri_target_sets **sets = cflri_alloc_array(p->context, p->n, sizeof(cflri_target_sets *));
    for (uint32_t i = 0; i < p->n; i++) n += p->of[i]->n_instances;
    for (uint32_t i = 0; sets && i < p->n; i++) sets[i] = p->of[i]->sets;
    if (sets) p->sets = cflri_pieced_sets_new(p->context, sets, p->n);
    cflri_free(p->context, sets);
    p->next = cflri_alloc_array_zero(p->context, p->n, sizeof *p->next);
    p->piece = cflri_alloc_array_zero(p->context, p->n, sizeof(cflri_relation *));
    made->label = cflri_alloc_array_zero(p->context, made->n_labels, sizeof *made->label);
    made->instance = cflri_alloc_array_zero(p->context, n, sizeof *made->instance);
    made->instance_index = cflri_alloc_array(p->context, n, sizeof *made->instance_index);
    made->instance_number = cflri_alloc_array(p->context, n, sizeof *made->instance_number);
    bool refused = !p->sets || !p->next || !p->piece || !made->label || !made->instance ||
                   !made->instance_index || !made->instance_number;
    return refused ? cflri_fail_memory(p->context, p->error) : CFLR_OK;
}

/* Takes from the first part all that parts have in common, and unites the rest. */
static cflr_status unite(parts *p, cflr_result *made) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(make_room(p, made));
    for (uint32_t l = 0; l < made->n_labels; l++) {
        made->label[l].name = p->of[0]->label[l].name;
        made->label[l].kind = p->of[0]->label[l].kind;
        CFLR_TRY(unite_label(p, l, made));
    }
    cflri_pieced_sets_end(p->sets);
    made->sets = &p->sets->sets;
    p->sets = NULL;
    made->stats.complete = true;
    for (uint32_t i = 0; i < p->n; i++) {
        p->of[i]->sets = NULL;
        cflri_result_take_files(made, p->of[i]);
        made->stats.complete &= p->of[i]->sliced.complete;
    }
    st = cflri_result_validate(made, NULL, p->error);
out:
    return st;
}

/* Moves what all parts have in common out of one of them, whose labels and relations stay. */
static void take_frame(cflr_result *from, cflr_result *made) {
    made->graph = from->graph;
    made->owned_graph = from->owned_graph;
    made->strings = from->strings;
    made->n_labels = from->n_labels;
    made->label_of_name = from->label_of_name;
    made->restricted = from->restricted;
    made->question = from->question;
    made->start = from->start;
    made->n_answers = from->n_answers;
    made->answer = from->answer;
    made->meeting = from->meeting;
    from->owned_graph = NULL;
    from->strings = (cflri_strings){0};
    from->label_of_name = from->meeting = NULL;
    from->question = (cflri_question){0};
    from->answer = NULL;
}

static cflr_status put_together(parts *p, cflr_result **result) {
    cflr_result *made = cflri_alloc_zero(p->context, sizeof *made);
    if (!made) return cflri_fail_memory(p->context, p->error);
    made->context = p->context;
    take_frame(p->of[p->first], made);
    cflr_status st = unite(p, made);
    if (st == CFLR_OK) {
        *result = made;
    } else {
        cflr_result_free(made);
    }
    return st;
}

cflr_status cflr_result_load_parts(cflr_context *context, const char *const *paths, size_t n,
                                   cflr_result **result, cflr_error *error) {
    assert(context && paths && n && result);
    cflr_status st = CFLR_OK;
    parts p = {.context = context, .error = error};
    *result = NULL;
    for (size_t i = 0; i < n; i++) CFLR_TRY(load(&p, paths[i]));
    CFLR_TRY(find_missing(&p));
    CFLR_TRY(put_together(&p, result));
out:
    if (p.sets) p.sets->sets.free(context, &p.sets->sets);
    for (uint32_t i = 0; i < p.n; i++) cflr_result_free(p.of[i]);
    cflri_free(context, p.of);
    cflri_free(context, p.path);
    cflri_free(context, p.next);
    cflri_free(context, p.piece);
    return st;
}
