/* SPDX-License-Identifier: Apache-2.0
 *
 * constants.c: memory that nothing can be stored in.
 *
 * A value that is stored through one pointer and read through another has been in an object that
 * both may point to. Where that can only be a string literal, a function, or an object that is
 * defined const, the way is none: C leaves undefined what a program does that writes there (C11
 * 6.4.5, 6.7.3).
 *
 *     static const struct value none;                 read(0, p->text, n)   ...   system(q->text)
 *
 *     p may point to    buffer, none                  p, q share `none` only: no way
 *     q may point to    none, name                    p, r share `buffer`: a way
 *     r may point to    none, buffer
 *
 * What is stored by the object's own name is its initial value, and may be read. So the gate of a
 * search (cflr/witness.h) leaves out pairs from what is reached through a pointer. For two pointers
 * into bytes that came in, one of which may be to a member (Spread of grammar `taint`), it asks for
 * an object that both point to in any case, if it is known what they point to.
 *
 * The groups of the gate are the different sets of objects. Which one two pointers share is looked
 * for among MOST_TRIED of the smaller set: if none is found there, the pair is taken.
 *
 * O(vertices + pointers to constants), and the tries.
 */
#include "findings/findings.h"

#include <string.h>

enum { MOST_TRIED = 1024 };

/* ---- which objects are constant ---- */

/* The qualifiers of an object stand behind the last '*' of its declarator, or anywhere in a type
 * that has none: "char *const", "const char[3]", "void (*const)(int)"; not "const char *". */
static bool is_const_type(const char *type) {
    const char *begin = type, *pointer = strstr(type, "(*"), *end = NULL;
    if (pointer) begin = pointer + 1, end = strchr(pointer, ')');
    size_t length = end ? (size_t)(end - begin) : strlen(begin);
    for (size_t i = length; i-- > 0;)
        if (begin[i] == '*') return strncmp(begin + i + 1, "const", 5) == 0;
    return strncmp(begin, "const ", 6) == 0 || strstr(begin, " const ");
}

bool cflri_object_is_constant(const cflr_graph *graph, uint32_t object) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, object, &info);
    if (info.kind == CFLR_VERTEX_STRING || info.kind == CFLR_VERTEX_FUNCTION) return true;
    return info.kind == CFLR_VERTEX_VARIABLE && is_const_type(info.type);
}

/* ---- groups ---- */

/* What a set of objects holds. */
enum { HAS_CONSTANT = 1, HAS_UNKNOWN = 2 };

static uint8_t look_at_set(const cflri_making *m, const cflr_row *row) {
    uint8_t holds = 0;
    for (uint64_t i = 0; i < row->count; i++) {
        cflr_vertex_info info;
        uint32_t object = row->target[i];
        cflr_graph_vertex(m->found->graph, object, &info);
        if (m->constants.constant[object]) holds |= HAS_CONSTANT;
        if (info.kind == CFLR_VERTEX_UNKNOWN || info.kind == CFLR_VERTEX_LOST ||
            info.kind == CFLR_VERTEX_OUTSIDE)
            holds |= HAS_UNKNOWN;
    }
    return holds;
}

/* Numbers the pointers by what they may point to; 0: nothing that is known. */
static cflr_status group_pointers(cflri_making *m, cflr_error *error) {
    cflri_constants *c = &m->constants;
    cflr_status st = CFLR_OK;
    uint32_t n = cflr_graph_vertices(m->found->graph);
    uint32_t *alike = c->group;
    CFLR_TRY(cflr_result_alike(m->result, m->points_to, 0, NULL, n, alike, error));
    for (uint32_t v = 0; v < n; v++) {
        if (alike[v] != v) { /* its number is smaller, and decided */
            alike[v] = alike[alike[v]];
            continue;
        }
        CFLR_TRY(cflr_result_row(m->result, m->points_to, 0, v, &c->row, error));
        alike[v] = c->row.count ? v + 1 : 0;
        c->holds[v] = look_at_set(m, &c->row);
    }
out:
    return st;
}

cflr_status cflri_constants_make(cflri_making *m, cflr_error *error) {
    cflri_constants *c = &m->constants;
    cflr_context *context = m->found->context;
    const cflr_graph *graph = m->found->graph;
    uint32_t n = cflr_graph_vertices(graph);
    if (m->points_to == CFLR_NO_LABEL) return CFLR_OK;
    c->constant = cflri_alloc_zero(context, n * sizeof *c->constant);
    c->group = cflri_alloc_array(context, n, sizeof *c->group);
    c->holds = cflri_alloc_zero(context, n);
    if (!c->constant || !c->group || !c->holds) return cflri_fail_memory(context, error);
    for (uint32_t v = 0; v < n; v++)
        c->constant[v] =
            cflri_labels_degree(&m->found->labels, CFLRI_MEANS_ADDRESS, CFLR_OUT, v) > 0 &&
            cflri_object_is_constant(graph, v);
    return group_pointers(m, error);
}

