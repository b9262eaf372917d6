/* Pointers that are moved by known numbers as characters, and cast where they are followed: the
 * cast has no name, and what is read through it is a pointer. */
#include <stddef.h>

#include "check.h"

struct node {
    struct node *left;
    int *tag;
};
struct item {
    int *first;
    long key;
    struct node node;
    int *last;
};
enum { NODE = offsetof(struct item, node), LAST = offsetof(struct item, last) };

static int one, two, three, four, five, six;
static struct item a, b, c, d, e, f;

static char *moved(char *at) {
    return at + LAST;
}

int main(void) {
    char *at = (char *)&a;
    a.last = &one;
    at += LAST;
    int *found = *(int **)at;
    INTO(found, one);
    char *other = (char *)&b;
    b.last = &two;
    other = other + LAST;
    found = *(int **)other;
    INTO(found, two);
    c.last = &three;
    found = *(int **)moved((char *)&c);
    INTO(found, three);
    void *member = &d.node;
    d.last = &four;
    member = (char *)member + (LAST - NODE);
    found = *(int **)member;
    INTO(found, four);
    char *into = (char *)&e;
    into += LAST;
    *(int **)into = &five;
    INTO(e.last, five);
    char *start = (char *)&f.node;
    f.first = &six;
    start -= NODE;
    found = ((struct item *)start)->first;
    INTO(found, six);
    char text[64] = "text", *end = text + LAST; /* nothing but characters */
    APART(end, at);
    return CHECKED;
}
