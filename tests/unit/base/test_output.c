/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffered writer: what it writes, and that a target is replaced whole or not at all.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/files/codec.h"
#include "base/files/held.h"
#include "base/files/stream.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

static unsigned files_in(const char *path) {
    unsigned n = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry; (entry = readdir(dir));) n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

static void must_hold(const char *path, const char *text, size_t size) {
    size_t found;
    char *data = test_read_file(path, &found);
    cr_assert_eq(found, size, "%zu bytes, not %zu", found, size);
    cr_assert_eq(memcmp(data, text, size), 0);
    free(data);
}

/* Opens, writes a text, closes; returns the status of the first failure. */
static cflr_status write_text(cflr_context *context, const char *path, const char *text,
                              cflr_error *error) {
    cflri_output *output;
    cflr_status st = cflri_output_open(context, path, &output, error);
    if (st != CFLR_OK) return st;
    cflri_output_text(output, text);
    return cflri_output_close(output, error);
}

Test(output, every_kind_of_write) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_output *output;
    char path[512];
    MUST(cflri_output_open(context, test_path(&dir, "file", path), &output, &error));
    cflri_output_text(output, "a\n");
    cflri_output_write(output, "b\0c", 3);
    cflri_output_write(output, NULL, 0);
    cflri_output_printf(output, "%d %s\n", -3, "x");
    cflri_output_u64(output, 0);
    cflri_output_text(output, " ");
    cflri_output_u64(output, 1234567890);
    cflri_output_text(output, " ");
    cflri_output_u64(output, UINT64_MAX);
    cr_assert_eq(files_in(dir.path), 1);
    cr_assert_neq(access(path, F_OK), 0, "the target is not there before closing");
    MUST(cflri_output_close(output, &error));
    static const char expected[] = "a\nb\0c-3 x\n0 1234567890 18446744073709551615";
    must_hold(path, expected, sizeof expected - 1);
    cr_assert_eq(files_in(dir.path), 1);
    test_dir_end(&dir);
    test_context_end(context);
}

