/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks under mpirun: words arrive once, whatever the size of messages; the closure is that of one
 * process, byte for byte; memory that is refused to one rank is a failure of all.
 *
 *     mpirun -n N test_ranks SLICES-OF-A-RANK WORDS-OF-A-MESSAGE CASE...
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <unistd.h>

#include "engine/closure/batch/batch.h"
#include "engine/spine/driver.h"
#include "engine/spine/ranks.h"
#include "tests/stress/problem.h"

static const char *const grammars[] = {alias, reach, steps};

typedef struct party {
    const cflri_rank_library *library;
    cflr_context *context; /* of the carrier */
    cflri_box_carrier *carrier;
    uint32_t self, n, slices;
} party;

/* ---- memory that is refused once ---- */

static uint64_t calls, fails_at;
static int64_t blocks;

static void *allocate(void *user, size_t size) {
    (void)user;
    void *block = ++calls == fails_at ? NULL : malloc(size);
    blocks += block != NULL;
    return block;
}

static void *reallocate(void *user, void *block, size_t size) {
    if (!block) return allocate(user, size);
    return ++calls == fails_at ? NULL : realloc(block, size);
}

static void release(void *user, void *block) {
    (void)user;
    blocks -= block != NULL;
    free(block);
}

/* ---- ranks ---- */

static party join(uint32_t each, uint32_t piece) {
    party p = {0};
    char why[128];
    cflr_error error;
    p.n = cflr_ranks_started(&p.self);
    p.slices = p.n * each;
    NEED(p.n > 1, "not started by mpirun");
    p.library = cflri_rank_library_load(why, sizeof why);
    NEED(p.library, "%s", why);
    const cflr_allocator allocator = {NULL, allocate, reallocate, release};
    cflr_context_opts context_opts;
    cflr_context_opts_init(&context_opts);
    context_opts.allocator = &allocator;
    context_opts.threads = 1;
    NEED(cflr_context_new(&context_opts, &p.context, &error) == CFLR_OK, "%s", error.message);
    cflri_rank_opts opts = {.expected = p.n, .each = each, .piece = piece};
    NEED(p.library->join(p.context, &opts, &p.carrier, &error) == CFLR_OK, "%s", error.message);
    NEED(p.carrier->first == p.self * each && p.carrier->n == each, "other slices");
    return p;
}

static void leave(party *p) {
    p->library->leave(p->carrier);
    NEED(cflr_context_memory(p->context) == 0, "the carrier leaks");
    cflr_context_free(p->context);
    NEED(blocks == 0, "blocks leak");
}

static stress_world problem_of(const party *p, const char *rules, uint32_t n, uint32_t edges) {
    stress_world w = {.context = p->context};
    make_problem(&w, rules, n, edges);
    return w;
}

/* ---- words ---- */

/* A number that depends on all of a run, and on the slice that it is for. */
static uint64_t mark_of(uint32_t to, const cflri_run *run) {
    uint64_t mark = UINT64_C(0x9e3779b97f4a7c15) * (to + 1);
    mark = (mark ^ run->label) * UINT64_C(0xff51afd7ed558ccd) + run->vertex;
    for (uint32_t i = 0; i < run->n; i++) {
        mark = (mark ^ run->id[i]) * UINT64_C(0xc4ceb9fe1a85ec53) + (mark >> 29);
    }
    return mark;
}

/* Puts some runs into a box for a slice. Returns the sum of their marks. */
static uint64_t fill(cflri_exchange *paper, uint32_t to, uint32_t self, uint64_t *state) {
    uint32_t id[300];
    uint64_t marks = 0;
    for (uint32_t runs = roll(state, 4), r = 0; r < runs; r++) {
        cflri_run run = {self, *state >> 33 & 0xffff, roll(state, 300), id};
        for (uint32_t i = 0; i < run.n; i++) id[i] = roll(state, UINT32_MAX);
        run.vertex = run.vertex * 8 + r; /* differs from the last one: runs stay apart */
        NEED(cflri_exchange_put(paper, 0, 0, run), "out of memory");
        marks += mark_of(to, &run);
    }
    return marks;
}

/* As `fill` made them, except that a run has `n` ids of its own. */
static uint64_t read_marks(const cflri_box *box, uint32_t to) {
    uint64_t marks = 0;
    cflri_run run;
    for (size_t at = 0; cflri_box_next(box, &at, &run);) marks += mark_of(to, &run);
    return marks;
}

