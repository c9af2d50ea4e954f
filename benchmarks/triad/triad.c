/* triad: the triad of the STREAM benchmark, a = b + scale * c, on an OpenCL device. Every element must equal
 * C's, bit for bit. */
#include "benchmarks/vectors.h"

static const float scale = 3.0f;

static float add_scaled(float b, float c) {
    return b + scale * c;
}

int main(int argc, char **argv) {
    static const struct vectors triad = {
        .name = "triad",
        .summary = "Adds a vector and a scaled one on the first OpenCL device and checks the sum.",
        .result = 0,
        .scale = &scale,
        .expected = add_scaled};
    return vectors_main(&triad, argc, argv);
}
