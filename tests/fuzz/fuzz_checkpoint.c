/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_checkpoint.c: hostile states of checkpoints: the list of blocks, and what lies there.
 *
 *     2 bytes: size of the state | state | segment 0
 *
 * A manifest of this build has the state; checksums of blocks that lie in the segment are right.
 * Whatever resumes is read, block by block.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "ooc/blocks.h"
#include "ooc/shelf.h"
#include "tests/fuzz/fuzz.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* In memory, if it can be: a checkpoint waits for the disk. */
static char in_memory[] = "/dev/shm/fuzz-checkpoint-XXXXXX",
            in_files[] = "/tmp/fuzz-checkpoint-XXXXXX";
static const char *folder;
static const unsigned char digest[CFLRI_DIGEST] = "of the fuzzer";

static void write_file(const char *name, const void *data, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    must(file && fwrite(data, 1, size, file) == size);
    must(fclose(file) == 0);
}

static void clear_folder(void) {
    DIR *list = opendir(folder);
    char path[512];
    must(list != NULL);
    for (struct dirent *entry; (entry = readdir(list));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') must(unlink(path) == 0);
    }
    closedir(list);
}

static void make_folder(void) {
    folder = mkdtemp(in_memory);
    if (!folder) folder = mkdtemp(in_files);
    must(folder != NULL);
}

static void remove_folder(void) {
    clear_folder();
    rmdir(folder);
}

/* The head is two numbers; behind it each slice has its number of blocks, and these. */
static void put_right(char *state, size_t size, const char *segment, size_t segment_size) {
    uint64_t n;
    for (size_t at = 2 * sizeof(uint32_t); size >= sizeof n && at <= size - sizeof n;) {
        memcpy(&n, state + at, sizeof n);
        at += sizeof n;
        for (cflri_work_block b; n && size - at >= sizeof b; n--, at += sizeof b) {
            memcpy(&b, state + at, sizeof b);
            if (b.extent.offset > segment_size || b.extent.size > segment_size - b.extent.offset)
                continue;
            b.extent.checksum = XXH3_64bits(segment + b.extent.offset, b.extent.size);
            memcpy(state + at, &b, sizeof b);
        }
        if (n) return;
    }
}

static void write_checkpoint(cflr_context *context, const void *state, size_t size,
                             const void *segment, size_t segment_size) {
    char path[64];
    cflri_manifest manifest = {.sequence = 1, .next = 1, .state = state, .state_size = size};
    const cflri_manifest_segment one = {.number = 0, .length = segment_size};
    memcpy(manifest.digest, digest, sizeof digest);
    must(cflri_vec_push(context, &manifest.segments, one));
    clear_folder();
    write_file("cflr.lock", "cflr work directory\n", 20);
    write_file("segment-0000", segment, segment_size);
    snprintf(path, sizeof path, "%s/manifest", folder);
    must(cflri_manifest_write(context, path, &manifest, NULL) == CFLR_OK);
    cflri_manifest_free(context, &manifest);
}

static void read_blocks(cflr_context *context, cflri_shelf *shelf) {
    cflr_error error = {0};
    for (uint32_t slice = 0; slice < shelf->former.slices; slice++) {
        const cflri_block_source *source = shelf->read(shelf, true, slice);
        for (size_t i = 0; i < source->n; i++) {
            cflri_stored_block block = source->about(source, i);
            must(strlen(block.tag) < CFLRI_TAG);
            char *room = cflri_alloc(context, block.size);
            if (!room) continue;
            cflr_status st = source->read(source, i, room, &error);
            must(st == CFLR_OK || error.message[0]);
            cflri_free(context, room);
        }
    }
}

static void resume(cflr_context *context) {
    cflri_work *work;
    cflri_shelf *shelf;
    cflr_error error = {0};
    must(cflri_work_open(context, folder, digest, &work, &error) == CFLR_OK);
    cflr_status st = cflri_disk_shelf_new(context, work, true, &shelf, &error);
    must(st == CFLR_OK || (error.code == st && error.message[0]));
    if (st == CFLR_OK) read_blocks(context, shelf);
    cflri_disk_shelf_free(shelf);
    cflri_work_close(work, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cflr_context *context;
    uint16_t n;
    if (!folder) {
        make_folder();
        must(atexit(remove_folder) == 0);
    }
    if (size < sizeof n) return 0;
    memcpy(&n, data, sizeof n);
    if (n > size - sizeof n) return 0;
    must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    context->memory_limit = UINT64_C(64) << 20;
    const char *segment = (const char *)data + sizeof n + n;
    size_t segment_size = size - sizeof n - n;
    char *state = malloc(n ? n : 1);
    must(state != NULL);
    memcpy(state, data + sizeof n, n);
    put_right(state, n, segment, segment_size);
    write_checkpoint(context, state, n, segment, segment_size);
    resume(context);
    must(cflr_context_memory(context) == 0);
    cflr_context_free(context);
    free(state);
    return 0;
}
