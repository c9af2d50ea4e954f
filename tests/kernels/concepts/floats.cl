/* Floating point: arithmetic, math, common and geometric functions, double, half. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

// launch: global 64 local 32
kernel void float_arithmetic(global const float *in, global float *out) {
    const int i = get_global_id(0);
    const float a = in[i], b = in[i + 64] + 1000, c = in[i + 128];
    out[4 * i] = a * b + c;
    out[4 * i + 1] = a / b - sqrt(b);
    out[4 * i + 2] = fma(a, b, c) + mad(a, 2.0f, c);
    out[4 * i + 3] = fmod(b, fabs(c) + 1) + trunc(a) + rint(c) + floor(a) * ceil(c) + round(a);
}

// launch: global 64 local 32
kernel void elementary_functions(global const float *in, global float *out) {
    const int i = get_global_id(0);
    const float a = in[i] / 64, b = fabs(in[i + 64]) / 64 + 0.25f;
    global float *o = out + 16 * i;
    o[0] = exp(a);
    o[1] = log(b);
    o[2] = sin(a);
    o[3] = cos(a);
    o[4] = tan(b / 8);
    o[5] = pow(b, a / 4);
    o[6] = atan2(a, b);
    o[7] = asin(b / 9) + acos(b / 9);
    o[8] = sinh(a) + 2 * cosh(a);
    o[9] = tanh(a);
    o[10] = exp2(a) + exp10(a / 4);
    o[11] = log2(b) + log10(b) + log1p(b);
    o[12] = cbrt(a) + rsqrt(b) + hypot(a, b);
    o[13] = erf(a) + erfc(a);
    o[14] = lgamma(b) + tgamma(b);
    o[15] = sinpi(a) + cospi(a) + atanpi(a);
}

// launch: global 32 local 16
kernel void functions_with_two_results(global const float *in, global float *out, local float *l) {
    const int i = get_global_id(0);
    const float a = in[i], b = in[i + 32] + 600;
    float whole, cosine;
    int e, q, s;
    global float *o = out + 12 * i;
    o[0] = modf(a, &o[1]);
    o[2] = fract(a, &l[get_local_id(0)]) + l[get_local_id(0)];
    o[3] = sincos(a, &cosine);
    o[4] = cosine;
    o[5] = frexp(a, &e);
    o[6] = e;
    o[7] = remquo(a, b, &q);
    o[8] = q & 7;
    o[9] = lgamma_r(a / 100 - 0.3f, &s);
    o[10] = s + ilogb(b) + logb(b);
    o[11] = ldexp(a, i - 16) + nextafter(a, b) + fdim(b, a) + maxmag(a, -b) + copysign(b, a);
}

// launch: global 32 local 16
kernel void vector_math(global const float4 *in, global float4 *out) {
    const int i = get_global_id(0);
    const float4 a = in[i] / 128, b = fabs(in[i + 32]) / 64 + 1;
    float4 whole;
    out[4 * i] = sin(a) + native_cos(b);
    out[4 * i + 1] = pown(a, (int4)(2, 3, -1, 0)) + rootn(b, 3) + half_sqrt(b);
    out[4 * i + 2] = fmax(a, 0.5f) + fmin(a, b) + clamp(a, -1.0f, 1.0f) + fract(a, &whole);
    out[4 * i + 3] = whole + native_divide(a, b) + powr(b, a);
}

// launch: global 64 local 32
kernel void common_functions(global const float2 *in, global float2 *out) {
    const int i = get_global_id(0);
    const float2 a = in[i] / 64, b = in[i + 64] / 64;
    out[4 * i] = mix(a, b, 0.25f) + step(a, b);
    out[4 * i + 1] = smoothstep(-2.0f, 3.0f, a);
    out[4 * i + 2] = degrees(a) + radians(b);
    out[4 * i + 3] = sign(a) + max(a, b) * min(a, 1.0f);
}

// launch: global 64 local 32
kernel void geometric_functions(global const float4 *in, global float4 *out) {
    const int i = get_global_id(0);
    const float4 a = in[i] / 64, b = in[i + 64] / 64;
    out[4 * i] = cross(a, b);
    out[4 * i + 1] = normalize(a) + (float4)(normalize(b.xyz), fast_length(a.xy));
    out[4 * i + 2] = (float4)(dot(a, b), length(a.xyz), distance(a, b), fast_distance(a.xy, b.xy));
    out[4 * i + 3] = fast_normalize(b);
}

// launch: global 32 local 16
kernel void double_functions(global const double *in, global double *out) {
    const int i = get_global_id(0);
    const double a = in[i], b = fabs(in[i + 32]) + 0.5;
    double whole;
    global double *o = out + 12 * i;
    o[0] = a * b - a / b;
    o[1] = sqrt(b) + cbrt(a);
    o[2] = exp(a / 100) + log(b);
    o[3] = sin(a) * cos(b) + tan(a / 500);
    o[4] = pow(b, 1.5) + fma(a, b, 1.0);
    o[5] = floor(a) + modf(a, &whole);
    o[6] = whole + convert_long_rte(a);
    o[7] = convert_int_sat(a * 1e9);
    o[8] = convert_double(as_ulong(a)) * 0x1p-40;
    o[9] = dot((double4)(a, b, 1, 2), (double4)(b, a, 3, 4)) + length((double2)(a, b));
    o[10] = fmax(a, 3.0) + isgreater(a, b) + atan2(a, b);
    o[11] = (float)a + (double)(float)b + ldexp(a, i);
}

// launch: global 32 local 16
kernel void double_vectors(global const double4 *in, global double4 *out) {
    const int i = get_global_id(0);
    const double4 a = in[i] / 16, b = in[i + 32];
    out[2 * i] = select(a, b, isless(a, b)) + rint(a).wzyx;
    out[2 * i + 1] = exp2(a / 32) + convert_double4(convert_int4_rtn(b)) + mix(a, b, 0.5);
}

// launch: global 32 local 16
kernel void half_loads(global const half *in, global float *out, constant half *c) {
    const int i = get_global_id(0);
    out[8 * i] = vload_half(i, in);
    vstore3(vload_half3(i, in) + vloada_half3(i, c), 0, out + 8 * i + 1);
    vstore4(vload_half4(i, in) + vload_half8(0, c).odd, 0, out + 8 * i + 4);
}

// launch: global 32 local 16
kernel void half_stores(global const float *in, global ushort *out) {
    const int i = get_global_id(0);
    const float a = in[i] * (i & 1 ? 0.001f : 37.3f);
    global half *o = (global half *)(out + 24 * i);
    vstore_half(a, 0, o);
    vstore_half_rtz(a, 1, o);
    vstore_half_rtp(a, 2, o);
    vstore_half_rtn(a, 3, o);
    vstore_half4((float4)(a, a * 1e-6f, a * 100, -a), 1, o);
    vstorea_half3_rte((float3)(a, 2 * a, 1 / a), 2, o);
    vstore_half2((double2)(a, a / 3.0), 6, o);
    vstorea_half8_rtz((float8)(a, a, a / 3, a / 5, -a / 3, -a / 5, 0, 1), 2, o);
}
