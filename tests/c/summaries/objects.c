/* SPDX-License-Identifier: Apache-2.0
 *
 * objects.c: objects of the library that programs get to see: loaded code, locales and messages,
 * time zones, the environment, patterns, stacks of calls; and atomic operations on pointers.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <langinfo.h>
#include <libintl.h>
#include <link.h>
#include <locale.h>
#include <netdb.h>
#include <nl_types.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expect.h"

/* Names that headers use, and that not all of them declare. */
struct tm *__gmtime_r(const time_t *time, struct tm *result);
locale_t __newlocale(int mask, const char *name, locale_t base);
locale_t __duplocale(locale_t locale);
locale_t __uselocale(locale_t locale);
char *__nl_langinfo_l(nl_item item, locale_t locale);
char *__dgettext(const char *domain, const char *text);
extern char **environ;
char *re_comp(const char *pattern);
char *__dcgettext(const char *domain, const char *text, int category);

/* ---- loaded code ---- */

static int here;

static void loading(void) {
    Dl_info a, b;
    void *c = NULL, *place = &here;
    struct link_map *d = NULL;
    if (!dladdr(place, &a) || !dladdr1(place, &b, &c, RTLD_DL_LINKMAP)) return;
    const char *e = a.dli_fname, *f = b.dli_fname;
    void *g = a.dli_fbase, *h = b.dli_fbase;
    KNOWN(e);
    KNOWN(f);
    KNOWN(g);
    KNOWN(h);
    KNOWN(c);
    void *program = dlopen(NULL, RTLD_NOW);
    if (!program) return;
    if (dlinfo(program, RTLD_DI_LINKMAP, &d) == 0) KNOWN(d);
    void *i = dlmopen(LM_ID_BASE, "libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    if (i) KNOWN(i);
    if (i) dlclose(i);
    dlclose(program);
    void *none = dlopen("/nowhere", RTLD_NOW);
    char *j = dlerror();
    if (!none) KNOWN(j);
}

static void stacks(void) {
    void *places[4] = {NULL};
    int n = backtrace(places, 4);
    if (n < 1) return;
    char **a = backtrace_symbols(places, n);
    if (!a) return;
    char *b = a[0];
    void *c = places[0];
    FRESH(a);
    FRESH(b);
    KNOWN(c);
    free(a);
    const char *d = gnu_get_libc_version(), *e = gnu_get_libc_release();
    KNOWN(d);
    KNOWN(e);
    int *f = &errno, *g = &errno, *h = &h_errno;
    SAME(f, g);
    KNOWN(f);
    KNOWN(h);
}

/* ---- locales and messages ---- */

static void locales(void) {
    locale_t a = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t b = __newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t c = __duplocale(a);
    KNOWN(a);
    KNOWN(b);
    KNOWN(c);
    locale_t d = uselocale(a);
    locale_t e = __uselocale(d);
    SAME(e, a);
    KNOWN(d);
    char *f = nl_langinfo_l(CODESET, a), *g = __nl_langinfo_l(CODESET, a);
    SAME(f, g);
    KNOWN(f);
    const __int32_t **h = __ctype_tolower_loc(), **i = __ctype_toupper_loc();
    const __int32_t *j = *h, *k = *i;
    KNOWN(h);
    KNOWN(i);
    KNOWN(j);
    KNOWN(k);
}

static void messages(void) {
    static char one[] = "one file", many[] = "many files", domain[] = "cflr-none";
    const char *a = __dgettext(domain, one);
    const char *b = dcgettext(domain, one, LC_MESSAGES);
    const char *c = __dcgettext(domain, one, LC_MESSAGES);
    const char *d = dngettext(domain, one, many, 1);
    const char *e = dcngettext(domain, one, many, 2, LC_MESSAGES);
    POINTS_TO(a, one);
    POINTS_TO(b, one);
    POINTS_TO(c, one);
    POINTS_TO(d, one);
    POINTS_TO(e, many);
    const char *f = textdomain(NULL);
    const char *g = bindtextdomain(domain, "/tmp");
    const char *h = bind_textdomain_codeset(domain, "UTF-8");
    KNOWN(f);
    KNOWN(g);
    KNOWN(h);
    nl_catd catalog = catopen("cflr-none", 0);
    const char *i = catgets(catalog, 1, 1, one);
    POINTS_TO(i, one);
}

/* ---- time and the environment ---- */

static void times(void) {
    time_t now = 0;
    char space[64];
    char *a = ctime_r(&now, space);
    POINTS_TO(a, space);
    struct tm first, second, third, fourth;
    struct tm *b = __gmtime_r(&now, &first);
    struct tm *c = localtime_r(&now, &second);
    POINTS_TO(b, first);
    POINTS_TO(c, second);
    third = first;
    fourth = second;
    mktime(&second);
    timegm(&third);
    timelocal(&fourth);
    const char *d = first.tm_zone, *e = second.tm_zone, *f = third.tm_zone, *g = fourth.tm_zone;
    KNOWN(d);
    KNOWN(e);
    KNOWN(f);
    KNOWN(g);
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char text[] = "2001 rest";
    char *h = strptime_l(text, "%Y", &first, locale);
    POINTS_TO(h, text);
    freelocale(locale);
}

static void settings(void) {
    if (setenv("CFLR_EXPECT", "1", 1)) return;
    char **a = environ;
    char *b = environ[0];
    KNOWN(a);
    KNOWN(b);
    unsetenv("CFLR_EXPECT");
}

static void patterns(void) {
    static regoff_t starts[2], ends[2];
    struct re_pattern_buffer pattern = {0};
    struct re_registers registers = {0};
    const char *a = re_compile_pattern("(", 1, &pattern);
    re_set_registers(&pattern, &registers, 2, starts, ends);
    regoff_t *b = registers.start, *c = registers.end;
    if (a) KNOWN(a);
    POINTS_TO(b, starts);
    POINTS_TO(c, ends);
    regfree(&pattern);
    const char *d = re_comp("\\(");
    if (d) KNOWN(d);
}

/* ---- atomic operations ---- */

static int one, two, three;

static void atomics(void) {
    int *_Atomic slot = &one;
    int *a = atomic_load(&slot), *b = atomic_load_explicit(&slot, memory_order_relaxed);
    POINTS_TO(a, one);
    POINTS_TO(b, one);
    int *c = atomic_exchange(&slot, &two);
    int *d = atomic_exchange_explicit(&slot, &three, memory_order_relaxed);
    POINTS_TO(c, one);
    POINTS_TO(d, two);
    int *e = &one, *f = &one;
    atomic_compare_exchange_strong(&slot, &e, &two);
    POINTS_TO(e, three);
    atomic_compare_exchange_strong_explicit(&slot, &f, &two, memory_order_relaxed,
                                            memory_order_relaxed);
    POINTS_TO(f, three);
    int *g = &one;
    if (!atomic_compare_exchange_weak(&slot, &g, &two)) POINTS_TO(g, three);
    int *_Atomic stored, *_Atomic later;
    atomic_init(&stored, &one);
    atomic_store(&stored, &two);
    atomic_init(&later, &one);
    atomic_store_explicit(&later, &three, memory_order_relaxed);
    int *h = stored, *i = later;
    POINTS_TO(h, two);
    POINTS_TO(i, three);
}

static void atomic_builtins(void) {
    static int *slot, *from, *seen, *want;
    int *a = NULL;
    __atomic_store_n(&slot, &one, __ATOMIC_SEQ_CST);
    a = __atomic_load_n(&slot, __ATOMIC_SEQ_CST);
    POINTS_TO(a, one);
    from = &two;
    __atomic_store(&slot, &from, __ATOMIC_SEQ_CST);
    __atomic_load(&slot, &seen, __ATOMIC_SEQ_CST);
    int *b = seen;
    POINTS_TO(b, two);
    int *c = __atomic_exchange_n(&slot, &three, __ATOMIC_SEQ_CST);
    POINTS_TO(c, two);
    __atomic_exchange(&slot, &from, &seen, __ATOMIC_SEQ_CST);
    int *d = seen;
    POINTS_TO(d, three);
    want = &one;
    __atomic_compare_exchange_n(&slot, &want, &one, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    int *e = want;
    POINTS_TO(e, two);
    __atomic_compare_exchange(&slot, &want, &from, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    int *f = slot;
    POINTS_TO(f, two);
}

static void atomic_sums(void) {
    static char text[16];
    char *slot = text, *_Atomic other = text;
    char *a = __atomic_fetch_add(&slot, 1, __ATOMIC_SEQ_CST);
    char *b = __atomic_add_fetch(&slot, 1, __ATOMIC_SEQ_CST);
    char *c = __atomic_sub_fetch(&slot, 1, __ATOMIC_SEQ_CST);
    uintptr_t number = (uintptr_t)text;
    char *d = (char *)__sync_fetch_and_add(&number, 1);
    char *e = (char *)__sync_add_and_fetch(&number, 1);
    char *f = (char *)__sync_sub_and_fetch(&number, 1);
    char *g = atomic_fetch_add(&other, 1);
    char *h = atomic_fetch_sub(&other, 1);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
    POINTS_TO(g, text);
    POINTS_TO(h, text);
    int *taken = &one;
    bool changed = __sync_bool_compare_and_swap(&taken, &one, &two);
    int *i = taken;
    if (changed) POINTS_TO(i, two);
}

void run_objects(void);
void run_objects(void) {
    loading();
    stacks();
    locales();
    messages();
    times();
    settings();
    patterns();
    atomics();
    atomic_builtins();
    atomic_sums();
}
