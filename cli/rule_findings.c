/* SPDX-License-Identifier: Apache-2.0
 *
 * rule_findings.c: from the closure of a grammar to findings.
 *
 *     rules of null pointers     grammar null       Finding[r]: a null pointer, a place that follows it
 *     all others                 grammar taint      Finding[r]: a source of r, a sink of r
 *
 * A sink is told once, with the shortest path of the best rank (rule_rank.h) that leads there, and the number of
 * other sources. Vertices that look the same to a reader are one: the copies of a call for contexts. So are, for
 * null pointers, the places of one function that follow the same value: the first one is told, and how many there
 * are; mend it and they all are.
 */
#include "cli/rule_findings.h"
#include "cli/lost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One grammar's part of the work, and one rule of it. */
typedef struct making {
    rule_findings *found;
    bool all; /* unlikely findings are explained, too */
    const cflr_grammar *grammar;
    cflr_result *result;
    uint32_t finding, points_to;   /* labels of the result */
    cflr_witness *witness;         /* of findings, and of what explains their steps in turn */
    uint32_t dereference, address; /* of the graph: `d` and `alloc` */
    rule_levels levels;            /* of rules of null pointers */
    const cflr_rule *rule;
    uint32_t *look;    /* by vertex: sources and sinks that look the same have one number, from 1 */
    size_t *n_sources; /* by look of a sink */
    uint32_t *last;    /* by look of a sink: the look of the source that was counted last */
    size_t *first;     /* by look of a sink: its finding, plus 1 */
} making;

static int no_memory(void) {
    fail_memory();
    return cflr_status_exit_code(CFLR_NO_MEMORY);
}

/* ---- places ---- */

static int compare_rule_places(const rule_place *a, const rule_place *b) {
    int order = strcmp(a->file, b->file);
    if (order) return order;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static rule_place place_of_vertex(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    return (rule_place){info.file, info.line, info.column};
}

/* ---- what looks the same ---- */

typedef struct looking {
    cflr_vertex_info info;
    uint32_t vertex;
} looking;

static int compare_looking(const void *a, const void *b) {
    return compare_looks(&((const looking *)a)->info, &((const looking *)b)->info);
}

/* Numbers the `n` vertices that are marked in m->look; returns the highest number. */
static uint32_t number_looks(making *m, looking *list, size_t n) {
    uint32_t number = 0;
    size_t k = 0;
    for (uint32_t v = 0; k < n; v++) {
        if (!m->look[v]) continue;
        cflr_graph_vertex(m->found->graph, v, &list[k].info);
        list[k++].vertex = v;
    }
    qsort(list, n, sizeof *list, compare_looking);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_looking(&list[i - 1], &list[i]) != 0) number++;
        m->look[list[i].vertex] = number;
    }
    return number;
}

/* Marks the ends of all pairs of the rule; returns how many there are. */
static size_t mark_ends(making *m, uint32_t instance) {
    const uint32_t *row;
    uint32_t vertex;
    uint64_t cursor = 0, count;
    size_t n = 0;
    while (
        (row = cflr_result_next_row(m->result, m->finding, instance, &cursor, &vertex, &count))) {
        n += !m->look[vertex];
        m->look[vertex] = 1;
        for (uint64_t i = 0; i < count; i++) {
            n += !m->look[row[i]];
            m->look[row[i]] = 1;
        }
    }
    return n;
}

static int find_looks(making *m, uint32_t instance) {
    size_t n = mark_ends(m, instance);
    looking *list = calloc(n + 1, sizeof *list);
    if (!list) return no_memory();
    size_t looks = (size_t)number_looks(m, list, n) + 1;
    free(list);
    m->n_sources = calloc(looks, sizeof *m->n_sources);
    m->last = calloc(looks, sizeof *m->last);
    m->first = calloc(looks, sizeof *m->first);
    return m->n_sources && m->last && m->first ? 0 : no_memory();
}

/* ---- sources ---- */

