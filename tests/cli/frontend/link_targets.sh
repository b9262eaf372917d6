# Targets of two databases, and halves of one.
here=$(pwd -P)
for which in x y; do
    mkdir $which
    echo "int *usage(void), *p; int main(void) { p = usage(); return 0; }" >$which/main.c
    echo "int in_$which; int *usage(void) { return &in_$which; }" >$which/usage.c
    entry() {
        echo "{\"directory\": \"$here/$which\", \"file\": \"$1.c\"," \
            "\"command\": \"cc -c $1.c -o tool.p/$1.o\"}${2-}"
    }
    { echo '['; entry main ,; entry usage; echo ']'; } >$which/compile_commands.json
    cflr extract -q -p $which --linkable -o $which.cflg
    cflr extract -q -p $which $which/main.c --linkable -o half1.cflg
    cflr extract -q -p $which $which/usage.c --linkable -o half2.cflg
    cflr link -q half2.cflg half1.cflg -o halves.cflg
    cflr extract -q -p $which -o whole.cflg
    cmp whole.cflg halves.cflg && echo same
done
cflr link --list-targets x.cflg
cflr link --list-targets x.cflg y.cflg
cflr link --list-targets x.cflg y.cflg --format json -q
cflr link x.cflg y.cflg -o both.cflg --format json -q | grep -e '"programs"' -e redefined_names
cflr link x.cflg y.cflg --programs merged -o both.cflg --format json -q | grep redefined_names
cflr link x.cflg y.cflg --target y/tool -o both.cflg --format json -q | grep left_out
show cflr link x.cflg --target z -o both.cflg 2>&1
