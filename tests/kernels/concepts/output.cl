/* printf. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// launch: global 32 local 16
kernel void print_everywhere(global const int *in, global int *out) {
    const int i = get_global_id(0);
    out[i] = 1 + printf("%d: %5d|%-6x|%s\n", i, in[i], in[i] & 0xfff, in[i] > 0 ? "positive" : "not");
    if (in[i] & 1) printf("%d is odd, %c%c%%\n", i, 'a' + i % 26, '!');
}

// launch: global 8 local 4
kernel void print_vectors(global const float4 *in, global const char4 *c, global const ulong2 *u, global int *out) {
    const int i = get_global_id(0);
    printf("%v4hlf %.3v3hle\n", in[i], in[i].xyz);
    printf("%v4hhd %v2lx %v8hd\n", c[i], u[i], convert_short8((float8)(in[i], -in[i])));
    printf("%v3ld|%v16hhu\n", (long3)(i, -i, 1L << (40 + i)), (uchar16)(i));
    out[i] = i;
}

// launch: global 6 4 local 3 2
kernel void print_in_loops(global const float *in, global int *out) {
    const int x = get_global_id(0), y = get_global_id(1);
    int n = 0;
    for (int k = 0; k < (x + y) % 4; k++) {
        if (in[k + x] < 0) continue;
        n += printf("(%d,%d) round %d: %g %a\n", x, y, k, in[k + x], in[k + x] * 0.5) + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    printf("(%d,%d) done, %lu\n", x, y, (ulong)n << 33);
    out[y * 6 + x] = n;
}

constant char small[] = "%d is small\n";
static int print_size(int a) { return printf(a > 100 ? "%d is large\n" : small, a); }

// launch: global 12 local 4
kernel void print_from_helpers(global const double3 *in, global const int *n, global int *out) {
    const int i = get_global_id(0);
    double3 v = in[i];
    if (n[i] > 0) {
        out[i] = 1 + print_size(n[i] % 200);
        v.y = 0.5;
    } else {
        out[i] = 2;
    }
    printf("%6.2v3lf|%s|%-4d|%+.1e\n", v, i % 2 ? "odd" : "even", i, v.x);
}
