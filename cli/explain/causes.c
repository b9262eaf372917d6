/* SPDX-License-Identifier: Apache-2.0
 *
 * causes.c: reads off a graph which places mix values.
 *
 * Vertices tell by kind and name what the front end could not follow exactly
 * (docs/reference/labels.md): an unknown function is one vertex, and so is each copy of memory
 * without type. More causes are seen in the flow:
 *
 *     allocator    &malloc() -a-> ... -a-> return of f -a-> f() at two places or more, within f
 *                  but for the calls
 *     returned     &realloc() -a-> realloc() <-a- argument
 *     merged       return of f -a-> f() at many places, and not of fresh memory
 *     passed       a parameter to which values come from many functions
 *     copied       *p -a-> *q, where the type of neither tells what it is
 *     untyped      a location of an allocation, the parts of which are not told apart
 *     kept         a member, or a global variable, that is a pointer to anything
 *
 * Each place is a cause of its own, by function, member or variable, and all places of a kind are
 * one together where that says something (is_lone).
 */
#include "cli/explain/causes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/answer/loading.h"
#include "cli/names/names.h"

enum { FEW = 2, MANY = 4 /* functions whose values meet */ };

typedef struct finding_causes {
    const cflr_graph *graph;
    causes *found;
    uint8_t *fresh; /* by vertex: may hold an address of memory that its function has made */
    uint32_t *stack, *base; /* base: by vertex */
    size_t n_stack;
    bool typed; /* the graph has types */
    bool failed;
} finding_causes;

/* ---- the list ---- */

static cause *add_cause(finding_causes *f, cause made) {
    causes *all = f->found;
    if (!make_room(&all->at, &all->capacity, all->n, sizeof *all->at)) {
        f->failed = true;
        return NULL;
    }
    all->at[all->n] = made;
    return &all->at[all->n++];
}

static void add_part(finding_causes *f, cause *c, cause_part part) {
    if (make_room(&c->part, &c->capacity, c->n, sizeof *c->part))
        c->part[c->n++] = part;
    else
        f->failed = true;
}

/* A part of the cause of this kind and name. Parts of one function mostly come one after the other;
 * what does not is joined when all are there (join_causes). */
static void put_member(finding_causes *f, cause_kind kind, const char *record, const char *name,
                       const cflr_vertex_info *where, cause_part part, size_t places) {
    causes *all = f->found;
    cause *c = all->n ? &all->at[all->n - 1] : NULL;
    if (!c || c->kind != kind || strcmp(c->name, name) != 0 || strcmp(c->record, record) != 0)
        c = add_cause(f, (cause){.kind = kind,
                                 .record = record,
                                 .name = name,
                                 .file = where->file,
                                 .line = where->line,
                                 .number = all->n});
    if (!c) return;
    c->places += places;
    add_part(f, c, part);
}

static void put(finding_causes *f, cause_kind kind, const char *name, const cflr_vertex_info *where,
                cause_part part, size_t places) {
    put_member(f, kind, "", name, where, part, places);
}