/* Vertices of sources, those of one look together. */
typedef struct source_list {
    uint32_t *vertex;
    size_t n;
} source_list;

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int list_sources(const making *m, uint32_t instance, source_list *list) {
    uint32_t vertex;
    uint64_t cursor = 0, count;
    size_t n = 0;
    while (cflr_result_next_row(m->result, m->finding, instance, &cursor, &vertex, &count)) n++;
    list->vertex = calloc(n + 1, sizeof *list->vertex);
    uint64_t *key = calloc(n + 1, sizeof *key);
    if (!list->vertex || !key) {
        free(key);
        return no_memory();
    }
    cursor = 0;
    for (size_t i = 0; i < n; i++) {
        cflr_result_next_row(m->result, m->finding, instance, &cursor, &vertex, &count);
        key[i] = (uint64_t)m->look[vertex] << 32 | vertex;
    }
    qsort(key, n, sizeof *key, compare_keys);
    for (size_t i = 0; i < n; i++) list->vertex[i] = (uint32_t)key[i];
    list->n = n;
    free(key);
    return 0;
}

/* How many sources of different looks arrive at the sinks of each look. */
static void count_sources(making *m, uint32_t instance, const source_list *list) {
    for (size_t k = 0; k < list->n; k++) {
        uint64_t n;
        uint32_t source = list->vertex[k];
        const uint32_t *sink = cflr_result_row(m->result, m->finding, instance, source, &n);
        for (uint64_t i = 0; i < n; i++) {
            uint32_t look = m->look[sink[i]];
            if (m->last[look] == m->look[source]) continue;
            m->last[look] = m->look[source];
            m->n_sources[look]++;
        }
    }
}

/* ---- paths ---- */

/* One of the objects that both vertices may be, which are contents of memory; CFLR_NO_VERTEX: none is known.
 * An object is what has an address; other contents are what their pointers may point to. */
static bool is_object(const making *m, uint32_t content) {
    uint64_t n = 0;
    if (m->address != CFLR_NO_LABEL)
        cflr_graph_row(m->found->graph, m->address, CFLR_OUT, content, &n);
    return n > 0;
}

static bool may_be(const making *m, uint32_t content, uint32_t object) {
    if (is_object(m, content)) return content == object;
    uint64_t n = 0;
    const uint32_t *pointer = NULL;
    if (m->dereference != CFLR_NO_LABEL)
        pointer = cflr_graph_row(m->found->graph, m->dereference, CFLR_IN, content, &n);
    for (uint64_t i = 0; i < n; i++)
        if (cflr_result_has(m->result, m->points_to, pointer[i], object)) return true;
    return false;
}

static uint32_t common_object(const making *m, uint32_t a, uint32_t b) {
    uint64_t n_pointers = 0, n = 0;
    if (is_object(m, a)) return may_be(m, b, a) ? a : CFLR_NO_VERTEX;
    if (is_object(m, b)) return may_be(m, a, b) ? b : CFLR_NO_VERTEX;
    if (m->points_to == CFLR_NO_LABEL || m->dereference == CFLR_NO_LABEL) return CFLR_NO_VERTEX;
    const uint32_t *pointer =
        cflr_graph_row(m->found->graph, m->dereference, CFLR_IN, a, &n_pointers);
    for (uint64_t i = 0; i < n_pointers; i++) {
        const uint32_t *object = cflr_result_row(m->result, m->points_to, 0, pointer[i], &n);
        for (uint64_t k = 0; k < n; k++)
            if (may_be(m, b, object[k])) return object[k];
    }
    return CFLR_NO_VERTEX;
}

static void fill_step(const making *m, rule_step *to, const cflr_witness_step *from) {
    const cflr_graph *graph = m->found->graph;
    cflr_flow_place at;
    *to = (rule_step){.step = *from, .object = CFLR_NO_VERTEX};
    to->in_memory = strcmp(from->symbol, "M") == 0;
    bool to_sink = strcmp(from->symbol, "sink") == 0;
    to->place = place_of_vertex(graph, from->target);
    if (to->in_memory) {
        to->object = common_object(m, from->source, from->target);
    } else if (!to_sink && cflr_extract_flow(m->found->report, from->source, from->target, &at)) {
        to->place = (rule_place){at.file, at.line, at.column};
    }
}

