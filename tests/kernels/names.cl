/* Names that the device library, C or the linker also use. */
float exp_data(float x) { return x + 1; }
int memcpy(int x) { return x * 2; }
__kernel void sinf(__global float *a) { a[0] = sin(a[0]) + exp_data(a[1]); }
__kernel void main(__global int *a) { a[0] = memcpy(a[1]); }
__kernel void lockstep_startup(__global float *a) { a[0] = exp(a[0]); }
__kernel void sqrt_of(__global float *a) { a[0] = sqrt(a[0]); sinf(a); }
