/* SPDX-License-Identifier: Apache-2.0
 *
 * rank.c: ranks of null pointers that are followed.
 *
 * A closure says what may be, and in real programs most of what it finds runs through memory that
 * it cannot tell apart: a list, a heap that one function hands out, a table of modules. A few
 * hundred nulls that are stored there come to thousands of places. So each vertex has a level,
 *
 *     DIRECT      a value: a local, an argument, a result, a parameter; members of these where
 *                 records are passed and returned by value
 *     VARIABLE    memory that can only be in one variable, named at a few places, to which at most
 *                 one value is written
 *     OBJECT      memory that is one of a few objects, likewise, to which a few values are written
 *     GUARDED     the same, for a null constant that a local or argument has for a time, or for one
 *                 caller, or that a function answers: where it is read under a condition, that may
 *                 go with it (frontend/walk/order/guards.c); of what a function stores where
 *                 a call of its own has failed, where the caller tests what the function returned
 *     TESTED      what is read behind a test of the same memory, with a call between
 *                 (frontend/walk/order/tested.c), or was tested as soon as it was stored there
 *                 (frontend/walk/order/stores.c)
 *     UNTESTED    what a function returns, when of the callers that follow it most do so without a
 *                 test: the programmers know that it never returns null (an allocator that ends the
 *                 program instead). Engler et al., "Bugs as Deviant Behavior", SOSP 2001
 *     MEMORY      all other memory
 *
 * (INITIAL is of sources: a null constant that memory holds until another value is stored there),
 * and a finding is ranked by the highest level that it needs: searches that go around all vertices
 * of higher levels (cflr_witness_avoid) are made one after another, lowest level first, and the
 * first that arrives decides. A likely path is never behind an unlikely one, however short that is.
 *
 *     p = find();  p->x           NULL -a-> return of find -a-> find() -a-> p              DIRECT
 *     s.p = find(); s.p->x        ... find() -a-> s.p                                      VARIABLE
 *     list->head = NULL;          NULL -null-> list->head -M-> item->next -a-> item        MEMORY
 *     item = item->next; item->x
 *
 * O(edges + expressions for memory, each beside MOST_NAMES others).
 */
#include "findings/rank.h"

#include <string.h>

#include "base/graph/graph.h"

enum {
    FEW = 4,          /* objects, and values that are written to them */
    MOST_NAMES = 16,  /* expressions for one place in memory: more, and it is not told apart */
    MOST_STEPS = 32,  /* from a result to a test of it */
    LEAST_CALLERS = 4 /* that follow a result: from so many on there is a habit */
};

/* ---- words ---- */

static const struct {
    const char *name, *reason;
} words[] = {
#define WORDS(name, number, word, why) [number] = {word, why},
    CFLR_RANK_LIST(WORDS)
#undef WORDS
};

const char *cflr_rank_name(cflr_rank rank) {
    return words[rank].name;
}

const char *cflr_rank_reason(cflr_rank rank) {
    return words[rank].reason;
}

const char *cflr_level_name(cflr_level level) {
    static const char *const names[] = {
#define NAME(name, number, word, text) word,
        CFLR_LEVEL_LIST(NAME)
#undef NAME
    };
    return names[level];
}

cflr_level cflr_finding_level(const cflr_finding *finding) {
    return finding->likely ? finding->rule->level : CFLR_LEVEL_NOTE;
}

bool cflri_rank_is_likely(cflr_rank rank) {
    return rank <= CFLR_RANK_OBJECT;
}

/* ---- what is known of the graph ---- */

typedef struct levelling {
    const cflr_graph *graph;
    const cflr_result *result;
    const cflri_labels *labels;
    const cflri_slots *slots;
    uint32_t points_to, memory; /* labels of the result */
    cflri_rank_levels *levels;
    cflr_row *row;   /* of the result */
    bool *no_memory; /* a row could not be read */
} levelling;

static const uint32_t *row_of(const levelling *l, cflri_meaning meaning, cflr_direction direction,
                              uint32_t vertex, uint64_t *n) {
    return cflri_labels_row(l->labels, meaning, direction, vertex, n);
}

/* Targets of the vertex along a label of the result; 0 without that label. */
static uint64_t count_row(const levelling *l, uint32_t label, uint32_t vertex) {
    return label == CFLR_NO_LABEL ? 0 : cflr_result_count(l->result, label, 0, vertex);
}

