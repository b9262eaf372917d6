/* SPDX-License-Identifier: Apache-2.0
 *
 * strings.c: string.h, strings.h, argz.h, wchar.h.
 */
#include <argz.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "expect.h"

static void searching(void) {
    char text[32] = "key=value;last";
    char other[8] = "=";
    char *a = strchr(text, '=');
    char *b = strrchr(text, 'l');
    char *c = strstr(text, other);
    char *d = strpbrk(text, other);
    char *e = strchrnul(text, '?');
    char *f = strcasestr(text, "VALUE");
    char *g = memchr(text, ';', sizeof text);
    char *h = memrchr(text, ';', sizeof text);
    char *i = rawmemchr(text, ';');
    char *j = memmem(text, sizeof text, other, 1);
    char *k = index(text, 'k');
    char *l = rindex(text, 'k');
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
    POINTS_TO(g, text);
    POINTS_TO(h, text);
    POINTS_TO(i, text);
    POINTS_TO(j, text);
    POINTS_TO(k, text);
    POINTS_TO(l, text);
    SAME(a, c);
    SAME(k, l);
    char *o = strchr(other, '=');
    POINTS_TO(o, other);
    APART(c, o);
}

static void copying(void) {
    char to[64] = "", from[16] = "from";
    char *a = strcpy(to, from);
    char *b = strncpy(to, from, 4);
    char *c = strcat(to, from);
    char *d = strncat(to, from, 2);
    char *e = stpcpy(to, from);
    char *f = stpncpy(to, from, 4);
    char *g = memset(to, 0, sizeof to);
    char *source = from;
    POINTS_TO(a, to);
    POINTS_TO(b, to);
    POINTS_TO(c, to);
    POINTS_TO(d, to);
    POINTS_TO(e, to);
    POINTS_TO(f, to);
    POINTS_TO(g, to);
    APART(a, source);
    APART(e, source);
}

static void duplicating(void) {
    char text[8] = "text";
    char *a = strdup(text);
    char *b = strndup(text, 2);
    char *source = text;
    FRESH(a);
    FRESH(b);
    APART(a, b);
    APART(a, source);
    free(a);
    free(b);
}

static void splitting(void) {
    char first[16] = "a b", second[16] = "c,d", third[16] = "e-f";
    char *a = strtok(first, " ");
    char *b = strtok(NULL, " ");
    POINTS_TO(a, first);
    POINTS_TO(b, first);
    char *state = NULL;
    char *c = strtok_r(second, ",", &state);
    char *d = strtok_r(NULL, ",", &state);
    POINTS_TO(c, second);
    POINTS_TO(d, second);
    POINTS_TO(state, second);
    char *rest = third;
    char *e = strsep(&rest, "-");
    POINTS_TO(e, third);
    POINTS_TO(rest, third);
    APART(d, e);
}

static void naming(void) {
    char path[32] = "/usr/lib";
    char *a = dirname(path);
    POINTS_TO(a, path);
    char message[64];
    char *b = strerror_r(0, message, sizeof message);
    char *c = strerror_r(0, message, sizeof message);
    SAME(b, c);
    char *d = strsignal(1);
    char *e = strerror(1);
    APART(d, e);
    KNOWN(b);
    KNOWN(d);
    KNOWN(e);
}

static void vectors(void) {
    char *vector = NULL;
    size_t length = 0;
    argz_create_sep("a:b", ':', &vector, &length);
    FRESH(vector);
    char *a = argz_next(vector, length, NULL);
    SAME(a, vector);
    char *words[4];
    argz_extract(vector, length, words);
    char *b = words[0];
    SAME(b, vector);
    free(vector);
}

static void wide(void) {
    wchar_t text[16] = L"a b", to[16];
    wchar_t *a = wcschr(text, L'a');
    wchar_t *b = wcscpy(to, text);
    wchar_t *c = wcsdup(text);
    wchar_t *d = wmemcpy(to, text, 2);
    wchar_t *e = wcsstr(text, L"b");
    POINTS_TO(a, text);
    POINTS_TO(b, to);
    POINTS_TO(d, to);
    POINTS_TO(e, text);
    FRESH(c);
    APART(a, b);
    wchar_t *state;
    wchar_t *f = wcstok(text, L" ", &state);
    POINTS_TO(f, text);
    POINTS_TO(state, text);
    free(c);
}

void run_strings(void);
void run_strings(void) {
    searching();
    copying();
    duplicating();
    splitting();
    naming();
    vectors();
    wide();
}