/* Pieces of all sizes around the buffer's, plain and packed, against the same bytes in memory. */
Test(output, pieces_of_all_sizes) {
    static const size_t sizes[] = {1, 131071, 1, 131072, 131073, 2, 400000, 0, 65536, 65536, 7};
    enum { MOST = 2000000 };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    char *all = malloc(MOST), path[512];
    for (int packed = 0; packed < 2; packed++) {
        cflri_output *output;
        size_t n = 0;
        uint64_t state = 1;
        test_path(&dir, packed ? "file.zst" : "file", path);
        MUST(cflri_output_open(context, path, &output, &error));
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (size_t at = 0; at < sizes[i]; at++)
                all[n + at] = "abcde"[test_random_below(&state, 5)];
            cflri_output_write(output, all + n, sizes[i]);
            n += sizes[i];
        }
        MUST(cflri_output_close(output, &error));
        cflri_input input;
        MUST(cflri_input_open(context, path, &input, &error));
        cr_assert_eq(input.size, n);
        cr_assert_eq(memcmp(input.data, all, n), 0);
        cflri_input_close(&input);
    }
    size_t plain, small;
    free(test_read_file(test_path(&dir, "file", path), &plain));
    free(test_read_file(test_path(&dir, "file.zst", path), &small));
    cr_assert_lt(small, plain / 2);
    free(all);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, packed_bytes_depend_on_the_input_only) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    char path[2][512];
    size_t size[2];
    char *data[2];
    for (int i = 0; i < 2; i++) {
        cflri_output *output;
        test_path(&dir, i ? "a.zst" : "b.zst", path[i]);
        MUST(cflri_output_open(context, path[i], &output, &error));
        for (int line = 0; line < 50000; line++)
            cflri_output_printf(output, "%d\t%d\n", line, line / 3);
        MUST(cflri_output_close(output, &error));
        data[i] = test_read_file(path[i], &size[i]);
    }
    cr_assert_eq(size[0], size[1]);
    cr_assert_eq(memcmp(data[0], data[1], size[0]), 0);
    free(data[0]);
    free(data[1]);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, long_formats) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_output *output;
    char path[512], *text = malloc(300001);
    MUST(cflri_output_open(context, test_path(&dir, "file", path), &output, &error));
    size_t expected = 0;
    static const int sizes[] = {510, 511, 512, 513, 131072, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(text, 'a' + (int)i, (size_t)sizes[i]);
        text[sizes[i]] = '\0';
        cflri_output_printf(output, "%s", text);
        expected += (size_t)sizes[i];
    }
    MUST(cflri_output_close(output, &error));
    size_t size;
    char *data = test_read_file(path, &size);
    cr_assert_eq(size, expected);
    size_t at = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int k = 0; k < sizes[i]; k++) cr_assert_eq(data[at++], 'a' + (int)i);
    }
    free(data);
    free(text);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, json_strings) {
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"plain text", "\"plain text\""},
        {"a\"b\\c/d", "\"a\\\"b\\\\c/d\""},
        {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"\xc2\x80\xc2\x9f\xc2\xa0", "\"\\u0080\\u009f\xc2\xa0\""},
        {"\xe2\x80\xae\xe2\x81\xa9\xd8\x9c\xe2\x80\xaf", "\"\\u202e\\u2069\\u061c\xe2\x80\xaf\""},
        /* the first and last of each length */
        {"\xc2\xa0\xdf\xbf", "\"\xc2\xa0\xdf\xbf\""},
        {"\xe0\xa0\x80\xef\xbf\xbf", "\"\xe0\xa0\x80\xef\xbf\xbf\""},
        {"\xed\x9f\xbf\xee\x80\x80", "\"\xed\x9f\xbf\xee\x80\x80\""},
        {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\""},
        /* a byte that begins or goes on with nothing, one replacement each */
        {"\x80", "\"\xef\xbf\xbd\""},
        {"a\xff!", "\"a\xef\xbf\xbd!\""},
        {"\xc3", "\"\xef\xbf\xbd\""},
        {"\xc3\"", "\"\xef\xbf\xbd\\\"\""},
        {"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf0\x90\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        /* longer than needed, a surrogate, above 10FFFF */
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xc1\xbf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xe0\x9f\xbf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf0\x8f\xbf\xbf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf5\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    };
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    char path[512];
    test_path(&dir, "file", path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflri_output *output;
        MUST(cflri_output_open(context, path, &output, &error));
        cflri_output_json(output, cases[i].text);
        MUST(cflri_output_close(output, &error));
        must_hold(path, cases[i].json, strlen(cases[i].json));
    }
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, replaces_and_keeps_permissions_and_links) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    struct stat about;
    char path[512], link[512];
    test_write_file(test_path(&dir, "file", path), "old", 3);
    cr_assert_eq(chmod(path, 0640), 0);
    cr_assert_eq(symlink("file", test_path(&dir, "link", link)), 0);
    MUST(write_text(context, link, "new", &error));
    must_hold(path, "new", 3);
    cr_assert_eq(lstat(link, &about), 0);
    cr_assert(S_ISLNK(about.st_mode));
    cr_assert_eq(stat(path, &about), 0);
    cr_assert_eq(about.st_mode & 07777, 0640);
    cr_assert_eq(files_in(dir.path), 2);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, abandoned_leaves_the_target) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_output *output;
    char path[512];
    test_write_file(test_path(&dir, "file.zst", path), "old", 3);
    MUST(cflri_output_open(context, path, &output, &error));
    for (int i = 0; i < 100000; i++) cflri_output_text(output, "new text");
    cflri_output_abandon(output);
    must_hold(path, "old", 3);
    cr_assert_eq(files_in(dir.path), 1);
    cflri_output_abandon(NULL);
    test_dir_end(&dir);
    test_context_end(context);
}

