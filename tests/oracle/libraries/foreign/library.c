/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and variables that the library declares and does not define, by name and by address. */
extern void *given, *table[2];
void *choose(void *one, void *other);

static void *(*const chooser[])(void *, void *) = {choose};
static long own, other;

void *take(void) {
    char *got = given;
    *got = 1;
    char *second = table[1];
    *second = 2;
    given = &own;
    return got;
}

void *ask(void *one) {
    char *said = chooser[0](one, &other);
    *said = 3;
    return said;
}

void change(void **where) {
    void **at = where ? where : table;
    char *held = at[0];
    *held = 4;
    at[0] = &other;
}

void *call(void *(*function)(void *), void *with) {
    char *got = function(with);
    *got = 8;
    return got;
}
