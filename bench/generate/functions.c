/* SPDX-License-Identifier: Apache-2.0
 *
 * functions.c: functions, modules and calls of a generated program.
 *
 *     vertices    0 .......................... n
 *     functions   |--|------|-|---|-----|--|---|     sizes spread evenly over powers of two
 *     modules     |---------------|------------|     of about as many vertices each
 *
 * A call goes
 *
 *     4 times in 10    to a function close by, itself too (recursion)
 *     otherwise        to a popular function of the module: the k-th with a weight of 1 / k (Zipf's
 *                      law), which makes the hubs of call graphs
 *     seldom           to any function of a module before it: half as likely at twice the distance
 *
 * so that a program of any size calls as one of its modules does. Popularity has nothing to do with
 * place: ranks are spread over the module by a step that has no divisor in common with its size.
 */
#include "bench/generate/functions.h"

#include <stdlib.h>

enum { CLOSE = 8, STEP = 7919 /* a prime, larger than the number of functions of a module */ };

void functions_plan(sketch *s, const functions_form *form, functions *made) {
    uint32_t n = s->vertices;
    *made = (functions){.abroad = form->abroad};
    made->function = sketch_table(s, n / form->smallest + 2, sizeof *made->function);
    made->module = sketch_table(s, n / form->module + 2, sizeof *made->module);
    if (s->status != CFLR_OK) return;
    for (uint32_t v = 0; v < n;) {
        uint32_t size = draw_size(&s->random, form->smallest, form->largest);
        function *f = &made->function[made->n];
        f->first = v;
        if (v / form->module == made->modules)
            made->module[made->modules++] = made->n;
        else
            form->interface(&s->random, f);
        made->n++;
        v = n - v < size + form->smallest ? n : v + size;
    }
    made->function[made->n].first = n;
    made->module[made->modules] = made->n;
}

void functions_free(functions *made) {
    free(made->function);
    free(made->module);
}

static uint32_t draw_between(draw *random, uint32_t low, uint32_t end) {
    return low + draw_below(random, end - low);
}

const function *functions_callee(sketch *s, const functions *all, uint32_t module,
                                 uint32_t caller) {
    draw *random = &s->random;
    const uint32_t *bound = &all->module[module];
    uint32_t how = draw_below(random, 10000), n = bound[1] - bound[0];
    if (how < all->abroad && module > 0) {
        bound -= 1 + draw_rank(random, module);
        return &all->function[draw_between(random, bound[0], bound[1])];
    }
    if (how < 6000) {
        uint32_t rank = draw_rank(random, n);
        return &all->function[bound[0] + rank * STEP % n];
    }
    uint32_t low = caller < bound[0] + CLOSE ? bound[0] : caller - CLOSE;
    uint32_t end = caller + CLOSE < bound[1] ? caller + CLOSE + 1 : bound[1];
    return &all->function[draw_between(random, low, end)];
}
