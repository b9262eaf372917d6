/* SPDX-License-Identifier: Apache-2.0
 *
 * transfer.cu: how the edges of a run come to the device: which way, and how much room they have
 * there.
 */
#include <cstring>
#include "base/plain/csr_mapped.h"

#include "gpu/traverse/run.cuh"

static cflr_status pin_rows(gpu_run *r, cflr_error *error) {
    gpu_server *s = r->server;
    bool both = r->has_both();
    s->rows[0] = r->rows[0];
    s->rows[1] = r->rows[1];
    for (int side = 0; side < 1 + both; side++) {
        cflri_rows *rows = &s->rows[side];
        gpu_pinned *at = &s->pinned[2 * side];
        GPU_TRY(at->pin(rows->target, rows->m * sizeof *rows->target), "pinning the graph");
        rows->target = at->at<uint32_t>();
        if (!rows->weight) continue;
        GPU_TRY(at[1].pin(rows->weight, rows->m * sizeof *rows->weight), "pinning the graph");
        rows->weight = at[1].at<uint32_t>();
    }
    if (!both) s->rows[1] = s->rows[0];
    return CFLR_OK;
}

/* The rows of a task, read where the host has them. */
static void point_to_host(gpu_run *r, const gpu_server *s) {
    cflri_primitive_task *task = r->common();
    bool both = r->has_both();
    for (int side = 0; side < 2; side++) {
        cflri_rows *rows = side ? &task->in : &task->out;
        const gpu_pinned *at = &s->pinned[both ? 2 * side : 0];
        rows->target = static_cast<const uint32_t *>(at->device);
        if (rows->m && s->rows[side].weight)
            rows->weight = static_cast<const uint32_t *>(at[1].device);
    }
}

enum { LEAST_ROOM = 1 << 14, TABLES = 1 << 16 };

/* Bytes of the device that edges may have, beside the state. */
static cflr_status find_room(const cflr_traversal *t, gpu_run *r, uint64_t *room,
                             cflr_error *error) {
    size_t left = 0, all = 0;
    GPU_TRY(cudaMemGetInfo(&left, &all), "asking how much memory is left");
    uint64_t most = left / 20 * 19, edges = r->rows[0].m * (r->rows[0].weight ? 8 : 4);
    if (r->has_both()) edges *= 2;
    if (cflri_csr_is_mapped(t->csr)) /* with weights, asked for or not */
        edges = t->csr->mapped->view.n_words * sizeof(uint32_t);
    if (t->opts.device_memory && t->opts.device_memory - r->size < most)
        most = t->opts.device_memory - r->size;
    if (most < LEAST_ROOM + TABLES)
        return gpu_fail(error, CFLR_NO_MEMORY,
                        "the columns take %zu KB of %s, and there must be %d KB more for edges",
                        (r->size >> 10) + 1, r->name, (LEAST_ROOM + TABLES) >> 10);
    *room = (most - TABLES) / 16 * 15; /* a fifteenth of it: lists of long rows */
    if (t->opts.device_rows && t->opts.device_rows < *room) *room = t->opts.device_rows;
    if (*room > edges + LEAST_ROOM) *room = edges + LEAST_ROOM;
    if (*room < LEAST_ROOM) *room = LEAST_ROOM;
    *room = *room / GPU_ALIGN * GPU_ALIGN;
    return CFLR_OK;
}

cflr_status gpu_prepare_transfer(cflr_traversal *t, gpu_run *r, cflr_error *error) {
    uint64_t room = 0;
    if (r->transfer == CFLR_TRANSFER_WHOLE) return CFLR_OK;
    cflr_status st = find_room(t, r, &room, error);
    if (st != CFLR_OK) return st;
    t->stats.device_rows = room;
    if (r->transfer == CFLR_TRANSFER_UNIFIED || r->transfer == CFLR_TRANSFER_ADVISED)
        return gpu_prepare_unified(t, r, room, error);
    if (r->is_packed()) return gpu_prepare_packed(t, r, room, error);
    r->server = new gpu_server();
    r->server->context = t->context;
    r->server->services = r->services;
    st = pin_rows(r, error);
    if (st != CFLR_OK) return st;
    if (r->is_staged()) return gpu_prepare_deliveries(t, r, room, error);
    point_to_host(r, r->server);
    t->stats.device_rows = 0;
    return CFLR_OK;
}

