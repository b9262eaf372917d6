/* SPDX-License-Identifier: Apache-2.0
 *
 * scope.c: several programs in one list of units.
 *
 * A build makes several programs, and `main` or `usage` of one is not that of another. A target (an
 * executable, a library) is a set of units; where the database does not say which, a unit is a
 * target by itself, as a member of an archive is. A target that defines `main` is a program, all
 * others are libraries. A target needs the libraries that define a name which it refers to and does
 * not define:
 *
 *     client (main, usage) ----> net (send) ----> base (fail)      scope of client: client net base
 *     server (main, usage) --------------------^                   scope of server: server base
 *
 * The scope of a program is all libraries that it needs, directly or through others. A library that
 * no program needs is one that programs load while they run, and so in every scope, with what it
 * needs.
 *
 * Inside one scope a name means one thing, whichever of several definitions a linker would take:
 * they are one class, as they are where there is one program only. Libraries are there once, so a
 * library in two scopes means by a name what it means in both. Hence, for each name, union-find
 * over its definitions:
 *
 *     two definitions are one class when one scope has both, or when a unit sees both;
 *     a unit sees what the scopes that have it define
 *
 * A unit that sees no definition means one outside, which no class has. Where that makes two
 * meanings or more, every class gets a key of its own; the outside keeps the name, which summaries
 * go by. A definition is its place: a source file that two targets compile is there once, like its
 * static functions.
 *
 * Nothing is lost: all that a linker may bind in one program is in one class. One thing is not
 * seen: a library that one program needs by name and another one loads while it runs.
 *
 * An alias (alias.c) is a definition of its name. After all that its key becomes that of its
 * target, unless its class has other definitions, as that of a weak alias has which another unit
 * replaces: then link.c has the address of the target flow to that of the alias.
 *
 * A name that one library alone defines is seen by all targets that refer to it, because they need
 * the library; nearly all names are like this and cost nothing. O(sayings log sayings + programs
 * times targets and what they need + over the other names: sayings times scopes that have them; and
 * targets that refer to a name times the libraries that define it, mostly one).
 */
#include "frontend/program/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/facts/facts_table.h"
#include "frontend/facts/groups.h"

static cflr_status no_memory(const cflri_scopes *scopes, cflr_error *error) {
    return cflri_fail_memory(scopes->context, error);
}

cflr_status cflri_scopes_init(cflri_scopes *scopes, cflr_context *context, const cflri_units *units,
                              cflr_error *error) {
    memset(scopes, 0, sizeof *scopes);
    scopes->context = context;
    scopes->units = units;
    scopes->n_targets = (uint32_t)(units->targets.n + units->list.n);
    cflr_status st = cflri_strings_init(&scopes->strings, context, error);
    if (st != CFLR_OK) return st;
    scopes->definitions = cflri_triples_new(context);
    scopes->needs = cflri_triples_new(context);
    scopes->keys = cflri_triples_new(context);
    scopes->program = cflri_alloc_array_zero(context, scopes->n_targets, sizeof(bool));
    scopes->linked = cflri_alloc_array_zero(context, scopes->n_targets, sizeof(bool));
    bool good =
        scopes->definitions && scopes->needs && scopes->keys && scopes->program && scopes->linked;
    return good ? CFLR_OK : no_memory(scopes, error);
}

void cflri_scopes_free(cflri_scopes *scopes) {
    cflr_context *context = scopes->context;
    if (!context) return;
    cflri_strings_free(&scopes->strings);
    cflri_vec_free(context, &scopes->sayings);
    cflri_vec_free(context, &scopes->needing);
    cflri_vec_free(context, &scopes->needed);
    cflri_vec_free(context, &scopes->second_names);
    cflri_vec_free(context, &scopes->one_as);
    cflri_triples_free(scopes->definitions);
    cflri_triples_free(scopes->needs);
    cflri_triples_free(scopes->keys);
    cflri_free(context, scopes->program);
    cflri_free(context, scopes->linked);
    memset(scopes, 0, sizeof *scopes);
}

/* The targets that unit `u` is part of: at least one. */
typedef struct membership {
    const uint32_t *target;
    size_t n;
    uint32_t itself;
} membership;

