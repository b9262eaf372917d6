# Functions that do not return, or only where an argument is not 0, by their summaries.
mkdir sys
cat >sys/cmocka.h <<'end'
void _assert_true(const unsigned long result, const char *expression, const char *file, int line);
#define assert_true(c) _assert_true((unsigned long)(c), #c, __FILE__, __LINE__)
end
cat >unity.h <<'end'
void UnityFail(const char *message, unsigned line);
#define TEST_ASSERT_NOT_NULL(p) if ((p) != 0) {} else { UnityFail("null", __LINE__); }
end
cat >tests.c <<'end'
#include <stdlib.h>
#include <cmocka.h>
#include "unity.h"
struct s { int m; struct s *next; };
void our_check(int holds, int level);
int unity(void) { struct s *p = malloc(8); TEST_ASSERT_NOT_NULL(p); return p->m; }
int casted(void) { struct s *p = malloc(8); assert_true(p); return p->m; }
int condition(int n) { struct s *p = malloc(8); assert_true(p != NULL && n); return p->m; }
int memory(struct s *q) { q->next = malloc(8); assert_true(q->next); return q->next->m; }
int other(void) { struct s *p = malloc(8); assert_true(1); return p->m; } /* found */
int opposite(void) { struct s *p = malloc(8); assert_true(!p); return p->m; } /* found */
int ours(void) { struct s *p = malloc(8); our_check(p != NULL, 1); return p->m; } /* of ours */
int main(void) {
    struct s q;
    return unity() + casted() + condition(1) + memory(&q) + other() + opposite() + ours();
}
end
check() {
    echo "== $1"
    shift
    cflr check -q tests.c "$@" --rules null -- -isystem sys | grep '^t'
}
check 'a library'
# A body counts more: it returns where a test has failed before.
cat >body.c <<'end'
#include <setjmp.h>
jmp_buf frame;
int failed;
void UnityFail(const char *message, unsigned line) {
    if (failed) return;
    failed = 1;
    longjmp(frame, 1);
}
end
check 'a body that may return' body.c
sed 's/return;/longjmp(frame, 1);/' body.c >never.c
check 'a body that never returns' never.c
echo 'override UnityFail: noreturn' >own
echo 'override our_check: noreturn unless arg0' >>own
check 'a summary instead' body.c --summaries own
