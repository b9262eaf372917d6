/* SPDX-License-Identifier: Apache-2.0
 *
 * io.c: graphs in and out of files: the table of formats, and how one is chosen.
 *
 *     reading   path -> directory?  -> the format that reads directories
 *                    -> bytes       -> the format that was named, or the one whose mark is there,
 *                                      or the one whose labels are spelled so (io_guess.c)
 *     writing   the format that was named, or the one whose ending the file name has
 */
#include "base/formats/io.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/files/codec.h"
#include "base/formats/io_edges.h"
#include "base/formats/io_plain.h"
#include "base/plain/csr_packed_file.h"

/* By number; that of AUTO is NULL. */
static const cflri_format *const formats[] = {
#define FORMAT(name, number, word, text) [number] = &cflri_format_##name,
    CFLR_GRAPH_WRITABLE_LIST(FORMAT)
#undef FORMAT
};

enum { FIRST = CFLR_GRAPH_AUTO + 1, N_FORMATS = sizeof formats / sizeof formats[0] };

static const char *const words[N_FORMATS] = {
#define WORD(name, number, word, text) [number] = word,
    CFLR_GRAPH_FORMAT_LIST(WORD)
#undef WORD
};

const char *cflri_format_word(cflr_graph_format format) {
    return (unsigned)format < N_FORMATS ? words[format] : "unknown";
}

const cflri_format *cflri_format_find(cflr_graph_format format) {
    return (unsigned)format < N_FORMATS ? formats[format] : NULL;
}

cflr_status cflr_graph_format_parse(const char *word, cflr_graph_format *format,
                                    cflr_error *error) {
    char known[160] = "";
    assert(word && format);
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (strcmp(words[i], word) == 0) {
            *format = (cflr_graph_format)i;
            return CFLR_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? " " : "", words[i]);
    }
    return cflri_fail(error, CFLR_ARGUMENT, NULL, "'%.40s' is no graph format; there are: %s", word,
                      known);
}

static bool ends_with(const char *text, size_t length, const char *end) {
    size_t n = strlen(end);
    return length > n && memcmp(text + length - n, end, n) == 0;
}

static bool is_packed(const char *path) {
    return ends_with(path, strlen(path), ".zst");
}

static cflr_status fail_format(cflr_graph_format format, const char *subject, cflr_error *error) {
    return cflri_fail(error, CFLR_ARGUMENT, subject, "%d is no number of a graph format",
                      (int)format);
}

/* ---- reading ---- */

cflr_graph_format cflri_format_of(const char *data, size_t size) {
    for (size_t i = FIRST; i < N_FORMATS; i++)
        if (formats[i]->recognise && formats[i]->recognise(data, size)) return formats[i]->format;
    return cflri_edges_guess(data, size);
}

/* A text has a place where it is none. */
static cflr_status fail_unknown(cflri_field text, const char *subject, cflr_error *error) {
    cflri_scan scan;
    cflri_line_kind kind;
    cflr_error byte = {0};
    if (cflri_packed_file_is(text.at, text.size))
        return cflri_fail(error, CFLR_UNSUPPORTED, subject,
                          "packed rows have no labels: they are for cflr graph");
    cflri_scan_init(&scan, text.at, text.size, subject, &byte);
    while (cflri_scan_line(&scan, &kind) == CFLR_OK)
        if (kind == CFLRI_LINE_END)
            return cflri_fail(error, CFLR_FORMAT, subject,
                              "not a graph in any format that is known");
    return cflri_fail_at(error, CFLR_FORMAT, subject, byte.line, byte.column,
                         "not a graph in any format that is known: %s", byte.message);
}

static cflr_status read_bytes(cflr_context *context, cflri_field text, const char *subject,
                              cflr_graph_format format, cflr_graph **graph, cflr_error *error) {
    bool chosen = format != CFLR_GRAPH_AUTO;
    if (!chosen) format = cflri_format_of(text.at, text.size);
    if (format == CFLR_GRAPH_AUTO) {
        return fail_unknown(text, subject, error);
    }
    const cflri_format *entry = cflri_format_find(format);
    if (!entry) return fail_format(format, subject, error);
    if (entry->edges && !chosen) return cflri_edges_read_auto(context, text, subject, graph, error);
    if (entry->edges) return cflri_edges_read(context, entry->edges, text, subject, graph, error);
    if (entry->read_plain)
        return cflri_plain_graph(context, entry->read_plain, text, subject, graph, error);
    if (entry->read_path) {
        return cflri_fail(error, CFLR_ARGUMENT, subject, "format %s is a directory, not a file",
                          cflri_format_word(format));
    }
    if (!entry->read) {
        return cflri_fail(error, CFLR_UNSUPPORTED, subject, "format %s can be written, not read",
                          cflri_format_word(format));
    }
    return entry->read(context, text.at, text.size, subject, graph, error);
}

cflr_status cflri_graph_read(cflr_context *context, const char *data, size_t size,
                             const char *subject, cflr_graph_format format, cflr_graph **graph,
                             cflr_error *error) {
    *graph = NULL;
    cflri_field text = {size ? data : "", size};
    cflr_status st = read_bytes(context, text, subject, format, graph, error);
    if (st == CFLR_OK) st = cflr_graph_validate(*graph, error);
    if (st == CFLR_OK) return st;
    cflr_graph_free(*graph);
    *graph = NULL;
    return st;
}

