/* SPDX-License-Identifier: Apache-2.0 */
#include "shop.h"

struct hook {
    int *(*call)(int *);
};

static int order, price;
extern struct hook hook;

static int *charge(int *what) {
    *what += 1;
    return &price;
}

struct hook hook = {charge};

int *visit(int *what) {
    *what += 1;
    return &price;
}

int main(void) {
    char text[] = "buy";
    char *peer = transmit(&order);
    *peer = 1;
    char *last = last_message;
    *last = 2;
    char *packet = keep(&price);
    *packet = 3;
    char *answer = run_plugins(&order);
    *answer = 4;
    char *event = keep(text);
    *event = 5;
    char *said = say(text);
    *said = 'c';
    *hook.call(&order) = 6;
    *((int *(*)(int *))visitor())(&order) = 7;
    *stamp(text) = 9;
    char *mine = chosen(text);
    *mine = 8;
    return 0;
}
