/* SPDX-License-Identifier: Apache-2.0
 *
 * scope.h: which definition a name means, where one list of units makes several programs.
 *
 *     cflri_scopes_init
 *     cflri_scopes_add        for each unit, in the order of the list
 *     cflri_scopes_choose     once: what is linked
 *     cflri_scopes_resolve    unless programs are merged
 *     cflri_scopes_join       once: aliases
 *     cflri_scopes_linked, cflri_scopes_key: what linking asks
 *
 * A target is a number: those of the database first, then one for each unit, which is its target
 * where the database tells none.
 */
#ifndef CFLRI_SCOPE_H
#define CFLRI_SCOPE_H

#include "frontend/compdb/compdb.h"
#include "frontend/facts/facts.h"

/* A unit says an external name: defines it, or else refers to it. */
typedef struct cflri_saying {
    uint32_t name; /* string */
    uint32_t unit;
    uint32_t definition; /* its number, or CFLRI_NO_DEFINITION */
} cflri_saying;
#define CFLRI_NO_DEFINITION UINT32_MAX

/* A unit defines an external name as an alias. */
typedef struct cflri_second_name {
    uint32_t unit;
    uint32_t name;       /* strings */
    uint32_t target;     /* key in the unit */
    bool external;       /* the target's linkage */
    uint32_t definition; /* its number */
} cflri_second_name;

typedef struct cflri_scopes {
    cflr_context *context;
    const cflri_units *units;
    uint32_t n_targets;
    cflri_strings strings;
    CFLRI_VEC(cflri_saying) sayings;   /* in the order of the units; choosing sorts them by name */
    struct cflri_triples *definitions; /* (name, file, offset) -> number */
    uint32_t n_definitions;
    bool *program;               /* by target: it defines main */
    bool *linked;                /* by target; set by choosing */
    struct cflri_triples *needs; /* (target, target, 0): edges that are known */
    CFLRI_VEC(uint32_t) needing; /* an edge goes from needing[i] to needed[i] */
    CFLRI_VEC(uint32_t) needed;
    struct cflri_triples *keys; /* (name, unit, 0) -> string: the key where it is not the name */
    CFLRI_VEC(cflri_second_name) second_names;
    CFLRI_VEC(uint32_t)
    one_as; /* by string: another key of the same thing, or itself; empty: no second names */
} cflri_scopes;

/* `units` must outlive the scopes. Free them also when this fails. */
cflr_status cflri_scopes_init(cflri_scopes *scopes, cflr_context *context, const cflri_units *units,
                              cflr_error *error);
void cflri_scopes_free(cflri_scopes *scopes);

/* Takes down which external names the unit defines and refers to. O(unit). */
cflr_status cflri_scopes_add(cflri_scopes *scopes, uint32_t unit, const cflri_facts *facts,
                             cflr_error *error);

/* Chooses the targets to link: those that are wanted, and those that they need. */
cflr_status cflri_scopes_choose(cflri_scopes *scopes, cflr_error *error);

/* Finds the definition that each name means. */
cflr_status cflri_scopes_resolve(cflri_scopes *scopes, cflr_error *error);

/* Gives aliases the key of what they are aliases of. After the above, or without resolving. */
cflr_status cflri_scopes_join(cflri_scopes *scopes, cflr_error *error);

/* Is the unit linked? */
bool cflri_scopes_linked(const cflri_scopes *scopes, uint32_t unit);

/* The key in the program of an external name as this unit means it: the name itself before
 * resolving, and where there are no two meanings. */
const char *cflri_scopes_key(const cflri_scopes *scopes, uint32_t unit, const char *name);

/* The same for a key that is one unit's own: itself, but where several things have one alias. */
const char *cflri_scopes_own_key(const cflri_scopes *scopes, const char *key);

#endif
