/* SPDX-License-Identifier: Apache-2.0
 *
 * A race on purpose: ThreadSanitizer, set up as it is for parallel.c, must report it. If it does
 * not, its silence about parallel.c says nothing.
 */
#include <stdio.h>

int main(void) {
    int shared = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 1000; i++) shared++;
    printf("%d\n", shared);
    return 0;
}
