/* SPDX-License-Identifier: Apache-2.0
 *
 * system.c: threads, signals, time, locales, directories, users, the network, loading.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <langinfo.h>
#include <libintl.h>
#include <link.h>
#include <locale.h>
#include <net/if.h>
#include <netdb.h>
#include <obstack.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <wordexp.h>

#include "expect.h"

static int one, two;

/* ---- threads ---- */

static void *received;

static void *thread(void *argument) {
    received = argument;
    return &two;
}

static void *leaving_thread(void *argument) {
    pthread_exit(argument);
}

static void *last_seen;

static void destroyed(void *value) {
    last_seen = value;
}

static void threads(void) {
    static int three;
    pthread_t id;
    void *result = NULL, *other = NULL;
    if (pthread_create(&id, NULL, thread, &one)) return;
    pthread_join(id, &result);
    POINTS_TO(result, two);
    void *a = received;
    POINTS_TO(a, one);
    if (pthread_create(&id, NULL, leaving_thread, &three)) return;
    pthread_join(id, &other);
    POINTS_TO(other, three);
    pthread_key_t key;
    pthread_key_create(&key, destroyed);
    pthread_setspecific(key, &one);
    void *b = pthread_getspecific(key);
    POINTS_TO(b, one);
    void *c = last_seen;
    WILL_POINT_TO(c, one);
    pthread_key_delete(key);
}

static void *received_by_c11, *last_seen_by_c11;

static int c11_thread(void *argument) {
    received_by_c11 = argument;
    return 0;
}

static void destroyed_by_c11(void *value) {
    last_seen_by_c11 = value;
}

static void c11_threads(void) {
    static int argument, stored;
    thrd_t id;
    if (thrd_create(&id, c11_thread, &argument) != thrd_success) return;
    thrd_join(id, NULL);
    void *a = received_by_c11;
    POINTS_TO(a, argument);
    tss_t key;
    tss_create(&key, destroyed_by_c11);
    tss_set(key, &stored);
    void *b = tss_get(key);
    POINTS_TO(b, stored);
    void *c = last_seen_by_c11;
    WILL_POINT_TO(c, stored);
    tss_delete(key);
}

/* ---- signals and contexts ---- */

static siginfo_t *information;
static void *interrupted, *queued;

static void simple_handler(int number) {
    (void)number;
}

static void handler(int number, siginfo_t *info, void *context) {
    (void)number;
    interrupted = context;
    information = info;
    queued = info->si_ptr;
}

typedef void handler_function(int);

static void signals(void) {
    handler_function *expected = simple_handler;
    signal(SIGUSR2, simple_handler);
    handler_function *a = signal(SIGUSR2, SIG_DFL);
    SAME(a, expected);
    struct sigaction action = {0}, old;
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = handler;
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR1, &action, &old);
    void (*b)(int, siginfo_t *, void *) = old.sa_sigaction;
    void (*c)(int, siginfo_t *, void *) = handler;
    SAME(b, c);
    static int payload;
    sigqueue(getpid(), SIGUSR1, (union sigval){.sival_ptr = &payload});
    siginfo_t *d = information;
    void *e = interrupted, *f = queued;
    KNOWN(d);
    KNOWN(e);
    POINTS_TO(f, payload);
    signal(SIGUSR1, SIG_DFL);
}

