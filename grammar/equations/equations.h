/* SPDX-License-Identifier: Apache-2.0
 *
 * equations.h: a ground grammar as equations between rows, for solvers that move sets.
 *
 * A row R(u) is the set of all v with R(u,v). Each equation says that some rows contain others:
 *
 *     DIAGONAL   R(u) has u
 *     INPUT      R(u) has the targets of u in an input
 *     COPY       R(u) has S(u)
 *     TURN       R(v) has u for each v in S(u)
 *     EDGE       R(u) has S(v) for each input edge from u to v
 *     PAIR       R(u) has S(v) for each v in Q(u), or, turned, for each v with u in Q(v)
 *     STEP       R(u) has the targets in an input of each v in S(u)
 *     BETWEEN    R(u) has w for u -open-> x, y in S(x), y -close-> w
 *     GUARDS     R(u) has the guards in S(u)
 *
 * Inputs may be read backwards. So S moves whole along EDGE and PAIR; pairs are looked at one by
 * one only in Q, in TURN, STEP and BETWEEN, which is where a good choice of equations keeps them
 * few.
 *
 * Families are put in order, by strata: a stratum reads itself and those before it (strata.h).
 */
#ifndef CFLRI_EQUATIONS_H
#define CFLRI_EQUATIONS_H

#include "grammar/equations/algebra.h"

typedef enum cflri_equation_kind {
    CFLRI_DIAGONAL,
    CFLRI_INPUT,
    CFLRI_COPY,
    CFLRI_TURN,
    CFLRI_EDGE,
    CFLRI_PAIR,
    CFLRI_STEP,
    CFLRI_BETWEEN,
    CFLRI_GUARDS,
} cflri_equation_kind;

typedef struct cflri_equation {
    cflri_equation_kind kind;
    uint32_t left;  /* rows R */
    uint32_t right; /* rows S; CFLRI_NO_SYMBOL for DIAGONAL and INPUT */
    /* INPUT, EDGE, STEP: the ground symbol whose input it is; PAIR: rows Q; BETWEEN: `open` */
    uint32_t by;
    bool by_back;
    uint32_t close; /* BETWEEN: ground symbol */
    bool close_back;
    uint32_t stratum; /* of `left` */
} cflri_equation;

/* Where the pairs of a ground symbol are found. */
typedef struct cflri_home {
    uint32_t rows;  /* CFLRI_NO_SYMBOL: in its input */
    uint32_t input; /* ground symbol; only without rows */
    bool turned;    /* read backwards */
    bool wanted;    /* without it, the rest says nothing */
} cflri_home;

/* The rows of one set. */
typedef struct cflri_family {
    uint32_t symbol; /* a ground symbol that it stands for, or CFLRI_NO_SYMBOL */
    uint32_t stratum;
    bool guarded;  /* rows hold only guards: vertices where an equation that reads them goes on */
    bool filtered; /* rows are those of `symbol` and filtered */
} cflri_family;

/* Equations with the families of one stratum on the left, and whether these families need one
 * another in some other way than by COPY, EDGE and S of PAIR. */
typedef struct cflri_stratum {
    bool loops;
    size_t first, end;
} cflri_stratum;

typedef struct cflri_equations {
    cflr_context *context;
    CFLRI_VEC(cflri_family) family;
    /* by stratum, and there ascending by (kind, right, by_back, by, ...) */
    CFLRI_VEC(cflri_equation) equation;
    CFLRI_VEC(cflri_stratum) stratum;
    uint32_t n_symbols;
    cflri_home *home; /* of each ground symbol */
} cflri_equations;

/* `input` as of cflri_inputs_of; `wanted` says of which ground symbols all pairs are needed in the
 * end; NULL: of all. */
cflr_status cflri_equations_new(const cflri_ground *ground, const cflri_input_kind *input,
                                const bool *wanted, unsigned techniques,
                                cflri_equations **equations, cflr_error *error);
void cflri_equations_free(cflri_equations *equations);

/* CFLR_INTERNAL, and which promise of this page is broken where, unless all are kept. O(equations);
 * for debug builds and tests. */
cflr_status cflri_equations_validate(const cflri_equations *equations, cflr_error *error);

/* For qsort: the order of equations, by strata. */
int cflri_equation_compare(const void *a, const void *b);

/* The first equation of a stratum that is not before `key` by kind and right. */
size_t cflri_equations_seek(const cflri_equations *equations, cflri_stratum stratum,
                            const cflri_equation *key);

/* As text, for people. */
struct cflri_text;
void cflri_equations_show(struct cflri_text *text, const cflri_ground *ground,
                          const cflri_equations *equations);
/* One equation, or the line that begins a stratum; "[i]" in place of indexes, "<>" for rows without
 * a name. */
void cflri_equation_show_any(struct cflri_text *text, const cflri_ground *ground,
                             const cflri_equations *equations, size_t equation);
void cflri_stratum_show(struct cflri_text *text, const cflri_equations *equations, size_t stratum);

#endif