/* The path that the search found to `target`; *n is 0 when there is none. False when out of memory. */
static bool read_path(const making *m, uint32_t target, cflr_witness_step **path, size_t *n) {
    *n = cflr_witness_path(m->witness, target, NULL, 0);
    *path = calloc(*n + 1, sizeof **path);
    if (*path) cflr_witness_path(m->witness, target, *path, *n);
    return *path;
}

/* NULL when out of memory. */
static rule_step *fill_steps(const making *m, const cflr_witness_step *path, size_t n) {
    rule_step *steps = calloc(n + 1, sizeof *steps);
    for (size_t i = 0; steps && i < n; i++) fill_step(m, &steps[i], &path[i]);
    return steps;
}

/* ---- why two contents may be one ---- */

/* A pointer to the content; CFLR_NO_VERTEX: none is known. */
static uint32_t pointer_to(const making *m, uint32_t content) {
    uint64_t n = 0;
    const uint32_t *pointer = NULL;
    if (is_object(m, content))
        pointer = cflr_graph_row(m->found->graph, m->address, CFLR_OUT, content, &n);
    else if (m->dereference != CFLR_NO_LABEL)
        pointer = cflr_graph_row(m->found->graph, m->dereference, CFLR_IN, content, &n);
    return n > 0 ? pointer[0] : CFLR_NO_VERTEX;
}

/* From the addresses of two members to those of their records, as long as they are the same member. */
static void leave_members(const cflr_graph *graph, uint32_t *p, uint32_t *q) {
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        uint64_t n_p = 0, n_q = 0;
        if (strcmp(cflr_graph_label_name(graph, label), "f") != 0) continue;
        const uint32_t *from_p = cflr_graph_row(graph, label, CFLR_IN, *p, &n_p);
        const uint32_t *from_q = cflr_graph_row(graph, label, CFLR_IN, *q, &n_q);
        if (n_p == 0 || n_q == 0 || (from_p[0] == *p && from_q[0] == *q)) continue;
        *p = from_p[0];
        *q = from_q[0];
        label = UINT32_MAX; /* from the first label on again */
    }
}

/* A limit that ends one step ends the next ones, too: it is told once. */
static int fail_once(making *m, const cflr_error *error) {
    char *told = m->found->failure;
    if (strcmp(told, error->message) == 0) return cflr_status_exit_code(error->code);
    snprintf(told, sizeof m->found->failure, "%s", error->message);
    return fail(error);
}

/* Appends to a step how one pointer came to be the other. */
static int append_route(making *m, rule_step *step, uint32_t from, uint32_t to) {
    cflr_error error;
    cflr_witness_step *path;
    size_t n;
    if (from == to || from == CFLR_NO_VERTEX) return 0;
    if (cflr_witness_search(m->witness, "Route", "", &from, 1, to, &error) != CFLR_OK)
        return error.code == CFLR_ARGUMENT ? 0 : fail_once(m, &error); /* nothing flows anywhere */
    rule_step *route = read_path(m, to, &path, &n) ? fill_steps(m, path, n) : NULL;
    free(path);
    rule_step *grown = route ? realloc(step->route, (step->n_route + n + 1) * sizeof *grown) : NULL;
    if (grown) {
        memcpy(grown + step->n_route, route, n * sizeof *grown);
        step->route = grown;
        step->n_route += n;
    }
    free(route);
    return grown ? 0 : no_memory();
}

/* One pointer came from the other, or both from the address of an object. */
static int explain_memory(making *m, rule_step *step) {
    uint32_t p = pointer_to(m, step->step.source), q = pointer_to(m, step->step.target);
    if (p == CFLR_NO_VERTEX || q == CFLR_NO_VERTEX) return 0;
    leave_members(m->found->graph, &p, &q);
    int code = append_route(m, step, p, q);
    if (code || step->n_route > 0 || step->object == CFLR_NO_VERTEX) return code;
    uint32_t address = pointer_to(m, step->object);
    code = append_route(m, step, address, p);
    return code ? code : append_route(m, step, address, q);
}

