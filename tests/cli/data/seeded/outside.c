/* Text from outside by all ways of the C library: each `bug` is a command that is made of it. */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <mntent.h>
#include <mqueue.h>
#include <netdb.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utmpx.h>
#include <wchar.h>
#include <wordexp.h>

static int run(const char *command) {
    return command ? system(command) : 0; /* bug */
}

static int environment(char **envp) {
    int found = system(envp[0]);                           /* bug */
    for (char **e = environ; *e; e++) found += system(*e); /* bug */
    found += system(__environ[1]);                         /* bug */
    found += system(program_invocation_name);              /* bug */
    const char *home = secure_getenv("HOME");
    return found + (home ? system(home) : 0); /* bug */
}

static int options(int n, char **argument) {
    static const struct option known[] = {{"run", 1, NULL, 'r'}, {NULL, 0, NULL, 0}};
    while (getopt_long(n, argument, "r:", known, NULL) == 'r') system(optarg); /* bug */
    return 0;
}

static int vectors(int fd) {
    char text[64], other[64];
    struct iovec part = {text, sizeof text - 1}, piece = {other, sizeof other - 1};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (readv(fd, &part, 1) > 0) system(text);               /* bug */
    return recvmsg(fd, &message, 0) > 0 ? system(other) : 0; /* bug */
}

static int queues(int id, mqd_t queue) {
    struct {
        long type;
        char text[64];
    } message;
    char other[8192];
    if (msgrcv(id, &message, sizeof message.text, 0, 0) > 0) system(message.text); /* bug */
    if (mq_receive(queue, other, sizeof other, NULL) > 0) system(other);           /* bug */
    const char *shared = shmat(id, NULL, 0);
    return shared != (void *)-1 ? system(shared) : 0; /* bug */
}

static int later(int fd) {
    static char text[64];
    struct aiocb work = {.aio_fildes = fd, .aio_buf = text, .aio_nbytes = sizeof text - 1};
    return aio_read(&work) == 0 ? system(text) : 0; /* bug */
}

static int scan(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vscanf(format, list);
    va_end(list);
    return n;
}

static int formatted(void) {
    char word[64] = "", wide[64] = "";
    wchar_t line[64];
    scan("%63s", word);
    system(word); /* bug */
    if (fgetws(line, 64, stdin)) wcstombs(wide, line, sizeof wide);
    return system(wide); /* bug */
}

static int directory(const char *path) {
    DIR *open = opendir(path);
    struct dirent *entry, **list;
    if (!open) return 0;
    while ((entry = readdir(open))) system(entry->d_name); /* bug */
    closedir(open);
    if (scandir(path, &list, NULL, alphasort) > 0) system(list[0]->d_name); /* bug */
    glob_t found;
    if (glob("*", 0, NULL, &found) == 0) system(found.gl_pathv[0]); /* bug */
    wordexp_t words;
    if (wordexp("*", &words, WRDE_NOCMD) == 0) system(words.we_wordv[0]); /* bug */
    return 0;
}

static int trees(char **paths) {
    FTS *tree = fts_open(paths, FTS_LOGICAL, NULL);
    FTSENT *entry = fts_read(tree);
    system(entry->fts_name);        /* bug */
    return system(entry->fts_path); /* bug */
}

static int links(const char *path) {
    char target[256] = "", attribute[256] = "";
    if (readlink(path, target, sizeof target - 1) > 0) system(target); /* bug */
    if (getxattr(path, "user.run", attribute, sizeof attribute - 1) > 0)
        system(attribute); /* bug */
    char *real = realpath(path, NULL), *here = getcwd(NULL, 0);
    if (here) system(here);         /* bug */
    return real ? system(real) : 0; /* bug */
}

static int hosts(const struct addrinfo *wanted) {
    char name[256] = "", host[256], service[32];
    struct addrinfo *all;
    struct utsname system_name;
    struct hostent *known = gethostbyname("localhost");
    gethostname(name, sizeof name);
    system(name);                     /* bug */
    if (known) system(known->h_name); /* bug */
    if (getaddrinfo("localhost", NULL, wanted, &all) == 0 && all->ai_canonname)
        system(all->ai_canonname); /* bug */
    if (getnameinfo(NULL, 0, host, sizeof host, service, sizeof service, 0) == 0)
        system(host); /* bug */
    uname(&system_name);
    return system(system_name.nodename); /* bug */
}

static int users(void) {
    const struct passwd *user = getpwuid(getuid());
    const struct group *group = getgrgid(getgid());
    const struct utmpx *entry = getutxent();
    FILE *table = fopen("/proc/mounts", "r");
    const struct mntent *mount = table ? getmntent(table) : NULL;
    if (user) system(user->pw_gecos);    /* bug */
    if (group) system(group->gr_mem[0]); /* bug */
    if (entry) system(entry->ut_host);   /* bug */
    if (mount) system(mount->mnt_dir);   /* bug */
    return run(getlogin());
}

/* Text of the program itself. */
static int right(void) {
    char word[16], name[16];
    sscanf("ls -l", "%15s", word);
    snprintf(name, sizeof name, "%s", "true");
    return system(word) + system(name) + system("true");
}

int main(int n, char **argument, char **envp) {
    struct addrinfo wanted = {.ai_flags = AI_CANONNAME};
    if (n < 99) return right() != 0;
    return environment(envp) + options(n, argument) + vectors(n) + queues(n, (mqd_t)n) + later(n) +
           formatted() + directory(".") + trees(argument) + links(".") + hosts(&wanted) + users();
}