/* Two writers of one path do not meet; the last to close wins. A left-over name is no obstacle. */
Test(output, two_writers_of_one_path) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_output *a, *b;
    char path[512], left_over[640];
    test_path(&dir, "file", path);
    snprintf(left_over, sizeof left_over, "%s.tmp.%ld", path, (long)getpid());
    test_write_file(left_over, "x", 1);
    MUST(cflri_output_open(context, path, &a, &error));
    MUST(cflri_output_open(context, path, &b, &error));
    cflri_output_text(a, "a");
    cflri_output_text(b, "b");
    MUST(cflri_output_close(b, &error));
    must_hold(path, "b", 1);
    MUST(cflri_output_close(a, &error));
    must_hold(path, "a", 1);
    must_hold(left_over, "x", 1);
    cr_assert_eq(files_in(dir.path), 2);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, what_cannot_be_opened) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    char path[512];
    MUST_FAIL(write_text(context, test_path(&dir, "no/file", path), "x", &error), CFLR_IO);
    cr_assert_eq(error.system_error, ENOENT);
    cr_assert_str_eq(error.subject, path);
    MUST_FAIL(write_text(context, dir.path, "x", &error), CFLR_IO);
    cr_assert_eq(error.system_error, EISDIR);
    cr_assert_eq(files_in(dir.path), 0);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, devices_are_written_directly) {
    cflr_context *context = test_context();
    cflr_error error;
    struct stat about;
    MUST(write_text(context, "/dev/null", "x", &error));
    cr_assert_eq(stat("/dev/null", &about), 0);
    cr_assert(S_ISCHR(about.st_mode));
    MUST_FAIL(write_text(context, "/dev/full", "x", &error), CFLR_NO_SPACE);
    cr_assert_str_eq(error.subject, "/dev/full");
    test_context_end(context);
}

/* The first failure is the one that is reported, and later writes do nothing. */
Test(output, errors_stick) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflri_output *output;
    MUST(cflri_output_open(context, "/dev/full", &output, &error));
    for (int i = 0; i < 100000; i++) cflri_output_printf(output, "%d\n", i);
    cflri_output_json(output, "text");
    MUST_FAIL(cflri_output_close(output, &error), CFLR_NO_SPACE);
    cr_assert_eq(error.system_error, ENOSPC);
    MUST(cflri_output_open(context, "/dev/full", &output, &error));
    cflri_output_text(output, "x");
    cr_assert_eq(cflri_output_close(output, NULL), CFLR_NO_SPACE);
    test_context_end(context);
}

/* The signal of a write is gone with the failure, and the thread handles it as before. */
static void must_have_no_signal(int signal_number) {
    sigset_t pending, mask;
    cr_assert_eq(sigpending(&pending), 0);
    cr_assert_eq(pthread_sigmask(SIG_SETMASK, NULL, &mask), 0);
    cr_assert_not(sigismember(&pending, signal_number));
    cr_assert_not(sigismember(&mask, signal_number));
}

/* A file that may not grow: the old one stays, and nothing is left beside it. */
Test(output, failure_leaves_the_target) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_output *output;
    char path[512];
    test_write_file(test_path(&dir, "file", path), "old", 3);
    signal(SIGXFSZ, SIG_DFL); /* which would end the process */
    struct rlimit limit = {1 << 20, 1 << 20};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    MUST(cflri_output_open(context, path, &output, &error));
    for (int i = 0; i < 400000; i++) cflri_output_text(output, "new text");
    MUST_FAIL(cflri_output_close(output, &error), CFLR_NO_SPACE);
    cr_assert_eq(error.system_error, EFBIG);
    must_have_no_signal(SIGXFSZ);
    must_hold(path, "old", 3);
    cr_assert_eq(files_in(dir.path), 1);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, standard_output) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    char path[512];
    int fd = open(test_path(&dir, "file", path), O_WRONLY | O_CREAT, 0600);
    int keep = dup(STDOUT_FILENO);
    fflush(stdout);
    cr_assert_eq(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    cflr_status first = write_text(context, "-", "one ", &error);
    cflr_status second = write_text(context, "-", "two", &error);
    dup2(keep, STDOUT_FILENO);
    cr_assert_eq(first, CFLR_OK);
    cr_assert_eq(second, CFLR_OK, "it stays open");
    must_hold(path, "one two", 7);
    close(fd);
    test_dir_end(&dir);
    test_context_end(context);
}

