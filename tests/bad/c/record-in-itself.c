struct s { struct s inner; int *p; };
struct s v;
int x;
void f(void) { v.p = &x; }
