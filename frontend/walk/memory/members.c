/* SPDX-License-Identifier: Apache-2.0
 *
 * members.c: which member of which record an address is of, and what members records have.
 *
 *     struct s { int n; union { struct t *t; char *text; }; };
 *
 *     p->text     field(p, 8), told to be a member of struct s
 *
 *     struct s    0 int    8 struct t *    8 char *
 *
 *     p->n        deref(p), told the same
 *
 * Members of an anonymous record are those of the named one around it. A member that no expression
 * names, a step of a summary or of a moved pointer, is not told. Only records are listed whose
 * members the unit has looked at: what no unit looks into holds nothing. For the types of what is
 * in memory (locations.h).
 */
#include "frontend/walk/walk.h"

/* The named record that members of this one count as members of. */
static uint32_t named_record(const cflri_walk *w, uint32_t record) {
    const cflri_types *types = &w->types;
    uint32_t holder;
    while ((holder = cflri_cursors_find(&types->holders, types->records.at[record].cursor)) !=
           CFLRI_NO_NUMBER)
        record = types->fields.at[holder].record;
    return record;
}

uint32_t cflri_record_text(cflri_walk *w, uint32_t number) {
    uint32_t named = named_record(w, number);
    uint32_t *text = &w->types.records.at[named].text;
    if (*text == 0) {
        CXType type = cflri_clang_getCursorType(w->types.records.at[named].cursor);
        *text = cflri_type_text(&w->names, type);
    }
    return *text;
}

void cflri_tell_member(cflri_walk *w, uint32_t field, cflri_node address) {
    const cflri_field *member = &w->types.fields.at[field];
    if (address == CFLRI_NO_NODE || w->facts->nodes.at[address].how != CFLRI_FIELD) return;
    if (member->anonymous || w->facts->nodes.at[address].step != member->offset) return;
    cflri_facts_tell_record(w->facts, address, cflri_record_text(w, member->record));
}

void cflri_members_note(cflri_walk *w) {
    for (uint32_t i = 0; i < w->types.fields.n && w->facts->status == CFLR_OK; i++) {
        const cflri_field field = w->types.fields.at[i];
        if (field.anonymous || field.unnamed_bits) continue;
        const cflri_facts_member member = {cflri_record_text(w, field.record), field.offset,
                                           cflri_type_text(&w->names, field.type)};
        cflri_facts_member_add(w->facts, &member);
    }
}
