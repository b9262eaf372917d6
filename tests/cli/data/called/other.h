int apply(int (*f)(int), int n);
int by_number(const void *a, const void *b);
