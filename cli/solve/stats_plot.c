/* SPDX-License-Identifier: Apache-2.0
 *
 * stats_plot.c: the figures of `cflr solve --stats` as a picture: what rules took and found, what
 * symbols hold, and how memory grew from stratum to stratum.
 */
#include "cli/solve/stats_plot.h"

#include "cli/run/plot.h"

enum { MOST_BARS = 25 };

static void add_rules(plot *p, const cflr_result *result) {
    size_t n = cflr_result_rules(result);
    if (!n) return; /* of another model than batch */
    plot_panel *seconds = plot_add(p, PLOT_BARS, "Time by rule", "rule", "seconds");
    plot_panel *fresh = plot_add(p, PLOT_BARS, "New rows by rule", "rule", "rows");
    for (size_t i = 0; i < n; i++) {
        cflr_result_rule rule;
        cflr_result_get_rule(result, i, &rule);
        plot_bar(seconds, rule.text, rule.seconds);
        plot_bar(fresh, rule.text, (double)rule.fresh);
    }
    plot_sort(seconds, MOST_BARS);
    plot_sort(fresh, MOST_BARS);
}

static void add_symbols(plot *p, const cflr_result *result) {
    plot_panel *panel = plot_add(p, PLOT_BARS, "Pairs by symbol", "symbol", "pairs");
    for (uint32_t i = 0; i < cflr_result_labels(result); i++) {
        cflr_result_label label;
        cflr_result_get_label(result, i, &label);
        plot_bar(panel, label.name, (double)label.pairs);
    }
    plot_sort(panel, MOST_BARS);
}

static void add_memory(plot *p, const cflr_result *result) {
    size_t n = cflr_result_accounts(result);
    if (!n) return;
    plot_panel *panel =
        plot_add(p, PLOT_LINE, "Memory from stratum to stratum", "stratum", "bytes");
    for (size_t i = 0; i < n; i++) {
        cflr_result_account account;
        cflr_result_get_account(result, i, &account);
        plot_at(panel, (double)i + 1, (double)account.bytes);
    }
}

int stats_plot(const cflr_result *result, const char *path) {
    plot p = {.title = "cflr solve --stats"};
    add_rules(&p, result);
    add_symbols(&p, result);
    add_memory(&p, result);
    int code = plot_write(&p, path);
    plot_free(&p);
    return code;
}
