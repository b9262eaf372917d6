/* SPDX-License-Identifier: Apache-2.0
 *
 * text.c: the rarer functions on text, vectors of strings, wide characters, and the names that
 * headers and -D_FORTIFY_SOURCE give to the common ones (string.h, argz.h, envz.h, wchar.h).
 */
#include <argz.h>
#include <envz.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "expect.h"

/* Names for headers and compilers, which no header declares for programs. */
void *__mempcpy(void *to, const void *from, size_t n);
char *__stpcpy(char *to, const char *from);
char *__stpncpy(char *to, const char *from, size_t n);
char *__strdup(const char *text);
char *__strndup(const char *text, size_t n);
char *__strtok_r(char *text, const char *ends, char **state);
void *__rawmemchr(const void *text, int c);
char *__xpg_basename(char *path);
void *__memcpy_chk(void *to, const void *from, size_t n, size_t size);
void *__memmove_chk(void *to, const void *from, size_t n, size_t size);
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size);
void *__memset_chk(void *to, int c, size_t n, size_t size);
char *__strcpy_chk(char *to, const char *from, size_t size);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t size);
char *__strcat_chk(char *to, const char *from, size_t size);
char *__strncat_chk(char *to, const char *from, size_t n, size_t size);
char *__stpcpy_chk(char *to, const char *from, size_t size);
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size);
wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size);
wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size);
wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t size);
wchar_t *__wcpncpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size);
wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size);
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size);
wchar_t *__wmempcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t size);
wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t size);

static int one;

static void messages(void) {
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *a = strerror_l(1, locale);
    const char *b = strerrordesc_np(1), *c = strerrordesc_np(1);
    const char *d = strerrorname_np(1), *e = strerrorname_np(1);
    const char *f = sigabbrev_np(SIGINT), *g = sigabbrev_np(SIGINT);
    const char *h = sigdescr_np(SIGINT), *i = sigdescr_np(SIGINT);
    KNOWN(a);
    KNOWN(b);
    SAME(b, c);
    SAME(d, e);
    SAME(f, g);
    SAME(h, i);
    APART(b, d);
    freelocale(locale);
}

static void shaking(void) {
    char text[8] = "text", path[16] = "/usr/lib";
    char *a = strfry(text);
    void *b = memfrob(text, 4);
    char *c = (basename)(path);
    char *d = __xpg_basename(path);
    char *e = __xpg_basename(NULL);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, path);
    POINTS_TO(d, path);
    KNOWN(e);
    int *from[2] = {&one, NULL}, *to[2] = {NULL, NULL};
    int absent = 1;
    while (memchr(from, absent, sizeof from)) absent++;
    void *f = memccpy(to, from, absent, sizeof to);
    int *g = to[0];
    if (f) POINTS_TO(f, to);
    POINTS_TO(g, one);
}

/* ---- vectors of strings ---- */

static void vectors(void) {
    char first[] = "a", *words[] = {first, NULL}, *a = NULL;
    size_t n = 0;
    if (argz_create(words, &a, &n)) return;
    FRESH(a);
    char *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL;
    size_t nb = 0, nc = 0, nd = 0, ne = 0, nf = 0;
    argz_add(&b, &nb, "x");
    argz_add_sep(&c, &nc, "x:y", ':');
    argz_append(&d, &nd, a, n);
    argz_add(&e, &ne, "x");
    argz_insert(&e, &ne, e, "before");
    argz_add(&f, &nf, "x");
    argz_replace(&f, &nf, "x", "longer", NULL);
    FRESH(b);
    FRESH(c);
    FRESH(d);
    FRESH(e);
    FRESH(f);
    APART(a, b);
    APART(c, d);
    char *list[] = {a, b, c, d, e, f};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) free(list[i]);
}

static void settings(void) {
    char *a = NULL, *b = NULL;
    size_t na = 0, nb = 0;
    if (envz_add(&a, &na, "name", "value") || envz_merge(&b, &nb, a, na, 0)) return;
    FRESH(a);
    FRESH(b);
    APART(a, b);
    char space[] = "name=value";
    char *c = envz_entry(space, sizeof space, "name");
    char *d = envz_get(space, sizeof space, "name");
    POINTS_TO(c, space);
    POINTS_TO(d, space);
    free(a);
    free(b);
}

/* ---- wide characters ---- */

static void wide_copying(void) {
    wchar_t to[64] = L"", from[8] = L"from";
    wchar_t *a = wcpcpy(to, from);
    wchar_t *b = wcpncpy(to, from, 3);
    wchar_t *c = wcscat(to, from);
    wchar_t *d = wcsncat(to, from, 2);
    wchar_t *e = wcsncpy(to, from, 3);
    wchar_t *f = wmemmove(to, from, 3);
    wchar_t *g = wmempcpy(to, from, 3);
    wchar_t *h = wmemset(to, L'x', 3);
    POINTS_TO(a, to);
    POINTS_TO(b, to);
    POINTS_TO(c, to);
    POINTS_TO(d, to);
    POINTS_TO(e, to);
    POINTS_TO(f, to);
    POINTS_TO(g, to);
    POINTS_TO(h, to);
}

