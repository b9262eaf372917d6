/* SPDX-License-Identifier: Apache-2.0
 *
 * alerts.c: the list of alerts, from checks that did not pass and from findings.
 *
 * A finding may end in a header of the system, whose file no pipeline knows. It is reported at the
 * last place of its path that lies in the source tree then, so that there is a line to look at.
 */
#include "cli/alerts/alerts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alerts/tree.h"
#include "cli/names/names.h"

int alerts_begin(alerts *a, size_t most) {
    a->list = calloc(most + 1, sizeof *a->list);
    a->capacity = most;
    return a->list ? 0 : fail_memory();
}

void alerts_free(alerts *a) {
    for (size_t i = 0; i < a->n; i++) free(a->list[i].text);
    free(a->list);
    free(a->files.path);
    free(a->rule);
}

const char *check_kind_name(cflr_check_kind kind) {
    static const char *const words[] = {"may-alias", "must-alias", "no-alias"};
    return words[kind];
}

size_t alerts_rule(const alerts *a, const char *rule) {
    size_t i = 0;
    while (i < a->n_rules && strcmp(a->rule[i], rule) != 0) i++;
    return i;
}

static bool is_about_faulty_unit(const cflr_note *note) {
    return note->kind == CFLR_NOTE_LOST || note->kind == CFLR_NOTE_DEGRADED;
}

static void put_faulty_units(FILE *file, const alerts *a) {
    enum { MOST_NAMED = 3 };
    const cflr_note *note;
    size_t n = 0;
    for (size_t i = 0; (note = cflr_extract_note(a->report, i)) != NULL; i++) {
        if (!is_about_faulty_unit(note) || n++ >= MOST_NAMED) continue;
        fprintf(file, "%s%s", n == 1 ? ", and not: " : ", ", tree_name(note->file));
        if (note->line) fprintf(file, ":%u", note->line);
        fprintf(file, " (%s)", note->text);
    }
    if (n > MOST_NAMED) fprintf(file, ", and %zu more", n - MOST_NAMED);
}

char *alerts_units(const alerts *a) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file) exit(fail_memory());
    fprintf(file, "%u of %u units were read in full", a->units - a->units_faulty, a->units);
    put_faulty_units(file, a);
    if (fclose(file) != 0 || !text) exit(fail_memory());
    return text;
}

char *rank_text(const cflr_finding *f) {
    char *text;
    const char *name = cflr_rank_name(f->rank);
    int n = f->rank == CFLR_RANK_NONE ? asprintf(&text, "%s", "")
            : f->rank == CFLR_RANK_UNCALLED
                ? asprintf(&text, "%s: nothing in the analysed files enters %s()", name,
                           shown(f->uncalled))
                : asprintf(&text, "%s: %s", name, cflr_rank_reason(f->rank));
    if (n < 0) exit(fail_memory());
    return text;
}

alert *alerts_add_check(alerts *a, const cflr_check *check, const char *rule, cflr_level level,
                        char *text) {
    assert(a->n < a->capacity);
    alert *to = &a->list[a->n++];
    *to = (alert){.rule = rule,
                  .text = text,
                  .level = level,
                  .place = {check->file, check->line, check->column},
                  .function = check->function,
                  .fingerprint = check->fingerprint,
                  .fingerprint_any_file = check->fingerprint_any_file,
                  .asked = true};
    return to;
}

/* Where a finding is reported. */
static cflr_place place_of(const cflr_finding *f) {
    if (tree_path(f->place.file)) return f->place;
    for (size_t i = f->n_steps; i-- > 0;)
        if (tree_path(f->step[i].place.file)) return f->step[i].place;
    return tree_path(f->origin.file) ? f->origin : f->place;
}

/* "null pointer dereference: f->value", to be freed; NULL when memory is refused. */
static char *text_of(const cflr_graph *graph, const cflr_finding *f) {
    char *text;
    cflr_vertex_info sink;
    look_at(graph, f->sink, &sink);
    return asprintf(&text, "%s: %s", shown(f->rule->message), sink.name) < 0 ? NULL : text;
}

alert *alerts_add_finding(alerts *a, const cflr_finding *finding) {
    char *text = text_of(a->graph, finding);
    if (!text) {
        fail_memory();
        return NULL;
    }
    assert(a->n < a->capacity);
    alert *to = &a->list[a->n++];
    *to = (alert){.rule = finding->rule->name,
                  .text = text,
                  .level = cflr_finding_level(finding),
                  .place = place_of(finding),
                  .function = finding->function,
                  .fingerprint = finding->fingerprint,
                  .fingerprint_any_file = finding->fingerprint_any_file,
                  .finding = finding,
                  .asked = a->all || finding->likely};
    return to;
}
