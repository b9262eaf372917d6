# What the files of tests/c say of pointers (check.h there), said to the command: each holds.
mkdir constructs && cp "$here"/../c/*.[ch] constructs && cd constructs || exit 99
cat >check.h <<'end'
void claim_same(), claim_apart();
#define SAME(p, q) claim_same(p, q)
#define BLURRED(p, q) claim_same(p, q)
#define APART(p, q) claim_apart(p, q)
#define MISSED(p, q) claim_apart(p, q)
#define UNKNOWN(p, q) claim_same(p, q)
#define INTO(p, x) ((void)(p))
#define CHECKED 0
end
for file in *.c; do
    cflr check -q "$file" --aliasing any --must-alias claim_same --no-alias claim_apart -- \
        -std=gnu11 -w -fms-extensions
done >lines 2>messages
grep -v -e ': ok: ' -e ': unknown: must-alias' lines
[ "$(grep -c ': ok: ' lines)" -ge 300 ] && echo "more than 300 pass"
