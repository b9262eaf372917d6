/* Memory that grows is never what it was before. */
#include <stdlib.h>

static int *grow(int *old) {
    int *grown = realloc(old, 64);
    int *kept = grown;
    return kept;
}

static int *one(void) {
    return malloc(8);
}
static int *two(void) {
    return malloc(8);
}
static int *three(void) {
    return malloc(8);
}

int main(void) {
    int *more = grow(one());
    more = grow(more);
    more = grow(two());
    more = grow(three());
    return *more;
}
