/* SPDX-License-Identifier: Apache-2.0
 *
 * plain_graph.c: a plain graph that is read, or made by a rule.
 */
#include "cli/run/plain_graph.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

plain_graph_options plain_graph_given;

bool take_number(const char **at, int64_t least, int64_t most, int64_t *number) {
    char *end;
    if (!isdigit((unsigned char)(*at)[**at == '-'])) return false;
    errno = 0;
    long long value = strtoll(*at, &end, 10);
    if (errno || value < least || value > most) return false;
    *number = value;
    *at = end;
    return true;
}

static int read_weights(const char *weights, plain_graph_choices *c) {
    const char *at = weights;
    int64_t least = 0, most = 0;
    c->weight_seed = 1;
    c->draws_weights = weights;
    if (!weights) return 0;
    bool read = take_number(&at, INT32_MIN, INT32_MAX, &least) && *at++ == ':' &&
                take_number(&at, INT32_MIN, INT32_MAX, &most) && least <= most;
    if (read && *at) read = *at == ':' && parse_count(at + 1, UINT64_MAX, &c->weight_seed);
    if (!read) {
        return usage_error("--weights %s: LEAST:MOST or LEAST:MOST:SEED, such as 1:255", weights);
    }
    c->least_weight = (int32_t)least;
    c->most_weight = (int32_t)most;
    return 0;
}

const char *plain_graph_option(void) {
    const plain_graph_options *given = &plain_graph_given;
    if (given->rule) return "gen";
    if (given->label) return "label";
    if (given->header) return "header";
    if (given->undirected) return "undirected";
    if (given->drop_loops) return "drop-loops";
    if (given->keep_parallel) return "keep-parallel";
    return given->weights ? "weights" : NULL;
}

int read_plain_graph(const char *path, plain_graph_choices *choices) {
    const plain_graph_options *given = &plain_graph_given;
    *choices = (plain_graph_choices){.path = path, .rule = given->rule, .label = given->label};
    cflr_csr_opts_init(&choices->opts);
    choices->opts.symmetric = given->undirected;
    choices->opts.drop_loops = given->drop_loops;
    choices->opts.keep_parallel = given->keep_parallel;
    choices->opts.header = given->header;
    if (given->rule && path) {
        return usage_error("the graph is that of --gen, or a FILE, not both");
    }
    if (given->rule && given->label) return usage_error("--label goes with a FILE");
    return read_weights(given->weights, choices);
}

cflr_status load_plain_graph(const plain_graph_choices *choices, const cflr_csr_opts *opts,
                             cflr_csr **csr, cflr_error *error) {
    if (choices->rule) return cflr_csr_generate(session(), choices->rule, opts, csr, error);
    cflr_status st = cflr_csr_load(session(), choices->path, choices->label, opts, csr, error);
    if (st == CFLR_OK && *cflr_csr_note(*csr))
        remark("%s: %s", input_name(choices->path), cflr_csr_note(*csr));
    return st;
}
