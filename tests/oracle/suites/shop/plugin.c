/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing names anything in it: it makes itself known, as a library does that is loaded while
 * programs run. */
#include "shop.h"

static int own;

static void *handle(void *mine, void *event) {
    report(mine);
    keep(event);
    return address_of_peer(event);
}

__attribute__((constructor)) static void begin(void) {
    struct plugin made = {handle, &own};
    plug(made);
}
