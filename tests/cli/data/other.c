/* The other unit of program.c. */
int *identity(int *argument) {
    return argument;
}