/* False when memory is refused, and then no level is used. */
static bool read_row(const levelling *l, uint32_t label, uint32_t vertex) {
    *l->no_memory |= cflr_result_row(l->result, label, 0, vertex, l->row, NULL) != CFLR_OK;
    return !*l->no_memory;
}

static uint64_t degree(const levelling *l, cflri_meaning meaning, cflr_direction direction,
                       uint32_t vertex) {
    return cflri_labels_degree(l->labels, meaning, direction, vertex);
}

/* The function whose parameter or result a pointer points to; CFLR_NO_VERTEX: it is no such
 * pointer. */
static uint32_t function_of_slot(const levelling *l, uint32_t pointer) {
    uint32_t function = CFLR_NO_VERTEX;
    cflri_labels_neighbour(l->labels, CFLRI_MEANS_SLOT, CFLR_IN, pointer, &function);
    return function;
}

/* ---- memory ---- */

/* The objects to which a pointer may point: nothing that is known is MEMORY, and what is allocated
 * at one place is many. */
static cflr_rank level_of_objects(const levelling *l, uint32_t pointer) {
    cflr_vertex_info info;
    uint64_t n = count_row(l, l->points_to, pointer);
    if (n == 0 || n > FEW || !read_row(l, l->points_to, pointer)) return CFLR_RANK_MEMORY;
    cflr_graph_vertex(l->graph, l->row->target[0], &info);
    bool one = n == 1 && info.kind != CFLR_VERTEX_ALLOCATION && info.kind != CFLR_VERTEX_UNKNOWN &&
               info.kind != CFLR_VERTEX_LOST;
    return one ? CFLR_RANK_VARIABLE : CFLR_RANK_OBJECT;
}

/* Edges by which something other than a null constant is written there. */
static uint64_t count_writes(const levelling *l, uint32_t vertex) {
    return degree(l, CFLRI_MEANS_FLOW, CFLR_IN, vertex) +
           degree(l, CFLRI_MEANS_TEST, CFLR_IN, vertex);
}

/* How much is written to this memory under all its names; more than there can be when it has too
 * many of them. */
static uint64_t count_all_writes(const levelling *l, uint32_t vertex) {
    uint64_t n = count_row(l, l->memory, vertex), writes = count_writes(l, vertex);
    if (n > MOST_NAMES) return UINT64_MAX;
    if (!n || !read_row(l, l->memory, vertex)) return writes;
    for (uint64_t i = 0; i < n; i++)
        if (l->row->target[i] != vertex) writes += count_writes(l, l->row->target[i]);
    return writes;
}

/* A variable of the file, or what is found by it, is memory that is always there. */
static bool is_static(const cflr_vertex_info *info) {
    return !info->function[0] &&
           (info->kind == CFLR_VERTEX_VARIABLE || info->kind == CFLR_VERTEX_DEREFERENCE);
}

/* All records of a type whose member's address is taken, which is where a pointer to that member
 * goes back to (`[struct item.link]`): one of them is known, nothing distinguishes the others. */
static bool is_crowd(const levelling *l, uint32_t vertex, const cflr_vertex_info *info) {
    return info->kind == CFLR_VERTEX_TEMPORARY && info->name[0] == '[' &&
           count_writes(l, vertex) > 1;
}

/* The value of an expression, as the frontend has seen it: "tested" before a call, which may have
 * changed it, or "guarded" by a condition. */
static bool is_read(const cflr_vertex_info *info, const char *how) {
    size_t n = strlen(how);
    return info->kind == CFLR_VERTEX_TEMPORARY && info->name[0] == '[' &&
           strncmp(info->name + 1, how, n) == 0 && info->name[n + 1] == ' ';
}

static bool is_guard(const cflr_vertex_info *info) {
    return is_read(info, "guarded");
}

/* Of what a call has written whose result is tested. */
static bool is_output(const cflr_vertex_info *info) {
    return is_read(info, "guarded") && strncmp(info->name, "[guarded output ", 16) == 0;
}

bool cflri_vertex_is_silent(const cflr_vertex_info *info) {
    return is_guard(info) || is_read(info, "stored") || is_read(info, "checked");
}

static cflr_rank higher(cflr_rank a, cflr_rank b) {
    return a > b ? a : b;
}

/* The slot of a parameter or result whose address is not taken, or the address of an unnamed value,
 * which is written once: is what is there a value? */
