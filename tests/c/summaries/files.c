/* SPDX-License-Identifier: Apache-2.0
 *
 * files.c: trees of files, directories and patterns, and the rarer ways to get memory (fts.h, ftw.h,
 * dirent.h, glob.h, malloc.h, sys/mman.h, sys/shm.h).
 */
#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expect.h"

/* Names that programs import and no header declares. */
char *__getcwd_chk(char *space, size_t n, size_t size);
char *__getwd_chk(char *space, size_t size);
char *__realpath_chk(const char *path, char *space, size_t size);
void *__sbrk(intptr_t more);

static char directory[] = "/tmp/cflr-files-XXXXXX";
static char first_file[64], second_file[64];

static void make_file(char *path, const char *name) {
    strcpy(path, directory);
    strcat(path, name);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) close(file);
}

/* ---- trees ---- */

static const FTSENT *ordered;

static int in_order(const FTSENT **a, const FTSENT **b) {
    ordered = *a;
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void trees(void) {
    char *const roots[] = {directory, NULL};
    FTS *a = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, in_order);
    if (!a) return;
    FRESH(a);
    FTSENT *b = fts_read(a);
    FTSENT *c = fts_children(a, 0);
    const FTSENT *d = ordered;
    FRESH(b);
    FRESH(c);
    FRESH(d);
    FTSENT *e = c->fts_link, *f = c->fts_parent;
    SAME(f, b);
    FRESH(e);
    char *g = b->fts_path, *h = b->fts_accpath;
    struct stat *i = b->fts_statp;
    FRESH(g);
    FRESH(h);
    FRESH(i);
    fts_close(a);
}

static void trees_large(void) {
    char *const roots[] = {directory, NULL};
    FTS64 *a = fts64_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!a) return;
    FRESH(a);
    FTSENT64 *b = fts64_read(a);
    FTSENT64 *c = fts64_children(a, 0);
    FRESH(b);
    FRESH(c);
    fts64_close(a);
}

static const char *walked_path, *walked_path64;
static const struct stat *walked_stat;
static const struct FTW *walked_info, *walked_info64;

static int walk(const char *path, const struct stat *status, int flag, struct FTW *info) {
    walked_path = path;
    walked_stat = status;
    walked_info = info;
    return flag == -1;
}

static int walk64(const char *path, const struct stat64 *status, int flag, struct FTW *info) {
    walked_path64 = status ? path : NULL;
    walked_info64 = info;
    return flag == -1;
}

static const struct stat64 *plainly_walked;

static int walk_plainly(const char *path, const struct stat64 *status, int flag) {
    plainly_walked = path ? status : NULL;
    return flag == -1;
}

static void walks(void) {
    nftw(directory, walk, 4, FTW_PHYS);
    nftw64(directory, walk64, 4, FTW_PHYS);
    ftw64(directory, walk_plainly, 4);
    const char *a = walked_path, *b = walked_path64;
    const struct stat *c = walked_stat;
    const struct FTW *d = walked_info, *e = walked_info64;
    const struct stat64 *f = plainly_walked;
    KNOWN(a);
    KNOWN(b);
    KNOWN(c);
    KNOWN(d);
    KNOWN(e);
    KNOWN(f);
}

/* ---- directories ---- */

static const struct dirent64 *filtered;

static int all(const struct dirent64 *entry) {
    filtered = entry;
    return 1;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void directories(void) {
    DIR *a = opendir(directory), *b = fdopendir(open(directory, O_RDONLY | O_DIRECTORY));
    if (!a || !b) return;
    FRESH(b);
    APART(a, b);
    struct dirent64 *c = readdir64(a);
    FRESH(c);
    struct dirent first, *d = NULL;
    struct dirent64 second, *e = NULL;
    readdir_r(b, &first, &d);
    readdir64_r(b, &second, &e);
    POINTS_TO(d, first);
    POINTS_TO(e, second);
    closedir(a);
    closedir(b);
}

static void lists(void) {
    struct dirent64 **a = NULL, **b = NULL;
    struct dirent **c = NULL;
    int na = scandir64(directory, &a, all, alphasort64);
    int nb = scandirat64(AT_FDCWD, directory, &b, all, alphasort64);
    int nc = scandirat(AT_FDCWD, directory, &c, NULL, alphasort);
    if (na < 1 || nb < 1 || nc < 1) return;
    struct dirent64 *d = a[0], *e = b[0];
    struct dirent *f = c[0];
    const struct dirent64 *g = filtered;
    FRESH(a);
    FRESH(b);
    FRESH(c);
    FRESH(d);
    FRESH(e);
    FRESH(f);
    FRESH(g);
    APART(a, b);
    APART(d, e);
    while (na > 0) free(a[--na]);
    while (nb > 0) free(b[--nb]);
    while (nc > 0) free(c[--nc]);
    free(a);
    free(b);
    free(c);
}

static void patterns(void) {
    glob64_t found;
    if (glob64("/tmp/*", 0, NULL, &found)) return;
    char **a = found.gl_pathv, *b = found.gl_pathv[0];
    FRESH(a);
    FRESH(b);
    globfree64(&found);
}

static void places(void) {
    char space[PATH_MAX];
    char *a = getwd(space);
    char *b = __getcwd_chk(space, sizeof space, sizeof space);
    char *c = __getwd_chk(space, sizeof space);
    char *d = __realpath_chk("/", space, sizeof space);
    POINTS_TO(a, space);
    POINTS_TO(b, space);
    POINTS_TO(c, space);
    POINTS_TO(d, space);
}

/* ---- memory ---- */

static void pages(void) {
    char *a = valloc(10), *b = pvalloc(10);
    FRESH(a);
    FRESH(b);
    APART(a, b);
    free(a);
    free(b);
    char *c = mmap64(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FRESH(c);
    munmap(c, 4096);
    void *d = sbrk(0), *e = __sbrk(0);
    KNOWN(d);
    KNOWN(e);
    int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (segment < 0) return;
    void *f = shmat(segment, NULL, 0);
    shmctl(segment, IPC_RMID, NULL);
    if (f == (void *)-1) return;
    KNOWN(f);
    shmdt(f);
}

void run_files(void);
void run_files(void) {
    if (!mkdtemp(directory)) return;
    make_file(first_file, "/one");
    make_file(second_file, "/two");
    trees();
    trees_large();
    walks();
    directories();
    lists();
    patterns();
    places();
    pages();
    unlink(first_file);
    unlink(second_file);
    rmdir(directory);
}