static int by_name(const void *a, const void *b) {
    const cause *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    int order = strcmp(x->name, y->name);
    if (!order) order = strcmp(x->record, y->record);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Causes of one kind and name are one. */
static void join_causes(finding_causes *f) {
    causes *all = f->found;
    size_t kept = 0;
    if (all->n) qsort(all->at, all->n, sizeof *all->at, by_name);
    for (size_t i = 0; i < all->n; i++) {
        cause *c = &all->at[i], *last = kept ? &all->at[kept - 1] : NULL;
        if (!last || last->kind != c->kind || strcmp(last->name, c->name) != 0 ||
            strcmp(last->record, c->record) != 0) {
            all->at[kept++] = *c;
            continue;
        }
        last->places += c->places;
        for (size_t k = 0; k < c->n; k++) add_part(f, last, c->part[k]);
        free(c->part);
    }
    all->n = kept;
}

/* ---- by kind and name ---- */

static bool construct(const cflr_vertex_info *info, cause_kind *kind) {
    static const struct {
        const char *name;
        cause_kind kind;
    } all[] = {{"copy", CAUSE_COPIED},
               {"copied", CAUSE_COPIED},
               {"bytes", CAUSE_BYTES},
               {"view", CAUSE_VIEW},
               {"moved", CAUSE_MOVED}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *kind = all[i].kind;
        if (strcmp(info->name, all[i].name) == 0) return true;
    }
    return false;
}

static cause_part cut(uint32_t vertex) {
    return (cause_part){vertex, CFLR_CHANGE_CUT};
}

static void look_at_unknown(finding_causes *f, uint32_t vertex, const cflr_vertex_info *info) {
    cause_kind kind;
    if (!info->function[0]) {
        put(f, CAUSE_UNMODELLED, info->name, info, cut(vertex), 1);
    } else if (construct(info, &kind)) {
        bool still = kind == CAUSE_MOVED || kind == CAUSE_VIEW;
        put(f, kind, info->function, info,
            still ? (cause_part){vertex, CFLR_CHANGE_STILL} : cut(vertex), 1);
    }
}

/* ---- memory that functions return ---- */

/* May what a vertex holds go on to another as memory that this function has made? */
static bool goes_on(const cflr_vertex_info *from, const cflr_vertex_info *to) {
    if (from->kind == CFLR_VERTEX_RETURN) return to->kind == CFLR_VERTEX_TEMPORARY;
    return to->function[0] && to->kind != CFLR_VERTEX_PARAMETER &&
           to->kind != CFLR_VERTEX_UNKNOWN && strcmp(from->function, to->function) == 0;
}

static void mark(finding_causes *f, uint32_t vertex) {
    if (f->fresh[vertex]) return;
    f->fresh[vertex] = 1;
    f->stack[f->n_stack++] = vertex;
}

static void follow_memory(finding_causes *f) {
    while (f->n_stack) {
        uint32_t from = f->stack[--f->n_stack];
        cflr_vertex_info a, b;
        uint64_t n;
        const uint32_t *to = edges_of(f->graph, "a", NULL, CFLR_OUT, from, &n);
        cflr_graph_vertex(f->graph, from, &a);
        for (uint64_t k = 0; k < n; k++) {
            cflr_graph_vertex(f->graph, to[k], &b);
            if (goes_on(&a, &b)) mark(f, to[k]);
        }
    }
}

/* From the address of each allocation on. */
static void find_fresh(finding_causes *f) {
    uint32_t alloc = cflr_graph_find_label(f->graph, "alloc", NULL), vertex;
    uint64_t cursor = 0, n;
    const uint32_t *row;
    while (alloc != CFLR_NO_LABEL &&
           (row = cflr_graph_next_row(f->graph, alloc, CFLR_OUT, &cursor, &vertex, &n))) {
        cflr_vertex_info info;
        cflr_graph_vertex(f->graph, vertex, &info);
        for (uint64_t k = 0; info.kind == CFLR_VERTEX_ALLOCATION && k < n; k++) mark(f, row[k]);
    }
    follow_memory(f);
}

static bool is_pointer(const cflr_vertex_info *info) {
    return strchr(info->type, '*') != NULL;
}

/* A function that returns fresh memory at two calls or more, or something else at many. */
static void look_at_return(finding_causes *f, uint32_t vertex, const cflr_vertex_info *info) {
    uint64_t n;
    bool fresh = f->fresh[vertex];
    const uint32_t *call = edges_of(f->graph, "a", NULL, CFLR_OUT, vertex, &n);
    if (n < (fresh ? FEW : MANY) || (!fresh && !is_pointer(info))) return;
    cause_kind kind = fresh ? CAUSE_ALLOCATOR : CAUSE_MERGED;
    for (uint64_t k = 0; k < n; k++)
        put(f, kind, info->function, info, (cause_part){call[k], CFLR_CHANGE_FRESH}, 1);
}

/* A temporary of the library that holds memory of this call, and something else. */
static void look_at_temporary(finding_causes *f, uint32_t vertex, const cflr_vertex_info *info) {
    uint64_t n, own = 0;
    const uint32_t *from = edges_of(f->graph, "a", NULL, CFLR_IN, vertex, &n);
    for (uint64_t k = 0; k < n; k++) {
        cflr_vertex_info other;
        cflr_graph_vertex(f->graph, from[k], &other);
        own += other.kind == CFLR_VERTEX_ADDRESS && other.name[0] == '&' &&
               strcmp(other.name + 1, info->name) == 0;
    }
    if (own && own < n)
        put(f, CAUSE_RETURNED, info->name, info, (cause_part){vertex, CFLR_CHANGE_FRESH}, 1);
}

/* ---- values that meet in a parameter ---- */

static void look_at_parameter(finding_causes *f, uint32_t vertex, const cflr_vertex_info *info) {
    uint64_t n, callers = 0;
    const char *last = "";
    if (!is_pointer(info)) return;
    const uint32_t *from = edges_of(f->graph, "a", NULL, CFLR_IN, vertex, &n);
    for (uint64_t k = 0; k < n; k++) {
        cflr_vertex_info other;
        cflr_graph_vertex(f->graph, from[k], &other);
        callers += strcmp(other.function, last) != 0;
        last = other.function;
    }
    if (callers >= MANY) put(f, CAUSE_PASSED, info->function, info, cut(vertex), callers);
}

/* ---- memory ---- */

/* The content of what begins where a pointer leads: its type tells nothing. */
static bool is_plain_content(const cflr_vertex_info *info) {
    return info->kind == CFLR_VERTEX_DEREFERENCE && !info->type[0] && info->name[0] == '*';
}

/* Memory at a pointer is copied to memory at another one, without a type. */
static void look_at_copy(finding_causes *f, uint32_t vertex, const cflr_vertex_info *info) {
    uint64_t n;
    if (!is_plain_content(info)) return;
    const uint32_t *from = edges_of(f->graph, "a", NULL, CFLR_IN, vertex, &n);
    for (uint64_t k = 0; k < n; k++) {
        cflr_vertex_info other;
        cflr_graph_vertex(f->graph, from[k], &other);
        if (!is_plain_content(&other)) continue;
        put(f, CAUSE_COPIED, info->function, info, (cause_part){vertex, CFLR_CHANGE_APART}, 1);
        put(f, CAUSE_COPIED, info->function, info, (cause_part){from[k], CFLR_CHANGE_APART}, 0);
    }
}

/* Memory of an allocation, the parts of which are not told apart. */
static void look_at_location(finding_causes *f, uint32_t vertex) {
    cflr_vertex_info object, address;
    uint64_t whole, n, objects;
    edges_of(f->graph, "whole", NULL, CFLR_OUT, vertex, &whole);
    const uint32_t *in = edges_of(f->graph, "in", NULL, CFLR_OUT, vertex, &n);
    if (!whole || !n) return;
    const uint32_t *of = edges_of(f->graph, "alloc", NULL, CFLR_IN, in[0], &objects);
    if (!objects) return;
    cflr_graph_vertex(f->graph, of[0], &object);
    cflr_graph_vertex(f->graph, in[0], &address);
    if (object.kind != CFLR_VERTEX_ALLOCATION) return;
    put(f, CAUSE_UNTYPED, address.function, &address, (cause_part){vertex, CFLR_CHANGE_EMPTY}, 1);
    put(f, CAUSE_UNTYPED, address.function, &address, (cause_part){of[0], CFLR_CHANGE_NONE}, 0);
}

/* ---- members and variables of any type ---- */

/* Does it hold pointers to anything? */
static bool is_of_any_type(const finding_causes *f, uint32_t vertex, const cflr_vertex_info *info) {
    uint64_t n;
    if (strchr(info->type, '(')) return false;
    if (strstr(info->type, "void *")) return true;
    edges_of(f->graph, "reads", NULL, CFLR_OUT, vertex, &n);
    return f->typed && is_pointer(info) && !n;
}

/* The pointer to the record of which a content is a member, as it is written last in its name; or
 * none. */
static uint32_t record_of(const finding_causes *f, uint32_t vertex) {
    uint64_t n;
    cflr_vertex_info info;
    const uint32_t *pointer = edges_of(f->graph, "d", NULL, CFLR_IN, vertex, &n);
    if (!n) return CFLR_NO_VERTEX;
    cflr_graph_vertex(f->graph, pointer[0], &info);
    return info.kind == CFLR_VERTEX_FIELD ? f->base[pointer[0]] : pointer[0];
}

static void look_at_kept(finding_causes *f, uint32_t vertex, const cflr_vertex_info *info) {
    cflr_vertex_info pointer;
    const cause_part part = {vertex, CFLR_CHANGE_EMPTY};
    if (!is_of_any_type(f, vertex, info)) return;
    if (info->kind == CFLR_VERTEX_VARIABLE && !info->function[0])
        put(f, CAUSE_KEPT, info->name, info, part, 1);
    const char *arrow = strrchr(info->name, '>');
    uint32_t record =
        info->kind == CFLR_VERTEX_DEREFERENCE && arrow ? record_of(f, vertex) : CFLR_NO_VERTEX;
    if (record == CFLR_NO_VERTEX) return;
    cflr_graph_vertex(f->graph, record, &pointer);
    put_member(f, CAUSE_KEPT, pointer.type, arrow + 1, info, part, 1);
}

/* By FIELD: the pointer of which it is a member's address, the last one of several. */
static void find_bases(finding_causes *f) {
    uint32_t labels = cflr_graph_labels(f->graph), from;
    for (uint32_t v = 0; v < cflr_graph_vertices(f->graph); v++) f->base[v] = CFLR_NO_VERTEX;
    for (uint32_t label = 0; label < labels; label++) {
        uint64_t cursor = 0, n;
        const uint32_t *row;
        if (strcmp(cflr_graph_label_name(f->graph, label), "f") != 0) continue;
        while ((row = cflr_graph_next_row(f->graph, label, CFLR_OUT, &cursor, &from, &n)))
            for (uint64_t k = 0; k < n; k++) f->base[row[k]] = from;
    }
}

/* ---- all ---- */

static void look_at_all(finding_causes *f) {
    uint32_t n = cflr_graph_vertices(f->graph);
    for (uint32_t v = 0; v < n && !f->failed; v++) {
        cflr_vertex_info info;
        cflr_graph_vertex(f->graph, v, &info);
        if (info.kind == CFLR_VERTEX_UNKNOWN) look_at_unknown(f, v, &info);
        if (info.kind == CFLR_VERTEX_RETURN) look_at_return(f, v, &info);
        if (info.kind == CFLR_VERTEX_TEMPORARY) look_at_temporary(f, v, &info);
        if (info.kind == CFLR_VERTEX_PARAMETER) look_at_parameter(f, v, &info);
        if (info.kind == CFLR_VERTEX_LOCATION) look_at_location(f, v);
        look_at_copy(f, v, &info);
        look_at_kept(f, v, &info);
    }
}

/* Is the kind without a group? All of these together are most of what a program does. */
static bool is_lone(cause_kind kind) {
    return kind == CAUSE_MERGED || kind == CAUSE_PASSED || kind == CAUSE_KEPT ||
           kind == CAUSE_UNTYPED;
}

/* All single causes of a kind, if there are several; the group names the place found first. */
static void add_group(finding_causes *f, cause_kind kind) {
    size_t n = f->found->n, members = 0;
    cause all = {.kind = kind, .group = true};
    for (size_t i = 0; i < n && !f->failed; i++) {
        const cause *c = &f->found->at[i];
        if (c->kind != kind || c->group) continue;
        if (!members++ || c->number < all.number) {
            all.file = c->file;
            all.line = c->line;
            all.number = c->number;
        }
        for (size_t k = 0; k < c->n && !f->failed; k++) add_part(f, &all, c->part[k]);
    }
    all.places = members;
    if (members < FEW || f->failed || !add_cause(f, all)) free(all.part);
}

static int in_order(const void *a, const void *b) {
    const cause *x = a, *y = b;
    if (x->group != y->group) return x->group ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->group ? 0 : strcmp(x->name, y->name);
}

int causes_find(const cflr_graph *graph, causes *found) {
    uint32_t n = cflr_graph_vertices(graph);
    finding_causes f = {.graph = graph,
                        .found = found,
                        .fresh = calloc((size_t)n + 1, 1),
                        .stack = calloc((size_t)n + 1, sizeof *f.stack),
                        .base = calloc((size_t)n + 1, sizeof *f.base),
                        .typed = has_locations(graph)};
    *found = (causes){0};
    f.failed = !f.fresh || !f.stack || !f.base;
    if (!f.failed) find_fresh(&f);
    if (!f.failed) find_bases(&f);
    if (!f.failed) look_at_all(&f);
    join_causes(&f);
    for (cause_kind kind = 0; kind < CAUSE_KINDS && !f.failed; kind++)
        if (!is_lone(kind)) add_group(&f, kind);
    if (found->n) qsort(found->at, found->n, sizeof *found->at, in_order);
    free(f.fresh);
    free(f.stack);
    free(f.base);
    return f.failed ? fail_memory() : 0;
}

void causes_free(causes *found) {
    for (size_t i = 0; i < found->n; i++) free(found->at[i].part);
    free(found->at);
}

/* ---- what is said ---- */

/* X(kind, word, of one place, of all places, what can be done): `%s` is the name of a function. */
#define CAUSE_LIST(X)                                                                              \
    X(UNMODELLED, "unmodelled",                                                                    \
      "`%s` has no model: what it is given may come back from it and into every callback",         \
      "functions without a model: what one is given may come back from it and into every "         \
      "callback",                                                                                  \
      "`cflr extract --unknown` writes the lines to edit, --summaries reads them")                 \
    X(ALLOCATOR, "allocator", "the memory that `%s` returns is one object for all calls of it",    \
      "functions that return memory: it is one object for all calls of each",                      \
      "--context types tells the memory apart by what callers make of it, --context heap by call") \
    X(RETURNED, "returned", "`%s` may give back its argument, whatever that points to",            \
      "functions of the library that make memory may give back their argument",                    \
      "a summary `override NAME: ret = new` in --summaries, where the argument is always memory")  \
    X(COPIED, "copied", "memory is copied without its type in `%s`, so any member may become any", \
      "memory is copied without its type, so any member may become any",                           \
      "copy by assignment, or by memcpy of a record's own size and type, where pointers are in "   \
      "it")                                                                                        \
    X(BYTES, "bytes", "memory is copied in pieces in `%s`, so text may carry pointers",            \
      "memory is copied in pieces, so text may carry pointers",                                    \
      "a summary `override NAME: none` in --summaries for a function that copies text only")       \
    X(VIEW, "view", "memory is seen under another type in `%s`, so any member may be any",         \
      "memory is seen under another type, so any member may be any",                               \
      "name the member instead of casting the record, where there is one")                         \
    X(MOVED, "moved",                                                                              \
      "a pointer is moved by an unknown number in `%s`, so it may be at any member",               \
      "pointers are moved by unknown numbers, so they may be at any member",                       \
      "a constant offset, or offsetof, keeps members apart")                                       \
    X(UNTYPED, "untyped",                                                                          \
      "memory that `%s` makes is used as types that are not told, so it is one place for all",     \
      "memory is used as types that are not told, so it is one place for all",                     \
      "convert its pointer to the type that it is used as where it is made, not to void *")        \
    X(KEPT, "kept", "no type tells what is kept in `%s`, so whoever reads it gets all of it",      \
      "no type tells what is kept in members and variables, so whoever reads one gets all of it",  \
      "members of their own for values of different types")                                        \
    X(MERGED, "merged", "what calls give `%s` comes back from it to all of them",                  \
      "what calls give a function comes back to all of them",                                      \
      "--context clone tells the calls apart; a summary `override NAME: ...` says what it does")   \
    X(PASSED, "passed", "what many functions pass to `%s` meets in it",                            \
      "what many functions pass to one meets in it",                                               \
      "nothing, where it is all meant to meet, as text that is printed; else as for `merged`")

static const struct {
    const char *word, *one, *all, *advice;
} text[] = {
#define CAUSE_TEXT(kind, word, one, all, advice) [CAUSE_##kind] = {word, one, all, advice},
    CAUSE_LIST(CAUSE_TEXT)
#undef CAUSE_TEXT
};

const char *cause_word(const cause *c) {
    return text[c->kind].word;
}

/* `struct s::` of `const struct s *`. */
static void print_record(const char *type, FILE *file) {
    if (strncmp(type, "const ", 6) == 0) type += 6;
    size_t n = strcspn(type, "*");
    while (n && type[n - 1] == ' ') n--;
    fprintf(file, "%.*s::", (int)n, type);
}

void cause_print(const cause *c, FILE *file) {
    const char *line = c->group ? text[c->kind].all : text[c->kind].one;
    const char *name = strstr(line, "%s");
    if (c->file && c->file[0]) fprintf(file, "%s:%u: ", short_path(c->file), c->line);
    if (!name) {
        fputs(line, file);
        return;
    }
    fprintf(file, "%.*s", (int)(name - line), line);
    if (c->record && c->record[0]) print_record(c->record, file);
    fprintf(file, "%s%s", shown(c->name), name + 2);
}

const char *cause_advice(const cause *c) {
    return text[c->kind].advice;
}
