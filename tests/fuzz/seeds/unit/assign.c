int x, *p = &x;
void f(int **q) {
    *q = p;
}
