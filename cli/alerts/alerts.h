/* SPDX-License-Identifier: Apache-2.0
 *
 * alerts.h: what `cflr check` finds, as pipelines see it.
 *
 *     findings of rules ----+                     judged (gate.h)             text, JSON
 *                           +---> list of alerts -----------------> SARIF, code quality, Markdown
 *     checks not passed ----+      checks first                         the next baseline
 */
#ifndef CFLR_CLI_ALERTS_ALERTS_H
#define CFLR_CLI_ALERTS_ALERTS_H

#include "cflr/findings.h"
#include "cli/run/run.h"

struct suppression;

/* Texts that are not said to be its own live as long as the graph, the facts and the findings. */
typedef struct alert {
    const char *rule; /* its name; of a check what it expects: "no-alias" */
    char *text;       /* what is wrong, in one line; its own */
    cflr_level level;
    cflr_place place; /* where it is reported: in the source tree if any place of it is */
    const char *function;
    const char *fingerprint, *fingerprint_any_file;
    const cflr_finding *finding; /* NULL: a check */
    bool asked;     /* it is of those that --findings asks for; all below is of the gate */
    bool known;     /* the baseline has it */
    bool added;     /* the baseline has it, but not at --baseline-base */
    bool elsewhere; /* no place of it is in --changed-files */
    const struct suppression *suppressed; /* by this; NULL: it is not */
    bool leads;                           /* it is printed, the first of its source */
} alert;

/* Files of the source tree. */
typedef struct alert_files {
    const char **path; /* n, sorted and different */
    size_t n, capacity;
    const char *last; /* that was added, while the list is made */
} alert_files;

typedef struct alerts {
    const cflr_graph *graph;
    const cflr_extract_report *report;
    const char **rule; /* names of what was asked, checks first; each may have no alert */
    size_t n_rules;
    const cflr_rule *rules; /* of findings: the last ones of `rule` */
    size_t n_findings_rules;
    bool all;      /* --findings all */
    bool complete; /* the work was not stopped, and no rule was left out */
    uint32_t units, units_faulty;
    alert_files files; /* that were read */
    alert *list;
    size_t n, capacity;
} alerts;

/* Room for so many; 0, or the exit code after a message. */
int alerts_begin(alerts *a, size_t most);
void alerts_free(alerts *a);

/* Appends, for which there is room. `text` is taken over. */
alert *alerts_add_check(alerts *a, const cflr_check *check, const char *rule, cflr_level level,
                        char *text);
/* NULL after a message. */
alert *alerts_add_finding(alerts *a, const cflr_finding *finding);

/* "2 of 3 units were read in full, and not: lost.c:3 (expected ';')", with the first of them and
 * how many more there are. Freed by the caller. Where memory is refused the program ends. */
char *alerts_units(const alerts *a);

/* Of a check: what it expects, as a name of a rule. */
const char *check_kind_name(cflr_check_kind kind);

/* The number of this rule, or kind of checks, among what is asked for; n_rules: it is not. */
size_t alerts_rule(const alerts *a, const char *rule);

/* Lists the files that were read (files.c). 0, or the exit code after a message. */
int alerts_list_files(alerts *a);
/* Is one of them called so, below the root of the tree? O(files). */
bool alerts_have_read(const alerts *a, const char *name);

/* "direct: by locals, arguments and results", to be freed; "" where a rule has no ranks. Ends the
 * program when memory is refused. */
char *rank_text(const cflr_finding *finding);

/* ---- the steps of a path in words (step_text.c) ---- */

/* "assigned to p": what happens in it, without its place. Silent ones print nothing. */
void print_step_text(FILE *file, const cflr_graph *graph, const cflr_step *step);
/* The same as a text, to be freed. Ends the program when memory is refused. */
char *step_text(const cflr_graph *graph, const cflr_step *step);

#endif
