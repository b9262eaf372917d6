/* SPDX-License-Identifier: Apache-2.0
 *
 * io_souffle.c: a directory of facts, as Soufflé reads and writes them.
 *
 *     facts/a.facts             0 <TAB> 1          edges 0 -a-> 1
 *     facts/f.facts             1 <TAB> 4 <TAB> 8  edges 1 -f[8]-> 4
 *
 * The name of a file is the label; other files of the directory are left alone. Fields are
 * separated by single tabs and may hold blanks. Vertices are numbers when all are, in all files;
 * otherwise names in the order in which they appear, files by name. A file that is there but empty
 * has no edges.
 *
 * A directory is written under a temporary name beside the target and moved into place when it is
 * whole. A directory that is there already is replaced when it holds nothing but .facts files: what
 * is not ours is never removed.
 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/context.h"
#include "base/formats/io_edges.h"

static const char ending[] = ".facts";

/* ---- names of files ---- */

typedef struct listing {
    cflri_arena arena;
    CFLRI_VEC(const char *) names; /* of .facts files, sorted */
    bool others;                   /* something else is there */
} listing;

static bool is_facts(const char *name) {
    size_t length = strlen(name), n = sizeof ending - 1;
    return length > n && strcmp(name + length - n, ending) == 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static cflr_status list_entry(listing *found, cflr_context *context, const char *name,
                              cflr_error *error) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return CFLR_OK;
    if (!is_facts(name)) {
        found->others = true;
        return CFLR_OK;
    }
    const char *copy = cflri_arena_copy_text(&found->arena, name, strlen(name));
    if (!copy || !cflri_vec_push(context, &found->names, copy)) {
        return cflri_fail_memory(context, error);
    }
    return CFLR_OK;
}

/* Lists a directory; *found is to be freed in every case. */
static cflr_status list(cflr_context *context, const char *path, listing *found,
                        cflr_error *error) {
    cflr_status st = CFLR_OK;
    *found = (listing){0};
    cflri_arena_init(&found->arena, context);
    DIR *directory = opendir(path);
    if (!directory) return cflri_fail_errno(error, path, errno, "cannot read the directory");
    while (st == CFLR_OK) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (!entry && errno) st = cflri_fail_errno(error, path, errno, "cannot read the directory");
        if (!entry) break;
        st = list_entry(found, context, entry->d_name, error);
    }
    closedir(directory);
    if (found->names.n) {
        qsort(found->names.at, found->names.n, sizeof *found->names.at, by_name);
    }
    return st;
}

static void free_listing(cflr_context *context, listing *found) {
    cflri_vec_free(context, &found->names);
    cflri_arena_reset(&found->arena);
}

/* "directory/name" in a new block, or NULL. */
static char *join(cflr_context *context, const char *directory, const char *name) {
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = cflri_alloc(context, size);
    if (path) snprintf(path, size, "%s/%s", directory, name);
    return path;
}

/* ---- reading ---- */

static const char *decode(cflri_field label, cflri_field index, cflri_label_text *text) {
    *text = (cflri_label_text){.name = label, .index = index};
    return NULL;
}

static const cflri_edge_format one_file = {
    .format = CFLR_GRAPH_SOUFFLE, .index_column = true, .decode = decode};

static cflr_status read_lines(cflri_edge_reader *reader, cflri_field text, cflri_field label,
                              const char *subject, cflr_error *error) {
    cflri_scan scan;
    cflri_line_kind kind;
    cflr_status st = CFLR_OK;
    cflri_scan_init(&scan, text.at, text.size, subject, error);
    scan.tabs_only = true;
    for (;;) {
        CFLR_TRY(cflri_scan_line(&scan, &kind));
        if (kind == CFLRI_LINE_END) break;
        if (scan.n < 2 || scan.n > 3) {
            return cflri_scan_fail_field(&scan, scan.n < 2 ? scan.n : 3,
                                         "source, target and perhaps an index expected, with tabs");
        }
        cflri_field index = scan.n == 3 ? scan.field[2] : (cflri_field){"", 0};
        CFLR_TRY(cflri_edge_reader_add(reader, &scan, (cflri_edge_columns){0, 1, 2}, label, index));
    }
out:
    return st;
}

/* The label that a file name stands for. */
static cflr_status check_file_name(const char *name, const char *path, cflr_error *error) {
    char label[NAME_MAX + 1];
    snprintf(label, sizeof label, "%.*s", (int)(strlen(name) - strlen(ending)), name);
    const char *fault = cflri_label_name_fault(label);
    if (!fault) return CFLR_OK;
    return cflri_fail(error, CFLR_FORMAT, path, "its name is to be that of a label, but %s", fault);
}

