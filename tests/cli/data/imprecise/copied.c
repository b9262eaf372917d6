/* Records of pointers are copied as characters. */
#include <string.h>

struct pair {
    int *left, *right;
};

static void copy(char *to, const char *from, unsigned long n) {
    memcpy(to, from, n);
}

static int a, b, c, d;

int main(void) {
    struct pair one = {&a, &b}, two = {&c, &d}, first, second;
    copy((char *)&first, (char *)&one, sizeof one);
    copy((char *)&second, (char *)&two, sizeof two);
    int *p = first.left, *q = first.right, *r = second.left, *s = second.right;
    return *p + *q + *r + *s;
}
