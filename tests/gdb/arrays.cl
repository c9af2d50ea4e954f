/* For `checked`: a private array that is read and written with indices that the compiler does not know. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0);
    int table[16];
    for (int i = 0; i < 16; i++) table[i] = in[(me + i) & 127];
    for (int round = 0; round < in[3]; round++) {
        int sum = 0;
        for (int i = 0; i < 16; i++)
            if (table[i] > table[(me + round) & 15]) sum += i;
        table[sum & 15] += round;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[get_local_id(0)] = sum;
    }
    out[me] = table[in[me] & 15];
}
