# --only: one question is answered, the others are said to be left out.
cflr analyze -q program.c other.c --only points-to -o some.cflr | cut -c1-18
cflr query some.cflr 'points-to top::found'
cflr query some.cflr 'alias top::found top::found'
cflr analyze -q program.c other.c --aliasing any --only alias --only points-to -o both.cflr |
    grep -c 'alias pairs\|objects a'
cflr analyze -q program.c --only flows
echo "exit $?"
cflr analyze program.c other.c --only points-to --show 2 >some.txt
