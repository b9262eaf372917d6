/* SPDX-License-Identifier: Apache-2.0
 *
 * mutate.c: a fuzz target without a fuzzer: its seeds, cut and changed at random, the same each
 * time.
 *
 *     mutate_graph SEEDS [COUNT [FIRST]]     CFLR_MUTATIONS=1000000 for a COUNT that was not given
 *
 * First come the seeds whole and cut: at every byte, or a large one at MOST_CUTS places. Then come
 * COUNT changed ones. Mutation number i is made of i alone, so that a finding is known by its
 * number, and FIRST with a COUNT of 1 makes it again.
 *
 * A fuzzer that knows what was reached finds more in a day. This needs no clang, runs with the
 * other tests, and changes what a fuzzer cannot: where a seed holds a container
 * (base/files/container.h), half of the changes are made in the bytes that a section unpacks to,
 * which is packed again with the right sizes and checksums. There each section is also cut.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/files/container.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tests/fuzz/checksums.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/sanitized.h"

enum { MOST_SEEDS = 256, MOST_SECTIONS = 64, MOST_BYTES = 1 << 20 };

/* Without a sanitizer less is seen of a mutation, so that fewer are tried. */
enum { FEW = TEST_SANITIZED ? 3000 : 1000, MOST_CUTS = TEST_SANITIZED ? 1000 : 250 };

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

typedef struct bytes {
    uint8_t *at;
    size_t n;
} bytes;

static bytes seeds[MOST_SEEDS];
static size_t n_seeds;
static cflr_context *context;

/* ---- what is being done, for the message of a finding ---- */

static char doing[128];

static void on_finding(int signal_number) {
    if (write(STDERR_FILENO, doing, strlen(doing)) < 0) _exit(1);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void watch(void) {
    static const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], on_finding);
}

/* ---- seeds ---- */

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bytes read_whole(const char *path) {
    bytes all = {malloc(MOST_BYTES), 0};
    FILE *file = fopen(path, "rb");
    must(file && all.at);
    all.n = fread(all.at, 1, MOST_BYTES, file);
    must(feof(file) || fgetc(file) == EOF);
    fclose(file);
    return all;
}

static void read_seeds(const char *folder) {
    struct dirent **list;
    char path[4096];
    int n = scandir(folder, &list, NULL, by_name);
    must(n > 0 && n <= MOST_SEEDS);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        if (list[i]->d_name[0] != '.') seeds[n_seeds++] = read_whole(path);
        free(list[i]);
    }
    free(list);
    must(n_seeds > 0);
}

