# With one body for all callers r and s may alias, and so may what two calls pass; with a copy for
# each call only what one call passes.
cflr check checks.c -q --no-alias apart | grep -e ' r, s' -e ' p, q'
cflr check checks.c -q --no-alias apart --context clone | grep -e ' r, s' -e ' p, q'
cat >identity.c <<'end'
void apart(int *, int *);
static int *identity(int *p) { return p; }
int main(void) {
    int x, y;
    apart(identity(&x), identity(&y));
}
end
show cflr check -q identity.c --no-alias apart
show cflr check -q identity.c --no-alias apart --context clone
