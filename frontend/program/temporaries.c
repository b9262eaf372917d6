/* SPDX-License-Identifier: Apache-2.0
 *
 * temporaries.c: temporaries that are never read.
 *
 * A unit cannot know whether another one goes back from a member to its record, so it states for
 * each member whose address is taken where such a way back would lead. In most programs few of them
 * are used. One pass marks what is read, a second one drops the rest; a temporary that only an idle
 * one reads stays, which costs little and changes nothing. The root of a copy in pieces is such a
 * temporary: it is read where its content flows somewhere or is flowed into.
 */
#include "frontend/program/temporaries.h"

/* Something flows from or to `node`: if it is the content of a copy, that is read. */
static void mark_copy(const cflri_facts *facts, cflri_node node, bool *read) {
    cflri_node root = cflri_facts_copy_of(facts, node);
    if (root != CFLRI_NO_NODE) read[root] = true;
}

static void mark_read(const cflri_facts *facts, bool *read) {
    for (size_t i = 0; i < facts->assigns.n; i++) read[facts->assigns.at[i].from] = true;
    for (size_t i = 0; i < facts->mentions.n; i++) read[facts->mentions.at[i].node] = true;
    for (size_t i = 0; i < facts->called.n; i++)
        if (facts->called.at[i].value != CFLRI_NO_NODE) read[facts->called.at[i].value] = true;
    for (size_t i = 0; i < facts->checks.n; i++)
        for (int k = 0; k < 2; k++) read[facts->checks.at[i].node[k]] = true;
    for (size_t i = 0; i < facts->nodes.n; i++) {
        const cflri_node_record *node = &facts->nodes.at[i];
        if (node->how != CFLRI_ROOT && !facts->nodes.at[node->base].piecewise)
            read[node->base] = true;
    }
    for (size_t i = 0; i < facts->assigns.n; i++) {
        mark_copy(facts, facts->assigns.at[i].from, read);
        mark_copy(facts, facts->assigns.at[i].to, read);
    }
}

static bool is_temporary(const cflri_node_record *node) {
    return node->kind == CFLR_VERTEX_TEMPORARY || node->piecewise;
}

cflr_status cflri_drop_idle_temporaries(cflri_program *program, cflr_error *error) {
    cflri_facts *facts = &program->facts;
    bool *read = cflri_alloc_array_zero(program->context, facts->nodes.n, sizeof *read);
    if (!read) return cflri_fail_memory(program->context, error);
    mark_read(facts, read);
    size_t kept = 0;
    for (size_t i = 0; i < facts->assigns.n; i++) {
        const cflri_assign assign = facts->assigns.at[i];
        bool temporary = is_temporary(&facts->nodes.at[assign.to]);
        if (!temporary || read[assign.to]) facts->assigns.at[kept++] = assign;
    }
    facts->assigns.n = kept;
    cflri_free(program->context, read);
    return CFLR_OK;
}
