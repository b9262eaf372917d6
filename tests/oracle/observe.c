/* SPDX-License-Identifier: Apache-2.0
 *
 * observe.c: what an instrumented program (instrument.c) is linked with.
 *
 * Objects are intervals of addresses in a search tree (tsearch; two that overlap are "equal", so
 * the tree finds what is at an address, and what a new object takes the place of). Variables are
 * registered when they come to be and go with their function's frame; blocks of malloc, which is
 * replaced here, belong to the call that claims them. An address in no object is no fact: what a
 * library makes is not known.
 *
 * At the end each process writes to $CFLR_OBSERVED.PID
 *
 *     unit N SITES                  the numbers that begin at N are those of that file's lines
 *     points SITE OBJECT NAME ...   was seen; a function of a library may have other names, which
 *                                   stand last
 *     same SITE SITE ...            held one address at one time
 *     counts SEEN UNKNOWN           how often an address was looked at, and how often it was in no
 *                                   object
 *
 * "Same" is collected for each life of an object, as (offset, site), and grouped when it ends.
 * Sites that see many places stop to be collected after MOST_PLACES of them: aliases beyond that
 * are not claimed to be observed.
 *
 * Any number of threads: one lock. A thread that is inside is marked, so that the memory which is
 * used here is not observed.
 */
#include "tests/oracle/observe.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PLACES = 20000, MOST_SITES_OF_CLASS = 512, MOST_UNITS = 10000, MOST_NAMES = 8 };
#define NO_SITE UINT32_MAX

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* ---- memory of our own ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool inside;

static bool enter(void) {
    if (inside) return false;
    inside = true;
    pthread_mutex_lock(&lock);
    return true;
}

static void leave(void) {
    pthread_mutex_unlock(&lock);
    inside = false;
}

static void *grown(void *at, size_t n, size_t *capacity, size_t size) {
    if (n < *capacity) return at;
    *capacity = 2 * *capacity + 16;
    at = __libc_realloc(at, *capacity * size);
    if (!at) abort();
    return at;
}

/* A set of hashes; 0 is not used. Two that are alike by chance are taken for one: a fact less. */
typedef struct hash_set {
    uint64_t *at;
    size_t n, capacity;
} hash_set;

static uint64_t mixed(uint64_t a, uint64_t b) {
    uint64_t h = (a + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ b;
    h = (h ^ h >> 31) * 0x94d049bb133111ebu;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return (h ^ h >> 32) | 1;
}

static bool add_hash(hash_set *set, uint64_t hash);

static void double_set(hash_set *set) {
    hash_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024};
    larger.at = __libc_calloc(larger.capacity, sizeof *larger.at);
    if (!larger.at) abort();
    for (size_t i = 0; i < set->capacity; i++)
        if (set->at[i]) add_hash(&larger, set->at[i]);
    __libc_free(set->at);
    *set = larger;
}

/* True when it is new. */
static bool add_hash(hash_set *set, uint64_t hash) {
    if (2 * set->n >= set->capacity) double_set(set);
    size_t i = hash & (set->capacity - 1);
    for (; set->at[i]; i = (i + 1) & (set->capacity - 1))
        if (set->at[i] == hash) return false;
    set->at[i] = hash;
    set->n++;
    return true;
}

/* ---- what was seen ---- */

typedef struct sighting {
    uint64_t offset;
    uint32_t site;
} sighting;

typedef struct object {
    uintptr_t begin, end;
    uint32_t site;                       /* NO_SITE: a block that no call claimed */
    uint32_t names[MOST_NAMES], n_names; /* a function's other sites: memcpy may be memmove */
    uint64_t life;                       /* no two objects have the same */
    sighting *seen;
    size_t n_seen, capacity;
} object;

static void *objects; /* tsearch */
static uint64_t lives;
static hash_set facts, sightings, classes;
static FILE *out;
static uint64_t n_looked, n_unknown;
static uint32_t *places_of; /* by site: how many were collected */
static uint32_t n_sites = 1;

static int compare_objects(const void *left, const void *right) {
    const object *a = left, *b = right;
    if (a->end <= b->begin) return -1;
    return a->begin >= b->end;
}

static object *find(uintptr_t at) {
    const object key = {.begin = at, .end = at + 1};
    object **found = tfind(&key, &objects, compare_objects);
    return found ? *found : NULL;
}

static int compare_sightings(const void *left, const void *right) {
    const sighting *a = left, *b = right;
    if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
    return (a->site > b->site) - (a->site < b->site);
}

/* The units, for the log of a child that forks away. */
static struct {
    const char *sites;
    uint32_t base;
} units[MOST_UNITS];
static size_t n_units;

/* Before main: a program may overwrite its environment. */
static char prefix[4000] = "observed";

