/* divergence: all ways of OpenCL C in which work-items diverge: nested ifs, loops left by break, continue and
 * return, switch with fall-through, do-while, goto, conditional operators, helper functions with several
 * returns. */
#include "benchmarks/host.h"

enum { COUNT = 256, GROUP_SIZE = 64 };

static const char SOURCE[] = "int collatz(int n) {\n"
                             "    int steps = 0;\n"
                             "    while (1) {\n"
                             "        if (n <= 1) return steps;\n"
                             "        if (n & 1)\n"
                             "            n = 3 * n + 1;\n"
                             "        else\n"
                             "            n /= 2;\n"
                             "        if (++steps > 60) return -n;\n"
                             "    }\n"
                             "}\n"
                             "int sort(int n, int value) {\n"
                             "    switch (n % 6) {\n"
                             "    case 0: value += 5; break;\n"
                             "    case 1: value ^= 0x55;\n"
                             "    case 2: value *= 3; break;\n"
                             "    case 3:\n"
                             "        for (int i = 0; i < n; i++) {\n"
                             "            if (i == 7) break;\n"
                             "            if (i & 1) continue;\n"
                             "            value += i;\n"
                             "        }\n"
                             "        break;\n"
                             "    case 4: return value - n;\n"
                             "    default: value = value > 100 ? value - 100 : n > 50 ? -value : value;\n"
                             "    }\n"
                             "    return value;\n"
                             "}\n"
                             "__kernel void divergence(__global const int *input, __global int *output) {\n"
                             "    int i = get_global_id(0);\n"
                             "    int n = input[i];\n"
                             "    if (n == 13) {\n"
                             "        output[i] = -13;\n"
                             "        return;\n"
                             "    }\n"
                             "    int value = 0;\n"
                             "    for (int outer = 0; outer < n % 9; outer++) {\n"
                             "        if (outer == 6) goto enough;\n"
                             "        int inner = n;\n"
                             "        do {\n"
                             "            if (inner % 5 == 4) {\n"
                             "                value += 2;\n"
                             "                if (inner % 3 == 0) {\n"
                             "                    value ^= outer;\n"
                             "                    if (value > 500) goto enough;\n"
                             "                } else if (inner % 7 == 1)\n"
                             "                    break;\n"
                             "            } else\n"
                             "                value += sort(inner, outer);\n"
                             "            inner -= 3;\n"
                             "        } while (inner > 0);\n"
                             "    }\n"
                             "enough:\n"
                             "    output[i] = sort(n, value) * 1000 + collatz(n);\n"
                             "}\n";

static int collatz(int n) {
    int steps = 0;
    while (1) {
        if (n <= 1) return steps;
        if (n & 1)
            n = 3 * n + 1;
        else
            n /= 2;
        if (++steps > 60) return -n;
    }
}

static int sort(int n, int value) {
    switch (n % 6) {
    case 0: value += 5; break;
    case 1: value ^= 0x55; __attribute__((fallthrough));
    case 2: value *= 3; break;
    case 3:
        for (int i = 0; i < n; i++) {
            if (i == 7) break;
            if (i & 1) continue;
            value += i;
        }
        break;
    case 4: return value - n;
    default: value = value > 100 ? value - 100 : n > 50 ? -value : value;
    }
    return value;
}

static int expect(int n) {
    if (n == 13) return -13;
    int value = 0;
    for (int outer = 0; outer < n % 9; outer++) {
        if (outer == 6) goto enough;
        int inner = n;
        do {
            if (inner % 5 == 4) {
                value += 2;
                if (inner % 3 == 0) {
                    value ^= outer;
                    if (value > 500) goto enough;
                } else if (inner % 7 == 1)
                    break;
            } else
                value += sort(inner, outer);
            inner -= 3;
        } while (inner > 0);
    }
enough:
    return sort(n, value) * 1000 + collatz(n);
}

int main(void) {
    cl_int input[COUNT];
    cl_int found[COUNT];
    cl_int expected[COUNT];
    for (int i = 0; i < COUNT; i++) {
        input[i] = i * 37 % 211;
        expected[i] = expect(input[i]);
    }
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "divergence");
    cl_mem input_buffer = host_buffer(&host, sizeof input, input);
    cl_mem output_buffer = host_buffer(&host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, input_buffer);
    HOST_ARGUMENT(kernel, 1, output_buffer);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, output_buffer, found, sizeof found);
    unsigned wrong = host_count_wrong("output", found, expected, sizeof *found, COUNT);
    HOST_CHECK(clReleaseMemObject(input_buffer));
    HOST_CHECK(clReleaseMemObject(output_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("divergence", wrong == 0, "%u of %d values wrong", wrong, COUNT);
}