/* One .facts file. Names of vertices point into *input, which stays open. The label is that of the
 * file, so the table of labels starts anew with each. */
static cflr_status read_facts(cflri_edge_reader *reader, const char *directory, const char *name,
                              cflri_input *input, cflr_error *error) {
    cflr_context *context = reader->context;
    char *path = join(context, directory, name);
    if (!path) return cflri_fail_memory(context, error);
    cflri_field label = {name, strlen(name) - strlen(ending)};
    cflr_status st = check_file_name(name, path, error);
    if (st == CFLR_OK) st = cflri_input_open(context, path, input, error);
    if (st == CFLR_OK) {
        cflri_field text = {input->size ? input->data : "", input->size};
        st = read_lines(reader, text, label, path, error);
    }
    cflri_edge_reader_forget_labels(reader);
    cflri_free(context, path);
    return st;
}

static void close_inputs(cflr_context *context, cflri_input *inputs, size_t n) {
    for (size_t i = 0; inputs && i < n; i++) cflri_input_close(&inputs[i]);
    cflri_free(context, inputs);
}

/* Reads all files; with names when numbers will not do. */
static cflr_status read_all(cflri_edge_reader *reader, cflr_context *context, const char *path,
                            const listing *found, cflri_input *inputs, cflr_error *error) {
    for (int names = 0;; names++) {
        cflr_status st = cflri_edge_reader_begin(reader, context, &one_file, names, error);
        for (size_t i = 0; i < found->names.n && st == CFLR_OK; i++) {
            cflri_input_close(&inputs[i]); /* of the time before */
            st = read_facts(reader, path, found->names.at[i], &inputs[i], error);
        }
        if (!reader->names_wanted) return st;
    }
}

static cflr_status read_souffle(cflr_context *context, const char *path, cflr_graph **graph,
                                cflr_error *error) {
    listing found;
    cflri_edge_reader reader = {0};
    cflri_input *inputs = NULL;
    cflr_status st = CFLR_OK;
    CFLR_TRY(list(context, path, &found, error));
    if (!found.names.n) {
        st = cflri_fail(error, CFLR_FORMAT, path, "the directory holds no .facts files");
        goto out;
    }
    inputs = cflri_alloc_array_zero(context, found.names.n, sizeof *inputs);
    if (!inputs) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    CFLR_TRY(read_all(&reader, context, path, &found, inputs, error));
    st = cflri_edge_reader_finish(&reader, path, graph, error);
out:
    cflri_edge_reader_free(&reader);
    close_inputs(context, inputs, found.names.n);
    free_listing(context, &found);
    return st;
}

/* ---- writing ---- */

static cflr_status check_label(const cflr_graph *graph, uint32_t label, cflr_error *error) {
    const char *name = cflri_label_name(graph, label);
    if (name[0] != '.' && !strchr(name, '/') && strlen(name) + sizeof ending <= NAME_MAX) {
        return CFLR_OK;
    }
    return cflri_fail(error, CFLR_UNSUPPORTED, NULL,
                      "label '%.60s' cannot be the name of a .facts file", name);
}

/* Opens the file of a label. */
static cflr_status open_facts(const cflr_graph *graph, const char *directory, uint32_t label,
                              cflri_output **output, cflr_error *error) {
    char name[NAME_MAX + 1];
    cflr_status st = check_label(graph, label, error);
    if (st != CFLR_OK) return st;
    snprintf(name, sizeof name, "%s%s", cflri_label_name(graph, label), ending);
    char *path = join(graph->context, directory, name);
    if (!path) return cflri_fail_memory(graph->context, error);
    st = cflri_output_open(graph->context, path, output, error);
    cflri_free(graph->context, path);
    return st;
}

static void write_fact(const cflr_graph *graph, cflri_output *output, const cflri_walk *walk) {
    const char *index = cflri_label_index(graph, walk->label);
    cflri_output_u64(output, walk->source);
    cflri_output_write(output, "\t", 1);
    cflri_output_u64(output, walk->target);
    if (*index) {
        cflri_output_write(output, "\t", 1);
        cflri_output_text(output, index);
    }
    cflri_output_write(output, "\n", 1);
}

static cflr_status write_files(const cflr_graph *graph, const char *directory, cflr_error *error) {
    cflri_walk walk;
    cflri_output *output = NULL;
    uint32_t name = CFLRI_NO_STRING;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_walk_begin(&walk, graph, error));
    while (cflri_walk_next(&walk)) {
        if (graph->label[walk.label].name != name) {
            cflri_output *full = output;
            output = NULL;
            if (full) CFLR_TRY(cflri_output_close(full, error));
            CFLR_TRY(open_facts(graph, directory, walk.label, &output, error));
            name = graph->label[walk.label].name;
        }
        write_fact(graph, output, &walk);
    }
    CFLR_TRY(cflri_walk_stopped(&walk, true, error));
    if (output) {
        cflri_output *full = output;
        output = NULL;
        st = cflri_output_close(full, error);
    }
