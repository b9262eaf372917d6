#include "includes-itself.c"
int *p, x;
void f(void) { p = &x; }
