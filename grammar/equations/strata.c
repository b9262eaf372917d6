/* SPDX-License-Identifier: Apache-2.0
 *
 * strata.c: what recurs, apart from what can be evaluated once.
 *
 * BETWEEN and STEP look only at targets that have the next edge: at the guards, the vertices of
 * those edges. All that moves whole into rows that are read in this way needs no other target
 * either. So a family may be needed in two versions:
 *
 *     whole      it is asked for, it is Q of a PAIR or S of a TURN, or it flows into such a family
 *     guarded    a BETWEEN or STEP reads it, or it flows into a family that is needed guarded
 *
 *     V >= ~a . V          |  V|g >= ~a . V|g        the recursion goes through the guarded
 *     V >= M . Q           |  V|g >= M . Q|g         version only
 *     M >= ~d . V . d      |  M   >= ~d . V|g . d
 *
 * In program graphs a closure of millions of pairs turns on a few thousand between guards. Versions
 * that need one another are strongly connected; a component loops when something but COPY, EDGE and
 * S of PAIR leads around in it, or when it is filtered, since members of a cycle then differ. The
 * others are products: their rows follow from finished ones by unions along known edges. Strata
 * alternate: products, a loop, products, ...
 *
 *     M  <->  V|g          loop
 *     V  ->   M            products: V is not needed for M
 *
 * When the whole version does not wait for the guarded one, or both recur together, the guarded one
 * is taken from it: V|g >= guards(V). O(equations), for each time that this happens.
 */
#include "grammar/equations/strata.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/components.h"
#include "base/context.h"
#include "base/ids.h"

/* 2 * family, and 1 more for the guarded version. */
typedef uint32_t version;

typedef struct dependency {
    version on;
    bool moves; /* whole, to the same or another vertex, along edges that are known when `on` is */
} dependency;

typedef struct splitting {
    cflr_context *context;
    cflr_error *error;
    cflri_equations *all;
    unsigned techniques;
    uint32_t n_versions;
    uint32_t *first, *by_left; /* equations of each family on the left */
    bool *needed;              /* by version */
    bool *taken;               /* by family: the guarded version is taken from the whole one */
    CFLRI_VEC(version) work;
    uint64_t *start; /* dependencies of each version */
    CFLRI_VEC(uint32_t) target;
    uint32_t *component;
    uint32_t n_components;
    bool *loops;     /* by component */
    uint32_t *level; /* by component; odd where it loops */
    uint32_t *name;  /* version -> family in the end */
} splitting;

static cflr_status out_of_memory(const splitting *s) {
    return cflri_fail_memory(s->context, s->error);
}

/* ---- dependencies ---- */

static version version_of(const splitting *s, uint32_t family, bool guarded) {
    assert(family < s->n_versions / 2);
    return 2 * family + (guarded && s->techniques & CFLR_TECHNIQUE_GUARDS);
}

/* Lists what one version of the left side needs by one equation: two dependencies at most; -1 when
 * that version does not have the equation. */
static int dependencies_of(const splitting *s, const cflri_equation *e, bool guarded,
                           dependency needs[2]) {
    if ((guarded && s->taken[e->left]) != (e->kind == CFLRI_GUARDS)) return -1;
    switch (e->kind) {
        case CFLRI_GUARDS:
            assert(e->left == e->right); /* of one family, until versions have names */
            needs[0] = (dependency){2 * e->right, false};
            return 1;
        case CFLRI_DIAGONAL:
        case CFLRI_INPUT:
            return 0;
        case CFLRI_PAIR:
            needs[1] = (dependency){version_of(s, e->by, false), false};
            needs[0] = (dependency){version_of(s, e->right, guarded), true};
            return 2;
        case CFLRI_COPY:
        case CFLRI_EDGE:
            needs[0] = (dependency){version_of(s, e->right, guarded), true};
            return 1;
        case CFLRI_TURN:
            needs[0] = (dependency){version_of(s, e->right, false), false};
            return 1;
        case CFLRI_STEP:
        case CFLRI_BETWEEN:
            needs[0] = (dependency){version_of(s, e->right, !s->taken[e->right]), false};
            return 1;
    }
    return 0;
}

