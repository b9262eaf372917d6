/* SPDX-License-Identifier: Apache-2.0
 *
 * io_cfpq.c: the text format of the CFPQ data sets and tools.
 *
 *     0 1 alloc                 source target label
 *     0 alloc 1                 source label target: when each of the first lines looks like this
 *     5 3 load_73               load[73]
 *     5 3 load_i 73             the same in newer files
 *     3 5 load_r_73             converse; load_73_r is the same
 *     1 0 alloc_r               converse
 *
 * Endings are taken off from the end as long as a name is left, each kind once. Written as
 * `source target label` without converses, which these tools make themselves.
 */
#include <stdio.h>
#include <string.h>

#include "base/formats/io_edges.h"

static const char *decode(cflri_field label, cflri_field index, cflri_label_text *text) {
    *text = (cflri_label_text){.name = label, .index = index};
    bool indexed = false;
    for (;;) {
        if (!text->converse && cflri_field_cut(&text->name, "_r")) {
            text->converse = true;
        } else if (!indexed && index.size && cflri_field_cut(&text->name, "_i")) {
            indexed = true;
        } else if (text->index.size || !cflri_field_cut_number(&text->name, &text->index)) {
            return NULL;
        }
    }
}

const cflri_edge_format cflri_edges_cfpq = {
    .format = CFLR_GRAPH_CFPQ,
    .index_column = true,
    .middle_label = true,
    .decode = decode,
};

/* An index that is no number needs the column. */
static const char *spell(const char *name, const char *index, bool converse, char *text,
                         size_t size) {
    bool column = *index && !cflri_field_is_digits((cflri_field){index, strlen(index)});
    snprintf(text, size, "%s%s%s%s", name, converse ? "_r" : "", *index ? "_" : "",
             column ? "i" : index);
    return column ? index : "";
}

static cflr_status write_cfpq(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    static const cflri_speller speller = {
        .format = &cflri_edges_cfpq, .spell = spell, .separator = ' ', .converses = false};
    return cflri_edges_write(graph, &speller, output, error);
}

const cflri_format cflri_format_CFPQ = {
    .format = CFLR_GRAPH_CFPQ,
    .endings = {".csv", ".cfpq"},
    .edges = &cflri_edges_cfpq,
    .write = write_cfpq,
};
