/* SPDX-License-Identifier: Apache-2.0
 *
 * plain_graph.h: which plain graph a command takes: options that `cflr graph` and `cflr convert`
 * have in common.
 */
#ifndef CFLR_CLI_RUN_PLAIN_GRAPH_H
#define CFLR_CLI_RUN_PLAIN_GRAPH_H

#include "cli/run/run.h"

/* As they were given. */
typedef struct plain_graph_options {
    char *rule, *label, *weights;
    int undirected, drop_loops, keep_parallel, header;
} plain_graph_options;

extern plain_graph_options plain_graph_given;

/* Rows of an option table. */
#define PLAIN_GRAPH_OPTIONS                                                     \
    OPTION_VALUE("gen", '\0', &plain_graph_given.rule,                          \
                 "make the graph by this rule instead of reading one", "RULE"), \
        OPTION_VALUE("label", '\0', &plain_graph_given.label,                   \
                     "of a labelled graph: the edges of this label", "NAME"),   \
        OPTION_FLAG("header", '\0', &plain_graph_given.header,                  \
                    "of a list as text: the first line has titles"),            \
        OPTION_FLAG("undirected", '\0', &plain_graph_given.undirected,          \
                    "take each edge both ways"),                                \
        OPTION_FLAG("drop-loops", '\0', &plain_graph_given.drop_loops,          \
                    "leave out edges from a vertex to itself"),                 \
        OPTION_FLAG("keep-parallel", '\0', &plain_graph_given.keep_parallel,    \
                    "keep edges that are equal in all apart"),                  \
        OPTION_VALUE("weights", '\0', &plain_graph_given.weights,               \
                     "draw a weight for each edge, instead of those it has", "LEAST:MOST[:SEED]")

/* The options as values. */
typedef struct plain_graph_choices {
    const char *path, *rule; /* where the graph comes from: one of them is NULL */
    const char *label;       /* NULL: none was named */
    cflr_csr_opts opts;
    bool draws_weights;
    int32_t least_weight, most_weight;
    uint64_t weight_seed;
} plain_graph_choices;

/* The name of an option that was given; NULL: none was. */
const char *plain_graph_option(void);

/* `path`: the operand with the graph, or NULL. 0, or the exit code after a message. */
int read_plain_graph(const char *path, plain_graph_choices *choices);

/* Reads or makes the graph, with the options, but draws no weights. Says what reading took for
 * what. */
cflr_status load_plain_graph(const plain_graph_choices *choices, const cflr_csr_opts *opts,
                             cflr_csr **csr, cflr_error *error);

/* A whole number at *at, which moves behind it. */
bool take_number(const char **at, int64_t least, int64_t most, int64_t *number);

#endif
