/* SPDX-License-Identifier: Apache-2.0
 *
 * test_process.c: what a process occupies, as it grows and ends.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

enum { GROWTH = 64 << 20 };

Test(process, this_one) {
    uint64_t before = cflri_process_resident();
    cr_assert_gt(before, 100000);
    char *block = malloc(GROWTH);
    cr_assert(block);
    memset(block, 1, GROWTH);
    uint64_t after = cflri_process_resident();
    cr_expect_geq(after, before + GROWTH / 2);
    free(block);
}

Test(process, another_one_and_its_end) {
    cflri_occupied occupied;
    pid_t child = fork();
    if (child == 0)
        for (;;) pause();
    int descriptor = cflri_process_open(child);
    cr_assert_geq(descriptor, 0);
    cr_expect(cflri_process_occupied(descriptor, &occupied));
    cr_expect_gt(occupied.resident, occupied.files);
    cr_expect_gt(occupied.writable, 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    cr_expect_not(cflri_process_occupied(descriptor, &occupied));
    cr_expect_eq(occupied.resident, 0);
    close(descriptor);
    cr_expect_eq(cflri_process_open(child), -1);
}
