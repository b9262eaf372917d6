/* SPDX-License-Identifier: Apache-2.0
 *
 * spill.c: segments, which are written in large pieces past the page cache.
 *
 *     append -> [ zstd frame ] -> buffer -> file
 *
 *     | dropped from the cache | being written back | not yet | buffer |
 *     0                        gone                 pushed    base     base + used
 *
 * Whenever WINDOW bytes are new in the file, the system is asked to begin writing them back, and
 * the WINDOW before, which should lie on the disk by then, is waited for and dropped from the page
 * cache. So the disk is busy while the caller computes, and at most two windows are in the cache. A
 * thread that writes beside the caller would save it the copy into the page cache and the packing;
 * it was tried with two buffers, and where all processors are busy, as they are while a closure is
 * solved, it takes a fifth more time. Threads that pack side by side take a segment each.
 *
 * A write that fails leaves the buffer as it is. So every extent of which the caller knows can be
 * read, from the file or from the buffer.
 */
#include "base/files/spill.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/files/codec.h"
#include "base/files/held.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PIECE = 1 << 20, READ_PIECE = 1 << 22, WINDOW = 1 << 25, BLOCK = 4096 };

struct cflri_spill {
    cflr_context *context;
    char *path;
    int fd;
    uint32_t number;
    pthread_mutex_t lock;  /* for all that follows */
    int failed;            /* errno of the write that gave up the segment, or 0 */
    uint64_t base;         /* bytes in the file */
    uint64_t pushed, gone; /* see above */
    uint64_t written;
    _Atomic uint64_t read;
    size_t used;
    char *buffer; /* PIECE bytes; NULL: the segment was opened, and does not grow */
};

/* ---- making ---- */

static cflr_status new_spill(cflr_context *context, uint32_t number, bool grows,
                             cflri_spill **spill, cflr_error *error) {
    cflri_spill *made = cflri_alloc_zero(context, sizeof *made);
    *spill = NULL;
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->fd = -1;
    made->number = number;
    pthread_mutex_init(&made->lock, NULL);
    *spill = made;
    if (!grows || (made->buffer = cflri_alloc(context, PIECE))) return CFLR_OK;
    return cflri_fail_memory(context, error);
}

static cflr_status own_path(cflri_spill *spill, const char *path, cflr_error *error) {
    spill->path = cflri_copy_text(spill->context, path, strlen(path));
    return spill->path ? CFLR_OK : cflri_fail_memory(spill->context, error);
}

/* Hands over what is made, or frees what there is of it. */
static cflr_status made_or_not(cflr_status st, cflri_spill **spill) {
    if (st == CFLR_OK) return CFLR_OK;
    cflri_spill_free(*spill);
    *spill = NULL;
    return st;
}

cflr_status cflri_spill_create(cflr_context *context, const char *path, uint32_t number,
                               cflri_spill **spill, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(new_spill(context, number, true, spill, error));
    CFLR_TRY(own_path(*spill, path, error));
    (*spill)->fd = cflri_make_file(path);
    if ((*spill)->fd < 0) st = cflri_fail_errno(error, path, errno, "cannot create");
out:
    return made_or_not(st, spill);
}

cflr_status cflri_spill_create_unnamed(cflr_context *context, const char *path, uint32_t number,
                                       cflri_spill **spill, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(new_spill(context, number, true, spill, error));
    CFLR_TRY(
        cflri_make_beside(context, path, cflri_make_file, &(*spill)->path, &(*spill)->fd, error));
    unlink((*spill)->path);
    cflri_settled_beside(context, (*spill)->path);
out:
    return made_or_not(st, spill);
}