static void targets_of(const cflri_scopes *scopes, uint32_t u, membership *m) {
    const cflri_unit *unit = &scopes->units->list.at[u];
    m->itself = (uint32_t)scopes->units->targets.n + u;
    m->n = unit->n_targets ? unit->n_targets : 1;
    m->target = unit->n_targets ? scopes->units->members.at + unit->first_target : &m->itself;
}

/* ---- what units say ---- */

static cflr_status intern(cflri_scopes *scopes, const char *text, uint32_t *id, cflr_error *error) {
    return cflri_intern(&scopes->strings, text, strlen(text), id, error);
}

/* `place` is NULL where the name is referred to only. */
static cflr_status say(cflri_scopes *scopes, uint32_t unit, const cflri_facts *facts, uint32_t key,
                       const cflri_place *place, cflr_error *error) {
    cflri_saying saying = {.unit = unit, .definition = CFLRI_NO_DEFINITION};
    cflr_status st = CFLR_OK;
    CFLR_TRY(intern(scopes, cflri_string(&facts->strings, key), &saying.name, error));
    if (place) {
        uint32_t file = 0;
        CFLR_TRY(intern(scopes, cflri_string(&facts->strings, place->file), &file, error));
        const cflri_triple at = {saying.name, file, place->offset};
        saying.definition = cflri_triples_find(scopes->definitions, at);
        if (saying.definition == CFLRI_NO_VALUE) {
            saying.definition = scopes->n_definitions++;
            if (!cflri_triples_add(scopes->definitions, at, saying.definition))
                CFLR_TRY(no_memory(scopes, error));
        }
    }
    if (!cflri_vec_push(scopes->context, &scopes->sayings, saying)) st = no_memory(scopes, error);
out:
    return st;
}

static void mark_program(cflri_scopes *scopes, uint32_t unit) {
    membership in;
    targets_of(scopes, unit, &in);
    for (size_t i = 0; i < in.n; i++) scopes->program[in.target[i]] = true;
}

static cflr_status say_alias(cflri_scopes *scopes, uint32_t unit, const cflri_facts *facts,
                             const cflri_facts_link *link, cflr_error *error) {
    const cflri_node_record *node = &facts->nodes.at[link->node];
    const cflri_function *function =
        node->kind == CFLR_VERTEX_FUNCTION ? &facts->functions.at[node->step] : NULL;
    cflri_second_name second = {.unit = unit,
                                .external = function ? function->external : node->external};
    cflr_status st = CFLR_OK;
    CFLR_TRY(say(scopes, unit, facts, link->name, &node->place, error));
    CFLR_TRY(intern(scopes, cflri_string(&facts->strings, link->name), &second.name, error));
    CFLR_TRY(intern(scopes, cflri_string(&facts->strings, node->key), &second.target, error));
    second.definition = scopes->sayings.at[scopes->sayings.n - 1].definition;
    if (!cflri_vec_push(scopes->context, &scopes->second_names, second))
        st = no_memory(scopes, error);
out:
    return st;
}

static cflr_status say_function(cflri_scopes *scopes, uint32_t unit, const cflri_facts *facts,
                                const cflri_function *function, cflr_error *error) {
    const cflri_place *place = function->defined ? &function->place : NULL;
    if (place && strcmp(cflri_string(&facts->strings, function->key), "main") == 0)
        mark_program(scopes, unit);
    return say(scopes, unit, facts, function->key, place, error);
}

/* A unit says a name once: `alias` has the nodes whose names are still to be said as those of
 * aliases. */
static cflr_status say_all(cflri_scopes *scopes, uint32_t unit, const cflri_facts *facts,
                           bool *alias, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < facts->links.n; i++)
        if (facts->links.at[i].kind == CFLRI_LINK_ALIAS) alias[facts->links.at[i].alias] = true;
    for (size_t f = 1; f < facts->functions.n; f++) {
        const cflri_function *function = &facts->functions.at[f];
        if (function->external && !alias[function->object])
            CFLR_TRY(say_function(scopes, unit, facts, function, error));
    }
    for (size_t i = 0; i < facts->nodes.n; i++) {
        const cflri_node_record *node = &facts->nodes.at[i];
        const cflri_place *place = node->defined ? &node->place : NULL;
        if (node->how == CFLRI_ROOT && node->external && !alias[i])
            CFLR_TRY(say(scopes, unit, facts, node->key, place, error));
    }
    for (size_t i = 0; i < facts->links.n; i++) {
        const cflri_facts_link *link = &facts->links.at[i];
        if (link->kind != CFLRI_LINK_ALIAS || !alias[link->alias]) continue;
        alias[link->alias] = false;
        CFLR_TRY(say_alias(scopes, unit, facts, link, error));
    }
