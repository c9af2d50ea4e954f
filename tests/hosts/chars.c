/* chars: arithmetic, conversions and vectors of every integer width and of double: uchar, short, long, char4,
 * uchar16, shuffles, saturating conversions, 64-bit products and quotients. */
#include "benchmarks/host.h"

#include <string.h>

enum { COUNT = 64, GROUP_SIZE = 32 };

static const char SOURCE[] =
    "__kernel void chars(__global const uchar *bytes, __global const short *shorts, __global const long "
    "*longs,\n"
    "                    __global uchar *byte_results, __global short *short_results,\n"
    "                    __global long *long_results, __global uint *vector_results) {\n"
    "    int i = get_global_id(0);\n"
    "    uchar b = bytes[i];\n"
    "    short s = shorts[i];\n"
    "    long l = longs[i];\n"
    "    byte_results[4 * i + 0] = b * 3 + 7;\n"
    "    byte_results[4 * i + 1] = (b >> 3) | (b << 5);\n"
    "    byte_results[4 * i + 2] = convert_uchar_sat(s);\n"
    "    byte_results[4 * i + 3] = (uchar)((char)b / 3);\n"
    "    short_results[2 * i + 0] = s / (b + 1);\n"
    "    short_results[2 * i + 1] = (short)(s * s) >> 2;\n"
    "    long_results[4 * i + 0] = l * (l + s);\n"
    "    long_results[4 * i + 1] = l / (s | 1);\n"
    "    long_results[4 * i + 2] = (ulong)l % 1000003;\n"
    "    long_results[4 * i + 3] = (l >> (b & 63)) ^ (long)((ulong)l >> 7);\n"
    "    char4 c = (char4)(b, s, l, -1);\n"
    "    char4 d = c.wzyx + (char4)(1, 2, 3, 4);\n"
    "    uchar16 v = (uchar16)(b) * vload16(0, bytes);\n"
    "    uint sum = 0;\n"
    "    uchar8 odd = v.odd;\n"
    "    sum = odd.s0 + odd.s3 * 256 + odd.s7 * 65536;\n"
    "    vector_results[2 * i + 0] = as_uint(d);\n"
    "    vector_results[2 * i + 1] = sum;\n"
    "}\n";