static void wide_searching(void) {
    wchar_t text[16] = L"key=value", other[4] = L"=";
    wchar_t *a = wcschrnul(text, L'?');
    wchar_t *b = wcspbrk(text, other);
    wchar_t *c = wcsrchr(text, L'e');
    wchar_t *d = wcswcs(text, other);
    wchar_t *e = wmemchr(text, L'=', 9);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const wctrans_t f = wctrans("toupper"), g = wctrans("toupper");
    const wctrans_t h = wctrans_l("toupper", locale);
    SAME(f, g);
    KNOWN(f);
    KNOWN(h);
    freelocale(locale);
}

static void wide_streams(void) {
    wchar_t *a = NULL, *b = NULL;
    size_t size = 0;
    FILE *writer = open_wmemstream(&a, &size);
    if (!writer) return;
    FRESH(writer);
    fputws(L"x", writer);
    fclose(writer);
    FRESH(a);
    if (swscanf(L"word", L"%mls", &b) != 1) return;
    FRESH(b);
    APART(a, b);
    free(a);
    free(b);
}

/* ---- other names ---- */

static void names(void) {
    char to[64] = "", from[8] = "from";
    char *a = __mempcpy(to, from, 4);
    char *b = __stpcpy(to, from);
    char *c = __stpncpy(to, from, 3);
    char *d = __strdup(from);
    char *e = __strndup(from, 2);
    char *f = __rawmemchr(from, 'f');
    char *g = NULL;
    char *h = __strtok_r(from, "o", &g);
    POINTS_TO(a, to);
    POINTS_TO(b, to);
    POINTS_TO(c, to);
    FRESH(d);
    FRESH(e);
    APART(d, e);
    POINTS_TO(f, from);
    POINTS_TO(g, from);
    POINTS_TO(h, from);
    free(d);
    free(e);
}

static void checked(void) {
    char to[64] = "", from[8] = "from";
    char *a = __strcpy_chk(to, from, sizeof to);
    char *b = __strncpy_chk(to, from, 3, sizeof to);
    char *c = __strcat_chk(to, from, sizeof to);
    char *d = __strncat_chk(to, from, 3, sizeof to);
    char *e = __stpcpy_chk(to, from, sizeof to);
    char *f = __stpncpy_chk(to, from, 3, sizeof to);
    char *g = __memset_chk(to, 0, sizeof to, sizeof to);
    POINTS_TO(a, to);
    POINTS_TO(b, to);
    POINTS_TO(c, to);
    POINTS_TO(d, to);
    POINTS_TO(e, to);
    POINTS_TO(f, to);
    POINTS_TO(g, to);
}

static void checked_pointers(void) {
    int *from[1] = {&one}, *first[1], *second[1], *third[1];
    int **a = __memcpy_chk(first, from, sizeof from, sizeof first);
    int **b = __memmove_chk(second, from, sizeof from, sizeof second);
    int **c = __mempcpy_chk(third, from, sizeof from, sizeof third);
    int *d = first[0], *e = second[0], *f = third[0];
    POINTS_TO(a, first);
    POINTS_TO(b, second);
    POINTS_TO(c, third);
    POINTS_TO(d, one);
    POINTS_TO(e, one);
    POINTS_TO(f, one);
}

static void checked_wide(void) {
    wchar_t to[64] = L"", from[8] = L"from";
    wchar_t *a = __wcscpy_chk(to, from, 64);
    wchar_t *b = __wcsncpy_chk(to, from, 3, 64);
    wchar_t *c = __wcscat_chk(to, from, 64);
    wchar_t *d = __wcsncat_chk(to, from, 3, 64);
    wchar_t *e = __wcpcpy_chk(to, from, 64);
    wchar_t *f = __wcpncpy_chk(to, from, 3, 64);
    wchar_t *g = __wmemcpy_chk(to, from, 3, 64);
    wchar_t *h = __wmemmove_chk(to, from, 3, 64);
    wchar_t *i = __wmempcpy_chk(to, from, 3, 64);
    wchar_t *j = __wmemset_chk(to, 0, 3, 64);
    POINTS_TO(a, to);
    POINTS_TO(b, to);
    POINTS_TO(c, to);
    POINTS_TO(d, to);
    POINTS_TO(e, to);
    POINTS_TO(f, to);
    POINTS_TO(g, to);
    POINTS_TO(h, to);
    POINTS_TO(i, to);
    POINTS_TO(j, to);
}

void run_text(void);
void run_text(void) {
    messages();
    shaking();
    vectors();
    settings();
    wide_copying();
    wide_searching();
    wide_streams();
    names();
    checked();
    checked_pointers();
    checked_wide();
}
