int *p, x;
#error configure first
void f(void) { p = &x; }