static void words_arrive_once(const party *p) {
    enum { WAVES = 60 };
    uint64_t state = p->self + 1;
    cflri_exchange paper;
    cflri_box hand = {0};
    cflri_totals totals = {0}, own = {0}; /* going, cancelled: marks that were sent, and taken */
    NEED(cflri_exchange_init(&paper, p->context, 1, 1, NULL) == CFLR_OK, "out of memory");
    for (int wave = 0; wave < WAVES || totals.sent != totals.taken; wave++) {
        for (uint32_t to = 0; wave < WAVES && to < p->slices; to++) {
            own.going += fill(&paper, to, p->self, &state);
            cflri_exchange_take(&paper, 0, 0, &hand);
            own.sent += hand.n;
            NEED(p->carrier->send(p->carrier, to, &hand, NULL) == CFLR_OK, "send");
            hand.n = 0;
        }
        totals = own;
        NEED(p->carrier->agree(p->carrier, &totals, NULL) == CFLR_OK && !totals.failed, "agree");
        for (uint32_t s = p->carrier->first; s < p->carrier->first + p->carrier->n; s++) {
            while (p->carrier->receive(p->carrier, s, &hand)) {
                own.taken += hand.n;
                own.cancelled += read_marks(&hand, s);
            }
        }
    }
    NEED(totals.sent > 1000 && totals.going == totals.cancelled, "other words arrived");
    cflri_box_free(p->context, &hand);
    cflri_exchange_free(&paper);
}

static void first_code_counts(const party *p) {
    char text[32] = "";
    int code = 0;
    NEED(p->carrier->settle(p->carrier, &code, text, sizeof text) == 0 && !code, "no code");
    if (p->self) {
        code = 10 + (int)p->self;
        snprintf(text, sizeof text, "rank %u", p->self);
    }
    NEED(p->carrier->settle(p->carrier, &code, text, sizeof text) == 1, "another rank");
    NEED(code == 11 && strcmp(text, "rank 1") == 0, "%d, %s", code, text);
}

/* A rank has no memory for what the others send: it says why, the others that it failed. */
static void no_room_for_words(const party *p) {
    uint32_t id[300] = {0};
    cflri_exchange paper;
    cflri_box hand = {0};
    cflri_totals totals = {0};
    cflr_error error;
    NEED(cflri_exchange_init(&paper, p->context, 1, 1, NULL) == CFLR_OK, "out of memory");
    NEED(cflri_exchange_put(&paper, 0, 0, (cflri_run){0, 0, 300, id}), "out of memory");
    cflri_exchange_take(&paper, 0, 0, &hand);
    NEED(p->self == 0 || p->carrier->send(p->carrier, 0, &hand, NULL) == CFLR_OK, "send");
    if (p->self == 0) p->context->memory_limit = cflr_context_memory(p->context);
    cflr_status st = cflri_carrier_agree(p->carrier, &totals, CFLR_OK, &error);
    p->context->memory_limit = UINT64_MAX;
    NEED(st == CFLR_LIMIT && totals.failed == 1, "status %d", (int)st);
    NEED(!p->carrier->receive(p->carrier, p->carrier->first, &hand), "words after a failure");
    cflri_box_free(p->context, &hand);
    cflri_exchange_free(&paper);
}

/* ---- closures ---- */

/* As cflr_solve, with the other ranks. */
static cflr_status solve_together(const party *p, const stress_world *w, uint32_t grain,
                                  uint32_t piece, cflr_result **result, cflr_error *error) {
    cflri_spine spine = {.place = &cflri_batch_place,
                         .slices = p->slices,
                         .grain = grain,
                         .piece = piece,
                         .carrier = p->carrier};
    w->context->spine = &spine;
    cflr_status st = solve_by_model(w, CFLR_MODEL_AUTO, result, error);
    w->context->spine = NULL;
    NEED(!*result == (st != CFLR_OK || p->self), "a result at another rank, or none");
    return st;
}

