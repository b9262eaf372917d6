/* SPDX-License-Identifier: Apache-2.0
 *
 * functions.h: which function of a generated program calls which.
 */
#ifndef BENCH_GENERATE_FUNCTIONS_H
#define BENCH_GENERATE_FUNCTIONS_H

#include "bench/generate/generate.h"

/* A function owns the vertices from `first` to the next function's first: its parameters, its
 * results, then what its body makes. */
typedef struct function {
    uint32_t first;
    uint16_t parameters, results;
} function;

/* Functions in modules: module m is function[module[m]] .. function[module[m + 1] - 1]. Behind the
 * last of each stands one more element. */
typedef struct functions {
    function *function;
    uint32_t *module;
    uint32_t n, modules;
    uint32_t abroad; /* calls to another module, in ten thousand */
} functions;

/* How functions are drawn: sizes (powers of two; the interface is smaller than the smallest body),
 * vertices of a module. */
typedef struct functions_form {
    uint32_t smallest, largest, module, abroad;
    void (*interface)(draw *random, function *f);
} functions_form;

/* Gives each vertex of the sketch to a function. Leaves an empty program after a failure. */
void functions_plan(sketch *s, const functions_form *form, functions *made);
void functions_free(functions *made);

/* A function that function number `caller` of module `module` calls. */
const function *functions_callee(sketch *s, const functions *all, uint32_t module, uint32_t caller);

#endif
