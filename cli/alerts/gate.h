/* SPDX-License-Identifier: Apache-2.0
 *
 * gate.h: which alerts fail a run (docs/reference/pipelines.md).
 */
#ifndef CFLR_CLI_ALERTS_GATE_H
#define CFLR_CLI_ALERTS_GATE_H

#include "cli/alerts/alerts.h"

extern struct poptOption gate_table[];
#define GATE_OPTIONS OPTION_TABLE(gate_table, "What fails a run:")

/* Checks the options and reads the files that they name. 0, or the exit code after a message. To be
 * closed in any case. */
int gate_open(void);
void gate_close(void);

/* Once it is known what is asked for: 0, or the exit code after a message if the baseline is of
 * something else. */
int gate_check(const alerts *a);

/* Judges all alerts. 0, or the exit code after a message. */
int gate_judge(alerts *a);

/* Is the alert told to people, and does it fail the run? */
bool gate_tells(const alert *a);
bool gate_fails(const alert *a);
size_t gate_failures(const alerts *a);

/* Is there a baseline, so that alerts are new or known? */
bool gate_has_baseline(void);

/* Prints why the alert counts although the baseline has it: a line, or nothing. */
void gate_explain(FILE *file, const alert *a);

/* "; known: 12, suppressed: 3, gone: 2": to be freed, "" mostly; NULL after a message. */
char *gate_summary(const alerts *a);

/* Adds level, `fails`, `known` and `suppressed` of one alert to its object. */
void alert_json(const alert *a, json_t *object);

/* Adds `failing`, `gone` and `suppressions` to the object of `check`. */
void gate_json(const alerts *a, json_t *object);

/* After the run, which ends with `code`: warns of what suppresses nothing, and with
 * --update-baseline writes it. The exit code to use. */
int gate_finish(const alerts *a, int code);

#endif
