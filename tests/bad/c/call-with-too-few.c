int *g(int *, int *);
int x;
int *f(void) {
    return g(&x);
}
