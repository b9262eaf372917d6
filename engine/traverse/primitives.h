/* SPDX-License-Identifier: Apache-2.0
 *
 * primitives.h: the primitives of CFLR_PRIMITIVE_LIST: cflri_primitive_BFS and so on, each in the
 * file that bears its name, or that of its kind.
 */
#ifndef CFLRI_PRIMITIVES_H
#define CFLRI_PRIMITIVES_H

#include "engine/traverse/primitive.h"

#define CFLRI_PRIMITIVE(name, number, word, text) \
    extern const cflri_primitive cflri_primitive_##name;
CFLR_PRIMITIVE_LIST(CFLRI_PRIMITIVE)
#undef CFLRI_PRIMITIVE

#endif
