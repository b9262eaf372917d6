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

extern struct poptOption extraction_table[], linking_table[], graph_command_table[];

#define LINKING_OPTIONS OPTION_TABLE(linking_table, "How to link it:")
#define GRAPH_COMMAND_OPTIONS OPTION_TABLE(graph_command_table, "What to write:")
#define EXTRACTION_OPTIONS OPTION_TABLE(extraction_table, "What to read:"), LINKING_OPTIONS

/* --rules: a list that ends with NULL, or NULL. First in the help of commands that it is for. */
extern char **asked_rules;
#define RULES_OPTION                                                                           \
    OPTION_LIST("rules", '\0', &asked_rules,                                                   \
                "sources and sinks: a shipped rule or a file (may be repeated), one of: null " \
                "command format",                                                              \
                "RULES")

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

/* The grammar of pointers for a graph that was extracted by the options. */
const char *default_grammar(const cflr_graph *graph);

/* Without --aliasing it is strict where the options, the program and its build allow it. */
void extraction_default_aliasing(void);

/* --rules was given. */
bool rules_given(void);

/* Without --world the program is closed, whether it has a `main` or not. Before extraction_run. */
void extraction_default_closed(void);
/* The directory of --cache; NULL: none. */
const char *extraction_cache(void);

/* The next functions are for `linking`, where operands are linkable graphs, or for reading C. */

/* Checks the options, and finds a database when nothing was named; 0, or the exit code after a
 * message. */
int extraction_check(const cli_arguments *arguments, bool linking);

/* Runs the front end; 0, or the exit code after a message. The notes are printed. */
int extraction_run(const cli_arguments *arguments, bool linking, cflr_graph **graph,
                   cflr_extract_report **report);

/* The same, but only lists what would be read. */
int extraction_list(const cli_arguments *arguments, bool linking, cflr_extract_report **report);

/* All of `cflr extract` or `cflr link`, which make a graph, write it and tell about it. */
int graph_command_run(const cli_arguments *arguments, bool linking);

/* ---- the report ---- */

/* The exit code of a run that ends with `code`: when all went well but for units, that of a bad
 * input, after a message, if more are lost than --max-lost allows, else that of a limit, if one of
 * them was lost to --memory. The report may be NULL. */
int extraction_verdict(const cflr_extract_report *report, int code);

/* Counts of the report as JSON members of `object`, or as lines of text. */
void extraction_json(const cflr_extract_report *report, json_t *object);
void extraction_text(const cflr_extract_report *report, FILE *file);

/* Prints the notes to standard error: all with -v, otherwise the most important, and how many are
 * left; none with -q. */
void notes_print(const cflr_extract_report *report);

/* The targets of docs/reference/json.md. */
json_t *targets_json(const cflr_extract_report *report);
/* Prints the list of `cflr extract --list-targets`; the exit code to use. */
int targets_print(const cflr_extract_report *report);

/* The same of `cflr extract --unknown`. */
int unknown_print(const cflr_extract_report *report);

#endif
