# With bear itself, where it is installed and works.
command -v bear >/dev/null || { echo "SKIP: no bear" >&2; exit 77; }
bear --output probe.json -- true >/dev/null 2>&1 ||
    { echo "SKIP: bear does not run here" >&2; exit 77; }
show cflr compdb -- sh -c 'cc -c program.c -o program.o && cc -DX="a b" -c other.c -o other.o' 2>&1
show cflr compdb -- true 2>&1
cflr extract -q -o graph.cflg && echo "is read"
show cflr compdb -q -o again.json -- sh -c 'cc -c program.c -o program.o; exit 3' 2>&1
grep -c '"file"' again.json
