/* Memory that is kept as void * holds anything. */
#include <stdlib.h>

static void *memory;
static int a, b, c, d;

static void **slot(int i) {
    return (void **)memory + i;
}

int main(void) {
    memory = malloc(64);
    *slot(0) = &a;
    *slot(1) = &b;
    *slot(2) = &c;
    *slot(3) = &d;
    int *w = *slot(0), *x = *slot(1), *y = *slot(2), *z = *slot(3);
    return *w + *x + *y + *z;
}
