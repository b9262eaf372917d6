/* SPDX-License-Identifier: Apache-2.0
 *
 * read_report.c: reports of earlier runs. A baseline begins with a word of its own; all else must
 * be SARIF 2.1.0, of which only what every tool writes is needed: runs, the name of the tool, and
 * of a result its rule, message and first place. Paths, and what a tool tells of its rules, are
 * read where they are.
 */
#include "cli/alerts/read_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- SARIF ---- */

static int refuse(const char *path, const char *why) {
    complain("%s: %s", shown(path), why);
    return cflr_status_exit_code(CFLR_FORMAT);
}

/* The text at the end of the keys; "" where one is missing. */
static const char *text_at(const json_t *at, const char *const *key) {
    for (; *key && at; key++) at = json_object_get(at, *key);
    const char *text = json_string_value(at);
    return text ? text : "";
}
#define TEXT_AT(object, ...) text_at((object), (const char *const[]){__VA_ARGS__, NULL})

static uint32_t number_of(const json_t *object, const char *key) {
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* What the tool tells of the rule of a result, if it is found by its number. */
static const json_t *numbered_rule(const json_t *result, const json_t *driver) {
    const json_t *index = json_object_get(result, "ruleIndex");
    if (!index) index = json_object_get(json_object_get(result, "rule"), "index");
    if (!json_is_integer(index) || json_integer_value(index) < 0) return NULL;
    return json_array_get(json_object_get(driver, "rules"), (size_t)json_integer_value(index));
}

/* The rule of a result: by name, or by its number in the list of the tool. */
static const char *rule_of(const json_t *result, const json_t *driver) {
    const char *id = TEXT_AT(result, "ruleId");
    if (!id[0]) id = TEXT_AT(result, "rule", "id");
    return id[0] ? id : TEXT_AT(numbered_rule(result, driver), "id");
}

static int add_result(report *r, json_t *result, const json_t *driver) {
    const json_t *location = json_array_get(json_object_get(result, "locations"), 0);
    const json_t *place = json_object_get(location, "physicalLocation");
    const json_t *region = json_object_get(place, "region");
    if (!make_room(&r->list, &r->capacity, r->n, sizeof *r->list)) return fail_memory();
    json_t *prints = json_object_get(result, "fingerprints");
    if (json_object_size(prints) == 0) prints = json_object_get(result, "partialFingerprints");
    r->list[r->n++] = (reported){.tool = TEXT_AT(driver, "name"),
                                 .rule = rule_of(result, driver),
                                 .uri = TEXT_AT(place, "artifactLocation", "uri"),
                                 .text = TEXT_AT(result, "message", "text"),
                                 .level = TEXT_AT(result, "level"),
                                 .state = TEXT_AT(result, "baselineState"),
                                 .help = TEXT_AT(numbered_rule(result, driver), "helpUri"),
                                 .line = number_of(region, "startLine"),
                                 .column = number_of(region, "startColumn"),
                                 .fingerprints = prints,
                                 .result = result};
    return 0;
}

bool report_step(const reported *r, size_t i, reported_step *step) {
    const json_t *flow = json_array_get(json_object_get(r->result, "codeFlows"), 0);
    const json_t *thread = json_array_get(json_object_get(flow, "threadFlows"), 0);
    const json_t *at = json_array_get(json_object_get(thread, "locations"), i);
    const json_t *location = json_object_get(at, "location");
    const json_t *place = json_object_get(location, "physicalLocation");
    const json_t *region = json_object_get(place, "region");
    *step = (reported_step){.uri = TEXT_AT(place, "artifactLocation", "uri"),
                            .text = TEXT_AT(location, "message", "text"),
                            .line = number_of(region, "startLine"),
                            .column = number_of(region, "startColumn")};
    return at != NULL;
}

char *report_plain(const char *text) {
    char *plain = malloc(strlen(text) + 1), *to = plain;
    if (!plain) exit(fail_memory());
    for (; *text; text++) {
        bool doubled = (*text == '{' || *text == '}') && text[1] == *text;
        bool escapes = *text == '\\' && text[1] == '[';
        if (doubled || escapes) text++;
        *to++ = *text;
    }
    *to = '\0';
    return plain;
}

static bool was_stopped(const json_t *run) {
    size_t i;
    const json_t *invocation;
    json_array_foreach(json_object_get(run, "invocations"), i, invocation) {
        if (json_is_false(json_object_get(invocation, "executionSuccessful"))) return true;
    }
    return false;
}

static int read_run(report *r, const json_t *run) {
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    json_t *result, *results = json_object_get(run, "results");
    size_t i;
    if (!json_is_object(driver)) return refuse(r->path, "a run has no tool");
    if (was_stopped(run))
        return refuse(r->path, "a run was stopped early: what it lacks is not known");
    json_array_foreach(results, i, result) {
        int code = add_result(r, result, driver);
        if (code) return code;
    }
    return 0;
}

static int read_sarif(report *r, FILE *file) {
    json_error_t error;
    size_t i;
    const json_t *run;
    int code = 0;
    r->sarif = json_loadf(file, 0, &error);
    if (!r->sarif) {
        complain("%s:%d:%d: neither a baseline nor SARIF: %s", shown(r->path), error.line,
                 error.column, error.text);
        return cflr_status_exit_code(CFLR_FORMAT);
    }
    const json_t *runs = json_object_get(r->sarif, "runs");
    if (strcmp(TEXT_AT(r->sarif, "version"), "2.1.0") != 0 || !json_is_array(runs))
        return refuse(r->path, "not SARIF of version 2.1.0");
    json_array_foreach(runs, i, run) {
        if (!code) code = read_run(r, run);
    }
    return code;
}

/* ---- baselines ---- */

static int take_baseline(report *r) {
    const baseline *b = &r->baseline;
    for (size_t i = 0; i < b->n; i++) {
        const baseline_entry *entry = &b->list[i];
        json_t *prints = json_object();
        json_set_text(prints, "cflr/v1", entry->fingerprint);
        if (!make_room(&r->list, &r->capacity, r->n, sizeof *r->list)) {
            json_decref(prints);
            return fail_memory();
        }
        r->list[r->n++] = (reported){.tool = "cflr",
                                     .rule = entry->rule,
                                     .uri = entry->uri,
                                     .text = entry->text,
                                     .level = "",
                                     .state = "",
                                     .help = "",
                                     .fingerprints = prints};
    }
    return 0;
}

/* ---- both ---- */

static bool begins_baseline(FILE *file) {
    static const char word[] = "cflr-baseline";
    char begin[sizeof word] = "";
    size_t n = fread(begin, 1, sizeof word - 1, file);
    rewind(file);
    return n == sizeof word - 1 && strcmp(begin, word) == 0;
}

int report_read(const char *path, report *r) {
    *r = (report){.path = path};
    FILE *file = fopen(path, "r");
    if (!file) {
        complain("%s: cannot open: %s", shown(path), strerror(errno));
        return cflr_status_exit_code(CFLR_IO);
    }
    int code;
    if (begins_baseline(file)) {
        code = baseline_read(file, path, &r->baseline);
        if (!code) code = take_baseline(r);
    } else {
        code = read_sarif(r, file);
    }
    fclose(file);
    return code;
}

void report_free(report *r) {
    for (size_t i = 0; i < r->n && !r->sarif; i++) json_decref(r->list[i].fingerprints);
    free(r->list);
    json_decref(r->sarif);
    baseline_free(&r->baseline);
}
