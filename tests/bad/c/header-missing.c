#include "nowhere/to_be_found.h"
int *p, x;
void f(void) { p = &x; }
