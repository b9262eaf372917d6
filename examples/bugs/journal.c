/* SPDX-License-Identifier: Apache-2.0
 *
 * journal.c: text from outside that becomes a format, through a logger with variable arguments.
 *
 * The seeded bug: what a client sends is logged as the format. The twin logs it as an argument of a
 * format that is written here.
 */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct client {
    int descriptor;
    char request[128];
};

static void record(FILE *to, const char *format, va_list arguments) {
    fputs("journal: ", to);
    vfprintf(to, format, arguments); /* bug: of a caller that passes a format from outside */
}

static void note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    record(stderr, format, arguments);
    va_end(arguments);
}

static void explain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

static int receive(struct client *client) {
    long n = read(client->descriptor, client->request, sizeof client->request - 1);
    client->request[n > 0 ? n : 0] = '\0';
    return n > 0;
}

int main(void) {
    struct client client = {0, ""};
    while (receive(&client)) {
        note(client.request);
        explain("request: %s\n", client.request);
    }
    return 0;
}
