/* SPDX-License-Identifier: Apache-2.0
 *
 * control.h: in which order a function may read and write its split locals (locals.h).
 *
 *     int *p = a;              block 0    write p
 *     while (more())           block 1
 *         p = next(p);         block 2    read p, write p          0 -> 1 <-> 2,  1 -> 3
 *     return p;                block 3    read p
 *
 * With data flow a condition is taken apart, and what a test of a local shows is an event, too:
 *
 *     if (p && q)              block 0    read p                     0 -> 1, 2
 *                              block 2    p is not null, read q      2 -> 1, 3
 *         use(q);              block 3    q is not null, read q      3 -> 1
 *
 * Events are in the order of execution inside a block; blocks have lists of those before them.
 */
#ifndef CFLRI_CONTROL_H
#define CFLRI_CONTROL_H

#include "base/vec.h"
#include "frontend/clang/cursors.h"

#define CFLRI_NO_BLOCK UINT32_MAX

typedef enum cflri_event_kind {
    CFLRI_READS,
    CFLRI_WRITES,
    CFLRI_FORGETS, /* a declaration without initialiser: there is no value from now on */
    CFLRI_TESTED,  /* it is known not to be null from now on */
} cflri_event_kind;

typedef struct cflri_event {
    uint32_t e;     /* the name, the declaration or `+=` and the like, in the tree */
    uint32_t local; /* number of the split local */
    cflri_event_kind kind;
    uint32_t call; /* of TESTED: what tests it, in another unit, if it does; else CFLRI_NO_CHILD */
    uint32_t argument; /* of the call */
    bool yes;          /* the outcome */
} cflri_event;

/* The steps that matter for tests of any expression, and for changes between tests and reads
 * (tested.c). */
typedef enum cflri_step_kind {
    CFLRI_STEP_READ,
    CFLRI_STEP_WRITE, /* of `from`, or of something unknown: CFLRI_NO_CHILD */
    CFLRI_STEP_MOVE,  /* p++, p += n */
    CFLRI_STEP_CALL,
    CFLRI_STEP_UNKNOWN, /* assembly, atomics: any memory may change */
    CFLRI_STEP_TEST,    /* it has the outcome `yes` from now on */
    CFLRI_STEP_RETURN,
} cflri_step_kind;

typedef struct cflri_step {
    uint32_t e, from;
    cflri_step_kind kind;
    bool yes;
} cflri_step;

typedef struct cflri_block {
    uint32_t first, end; /* its events */
    uint32_t first_step, end_step;
    uint32_t before; /* the first edge into it, or CFLRI_NO_BLOCK */
    uint32_t after;  /* the first edge out of it, or CFLRI_NO_BLOCK */
    bool reached;    /* from where the function begins */
    bool head;       /* of a loop */
    bool returns;    /* the function ends behind it */
    uint32_t
        gate; /* a call in it that another unit may know never to return; else CFLRI_NO_CHILD */
} cflri_block;

typedef struct cflri_edge {
    uint32_t from; /* block */
    uint32_t next; /* edge into the same block, or CFLRI_NO_BLOCK */
    uint32_t to;   /* block */
    uint32_t also; /* edge out of the same block, or CFLRI_NO_BLOCK */
    bool thrown;   /* by longjmp: the block may end before its end, too */
} cflri_edge;

/* A call of setjmp: what comes behind it, and behind its second return. */
typedef struct cflri_landing {
    uint32_t call, behind, again;
} cflri_landing;

/* A number or null pointer, and the block that it is in. */
typedef struct cflri_constant {
    uint32_t e, block;
} cflri_constant;

/* A task that is left while the blocks are made (control.c). */
typedef struct cflri_task {
    uint32_t what;
    uint32_t e;
    uint32_t yes, no; /* of a condition: blocks */
} cflri_task;

/* A construct that is open: where its parts begin and end. */
typedef struct cflri_frame {
    uint32_t kind;
    uint32_t head; /* block to branch from, or to come back to */
    uint32_t next; /* where `continue` goes; CFLRI_NO_BLOCK: to the one around */
    uint32_t exit; /* where `break` goes; CFLRI_NO_BLOCK: to the one around */
    bool complete; /* a switch: it has a default */
    uint32_t
        zero; /* of a switch on a test: where it is 0, and `head` where not; else CFLRI_NO_BLOCK */
    bool zero_taken; /* by a case */
} cflri_frame;

/* Zero bytes are valid. Block 0 is where the function begins. */
typedef struct cflri_control {
    CFLRI_VEC(cflri_block) blocks;
    CFLRI_VEC(cflri_edge) edges;
    CFLRI_VEC(cflri_event) events;
    CFLRI_VEC(cflri_step) steps; /* with data flow */
    /* while it is made */
    CFLRI_VEC(cflri_task) tasks;
    CFLRI_VEC(cflri_frame) frames;
    CFLRI_VEC(cflri_constant) constants; /* with data flow */
    cflri_cursors labels;                /* LabelStmt -> block */
    CFLRI_VEC(uint32_t) targets;         /* blocks of labels */
    CFLRI_VEC(cflri_landing) landings;
    CFLRI_VEC(uint32_t) throws; /* blocks that end where longjmp may have been called */
    uint32_t current;           /* block */
    uint32_t hub;     /* jumps to computed labels go through it; CFLRI_NO_BLOCK: there are none */
    uint32_t n_tests; /* events of that kind */
    bool twice;       /* it calls setjmp, and longjmp may come back to there */
    bool lost;        /* by too many ways */
    bool returns;     /* a block behind which the function ends is reached */
} cflri_control;

#endif
