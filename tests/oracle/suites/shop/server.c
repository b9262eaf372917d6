/* SPDX-License-Identifier: Apache-2.0 */
#include "shop.h"

struct hook {
    long *(*call)(long *, long *);
};

static long stock, bill;
extern struct hook hook;

static long *serve(long *what, long *to) {
    *to += *what;
    return to;
}

struct hook hook = {serve};

long *visit(long *what, long *to) {
    *to += *what;
    return to;
}

int main(void) {
    char text[] = "sell";
    char *peer = transmit(&stock);
    *peer = 1;
    char *last = last_message;
    *last = 2;
    char *packet = keep(&bill);
    *packet = 3;
    char *answer = run_plugins(&bill);
    *answer = 4;
    char *event = keep(text);
    *event = 5;
    char *said = say(text);
    *said = 's';
    *hook.call(&stock, &bill) = 6;
    *((long *(*)(long *, long *))visitor())(&bill, &stock) = 7;
    *stamp(text) = 9;
    char *mine = chosen(text);
    *mine = 8;
    return 0;
}
