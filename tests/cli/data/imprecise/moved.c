/* A pointer is moved from member to member. */
struct four {
    int *one, *two, *three, *four;
};

static int a, b, c, d;

static void **move(void *from, long n) {
    return (void **)((char *)from + n);
}

int main(int argc, char **argv) {
    struct four all = {&a, &b, &c, &d};
    int *p = *move(&all, argc), *q = p, *r = q, *s = r;
    (void)argv;
    return *p + *q + *r + *s;
}
