/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz.h: what all fuzz targets need.
 */
#ifndef CFLR_FUZZ_H
#define CFLR_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Called by the fuzzer with each input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What does not hold is a finding. */
static inline void must(bool holds) {
    if (!holds) abort();
}

#endif
