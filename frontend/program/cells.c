/* SPDX-License-Identifier: Apache-2.0
 *
 * cells.c: hidden variables of libraries that nothing is stored in.
 *
 * A cell of a summary holds what some function of the library was given, and what others read, call
 * or return. A program that never calls the former leaves the cell empty:
 *
 *     cJSON_InitHooks: cell:hook = arg0->malloc_fn        not called
 *     cJSON_Parse: ret = new; ret = call cell:hook(_)     called at p and at q
 *
 * The content of a variable is a value also where nothing is known of it, so all results of that
 * call would be one value, and p and q could be the same tree. But a cell has no other way in: what
 * is read from an empty one is nothing, and what is stored behind it is stored nowhere. So the
 * assignments at either end of which there is an empty cell, or a node that is derived from one, do
 * not hold. That may leave another cell empty, so it is done until no assignment goes.
 *
 * In an open program others may have filled the cell. That of bytes which come in (call.c) is never
 * empty: files may have been written before.
 */
#include "frontend/program/cells.h"

#include <string.h>

static bool is_cell(const cflri_facts *facts, const cflri_node_record *node) {
    if (node->how != CFLRI_ROOT || node->kind != CFLR_VERTEX_VARIABLE) return false;
    const char *key = cflri_string(&facts->strings, node->key);
    return strncmp(key, "cell:", strlen("cell:")) == 0 && strcmp(key, "cell:bytes") != 0;
}

/* Nodes come behind what they are derived from. */
static void mark_empty(const cflri_facts *facts, bool *empty) {
    for (size_t n = 0; n < facts->nodes.n; n++) empty[n] = is_cell(facts, &facts->nodes.at[n]);
    for (size_t i = 0; i < facts->assigns.n; i++) empty[facts->assigns.at[i].to] = false;
    for (size_t n = 0; n < facts->nodes.n; n++) {
        const cflri_node_record *node = &facts->nodes.at[n];
        if (node->how != CFLRI_ROOT) empty[n] = empty[node->base];
    }
}

/* How many assignments went? */
static size_t drop_at(cflri_facts *facts, const bool *empty) {
    size_t n = facts->assigns.n, kept = 0;
    for (size_t i = 0; i < n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        if (!empty[assign.from] && !empty[assign.to]) facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
    return n - kept;
}

cflr_status cflri_drop_empty_cells(cflri_program *program, cflr_error *error) {
    cflri_facts *facts = &program->facts;
    if (program->open) return CFLR_OK;
    bool *empty = cflri_alloc_array_zero(program->context, facts->nodes.n, sizeof *empty);
    if (!empty) return cflri_fail_memory(program->context, error);
    do mark_empty(facts, empty);
    while (drop_at(facts, empty) > 0);
    cflri_free(program->context, empty);
    return CFLR_OK;
}