/* There may be thousands of findings: a route that is hard to find is left out. */
static int explain_findings(making *m, size_t first) {
    enum { PAIRS_OF_ROUTE = 1 << 16 };
    int code = 0;
    cflr_witness_bound(m->witness, PAIRS_OF_ROUTE);
    for (size_t i = first; i < m->found->n && !code; i++) {
        rule_finding *f = &m->found->finding[i];
        bool wanted = m->all || rule_rank_is_likely(f->rank);
        for (size_t k = 0; wanted && k < f->n_steps && !code; k++)
            if (f->step[k].in_memory) code = explain_memory(m, &f->step[k]);
    }
    cflr_witness_bound(m->witness, 0);
    return code;
}

/* ---- findings ---- */

static int compare_findings(const void *a, const void *b) {
    const rule_finding *x = a, *y = b;
    int order = compare_rule_places(&x->place, &y->place);
    if (!order) order = strcmp(x->rule->name, y->rule->name);
    return order ? order : (x->sink > y->sink) - (x->sink < y->sink);
}

/* By the value that is followed, then by rank and place. */
static int compare_followed(const void *a, const void *b) {
    const rule_finding *f = a, *g = b;
    uint32_t x = f->followed, y = g->followed;
    if (x != y) return x > y ? 1 : -1;
    return f->rank != g->rank ? (f->rank > g->rank ? 1 : -1) : compare_findings(f, g);
}

static bool same_function(const cflr_graph *graph, uint32_t a, uint32_t b) {
    cflr_vertex_info x, y;
    cflr_graph_vertex(graph, a, &x);
    cflr_graph_vertex(graph, b, &y);
    return strcmp(x.function, y.function) == 0 && strcmp(x.file, y.file) == 0;
}

static void free_finding(const rule_finding *f) {
    for (size_t i = 0; i < f->n_steps; i++) free(f->step[i].route);
    free(f->step);
}

/* Of the findings from `first` on, those in one function that follow one value: the first place stays. */
static void join_followed(rule_findings *found, size_t first) {
    size_t kept = first;
    if (found->n == first) return;
    qsort(found->finding + first, found->n - first, sizeof *found->finding, compare_followed);
    for (size_t i = first; i < found->n; i++) {
        rule_finding *f = &found->finding[i];
        rule_finding *before = kept > first ? &found->finding[kept - 1] : NULL;
        if (before && before->followed == f->followed &&
            same_function(found->graph, before->sink, f->sink)) {
            before->n_places++;
            free_finding(f);
            continue;
        }
        found->finding[kept++] = *f;
    }
    found->n = kept;
}

static rule_finding *add_finding(rule_findings *found) {
    if (found->n == found->capacity) {
        size_t capacity = found->capacity ? 2 * found->capacity : 64;
        rule_finding *grown = realloc(found->finding, capacity * sizeof *grown);
        if (!grown) return NULL;
        found->finding = grown;
        found->capacity = capacity;
    }
    found->finding[found->n] = (rule_finding){.n_places = 1};
    return &found->finding[found->n++];
}

/* The pointer that a path follows in the end, whether it is read under a condition or not. */
static uint32_t value_of(const making *m, const cflr_witness_step *path, size_t n) {
    uint32_t value = path[n - 1].source;
    bool guarded = m->rule->follows_null && m->levels.guarded[value];
    return guarded && n > 1 ? path[n - 2].source : value;
}

/* The path becomes that of its sink's finding. */
static int set_path(making *m, rule_finding *f, rule_rank rank, const cflr_witness_step *path,
                    size_t n) {
    uint32_t sink = path[n - 1].target;
    free(f->step);
    f->rule = m->rule;
    f->rank = rank;
    f->source = path[0].source;
    f->sink = sink;
    f->followed = value_of(m, path, n);
    f->place = place_of_vertex(m->found->graph, sink);
    f->n_sources = m->n_sources[m->look[sink]];
    f->step = fill_steps(m, path, n);
    f->n_steps = f->step ? n : 0;
    return f->step ? 0 : no_memory();
}

/* The path to a sink counts when it is the shortest so far of its look's rank, and when calls match; where nothing
 * better is found it counts all the same. */
