/* How often each byte occurs: a work-group counts in local memory what its work-items read, four bytes at a time, then
 * adds its counts to those of all. Work-items that meet the same byte wait for each other. */
#ifdef OWN_BINS
/* Each work-item counts in bytes of its own, without atomics, so it may read 63 words; the host adds up the groups'. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
histogram(__global const uint *data, const uint words, __global uint *counts) {
    __local uchar count[256][GROUP] __attribute__((aligned(4)));
    const uint me = get_local_id(0);

    for (uint i = me; i < 256 * GROUP / 4; i += GROUP) ((__local uint *)count)[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < words; i += get_global_size(0)) {
        const uint word = data[i];
        count[word & 255][me]++;
        count[word >> 8 & 255][me]++;
        count[word >> 16 & 255][me]++;
        count[word >> 24][me]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = me; i < 256; i += GROUP) {
        uint sum = 0;
        for (uint item = 0; item < GROUP; item++) sum += count[i][(item + me) % GROUP];
        counts[get_group_id(0) * 256 + i] = sum;
    }
}
#else
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
histogram(__global const uint *data, const uint words, __global uint *counts) {
    __local uint count[256];
    const uint me = get_local_id(0);

    for (uint i = me; i < 256; i += GROUP) count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_global_id(0); i < words; i += get_global_size(0)) {
        const uint word = data[i];
        atomic_inc(&count[word & 255]);
        atomic_inc(&count[word >> 8 & 255]);
        atomic_inc(&count[word >> 16 & 255]);
        atomic_inc(&count[word >> 24]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = me; i < 256; i += GROUP)
        if (count[i]) atomic_add(&counts[i], count[i]);
}
#endif
