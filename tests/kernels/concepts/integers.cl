/* Integer, relational and vector functions of the device library. */

// launch: global 64 local 32
kernel void integer_functions(global const int *in, global int *out) {
    const int i = get_global_id(0), a = in[i] << 15, b = in[i + 64] << 13, c = in[i + 128];
    global int *o = out + 16 * i;
    o[0] = abs(a);
    o[1] = abs_diff(a, b);
    o[2] = add_sat(a, b);
    o[3] = sub_sat(a, b);
    o[4] = hadd(a, b);
    o[5] = rhadd(a, b);
    o[6] = clamp(a, -1000000, 1000000);
    o[7] = clz(c);
    o[8] = mul_hi(a, b);
    o[9] = mad_hi(a, b, c);
    o[10] = mad_sat(a, b, c);
    o[11] = rotate(a, c);
    o[12] = popcount(b);
    o[13] = mul24(c, in[i]);
    o[14] = mad24(c, in[i], a);
    o[15] = max(a, b) ^ min(a, c);
}

// launch: global 32 local 16
kernel void narrow_vector_functions(global const uchar8 *in, global uchar8 *out) {
    const int i = get_global_id(0);
    const uchar8 a = in[i], b = in[i + 32];
    global uchar8 *o = out + 8 * i;
    o[0] = add_sat(a, b);
    o[1] = sub_sat(a, b);
    o[2] = hadd(a, b);
    o[3] = mul_hi(a, b);
    o[4] = rotate(a, b);
    o[5] = clz(a) + popcount(b);
    o[6] = abs_diff(a, b);
    o[7] = convert_uchar8_sat(upsample(a, b) >> (ushort)3);
}

// launch: global 32 local 16
kernel void long_functions(global const ulong2 *in, global ulong2 *out) {
    const int i = get_global_id(0);
    const ulong2 a = in[i], b = in[i + 32];
    const long2 s = as_long2(a), t = as_long2(b);
    global ulong2 *o = out + 8 * i;
    o[0] = mul_hi(a, b);
    o[1] = as_ulong2(mul_hi(s, t));
    o[2] = as_ulong2(mad_sat(s, t, s));
    o[3] = add_sat(a, b);
    o[4] = rotate(a, b);
    o[5] = clz(a >> (ulong)17) + popcount(b);
    o[6] = abs_diff(s, t);
    o[7] = as_ulong2(rhadd(s, t));
}

// launch: global 32 local 16
kernel void select_any_all(global const int4 *in, global int4 *out) {
    const int i = get_global_id(0);
    const int4 a = in[i], b = in[i + 32], c = in[i + 64];
    out[4 * i] = select(a, b, c);
    out[4 * i + 1] = bitselect(a, b, c);
    out[4 * i + 2] = (int4)(any(a), all(b), any(a > b), all(a < 30000));
    out[4 * i + 3] = select(a, b, as_uint4(a > c)) + select(1, 2, a.x);
}

// launch: global 64 local 32
kernel void float_relations(global const float *in, global int *out) {
    const int i = get_global_id(0);
    float a = in[i], b = in[i + 1];
    if (i % 7 == 0) a = NAN;
    if (i % 11 == 0) b = -INFINITY;
    if (i % 5 == 0) b = a;
    const int4 v = isgreater((float4)(a, b, a, 1), (float4)(b, a, a, NAN));
    out[2 * i] = isequal(a, b) + 2 * isnotequal(a, b) + 4 * isless(a, b) + 8 * isgreaterequal(a, b) +
                 16 * islessgreater(a, b) + 32 * isordered(a, b) + 64 * isunordered(a, b) + 128 * isnan(a) +
                 256 * isinf(b) + 512 * isfinite(b) + 1024 * isnormal(a) + 2048 * (signbit(b) != 0) +
                 4096 * islessequal(a, b);
    out[2 * i + 1] = v.x + 3 * v.y + 9 * v.z + 27 * v.w;
}

