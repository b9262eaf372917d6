/* SPDX-License-Identifier: Apache-2.0
 *
 * streams.c: streams and what they make and fill, scanning, conversions that a program adds to
 * printf, and names of temporary files (stdio.h, wchar.h, printf.h).
 */
#include <fcntl.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "expect.h"

/* Names that headers of some versions and settings use, and what C11 took away. */
char *gets(char *line);
ssize_t __getdelim(char **line, size_t *size, int end, FILE *stream);
int __asprintf(char **text, const char *format, ...);
int __asprintf_chk(char **text, int flag, const char *format, ...);
int __vasprintf_chk(char **text, int flag, const char *format, va_list arguments);
int __isoc99_scanf(const char *format, ...);
int __isoc99_fscanf(FILE *stream, const char *format, ...);
int __isoc99_sscanf(const char *text, const char *format, ...);
int __isoc99_wscanf(const wchar_t *format, ...);
int __isoc99_fwscanf(FILE *stream, const wchar_t *format, ...);
int __isoc99_swscanf(const wchar_t *text, const wchar_t *format, ...);
char *__fgets_chk(char *line, size_t size, int n, FILE *stream);
char *__fgets_unlocked_chk(char *line, size_t size, int n, FILE *stream);
wchar_t *__fgetws_chk(wchar_t *line, size_t size, int n, FILE *stream);
wchar_t *__fgetws_unlocked_chk(wchar_t *line, size_t size, int n, FILE *stream);
char *__gets_chk(char *line, size_t size);

static char path[] = "/tmp/cflr-stream-XXXXXX";
static char words[] = "word word word word\nline\nline\nline\nline\nline\n";

/* Makes the file that the functions below read. */
static bool make_file(void) {
    int file = mkstemp(path);
    if (file < 0) return false;
    bool made = write(file, words, sizeof words - 1) == (ssize_t)sizeof words - 1;
    close(file);
    return made;
}

static FILE *reader(void) {
    FILE *stream = fopen(path, "r");
    if (!stream) abort();
    return stream;
}

static void opening(void) {
    FILE *a = fopen(path, "r"), *b = fopen64(path, "r"), *c = fdopen(open(path, O_RDONLY), "r");
    FRESH(a);
    FRESH(b);
    FRESH(c);
    APART(a, b);
    APART(b, c);
    FILE *d = freopen64(path, "r", a);
    SAME(d, a);
    FILE *e = tmpfile64();
    if (e) FRESH(e);
    FILE *f = popen("exit", "r");
    if (f) FRESH(f);
    if (e) fclose(e);
    if (f) pclose(f);
    fclose(b);
    fclose(c);
    fclose(d);
}

/* ---- lines ---- */

static void lines(void) {
    FILE *stream = reader();
    char line[64];
    char *a = fgets_unlocked(line, sizeof line, stream);
    char *b = __fgets_chk(line, sizeof line, sizeof line, stream);
    char *c = __fgets_unlocked_chk(line, sizeof line, sizeof line, stream);
    POINTS_TO(a, line);
    POINTS_TO(b, line);
    POINTS_TO(c, line);
    char *d = NULL, *e = NULL;
    size_t nd = 0, ne = 0;
    if (getdelim(&d, &nd, '\n', stream) < 0) return;
    if (__getdelim(&e, &ne, '\n', stream) < 0) return;
    FRESH(d);
    FRESH(e);
    APART(d, e);
    free(d);
    free(e);
    fclose(stream);
}

static void wide_lines(void) {
    FILE *stream = reader();
    wchar_t line[64];
    wchar_t *a = fgetws(line, 64, stream);
    wchar_t *b = fgetws_unlocked(line, 64, stream);
    wchar_t *c = __fgetws_chk(line, 64, 64, stream);
    wchar_t *d = __fgetws_unlocked_chk(line, 64, 64, stream);
    POINTS_TO(a, line);
    POINTS_TO(b, line);
    POINTS_TO(c, line);
    POINTS_TO(d, line);
    fclose(stream);
}

/* ---- scanning ---- */

static void scanning(void) {
    FILE *stream = reader();
    const char *format = "%ms"; /* clang knows this only as an extension */
    char *a = NULL, *b = NULL, *c = NULL;
    if (fscanf(stream, format, &a) != 1) return;
    if (__isoc99_fscanf(stream, format, &b) != 1) return;
    if (__isoc99_sscanf(words, format, &c) != 1) return;
    FRESH(a);
    FRESH(b);
    FRESH(c);
    APART(a, b);
    APART(b, c);
    free(a);
    free(b);
    free(c);
    fclose(stream);
}

static void wide_scanning(void) {
    FILE *stream = reader();
    const wchar_t *format = L"%mls";
    wchar_t *a = NULL, *b = NULL, *c = NULL;
    if (fwscanf(stream, format, &a) != 1) return;
    if (__isoc99_fwscanf(stream, format, &b) != 1) return;
    if (__isoc99_swscanf(L"word", format, &c) != 1) return;
    FRESH(a);
    FRESH(b);
    FRESH(c);
    APART(a, b);
    APART(b, c);
    free(a);
    free(b);
    free(c);
    fclose(stream);
}

