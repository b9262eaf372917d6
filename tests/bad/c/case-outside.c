int *p, x;
void f(void) {
    case 1:
    p = &x;
}
