/* SPDX-License-Identifier: Apache-2.0
 *
 * jobs.c: text from outside that becomes a command, through a list and through a buffer.
 *
 * The seeded bugs: a line of the input is run as a command, and the environment names the program
 * that shows a page. The twins run commands that are written here: input only chooses among them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    const char *command;
    struct job *next;
};

struct queue {
    struct job *first;
};

static void add(struct queue *queue, const char *command) {
    struct job *job = malloc(sizeof *job);
    if (!job) return;
    job->command = command;
    job->next = queue->first;
    queue->first = job;
}

static void run(const struct queue *queue) {
    for (const struct job *job = queue->first; job; job = job->next) system(job->command); /* bug */
}

static void run_known(const char *name) {
    static const char *const known[] = {"true", "false"};
    for (int i = 0; i < 2; i++)
        if (strcmp(name, known[i]) == 0) system(known[i]);
}

static FILE *open_page(void) {
    char command[256];
    const char *pager = getenv("PAGER");
    if (!pager) return popen("cat", "w");
    strcpy(command, "exec ");
    strncat(command, pager, 200);
    return popen(command, "w"); /* bug */
}

int main(void) {
    static char line[100];
    struct queue queue = {NULL};
    if (!fgets(line, sizeof line, stdin)) return 1;
    add(&queue, line);
    run(&queue);
    run_known(line);
    FILE *page = open_page();
    if (page) pclose(page);
    return 0;
}
