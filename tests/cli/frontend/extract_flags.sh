# Flags after "--" reach the compiler.
cat >flagged.c <<'end'
int x;
#ifdef WITH_POINTER
int *p = &x;
#endif
end
cflr extract -q flagged.c -o plain.cflg &&
    cflr extract -q flagged.c -o flagged.cflg -- -DWITH_POINTER || exit
cflr solve -q -g pointer-fs plain.cflg -o plain.cflr >/dev/null || exit
show cflr query plain.cflr 'points-to flagged.c:3:p' 2>/dev/null
cflr solve -q -g pointer-fs flagged.cflg -o flagged.cflr >/dev/null || exit
cflr query flagged.cflr 'points-to flagged.c:3:p' | short_paths
