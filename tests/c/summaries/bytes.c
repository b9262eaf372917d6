/* SPDX-License-Identifier: Apache-2.0
 *
 * bytes.c: pointers that leave the program as bytes and come back: through pipes, files, sockets and queues
 * (unistd.h, stdio.h, sys/socket.h, sys/msg.h).
 */
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <unistd.h>

#include "expect.h"

static int x, y, z, u, v, w, whole, copied, single;

struct record {
    int number;
    int *pointer;
    struct {
        char text[8];
        int *pointer;
    } inner;
};

static void pipes(void) {
    int end[2], *sent = &x, *came = NULL;
    if (pipe(end) != 0) return;
    if (write(end[1], &sent, sizeof sent) < 0) return;
    if (read(end[0], &came, sizeof came) < 0) return;
    POINTS_TO(came, x);
}

static void files(void) {
    struct record out = {1, &y, {"text", &z}}, in = {0};
    FILE *file = tmpfile();
    if (!file) return;
    fwrite(&out, sizeof out, 1, file);
    rewind(file);
    if (fread(&in, sizeof in, 1, file) != 1) return;
    int *first = in.pointer, *second = in.inner.pointer;
    POINTS_TO(first, y);
    POINTS_TO(second, z);
    fclose(file);
}

/* The type is told by the caller only. */
static long receive(int socket, void *memory, size_t size) {
    return recv(socket, memory, size, 0);
}

static void sockets(void) {
    int end[2], *list[2] = {&u, &u};
    struct record came = {0};
    struct record sent = {2, &u, {"more", &u}};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0) return;
    if (send(end[0], &sent, sizeof sent, 0) < 0) return;
    if (receive(end[1], &came, sizeof came) < 0) return;
    int *pointer = came.pointer, *inner = came.inner.pointer;
    POINTS_TO(pointer, u);
    POINTS_TO(inner, u);
    if (send(end[0], list, sizeof list, 0) < 0) return;
    list[0] = list[1] = NULL;
    if (recv(end[1], list, sizeof list, 0) < 0) return;
    int *element = list[1];
    POINTS_TO(element, u);
}

static void queues(void) {
    struct message {
        long type;
        int *pointer;
    } sent = {1, &v}, came = {0, NULL};
    int queue = msgget(IPC_PRIVATE, 0600);
    if (queue < 0) return;
    bool there = msgsnd(queue, &sent, sizeof sent.pointer, IPC_NOWAIT) == 0 &&
                 msgrcv(queue, &came, sizeof came.pointer, 0, IPC_NOWAIT) > 0;
    msgctl(queue, IPC_RMID, NULL);
    if (!there) return;
    int *pointer = came.pointer;
    POINTS_TO(pointer, v);
}

static void places(void) {
    int *sent = &w, *came = NULL, *back = NULL;
    FILE *file = tmpfile();
    if (!file) return;
    if (pwrite(fileno(file), &sent, sizeof sent, 8) < 0) return;
    if (pread(fileno(file), &came, sizeof came, 8) < 0) return;
    POINTS_TO(came, w);
    SAME(came, sent);
    rewind(file);
    (fwrite_unlocked)(&came, sizeof came, 1, file);
    rewind(file);
    if ((fread_unlocked)(&back, sizeof back, 1, file) != 1) return;
    POINTS_TO(back, w);
    SAME(back, sent);
    fclose(file);
}

static void messages(void) {
    int end[2], *sent = &w, *came = NULL;
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, end) != 0) return;
    if (sendto(end[0], &sent, sizeof sent, 0, NULL, 0) < 0) return;
    if (recvfrom(end[1], &came, sizeof came, 0, NULL, NULL) < 0) return;
    POINTS_TO(came, w);
    KNOWN(came);
}

/* Helpers that go on until all is written or read move characters: their memory was a record before. */
static int write_all(int to, const void *memory, size_t size) {
    const char *at = memory;
    for (ssize_t n; size > 0 && (n = write(to, at, size)) > 0; size -= (size_t)n) at += n;
    return size == 0;
}

static int read_all(int from, char *at, size_t size) {
    for (ssize_t n; size > 0 && (n = read(from, at, size)) > 0; size -= (size_t)n) at += n;
    return size == 0;
}

static void wholes(void) {
    struct record out = {3, &whole, {"all", &whole}}, in = {0};
    int end[2];
    if (pipe(end) != 0 || !write_all(end[1], &out, sizeof out)) return;
    if (!read_all(end[0], (char *)&in, sizeof in)) return;
    int *first = in.pointer, *second = in.inner.pointer;
    POINTS_TO(first, whole);
    POINTS_TO(second, whole);
}

/* Arrays of characters that a pointer is copied to, and from. */
static void buffers(void) {
    int end[2], *sent = &copied, *came = NULL;
    char out[sizeof sent], in[sizeof came];
    memcpy(out, &sent, sizeof out);
    if (pipe(end) != 0 || write(end[1], out, sizeof out) < 0) return;
    if (read(end[0], in, sizeof in) < 0) return;
    memcpy(&came, in, sizeof came);
    POINTS_TO(came, copied);
}

/* One character after the other. */
static void characters(void) {
    int end[2], *sent = &single, *came = NULL;
    if (pipe(end) != 0) return;
    for (size_t i = 0; i < sizeof sent; i++)
        if (write(end[1], (char *)&sent + i, 1) != 1) return;
    for (size_t i = 0; i < sizeof came; i++)
        if (read(end[0], (char *)&came + i, 1) != 1) return;
    POINTS_TO(came, single);
}

/* Text stays text: what is beside it does not come into it. */
static void texts(int input) {
    char text[sizeof(int *)] = "", *end = text;
    int *own = &x;
    if (read(input, text, sizeof text) < 0) return;
    APART((void *)end, (void *)own);
}

void run_bytes(void);
void run_bytes(void) {
    pipes();
    files();
    sockets();
    queues();
    places();
    messages();
    wholes();
    buffers();
    characters();
    texts(-1);
}
