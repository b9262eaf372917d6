# analyze is extract, then solve: the same result, to the byte.
cflr analyze -q program.c other.c -o at-once.cflr >/dev/null &&
    cflr extract -q program.c other.c -o program.cflg &&
    cflr solve -q -g pointer-fs program.cflg -o in-steps.cflr >/dev/null &&
    cmp at-once.cflr in-steps.cflr && echo same
