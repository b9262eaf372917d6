#include "other.h"

static int helper(int n) {
    return n - 1;
}

int apply(int (*f)(int), int n) {
    return f(helper(n));
}

int by_number(const void *a, const void *b) {
    return *(const int *)b - *(const int *)a;
}
