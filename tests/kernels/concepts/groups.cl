/* Cooperation of work-items: atomics and copies. Results do not depend on the order. */

// launch: global 128 local 32
kernel void global_atomics(global const int *in, volatile global int *out) {
    const int i = get_global_id(0), a = in[i];
    atomic_add(&out[0], a);
    atomic_sub(&out[1], a);
    atomic_inc(&out[2]);
    atomic_dec(&out[3]);
    atomic_min(&out[4], a);
    atomic_max(&out[5], a);
    atomic_or(&out[7], a);
    atomic_xor(&out[8], a);
    atomic_and(&out[6], a);
    atom_add(&out[16 + (a & 7)], 1);
    if (a & 1) atomic_max((volatile global uint *)&out[10], (uint)a);
}

// launch: global 128 local 64
kernel void local_histogram(global const uchar *in, global uint *out) {
    local uint bins[16];
    const uint i = get_local_id(0);
    if (i < 16) bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 8; k++) atomic_inc(&bins[in[get_global_id(0) * 8 + k] & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16) atomic_add(&out[i], bins[i]);
    if (i < 16) out[16 + get_group_id(0) * 16 + i] = bins[i];
}

// launch: global 64 local 32
kernel void compare_and_exchange(global const float *in, volatile global float *out) {
    const float a = in[get_global_id(0)];
    volatile global uint *p = (volatile global uint *)&out[0];
    uint seen = *p, old; /* the largest */
    do {
        old = seen;
        if (as_float(old) >= a) break;
        seen = atomic_cmpxchg(p, old, as_uint(a));
    } while (seen != old);
    atomic_xchg(&out[1 + get_global_id(0)], a);
}

// launch: global 64 local 16
kernel void last_group(global const uint *in, volatile global uint *out) {
    local uint order;
    const uint i = get_local_id(0), n = get_num_groups(0);
    if (i == 0) {
        uint sum = 0;
        for (uint k = 0; k < 16; k++) sum += in[get_group_id(0) * 16 + k];
        atomic_xchg(&out[1 + get_group_id(0)], sum);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        order = atomic_inc(&out[0]);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (order == n - 1 && i == 0) {
        uint total = 0;
        for (uint g = 0; g < n; g++) total += out[1 + g];
        out[20] = total;
    }
}

// launch: global 64 local 16
kernel void async_copies(global const int4 *in, global int4 *out) {
    local int4 tile[32];
    const uint n = get_local_size(0), first = get_group_id(0) * n;
    event_t e[2];
    e[0] = async_work_group_copy(tile, in + first, n, 0);
    e[1] = async_work_group_copy(tile + n, in + first + 64, n, 0);
    wait_group_events(2, e);
    const int4 sum = tile[get_local_id(0)] + tile[n + n - 1 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t back = async_work_group_copy(out + first, tile, n, 0);
    wait_group_events(1, &back);
}

// launch: global 8 4 local 4 4
kernel void strided_copies(global const float *in, global float *out) {
    local float tile[16];
    const uint group = get_group_id(0), i = get_local_id(1) * 4 + get_local_id(0);
    prefetch(in + group, 16);
    event_t e = async_work_group_strided_copy(tile, in + group, 16, 3, 0);
    wait_group_events(1, &e);
    const float v = tile[15 - i] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(out + group, tile, 16, 2, 0);
    wait_group_events(1, &e);
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
// launch: global 96 local 32
kernel void long_atomics(global const long *in, volatile global long *out) {
    local long sum;
    const uint i = get_global_id(0);
    if (get_local_id(0) == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&out[0], in[i]);
    atom_sub((volatile global ulong *)&out[1], (ulong)in[i]);
    atom_min(&out[2], in[i]);
    atom_max(&out[3], in[i]);
    atom_or(&out[4], 1L << (i % 64));
    atom_xor(&out[5], in[i]);
    atom_and(&out[7], in[i]);
    atom_inc(&out[8 + (i & 3)]);
    atom_dec(&out[12]);
    atom_add(&sum, in[i] << 3);
    if (i & 1) atom_cmpxchg(&out[16 + i], 0L, in[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atom_xchg(&out[120 + get_group_id(0)], sum);
}