static void read_environment(void) {
    const char *given = getenv("CFLR_OBSERVED");
    if (given) snprintf(prefix, sizeof prefix, "%s", given);
}

/* Each line goes out at once: processes end in many ways, and their children have their buffers. */
static void open_log(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%ld", prefix, (long)getpid());
    out = fopen(path, "a");
    if (!out) abort();
    setvbuf(out, NULL, _IOLBF, 1 << 16);
    for (size_t i = 0; i < n_units; i++)
        fprintf(out, "unit %u %s\n", units[i].base, units[i].sites);
}

/* ---- fork: the child has a log of its own ---- */

static void before_fork(void) {
    pthread_mutex_lock(&lock);
}

static void after_fork(void) {
    pthread_mutex_unlock(&lock);
}

static void in_child(void) {
    out = NULL;
    pthread_mutex_unlock(&lock);
}

static void write_class(const sighting *s, size_t n) {
    uint64_t hash = n;
    if (n < 2 || n > MOST_SITES_OF_CLASS) return;
    for (size_t i = 0; i < n; i++) hash = mixed(hash, s[i].site);
    if (!add_hash(&classes, hash)) return;
    if (!out) open_log();
    fputs("same", out);
    for (size_t i = 0; i < n; i++) fprintf(out, " %u", s[i].site);
    fputc('\n', out);
}

static void end_object(object *o) {
    qsort(o->seen, o->n_seen, sizeof *o->seen, compare_sightings);
    for (size_t i = 0, n; i < o->n_seen; i += n) {
        for (n = 1; i + n < o->n_seen && o->seen[i + n].offset == o->seen[i].offset;) n++;
        write_class(o->seen + i, n);
    }
    tdelete(o, &objects, compare_objects);
    __libc_free(o->seen);
    __libc_free(o);
}

static object *begin_object(uintptr_t begin, size_t size, uint32_t site) {
    const object key = {.begin = begin, .end = begin + size};
    object **old;
    while ((old = tfind(&key, &objects, compare_objects))) end_object(*old);
    object *o = __libc_calloc(1, sizeof *o);
    if (!o) abort();
    *o = (object){.begin = begin, .end = begin + size, .site = site, .life = ++lives};
    if (!tsearch(o, &objects, compare_objects)) abort();
    return o;
}

/* `value` is what the site's expression is, `effective` the address that is used. */
static void look(uint32_t site, uintptr_t value, uintptr_t effective) {
    n_looked++;
    object *o = find(effective);
    if (!o || o->site == NO_SITE) {
        n_unknown++;
        return;
    }
    if (add_hash(&facts, mixed(site, o->site))) {
        if (!out) open_log();
        fprintf(out, "points %u %u", site, o->site);
        for (uint32_t i = 0; i < o->n_names; i++) fprintf(out, " %u", o->names[i]);
        fputc('\n', out);
    }
    if (value < o->begin || value >= o->end || places_of[site] >= MOST_PLACES) return;
    const sighting s = {value - o->begin, site};
    if (!add_hash(&sightings, mixed(mixed(o->life, s.offset), site))) return;
    places_of[site]++;
    o->seen = grown(o->seen, o->n_seen, &o->capacity, sizeof *o->seen);
    o->seen[o->n_seen++] = s;
}

/* ---- what instrumented code calls ---- */

void *cflr_see(unsigned site, const volatile void *pointer, long offset) {
    if (enter()) {
        look(site, (uintptr_t)pointer, (uintptr_t)pointer + (uintptr_t)offset);
        leave();
    }
    return (void *)pointer;
}

/* `&a[n]` of n elements is the end of a, and no address of what happens to lie there. */
static bool is_end_of(const object *o, uintptr_t address) {
    return o && o->end == address;
}

void *cflr_see_at(unsigned site, const volatile void *pointer, long index, unsigned long size) {
    uintptr_t element = (uintptr_t)pointer + (uintptr_t)index * size;
    if (enter()) {
        if (!is_end_of(find((uintptr_t)pointer), element)) look(site, element, element);
        leave();
    }
    return (void *)element;
}

void *cflr_called(unsigned site, const void *function) {
    return cflr_see(site, function, 0);
}

void *cflr_claim(unsigned site, const volatile void *pointer) {
    if (pointer && enter()) {
        object *o = find((uintptr_t)pointer);
        if (o && o->begin == (uintptr_t)pointer && o->site == NO_SITE) o->site = site;
        leave();
    }
    return (void *)pointer;
}

/* Variables of frames, the innermost last: their addresses go down. */
typedef struct locals {
    uintptr_t *at;
    size_t n, capacity;
} locals;

static __thread locals frames;

