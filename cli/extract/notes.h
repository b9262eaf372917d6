/* SPDX-License-Identifier: Apache-2.0
 *
 * notes.h: what people read of an extraction's notes.
 */
#ifndef CFLR_CLI_EXTRACT_NOTES_H
#define CFLR_CLI_EXTRACT_NOTES_H

#include "cflr/extract.h"

/* Prints them to standard error: all with -v, otherwise the most important, and how many are left;
 * none with -q. */
void notes_print(const cflr_extract_report *report);

#endif
