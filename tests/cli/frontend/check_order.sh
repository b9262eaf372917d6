# A local is asked about as it is at that place; with --locals whole, as it is anywhere.
cat >order.c <<'end'
void apart(const void *, const void *), same(const void *, const void *);
int x, y;
int f(int c) {
    int *p = &x;
    apart(p, &y);
    p = &y;
    apart((void *)p, &x);
    while (c--) {
        same(p, c ? &y : &x);
        p = c ? p : &x;
    }
    return *p;
}
end
show cflr check -q order.c --no-alias apart --must-alias same
show cflr check -q order.c --no-alias apart --locals whole