static cflr_status index_equations(splitting *s) {
    cflri_equations *all = s->all;
    for (uint32_t f = 0; f < all->family.n; f++) {
        cflri_equation e = {.kind = CFLRI_GUARDS, .left = f, .right = f};
        if (!cflri_vec_push(s->context, &all->equation, e)) return out_of_memory(s);
    }
    size_t families = all->family.n, equations = all->equation.n;
    s->first = cflri_alloc_array_zero(s->context, families + 2, sizeof *s->first);
    s->by_left = cflri_alloc_array(s->context, equations + 1, sizeof *s->by_left);
    if (!s->first || !s->by_left) return out_of_memory(s);
    for (size_t e = 0; e < equations; e++) s->first[all->equation.at[e].left + 2]++;
    for (size_t f = 2; f < families + 2; f++) s->first[f] += s->first[f - 1];
    for (size_t e = 0; e < equations; e++) {
        s->by_left[s->first[all->equation.at[e].left + 1]++] = (uint32_t)e;
    }
    return CFLR_OK;
}

static bool need(splitting *s, version v) {
    if (s->needed[v]) return true;
    s->needed[v] = true;
    return cflri_vec_push(s->context, &s->work, v);
}

/* All versions that are needed, and what each of them depends on. */
static cflr_status find_needed(splitting *s) {
    memset(s->needed, 0, s->n_versions * sizeof *s->needed);
    s->work.n = 0;
    for (uint32_t i = 0; i < s->all->n_symbols; i++) {
        uint32_t rows = s->all->home[i].rows;
        if (rows != CFLRI_NO_SYMBOL && !need(s, 2 * rows)) return out_of_memory(s);
    }
    while (s->work.n) {
        version v = s->work.at[--s->work.n];
        for (uint32_t i = s->first[v / 2]; i < s->first[v / 2 + 1]; i++) {
            dependency needs[2];
            int n = dependencies_of(s, &s->all->equation.at[s->by_left[i]], v & 1, needs);
            while (n-- > 0) {
                if (!need(s, needs[n].on)) return out_of_memory(s);
            }
        }
    }
    return CFLR_OK;
}

static cflr_status find_components(splitting *s) {
    s->target.n = 0;
    for (version v = 0; v < s->n_versions; v++) {
        s->start[v] = s->target.n;
        if (!s->needed[v]) continue;
        for (uint32_t i = s->first[v / 2]; i < s->first[v / 2 + 1]; i++) {
            dependency needs[2];
            int n = dependencies_of(s, &s->all->equation.at[s->by_left[i]], v & 1, needs);
            while (n-- > 0) {
                if (!cflri_vec_push(s->context, &s->target, needs[n].on)) return out_of_memory(s);
            }
        }
    }
    s->start[s->n_versions] = s->target.n;
    const cflri_successors graph = {s->n_versions, s->start, s->target.at, NULL};
    return cflri_components(s->context, &graph, s->component, &s->n_components, s->error);
}

/* Families whose guarded version is taken from the whole one from now on. How many are new.
 * Components are numbered from what is needed up to what needs it. */
static uint32_t take_versions(splitting *s) {
    uint32_t taken = 0;
    for (uint32_t f = 0; f < s->n_versions / 2; f++) {
        if (s->taken[f] || !s->needed[2 * f] || !s->needed[2 * f + 1]) continue;
        s->taken[f] = s->component[2 * f] <= s->component[2 * f + 1];
        taken += s->taken[f];
    }
    return taken;
}

static cflr_status find_versions(splitting *s) {
    cflr_status st = CFLR_OK;
    do {
        CFLR_TRY(find_needed(s));
        CFLR_TRY(find_components(s));
    } while (take_versions(s));
out:
    return st;
}

/* ---- in what order ---- */

/* Calls for each dependency of a needed version; components come in their order. */
static void look_at(splitting *s, version v, bool levels) {
    uint32_t own = s->component[v];
    for (uint32_t i = s->first[v / 2]; i < s->first[v / 2 + 1]; i++) {
        dependency needs[2];
        int n = dependencies_of(s, &s->all->equation.at[s->by_left[i]], v & 1, needs);
        while (n-- > 0) {
            uint32_t other = s->component[needs[n].on];
            assert(other <= own);
            if (!levels) {
                s->loops[own] |= other == own && !needs[n].moves;
            } else if (other != own) {
                bool same = needs[n].moves && !s->loops[own] && !s->loops[other];
                uint32_t least = s->level[other] + !same;
                if (s->level[own] < least) s->level[own] = least;
            }
        }
    }
}

