/* matrix_multiply: 64 x 64 floats in tiles of 16 x 16 in local memory; equal in every bit to the plain loop,
 * which adds in the same order. */
#include "benchmarks/host.h"

#include <string.h>

enum { SIDE = 64, TILE = 16 };

static const char SOURCE[] = "#pragma OPENCL FP_CONTRACT OFF\n"
                             "#define TILE 16\n"
                             "__kernel void matrix_multiply(__global const float *a, __global const float "
                             "*b, __global float *product,\n"
                             "                              const int side) {\n"
                             "    __local float a_tile[TILE][TILE];\n"
                             "    __local float b_tile[TILE][TILE];\n"
                             "    const int x = get_local_id(0);\n"
                             "    const int y = get_local_id(1);\n"
                             "    const int column = get_global_id(0);\n"
                             "    const int row = get_global_id(1);\n"
                             "    float sum = 0.0f;\n"
                             "    for (int first = 0; first < side; first += TILE) {\n"
                             "        a_tile[y][x] = a[row * side + first + x];\n"
                             "        b_tile[y][x] = b[(first + y) * side + column];\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "        for (int k = 0; k < TILE; k++) sum += a_tile[y][k] * b_tile[k][x];\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    }\n"
                             "    product[row * side + column] = sum;\n"
                             "}\n";

static void multiply_in_c(float a[SIDE][SIDE], float b[SIDE][SIDE], float product[SIDE][SIDE]) {
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            float sum = 0.0f;
            for (int k = 0; k < SIDE; k++) sum += a[row][k] * b[k][column];
            product[row][column] = sum;
        }
}

int main(void) {
    static float a[SIDE][SIDE];
    static float b[SIDE][SIDE];
    static float found[SIDE][SIDE];
    static float expected[SIDE][SIDE];
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            a[row][column] = (float)((row * 7 + column * 3) % 19) / 19.0f;
            b[row][column] = (float)((row * 5 + column * 11) % 23) / 23.0f - 0.5f;
        }
    multiply_in_c(a, b, expected);

    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "matrix_multiply");
    cl_mem a_buffer = host_buffer(&host, sizeof a, a);
    cl_mem b_buffer = host_buffer(&host, sizeof b, b);
    cl_mem product_buffer = host_buffer(&host, sizeof found, NULL);
    const int side = SIDE;
    HOST_ARGUMENT(kernel, 0, a_buffer);
    HOST_ARGUMENT(kernel, 1, b_buffer);
    HOST_ARGUMENT(kernel, 2, product_buffer);
    HOST_ARGUMENT(kernel, 3, side);
    host_launch(&host, kernel, 2, (size_t[]){SIDE, SIDE}, (size_t[]){TILE, TILE});
    host_read(&host, product_buffer, found, sizeof found);
    unsigned wrong = host_count_wrong("product", found, expected, sizeof(float), SIDE * SIDE);
    HOST_CHECK(clReleaseMemObject(a_buffer));
    HOST_CHECK(clReleaseMemObject(b_buffer));
    HOST_CHECK(clReleaseMemObject(product_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("matrix_multiply", wrong == 0, "%u of %d products wrong", wrong, SIDE * SIDE);
}