cflr_status cflri_spill_open(cflr_context *context, const char *path, uint32_t number,
                             uint64_t length, cflri_spill **spill, cflr_error *error) {
    cflr_status st = CFLR_OK;
    struct stat about;
    CFLR_TRY(new_spill(context, number, false, spill, error));
    CFLR_TRY(own_path(*spill, path, error));
    (*spill)->base = length;
    (*spill)->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if ((*spill)->fd < 0 && errno == ENOENT) {
        st = cflri_fail(error, CFLR_FORMAT, path, "the file is missing");
    } else if ((*spill)->fd < 0 || fstat((*spill)->fd, &about) != 0) {
        st = cflri_fail_errno(error, path, errno, "cannot open");
    } else if (!S_ISREG(about.st_mode) || (uint64_t)about.st_size < length) {
        st = cflri_fail(error, CFLR_FORMAT, path, "the file is cut short: %llu bytes, not %llu",
                        (unsigned long long)about.st_size, (unsigned long long)length);
    }
out:
    return made_or_not(st, spill);
}

void cflri_spill_free(cflri_spill *spill) {
    if (!spill) return;
    if (spill->fd >= 0) close(spill->fd);
    pthread_mutex_destroy(&spill->lock);
    cflri_free(spill->context, spill->path);
    cflri_free(spill->context, spill->buffer);
    cflri_free(spill->context, spill);
}

/* ---- writing, with the lock held ---- */

static cflr_status fail_write(const cflri_spill *spill, cflr_error *error) {
    return cflri_fail_errno(error, spill->path, spill->failed, "cannot write the closure's files");
}

/* Gives up after an error of the disk; a file system that lacks the call has no say. */
static void note_range(cflri_spill *spill, int result) {
    if (result != 0 && (errno == EIO || cflri_is_no_space(errno))) spill->failed = errno;
}

static void leave_cache(cflri_spill *spill, uint64_t offset, uint64_t size) {
    (void)posix_fadvise(spill->fd, (off_t)offset, (off_t)size, POSIX_FADV_DONTNEED);
}

static void push_window(cflri_spill *spill) {
    const uint64_t fresh = spill->base - spill->pushed, old = spill->pushed - spill->gone;
    const unsigned wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
    if (fresh < WINDOW) return;
    note_range(spill, sync_file_range(spill->fd, (off_t)spill->pushed, (off_t)fresh,
                                      SYNC_FILE_RANGE_WRITE));
    if (old) {
        note_range(spill, sync_file_range(spill->fd, (off_t)spill->gone, (off_t)old,
                                          SYNC_FILE_RANGE_WRITE | wait));
        leave_cache(spill, spill->gone, old);
    }
    spill->gone = spill->pushed;
    spill->pushed = spill->base;
}

static void flush(cflri_spill *spill) {
    for (size_t done = 0; done < spill->used && !spill->failed;) {
        cflri_held held = cflri_hold_write_signals();
        ssize_t n = pwrite(spill->fd, spill->buffer + done, spill->used - done,
                           (off_t)(spill->base + done));
        cflri_release_write_signals(&held);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) spill->failed = errno;
        if (n == 0) spill->failed = EIO;
        if (n > 0) done += (size_t)n;
    }
    if (spill->failed) return;
    spill->base += spill->used;
    spill->written += spill->used;
    spill->used = 0;
    push_window(spill);
}

/* An extent that is being appended. */
typedef struct growing {
    cflri_spill *spill;
    XXH3_state_t hash;
} growing;

/* A cflri_sink. */
static void put(void *user, const void *data, size_t size) {
    growing *to = user;
    cflri_spill *spill = to->spill;
    const char *at = data;
    if (size) XXH3_64bits_update(&to->hash, data, size);
    while (size && !spill->failed) {
        size_t some = PIECE - spill->used;
        if (some > size) some = size;
        memcpy(spill->buffer + spill->used, at, some);
        spill->used += some;
        at += some;
        size -= some;
        if (spill->used == PIECE) flush(spill);
    }
}

