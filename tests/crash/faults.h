/* SPDX-License-Identifier: Apache-2.0
 *
 * faults.h: the n-th system call that changes files fails, is cut short, or is the last.
 *
 * A library that stands before the C library, linked to a test or loaded into any program:
 *
 *     LD_PRELOAD=.../libcflr_faults.so CFLR_FAULT=kill:17 cflr ...
 *     LD_PRELOAD=.../libcflr_faults.so CFLR_FAULT=eio:2:fdatasync cflr ...
 *
 * Calls that count: open, mkdir, write, pwrite, fsync, fdatasync, sync_file_range, fallocate,
 * ftruncate, rename, unlink.
 */
#ifndef CFLR_TEST_FAULTS_H
#define CFLR_TEST_FAULTS_H

#include <stdbool.h>

/* X(name, what happens) */
#define FAULTS_LIST(X)                                                                    \
    X(eio, "the call fails with EIO")                                                     \
    X(enospc, "the call fails with ENOSPC")                                               \
    X(full, "the call and all later ones that take space fail with ENOSPC")               \
    X(cut, "half of the bytes are written; only writes count")                            \
    X(kill, "the process ends before the call")                                           \
    X(torn, "the process ends when half of the bytes are written; only writes count")     \
    X(power,                                                                              \
      "the process ends before the call, and files lose what was not synced since then; " \
      "names stay")

typedef enum faults_kind {
#define FAULTS_ENUM(name, text) FAULTS_##name,
    FAULTS_LIST(FAULTS_ENUM)
#undef FAULTS_ENUM
        FAULTS_KINDS
} faults_kind;

/* Call number `at`, from 1 on, counted from now; of one name only, unless that is NULL. Syncs are
 * not done: the machine lives on. 0: no call fails any more. */
void faults_arm(faults_kind kind, long at, const char *only);

/* Has the fault happened? */
bool faults_happened(void);

#endif
