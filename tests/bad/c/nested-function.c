int x;
void f(void) {
    int *g(void) { return &x; }
    g();
}