static cflr_status put_packed(growing *to, const void *data, size_t size, cflr_error *error) {
    cflri_packer *packer;
    cflr_status st = cflri_packer_new(to->spill->context, size, &packer, error);
    if (st != CFLR_OK) return st;
    st = cflri_packer_write(packer, data, size, true, put, to, error);
    cflri_packer_free(packer);
    return st;
}

static cflr_status append(cflri_spill *spill, const void *data, size_t size, bool pack,
                          cflri_extent *extent, cflr_error *error) {
    cflr_status st = CFLR_OK;
    growing to = {.spill = spill};
    XXH3_64bits_reset(&to.hash);
    *extent = (cflri_extent){.offset = spill->base + spill->used,
                             .plain = size,
                             .segment = spill->number,
                             .packed = pack};
    if (pack)
        st = put_packed(&to, data, size, error);
    else
        put(&to, data, size);
    if (spill->failed) return fail_write(spill, error);
    if (st != CFLR_OK) return st;
    extent->size = spill->base + spill->used - extent->offset;
    extent->checksum = XXH3_64bits_digest(&to.hash);
    return CFLR_OK;
}

cflr_status cflri_spill_append(cflri_spill *spill, const void *data, size_t size, bool pack,
                               cflri_extent *extent, cflr_error *error) {
    assert(spill->buffer);
    pthread_mutex_lock(&spill->lock);
    cflr_status st = CFLR_LIMIT;
    if (pack && size) st = append(spill, data, size, true, extent, error);
    if (st == CFLR_LIMIT || st == CFLR_NO_MEMORY) {
        st = append(spill, data, size, false, extent, error);
    }
    pthread_mutex_unlock(&spill->lock);
    return st;
}

cflr_status cflri_spill_sync(cflri_spill *spill, cflr_error *error) {
    cflr_status st = CFLR_OK;
    pthread_mutex_lock(&spill->lock);
    if (!spill->failed && spill->buffer) {
        flush(spill);
        if (!spill->failed && fdatasync(spill->fd) != 0) spill->failed = errno;
        leave_cache(spill, spill->gone, spill->base - spill->gone);
        spill->gone = spill->pushed = spill->base / BLOCK * BLOCK;
    }
    if (spill->failed) st = fail_write(spill, error);
    pthread_mutex_unlock(&spill->lock);
    return st;
}

bool cflri_spill_given_up(cflri_spill *spill) {
    pthread_mutex_lock(&spill->lock);
    bool given_up = spill->failed != 0;
    pthread_mutex_unlock(&spill->lock);
    return given_up;
}

/* ---- reading ---- */

static uint64_t bytes_in_file(cflri_spill *spill) {
    pthread_mutex_lock(&spill->lock);
    uint64_t bytes = spill->base;
    pthread_mutex_unlock(&spill->lock);
    return bytes;
}

uint64_t cflri_spill_length(cflri_spill *spill) {
    pthread_mutex_lock(&spill->lock);
    uint64_t length = spill->base + spill->used;
    pthread_mutex_unlock(&spill->lock);
    return length;
}

static cflr_status fail_extent(const cflri_spill *spill, const cflri_extent *extent,
                               const char *what, cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, spill->path, "the %llu bytes at byte %llu %s",
                      (unsigned long long)extent->size, (unsigned long long)extent->offset, what);
}

/* Copies what is in the buffer of the bytes from `offset` on; 0 when these are in the file. */
static size_t take_from_buffer(cflri_spill *spill, uint64_t offset, char *to, size_t size) {
    pthread_mutex_lock(&spill->lock);
    const bool here = offset >= spill->base;
    if (here) memcpy(to, spill->buffer + (offset - spill->base), size);
    pthread_mutex_unlock(&spill->lock);
    return here ? size : 0;
}

/* Reads some of the bytes, all of which the segment has: how many, 0 at the end of the file, or -1
 * with errno. */
