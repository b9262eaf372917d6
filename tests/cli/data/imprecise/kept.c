/* A member of type void * holds what each user keeps there. */
struct box {
    void *data;
};

static struct box boxes[4];

static struct box *box(int i) {
    return &boxes[i];
}
static void put(struct box *to, void *data) {
    to->data = data;
}
static void *get(const struct box *from) {
    return from->data;
}

static int a, b, c, d;

int main(void) {
    put(box(0), &a);
    put(box(1), &b);
    put(box(2), &c);
    put(box(3), &d);
    int *w = get(box(0)), *x = get(box(1)), *y = get(box(2)), *z = get(box(3));
    return *w + *x + *y + *z;
}
