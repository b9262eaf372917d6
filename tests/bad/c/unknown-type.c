widget *p;
int *q, x;
void f(void) { q = &x; }
