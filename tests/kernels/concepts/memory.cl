/* Memory: address spaces, barriers, pointers. */

// launch: global 128 local 32
kernel void local_reduction(global const uint *in, global uint *out, local uint *scratch) {
    const uint i = get_local_id(0);
    scratch[i] = in[get_global_id(0)];
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_size) scratch[i] += scratch[i + half_size];
    }
    if (i == 0) out[get_group_id(0)] = scratch[0];
}

// launch: global 64 local 64
kernel void local_scan(global const uint *in, global uint *out) {
    local uint line[2][64];
    const uint i = get_local_id(0);
    uint from = 0;
    line[0][i] = in[get_global_id(0)] & 0xffff;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < 64; step *= 2) {
        line[1 - from][i] = line[from][i] + (i >= step ? line[from][i - step] : 0);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = line[from][i];
}

// launch: global 16 16 local 8 8
kernel void local_transpose(global const int *in, global int *out) {
    local int tile[8][9];
    const int x = get_local_id(0), y = get_local_id(1), n = get_global_size(0);
    tile[y][x] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 8 + y) * n + get_group_id(1) * 8 + x] = tile[x][y];
}

// launch: global 64 local 16
kernel void values_across_barriers(global const int *in, global int *out) {
    local int shared[16];
    const int i = get_local_id(0);
    int mine = in[get_global_id(0)], other[2] = {mine, i};
    shared[i] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    other[1] += shared[15 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[i] = other[0] ^ other[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = mine + other[i & 1] + shared[(i + 3) & 15];
}

// launch: global 64 local 16
kernel void barrier_in_loop_with_break(global const uint *in, global uint *out) {
    local uint stop, sum;
    const uint i = get_local_id(0);
    uint rounds = 0;
    if (i == 0) stop = sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (true) {
        if (i == rounds % 16) {
            sum += in[get_group_id(0) * 16 + i] & 0xff;
            stop = sum > 600 || rounds == 40;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (stop) break;
        rounds++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = rounds * 1000 + sum;
}

// launch: global 64 local 32
kernel void barrier_in_uniform_branch(global const uint *in, global uint *out) {
    local uint shared[32];
    const uint i = get_local_id(0);
    uint r = in[get_global_id(0)];
    if (get_group_id(0) == 1) {
        shared[i] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        r += shared[(i + 1) & 31];
    } else {
        r ^= 0xff;
    }
    out[get_global_id(0)] = r;
}

// launch: global 64 local 16
kernel void barrier_after_divergence(global const uint *in, global uint *out) {
    local uint shared[16];
    const uint i = get_local_id(0), a = in[get_global_id(0)];
    uint r = 0;
    for (uint k = 0; k < (a & 15); k++) r += k * a;
    if (a & 64) r ^= 0x1234;
    else r -= 77;
    shared[i] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint k = 0; k <= i; k++) sum = sum * 3 + shared[k];
    out[get_global_id(0)] = sum;
}

// launch: global 96 local 32
kernel void global_barrier_exchange(global const uint *in, global uint *exchange, global uint *out) {
    const uint i = get_global_id(0), n = get_local_size(0);
    exchange[i] = in[i] * 3;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = exchange[i / n * n + (i + 5) % n];
}

// launch: global 64 local 32
kernel void fences(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    out[2 * i] = in[i];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[2 * i + 1] = out[2 * i] + 1;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[2 * i] = out[2 * i + 1] * 2;
}

constant int primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
constant struct {
    char name[4];
    float value;
} named[3] = {{"one", 1.25f}, {"two", 2.5f}, {"six", 6}};
constant char text[] = "program scope";

// launch: global 64 local 32
kernel void program_scope_constants(global const uint *in, global float *out, constant float *table) {
    const uint i = get_global_id(0), k = in[i] % 3;
    out[i] = primes[in[i] % 10] + named[k].value + named[k].name[k] + text[i % sizeof text] + table[in[i] & 255];
}

// launch: global 64 local 32
kernel void pointer_arithmetic(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    global const uint *p = in + i, *end = p + 12;
    global const uchar *bytes = (global const uchar *)p + 1;
    uint sum = 0;
    while (p != end) {
        sum += *p++ & 0xff;
        if (*bytes > 128) p += p + 1 < end;
        bytes += 3;
    }
    out[i] = sum + (uint)(end - (in + i));
}

// launch: global 64 local 16
kernel void pointers_to_local(global const int *in, global int *out, local int *a, local int4 *b) {
    const int i = get_local_id(0);
    local int *p = i & 1 ? a : (local int *)b;
    a[i] = in[get_global_id(0)];
    b[i] = (int4)(i, 2 * i, 3 * i, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[15 - i] + b[(i + 1) & 15].w;
}

// launch: global 64 local 32
kernel void null_pointer_tests(global const int *in, global int *out) {
    const int i = get_global_id(0);
    global const int *p = in[i] > 0 ? in + i : 0;
    out[i] = p ? *p : -1;
}
