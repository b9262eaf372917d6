/* SPDX-License-Identifier: Apache-2.0
 *
 * container.c: writing and checking the sections of .cflg and .cflr files.
 *
 * A section's header tells the size and checksum of packed bytes that come behind it, and the
 * output may be a pipe, so the bytes are packed before the header is written:
 *
 *     data -> zstd -> collector: size, checksum, and a copy while memory lasts
 *     header
 *     the copy, or without one: data -> zstd -> output once more
 */
#include "base/files/container.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/files/codec.h"
#include "base/files/version.h"
#include "base/vec.h"
#include "cflr/version.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "payloads are arrays of this machine: a big-endian port must swap them"
#endif

enum { FILE_HEADER = 8, SECTION_HEADER = 32, CHECKED_HEADER = 24, ROOM = 1 << 20 };

typedef CFLRI_VEC(cflri_section) section_list;

static const char magic[] = {'C', 'F', 'L', 'R'};
static const char end_tag[] = "END ";

typedef struct header {
    char tag[4];
    uint32_t zero;
    uint64_t packed_size;
    uint64_t size;
    uint64_t checksum;
} header;

_Static_assert(sizeof(header) == SECTION_HEADER, "written as it is");

static uint64_t checksum_of(const header *h, const char *payload) {
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    XXH3_64bits_update(&hash, payload, h->packed_size);
    XXH3_64bits_update(&hash, h, CHECKED_HEADER);
    return XXH3_64bits_digest(&hash);
}

/* ---- writing ---- */

typedef struct collector {
    cflr_context *context;
    XXH3_state_t *hash; /* or NULL */
    uint64_t size;
    bool keep; /* `copy` holds everything */
    CFLRI_VEC(char) copy;
} collector;

static void collect(void *user, const void *data, size_t size) {
    collector *c = user;
    if (c->hash) XXH3_64bits_update(c->hash, data, size);
    c->size += size;
    if (!c->keep) return;
    if (cflri_vec_reserve(c->context, &c->copy, size)) {
        memcpy(c->copy.at + c->copy.n, data, size);
        c->copy.n += size;
    } else {
        c->keep = false;
        cflri_vec_free(c->context, &c->copy);
    }
}

static void pass_to_output(void *user, const void *data, size_t size) {
    cflri_output_write(user, data, size);
}

static cflr_status pack(cflr_context *context, cflri_bytes plain, cflri_sink sink, void *user,
                        cflr_error *error) {
    cflri_packer *packer;
    cflr_status st = cflri_packer_new(context, plain.size, &packer, error);
    if (st != CFLR_OK) return st;
    st = cflri_packer_write(packer, plain.data, plain.size, true, sink, user, error);
    cflri_packer_free(packer);
    return st;
}

void cflri_container_begin(cflri_output *output) {
    uint32_t version = CFLR_FILE_FORMAT;
    cflri_output_write(output, magic, sizeof magic);
    cflri_output_write(output, &version, sizeof version);
}

cflr_status cflri_container_section(cflr_context *context, cflri_output *output, const char *tag,
                                    const void *data, size_t size, cflr_error *error) {
    assert(strlen(tag) == 4 && strcmp(tag, end_tag) != 0);
    XXH3_state_t hash;
    XXH3_64bits_reset(&hash);
    collector c = {.context = context, .hash = &hash, .keep = true};
    cflri_bytes plain = {(char *)(uintptr_t)data, size}; /* only read */
    cflr_status st = pack(context, plain, collect, &c, error);
    if (st == CFLR_OK) {
        header h = {.packed_size = c.size, .size = size};
        memcpy(h.tag, tag, sizeof h.tag);
        XXH3_64bits_update(&hash, &h, CHECKED_HEADER);
        h.checksum = XXH3_64bits_digest(&hash);
        cflri_output_write(output, &h, sizeof h);
        cflri_output_write(output, c.copy.at, c.copy.n);
        if (!c.keep) st = pack(context, plain, pass_to_output, output, error);
    }
    cflri_vec_free(context, &c.copy);
    return st;
}

