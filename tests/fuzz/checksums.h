/* SPDX-License-Identifier: Apache-2.0
 *
 * checksums.h: inputs that are containers (base/files/container.h) with right checksums, so that
 * what is behind these is met, too.
 */
#ifndef CFLR_FUZZ_CHECKSUMS_H
#define CFLR_FUZZ_CHECKSUMS_H

#include <string.h>
#include <xxhash.h>

/* As in base/files/container.c. */
enum { FILE_HEADER = 8, SECTION_HEADER = 32, CHECKED = 24, SIZE_AT = 8 };

static inline void put_checksums_right(void *container, size_t size) {
    unsigned char *data = container;
    size_t at = FILE_HEADER;
    while (at < size && size - at >= SECTION_HEADER) {
        uint64_t packed;
        memcpy(&packed, data + at + SIZE_AT, sizeof packed);
        if (packed > size - at - SECTION_HEADER) return;
        XXH3_state_t hash;
        XXH3_64bits_reset(&hash);
        XXH3_64bits_update(&hash, data + at + SECTION_HEADER, packed);
        XXH3_64bits_update(&hash, data + at, CHECKED);
        uint64_t checksum = XXH3_64bits_digest(&hash);
        memcpy(data + at + CHECKED, &checksum, sizeof checksum);
        at += SECTION_HEADER + packed;
    }
}

#endif
