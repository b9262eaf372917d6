/* SPDX-License-Identifier: Apache-2.0
 *
 * beside.c: fresh names beside a target, and the list of those that are there, for a program that
 * is killed.
 *
 *     slot    FREE -> TAKEN -> LISTED -> FREE       the name is written between TAKEN and LISTED
 *
 * A signal handler may look at any moment, so the list has a fixed place and no lock. A name that
 * is listed a moment too long is that of nothing. With more outputs at once than slots, the others
 * are not listed.
 *
 * The shared library of the front end has a copy of this file's code; the list is the one of the
 * library that made the context, which is the one that cflr_output_drop_all knows.
 */
#include "base/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "cflr/output.h"

enum { TRIES = 100, SLOTS = 16 };

enum { FREE, TAKEN, LISTED };

struct cflri_slot {
    atomic_int state;
    pid_t owner; /* a process that was forked since has no part in it */
    char name[PATH_MAX];
};

static cflri_slot here[SLOTS];

cflri_slot *cflri_slots_here(void) {
    return here;
}

static void list_name(cflri_slot *slot, const char *name) {
    for (int i = 0; i < SLOTS; i++) {
        int state = FREE;
        if (!atomic_compare_exchange_strong(&slot[i].state, &state, TAKEN)) continue;
        snprintf(slot[i].name, sizeof slot[i].name, "%s", name);
        slot[i].owner = getpid();
        atomic_store(&slot[i].state, LISTED);
        return;
    }
}

void cflri_settled_beside(cflr_context *context, const char *name) {
    cflri_slot *slot = context->slots;
    for (int i = 0; i < SLOTS; i++) {
        if (atomic_load(&slot[i].state) != LISTED || strcmp(slot[i].name, name) != 0) continue;
        atomic_store(&slot[i].state, FREE);
        return;
    }
}

void cflr_output_drop_all(void) {
    for (int i = 0; i < SLOTS; i++) {
        bool listed = atomic_load(&here[i].state) == LISTED;
        if (listed && here[i].owner == getpid()) unlink(here[i].name);
    }
}

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

/* The thing gets the permissions of the target; where that is of another owner, ours are as
 * good. */
static void take_permissions(const char *path, const char *name) {
    struct stat about;
    if (stat(path, &about) == 0) (void)chmod(name, about.st_mode & 07777);
}

/* A name may be taken by another writer of this process, or left over by a killed one that had the
 * same number. */
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
            list_name(context->slots, *name);
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
