/* SPDX-License-Identifier: Apache-2.0
 *
 * relation.c: relations by their names, and whether a pair is in one.
 */
#include "cli/answer/relation.h"

#include <string.h>

int relation_find(const cflr_result *result, char *text, named_relation *found) {
    *found = (named_relation){.label = cflr_result_find_label(result, text)};
    size_t length = strlen(text);
    char *bracket = strchr(text, '[');
    if (found->label == CFLR_NO_LABEL && bracket && text[length - 1] == ']') {
        text[length - 1] = *bracket = '\0';
        found->label = cflr_result_find_label(result, text);
        found->index = bracket + 1;
    }
    if (found->label != CFLR_NO_LABEL) return 0;
    complain("the result has no relation '%s'", text);
    return EXIT_USAGE;
}

static bool row_has(const cflr_result *result, uint32_t label, uint32_t index, uint32_t from,
                    uint32_t to) {
    cflr_row row = {0};
    uint64_t at = 0;
    read_row(result, label, index, from, &row);
    while (at < row.count && row.target[at] < to) at++;
    bool has = at < row.count && row.target[at] == to;
    cflr_row_free(&row);
    return has;
}

const char *relation_index(const cflr_result *result, named_relation wanted, uint32_t from,
                           uint32_t to) {
    cflr_result_label info;
    cflr_result_get_label(result, wanted.label, &info);
    for (uint32_t i = 0; i < info.indexes; i++) {
        const char *index = cflr_result_label_index(result, wanted.label, i);
        bool meant = !wanted.index || strcmp(index, wanted.index) == 0;
        if (meant && row_has(result, wanted.label, i, from, to)) return index;
    }
    return NULL;
}

bool relation_has(const cflr_result *result, named_relation wanted, uint32_t from, uint32_t to) {
    if (wanted.index) return relation_index(result, wanted, from, to) != NULL;
    return cflr_result_has(result, wanted.label, from, to);
}