out:
    return st;
}

cflr_status cflri_scopes_add(cflri_scopes *scopes, uint32_t unit, const cflri_facts *facts,
                             cflr_error *error) {
    bool *alias = cflri_alloc_array_zero(scopes->context, facts->nodes.n, sizeof *alias);
    if (!alias) return no_memory(scopes, error);
    cflr_status st = say_all(scopes, unit, facts, alias, error);
    cflri_free(scopes->context, alias);
    return st;
}

/* ---- which targets need which ---- */

static int compare_sayings(const void *x, const void *y) {
    const cflri_saying *a = x, *b = y;
    if (a->name != b->name) return a->name < b->name ? -1 : 1;
    return (a->unit > b->unit) - (a->unit < b->unit);
}

/* The sayings of one name are sayings[first] .. sayings[last - 1]. */
static size_t end_of_name(const cflri_scopes *scopes, size_t first) {
    size_t last = first;
    while (last < scopes->sayings.n &&
           scopes->sayings.at[last].name == scopes->sayings.at[first].name)
        last++;
    return last;
}

static bool need(cflri_scopes *scopes, uint32_t from, uint32_t to) {
    const cflri_triple edge = {from, to, 0};
    if (cflri_triples_find(scopes->needs, edge) != CFLRI_NO_VALUE) return true;
    return cflri_triples_add(scopes->needs, edge, 0) &&
           cflri_vec_push(scopes->context, &scopes->needing, from) &&
           cflri_vec_push(scopes->context, &scopes->needed, to);
}

/* The targets that define one name. `stamp` has for each target the last name that it defines. */
typedef struct definers {
    cflri_numbers libraries;
    uint32_t *stamp;
} definers;

static bool find_definers(const cflri_scopes *scopes, size_t first, size_t last, definers *d) {
    membership in;
    d->libraries.n = 0;
    for (size_t s = first; s < last; s++) {
        const cflri_saying *saying = &scopes->sayings.at[s];
        if (saying->definition == CFLRI_NO_DEFINITION) continue;
        targets_of(scopes, saying->unit, &in);
        for (size_t i = 0; i < in.n; i++) {
            uint32_t target = in.target[i];
            if (d->stamp[target] == saying->name) continue;
            d->stamp[target] = saying->name;
            if (!scopes->program[target] && !cflri_vec_push(scopes->context, &d->libraries, target))
                return false;
        }
    }
    return true;
}

static bool add_needs(cflri_scopes *scopes, size_t first, size_t last, const definers *d) {
    membership in;
    for (size_t s = first; s < last && d->libraries.n > 0; s++) {
        const cflri_saying *saying = &scopes->sayings.at[s];
        targets_of(scopes, saying->unit, &in);
        for (size_t i = 0; i < in.n; i++) {
            if (d->stamp[in.target[i]] == saying->name) continue;
            for (size_t l = 0; l < d->libraries.n; l++)
                if (!need(scopes, in.target[i], d->libraries.at[l])) return false;
        }
    }
    return true;
}

static cflr_status find_needs(cflri_scopes *scopes, cflr_error *error) {
    definers d = {0};
    d.stamp = cflri_alloc_array_zero(scopes->context, scopes->n_targets, sizeof *d.stamp);
    bool good = d.stamp != NULL;
    for (size_t first = 0, last; good && first < scopes->sayings.n; first = last) {
        last = end_of_name(scopes, first);
        good = find_definers(scopes, first, last, &d) && add_needs(scopes, first, last, &d);
    }
    cflri_free(scopes->context, d.stamp);
    cflri_vec_free(scopes->context, &d.libraries);
    return good ? CFLR_OK : no_memory(scopes, error);
}

