/* SPDX-License-Identifier: Apache-2.0
 *
 * beside.c: fresh names beside a target.
 */
#include "base/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

cflr_status cflri_own_name(cflr_context *context, const char *path, char **own, cflr_error *error) {
    char real[PATH_MAX];
    struct stat about;
    bool link = lstat(path, &about) == 0 && S_ISLNK(about.st_mode) && realpath(path, real);
    const char *name = link ? real : path;
    *own = cflri_copy_text(context, name, strlen(name));
    return *own ? CFLR_OK : cflri_fail_memory(context, error);
}

int cflri_make_file(const char *name) {
    return open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* The thing gets the permissions of the target; where that is of another owner, ours are as good. */
static void take_permissions(const char *path, const char *name) {
    struct stat about;
    if (stat(path, &about) == 0) (void)chmod(name, about.st_mode & 07777);
}

/* A name may be taken by another writer of this process, or left over by a killed one that had the same number. */
cflr_status cflri_make_beside(cflr_context *context, const char *path, cflri_maker *maker,
                              char **name, int *made, cflr_error *error) {
    size_t size = strlen(path) + 64;
    *name = cflri_alloc(context, size);
    if (!*name) return cflri_fail_memory(context, error);
    snprintf(*name, size, "%s.tmp.%ld", path, (long)getpid());
    for (int i = 1;; i++) {
        *made = maker(*name);
        if (*made >= 0) {
            take_permissions(path, *name);
            return CFLR_OK;
        }
        if (errno != EEXIST || i == TRIES) break;
        snprintf(*name, size, "%s.tmp.%ld.%d", path, (long)getpid(), i);
    }
    cflr_status st = cflri_fail_errno(error, path, errno, "cannot create");
    cflri_free(context, *name);
    *name = NULL;
    return st;
}
