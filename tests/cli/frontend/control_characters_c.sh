# What a file of summaries or a program holds is escaped in messages and answers.
printf 'rule command "text"\n    source getenv: *ret\n    sink system pop\033[31men: *arg0\n' \
    >bad.txt
show cflr extract -q program.c --summaries bad.txt -o a.cflg 2>&1
show cflr check -q program.c --rules bad.txt 2>&1
printf 'a\tb\033[2J: ret = arg0\n' >worse.txt
show cflr extract -q program.c --summaries worse.txt -o a.cflg 2>&1
# A file whose name holds a newline: one note is one line.
name=$(printf 'x.c\ncflr: forged\033[31m')
printf 'int *f(int *p) { return p; }\nint *g(void) { return h(); }\n' >"$name.c"
show cflr extract "$name.c" --to cflg -o a.cflg 2>&1 | short_paths
show cflr analyze "$name.c" -q -o a.cflr >summary.txt
show cflr query a.cflr 'aliases p' | short_paths
show cflr check "$name.c" -q --must-alias f 2>&1 | short_paths
