/* SPDX-License-Identifier: Apache-2.0
 *
 * findings.c: a checker of your own: read C files, find what rules find, list it.
 *
 *     findings FILE.c...
 */
#include <cflr/cflr.h>
#include <cflr/findings.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_place(const cflr_place *place) {
    const char *slash = strrchr(place->file, '/');
    printf("%s:%" PRIu32 ":%" PRIu32 ": ", slash ? slash + 1 : place->file, place->line,
           place->column);
}

/* The sink, and each step that brings the value there. */
static void print_step(const cflr_place *place, const char *name) {
    printf("    ");
    print_place(place);
    printf("%s\n", name);
}

static void print_finding(const cflr_graph *graph, const cflr_finding *f) {
    print_place(&f->place);
    printf("%s: %s%s%s\n", f->rule->name, f->rule->message, f->rank ? ", " : "",
           cflr_rank_name(f->rank));
    cflr_vertex_info source, to;
    cflr_graph_vertex(graph, f->source, &source);
    print_step(&f->origin, source.name);
    for (size_t i = 0; i < f->n_steps; i++) {
        if (f->step[i].kind == CFLR_STEP_SILENT || f->step[i].kind == CFLR_STEP_ARRIVED) continue;
        cflr_graph_vertex(graph, f->step[i].pair.target, &to);
        print_step(&f->step[i].place, to.name);
    }
}

static cflr_status list_findings(const cflr_graph *graph, const cflr_extract_report *report,
                                 cflr_error *error) {
    cflr_findings_opts opts;
    cflr_findings *found;
    const cflr_finding *f;
    cflr_findings_opts_init(&opts);
    opts.rules = cflr_extract_rules(report, &opts.n_rules);
    opts.flows = cflr_extract_flows(report, &opts.n_flows);
    opts.uncalled = cflr_extract_uncalled(report, &opts.n_uncalled);
    cflr_status st = cflr_findings_new(graph, &opts, &found, error);
    if (!found) return st;
    for (size_t i = 0; (f = cflr_findings_at(found, i)) && f->likely; i++) print_finding(graph, f);
    cflr_findings_free(found);
    return st;
}

int main(int n, char **words) {
    static const char *const rules[] = {"null", "command"};
    cflr_error error;
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    cflr_extract_report *report = NULL;
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.files = (const char *const *)words + 1;
    opts.n_files = (size_t)n - 1;
    opts.world = CFLR_WORLD_CLOSED;
    opts.rules = rules;
    opts.n_rules = sizeof rules / sizeof *rules;
    cflr_status st = cflr_context_new(NULL, &context, &error);
    if (st == CFLR_OK) st = cflr_extract(context, &opts, &graph, &report, &error);
    if (st == CFLR_OK) st = list_findings(graph, report, &error);
    if (st != CFLR_OK) fprintf(stderr, "%s: %s\n", cflr_status_text(st), error.message);
    cflr_extract_report_free(report);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return cflr_status_exit_code(st);
}
