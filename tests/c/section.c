/* Variables that are found between the ends of their section: a linker set. */
#include "check.h"

static int x, y, z;

static int *get_x(void) {
    return &x;
}
static int *get_y(void) {
    return &y;
}

/* pointers to functions, as initcalls */
typedef int *(*call)(void);
#define INITCALL(f) static call call_##f __attribute__((used, section("calls"))) = f
INITCALL(get_x);
INITCALL(get_y);
extern call __start_calls[], __stop_calls[];

/* records */
struct entry {
    const char *name;
    call get;
    int *data;
};
#define ENTRY(name, get, data) \
    static struct entry name __attribute__((used, section("entries"), aligned(8))) = {#name, get, data}
ENTRY(first_entry, get_x, &y);
extern const struct entry __start_entries[], __stop_entries[];

/* pointers to data, whose ends are pointers: as the BSDs' SET_ENTRY */
#define SET(set, of) static void const *const set_##of __attribute__((section("set_" #set), used)) = &of
SET(data, y);
SET(data, z);
extern int *__start_set_data, *__stop_set_data;

/* declared with its section first; inside a function; an end by another name */
extern int *early __attribute__((section("lonely")));
int *early = &z;
extern char __start_lonely[];
static void other(void) {
    static struct entry inner __attribute__((used, section("inner"))) = {"inner", get_y, &x};
}
extern struct entry begin[] __asm__("__start_inner"), end[] __asm__("__stop_inner");

int main(void) {
    int *p = &x, *q = &y, *r = &z, *s;
    for (call *c = __start_calls; c < __stop_calls; c++) { /* in any order */
        s = (*c)();
        APART(s, r);
        if (s == &x) {
            SAME(c, &call_get_x);
            SAME(s, p);
        } else {
            SAME(c, &call_get_y);
            SAME(s, q);
        }
    }
    s = __start_calls[1]() == &x ? __start_calls[1]() : __stop_calls[-2]();
    SAME(s, p);
    for (const struct entry *e = __start_entries; e < __stop_entries; e++) {
        s = e->get();
        SAME(s, p);
        s = e->data;
        SAME(s, q);
        APART(s, r);
    }
    int **d = &__start_set_data;
    s = *d == &y ? *d : d[1];
    SAME(s, q);
    s = *(&__stop_set_data - 1) == &z ? *(&__stop_set_data - 1) : *d;
    SAME(s, r);
    APART(s, p);
    s = *(int **)__start_lonely;
    SAME(s, r);
    s = begin->data;
    SAME(s, p);
    s = (end - 1)->get();
    SAME(s, q);
    other();
    return CHECKED;
}
