char *s = "abc;
int *p, x;
void f(void) { p = &x; }
