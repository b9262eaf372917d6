/* SPDX-License-Identifier: Apache-2.0
 *
 * How closures on a device end: what a device cannot do comes back as a status, with what it has
 * found; the first of processor and device to end has the answer, and the other one is left; and
 * whatever memory is refused, nothing leaks.
 */
#include <sys/mman.h>
#include <sys/resource.h>

#include "bits_support.h"
#include "tests/support/fail_alloc.h"

/* ---- when it is stopped ---- */

static const char chain[] =
    "0 1 a; 1 2 a; 2 3 a; 3 4 a; 4 5 a; 5 6 a; 6 7 a; 0 3 b; 3 5 b; 7 2 b; 1 4 f[1]; 5 2 f[2]";
static const char chain_rules[] =
    "P ::= a | P a | P Q\nQ ::= b P | F[i] ~f[i]\nF[i] ::= f[i] P\nR ::= ~Q P R | ~P\n%start R\n";

static void begin_chain(bits_world *b) {
    memset(b, 0, sizeof *b);
    world_begin(&b->w, 1);
    world_graph(&b->w, chain);
    world_grammar(&b->w, chain_rules);
}

/* Returns the pairs that are found when the run is stopped at that question of the device; all of
 * them are derivable. */
static uint64_t stop_after(uint64_t ticks, bool cancelled, cflr_status *st) {
    bits_world b;
    cflr_error error = {0};
    cflr_verify_report report;
    uint64_t pairs = 0;
    begin_chain(&b);
    plain_trouble = (plain_troubles){.stop_after = ticks, .cancelled = cancelled};
    *st = try_bits(&b, &error);
    plain_trouble = (plain_troubles){0};
    cr_assert_eq(error.code, *st, "%s", error.message);
    const char *why = cancelled ? "interrupted" : "time limit";
    if (*st != CFLR_OK) cr_assert_eq(strncmp(error.message, why, strlen(why)), 0);
    cr_assert_eq(cflr_result_complete(b.w.result), *st == CFLR_OK);
    for (uint32_t l = 0; l < cflr_result_labels(b.w.result); l++) {
        cflr_result_label info;
        cflr_result_get_label(b.w.result, l, &info);
        pairs += info.pairs;
    }
    b.w.context->cancelled = b.w.context->out_of_time = false;
    MUST(cflr_verify(b.w.graph, b.w.grammar, b.w.result, 0, &report, &error));
    cr_assert_eq(report.underivable, 0);
    world_end(&b.w);
    return pairs;
}

Test(bits, keeps_what_it_found_when_stopped) {
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        cflr_status st = CFLR_LIMIT;
        uint64_t pairs = 0, ticks = 1;
        for (; st != CFLR_OK; ticks++) {
            uint64_t more = stop_after(ticks, cancelled, &st);
            cr_assert_geq(more, pairs);
            pairs = more;
            cr_assert(st == CFLR_OK || st == (cancelled ? CFLR_CANCELLED : CFLR_LIMIT));
        }
        cr_assert_gt(ticks, 6);
    }
}

Test(bits, full_devices) {
    bits_world b;
    cflr_error error;
    begin_chain(&b);
    b.on.options.memory = 1;
    MUST_FAIL(try_bits(&b, &error), CFLR_NO_MEMORY);
    cr_assert_str_eq(error.message, "the rows do not fit");
    b.on.options.memory = UINT64_MAX;
    uint32_t stages = 0;
    for (cflr_status st = CFLR_NO_MEMORY; st != CFLR_OK; stages++) {
        plain_trouble.full_at = stages + 1;
        memset(&error, 0, sizeof error);
        st = try_bits(&b, &error);
        if (st == CFLR_OK) break;
        cr_assert_eq(st, CFLR_NO_MEMORY);
        cr_assert_str_eq(error.message, "the device is full");
        cr_assert_null(b.w.result);
    }
    cr_assert_geq(stages, 2);
    world_end(&b.w);
}

