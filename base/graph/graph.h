/* SPDX-License-Identifier: Apache-2.0
 *
 * graph.h (internal): the frozen label graph.
 *
 *     labels    0: a        1: d        2: f[8]      3: f[16]        (name, index) -> number
 *     out[l]    relation of label l, rows by source
 *     in[l]     the same pairs, rows by target
 *     sources   one record a vertex: kind, name, type, function, file, line, column, context
 *     mentions  (file, line, name, column) -> vertex, sorted: how "file.c:42:p" and
 *               "file.c:42:7" are found
 *     calls     calls.h
 */
#ifndef CFLRI_GRAPH_H
#define CFLRI_GRAPH_H

#include "base/graph/calls.h"
#include "base/graph/label_table.h"
#include "base/graph/relation.h"
#include "base/intern.h"
#include "base/vec.h"
#include "cflr/graph.h"

/* String ids in the graph's table. 32 bytes, written to .cflg as it is. */
typedef struct cflri_source {
    uint32_t kind;
    uint32_t name;
    uint32_t type;
    uint32_t function;
    uint32_t file;
    uint32_t context;
    uint32_t line;
    uint32_t column;
} cflri_source;

typedef struct cflri_mention {
    uint32_t file;
    uint32_t line;
    uint32_t name;
    uint32_t column; /* 0: not known */
    uint32_t vertex;
} cflri_mention;

struct cflr_graph {
    cflr_context *context;
    uint32_t n_vertices;
    uint32_t n_labels;
    uint64_t n_edges;
    cflri_label *label; /* in order of first use */
    cflri_seen label_table;
    cflri_relation *out;
    cflri_relation *in;
    cflri_strings strings;
    cflri_source *source; /* n_vertices, or NULL */
    bool has_sources;     /* some record tells more than a name */
    uint64_t n_mentions;
    cflri_mention *mention; /* sorted, no duplicates; may be NULL */
    cflri_numbers unknowns; /* see cflr_graph_unknowns */
    cflri_calls calls;
    /* Data that another room keeps beside the graph (io.h). A .cflg file holds it too; a graph that
     * was read has none. */
    CFLRI_VEC(struct cflri_section *) attached;
    /* Of pairs, of which a part is worth writing. NULL: a graph, which is written as a whole or not
     * at all. */
    struct cflri_allowance *allowance;
    bool shared; /* all that it points to is another graph's, which lives longer */
};

/* For a reader that fills a graph itself, beside the builder: an empty graph (strings made, all
 * else zero), to be filled with n_vertices, n_labels, label, out, strings, source and mention; then
 * cflri_graph_complete makes what follows from these: in, n_edges, label_table, has_sources,
 * unknowns. The input may come from a foreign file: everything that completing relies on is checked
 * (CFLR_FORMAT), the rest is left to cflr_graph_validate. The graph is the caller's to free in
 * every case. */
cflr_status cflri_graph_new(cflr_context *context, cflr_graph **graph, cflr_error *error);
cflr_status cflri_graph_complete(cflr_graph *graph, cflr_error *error);

/* Bytes of the graph, without sections of other rooms. O(labels). */
uint64_t cflri_graph_bytes(const cflr_graph *graph);

/* For a builder of a graph that has its strings in a table too: the number of a text (0: none), to
 * be asked for once, and vertices and mentions made of such numbers. Otherwise as
 * cflr_graph_builder_vertex and _mention. _expect takes the memory of so many of them, which are to
 * come. */
cflr_status cflri_graph_builder_string(cflr_graph_builder *builder, const char *text, uint32_t *id,
                                       cflr_error *error);
cflr_status cflri_graph_builder_expect(cflr_graph_builder *builder, uint64_t vertices,
                                       uint64_t mentions, cflr_error *error);
cflr_status cflri_graph_builder_vertex(cflr_graph_builder *builder, const cflri_source *source,
                                       uint32_t *vertex, cflr_error *error);
cflr_status cflri_graph_builder_mention(cflr_graph_builder *builder, const cflri_mention *mention,
                                        cflr_error *error);

static inline bool cflri_graph_has_string(const cflr_graph *graph, uint32_t id) {
    return id < graph->strings.text.n;
}

/* The calls that the graph will have, to be filled. */
cflri_calls *cflri_graph_builder_calls(cflr_graph_builder *builder);

/* Sorts by (file, line, name, column, vertex) and drops duplicates; *n becomes how many are
 * left. */
cflr_status cflri_mentions_sort(cflr_context *context, cflri_mention *mentions, uint64_t *n,
                                cflr_error *error);

/* The order above: negative, 0 or positive as for strcmp. */
int cflri_mention_compare(const cflri_mention *a, const cflri_mention *b);

/* The mentions of a line: *count of them from the result on, NULL for none. O(log mentions). */
const cflri_mention *cflri_mentions_of_line(const cflr_graph *graph, uint32_t file, uint32_t line,
                                            uint64_t *count);

/* May a label, and an index, be called this? Neither may hold white space, control bytes or
 * brackets
 * (`f[8]` is name and index); a name is not empty and does not begin with '~' (a converse). NULL
 * when it may; otherwise what is wrong, to be put behind the name in a message. */
const char *cflri_label_name_fault(const char *name);
const char *cflri_label_index_fault(const char *index);

#endif
