/* SPDX-License-Identifier: Apache-2.0
 *
 * shell_names.h: names of a program, to complete what is typed.
 */
#ifndef CFLR_CLI_QUERY_SHELL_NAMES_H
#define CFLR_CLI_QUERY_SHELL_NAMES_H

#include <stddef.h>

#include "cflr/graph.h"

/* Sorted, each once. */
typedef struct shell_names {
    char **at;
    size_t n, capacity;
} shell_names;

/* "main::p" of locals and parameters, "p" of all else that has a name. What memory is refused for
 * is left out. */
void shell_names_make(const cflr_graph *graph, shell_names *names);
void shell_names_free(shell_names *names);

/* The first name that begins with so many bytes of the text; *end is behind the last one. */
size_t shell_names_find(const shell_names *names, const char *text, size_t length, size_t *end);

#endif
