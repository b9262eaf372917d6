/* SPDX-License-Identifier: Apache-2.0
 *
 * choices.c: each function goes over the list once.
 */
#include "frontend/facts/choices.h"

cflri_choices cflri_choices_of(const cflr_extract_opts *opts) {
#define CFLRI_TAKE(type, member, most, option) .member = opts->member,
    return (cflri_choices){CFLRI_CHOICES(CFLRI_TAKE)};
#undef CFLRI_TAKE
}

void cflri_choices_tell(const cflri_choices *choices, cflr_extract_opts *opts) {
#define CFLRI_TELL(type, member, most, option) opts->member = choices->member;
    CFLRI_CHOICES(CFLRI_TELL)
#undef CFLRI_TELL
}

void cflri_choices_write(const cflri_choices *choices, uint32_t numbers[CFLRI_N_CHOICES]) {
    uint32_t n = 0;
#define CFLRI_WRITE(type, member, most, option) numbers[n++] = (uint32_t)choices->member;
    CFLRI_CHOICES(CFLRI_WRITE)
#undef CFLRI_WRITE
}

bool cflri_choices_read(cflri_choices *choices, const uint32_t numbers[CFLRI_N_CHOICES]) {
    uint32_t n = 0;
    bool known = true;
#define CFLRI_READ(type, member, most, option)       \
    known = known && numbers[n] <= (uint32_t)(most); \
    choices->member = (type)numbers[n++];
    CFLRI_CHOICES(CFLRI_READ)
#undef CFLRI_READ
    return known;
}

const char *cflri_choices_differ(const cflri_choices *a, const cflri_choices *b) {
#define CFLRI_DIFFER(type, member, most, option) \
    if (a->member != b->member) return option;
    CFLRI_CHOICES(CFLRI_DIFFER)
#undef CFLRI_DIFFER
    return NULL;
}
