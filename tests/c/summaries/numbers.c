/* SPDX-License-Identifier: Apache-2.0
 *
 * numbers.c: what reads numbers says where it stopped; what writes them, where they are (stdlib.h,
 * inttypes.h, wchar.h).
 */
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "expect.h"

/* The forms that headers of older C libraries called; no header declares all of them any more. */

long __strtol_internal(const char *text, char **end, int base, int group);
long __strtol_l(const char *text, char **end, int base, locale_t locale);
unsigned long __strtoul_internal(const char *text, char **end, int base, int group);
unsigned long __strtoul_l(const char *text, char **end, int base, locale_t locale);
long long __strtoll_internal(const char *text, char **end, int base, int group);
long long __strtoll_l(const char *text, char **end, int base, locale_t locale);
unsigned long long __strtoull_internal(const char *text, char **end, int base, int group);
unsigned long long __strtoull_l(const char *text, char **end, int base, locale_t locale);
float __strtof_internal(const char *text, char **end, int group);
float __strtof_l(const char *text, char **end, locale_t locale);
double __strtod_internal(const char *text, char **end, int group);
double __strtod_l(const char *text, char **end, locale_t locale);
long double __strtold_internal(const char *text, char **end, int group);
long double __strtold_l(const char *text, char **end, locale_t locale);

/* An own locale: the functions that take one need no other. */
static locale_t plain(void) {
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static void integers(void) {
    char text[] = "1 rest";
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL;
    strtoull(text, &a, 10);
    strtoimax(text, &b, 10);
    strtoumax(text, &c, 10);
    strtoq(text, &d, 10);
    strtouq(text, &e, 10);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
}

static void floating(void) {
    char text[] = "1 rest";
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL;
    strtof(text, &a);
    strtold(text, &b);
    strtof32(text, &c);
    strtof32x(text, &d);
    strtof64(text, &e);
    strtof64x(text, &f);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
}

static void in_a_locale(void) {
    char text[] = "1 rest";
    locale_t locale = plain();
    if (!locale) return;
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, *g = NULL, *h = NULL,
         *i = NULL, *j = NULL, *k = NULL;
    strtol_l(text, &a, 10, locale);
    strtoll_l(text, &b, 10, locale);
    strtoul_l(text, &c, 10, locale);
    strtoull_l(text, &d, 10, locale);
    strtof_l(text, &e, locale);
    strtod_l(text, &f, locale);
    strtold_l(text, &g, locale);
    strtof32_l(text, &h, locale);
    strtof32x_l(text, &i, locale);
    strtof64_l(text, &j, locale);
    strtof64x_l(text, &k, locale);
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
    freelocale(locale);
}

static void internal(void) {
    char text[] = "1 rest";
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, *g = NULL;
    __strtol_internal(text, &a, 10, 0);
    __strtoul_internal(text, &b, 10, 0);
    __strtoll_internal(text, &c, 10, 0);
    __strtoull_internal(text, &d, 10, 0);
    __strtof_internal(text, &e, 0);
    __strtod_internal(text, &f, 0);
    __strtold_internal(text, &g, 0);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
    POINTS_TO(g, text);
}

static void internal_in_a_locale(void) {
    char text[] = "1 rest";
    locale_t locale = plain();
    if (!locale) return;
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, *g = NULL;
    __strtol_l(text, &a, 10, locale);
    __strtoul_l(text, &b, 10, locale);
    __strtoll_l(text, &c, 10, locale);
    __strtoull_l(text, &d, 10, locale);
    __strtof_l(text, &e, locale);
    __strtod_l(text, &f, locale);
    __strtold_l(text, &g, locale);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
    POINTS_TO(g, text);
    freelocale(locale);
}

static void wide_integers(void) {
    wchar_t text[] = L"1 rest";
    wchar_t *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, *g = NULL, *h = NULL;
    wcstol(text, &a, 10);
    wcstoll(text, &b, 10);
    wcstoul(text, &c, 10);
    wcstoull(text, &d, 10);
    wcstoq(text, &e, 10);
    wcstouq(text, &f, 10);
    wcstoimax(text, &g, 10);
    wcstoumax(text, &h, 10);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
    POINTS_TO(g, text);
    POINTS_TO(h, text);
}

static void wide_floating(void) {
    wchar_t text[] = L"1 rest";
    wchar_t *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, *g = NULL;
    wcstof(text, &a);
    wcstod(text, &b);
    wcstold(text, &c);
    wcstof32(text, &d);
    wcstof32x(text, &e);
    wcstof64(text, &f);
    wcstof64x(text, &g);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
    POINTS_TO(g, text);
}

static void wide_in_a_locale(void) {
    wchar_t text[] = L"1 rest";
    locale_t locale = plain();
    if (!locale) return;
    wchar_t *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL, *g = NULL, *h = NULL,
            *i = NULL, *j = NULL, *k = NULL;
    wcstol_l(text, &a, 10, locale);
    wcstoll_l(text, &b, 10, locale);
    wcstoul_l(text, &c, 10, locale);
    wcstoull_l(text, &d, 10, locale);
    wcstof_l(text, &e, locale);
    wcstod_l(text, &f, locale);
    wcstold_l(text, &g, locale);
    wcstof32_l(text, &h, locale);
    wcstof32x_l(text, &i, locale);
    wcstof64_l(text, &j, locale);
    wcstof64x_l(text, &k, locale);
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
    freelocale(locale);
}

/* ---- writing ---- */

static void digits(void) {
    int point, sign;
    char *a = ecvt(1.5, 3, &point, &sign);
    char *b = ecvt(2.5, 3, &point, &sign);
    SAME(a, b);
    KNOWN(a);
    char *c = fcvt(1.5, 3, &point, &sign);
    char *d = fcvt(2.5, 3, &point, &sign);
    SAME(c, d);
    KNOWN(c);
    char *e = qecvt(1.5L, 3, &point, &sign);
    char *f = qecvt(2.5L, 3, &point, &sign);
    SAME(e, f);
    KNOWN(e);
    char *g = qfcvt(1.5L, 3, &point, &sign);
    char *h = qfcvt(2.5L, 3, &point, &sign);
    SAME(g, h);
    KNOWN(g);
    char space[32];
    char *i = qgcvt(1.5L, 3, space);
    POINTS_TO(i, space);
    char *j = l64a(100);
    char *k = l64a(200);
    SAME(j, k);
    KNOWN(j);
}

/* ---- random numbers keep their state where the caller says ---- */

static void states(void) {
    static char first[64], second[64];
    char *a = initstate(1, first, sizeof first);
    KNOWN(a);
    char *b = setstate(second[0] ? second : a);
    POINTS_TO(b, first);
    char *c = initstate(2, second, sizeof second);
    SAME(a, c);
    char *d = setstate(first);
    POINTS_TO(d, second);
    setstate(a);
    unsigned short seed[3] = {1, 2, 3};
    unsigned short *e = seed48(seed);
    unsigned short *f = seed48(seed);
    SAME(e, f);
    KNOWN(e);
}

void run_numbers(void);
void run_numbers(void) {
    integers();
    floating();
    in_a_locale();
    internal();
    internal_in_a_locale();
    wide_integers();
    wide_floating();
    wide_in_a_locale();
    digits();
    states();
}