out:
    cflri_output_abandon(output);
    cflri_walk_end(&walk);
    return st;
}

/* Removes a directory of .facts files, without memory of ours: this also cleans up when there is
 * none. Errors do not matter: what is left has a temporary name. */
static void remove_directory(const char *path) {
    DIR *directory = opendir(path);
    if (!directory) return;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (is_facts(entry->d_name)) unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
    rmdir(path);
}

/* Is there nothing at `path`, or a directory that may be replaced? */
static cflr_status check_target(cflr_context *context, const char *path, bool *there,
                                cflr_error *error) {
    struct stat about;
    *there = lstat(path, &about) == 0;
    if (!*there) return CFLR_OK;
    if (!S_ISDIR(about.st_mode)) {
        return cflri_fail(error, CFLR_IO, path, "there is something else than a directory");
    }
    listing found;
    cflr_status st = list(context, path, &found, error);
    if (st == CFLR_OK && found.others) {
        st = cflri_fail(error, CFLR_IO, path,
                        "not replaced: the directory holds more than .facts files");
    }
    free_listing(context, &found);
    return st;
}

/* As below, in two steps: the old directory steps aside first. For a moment there is none at
 * `path`. */
static cflr_status replace_in_steps(cflr_context *context, const char *made, const char *path,
                                    cflr_error *error) {
    size_t size = strlen(made) + sizeof ".old";
    char *aside = cflri_alloc(context, size);
    cflr_status st = CFLR_OK;
    if (!aside) return cflri_fail_memory(context, error);
    snprintf(aside, size, "%s.old", made);
    if (rename(path, aside) != 0) {
        st = cflri_fail_errno(error, path, errno, "cannot replace");
    } else if (rename(made, path) == 0) {
        remove_directory(aside);
    } else {
        st = cflri_fail_errno(error, path, errno, "cannot create");
        if (rename(aside, path) != 0)
            st = cflri_fail_errno(error, aside, errno, "the old directory is left here");
    }
    cflri_free(context, aside);
    return st;
}

/* Moves the finished directory to `path`. An old one changes names with it, where the file system
 * can do that, and is removed then: at each moment there is a whole one. */
static cflr_status put_in_place(cflr_context *context, const char *made, const char *path,
                                bool there, cflr_error *error) {
    if (!there && rename(made, path) != 0)
        return cflri_fail_errno(error, path, errno, "cannot create");
    if (!there) return CFLR_OK;
    if (renameat2(AT_FDCWD, made, AT_FDCWD, path, RENAME_EXCHANGE) != 0)
        return replace_in_steps(context, made, path, error);
    remove_directory(made);
    return CFLR_OK;
}

static int make_directory(const char *name) {
    return mkdir(name, 0777);
}

static cflr_status write_directory(const cflr_graph *graph, const char *path, cflr_error *error) {
    cflr_context *context = graph->context;
    char *made = NULL;
    int code;
    bool there;
    cflr_status st = CFLR_OK;
    CFLR_TRY(check_target(context, path, &there, error));
    CFLR_TRY(cflri_make_beside(context, path, make_directory, &made, &code, error));
    st = write_files(graph, made, error);
    if (st != CFLR_OK && error)
        error->subject[0] = '\0'; /* the temporary name would mean nothing to the user */
    if (st != CFLR_OK) goto out;
    CFLR_TRY(put_in_place(context, made, path, there, error));
out:
    if (made && st != CFLR_OK) remove_directory(made);
    if (made) cflri_settled_beside(context, made);
    cflri_free(context, made);
    return cflri_name_subject(st, path, error);
}

static cflr_status write_souffle(const cflr_graph *graph, const char *path, cflr_error *error) {
    size_t length = strlen(path);
    if (!graph->n_edges) {
        return cflri_fail(error, CFLR_UNSUPPORTED, NULL, "a graph without edges has no facts");
    }
    while (length > 1 && path[length - 1] == '/') length--;
    char *plain = cflri_copy_text(graph->context, path, length);
    if (!plain) return cflri_fail_memory(graph->context, error);
    cflr_status st = write_directory(graph, plain, error);
    cflri_free(graph->context, plain);
    return st;
}

const cflri_format cflri_format_SOUFFLE = {
    .format = CFLR_GRAPH_SOUFFLE,
    .endings = {".facts", "/"},
    .read_path = read_souffle,
    .write_path = write_souffle,
};