/* ---- beside the processor ---- */

/* The processor tells its progress, and goes on when the device has ended, or after so many
 * milliseconds. */
static int most_waits = 20000;

static bool wait_for_device(void *user, const cflr_progress *progress) {
    const cflr_context *context = *(cflr_context *const *)user;
    const struct timespec some = {.tv_nsec = 1000000};
    (void)progress;
    for (int i = 0; i < most_waits; i++) {
        if (*plain_trouble.tells || cflri_is_cancelled(context, CFLRI_BY_OTHER)) break;
        nanosleep(&some, NULL);
    }
    return true;
}

/* The first to end has the closure, and blocks are counted once. */
static void solve_beside(double head_start, plain_troubles trouble, cflr_device expected) {
    bits_world b;
    cflr_error error;
    cflr_result_stats stats;
    begin_chain(&b);
    cflr_result *reference = reference_of(&b, CFLR_MODEL_NAIVE);
    uint64_t memory = cflr_context_memory(b.w.context);
    b.on.beside = true;
    b.on.head_start = head_start;
    b.w.context->opts.user = &b.w.context;
    if (head_start == 0 && !trouble.late) b.w.context->opts.progress = wait_for_device;
    plain_trouble = trouble;
    plain_trouble.tells =
        mmap(NULL, sizeof(atomic_bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(plain_trouble.tells, MAP_FAILED);
    MUST(try_bits(&b, &error));
    cflr_result_get_stats(b.w.result, &stats);
    cr_assert_eq(stats.device.device, expected);
    must_be_equal(reference, b.w.result, "beside the processor");
    cr_assert(!cflri_is_cancelled(b.w.context, ~0u));
    world_forget_result(&b.w);
    cr_assert_eq(cflr_context_memory(b.w.context), memory);
    cflr_result_free(reference);
    world_end(&b.w);
    munmap(plain_trouble.tells, sizeof(atomic_bool));
}

Test(bits, beside_the_processor) {
    solve_beside(1e6, (plain_troubles){0}, CFLR_DEVICE_AUTO); /* the device does not begin */
    solve_beside(0, (plain_troubles){0}, CFLR_DEVICE_GPU);    /* the processor waits for it */
    solve_beside(0, (plain_troubles){.full_at = 1}, CFLR_DEVICE_AUTO); /* it fails */
    solve_beside(0, (plain_troubles){.dies_at = 1}, CFLR_DEVICE_AUTO);
    solve_beside(0, (plain_troubles){.late = 300}, CFLR_DEVICE_AUTO); /* it is left behind */
}

/* ---- in a process of its own ---- */

static void must_fail_apart(plain_troubles trouble, cflr_status expected) {
    bits_world b;
    cflr_error error;
    begin_chain(&b);
    b.apart = true;
    plain_trouble = trouble;
    MUST_FAIL(try_bits(&b, &error), expected);
    world_forget_result(&b.w);
    world_end(&b.w);
}

/* A device that is full, or a process that has died, is an error here. */
Test(bits, apart) {
    must_fail_apart((plain_troubles){.full_at = 2}, CFLR_NO_MEMORY);
    must_fail_apart((plain_troubles){.dies_at = 1}, CFLR_UNAVAILABLE);
    must_fail_apart((plain_troubles){.dies_at = 2}, CFLR_UNAVAILABLE);
}

/* Descriptors may be all in use: then there is no device. */
Test(bits, apart_without_descriptors) {
    struct rlimit before, none;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    for (rlim_t room = 0; room < 3; room++) {
        int lowest = dup(STDERR_FILENO);
        close(lowest);
        none = (struct rlimit){(rlim_t)lowest + room, before.rlim_max};
        cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
        must_fail_apart((plain_troubles){0}, CFLR_UNAVAILABLE);
    }
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
}

Test(bits, apart_and_cancelled) {
    bits_world b;
    cflr_error error;
    begin_chain(&b);
    b.apart = true;
    plain_trouble = (plain_troubles){.late = 300};
    cflr_context_cancel(b.w.context);
    MUST_FAIL(try_bits(&b, &error), CFLR_CANCELLED);
    world_end(&b.w);
}

Test(bits, beside_the_processor_and_cancelled) {
    bits_world b;
    cflr_error error;
    begin_chain(&b);
    b.on.beside = true;
    cflr_context_cancel(b.w.context);
    MUST_FAIL(try_bits(&b, &error), CFLR_CANCELLED);
    cr_assert(cflri_is_cancelled(b.w.context, CFLRI_BY_CALLER));
    world_end(&b.w);
}

/* ---- memory ---- */

/* What the context may hand out is a limit as any other: the status says so, and nothing leaks. */
Test(bits, limited_memory) {
    cflr_status st = CFLR_LIMIT;
    for (uint64_t room = 0; st != CFLR_OK; room += room / 4 + 64) {
        bits_world b;
        cflr_error error = {0};
        begin_chain(&b);
        b.w.context->memory_limit = cflr_context_memory(b.w.context) + room;
        st = try_bits(&b, &error);
        cr_assert(st == CFLR_OK || st == CFLR_LIMIT || st == CFLR_NO_MEMORY, "%s", error.message);
        cr_assert_eq(error.code, st);
        b.w.context->memory_limit = UINT64_MAX;
        world_end(&b.w);
    }
}

typedef struct swept {
    const char *grammar, *edges;
    bool beside; /* the processor, which waits for the device */
} swept;

static cflr_status solve_swept(cflr_context *context, void *user, cflr_error *error) {
    const swept *s = user;
    bits_world b = {.w.context = context, .on.beside = s->beside};
    cflr_status st = CFLR_OK;
    context->threads = 1;
    context->opts.user = &context;
    if (s->beside) context->opts.progress = wait_for_device;
    CFLR_TRY(test_graph(context, s->edges, &b.w.graph, error));
    CFLR_TRY(test_grammar(context, s->grammar, &b.w.grammar, error));
    st = try_bits(&b, error);
out:
    cflr_result_free(b.w.result);
    cflr_grammar_free(b.w.grammar);
    cflr_graph_free(b.w.graph);
    return st;
}

/* Either of the two may be short of memory, in whatever it does; the other process counts its own
 * allocations. */
Test(bits, every_allocation_fails_beside_the_processor) {
    uint64_t stride = getenv("CFLR_TEST_EXHAUSTIVE") ? 1 : 3, failed = 1;
    swept beside = {chain_rules, chain, true};
    atomic_bool tells = false;
    plain_trouble.tells = &tells;
    most_waits = 20; /* where the other process is short of memory, and ends */
    for (uint64_t at = 1; failed; at += stride) {
        cflr_error error;
        fail_alloc f = {.fail_at = at};
        cflr_status st = fail_alloc_run(&f, solve_swept, &beside, &error);
        fail_alloc_check(st, &error, at);
        failed = f.failed;
    }
}

Test(bits, every_allocation_fails_once) {
    static const swept all[] = {
        {"V ::= ~A V | V A | M | eps\nM ::= DV d\nDV ::= ~d V\nA ::= A A | a M | a | eps\n",
         "0 1 d; 2 1 d; 2 3 a; 3 4 d; 1 5 a; 0 3 a; 4 5 d; 19 19 a", false},
        {"A ::= d a | A A | G[i] f[i]\nG[i] ::= ~f[i] A\nB ::= A ~A | d B ~d\n%filter A d\n",
         "0 1 d; 2 1 d; 2 3 a; 3 4 d; 1 5 a; 0 3 d; 4 5 f[1]; 3 5 f[1]; 2 0 f[2]", false},
        {chain_rules, chain, false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fail_alloc_sweep(solve_swept, (void *)(uintptr_t)&all[i]);
}
