/* SPDX-License-Identifier: Apache-2.0
 *
 * check_names.c: the functions whose calls are checks.
 *
 * One table of strings for all kinds, which are filled in one after the other; so the number of a
 * name tells its kind:
 *
 *     may a, b   must c   no d        0 ""   1 a   2 b   3 c   4 d        end: 3 4 5
 */
#include "frontend/facts/check_names.h"

#include <string.h>

#include "base/context.h"

typedef struct name_list {
    const char *const *name;
    size_t n;
} name_list;

/* Adds the names of one kind; those with numbers below `first` are of other kinds. */
static cflr_status add(cflri_check_names *names, const name_list *list, uint32_t first,
                       cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (list->n > 0 && !list->name) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "names of checks are counted but not given");
    }
    for (size_t i = 0; i < list->n; i++) {
        const char *name = list->name[i];
        uint32_t number;
        if (!name || !*name)
            return cflri_fail(error, CFLR_ARGUMENT, NULL, "the name of a check is empty");
        CFLR_TRY(cflri_intern(&names->names, name, strlen(name), &number, error));
        if (number < first)
            return cflri_fail(error, CFLR_ARGUMENT, name, "one name for two kinds of checks");
    }
out:
    return st;
}

cflr_status cflri_check_names_make(cflr_context *context, const cflr_extract_opts *opts,
                                   cflri_check_names *names, cflr_error *error) {
    const name_list lists[] = {[CFLR_CHECK_MAY_ALIAS] = {opts->may_alias, opts->n_may_alias},
                               [CFLR_CHECK_MUST_ALIAS] = {opts->must_alias, opts->n_must_alias},
                               [CFLR_CHECK_NO_ALIAS] = {opts->no_alias, opts->n_no_alias}};
    uint32_t first = 1;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_strings_init(&names->names, context, error));
    for (size_t kind = 0; kind < sizeof lists / sizeof *lists; kind++) {
        CFLR_TRY(add(names, &lists[kind], first, error));
        first = names->end[kind] = (uint32_t)names->names.text.n;
    }
out:
    return st;
}

void cflri_check_names_free(cflri_check_names *names) {
    cflri_strings_free(&names->names);
}

bool cflri_check_names_find(const cflri_check_names *names, const char *name,
                            cflr_check_kind *kind) {
    uint32_t number = names ? cflri_strings_find(&names->names, name, strlen(name)) : 0;
    if (number == 0 || number == CFLRI_NO_STRING) return false;
    *kind = CFLR_CHECK_MAY_ALIAS;
    while (number >= names->end[*kind]) ++*kind;
    return true;
}
