# The null pointers that are shown are those of seeded/*.c that the source marks as bugs, and no others.
cd seeded || exit 99
for file in *.c; do
    cflr check -q --rules null --findings all "$file" | sed -n 's/^\([^ :]*:[0-9]*\):[0-9]*: null: .*/\1/p; s/^    \([a-z]*\): .*/  \1/p' |
        paste - - | grep -v -e untested -e initial -e memory -e calls >found
    cut -f 1 found | sort -u >lines
    grep -n '/\* bug' "$file" | sed "s/^\([0-9]*\):.*/$file:\1/" | sort -u >seeded
    echo "$file: $(comm -12 lines seeded | wc -l) of $(wc -l <seeded) seeded lines are found"
    comm -23 lines seeded | sed 's/^/not seeded: /'
    comm -13 lines seeded | sed 's/^/missed: /'
    cut -f 2 found | sort | uniq -c
done
# Steps to members and calls with records are told as such.
cflr check -q --rules null --findings all members.c | grep 'member of it' | sort -u
cflr check -q --rules null --findings all records.c | grep -e 'passed to' -e 'returned from' | sort -u
