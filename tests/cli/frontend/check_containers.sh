# Containers that everybody uses: hash tables of uthash, queues of BSD, lists as Linux has them,
# trees of BSD. Each program runs first, so what it checks is so.
for header in uthash.h bsd/sys/tree.h; do
    [ -e "/usr/include/$header" ] || { echo "SKIP: there is no $header" >&2; exit 77; }
done
cat >checks.h <<'end'
#include <stddef.h>
#include <stdlib.h>
#ifdef RUN
#define same(p, q) ((p) == (q) ? (void)0 : abort())
#define apart(p, q) ((p) != (q) ? (void)0 : abort())
#else
void same(const void *, const void *);
void apart(const void *, const void *);
#endif
end
cat >hash.c <<'end'
#include "checks.h"
#include "uthash.h"
struct user { int id; char *name; UT_hash_handle hh; };
struct host { UT_hash_handle hh; const char *key; int *port; };
static struct user *users;
static struct host *hosts;
static char first[4], second[4];
static int port;
static void add(int id, char *name) {
    struct user *u = malloc(sizeof *u);
    if (!u) exit(1);
    u->id = id, u->name = name;
    HASH_ADD_INT(users, id, u);
}
static struct user *find(int id) {
    struct user *u;
    HASH_FIND_INT(users, &id, u);
    return u;
}
int main(void) {
    add(1, first), add(2, second);
    struct user *u = find(2), *i, *next, *last = NULL;
    if (!u) return 1;
    same(u->name, second);
    HASH_ITER(hh, users, i, next) last = i;
    same(last, u);
    struct host *h = calloc(1, sizeof *h), *got;
    if (!h) return 1;
    h->key = "localhost", h->port = &port;
    HASH_ADD_KEYPTR(hh, hosts, h->key, 9, h);
    HASH_FIND_STR(hosts, "localhost", got);
    if (!got) return 1;
    same(got, h);
    same(got->port, &port);
    apart(got->port, first);
    HASH_DEL(users, u);
    same(users->name, first);
    return 0;
}
end
cat >command.c <<'end'
#include "checks.h"
#include "uthash.h"
struct task { int id; char *line; UT_hash_handle hh; };
static struct task *tasks;
static void add(int id) {
    struct task *t = calloc(1, sizeof *t);
    if (!t) exit(1);
    t->id = id, t->line = getenv("LINE");
    HASH_ADD_INT(tasks, id, t);
}
int main(void) {
    add(1);
    int id = 1;
    struct task *t;
    HASH_FIND_INT(tasks, &id, t);
    if (!t || !t->line) return 0;
    return system(t->line);
}
end
cat >queue.c <<'end'
#include "checks.h"
#include <sys/queue.h>
struct job { int *work; TAILQ_ENTRY(job) entry; LIST_ENTRY(job) other; };
static TAILQ_HEAD(jobs, job) jobs = TAILQ_HEAD_INITIALIZER(jobs);
static LIST_HEAD(others, job) others = LIST_HEAD_INITIALIZER(others);
static int one, two, three;
int main(void) {
    static struct job a = {.work = &one}, b = {.work = &two};
    TAILQ_INSERT_TAIL(&jobs, &a, entry);
    TAILQ_INSERT_HEAD(&jobs, &b, entry);
    LIST_INSERT_HEAD(&others, &a, other);
    struct job *j, *last = TAILQ_LAST(&jobs, jobs);
    same(last, &a);
    same(TAILQ_FIRST(&jobs)->work, &two);
    TAILQ_FOREACH(j, &jobs, entry) if (j == &a) same(j->work, &one);
    same(LIST_FIRST(&others)->work, &one);
    TAILQ_REMOVE(&jobs, &b, entry);
    same(TAILQ_FIRST(&jobs), &a);
    apart(last->work, &three);
    return 0;
}
end
cat >list.c <<'end'
#include "checks.h"
struct list_head { struct list_head *next, *prev; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define list_for_each_entry(i, head, member)                                      \
    for (i = container_of((head)->next, __typeof__(*i), member); &i->member != (head); \
         i = container_of(i->member.next, __typeof__(*i), member))
static void list_add(struct list_head *l, struct list_head *head) {
    l->next = head->next, l->prev = head;
    head->next->prev = l, head->next = l;
}
struct item { int n; int *value; struct list_head link; };
struct thing { char *text; struct list_head link; };
static int x;
static char t[2];
int main(void) {
    struct list_head items = {&items, &items}, things = {&things, &things};
    struct item a = {1, &x, {0, 0}}, *i;
    struct thing b = {t, {0, 0}}, *j;
    list_add(&a.link, &items);
    list_add(&b.link, &things);
    list_for_each_entry(i, &items, link) { same(i, &a); same(i->value, &x); }
    list_for_each_entry(j, &things, link) { same(j->text, t); apart(j->text, &x); }
    struct item *gone = NULL;
    if (items.next == &items) return gone->n;
    return 0;
}
end
cat >tree.c <<'end'
#include "checks.h"
#include <bsd/sys/tree.h>
struct node { RB_ENTRY(node) entry; int key; char *text; };
static int compare(struct node *a, struct node *b) { return a->key - b->key; }
static RB_HEAD(tree, node) root = RB_INITIALIZER(&root);
RB_PROTOTYPE(tree, node, entry, compare)
RB_GENERATE(tree, node, entry, compare)
static char one[2], two[2], other[2];
int main(void) {
    static struct node a = {.key = 1, .text = one}, b = {.key = 2, .text = two};
    RB_INSERT(tree, &root, &a);
    RB_INSERT(tree, &root, &b);
    struct node want = {.key = 2}, *found = RB_FIND(tree, &root, &want), *n;
    same(found, &b);
    same(found->text, two);
    RB_FOREACH(n, tree, &root) if (n == &a) same(n->text, one);
    same(RB_MIN(tree, &root), &a);
    apart(found->text, other);
    return 0;
}
end
cat >vector.c <<'end'
#include "checks.h"
#include "utarray.h"
#include "utringbuffer.h"
struct rec { int n; char *text; };
static char one[2], two[2], three[2];
static UT_icd icd = {sizeof(struct rec), NULL, NULL, NULL};
int main(void) {
    UT_array *all, *more;
    UT_ringbuffer *last;
    struct rec r = {1, one}, *p = NULL;
    utarray_new(all, &icd);
    utarray_push_back(all, &r);
    r.n = 2, r.text = two;
    utarray_push_back(all, &r);
    while ((p = (struct rec *)utarray_next(all, p))) if (p->n == 2) same(p->text, two);
    utarray_new(more, &icd);
    utarray_concat(more, all);
    same(((struct rec *)utarray_front(more))->text, one);
    utringbuffer_new(last, 2, &icd);
    for (int i = 0; i < 3; i++) utringbuffer_push_back(last, &r);
    same(((struct rec *)utringbuffer_front(last))->text, two);
    apart(((struct rec *)utarray_back(more))->text, three);
    utarray_free(all);
    utarray_free(more);
    utringbuffer_free(last);
    return 0;
}
end
for name in hash command queue list tree vector; do
    cc -std=gnu11 -w -DRUN -o "$name" "$name.c" && ./"$name" ||
        echo "$name: does not run as it says"
done
for name in hash queue list tree vector; do
    echo "$name"
    cflr check -q "$name.c" --must-alias same --no-alias apart | grep -c ': ok: '
    cflr check -q "$name.c" --must-alias same --no-alias apart | grep FAILED
done
cflr check -q command.c --rules command | grep '^[a-z]'
cflr check -q list.c --rules null | grep '^[a-z]'