/* ---- scopes ---- */

/* Walks from targets to what they need. */
typedef struct walker {
    const cflri_scopes *scopes;
    cflri_groups edges; /* by needing target */
    uint32_t *stamp;    /* by target: the last walk that came by */
    uint32_t walk;
    cflri_numbers found; /* by the walk that goes on; also its queue */
} walker;

static cflr_status walker_init(walker *w, const cflri_scopes *scopes, cflr_error *error) {
    *w = (walker){.scopes = scopes};
    w->stamp = cflri_alloc_array_zero(scopes->context, scopes->n_targets, sizeof *w->stamp);
    if (!w->stamp || !cflri_vec_reserve(scopes->context, &w->found, scopes->n_targets))
        return no_memory(scopes, error);
    return cflri_group(scopes->context, scopes->needing.at, scopes->needing.n, scopes->n_targets,
                       &w->edges, error);
}

static void walker_free(walker *w) {
    cflr_context *context = w->scopes->context;
    cflri_free(context, w->edges.start);
    cflri_free(context, w->edges.item);
    cflri_free(context, w->stamp);
    cflri_vec_free(context, &w->found);
}

static void begin_walk(walker *w) {
    w->walk++;
    w->found.n = 0;
}

static void reach(walker *w, uint32_t target) {
    if (w->stamp[target] == w->walk) return;
    w->stamp[target] = w->walk;
    w->found.at[w->found.n++] = target; /* there is room for all */
}

/* From all that is reached so far. */
static void go_on(walker *w) {
    for (size_t i = 0; i < w->found.n; i++) {
        uint32_t from = w->found.at[i];
        for (uint32_t e = w->edges.start[from]; e < w->edges.start[from + 1]; e++)
            reach(w, w->scopes->needed.at[w->edges.item[e]]);
    }
}

bool cflri_scopes_linked(const cflri_scopes *scopes, uint32_t unit) {
    membership in;
    targets_of(scopes, unit, &in);
    for (size_t i = 0; i < in.n; i++)
        if (scopes->linked[in.target[i]]) return true;
    return false;
}

/* Of units that are not linked. */
static void drop_sayings(cflri_scopes *scopes) {
    size_t kept = 0;
    for (size_t s = 0; s < scopes->sayings.n; s++)
        if (cflri_scopes_linked(scopes, scopes->sayings.at[s].unit))
            scopes->sayings.at[kept++] = scopes->sayings.at[s];
    scopes->sayings.n = kept;
}

cflr_status cflri_scopes_choose(cflri_scopes *scopes, cflr_error *error) {
    cflr_status st = CFLR_OK;
    walker w = {.scopes = scopes};
    const cflri_units *units = scopes->units;
    if (scopes->sayings.n)
        qsort(scopes->sayings.at, scopes->sayings.n, sizeof *scopes->sayings.at, compare_sayings);
    CFLR_TRY(find_needs(scopes, error));
    CFLR_TRY(walker_init(&w, scopes, error));
    begin_walk(&w);
    for (uint32_t t = 0; t < scopes->n_targets; t++) {
        bool told = t < units->targets.n;
        bool wanted =
            told ? units->targets.at[t].wanted : units->list.at[t - units->targets.n].wanted;
        if (wanted) reach(&w, t);
    }
    go_on(&w);
    for (size_t i = 0; i < w.found.n; i++) scopes->linked[w.found.at[i]] = true;
    drop_sayings(scopes);
out:
    walker_free(&w);
    return st;
}

/* ---- what names mean ---- */

/* Which programs have a target in their scope. */
typedef struct viewers {
    cflri_numbers target, program; /* program[i] has target[i] in its scope */
    cflri_groups in;               /* i by target */
} viewers;

static void viewers_free(cflr_context *context, viewers *v) {
    cflri_vec_free(context, &v->target);
    cflri_vec_free(context, &v->program);
    cflri_free(context, v->in.start);
    cflri_free(context, v->in.item);
}

static bool is_program(const cflri_scopes *scopes, uint32_t target) {
    return scopes->program[target] && scopes->linked[target];
}

