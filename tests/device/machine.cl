/* Kernels for tests/runtime/test_device_machine.c: functions of the device library that need the machine. */

#define IDS 32

kernel void ids(global uint *out) {
    const uint w = get_global_id(0) - get_global_offset(0) +
                   get_global_size(0) * (get_global_id(1) - get_global_offset(1) +
                                         get_global_size(1) * (get_global_id(2) - get_global_offset(2)));
    global uint *o = out + w * IDS;
    for (uint d = 0; d < 4; d++) {
        o[d] = get_local_id(d);
        o[4 + d] = get_global_id(d);
        o[8 + d] = get_group_id(d);
        o[12 + d] = get_num_groups(d);
        o[16 + d] = get_local_size(d);
        o[20 + d] = get_global_size(d);
        o[24 + d] = get_global_offset(d);
    }
    o[28] = get_work_dim();
    o[29] = get_local_id(2);
    o[30] = get_global_size(1);
    o[31] = get_group_id(0);
}

/* Words 0–7: global counters; 8: a float sum kept with cmpxchg; from 16 on: one sum for each work-group. */
kernel void atomics(volatile global int *out) {
    local int sum;
    const int i = (int)get_global_id(0);
    if (get_local_id(0) == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[0], i);
    atom_sub(&out[1], i);
    atomic_inc(&out[2]);
    atomic_dec(&out[3]);
    atomic_min(&out[4], -i);
    atomic_max(&out[5], i);
    atomic_or(&out[6], 1 << (i & 31));
    atomic_xor(&out[7], i);
    if (i % 3 != 0) {
        volatile global uint *p = (volatile global uint *)&out[8];
        uint old, seen = *p;
        do {
            old = seen;
            seen = atomic_cmpxchg(p, old, as_uint(as_float(old) + 0.5f));
        } while (seen != old);
    }
    atomic_add(&sum, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[16 + get_group_id(0)] = atomic_xchg(&sum, 0);
}

/* Every work-item exchanges `expected` for `value` and ignores the result. */
kernel void compare(volatile global int *out, int expected, int value) {
    atomic_cmpxchg(&out[0], expected, value);
}
kernel void compare_long(volatile global long *out, int expected, int value) {
    atom_cmpxchg(&out[0], (long)expected << 32, (long)value << 32);
}

/* Every work-group reverses its part through local memory. */
kernel void copies(const global int *in, global int *out, local int *buffer) {
    const uint n = get_local_size(0), first = get_group_id(0) * n;
    event_t e = async_work_group_copy(buffer, in + first, n, 0);
    wait_group_events(1, &e);
    const int value = buffer[n - 1 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    buffer[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(out + 2 * first, buffer, n, 2, 0);
    wait_group_events(1, &e);
}
