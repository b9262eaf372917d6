struct s;
int *f(struct s *p) {
    return p->q;
}
