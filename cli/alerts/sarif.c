/* SPDX-License-Identifier: Apache-2.0
 *
 * sarif.c: alerts as SARIF 2.1.0, the format of static analysis results (an OASIS standard).
 *
 *     version, runs[0]
 *       tool.driver         cflr; its rules, with levels, help and CWE numbers
 *       automationDetails   which rules were asked for: GitHub closes alerts of this category only
 *       invocations[0]      was the run whole, and what is missing in the file
 *       results             one an alert, written as it is made: of 30,000 alerts only one is in
 *         locations[0]      memory; where it is reported
 *         relatedLocations  where the value comes from: first that of the path, then the others
 *         codeFlows         the steps of the path, routes nested
 *         partialFingerprints
 *
 * Servers have limits (GitHub: 25,000 results, 10,000 steps of a path), and refuse the whole file
 * for one result that has no place. So what is too much is cut, a notification says so, and
 * is_reported (reports.c) has decided about places. The fingerprint primaryLocationLineHash is
 * GitHub's own, and is not given here.
 */
#include <string.h>

#include "cli/alerts/columns.h"
#include "cli/alerts/gate.h"
#include "cli/alerts/reports.h"
#include "cli/alerts/tree.h"
#include "cli/names/names.h"

enum {
    MOST_RESULTS = 25000,
    MOST_STEPS = 10000, /* of one path */
    MOST_TAGS = 10,
};

/* ---- texts and places ---- */

/* A message: `{` and `[text](link)` have a meaning there, which they are not to have. */
static json_t *message(const char *text) {
    char *plain = NULL;
    size_t size;
    FILE *file = open_memstream(&plain, &size);
    if (!file) exit(fail_memory());
    for (; *text; text++) {
        bool brace = *text == '{' || *text == '}';
        const char *end = *text == '[' ? strchr(text, ']') : NULL;
        if (brace) fputc(*text, file);
        if (end && end[1] == '(') fputc('\\', file);
        fputc(*text, file);
    }
    if (fclose(file) != 0 || !plain) exit(fail_memory());
    json_t *object = json_object();
    json_set_text(object, "text", plain);
    free(plain);
    return object;
}

static json_t *physical_location(const cflr_place *place) {
    char *uri = tree_uri(place->file);
    json_t *object = json_object(), *artifact = json_object(), *region = json_object();
    json_set_text(artifact, "uri", uri);
    free(uri);
    json_set_count(region, "startLine", place->line ? place->line : 1);
    uint32_t column = column_in_characters(place->file, place->line, place->column);
    if (place->line && column) json_set_count(region, "startColumn", column);
    json_set(object, "artifactLocation", artifact);
    json_set(object, "region", region);
    return object;
}

static json_t *location(const cflr_place *place, json_t *text) {
    json_t *object = json_object();
    if (place->file[0]) json_set(object, "physicalLocation", physical_location(place));
    if (text) json_set(object, "message", text);
    return object;
}

static void add_function(json_t *object, const char *function) {
    if (!function[0]) return;
    json_t *list = json_array(), *logical = json_object();
    json_set_text(logical, "fullyQualifiedName", function);
    json_set_text(logical, "kind", "function");
    json_array_append_new(list, logical);
    json_set(object, "logicalLocations", list);
}

static json_t *list_of_one(json_t *member) {
    json_t *list = json_array();
    json_array_append_new(list, member);
    return list;
}

/* ---- paths ---- */

/* Steps one after the other, with those of routes behind the step that they explain. `at` counts
 * them; those from `cut` on, `n_cut` of them, are left out. */
typedef struct flow {
    const cflr_graph *graph;
    json_t *locations;
    size_t at, cut, n_cut;
} flow;

static void add_location(const flow *f, const cflr_place *place, const char *text, int nesting) {
    json_t *object = json_object();
    json_set(object, "location", location(place, message(text)));
    if (nesting) json_set_count(object, "nestingLevel", (uint64_t)nesting);
    json_array_append_new(f->locations, object);
}

static bool is_left_out(const flow *f, const cflr_place *place, int nesting) {
    char text[80];
    if (f->at < f->cut || f->at >= f->cut + f->n_cut) return false;
    if (f->at > f->cut) return true;
    snprintf(text, sizeof text, "%zu steps are left out here", f->n_cut);
    add_location(f, place, text, nesting);
    return true;
}

static void add_step(flow *f, const cflr_step *step, int nesting) {
    if (step->kind == CFLR_STEP_SILENT) return;
    if (!is_left_out(f, &step->place, nesting)) {
        char *text = step_text(f->graph, step);
        add_location(f, &step->place, text, nesting);
        free(text);
    }
    f->at++;
    for (size_t i = 0; i < step->n_route; i++) add_step(f, &step->route[i], nesting + 1);
}

static size_t count_steps(const cflr_step *step, size_t n) {
    size_t all = 0;
    for (size_t i = 0; i < n; i++) {
        if (step[i].kind == CFLR_STEP_SILENT) continue;
        all += 1 + count_steps(step[i].route, step[i].n_route); /* routes have none */
    }
    return all;
}