Test(output, a_pipe_that_nobody_reads) {
    cflr_context *context = test_context();
    cflr_error error;
    int ends[2], keep = dup(STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    fflush(stdout);
    cr_assert_eq(pipe(ends), 0);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    cflr_status st = write_text(context, "-", "x", &error);
    dup2(keep, STDOUT_FILENO);
    cr_assert_eq(st, CFLR_IO);
    cr_assert_eq(error.system_error, EPIPE);
    cr_assert_str_eq(error.subject, "standard output");
    must_have_no_signal(SIGPIPE);
    test_context_end(context);
}

/* What a program does that is killed: nothing is left of what was being written. */
Test(output, dropped_at_the_end) {
    enum { MANY = 40 }; /* more than are listed, the later ones included */
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    cflri_output *output[4];
    char path[512];
    for (int i = 0; i < MANY; i++)
        MUST(write_text(context, test_path(&dir, "old", path), "old", &error));
    for (int i = 0; i < 4; i++) {
        MUST(cflri_output_open(context, test_path(&dir, i ? "new" : "old", path), &output[i],
                               &error));
        cflri_output_text(output[i], "new");
    }
    cr_assert_eq(files_in(dir.path), 5);
    cflr_output_drop_all();
    cr_assert_eq(files_in(dir.path), 1);
    must_hold(test_path(&dir, "old", path), "old", 3);
    for (int i = 0; i < 4; i++) cflri_output_abandon(output[i]);
    test_dir_end(&dir);
    test_context_end(context);
}

/* A signal that another process sent, and the thread holds back, is not taken away. */
Test(output, signals_of_others_stay) {
    cflri_held outer, inner;
    sigset_t pending;
    outer = cflri_hold_write_signals();
    raise(SIGPIPE);
    inner = cflri_hold_write_signals();
    raise(SIGXFSZ);
    cflri_release_write_signals(&inner);
    cr_assert_eq(sigpending(&pending), 0);
    cr_assert(sigismember(&pending, SIGPIPE) && !sigismember(&pending, SIGXFSZ));
    cflri_release_write_signals(&outer);
    must_have_no_signal(SIGPIPE);
}

/* Partial results must get out. */
Test(output, writes_after_cancellation) {
    cflr_context *context = test_context();
    test_dir dir = test_dir_begin();
    cflr_error error;
    char path[512];
    cflr_context_cancel(context);
    MUST(write_text(context, test_path(&dir, "file.zst", path), "x", &error));
    test_dir_end(&dir);
    test_context_end(context);
}

static cflr_status write_all(cflr_context *context, void *user, cflr_error *error) {
    cflri_output *output;
    cflr_status st = cflri_output_open(context, user, &output, error);
    if (st != CFLR_OK) return st;
    for (int i = 0; i < 2000; i++) cflri_output_printf(output, "%d:%0600d\n", i, i % 10);
    return cflri_output_close(output, error);
}

Test(output, allocation_failures) {
    test_dir dir = test_dir_begin();
    char path[512];
    fail_alloc_sweep(write_all, (void *)(uintptr_t) "/dev/null");
    test_write_file(test_path(&dir, "file.zst", path), "old", 3);
    fail_alloc_sweep(write_all, path);
    cr_assert_eq(files_in(dir.path), 1);
    test_dir_end(&dir);
}

/* Every single allocation of opening, a little writing and closing. */
static cflr_status write_little(cflr_context *context, void *user, cflr_error *error) {
    cflri_output *output;
    cflr_status st = cflri_output_open(context, user, &output, error);
    if (st != CFLR_OK) return st;
    cflri_output_printf(output, "%0700d", 1);
    return cflri_output_close(output, error);
}

Test(output, allocation_failures_one_by_one) {
    test_dir dir = test_dir_begin();
    char path[512], link[512];
    test_write_file(test_path(&dir, "file.zst", path), "old", 3);
    cr_assert_eq(symlink("file.zst", test_path(&dir, "link.zst", link)), 0);
    cr_assert_gt(fail_alloc_sweep(write_little, link), 6);
    cr_assert_eq(files_in(dir.path), 2);
    test_dir_end(&dir);
}
