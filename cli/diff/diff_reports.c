/* SPDX-License-Identifier: Apache-2.0
 *
 * diff_reports.c: what a report has that an earlier one has not, and the other way around. Both are
 * SARIF, of any tool, or baselines.
 *
 * Two alerts of one tool and rule are the same when their fingerprints agree. Of the fingerprints
 * that both reports have one is taken: cflr/v1, else primaryLocationLineHash, else the first by
 * name. Alerts without it are the same when file, message and the text of the line agree. Of
 * several that are the same in one report each has a partner of its own in the other one, in the
 * order of lines. O(alerts log alerts).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/read_report.h"
#include "cli/diff/diff.h"
#include "cli/run/writer.h"

/* ---- which are the same ---- */

/* The keys of an alert, besides its tool and rule; each text may be "". */
typedef struct keyed {
    reported *of;
    const char *fingerprint; /* NULL: it has none that counts */
    const char *snippet;
} keyed;

static int compare_keys(const keyed *a, const keyed *b) {
    int order = strcmp(a->of->tool, b->of->tool);
    if (!order) order = strcmp(a->of->rule, b->of->rule);
    if (!order) order = (a->fingerprint != NULL) - (b->fingerprint != NULL);
    if (order) return order;
    if (a->fingerprint) return strcmp(a->fingerprint, b->fingerprint);
    order = strcmp(a->of->uri, b->of->uri);
    if (!order) order = strcmp(a->of->text, b->of->text);
    return order ? order : strcmp(a->snippet, b->snippet);
}

static int compare_keyed(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    int order = compare_keys(x, y);
    if (order) return order;
    if (x->of->line != y->of->line) return x->of->line < y->of->line ? -1 : 1;
    return (x->of > y->of) - (x->of < y->of);
}

static bool has_fingerprint(const report *r, const char *name) {
    for (size_t i = 0; i < r->n; i++)
        if (json_object_get(r->list[i].fingerprints, name)) return true;
    return false;
}

/* The name of the fingerprint to compare by; NULL: both have none in common. */
static const char *choose_fingerprint(const report *a, const report *b) {
    static const char *const known[] = {"cflr/v1", "primaryLocationLineHash", NULL};
    const char *best = NULL, *name;
    json_t *value;
    for (size_t i = 0; known[i]; i++)
        if (has_fingerprint(a, known[i]) && has_fingerprint(b, known[i])) return known[i];
    for (size_t i = 0; i < a->n; i++) {
        json_object_foreach(a->list[i].fingerprints, name, value) {
            if (strcmp(name, "primaryLocationStartColumnFingerprint") == 0) continue;
            if ((!best || strcmp(name, best) < 0) && has_fingerprint(b, name)) best = name;
        }
    }
    return best;
}

static const char *snippet_of(const json_t *result) {
    const json_t *location = json_array_get(json_object_get(result, "locations"), 0);
    const json_t *region = json_object_get(json_object_get(location, "physicalLocation"), "region");
    const char *text =
        json_string_value(json_object_get(json_object_get(region, "snippet"), "text"));
    return text ? text : "";
}

/* The alerts in the order of their keys, to be freed; NULL after a message. */
static keyed *sort_by_key(report *r, const char *fingerprint) {
    keyed *list = malloc((r->n + 1) * sizeof *list);
    if (!list) {
        fail_memory();
        return NULL;
    }
    for (size_t i = 0; i < r->n; i++) {
        const json_t *value =
            fingerprint ? json_object_get(r->list[i].fingerprints, fingerprint) : NULL;
        list[i] = (keyed){&r->list[i], json_string_value(value), snippet_of(r->list[i].result)};
    }
    qsort(list, r->n, sizeof *list, compare_keyed);
    return list;
}

