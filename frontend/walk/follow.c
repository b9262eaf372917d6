/* SPDX-License-Identifier: Apache-2.0
 *
 * follow.c: places where a pointer is followed, as sinks of rules (rules.h).
 *
 *     p->m = *q;           p  --sink[null]-->  SINK p->m          q  --sink[null]-->  SINK *q
 *     (*f)(x);             f  --sink[null]-->  SINK f()
 *
 * The address of a member of what p points to is as null as p is, near enough: so it is p that is
 * followed. Addresses of objects are followed everywhere and are never null: they have no sinks.
 */
#include <stdio.h>

#include "frontend/summaries/summary_language.h"
#include "frontend/walk/walk.h"

/* Can the value be null at all? */
static bool may_be_null(const cflri_walk *w, cflri_node node) {
    return w->facts->nodes.at[node].how != CFLRI_ADDRESS && !cflri_is_null(w, node);
}

static void sink(cflri_walk *w, uint32_t e, uint32_t rule, const cflri_value *pointers) {
    char text[CFLRI_SPELLING_SIZE], what[32];
    cflri_spell(w, e, text);
    snprintf(what, sizeof what, "!sink%u", rule);
    const cflri_node_record record = {.kind = CFLR_VERTEX_SINK,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .step = rule,
                                      .name = cflri_facts_string(w->facts, text)};
    cflri_node root = cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), what, &record);
    cflri_flow_value(w, &cflri_plain_flow, pointers, root);
}

void cflri_followed(cflri_walk *w, uint32_t e, const cflri_value *pointers) {
    if (!cflri_rules_there(w->summaries)) return;
    const cflri_value bases = cflri_before_steps(w, pointers, UINT32_MAX);
    cflri_value doubtful = cflri_no_value();
    for (uint32_t i = 0; i < bases.n; i++)
        if (may_be_null(w, bases.at[i])) doubtful.at[doubtful.n++] = bases.at[i];
    for (uint32_t r = 0; doubtful.n > 0 && r < w->summaries->rules.n; r++)
        if (w->summaries->rules.at[r].dereferences) sink(w, e, r, &doubtful);
}
