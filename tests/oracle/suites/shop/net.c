/* SPDX-License-Identifier: Apache-2.0 */
/* A library that calls its program by names that each program defines for itself. */
#include "shop.h"

void visit(void); /* of a type that programs choose */

void *choose(int n, ...); /* of another type than it says where it is defined */

static long packet;

void *transmit(void *message) {
    report(message);
    last_message = message;
    keep(&packet);
    return address_of_peer(message);
}

void *visitor(void) {
    return (void *)visit;
}

void *chosen(void *thing) {
    return choose(1, thing);
}
