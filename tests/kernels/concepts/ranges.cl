/* Work-item functions in one to three dimensions, with offsets. */

#define REPORT(out, n)                                                                                         \
    do {                                                                                                       \
        uint r = 0;                                                                                            \
        for (uint d = 0; d < 3; d++)                                                                           \
            r = r * 31 + get_global_id(d) + 7 * get_local_id(d) + 11 * get_group_id(d) + 13 * get_num_groups(d) +  \
                17 * get_local_size(d) + 19 * get_global_size(d) + 23 * get_global_offset(d);                  \
        out[n] = r + get_work_dim();                                                                           \
    } while (0)

// launch: global 120 local 24
kernel void one_dimension(global uint *out) { REPORT(out, get_global_id(0)); }

// launch: global 100 local 1 offset 17
kernel void groups_of_one(global uint *out) { REPORT(out, get_global_id(0) - get_global_offset(0)); }

// launch: global 24 6 local 8 3 offset 100 7
kernel void two_dimensions(global uint *out) {
    const uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    REPORT(out, y * get_global_size(0) + x);
}

// launch: global 10 6 4 local 5 2 4 offset 3 0 9
kernel void three_dimensions(global uint *out) {
    const uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
               z = get_global_id(2) - get_global_offset(2);
    REPORT(out, (z * get_global_size(1) + y) * get_global_size(0) + x);
}

// launch: global 84 local 7
__attribute__((reqd_work_group_size(7, 1, 1))) kernel void odd_groups(global const uint *in, global uint *out) {
    local uint part[7];
    part[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[6 - get_local_id(0)];
}
