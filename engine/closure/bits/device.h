/* SPDX-License-Identifier: Apache-2.0
 *
 * device.h: what a device does that closes a system of bit matrices (rules.h), as a table of the
 * library that is loaded for it (engine/device/library.h).
 */
#ifndef CFLRI_BIT_DEVICE_H
#define CFLRI_BIT_DEVICE_H

#include "cflr/status.h"
#include "engine/closure/bits/rules.h"

/* What the device's library asks of this one. */
typedef struct cflri_bit_services {
    /* Is the run still wanted? CFLR_OK, CFLR_LIMIT or CFLR_CANCELLED. */
    cflr_status (*tick)(struct cflr_context *context, uint64_t pairs);
    /* Counts memory of the host that no block has; false when the limit refuses. */
    bool (*claim)(struct cflr_context *context, uint64_t bytes);
    void (*unclaim)(struct cflr_context *context, uint64_t bytes);
} cflri_bit_services;

typedef struct cflri_bit_options {
    uint64_t memory;      /* bytes of each device that may be taken; 0: what is free */
    uint64_t host_memory; /* bytes of the host that may have rows when devices are full */
    uint32_t gpus;        /* devices: the others have rows when the first is full; 0: one */
} cflri_bit_options;

typedef struct cflri_bit_stats {
    char name[256];                   /* of the device */
    uint64_t rounds;                  /* rounds that found something */
    uint64_t memory;                  /* bytes of devices that were taken */
    uint64_t host_memory;             /* bytes of the host that have rows */
    uint64_t copied;                  /* bytes to the device and back */
    double prepared, closed, fetched; /* seconds */
} cflri_bit_stats;

typedef struct cflri_bit_device {
    uint32_t version; /* CFLRI_BIT_DEVICE_VERSION: a digest of headers (library_version.cmake) */
    /* Copies the system, which must outlive *state, and sets first bits. CFLR_UNAVAILABLE without a
     * device, CFLR_NO_MEMORY when the system does not fit. */
    cflr_status (*open)(const cflri_bit_system *system, const cflri_bit_options *options,
                        const cflri_bit_services *services, void **state, cflr_error *error);
    /* Closes a stage; those before it are closed. When it fails, the rows have what was found:
     * CFLR_LIMIT or CFLR_CANCELLED as tick tells, CFLR_NO_MEMORY when the device is full. */
    cflr_status (*close)(void *state, uint32_t stage, cflr_error *error);
    /* Prepares the rows of matrices that are wanted: how many different ones there are of more than
     * one bit, and the words that they take (engine/sets/packed_format.h). */
    cflr_status (*measure)(void *state, const bool *wanted, uint32_t *n_sets, uint64_t *n_words,
                           cflr_error *error);
    /* Writes for each row of all matrices its set: 0 without bits, or where it is not wanted;
     * CFLRI_ONE_TARGET and the column of one bit; or a number from 1. start[s] .. start[s + 1] are
     * the words of set s; start[0] and start[1] are 0. */
    cflr_status (*fetch)(void *state, uint32_t *set, uint64_t *start, uint32_t *word,
                         cflr_error *error);
    void (*stats)(const void *state, cflri_bit_stats *stats);
    void (*free)(void *state);
} cflri_bit_device;

/* The symbol of a device's library that is its cflri_bit_device. */
#define CFLRI_BIT_DEVICE_SYMBOL "cflr_cuda_closure"

/* The table of the GPU's library; NULL, and why, where there is none. */
const cflri_bit_device *cflri_bit_device_load(char *why, size_t size);

extern const cflri_bit_services cflri_bit_device_services;

#endif