static const char DOUBLE_SOURCE[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void doubles(__global const long *longs, __global const short *shorts, __global double "
    "*results) {\n"
    "    int i = get_global_id(0);\n"
    "    double x = (double)longs[i];\n"
    "    double2 pair = (double2)(x, shorts[i]);\n"
    "    pair = pair * 0.1 + pair.yx;\n"
    "    results[4 * i + 0] = x / 3.0 - shorts[i] * 1e-3;\n"
    "    results[4 * i + 1] = pair.x * pair.y;\n"
    "    results[4 * i + 2] = sqrt(fabs(x));\n"
    "    results[4 * i + 3] = (double)(long)(x / 1e10) + (float)shorts[i] / 7.0f;\n"
    "}\n";

struct numbers {
    cl_uchar bytes[COUNT];
    cl_short shorts[COUNT];
    cl_long longs[COUNT];
};

struct results {
    cl_uchar bytes[4 * COUNT];
    cl_short shorts[2 * COUNT];
    cl_long longs[4 * COUNT];
    cl_uint vectors[2 * COUNT];
};

static void fill(struct numbers *numbers) {
    cl_ulong random = 1;
    for (int i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        numbers->bytes[i] = (cl_uchar)(random >> 33);
        numbers->shorts[i] = (cl_short)(random >> 47);
        numbers->longs[i] = (cl_long)(random >> 3) - (1LL << 60);
    }
}

static void expect(const struct numbers *numbers, struct results *results) {
    for (int i = 0; i < COUNT; i++) {
        cl_uchar b = numbers->bytes[i];
        cl_short s = numbers->shorts[i];
        cl_long l = numbers->longs[i];
        results->bytes[4 * i + 0] = (cl_uchar)(b * 3 + 7);
        results->bytes[4 * i + 1] = (cl_uchar)((b >> 3) | (b << 5));
        results->bytes[4 * i + 2] = (cl_uchar)(s < 0 ? 0 : s > 255 ? 255 : s);
        results->bytes[4 * i + 3] = (cl_uchar)((cl_char)b / 3);
        results->shorts[2 * i + 0] = (cl_short)(s / (b + 1));
        results->shorts[2 * i + 1] = (cl_short)((cl_short)(s * s) >> 2);
        results->longs[4 * i + 0] = (cl_long)((cl_ulong)l * ((cl_ulong)l + (cl_ulong)s));
        results->longs[4 * i + 1] = l / (s | 1);
        results->longs[4 * i + 2] = (cl_long)((cl_ulong)l % 1000003u);
        results->longs[4 * i + 3] = (l >> (b & 63)) ^ (cl_long)((cl_ulong)l >> 7);
        cl_uchar d[4] = {0, (cl_uchar)(l + 2), (cl_uchar)(s + 3), (cl_uchar)(b + 4)};
        memcpy(&results->vectors[2 * i], d, sizeof d);
        results->vectors[2 * i + 1] = (cl_uchar)(b * numbers->bytes[1]) +
                                      (cl_uchar)(b * numbers->bytes[7]) * 256u +
                                      (cl_uchar)(b * numbers->bytes[15]) * 65536u;
    }
}

static unsigned check_integers(const struct host *host, const struct numbers *numbers) {
    static struct results found;
    static struct results expected;
    cl_kernel kernel = host_kernel(host, SOURCE, "chars");
    cl_mem buffers[7] = {host_buffer(host, sizeof numbers->bytes, numbers->bytes),
                         host_buffer(host, sizeof numbers->shorts, numbers->shorts),
                         host_buffer(host, sizeof numbers->longs, numbers->longs),
                         host_buffer(host, sizeof found.bytes, NULL),
                         host_buffer(host, sizeof found.shorts, NULL),
                         host_buffer(host, sizeof found.longs, NULL),
                         host_buffer(host, sizeof found.vectors, NULL)};
    for (cl_uint i = 0; i < 7; i++) HOST_ARGUMENT(kernel, i, buffers[i]);
    host_launch(host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(host, buffers[3], found.bytes, sizeof found.bytes);
    host_read(host, buffers[4], found.shorts, sizeof found.shorts);
    host_read(host, buffers[5], found.longs, sizeof found.longs);
    host_read(host, buffers[6], found.vectors, sizeof found.vectors);
    expect(numbers, &expected);
    for (cl_uint i = 0; i < 7; i++) HOST_CHECK(clReleaseMemObject(buffers[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    return host_count_wrong("bytes", found.bytes, expected.bytes, 1, 4 * COUNT) +
           host_count_wrong("shorts", found.shorts, expected.shorts, 2, 2 * COUNT) +
           host_count_wrong("longs", found.longs, expected.longs, 8, 4 * COUNT) +
           host_count_wrong("vectors", found.vectors, expected.vectors, 4, 2 * COUNT);
}

static void expect_doubles(const struct numbers *numbers, double *results) {
    for (int i = 0; i < COUNT; i++) {
        double x = (double)numbers->longs[i];
        double s = numbers->shorts[i];
        results[4 * i + 0] = x / 3.0 - s * 1e-3;
        results[4 * i + 1] = (x * 0.1 + s) * (s * 0.1 + x);
        results[4 * i + 2] = __builtin_sqrt(x < 0.0 ? -x : x);
        results[4 * i + 3] = (double)(cl_long)(x / 1e10) + (double)((float)s / 7.0f);
    }
}

static unsigned check_doubles(const struct host *host, const struct numbers *numbers) {
    static double found[4 * COUNT];
    static double expected[4 * COUNT];
    unsigned wrong = 0;
    cl_kernel kernel = host_kernel(host, DOUBLE_SOURCE, "doubles");
    cl_mem longs = host_buffer(host, sizeof numbers->longs, numbers->longs);
    cl_mem shorts = host_buffer(host, sizeof numbers->shorts, numbers->shorts);
    cl_mem output = host_buffer(host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, longs);
    HOST_ARGUMENT(kernel, 1, shorts);
    HOST_ARGUMENT(kernel, 2, output);
    host_launch(host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(host, output, found, sizeof found);
    expect_doubles(numbers, expected);
    wrong += host_count_wrong("doubles", found, expected, sizeof *found, 4 * COUNT);
    HOST_CHECK(clReleaseMemObject(longs));
    HOST_CHECK(clReleaseMemObject(shorts));
    HOST_CHECK(clReleaseMemObject(output));
    HOST_CHECK(clReleaseKernel(kernel));
    return wrong;
}

int main(void) {
    struct numbers numbers;
    fill(&numbers);
    struct host host;
    host_open(&host);
    char extensions[4096] = "";
    HOST_CHECK(clGetDeviceInfo(host.device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    bool has_double = strstr(extensions, "cl_khr_fp64") != NULL;
    unsigned wrong = check_integers(&host, &numbers);
    if (has_double) wrong += check_doubles(&host, &numbers);
    host_close(&host);
    return host_verdict("chars", wrong == 0, "%u values wrong, %s", wrong,
                        has_double ? "double checked" : "the device has no double");
}
