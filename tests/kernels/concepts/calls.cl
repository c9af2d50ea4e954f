/* Functions of the program: results, early exits, pointers, kernels as functions. */
#pragma OPENCL FP_CONTRACT OFF

static int sign_of(int a) {
    if (a > 0) return 1;
    if (a < 0) return -1;
    return 0;
}

// launch: global 64 local 32
kernel void helper_returns(global const int *in, global int *out) {
    const int i = get_global_id(0);
    out[i] = sign_of(in[i] % 3) * 10 + sign_of(in[i + 64]);
}

static int find(global const int *list, int count, int wanted) {
    for (int k = 0; k < count; k++) {
        if (list[k] % 16 == wanted) return k;
        if (list[k] > 30000) break;
    }
    return -1;
}

// launch: global 64 local 16
kernel void helper_returns_from_loop(global const int *in, global int *out) {
    const int i = get_global_id(0);
    out[i] = find(in + i, 40, i % 16);
}

static void swap_if(int *a, int *b) {
    if (*a > *b) {
        const int t = *a;
        *a = *b;
        *b = t;
    }
}

// launch: global 64 local 32
kernel void pointers_to_private(global const int *in, global int *out) {
    const int i = get_global_id(0);
    int v[4] = {in[i], in[i + 1], in[i + 2], in[i + 3]};
    swap_if(&v[0], &v[1]);
    swap_if(&v[2], &v[3]);
    swap_if(&v[0], &v[2]);
    swap_if(&v[1], &v[3]);
    swap_if(&v[1], &v[2]);
    for (int k = 0; k < 4; k++) out[4 * i + k] = v[k];
}

__attribute__((noinline)) static float polynomial(float x, constant float *c, int n) {
    float r = 0;
    for (int k = n - 1; k >= 0; k--) r = r * x + c[k];
    return r;
}
constant float coefficients[5] = {1, -0.5f, 0.25f, -0.125f, 0.0625f};

// launch: global 64 local 32
kernel void call_that_stays(global const float *in, global float *out) {
    const int i = get_global_id(0);
    if (in[i] > 0) out[i] = polynomial(in[i] / 512, coefficients, 5);
    else out[i] = polynomial(in[i] / 256, coefficients, 3);
}

kernel void inner_kernel(global const uint *in, global uint *out, uint factor) {
    out[get_global_id(0)] = in[get_global_id(0)] * factor;
}

// launch: global 64 local 32
kernel void kernel_calls_kernel(global const uint *in, global uint *out) {
    if (get_global_id(0) & 1) inner_kernel(in, out, 7);
    else inner_kernel(in + 1, out, 9);
}

struct pair {
    int low, high;
};
static struct pair minimum_and_maximum(struct pair a, int v) {
    struct pair r = a;
    if (v < r.low) r.low = v;
    if (v > r.high) r.high = v;
    return r;
}

// launch: global 64 local 32
kernel void struct_by_value(global const int *in, global int *out) {
    const int i = get_global_id(0);
    struct pair p = {in[i], in[i]};
    for (int k = 1; k < 10; k++) p = minimum_and_maximum(p, in[i + k]);
    out[2 * i] = p.low;
    out[2 * i + 1] = p.high;
}

static void all_reach_this(local int *shared, int value) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) *shared = value;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// launch: global 64 local 16
kernel void barrier_in_helper(global const int *in, global int *out) {
    local int shared;
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        all_reach_this(&shared, in[get_group_id(0) * 4 + k]);
        sum += shared >> (get_local_id(0) & 7);
    }
    out[get_global_id(0)] = sum;
}
