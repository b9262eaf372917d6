/* SPDX-License-Identifier: Apache-2.0
 *
 * turns.h: parses of this process and forks of it take turns.
 *
 * libclang has locks. A process that is forked while another thread parses has a copy of one that
 * is taken, and waits for it for ever as soon as it parses itself. So nothing forks while something
 * parses, and a fork that waits lets no new parse begin: it comes after those that are under way.
 */
#ifndef CFLRI_TURNS_H
#define CFLRI_TURNS_H

#include <stdbool.h>

/* Around each parse: the first waits while a fork is wanted or made. */
void cflri_parse_begin(void);
void cflri_parse_end(void);

/* From the first attempt to fork until it is made or given up. */
void cflri_fork_want(void);
void cflri_fork_give_up(void);

/* Of one that is wanted: true when nothing parses, and then nothing does before cflri_fork_end,
 * which both processes call. It does not wait. */
bool cflri_fork_begin(void);
void cflri_fork_end(bool in_child);

#endif
