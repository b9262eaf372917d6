/* SPDX-License-Identifier: Apache-2.0
 *
 * targets.c: `cflr extract --list-targets`: which executables and libraries there are, as far as
 * the database tells.
 */
#include <inttypes.h>

#include "cli/extract/extraction.h"

json_t *targets_json(const cflr_extract_report *report) {
    json_t *list = json_array();
    const cflr_target *target;
    for (size_t i = 0; (target = cflr_extract_target(report, i)); i++) {
        json_t *object = json_object();
        json_set_text(object, "name", target->name);
        json_set_count(object, "units", target->units);
        json_set(object, "program", json_boolean(target->program));
        json_set(object, "linked", json_boolean(target->linked));
        json_array_append_new(list, object);
    }
    return list;
}

static int print_json_list(const cflr_extract_report *report, const cflr_extract_counts *counts) {
    json_t *object = json_object(), *list = targets_json(report), *target;
    size_t i;
    json_array_foreach(list, i, target) { /* not known: nothing was read */
        json_object_del(target, "program");
        json_object_del(target, "linked");
    }
    json_set(object, "targets", list);
    json_set_count(object, "units", counts->units);
    json_set_count(object, "units_without_target", counts->untold);
    return print_json(object, 0);
}

int targets_print(const cflr_extract_report *report) {
    cflr_extract_counts counts;
    cflr_extract_get_counts(report, &counts);
    if (wants_json()) return print_json_list(report, &counts);
    FILE *file = open_output();
    const cflr_target *target;
    for (size_t i = 0; file && (target = cflr_extract_target(report, i)); i++)
        fprintf(file, "%8" PRIu32 "  %s\n", target->units, shown(target->name));
    if (counts.untold > 0)
        remark("units whose target the database does not tell: %" PRIu32, counts.untold);
    return finish_output(file, 0);
}
