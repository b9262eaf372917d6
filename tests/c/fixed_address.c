/* Addresses that are written as numbers, as those of a device's registers are.
 *
 * Equal numbers are one object, others are apart. A number that is too small to be an address is a mark.
 */
#include <stdint.h>

#include "check.h"

struct port {
    uint32_t data;
    uint32_t state;
    int *buffer;
};

#define PORT ((struct port *)0x40001000)
#define BASE 0x40000000
#define OTHER ((struct port *)(BASE + 0x2000))

static struct port *reset(struct port *p) {
    return p ? p : PORT;
}

int main(void) {
    struct port *first = PORT, *again = (struct port *)(uintptr_t)0x40001000, *other = OTHER;
    SAME(first, again);
    APART(first, other);
    uint32_t *state = &first->state, *same = &again->state, *apart = &other->state;
    SAME(state, same);
    APART(state, apart);
    struct port *got = reset(first);
    SAME(got, again);
    void *failed = (void *)-1, *mark = (void *)1;
    APART(failed, first);
    APART(mark, first);
    return CHECKED;
}