/* Pairs the alerts of both. 0, or the exit code after a message. */
static int match(report *old, report *new) {
    const char *fingerprint = choose_fingerprint(old, new);
    keyed *a = sort_by_key(old, fingerprint), *b = a ? sort_by_key(new, fingerprint) : NULL;
    for (size_t i = 0, k = 0; b && i < old->n && k < new->n;) {
        int order = compare_keys(&a[i], &b[k]);
        if (order == 0) a[i].of->matched = b[k].of->matched = true;
        i += order <= 0;
        k += order >= 0;
    }
    bool failed = !b;
    free(a);
    free(b);
    return failed ? cflr_status_exit_code(CFLR_NO_MEMORY) : 0;
}

/* ---- what is printed ---- */

static void print_alert(FILE *file, const void *of, const void *row) {
    const reported *at = row;
    fprintf(file, "%s: %s", (const char *)of, at->uri[0] ? shown(at->uri) : "?");
    if (at->line) fprintf(file, ":%u", at->line);
    if (at->line && at->column) fprintf(file, ":%u", at->column);
    fprintf(file, ": %s: %s\n", shown(at->rule), shown(at->text));
}

static json_t *alert_to_json(const void *of, const void *row) {
    (void)of;
    const reported *at = row;
    json_t *object = json_object();
    json_set_text(object, "tool", at->tool);
    json_set_text(object, "rule", at->rule);
    json_set_text(object, "uri", at->uri);
    if (at->line) json_set_count(object, "line", at->line);
    if (at->column) json_set_count(object, "column", at->column);
    json_set_text(object, "text", at->text);
    if (at->level[0]) json_set_text(object, "level", at->level);
    return object;
}

static const row_kind new_rows = {"new", print_alert, alert_to_json};
static const row_kind gone_rows = {"gone", print_alert, alert_to_json};

static void write_rows(writer *w, const row_kind *kind, const report *r) {
    writer_list(w, kind);
    for (size_t i = 0; i < r->n; i++)
        if (!r->list[i].matched) writer_row(w, kind, kind->key, &r->list[i]);
}

static size_t count_unmatched(const report *r) {
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) n += !r->list[i].matched;
    return n;
}

/* ---- SARIF with new results alone ---- */

/* Drops results that the other report has, from the last one of the document to the first. */
static void keep_new(const report *r) {
    size_t at = r->n;
    json_t *runs = json_object_get(r->sarif, "runs");
    for (size_t i = json_array_size(runs); i-- > 0;) {
        json_t *results = json_object_get(json_array_get(runs, i), "results");
        for (size_t k = json_array_size(results); k-- > 0;) {
            if (r->list[--at].matched)
                json_array_remove(results, k);
            else
                json_object_set_new(json_array_get(results, k), "baselineState",
                                    json_string("new"));
        }
    }
}

static int write_sarif(const char *path, const report *new) {
    keep_new(new);
    FILE *file = open_file(path);
    if (file) {
        json_dumpf(new->sarif, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        fputc('\n', file);
    }
    return finish_output(file, 0);
}

/* ---- both ---- */

static int compare(report *old, report *new, const diff_request *request) {
    int code = match(old, new);
    if (code) return code;
    if (request->sarif && !new->sarif) return usage_error("--sarif: %s is not SARIF", new->path);
    size_t n_new = count_unmatched(new), n_gone = count_unmatched(old);
    bool all = request->only == DIFF_ALL;
    writer w = writer_open();
    if (all || request->only == DIFF_NEW) write_rows(&w, &new_rows, new);
    if (all || request->only == DIFF_GONE) write_rows(&w, &gone_rows, old);
    if (w.json) json_set_count(w.json, "kept", new->n - n_new);
    code = writer_close(&w, 0);
    remark("new: %zu, gone: %zu, still there: %zu", n_new, n_gone, new->n - n_new);
    if (!code && request->sarif) code = write_sarif(request->sarif, new);
    if (code) return code;
    return n_new > 0 && request->fails != DIFF_FAILS_NONE ? EXIT_NO : EXIT_YES;
}

int diff_reports(const diff_request *request) {
    report old = {0}, new = {0};
    int code = report_read(request->old, &old);
    if (!code) code = report_read(request->new, &new);
    if (!code) code = compare(&old, &new, request);
    report_free(&old);
    report_free(&new);
    return code;
}