cflr_status cflri_container_pack(cflr_context *context, const char *tag, const void *data,
                                 size_t size, cflri_section *section, cflr_error *error) {
    assert(strlen(tag) == 4 && strcmp(tag, end_tag) != 0);
    collector c = {.context = context, .keep = true};
    cflri_bytes plain = {(char *)(uintptr_t)data, size}; /* only read */
    cflr_status st = pack(context, plain, collect, &c, error);
    if (st == CFLR_OK && !c.keep) st = cflri_fail_memory(context, error);
    if (st != CFLR_OK) {
        cflri_vec_free(context, &c.copy);
        return st;
    }
    void *fitting = cflri_realloc(context, c.copy.at, c.size);
    *section = (cflri_section){
        .packed = fitting ? fitting : c.copy.at, .packed_size = c.size, .size = size};
    memcpy(section->tag, tag, sizeof section->tag);
    return CFLR_OK;
}

void cflri_container_put(cflri_output *output, const cflri_section *section) {
    header h = {.packed_size = section->packed_size, .size = section->size};
    memcpy(h.tag, section->tag, sizeof h.tag);
    h.checksum = checksum_of(&h, section->packed);
    cflri_output_write(output, &h, sizeof h);
    cflri_output_write(output, section->packed, section->packed_size);
}

void cflri_container_end(cflri_output *output) {
    header h = {.packed_size = 0};
    memcpy(h.tag, end_tag, sizeof h.tag);
    h.checksum = XXH3_64bits(&h, CHECKED_HEADER);
    cflri_output_write(output, &h, sizeof h);
}

/* ---- reading ---- */