static json_t *code_flow(const cflr_graph *graph, const cflr_finding *f) {
    cflr_vertex_info source, sink;
    flow path = {.graph = graph, .locations = json_array(), .cut = SIZE_MAX};
    size_t all = f->n_steps > 0 ? count_steps(f->step, f->n_steps - 1) + 2 : 2;
    if (all > MOST_STEPS) {
        path.cut = MOST_STEPS / 2;
        path.n_cut = all - MOST_STEPS + 1;
    }
    look_at(graph, f->source, &source);
    look_at(graph, f->sink, &sink);
    add_location(&path, &f->origin, source.name, 0);
    for (size_t i = 0; i + 1 < f->n_steps; i++) add_step(&path, &f->step[i], 0);
    add_location(&path, &f->place, sink.name, 0);
    json_t *thread = json_object(), *flow_object = json_object();
    json_set(thread, "locations", path.locations);
    json_set(flow_object, "threadFlows", list_of_one(thread));
    return flow_object;
}

/* ---- results ---- */

/* How sure it is, from 0 to 100 (docs/reference/pipelines.md). */
static int certainty_of(cflr_rank rank) {
    static const int numbers[] = {
        [CFLR_RANK_NONE] = 100,    [CFLR_RANK_DIRECT] = 95,  [CFLR_RANK_VARIABLE] = 85,
        [CFLR_RANK_OBJECT] = 75,   [CFLR_RANK_GUARDED] = 45, [CFLR_RANK_TESTED] = 40,
        [CFLR_RANK_UNTESTED] = 35, [CFLR_RANK_INITIAL] = 30, [CFLR_RANK_MEMORY] = 20,
        [CFLR_RANK_CALLS] = 10,    [CFLR_RANK_CONSTANT] = 5, [CFLR_RANK_UNCALLED] = 0};
    return numbers[rank];
}

static void add_origin(json_t *list, const cflr_place *place, const char *text) {
    if (!place->file[0]) return;
    json_t *related = location(place, message(text));
    json_set_count(related, "id", json_array_size(list));
    json_array_append_new(list, related);
}

static void add_finding(json_t *object, const cflr_graph *graph, const cflr_finding *f) {
    json_t *related = json_array();
    add_origin(related, &f->origin, "it comes from here");
    for (size_t i = 0; i < f->n_further; i++)
        add_origin(related, &f->further[i].place, "a further source is here");
    if (json_array_size(related) > 0)
        json_set(object, "relatedLocations", related);
    else
        json_decref(related);
    json_set(object, "codeFlows", list_of_one(code_flow(graph, f)));
    json_t *properties = json_object();
    json_set(properties, "likely", json_boolean(f->likely));
    if (f->rank != CFLR_RANK_NONE) {
        json_set_count(object, "rank", (uint64_t)certainty_of(f->rank));
        json_set_text(properties, "rank", cflr_rank_name(f->rank));
        json_set_text(properties, "reason", cflr_rank_reason(f->rank));
    }
    if (f->uncalled[0]) json_set_text(properties, "uncalled", f->uncalled);
    json_set(object, "properties", properties);
}

static json_t *result_json(const alerts *a, const alert *at) {
    json_t *object = json_object(), *prints = json_object();
    json_t *place = location(&at->place, NULL);
    add_function(place, at->function);
    json_set_text(object, "ruleId", at->rule);
    json_set_count(object, "ruleIndex", alerts_rule(a, at->rule));
    json_set_text(object, "level", cflr_level_name(at->level));
    json_set(object, "message", message(at->text));
    json_set(object, "locations", list_of_one(place));
    json_set_text(prints, "cflr/v1", at->fingerprint);
    json_set_text(prints, "cflrAnyFile/v1", at->fingerprint_any_file);
    json_set(object, "partialFingerprints", prints);
    if (gate_has_baseline())
        json_set_text(object, "baselineState", at->known ? "unchanged" : "new");
    if (at->finding) add_finding(object, a->graph, at->finding);
    return object;
}

/* ---- the tool and its rules ---- */

static json_t *check_rule(const char *name) {
    static const struct {
        const char *name, *text, *help;
    } about[] = {
        {"no-alias", "two pointers that the source says are apart may alias",
         "Two pointers that are passed to a check may hold the same address. Make sure that "
         "callers "
         "pass different objects, or do not rely on it."},
        {"may-alias", "two pointers that the source says may alias never do",
         "A check expects that two pointers may be the same, and no run makes them so: the code "
         "that relies on it is wrong, or the check is."},
        {"must-alias", "two pointers that the source says are one never alias",
         "A check expects that two pointers are the same, and no run makes them so."}};
    size_t i = 0;
    while (i < 2 && strcmp(about[i].name, name) != 0) i++;
    json_t *object = json_object(), *help = json_object(), *configuration = json_object();
    json_set_text(object, "id", name);
    json_set(object, "shortDescription", message(about[i].text));
    json_set(object, "fullDescription", message(about[i].help));
    json_set_text(help, "text", about[i].help);
    json_set(object, "help", help);
    json_set_text(configuration, "level", "error");
    json_set(object, "defaultConfiguration", configuration);
    return object;
}