static char *file_of(const cflr_result *result, size_t *size) {
    char path[] = "/tmp/cflr-ranks-XXXXXX";
    cflr_error error;
    int fd = mkstemp(path);
    NEED(fd >= 0, "no file in /tmp");
    close(fd);
    NEED(cflr_result_save(result, path, &error) == CFLR_OK, "%s", error.message);
    FILE *file = fopen(path, "rb");
    NEED(file && fseek(file, 0, SEEK_END) == 0, "%s", path);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    NEED(bytes && fread(bytes, 1, *size, file) == *size, "%s", path);
    fclose(file);
    unlink(path);
    return bytes;
}

static void must_be_same(const stress_world *w, const cflr_result *result, const char *what) {
    cflr_result *alone;
    size_t n, m;
    NEED(solve(w, CFLR_MODEL_BATCH, &alone) == CFLR_OK, "%s: alone", what);
    char *a = file_of(alone, &n), *b = file_of(result, &m);
    NEED(n == m && memcmp(a, b, n) == 0, "%s: other bytes", what);
    free(a);
    free(b);
    cflr_result_free(alone);
}

static void same_bytes(const party *p, stress_world *w, const char *what) {
    static const uint32_t grains[] = {1, 3, 64}, pieces[] = {200, 0, 11};
    cflr_error error;
    cflr_result *result;
    for (int i = 0; i < 3; i++) {
        NEED(solve_together(p, w, grains[i], pieces[i], &result, &error) == CFLR_OK, "%s: %s", what,
             error.message);
        if (result) must_be_same(w, result, what);
        cflr_result_free(result);
    }
}

static void random_pairs(const party *p) {
    char what[64];
    for (uint32_t i = 0; i < 18; i++) {
        uint32_t n = 10 + 11 * i;
        snprintf(what, sizeof what, "grammar %u, %u vertices", i % 3, n);
        stress_world w = problem_of(p, grammars[i % 3], n, i % 2 ? 2 * n : n + n / 4);
        same_bytes(p, &w, what);
        forget_problem(&w);
    }
}

static void one_case(const party *p, const char *folder) {
    char path[512];
    cflr_error error;
    stress_world w = {.context = p->context};
    snprintf(path, sizeof path, "%s/graph.tsv", folder);
    NEED(cflr_graph_load(w.context, path, CFLR_GRAPH_AUTO, &w.graph, &error) == CFLR_OK, "%s: %s",
         path, error.message);
    snprintf(path, sizeof path, "%s/grammar.cfg", folder);
    NEED(cflr_grammar_load(w.context, path, CFLR_GRAMMAR_CFLR, &w.grammar, &error) == CFLR_OK,
         "%s: %s", path, error.message);
    same_bytes(p, &w, folder);
    forget_problem(&w);
}

static void other_graph(const party *p) {
    cflr_error error;
    cflr_result *result;
    stress_world w = problem_of(p, reach, p->self == p->n - 1 ? 41 : 40, 100);
    NEED(solve_together(p, &w, 1, 0, &result, &error) == CFLR_ARGUMENT, "it was not noticed");
    NEED(strstr(error.message, "are not those of rank 0"), "%s", error.message);
    forget_problem(&w);
}

/* ---- failures ---- */

static void allocation_fails(const party *p) {
    int failed = 0, done = 0;
    for (uint64_t n = 1; !done; n += 1 + n / 6) {
        cflr_error error;
        cflr_result *result;
        stress_world w = problem_of(p, alias, 40, 100);
        calls = 0;
        if (p->self == n % p->n) fails_at = n;
        cflr_status st = solve_together(p, &w, 1, 20, &result, &error);
        fails_at = 0;
        NEED(st == CFLR_OK || st == CFLR_NO_MEMORY, "status %d: %s", (int)st, error.message);
        failed += st == CFLR_NO_MEMORY;
        cflr_result_free(result);
        forget_problem(&w);
        done = n > 4000;
    }
    NEED(failed > 10, "%d allocations failed", failed);
}

int main(int argc, char **argv) {
    NEED(argc > 3, "usage: %s SLICES WORDS CASE...", argv[0]);
    party p = join((uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]));
    words_arrive_once(&p);
    first_code_counts(&p);
    no_room_for_words(&p);
    words_arrive_once(&p);
    random_pairs(&p);
    for (int i = 3; i < argc; i++) one_case(&p, argv[i]);
    other_graph(&p);
    allocation_fails(&p);
    leave(&p);
    if (!p.self) printf("%u ranks hold\n", p.n);
    return 0;
}
