# Calls for which no function was found, by place and cause; a handler that is set and never called
# is no call.
for options in '' '--callees types' '--world open' '--context clone'; do
    echo "# $options"
    cflr analyze -q calls.c --unresolved -o r.cflr $options | grep unresolved
done
for run in 1 2; do # the second from the cache
    cflr analyze -q calls.c --unresolved -o r.cflr --cache kept | grep -c 'unresolved call of'
done
cflr analyze -q calls.c --unresolved -o r.cflr --format json | grep -c '"cause": "unknown"'
cflr analyze calls.c --unresolved --only alias -o r.cflr 2>&1 >/dev/null | grep unresolved
cp calls.c twice.c
sed -i -e 's/^int main/int second/' -e 's/^struct ops \(.*\) ops =/static struct ops \1 ops =/' \
    -e 's/^int data/static int data/' \
    -e 's/^void (\*quiet)(void), (\*loud)/static void (*quiet)(void), (*loud)/' twice.c
cflr analyze -q calls.c twice.c --unresolved -o r.cflr | grep -c 'unresolved call of'
