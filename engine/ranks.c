/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks.c: processes that close one graph together, each a slice of its targets.
 *
 * A process is a rank if its launcher says so in the environment, with a number of processes that
 * is more than one:
 *
 *     mpirun of Open MPI                    OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_RANK
 *     mpiexec of MPICH, srun --mpi=pmi2     PMI_SIZE, PMI_RANK
 *     srun --mpi=pmix                       PMIX_RANK, and SLURM_STEP_NUM_TASKS
 *
 * SLURM_NTASKS alone does not say so: a shell inside of an allocation has it, too.
 */
#include "cflr/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch/batch.h"
#include "engine/device/library.h"
#include "engine/spine/driver.h"
#include "engine/spine/ranks.h"

enum { PIECE_WORDS = 1 << 28 };

static const struct {
    const char *ranks, *self;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"PMI_SIZE", "PMI_RANK"},
    {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"},
};

typedef struct joined {
    cflri_spine spine;
    const cflri_rank_library *library;
} joined;

/* False if the environment has no such number. */
static bool read_number(const char *name, uint32_t *number) {
    const char *text = getenv(name);
    char *end;
    unsigned long read = text ? strtoul(text, &end, 10) : 0;
    if (!text || end == text || *end || read > UINT32_MAX) return false;
    *number = (uint32_t)read;
    return true;
}

uint32_t cflr_ranks_started(uint32_t *self) {
    const char *wish = getenv("CFLR_MPI");
    uint32_t ranks = 1, rank = 0;
    bool off = wish && strcmp(wish, "off") == 0;
    for (size_t i = 0; !off && i < sizeof launchers / sizeof *launchers; i++) {
        bool known = read_number(launchers[i].ranks, &ranks) &&
                     read_number(launchers[i].self, &rank) && ranks > 1 && rank < ranks;
        if (known) break;
        ranks = 1;
        rank = 0;
    }
    if (self) *self = rank;
    return ranks;
}

const cflri_rank_library *cflri_rank_library_load(char *why, size_t size) {
    return cflri_library_table("libcflr_mpi.so", CFLRI_RANK_SYMBOL, CFLRI_RANK_VERSION, why, size);
}

cflr_status cflr_ranks_join(cflr_context *context, cflr_error *error) {
    char why[128];
    cflri_rank_opts opts = {.expected = cflr_ranks_started(NULL), .each = 1, .piece = PIECE_WORDS};
    const cflri_rank_library *library = cflri_rank_library_load(why, sizeof why);
    if (context->spine) return cflri_fail(error, CFLR_ARGUMENT, NULL, "the context has joined");
    if (!library) {
        return cflri_fail(error, CFLR_UNAVAILABLE, NULL,
                          "no MPI for the %u processes that were started: %s", opts.expected, why);
    }
    joined *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->library = library;
    made->spine = (cflri_spine){.place = &cflri_batch_place,
                                .slices = opts.expected * opts.each,
                                .grain = CFLRI_SPLIT_GRAIN};
    cflr_status st = library->join(context, &opts, &made->spine.carrier, error);
    if (st == CFLR_OK) {
        context->spine = &made->spine;
        cflri_log(context, CFLR_LOG_INFO, "rank %u of %u, with %d threads",
                  made->spine.carrier->first / opts.each, opts.expected, context->threads);
    } else {
        cflri_free(context, made);
    }
    return st;
}

uint32_t cflr_ranks_settle(cflr_context *context, int *code, char *text, size_t size) {
    if (!cflri_spine_has_ends(context->spine)) return 0;
    return context->spine->carrier->settle(context->spine->carrier, code, text, size);
}

void cflr_ranks_leave(cflr_context *context) {
    joined *j = (joined *)context->spine;
    if (!j) return;
    context->spine = NULL;
    j->library->leave(j->spine.carrier);
    cflri_free(context, j);
}
