/* SPDX-License-Identifier: Apache-2.0 */
/* A library that calls its program by names that each program defines for itself. */
#include "shop.h"

void visit(void); /* of a type that programs choose */

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
