# Rules and summaries that projects share.
mkdir -p one/rules one/summaries two/rules
printf 'rule ours "one"\n  source null\n  sink dereference\n' >one/rules/ours.txt
printf 'rule ours "two"\n  source null\n  sink dereference\n' >two/rules/ours.txt
echo 'fresh: ret = null' >one/summaries/fresh.txt
cat >a.c <<'end'
int *fresh(void);
int main(void) { return *fresh(); }
end
show cflr check -q a.c --rules ours --share one
show cflr check -q a.c --rules ours --share one --share two
show cflr check -q a.c --rules null
show cflr check -q a.c --rules null --share one
# What is named counts more, and so does a file.
echo 'fresh: ret = new' >mine
show cflr check -q a.c --rules null --share one --summaries mine
cp two/rules/ours.txt ours
show cflr check -q a.c --rules ours --share one
show cflr check a.c --rules nosuch --share one
show cflr check a.c --rules null --share nosuch
echo '{"check": {"rules": "ours", "share": "one"}}' >.cflr.json
rm ours
show cflr check -q a.c