static ssize_t read_some(cflri_spill *spill, uint64_t offset, char *to, size_t size) {
    size_t some = take_from_buffer(spill, offset, to, size);
    if (some) return (ssize_t)some;
    const uint64_t left = bytes_in_file(spill) - offset;
    some = size < READ_PIECE ? size : READ_PIECE;
    if (some > left) some = left;
    ssize_t n;
    do {
        n = pread(spill->fd, to, some, (off_t)offset);
    } while (n < 0 && errno == EINTR);
    if (n <= 0) return n;
    atomic_fetch_add_explicit(&spill->read, (uint64_t)n, memory_order_relaxed);
    leave_cache(spill, offset, (uint64_t)n);
    return n;
}

/* The bytes of the extent as they lie in the segment. */
static cflr_status read_bytes(cflri_spill *spill, const cflri_extent *extent, char *to,
                              cflr_error *error) {
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    for (size_t at = 0; at < extent->size;) {
        ssize_t n = read_some(spill, extent->offset + at, to + at, extent->size - at);
        if (n < 0) return cflri_fail_errno(error, spill->path, errno, "cannot read");
        if (n == 0) return fail_extent(spill, extent, "are cut short", error);
        XXH3_64bits_update(&hash, to + at, (size_t)n);
        at += (size_t)n;
    }
    if (XXH3_64bits_digest(&hash) == extent->checksum) return CFLR_OK;
    return fail_extent(spill, extent, "are damaged: their checksum is wrong", error);
}

static bool is_extent(cflri_spill *spill, const cflri_extent *extent) {
    const uint64_t length = cflri_spill_length(spill);
    return extent->segment == spill->number && extent->size <= length &&
           extent->offset <= length - extent->size &&
           (extent->packed ? cflri_zstd_may_hold(extent->size, extent->plain)
                           : extent->size == extent->plain);
}

cflr_status cflri_spill_read(cflri_spill *spill, const cflri_extent *extent, void *to,
                             cflr_error *error) {
    if (!is_extent(spill, extent)) return fail_extent(spill, extent, "are no extent", error);
    if (!extent->packed) return read_bytes(spill, extent, to, error);
    char *packed = cflri_alloc(spill->context, extent->size);
    if (!packed) return cflri_fail_memory(spill->context, error);
    cflr_status st = read_bytes(spill, extent, packed, error);
    if (st == CFLR_OK && !cflri_zstd_frame_is(packed, extent->size, extent->plain)) {
        st = fail_extent(spill, extent, "cannot be unpacked", error);
    }
    if (st == CFLR_OK) {
        st = cflri_zstd_unpack(spill->context, packed, extent->size, to, extent->plain, error);
        cflri_name_subject(st, spill->path, error);
    }
    cflri_free(spill->context, packed);
    return st;
}

void cflri_spill_prefetch(cflri_spill *spill, const cflri_extent *extent) {
    (void)posix_fadvise(spill->fd, (off_t)extent->offset, (off_t)extent->size, POSIX_FADV_WILLNEED);
}

/* ---- dropping ---- */

void cflri_spill_drop(cflri_spill *spill, const cflri_extent *extent) {
    const uint64_t begin = (extent->offset + BLOCK - 1) / BLOCK * BLOCK;
    uint64_t end = bytes_in_file(spill);
    if (!is_extent(spill, extent)) return;
    if (end > extent->offset + extent->size) end = extent->offset + extent->size;
    end = end / BLOCK * BLOCK;
    if (begin >= end) return;
    (void)fallocate(spill->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)begin,
                    (off_t)(end - begin));
}

void cflri_spill_cut(cflri_spill *spill) {
    assert(!spill->buffer);
    if (ftruncate(spill->fd, (off_t)spill->base) != 0) return; /* it only takes more space */
}

cflri_spill_bytes cflri_spill_count(cflri_spill *spill) {
    pthread_mutex_lock(&spill->lock);
    cflri_spill_bytes bytes = {spill->written, spill->read};
    pthread_mutex_unlock(&spill->lock);
    return bytes;
}