static void timers(void) {
    static int payload;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigqueue(getpid(), SIGUSR1, (union sigval){.sival_ptr = &payload});
    siginfo_t info;
    sigwaitinfo(&set, &info);
    void *a = info.si_ptr;
    POINTS_TO(a, payload);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void events(void) {
    static int connection;
    int poller = epoll_create1(0), event = eventfd(1, 0);
    struct epoll_event interest = {.events = EPOLLIN, .data.ptr = &connection}, ready;
    epoll_ctl(poller, EPOLL_CTL_ADD, event, &interest);
    if (epoll_wait(poller, &ready, 1, 0) == 1) {
        void *a = ready.data.ptr;
        POINTS_TO(a, connection);
    }
    close(event);
    close(poller);
}

/* ---- time ---- */

static void times(void) {
    time_t now = 0;
    struct tm broken;
    struct tm *a = gmtime(&now);
    struct tm *b = localtime(&now);
    SAME(a, b);
    struct tm *c = gmtime_r(&now, &broken);
    POINTS_TO(c, broken);
    APART(a, c);
    const char *zone = broken.tm_zone, *global_zone = a->tm_zone;
    KNOWN(global_zone);
    struct tm other;
    const char *zone_again = gmtime_r(&now, &other)->tm_zone;
    SAME(zone, zone_again);
    char space[64];
    char *d = asctime_r(&broken, space);
    POINTS_TO(d, space);
    char *e = ctime(&now);
    char *f = asctime(a);
    SAME(e, f);
    char text[] = "2001 rest";
    char *g = strptime(text, "%Y", &broken);
    POINTS_TO(g, text);
}

/* ---- locales and messages ---- */

static void locales(void) {
    char *a = localeconv()->decimal_point;
    struct lconv *b = localeconv();
    char *c = b->decimal_point;
    SAME(a, c);
    KNOWN(c);
    char *thousands = b->thousands_sep, *grouping = b->grouping, *currency = b->currency_symbol;
    char *international = b->int_curr_symbol, *point = b->mon_decimal_point;
    char *separator = b->mon_thousands_sep, *groups = b->mon_grouping;
    char *plus = b->positive_sign, *minus = b->negative_sign;
    KNOWN(thousands);
    KNOWN(grouping);
    KNOWN(currency);
    KNOWN(international);
    KNOWN(point);
    KNOWN(separator);
    KNOWN(groups);
    KNOWN(plus);
    KNOWN(minus);
    const unsigned short **d = __ctype_b_loc();
    const unsigned short *e = *d;
    const unsigned short *f = *__ctype_b_loc();
    SAME(e, f);
    KNOWN(e);
    char text[] = "message";
    char *g = gettext(text);
    POINTS_TO(g, text);
    char *h = dgettext("domain", text);
    POINTS_TO(h, text);
    char many[] = "messages";
    char *i = ngettext(text, many, 2);
    POINTS_TO(i, many);
    char *single = ngettext(text, many, 1);
    POINTS_TO(single, text);
    char *j = setlocale(LC_ALL, NULL);
    char *k = nl_langinfo(CODESET);
    APART(j, k);
    KNOWN(j);
    KNOWN(k);
    int *l = &errno;
    int *m = &errno;
    SAME(l, m);
    locale_t n = newlocale(LC_ALL_MASK, "C", NULL);
    locale_t o = duplocale(n); /* the C locale is not copied */
    SAME(n, o);
    KNOWN(n);
    freelocale(n);
    freelocale(o);
}

static void converting(void) {
    char in[] = "abc", out[8], *from = in, *to = out;
    size_t left = 3, room = sizeof out;
    iconv_t converter = iconv_open("UTF-8", "ASCII");
    FRESH(converter);
    iconv(converter, &from, &left, &to, &room);
    POINTS_TO(from, in);
    POINTS_TO(to, out);
    APART(from, to);
    iconv_close(converter);
}

/* ---- directories and patterns ---- */

static const char *walked_path;

static int walk(const char *path, const struct stat *status, int kind) {
    (void)status;
    (void)kind;
    walked_path = path;
    return 1;
}

static const struct dirent *filtered, **compared;

static int all(const struct dirent *entry) {
    filtered = entry;
    return 1;
}

static int in_order(const struct dirent **a, const struct dirent **b) {
    compared = a;
    return alphasort(a, b);
}

static void directories(void) {
    DIR *root = opendir("/"), *again = opendir("/");
    FRESH(root);
    APART(root, again);
    struct dirent *a = readdir(root);
    struct dirent *b = readdir(again);
    FRESH(a);
    APART(a, b);
    closedir(root);
    closedir(again);
    struct dirent **list = NULL;
    int n = scandir("/", &list, all, in_order);
    if (n < 2) return;
    FRESH(list);
    struct dirent *c = list[0];
    FRESH(c);
    const struct dirent *filtered_last = filtered, **compared_last = compared;
    FRESH(filtered_last);
    FRESH(compared_last);
    for (int i = 0; i < n; i++) free(list[i]);
    free(list);
    ftw("/", walk, 1);
    const char *d = walked_path, *e = walked_path;
    SAME(d, e);
    KNOWN(d);
    char here[4096];
    char *f = getcwd(here, sizeof here);
    POINTS_TO(f, here);
    char *g = getcwd(NULL, 0);
    FRESH(g);
    char *h = get_current_dir_name();
    FRESH(h);
    APART(g, h);
    free(g);
    free(h);
}

static void patterns(void) {
    glob_t found;
    if (glob("/*", 0, NULL, &found) == 0) {
        char *a = found.gl_pathv[0];
        char **b = found.gl_pathv;
        FRESH(a);
        FRESH(b);
        globfree(&found);
    }
    wordexp_t words;
    if (wordexp("a b", &words, WRDE_NOCMD) == 0) {
        char *c = words.we_wordv[0], **d = words.we_wordv;
        FRESH(c);
        FRESH(d);
        wordfree(&words);
    }
}

/* ---- users and the network ---- */

static void users(void) {
    struct passwd *a = getpwuid(0);
    struct passwd *b = getpwuid(0);
    SAME(a, b);
    if (!a) return;
    char *name_of_root = a->pw_name, *passwd_of_root = a->pw_passwd, *gecos = a->pw_gecos;
    char *home = a->pw_dir, *shell = a->pw_shell;
    KNOWN(name_of_root);
    KNOWN(passwd_of_root);
    KNOWN(gecos);
    KNOWN(home);
    KNOWN(shell);
    struct passwd entry, *result = NULL;
    char space[1024];
    if (getpwuid_r(0, &entry, space, sizeof space, &result) == 0 && result) {
        char *name = entry.pw_name, *passwd = entry.pw_passwd, *real = entry.pw_gecos;
        char *at = entry.pw_dir, *starts = entry.pw_shell;
        POINTS_TO(result, entry);
        POINTS_TO(name, space);
        POINTS_TO(passwd, space);
        POINTS_TO(real, space);
        POINTS_TO(at, space);
        POINTS_TO(starts, space);
        struct passwd *c = getpwuid(0);
        APART(c, result);
    }
    struct group group, *found = NULL;
    char names[1024];
    if (getgrgid_r(0, &group, names, sizeof names, &found) == 0 && found) {
        char *name = group.gr_name, *passwd = group.gr_passwd, **members = group.gr_mem;
        POINTS_TO(found, group);
        POINTS_TO(name, names);
        POINTS_TO(passwd, names);
        POINTS_TO(members, names);
    }
}

static void network(void) {
    struct in_addr address = {0};
    char text[INET_ADDRSTRLEN];
    const char *a = inet_ntop(AF_INET, &address, text, sizeof text);
    POINTS_TO(a, text);
    char *b = inet_ntoa(address);
    char *c = inet_ntoa(address);
    SAME(b, c);
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_CANONNAME, .ai_family = AF_INET};
    struct addrinfo *list = NULL;
    if (getaddrinfo("127.0.0.1", NULL, &hints, &list) == 0) {
        struct sockaddr *d = list->ai_addr;
        char *e = list->ai_canonname;
        struct addrinfo *f = list->ai_next;
        FRESH(list);
        FRESH(d);
        FRESH(e);
        if (f) FRESH(f);
        freeaddrinfo(list);
    }
    struct ifaddrs *interfaces = NULL;
    if (getifaddrs(&interfaces) == 0 && interfaces) {
        char *name = interfaces->ifa_name;
        FRESH(interfaces);
        FRESH(name);
        freeifaddrs(interfaces);
    }
}

