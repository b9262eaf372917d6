# Answers name the member that a pointer points to, where it is one.
cflr check -q members.c --must-alias same --no-alias apart
cflr check -q members.c --must-alias same --no-alias apart --format json | grep -c '"member": "n"'
cflr analyze -q members.c -o members.cflr >/dev/null
for name in one both two p t.root; do
    cflr query members.cflr "points-to main::$name" | short_paths | sed "s/^/$name: /"
done
cflr query members.cflr 'points-to where::return' 'points-to main::&t.in.x' --format json |
    grep '"member"'
