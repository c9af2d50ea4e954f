/* no_opencl: a program that uses no OpenCL at all, and is not linked with it. */
#include <stdio.h>

int main(void) {
    printf("hello\n");
    return 0;
}
