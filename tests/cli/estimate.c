/* SPDX-License-Identifier: Apache-2.0
 *
 * estimate.c: what is said of the end of work, for work that goes on in several ways.
 */
#include "cli/run/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                           \
    do {                                                            \
        if (!(condition)) {                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1);                                                \
        }                                                           \
    } while (0)

static double report(estimate *e, const char *phase, double done, uint64_t total, double seconds) {
    const cflr_progress p = {
        .phase = phase, .done = (uint64_t)done, .total = total, .seconds = seconds};
    return estimate_left(e, &p);
}

/* 100 s at one speed: nothing at first, and then what is right. */
static void test_steady(void) {
    estimate e = {0};
    for (double s = 0; s < 100; s += 0.25) {
        double left = report(&e, "extract", 10 * s, 1000, s);
        if (s < 3)
            EXPECT(left < 0);
        else
            EXPECT(fabs(left - (100 - s)) < 1.5);
    }
    EXPECT(report(&e, "extract", 1000, 1000, 100) < 0);
}

/* Units of 5 s each, done at once: between two reports it counts down, or moves by little. */
static void test_no_jumps(void) {
    estimate e = {0};
    double before = -1, largest = 0;
    for (double s = 0; s < 200; s += 0.25) {
        double left = report(&e, "extract", floor(s / 5), 40, s);
        EXPECT(left < 0 || fabs(left - (200 - s)) < (s < 60 ? 60 : 20));
        if (before >= 0 && s > 20) largest = fmax(largest, fabs(left - before));
        before = left;
    }
    EXPECT(largest < 2);
}

/* Work that becomes half as fast: the estimate follows, and has the right end long before it. */
static void test_slower(void) {
    estimate e = {0};
    for (double s = 0; s < 150; s += 0.25) {
        double done = s < 50 ? 10 * s : 500 + 5 * (s - 50);
        double left = report(&e, "write", done, 1000, s);
        if (s > 120) EXPECT(fabs(left - (150 - s)) < 20);
    }
}

/* Where it cannot be known, nothing is said. */
static void test_unknown(void) {
    estimate e = {0};
    for (double s = 0; s < 50; s += 1) EXPECT(report(&e, "solve", 1000 * s, 0, s) < 0);
    for (double s = 0; s < 50; s += 1) EXPECT(report(&e, "load", 0, 100, s) < 0);
    /* a hundredth in 50 s is too little */
    EXPECT(report(&e, "load", 1, 100, 50) < 0);
}

/* The same phase with other units, and another phase, begin anew. */
static void test_again(void) {
    estimate e = {0};
    for (double s = 0; s < 10; s += 0.25) report(&e, "load", 100 * s, 1100, s);
    EXPECT(report(&e, "load", 0, 500, 10) < 0);
    EXPECT(report(&e, "load", 50, 500, 11) < 0);
    EXPECT(fabs(report(&e, "load", 250, 500, 15) - 5) < 0.5);
    EXPECT(report(&e, "load", 10, 500, 16) < 0);
    EXPECT(report(&e, "write", 10, 500, 20) < 0);
    /* work that was done before, as units from a cache, does not count as speed */
    estimate cached = {0};
    report(&cached, "extract", 900, 1000, 0);
    EXPECT(fabs(report(&cached, "extract", 910, 1000, 10) - 90) < 1);
}

static void test_text(void) {
    static const struct {
        double left;
        const char *text;
    } rows[] = {
        {0, "some seconds left"},    {9.9, "some seconds left"}, {12, "about 10 s left"},
        {43, "about 45 s left"},     {114, "about 115 s left"},  {120, "about 2 min left"},
        {3500, "about 58 min left"}, {7300, "about 2 h left"},   {1e12, "about 9999 h left"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ESTIMATE_TEXT];
        estimate_text(rows[i].left, text);
        EXPECT(strcmp(text, rows[i].text) == 0);
    }
}

int main(void) {
    test_steady();
    test_no_jumps();
    test_slower();
    test_unknown();
    test_again();
    test_text();
    return 0;
}
