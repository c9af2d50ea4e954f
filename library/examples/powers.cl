// y[i] += x[i] * a to the power of i % 4: the threads of a warp leave the loop one after the other.
kernel void powers(float a, global const float *x, global float *y) {
    const uint i = get_global_id(0);
    float product = x[i];
    for (uint k = i % 4; k > 0; --k) product *= a;
    y[i] += product;
}
