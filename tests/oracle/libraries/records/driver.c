/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

struct pair {
    int *first, *second;
};

struct link {
    struct link *next;
};

struct item {
    int *what;
    struct link in;
};

struct pair swap(struct pair p);
int *nth(int n, ...);
void enter(struct link *l);
int *what_of_first(void);
int **exchange(int *p, int **with);

int main(void) {
    int a = 1, b = 2;
    struct pair p = {&a, &b};
    p = swap(p);
    int *third = nth(3, p.first, p.second, &a);
    struct item one = {third, {NULL}}, two = {&b, {NULL}};
    enter(&one.in);
    enter(&two.in);
    int *what = what_of_first();
    int **place = exchange(&a, &what);
    return **place & 0;
}
