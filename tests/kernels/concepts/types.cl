/* Types: vectors, structs, unions, arrays, enumerations, all widths of integers. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// launch: global 64 local 32
kernel void vector_arithmetic(global const int4 *in, global int4 *out) {
    const int i = get_global_id(0);
    const int4 a = in[i], b = in[i + 64];
    out[2 * i] = a * 3 + (b ^ a) - (b >> 3);
    out[2 * i + 1] = select(a, b, a < b) + (a == b) - (int4)(1, 2, 3, 4);
}

// launch: global 64 local 32
kernel void vector_components(global const float4 *in, global float4 *out) {
    const int i = get_global_id(0);
    float4 a = in[i];
    float8 b = (float8)(a.wzyx, a.s02, a.hi);
    a.xz = b.s15;
    a.lo += b.odd.hi;
    b.even = a;
    out[2 * i] = b.lo;
    out[2 * i + 1] = (float4)(b.s7, b.s6, a.y, 2.0f);
}

// launch: global 32 local 32
kernel void vector_of_three(global const short *in, global short *out) {
    const int i = get_global_id(0);
    short3 a = vload3(i, in);
    short3 all[2] = {a, a.zyx};
    all[i & 1].y += 5;
    vstore3(all[0] + all[1], i, out);
    out[200 + i] = sizeof(short3) + vec_step(a);
}

// launch: global 32 local 16
kernel void vector_of_sixteen(global const char16 *in, global char16 *out) {
    const int i = get_global_id(0);
    const char16 a = in[i], b = in[i + 32];
    char16 c = (char16)(a.s048c, b.s159d, a.odd);
    c.sf = i;
    out[2 * i] = c;
    out[2 * i + 1] = (a > b) & c;
}

// launch: global 64 local 32
kernel void indexed_vector(global const uint4 *in, global uint *out) {
    const uint i = get_global_id(0);
    uint4 a = in[i];
    global const uint *p = (global const uint *)&in[i];
    uint r = 0;
    for (uint k = 0; k < 4; k++) r = r * 31 + p[(k + i) & 3];
    ((uint *)&a)[i & 3] = r;
    out[i] = a.x ^ a.y ^ a.z ^ a.w;
}

struct inner {
    char tag;
    double weight;
    short count[3];
};
struct outer {
    struct inner list[2];
    uchar last;
};

// launch: global 48 local 16
kernel void nested_structs(global const uint *in, global double *out) {
    const uint i = get_global_id(0);
    struct outer o;
    for (uint k = 0; k < 2; k++) {
        o.list[k].tag = in[i + k];
        o.list[k].weight = in[i + k + 9] * 0.5;
        for (uint c = 0; c < 3; c++) o.list[k].count[c] = in[i + c] >> k;
    }
    o.last = i;
    const struct outer copy = o;
    const struct inner *p = &copy.list[i & 1];
    out[i] = p->tag + p->weight + p->count[i % 3] + copy.last + sizeof(struct outer);
}

// launch: global 64 local 32
kernel void unions(global const float *in, global uint *out) {
    const uint i = get_global_id(0);
    union {
        float f;
        uint u;
        uchar b[4];
        ushort2 h;
    } a;
    a.f = in[i];
    const uint swapped = a.b[0] << 24 | a.b[1] << 16 | a.b[2] << 8 | a.b[3];
    a.h = a.h.yx;
    out[i] = a.u ^ swapped;
}

/* OpenCL C has no bit fields: the same by hand. */
#define FIELD(word, first, bits)             ((word) << (32 - (first) - (bits)) >> (32 - (bits)))
#define SET_FIELD(word, first, bits, value)                                                                    \
    ((word) & ~(((1u << (bits)) - 1) << (first)) | ((value) & ((1u << (bits)) - 1)) << (first))

