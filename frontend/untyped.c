/* SPDX-License-Identifier: Apache-2.0
 *
 * untyped.c: which memory that is seen as bytes may hold pointers.
 *
 * Nearly all loops over characters are about text, and so are nearly all sums of a char * and a number. What they
 * touch was made of characters and has been pointed to by pointers to characters ever since; memory that holds
 * pointers was, or becomes, something else:
 *
 *     copy(&to, &from, sizeof to)             struct s * becomes void *: untyped
 *     unsigned char *f = from;                and so does f
 *     struct s *s = (struct s *)block;        block is untyped, and what it flows to
 *     char *line = strdup(text);              never was
 *
 * Walking a unit marks the values at such conversions (cast.c). Here the mark follows the assignments, arguments and
 * results among them. A copy in pieces (bytes.c) of what is marked makes its target untyped, too, wherever
 * that comes from, so that what was put into a buffer is found when it is taken out:
 *
 *     ring[i] = f[i]                          ring, an array of characters, holds pointers now
 *
 * Such a target is found against the assignments where it is an array, a variable or a member, which then is one in all
 * records of the type. A way through memory (a char * in a record that points to records) is seen where it is
 * read as void *, which is marked too, and not where it has been a char * all along: that is taken for text.
 *
 * Some questions need to be sure: copies by the library between pointers to characters, and pointers that are
 * moved, are of text nearly always. So there is a second mark, for memory that was seen to be a record where it lost its
 * type, and has come from there by assignments and arguments alone.
 *
 * Searches over the assignments, linear in all; a round over the copies, and one over the nodes, for each chain
 * of buffers.
 */
#include "frontend/untyped.h"

#include <stdio.h>
#include <string.h>

#include "frontend/facts_table.h"

static const cflri_node_record *record(const cflri_untyped *u, cflri_node n) {
    return &u->program->facts.nodes.at[n];
}

static cflr_status group_by_target(cflri_untyped *u, cflr_error *error) {
    const cflri_facts *facts = &u->program->facts;
    cflr_context *context = u->program->context;
    uint32_t *target = cflri_alloc_array(context, facts->assigns.n, sizeof *target);
    if (!target) return cflri_fail_memory(context, error);
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        target[i] = assign->data ? UINT32_MAX : assign->to;
    }
    cflr_status st =
        cflri_group(context, target, facts->assigns.n, facts->nodes.n, &u->into, error);
    cflri_free(context, target);
    return st;
}

