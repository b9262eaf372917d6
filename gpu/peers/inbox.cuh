/* SPDX-License-Identifier: Apache-2.0
 *
 * inbox.cuh: what the kernel of one of several GPUs knows of the others (peers.cuh). All of it lies
 * in the arenas of the GPUs, at the same place in each.
 */
#ifndef CFLRI_GPU_INBOX_CUH
#define CFLRI_GPU_INBOX_CUH

#include <stdint.h>

enum {
    GPU_MOST_PEERS = 16,   /* GPUs; at most as many as a warp has lanes */
    GPU_STRIPE_SHIFT = 12, /* vertices 2^12 i to 2^12 (i + 1) - 1 are on one GPU */
    GPU_ABANDON = 2,       /* what the host writes where it writes 1 to stop a run: do not wait for
                            * the others either */
};

/* Set by one GPU in the memory of another. */
struct gpu_flag {
    unsigned long long flag;   /* twice the number of the barrier, from 1; in bit 0: stop */
    unsigned long long number; /* what the sender has to say, mostly how much it has sent */
};

/* What one GPU has sent another. */
struct gpu_inbox {
    uint32_t *vertex;
    uint64_t *value;
};

struct gpu_peers {
    uint32_t self, n;            /* this GPU; all */
    char *arena[GPU_MOST_PEERS]; /* of each */
    gpu_flag *flag;              /* by parity, by sender */
    uint32_t *vertex;            /* inboxes, by parity and by sender, `length` long each */
    uint64_t *value;
    uint64_t length;
};

/* Does a schedule share the graph with other GPUs? */
template <class Schedule>
static constexpr bool gpu_has_peers = false;

#endif
