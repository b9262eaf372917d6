/* SPDX-License-Identifier: Apache-2.0
 *
 * loading.h: a graph, a grammar and the result of both, as several commands load and print them.
 */
#ifndef CFLR_CLI_ANSWER_LOADING_H
#define CFLR_CLI_ANSWER_LOADING_H

#include "cli/run/run.h"

enum { SLICE_TEXT = 64 }; /* bytes that describe_slice writes, at most */

typedef struct cli_loading {
    cflr_graph *graph;
    cflr_grammar *grammar;
    cflr_result *result;
    double seconds_load, seconds_write;
} cli_loading;

void loading_free(cli_loading *loading);
/* Reads a grammar; 0, or the exit code after a message. */
int load_grammar(const char *path, cflr_grammar_format format, cflr_grammar **grammar);
/* A grammar that does not know the locations of a graph would miss what they carry: 0, or the exit
 * code after a message. */
int check_locations(const cflr_graph *graph, const cflr_grammar *grammar);
/* Has the graph locations (--aliasing strict)? */
bool has_locations(const cflr_graph *graph);
/* Unless -q: warns when the start symbol has no pairs, and labels of the grammar have no edges. Not
 * after a warning of the library, which then has said why. */
void warn_no_pairs(const cli_loading *loading);
/* Warns when the grammar does not follow the outside of an open program, unless -q. */
void warn_open_program(const cli_loading *loading);
/* Prints the warnings of a grammar, unless -q. */
void print_diagnostics(const cflr_grammar *grammar, const char *path);
/* Frees a result that was loaded, or NULL. Returns the code, or after a message that of an answer
 * for which the file could not be read. */
int end_result(cflr_result *result, int code);
/* The relation that answers "alias", "points-to" or "flows"; CFLR_NO_LABEL when the grammar names
 * none. */
uint32_t answering_label(const cflr_result *result, const char *question);
/* The same; 0, or the exit code after a message. */
int find_answering(const cflr_result *result, const char *question, uint32_t *label);
/* The solve object of docs/reference/json.md. */
json_t *solve_json(const cli_loading *loading);
/* Writes "part 3 of 8" of a part of a result; false, and nothing, of a whole one. */
bool describe_slice(const cflr_result *result, char *text, size_t size);
/* Adds the part object of docs/reference/json.md to that of a part. */
void add_slice(const cflr_result *result, json_t *object);
/* Its labels object: each symbol of a result with its pairs and rows. */
json_t *symbols_json(const cflr_result *result);

#endif
