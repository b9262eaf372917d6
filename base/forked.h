/* SPDX-License-Identifier: Apache-2.0
 *
 * forked.h: a fork of this process that works for it, and the socket between the two.
 */
#ifndef CFLRI_FORKED_H
#define CFLRI_FORKED_H

#include <stdbool.h>
#include <stddef.h>

/* The first thing that such a process does: it dies of a crash, without a core; other signals are
 * for its caller, which may have got them too, and decides; and what libraries write to standard
 * output or error goes nowhere. */
void cflri_forked_settle(void);

/* All bytes, or false when the other end is closed. No signal comes of that. */
bool cflri_send_all(int channel, const void *data, size_t size);
bool cflri_receive_all(int channel, void *data, size_t size);

/* Closes this end, so that the other one hears of it: also when other processes, forked meanwhile
 * by other threads, have it open. */
void cflri_hang_up(int channel);

#endif
