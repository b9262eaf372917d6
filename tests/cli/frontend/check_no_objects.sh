# A program in which no pointer points to anything.
echo 'int main(void) { int *p = 0, **q = &p; return *p + **q; }' >one.c
echo 'int main(void) { int *p = 0; return *p; }' >two.c
show cflr check -q one.c --rules null --findings all
show cflr check -q two.c --rules null --findings all
