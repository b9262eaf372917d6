/* Records of pointers are copied by a loop over bytes. */
struct pair {
    int *left, *right;
};

static void copy(void *to, const void *from, unsigned long n) {
    char *t = to;
    const char *f = from;
    while (n--) *t++ = *f++;
}

static int a, b, c, d;

int main(void) {
    struct pair one = {&a, &b}, two = {&c, &d}, first, second;
    copy(&first, &one, sizeof one);
    copy(&second, &two, sizeof two);
    int *p = first.left, *q = first.right, *r = second.left, *s = second.right;
    return *p + *q + *r + *s;
}