static bool holds_value(const levelling *l, uint32_t address) {
    cflr_vertex_info info;
    uint64_t n;
    cflr_graph_vertex(l->graph, address, &info);
    const uint32_t *object = row_of(l, CFLRI_MEANS_ADDRESS, CFLR_IN, address, &n);
    if (n == 0) return info.kind == CFLR_VERTEX_ADDRESS;
    cflr_graph_vertex(l->graph, object[0], &info);
    return info.kind == CFLR_VERTEX_TEMPORARY;
}

/* Is a member of a parameter written in its function, besides by the calls, which copy members
 * only? */
static bool is_written_inside(const levelling *l, uint32_t vertex, const cflr_vertex_info *info) {
    uint64_t n;
    cflr_vertex_info from;
    const uint32_t *source = row_of(l, CFLRI_MEANS_FLOW, CFLR_IN, vertex, &n);
    bool member =
        l->slots->of[vertex] == CFLRI_SLOT_PARAMETER && info->kind != CFLR_VERTEX_PARAMETER;
    for (uint64_t i = 0; i < n && member; i++) {
        cflr_graph_vertex(l->graph, source[i], &from);
        if (from.kind == CFLR_VERTEX_ADDRESS || strcmp(from.function, info->function) == 0)
            return true;
    }
    return false;
}

/* Parameters, results and members of both are contents of pointers, too, for calls through pointers
 * to functions and because records are memory: they are values where that is one function. */
static cflr_rank level_of_memory(const levelling *l, uint32_t vertex) {
    uint64_t n, writes;
    cflr_vertex_info info;
    cflr_graph_vertex(l->graph, vertex, &info);
    if (is_read(&info, "tested") || is_read(&info, "checked")) return CFLR_RANK_TESTED;
    bool unknown = info.kind == CFLR_VERTEX_UNKNOWN || info.kind == CFLR_VERTEX_LOST ||
                   is_crowd(l, vertex, &info);
    cflr_rank level = unknown ? CFLR_RANK_MEMORY : CFLR_RANK_DIRECT;
    const uint32_t *pointer = row_of(l, CFLRI_MEANS_CONTENT, CFLR_IN, vertex, &n);
    bool is_value = !is_static(&info) && !is_written_inside(l, vertex, &info);
    for (uint64_t i = 0; i < n && level < CFLR_RANK_MEMORY; i++) {
        uint32_t root = l->slots->root[pointer[i]], function = function_of_slot(l, root);
        bool value = holds_value(l, root);
        is_value &= value;
        if (function != CFLR_NO_VERTEX)
            level = higher(level, level_of_objects(l, function));
        else if (!value)
            level = higher(level, level_of_objects(l, pointer[i]));
    }
    if (is_value) return level == CFLR_RANK_VARIABLE ? CFLR_RANK_DIRECT : level;
    if (level == CFLR_RANK_MEMORY) return level;
    writes = count_all_writes(l, vertex);
    if (writes <= 1) return higher(level, CFLR_RANK_VARIABLE);
    return writes <= FEW ? CFLR_RANK_OBJECT : CFLR_RANK_MEMORY;
}

/* ---- results that are not tested ---- */

typedef struct habit {
    uint64_t followed, tested; /* callers */
} habit;

static bool has_sink(const levelling *l, uint32_t vertex) {
    uint32_t sink;
    return cflri_labels_neighbour(l->labels, CFLRI_MEANS_SINK, CFLR_OUT, vertex, &sink);
}

/* The use that one caller makes of the result, as long as it is in locals. */
static void see_caller(const levelling *l, uint32_t result, habit *h) {
    uint32_t seen[MOST_STEPS] = {result};
    size_t n_seen = 1;
    bool followed = false, tested = false;
    cflr_vertex_info caller, to;
    cflr_graph_vertex(l->graph, result, &caller);
    for (size_t i = 0; i < n_seen; i++) {
        uint64_t n;
        tested |= degree(l, CFLRI_MEANS_TEST, CFLR_OUT, seen[i]) > 0;
        followed |= has_sink(l, seen[i]);
        const uint32_t *next = row_of(l, CFLRI_MEANS_FLOW, CFLR_OUT, seen[i], &n);
        for (uint64_t k = 0; k < n && n_seen < MOST_STEPS; k++) {
            bool known = l->levels->of[next[k]] == CFLR_RANK_MEMORY;
            for (size_t s = 0; s < n_seen; s++) known |= seen[s] == next[k];
            cflr_graph_vertex(l->graph, next[k], &to);
            if (!known && to.kind != CFLR_VERTEX_RETURN &&
                strcmp(to.function, caller.function) == 0)
                seen[n_seen++] = next[k];
        }
    }
    h->followed += followed || tested;
    h->tested += tested;
}

