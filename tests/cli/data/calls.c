/* Calls through pointers that find no function, and some that do. */
#include <dlfcn.h>
#include <signal.h>
typedef int (*hook)(int);
static hook never, *table;
static int f(int n) {
    return n;
}
struct ops {
    hook run;
    void (*stop)(void);
} ops = {f, 0};
void (*quiet)(void), (*loud)(void);
int data;
hook get(void);
extern hook foreign;
static void shout(void) {}
static int try(int n) {
    int local = n;
    return ((hook)&local)(2);
}
typedef int (*user)(int *);
static int wide(double d, int *p) {
    return *p;
}
int main(int n, char **argv) {
    struct sigaction s = {0};
    s.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &s, 0);
    loud = shout;
    user other = (user)wide;
    never(1);
    ops.run(1);
    ops.stop();
    quiet();
    loud();
    ((hook)dlsym(0, "x"))(1);
    ((hook)&data)(2);
    ((hook)1234)(2);
    get()(1);
    foreign(2);
    table[n](2);
    other(&data);
    (n ? never : f)(2);
    return try(1) + try(2);
}
