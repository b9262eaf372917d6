/* Calls of every kind that the call graph tells, in a program that runs. */
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>

#include "other.h"

static int helper(int n) { /* other.c has one, too */
    return n + 1;
}

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void *work(void *n) {
    *(int *)n = helper(1);
    return n;
}

static void goodbye(void) {}

static void on_signal(int number) {
    (void)number;
}

static int twice(int n) {
    return 2 * n;
}

static int thrice(int n) {
    return 3 * n;
}

int second(int n) __attribute__((alias("first")));
int first(int n) {
    return n < 1 ? n : first(n - 1);
}

static int (*const table[])(int) = {twice, thrice, helper};
static int (*never)(int);

static int odd(int n);
static int even(int n) {
    return n == 0 || odd(n - 1);
}
static int odd(int n) {
    return n != 0 && even(n - 1);
}

static void clean(int *n) {
    *n = 0;
}

static void nothing(void) {}
static void little(void) {}

int main(int argc, char **argv) {
    int numbers[] = {3, 1, 2}, sum = 0;
    int kept __attribute__((cleanup(clean))) = 1;
    void (*sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
    pthread_t thread;
    qsort(numbers, 3, sizeof *numbers, by_value);
    sort(numbers, 3, sizeof *numbers, by_number);
    pthread_create(&thread, 0, work, &sum);
    pthread_join(thread, 0);
    atexit(goodbye);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    for (int i = 0; i < 3; i++) sum += table[i](i);
    sum += apply(argc > 1 ? twice : thrice, second(3)) + even(4);
    (argv[argc] ? nothing : little)();
    if (sum < 0) sum = never(sum);
    return sum < 0 || kept == 0;
}
