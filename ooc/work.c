/* SPDX-License-Identifier: Apache-2.0
 *
 * work.c: the order in which a checkpoint gets to the disk, and what may go when it is there.
 *
 *     commit:   fdatasync each segment              all that the new manifest names is there
 *               manifest.tmp, fdatasync
 *               manifest     -> manifest.old        one name each moment: the old state
 *               manifest.tmp -> manifest            from here on the new one
 *               fsync DIR
 *               remove what neither manifest needs
 *
 *     resume:   manifest, or else manifest.old      which becomes manifest, so that the next commit
 *                                                   does not replace it by the damaged one
 *               remove segments that it does not name, and what they have beyond its lengths
 *
 * After an fsync of the directory has failed, either of the two states may be on the disk. Both are
 * whole: nothing is removed any more, and no more checkpoints are made.
 */
#include "ooc/work.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files/stream.h"

enum {
    KEPT = 2,  /* checkpoints */
    NAME = 32, /* the longest name in the directory */
    LOCK_TEXT = 160
};

static const char lock_name[] = "cflr.lock", manifest_name[] = "manifest",
                  old_name[] = "manifest.old", new_name[] = "manifest.tmp",
                  first_line[] = "cflr work directory\n", made_line[] = "made by cflr\n";

typedef struct segment {
    uint32_t number;
    bool removed;
    uint64_t named;  /* the last manifest that names it, or 0 */
    uint64_t length; /* that it tells */
    cflri_spill *spill;
} segment;

/* Dropped when manifest `named` was the last. */
typedef struct dropped {
    cflri_extent extent;
    uint64_t named;
} dropped;

struct cflri_work {
    cflr_context *context;
    char *path;
    int lock;    /* descriptor; -1: unnamed segments, beside `path` */
    bool made;   /* the directory is there because of a run */
    bool ready;  /* resumed or cleared */
    bool broken; /* the directory could not be synced */
    unsigned char digest[CFLRI_DIGEST];
    uint64_t sequence; /* of the last manifest */
    uint32_t next;     /* number of the next segment */
    cflri_spill_bytes gone;
    CFLRI_VEC(segment) segments; /* by number */
    CFLRI_VEC(dropped) dropped;
};

typedef struct file_name {
    char path[PATH_MAX];
} file_name;

/* The path has room for NAME more. */
static file_name file_of(const cflri_work *work, const char *name) {
    file_name file;
    snprintf(file.path, sizeof file.path, "%.*s/%s", PATH_MAX - NAME - 1, work->path, name);
    return file;
}

static file_name segment_file(const cflri_work *work, uint32_t number) {
    char name[NAME];
    snprintf(name, sizeof name, "segment-%04u", number);
    return file_of(work, name);
}

static cflr_status sync_folder(const char *path, cflr_error *error) {
    cflr_status st = CFLR_OK;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL))
        st = cflri_fail_errno(error, path, errno, "cannot write");
    if (fd >= 0) close(fd);
    return st;
}

/* ---- the directory ---- */

