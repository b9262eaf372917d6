/* SPDX-License-Identifier: Apache-2.0
 *
 * passages.c: units on their way from their files into the program.
 *
 *     read (parsed, or taken from the cache) --> facts --> linked, in the order of the units
 *
 * There are two ways to read many at once, which differ only in the caller of read_unit:
 *
 *     here      threads take the next unit as they become free; the one that finishes the unit that
 *               the others wait for takes down the names of all that are ready
 *     workers   processes do (workers.c), and this one takes down what they send
 *
 * Names are taken down in the order of the units, so the program does not depend on which thread
 * was fast. Which names mean one thing (scope.c: several programs, aliases), the last unit may
 * tell: so facts wait until all are read, and then are linked. Reading is nine tenths of the time
 * and more, so that one linker costs nothing.
 */
#include "frontend/units/passages.h"

#include <assert.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/context.h"
#include "frontend/clang/turns.h"
#include "frontend/summaries/rules.h"
#include "frontend/units/unit.h"
#include "frontend/units/workers.h"

/* ---- reading one unit ---- */

static cflr_status parse_unit(cflri_passages *x, const cflri_unit *unit, cflri_passage *p,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_facts_init(&p->facts, x->context, x->chosen.fields, error));
    p->facts.chosen = x->chosen;
    p->facts.keeps_places = cflri_rules_there(x->summaries);
    p->facts.check_names = x->check_names;
    cflri_parse_begin();
    st = cflri_unit_read(x->context, unit, x->summaries, &p->facts,
                         x->store || x->files ? &p->files : NULL, &p->outcome, error);
    cflri_parse_end();
    CFLR_TRY(st);
    if (x->store)
        p->known = cflri_store_save(x->store, unit, &p->files, &p->facts, &p->outcome, &p->kept);
out:
    return st;
}

/* A unit that was read before. A linkable graph gets the facts as they lie in the file. */
static cflr_status take_reading(cflri_passages *x, const cflri_unit *unit, cflri_passage *p,
                                cflr_error *error) {
    const cflri_reading *from = unit->reading;
    p->outcome = from->outcome;
    cflr_status st =
        cflri_reading_facts(from, x->context, unit, x->chosen.fields, &p->facts, error);
    if (st != CFLR_OK || !x->files) return st;
    p->reading = *from;
    return cflri_container_copy(x->context, &from->facts, &p->reading.facts, error);
}

/* Packing takes a tenth of the time of reading: not before so many bytes are in use. */
enum { LITTLE_MEMORY = 64 << 20 };

/* Does a unit wait in few bytes until all are read? A worker has been told what the process has
 * that it works for. */
static bool waits_packed(const cflri_passages *x) {
    uint64_t elsewhere = atomic_load_explicit(&x->context->elsewhere, memory_order_relaxed);
    return x->units->list.n > 1 && cflr_context_memory(x->context) + elsewhere > LITTLE_MEMORY;
}

static bool take_cached(cflri_passages *x, cflri_passage *p) {
    cflri_section *packed = !x->files && waits_packed(x) ? &p->reading.facts : NULL;
    return cflri_store_facts(x->store, &p->kept, &p->facts, packed, x->files ? &p->files : NULL,
                             &p->outcome);
}

/* Reads unit i; no other thread touches its passage until it is ready. */
static cflr_status read_unit(cflri_passages *x, size_t i, cflr_error *error) {
    cflri_passage *p = &x->passages[i];
    const cflri_unit *unit = &x->units->list.at[i];
    p->begun = true;
    if (unit->reading) return take_reading(x, unit, p, error);
    p->cached = p->cached && take_cached(x, p);
    cflr_status st = p->cached ? CFLR_OK : parse_unit(x, unit, p, error);
    if (st == CFLR_OK && !p->reading.facts.packed && (x->files || waits_packed(x)))
        st = cflri_reading_make(&p->reading, &p->facts, &p->outcome, error);
    return st;
}

static void end_passage(cflri_passage *p) {
    if (p->begun) cflri_facts_free(&p->facts);
    p->begun = false;
}

static void drop_reading(cflri_passages *x, cflri_passage *p) {
    cflri_free(x->context, (void *)(uintptr_t)p->reading.facts.packed); /* ours */
    p->reading.facts.packed = NULL;
}

void cflri_passages_free(cflri_passages *x) {
    for (size_t i = 0; x->passages && i < x->units->list.n; i++) {
        cflri_passage *p = &x->passages[i];
        end_passage(p);
        cflri_inclusions_free(&p->files, x->context);
        drop_reading(x, p);
    }
    cflri_free(x->context, x->passages);
}

/* ---- linking ---- */

/* Adds the files that a unit was read from to those of the others. */
static cflr_status list_files(cflri_passages *x, cflri_passage *p, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 1; x->files && i < p->files.content.n; i++)
        CFLR_TRY(cflri_inclusions_add(x->files, x->context, cflri_string(&p->files.paths, i),
                                      p->files.content.at[i], error));
    cflri_inclusions_free(&p->files, x->context);