static cflr_status make_room(cflri_untyped *u, cflr_error *error) {
    cflr_context *context = u->program->context;
    size_t n = u->program->facts.nodes.n;
    u->marked = cflri_alloc_array_zero(context, n, sizeof *u->marked);
    u->stripped = cflri_alloc_array_zero(context, n, sizeof *u->stripped);
    u->source = cflri_alloc_array_zero(context, n, sizeof *u->source);
    u->fed = cflri_alloc_array_zero(context, n, sizeof *u->fed);
    u->filled = cflri_alloc_array_zero(context, n, sizeof *u->filled);
    u->closed = cflri_alloc_array_zero(context, n, sizeof *u->closed);
    u->mixed = cflri_alloc_array_zero(context, n, sizeof *u->mixed);
    u->pointer =
        cflri_alloc_array_zero(context, u->program->facts.strings.text.n, 2 * sizeof *u->pointer);
    u->stack = cflri_alloc_array(context, n, sizeof *u->stack);
    u->places = cflri_triples_new(context);
    bool made = u->marked && u->stripped && u->source && u->fed && u->filled && u->closed &&
                u->mixed && u->pointer && u->stack && u->places;
    return made ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_untyped_free(cflri_untyped *u) {
    if (!u->program) return;
    cflr_context *context = u->program->context;
    cflri_free(context, u->marked);
    cflri_free(context, u->stripped);
    cflri_free(context, u->source);
    cflri_free(context, u->fed);
    cflri_free(context, u->filled);
    cflri_free(context, u->closed);
    cflri_free(context, u->mixed);
    cflri_free(context, u->pointer);
    cflri_free(context, u->stack);
    cflri_vec_free(context, &u->buffer);
    cflri_triples_free(u->places);
    cflri_flows_free(context, &u->flows);
    cflri_free(context, u->into.start);
    cflri_free(context, u->into.item);
}

/* ---- from where types end ---- */

static bool is_varargs(const cflri_untyped *u, cflri_node n) {
    if (record(u, n)->how != CFLRI_DEREF) return false;
    const cflri_node_record *slot = record(u, record(u, n)->base);
    return slot->how == CFLRI_SLOT && cflri_step_slot(slot->step) == CFLRI_SLOT_VARARGS;
}

/* The content of the root of a copy in pieces. */
static bool is_copied(const cflri_untyped *u, cflri_node n) {
    return cflri_facts_copy_of(&u->program->facts, n) != CFLRI_NO_NODE;
}

static bool is_void(const cflri_untyped *u, cflri_node n) {
    const char *type = cflri_string(&u->program->facts.strings, record(u, n)->type);
    return strstr(type, "void *") != NULL;
}

/* A void * that callers through values pass: their arguments are not followed. */
static bool is_open(const cflri_untyped *u, cflri_node n) {
    const cflri_node_record *node = record(u, n);
    return node->kind == CFLR_VERTEX_PARAMETER && u->program->role[node->function].valued &&
           is_void(u, n);
}

static void mark(const cflri_untyped *u, cflri_node n, const bool *closed, bool *marks) {
    if (marks[n] || closed[n]) return;
    marks[n] = true;
    cflri_flows_reach(&u->flows, n, closed, marks, u->stack);
}

static void mark_untyped(const cflri_untyped *u, cflri_node n) {
    mark(u, n, u->closed, u->marked);
}

static void mark_stripped(const cflri_untyped *u, cflri_node n) {
    mark_untyped(u, n);
    mark(u, n, u->mixed, u->stripped);
}

/* Code outside would hand the mark to all that it is asked for: where that is memory with pointers, a conversion says
 * so. What comes out of memory, or as a result, may be anything: an allocator hands out what it took back. */
static void close_ways(cflri_untyped *u) {
    for (cflri_node n = 0; n < u->program->facts.nodes.n; n++) {
        cflr_vertex_kind kind = record(u, n)->kind;
        bool unknown = kind == CFLR_VERTEX_UNKNOWN && !record(u, n)->smeared;
        u->closed[n] = unknown || kind == CFLR_VERTEX_LOST || kind == CFLR_VERTEX_OUTSIDE;
        bool content = kind == CFLR_VERTEX_DEREFERENCE && !is_copied(u, n);
        u->mixed[n] = u->closed[n] || content || kind == CFLR_VERTEX_RETURN || is_varargs(u, n);
    }
}

/* The mark of a moved root tells what it becomes, which says nothing about the memory that it was (moves.c). */
static void mark_conversions(cflri_untyped *u) {
    for (cflri_node n = 0; n < u->program->facts.nodes.n; n++) {
        bool untyped = record(u, n)->untyped && !record(u, n)->moved;
        if (untyped || is_open(u, n)) mark_untyped(u, n);
        if (untyped && record(u, n)->stripped) mark_stripped(u, n);
    }
}

/* ---- copies in pieces ---- */

static void find_sources(cflri_untyped *u) {
    const cflri_facts *facts = &u->program->facts;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        cflri_node root = cflri_facts_copy_of(facts, facts->assigns.at[i].from);
        if (root != CFLRI_NO_NODE) u->source[root] = true;
    }
}

/* Sources that point to untyped memory: what they hold is, too, and flows to their targets. */
static void feed(cflri_untyped *u) {
    const cflri_facts *facts = &u->program->facts;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        if (!u->source[assign->to] || !u->marked[assign->from]) continue;
        bool stripped = u->stripped[assign->from];
        u->fed[assign->to] |= stripped || !record(u, assign->to)->sure;
        if (stripped) mark_stripped(u, cflri_facts_derived(facts, CFLRI_DEREF, assign->to, 0));
    }
}

/* ---- buffers ---- */

const char *cflri_unqualified(const char *type) {
    static const char *const words[] = {"const ", "volatile "};
    for (size_t i = 0; i < sizeof words / sizeof *words;) {
        size_t length = strlen(words[i]);
        bool there = strncmp(type, words[i], length) == 0;
        type += there ? length : 0;
        i = there ? 0 : i + 1;
    }
    return type;
}

static uint32_t make_type(const cflri_untyped *u, uint32_t type, bool address) {
    enum { TYPE_BYTES = 256 };
    char text[TYPE_BYTES];
    cflri_facts *facts = &u->program->facts;
    int n = snprintf(text, sizeof text, "%s%s",
                     cflri_unqualified(cflri_string(&facts->strings, type)), address ? " *" : "");
    return type != 0 && n < TYPE_BYTES ? cflri_facts_string(facts, text) : 0;
}

