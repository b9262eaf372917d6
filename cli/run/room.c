/* SPDX-License-Identifier: Apache-2.0
 *
 * room.c: arrays that grow, each time to twice their size.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

enum { FIRST = 16 };

bool make_room(void *at, size_t *capacity, size_t n, size_t size) {
    void *elements;
    if (n < *capacity) return true;
    memcpy(&elements, at, sizeof elements);
    size_t wanted = *capacity ? 2 * *capacity : FIRST;
    void *grown = wanted <= SIZE_MAX / size ? realloc(elements, wanted * size) : NULL;
    if (!grown) return false;
    memcpy(at, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
