# Nothing is stored in string literals and constant objects: a value does not go through them.
cat >constant.c <<'end'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct value { char *text; int kind; };
struct buffer { int kind; char text[8]; };
static const struct buffer nothing = {0, ""};
static const struct value none = {0, 0};
static const char empty[8] = "";
static char *const fixed[2] = {"ls", 0};
static char shared[8];
static char *pick(int i, char *other) { return i ? (char *)empty : other; }
static char *literal(int i, char *other) { return i ? "literal" : other; }
static const struct value *lookup(int i, struct value *v) { return i ? &none : v; }
void only_constant(int n) {
    char mine[8] = "", yours[8] = "ls";
    read(0, n ? (char *)empty : mine, 4);
    system(n ? (char *)empty : yours);
}
void another(int n) {
    read(0, pick(n, shared), 4);
    system(pick(n, shared));
}
void only_literal(int n) {
    char *p = n ? "literal" : "other", *q = n ? "third" : p;
    read(0, p, 4);
    system(q);
}
void literal_and_more(int n) {
    char *p = literal(n, shared);
    read(0, p, 4);
    system(p);
}
void in_record(int n) {
    struct buffer mine = {1, ""}, yours = {2, ""};
    struct buffer *fixed = (struct buffer *)&nothing;
    struct buffer *p = n ? fixed : &mine, *q = n ? fixed : &yours;
    fgets(p->text, 8, stdin);
    system(q->text);
}
void initial(void) {
    const struct value v = {getenv("B"), 1}, *p = &v;
    system(p->text);
}
void words(int n) { system(fixed[n]); }
int main(int n, char **v) {
    only_constant(n); another(n); only_literal(n); literal_and_more(n); in_record(n); initial();
    words(n);
    return lookup(n, 0)->kind;
}
end
show cflr check constant.c --rules command
cflr check -q constant.c --rules command --findings all | grep -A 99 -B 3 'constant: through'
# Null pointers that are in constant tables from the beginning are read through pointers.
cat >null.c <<'end'
struct entry { const char *name; int *value; };
static int one;
static const struct entry table[] = {{"one", &one}, {"none", 0}};
static int value_of(const struct entry *e) { return *e->value; }
int main(void) { return value_of(&table[1]); }
end
show cflr check null.c --rules null --findings all
