# Functions without model: a list, which becomes a file of summaries by editing.
cat >calls.c <<'end'
struct pool;
void *pool_get(struct pool *from, unsigned long n);
int log_it(const char *format, ...), ask(int *), *used_once(int *);
int *p, x, (*asks)(int *) = ask;
void f(struct pool *pool) {
    p = pool_get(pool, sizeof *p);
    p = used_once(&x);
    p = pool_get(pool, sizeof *p);
    log_it("%p", p);
}
int main(void) { f(0); return asks(&x); }
end
cflr extract -q --unknown calls.c | short_paths | tee list.txt
# As it is, it says nothing.
cflr extract -q --unknown --summaries list.txt calls.c | cmp - list.txt
# A line that is edited does.
sed -e 's/^# pool_get:/pool_get: ret = new/' -e 's/^# ask:/ask: none/' list.txt >mine.txt
cflr extract --unknown --summaries mine.txt calls.c -o calls.cflg
cflr solve -q -g pointer-fs calls.cflg -o calls.cflr >/dev/null &&
    cflr query calls.cflr 'points-to calls.c:4:p' | short_paths
echo "log_it used_once: none" >more.txt
cflr extract --unknown --summaries mine.txt --summaries more.txt calls.c
cflr extract -q --unknown --summaries mine.txt --summaries more.txt calls.c --format json
cflr extract -q --unknown --summaries more.txt --format json calls.c | short_paths
