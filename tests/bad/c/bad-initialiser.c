struct s { int *p; } v = {.q = 0, 1, 2, 3};
int *p, x;
void f(void) { p = &x; }