static cflr_rank level_of_return(const levelling *l, uint32_t vertex) {
    habit h = {0};
    uint64_t n;
    const uint32_t *result = row_of(l, CFLRI_MEANS_FLOW, CFLR_OUT, vertex, &n);
    for (uint64_t i = 0; i < n; i++) see_caller(l, result[i], &h);
    bool habitual = h.followed >= LEAST_CALLERS && 2 * h.tested < h.followed;
    return habitual ? CFLR_RANK_UNTESTED : CFLR_RANK_DIRECT;
}

/* ---- all vertices ---- */

/* "malloc()" is none: what may be null is what it stores. */
static bool is_constant(const cflr_vertex_info *info) {
    size_t length = strlen(info->name);
    return info->kind == CFLR_VERTEX_NULL_VALUE &&
           (length < 2 || strcmp(info->name + length - 2, "()") != 0);
}

/* `s->p = NULL`, where s->p is written at another place as well. A value that is stored through a
 * pointer is a result: `*result = NULL`. `return NULL` for no memory is what was asked for. A
 * choice in a macro of the library (frontend/walk/operator.c) is none of the program's. */
static bool is_initial(const levelling *l, uint32_t source, const cflr_vertex_info *info) {
    uint64_t n;
    const uint32_t *to = row_of(l, CFLRI_MEANS_NULL, CFLR_OUT, source, &n);
    if (strcmp(info->name, "NULL in a macro of the library") == 0 ||
        strcmp(info->name, "NULL for a null argument") == 0)
        return true;
    bool no_size = strcmp(info->name, "NULL for a size of 0") == 0;
    for (uint64_t i = 0; i < n && is_constant(info); i++) {
        cflr_vertex_info target;
        cflr_graph_vertex(l->graph, to[i], &target);
        if (no_size && target.kind == CFLR_VERTEX_RETURN) return true;
        bool memory = l->levels->of[to[i]] != CFLR_RANK_DIRECT && target.name[0] != '*';
        if (memory && count_all_writes(l, to[i]) > 0) return true;
    }
    return false;
}

/* Is it a parameter of what a pointer points to? Which function that is goes with the value. */
static bool is_passed_on(const levelling *l, uint32_t vertex) {
    uint64_t n;
    const uint32_t *slot = row_of(l, CFLRI_MEANS_CONTENT, CFLR_IN, vertex, &n);
    return n == 1 && function_of_slot(l, slot[0]) != CFLR_NO_VERTEX;
}

static bool has_parameter(const levelling *l, uint32_t vertex) {
    uint64_t n;
    const uint32_t *to = row_of(l, CFLRI_MEANS_FLOW, CFLR_OUT, vertex, &n);
    for (uint64_t i = 0; i < n; i++)
        if (l->slots->of[to[i]] == CFLRI_SLOT_PARAMETER || is_passed_on(l, to[i])) return true;
    return false;
}

static bool has_local(const levelling *l, uint32_t vertex) {
    uint64_t n;
    const uint32_t *to = row_of(l, CFLRI_MEANS_FLOW, CFLR_OUT, vertex, &n);
    for (uint64_t i = 0; i < n; i++) {
        cflr_vertex_info target;
        cflr_graph_vertex(l->graph, to[i], &target);
        if (target.kind == CFLR_VERTEX_VARIABLE && target.function[0] &&
            l->levels->of[to[i]] == CFLR_RANK_DIRECT)
            return true;
    }
    return false;
}

/* Does a null constant meet something else in a local, in this version of it or the next one? */
static bool meets_more(const levelling *l, uint32_t vertex, const cflr_vertex_info *info) {
    uint64_t n;
    const uint32_t *to = row_of(l, CFLRI_MEANS_FLOW, CFLR_OUT, vertex, &n);
    bool meets = count_writes(l, vertex) > 0;
    for (uint64_t i = 0; i < n && !meets; i++) {
        cflr_vertex_info next;
        cflr_graph_vertex(l->graph, to[i], &next);
        meets = next.kind == info->kind && strcmp(next.name, info->name) == 0 &&
                strcmp(next.function, info->function) == 0 && count_writes(l, to[i]) > 1;
    }
    return meets;
}

