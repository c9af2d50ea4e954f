/* scalar_partners: kernels for which the compiler can generate scalar kernels that do a part of their work
 * (docs/scalar-unit.md): scalar_partners NAME [COUNT]: sums, corners, steps, forks. The results do not depend
 * on that. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 128, TURNS = 3 };

static const char SOURCE[] =
    /* Work of work-item 0 or 5, in a loop and after it, with values that it uses and changes. */
    "uint twice(uint x) { return 2 * x; }\n"
    "__kernel void sums(__global const uint *in, __global uint *out, uint turns) {\n"
    "    __local uint s[128], last;\n"
    "    const uint t = get_local_id(0), g = get_group_id(0);\n"
    "    const uint scale = g * 3 + turns * 5;\n"
    "    const uint offset = (scale ^ turns) + g * g - 1 + scale / 3;\n"
    "    uint mine = in[get_global_id(0)], extra = t;\n"
    "    s[t] = mine;\n"
    "    for (uint r = 0; r < turns; r++) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (t == 5) { for (uint i = 0; i < 128; i++) { if (i == 7) continue; extra += s[i] * r; }\n"
    "                      s[1] = extra + twice(mine); }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        s[t] += r;\n"
    "        if (t == 0) last = s[t] + offset;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    out[get_global_id(0)] = s[1] + extra + last + offset;\n"
    "    if (t == 3) out[get_global_size(0) + g] = s[t] + get_global_id(0);\n"
    "}\n"
    /* A tile of 16 x 8: work of its first work-item, and of the first in each row, which is not extracted. */
    "__kernel void corners(__global const uint *in, __global uint *out, uint turns) {\n"
    "    __local uint row[8], first;\n"
    "    const int x = get_local_id(0), y = get_local_id(1);\n"
    "    if (x == 0) row[y] = in[get_global_id(1)] + turns;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (x == 0 && y == 0) { first = 0; for (int i = 0; i < 8; i++) first += row[i]; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = first + row[y];\n"
    "}\n"
    /* Three loops that work-items leave at different times. */
    "__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void\n"
    "steps(__global const uint *in, __global uint *out, uint turns) {\n"
    "    const uint k = get_global_id(0), start = in[k] + turns;\n"
    "    uint n = start, steps = 0;\n"
    "    while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; if (n & 4) continue; steps++; }\n"
    "    uint sum = 0;\n"
    "    for (uint i = start % 7, j = 0; i < start % 50; i += 2, j++) { uint square = i * i; sum += square + "
    "j; }\n"
    "    do { sum += n; n += 3; } while (n < steps);\n"
    "    out[k] = sum * 1000 + steps + n;\n"
    "}\n"
    /* Turns in which work-items part: in each of up to 64 steps they go one of three ways. */
    "__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void\n"
    "forks(__global const uint *in, __global uint *out, uint turns) {\n"
    "    const uint k = get_global_id(0);\n"
    "    uint n = in[k], found = 0;\n"
    "    int depth = n % 8;\n"
    "    while (depth >= 0) {\n"
    "        for (int step = 0; step < 64 && depth >= 0; step++) {\n"
    "            const uint choice = n & 7;\n"
    "            n = n * 1664525 + 1013904223 >> 3;\n"
    "            if (choice < 3) {\n"
    "                depth--;\n"
    "            } else if (choice < 5) {\n"
    "                found += n & turns;\n"
    "            } else if (depth < 5) {\n"
    "                depth++;\n"
    "                found ^= depth;\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "    out[k] = found;\n"
    "}\n";

static void sums(const unsigned *in, unsigned *out, size_t count) {
    for (size_t g = 0; g < count / GROUP; g++) {
        unsigned s[GROUP], extra = 5, last = 0;
        const unsigned n = (unsigned)g, scale = n * 3 + TURNS * 5,
                       offset = (scale ^ TURNS) + n * n - 1 + scale / 3;
        memcpy(s, in + g * GROUP, sizeof s);
        for (unsigned r = 0; r < TURNS; r++) {
            for (unsigned i = 0; i < GROUP; i++)
                if (i != 7) extra += s[i] * r;
            s[1] = extra + 2 * in[g * GROUP + 5];
            for (unsigned i = 0; i < GROUP; i++) s[i] += r;
            last = s[0] + offset;
        }
        for (unsigned t = 0; t < GROUP; t++) out[g * GROUP + t] = s[1] + (t == 5 ? extra : t) + last + offset;
        out[count + g] = s[3] + n * GROUP + 3;
    }
}

static void corners(const unsigned *in, unsigned *out, size_t count) {
    for (size_t y = 0; y < count / 16; y++) {
        unsigned first = 0;
        for (size_t i = 0; i < 8; i++) first += in[y / 8 * 8 + i] + TURNS;
        for (size_t x = 0; x < 16; x++) out[y * 16 + x] = first + in[y] + TURNS;
    }
}

static void steps(const unsigned *in, unsigned *out, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const unsigned start = in[k] + TURNS;
        unsigned n = start, steps = 0, sum = 0;
        while (n > 1) {
            n = n % 2 ? 3 * n + 1 : n / 2;
            steps += !(n & 4);
        }
        for (unsigned i = start % 7, j = 0; i < start % 50; i += 2, j++) sum += i * i + j;
        do {
            sum += n;
            n += 3;
        } while (n < steps);
        out[k] = sum * 1000 + steps + n;
    }
}

static void forks(const unsigned *in, unsigned *out, size_t count) {
    for (size_t k = 0; k < count; k++) {
        unsigned n = in[k], found = 0;
        for (int depth = n % 8; depth >= 0;) {
            const unsigned choice = n & 7;
            n = (n * 1664525 + 1013904223) >> 3;
            if (choice < 3)
                depth--;
            else if (choice < 5)
                found += n & TURNS;
            else if (depth < 5)
                found ^= (unsigned)++depth;
        }
        out[k] = found;
    }
}

int main(int argc, char *argv[]) {
    const char *name = argc > 1 ? argv[1] : "sums";
    const bool tiles = strcmp(name, "corners") == 0;
    const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1024, all = count + count / GROUP,
                 global[2] = {tiles ? 16 : count, count / 16}, local[2] = {tiles ? 16 : GROUP, 8};
    const unsigned turns = TURNS;
    struct host host;
    unsigned *in = host_allocate(count * sizeof *in), *out = host_allocate(all * sizeof *out),
             *wanted = host_allocate(all * sizeof *wanted), random = 1;
    for (size_t i = 0; i < count; ++i) in[i] = host_random(&random) >> 10;
    (tiles                        ? corners
     : strcmp(name, "steps") == 0 ? steps
     : strcmp(name, "forks") == 0 ? forks
                                  : sums)(in, wanted, count);
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, name);
    cl_mem from = host_buffer(&host, count * sizeof *in, in), to = host_buffer(&host, all * sizeof *out, out);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_ARGUMENT(kernel, 2, turns);
    host_launch(&host, kernel, tiles ? 2 : 1, global, local);
    host_read(&host, to, out, all * sizeof *out);
    const unsigned wrong = host_count_wrong(name, out, wanted, sizeof *out, all);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    free(in);
    free(out);
    free(wanted);
    return host_verdict(name, !wrong, "%u wrong", wrong);
}
