int *p;
void f(void) {
    p = &nobody;
}
