# A null pointer in a function that is asked whether it ever returns, where locals are whole.
cat >null.c <<'C'
int main(void) {
    struct {
        int *m;
    } t = {0};
    return t.m == 0;
}
C
for how in --data-flow '--rules null' '--data-flow --rules null'; do
    cflr extract null.c --locals whole $how -o null.cflg >report 2>&1 || exit
    echo "$how: read"
done
