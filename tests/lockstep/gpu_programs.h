/* gpu_programs: variants of machines with SMs, and the OpenCL programs that run on each of them as on the
 * base machine: benchmarks, which check their results against C, and host programs. */
#ifndef TESTS_LOCKSTEP_GPU_PROGRAMS_H
#define TESTS_LOCKSTEP_GPU_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char *const machines[] = {"gtx285-like", "gtx285-like-16", "stsimt-30x8", "fermi-like",
                                       "gt640-like"};
enum { MACHINES = sizeof machines / sizeof *machines, MOST_ARGUMENTS = 5 };

/* Below build/; its arguments. */
static const struct program {
    const char *path, *arguments[MOST_ARGUMENTS];
} programs[] = {
    {"benchmarks/path_finder", {"--columns", "600", "--rows", "12"}},
    {"tests/hosts/any_machine", {NULL}},
    {"benchmarks/matrix_vector", {"--size", "128"}},
    {"benchmarks/dwt_haar", {NULL}},
    {"tests/hosts/images", {NULL}},
    {"benchmarks/hotspot", {"--steps", "1"}},
    {"benchmarks/mandelbrot", {"--size", "64"}},
    {"benchmarks/black_scholes", {"--items", "1024"}},
    {"benchmarks/convolution", {"--size", "64"}},
    {"benchmarks/math_function", {"--items", "512"}},
    {"benchmarks/reduction", {NULL}},
    {"benchmarks/scalar_product", {"--vectors", "32"}},
    {"benchmarks/triad", {"--count", "4096"}},
    {"benchmarks/vector_add", {"--count", "4096"}},
    {"benchmarks/n_queens", {NULL}},
    {"benchmarks/bfs", {NULL}},
    {"benchmarks/needleman_wunsch", {NULL}},
    {"benchmarks/laplace3d", {NULL}},
    {"benchmarks/ray_tracing", {NULL}},
    {"benchmarks/matrix_multiply", {NULL}},
    {"benchmarks/back_propagation", {NULL}},
    {"benchmarks/coulombic_potential", {NULL}},
    {"benchmarks/walsh_transform", {NULL}},
    {"benchmarks/fft", {NULL}},
    {"benchmarks/matrix_transpose", {NULL}},
    {"benchmarks/histogram", {NULL}},
    {"benchmarks/gaussian_elimination", {NULL}},
    {"benchmarks/libor", {NULL}},
    {"benchmarks/lu_decomposition", {NULL}},
    {"benchmarks/nearest_neighbors", {NULL}},
    {"benchmarks/bitonic_sort", {NULL}},
    {"benchmarks/discrete_cosine", {NULL}},
    {"benchmarks/neural_network", {NULL}},
    {"benchmarks/segmentation", {NULL}},
    {"benchmarks/stream_cluster", {NULL}},
    {"benchmarks/b_tree", {NULL}},
    {"benchmarks/backprop", {NULL}},
    {"benchmarks/dwthaar1d", {NULL}},
    {"benchmarks/fdtd3d", {NULL}},
    {"benchmarks/hotspot_pyramid", {NULL}},
    {"benchmarks/lud", {NULL}},
    {"benchmarks/matrixmul", {NULL}},
    {"benchmarks/nbody", {NULL}},
    {"benchmarks/particlefilter", {NULL}},
    {"benchmarks/pathfinder", {NULL}},
    {"benchmarks/reduction_uint4", {NULL}},
    {"benchmarks/dotproduct", {NULL}},
    {"benchmarks/bfs_frontier", {NULL}},
    {"benchmarks/gaussian", {NULL}},
    {"benchmarks/kmeans", {NULL}},
    {"benchmarks/srad", {NULL}},
    {"benchmarks/cfd", {NULL}},
    {"benchmarks/lavamd", {"--particles", "40"}},
    {"benchmarks/scan", {NULL}},
    {"benchmarks/spmv", {NULL}},
    {"benchmarks/sobel", {NULL}},
    {"benchmarks/floyd_warshall", {NULL}},
    {"benchmarks/radix_pass", {NULL}},
    {"benchmarks/string_search", {NULL}},
    {"benchmarks/monte_carlo", {NULL}},
    {"benchmarks/jacobi", {NULL}},
    {"tests/hosts/barrier_loop", {NULL}},
    {"tests/hosts/binaries", {NULL}},
    {"tests/hosts/chars", {NULL}},
    {"tests/hosts/constant_memory", {NULL}},
    {"tests/hosts/divergence", {NULL}},
    {"tests/hosts/forks", {NULL}},
    {"tests/hosts/host_writes", {NULL}},
    {"tests/hosts/kernel_arguments", {NULL}},
    {"tests/hosts/large_groups", {NULL}},
    {"tests/hosts/linking", {NULL}},
    {"tests/hosts/local_argument", {NULL}},
    {"tests/hosts/math", {NULL}},
    {"tests/hosts/matrix_multiply", {NULL}},
    {"tests/hosts/odd_groups", {NULL}},
    {"tests/hosts/own_reduction", {NULL}},
    {"tests/hosts/printf", {NULL}},
    {"tests/hosts/private_array", {NULL}},
    {"tests/hosts/profiling", {NULL}},
    {"tests/hosts/read_write_copy", {NULL}},
    {"tests/hosts/threads", {NULL}},
    {"tests/hosts/three_d", {NULL}},
    {"tests/hosts/transfers", {NULL}},
    {"tests/hosts/waiting", {NULL}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static inline bool is_benchmark(const struct program *p) {
    return strncmp(p->path, "benchmarks/", 11) == 0;
}

#endif
