/* SPDX-License-Identifier: Apache-2.0
 *
 * manifest.c: writing and checking manifests.
 */
#include "ooc/manifest.h"

#include <stdio.h>
#include <string.h>

#include "base/files/spill.h"
#include "base/files/version.h"
#include "cflr/version.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "manifests are arrays of this machine: a big-endian port must swap them"
#endif

enum { FORMAT = 1, PROGRAM = 32, CHECKSUM = 8 };

typedef struct header {
    char magic[4];
    uint32_t format;
    uint64_t sequence;
    unsigned char digest[CFLRI_DIGEST];
    char program[PROGRAM]; /* its version and build, filled up with zeros */
    uint64_t next;
    uint64_t segments;
    uint64_t state_size;
} header;

_Static_assert(sizeof(header) == 88 && sizeof(cflri_manifest_segment) == 16, "written as they are");

static const char magic[] = {'C', 'F', 'L', 'W'};

/* What a state means is for the build to know that wrote it: others may number in another way. */
static void name_program(char program[PROGRAM]) {
    memset(program, 0, PROGRAM);
    snprintf(program, PROGRAM, "%s+%.12s", CFLR_VERSION, cflri_engine_identity);
}

/* ---- writing ---- */

typedef struct writer {
    cflri_spill *file;
    XXH3_state_t hash;
    cflr_status st;
    cflr_error *error;
} writer;

static void put(writer *to, const void *data, size_t size) {
    cflri_extent extent;
    if (to->st != CFLR_OK || !size) return;
    XXH3_64bits_update(&to->hash, data, size);
    to->st = cflri_spill_append(to->file, data, size, false, &extent, to->error);
}

cflr_status cflri_manifest_write(cflr_context *context, const char *path,
                                 const cflri_manifest *manifest, cflr_error *error) {
    header h = {.format = FORMAT,
                .sequence = manifest->sequence,
                .next = manifest->next,
                .segments = manifest->segments.n,
                .state_size = manifest->state_size};
    memcpy(h.magic, magic, sizeof h.magic);
    name_program(h.program);
    memcpy(h.digest, manifest->digest, sizeof h.digest);
    writer to = {.error = error};
    XXH3_64bits_reset(&to.hash);
    to.st = cflri_spill_create(context, path, 0, &to.file, error);
    put(&to, &h, sizeof h);
    put(&to, manifest->segments.at, manifest->segments.n * sizeof *manifest->segments.at);
    put(&to, manifest->state, manifest->state_size);
    uint64_t checksum = XXH3_64bits_digest(&to.hash);
    put(&to, &checksum, sizeof checksum);
    if (to.st == CFLR_OK) to.st = cflri_spill_sync(to.file, error);
    cflri_spill_free(to.file);
    return to.st;
}

/* ---- reading ---- */

static cflr_status check_checksum(const char *data, size_t size, const char *subject,
                                  cflr_error *error) {
    uint64_t checksum;
    if (size < CHECKSUM) return cflri_fail(error, CFLR_FORMAT, subject, "the manifest ends early");
    memcpy(&checksum, data + size - CHECKSUM, sizeof checksum);
    if (XXH3_64bits(data, size - CHECKSUM) == checksum) return CFLR_OK;
    return cflri_fail(error, CFLR_FORMAT, subject,
                      "the manifest is damaged: its checksum is wrong");
}

/* Of the same format and program? `size` bytes are there. */
static cflr_status check_versions(const header *h, size_t size, const char *subject,
                                  cflr_error *error) {
    static const cflri_read_versions read = {FORMAT, FORMAT, "a checkpoint of format",
                                             "`cflr solve --work`"};
    const size_t least = offsetof(header, sequence);
    char program[PROGRAM];
    if (size < least || memcmp(h->magic, magic, sizeof magic) != 0) {
        return cflri_fail(error, CFLR_FORMAT, subject, "not a manifest of cflr");
    }
    cflr_status st = cflri_check_version(&read, h->format, subject, error);
    if (st != CFLR_OK) return st;
    if (size < sizeof *h || memchr(h->program, '\0', PROGRAM) == NULL) {
        return cflri_fail(error, CFLR_FORMAT, subject, "the manifest ends early");
    }
    name_program(program);
    if (strcmp(h->program, program) == 0) return CFLR_OK;
    return cflri_fail(
        error, CFLR_UNSUPPORTED, subject,
        "a checkpoint of cflr %s, and this is cflr %s: go on with that one, or make it "
        "anew by %s",
        h->program, program, read.anew);
}

static bool take_segments(cflri_manifest *manifest, const char *data, size_t n) {
    if (n) memcpy(manifest->segments.at, data, n * sizeof *manifest->segments.at);
    manifest->segments.n = n;
    for (size_t i = 0; i < n; i++) {
        const cflri_manifest_segment *one = &manifest->segments.at[i];
        if (one->zero || one->length > INT64_MAX) return false;
        if (one->number >= manifest->next) return false;
        if (i && one->number <= one[-1].number) return false;
    }
    return true;
}

cflr_status cflri_manifest_read(cflr_context *context, const char *data, size_t size,
                                const char *subject, cflri_manifest *manifest, cflr_error *error) {
    header h = {.format = 0};
    *manifest = (cflri_manifest){.sequence = 0};
    cflr_status st = check_checksum(data, size, subject, error);
    if (st != CFLR_OK) return st;
    size -= CHECKSUM;
    memcpy(&h, data, size < sizeof h ? size : sizeof h);
    st = check_versions(&h, size, subject, error);
    if (st != CFLR_OK) return st;
    size -= sizeof h;
    data += sizeof h;
    const size_t one = sizeof *manifest->segments.at;
    if (h.segments > size / one || h.state_size != size - h.segments * one) {
        return cflri_fail(error, CFLR_FORMAT, subject, "the manifest has wrong sizes");
    }
    if (!cflri_vec_reserve(context, &manifest->segments, h.segments)) {
        return cflri_fail_memory(context, error);
    }
    manifest->next = (uint32_t)h.next;
    if (h.next > UINT32_MAX || !take_segments(manifest, data, h.segments)) {
        return cflri_fail(error, CFLR_FORMAT, subject, "the manifest has wrong segments");
    }
    manifest->sequence = h.sequence;
    memcpy(manifest->digest, h.digest, sizeof h.digest);
    manifest->state = data + h.segments * one;
    manifest->state_size = h.state_size;
    return CFLR_OK;
}

void cflri_manifest_free(cflr_context *context, cflri_manifest *manifest) {
    cflri_vec_free(context, &manifest->segments);
}
