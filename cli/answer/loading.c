/* SPDX-License-Identifier: Apache-2.0
 *
 * loading.c: loading of graphs, grammars and results, and what is printed of it.
 */
#include "cli/answer/loading.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cflr/findings.h"

void loading_free(cli_loading *loading) {
    cflr_result_free(loading->result);
    cflr_grammar_free(loading->grammar);
    cflr_graph_free(loading->graph);
}

/* The shipped grammar that was meant by a name that is no file, or NULL. */
static const char *meant_grammar(const char *name) {
    enum { MOST = 32 };
    const char *names[MOST];
    size_t n = 0;
    if (name[strcspn(name, "./")]) return NULL; /* a path */
    while (n < MOST && (names[n] = cflr_grammar_shipped(n))) n++;
    return nearest(name, names, n);
}

int load_grammar(const char *path, cflr_grammar_format format, cflr_grammar **grammar) {
    cflr_error error;
    if (cflr_grammar_load(session(), path, format, grammar, &error) == CFLR_OK) return 0;
    const char *meant = error.system_error == ENOENT ? meant_grammar(path) : NULL;
    int code = fail_reading(&error, path, INPUT_GRAMMAR);
    if (meant) complain("did you mean the shipped grammar '%s'?", meant);
    return code;
}

void print_diagnostics(const cflr_grammar *grammar, const char *path) {
    const char *subject = input_name(path);
    for (size_t i = 0; i < cflr_grammar_diagnostics(grammar); i++) {
        const cflr_diagnostic *d = cflr_grammar_diagnostic(grammar, i);
        if (d->line)
            remark("%s:%u:%u: warning: %s", subject, d->line, d->column, d->message);
        else
            remark("%s: warning: %s", subject, d->message);
    }
}

bool has_locations(const cflr_graph *graph) {
    return cflr_graph_assumption(graph).aliasing;
}

int check_locations(const cflr_graph *graph, const cflr_grammar *grammar) {
    bool memory = cflr_grammar_has_symbol(grammar, "f") || cflr_grammar_has_symbol(grammar, "d");
    if (!has_locations(graph) || !memory || cflr_grammar_has_symbol(grammar, "address")) return 0;
    complain(
        "the graph was extracted with --aliasing strict, where memory is locations, which the "
        "grammar does not know: use pointer-types, or extract without");
    return cflr_status_exit_code(CFLR_ARGUMENT);
}

static bool has_label(const cflr_graph *graph, const char *name) {
    for (uint32_t i = 0; i < cflr_graph_labels(graph); i++)
        if (strcmp(cflr_graph_label_name(graph, i), name) == 0) return true;
    return false;
}

void warn_open_program(const cli_loading *loading) {
    if (cflr_graph_outside(loading->graph) != CFLR_NO_VERTEX &&
        !cflr_grammar_has_symbol(loading->grammar, "caller"))
        remark(
            "warning: the program is open, and the grammar does not follow its outside (labels "
            "escapes, caller, unknown)");
}

/* Of a result: "~f" is about the edges of f. */
static bool is_missing(const cflr_graph *graph, const cflr_result_label *symbol) {
    return symbol->kind == CFLR_SYMBOL_TERMINAL && symbol->name[0] != '~' &&
           !has_label(graph, symbol->name);
}

/* "'a', 'b'", as far as it fits; false: none is missing. */
static bool list_missing(const cli_loading *loading, char *text, size_t size) {
    size_t n = 0, used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < cflr_result_labels(loading->result) && used < size; i++) {
        cflr_result_label symbol;
        cflr_result_get_label(loading->result, i, &symbol);
        if (!is_missing(loading->graph, &symbol)) continue;
        used += (size_t)snprintf(text + used, size - used, "%s'%s'", n++ ? ", " : "", symbol.name);
    }
    return n > 0;
}

void warn_no_pairs(const cli_loading *loading) {
    const cflr_result *result = loading->result;
    uint32_t start = cflr_result_start(result);
    cflr_result_label symbol;
    char missing[256];
    bool whole =
        cflr_result_complete(result) && cflr_result_covers(result, CFLR_NO_VERTEX, CFLR_NO_VERTEX);
    if (!whole || start == CFLR_NO_LABEL || library_has_warned()) return;
    cflr_result_get_label(result, start, &symbol);
    if (!symbol.pairs && list_missing(loading, missing, sizeof missing))
        remark("warning: %s has no pairs, and no edge is labelled %s", symbol.name, missing);
}

