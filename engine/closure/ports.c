/* SPDX-License-Identifier: Apache-2.0
 *
 * ports.c: counting, then filling label by label, which sorts the ports of each vertex.
 */
#include "engine/closure/ports.h"

#include <string.h>

#include "base/context.h"

/* Where edge i of a row's source and target has its port. */
static uint32_t end_of(cflri_direction direction, uint32_t source, uint32_t target) {
    return direction == CFLRI_OUT ? source : target;
}

static cflr_status fill(cflri_ports *ports, const cflri_problem *problem, const bool *needed,
                        cflri_direction direction, cflr_error *error) {
    uint64_t *start = ports->start[direction];
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_relation *input = needed[s] ? problem->input[s] : NULL;
        for (uint32_t r = 0; input && r < input->n_rows; r++) {
            for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
                start[end_of(direction, input->row[r], input->target[i]) + 1]++;
            }
        }
    }
    for (uint32_t v = 0; v < problem->n_vertices; v++) start[v + 1] += start[v];
    uint64_t n = start[problem->n_vertices];
    ports->port[direction] = cflri_alloc_array(ports->context, (size_t)n + 1, sizeof(cflri_port));
    if (!ports->port[direction]) return cflri_fail_memory(ports->context, error);
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_relation *input = needed[s] ? problem->input[s] : NULL;
        for (uint32_t r = 0; input && r < input->n_rows; r++) {
            for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
                uint32_t source = input->row[r], target = input->target[i];
                uint64_t at = start[end_of(direction, source, target)]++;
                ports->port[direction][at] =
                    (cflri_port){s, direction == CFLRI_OUT ? target : source};
            }
        }
    }
    memmove(start + 1, start, (size_t)problem->n_vertices * sizeof *start); /* shifted by filling */
    start[0] = 0;
    return CFLR_OK;
}

static bool any_needed(const cflri_problem *problem, const bool *needed) {
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        if (needed[s] && problem->input[s]) return true;
    }
    return false;
}

cflr_status cflri_ports_init(cflri_ports *ports, const cflri_problem *problem,
                             const bool *const needed[2], cflr_error *error) {
    cflr_status st = CFLR_OK;
    *ports = (cflri_ports){.context = problem->context};
    for (int d = CFLRI_OUT; d <= CFLRI_IN; d++) {
        if (!any_needed(problem, needed[d])) continue;
        ports->start[d] = cflri_alloc_array_zero(problem->context, (size_t)problem->n_vertices + 2,
                                                 sizeof *ports->start[d]);
        if (!ports->start[d]) {
            st = cflri_fail_memory(problem->context, error);
            goto out;
        }
        CFLR_TRY(fill(ports, problem, needed[d], (cflri_direction)d, error));
    }
out:
    if (st != CFLR_OK) cflri_ports_free(ports);
    return st;
}

void cflri_ports_free(cflri_ports *ports) {
    if (!ports->context) return;
    for (int d = CFLRI_OUT; d <= CFLRI_IN; d++) {
        cflri_free(ports->context, ports->start[d]);
        cflri_free(ports->context, ports->port[d]);
    }
    *ports = (cflri_ports){0};
}

cflri_port_range cflri_ports_search(cflri_port_range all, uint32_t label) {
    uint32_t low = 0, high = all.n;
    if (all.n > 8) {
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (all.at[middle].label < label) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
    } else {
        while (low < all.n && all.at[low].label < label) low++;
    }
    uint32_t end = low;
    while (end < all.n && all.at[end].label == label) end++;
    return (cflri_port_range){all.at + low, end - low};
}
