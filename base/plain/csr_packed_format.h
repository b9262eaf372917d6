/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed_format.h: the numbers of csr_packed.h that CUDA reads, too.
 */
#ifndef CFLRI_CSR_PACKED_FORMAT_H
#define CFLRI_CSR_PACKED_FORMAT_H

enum {
    CFLRI_PACKED_GROUP = 128, /* edges */
    CFLRI_PACKED_BLOCK = 8,   /* differences */
    CFLRI_PACKED_PAD = 4,     /* words behind the last row: readers fetch two at a time */
};

#endif
