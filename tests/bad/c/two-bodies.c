int x, y;
int *f(void) { return &x; }
int *f(void) { return &y; }
