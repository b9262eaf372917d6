/* SPDX-License-Identifier: Apache-2.0
 *
 * diagnostics.c: what `cflr check` has found, in the files that it is in.
 *
 * The report is SARIF (read_report.c), with paths below the root of the tree and columns in
 * characters. Where a baseline is configured, what it knows is left out. A file that has no
 * diagnostics any more gets an empty list.
 *
 *     result of a report     level    rule    message    place    steps of its path
 *     diagnostic             severity code    message    range    relatedInformation
 */
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/columns.h"
#include "cli/alerts/read_report.h"
#include "cli/alerts/tree.h"
#include "cli/run/settings.h"
#include "cli/serve/server.h"

enum { MOST_STEPS = 100 };

static int severity_of(const char *level) {
    if (strcmp(level, "error") == 0) return 1;
    return strcmp(level, "note") == 0 ? 3 : 2; /* a result without a level is a warning */
}

/* The place of a report, of which the column counts characters; to what ends there. */
static json_t *range_of_report(server *s, const char *real, uint32_t line, uint32_t column) {
    document *open = document_of_path(&s->documents, real);
    uint32_t bytes = column;
    token t;
    size_t length = 0;
    if (open && open->knows_then && line && column) {
        piece then = text_line(&open->then, line - 1);
        size_t at = units_to_bytes(then, column - 1, ENCODING_UTF32);
        if (token_at(then, at, &t)) length = t.end - at;
        bytes = (uint32_t)bytes_to_file(&open->then, then, at) + 1;
    } else if (column) {
        bytes = column_in_units(real, line, column, COLUMN_CHARACTERS, COLUMN_BYTES);
    }
    return range_of(s, real, line, bytes, length);
}

static bool real_of_uri(const char *uri, char real[PATH_MAX]) {
    char path[PATH_MAX];
    if (!uri[0] || !tree_of_uri(uri, path, sizeof path)) return false;
    if (!realpath(path, real)) strcpy(real, path);
    return true;
}

static json_t *related(server *s, const reported *r) {
    json_t *list = json_array();
    reported_step step;
    char real[PATH_MAX];
    for (size_t i = 0; i < MOST_STEPS && report_step(r, i, &step); i++) {
        if (!real_of_uri(step.uri, real)) continue;
        json_t *object = json_object(), *location = json_object();
        char *uri = uri_of(s, real), *text = report_plain(step.text);
        json_set_text(location, "uri", uri);
        json_set(location, "range", range_of_report(s, real, step.line, step.column));
        json_set(object, "location", location);
        json_set_text(object, "message", text);
        json_array_append_new(list, object);
        free(uri);
        free(text);
    }
    return list;
}

static json_t *diagnostic_of(server *s, const reported *r, const char *real) {
    json_t *object = json_object();
    char *text = report_plain(r->text);
    json_set(object, "range", range_of_report(s, real, r->line, r->column));
    json_set(object, "severity", json_integer(severity_of(r->level)));
    json_set_text(object, "code", r->rule);
    if (r->help[0] && s->client.description) {
        json_t *description = json_object();
        json_set_text(description, "href", r->help);
        json_set(object, "codeDescription", description);
    }
    json_set_text(object, "source", "cflr");
    json_set_text(object, "message", text);
    if (s->client.related) json_set(object, "relatedInformation", related(s, r));
    free(text);
    return object;
}

/* Lists by URI. */
static json_t *gather(server *s, const report *all) {
    json_t *files = json_object();
    char real[PATH_MAX];
    for (size_t i = 0; i < all->n; i++) {
        const reported *r = &all->list[i];
        if (strcmp(r->state, "unchanged") == 0 || !real_of_uri(r->uri, real)) continue;
        char *uri = uri_of(s, real);
        json_t *list = json_object_get(files, uri);
        if (!list) {
            list = json_array();
            json_object_set_new(files, uri, list);
        }
        json_array_append_new(list, diagnostic_of(s, r, real));
        free(uri);
    }
    return files;
}

static void publish(server *s, const char *uri, json_t *list) {
    json_t *parameters = json_object();
    json_set_text(parameters, "uri", uri);
    json_set(parameters, "diagnostics", list);
    rpc_notify(&s->rpc, "textDocument/publishDiagnostics", parameters);
}

static void publish_all(server *s, json_t *files) {
    const char *uri;
    json_t *list;
    json_object_foreach(files, uri, list) publish(s, uri, json_incref(list));
    json_object_foreach(s->published, uri, list) {
        if (!json_object_get(files, uri)) publish(s, uri, json_array());
    }
    json_decref(s->published);
    s->published = files;
}

int publish_report(server *s, const char *path) {
    report all = {0};
    int code = path ? tree_open(setting_value(&command_check, "source-root")) : 0;
    if (!code && path) code = report_read(path, &all);
    if (!code) publish_all(s, path ? gather(s, &all) : json_object());
    report_free(&all);
    if (path) tree_close();
    return code;
}
