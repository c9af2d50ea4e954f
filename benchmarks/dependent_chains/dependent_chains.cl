/* A chain of operations, each on the result of the one before, by the first ACTIVE of every WARP work-items: 2 x 128
 * instructions in each step, which nothing but a processor's latency and lanes holds up. */
#define TWO     x += a; x ^= a;
#define EIGHT   TWO TWO TWO TWO
#define CHAIN   EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT

__kernel void dependent_chains(__global const uint *start, __global const uint *operand, __global uint *result,
                               const int steps, const int active) {
    const int i = get_global_id(0);
    const uint a = operand[i];
    uint x = start[i];
    if (get_local_id(0) % WARP < active) {
#pragma unroll 1
        for (int n = 0; n < steps; n++) {
            CHAIN CHAIN CHAIN CHAIN
        }
    }
    result[i] = x;
}
