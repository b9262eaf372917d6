/* SPDX-License-Identifier: Apache-2.0 */
void *take(void);
void *ask(void *one);
void change(void **where);
void *call(void *(*function)(void *), void *with);

static long first, second, third;
void *given = &first, *table[2] = {&second, &third};

static void *last = &third;

void *choose(void *one, void *other) {
    void *before = last;
    last = one ? other : one;
    char *at = other;
    *at = 5;
    return before;
}

int main(void) {
    take();
    char *got = given;
    *got = 6;
    take();
    ask(&first);
    char *said = ask(given);
    *said = 7;
    change(0);
    change(table);
    call(ask, &second); /* a function of the library, handed to it */
    return 0;
}
