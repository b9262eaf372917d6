int *p, x;
void f(void) { p = &x; }
/* here
