/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for each of the programs: it is part of both. */
#include "shop.h"

static char *line;

char *say(char *text) {
    char *before = line;
    line = decorate(text);
    report(line);
    return before ? before : line;
}
