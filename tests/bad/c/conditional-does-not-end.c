int *p, x;
#if 1
void f(void) { p = &x; }