static int take_path(making *m, uint32_t sink, rule_rank rank) {
    cflr_witness_step *path;
    size_t n = cflr_witness_path(m->witness, sink, NULL, 0), *first = &m->first[m->look[sink]];
    rule_finding *f = *first ? &m->found->finding[*first - 1] : NULL;
    if (n == 0 || (f && (f->rank < rank || f->n_steps <= n))) return 0;
    int match = read_path(m, sink, &path, &n)
                    ? rule_calls_match(m->found->graph, &m->found->slots, path, n)
                    : -1;
    int code = match < 0 ? no_memory() : 0;
    if (match == 0 && rank == RANK_MEMORY) rank = RANK_CALLS;
    bool counts = match == 1 || rank == RANK_CALLS || rank == RANK_NONE;
    if (!code && counts && !f) {
        f = add_finding(m->found);
        if (!f) code = no_memory();
        if (f) *first = m->found->n;
    }
    if (!code && counts) code = set_path(m, f, rank, path, n);
    free(path);
    return code;
}

/* Paths from the sources to all sinks, as far as the witness goes. */
static int find_paths(making *m, const uint32_t *source, size_t n_sources, rule_rank rank) {
    cflr_error error;
    const cflr_graph *graph = m->found->graph;
    if (cflr_witness_search(m->witness, "Finding", m->rule->name, source, n_sources, CFLR_NO_VERTEX,
                            &error) != CFLR_OK)
        return fail_once(m, &error);
    int code = 0;
    uint32_t label = cflr_graph_find_label(graph, "sink", m->rule->name), vertex;
    uint64_t cursor = 0, n;
    while (label != CFLR_NO_LABEL && !code &&
           cflr_graph_next_row(graph, label, CFLR_IN, &cursor, &vertex, &n))
        if (m->look[vertex]) code = take_path(m, vertex, rank);
    return code;
}

/* The sources that may lead to a finding of this rank, and are optional in this way; in `list`,
 * which has room for all. From GUARDED on none is optional. */
static size_t sources_of_rank(const making *m, const source_list *sources, rule_rank rank,
                              rule_optional optional, uint32_t *list) {
    size_t n = 0;
    for (size_t i = 0; i < sources->n; i++) {
        uint32_t source = sources->vertex[i];
        bool initial = m->levels.initial[source] && rank < RANK_INITIAL;
        unsigned how = rank < RANK_GUARDED ? m->levels.optional[source] : OPTIONAL_NOT;
        if (!initial && how == optional) list[n++] = source;
    }
    return n;
}

static bool goes_around(rule_optional optional, unsigned guarded) {
    if (optional == OPTIONAL_ANYWHERE) return guarded != OPTIONAL_NOT;
    return optional == OPTIONAL_OUTPUT && guarded == OPTIONAL_OUTPUT;
}

static int find_paths_of_rank(making *m, const source_list *sources, rule_rank rank,
                              rule_optional optional, bool *avoided, uint32_t *list) {
    uint32_t n_vertices = cflr_graph_vertices(m->found->graph);
    size_t n = sources_of_rank(m, sources, rank, optional, list);
    if (n == 0) return 0;
    for (uint32_t v = 0; v < n_vertices; v++)
        avoided[v] = m->levels.of[v] > rank || goes_around(optional, m->levels.guarded[v]);
    cflr_witness_avoid(m->witness, avoided);
    return find_paths(m, list, n, rank);
}

/* The likely ones first: each search may go to more vertices than the one before. */
static int find_paths_by_rank(making *m, const source_list *sources) {
    bool *avoided = malloc((size_t)cflr_graph_vertices(m->found->graph) + 1);
    uint32_t *list = malloc((sources->n + 1) * sizeof *list);
    int code = avoided && list ? 0 : no_memory();
    for (rule_rank rank = RANK_DIRECT; rank <= RANK_MEMORY && !code; rank++)
        for (rule_optional how = OPTIONAL_NOT; how <= OPTIONAL_ANYWHERE && !code; how++)
            code = find_paths_of_rank(m, sources, rank, how, avoided, list);
    cflr_witness_avoid(m->witness, NULL);
    free(avoided);
    free(list);
    return code;
}

static uint32_t find_instance(const making *m) {
    cflr_result_label info;
    if (m->finding == CFLR_NO_LABEL) return CFLR_NO_LABEL;
    cflr_result_get_label(m->result, m->finding, &info);
    for (uint32_t i = 0; i < info.indexes; i++)
        if (strcmp(cflr_result_label_index(m->result, m->finding, i), m->rule->name) == 0) return i;
    return CFLR_NO_LABEL;
}

