# Options from a file found upward, from the environment, from the command line.
mkdir -p a/b && cd a/b || exit 1
cat >../.cflr.json <<'end'
{
  "//": "for people", "$schema": "cflr.schema.json",
  "solve": {"grammar": "closure.cfg", "only": ["S", "a"], "threads": 1, "//model": "naive"},
  "all": {"threads": 2, "verbose": true, "quiet": false, "memory": "1G", "time": 60.5}
}
end
cp ../../closure.cfg ../../path.tsv ..
here=$(cd .. && pwd -P)
cflr info --config | sed "s|$here/|up/|g"
CFLR_ARGS='-j3 --only S --memory "2G" -qv --time=9' cflr info --config | sed -n '/ARGS/p'
# Paths are below the file; the command's own section before all.
cflr solve ../path.tsv --no-verbose | grep pairs
cflr solve ../path.tsv -q --no-verbose --export tsv | cut -f 3 | sort | uniq -c
# A stronger source hides all values; flags are taken back.
CFLR_ARGS='--only S' cflr solve ../path.tsv -q --no-verbose --export tsv | cut -f 3 | sort -u
show cflr solve ../path.tsv -q --no-verbose --only T
cflr solve ../path.tsv --export tsv 2>&1 >/dev/null | grep -c model
CFLR_CONFIG= cflr info --config
# The search ends at the root of the repository.
mkdir .git && cflr info --config
rmdir .git
# Mistakes.
try() {
    echo "$1" >.cflr.json
    show cflr solve ../path.tsv -g ../closure.cfg -q
}
try '{"solv": {}}'
try '{"solve": []}'
try '[]'
try '{"solve": {"gramar": "x"}}'
try '{"solve": {"output": "x"}}'
try '{"solve": {"grammar": ["x", "y"]}}'
try '{"solve": {"verify": "yes"}}'
try '{"solve": {"threads": true}}'
try '{"solve": {"work": "/tmp/w"}}'
try '{"solve": {"work": "w/../../x"}}'
try '{"solve": {"threads": 1, "threads": 2}}'
try '{"solve": {"threads": 1'
try '{"all": {"no-such": 1}}'
try '{"solve": {"threads": 0}}'
rm .cflr.json
CFLR_CONFIG=nosuch show cflr solve ../path.tsv
CFLR_ARGS='--nosuch' show cflr solve ../path.tsv
CFLR_ARGS='word' show cflr solve ../path.tsv
CFLR_ARGS='--only "S' show cflr solve ../path.tsv
CFLR_ARGS='--no-quiet' show cflr solve ../path.tsv
show cflr solve ../path.tsv --no-such
show cflr solve ../path.tsv --no-grammar
show cflr info --config ../path.tsv
show cflr info
# A first file; the schema is JSON.
mkdir build && echo '[]' >build/compile_commands.json
mkdir tests
show cflr init
grep -o 'null tests.*tests' .cflr.json
show cflr info --config
show cflr init
show cflr init --force -q
cflr info --config-schema | grep -c '"fail-on"'