/* The type of a pointer, a string of the facts; 0: not known. Programs have few types. */
static uint32_t pointer_type(const cflri_untyped *u, cflri_node pointer) {
    bool address = record(u, pointer)->how == CFLRI_ADDRESS;
    uint32_t type = address ? record(u, record(u, pointer)->base)->type : record(u, pointer)->type;
    uint32_t *known = &u->pointer[2 * (size_t)type + address];
    if (*known == 0) *known = make_type(u, type, address) + 1;
    return *known - 1;
}

/* A member that is an array, by the type of the record and its offset there; the type is 0 for all else. */
static cflri_triple place_of(const cflri_untyped *u, cflri_node n) {
    cflri_triple place = {0, 0, 0};
    cflri_node pointer = n;
    if (record(u, n)->how != CFLRI_FIELD) return place;
    for (; record(u, pointer)->how == CFLRI_FIELD; pointer = record(u, pointer)->base)
        place.c += record(u, pointer)->step;
    place.b = pointer_type(u, pointer);
    return place;
}

static bool is_known(const cflri_untyped *u, cflri_triple place) {
    return cflri_triples_find(u->places, place) != CFLRI_NO_VALUE;
}

/* On the way back from a buffer that holds pointers; an array is one, and what points to it is untyped. False when memory
 * is refused. */
static bool fill(cflri_untyped *u, cflri_node n) {
    if (u->filled[n]) return true;
    u->filled[n] = true;
    if (record(u, n)->how == CFLRI_ADDRESS || record(u, n)->how == CFLRI_FIELD) mark_untyped(u, n);
    if (!cflri_vec_push(u->program->context, &u->buffer, n)) return false;
    const cflri_triple place = place_of(u, n);
    if (place.b == 0 || is_known(u, place)) return true;
    u->n_places++;
    return cflri_triples_add(u->places, place, 0);
}

/* Against the assignments, but for those of results. */
static bool fill_origins(cflri_untyped *u, cflri_node n) {
    for (uint32_t i = u->into.start[n]; i < u->into.start[n + 1]; i++) {
        const cflri_assign *assign = &u->program->facts.assigns.at[u->into.item[i]];
        if (assign->flow == CFLRI_FLOW_RESULT || assign->summary) continue;
        if (!fill(u, assign->from)) return false;
    }
    return true;
}

/* Members that are buffers of the same kind, all over the program. */
static bool fill_places(cflri_untyped *u) {
    for (cflri_node n = 0; n < u->program->facts.nodes.n; n++) {
        if (u->filled[n]) continue;
        const cflri_triple place = place_of(u, n);
        if (place.b != 0 && is_known(u, place) && !fill(u, n)) return false;
    }
    return true;
}

/* The targets of copies that are fed, and where they come from; *more: some had not been found before. */
static bool fill_targets(cflri_untyped *u, bool *more) {
    const cflri_facts *facts = &u->program->facts;
    size_t begin = u->buffer.n, places = u->n_places;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        cflri_node root = cflri_facts_copy_of(facts, assign->to);
        bool filled = root != CFLRI_NO_NODE && u->stripped[assign->to] && !u->filled[root];
        if (filled && !fill(u, root)) return false;
    }
    for (size_t i = begin; i < u->buffer.n; i++) {
        if (!fill_origins(u, u->buffer.at[i])) return false;
        bool last = i + 1 == u->buffer.n && u->n_places > places;
        places = last ? u->n_places : places;
        if (last && !fill_places(u)) return false;
    }
    *more = u->buffer.n > begin;
    return true;
}

cflr_status cflri_untyped_make(cflri_untyped *u, cflri_program *program, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *u = (cflri_untyped){.program = program};
    CFLR_TRY(make_room(u, error));
    CFLR_TRY(cflri_flows_make(&u->flows, &program->facts, true, error));
    CFLR_TRY(group_by_target(u, error));
    close_ways(u);
    mark_conversions(u);
    find_sources(u);
    for (bool more = true; more;) {
        feed(u);
        bool good = fill_targets(u, &more) && program->facts.status == CFLR_OK;
        if (!good) CFLR_TRY(cflri_fail_memory(program->context, error));
    }
out:
    return st;
}
