/* String literals are objects, one for each place. */
#include "check.h"

static const char *name = "cflr";
static char copied[] = "not a pointer";

static const char *pick(int i) {
    static const char *const words[] = {"one", "two"};
    return words[i];
}

int main(void) {
    const char *p = "abc";
    const char *q = "d"
                    "ef";
    const char *r = &"ghi"[1];
    const char *s = p + 1;
    APART(p, q);
    BLURRED(s, p);
    APART(r, q);
    char *w = copied;
    INTO(w, copied);
    APART(name, w);
    const char *word = pick(1);
    APART(word, name);
    const char *here = __func__;
    APART(here, p);
    return CHECKED;
}
