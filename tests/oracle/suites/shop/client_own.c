/* SPDX-License-Identifier: Apache-2.0 */
#include "shop.h"

static char client_line[8];
static int peer_of_client;
static void *reported;
void *last_message;

void report(void *what) {
    char *first = what;
    *first = *first;
    reported = what;
}

void *address_of_peer(void *message) {
    char *first = message;
    *first = *first;
    return &peer_of_client;
}

char *decorate(char *text) {
    client_line[0] = text[0];
    return client_line;
}

char *stamp(char *text) {
    text[1] = text[0];
    return client_line;
}