/* Needed versions in the order of their components. */
static bool order_versions(splitting *s) {
    uint32_t *place =
        cflri_alloc_array_zero(s->context, (size_t)s->n_components + 1, sizeof *place);
    s->work.n = 0;
    bool done = place && cflri_vec_reserve(s->context, &s->work, s->n_versions);
    for (version v = 0; done && v < s->n_versions; v++) {
        place[s->component[v] + 1] += s->needed[v];
    }
    for (uint32_t c = 0; done && c < s->n_components; c++) place[c + 1] += place[c];
    for (version v = 0; done && v < s->n_versions; v++) {
        if (s->needed[v]) s->work.at[place[s->component[v]]++] = v;
    }
    s->work.n = done ? place[s->n_components] : 0;
    cflri_free(s->context, place);
    return done;
}

static cflr_status find_levels(splitting *s) {
    s->loops = cflri_alloc_array_zero(s->context, (size_t)s->n_components + 1, sizeof *s->loops);
    s->level = cflri_alloc_array_zero(s->context, (size_t)s->n_components + 1, sizeof *s->level);
    if (!s->loops || !s->level || !order_versions(s)) return out_of_memory(s);
    if (!(s->techniques & CFLR_TECHNIQUE_STRATA)) {
        memset(s->loops, true, s->n_components * sizeof *s->loops);
        for (uint32_t c = 0; c < s->n_components; c++) s->level[c] = 1;
        return CFLR_OK;
    }
    for (size_t i = 0; i < s->work.n; i++) {
        version v = s->work.at[i];
        look_at(s, v, false);
        s->loops[s->component[v]] |= s->all->family.at[v / 2].filtered;
    }
    for (size_t i = 0, next; i < s->work.n; i = next) {
        uint32_t own = s->component[s->work.at[i]];
        for (next = i; next < s->work.n && s->component[s->work.at[next]] == own; next++) {
            look_at(s, s->work.at[next], true);
        }
        s->level[own] += (s->level[own] & 1) != s->loops[own];
        assert((s->level[own] & 1) == s->loops[own]);
    }
    return CFLR_OK;
}

/* ---- the result ---- */

#define ORDER(field) \
    if (x->field != y->field) return x->field < y->field ? -1 : 1

int cflri_equation_compare(const void *a, const void *b) {
    const cflri_equation *x = a, *y = b;
    ORDER(stratum);
    ORDER(kind);
    ORDER(right);
    ORDER(by_back);
    ORDER(by);
    ORDER(close_back);
    ORDER(close);
    ORDER(left);
    return 0;
}

/* Strata are the levels that some version has, ascending. */
static cflr_status name_families(splitting *s) {
    cflri_equations *all = s->all;
    CFLRI_VEC(cflri_family) named = {0};
    CFLRI_VEC(uint32_t) levels = {0};
    bool done = true;
    for (version v = 0; done && v < s->n_versions; v++) {
        if (!s->needed[v]) continue;
        const cflri_family *from = &all->family.at[v / 2];
        cflri_family made = {from->symbol, s->level[s->component[v]], v & 1, from->filtered};
        s->name[v] = (uint32_t)named.n;
        done = cflri_vec_push(s->context, &named, made) &&
               cflri_vec_push(s->context, &levels, made.stratum);
    }
    size_t kept = done ? cflri_ids_sort_once(levels.at, levels.n) : 0;
    for (size_t i = 0; done && i < kept; i++) {
        bool loops = levels.at[i] & 1;
        done = cflri_vec_push(s->context, &all->stratum, (cflri_stratum){.loops = loops});
    }
    for (size_t f = 0; done && f < named.n; f++) {
        uint32_t *found =
            bsearch(&named.at[f].stratum, levels.at, kept, sizeof *levels.at, cflri_ids_compare);
        assert(found);
        named.at[f].stratum = (uint32_t)(found - levels.at);
    }
    cflri_vec_free(s->context, &levels);
    if (!done) {
        cflri_vec_free(s->context, &named);
        return out_of_memory(s);
    }
    cflri_vec_free(s->context, &all->family);
    all->family.at = named.at;
    all->family.n = named.n;
    all->family.capacity = named.capacity;
    return CFLR_OK;
}

