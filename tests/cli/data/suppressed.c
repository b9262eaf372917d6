// What comments suppress, and what they do not.
// clang-format off
void apart(void *p, void *q);
int *one(void) { return 0; }

int a(void) { return *one(); } // cflr: ignore null -- behind code: its line
int b(void) { return *one(); }
/* cflr: ignore null -- alone: the statement that follows,
   over all its lines */

int c(void)
{
    // cflr: ignore nu* -- a pattern, and a statement of several lines
    int n = 1 +
            *one();
    return n + *one();
}
// cflr: ignore-begin null -- a block
int d(void) { return *one(); }
int e(void) { return *one(); }
// cflr: ignore-end
int f(void) { return *one(); } /* cflr: ignore command -- another rule */
int g(void) { return *one(); } // cflr: ignore null
int h(void) { return *one(); } // cflr: ignore -- no rule
int i(void) { return *one(); } // cflr: ignored null -- no such word
const char *j = "// cflr: ignore null -- text"; int k(void) { return *one(); }
char l = '"'; int m(void) { return *one(); } // cflr: ignore null -- \
    a comment that goes on

int n(void) { return 0; } // cflr: ignore null -- nothing is here
int o(int *p) { apart(p, p); /* cflr: ignore no-alias -- as it is meant */ return *p; }
int q(int *p) { apart(p, p); return *p; } // cflr: ignore-end
int main(void) { int x = 0; return o(&x) + q(&x); } // cflr: ignore-begin null -- to the end
int r(void) { return *one(); }