static bool is_empty(const char *path) {
    DIR *folder = opendir(path);
    bool empty = folder != NULL;
    for (struct dirent *entry; empty && (entry = readdir(folder));) {
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    if (folder) closedir(folder);
    return empty;
}

static cflr_status fail_held(const char *path, const char *text, cflr_error *error) {
    const char *holder = strstr(text, "process ");
    if (!holder) holder = "an unknown process";
    return cflri_fail(error, CFLR_IO, path, "another run works in this directory: %.*s",
                      (int)strcspn(holder, "\n"), holder);
}

/* Has the lock's file this name still? The run that held the lock before may have removed it. */
static bool is_there(int fd, const char *path) {
    struct stat of_name, of_lock;
    return stat(path, &of_name) == 0 && fstat(fd, &of_lock) == 0 &&
           of_name.st_ino == of_lock.st_ino && of_name.st_dev == of_lock.st_dev;
}

static void read_lock(int fd, char text[LOCK_TEXT]) {
    ssize_t n = pread(fd, text, LOCK_TEXT - 1, 0);
    text[n > 0 ? n : 0] = '\0';
}

static cflr_status write_lock(cflri_work *work, const char *path, cflr_error *error) {
    char text[LOCK_TEXT], since[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    int n = snprintf(text, sizeof text, "%s%sprocess %ld, since %s\n", first_line,
                     work->made ? made_line : "", (long)getpid(), since);
    errno = ENOSPC; /* of a write that is cut short */
    if (pwrite(work->lock, text, (size_t)n, 0) != n || ftruncate(work->lock, n) != 0) {
        return cflri_fail_errno(error, path, errno, "cannot write");
    }
    return CFLR_OK;
}

/* Makes or takes the directory. */
static cflr_status take_folder(cflri_work *work, const char *lock_path, cflr_error *error) {
    work->made = mkdir(work->path, 0777) == 0;
    if (work->made) {
        (void)sync_folder(file_of(work, "..").path, NULL);
    } else if (errno != EEXIST) {
        return cflri_fail_errno(error, work->path, errno, "cannot create");
    } else if (access(lock_path, F_OK) != 0 && !is_empty(work->path)) {
        return cflri_fail(error, CFLR_ARGUMENT, work->path,
                          "neither an empty directory nor a work directory of cflr");
    }
    return CFLR_OK;
}

static cflr_status take_lock(cflri_work *work, const char *path, cflr_error *error) {
    char text[LOCK_TEXT];
    work->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (work->lock < 0) return cflri_fail_errno(error, path, errno, "cannot open");
    const bool held = flock(work->lock, LOCK_EX | LOCK_NB) != 0;
    const int cause = errno;
    read_lock(work->lock, text);
    if (held && cause != EWOULDBLOCK) return cflri_fail_errno(error, path, cause, "cannot lock");
    if (held || !is_there(work->lock, path)) return fail_held(work->path, text, error);
    if (text[0] && strncmp(text, first_line, strlen(first_line)) != 0) {
        return cflri_fail(error, CFLR_ARGUMENT, path, "not the lock of a work directory");
    }
    work->made |= strstr(text, made_line) != NULL;
    return write_lock(work, path, error);
}

/* ---- segments ---- */

static segment *find(const cflri_work *work, uint32_t number) {
    size_t low = 0, high = work->segments.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (work->segments.at[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < work->segments.n && work->segments.at[low].number == number;
    return found ? &work->segments.at[low] : NULL;
}

static void close_segment(cflri_work *work, segment *one) {
    if (!one->spill) return;
    cflri_spill_bytes bytes = cflri_spill_count(one->spill);
    work->gone.written += bytes.written;
    work->gone.read += bytes.read;
    cflri_spill_free(one->spill);
    one->spill = NULL;
}

static void forget_segments(cflri_work *work) {
    for (size_t i = 0; i < work->segments.n; i++) close_segment(work, &work->segments.at[i]);
    cflri_vec_free(work->context, &work->segments);
    cflri_vec_free(work->context, &work->dropped);
}

cflr_status cflri_work_segment(cflri_work *work, cflri_spill **spill, cflr_error *error) {
    cflr_status st;
    segment one = {.number = work->next};
    assert(work->ready);
    *spill = NULL;
    if (!cflri_vec_reserve(work->context, &work->segments, 1)) {
        return cflri_fail_memory(work->context, error);
    }
    if (work->lock < 0) {
        st = cflri_spill_create_unnamed(work->context, work->path, one.number, &one.spill, error);
    } else {
        const file_name file = segment_file(work, one.number);
        st = cflri_spill_create(work->context, file.path, one.number, &one.spill, error);
    }
    if (st != CFLR_OK) return st;
    work->next++;
    *spill = one.spill;
    work->segments.at[work->segments.n++] = one;
    return CFLR_OK;
}

cflri_spill *cflri_work_find(const cflri_work *work, uint32_t number) {
    const segment *one = find(work, number);
    return one ? one->spill : NULL;
}

cflr_status cflri_work_read(cflri_work *work, const cflri_extent *extent, void *to,
                            cflr_error *error) {
    cflri_spill *spill = cflri_work_find(work, extent->segment);
    if (spill) return cflri_spill_read(spill, extent, to, error);
    return cflri_fail(error, CFLR_FORMAT, work->path, "there is no segment %u", extent->segment);
}

void cflri_work_prefetch(cflri_work *work, const cflri_extent *extent) {
    cflri_spill *spill = cflri_work_find(work, extent->segment);
    if (spill) cflri_spill_prefetch(spill, extent);
}

/* Nothing that was named when `named` was the last manifest is needed any more. */
static bool is_past(const cflri_work *work, uint64_t named) {
    return named == 0 || named + KEPT <= work->sequence;
}

void cflri_work_drop(cflri_work *work, const cflri_extent *extent) {
    const segment *one = find(work, extent->segment);
    if (!one || !one->spill || work->broken) return;
    if (extent->offset >= one->length) {
        cflri_spill_drop(one->spill, extent);
        return;
    }
    const dropped later = {*extent, work->sequence};
    (void)cflri_vec_push(work->context, &work->dropped, later); /* or it goes with the segment */
}

/* Removes what no manifest of the directory needs. */
static void remove_past(cflri_work *work) {
    size_t kept = 0;
    for (size_t i = 0; i < work->dropped.n; i++) {
        const dropped *one = &work->dropped.at[i];
        cflri_spill *spill = cflri_work_find(work, one->extent.segment);
        if (!spill) continue;
        if (is_past(work, one->named))
            cflri_spill_drop(spill, &one->extent);
        else
            work->dropped.at[kept++] = *one;
    }
    work->dropped.n = kept;
    kept = 0;
    for (size_t i = 0; i < work->segments.n; i++) {
        const segment one = work->segments.at[i];
        if (!one.removed || !is_past(work, one.named))
            work->segments.at[kept++] = one;
        else if (work->lock >= 0)
            unlink(segment_file(work, one.number).path);
    }
    work->segments.n = kept;
}

void cflri_work_remove(cflri_work *work, uint32_t number) {
    segment *one = find(work, number);
    if (!one) return;
    one->removed = true;
    close_segment(work, one);
    if (!work->broken) remove_past(work);
}

cflri_spill_bytes cflri_work_count(const cflri_work *work) {
    cflri_spill_bytes bytes = work->gone;
    for (size_t i = 0; i < work->segments.n; i++) {
        if (!work->segments.at[i].spill) continue;
        const cflri_spill_bytes more = cflri_spill_count(work->segments.at[i].spill);
        bytes.written += more.written;
        bytes.read += more.read;
    }
    return bytes;
}

/* ---- checkpoints ---- */

static cflr_status sync_segments(cflri_work *work, cflri_manifest *manifest, cflr_error *error) {
    cflr_status st;
    if (!cflri_vec_reserve(work->context, &manifest->segments, work->segments.n)) {
        return cflri_fail_memory(work->context, error);
    }
    for (size_t i = 0; i < work->segments.n; i++) {
        const segment *one = &work->segments.at[i];
        if (one->removed) continue;
        st = cflri_spill_sync(one->spill, error);
        if (st != CFLR_OK) return st;
        manifest->segments.at[manifest->segments.n++] = (cflri_manifest_segment){
            .number = one->number, .length = cflri_spill_length(one->spill)};
    }
    return CFLR_OK;
}

/* The new manifest takes its name. */
static cflr_status place(cflri_work *work, const char *path, cflr_error *error) {
    const file_name now = file_of(work, manifest_name), before = file_of(work, old_name);
    if (rename(now.path, before.path) != 0 && errno != ENOENT) {
        return cflri_fail_errno(error, now.path, errno, "cannot rename");
    }
    if (rename(path, now.path) != 0) {
        return cflri_fail_errno(error, path, errno, "cannot rename");
    }
    return CFLR_OK;
}

static void note_named(cflri_work *work, const cflri_manifest *manifest) {
    work->sequence = manifest->sequence;
    for (size_t i = 0; i < manifest->segments.n; i++) {
        segment *one = find(work, manifest->segments.at[i].number);
        one->named = manifest->sequence;
        one->length = manifest->segments.at[i].length;
    }
}

static cflr_status sync_directory(cflri_work *work, cflr_error *error) {
    cflr_status st = sync_folder(work->path, error);
    work->broken = st != CFLR_OK;
    return st;
}

cflr_status cflri_work_commit(cflri_work *work, const void *state, size_t size, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_manifest manifest = {
        .sequence = work->sequence + 1, .next = work->next, .state = state, .state_size = size};
    assert(work->ready);
    if (work->lock < 0) return CFLR_OK;
    if (work->broken) {
        return cflri_fail(error, CFLR_IO, work->path,
                          "no more checkpoints: the directory could not be written before");
    }
    const file_name file = file_of(work, new_name);
    memcpy(manifest.digest, work->digest, CFLRI_DIGEST);
    CFLR_TRY(sync_segments(work, &manifest, error));
    unlink(file.path); /* of a former try */
    CFLR_TRY(cflri_manifest_write(work->context, file.path, &manifest, error));
    CFLR_TRY(place(work, file.path, error));
    note_named(work, &manifest);
    CFLR_TRY(sync_directory(work, error));
    remove_past(work);
out:
    cflri_manifest_free(work->context, &manifest);
    return st;
}

/* ---- resuming ---- */

static cflr_status remove_file(file_name file, cflr_error *error) {
    if (unlink(file.path) == 0 || errno == ENOENT) return CFLR_OK;
    return cflri_fail_errno(error, file.path, errno, "cannot remove");
}

/* Removes the files of segments that the work does not have, and a manifest that was being
 * written; never a file of another name. */
static cflr_status remove_unknown(cflri_work *work, cflr_error *error) {
    cflr_status st = remove_file(file_of(work, new_name), error);
    DIR *folder = opendir(work->path);
    if (!folder) return cflri_fail_errno(error, work->path, errno, "cannot open");
    for (struct dirent *entry; st == CFLR_OK && (entry = readdir(folder));) {
        const size_t prefix = strlen("segment-");
        if (strncmp(entry->d_name, "segment-", prefix) != 0) continue;
        const uint32_t number = (uint32_t)strtoul(entry->d_name + prefix, NULL, 10);
        const file_name file = segment_file(work, number);
        if (strcmp(strrchr(file.path, '/') + 1, entry->d_name) == 0 && !find(work, number)) {
            st = remove_file(file, error);
        }
    }
    closedir(folder);
    return st;
}

static cflr_status open_segments(cflri_work *work, const cflri_manifest *manifest,
                                 cflr_error *error) {
    if (!cflri_vec_reserve(work->context, &work->segments, manifest->segments.n)) {
        return cflri_fail_memory(work->context, error);
    }
    for (size_t i = 0; i < manifest->segments.n; i++) {
        const cflri_manifest_segment *told = &manifest->segments.at[i];
        segment one = {.number = told->number, .named = manifest->sequence, .length = told->length};
        const file_name file = segment_file(work, one.number);
        cflr_status st =
            cflri_spill_open(work->context, file.path, one.number, one.length, &one.spill, error);
        if (st != CFLR_OK) return st;
        work->segments.at[work->segments.n++] = one;
    }
    return CFLR_OK;
}

static cflr_status take_state(cflri_work *work, const cflri_manifest *manifest, void **state,
                              size_t *size, cflr_error *error) {
    *state = cflri_alloc(work->context, manifest->state_size);
    if (!*state) return cflri_fail_memory(work->context, error);
    if (manifest->state_size) memcpy(*state, manifest->state, manifest->state_size);
    *size = manifest->state_size;
    work->sequence = manifest->sequence;
    work->next = manifest->next;
    return CFLR_OK;
}

/* Takes the state of one manifest, if that and its segments are whole. */
static cflr_status resume_from(cflri_work *work, const char *path, void **state, size_t *size,
                               cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflri_input input = {.data = NULL};
    cflri_manifest manifest = {.sequence = 0};
    CFLR_TRY(cflri_input_open(work->context, path, &input, error));
    CFLR_TRY(cflri_manifest_read(work->context, input.data, input.size, path, &manifest, error));
    if (memcmp(manifest.digest, work->digest, CFLRI_DIGEST) != 0) {
        CFLR_TRY(cflri_fail(error, CFLR_ARGUMENT, path,
                            "the checkpoint is of another graph, grammar or options"));
    }
    CFLR_TRY(open_segments(work, &manifest, error));
    CFLR_TRY(take_state(work, &manifest, state, size, error));
out:
    if (st != CFLR_OK) forget_segments(work);
    cflri_manifest_free(work->context, &manifest);
    cflri_input_close(&input);
    return st;
}

/* From the last manifest, or the one before; CFLR_NOT_FOUND without any. */
static cflr_status resume_from_either(cflri_work *work, void **state, size_t *size,
                                      cflr_error *error) {
    const file_name now = file_of(work, manifest_name), before = file_of(work, old_name);
    const bool has_now = access(now.path, F_OK) == 0, has_before = access(before.path, F_OK) == 0;
    cflr_status st = CFLR_NOT_FOUND;
    if (has_now) st = resume_from(work, now.path, state, size, error);
    if (!has_before || (st != CFLR_NOT_FOUND && st != CFLR_FORMAT)) return st;
    cflr_error of_former = {.code = CFLR_OK};
    cflr_status former = resume_from(work, before.path, state, size, &of_former);
    if (former == CFLR_FORMAT && has_now) return st; /* *error tells of the last one */
    if (former != CFLR_OK && error) *error = of_former;
    if (former != CFLR_OK) return former;
    if (rename(before.path, now.path) != 0) {
        return cflri_fail_errno(error, before.path, errno, "cannot rename");
    }
    return sync_directory(work, error);
}

cflr_status cflri_work_resume(cflri_work *work, void **state, size_t *size, cflr_error *error) {
    *state = NULL;
    *size = 0;
    if (work->lock < 0) return CFLR_OK;
    assert(!work->ready);
    cflr_status st = resume_from_either(work, state, size, error);
    if (st == CFLR_OK || st == CFLR_NOT_FOUND) st = remove_unknown(work, error);
    if (st == CFLR_OK) {
        for (size_t i = 0; i < work->segments.n; i++) cflri_spill_cut(work->segments.at[i].spill);
        work->ready = true;
        return CFLR_OK;
    }
    forget_segments(work);
    cflri_free(work->context, *state);
    *state = NULL;
    return st;
}

/* Removes manifests before segments, so that no manifest names segments that are gone. */
static cflr_status remove_checkpoints(cflri_work *work, cflr_error *error) {
    cflr_status st = remove_file(file_of(work, manifest_name), error);
    return st == CFLR_OK ? remove_file(file_of(work, old_name), error) : st;
}

cflr_status cflri_work_clear(cflri_work *work, cflr_error *error) {
    cflr_status st = CFLR_OK;
    forget_segments(work);
    work->ready = true;
    work->sequence = work->next = 0;
    if (work->lock < 0) return CFLR_OK;
    CFLR_TRY(remove_checkpoints(work, error));
    CFLR_TRY(sync_directory(work, error)); /* numbers of segments begin anew */
    CFLR_TRY(remove_unknown(work, error));
out:
    return st;
}

/* ---- opening and closing ---- */

static void free_work(cflri_work *work) {
    forget_segments(work);
    if (work->lock >= 0) close(work->lock);
    cflri_free(work->context, work->path);
    cflri_free(work->context, work);
}

/* Hands over what is made, or frees it. */
static cflr_status made_or_not(cflr_status st, cflri_work **work) {
    if (st == CFLR_OK) return CFLR_OK;
    if (*work) free_work(*work);
    *work = NULL;
    return st;
}

static cflr_status new_work(cflr_context *context, const char *path, cflri_work **work,
                            cflr_error *error) {
    *work = NULL;
    if (strlen(path) + NAME > PATH_MAX) {
        return cflri_fail_errno(error, path, ENAMETOOLONG, "cannot open");
    }
    *work = cflri_alloc_zero(context, sizeof **work);
    if (!*work) return cflri_fail_memory(context, error);
    (*work)->context = context;
    (*work)->lock = -1;
    (*work)->path = cflri_copy_text(context, path, strlen(path));
    return (*work)->path ? CFLR_OK : cflri_fail_memory(context, error);
}

cflr_status cflri_work_open(cflr_context *context, const char *path,
                            const unsigned char digest[CFLRI_DIGEST], cflri_work **work,
                            cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(new_work(context, path, work, error));
    memcpy((*work)->digest, digest, CFLRI_DIGEST);
    const file_name lock = file_of(*work, lock_name);
    CFLR_TRY(take_folder(*work, lock.path, error));
    CFLR_TRY(take_lock(*work, lock.path, error));
out:
    return made_or_not(st, work);
}

/* May files lie beside it? */
static bool is_file_or_free(const char *path) {
    struct stat about;
    if (strcmp(path, "-") == 0) return false;
    return stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode);
}

cflr_status cflri_work_make(cflr_context *context, const char *near_path, cflri_work **work,
                            cflr_error *error) {
    char in_temporary[PATH_MAX];
    const char *temporary = getenv("TMPDIR");
    if (!temporary || !*temporary) temporary = "/var/tmp"; /* /tmp is often in memory */
    if (!near_path || !is_file_or_free(near_path)) {
        snprintf(in_temporary, sizeof in_temporary, "%s/cflr", temporary);
        near_path = in_temporary;
    }
    cflr_status st = new_work(context, near_path, work, error);
    if (st != CFLR_OK) return made_or_not(st, work);
    char *end = strchr((*work)->path, '\0');
    while (end > (*work)->path + 1 && end[-1] == '/') *--end = '\0'; /* a directory to be made */
    (*work)->ready = true;
    return CFLR_OK;
}

/* The lock goes last: what a failure leaves is a work directory still. No segment is made
 * afterwards, so nothing is synced. */
static void remove_all(cflri_work *work) {
    forget_segments(work);
    if (remove_checkpoints(work, NULL) != CFLR_OK || remove_unknown(work, NULL) != CFLR_OK) return;
    unlink(file_of(work, lock_name).path);
    if (work->made) rmdir(work->path);
}

void cflri_work_close(cflri_work *work, bool keep) {
    if (!work) return;
    if (work->lock >= 0 && !keep) remove_all(work);
    free_work(work);
}
