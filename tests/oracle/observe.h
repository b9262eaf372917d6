/* SPDX-License-Identifier: Apache-2.0
 *
 * observe.h: what instrumented code calls (instrument.c, observe.c). Included by every instrumented
 * unit, so it includes nothing itself. A site is a number of the program: the unit's first one plus
 * the line in its list.
 */
#ifndef OBSERVE_H
#define OBSERVE_H

/* The list of a unit's sites has n lines; the number of the first. */
unsigned cflr_unit(const char *sites, unsigned n);

/* These return the pointer that they are given. */
void *cflr_see(unsigned site, const volatile void *pointer, long offset);
void *cflr_called(unsigned site, const void *function);
void *cflr_claim(unsigned site, const volatile void *block);
void *cflr_literal(unsigned site, const volatile void *at, unsigned long size);

/* The element of that index. */
void *cflr_see_at(unsigned site, const volatile void *pointer, long index, unsigned long size);

/* A variable begins: of a frame, or of the whole run. */
void cflr_local(unsigned site, const volatile void *at, unsigned long size);
void cflr_fixed(unsigned site, const volatile void *at, unsigned long size);
void cflr_function(unsigned site, const void *function);

/* A function is entered, with the address of its frame and that of a variable in it, and left. */
void cflr_enter(const void *frame, const char *marker);
void cflr_leave(char *marker);

#endif
