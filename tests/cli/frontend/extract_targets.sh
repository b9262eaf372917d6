# Targets of a database: listed, linked alone, kept apart; what two programs call by one name.
here=$(pwd -P)
cat >one.c <<end
int *pick(int *);
int x, *r;
int main(void) { r = pick(&x); return 0; }
end
sed 's/x/y/' one.c >two.c
echo 'int *pick(int *in_one) { return in_one; }' >pick1.c
echo 'int *pick(int *in_two) { return in_two; }' >pick2.c
echo 'int main(void) { return 0; }' >tool.c
{
    entry() {
        echo "{\"directory\": \"$here\", \"file\": \"$1\"," \
            "\"command\": \"cc -c $1 -o $2\"}${3-}"
    }
    echo '['
    entry one.c src/CMakeFiles/one.dir/one.c.o ,
    entry pick1.c src/CMakeFiles/one.dir/pick1.c.o ,
    entry two.c two.p/two.c.o ,
    entry pick2.c two.p/pick2.c.o ,
    entry tool.c tool.o
    echo ']'
} >compile_commands.json
cflr extract -p . --list-targets
cflr extract -p . --list-targets --format json -q
for how in apart merged; do
    echo "-- $how"
    cflr extract -p . --programs $how -o graph.tsv 2>&1 | grep -E 'redefined|programs' | short_paths
    cflr extract -q -p . --programs $how -o graph.cflg --format json | grep redefined_names
    cflr solve -q -g pointer-fs graph.cflg -o graph.cflr >/dev/null
    show cflr query graph.cflr 'points-to pick::in_one'
done
echo "-- one target"
cflr extract -p . --target one -o graph.cflg 2>&1 | grep -E 'left|programs|functions'
cflr extract -q -p . --target one -o graph.cflg --format json | grep -A 30 '"targets"' |
    grep -v notes | short_paths
cflr extract -p . --target tool.c -o graph.cflg 2>&1 | grep -E 'left|programs|functions'
show cflr extract -p . --target three -o graph.cflg 2>&1
show cflr extract -p . --programs both -o graph.cflg 2>&1
show cflr extract -p . --list-targets --unknown 2>&1
