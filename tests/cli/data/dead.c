/* A null pointer in a function that nothing enters. */
static int never(void) {
    int *p = 0;
    return *p;
}

int main(void) {
    return 0;
}