/* Sorted, each once, strata with their places. */
static void sort_equations(cflri_equations *all) {
    size_t kept = 0;
    cflri_equation *e = all->equation.at;
    if (all->equation.n) qsort(e, all->equation.n, sizeof *e, cflri_equation_compare);
    for (size_t i = 0; i < all->equation.n; i++) {
        if (kept && cflri_equation_compare(&e[i], &e[kept - 1]) == 0) continue;
        e[kept++] = e[i];
    }
    all->equation.n = kept;
    size_t at = 0;
    for (size_t s = 0; s < all->stratum.n; s++) {
        all->stratum.at[s].first = at;
        while (at < kept && e[at].stratum == s) at++;
        all->stratum.at[s].end = at;
    }
    assert(at == kept);
}

static cflr_status write_equations(splitting *s) {
    cflri_equations *all = s->all;
    CFLRI_VEC(cflri_equation) written = {0};
    bool done = true;
    for (version v = 0; done && v < s->n_versions; v++) {
        if (!s->needed[v]) continue;
        for (uint32_t i = s->first[v / 2]; done && i < s->first[v / 2 + 1]; i++) {
            cflri_equation e = all->equation.at[s->by_left[i]];
            dependency needs[2];
            int n = dependencies_of(s, &e, v & 1, needs);
            if (n < 0) continue;
            assert(n < 1 || s->needed[needs[0].on]);
            assert(n < 2 || s->needed[needs[1].on]);
            e.left = s->name[v];
            e.stratum = all->family.at[e.left].stratum;
            if (n > 0) e.right = s->name[needs[0].on];
            if (n > 1) e.by = s->name[needs[1].on];
            done = cflri_vec_push(s->context, &written, e);
        }
    }
    cflri_vec_free(s->context, &all->equation);
    all->equation.at = written.at;
    all->equation.n = written.n;
    all->equation.capacity = written.capacity;
    if (!done) return out_of_memory(s);
    for (uint32_t i = 0; i < all->n_symbols; i++) {
        uint32_t *rows = &all->home[i].rows;
        if (*rows != CFLRI_NO_SYMBOL) *rows = s->name[2 * *rows];
    }
    sort_equations(all);
    return CFLR_OK;
}

cflr_status cflri_equations_split(cflri_equations *equations, unsigned techniques,
                                  cflr_error *error) {
    cflr_context *context = equations->context;
    cflr_status st = CFLR_OK;
    splitting s = {.context = context, .error = error, .all = equations, .techniques = techniques};
    s.n_versions = 2 * (uint32_t)equations->family.n;
    size_t n = (size_t)s.n_versions + 1;
    s.needed = cflri_alloc_array_zero(context, n, sizeof *s.needed);
    s.taken = cflri_alloc_array_zero(context, n, sizeof *s.taken);
    s.start = cflri_alloc_array(context, n, sizeof *s.start);
    s.component = cflri_alloc_array(context, n, sizeof *s.component);
    s.name = cflri_alloc_array_zero(context, n, sizeof *s.name);
    if (!s.needed || !s.taken || !s.start || !s.component || !s.name) {
        st = out_of_memory(&s);
        goto out;
    }
    CFLR_TRY(index_equations(&s));
    CFLR_TRY(find_versions(&s));
    CFLR_TRY(find_levels(&s));
    CFLR_TRY(name_families(&s));
    CFLR_TRY(write_equations(&s));
out:
    cflri_free(context, s.first);
    cflri_free(context, s.by_left);
    cflri_free(context, s.needed);
    cflri_free(context, s.taken);
    cflri_free(context, s.start);
    cflri_free(context, s.component);
    cflri_free(context, s.loops);
    cflri_free(context, s.level);
    cflri_free(context, s.name);
    cflri_vec_free(context, &s.work);
    cflri_vec_free(context, &s.target);
    return st;
}
