/* SPDX-License-Identifier: Apache-2.0
 *
 * signature.h: which functions a call through a value may enter, by their types.
 */
#ifndef CFLRI_SIGNATURE_H
#define CFLRI_SIGNATURE_H

#include "frontend/facts/facts.h"
#include "frontend/walk/names/types.h"

/* The signature (facts.h) of a function, or of a call, of this type; CFLRI_ANY_SIGNATURE when the
 * type does not say. */
uint32_t cflri_signature_of(cflri_facts *facts, cflri_types *types, CXType function);

#endif
