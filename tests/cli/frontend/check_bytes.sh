# Bytes that come in by one pointer are read by another that may be the same: by copies, by members
# of records that are made of them, by pointers that the records hold. Nothing calls most of these
# functions, so that it is not known what their parameters point to.
cat >bytes.c <<'end'
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct header { int length; char text[60]; };
struct packet { int kind; struct header header; char rest[8]; };
struct link { struct link *next; };
struct node { int n; struct link link; char text[20]; };
struct holder { char *buf; struct packet *packet; };
void given(char *p) {
    read(0, p, 9);
    system(p);
}
void copied(char *p) {
    char *q = p;
    read(0, p, 9);
    system(q);
}
void member(struct holder *h) {
    read(0, h->buf, 9);
    system(h->buf);
}
void record(struct packet *p) {
    read(0, p, sizeof *p);
    system(p->header.text);
}
void record_text(struct packet *p) {
    char *t = p->header.text;
    read(0, p, sizeof *p);
    system(t);
}
void raw_inner(char *b) {
    struct packet *p = (struct packet *)(b + 4);
    struct header *h = &p->header;
    read(0, b, 90);
    system(h->text);
}
void kept(struct holder *h, char *b) {
    h->packet = (struct packet *)b;
    read(0, b, 90);
    char *t = h->packet->header.text;
    system(t);
}
static char *text_of(struct header *h) {
    return h->text;
}
void result(char *b) {
    read(0, b, 90);
    system(text_of(&((struct packet *)b)->header));
}
static struct packet fixed;
void global_text(void) {
    char *t = fixed.header.text;
    read(0, &fixed, sizeof fixed);
    system(t);
}
void heap(void) {
    char *b = malloc(90);
    struct packet *p = (struct packet *)b;
    struct holder h;
    h.packet = p;
    read(0, b, 90);
    system(h.packet->header.text);
    free(b);
}
void by_link(struct link *l) {
    struct node *n = (struct node *)((char *)l - offsetof(struct node, link));
    read(0, n, sizeof *n);
    system(n->text);
}
void by_link_of(struct node *n) {
    struct link *l = &n->link;
    read(0, n, sizeof *n);
    struct node *m = (struct node *)((char *)l - offsetof(struct node, link));
    system(m->text);
}
void stored_from_other(struct holder *h, struct packet *p) {
    struct packet *q = p;
    h->buf = q->header.text;
    struct holder *g = h;
    read(0, p, sizeof *p);
    system(g->buf);
}
void block_of_record(struct packet *p) {
    struct packet c;
    read(0, p, sizeof *p);
    memcpy(&c, p, sizeof c);
    system(c.header.text);
}
void assigned(struct packet *p) {
    struct packet c;
    read(0, p, sizeof *p);
    c = *p;
    system(c.header.text);
}
void whole_from_inner(struct packet *p) {
    struct header *h = &p->header;
    struct packet *q = (struct packet *)((char *)h - offsetof(struct packet, header));
    read(0, q, sizeof *q);
    system(p->rest);
}
static void fill(void *p, size_t n) {
    read(0, p, n);
}
void filled_local(void) {
    struct packet p;
    fill(&p, sizeof p);
    system(p.header.text);
}
struct event { int mask; union { int fd; struct { char name[16]; } s; char raw[20]; } u; };
void event_next(void) {
    char b[900];
    read(0, b, 900);
    for (char *p = b; p < b + 900; p += sizeof(struct event)) {
        struct event *e = (struct event *)p, **l = &e;
        system((*l)->u.s.name);
    }
}
end
found() { # the functions whose call of `system` is found
    cflr check -q "$@" --rules command --format json >answer
    python3 -c 'import json
for f in json.load(open("answer"))["findings"]:
    if f["likely"]: print(f["sink"]["function"])'
}
echo "functions with a sink: $(grep -c 'system(' bytes.c)"
found bytes.c | tee closed
found bytes.c --world open | cmp - closed && echo "the same in an open program"
# Two pointers that one function is handed need not be each other, nor what it copies from them.
cat >handed.c <<'end'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct header { char text[60]; };
struct source { long (*get)(char *buffer, size_t n); };
static long get(char *buffer, size_t n) { return read(0, buffer, n); }
static struct source all = {get};
struct source *source(void) { return &all; }
static size_t length(const void *text) { return ((const struct header *)text)->text[0]; }
static char *append(char *to, const void *text) {
    memcpy(to, text, 9);
    return to;
}
void receive(char *bytes, char *to) {
    source()->get(bytes, 9);
    append(to, bytes);
    length(bytes);
}
void run(const char *command) {
    char copy[9], other[9];
    length(command);
    append(other, command);
    memcpy(copy, command, 9);
    system(copy);
}
end
show cflr check -q handed.c --rules command --world closed
