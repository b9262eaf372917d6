# Each object that `query` lists is explained, by its line, by its place and by its name, and by
# what stands for it; what no pointer leads to is not.
cflr analyze -q objects.c --aliasing strict --context none -o r.cflr >/dev/null

# verdict POINTER: what is said first of each object of the input
verdict() {
    while IFS= read -r object; do
        said=$(cflr explain -q r.cflr "points-to $1 $object" 2>&1 | head -n 1)
        printf '%s\t%s\n' "$said" "$object"
    done
}

for pointer in held count line call main::n main::own.next main::own; do
    echo "# $pointer"
    cflr query -q r.cflr "points-to $pointer" | grep -v '^no others' >lines
    verdict "$pointer" <lines
    sed 's/: .*//' lines | verdict "$pointer"
    sed -e 's/^[^ ]*: //' -e 's/ ([a-z]*\(, in [a-z]*\)\{0,1\})\(, at .*\)\{0,1\}$/\2/' lines |
        verdict "$pointer"
done
echo '# what stands for an object: a call, an address, what lies in it; and quoted lines'
printf '%s\n' 'objects.c:21:malloc()' 'objects.c:36:17:malloc()' 'wrapped::malloc()' '&rest' \
    '&rest.in.n' rest+0 \
    '"objects.c:36:17: malloc()"' 'objects.c:36:17: malloc() (allocation, in main), escapes' |
    verdict held
echo '# none of those, and what is none'
printf '%s\n' main::argv leave main::left objects.c:41:50 'objects.c:41:wrapped()' \
    'objects.c:40:words[argc]' nowhere nowhere.c:1:1 'a b c' | verdict held
echo '# several of one name'
cflr explain r.cflr 'points-to held malloc()'