/* The target gets a block of just this size, so that a sanitizer sees what reads behind it. */
static void try(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    must(copy != NULL);
    if (size) memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* ---- random numbers (splitmix64) ---- */

static uint64_t state;

static uint64_t random_bits(void) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static size_t below(size_t bound) {
    return bound ? (size_t)(random_bits() % bound) : 0;
}

/* ---- changing bytes ---- */

/* Numbers at which something ends. */
static uint64_t edge_number(void) {
    static const uint64_t edges[] = {0,          1,          0x7f,
                                     0x80,       0xff,       0x100,
                                     0x7fff,     0xffff,     0x10000,
                                     0x7fffffff, 0x80000000, 0xfffffffd,
                                     0xfffffffe, 0xffffffff, UINT64_C(1) << 32,
                                     INT64_MAX,  UINT64_MAX, UINT64_C(1) << 63};
    return edges[below(sizeof edges / sizeof *edges)] + below(3) - 1;
}

static void put_number(bytes *b) {
    uint64_t number = edge_number();
    size_t size = (size_t)1 << below(4), at = below(b->n);
    if (size > b->n - at) size = b->n - at;
    memcpy(b->at + at, &number, size); /* little endian, as in files */
}

static void leave_out(bytes *b) {
    size_t at = below(b->n), n = 1 + below(below(2) ? 8 : b->n - at);
    if (n > b->n - at) n = b->n - at;
    memmove(b->at + at, b->at + at + n, b->n - at - n);
    b->n -= n;
}

/* Some bytes of a seed, or at random, are put somewhere. */
static void put_in(bytes *b) {
    const bytes *from = below(2) ? b : &seeds[below(n_seeds)];
    size_t at = below(b->n + 1), start = below(from->n), n = 1 + below(below(2) ? 8 : 256);
    uint8_t piece[256];
    if (n > sizeof piece) n = sizeof piece;
    for (size_t i = 0; i < n; i++)
        piece[i] = start + i < from->n ? from->at[start + i] : (uint8_t)random_bits();
    if (n > MOST_BYTES - b->n) return;
    memmove(b->at + at + n, b->at + at, b->n - at);
    memcpy(b->at + at, piece, n);
    b->n += n;
}

static void change_once(bytes *b) {
    size_t kind = below(8);
    if (!b->n || kind == 0) {
        put_in(b);
    } else if (kind == 1) {
        leave_out(b);
    } else if (kind == 2) {
        b->n = below(b->n + 1);
    } else if (kind <= 4) {
        put_number(b);
    } else if (kind == 5) {
        b->at[below(b->n)] ^= (uint8_t)(1 << below(8));
    } else {
        b->at[below(b->n)] = (uint8_t)random_bits();
    }
}

static void change(bytes *b) {
    for (size_t i = 1 + below(below(3) ? 3 : 12); i; i--) change_once(b);
}

/* ---- containers ---- */

typedef struct part {
    char tag[5];
    bytes plain;
} part;

static part parts[MOST_SECTIONS + 1];
static size_t n_parts;
static uint64_t n_packed; /* containers that were packed again */

/* Behind what picks the reader there may be a container: where it begins, or SIZE_MAX. */
static size_t container_at(const bytes *seed) {
    for (size_t at = 0; at < 2; at++)
        if (seed->n > at && cflri_container_is((const char *)seed->at + at, seed->n - at))
            return at;
    return SIZE_MAX;
}

static void free_parts(void) {
    for (size_t i = 0; i < n_parts; i++) free(parts[i].plain.at);
    n_parts = 0;
}

/* False when it is none that can be opened. */
static bool take_apart(const bytes *seed, size_t at) {
    cflri_section *sections;
    size_t n;
    bool whole = cflri_container_open(context, (const char *)seed->at + at, seed->n - at, "seed",
                                      &sections, &n, NULL) == CFLR_OK &&
                 n <= MOST_SECTIONS;
    for (size_t i = 0; whole && i < n; i++) {
        void *plain;
        must(cflri_container_unpack(context, &sections[i], "seed", &plain, NULL) == CFLR_OK);
        part *p = &parts[n_parts++];
        memcpy(p->tag, sections[i].tag, sizeof p->tag);
        p->plain = (bytes){malloc(MOST_BYTES), sections[i].size};
        must(p->plain.at && p->plain.n <= MOST_BYTES / 2);
        memcpy(p->plain.at, plain, p->plain.n);
        cflri_free(context, plain);
    }
    cflri_free(context, sections);
    return whole;
}

static void append(bytes *b, const void *data, size_t size) {
    must(size <= MOST_BYTES - b->n);
    memcpy(b->at + b->n, data, size);
    b->n += size;
}

static void append_section(bytes *b, const char *tag, const void *packed, uint64_t packed_size,
                           uint64_t size) {
    uint64_t checksum = 0;
    append(b, tag, 4);
    append(b, "\0\0\0", 4);
    append(b, &packed_size, sizeof packed_size);
    append(b, &size, sizeof size);
    append(b, &checksum, sizeof checksum);
    append(b, packed, packed_size);
}

/* The first bytes of the seed and its header, then the parts as they are now. */
static void put_together(const bytes *seed, size_t at, bytes *b) {
    b->n = 0;
    append(b, seed->at, at + FILE_HEADER);
    for (size_t i = 0; i < n_parts; i++) {
        cflri_section section;
        must(cflri_container_pack(context, parts[i].tag, parts[i].plain.at, parts[i].plain.n,
                                  &section, NULL) == CFLR_OK);
        append_section(b, section.tag, section.packed, section.packed_size, section.size);
        cflri_free(context, (void *)(uintptr_t)section.packed);
    }
    n_packed++;
    append_section(b, "END ", "", 0, 0);
    put_checksums_right(b->at + at, b->n - at);
}

/* Changes bytes of a part, and at times which parts there are. */
static void change_parts(void) {
    part *p = &parts[below(n_parts)], *q = &parts[below(n_parts)];
    size_t kind = below(10);
    part kept = *p;
    if (kind > 2) {
        change(&p->plain);
    } else if (kind == 0) {
        *p = *q;
        *q = kept;
    } else if (kind == 1) {
        memcpy(p->tag, q->tag, sizeof p->tag);
    } else if (n_parts > 1) {
        free(p->plain.at);
        *p = parts[--n_parts];
    }
}

/* ---- all ---- */

/* From one cut of `size` bytes to the next. */
static size_t step_of(size_t size) {
    return getenv("CFLR_TEST_EXHAUSTIVE") ? 1 : size / MOST_CUTS + 1;
}

static void cut_everywhere(const bytes *seed, size_t number, bytes *b) {
    size_t at = container_at(seed);
    try(seed->at, seed->n);
    for (size_t n = 0; n < seed->n; n += step_of(seed->n)) {
        snprintf(doing, sizeof doing, "seed %zu, its first %zu bytes\n", number, n);
        try(seed->at, n);
    }
    if (at == SIZE_MAX || !take_apart(seed, at)) return;
    for (size_t i = 0; i < n_parts; i++) {
        size_t whole = parts[i].plain.n;
        for (size_t n = 0; n < whole; n += step_of(whole)) {
            snprintf(doing, sizeof doing, "seed %zu, %zu bytes of section %zu\n", number, n, i);
            parts[i].plain.n = n;
            put_together(seed, at, b);
            try(b->at, b->n);
        }
        parts[i].plain.n = whole;
    }
    free_parts();
}

static void mutate(uint64_t number, bytes *b) {
    state = number;
    const bytes *seed = &seeds[below(n_seeds)];
    size_t at = container_at(seed);
    snprintf(doing, sizeof doing, "mutation %" PRIu64 "\n", number);
    if (at != SIZE_MAX && below(2) && take_apart(seed, at)) {
        for (size_t i = 1 + below(3); i && n_parts; i--) change_parts();
        put_together(seed, at, b);
        free_parts();
    } else {
        b->n = 0;
        append(b, seed->at, seed->n);
        change(b);
        if (at != SIZE_MAX && below(2) && b->n > at) put_checksums_right(b->at + at, b->n - at);
    }
    try(b->at, b->n);
}

static uint64_t number_of(const char *text) {
    char *end;
    errno = 0;
    uint64_t number = strtoull(text, &end, 10);
    must(!errno && *text && !*end);
    return number;
}

int main(int argc, char **argv) {
    bytes b = {malloc(MOST_BYTES), 0};
    const char *given = argc > 2 ? argv[2] : getenv("CFLR_MUTATIONS");
    uint64_t count = given ? number_of(given) : FEW, first = argc > 3 ? number_of(argv[3]) : 0;
    must(argc > 1 && b.at);
    must(cflr_context_new(NULL, &context, NULL) == CFLR_OK);
    watch();
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    read_seeds(argv[1]);
    for (size_t i = 0; i < n_seeds && argc <= 3; i++) cut_everywhere(&seeds[i], i, &b);
    for (uint64_t i = first; i < first + count; i++) mutate(i, &b);
    for (size_t i = 0; i < n_seeds; i++) free(seeds[i].at);
    free(b.at);
    cflr_context_free(context);
    printf("%zu seeds, %" PRIu64 " mutations, %" PRIu64 " containers packed again\n", n_seeds,
           count, n_packed);
    return 0;
}
