# Findings are kept with --cache, and are those of a run without it, wherever the lines are.
cat >list.c <<'end'
#include <stdio.h>
#include <stdlib.h>
struct item {
    struct item *next;
    int value;
};
static struct item *make(int value) {
    struct item *made = malloc(sizeof *made);
    made->value = value;
    made->next = NULL;
    return made;
}
static int second(struct item *list) { return list->next->value; }
int main(int argc, char **argv) {
    char command[100];
    struct item *list = make(argc);
    snprintf(command, sizeof command, "ls %s", argv[1]);
    return system(command) + second(list);
}
end
rules="--rules null --rules command"
# same WHAT [OPTION...]: are the findings kept, and what they are without a cache?
same() {
    what=$1
    shift
    # shellcheck disable=SC2086 # several words
    cflr check -q --format json list.c $rules "$@" >without.json
    # shellcheck disable=SC2086
    cflr check -q --format json list.c $rules "$@" --cache kept >with.json 2>errors
    sed 's/.*"findings_cached": *\(true\|false\).*/'"$what"': \1/;t;d' with.json
    cat errors
    for file in with without; do
        grep -v "findings_cached\|units_cached" $file.json >$file.lines
    done
    cmp with.lines without.lines
}
same "the first run"
same "nothing has changed"
sed -i '1i /* A list. */\n\n' list.c
same "a comment above"
sed -i 's/^\(static int second.*)\) { /\1\n{\n    /' list.c
same "another layout"
sed -i 's/^    char command\[100\];/    char command[200];/' list.c
same "a larger array"
sed -i 's/sizeof \*made/sizeof(struct item)/' list.c
same "the same size in other words"
same "findings of all ranks" --findings all
same "the same again" --findings all
sed -i 's/list->next->value/list->next ? list->next->value : 0/' list.c
same "a test"
rules="--rules command"
same "fewer rules"
rules="--rules null --rules command"
same "the rules of before"
# Damage is found, and told.
for file in kept/*/*; do
    if grep -q NUMS "$file"; then printf x | dd of="$file" bs=1 seek=50 conv=notrunc 2>dd.log; fi
done
same "damage" 2>&1 | sed "s|removed: .*|removed|"
same "after damage"
