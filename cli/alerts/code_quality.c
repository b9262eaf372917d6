/* SPDX-License-Identifier: Apache-2.0
 *
 * code_quality.c: alerts as a code quality report of GitLab, which merge requests show: a list of
 * objects with description, check_name, fingerprint (different for each), severity and location.
 */
#include "cli/alerts/reports.h"
#include "cli/alerts/tree.h"

static json_t *alert_json(const alert *a) {
    static const char *const severities[] = {"critical", "major", "minor"}; /* by level */
    json_t *object = json_object(), *location = json_object(), *lines = json_object();
    json_set_count(lines, "begin", a->place.line);
    json_set_text(location, "path", tree_name(a->place.file));
    json_set(location, "lines", lines);
    json_set_text(object, "description", a->text);
    json_set_text(object, "check_name", a->rule);
    json_set_text(object, "fingerprint", a->fingerprint);
    json_set_text(object, "severity", severities[a->level]);
    json_set(object, "location", location);
    return object;
}

void code_quality_write(FILE *file, const alerts *a) {
    const char *before = "[\n";
    for (size_t i = 0; i < a->n; i++) {
        if (!is_reported(&a->list[i])) continue;
        json_t *object = alert_json(&a->list[i]);
        fputs(before, file);
        json_dumpf(object, file, JSON_COMPACT | JSON_PRESERVE_ORDER);
        json_decref(object);
        before = ",\n";
    }
    fputs(before[0] == '[' ? "[]\n" : "]\n", file);
}
