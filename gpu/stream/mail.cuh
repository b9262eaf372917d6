/* SPDX-License-Identifier: Apache-2.0
 *
 * mail.cuh: what a run on a GPU and its host tell each other while rows come piece by piece.
 *
 * A run is one kernel (gpu/traverse/team.cuh), and stays so when the graph is larger than the GPU's
 * memory: an operator that visits edges asks the host for rows, and visits what is delivered until
 * the host says that this was all.
 *
 *     kernel   request 1 ----.                                   .---- request 2
 *                            |   visit       visit      visit    |
 *     host                   '-> delivery 1, delivery 2, 3 last -'
 *                                  copies ahead of deliveries
 *
 * Both write to memory of the host that the GPU sees: first what they have to say, then its number.
 * A delivery is a list of pieces; each is a range of rows, or of a list of vertices, and says where
 * the edges of these lie now.
 */
#ifndef CFLRI_GPU_MAIL_CUH
#define CFLRI_GPU_MAIL_CUH

#include <cstdint>

/* Items first .. last - 1, and of their edges those from low to high - 1. Items are vertices, or,
 * with `vertex`, numbers of its elements; item i has edges begin[i] .. begin[i + 1] - 1. */
struct gpu_piece {
    uint64_t unit; /* units of 32 items that the pieces before it in the delivery have */
    const uint32_t *vertex;
    const uint64_t *begin;           /* NULL: the rows' own */
    const uint32_t *target, *weight; /* of edge 0, wherever that would lie */
    uint64_t low, high;
    uint32_t first, last;
};

struct gpu_delivery {
    uint64_t units;
    const gpu_piece *piece; /* in the mail: the host's, as the device addresses it */
    uint32_t pieces;
    bool last; /* the request is done, nothing comes with this one */
    /* Of a request to relax: */
    bool again;      /* only vertices that were improved since the request */
    bool all;        /* every row, improved or not */
    uint32_t rounds; /* visits of the same pieces at most; 0: until none of their rows improves */
};

/* Which rows, and which of these. */
struct gpu_request {
    uint32_t backwards;       /* the edges into vertices, not out of them */
    uint32_t all;             /* every row of the range; otherwise those that are members */
    uint32_t first, last;     /* the range */
    uint64_t vertices, edges; /* members and their edges, where the policy wants a list of them */
    uint32_t relax;           /* members were improved, and may be visited any number of times */
};

enum { GPU_DELIVERIES = 8 }; /* on their way at once; each where its number says */

/* In the host's memory. Each word is written by one side. */
struct gpu_mail {
    gpu_request request;
    uint32_t requested; /* the number of the last one: that of the delivery which comes next */
    uint32_t visited;   /* deliveries that need nothing of their pieces any more */
    uint64_t waited;    /* nanoseconds, for deliveries */
    gpu_delivery delivery[GPU_DELIVERIES];
    uint32_t delivered; /* how many there were */
};

/* A partition of the rows, as a policy moves them. */
struct gpu_partition {
    uint64_t low, high; /* edges */
    uint32_t first, last;
};

/* What a policy wants to know of the members of a request. */
enum gpu_wish { GPU_WISH_NOTHING, GPU_WISH_NEEDS, GPU_WISH_NEEDS_AND_MEMBERS, GPU_WISH_LIST };

/* As the kernel knows it. */
struct gpu_stage {
    gpu_mail *mail;                    /* the host's, as the device addresses it */
    const uint64_t *start;             /* of the rows as they are */
    gpu_delivery *delivery;            /* the one that is visited, on the device */
    gpu_piece *piece;                  /* and its pieces */
    uint32_t *member;                  /* bits */
    const gpu_partition *partition[2]; /* of the rows as they are, and backwards */
    uint32_t partitions[2];
    uint32_t wish;
    unsigned long long *need[2]; /* GPU_WISH_NEEDS: edges of members, by partition: here, */
    uint64_t *need_of_host;      /* and where the host reads them */
    uint32_t *member_of_host;    /* GPU_WISH_NEEDS_AND_MEMBERS */
    uint32_t *vertex;            /* GPU_WISH_LIST: members, ascending, */
    uint64_t *begin;             /* and where their edges begin in what is gathered */
    uint32_t *vertex_of_host;
    uint64_t *begin_of_host;
    unsigned long long *sum; /* by vertex: what is gathered; 0 between operators */
    bool relaxes;            /* drivers that can leave the order of visits to the policy do so */
    uint32_t *active;        /* three: vertices that a round has visited, by round */
    struct gpu_long_piece *long_piece;
    bool is_far; /* packed rows: some are in the host's memory */
};

/* Edges of a row that is too long for one warp. */
struct gpu_long_piece {
    uint64_t begin, apart; /* its first edge has number begin + apart, if rows come whole */
    uint32_t from, n, piece;
};

#endif
