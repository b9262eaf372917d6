/* SPDX-License-Identifier: Apache-2.0
 *
 * lost.c: where flow ends, and answers say so.
 *
 * A construct that is not followed must not look like one through which nothing flows. So its value
 * is a root of kind LOST, named after the cause and placed where that is written:
 *
 *     q = (T *)hash        "a pointer in a narrower integer"  --a-->  q
 *
 * As an unknown function does, it has an edge to itself under every label (emit.c): it is its own
 * object, what is stored through it is found through it, and what is called through it returns what
 * it was given. So every value that depends on it points to it, and an answer that would be `no` is
 * `unknown`, with the cause (engine/results/outside.c).
 *
 * A value that flows into such a root is lost there. Of integers only the whole program tells
 * whether that is a pointer (integers.c):
 *
 *     id = (int)n          n  --a-->  "a pointer in a narrower integer"
 *
 * Code that is not read at all (a unit that is lost or has errors, an expression that is nested too
 * deeply) may do anything to anything. Its root stands alone, is marked `unread`, and each `no` of
 * the program is reported with it.
 */
#include "frontend/walk/walk.h"

cflri_node cflri_lost_at(cflri_walk *w, uint32_t e, const char *cause) {
    const cflri_node_record record = cflri_facts_lost_record(w->facts, cause, false);
    return cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), "!lost", &record);
}

cflri_value cflri_lost_value(cflri_walk *w, uint32_t e, const char *cause) {
    cflri_assumed(w, e, cause);
    return cflri_one_value(cflri_lost_at(w, e, cause));
}

void cflri_unread(cflri_walk *w, CXCursor at, const char *cause) {
    const cflri_node_record record = cflri_facts_lost_record(w->facts, cause, true);
    const cflri_place place = cflri_place_of(&w->names, at);
    cflri_facts_note_at(w->facts, CFLR_NOTE_ASSUMED, &place, cause);
    cflri_site_node(&w->names, at, "!unread", &record);
}
