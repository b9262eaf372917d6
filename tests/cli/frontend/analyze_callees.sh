# A call through a pointer enters all that reach it, or those of its type.
cat >callees.c <<'end'
int a, b, c, d;
int *zero(void) { return &a; }
int *one(int *p) { return &b; }
int *real(double x) { return &c; }
int *word(long n) { return &d; }
int *two(int *p, int *q) { return &d; }
void *table[] = {zero, one, real, word, two};
int *result;
void f(int i) { result = ((int *(*)(int *))table[i])(&a); }
end
for which in any types; do
    cflr analyze -q --world closed --callees "$which" callees.c -o "$which.cflr" --format json |
        grep callees
    show cflr query "$which.cflr" 'points-to result'
done
show cflr analyze --callees same callees.c
