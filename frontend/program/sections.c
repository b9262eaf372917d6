/* SPDX-License-Identifier: Apache-2.0
 *
 * sections.c: variables between the ends of a section.
 *
 * A section whose name is one of C has ends that the linker names. Units put variables into it, and
 * one of them walks from end to end: a linker set, as Linux, the BSDs and systemd have them.
 *
 *     static hook first __attribute__((section("hooks"))) = start;      &first  -a-> &__start_hooks
 *     extern hook __start_hooks[], __stop_hooks[];                      &first  -a-> &__stop_hooks
 *     for (hook *h = __start_hooks; h < __stop_hooks; h++) (*h)();
 *
 * The ends are variables that no unit defines. The address of each variable of the section flows to
 * theirs, so whatever is reached from an end may be any of the variables: records, pointers and
 * arrays alike.
 *
 * The ends of a section that no variable is known of are unknown, as variables that no unit defines
 * (close.c). So are the names that a script of the linker gives to ends (`_end`,
 * `__initcall_start`).
 */
#include "frontend/program/sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/ids.h"

static int compare_links(const void *a, const void *b) {
    const cflri_facts_link *x = a, *y = b;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* The first link of that name, or where it would be. */
static size_t seek(const cflri_facts *facts, uint32_t name) {
    size_t i;
    CFLRI_BISECT(i, 0, facts->links.n, facts->links.at[i].name < name);
    return i;
}

/* The variables of the section flow to its end; without any, the end is unknown, whatever its type
 * hides. */
static void join(cflri_facts *facts, cflri_node end, uint32_t section) {
    cflri_node_record *node = &facts->nodes.at[end];
    size_t i = section ? seek(facts, section) : facts->links.n;
    node->foreign = i == facts->links.n || facts->links.at[i].name != section;
    if (node->foreign) node->carrier = CFLRI_CARRIES_OBJECT;
    for (; i < facts->links.n && facts->links.at[i].name == section; i++) {
        cflri_node variable = facts->links.at[i].node;
        cflri_facts_assign(facts, cflri_facts_address(facts, variable),
                           cflri_facts_address(facts, end));
    }
}

void cflri_sections_join(cflri_program *program) {
    cflri_facts *facts = &program->facts;
    cflri_node n = (cflri_node)facts->nodes.n;
    if (facts->links.n > 0)
        qsort(facts->links.at, facts->links.n, sizeof *facts->links.at, compare_links);
    for (cflri_node v = 0; v < n; v++) {
        const cflri_node_record *node = &facts->nodes.at[v];
        bool undefined = node->how == CFLRI_ROOT && node->kind == CFLR_VERTEX_VARIABLE &&
                         node->external && !node->defined;
        const char *name =
            undefined ? cflri_section_ended_by(cflri_string(&facts->strings, node->key)) : NULL;
        if (!name) continue;
        uint32_t section = cflri_strings_find(&facts->strings, name, strlen(name));
        join(facts, v, section == CFLRI_NO_STRING ? 0 : section);
    }
}
