# What a parse can do to the process that does it: each takes no longer than it may, costs the one
# unit, and says why.
echo 'int *good(int *p) { return p; }' >good.c
stars=$(printf '%300000s' '' | tr ' ' '*')
echo "int ${stars}p;" >stars.c
{
    printf 'int x = '
    printf '(%.0s' $(seq 100000)
    printf '1'
    printf ')%.0s' $(seq 100000)
    echo ';'
} >brackets.c
{
    echo '#define M0 x +'
    for i in $(seq 40); do echo "#define M$i M$((i - 1)) M$((i - 1))"; done
    echo 'int f(int x) { return M40 0; }'
} >doubles.c
echo '#include __FILE__' >itself.c
mkfifo pipe.h
echo '#include "pipe.h"' >pipe.c
echo '#include "/dev/zero"' >device.c

try() {
    echo "-- $*"
    timeout 120 cflr extract -o graph.cflg --world closed "$@" 2>&1 |
        grep -e '^cflr' -e '^units [dl]' | short_paths
    true
}
code() {
    timeout 120 "$@" >counts 2>messages
    echo "exit $?"
}
try good.c stars.c
try good.c brackets.c
try good.c itself.c

echo '-- named on the command line'
try good.c -- -include /dev/zero
try good.c -- -imacros /dev/zero
try good.c -- -include pipe.h
echo 'int x;' >regular.h
try good.c -- -include regular.h
try good.c pipe.c --time 1s
try good.c doubles.c --time 1s
echo '-- files of flags'
printf '[{"directory": "%s", "file": "good.c", "command": "cc @/dev/zero -c good.c"}]' "$PWD" \
    >compile_commands.json
try -p .
rm compile_commands.json

# 900 MB: what sanitizers need for themselves is part of it
echo '-- limits'
code cflr extract -o graph.cflg --world closed good.c device.c --memory 900M
sed -E 's/[0-9]+ MB/N MB/' messages | grep -e '^cflr' -e '^units l'
code cflr extract -o none.cflg device.c --memory 900M
code cflr extract -o none.cflg doubles.c --memory 900M --time 60s
code cflr analyze -o result.cflr good.c device.c --memory 900M
code cflr extract -o none.cflg good.c pipe.c --time 1s
cat messages
[ -e graph.cflg ] && [ -e result.cflr ] && [ ! -e none.cflg ]
