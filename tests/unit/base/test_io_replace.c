/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_replace.c: what is there already is replaced by something whole or not at all, in every
 * format.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/unit/base/io_support.h"

enum { EDGES = 20000 };

/* In no order that packs well. */
static cflr_graph *make_graph(cflr_context *context) {
    cflr_graph_builder *builder;
    cflr_graph *graph;
    cflr_error error;
    uint32_t label;
    uint64_t state = 1;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "e", NULL, &label, &error));
    for (int i = 0; i < EDGES; i++)
        MUST(cflr_graph_builder_edge(builder, test_random_below(&state, EDGES),
                                     test_random_below(&state, EDGES), label, &error));
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    return graph;
}

/* The old file, or the old directory with one. */
static void make_old(const char *path, cflr_graph_format format) {
    char inner[600];
    if (io_is_directory(format)) cr_assert_eq(mkdir(path, 0700), 0);
    snprintf(inner, sizeof inner, "%s%s", path, io_is_directory(format) ? "/old.facts" : "");
    test_write_file(inner, "old", 3);
    if (!io_is_directory(format)) cr_assert_eq(chmod(path, 0640), 0);
}

static void must_be_old(const char *path, cflr_graph_format format) {
    char inner[600];
    size_t size;
    snprintf(inner, sizeof inner, "%s%s", path, io_is_directory(format) ? "/old.facts" : "");
    char *text = test_read_file(inner, &size);
    cr_assert(size == 3 && memcmp(text, "old", 3) == 0);
    free(text);
}

static void must_be_alone(const char *folder, const char *name) {
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; (entry = readdir(dir));)
        cr_assert(entry->d_name[0] == '.' || strcmp(entry->d_name, name) == 0, "%s is left",
                  entry->d_name);
    closedir(dir);
}

static void must_have_no_signal(void) {
    sigset_t pending;
    cr_assert_eq(sigpending(&pending), 0);
    cr_assert_not(sigismember(&pending, SIGXFSZ));
}

Test(io_replace, a_limit_of_file_sizes) {
    cflr_context *context = test_context();
    cflr_graph *graph = make_graph(context);
    struct rlimit limit = {8192, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_DFL); /* which would end the process */
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (size_t i = 0; i < IO_FORMATS; i++) {
        test_dir dir = test_dir_begin();
        cflr_error error;
        char path[512];
        make_old(test_path(&dir, "out", path), io_format[i]);
        MUST_FAIL(cflr_graph_save(graph, path, io_format[i], &error), CFLR_NO_SPACE);
        must_be_old(path, io_format[i]);
        must_be_alone(dir.path, "out");
        must_have_no_signal();
        test_dir_end(&dir);
    }
    cflr_graph_free(graph);
    test_context_end(context);
}

/* A folder that may not be written; root is not kept from it. */
Test(io_replace, an_unwritable_folder) {
    cflr_context *context = test_context();
    cflr_graph *graph = make_graph(context);
    for (size_t i = 0; i < IO_FORMATS; i++) {
        test_dir dir = test_dir_begin();
        cflr_error error;
        char path[512];
        make_old(test_path(&dir, "out", path), io_format[i]);
        cr_assert_eq(chmod(dir.path, 0555), 0);
        uid_t user = geteuid();
        if (user == 0) cr_assert_eq(seteuid(65534), 0);
        MUST_FAIL(cflr_graph_save(graph, path, io_format[i], &error), CFLR_IO);
        if (user == 0) cr_assert_eq(seteuid(0), 0);
        cr_assert_eq(chmod(dir.path, 0755), 0);
        must_be_old(path, io_format[i]);
        must_be_alone(dir.path, "out");
        test_dir_end(&dir);
    }
    cflr_graph_free(graph);
    test_context_end(context);
}

/* A link stays one, a file keeps its permissions. */
Test(io_replace, links_and_permissions) {
    cflr_context *context = test_context();
    cflr_graph *graph = make_graph(context);
    for (size_t i = 0; i < IO_FORMATS; i++) {
        test_dir dir = test_dir_begin();
        cflr_error error;
        struct stat about;
        char path[512], link[512];
        if (io_is_directory(io_format[i])) continue;
        make_old(test_path(&dir, "out", path), io_format[i]);
        cr_assert_eq(symlink("out", test_path(&dir, "link", link)), 0);
        MUST(cflr_graph_save(graph, link, io_format[i], &error));
        cr_assert(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
        cr_assert(lstat(path, &about) == 0 && S_ISREG(about.st_mode));
        cr_assert_eq(about.st_mode & 07777, 0640);
        cr_assert_gt(about.st_size, 3);
        test_dir_end(&dir);
    }
    cflr_graph_free(graph);
    test_context_end(context);
}

/* No database takes the place of a device. */
Test(io_replace, devices) {
    cflr_context *context = test_context();
    cflr_graph *graph = make_graph(context);
    test_dir dir = test_dir_begin();
    cflr_error error;
    struct stat about;
    char path[512];
    cr_assert_eq(mkfifo(test_path(&dir, "fifo", path), 0600), 0);
    MUST_FAIL(cflr_graph_save(graph, path, CFLR_GRAPH_SQLITE, &error), CFLR_IO);
    MUST_FAIL(cflr_graph_save(graph, path, CFLR_GRAPH_SOUFFLE, &error), CFLR_IO);
    cr_assert(lstat(path, &about) == 0 && S_ISFIFO(about.st_mode));
    must_be_alone(dir.path, "fifo");
    test_dir_end(&dir);
    cflr_graph_free(graph);
    test_context_end(context);
}
