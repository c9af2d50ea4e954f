/* A pass of a radix sort by four bits of the keys: how often each digit occurs in a work-group; after the host has summed
 * that up, each key goes to its place behind all keys with the same digit before it. */
#define DIGITS 16

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
count(__global const uint *keys, __global uint *counts, const uint keys_count, const uint shift) {
    __local uint tally[DIGITS];
    const uint i = get_global_id(0), local_id = get_local_id(0);

    if (local_id < DIGITS) tally[local_id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < keys_count) atomic_inc(&tally[keys[i] >> shift & (DIGITS - 1)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_id < DIGITS) counts[local_id * get_num_groups(0) + get_group_id(0)] = tally[local_id];
}

/* first[digit * groups + group] is the place of the group's first key with the digit. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
scatter(__global const uint *keys, __global uint *sorted, __global const uint *first, const uint keys_count,
        const uint shift) {
    __local uint digits[GROUP];
    const uint i = get_global_id(0), local_id = get_local_id(0);
    const uint key = i < keys_count ? keys[i] : 0, digit = key >> shift & (DIGITS - 1);

    digits[local_id] = digit;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < keys_count) {
        uint place = first[digit * get_num_groups(0) + get_group_id(0)];
        for (uint other = 0; other < local_id; other++)
            if (digits[other] == digit) place++;
        sorted[place] = key;
    }
}