static int find_of_rule(making *m) {
    source_list sources = {0};
    uint32_t instance = find_instance(m);
    if (instance == CFLR_NO_LABEL) return 0;
    m->look = calloc((size_t)cflr_graph_vertices(m->found->graph) + 1, sizeof *m->look);
    int code = m->look ? find_looks(m, instance) : no_memory();
    if (!code) code = list_sources(m, instance, &sources);
    if (!code) count_sources(m, instance, &sources);
    size_t first = m->found->n;
    if (!code && m->rule->follows_null) code = find_paths_by_rank(m, &sources);
    if (!code && !m->rule->follows_null) code = find_paths(m, sources.vertex, sources.n, RANK_NONE);
    if (m->rule->follows_null) join_followed(m->found, first);
    if (!code) code = explain_findings(m, first);
    free(sources.vertex);
    free(m->look);
    free(m->n_sources);
    free(m->last);
    free(m->first);
    m->look = m->last = NULL;
    m->n_sources = m->first = NULL;
    return code;
}

/* ---- fingerprints ---- */

static uint64_t hash_text(uint64_t hash, const char *text) { /* FNV-1a, with the NUL */
    do hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return hash;
}

static uint64_t hash_vertex(uint64_t hash, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    const char *slash = strrchr(info.file, '/');
    hash = hash_text(hash, slash ? slash + 1 : info.file);
    return hash_text(hash_text(hash, info.function), info.name);
}

/* Rule, functions and expressions at both ends; and which of those that agree in all this it is. */
static int put_fingerprints(rule_findings *found) {
    uint64_t *hash = calloc(found->n + 1, sizeof *hash);
    if (!hash) return no_memory();
    for (size_t i = 0; i < found->n; i++) {
        rule_finding *f = &found->finding[i];
        hash[i] = hash_text(UINT64_C(0xcbf29ce484222325), f->rule->name);
        hash[i] = hash_vertex(hash_vertex(hash[i], found->graph, f->source), found->graph, f->sink);
        uint32_t earlier = 0;
        for (size_t k = i; k-- > 0 && same_function(found->graph, found->finding[k].sink, f->sink);)
            earlier += hash[k] == hash[i];
        snprintf(f->fingerprint, sizeof f->fingerprint, "%016" PRIx64 "-%" PRIu32, hash[i],
                 earlier);
    }
    free(hash);
    return 0;
}

/* ---- causes ---- */

static int compare_sources(const rule_findings *found, size_t a, size_t b) {
    const rule_finding *f = &found->finding[a], *g = &found->finding[b];
    cflr_vertex_info x, y;
    int order = strcmp(f->rule->name, g->rule->name);
    if (order) return order;
    cflr_graph_vertex(found->graph, f->source, &x);
    cflr_graph_vertex(found->graph, g->source, &y);
    return compare_looks(&x, &y);
}

typedef struct of_cause {
    const rule_findings *found;
    size_t number;
} of_cause;

static int compare_causes(const void *a, const void *b) {
    const of_cause *f = a, *g = b;
    int order = compare_sources(f->found, f->number, g->number);
    return order ? order : (f->number > g->number) - (f->number < g->number);
}

/* Findings of one source are in a list, in their order. */
static int link_causes(rule_findings *found) {
    of_cause *list = malloc((found->n + 1) * sizeof *list);
    if (!list) return no_memory();
    for (size_t i = 0; i < found->n; i++) list[i] = (of_cause){found, i};
    qsort(list, found->n, sizeof *list, compare_causes);
    for (size_t i = 0; i < found->n; i++) {
        rule_finding *f = &found->finding[list[i].number];
        bool first = i == 0 || compare_sources(found, list[i - 1].number, list[i].number) != 0;
        f->cause = first ? list[i].number : found->finding[list[i - 1].number].cause;
        f->next = list[i].number;
        if (!first) found->finding[list[i - 1].number].next = list[i].number;
    }
    free(list);
    return 0;
}

/* ---- all ---- */

