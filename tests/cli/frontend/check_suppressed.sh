# What comments suppress; --findings all, so that each place is one.
show cflr check suppressed.c --rules null --no-alias apart --findings all
# By a list; one line of it suppresses nothing.
cat >list <<'end'
# our own
null   suppressed.c  [fgh]  -- by their functions

null,command * r -- "r", in any file
null other/* -- nothing
end
show cflr check suppressed.c --rules null --findings all --suppressions list -q
cflr check suppressed.c --rules null --suppressions list 2>&1 >printed | grep list:
# A file as a whole.
cat >all.c <<'end'
int main(void) { return *(int *)0; }
/* cflr: ignore-file null -- all of it */
int *p;
int *f(void) { p = 0; return p; }
int g(void) { return *f(); }
end
show cflr check all.c --rules null
# Rules that are not there: patterns and rules that are not asked for are.
cat >word.c <<'end'
int f(int *p) { return *p; } /* cflr: ignore nul -- a slip */
int g(int *p) { return *p; } /* cflr: ignore command xyz fo* -- another */
/* cflr: ignore null -- before code */ int h(int *p) { return *p; }
int main(void) { return f(0) + g(0) + h(0); }
end
echo 'formt word.c -- in a list' >list
show cflr check word.c --rules null --suppressions list
# What is in a unit with errors is not known.
cat >bad.c <<'end'
int f(int *p) {
    return *p; /* cflr: ignore null -- why */
}
int g(void) { return no; }
end
show cflr check bad.c --rules null
# Lists that are none.
for line in 'null a.c' 'null -- why' 'null a b c -- why' 'null a.c -- ' 'null "a.c -- why'; do
    echo "$line" >list
    show cflr check all.c --rules null --suppressions list
done
show cflr check all.c --rules null --suppressions nosuch
