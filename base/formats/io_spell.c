/* SPDX-License-Identifier: Apache-2.0
 *
 * io_spell.c: writing the formats with one edge a line that other tools read.
 *
 * A label is spelled once and, before its first edge is written, taken apart again by the reader of
 * the format: what does not come back as it was is refused. So `f[8]` may become f_8, but a plain
 * label that happens to be called f_8 cannot be smuggled into a format that would read an index.
 */
#include <assert.h>
#include <string.h>

#include "base/formats/io_edges.h"

enum { SPELLING_EXTRA = 16 };

/* The text to write for the current label, forward [0] and backward [1]. */
typedef struct spelling {
    char *text[2];
    size_t size[2];
    const char *behind[2];
} spelling;

static cflr_status check(const cflr_graph *graph, uint32_t label, const cflri_edge_format *format,
                         const spelling *made, bool converse, cflr_error *error) {
    const char *name = cflri_label_name(graph, label), *index = cflri_label_index(graph, label);
    const char *text = made->text[converse], *behind = made->behind[converse];
    cflri_label_text read = {0};
    if (!format->decode((cflri_field){text, strlen(text)}, (cflri_field){behind, strlen(behind)},
                        &read) &&
        read.converse == converse && cflri_field_is(read.name, name) &&
        cflri_field_is(read.index, index)) {
        return CFLR_OK;
    }
    return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                      "label %.60s%s%.60s%s cannot be written as %s: '%.60s' would read as another",
                      name, *index ? "[" : "", index, *index ? "]" : "",
                      cflri_format_word(format->format), text);
}

/* Spells the label both ways into a new block. */
static cflr_status spell(const cflr_graph *graph, uint32_t label, const cflri_speller *speller,
                         spelling *made, cflr_error *error) {
    const char *name = cflri_label_name(graph, label), *index = cflri_label_index(graph, label);
    size_t size = strlen(name) + strlen(index) + SPELLING_EXTRA;
    char *block = cflri_realloc(graph->context, made->text[0], 2 * size);
    if (!block) return cflri_fail_memory(graph->context, error);
    cflr_status st = CFLR_OK;
    for (int way = 0; way <= speller->converses && st == CFLR_OK; way++) {
        made->text[way] = block + (way ? size : 0);
        made->behind[way] = speller->spell(name, index, way, made->text[way], size);
        made->size[way] = strlen(made->text[way]);
        assert(made->size[way] < size);
        st = check(graph, label, speller->format, made, way, error);
    }
    return st;
}

static void write_edge(const cflri_speller *speller, cflri_output *output, const spelling *made,
                       bool converse, uint32_t source, uint32_t target) {
    cflri_output_u64(output, source);
    cflri_output_write(output, &speller->separator, 1);
    cflri_output_u64(output, target);
    cflri_output_write(output, &speller->separator, 1);
    cflri_output_write(output, made->text[converse], made->size[converse]);
    if (*made->behind[converse]) {
        cflri_output_write(output, &speller->separator, 1);
        cflri_output_text(output, made->behind[converse]);
    }
    cflri_output_write(output, "\n", 1);
}

cflr_status cflri_edges_write(const cflr_graph *graph, const cflri_speller *speller,
                              cflri_output *output, cflr_error *error) {
    cflri_walk walk;
    spelling made = {0};
    uint32_t label = CFLR_NO_LABEL;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_walk_begin(&walk, graph, error));
    while (cflri_walk_next(&walk)) {
        if (walk.label != label) CFLR_TRY(spell(graph, walk.label, speller, &made, error));
        label = walk.label;
        write_edge(speller, output, &made, false, walk.source, walk.target);
        if (speller->converses) {
            write_edge(speller, output, &made, true, walk.target, walk.source);
        }
    }
    st = cflri_walk_stopped(&walk, true, error);
out:
    cflri_walk_end(&walk);
    cflri_free(graph->context, made.text[0]);
    return st;
}