static void standard_input(void) {
    if (!freopen(path, "r", stdin)) return;
    const char *format = "%ms";
    char *a = NULL, *b = NULL, line[64];
    if (scanf(format, &a) != 1) return;
    if (__isoc99_scanf(format, &b) != 1) return;
    FRESH(a);
    FRESH(b);
    APART(a, b);
    char *c = gets(line);
    char *d = __gets_chk(line, sizeof line);
    POINTS_TO(c, line);
    POINTS_TO(d, line);
    free(a);
    free(b);
}

static void wide_standard_input(void) {
    if (!freopen(path, "r", stdin)) return;
    const wchar_t *format = L"%mls";
    wchar_t *a = NULL, *b = NULL;
    if (wscanf(format, &a) != 1) return;
    if (__isoc99_wscanf(format, &b) != 1) return;
    FRESH(a);
    FRESH(b);
    APART(a, b);
    free(a);
    free(b);
}

/* ---- printing ---- */

static char *list_printed, *list_printed_checked;

static void print_list(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    if (vasprintf(&list_printed, format, arguments) < 0) list_printed = NULL;
    if (__vasprintf_chk(&list_printed_checked, 1, format, again) < 0) list_printed_checked = NULL;
    va_end(again);
    va_end(arguments);
}

static void printing(void) {
    print_list("%d", 1);
    char *a = list_printed, *b = list_printed_checked, *c = NULL, *d = NULL;
    if (__asprintf(&c, "%d", 1) < 0 || __asprintf_chk(&d, 1, "%d", 1) < 0) return;
    FRESH(a);
    FRESH(b);
    FRESH(c);
    FRESH(d);
    APART(a, b);
    APART(c, d);
    free(a);
    free(b);
    free(c);
    free(d);
}

static const struct printf_info *seen_info, *counted_info;
static const void *const *seen_arguments;
static int *seen_types;
static FILE *seen_stream;

static int print_own(FILE *stream, const struct printf_info *info, const void *const *arguments) {
    seen_stream = stream;
    seen_info = info;
    seen_arguments = arguments;
    return 0;
}

static int count_own(const struct printf_info *info, size_t n, int *types, int *sizes) {
    counted_info = info;
    seen_types = types;
    if (n > 0) types[0] = PA_INT;
    if (n > 0) sizes[0] = sizeof(int);
    return 1;
}

static const struct printf_info *old_info, *old_counted;

static int print_old(FILE *stream, const struct printf_info *info, const void *const *arguments) {
    old_info = arguments && stream ? info : NULL;
    return 0;
}

static int count_old(const struct printf_info *info, size_t n, int *types) {
    old_counted = info;
    if (n > 0) types[0] = PA_INT;
    return 1;
}

static void *own_memory;
static va_list *own_list;

static void take_own(void *memory, va_list *arguments) {
    own_memory = memory;
    own_list = arguments;
    *(int *)memory = va_arg(*arguments, int);
}

static int own_type;

static int count_typed(const struct printf_info *info, size_t n, int *types, int *sizes) {
    counted_info = info;
    if (n > 0) types[0] = own_type;
    if (n > 0) sizes[0] = sizeof(int);
    return 1;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void conversions(void) {
    if (register_printf_specifier('W', print_own, count_own)) return;
    if (register_printf_function('Y', print_old, count_old)) return;
    own_type = register_printf_type(take_own);
    if (own_type < 0 || register_printf_specifier('V', print_own, count_typed)) return;
    const char *format = "%W %Y %V"; /* not literal: the compiler knows no such conversions */
    char space[64];
    snprintf(space, sizeof space, format, 1, 2, 3);
    FILE *a = seen_stream;
    const struct printf_info *b = seen_info, *c = counted_info, *d = old_info, *e = old_counted;
    const void *const *f = seen_arguments;
    int *g = seen_types;
    void *h = own_memory;
    va_list *i = own_list;
    KNOWN(a);
    KNOWN(b);
    KNOWN(c);
    KNOWN(d);
    KNOWN(e);
    KNOWN(f);
    KNOWN(g);
    KNOWN(h);
    KNOWN(i);
}

/* ---- names of files ---- */

static void names(void) {
    char space[L_tmpnam], pattern[] = "/tmp/cflr-XXXXXX", terminal[L_ctermid], user[L_cuserid];
    char *a = tmpnam(space);
    char *b = tmpnam(NULL);
    char *c = tmpnam_r(space);
    char *d = tempnam("/tmp", "cflr");
    char *e = mktemp(pattern);
    POINTS_TO(a, space);
    KNOWN(b);
    POINTS_TO(c, space);
    FRESH(d);
    POINTS_TO(e, pattern);
    char *f = ctermid(terminal);
    char *g = ctermid(NULL);
    char *h = cuserid(user);
    POINTS_TO(f, terminal);
    KNOWN(g);
    if (h) POINTS_TO(h, user);
    free(d);
}

void run_streams(void);
void run_streams(void) {
    if (!make_file()) return;
    opening();
    lines();
    wide_lines();
    scanning();
    wide_scanning();
    standard_input();
    wide_standard_input();
    remove(path);
    printing();
    conversions();
    names();
}