/* Functions that are entered, each with its marker and how many locals there were before it. */
typedef struct entered {
    uintptr_t marker;
    size_t n_locals;
} entered;

static __thread struct {
    entered *at;
    size_t n, capacity;
} calls;

/* Ends the locals behind the first n. */
static void end_locals(size_t n) {
    while (frames.n > n) {
        object *o = find(frames.at[--frames.n]);
        if (o && o->begin == frames.at[frames.n]) end_object(o);
    }
}

/* Ends what lies in frames below this address: they are gone, by return or by longjmp. */
static void end_frames_below(uintptr_t frame) {
    size_t n = frames.n;
    while (n && frames.at[n - 1] < frame) n--;
    end_locals(n);
}

void cflr_enter(const void *frame, const char *marker) {
    if (!enter()) return;
    end_frames_below((uintptr_t)frame);
    calls.at = grown(calls.at, calls.n, &calls.capacity, sizeof *calls.at);
    calls.at[calls.n++] = (entered){(uintptr_t)marker, frames.n};
    leave();
}

/* Locals that came since the function was entered are its own, or of calls that a longjmp has
 * ended. What lies around a marker tells less: its function may be inlined, and code of libraries,
 * which is not seen to enter, may come next and have the memory. */
void cflr_leave(char *marker) {
    if (!enter()) return;
    size_t n = calls.n;
    while (n && calls.at[n - 1].marker != (uintptr_t)marker) n--;
    if (n) {
        calls.n = n - 1;
        end_locals(calls.at[calls.n].n_locals);
    }
    leave();
}

void cflr_local(unsigned site, const volatile void *at, unsigned long size) {
    if (!size || !enter()) return;
    begin_object((uintptr_t)at, size, site);
    frames.at = grown(frames.at, frames.n, &frames.capacity, sizeof *frames.at);
    frames.at[frames.n++] = (uintptr_t)at;
    leave();
}

void *cflr_literal(unsigned site, const volatile void *at, unsigned long size) {
    cflr_local(site, at, size);
    return (void *)at;
}

void cflr_fixed(unsigned site, const volatile void *at, unsigned long size) {
    if (!size || !enter()) return;
    object *o = find((uintptr_t)at);
    if (!o || o->begin != (uintptr_t)at || o->site != site) begin_object((uintptr_t)at, size, site);
    leave();
}

void cflr_function(unsigned site, const void *function) {
    if (!function) return; /* weak, and not there */
    if (!enter()) return;
    object *o = find((uintptr_t)function);
    if (!o)
        begin_object((uintptr_t)function, 1, site);
    else if (o->n_names < MOST_NAMES)
        o->names[o->n_names++] = site;
    leave();
}

unsigned cflr_unit(const char *sites, unsigned n) {
    unsigned base = 0;
    if (!enter()) return base;
    if (n_units == 0) {
        read_environment();
        pthread_atfork(before_fork, after_fork, in_child);
    }
    if (n_units == MOST_UNITS) abort();
    base = n_sites;
    units[n_units].sites = sites;
    units[n_units++].base = base;
    if (out) fprintf(out, "unit %u %s\n", base, sites);
    n_sites += n;
    places_of = __libc_realloc(places_of, n_sites * sizeof *places_of);
    if (!places_of) abort();
    memset(places_of + base, 0, n * sizeof *places_of);
    leave();
    return base;
}

/* ---- blocks ---- */

static void new_block(void *block) {
    if (!block || !enter()) return;
    begin_object((uintptr_t)block, malloc_usable_size(block), NO_SITE);
    leave();
}

static void end_block(void *block) {
    if (!block || !enter()) return;
    object *o = find((uintptr_t)block);
    if (o && o->begin == (uintptr_t)block) end_object(o);
    leave();
}

void *malloc(size_t size) {
    void *block = __libc_malloc(size);
    new_block(block);
    return block;
}

void *calloc(size_t n, size_t size) {
    void *block = __libc_calloc(n, size);
    new_block(block);
    return block;
}

void *realloc(void *old, size_t size) {
    end_block(old);
    void *block = __libc_realloc(old, size);
    new_block(block);
    return block;
}

void free(void *block) {
    end_block(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size) {
    void *block = __libc_memalign(alignment, size);
    new_block(block);
    return block;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

/* ---- the end ---- */

static void end_every_object(void) {
    while (objects) end_object(*(object **)objects); /* the key stands first in a node */
}

__attribute__((destructor)) static void finish(void) {
    if (!enter()) return;
    end_every_object();
    if (!out) open_log();
    fprintf(out, "counts %llu %llu\n", (unsigned long long)n_looked, (unsigned long long)n_unknown);
    fclose(out);
    /* still inside: whatever runs from here on is not observed */
    pthread_mutex_unlock(&lock);
}
