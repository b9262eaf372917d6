/* SPDX-License-Identifier: Apache-2.0
 *
 * faults.c: functions of the C library that fail on request. Lets all else through.
 */
#include "tests/crash/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FILES = 256 };

/* A file that was made, by another descriptor, and how much of it would survive a loss of power. */
typedef struct made_file {
    int fd;
    off_t synced;
} made_file;

static faults_kind kind;
static long at;            /* 0: nothing fails */
static char only[32];      /* or any call */
static bool skip_syncs;    /* or do them */
static atomic_long calls;  /* counted so far */
static atomic_bool struck; /* the fault has happened */
static made_file files[FILES];
static atomic_int n_files;

/* The function of the C library, as `real`. */
#define REAL(type, name, ...)                      \
    type (*real)(__VA_ARGS__);                     \
    void *const name##_ = dlsym(RTLD_NEXT, #name); \
    memcpy(&real, &name##_, sizeof real)

void faults_arm(faults_kind with, long number, const char *call) {
    kind = with;
    at = number;
    snprintf(only, sizeof only, "%s", call ? call : "");
    skip_syncs = number != 0;
    if (!number) return;
    atomic_store(&calls, 0);
    atomic_store(&struck, false);
}

bool faults_happened(void) {
    return atomic_load(&struck);
}

/* CFLR_FAULT=kind:number[:call] */
__attribute__((constructor)) static void arm_by_environment(void) {
    static const char *const names[] = {
#define NAME(name, text) #name,
        FAULTS_LIST(NAME)
#undef NAME
    };
    char name[16] = "", call[32] = "";
    long number;
    const char *text = getenv("CFLR_FAULT");
    if (!text || sscanf(text, "%15[^:]:%ld:%31s", name, &number, call) < 2) return;
    for (int i = 0; i < FAULTS_KINDS; i++) {
        if (strcmp(name, names[i]) == 0) faults_arm((faults_kind)i, number, call);
    }
    skip_syncs = false;
}

/* ---- what happens ---- */

static void lose_what_is_not_synced(void) {
    REAL(int, ftruncate, int, off_t);
    for (int i = 0; i < n_files && i < FILES; i++) {
        if (real(files[i].fd, files[i].synced) != 0) abort();
    }
}

/* Does the fault happen at this call, with an error? Ends the process, if that is the fault. */
static bool fails(const char *call, bool takes_space) {
    if (!at || (only[0] && strcmp(only, call) != 0)) return false;
    if (kind == FAULTS_cut || kind == FAULTS_torn) return false;
    const long number = atomic_fetch_add(&calls, 1) + 1;
    if (number < at || (number > at && (kind != FAULTS_full || !takes_space))) return false;
    atomic_store(&struck, true);
    if (kind == FAULTS_power) lose_what_is_not_synced();
    if (kind == FAULTS_kill || kind == FAULTS_power) raise(SIGKILL);
    errno = kind == FAULTS_eio ? EIO : ENOSPC;
    return true;
}

/* How much of a write is done. */
static size_t part_of(size_t size) {
    if (!at || (kind != FAULTS_cut && kind != FAULTS_torn) || size < 2) return size;
    if (atomic_fetch_add(&calls, 1) + 1 != at) return size;
    atomic_store(&struck, true);
    return size / 2;
}

static ssize_t after_part(ssize_t n, bool is_part) {
    if (is_part && kind == FAULTS_torn) raise(SIGKILL);
    return n;
}

static void note_made(int fd) {
    int i = atomic_fetch_add(&n_files, 1);
    if (i < FILES) files[i] = (made_file){fcntl(fd, F_DUPFD_CLOEXEC, 3), 0};
}

static void note_synced(int fd) {
    struct stat one, other;
    if (fstat(fd, &one) != 0) return;
    for (int i = 0; i < n_files && i < FILES; i++) {
        if (fstat(files[i].fd, &other) != 0 || one.st_ino != other.st_ino) continue;
        if (one.st_dev == other.st_dev) files[i].synced = one.st_size;
    }
}

/* ---- the calls ---- */

int open(const char *path, int flags, ...) {
    REAL(int, open, const char *, int, ...);
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (fails("open", (flags & O_CREAT) != 0)) return -1;
    int fd = real(path, flags, mode);
    if (fd >= 0 && (flags & O_EXCL) && at && kind == FAULTS_power) note_made(fd);
    return fd;
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    return fails("mkdir", true) ? -1 : real(path, mode);
}

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, write, int, const void *, size_t);
    if (fails("write", true)) return -1;
    const size_t part = part_of(size);
    return after_part(real(fd, data, part), part < size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    if (fails("pwrite", true)) return -1;
    const size_t part = part_of(size);
    return after_part(real(fd, data, part, offset), part < size);
}

int fsync(int fd) {
    REAL(int, fsync, int);
    if (fails("fsync", true)) return -1;
    note_synced(fd);
    return skip_syncs ? 0 : real(fd);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int);
    if (fails("fdatasync", true)) return -1;
    note_synced(fd);
    return skip_syncs ? 0 : real(fd);
}

int sync_file_range(int fd, off64_t offset, off64_t size, unsigned flags) {
    REAL(int, sync_file_range, int, off64_t, off64_t, unsigned);
    return fails("sync_file_range", true) ? -1 : real(fd, offset, size, flags);
}

int fallocate(int fd, int mode, off_t offset, off_t size) {
    REAL(int, fallocate, int, int, off_t, off_t);
    return fails("fallocate", true) ? -1 : real(fd, mode, offset, size);
}

int ftruncate(int fd, off_t size) {
    REAL(int, ftruncate, int, off_t);
    return fails("ftruncate", false) ? -1 : real(fd, size);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    return fails("rename", true) ? -1 : real(from, to);
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    return fails("unlink", false) ? -1 : real(path);
}
