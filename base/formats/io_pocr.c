/* SPDX-License-Identifier: Apache-2.0
 *
 * io_pocr.c: the text format of POCR.
 *
 *     0    1    a               source, target, label
 *     1    0    abar            the converse of the edge above
 *     4    7    f_i     8       f[8]: the label ends in _i, the index follows
 *     7    4    fbar_i  8       its converse
 *
 * A converse is an edge of its own in this format, and files that have converses have them beside
 * the edges. Here they are one edge: a converse is reversed, which makes it equal to its edge.
 * `bar` alone, and a label that would have no name without its ending, are plain labels.
 */
#include <stdio.h>
#include <string.h>

#include "base/formats/io_edges.h"

static const char *decode(cflri_field label, cflri_field index, cflri_label_text *text) {
    *text = (cflri_label_text){.name = label, .index = index};
    bool indexed = cflri_field_cut(&text->name, "_i");
    text->converse = cflri_field_cut(&text->name, "bar");
    return indexed && !index.size ? "it ends in _i, so its index is expected in a fourth field"
                                  : NULL;
}

const cflri_edge_format cflri_edges_pocr = {
    .format = CFLR_GRAPH_POCR,
    .index_column = true,
    .decode = decode,
};

static const char *spell(const char *name, const char *index, bool converse, char *text,
                         size_t size) {
    snprintf(text, size, "%s%s%s", name, converse ? "bar" : "", *index ? "_i" : "");
    return index;
}

static cflr_status write_pocr(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    static const cflri_speller speller = {
        .format = &cflri_edges_pocr, .spell = spell, .separator = '\t', .converses = true};
    return cflri_edges_write(graph, &speller, output, error);
}

const cflri_format cflri_format_POCR = {
    .format = CFLR_GRAPH_POCR,
    .endings = {".peg", ".vfg", ".pocr"},
    .edges = &cflri_edges_pocr,
    .write = write_pocr,
};
