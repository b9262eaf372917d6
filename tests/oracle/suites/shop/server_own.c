/* SPDX-License-Identifier: Apache-2.0 */
#include "shop.h"

static char server_line[8];
static int peer_of_server;
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
    return &peer_of_server;
}

char *decorate(char *text) {
    server_line[0] = text[0];
    return text;
}

char *stamp(char *text) {
    text[1] = text[0];
    return text;
}
