/* SPDX-License-Identifier: Apache-2.0
 *
 * run.cuh: a traversal on a GPU, as the host has it: the memory that it has there, its kernel, and
 * how its edges come to it.
 */
#ifndef CFLRI_GPU_RUN_CUH
#define CFLRI_GPU_RUN_CUH

#include "engine/traverse/device.h"
#include "gpu/device/errors.cuh"
#include "gpu/peers/part.cuh"
#include "gpu/stream/server.cuh"
#include "gpu/traverse/team.cuh"

struct gpu_run {
    const cflri_services *services;
    int device;         /* its number */
    cflri_rows rows[2]; /* of the host, as they are and backwards: all, or this GPU's part */
    gpu_part part;      /* where these are, if several GPUs share the graph */
    char *arena;
    size_t size, used;
    alignas(16) char task[1024]; /* as the kernel gets it */
    gpu_state state;
    cflri_outcome *outcome;
    uint32_t *source;
    uint32_t source_room;
    uint32_t *stop; /* of the host, seen by the device */
    cudaStream_t stream;
    cudaEvent_t begin, end;
    const void *kernel;
    size_t shared_bytes; /* of a block, beside gpu_shared */
    uint32_t blocks;
    bool gathers; /* targets are read in gathers alone */
    bool by_edge; /* the schedule asks for the sources of edges */
    char name[128];
    int processors;

    /* Of edges that are not copied whole (gpu/stream). */
    cflr_transfer transfer;
    gpu_server *server;   /* delivered, or read where the host has them */
    gpu_pinned words[2];  /* PACKED: rows as they are, and backwards */
    uint64_t long_groups; /* of these, in rows of more than one group */
    void *managed[4];     /* UNIFIED and ADVISED: targets and weights of both */
    char *room, *tables;  /* on the device: for edges; for what says where they are */
    uint64_t tables_bytes;

    cflri_primitive_task *common() { return reinterpret_cast<cflri_primitive_task *>(task); }
    /* Are rows delivered? */
    bool is_staged() const {
        return transfer == CFLR_TRANSFER_PARTITIONS || transfer == CFLR_TRANSFER_AHEAD ||
               transfer == CFLR_TRANSFER_SUBWAY || relaxes();
    }
    /* Is the order of visits left to the policy? */
    bool relaxes() const {
        return transfer == CFLR_TRANSFER_SUBWAY_ASYNC || transfer == CFLR_TRANSFER_SCAPH ||
               transfer == CFLR_TRANSFER_WOLFGRAPH;
    }
    bool is_packed() const { return transfer == CFLR_TRANSFER_PACKED; }
    /* May targets be slots (order.cu)? */
    bool may_slot() const {
        return gathers && !has_peers() &&
               (transfer == CFLR_TRANSFER_WHOLE || transfer == CFLR_TRANSFER_AUTO);
    }
    bool has_peers() const { return state.peers.n > 1; }
    /* Is there more than one form of the rows? */
    bool has_both() const { return rows[1].start != rows[0].start; }
};

/* ---- memory.cu ---- */

enum { GPU_ALIGN = 256 };

uint64_t gpu_column_bytes(const cflr_traversal *t, const cflri_column *c);
/* Where everything lies in the arena, which is measured while there is none. */
void gpu_place(const cflr_traversal *t, gpu_run *r);
cflr_status gpu_make_arena(const cflr_traversal *t, gpu_run *r, cflr_error *error);
/* Rows, as far as they lie in the arena. */
cflr_status gpu_copy_graph(gpu_run *r, cflr_error *error);

/* ---- order.cu ---- */

/* Slots for what gathers read, where they pay; with the rows on the device. */
cflr_status gpu_make_slots(gpu_run *r, cflr_error *error);

/* ---- gpu/peers/group.cu ---- */

/* May n GPUs share the graph? */
cflr_status gpu_check_peers(const cflr_traversal *t, bool has_kernel, uint32_t n,
                            const cflri_services *services, cflr_error *error);
/* Chooses again, where GPUs of a group have not chosen the same. */
cflr_status gpu_make_alike(cflr_traversal *t, gpu_run **member,
                           cflr_status (*choose)(cflr_traversal *, gpu_run *, cflr_error *),
                           cflr_error *error);
/* With arenas: each learns where those of the others are. */
cflr_status gpu_introduce(gpu_run **member, cflr_error *error);

/* ---- gpu/stream/transfer.cu ---- */

/* What `auto` comes to, and why: t->stats. */
cflr_status gpu_choose_transfer(cflr_traversal *t, gpu_run *r, bool can_stream, cflr_error *error);
/* With an arena: room for edges, and all that is made once. */
cflr_status gpu_prepare_transfer(cflr_traversal *t, gpu_run *r, cflr_error *error);
/* Before every run. */
cflr_status gpu_begin_transfer(gpu_run *r, cflr_error *error);
void gpu_release_transfer(gpu_run *r);
/* gpu/stream/deliver.cu: rows, as long as the kernel asks for them. */
cflr_status gpu_prepare_deliveries(cflr_traversal *t, gpu_run *r, uint64_t room, cflr_error *error);
cflr_status gpu_serve(gpu_run *r, cflr_error *error);
/* gpu/stream/unified.cu */
cflr_status gpu_prepare_unified(cflr_traversal *t, gpu_run *r, uint64_t room, cflr_error *error);
/* gpu/stream/packed.cu */
uint64_t gpu_long_groups(const gpu_run *r);
cflr_status gpu_prepare_packed(cflr_traversal *t, gpu_run *r, uint64_t room, cflr_error *error);

#endif
