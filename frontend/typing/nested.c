/* SPDX-License-Identifier: Apache-2.0
 *
 * nested.c: records in records, for pointers that see the whole as a flat record.
 *
 *     struct in { int *a, *b; };  struct out { int *h; struct in i; } o;
 *     struct flat { int *h, *a, *b; } *f = (struct flat *)&o;  struct in *c = &o.i;
 *
 *     &o -f[8]-> &o.i -a-> c -f[8]-> &c->b              one address by steps of 8 and 8,
 *     &o -a-> f -f[16]-> &f->b                          and by one of 16
 *
 * Steps are labels, which a grammar does not add. That a member of a member is one of the whole the
 * graph knows where the steps follow each other (emit.c); here a pointer stands between them. What
 * is known is the type of the record that it leads to, and where such records lie (nestings.c). So
 * the pointer also leads back to the whole, and from there on to the member:
 *
 *     c -b[8]-> c - 8 -f[16]-> (c - 8) + 16 -a-> &c->b
 *
 * A way back undoes a step forth only, so this says nothing of a pointer that did not come from the
 * middle of a record. It is of use only where the program goes as far in some other way, too, by
 * one step or from another record, or where the member is a record with members of its own; it is
 * left out elsewhere.
 */
#include "frontend/typing/nested.h"

#include "base/ids.h"
#include "frontend/facts/told.h"
#include "frontend/typing/nestings.h"

/* A member that is so many bytes from the start of the whole. */
typedef struct way {
    cflri_node member;
    uint32_t offset; /* of the record that it is a member of, in the whole */
} way;

typedef struct nested {
    cflri_program *program;
    cflri_facts *facts;
    cflri_nestings nestings;
    CFLRI_VEC(uint64_t) reached; /* (bytes from the whole, of them to the record), sorted */
    CFLRI_VEC(way) ways;
    cflr_error *error;
} nested;

static cflr_status no_memory(const nested *x) {
    return cflri_fail_memory(x->program->context, x->error);
}

/* ---- ways ---- */

static bool is_member(const nested *x, cflri_node n) {
    const cflri_node_record *node = &x->facts->nodes.at[n];
    return node->how == CFLRI_FIELD && (int32_t)node->step > 0 && cflri_is_told(x->facts, n);
}

/* How far the graph adds up the steps to it by itself. An object lies in nothing else, whatever
 * looks like it: INT32_MAX. */
static int64_t added_up(const nested *x, cflri_node n) {
    int64_t sum = 0;
    for (; x->facts->nodes.at[n].how == CFLRI_FIELD; n = x->facts->nodes.at[n].base)
        sum += (int32_t)x->facts->nodes.at[n].step;
    return x->facts->nodes.at[n].how == CFLRI_ADDRESS ? INT32_MAX : sum;
}

/* `member` is one of a record of that class. */
static cflr_status add_ways(nested *x, cflri_node member, uint32_t class) {
    const cflri_node_record *node = &x->facts->nodes.at[member];
    int64_t known = added_up(x, node->base);
    cflr_context *context = x->program->context;
    const uint64_t *places = x->nestings.places.at;
    uint64_t at = cflri_pairs_seek(places, x->nestings.places.n, (uint64_t) class << 32);
    for (; at < x->nestings.places.n && places[at] >> 32 == class; at++) {
        const way found = {member, (uint32_t)places[at]};
        uint64_t sum = (uint64_t)found.offset + node->step;
        if (sum > INT32_MAX || found.offset <= known) continue;
        if (!cflri_vec_push(context, &x->ways, found) ||
            !cflri_vec_push(context, &x->reached, sum << 32 | found.offset))
            return no_memory(x);
    }
    return CFLR_OK;
}

static cflr_status find_ways(nested *x) {
    cflr_status st = CFLR_OK;
    for (cflri_node n = 0; n < x->facts->nodes.n; n++) {
        const cflri_node_record *node = &x->facts->nodes.at[n];
        if (!is_member(x, n)) continue;
        if (!cflri_vec_push(x->program->context, &x->reached, (uint64_t)node->step << 32))
            return no_memory(x);
        const char *set = cflri_string(&x->facts->strings, node->key), *text;
        for (size_t length; (text = cflri_told_next(&set, &length)) != NULL;) {
            uint32_t class, string = cflri_strings_find(&x->facts->strings, text, length);
            if (string == CFLRI_NO_STRING) continue;
            CFLR_TRY(cflri_class_of_content(&x->nestings.classes, string, &class, x->error));
            CFLR_TRY(add_ways(x, n, class));
        }
    }
    x->reached.n = cflri_pairs_sort_once(x->reached.at, x->reached.n);
out:
    return st;
}

/* Does the program go as far in another way? */
static bool is_met(const nested *x, uint32_t sum) {
    uint64_t at = cflri_pairs_seek(x->reached.at, x->reached.n, (uint64_t)sum << 32);
    return at + 1 < x->reached.n && x->reached.at[at + 1] >> 32 == sum;
}

static cflr_status is_wanted(nested *x, const way *found, bool *wanted) {
    const cflri_node_record *node = &x->facts->nodes.at[found->member];
    uint32_t class;
    cflr_status st = cflri_class_of_content(&x->nestings.classes, node->type, &class, x->error);
    *wanted = st == CFLR_OK && (cflri_is_record_class(&x->nestings.classes, class) ||
                                is_met(x, found->offset + node->step));
    return st;
}

static cflr_status drop_ways(nested *x) {
    cflr_status st = CFLR_OK;
    size_t kept = 0;
    for (size_t i = 0; i < x->ways.n; i++) {
        bool wanted;
        CFLR_TRY(is_wanted(x, &x->ways.at[i], &wanted));
        if (wanted) x->ways.at[kept++] = x->ways.at[i];
    }
    x->ways.n = kept;
out:
    return st;
}

static void take_ways(const nested *x) {
    for (size_t i = 0; i < x->ways.n; i++) {
        const way taken = x->ways.at[i];
        const cflri_node_record member = x->facts->nodes.at[taken.member]; /* nodes are added */
        cflri_node whole = cflri_facts_field(x->facts, member.base, -(int32_t)taken.offset);
        int32_t step = (int32_t)(taken.offset + member.step);
        cflri_facts_assign(x->facts, cflri_facts_field(x->facts, whole, step), taken.member);
    }
}

cflr_status cflri_settle_nested(cflri_program *program, cflr_error *error) {
    cflr_status st = CFLR_OK;
    nested x = {.program = program, .facts = &program->facts, .error = error};
    CFLR_TRY(cflri_nestings_make(&x.nestings, program, error));
    CFLR_TRY(find_ways(&x));
    CFLR_TRY(drop_ways(&x));
    take_ways(&x);
    if (x.facts->status != CFLR_OK) CFLR_TRY(no_memory(&x));
out:
    cflri_nestings_free(&x.nestings);
    cflri_vec_free(program->context, &x.reached);
    cflri_vec_free(program->context, &x.ways);
    return st;
}
