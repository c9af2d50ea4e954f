/* vector_add: adds two vectors of floats on an OpenCL device. Every element of the sum must equal C's, bit
 * for bit. */
#include "benchmarks/vectors.h"

static float add(float a, float b) {
    return a + b;
}

int main(int argc, char **argv) {
    static const struct vectors vector_add = {
        .name = "vector_add",
        .summary = "Adds two vectors on the first OpenCL device and checks the sum.",
        .result = 2,
        .expected = add};
    return vectors_main(&vector_add, argc, argv);
}