static json_t *rule_properties(const cflr_rule *rule) {
    static const char *const severities[] = {"8.0", "6.0", "3.0"}; /* as CVSS counts, by level */
    json_t *object = json_object(), *tags = json_array();
    for (size_t i = 0; i < rule->n_cwe && i + 1 < MOST_TAGS; i++) {
        char tag[40];
        if (i == 0) json_array_append_new(tags, json_string("security"));
        snprintf(tag, sizeof tag, "external/cwe/cwe-%03u", rule->cwe[i]);
        json_array_append_new(tags, json_string(tag));
    }
    json_set(object, "tags", tags);
    json_set_text(object, "problem.severity",
                  rule->level == CFLR_LEVEL_NOTE ? "recommendation" : cflr_level_name(rule->level));
    if (rule->n_cwe > 0) json_set_text(object, "security-severity", severities[rule->level]);
    json_set_text(object, "precision", rule->follows_null ? "medium" : "high");
    return object;
}

static json_t *rule_json(const cflr_rule *rule) {
    json_t *object = json_object(), *configuration = json_object(), *help = json_object();
    json_set_text(object, "id", rule->name);
    const char *about = rule->help[0] ? rule->help : rule->message;
    json_set(object, "shortDescription", message(rule->message));
    json_set(object, "fullDescription", message(about));
    json_set_text(help, "text", about);
    json_set(object, "help", help);
    json_set_text(configuration, "level", cflr_level_name(rule->level));
    json_set(object, "defaultConfiguration", configuration);
    json_set(object, "properties", rule_properties(rule));
    return object;
}

static json_t *tool_json(const alerts *a) {
    json_t *tool = json_object(), *driver = json_object(), *rules = json_array();
    size_t n_checks = a->n_rules - a->n_findings_rules;
    for (size_t i = 0; i < n_checks; i++) json_array_append_new(rules, check_rule(a->rule[i]));
    for (size_t i = 0; i < a->n_findings_rules; i++)
        json_array_append_new(rules, rule_json(&a->rules[i]));
    json_set_text(driver, "name", "cflr");
    json_set_text(driver, "semanticVersion", cflr_version());
    json_set(driver, "rules", rules);
    json_set(tool, "driver", driver);
    return tool;
}

/* "cflr/no-alias+null/" */
static json_t *automation_json(const alerts *a) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) exit(fail_memory());
    fputs("cflr/", file);
    for (size_t i = 0; i < a->n_rules; i++) fprintf(file, "%s%s", i ? "+" : "", a->rule[i]);
    fputc('/', file);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    json_t *object = json_object();
    json_set_text(object, "id", text);
    free(text);
    return object;
}

/* ---- the run ---- */

static void notify(json_t *list, const char *level, const char *text) {
    json_t *object = json_object();
    json_set_text(object, "level", level);
    json_set(object, "message", message(text));
    json_array_append_new(list, object);
}

static json_t *invocation_json(const alerts *a, size_t n_cut, size_t n_placeless) {
    char text[160];
    json_t *object = json_object(), *notes = json_array();
    if (!a->complete)
        notify(notes, "error", "the run was stopped early: there may be more results");
    if (a->units_faulty > 0) {
        char *units = alerts_units(a);
        notify(notes, "warning", units);
        free(units);
    }
    if (n_cut > 0) {
        snprintf(text, sizeof text, "%zu results are left out: a run may have %d", n_cut,
                 MOST_RESULTS);
        notify(notes, "warning", text);
    }
    if (n_placeless > 0) {
        snprintf(text, sizeof text, "%zu results are left out: no place of theirs is in the tree",
                 n_placeless);
        notify(notes, "note", text);
    }
    json_set(object, "executionSuccessful", json_boolean(a->complete));
    json_set(object, "toolExecutionNotifications", notes);
    return list_of_one(object);
}

/* Writes the value with its key, and frees it. */
static void put(FILE *file, const char *key, json_t *value) {
    fprintf(file, "\"%s\": ", key);
    json_dumpf(value, file, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY);
    fputs(",\n", file);
    json_decref(value);
}

void sarif_write(FILE *file, const alerts *a) {
    size_t reported = 0, placeless = count_placeless(a), written = 0;
    for (size_t i = 0; i < a->n; i++) reported += is_reported(&a->list[i]);
    size_t most = reported < MOST_RESULTS ? reported : MOST_RESULTS;
    fputs(
        "{\"version\": \"2.1.0\",\n"
        "\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n\"runs\": [{\n",
        file);
    put(file, "tool", tool_json(a));
    put(file, "automationDetails", automation_json(a));
    put(file, "columnKind", json_string("unicodeCodePoints"));
    put(file, "invocations", invocation_json(a, reported - most, placeless));
    fputs("\"results\": [", file);
    for (size_t i = 0; i < a->n && written < most; i++) {
        if (!is_reported(&a->list[i])) continue;
        json_t *result = result_json(a, &a->list[i]);
        fputs(written++ ? ",\n" : "\n", file);
        json_dumpf(result, file, JSON_COMPACT | JSON_PRESERVE_ORDER);
        json_decref(result);
    }
    fputs("]}]}\n", file);
    columns_free();
}
