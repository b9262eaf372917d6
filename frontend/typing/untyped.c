/* SPDX-License-Identifier: Apache-2.0
 *
 * untyped.c: which memory that is seen as bytes may hold pointers.
 *
 * Nearly all loops over characters are about text, and so are nearly all sums of a char * and a
 * number. The memory that they touch was made of characters and has been pointed to by pointers to
 * characters ever since; memory that holds pointers was, or becomes, something else:
 *
 *     copy(&to, &from, sizeof to)             struct s * becomes void *: untyped
 *     unsigned char *f = from;                and so does f
 *     struct s *s = (struct s *)block;        block is untyped, and what it flows to
 *     char *line = strdup(text);              never was
 *
 * Walking a unit marks the values at such conversions (cast.c). Here the mark follows the
 * assignments, arguments and results among them. A copy in pieces (bytes.c) of what is marked makes
 * its target untyped, too, wherever that comes from, so that what was put into a buffer is found
 * when it is taken out:
 *
 *     ring[i] = f[i]                          ring, an array of characters, holds pointers now
 *
 * Such a target is found against the assignments where it is an array, a variable or a member,
 * which then is one in all records of the type (places.h).
 *
 * Some questions need to be sure: copies by the library between pointers to characters, and
 * pointers that are moved, are of text nearly always. So there is a second mark, for memory that
 * was seen to be a record where it lost its type, and has come from there by assignments, by
 * arguments, by results of calls that return what they are given (returned.h), and by char * and
 * void * in memory, of which those at one place are one:
 *
 *     job->from = (char *)&record;     copy(j->to, j->from, j->n)     j->from, of any struct job
 *
 * Searches over the assignments, linear in all; a round over the copies for each chain of buffers.
 */
#include "frontend/typing/untyped.h"

#include <string.h>

static const cflri_node_record *record(const cflri_untyped *u, cflri_node n) {
    return &u->program->facts.nodes.at[n];
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
    u->stack = cflri_alloc_array(context, n, sizeof *u->stack);
    bool made = u->marked && u->stripped && u->source && u->fed && u->filled && u->closed &&
                u->mixed && u->stack;
    return made ? CFLR_OK : cflri_fail_memory(context, error);
}

/* Makes the rows for the questions that need more than the assignments. */
static cflr_status make_ways(cflri_untyped *u, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_flows_make(&u->flows, &u->program->facts, true, error));
    CFLR_TRY(cflri_group_assigns(&u->program->facts, CFLRI_BY_TARGET, &u->into, error));
    CFLR_TRY(cflri_group_assigns(&u->program->facts, CFLRI_BY_SOURCE, &u->out, error));
    CFLR_TRY(cflri_returned_make(&u->returned, u->program, &u->into, error));
    u->place = cflri_places_make(u->program, &u->flows);
    if (!u->place) CFLR_TRY(cflri_fail_memory(u->program->context, error));
out:
    return st;
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
    cflri_free(context, u->stack);
    cflri_vec_free(context, &u->buffer);
    cflri_returned_free(context, &u->returned);
    cflri_free(context, u->place);
    cflri_flows_free(context, &u->flows);
    cflri_free(context, u->into.start);
    cflri_free(context, u->into.item);
    cflri_free(context, u->out.start);
    cflri_free(context, u->out.item);
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

static void mark_untyped(const cflri_untyped *u, cflri_node n) {
    if (u->marked[n] || u->closed[n]) return;
    u->marked[n] = true;
    cflri_flows_reach(&u->flows, n, u->closed, u->marked, u->stack);
}

static void strip(const cflri_untyped *u, cflri_node n, size_t *depth) {
    if (u->stripped[n]) return;
    u->stripped[n] = u->marked[n] = true;
    u->stack[(*depth)++] = n;
}

/* A node that is reached; what comes to one of a place comes to all. */
static void strip_reached(const cflri_untyped *u, cflri_node n, size_t *depth) {
    bool content = u->place[n] != n && record(u, n)->how != CFLRI_FIELD;
    if (u->stripped[n]) return;
    if (!u->mixed[n]) strip(u, n, depth);
    if (!content) return;
    strip(u, n, depth);
    for (cflri_node at = u->place[n]; at != n; at = u->place[at]) strip(u, at, depth);
}

