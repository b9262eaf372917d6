/* SPDX-License-Identifier: Apache-2.0
 *
 * extraction.h: what `cflr extract`, `cflr link`, `cflr analyze` and `cflr check` share: the
 * options of the front end, running it, and its report.
 */
#ifndef CFLR_CLI_EXTRACT_EXTRACTION_H
#define CFLR_CLI_EXTRACT_EXTRACTION_H

#include <limits.h>

#include "cflr/extract.h"
#include "cli/run/run.h"

extern struct poptOption extraction_table[], linking_table[];

#define LINKING_OPTIONS OPTION_TABLE(linking_table, "How to link it:")
#define EXTRACTION_OPTIONS OPTION_TABLE(extraction_table, "What to read:"), LINKING_OPTIONS

/* Names of functions whose calls are checks; lists that end with NULL, or NULL. Set by `cflr
 * check`, whose options these are, and read by extraction_run. */
typedef struct check_names {
    char **may_alias, **must_alias, **no_alias;
} check_names;

extern check_names names_of_checks;

/* --linkable, likewise an option of `cflr extract` and `cflr link`. */
extern int linkable;

/* Writes the path of the nearest compilation database (database.c); false: there is none. */
bool find_database(char path[PATH_MAX]);

/* --fields insensitive was given. */
bool fields_insensitive(void);

/* The grammar of pointers for a graph that was extracted by the options. */
const char *default_grammar(const cflr_graph *graph);

/* Without --aliasing it is strict where the options, the program and its build allow it. */
void extraction_default_aliasing(void);

/* --rules was given. */
bool rules_given(void);

/* Without --world the program is closed, whether it has a `main` or not. Before extraction_run. */
void extraction_default_closed(void);

/* Checks the options, and finds a database when nothing was named; 0, or the exit code after a
 * message. */
int extraction_check(const cli_arguments *arguments);

/* Runs the front end; 0, or the exit code after a message. The notes are printed to standard error:
 * all with -v, otherwise the most important. */
int extraction_run(const cli_arguments *arguments, cflr_graph **graph,
                   cflr_extract_report **report);

/* The same, but only lists what would be read. */
int extraction_list(const cli_arguments *arguments, cflr_extract_report **report);

/* The three for `cflr link`, whose operands are linkable graphs. */
int linking_check(const cli_arguments *arguments);
int linking_list(const cli_arguments *arguments, cflr_extract_report **report);
int linking_run(const cli_arguments *arguments, cflr_graph **graph, cflr_extract_report **report);

/* The exit code of a run that ends with `code`: when all went well but for units, that of a bad
 * input, after a message, if more are lost than --max-lost allows, else that of a limit, if one of
 * them was lost to --memory. The report may be NULL. */
int extraction_verdict(const cflr_extract_report *report, int code);

/* Counts of the report as JSON members of `object`, or as lines of text. */
void extraction_json(const cflr_extract_report *report, json_t *object);
void extraction_text(const cflr_extract_report *report, FILE *file);

#endif
