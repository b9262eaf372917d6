/* Null arguments of the library, choices of macros, pointers to functions that never return. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int words(char *line) {
    int n = 0;
    char *save = NULL;
    for (char *t = strtok_r(line, " ", &save); t; t = strtok_r(NULL, " ", &save)) n++;
    if (strtok(line, " ")) n += strtok(NULL, " ") != NULL;
    return n;
}

static void *run(void *argument) {
    return argument;
}

static void optional(const char *name) {
    struct addrinfo *list = NULL;
    struct timeval now;
    sigset_t set;
    pthread_t thread;
    free(realpath(name, NULL));
    free(getcwd(NULL, 0));
    setlocale(LC_ALL, NULL);
    time(NULL);
    wait(NULL);
    waitpid(0, NULL, 0);
    strtol(name, NULL, 10);
    strtod(name, NULL);
    sigaction(SIGINT, NULL, NULL);
    sigprocmask(SIG_BLOCK, NULL, &set);
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    free(NULL);
    free(realloc(NULL, 4));
    fflush(NULL);
    select(0, NULL, NULL, NULL, NULL);
    poll(NULL, 0, 1);
    gettimeofday(&now, NULL);
    utimensat(AT_FDCWD, name, NULL, 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    setbuf(stdout, NULL);
    snprintf(NULL, 0, "%s", name);
    strxfrm(NULL, name, 0);
    system(NULL);
    mblen(NULL, 0);
    mbstowcs(NULL, name, 0);
    accept(0, NULL, NULL);
    recvfrom(0, NULL, 0, 0, NULL, NULL);
    if (getaddrinfo(NULL, name, NULL, &list) == 0) freeaddrinfo(list);
    if (!freopen(NULL, "r", stdin)) puts("no");
}

/* ---- macros that choose ---- */

static int send_one(int s, struct msghdr *m) {
    struct cmsghdr *c = CMSG_FIRSTHDR(m); /* its length was set */
    c->cmsg_level = SOL_SOCKET;
    return sendmsg(s, m, 0) < 0;
}

static int receive(struct msghdr *m) {
    int n = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) n += c->cmsg_level;
    return n;
}

static int own_choice(char *line, int n) {
    char *rest = n > 1 ? line : NULL;
    return rest[0]; /* bug */
}

/* ---- pointers to functions that never return ---- */

typedef void (*end)(const char *) __attribute__((noreturn));
struct ends {
    void (*__attribute__((noreturn)) die)(const char *);
    end other;
    void (*maybe)(const char *);
};
static end last;

static int by_member(const struct ends *e, const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) e->die(name);
    return fgetc(f);
}

static int by_typedef(const struct ends *e, const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) (*e->other)(name);
    return fgetc(f);
}

static int by_global(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) last(name);
    return fgetc(f);
}

static int by_parameter(void (*die)(const char *) __attribute__((noreturn)), const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) die(name);
    return fgetc(f);
}

static int by_other(const struct ends *e, const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) e->maybe(name);
    return fgetc(f); /* bug */
}

__attribute__((noreturn)) static void leave(const char *why) {
    exit(puts(why));
}

static void say(const char *why) {
    puts(why);
}

int main(int n, char **arguments) {
    char line[] = "a b", *name = arguments[0];
    struct msghdr m = {0};
    struct ends e = {leave, leave, say};
    last = leave;
    optional(name);
    n += own_choice(line, n) + words(line) + send_one(0, &m) + receive(&m);
    n += by_member(&e, name) + by_typedef(&e, name) + by_global(name) + by_parameter(leave, name);
    return n + by_other(&e, name);
}
