# analyze is extract, then solve for what answers questions: the same result, to the byte.
cflr analyze -q program.c other.c --aliasing any -o at-once.cflr >/dev/null &&
    cflr extract -q program.c other.c -o program.cflg &&
    cflr solve -q -g pointer-fs --only V --only PT program.cflg -o in-steps.cflr >/dev/null &&
    cmp at-once.cflr in-steps.cflr && echo same
