/* fft.cl with SINES, whose four factors the scalar thread computes: the work-items meet it before their third pass,
 * where they meet anyway. */
#pragma OPENCL FP_CONTRACT OFF
#define EIGHTH 0.785398163f /* of a turn */
#include <lockstep_scalar.h>

__kernel __attribute__((reqd_work_group_size(LENGTH / 2, 1, 1))) void
fft(__global const float2 *signal, __global float2 *spectrum, __constant const float2 *factor) {
    __local float2 value[2][LENGTH];
    LOCKSTEP_SHARED __local float2 third[4];
    const int k = get_local_id(0);
    const int first = (int)get_group_id(0) * LENGTH;
    int from = 0;

    value[0][k] = signal[first + k];
    value[0][k + LENGTH / 2] = signal[first + k + LENGTH / 2];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int done = 1; done < LENGTH; done *= 2) {
        const int within = k & (done - 1);
        const int to = (k - within) * 2 + within;
        const float2 f = done == 4 ? third[within] : factor[within * (LENGTH / 2 / done)];
        const float2 a = value[from][k], b = value[from][k + LENGTH / 2];
        const float2 turned = (float2)(b.x * f.x - b.y * f.y, b.x * f.y + b.y * f.x);
        value[1 - from][to] = a + turned;
        value[1 - from][to + done] = a - turned;
        if (done == 2)
            lockstep_sync(1);
        else
            barrier(CLK_LOCAL_MEM_FENCE);
        from = 1 - from;
    }

    spectrum[first + k] = value[from][k];
    spectrum[first + k + LENGTH / 2] = value[from][k + LENGTH / 2];
}

LOCKSTEP_SCALAR_OF(fft)
__kernel void fft_scalar(__global const float2 *signal, __global float2 *spectrum, __constant const float2 *factor) {
    LOCKSTEP_SHARED __local float2 third[4];
    for (int k = 0; k < 4; k++) third[k] = (float2)(native_cos(k * EIGHTH), -native_sin(k * EIGHTH));
    lockstep_sync(1);
}
