/* SPDX-License-Identifier: Apache-2.0
 *
 * sections.h: variables between the ends of a section.
 */
#ifndef CFLRI_SECTIONS_H
#define CFLRI_SECTIONS_H

#include "frontend/program/link.h"

/* Makes the addresses of variables flow to those of the ends of their section. For closing, before
 * it is decided what the variables that no unit defines are. O(nodes + links log links). */
void cflri_sections_join(cflri_program *program);

#endif
