# What is shown of seeded/*.c are the lines that the source marks as bugs, and no others.
cd seeded || exit 99
seeded() { # RULE FILE
    cflr check -q --rules "$1" --findings all "$2" |
        sed -n 's/^\([^ :]*:[0-9]*\):[0-9]*: [a-z]*: .*/\1/p; s/^    \([a-z]*\): .*/  \1/p' >all
    if [ "$1" = null ]; then paste - - <all; else cat all; fi |
        grep -v -e guarded -e tested -e initial -e memory -e calls >found
    cut -f 1 found | sort -u >lines
    grep -n '/\* bug' "$2" | sed "s/^\([0-9]*\):.*/$2:\1/" | sort -u >seeded
    echo "$1, $2: $(comm -12 lines seeded | wc -l) of $(wc -l <seeded) seeded lines are found"
    comm -23 lines seeded | sed 's/^/not seeded: /'
    comm -13 lines seeded | sed 's/^/missed: /'
    cut -s -f 2 found | sort | uniq -c
}
seeded null members.c
seeded null records.c
seeded null library.c
seeded null tests.c
seeded null flags.c
seeded null guards.c
seeded null optional.c
seeded null apart.c
seeded null answers.c
seeded command outside.c
seeded command packets.c
seeded command streams.c
# What a call between a test and a read may have changed is unlikely, and not left out.
for file in tests.c apart.c; do
    cflr check -q --rules null --findings all $file |
        sed -n "s/^\($file:[0-9]*\):.*/\1/p; s/^    \([a-z]*\): .*/\1/p" | paste - - | grep tested
done
# So is what is read under a condition that may go with a null constant.
for file in tests.c flags.c guards.c apart.c; do
    cflr check -q --rules null --findings all $file |
        sed -n "s/^\($file:[0-9]*\):.*/\1/p; s/^    \([a-z]*\): .*/\1/p" | paste - - |
        sed -n 's/\tguarded$//p' | sort >lines
    grep -n '/\* guarded' $file | sed "s/^\([0-9]*\):.*/$file:\1/" | sort | comm -3 lines -
    wc -l <lines
done
# Text from outside is the same for all rules.
sed 's/system(/printf(/' outside.c >formats.c
seeded format formats.c
# Steps to members and calls with records are printed as such.
cflr check -q --rules null --findings all members.c | grep 'member of it' | sort -u
cflr check -q --rules null --findings all records.c | grep -e 'passed to' -e 'returned from' |
    sort -u
# A folder or file that is called as a grammar is stays out of it.
mkdir null && echo nonsense >taint
cflr check -q --rules null --rules command outside.c | grep -c '^outside'
