/* SPDX-License-Identifier: Apache-2.0
 *
 * made.c: which copies of characters carry pointers, with --aliasing text.
 *
 * One unsigned char is no pointer, and eight in a row may be one. Nearly all that a program copies
 * to or from what a pointer to characters leads to is text or numbers. Where it is memory of any
 * type, the function that copies has made its pointer of one to something else, or was handed one
 * by its callers:
 *
 *     void copy(void *to, const void *from, size_t n) {       both are made: carries pointers
 *         unsigned char *t = to;
 *         const unsigned char *f = from;
 *         while (n--) *t++ = *f++;
 *     }
 *     memcpy(line->text, other->text, length)                 two members: text
 *     memcpy((void *)(array->bytes + at), ...)                the source says that it is any
 *     memcpy(queue->bytes + at, item, size)                   item, a parameter: as callers have it
 *
 * Such pointers are found forward along the assignments between variables of a function. A `void *`
 * is something else where it comes out of memory, or callers through values pass it; where the
 * callers are known it is what they pass, of which a record that may hold pointers counts. The
 * result of a call is what the function makes of it. Linear in the program.
 */
#include "frontend/typing/made.h"

#include <string.h>

#include "base/context.h"

static const cflri_node_record *record(const cflri_made *m, cflri_node n) {
    return &m->untyped->program->facts.nodes.at[n];
}

static const char *type_of(const cflri_made *m, cflri_node n) {
    const cflri_strings *strings = &m->untyped->program->facts.strings;
    return cflri_unqualified(cflri_string(strings, record(m, n)->type));
}

static bool begins(const char *type, const char *with) {
    return strncmp(type, with, strlen(with)) == 0;
}

/* `char`, `char *`, `char[4]`, but not `char *[4]`. */
static bool is_characters(const char *type) {
    const char *star = strchr(type, '*');
    bool named =
        begins(type, "char") || begins(type, "unsigned char") || begins(type, "signed char");
    return named && (!star || (!strchr(star + 1, '*') && !strchr(star + 1, '[')));
}

static bool is_void(const char *type) {
    return begins(type, "void *") && !strchr(type + sizeof "void *" - 1, '*') && !strchr(type, '[');
}

/* The address of an object that is no text. */
static bool is_object(const cflri_made *m, cflri_node n) {
    cflr_vertex_kind kind = record(m, n)->kind;
    const char *type = type_of(m, n);
    if (kind == CFLR_VERTEX_ALLOCATION || kind == CFLR_VERTEX_STRING) return false;
    return type[0] != '\0' && !is_characters(type);
}

/* A pointer to something else than characters, by its own type. */
static bool is_other(const cflri_made *m, cflri_node n) {
    const cflri_node_record *node = record(m, n);
    const char *type = type_of(m, n);
    if (node->how == CFLRI_ADDRESS) return is_object(m, node->base);
    if (node->how == CFLRI_SLOT) return true; /* the address of a parameter: few are characters */
    if (type[0] == '\0' || is_characters(type)) return false;
    if (!is_void(type)) return strchr(type, '*') || node->carrier == CFLRI_CARRIES_INTEGER;
    if (node->kind == CFLR_VERTEX_PARAMETER)
        return m->untyped->program->role[node->function].valued;
    return node->how == CFLRI_DEREF;
}

/* A variable of a function, or what is moved from one. */
static bool is_local(const cflri_made *m, cflri_node n) {
    const cflri_node_record *node = record(m, n);
    bool variable = node->how == CFLRI_ROOT || node->kind == CFLR_VERTEX_PARAMETER;
    return variable && node->function != 0;
}

static void make(cflri_made *m, cflri_node n) {
    if (m->made[n]) return;
    m->made[n] = true;
    m->untyped->stack[m->n++] = n;
}

/* Memory that may hold pointers, where it loses its type. */
static bool is_hidden(const cflri_made *m, cflri_node n) {
    return record(m, n)->untyped && record(m, n)->stripped && !record(m, n)->moved;
}