// launch: global 64 local 32
kernel void packed_fields(global const uint *in, global int *out) {
    const uint i = get_global_id(0);
    uint f = SET_FIELD(in[i], 5, 11, in[i] >> 7);
    f = SET_FIELD(f, 16, 1, FIELD(f, 16, 1) ^ 1u);
    out[i] = FIELD(f, 0, 5) + 1000 * FIELD((int)f, 5, 11) + FIELD(f, 16, 1) + FIELD((int)f, 17, 15);
}

// launch: global 64 local 16
kernel void private_array(global const uchar *in, global uint *out) {
    const uint i = get_global_id(0);
    uint histogram[16] = {0};
    for (uint k = 0; k < 40; k++) histogram[in[(i * 7 + k) % 4096] & 15]++;
    uint r = 0;
    for (uint k = 0; k < 16; k++) r = r * 3 + histogram[(k + i) & 15];
    out[i] = r;
}

// launch: global 32 local 16
kernel void two_dimensional_array(global const int *in, global int *out) {
    const int i = get_global_id(0);
    int m[3][4], t[4][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) m[r][c] = in[i + 4 * r + c] & 0xff;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) t[c][r] = m[r][c];
    int sum = 0;
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++) sum += t[c][k] * m[k][(c + i) & 3];
    out[i] = sum;
}

// launch: global 64 local 32
kernel void narrow_integers(global const char *in, global int *out) {
    const int i = get_global_id(0);
    char a = in[i];
    uchar b = in[i + 64];
    short c = (short)(a * 300);
    ushort d = (ushort)(b * 300);
    a += 100;
    b -= 100;
    c <<= 1;
    d >>= 3;
    out[i] = a + b * 3 + c * 5 + d * 7 + (a < b) + (c > (short)d);
}

// launch: global 64 local 32
kernel void wide_integers(global const long *in, global ulong *out) {
    const int i = get_global_id(0);
    const long a = in[i], b = in[i + 64] | 1;
    const ulong u = (ulong)b >> (i & 31);
    out[4 * i] = (ulong)a * (ulong)b + (a >> 7);
    out[4 * i + 1] = a / b;
    out[4 * i + 2] = a % b;
    out[4 * i + 3] = (ulong)a / (u | 1) + (ulong)a % (u | 1) + (a < b);
}

enum colour { RED, GREEN = 5, BLUE };

// launch: global 64 local 32
kernel void enums_and_sizes(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    const enum colour c = in[i] % 3 == 0 ? RED : in[i] % 3 == 1 ? GREEN : BLUE;
    out[i] = c * 100 + sizeof(long) + sizeof(float3) + sizeof(size_t) * (sizeof(void *) == sizeof(size_t)) -
             sizeof(size_t) + (bool)in[i];
}

typedef struct {
    float4 a;
    int b;
    uchar c[3];
} argument;

// launch: global 32 local 16
kernel void struct_and_vector_arguments(global float *out, argument s, float2 v, uchar4 c, long l, int n) {
    const int i = get_global_id(0);
    out[i] = s.a.x + s.b + s.c[1] + v.y + c.z + (float)(l & 0xff) + n * i;
}

/* Their initial values are copied from constants of the compiler's own; a volatile array's by volatile reads. */
// launch: global 64 local 32
kernel void initialised_arrays(global const int *in, global int *out) {
    const int i = get_global_id(0);
    volatile int m[2][5] = {{i, 2, 3, 4, 5}, {1, 6, 7, 8, 9}};
    volatile struct {
        int a[6];
        char c[3];
    } s = {{1, -2, 3, -4, 5, -6}, {7, 8, 9}};
    int large[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    m[in[i] & 1][i % 5] += in[i];
    s.a[i % 6] ^= i;
    barrier(CLK_LOCAL_MEM_FENCE);
    large[i % 3][in[i] & 3] -= i;
    for (int k = 0; k < 5; k++) out[16 * i + k] = m[0][k] * 31 + m[1][k];
    for (int k = 0; k < 6; k++) out[16 * i + 5 + k] = s.a[k] + s.c[k % 3];
    for (int k = 0; k < 4; k++) out[16 * i + 11 + k] = large[0][k] + 3 * large[1][k] + 7 * large[2][k];
}
