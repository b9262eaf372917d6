/* Does not parse in full: the rest of the program is still read. */
int *identity(int *argument) {
    return argument
}
#include "no-such-header.h"
