/* SPDX-License-Identifier: Apache-2.0
 *
 * process.h: what a process occupies in memory, as the system counts it.
 */
#ifndef CFLRI_PROCESS_H
#define CFLRI_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cflri_occupied {
    uint64_t resident; /* bytes in memory: */
    uint64_t
        files; /* of these, pages of files and shared ones, which other processes may have too */
    uint64_t writable; /* bytes mapped for data, touched or not: what RLIMIT_DATA bounds */
} cflri_occupied;

/* A descriptor that tells of a process (0: of this one), to be closed; -1 where the system has
 * none. */
int cflri_process_open(int process);

/* Zeros, and false, where the system does not tell, or when the process has ended. */
bool cflri_process_occupied(int descriptor, cflri_occupied *occupied);

/* Of this process, resident; 0 where the system does not tell. */
uint64_t cflri_process_resident(void);

#endif
