/* SPDX-License-Identifier: Apache-2.0
 *
 * io_gracfl.c: the text formats of GraCFL and of both Graspans.
 *
 *     2000 530                  only Graspan-G: edges, vertices; then that many lines
 *     0 1 a                     source target label, with blanks or tabs
 *     1 0 abar                  converse, GraCFL
 *     1 0 -a                    converse, Graspan
 *     4 7 f_8                   f[8]: these tools know no indexes, each index makes a label
 *     7 4 fbar_8                its converse
 *
 * An ending of '_' and digits is always an index; a graph whose plain labels end so is to be read
 * as tsv. Converses are reversed as in io_pocr.c.
 */
#include <stdio.h>
#include <string.h>

#include "base/formats/io_edges.h"

static const char *decode(cflri_field label, cflri_field index, cflri_label_text *text) {
    *text = (cflri_label_text){.name = label, .index = index};
    bool minus = label.at[0] == '-' && label.size > 1;
    if (minus) text->name = (cflri_field){label.at + 1, label.size - 1};
    cflri_field_cut_number(&text->name, &text->index);
    bool bar = cflri_field_cut(&text->name, "bar");
    text->converse = minus || bar;
    return minus && bar ? "'-' and 'bar' both say that it is a converse" : NULL;
}

const cflri_edge_format cflri_edges_gracfl = {
    .format = CFLR_GRAPH_GRACFL,
    .header = true,
    .decode = decode,
};

static const char *spell(const char *name, const char *index, bool converse, char *text,
                         size_t size) {
    snprintf(text, size, "%s%s%s%s", name, converse ? "bar" : "", *index ? "_" : "", index);
    return "";
}

static cflr_status write_gracfl(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    static const cflri_speller speller = {
        .format = &cflri_edges_gracfl, .spell = spell, .separator = '\t', .converses = true};
    return cflri_edges_write(graph, &speller, output, error);
}

const cflri_format cflri_format_GRACFL = {
    .format = CFLR_GRAPH_GRACFL,
    .endings = {".gracfl", ".graspan"},
    .edges = &cflri_edges_gracfl,
    .write = write_gracfl,
};
