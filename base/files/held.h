/* SPDX-License-Identifier: Apache-2.0
 *
 * held.h: writing without dying of it.
 *
 * A write to a pipe whose reader has left raises SIGPIPE, one beyond the limit of file sizes
 * SIGXFSZ, and each ends the process that does nothing about it. A library does not know what its
 * process does about signals, and must not change it; so they are held back in the thread that
 * writes, and taken away again when the write has told of the failure.
 *
 *     cflri_held held = cflri_hold_write_signals();
 *     n = write(...);                                     EPIPE or EFBIG
 *     cflri_release_write_signals(&held);                 errno stays
 */
#ifndef CFLRI_HELD_H
#define CFLRI_HELD_H

#include <signal.h>

typedef struct cflri_held {
    sigset_t mask;    /* of the thread before */
    sigset_t pending; /* what others have sent: that stays */
} cflri_held;

cflri_held cflri_hold_write_signals(void);
void cflri_release_write_signals(const cflri_held *held);

#endif
