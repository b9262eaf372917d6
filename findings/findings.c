/* SPDX-License-Identifier: Apache-2.0
 *
 * findings.c: from a graph and rules to findings.
 *
 *     rules of null pointers    grammar null     Finding[r]: a null pointer, where it is followed
 *     all others                grammar taint    Finding[r]: a source of r, a sink of r
 *
 * A grammar is solved once for all its rules. A limit that ends the work on one grammar leaves what
 * was found so far, and what the other one still finds.
 */
#include "findings/recall.h"

#include <string.h>

#include "base/sized.h"
#include "cflr/solve.h"

void cflr_findings_opts_init_sized(cflr_findings_opts *opts, size_t struct_size) {
    const cflr_findings_opts defaults = {.rules = NULL};
    CFLRI_GIVE_OPTS(opts, struct_size, defaults);
}

/* A limit and a cancellation leave what there is. */
static bool is_failure(cflr_status st) {
    return st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED;
}

/* ---- one grammar ---- */

static bool any_rule(const cflr_findings_opts *opts, bool follows_null) {
    for (size_t i = 0; i < opts->n_rules; i++)
        if (opts->rules[i].follows_null == follows_null) return true;
    return false;
}

/* Values that are not followed and come to a sink. */
static void count_lost(cflr_findings *found, const cflr_result *result) {
    const cflri_numbers *sinks = &found->labels.of[CFLRI_MEANS_SINK];
    cflr_findings_counts *counts = &found->counts;
    for (size_t i = 0; i < sinks->n; i++) {
        uint64_t cursor = 0, n;
        uint32_t value;
        while (cflr_graph_next_row(found->graph, sinks->at[i], CFLR_OUT, &cursor, &value, &n)) {
            uint32_t lost = cflr_result_lost(result, value);
            if (lost != CFLR_NO_VERTEX && counts->lost++ == 0) counts->a_lost = lost;
        }
    }
}

static cflr_status solve(cflri_making *m, bool follows_null, cflr_error *error) {
    cflr_findings *found = m->found;
    static const char *const only[] = {"Finding", "M", "PT", "Spread"}; /* Spread: of text alone */
    const char *name = follows_null ? "null" : "taint"; /* ours, whatever files there are */
    const char *text = cflr_grammar_shipped_text(name);
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.only = only;
    opts.n_only = sizeof only / sizeof *only - follows_null;
    opts.time_kept = found->opts.time_kept;
    cflr_grammar **grammar = &found->grammar[follows_null];
    cflr_status st = cflr_grammar_parse(found->context, text, strlen(text), name, CFLR_GRAMMAR_AUTO,
                                        grammar, error);
    return st == CFLR_OK ? cflr_solve(found->graph, *grammar, &opts, &m->result, error) : st;
}

static cflr_status find_of_rules(cflri_making *m, bool follows_null, cflr_error *error) {
    cflr_findings *found = m->found;
    cflr_status st = CFLR_OK;
    m->finding = cflr_result_find_label(m->result, "Finding");
    m->points_to = cflr_result_find_label(m->result, "PT");
    CFLR_TRY(cflr_witness_new(found->grammar[follows_null], m->result, &m->witness, error));
    CFLR_TRY(cflri_sites_make(m, error));
    CFLR_TRY(cflri_constants_make(m, error));
    m->gate = cflri_constants_gate(m);
    if (follows_null &&
        !cflri_rank_levels_make(m->result, &found->labels, &found->slots, &m->levels))
        CFLR_TRY(cflri_fail_memory(found->context, error));
    for (size_t i = 0; i < found->opts.n_rules; i++) {
        m->rule = &found->opts.rules[i];
        if (m->rule->follows_null == follows_null) CFLR_TRY(cflri_findings_of_rule(m, error));
    }
out:
    return st;
}

/* Goes on after a stop, which stays the error, unless a failure follows. */
static void end_step(cflr_status *st, cflr_error *error, cflr_status step, const cflr_error *told) {
    if (step == CFLR_OK || (*st != CFLR_OK && !is_failure(step))) return;
    *st = step;
    if (error) *error = *told;
}

