/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.c: a run of several processes, started by mpirun or srun. The first one speaks for all.
 */
#include <string.h>

#include "cli/run/run.h"

static char complaint[512]; /* the first one of this process */

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
    if (cflr_ranks_started(NULL) == 1 || cflr_ranks_join(session(), &error) == CFLR_OK) return 0;
    return fail(&error);
}

int settle_ranks(int code) {
    char text[sizeof complaint];
    memcpy(text, complaint, sizeof text);
    uint32_t rank = cflr_ranks_settle(session(), &code, text, sizeof text);
    if (rank) complain("rank %u: %s", rank, text[0] ? text : "failed");
    return code;
}

int leave_ranks(int code) {
    code = settle_ranks(code);
    cflr_ranks_leave(session());
    return code;
}
