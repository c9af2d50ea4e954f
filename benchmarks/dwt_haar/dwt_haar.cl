/* Haar's wavelet transform of pieces of a signal, one a work-group of half as many work-items: level after level, the
 * means (times the square root of 2) of pairs of values go on to the next level, and their differences are the result.
 * Each level leaves half of the work-items without work. No multiply-add may be fused, so that every device gives the
 * same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* `result`: of a signal of `length` values the coarsest differences come first, so those of a level of `values` values
 * begin at values / 2; `mean`: what is left of each piece. */
__kernel __attribute__((reqd_work_group_size(PIECE / 2, 1, 1))) void
dwt_haar(__global const float *signal, __global float *result, __global float *mean, const int length) {
    __local float value[PIECE];
    const int item = get_local_id(0), piece = get_group_id(0);
    const float scale = 0.70710678f;

    value[item] = signal[piece * PIECE + item];
    value[item + PIECE / 2] = signal[piece * PIECE + item + PIECE / 2];
    barrier(CLK_LOCAL_MEM_FENCE);

    int whole = length;
    for (int pairs = PIECE / 2; pairs > 0; pairs /= 2) {
        float sum = 0.0f;
        whole /= 2;
        if (item < pairs) {
            const float a = value[2 * item], b = value[2 * item + 1];
            sum = (a + b) * scale;
            result[whole + piece * pairs + item] = (a - b) * scale;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < pairs) value[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (item == 0) mean[piece] = value[0];
}