/* Marks what some program needs. */
static void mark_needed(const cflri_scopes *scopes, walker *w, bool *needed) {
    begin_walk(w);
    for (uint32_t t = 0; t < scopes->n_targets; t++)
        if (is_program(scopes, t)) reach(w, t);
    go_on(w);
    for (size_t i = 0; i < w->found.n; i++) needed[w->found.at[i]] = true;
}

static bool add_scope(const cflri_scopes *scopes, walker *w, const bool *needed, uint32_t program,
                      viewers *v) {
    cflr_context *context = scopes->context;
    begin_walk(w);
    reach(w, program);
    for (uint32_t t = 0; t < scopes->n_targets; t++)
        if (scopes->linked[t] && !needed[t]) reach(w, t);
    go_on(w);
    for (size_t i = 0; i < w->found.n; i++)
        if (!cflri_vec_push(context, &v->target, w->found.at[i]) ||
            !cflri_vec_push(context, &v->program, program))
            return false;
    return true;
}

static cflr_status find_viewers(const cflri_scopes *scopes, viewers *v, cflr_error *error) {
    cflr_status st = CFLR_OK;
    walker w = {.scopes = scopes};
    bool *needed = cflri_alloc_array_zero(scopes->context, scopes->n_targets, sizeof *needed);
    if (!needed) CFLR_TRY(no_memory(scopes, error));
    CFLR_TRY(walker_init(&w, scopes, error));
    mark_needed(scopes, &w, needed);
    for (uint32_t t = 0; t < scopes->n_targets; t++)
        if (is_program(scopes, t) && !add_scope(scopes, &w, needed, t, v))
            CFLR_TRY(no_memory(scopes, error));
    st = cflri_group(scopes->context, v->target.at, v->target.n, scopes->n_targets, &v->in, error);
out:
    walker_free(&w);
    cflri_free(scopes->context, needed);
    return st;
}

/* One name after the other. */
typedef struct resolver {
    cflri_scopes *scopes;
    const viewers *viewers;
    uint32_t *parent; /* by definition */
    uint32_t
        *number; /* by definition that stands for its class: of the class, from 1; 0: none yet */
    uint32_t *defined;  /* by program: a definition of the last name that its scope defines */
    uint32_t *stamp;    /* by program: that name */
    cflri_numbers seen; /* by saying of the name: a definition that it means, or none */
} resolver;

static uint32_t find(resolver *r, uint32_t definition) {
    while (r->parent[definition] != definition) {
        r->parent[definition] = r->parent[r->parent[definition]];
        definition = r->parent[definition];
    }
    return definition;
}

/* Both are one class; either may be none. */
static uint32_t join(resolver *r, uint32_t a, uint32_t b) {
    if (a == CFLRI_NO_DEFINITION) return b;
    if (b == CFLRI_NO_DEFINITION) return a;
    a = find(r, a);
    b = find(r, b);
    if (a < b) return r->parent[b] = a;
    return r->parent[a] = b;
}

/* Joins what the unit of a saying sees in the scopes that have it. With `defines`, it is what these
 * scopes have from now on, too. */
static uint32_t look(resolver *r, const cflri_saying *saying, bool defines) {
    membership in;
    uint32_t seen = saying->definition;
    targets_of(r->scopes, saying->unit, &in);
    for (size_t i = 0; i < in.n; i++) {
        const cflri_groups *groups = &r->viewers->in;
        for (uint32_t k = groups->start[in.target[i]]; k < groups->start[in.target[i] + 1]; k++) {
            uint32_t program = r->viewers->program.at[groups->item[k]];
            if (r->stamp[program] == saying->name) seen = join(r, seen, r->defined[program]);
            if (!defines) continue;
            r->stamp[program] = saying->name;
            r->defined[program] = seen;
        }
    }
    return seen;
}

/* Can the name mean two things? Not when it has one definition, which is a library's: a target that
 * refers to it needs the library. */
static bool is_doubtful(const cflri_scopes *scopes, size_t first, size_t last) {
    membership in;
    uint32_t definition = CFLRI_NO_DEFINITION;
    bool library = false;
    for (size_t s = first; s < last; s++) {
        const cflri_saying *saying = &scopes->sayings.at[s];
        if (saying->definition == CFLRI_NO_DEFINITION) continue;
        if (definition != CFLRI_NO_DEFINITION && definition != saying->definition) return true;
        definition = saying->definition;
        targets_of(scopes, saying->unit, &in);
        for (size_t i = 0; i < in.n; i++) library |= !scopes->program[in.target[i]];
    }
    return definition != CFLRI_NO_DEFINITION && !library;
}

