/* SPDX-License-Identifier: Apache-2.0
 *
 * shipped.c: the grammars of grammars/, compiled into the library.
 */
#include <string.h>

#include "base/files/embedded.h"
#include "cflr/grammar.h"

const char *cflr_grammar_shipped(size_t i) {
    for (size_t k = 0; cflri_shipped_grammars[k].name; k++) {
        if (k == i) return cflri_shipped_grammars[k].name;
    }
    return NULL;
}

const char *cflr_grammar_shipped_text(const char *name) {
    for (size_t k = 0; name && cflri_shipped_grammars[k].name; k++) {
        if (!strcmp(cflri_shipped_grammars[k].name, name)) return cflri_shipped_grammars[k].text;
    }
    return NULL;
}