bool cflri_container_is(const char *data, size_t size) {
    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

static cflr_status check_file_header(const char *data, size_t size, const char *subject,
                                     cflr_error *error) {
    if (!cflri_container_is(data, size)) {
        return cflri_fail(error, CFLR_FORMAT, subject, "not a cflr file");
    }
    if (size < FILE_HEADER) return cflri_fail(error, CFLR_FORMAT, subject, "the file ends early");
    static const cflri_read_versions read = {CFLR_FILE_FORMAT_OLDEST, CFLR_FILE_FORMAT,
                                             "file format", "`cflr extract`, `convert` or `solve`"};
    uint32_t version;
    memcpy(&version, data + sizeof magic, sizeof version);
    return cflri_check_version(&read, version, subject, error);
}

static cflr_status fail_section(cflr_error *error, const char *subject, uint64_t offset,
                                const char *what) {
    return cflri_fail(error, CFLR_FORMAT, subject, "the section at byte %llu %s",
                      (unsigned long long)offset, what);
}

static bool is_end(const header *h) {
    return memcmp(h->tag, end_tag, sizeof h->tag) == 0;
}

/* Reads the header at *at, checks it with its payload and moves *at behind both. */
static cflr_status next_section(const cflri_bytes *file, size_t *at, const char *subject, header *h,
                                cflr_error *error) {
    size_t left = file->size - *at;
    if (left < SECTION_HEADER) return fail_section(error, subject, *at, "ends early");
    memcpy(h, file->data + *at, sizeof *h);
    left -= SECTION_HEADER;
    if (h->packed_size > left) return fail_section(error, subject, *at, "ends early");
    const char *payload = file->data + *at + SECTION_HEADER;
    if (checksum_of(h, payload) != h->checksum) {
        return fail_section(error, subject, *at, "is damaged: its checksum is wrong");
    }
    if (is_end(h) ? h->packed_size || h->size || left
                  : !cflri_zstd_frame_is(payload, h->packed_size, h->size)) {
        return fail_section(error, subject, *at, "is damaged: its sizes are wrong");
    }
    *at += SECTION_HEADER + h->packed_size;
    return CFLR_OK;
}

cflr_status cflri_container_open(cflr_context *context, const char *data, size_t size,
                                 const char *subject, cflri_section **sections, size_t *count,
                                 cflr_error *error) {
    section_list list = {0};
    cflri_bytes file = {(char *)(uintptr_t)data, size}; /* only read */
    cflr_status st = CFLR_OK;
    *sections = NULL;
    *count = 0;
    CFLR_TRY(check_file_header(data, size, subject, error));
    for (size_t at = FILE_HEADER;;) {
        header h;
        size_t offset = at;
        CFLR_TRY(next_section(&file, &at, subject, &h, error));
        if (is_end(&h)) break;
        cflri_section section = {.packed = data + offset + SECTION_HEADER,
                                 .packed_size = h.packed_size,
                                 .size = h.size,
                                 .offset = offset};
        memcpy(section.tag, h.tag, sizeof h.tag);
        if (!cflri_vec_push(context, &list, section)) {
            st = cflri_fail_memory(context, error);
            goto out;
        }
    }
    *sections = list.at;
    *count = list.n;
    list.at = NULL;
out:
    cflri_free(context, list.at);
    return st;
}

/* ---- reading what is left in the file ---- */

cflr_status cflri_container_input(cflr_context *context, const char *path, cflri_input *input,
                                  cflr_error *error) {
    return cflri_input_open_left(context, path, magic, sizeof magic, input, error);
}

static header header_of(const cflri_section *section) {
    header h = {
        .packed_size = section->packed_size, .size = section->size, .checksum = section->checksum};
    memcpy(h.tag, section->tag, sizeof h.tag);
    return h;
}

/* Looks at the checksum of a payload without keeping it. */
static cflr_status check_left(const cflri_section *section, char *room, const char *subject,
                              cflr_error *error) {
    XXH3_state_t hash;
    header h = header_of(section);
    XXH3_64bits_reset(&hash);
    for (uint64_t at = 0; at < h.packed_size;) {
        size_t some = h.packed_size - at < ROOM ? (size_t)(h.packed_size - at) : ROOM;
        uint64_t offset = section->offset + SECTION_HEADER + at;
        cflr_status st = cflri_input_read(section->input, offset, room, some, subject, error);
        if (st != CFLR_OK) return st;
        XXH3_64bits_update(&hash, room, some);
        at += some;
    }
    XXH3_64bits_update(&hash, &h, CHECKED_HEADER);
    if (XXH3_64bits_digest(&hash) == section->checksum) return CFLR_OK;
    return fail_section(error, subject, section->offset, "is damaged: its checksum is wrong");
}

/* Reads the header at *at and moves *at behind it and its payload. */
static cflr_status next_left(const cflri_input *input, uint64_t *at, const char *subject,
                             cflri_section *section, cflr_error *error) {
    header h;
    uint64_t left = input->size - *at;
    if (left < SECTION_HEADER) return fail_section(error, subject, *at, "ends early");
    cflr_status st = cflri_input_read(input, *at, &h, sizeof h, subject, error);
    if (st != CFLR_OK) return st;
    left -= SECTION_HEADER;
    if (h.packed_size > left) return fail_section(error, subject, *at, "ends early");
    if (h.zero) return fail_section(error, subject, *at, "is damaged: its checksum is wrong");
    *section = (cflri_section){.packed_size = h.packed_size,
                               .size = h.size,
                               .offset = *at,
                               .input = input,
                               .checksum = h.checksum};
    memcpy(section->tag, h.tag, sizeof h.tag);
    *at += SECTION_HEADER + h.packed_size;
    return CFLR_OK;
}

static bool is_among(const char *tag, const char *const *tags) {
    while (*tags && strcmp(*tags, tag) != 0) tags++;
    return *tags;
}

static cflr_status look_at_left(const cflri_section *section, const char *const *later, char *room,
                                uint64_t behind, const char *subject, cflr_error *error) {
    bool end = strcmp(section->tag, end_tag) == 0;
    cflr_status st = CFLR_OK;
    if (end || !is_among(section->tag, later)) st = check_left(section, room, subject, error);
    if (st != CFLR_OK) return st;
    if (end ? section->packed_size || section->size || behind
            : !cflri_zstd_may_hold(section->packed_size, section->size)) {
        st = fail_section(error, subject, section->offset, "is damaged: its sizes are wrong");
    }
    return st;
}

static cflr_status list_left(const cflri_input *input, const char *const *later,
                             const char *subject, char *room, section_list *list,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t first = input->size < FILE_HEADER ? input->size : FILE_HEADER;
    CFLR_TRY(cflri_input_read(input, 0, room, first, subject, error));
    CFLR_TRY(check_file_header(room, first, subject, error));
    for (uint64_t at = FILE_HEADER;;) {
        cflri_section section;
        CFLR_TRY(next_left(input, &at, subject, &section, error));
        CFLR_TRY(look_at_left(&section, later, room, input->size - at, subject, error));
        if (strcmp(section.tag, end_tag) == 0) break;
        if (!cflri_vec_push(input->context, list, section)) {
            CFLR_TRY(cflri_fail_memory(input->context, error));
        }
        st = cflri_tick(input->context, "load", at, input->size);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(input->context, st, error));
    }
out:
    return st;
}

