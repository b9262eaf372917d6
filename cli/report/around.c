/* SPDX-License-Identifier: Apache-2.0
 *
 * around.c: the rows near a pointer: those that have an object in common with it, and what is
 * stored where it leads to. O(members of sets).
 */
#include <stdlib.h>

#include "cli/report/report.h"

/* Things that one of these looks has. */
static bool *find_objects(const result_page *r) {
    bool *has = take_room(r->looks.n_things, sizeof *has);
    for (uint32_t look = 0; look < r->looks.n; look++) {
        size_t n;
        if (r->near[look] != 2) continue;
        const uint32_t *ids = set_at(r, r->set[look], &n);
        for (size_t i = 0; i < n; i++) has[ids[i]] = true;
    }
    return has;
}

static void find_near(result_page *r) {
    bool *has = find_objects(r), *meets = take_room(r->sets.n, sizeof *meets);
    for (uint32_t set = 0; set < r->sets.n; set++) {
        size_t n;
        const uint32_t *ids = set_at(r, set, &n);
        for (size_t i = 0; i < n && !meets[set]; i++) meets[set] = has[ids[i]];
    }
    for (uint32_t look = 0; look < r->looks.n; look++) {
        if (r->set[look] == NONE || !meets[r->set[look]]) continue;
        if (!r->near[look]) r->near[look] = 1;
        for (uint64_t i = r->holds_at[look]; i < r->holds_at[look + 1]; i++)
            if (!r->near[r->holds[i]]) r->near[r->holds[i]] = 1;
    }
    free(has);
    free(meets);
}

int around_find(result_page *r, const char *pointer) {
    place_set places = {0}, object = {0};
    int code = find_pointers(r->graph, NULL, pointer, &places, &object);
    r->near = take_room(r->looks.n, sizeof *r->near);
    for (size_t i = 0; !code && i < places.n; i++) {
        uint32_t look = r->looks.look[places.vertex[i]];
        if (look == NONE || r->set[look] == NONE) continue;
        r->near[look] = 2;
        if (r->focus == NONE) r->focus = look;
    }
    if (!code && r->focus == NONE) {
        complain("--around %s: it points to nothing", shown(pointer));
        code = EXIT_USAGE;
    }
    if (!code) find_near(r);
    free(places.vertex);
    free(object.vertex);
    return code;
}