/* ---- loading and the rest ---- */

static void *loaded;

static int object(struct dl_phdr_info *info, size_t size, void *user) {
    (void)info;
    (void)size;
    loaded = user;
    return 1;
}

static void loading(void) {
    static int state;
    dl_iterate_phdr(object, &state);
    void *a = loaded;
    POINTS_TO(a, state);
    void *b = dlopen(NULL, RTLD_NOW);
    void *c = dlopen(NULL, RTLD_NOW);
    SAME(b, c);
    dlclose(b);
    dlclose(c);
}

static void builtins(void) {
    static int value;
    int *p = &value;
    int *a = __builtin_assume_aligned(p, 4);
    POINTS_TO(a, value);
    int *b = (int *)__builtin_expect((long)p, 0);
    POINTS_TO(b, value);
    static int *slot;
    int *c = __sync_val_compare_and_swap(&slot, NULL, p);
    int *d = slot;
    POINTS_TO(d, value);
    int *e = __sync_lock_test_and_set(&slot, c);
    POINTS_TO(e, value);
}

static ucontext_t back, forth;
static char stack[65536];
static void *context_argument;

static void context_function(void) {
    context_argument = &two;
    swapcontext(&forth, &back);
}

static void contexts(void) {
    getcontext(&forth);
    forth.uc_stack.ss_sp = stack;
    forth.uc_stack.ss_size = sizeof stack;
    makecontext(&forth, context_function, 0);
    swapcontext(&back, &forth);
    void *a = context_argument;
    POINTS_TO(a, two);
}

void run_system(void);
void run_system(void) {
    threads();
    c11_threads();
    signals();
    timers();
    events();
    times();
    locales();
    converting();
    directories();
    patterns();
    users();
    network();
    loading();
    builtins();
    contexts();
}