static bool find_meanings(resolver *r, size_t first, size_t last) {
    const cflri_saying *sayings = r->scopes->sayings.at;
    r->seen.n = 0;
    if (!cflri_vec_reserve(r->scopes->context, &r->seen, last - first)) return false;
    for (size_t s = first; s < last; s++)
        if (sayings[s].definition != CFLRI_NO_DEFINITION) look(r, &sayings[s], true);
    for (size_t s = first; s < last; s++) /* now the scopes have all definitions */
        r->seen.at[r->seen.n++] = look(r, &sayings[s], false);
    return true;
}

/* Numbers the classes in the order of the sayings; how many meanings there are. */
static uint32_t count_meanings(resolver *r) {
    uint32_t classes = 0;
    bool outside = false;
    for (size_t i = 0; i < r->seen.n; i++) {
        if (r->seen.at[i] == CFLRI_NO_DEFINITION) {
            outside = true;
            continue;
        }
        uint32_t *number = &r->number[find(r, r->seen.at[i])];
        if (*number == 0) *number = ++classes;
    }
    return classes + outside;
}

/* "usage@2" */
static cflr_status add_key(resolver *r, const cflri_saying *saying, uint32_t class,
                           cflr_error *error) {
    cflri_scopes *scopes = r->scopes;
    const char *name = cflri_string(&scopes->strings, saying->name);
    const cflri_triple at = {saying->name, saying->unit, 0};
    cflr_status st = CFLR_OK;
    uint32_t key = 0;
    size_t size = strlen(name) + 16;
    char *whole = cflri_alloc(scopes->context, size);
    if (!whole) return no_memory(scopes, error);
    snprintf(whole, size, "%s@%u", name, class);
    CFLR_TRY(intern(scopes, whole, &key, error));
    if (!cflri_triples_add(scopes->keys, at, key)) st = no_memory(scopes, error);
out:
    cflri_free(scopes->context, whole);
    return st;
}

static cflr_status resolve_name(resolver *r, size_t first, size_t last, cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (!is_doubtful(r->scopes, first, last)) return CFLR_OK;
    if (!find_meanings(r, first, last)) return no_memory(r->scopes, error);
    if (count_meanings(r) == 1) return CFLR_OK;
    for (size_t i = 0; i < r->seen.n; i++) {
        if (r->seen.at[i] == CFLRI_NO_DEFINITION) continue;
        uint32_t class = r->number[find(r, r->seen.at[i])];
        CFLR_TRY(add_key(r, &r->scopes->sayings.at[first + i], class, error));
    }
out:
    return st;
}

static cflr_status resolver_init(resolver *r, cflr_error *error) {
    cflr_context *context = r->scopes->context;
    size_t n = r->scopes->n_definitions, n_targets = r->scopes->n_targets;
    r->parent = cflri_alloc_array(context, n, sizeof *r->parent);
    r->number = cflri_alloc_array_zero(context, n, sizeof *r->number);
    r->defined = cflri_alloc_array(context, n_targets, sizeof *r->defined);
    r->stamp = cflri_alloc_array_zero(context, n_targets, sizeof *r->stamp);
    if (!r->parent || !r->number || !r->defined || !r->stamp) return no_memory(r->scopes, error);
    for (size_t d = 0; d < n; d++) r->parent[d] = (uint32_t)d;
    return CFLR_OK;
}

static void resolver_free(resolver *r) {
    cflr_context *context = r->scopes->context;
    cflri_free(context, r->parent);
    cflri_free(context, r->number);
    cflri_free(context, r->defined);
    cflri_free(context, r->stamp);
    cflri_vec_free(context, &r->seen);
}

