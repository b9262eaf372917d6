/* Names for the linker: an asm label makes two names one function or variable. */
#include "check.h"

int x, y;

int *real_get(void) { return &x; }
int *alias_get(void) __asm__("real_get");
int *real_variable = &y;
extern int *alias_variable __asm__("real_variable");

int main(void) {
    int *p = alias_get();
    INTO(p, x);
    SAME(alias_variable, real_variable);
    alias_variable = &x;
    INTO(real_variable, x);
    return CHECKED;
}
