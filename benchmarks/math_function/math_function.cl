/* A function of the math library, CALL(x, y), again and again: each call is a level of a loop inside which threads may
 * part and should meet again. REAL is float or double. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void math_function(__global const REAL *x, __global REAL *result, const uint calls) {
    const uint i = get_global_id(0), count = get_global_size(0);
    for (uint n = 0; n < calls; n++) {
        const REAL argument = x[n * count + i], y = (REAL)1.5;
        result[n * count + i] = CALL(argument, y);
    }
}
