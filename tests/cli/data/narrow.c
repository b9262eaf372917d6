/* A pointer in halves: what is made of them again is not followed. */
void apart(const void *, const void *);
static int x, y;
static unsigned low, high;

static void put(int *p) {
    low = (unsigned)(unsigned long)p;
    high = (unsigned)((unsigned long)p >> 32);
}

static int *get(void) {
    return (int *)((unsigned long)high << 32 | low);
}

int main(void) {
    int *own = &y;
    put(&x);
    int *got = get();
    apart(got, own);
    return 0;
}
