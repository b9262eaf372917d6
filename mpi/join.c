/* SPDX-License-Identifier: Apache-2.0
 *
 * join.c: MPI begins and ends; the processors of a rank.
 *
 * Ranks speak through one thread each, the one that joined (MPI_THREAD_FUNNELED). A program that
 * has begun MPI before keeps it, and ends it.
 */
#include <sched.h>
#include <string.h>

#include "base/context.h"
#include "mpi/carrier.h"

/* ---- processors ---- */

/* Returns the number of ranks on this machine that may use the same processors as this one. */
static int sharers(MPI_Comm ranks, cflr_context *context) {
    MPI_Comm here;
    cpu_set_t own;
    int n, same = 0;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof own, &own) != 0) CPU_ZERO(&own);
    MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &n);
    cpu_set_t *all = cflri_alloc_array(context, (size_t)n, sizeof *all);
    int have_room = all != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &have_room, 1, MPI_INT, MPI_MIN, here);
    if (have_room) {
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, here);
        for (int i = 0; i < n; i++) same += CPU_EQUAL(&own, &all[i]) != 0;
    }
    cflri_free(context, all);
    MPI_Comm_free(&here);
    return same ? same : n;
}

static void share_processors(MPI_Comm ranks, cflr_context *context) {
    int shared = sharers(ranks, context);
    if (context->opts.threads) return;
    context->threads = context->threads > shared ? context->threads / shared : 1;
}

/* ---- joining ---- */

static cflr_status begin_mpi(bool *began, cflr_error *error) {
    int initialized, finalized, granted;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (finalized) {
        return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "MPI has ended in this process");
    }
    if (initialized) {
        MPI_Query_thread(&granted);
    } else {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &granted);
    }
    *began = !initialized;
    if (granted >= MPI_THREAD_FUNNELED) return CFLR_OK;
    return cflri_fail(error, CFLR_UNAVAILABLE, NULL, "this MPI allows no process with threads");
}

static void end_mpi(bool began) {
    if (began) MPI_Finalize();
}

static cflr_status check_size(int ranks, const cflri_rank_opts *opts, cflr_error *error) {
    if ((uint32_t)ranks == opts->expected) return CFLR_OK;
    return cflri_fail(error, CFLR_UNAVAILABLE, NULL,
                      "%u processes were started, and MPI knows of %d: cflr was built with another "
                      "MPI than the launcher is of",
                      opts->expected, ranks);
}

/* If a rank fails, all do. */
static cflr_status make(cflr_context *context, const cflri_rank_opts *opts, bool began,
                        cflri_box_carrier **carrier, cflr_error *error) {
    int ranks, self;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    cflr_status st = check_size(ranks, opts, error);
    if (st != CFLR_OK) return st;
    cflri_mpi_carrier *made = cflri_alloc_zero(context, sizeof *made);
    if (made) {
        *made = (cflri_mpi_carrier){.context = context,
                                    .self = (uint32_t)self,
                                    .n = (uint32_t)ranks,
                                    .each = opts->each,
                                    .piece = opts->piece,
                                    .began = began};
        st = cflri_mpi_carrier_init(made, error);
    } else {
        st = cflri_fail_memory(context, error);
    }
    int worst = (int)st;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (worst == CFLR_OK) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made->ranks);
        share_processors(made->ranks, context);
        *carrier = &made->carrier;
        return CFLR_OK;
    }
    if (made) cflri_mpi_carrier_free(made);
    cflri_free(context, made);
    if (st != CFLR_OK) return st;
    return cflri_fail(error, (cflr_status)worst, NULL, "another process cannot begin: %s",
                      cflr_status_text((cflr_status)worst));
}

static cflr_status join(cflr_context *context, const cflri_rank_opts *opts,
                        cflri_box_carrier **carrier, cflr_error *error) {
    bool began = false;
    cflr_status st = begin_mpi(&began, error);
    if (st == CFLR_OK) st = make(context, opts, began, carrier, error);
    if (st != CFLR_OK) end_mpi(began);
    return st;
}

static void leave(cflri_box_carrier *carrier) {
    cflri_mpi_carrier *c = (cflri_mpi_carrier *)carrier;
    cflr_context *context = c->context;
    bool began = c->began;
    MPI_Comm_free(&c->ranks);
    cflri_mpi_carrier_free(c);
    cflri_free(context, c);
    end_mpi(began);
}

__attribute__((visibility("default"))) extern const cflri_rank_library cflr_mpi_ranks;
const cflri_rank_library cflr_mpi_ranks = {CFLRI_RANK_VERSION, join, leave};