// launch: global 16 local 16
kernel void shuffles(global const ushort16 *in, global const ushort16 *masks, global ushort16 *out) {
    const int i = get_global_id(0);
    const ushort16 a = in[i], b = in[i + 16], m = masks[i];
    out[2 * i] = shuffle2(a, b, m);
    out[2 * i + 1] = (ushort16)(shuffle(a.lo, m.lo), shuffle(b.s0123, m.s89ab), shuffle(a, m.s01), shuffle2(a.xy, b.xy, m.s67));
}

// launch: global 16 local 8
kernel void vector_loads_and_stores(global const int *in, global int *out, local int *l, constant int *c) {
    const int i = get_local_id(0), g = get_global_id(0);
    int p[16];
    vstore16(vload16(g, in), 0, p);
    vstore8(vload8(0, p + 3), i, l);
    vstore3(vload3(1, p), 0, l + 8 * i + 5);
    vstore4(vload4(g, c + 1) + vload4(0, l + 8 * i), 3 * g, out);
    vstore2(vload2(1, l + 8 * i), 0, out + 12 * g + 4);
    vstore4(vload4(2, p), 3 * g + 2, out);
}

// launch: global 64 local 32
kernel void reinterpretation(global const uint *in, global uint *out) {
    const int i = get_global_id(0);
    const float f = as_float(in[i] & 0x7f7fffff);
    out[4 * i] = as_uint(-f);
    out[4 * i + 1] = as_ushort2(in[i]).y + as_uchar4(in[i]).z;
    out[4 * i + 2] = as_uint(as_short2(as_char4(in[i]).wzyx));
    out[4 * i + 3] = as_uint2(as_ulong((uint2)(in[i], in[i + 1])) << 4).y;
}

// launch: global 64 local 32
kernel void saturating_conversions(global const float *in, global int *out) {
    const int i = get_global_id(0);
    const float a = in[i], b = a * 1e7f;
    global int *o = out + 12 * i;
    o[0] = convert_char_sat(a);
    o[1] = convert_uchar_sat_rte(a);
    o[2] = convert_short_sat_rtp(b);
    o[3] = convert_ushort_sat_rtn(b);
    o[4] = convert_int_sat(b);
    o[5] = convert_uint_sat_rtz(b);
    o[6] = convert_int_rte(a);
    o[7] = convert_int_rtp(a);
    o[8] = convert_int_rtn(a);
    o[9] = convert_char_sat(convert_int(a) * 3);
    o[10] = convert_uchar_sat(convert_short_sat(b));
    o[11] = as_int(convert_uchar4_sat((float4)(a, -a, a / 3, a * 3)));
}

// launch: global 32 local 16
kernel void rounding_conversions(global const ulong *in, global float *out) {
    const int i = get_global_id(0);
    const ulong a = in[i];
    global float *o = out + 8 * i;
    o[0] = convert_float(a);
    o[1] = convert_float_rtz(a);
    o[2] = convert_float_rtp((long)a);
    o[3] = convert_float_rtn((uint)a);
    const float4 v = convert_float4_rtz(as_int4((ulong2)(a, ~a)));
    o[4] = v.x;
    o[5] = v.y;
    o[6] = v.z + v.w;
    o[7] = convert_float2(as_short4(a).yz).y;
}

__attribute__((noinline)) int4 keep(int4 v) {
    return v + (int)get_num_groups(1) - 1;
}

/* Amounts that are 0, and known to be as late as when vectors become registers. */
// launch: global 32 local 8
kernel void wide_shifts_by_elements(global const int *in, global ulong *out) {
    const size_t i = get_global_id(0);
    const int a = in[i];
    const ulong wide = (ulong)a * in[i + 1];
    const int4 zeros = (int4)(a, a, a, a) ^ (int4)(a, 7, a, a);
    const int4 kept = keep(zeros);
    const ulong2 both = (ulong2)(wide, wide + 1) << convert_ulong2(zeros.xy & 63);
    out[8 * i] = wide << (zeros.x & 63u);
    out[8 * i + 1] = wide >> (zeros.z & 63u);
    out[8 * i + 2] = (ulong)((long)wide >> (zeros.w & 63u));
    out[8 * i + 3] = rotate(wide, (ulong)zeros.x);
    out[8 * i + 4] = wide << (kept.x & 31u);
    out[8 * i + 5] = both.x;
    out[8 * i + 6] = both.y;
    out[8 * i + 7] = kept.y;
}