/* A closure that was stopped is read, too. */
static cflr_status find_by_grammar(cflr_findings *found, bool follows_null, cflr_error *error) {
    cflri_making m = {.found = found};
    cflr_error told;
    cflr_status st = solve(&m, follows_null, error);
    if (m.result) {
        if (!follows_null) count_lost(found, m.result);
        end_step(&st, error, find_of_rules(&m, follows_null, &told), &told);
    }
    cflri_rank_levels_free(found->context, &m.levels);
    cflri_constants_free(found->context, &m.constants);
    cflri_sites_free(found->context, &m.sites);
    cflr_row_free(&m.row);
    cflr_witness_free(m.witness);
    cflr_witness_free(m.router);
    cflr_result_free(m.result);
    return st;
}

/* ---- all ---- */

static cflr_status findings_begin(const cflr_graph *graph, const cflr_findings_opts *opts,
                                  cflr_findings **findings, cflr_error *error) {
    cflr_context *context = graph->context;
    cflr_findings *found = cflri_alloc_zero(context, sizeof *found);
    if (!found) return cflri_fail_memory(context, error);
    *findings = found;
    found->context = context;
    found->graph = graph;
    found->counts.complete = true;
    found->counts.a_lost = CFLR_NO_VERTEX;
    cflr_findings_opts_init(&found->opts);
    cflr_status st = CFLRI_TAKE_OPTS(&found->opts, opts, "cflr_findings_opts", error);
    if (st != CFLR_OK) return st;
    bool made =
        cflri_labels_make(graph, &found->labels) && cflri_slots_make(&found->labels, &found->slots);
    return made ? CFLR_OK : cflri_fail_memory(context, error);
}

static cflr_status find_anew(cflr_findings *found, cflr_error *error) {
    cflr_error told;
    cflr_status st = CFLR_OK;
    for (int null = 0; null < 2 && !is_failure(st); null++)
        if (any_rule(&found->opts, null))
            end_step(&st, error, find_by_grammar(found, null, &told), &told);
    found->counts.complete = st == CFLR_OK;
    return st;
}

/* Unless an earlier run has kept them. */
static cflr_status find_all(cflr_findings *found, cflr_error *error) {
    cflri_recall recall;
    if (!found->opts.cache) return find_anew(found, error);
    cflr_status st =
        cflri_recall_begin(&recall, found) ? cflri_recall_read(&recall) : CFLR_NO_MEMORY;
    if (st == CFLR_NO_MEMORY)
        st = cflri_fail_memory(found->context, error);
    else if (st != CFLR_OK) {
        st = find_anew(found, error);
        if (st == CFLR_OK) cflri_recall_keep(&recall);
    }
    cflri_recall_end(&recall);
    return st;
}

cflr_status cflr_findings_new(const cflr_graph *graph, const cflr_findings_opts *opts,
                              cflr_findings **findings, cflr_error *error) {
    cflr_findings *found = NULL;
    cflr_error told;
    cflr_status st = findings_begin(graph, opts, &found, error), ordered = st;
    *findings = NULL;
    if (st == CFLR_OK) {
        st = find_all(found, error);
        ordered = is_failure(st) ? st : cflri_findings_order(found, &told);
        if (!is_failure(st)) end_step(&st, error, ordered, &told);
    }
    if (ordered == CFLR_OK)
        *findings = found;
    else
        cflr_findings_free(found);
    return st;
}

void cflr_findings_free(cflr_findings *findings) {
    if (!findings) return;
    cflr_context *context = findings->context;
    for (size_t i = 0; i < findings->list.n; i++)
        cflri_finding_free(context, &findings->list.at[i]);
    cflri_vec_free(context, &findings->list);
    cflri_free(context, findings->texts);
    for (int i = 0; i < 2; i++) cflr_grammar_free(findings->grammar[i]);
    cflri_slots_free(context, &findings->slots);
    cflri_labels_free(&findings->labels);
    cflri_free(context, findings);
}

void cflr_findings_get_counts_sized(const cflr_findings *findings, cflr_findings_counts *counts,
                                    size_t struct_size) {
    CFLRI_GIVE(counts, struct_size, findings->counts);
}

const cflr_finding *cflr_findings_at(const cflr_findings *findings, size_t i) {
    return i < findings->list.n ? &findings->list.at[i] : NULL;
}