cflr_status gpu_begin_transfer(gpu_run *r, cflr_error *error) {
    uint64_t n = r->rows[0].n, words = (n + CFLRI_WORD_BITS - 1) / CFLRI_WORD_BITS;
    gpu_server *s = r->server;
    if (r->is_staged() || r->is_packed())
        GPU_TRY(cudaMemsetAsync(r->state.stage.member, 0, words * sizeof(uint32_t), r->stream),
                "clearing");
    if (!r->is_staged()) return CFLR_OK;
    std::memset(s->mail(), 0, sizeof(gpu_mail));
    s->delivered = 0;
    s->clear_traffic();
    GPU_TRY(cudaMemsetAsync(r->state.stage.sum, 0, n * sizeof(uint64_t), r->stream), "clearing");
    GPU_TRY(s->policy->begin(), "preparing to move edges");
    return CFLR_OK;
}

void gpu_release_transfer(gpu_run *r) {
    delete r->server;
    for (void *managed : r->managed) cudaFree(managed);
    cudaFree(r->room);
    cudaFree(r->tables);
}

/* ---- auto ---- */

static const char *why_of(cflr_transfer transfer) {
    switch (transfer) {
        case CFLR_TRANSFER_PARTITIONS:
        case CFLR_TRANSFER_AHEAD:
            return "as was asked for: partitions of the rows are copied";
        case CFLR_TRANSFER_SUBWAY:
        case CFLR_TRANSFER_SUBWAY_ASYNC:
            return "as was asked for: the host gathers active rows";
        case CFLR_TRANSFER_SCAPH:
            return "as was asked for: partitions by their value, and rows of the others";
        case CFLR_TRANSFER_WOLFGRAPH:
            return "as was asked for: partitions, with rows of earlier ones";
        case CFLR_TRANSFER_PACKED:
            return "as was asked for: rows in few bits, those that fit on the GPU";
        default:
            return NULL; /* there is a schedule to tell of */
    }
}

/* Which order of visits, and how many of them, does the primitive allow? */
static cflr_status check_class(const cflr_traversal *t, const gpu_run *r, cflr_error *error) {
    const cflri_primitive *p = t->primitive;
    const char *name = r->services->transfer_name(r->transfer);
    if (r->relaxes() && !p->relaxes)
        return gpu_fail(error, CFLR_UNSUPPORTED,
                        "%s goes step by step, and transfer '%s' visits vertices in an order of "
                        "its own",
                        p->name, name);
    if (r->transfer == CFLR_TRANSFER_WOLFGRAPH && p->safety != CFLRI_IDEMPOTENT)
        return gpu_fail(error, CFLR_UNSUPPORTED,
                        "%s adds up what comes along its edges, and transfer '%s' visits edges "
                        "more than once",
                        p->name, name);
    return CFLR_OK;
}

cflr_status gpu_choose_transfer(cflr_traversal *t, gpu_run *r, bool can_stream, cflr_error *error) {
    size_t left = 0, all = 0;
    r->transfer = t->opts.transfer;
    cflr_status st = check_class(t, r, error);
    if (st != CFLR_OK) return st;
    if (r->transfer == CFLR_TRANSFER_AUTO && cflri_csr_is_mapped(t->csr)) {
        r->transfer = CFLR_TRANSFER_PACKED;
        t->stats.why =
            "rows are in a file, in few bits: as many of them as fit on the GPU, the "
            "others in the host's memory";
    } else if (r->transfer == CFLR_TRANSFER_AUTO) {
        GPU_TRY(cudaMemGetInfo(&left, &all), "asking how much memory is left");
        uint64_t most = t->opts.device_memory;
        if (most == 0 || most > left) most = left;
        r->transfer = CFLR_TRANSFER_WHOLE;
        r->blocks = (uint32_t)r->processors;
        gpu_place(t, r);
        if (r->used > most && can_stream) {
            r->transfer = CFLR_TRANSFER_PACKED;
            t->stats.why =
                "the graph does not fit into the GPU's memory: rows are in few bits, "
                "those that fit on the GPU, the others are read where the host has them";
        }
    } else {
        t->stats.why = why_of(r->transfer);
    }
    if (r->is_packed()) r->long_groups = gpu_long_groups(r);
    t->stats.transfer = r->services->transfer_name(r->transfer);
    return CFLR_OK;
}