cflr_status cflri_container_list(const cflri_input *input, const char *const *later,
                                 const char *subject, cflri_section **sections, size_t *count,
                                 cflr_error *error) {
    cflr_context *context = input->context;
    section_list list = {0};
    if (!input->left) {
        return cflri_container_open(context, input->data, input->size, subject, sections, count,
                                    error);
    }
    *sections = NULL;
    *count = 0;
    char *room = cflri_alloc(context, ROOM);
    if (!room) return cflri_fail_memory(context, error);
    cflr_status st = list_left(input, later, subject, room, &list, error);
    cflri_free(context, room);
    if (st == CFLR_OK) {
        *sections = list.at;
        *count = list.n;
    } else {
        cflri_vec_free(context, &list);
    }
    return st;
}

/* Reads the payload of a section that is left, and looks at it. */
static cflr_status read_left(const cflri_section *section, const char *subject, char *packed,
                             cflr_error *error) {
    header h = header_of(section);
    cflr_status st = cflri_input_read(section->input, section->offset + SECTION_HEADER, packed,
                                      section->packed_size, subject, error);
    if (st != CFLR_OK) return st;
    if (checksum_of(&h, packed) != section->checksum) {
        return fail_section(error, subject, section->offset, "is damaged: its checksum is wrong");
    }
    if (!cflri_zstd_frame_is(packed, section->packed_size, section->size)) {
        return fail_section(error, subject, section->offset, "is damaged: its sizes are wrong");
    }
    return CFLR_OK;
}

/* ---- unpacking ---- */

static cflr_status unpack_from(cflr_context *context, const cflri_section *section,
                               const void *packed, const char *subject, void *plain,
                               cflr_error *error) {
    cflr_status st =
        cflri_zstd_unpack(context, packed, section->packed_size, plain, section->size, error);
    if (st == CFLR_FORMAT) fail_section(error, subject, section->offset, "cannot be unpacked");
    return st;
}

cflr_status cflri_container_unpack_to(cflr_context *context, const cflri_section *section,
                                      const char *subject, void *plain, cflr_error *error) {
    if (section->packed) {
        return unpack_from(context, section, section->packed, subject, plain, error);
    }
    char *packed = cflri_alloc(context, section->packed_size);
    if (!packed) return cflri_fail_memory(context, error);
    cflr_status st = read_left(section, subject, packed, error);
    if (st == CFLR_OK) st = unpack_from(context, section, packed, subject, plain, error);
    cflri_free(context, packed);
    return st;
}

cflr_status cflri_container_unpack(cflr_context *context, const cflri_section *section,
                                   const char *subject, void **data, cflr_error *error) {
    *data = NULL;
    void *plain = cflri_alloc(context, section->size);
    if (!plain) return cflri_fail_memory(context, error);
    cflr_status st = cflri_container_unpack_to(context, section, subject, plain, error);
    if (st == CFLR_OK)
        *data = plain;
    else
        cflri_free(context, plain);
    return st;
}

cflr_status cflri_container_copy(cflr_context *context, const cflri_section *section,
                                 cflri_section *copy, cflr_error *error) {
    void *block = cflri_alloc(context, section->packed_size);
    *copy = *section;
    copy->packed = block;
    if (!block) return cflri_fail_memory(context, error);
    memcpy(block, section->packed, section->packed_size);
    return CFLR_OK;
}

uint64_t cflri_container_words(const cflri_section *sections, size_t count, const char *tag) {
    uint64_t words = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(sections[i].tag, tag) == 0) words += sections[i].size / sizeof(uint32_t);
    }
    return words;
}

const cflri_section *cflri_container_find(const cflri_section *sections, size_t count,
                                          const char *tag) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(sections[i].tag, tag) == 0) return &sections[i];
    }
    return NULL;
}
