/* SPDX-License-Identifier: Apache-2.0
 *
 * cut_result.c: cuts a result file into its parts, as solving slice by slice would make them.
 *
 *     cut_result RESULT.cflr N PREFIX      writes PREFIX1.cflr ... PREFIXN.cflr
 */
#include "tests/unit/engine/cut_result.h"

#include <stdio.h>
#include <stdlib.h>

#include "cflr/cflr.h"

static void check(cflr_status st, const cflr_error *error) {
    if (st == CFLR_OK) return;
    fprintf(stderr, "cut_result: %s\n", error->message);
    exit(1);
}

int main(int argc, char **argv) {
    cflr_context *context;
    cflr_error error;
    if (argc != 4) return 2;
    uint32_t n = (uint32_t)strtoul(argv[2], NULL, 10);
    check(cflr_context_new(NULL, &context, &error), &error);
    for (uint32_t i = 0; i < n; i++) {
        cflr_result *result;
        char path[512];
        snprintf(path, sizeof path, "%s%u.cflr", argv[3], i + 1);
        check(cflr_result_load(context, argv[1], &result, &error), &error);
        check(cut_result(result, i, n, &error), &error);
        check(cflr_result_save(result, path, &error), &error);
        cflr_result_free(result);
    }
    cflr_context_free(context);
    return 0;
}