int end_result(cflr_result *result, int code) {
    cflr_error error;
    if (result && cflr_result_failure(result, &error) != CFLR_OK) code = fail(&error);
    cflr_result_free(result);
    return code;
}

uint32_t answering_label(const cflr_result *result, const char *question) {
    const char *name = cflr_result_answer(result, question);
    return name[0] ? cflr_result_find_label(result, name) : CFLR_NO_LABEL;
}

/* By which command C is made a result that answers the question. */
static void advise_grammar(const char *question) {
    if (strcmp(question, "flows") == 0)
        complain(
            "`cflr analyze -g nullflow` makes one that follows null pointers, `-g taint --rules "
            "RULES` what comes from outside, `-g valueflow --calls brackets` any value but through "
            "memory; where an address comes from is a question of `points-to`");
    else
        complain("`cflr analyze` without -g and --only makes one that does");
}

int find_answering(const cflr_result *result, const char *question, uint32_t *label) {
    *label = answering_label(result, question);
    if (*label != CFLR_NO_LABEL) return 0;
    complain(
        "this result does not answer '%s': the grammar has no `%%answer %s`, or --only left it out",
        question, question);
    if (cflr_graph_has_sources(cflr_result_graph(result))) advise_grammar(question);
    return EXIT_USAGE;
}

static json_t *device_json(const cflr_result_device *device) {
    json_t *object = json_object();
    json_set_text(object, "name", device->name);
    json_set_count(object, "memory", device->memory);
    json_set_count(object, "host_memory", device->host_memory);
    json_set_count(object, "copied", device->copied);
    json_set(object, "prepare_seconds", json_real(device->seconds_prepare));
    json_set(object, "close_seconds", json_real(device->seconds_close));
    json_set(object, "fetch_seconds", json_real(device->seconds_fetch));
    return object;
}

json_t *solve_json(const cli_loading *loading) {
    cflr_result_stats stats;
    cflr_result_get_stats(loading->result, &stats);
    json_t *seconds = json_object();
    json_set(seconds, "load", json_real(loading->seconds_load));
    json_set(seconds, "solve", json_real(stats.seconds_solve));
    json_set(seconds, "write", json_real(loading->seconds_write));
    json_t *object = json_object();
    json_set(object, "complete", json_boolean(stats.complete));
    add_slice(loading->result, object);
    json_set_text(object, "model", cflr_model_name(stats.model));
    json_set_count(object, "threads", (uint64_t)stats.threads);
    json_set_count(object, "pairs", stats.pairs);
    json_set_count(object, "rounds", stats.rounds);
    json_set_count(object, "derivations", stats.derivations);
    json_set_count(object, "peak_bytes", stats.peak_bytes);
    json_set(object, "seconds", seconds);
    json_set(object, "device", device_json(&stats.device));
    json_set(object, "labels", symbols_json(loading->result));
    return object;
}

bool describe_slice(const cflr_result *result, char *text, size_t size) {
    cflr_result_slice slice;
    cflr_result_get_slice(result, &slice);
    if (!slice.number) return false;
    snprintf(text, size, "part %" PRIu32 " of %" PRIu32 "%s", slice.number, slice.parts,
             slice.complete ? "" : ", partial");
    return true;
}

void add_slice(const cflr_result *result, json_t *object) {
    cflr_result_slice slice;
    cflr_result_get_slice(result, &slice);
    if (!slice.number) return;
    json_t *part = json_object();
    json_set_count(part, "number", slice.number);
    json_set_count(part, "parts", slice.parts);
    json_set_count(part, "first", slice.first);
    json_set_count(part, "end", slice.end);
    json_set(part, "complete", json_boolean(slice.complete));
    json_set(object, "part", part);
}

json_t *symbols_json(const cflr_result *result) {
    json_t *labels = json_object();
    for (uint32_t i = 0; i < cflr_result_labels(result); i++) {
        cflr_result_label label;
        cflr_result_get_label(result, i, &label);
        json_t *object = json_object();
        json_set_count(object, "pairs", label.pairs);
        json_set_count(object, "rows", label.rows);
        json_set(labels, label.name, object);
    }
    return labels;
}
