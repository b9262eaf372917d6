/* SPDX-License-Identifier: Apache-2.0
 *
 * facts_io.h: the facts of a unit as bytes, and back.
 */
#ifndef CFLRI_FACTS_IO_H
#define CFLRI_FACTS_IO_H

#include "frontend/facts/facts.h"

/* Appends all that linking needs to `words`. False when memory is refused. */
bool cflri_facts_write(const cflri_facts *facts, cflri_numbers *words);

/* Fills zeroed facts from bytes that need not be trusted: any facts that come out may be linked.
 * They may only be linked: nothing may be added to them. CFLR_FORMAT for anything that
 * cflri_facts_write does not write; free them also then. */
cflr_status cflri_facts_read(cflri_facts *facts, cflr_context *context, cflr_fields fields,
                             const void *data, size_t size, cflr_error *error);

#endif