out:
    return st;
}

static cflr_status note_outcome(cflri_passages *x, size_t i, cflr_error *error) {
    const cflri_unit_outcome *outcome = &x->passages[i].outcome;
    cflr_extract_counts *counts = &x->report->counts;
    counts->lines += outcome->lines;
    counts->units_cached += x->passages[i].cached;
    if (outcome->state == CFLRI_UNIT_READ) return CFLR_OK;
    bool lost = outcome->state == CFLRI_UNIT_LOST;
    counts->units_lost += lost;
    counts->units_limited += x->passages[i].starved;
    counts->units_degraded += !lost;
    cflr_note note = {.kind = lost ? CFLR_NOTE_LOST : CFLR_NOTE_DEGRADED,
                      .count = outcome->errors,
                      .file = outcome->error_file,
                      .line = outcome->error_line,
                      .text = outcome->first_error};
    if (!note.file[0]) note.file = x->units->list.at[i].path;
    return cflri_report_note(x->report, &note, error);
}

/* Takes down the names of every unit that is ready and has no unread one before it. */
static cflr_status name_ready(cflri_passages *x, cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (; x->named < x->units->list.n && x->passages[x->named].ready; x->named++) {
        cflri_passage *p = &x->passages[x->named];
        uint32_t number = (uint32_t)x->named;
        if ((st = cflri_interrupted(x->context)) != CFLR_OK)
            CFLR_TRY(cflri_fail_interrupted(x->context, st, error));
        CFLR_TRY(cflri_scopes_add(&x->scopes, number, &p->facts, error));
        CFLR_TRY(note_outcome(x, x->named, error));
        CFLR_TRY(list_files(x, p, error));
        if (p->reading.facts.packed) end_passage(p);
    }
out:
    return st;
}

/* Code that a unit lacks may do anything. */
static void tell_unread(cflri_passages *x, size_t i) {
    const cflri_unit_outcome *outcome = &x->passages[i].outcome;
    const char *path = outcome->error_file[0] ? outcome->error_file : x->units->list.at[i].path;
    char cause[sizeof outcome->first_error + 32];
    if (outcome->state == CFLRI_UNIT_READ) return;
    snprintf(cause, sizeof cause, "%s: %s",
             outcome->state == CFLRI_UNIT_LOST ? "a unit was not read" : "code with errors",
             outcome->first_error);
    cflri_program_unread(&x->program, path, outcome->error_line, cause);
}

/* Nor is anything known of files in other languages: one of each stands for all. */
static void tell_foreign(cflri_passages *x) {
    enum { LANGUAGE_SIZE = 64 };
    const char *last = "";
    for (size_t i = 0; i < x->units->foreign.n; i++) {
        const cflri_foreign *foreign = &x->units->foreign.at[i];
        char cause[LANGUAGE_SIZE];
        if (strcmp(foreign->language, last) == 0) continue;
        last = foreign->language;
        snprintf(cause, sizeof cause, "%.32s is not read", last);
        cflri_program_unread(&x->program, foreign->path, 0, cause);
    }
}

static cflr_status unpack(cflri_passages *x, size_t i, cflr_error *error) {
    cflri_passage *p = &x->passages[i];
    if (p->begun) return CFLR_OK;
    p->begun = true;
    return cflri_reading_facts(&p->reading, x->context, &x->units->list.at[i], x->chosen.fields,
                               &p->facts, error);
}

/* After so many units. Syntax trees, and facts of units beside those of the program that grow,
 * leave holes. */
enum { PAGES_RETURN = 64 };

cflr_status cflri_passages_link(cflri_passages *x, cflr_programs programs, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_scopes_choose(&x->scopes, error));
    if (programs == CFLR_PROGRAMS_APART) CFLR_TRY(cflri_scopes_resolve(&x->scopes, error));
    CFLR_TRY(cflri_scopes_join(&x->scopes, error));
    for (size_t i = 0; i < x->units->list.n; i++) {
        cflri_passage *p = &x->passages[i];
        uint32_t number = (uint32_t)i;
        st = cflri_tick(x->context, "link", i, x->units->list.n);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(x->context, st, error));
        if (i % PAGES_RETURN == PAGES_RETURN - 1) cflri_return_pages(x->context);
        if (cflri_scopes_linked(&x->scopes, number)) {
            CFLR_TRY(unpack(x, i, error));
            CFLR_TRY(cflri_program_add(&x->program, &p->facts, &x->scopes, number, error));
            tell_unread(x, i);
        }
        end_passage(p);
        if (!x->files) drop_reading(x, p);
    }
    tell_foreign(x);
out:
    return st;
}

/* A unit is read, or lost: the others may have waited for it. */
static cflr_status have_unit(cflri_passages *x, size_t i, cflr_error *error) {
    x->passages[i].ready = true;
    x->read++;
    return name_ready(x, error);
}

/* ---- reading here ---- */

