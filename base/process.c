/* SPDX-License-Identifier: Apache-2.0
 *
 * process.c: memory of processes, from the numbers of /proc/PID/statm.
 *
 *     size resident shared text lib data dt      in pages; lib and dt are always 0
 *
 * A descriptor stays good for one process: when that has ended, reading it fails, whatever process
 * has its number by then.
 */
#include "base/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

int cflri_process_open(int process) {
    char path[40] = "/proc/self/statm";
    if (process) snprintf(path, sizeof path, "/proc/%d/statm", process);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Asked for all the time: sscanf would take ten times as long. */
bool cflri_process_occupied(int descriptor, cflri_occupied *occupied) {
    enum { RESIDENT = 1, SHARED, DATA = 5, NUMBERS };
    char text[160], *end, *at = text;
    uint64_t bytes[NUMBERS], page = (uint64_t)sysconf(_SC_PAGESIZE);
    ssize_t n = pread(descriptor, text, sizeof text - 1, 0);
    *occupied = (cflri_occupied){0};
    if (n <= 0) return false;
    text[n] = '\0';
    for (int k = 0; k < NUMBERS; k++, at = end) {
        bytes[k] = strtoull(at, &end, 10) * page;
        if (end == at) return false;
    }
    *occupied = (cflri_occupied){bytes[RESIDENT], bytes[SHARED], bytes[DATA]};
    return true;
}

uint64_t cflri_process_resident(void) {
    cflri_occupied occupied;
    int descriptor = cflri_process_open(0);
    cflri_process_occupied(descriptor, &occupied);
    if (descriptor >= 0) close(descriptor);
    return occupied.resident;
}