cflr_status cflri_scopes_resolve(cflri_scopes *scopes, cflr_error *error) {
    cflr_status st = CFLR_OK;
    viewers seen_by = {0};
    resolver r = {.scopes = scopes, .viewers = &seen_by};
    uint32_t programs = 0;
    for (uint32_t t = 0; t < scopes->n_targets; t++) programs += is_program(scopes, t);
    if (programs < 2) return CFLR_OK; /* one scope has all */
    CFLR_TRY(find_viewers(scopes, &seen_by, error));
    CFLR_TRY(resolver_init(&r, error));
    for (size_t first = 0, last; first < scopes->sayings.n; first = last) {
        last = end_of_name(scopes, first);
        CFLR_TRY(resolve_name(&r, first, last, error));
    }
out:
    resolver_free(&r);
    viewers_free(scopes->context, &seen_by);
    return st;
}

/* ---- aliases ---- */

static uint32_t key_of(const cflri_scopes *scopes, uint32_t unit, uint32_t name) {
    uint32_t key = cflri_triples_find(scopes->keys, (cflri_triple){name, unit, 0});
    return key == CFLRI_NO_VALUE ? name : key;
}

/* The string that stands for all keys of one thing so far. */
static uint32_t standing_for(cflri_scopes *scopes, uint32_t key) {
    uint32_t *one_as = scopes->one_as.at;
    for (; one_as[key] != key; key = one_as[key]) one_as[key] = one_as[one_as[key]];
    return key;
}

/* By key: is it defined more than once? */
static void find_rivals(const cflri_scopes *scopes, uint32_t *definition, bool *rivals) {
    for (size_t s = 0; s < scopes->sayings.n; s++) {
        const cflri_saying *saying = &scopes->sayings.at[s];
        if (saying->definition == CFLRI_NO_DEFINITION) continue;
        uint32_t key = key_of(scopes, saying->unit, saying->name);
        if (definition[key] == 0) definition[key] = saying->definition + 1;
        rivals[key] |= definition[key] != saying->definition + 1;
    }
}

static void join_all(cflri_scopes *scopes, const bool *rivals) {
    for (size_t i = 0; i < scopes->second_names.n; i++) {
        const cflri_second_name *second = &scopes->second_names.at[i];
        uint32_t name = key_of(scopes, second->unit, second->name), target = second->target;
        if (!cflri_scopes_linked(scopes, second->unit) || rivals[name]) continue;
        if (second->external) target = key_of(scopes, second->unit, target);
        target = standing_for(scopes, target);
        scopes->one_as.at[standing_for(scopes, name)] = target;
    }
}

cflr_status cflri_scopes_join(cflri_scopes *scopes, cflr_error *error) {
    cflr_context *context = scopes->context;
    uint32_t n = (uint32_t)scopes->strings.text.n;
    if (scopes->second_names.n == 0) return CFLR_OK;
    uint32_t *definition = cflri_alloc_array_zero(context, n, sizeof *definition);
    bool *rivals = cflri_alloc_array_zero(context, n, sizeof *rivals);
    bool good = definition && rivals && cflri_vec_reserve(context, &scopes->one_as, n);
    for (uint32_t i = 0; good && i < n; i++) scopes->one_as.at[scopes->one_as.n++] = i;
    if (good) {
        find_rivals(scopes, definition, rivals);
        join_all(scopes, rivals);
    }
    for (uint32_t i = 0; good && i < n; i++) scopes->one_as.at[i] = standing_for(scopes, i);
    cflri_free(context, definition);
    cflri_free(context, rivals);
    return good ? CFLR_OK : no_memory(scopes, error);
}

static const char *joined(const cflri_scopes *scopes, uint32_t key) {
    return cflri_string(&scopes->strings, scopes->one_as.n ? scopes->one_as.at[key] : key);
}

const char *cflri_scopes_key(const cflri_scopes *scopes, uint32_t unit, const char *name) {
    uint32_t id = cflri_strings_find(&scopes->strings, name, strlen(name));
    return id == CFLRI_NO_STRING ? name : joined(scopes, key_of(scopes, unit, id));
}

const char *cflri_scopes_own_key(const cflri_scopes *scopes, const char *key) {
    if (scopes->one_as.n == 0) return key;
    uint32_t id = cflri_strings_find(&scopes->strings, key, strlen(key));
    return id == CFLRI_NO_STRING ? key : joined(scopes, id);
}
