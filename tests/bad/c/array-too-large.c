char *p, a[0x7fffffffffffffff][9];
void f(void) { p = a[1]; }
