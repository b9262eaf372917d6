# The seeded bugs of examples/bugs are found where the source says so, and what else is found is
# listed here.
cp -R "$here/../../examples/bugs" bugs && cd bugs || exit 99
rules='--rules null --rules command --rules format'
for file in *.c; do
    cflr check -q $rules "$file" | sed -n 's/^\([^ :]*:[0-9]*\):[0-9]*: \([a-z]*\): .*/\1 \2/p' |
        sort -u >found
    cut -d ' ' -f 1 found | sort -u >lines
    grep -n '/\* bug' "$file" | sed "s/^\([0-9]*\):.*/$file:\1/" | sort -u >seeded
    echo "$file: $(comm -12 lines seeded | wc -l) of $(wc -l <seeded) seeded lines are found"
    comm -23 lines seeded | grep -F -f - found | sed 's/^/not seeded: /'
done
