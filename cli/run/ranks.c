/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.c: a run of several processes, started by mpirun or srun. The first one speaks for all.
 *
 * A launcher kills all processes once one of them ends with a failure. A process that fails before
 * it joined, as all do at a wrong option, therefore joins only to end with the others, after the
 * first one has spoken. Where they cannot join, each speaks for itself.
 */
#include <string.h>

#include "cli/run/run.h"

static char complaint[512]; /* the first one of this process */
static bool has_joined;

uint32_t rank_number(void) {
    uint32_t self;
    cflr_ranks_started(&self);
    return self;
}

void keep_complaint(const char *text) {
    if (!complaint[0]) snprintf(complaint, sizeof complaint, "%s", text);
}

void quiet_ranks(void) {
    if (rank_number() && !freopen("/dev/null", "w", stdout)) fclose(stdout);
}

int check_ranks(const command *chosen) {
    uint32_t ranks = cflr_ranks_started(NULL);
    if (ranks == 1 || chosen->takes_ranks) return 0;
    return usage_error(
        "%s works in one process, and %u were started; CFLR_MPI=off lets each of them work by "
        "itself",
        chosen->name, ranks);
}

int join_ranks(void) {
    cflr_error error;
    if (cflr_ranks_started(NULL) == 1) return 0;
    has_joined = cflr_ranks_join(session(), &error) == CFLR_OK;
    return has_joined ? 0 : fail(&error);
}

static int settle(cflr_context *context, int code) {
    char text[sizeof complaint];
    memcpy(text, complaint, sizeof text);
    uint32_t rank = cflr_ranks_settle(context, &code, text, sizeof text);
    if (rank) complain("rank %u: %s", rank, text[0] ? text : "failed");
    return code;
}

int settle_ranks(int code) {
    return settle(session(), code);
}

int leave_ranks(int code) {
    code = settle_ranks(code);
    cflr_ranks_leave(session());
    return code;
}

/* Processes that have joined settle twice: before they solve, and at the end. */
static bool settle_as_others(int *code) {
    cflr_context *context;
    cflr_error error;
    if (cflr_context_new(NULL, &context, &error) != CFLR_OK) return false;
    bool joined = cflr_ranks_join(context, &error) == CFLR_OK;
    for (int i = 0; joined && i < 2; i++) *code = settle(context, *code);
    if (joined) cflr_ranks_leave(context);
    cflr_context_free(context);
    return joined;
}

int end_ranks(int code) {
    uint32_t rank, ranks = cflr_ranks_started(&rank);
    if (code == 0 || ranks == 1 || has_joined || settle_as_others(&code)) return code;
    if (rank) fprintf(stderr, "cflr: rank %u: %s\n", rank, complaint[0] ? complaint : "failed");
    return code;
}