void cflri_constants_free(cflr_context *context, cflri_constants *c) {
    cflri_free(context, c->constant);
    cflri_free(context, c->group);
    cflri_free(context, c->holds);
    cflr_row_free(&c->row);
    cflr_row_free(&c->other);
    *c = (cflri_constants){0};
}

/* ---- the gate ---- */

/* Is it a pair of contents? Else of pointers. */
static bool is_of_contents(const char *symbol) {
    return strcmp(symbol, "M") == 0;
}

/* The one pointer to a content; CFLR_NO_VERTEX: there are more. */
static uint32_t pointer_of(const cflri_making *m, const char *symbol, uint32_t vertex) {
    uint64_t n;
    if (!is_of_contents(symbol)) return vertex;
    const uint32_t *pointer =
        cflri_labels_row(&m->found->labels, CFLRI_MEANS_CONTENT, CFLR_IN, vertex, &n);
    return n == 1 ? pointer[0] : CFLR_NO_VERTEX;
}

/* Is it the address of an object, or of a member of it, by its own name? */
static bool is_address(const cflri_making *m, uint32_t pointer) {
    uint32_t root = m->found->slots.root[pointer];
    return cflri_labels_degree(&m->found->labels, CFLRI_MEANS_ADDRESS, CFLR_IN, root) > 0;
}

static bool holds(const cflri_making *m, uint32_t pointer, int what) {
    uint32_t group = m->constants.group[pointer];
    return group != 0 && (m->constants.holds[group - 1] & what) != 0;
}

static uint32_t group_of(void *user, const char *symbol, uint32_t source) {
    const cflri_making *m = user;
    uint32_t pointer = pointer_of(m, symbol, source);
    bool contents = is_of_contents(symbol);
    if (pointer == CFLR_NO_VERTEX || (contents && is_address(m, pointer))) return 0;
    bool decides = contents ? holds(m, pointer, HAS_CONSTANT) : !holds(m, pointer, HAS_UNKNOWN);
    return decides ? m->constants.group[pointer] : 0;
}

/* Reads what the pointer may point to. */
static bool read_objects(cflri_making *m, uint32_t pointer, cflr_row *row) {
    if (row->count > 0 && row->vertex == pointer) return true;
    row->count = 0;
    return cflr_result_row(m->result, m->points_to, 0, pointer, row, NULL) == CFLR_OK;
}

typedef enum sharing {
    SHARE_NOTHING,
    SHARE_CONSTANTS, /* and nothing else */
    SHARE_MORE,      /* or it is not known */
} sharing;

/* What the two share, by the smaller set of objects. Without memory it is not known. */
static sharing what_is_shared(cflri_making *m, uint32_t p, uint32_t q) {
    cflri_constants *c = &m->constants;
    sharing shared = SHARE_NOTHING;
    uint64_t n_p = cflr_result_count(m->result, m->points_to, 0, p), tried = 0;
    uint64_t n_q = cflr_result_count(m->result, m->points_to, 0, q);
    bool first = n_p <= n_q;
    cflr_row *row = first ? &c->row : &c->other;
    if (!read_objects(m, first ? p : q, row)) return SHARE_MORE;
    for (uint64_t i = 0; i < row->count && shared != SHARE_MORE; i++) {
        uint32_t object = row->target[i];
        bool constant = c->constant[object];
        if (constant && shared == SHARE_CONSTANTS) continue;
        if (tried++ >= MOST_TRIED) return SHARE_MORE;
        if (!cflr_result_has(m->result, m->points_to, first ? q : p, object)) continue;
        shared = constant ? SHARE_CONSTANTS : SHARE_MORE;
    }
    return shared;
}

/* Where two contents share nothing that is known, they meet in what is not known. */
static bool lets(void *user, const char *symbol, uint32_t source, uint32_t target) {
    cflri_making *m = user;
    uint32_t p = pointer_of(m, symbol, source), q = pointer_of(m, symbol, target);
    bool contents = is_of_contents(symbol);
    if (q == CFLR_NO_VERTEX || m->constants.group[q] == 0) return true;
    if (contents ? !holds(m, q, HAS_CONSTANT) : holds(m, q, HAS_UNKNOWN)) return true;
    sharing shared = what_is_shared(m, p, q);
    return shared == SHARE_MORE || (contents && shared == SHARE_NOTHING);
}

cflr_witness_gate cflri_constants_gate(cflri_making *m) {
    return (cflr_witness_gate){.group = group_of, .lets = lets, .user = m};
}
