/* Pointers to members of records, one or several. */
void apart(const void *, const void *);
void same(const void *, const void *);
struct node {
    struct node *l;
    int n;
};
struct tree {
    struct node *root;
    int *count;
    struct {
        int a[4];
        int *x;
    } in;
};
static struct node e, f;
static int *where(struct node *q) {
    return &q->n;
}
int main(int c, char **v) {
    struct tree t, *p = &t;
    t.root = &e;
    int *one = c ? &e.n : &e.n, *both = c ? &e.n : (int *)&e, *two = c ? &e.n : &f.n;
    same(t.root, &e.n);
    same(&e.n, t.root);
    same(one, t.root);
    same(both, &e.n);
    same(two, t.root);
    same(where(&e), t.root);
    same(&p->in.x, t.root);
    same(&t.in.x, &t.count);
    apart(one, &e.n);
    return 0;
}
