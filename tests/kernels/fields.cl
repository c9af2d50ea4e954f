/* A little of everything that a field of a configuration is about. */
__constant int table[512] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

__attribute__((noinline)) int follow(int n) {
    return n & 1 ? 3 * n + 1 : n / 2;
}

/* Threads diverge here, by their number and by values that they read. */
__attribute__((noinline)) int steps(int n, int most) {
    int count = 0;
    while (n != 1 && count < most) {
        n = follow(n);
        count++;
    }
    return count;
}

__kernel void fields(__global int *a, int n) {
    __local int shared[64];
    __local float sums[64];
    const int i = get_global_id(0), l = get_local_id(0);
    int value = a[i], far = a[(i * 257) & 2047];
    int own[12];
    for (int k = 0; k < 12; k++) own[(k + l) % 12] = value + k;
    shared[l] = value;
    sums[l] = value + 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++) value += shared[(l * 3 + k) & 31] * table[k * 40] + own[k % 12] + shared[l / 4];
    for (int k = 0; k < 4; k++) value += table[(l * 8 + k) & 511] + a[(i * 33 + k * 512) & 2047];
    if (l & 1) value += steps(i + 3, 20);
    else if (l & 2) value -= a[2048 + ((l * 37) & 1023)];
    switch (l & 7) {
    case 0: value ^= far; break;
    case 3: value /= (far & 7) + 1; break;
    case 5: value <<= far & 3;
    }
    float f = (float)(value & 255);
    f = mad(f * sums[l], 1.5f, f) * 0.25f;
    const float quotient = sqrt(f * f) / (sums[l / 2] + 1.0f);
    double d = (double)(value & 15) / (l + 1.0) * 1.5 + i;
    d = mad(d, d, (double)quotient) - sqrt(d);
    for (int k = 1; k < 32; k *= 4) {
        const int other = shared[l ^ k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((l & k) == 0) shared[l] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if ((l & 3) == 0) {
        atomic_add(&a[4000 + (i & 3)], 1);
        a[4004 + (i & 7)] = i;
    }
    a[i] = value + shared[0] + (int)d + (int)quotient;
    a[2048 + i] = a[2048 + ((i + 640) & 1023)] + l;
    if (l >= 32)
        for (int k = 0; k < 8; k++) a[4096 + (i * 19 + k * 67) % 4096] += k;
}
