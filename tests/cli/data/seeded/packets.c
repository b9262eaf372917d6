/* Bytes that come in are read as records: text in any member is from outside. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

struct message {
    int kind;
    char text[40];
};
struct packet {
    uint32_t length;
    struct {
        char from[8], to[8];
    } name;
    char rest[];
};

static struct message last;
static char buffer[512];

static int whole(int fd) {
    struct message m, copy, *p = malloc(sizeof *p), many[3];
    if (read(fd, &m, sizeof m) > 0) system(m.text); /* bug */
    copy = m;
    system(copy.text); /* bug */
    read(fd, &last, sizeof last);
    system(last.text);                                       /* bug */
    if (p && fread(p, sizeof *p, 1, stdin)) system(p->text); /* bug */
    recv(fd, many, sizeof many, 0);
    return system(many[1].text); /* bug */
}

static int views(int fd) {
    char bytes[sizeof(struct message)];
    struct message copied;
    read(fd, bytes, sizeof bytes);
    system(((struct message *)bytes)->text); /* bug */
    memcpy(&copied, bytes, sizeof copied);
    system(copied.text); /* bug */
    if (fread(buffer, 1, sizeof buffer, stdin) == 0) return 1;
    const struct packet *p = (const void *)buffer;
    system(p->name.to); /* bug */
    system(p->rest);    /* bug */
    for (char *at = buffer; at < buffer + sizeof buffer;) {
        struct inotify_event *event = (void *)at;
        system(event->name); /* bug */
        at += sizeof *event + event->len;
    }
    return 0;
}

static int receive(int fd, void *to, size_t n) {
    char *at = to;
    for (ssize_t k; n > 0 && (k = read(fd, at, n)) > 0; n -= (size_t)k) at += k;
    return n == 0;
}

static int wrapped(int fd) {
    struct message m;
    struct packet *p = malloc(64);
    struct iovec part = {&last, sizeof last};
    if (receive(fd, &m, sizeof m)) system(m.text);          /* bug */
    if (p && receive(fd, p, 64)) system(p->name.to);        /* bug */
    return readv(fd, &part, 1) > 0 ? system(last.text) : 0; /* bug */
}

static int apart(int fd) {
    struct message own = {1, "ls"};
    struct {
        char command[8];
        struct message m;
    } both = {"ls", {0}};
    read(fd, &both.m, sizeof both.m);
    system(own.text);
    return system(both.command);
}

int main(void) {
    return whole(0) + views(0) + wrapped(0) + apart(0);
}