static cflr_status read_directory(cflr_context *context, const char *path, cflr_graph_format format,
                                  cflr_graph **graph, cflr_error *error) {
    if (format == CFLR_GRAPH_AUTO) format = CFLR_GRAPH_SOUFFLE;
    const cflri_format *entry = cflri_format_find(format);
    if (!entry) return fail_format(format, path, error);
    if (!entry->read_path) {
        return cflri_fail(error, CFLR_ARGUMENT, path, "format %s is a file, not a directory",
                          cflri_format_word(format));
    }
    cflr_status st = entry->read_path(context, path, graph, error);
    return st == CFLR_OK ? cflr_graph_validate(*graph, error) : st;
}

static const char *subject_of(const char *path) {
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool cflri_path_ends(const char *path, const char *end) {
    return ends_with(path, cflri_unpacked_length(path), end);
}

/* An empty text is a graph without edges; an empty binary file is what is left of one. */
static bool is_binary_name(const char *path) {
    return cflri_path_ends(path, ".cflg") || cflri_path_ends(path, ".cflr");
}

cflr_status cflri_graph_load_bytes(const cflri_input *input, const char *path,
                                   cflr_graph_format format, cflr_graph **graph,
                                   cflr_error *error) {
    *graph = NULL;
    if (input->size == 0 && is_binary_name(path)) {
        return cflri_fail(error, CFLR_FORMAT, path, "the file is empty");
    }
    return cflri_graph_read(input->context, input->data, input->size, subject_of(path), format,
                            graph, error);
}

static cflr_status read_file(cflr_context *context, const char *path, cflr_graph_format format,
                             cflr_graph **graph, cflr_error *error) {
    cflri_input input;
    cflr_status st = cflri_input_open(context, path, &input, error);
    if (st == CFLR_OK) st = cflri_graph_load_bytes(&input, path, format, graph, error);
    cflri_input_close(&input);
    return st;
}

cflr_status cflr_graph_load(cflr_context *context, const char *path, cflr_graph_format format,
                            cflr_graph **graph, cflr_error *error) {
    struct stat about;
    assert(context && path && graph);
    *graph = NULL;
    bool directory = strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    cflr_status st = directory ? read_directory(context, path, format, graph, error)
                               : read_file(context, path, format, graph, error);
    if (st != CFLR_OK) {
        cflr_graph_free(*graph);
        *graph = NULL;
    }
    return cflri_name_subject(st, subject_of(path), error);
}

void cflri_graph_raise_vertices(cflr_graph *graph, uint64_t n_vertices) {
    assert(n_vertices <= CFLR_MAX_VERTICES);
    if (!graph->source && n_vertices > graph->n_vertices) graph->n_vertices = (uint32_t)n_vertices;
}

/* ---- writing ---- */

/* The format that a file name asks for, or NULL. */
static const cflri_format *format_of_path(const char *path) {
    struct stat about;
    if (strcmp(path, "-") == 0) return &cflri_format_TSV;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return &cflri_format_SOUFFLE;
    size_t length = strlen(path) - (is_packed(path) ? strlen(".zst") : 0);
    for (size_t i = FIRST; i < N_FORMATS; i++) {
        for (const char *const *end = formats[i]->endings; *end; end++) {
            if (ends_with(path, length, *end)) return formats[i];
        }
    }
    return NULL;
}

const cflri_format *cflri_format_to_write(const char *path, cflr_graph_format format) {
    return format == CFLR_GRAPH_AUTO ? format_of_path(path) : cflri_format_find(format);
}

static cflr_status write_stream(const cflr_graph *graph, const char *path,
                                const cflri_format *format, cflr_error *error) {
    cflri_output *output = NULL;
    cflr_status st = cflri_output_open(graph->context, path, &output, error);
    if (st != CFLR_OK) return st;
    st = format->write(graph, output, error);
    if (st == CFLR_OK) return cflri_output_close(output, error);
    cflri_output_abandon(output);
    return st;
}

/* Finds the format to write from the name of the file, or checks the one that was asked for. */
static cflr_status choose_writer(const char *path, cflr_graph_format format,
                                 const cflri_format **entry, cflr_error *error) {
    bool by_name = format == CFLR_GRAPH_AUTO;
    *entry = cflri_format_to_write(path, format);
    if (!*entry && !by_name) return fail_format(format, path, error);
    if (!*entry) {
        return cflri_fail(error, CFLR_ARGUMENT, path,
                          "the name does not end like that of a graph format: name the format");
    }
    if (!(*entry)->write_path) return CFLR_OK;
    const char *word = cflri_format_word((*entry)->format);
    if (strcmp(path, "-") == 0) {
        return cflri_fail(error, CFLR_ARGUMENT, "standard output",
                          "format %s needs a file name to write to", word);
    }
    if (is_packed(path)) {
        return cflri_fail(error, CFLR_ARGUMENT, path, "format %s is not written packed", word);
    }
    return CFLR_OK;
}

cflr_status cflr_graph_check_target(const char *path, cflr_graph_format format, cflr_error *error) {
    assert(path);
    const cflri_format *entry;
    return choose_writer(path, format, &entry, error);
}

cflr_status cflr_graph_save(const cflr_graph *graph, const char *path, cflr_graph_format format,
                            cflr_error *error) {
    assert(graph && path);
    const cflri_format *entry;
    cflr_status st = choose_writer(path, format, &entry, error);
    if (st != CFLR_OK) return st;
    st = entry->write_path ? entry->write_path(graph, path, error)
                           : write_stream(graph, path, entry, error);
    return cflri_name_subject(st, cflri_output_name(path), error);
}
