/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of records that were seen, against a search through all of them.
 */
#include "base/seen.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

enum { RECORDS = 5000, VALUES = 1700, HASHES = 600 };

/* Several values share each hash, and neighbours share slots. */
static uint32_t hash_of(uint32_t value) {
    return value % HASHES * 3;
}

static uint32_t find(const cflri_seen *seen, const uint32_t *record, uint32_t value) {
    size_t at = cflri_seen_first(seen, hash_of(value));
    for (uint32_t i; (i = cflri_seen_next(seen, hash_of(value), &at)) != CFLRI_NOT_SEEN;)
        if (record[i] == value) return i;
    return CFLRI_NOT_SEEN;
}

Test(seen, finds_every_record_and_no_other) {
    static uint32_t record[RECORDS], first[VALUES];
    cflr_context *context = test_context();
    cflri_seen seen = {0};
    uint32_t n = 0;
    for (uint32_t v = 0; v < VALUES; v++) first[v] = CFLRI_NOT_SEEN;
    cr_assert_eq(find(&seen, record, 1), CFLRI_NOT_SEEN, "nothing is in an empty table");
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t value = i * 7919 % VALUES;
        cr_assert_eq(find(&seen, record, value), first[value]);
        if (first[value] != CFLRI_NOT_SEEN) continue;
        record[n] = value;
        first[value] = n;
        cr_assert(cflri_seen_add(context, &seen, hash_of(value), n++));
    }
    cr_assert_eq(seen.n, VALUES);
    cr_assert_leq(8 * seen.n, 5 * seen.n_slots);
    cr_assert_eq(find(&seen, record, VALUES + 1), CFLRI_NOT_SEEN);
    cflri_seen_free(context, &seen);
    cr_assert_eq(find(&seen, record, 1), CFLRI_NOT_SEEN, "nor in a freed one");
    test_context_end(context);
}

Test(seen, grows_once_for_what_is_expected) {
    cflr_context *context = test_context();
    cflri_seen seen = {0};
    for (uint32_t n = 0; n < RECORDS; n += 1000) {
        cr_assert(cflri_seen_reserve(context, &seen, 1000));
        const cflri_seen_slot *slots = seen.slot;
        for (uint32_t i = n; i < n + 1000; i++)
            cr_assert(cflri_seen_add(context, &seen, i * 77, i));
        cr_assert_eq(seen.slot, slots);
    }
    for (uint32_t i = 0; i < RECORDS; i++) {
        size_t at = cflri_seen_first(&seen, i * 77);
        cr_assert_eq(cflri_seen_next(&seen, i * 77, &at), i);
    }
    cr_assert(!cflri_seen_reserve(context, &seen, SIZE_MAX), "more than there can be");
    cr_assert_eq(seen.n, RECORDS);
    cflri_seen_free(context, &seen);
    test_context_end(context);
}

/* A refused record is not there, and those before it are. */
static cflr_status add_many(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflri_seen seen = {0};
    cflr_status st = CFLR_OK;
    size_t n = 0;
    while (n < RECORDS && cflri_seen_add(context, &seen, (uint32_t)n * 77, (uint32_t)n)) n++;
    if (n < RECORDS) st = cflri_fail_memory(context, error);
    cr_assert_eq(seen.n, n);
    for (uint32_t i = 0; i < n; i++) {
        size_t at = cflri_seen_first(&seen, i * 77);
        cr_assert_eq(cflri_seen_next(&seen, i * 77, &at), i);
    }
    cflri_seen_free(context, &seen);
    return st;
}

Test(seen, allocation_failures) {
    cr_assert_gt(fail_alloc_sweep(add_many, NULL), 4);
}

Test(seen, mixing_takes_in_every_number) {
    uint64_t hash = cflri_seen_mix(cflri_seen_mix(0, 1, 2), 3, 4);
    cr_assert_neq(hash, cflri_seen_mix(cflri_seen_mix(0, 2, 1), 3, 4));
    cr_assert_neq(hash, cflri_seen_mix(cflri_seen_mix(0, 3, 4), 1, 2));
    cr_assert_neq((uint32_t)hash, (uint32_t)cflri_seen_mix(cflri_seen_mix(0, 1, 2), 3, 5));
}