static int compare_ranks(const void *a, const void *b) {
    const rule_finding *f = a, *g = b;
    return f->rank != g->rank ? (f->rank > g->rank ? 1 : -1) : compare_findings(a, b);
}

/* Fingerprints count in the order of places, readers begin with what is likely. */
static int put_in_order(rule_findings *found) {
    if (found->n) qsort(found->finding, found->n, sizeof *found->finding, compare_findings);
    int code = put_fingerprints(found);
    if (found->n) qsort(found->finding, found->n, sizeof *found->finding, compare_ranks);
    for (size_t i = 0; i < found->n; i++)
        found->n_likely += rule_rank_is_likely(found->finding[i].rank);
    return code ? code : link_causes(found);
}

static bool any_rule(const cflr_extract_report *report, bool follows_null) {
    const cflr_rule *rule;
    for (size_t i = 0; (rule = cflr_extract_rule(report, i)); i++)
        if (rule->follows_null == follows_null) return true;
    return false;
}

static int find_by_grammar(making *m, bool follows_null) {
    cflr_grammar **grammar = &m->found->grammar[follows_null];
    cflr_error error;
    cflr_solve_opts opts;
    static const char *const only[] = {"Finding", "M", "PT", "Spread"}; /* Spread: of text alone */
    const cflr_rule *rule;
    cflr_solve_opts_init(&opts);
    opts.only = only;
    opts.n_only = sizeof only / sizeof *only - follows_null;
    opts.time_kept = time_kept();
    const char *name = follows_null ? "null" : "taint"; /* ours, whatever files there are */
    const char *text = cflr_grammar_shipped_text(name);
    if (cflr_grammar_parse(session(), text, strlen(text), name, CFLR_GRAMMAR_AUTO, grammar,
                           &error) != CFLR_OK)
        return fail(&error);
    int code = 0;
    m->grammar = *grammar;
    int stopped = 0;
    if (cflr_solve(m->found->graph, m->grammar, &opts, &m->result, &error) != CFLR_OK)
        stopped = fail_once(m, &error);
    if (!m->result) return stopped;
    m->found->complete &= cflr_result_complete(m->result);
    if (!follows_null) warn_lost_sinks(m->result);
    m->finding = cflr_result_find_label(m->result, "Finding");
    m->points_to = cflr_result_find_label(m->result, "PT");
    if (cflr_witness_new(m->grammar, m->result, &m->witness, &error) != CFLR_OK)
        return fail_once(m, &error);
    if (follows_null && !rule_levels_make(m->found->graph, m->result, &m->found->slots, &m->levels))
        code = no_memory();
    for (size_t i = 0; !code && (rule = cflr_extract_rule(m->found->report, i)); i++) {
        m->rule = rule;
        if (rule->follows_null == follows_null) code = find_of_rule(m);
    }
    return code ? code : stopped;
}

int rule_findings_make(const cflr_graph *graph, const cflr_extract_report *report, bool all,
                       rule_findings *found) {
    *found = (rule_findings){.graph = graph, .report = report, .complete = true};
    int code = rule_slots_make(graph, &found->slots) ? 0 : no_memory(), stopped = 0;
    for (int follows_null = 0; follows_null < 2 && !code; follows_null++) {
        making m = {.found = found,
                    .all = all,
                    .dereference = cflr_graph_find_label(graph, "d", NULL),
                    .address = cflr_graph_find_label(graph, "alloc", NULL)};
        if (!any_rule(report, follows_null)) continue;
        code = find_by_grammar(&m, follows_null);
        bool limited = code == cflr_status_exit_code(CFLR_LIMIT) || code == EXIT_INTERRUPTED;
        if (limited) stopped = code;
        if (limited) code = 0;
        found->complete &= !limited;
        rule_levels_free(&m.levels);
        cflr_witness_free(m.witness);
        cflr_result_free(m.result);
    }
    if (code) return code;
    code = put_in_order(found);
    return code ? code : stopped;
}

void rule_findings_free(rule_findings *found) {
    for (size_t i = 0; i < found->n; i++) free_finding(&found->finding[i]);
    for (int i = 0; i < 2; i++) cflr_grammar_free(found->grammar[i]);
    rule_slots_free(&found->slots);
    free(found->finding);
    *found = (rule_findings){0};
}
