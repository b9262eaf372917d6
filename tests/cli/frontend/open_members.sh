# Code outside that is given the address of a member knows the whole object, however it was reached.
cat >members.c <<'end'
#include <stddef.h>
#include <stdlib.h>
struct pair { int *a, *b; };
struct node { int *value; struct pair pair; struct node *next; int *many[4]; };
void ext(void *);
void **cell(void);
static struct node global, held, told, unknown, kept;
static int in_heap, in_global, in_local, in_inner, in_held, in_told, in_moved, in_kept;
void heap(void) {
    struct node *other = malloc(sizeof *other), *p = other;
    other->value = &in_heap;
    ext(&p->pair.b);
}
void of_global(void) { global.value = &in_global; ext(&global.pair.b); }
void of_local(int i) { struct node local; local.value = &in_local; ext(&local.many[i]); }
void of_inner(void) {
    struct node *outer = malloc(sizeof *outer);
    outer->next = calloc(1, sizeof *outer);
    outer->next->value = &in_inner;
    ext(&outer->next->pair.b);
}
void stepped_back(void) {
    struct node *p = &held;
    int **member = &p->pair.b;
    p->value = &in_held;
    ext(&((struct node *)((char *)member - offsetof(struct node, pair.b)))->next);
}
void stored(void) { struct node *p = &told; p->value = &in_told; *cell() = &p->pair; }
void moved(long by) { struct node *p = &unknown; p->value = &in_moved; ext((char *)&p->pair + by); }
void inside(void) { struct node *p = &kept; p->value = &in_kept; heap(); }
end
for fields in sensitive insensitive; do
    echo "# $fields"
    cflr analyze -q --fields $fields members.c -o members.cflr 2>/dev/null | grep 'entry functions'
    cflr query members.cflr 'points-to outside' | short_paths | grep -v '(function)'
    show cflr query members.cflr 'alias heap::other cell()'
done
