# Findings by rank: likely ones, one for each cause; all of them; the exit code is about what is
# shown.
show cflr check ranks.c --rules null
show cflr check -q ranks.c --rules null --findings all >all
sed -n 's/^    \(direct\|variable\|object\|untested\|initial\|memory\|calls\): .*/\1/p' all |
    uniq -c
# JSON has all, whatever is asked for; likely ones first; the same for every number of threads.
cflr check -q ranks.c --rules null --format json -j 1 >one
cflr check -q ranks.c --rules null --format json -j 3 --findings all >three
grep -v -e '"fails":' -e '"failing":' one >two
grep -v -e '"fails":' -e '"failing":' three | cmp two - && grep -c '"likely": true' one
grep -c '"fails": true' one three
sed -n 's/.*"rank": "\(.*\)",*/\1/p' one | uniq
grep -o '"reason": .*"' one | sort -u
# Only unlikely ones: nothing is shown, and nothing fails.
cat >calls.c <<'end'
static int *f(int *p, int *q) { return p ? p : q; }
static int g(int *p) { return *f(p, p); }
int main(void) { int x = 0; return g(&x) + !f(&x, 0); }
end
show cflr check calls.c --rules null
show cflr check calls.c --rules null --findings all
# Rules that are not about null pointers have no ranks.
cflr check -q flows.c --rules command --findings all >all
cflr check -q flows.c --rules command | cmp - all && echo "the same"
cflr check -q flows.c --rules command --format json | grep -c -e '"rank"' -e '"likely": false'
show cflr check ranks.c --rules null --findings some
show cflr check ranks.c --no-alias f --findings all