/* Functions of the library whose null is an answer, as "not found" is, and no failure. */
static bool is_answer(const cflr_vertex_info *info) {
    static const char *const names[] = {
        "strchr()",   "strrchr()", "strstr()", "strcasestr()", "strpbrk()",
        "memchr()",   "memrchr()", "memmem()", "strsep()",     "strtok()",
        "strtok_r()", "bsearch()", "lfind()",  "tfind()",      "evbuffer_pullup()"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= strcmp(info->name, names[i]) == 0;
    return found;
}

/* `p = NULL` of a local that is something else as well, NULL as an argument, and what a function
 * answers. That a call of its own has failed shows in the result of the function where the null
 * pointer does not. */
static cflri_optional how_optional(const levelling *l, uint32_t source,
                                   const cflr_vertex_info *info) {
    uint64_t n;
    const uint32_t *to = row_of(l, CFLRI_MEANS_NULL, CFLR_OUT, source, &n);
    bool failed = strcmp(info->name, "NULL behind a call that failed") == 0;
    if (is_answer(info)) return CFLRI_OPTIONAL_ANYWHERE;
    bool optional = n > 0 && is_constant(info), output = failed;
    for (uint64_t i = 0; i < n && optional; i++) {
        cflr_vertex_info target;
        cflr_graph_vertex(l->graph, to[i], &target);
        bool variable = target.kind == CFLR_VERTEX_VARIABLE || target.kind == CFLR_VERTEX_PARAMETER;
        bool local = variable && target.function[0] && l->levels->of[to[i]] == CFLR_RANK_DIRECT &&
                     meets_more(l, to[i], &target);
        bool answer = (target.kind == CFLR_VERTEX_RETURN && !failed) || target.name[0] == '*';
        optional =
            local || answer || (target.kind == CFLR_VERTEX_TEMPORARY && has_parameter(l, to[i]));
        output &= target.name[0] == '*';
    }
    if (!optional) return CFLRI_OPTIONAL_NOT;
    return output ? CFLRI_OPTIONAL_OUTPUT : CFLRI_OPTIONAL_ANYWHERE;
}

static cflri_optional how_guarded(const levelling *l, uint32_t vertex,
                                  const cflr_vertex_info *info) {
    bool goes_on =
        is_guard(info) && (has_sink(l, vertex) || has_parameter(l, vertex) || has_local(l, vertex));
    if (!goes_on) return CFLRI_OPTIONAL_NOT;
    return is_output(info) ? CFLRI_OPTIONAL_OUTPUT : CFLRI_OPTIONAL_ANYWHERE;
}

static void see_all(const levelling *l) {
    uint32_t n_vertices = cflr_graph_vertices(l->graph);
    uint8_t *level = l->levels->of;
    cflr_vertex_info info;
    for (uint32_t v = 0; v < n_vertices; v++) level[v] = (uint8_t)level_of_memory(l, v);
    for (uint32_t v = 0; v < n_vertices; v++) {
        cflr_graph_vertex(l->graph, v, &info);
        if (info.kind == CFLR_VERTEX_RETURN && level[v] == CFLR_RANK_DIRECT)
            level[v] = (uint8_t)level_of_return(l, v);
        l->levels->initial[v] = is_initial(l, v, &info);
        l->levels->optional[v] = (uint8_t)how_optional(l, v, &info);
        l->levels->guarded[v] = (uint8_t)how_guarded(l, v, &info);
    }
}

bool cflri_rank_levels_make(const cflr_result *result, const cflri_labels *labels,
                            const cflri_slots *slots, cflri_rank_levels *levels) {
    const cflr_graph *graph = labels->graph;
    cflr_context *context = graph->context;
    size_t n = cflr_graph_vertices(graph);
    cflr_row row = {0};
    bool no_memory = false;
    const levelling l = {.graph = graph,
                         .result = result,
                         .labels = labels,
                         .slots = slots,
                         .points_to = cflr_result_find_label(result, "PT"),
                         .memory = cflr_result_find_label(result, "M"),
                         .levels = levels,
                         .row = &row,
                         .no_memory = &no_memory};
    *levels =
        (cflri_rank_levels){cflri_alloc(context, n), cflri_alloc_zero(context, n * sizeof(bool)),
                            cflri_alloc_zero(context, n), cflri_alloc_zero(context, n)};
    bool good = levels->of && levels->initial && levels->optional && levels->guarded;
    if (good) see_all(&l);
    cflr_row_free(&row);
    return good && !no_memory;
}

void cflri_rank_levels_free(cflr_context *context, cflri_rank_levels *levels) {
    cflri_free(context, levels->of);
    cflri_free(context, levels->initial);
    cflri_free(context, levels->optional);
    cflri_free(context, levels->guarded);
    *levels = (cflri_rank_levels){0};
}
