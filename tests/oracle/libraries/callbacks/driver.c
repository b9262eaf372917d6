/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

typedef void *handler(void *own, void *event);

handler *default_handler(void);
void add(handler *call, void *own);
void *fire(void *event);

static void *kept[2];

static void *keep(void *own, void *event) {
    kept[0] = own;
    kept[1] = event;
    handler *other = default_handler();
    return other(&kept[0], own);
}

int main(void) {
    int own = 1, event = 2;
    void *cell = NULL;
    add(keep, &own);
    add(default_handler(), &cell);
    void *got = fire(&event);
    got = fire(kept[0]);
    got = fire(NULL);
    return got == NULL;
}
