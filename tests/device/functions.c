/* The ARM program (Linux, under qemu-arm) that runs the functions of the device library. It reads requests
 * from standard input {index of the function, n, n operands a, n operands b, n operands c} and writes n
 * results for each. */
#include "types.h"

#include <stdio.h>
#include <stdlib.h>

#define X(id, R, A, B, C, expression)                                                                        \
    void test_##id(int, const type_##A *, const type_##B *, const type_##C *, type_##R *);
#include "functions.def"
#undef X

typedef void function(int n, const void *a, const void *b, const void *c, void *result);
static const struct {
    function *run;
    size_t result, a, b, c;
} functions[] = {
#define X(id, R, A, B, C, expression)                                                                        \
    {(function *)test_##id, sizeof(type_##R), sizeof(type_##A), sizeof(type_##B), sizeof(type_##C)},
#include "functions.def"
#undef X
};

static void *input(size_t bytes) {
    void *p = malloc(bytes);
    if (!p || fread(p, 1, bytes, stdin) != bytes) exit(1);
    return p;
}

int main(void) {
    uint32_t request[2];
    while (fread(request, sizeof request, 1, stdin) == 1) {
        const uint32_t k = request[0], n = request[1];
        if (k >= sizeof functions / sizeof *functions) return 1;
        void *a = input(n * functions[k].a), *b = input(n * functions[k].b), *c = input(n * functions[k].c);
        void *result = malloc(n * functions[k].result);
        functions[k].run((int)n, a, b, c, result);
        if (fwrite(result, functions[k].result, n, stdout) != n) return 1;
        free(a), free(b), free(c), free(result);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
