/* Fourier transforms, one a work-group, by radix 2 and Stockham's order: each pass reads one half of local memory and
 * writes the other, so that nothing is reordered at the end. Each work-item does one butterfly a pass. The factors
 * exp(-2 pi i k / LENGTH) come from the host; with SINES each work-item computes that of its third pass, one of four.
 * No multiply-add may be fused, so that every device gives the same bits without. */
#pragma OPENCL FP_CONTRACT OFF
#define EIGHTH 0.785398163f /* of a turn */

__kernel __attribute__((reqd_work_group_size(LENGTH / 2, 1, 1))) void
fft(__global const float2 *signal, __global float2 *spectrum, __constant const float2 *factor) {
    __local float2 value[2][LENGTH];
    const int k = get_local_id(0);
    const int first = (int)get_group_id(0) * LENGTH;
    int from = 0;
#ifdef SINES
    const float2 third = (float2)(native_cos(k % 4 * EIGHTH), -native_sin(k % 4 * EIGHTH));
#endif

    value[0][k] = signal[first + k];
    value[0][k + LENGTH / 2] = signal[first + k + LENGTH / 2];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int done = 1; done < LENGTH; done *= 2) {
        const int within = k & (done - 1);
        const int to = (k - within) * 2 + within;
#ifdef SINES
        const float2 f = done == 4 ? third : factor[within * (LENGTH / 2 / done)];
#else
        const float2 f = factor[within * (LENGTH / 2 / done)];
#endif
        const float2 a = value[from][k], b = value[from][k + LENGTH / 2];
        const float2 turned = (float2)(b.x * f.x - b.y * f.y, b.x * f.y + b.y * f.x);
        value[1 - from][to] = a + turned;
        value[1 - from][to + done] = a - turned;
        barrier(CLK_LOCAL_MEM_FENCE);
        from = 1 - from;
    }

    spectrum[first + k] = value[from][k];
    spectrum[first + k + LENGTH / 2] = value[from][k + LENGTH / 2];
}