static void mark_stripped(const cflri_untyped *u, cflri_node n) {
    size_t depth = 0;
    mark_untyped(u, n);
    strip_reached(u, n, &depth);
    while (depth > 0) {
        cflri_node at = u->stack[--depth];
        for (uint32_t i = u->out.start[at]; i < u->out.start[at + 1]; i++) {
            const cflri_assign *assign = &u->program->facts.assigns.at[u->out.item[i]];
            cflri_node result = CFLRI_NO_NODE;
            bool passes = assign->flow == CFLRI_FLOW_ARGUMENT && u->returned.passes[assign->to];
            if (passes && assign->call != CFLRI_NO_CALL) result = u->returned.result[assign->call];
            strip_reached(u, assign->to, &depth);
            if (result != CFLRI_NO_NODE) strip_reached(u, result, &depth);
        }
    }
}

/* Code outside would hand the mark to all that it is asked for: where that is memory with pointers,
 * a conversion says so. A value out of memory, or a result, may be anything: an allocator hands out
 * what it took back. */
static void close_ways(cflri_untyped *u) {
    for (cflri_node n = 0; n < u->program->facts.nodes.n; n++) {
        cflr_vertex_kind kind = record(u, n)->kind;
        bool unknown = kind == CFLR_VERTEX_UNKNOWN && !record(u, n)->smeared;
        u->closed[n] = unknown || kind == CFLR_VERTEX_LOST || kind == CFLR_VERTEX_OUTSIDE;
        bool content = kind == CFLR_VERTEX_DEREFERENCE && !is_copied(u, n);
        u->mixed[n] = u->closed[n] || content || kind == CFLR_VERTEX_RETURN || is_varargs(u, n);
    }
}

/* The mark of a moved root tells what it becomes, which says nothing about the memory that it was
 * (moves.c). */
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
        cflri_node root = cflri_facts_piece_of(facts, &facts->assigns.at[i]);
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

/* On the way back from a buffer that holds pointers; an array is one, and what points to it is
 * untyped. False when memory is refused. */
static bool fill_one(cflri_untyped *u, cflri_node n) {
    bool array = record(u, n)->how == CFLRI_ADDRESS || record(u, n)->how == CFLRI_FIELD;
    if (u->filled[n]) return true;
    u->filled[n] = true;
    if (array)
        mark_untyped(u, n);
    else if (u->place[n] != n)
        mark_stripped(u, n);
    return cflri_vec_push(u->program->context, &u->buffer, n);
}

/* So are all of its place. */
static bool fill(cflri_untyped *u, cflri_node n) {
    bool good = true;
    if (u->filled[n]) return true;
    for (cflri_node at = u->place[n]; good && at != n; at = u->place[at]) good = fill_one(u, at);
    return good && fill_one(u, n);
}

/* Against the assignments, but for those of results, and of the library except for copies. */
static bool fill_origins(cflri_untyped *u, cflri_node n) {
    for (uint32_t i = u->into.start[n]; i < u->into.start[n + 1]; i++) {
        const cflri_assign *assign = &u->program->facts.assigns.at[u->into.item[i]];
        bool summary = assign->summary && !record(u, n)->piecewise;
        if (assign->flow == CFLRI_FLOW_RESULT || summary) continue;
        if (!fill(u, assign->from)) return false;
    }
    return true;
}

/* A place that the library copies pointers from or to is such a buffer, too. */
static bool fill_copied(cflri_untyped *u) {
    for (cflri_node n = 0; n < u->program->facts.nodes.n; n++) {
        const cflri_node_record *node = record(u, n);
        if (node->sure && !node->piecewise && !fill(u, n)) return false;
    }
    return true;
}

/* The targets of copies that are fed, and where they come from; *more: some had not been found
 * before. */
static bool fill_targets(cflri_untyped *u, bool *more) {
    const cflri_facts *facts = &u->program->facts;
    size_t begin = u->buffer.n;
    if (begin == 0 && !fill_copied(u)) return false;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign *assign = &facts->assigns.at[i];
        cflri_node root = cflri_facts_copy_of(facts, assign->to);
        bool filled = root != CFLRI_NO_NODE && u->stripped[assign->to] && !u->filled[root];
        if (filled && !fill(u, root)) return false;
    }
    for (size_t i = begin; i < u->buffer.n; i++)
        if (!fill_origins(u, u->buffer.at[i])) return false;
    *more = u->buffer.n > begin;
    return true;
}

cflr_status cflri_untyped_make(cflri_untyped *u, cflri_program *program, cflr_error *error) {
    cflr_status st = CFLR_OK;
    *u = (cflri_untyped){.program = program};
    CFLR_TRY(make_room(u, error));
    CFLR_TRY(make_ways(u, error));
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