typedef struct reading_here {
    cflri_passages *x;
    cflr_status status; /* first failure; guarded by the critical section */
    cflr_error error;
} reading_here;

/* The thread that called the library reports progress, because the callback may expect it. */
static cflr_status report_progress(reading_here *r) {
    cflr_context *context = r->x->context;
    cflr_status st = omp_get_thread_num() == 0
                         ? cflri_tick(context, "extract", r->x->read, r->x->units->list.n)
                         : cflri_interrupted(context);
    return st == CFLR_OK ? st : cflri_fail_interrupted(context, st, &r->error);
}

static bool failed(reading_here *r) {
    cflr_status st;
#pragma omp critical(cflri_extract)
    st = r->status;
    return st != CFLR_OK;
}

/* Reads the units that are not ready yet. */
static cflr_status read_here(cflri_passages *x, int threads, cflr_error *error) {
    reading_here r = {.x = x};
    size_t n = x->units->list.n;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t i = 0; i < n; i++) {
        cflr_error mine;
        if (x->passages[i].ready || failed(&r)) continue;
        cflr_status st = read_unit(x, i, &mine);
#pragma omp critical(cflri_extract)
        {
            if (r.status == CFLR_OK && st != CFLR_OK) {
                r.status = st;
                r.error = mine;
            } else if (r.status == CFLR_OK) {
                r.status = have_unit(x, i, &r.error);
                if (r.status == CFLR_OK) r.status = report_progress(&r);
            }
        }
    }
    if (r.status != CFLR_OK && error) *error = r.error;
    return r.status;
}

/* ---- reading in workers ---- */

/* Ten minutes: a unit of 200,000 lines takes a second or two. */
static const double most_seconds = 600;

/* A tree of libclang comes and goes with each unit, and heaps would return its pages each time:
 * half of all page faults. These are the thresholds that glibc comes to by itself when it has seen
 * large blocks. A unit is read by a thread of its own, for which another one waits: they can share
 * a heap. And no user is here to read of a crash. */
static void begin_worker(void *user) {
    cflri_passages *x = user;
    cflri_store_news known;
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_ARENA_MAX, 1);
#endif
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    if (x->store) cflri_store_tell(x->store, &known);
}

static cflr_status perform(void *user, size_t i, cflri_buffer *answer, cflr_error *error) {
    cflri_passages *x = user;
    cflri_passage *p = &x->passages[i];
    cflr_status st = read_unit(x, i, error);
    if (st == CFLR_OK) st = cflri_passage_write(x, p, answer, error);
    end_passage(p);
    cflri_inclusions_free(&p->files, x->context);
    drop_reading(x, p);
    return st;
}

static cflr_status arrived(void *user, size_t i, const char *answer, size_t size,
                           cflr_error *error) {
    cflri_passages *x = user;
    cflr_status st = cflri_passage_take(x, &x->passages[i], answer, size, error);
    return st == CFLR_OK ? have_unit(x, i, error) : st;
}

static cflr_status lost(void *user, size_t i, cflri_loss loss, const char *why, cflr_error *error) {
    cflri_passages *x = user;
    cflri_passage *p = &x->passages[i];
    cflr_status st = cflri_facts_init(&p->facts, x->context, x->chosen.fields, error);
    if (st != CFLR_OK) return st;
    p->begun = true;
    p->cached = false;
    p->starved = loss == CFLRI_LOST_STARVED;
    p->outcome = (cflri_unit_outcome){.state = CFLRI_UNIT_LOST, .errors = 1};
    cflri_unit_outcome_say(&p->outcome, why, "");
    return have_unit(x, i, error);
}

static cflr_status read_in_workers(cflri_passages *x, cflr_error *error) {
    const cflri_jobs jobs = {.user = x,
                             .n = x->units->list.n,
                             .phase = "extract",
                             .seconds = most_seconds,
                             .begin = begin_worker,
                             .perform = perform,
                             .arrived = arrived,
                             .lost = lost};
    cflr_error failure;
    cflr_status st = cflri_clang_load(error);
    if (st != CFLR_OK) return st;
    st = cflri_workers_run(x->context, &jobs, &failure);
    if (st == CFLR_UNAVAILABLE) {
        cflri_log(x->context, CFLR_LOG_WARNING, "%s; what is left is parsed in this one",
                  failure.message);
        return read_here(x, 1, error);
    }
    if (st != CFLR_OK && error) *error = failure;
    return st;
}

static bool parses_any(const cflri_passages *x) {
    for (size_t i = 0; i < x->units->list.n; i++)
        if (!x->passages[i].cached && !x->units->list.at[i].reading) return true;
    return false;
}

cflr_status cflri_passages_read(cflri_passages *x, cflr_parsing parsing, cflr_error *error) {
    size_t n = x->units->list.n;
    if (parsing == CFLR_PARSING_WORKERS && parses_any(x)) return read_in_workers(x, error);
    return read_here(x, x->context->threads < (int)n ? x->context->threads : (int)n, error);
}