/* Does the assignment pass an argument of a caller? */
static bool hands(const cflri_made *m, const cflri_assign *assign) {
    bool hidden = is_hidden(m, assign->from) || is_void(type_of(m, assign->from));
    return hidden && assign->flow != CFLRI_FLOW_RESULT;
}

/* The root of a copy by the library, not by a loop over characters. */
static bool is_library(const cflri_node_record *root) {
    return root->smeared && (root->sure || !root->piecewise);
}

/* Memory that the library copies as characters is text at the start of a record, if the pointer is
 * one to a record. */
static bool converts(const cflri_made *m, const cflri_assign *assign) {
    bool call = assign->flow == CFLRI_FLOW_ARGUMENT || assign->flow == CFLRI_FLOW_RESULT;
    return !call && (m->made[assign->from] || !is_library(record(m, assign->to)));
}

/* From one node; the others that are waiting have just been made, so that all have room. */
static void spread(cflri_made *m, cflri_node from,
                   bool (*passes)(const cflri_made *m, const cflri_assign *assign)) {
    const cflri_groups *out = &m->untyped->out;
    m->untyped->stack[m->n++] = from;
    while (m->n > 0) {
        cflri_node at = m->untyped->stack[--m->n];
        for (uint32_t i = out->start[at]; i < out->start[at + 1]; i++) {
            const cflri_assign *assign = &m->untyped->program->facts.assigns.at[out->item[i]];
            if (is_local(m, assign->to) && passes(m, assign)) make(m, assign->to);
        }
    }
}

/* The address of no member that the source names: it is moved by a number. */
static bool is_moved(const cflri_made *m, cflri_node n) {
    return record(m, n)->how == CFLRI_FIELD && record(m, n)->key == 0;
}

static void find(cflri_made *m) {
    cflri_node n_nodes = (cflri_node)m->untyped->program->facts.nodes.n;
    for (cflri_node n = 0; n < n_nodes; n++) m->made[n] = record(m, n)->anything;
    for (cflri_node n = 0; n < n_nodes; n++)
        if (is_hidden(m, n)) spread(m, n, hands);
    for (cflri_node n = 0; n < n_nodes; n++)
        if (m->made[n] || is_other(m, n)) spread(m, n, converts);
    for (cflri_node n = 0; n < n_nodes; n++) {
        cflri_node base = record(m, n)->base;
        if (!is_moved(m, n) || m->made[n] || !(m->made[base] || is_other(m, base))) continue;
        m->made[n] = true;
        spread(m, n, converts);
    }
}

cflr_status cflri_made_make(cflri_made *m, const cflri_untyped *untyped, cflr_error *error) {
    cflr_context *context = untyped->program->context;
    size_t n = untyped->program->facts.nodes.n;
    *m = (cflri_made){.untyped = untyped};
    m->made = cflri_alloc_array_zero(context, n, sizeof *m->made);
    if (!m->made) return cflri_fail_memory(context, error);
    find(m);
    return CFLR_OK;
}

void cflri_made_free(cflri_made *m) {
    if (m->untyped) cflri_free(m->untyped->program->context, m->made);
}

/* The pointer through which the content is copied as characters; NO_NODE where it is not. */
static cflri_node copied_through(const cflri_made *m, cflri_node content, bool letters) {
    const cflri_node_record *node = record(m, content);
    if (letters && node->how == CFLRI_DEREF) return node->base;
    return cflri_facts_copy_of(&m->untyped->program->facts, content);
}

bool cflri_is_copy_of_text(const cflri_made *m, const cflri_assign *assign) {
    bool letters = assign->letters && record(m, assign->from)->how == CFLRI_DEREF &&
                   record(m, assign->to)->how == CFLRI_DEREF;
    cflri_node from = copied_through(m, assign->from, letters);
    cflri_node to = copied_through(m, assign->to, letters);
    bool copied = from != CFLRI_NO_NODE || to != CFLRI_NO_NODE;
    return copied && (from == CFLRI_NO_NODE || !m->made[from]) &&
           (to == CFLRI_NO_NODE || !m->made[to]);
}
