/* Kernels of tests/reckoning/test_reckoning.c. LEVELS: the machine has priorities. SCALAR: it has scalar units. */
#ifdef SCALAR
#include <lockstep_scalar.h>
#endif

__attribute__((noinline)) int step(int x, int n) { return (x & 1) ? 3 * x + n : x / 2; }

/* Work-items diverge, wait at barriers, have arrays on their stacks, divide, and share a word. */
__kernel void parts(__global int *a, int n) {
    __local int sum[128];
    volatile int mine[4];
    int l = get_local_id(0), g = get_global_id(0), x = a[g];
    float y = 1;
    for (int i = 0; i < 4; i++) mine[i] = x + i;
    for (int i = 0; i < l % 5; i++) x = step(x, n) + mine[i & 3];
    for (int i = 0; i < 4; i++) { if (x >> i & 1) { if (x & 8) break; x += i; } else x ^= n; }
    if (l % 3 == 0) y = sqrt((float)(x & 255)) / (n + 1);
    if (l & 2) { if (x == 123456) return; x += (int)y; } else x = x / (n + l);
    sum[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = get_local_size(0) / 2; h > 0; h /= 2) {
        if (l < h) sum[l] += sum[l + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[g] = sum[0];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (l % 8 == 0) atomic_add(a + 1000, sum[0]);
    a[g] = x + sum[l & 1];
}

/* Threads leave a loop at different times; tests/machine/test_pairs.c. */
__kernel void leaves(__global int *a, int n) {
    int g = get_global_id(0), x = a[g], k = 0;
    while (x > n && k < 20) { x = (x & 1) ? x - n : x / 2; k++; }
    a[g] = x + k * n;
}

/* Some threads of a warp wait at a barrier; the others exit beyond the re-convergence point. */
__kernel void some(__global int *a, int n) {
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 40) barrier(CLK_LOCAL_MEM_FENCE);
    a[g] += n + l;
}

/* Conditions of instructions decide which threads wait, and which exit. */
__kernel void conditional(__global int *a, int n) {
    int l = get_local_id(0), g = get_global_id(0);
    __asm__ volatile("cmp %0, #40\n mcrlt p7, 0, r0, c4, c0, 0" ::"r"(l) : "cc", "memory");
    a[g] += n;
    __asm__ volatile("cmp %0, #60\n mcrge p7, 0, r0, c4, c1, 0" ::"r"(l) : "cc", "memory");
    __asm__ volatile("cmp %1, #1000\n addge %0, %0, #1" : "+r"(n) : "r"(l) : "cc");
    __asm__ volatile("ldm %1, {r4, r5}\n sub %0, r4, r5" : "=r"(n) : "r"(a + l) : "r4", "r5");
#ifdef LEVELS
    __asm__ volatile("mcr p7, 0, r0, c3, c0, 0\n mcr p7, 0, r0, c3, c0, 0\n mcr p7, 0, r0, c3, c2, 1");
#endif
    a[512 + g] += l * n;
}

/* Each load depends on the previous one; several words in one load. */
__kernel void loads(__global int *a, int n) {
    int g = get_global_id(0), k = g;
    long x = 0;
    volatile double mine[2] = {g, n};
    double y = 0;
    for (int i = 0; i < 6; i++) { k = (a[k] + i * 67) & 511; x += a[k] * (long)k; y += mine[i & 1]; }
    int4 v = ((__global int4 *)a)[k & 127];
    x += v.x + 3 * v.y + 5 * v.z + 7 * v.w + (int)y;
    a[512 + (g & 255)] = (int)(x >> 1);
}

/* Loads and stores of several registers in each memory, and a loop that some threads leave in its middle. */
__kernel void several(__global int *a, int n) {
    __local int tile[512];
    int l = get_local_id(0), g = get_global_id(0), x = a[g], i = l % 5 + n;
    __local int *own = tile + 4 * l;
    __global int *out = a + 512 + 4 * (g & 63);
    __asm__ volatile("mov r4, %0\n"
                     "add r5, r4, %3\n"
                     "add r6, r5, #3\n"
                     "stm %2, {r4, r5, r6}\n"
                     "push {r4, r5, r6}\n"
                     "ldm %2, {r5, r6, r7}\n"
                     "pop {r4, r6, r7}\n"
                     "stm %1!, {r4, r5}\n"
                     "cmp r4, #20\n"
                     "stmgt %1, {r5, r6}\n"
                     "ldrd r4, r5, [%2]\n"
                     "strd r4, r5, [%1, #-8]\n"
                     "add %0, r4, r6"
                     : "+r"(x), "+r"(out)
                     : "r"(own), "r"(n)
                     : "r4", "r5", "r6", "r7", "cc", "memory");
    do {
        x += tile[(l + i) & 511];
        if ((x & 15) == i) goto end;
    } while (--i > 0);
    __asm__ volatile("rsb %0, %0, #0\n nop\n nop\n nop\n nop" : "+r"(x));
end:
    a[g] = x;
}

#ifdef SCALAR
/* With a scalar thread. */
__kernel void beside(__global int *a, int n) {
    __local int s[4];
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 40) lockstep_sync(1);
    a[g] += s[l & 3];
}
LOCKSTEP_SCALAR_OF(beside)
__kernel void beside_scalar(__global int *a, int n) {
    __local int *s = (__local int *)0x40000000;
    for (int i = 0; i < 4; i++) s[i] = a[512 + i] / (n + i);
    lockstep_sync(1);
}
#endif
